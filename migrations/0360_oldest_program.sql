-- The least migration that a program has to know to run on this schema: one that is older than the newest may go on beside it, or be
-- started again after an upgrade that was not wanted. A migration that such a program could not run on says so here.
create table oldest_program (
    id bigint not null primary key check (id = 1),
    migration bigint not null
);
insert into oldest_program (id, migration) values (1, 360);
