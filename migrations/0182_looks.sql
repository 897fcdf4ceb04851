-- Somebody of the back office 后台 looks at a member's pages as the member sees them.
create table looks (
    id text primary key,
    member_id text not null references members (id),
    -- the name in the back office
    staff text not null,
    reason text not null,
    began_at bigint not null,
    -- when it ends by itself
    ends_at bigint not null,
    -- when it was ended before
    ended_at bigint
);
create index looks_of_member on looks (member_id, began_at);
