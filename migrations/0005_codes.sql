-- How a member is reached. One of the two is its account name.
alter table members add column phone text;
alter table members add column email text;
update members set phone = account where account not like '%@%';
update members set email = account where account like '%@%';
create unique index members_phone on members (phone);
create unique index members_email on members (email);
-- The member by whose invite code this one registered; no reference, so that rows can be restored in any order.
alter table members add column invited_by text;
create index members_invited on members (invited_by);

-- A code that was sent to a contact, at most one for each purpose.
create table codes (
    -- registration, recovery or contact
    purpose text not null,
    contact text not null,
    -- who asked while signed in; empty for a visitor
    member_id text not null,
    -- keyed digest of purpose, contact, member and code, base64; of nothing where no code can be right
    digest text not null,
    tries bigint not null,
    expires_at bigint not null,
    primary key (purpose, contact, member_id)
);

-- Messages on their way to a contact. A row is deleted when its message was handed over, or is no use any more.
create table outbox (
    id text primary key,
    contact text not null,
    subject text not null,
    body text not null,
    -- 1: the program does not send it (any more), the operator does
    held bigint not null,
    created_at bigint not null,
    expires_at bigint not null
);
