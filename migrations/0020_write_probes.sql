-- One row that is written to see whether writing is possible. Nothing is read from it.
create table write_probes (
    id bigint primary key,
    tried_at bigint not null
);
