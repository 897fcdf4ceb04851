-- Copies of an order's lines that were refunded by themselves, and red-letter invoices.

create table refunded_copies (
    order_id text not null,
    -- of order_refunds
    refund_key text not null,
    -- 0 for what was paid for sending
    line bigint not null,
    copies bigint not null,
    -- how many of them had not been sent, and are not made
    unmade bigint not null,
    -- how often the order had been printed again
    round bigint not null,
    -- what of the refund is theirs, 分
    amount bigint not null,
    primary key (order_id, refund_key, line)
);

-- which copies a refund is of that waits for a second person
create table asked_copies (
    -- of approvals
    request_id text not null,
    -- 0 where what was paid for sending goes back, too
    line bigint not null,
    copies bigint not null,
    primary key (request_id, line)
);

-- invoices that took an issued one back, wholly or in part 红字发票
create table red_invoices (
    id text not null primary key,
    invoice_id text not null,
    -- 发票号码
    number text not null,
    -- 发票代码; empty where there is none
    code text not null,
    -- the day on it, as 2026-11-27
    issued_on text not null,
    -- 分, above zero
    amount bigint not null,
    -- SHA-256 of the PDF
    file text not null,
    actor text not null,
    recorded_at bigint not null
);
create unique index red_invoices_number on red_invoices (invoice_id, number);
create index red_invoices_file on red_invoices (file);

-- what of its amount red invoices took back, 分, and when the last of them was recorded
alter table invoices add column corrected bigint not null default 0;
alter table invoices add column corrected_at bigint;
