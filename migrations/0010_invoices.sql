-- Who a member has invoices made out to 发票抬头.
create table invoice_titles (
    id text primary key,
    member_id text not null references members (id),
    name text not null,
    -- 统一社会信用代码; null for a person
    credit_code text,
    created_at bigint not null
);
create index invoice_titles_of_member on invoice_titles (member_id, created_at);

create table invoices (
    id text primary key,
    member_id text not null references members (id),
    order_id text not null references orders (id),
    -- requested, issued, cancelled, rejected, voided
    state text not null,
    -- the title as it was
    title_name text not null,
    title_code text,
    -- where the file is sent as well; null for nowhere
    email text,
    -- what was ordered, in words
    content text not null,
    amount bigint not null,
    -- what is left of the order now: it differs from the amount where a refund came after the invoice was issued
    order_rest bigint not null,
    -- why it was rejected, voided, or cancelled by the program
    reason text,
    -- 发票号码, where the operator gave it
    number text,
    -- SHA-256 of the PDF's bytes, lower-case hex; it lies among the originals
    file text,
    requested_at bigint not null,
    issued_at bigint,
    -- when it was cancelled, rejected or voided
    ended_at bigint
);
-- an order has one invoice that counts
create unique index invoices_live on invoices (order_id) where state in ('requested', 'issued');
create index invoices_of_member on invoices (member_id, id);
create index invoices_by_state on invoices (state, id);

-- A file that goes with a mail: its SHA-256 among the originals, and its name; null without one.
alter table outbox add column attachment text;
alter table outbox add column attachment_name text;
