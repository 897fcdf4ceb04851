-- What preflight found of a work and its member said to print as it is: the findings, as their SHA-256, of one revision
create table decided_findings (
    work_id text not null references works (id),
    findings text not null,
    revision bigint not null,
    decided_at bigint not null,
    primary key (work_id, findings)
);
