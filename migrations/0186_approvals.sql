-- What one person in the back office may not give alone waits until another one has decided: of orders and payments alike.
-- `refund_requests`, which was for orders, is read no more.
create table approvals (
    id text primary key,
    -- order or payment
    kind text not null,
    -- the id of that
    about text not null,
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
create index approvals_of_thing on approvals (kind, about, asked_at);
create index approvals_open on approvals (kind, asked_at) where decided_at is null;
insert into approvals (id, kind, about, amount, reason, asked_by, asked_at, decided_by, decided_at, outcome)
select id, 'order', order_id, amount, reason, asked_by, asked_at, decided_by, decided_at, outcome from refund_requests;

-- What somebody in the back office gave alone.
create table given_alone (
    id text primary key,
    -- the name in the back office
    given_by text not null,
    kind text not null,
    about text not null,
    amount bigint not null,
    given_at bigint not null
);
create index given_alone_lately on given_alone (given_by, given_at);
create index given_alone_of_thing on given_alone (kind, about);
-- One row for each who ever gave: held while it is reckoned whether more may be given.
create table givers (
    name text primary key
);
