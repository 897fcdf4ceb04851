-- An attempt to pay from outside.
create table payments (
    -- also our number for it at the provider (out_trade_no)
    id text primary key,
    member_id text not null references members (id),
    -- wechat, alipay, transfer
    method text not null,
    -- the order that it is for; null for a recharge
    order_id text references orders (id),
    amount bigint not null,
    -- one key for each rendered form: pressing twice begins one payment
    request_key text not null,
    -- pending, paid, closed
    state text not null,
    -- the provider's number, or the bank's
    provider_number text,
    -- what a WeChat QR code says, or the address at Alipay
    pay_url text,
    -- what the payer of a bank transfer writes on it
    reference text unique,
    -- 1 when the money paid the order that it was for; otherwise it is in the balance
    paid_order bigint not null default 0,
    created_at bigint not null,
    expires_at bigint not null,
    paid_at bigint,
    unique (member_id, request_key),
    unique (method, provider_number)
);
create index payments_of_member on payments (member_id, created_at);
create index payments_of_order on payments (order_id);

-- Money on its way back to where it came from, out of the member's balance.
create table payment_refunds (
    -- also our number for it at the provider (out_refund_no)
    id text primary key,
    payment_id text not null references payments (id),
    amount bigint not null,
    -- the operator's word for it: the same command twice sends once
    request_key text not null,
    -- pending, done, failed
    state text not null,
    provider_number text,
    -- why it failed
    reason text,
    created_at bigint not null,
    ended_at bigint,
    unique (payment_id, request_key)
);
