-- Backups that were made or looked through in the repository, and what became of that; no part of a backup
create table backup_attempts (
    id text primary key,
    -- 'run' or 'verify'
    what text not null,
    began_at bigint not null,
    -- null: under way, or ended with the program
    ended_at bigint,
    -- the name of what was made or looked through
    generation text,
    -- bytes that were stored anew, and of the whole generation
    stored bigint,
    size bigint,
    -- files that were not what they should be or not there
    damaged bigint,
    -- why what need not stay could not be taken away afterwards
    prune_fault text,
    -- why it failed; null where it is good
    fault text
);
create index backup_attempts_by_end on backup_attempts (what, ended_at);
