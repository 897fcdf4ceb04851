-- The folder that a prepress workflow watches, and what was put into it.

-- at most one row
create table hot_folder (
    id bigint not null primary key,
    -- what the folder's mark says: the same folder again, and this shop's
    house text not null,
    -- as the host names it
    named text not null
);

create table hot_folder_jobs (
    order_id text not null,
    -- from 1
    number bigint not null,
    -- what its folder is called
    name text not null,
    -- line.round:copies, a space between them
    parts text not null,
    -- each file with its bytes, as JSON
    files text not null,
    -- what it was called before it was whole
    staging text not null,
    state text not null,
    since bigint not null,
    placed_at bigint,
    taken_at bigint,
    printed_at bigint,
    -- why it must not be printed (so); none while it may
    recalled text,
    primary key (order_id, number)
);
create index hot_folder_jobs_state on hot_folder_jobs (state, since);
create index hot_folder_jobs_since on hot_folder_jobs (since desc, order_id, number);

-- what hangs now, as the last look found it
create table hot_folder_troubles (
    subject text not null primary key,
    words text not null,
    since bigint not null
);
