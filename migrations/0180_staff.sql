-- Who works at the back office 后台; accounts of its own, no members.
create table staff (
    id text primary key,
    -- what it signs in with and is called in the audit log
    name text not null unique,
    -- service, printing, finance, editor, owner; several between commas
    roles text not null,
    -- argon2id
    password_hash text not null,
    -- the secret of its codes by time (RFC 6238), sealed as in second_factors
    sealed text not null,
    -- when it proved that it has the secret; null before
    on_since bigint,
    -- the newest time step whose code was used
    last_step bigint not null,
    created_at bigint not null,
    -- when it was let go; null as long as it works here
    ended_at bigint
);
create table staff_logins (
    id text primary key,
    staff_id text not null references staff (id),
    device text not null,
    address text not null,
    created_at bigint not null,
    -- when it showed its code; null before
    proven_at bigint
);
create index staff_logins_of_staff on staff_logins (staff_id, created_at);

-- The audit log as a chain: each row has the next number and a hash over itself and the row before. Rows of before have none.
alter table audit_log add column number bigint;
alter table audit_log add column hash text;
create unique index audit_log_numbers on audit_log (number);
-- The chain's end, one row from the first entry on: whoever adds to the log holds it.
create table audit_head (
    id bigint primary key,
    number bigint not null,
    hash text not null
);

-- What one person in the back office may not give back alone: it waits until somebody else has decided.
create table refund_requests (
    id text primary key,
    order_id text not null references orders (id),
    -- 分; null for all that is left
    amount bigint,
    reason text not null,
    -- names in the back office
    asked_by text not null,
    asked_at bigint not null,
    decided_by text,
    decided_at bigint,
    -- granted or declined
    outcome text
);
create index refund_requests_of_order on refund_requests (order_id, asked_at);
create index refund_requests_open on refund_requests (asked_at) where decided_at is null;

-- When backups were made; no part of one.
create table backups (
    made_at bigint primary key
);
