-- What one instance does for all (platform::background::rounds): from when on it is due again. Instances that share a database and
-- a bucket listed all that is in it each for itself
create table rounds (
    task text primary key,
    due_at bigint not null
);
