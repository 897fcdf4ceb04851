-- What editors did to works. An operation that was made is made no second time, so its name stays.
create table work_operations (
    work_id text not null references works (id),
    -- as its client named it
    id text not null,
    -- the revision that it became part of, and its place among that revision's
    revision bigint not null,
    place bigint not null,
    -- the change as it was made, JSON: revisions of a sitting that are not kept whole are made again of these. Empty where there was
    -- nothing to change, null where nobody comes back to it any more.
    change text,
    made_at bigint not null,
    primary key (work_id, id)
);
create index work_operations_of_revision on work_operations (work_id, revision, place);

-- Of a revision made by an editor: when its sitting began, epoch ms. Only the last one of a sitting is kept whole.
alter table work_revisions add column sitting bigint;
