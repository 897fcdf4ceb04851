-- Accounts of the back office as its pages manage them: who somebody is, links that let somebody in, what waits for a second
-- person, passkeys.
alter table staff add column full_name text not null default '';
-- epoch ms; none before the first time
alter table staff add column signed_in_at bigint;
-- how often roles, end or ways in were changed: a page says which state it has seen
alter table staff add column version bigint not null default 0;

-- one row: whoever changes an account holds it, so that changes go one after the other
create table staff_turns (
    id bigint not null primary key
);

-- whoever has one comes in by it alone, once; a later one takes its place
create table staff_invitations (
    staff_id text not null primary key references staff (id),
    -- SHA-256 of the secret in the link
    digest text not null unique,
    ends_at bigint not null
);

-- what is to be done when another one agrees; who asked and what was decided stands in approvals
create table staff_requests (
    id text not null primary key,
    -- one that is to be added has no row in staff yet
    staff_id text not null,
    -- add, roles, back, reset
    act text not null,
    name text not null,
    full_name text not null,
    -- codes between commas
    roles text not null,
    -- where the link is sent, or nothing
    email text not null,
    -- the account's version when it was asked for
    version bigint not null,
    -- when it was decided on
    closed_at bigint
);
create index staff_requests_open on staff_requests (id) where closed_at is null;

create table staff_passkeys (
    id text not null primary key,
    staff_id text not null references staff (id),
    -- as in passkeys
    credential text not null unique,
    name text not null,
    transports bigint not null,
    public_key text not null,
    state text not null,
    created_at bigint not null,
    used_at bigint
);
create index staff_passkeys_of_staff on staff_passkeys (staff_id, created_at);
