-- Lists of the back office that somebody has asked for as files; they go after some days.
create table exports (
    id text not null primary key,
    -- which list
    kind text not null,
    -- xlsx or csv
    format text not null,
    -- the filters of the list
    query text not null,
    clerk text not null,
    asked_at bigint not null,
    -- when it was made; none while it is not
    done_at bigint,
    rows bigint,
    bytes bigint
);
create index exports_waiting on exports (clerk) where done_at is null;
create index exports_time on exports (asked_at);
