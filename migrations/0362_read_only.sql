-- Reading only: what people are told while nothing that they send is written. No row: everything is as always
create table read_only (
    id bigint primary key check (id = 1),
    reason text not null,
    -- when it is said to end, epoch ms; it does not end by itself
    until_at bigint,
    since bigint not null
);
