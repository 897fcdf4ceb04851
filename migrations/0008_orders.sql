-- Orders: what was given back, how it was sent, since when it is in its state.
alter table orders add column refunded bigint not null default 0;
alter table orders add column carrier text;
alter table orders add column tracking text;
-- when the order came into its state, epoch ms; deadlines run from here
alter table orders add column state_since bigint not null default 0;
update orders set state_since = coalesce(
    (select max(happened_at) from order_events where order_events.order_id = orders.id), created_at);
create index orders_in_state on orders (state, state_since);

-- what a person should know about the step, such as a reason
alter table order_events add column note text not null default '';

-- Money given back for an order, to the member's balance. The key makes it happen once.
create table order_refunds (
    order_id text not null references orders (id),
    refund_key text not null,
    amount bigint not null check (amount > 0),
    reason text not null,
    created_at bigint not null,
    primary key (order_id, refund_key)
);

-- cancelled orders that were paid have had their money back
insert into order_refunds (order_id, refund_key, amount, reason, created_at)
    select id, '=cancellation', total, '取消订单', state_since from orders
    where state = 'cancelled' and paid_at is not null;
update orders set refunded = total where state = 'cancelled' and paid_at is not null;

-- A member who may no longer cancel by itself asks for it; the operator answers.
create table cancellation_requests (
    order_id text primary key references orders (id),
    reason text not null,
    -- open, granted, declined
    state text not null,
    answer text not null,
    requested_at bigint not null,
    decided_at bigint
);

-- Every account's entries are counted, so that one that is missing leaves a gap. Entries from before have no number.
alter table ledger_accounts add column entries bigint not null default 0;
alter table ledger_entries add column sequence bigint;
create unique index ledger_entries_in_sequence on ledger_entries (account_id, sequence);

-- What operators did. Only added to.
create table audit_log (
    id text primary key,
    happened_at bigint not null,
    -- who: the user of the machine that gave the command
    actor text not null,
    action text not null,
    -- what it was done to, such as an order's number
    subject text not null,
    -- JSON
    detail text not null
);
create index audit_log_of_subject on audit_log (subject, id);
