-- What of a term's own amount was given back, 分: of the term itself, or of one that counted it. Part of neither is counted
-- twice, so an invoice of each shows what is left of it.
alter table membership_terms add column given_back bigint not null default 0;
update membership_terms set given_back = case when rest < amount then rest else amount end where state = 'refunded';

-- Invoices are of orders or of terms. The table is written anew, because SQLite can't take a rule off a column; columns keep
-- their names.
create table invoices_anew (
    id text primary key,
    member_id text not null references members (id),
    -- one of the two
    order_id text references orders (id),
    term_id text references membership_terms (id),
    -- requested, issued, cancelled, rejected, voided
    state text not null,
    -- the title as it was
    title_name text not null,
    title_code text,
    -- where the file is sent as well; null for nowhere
    email text,
    -- what was bought, in words
    content text not null,
    amount bigint not null,
    -- what is left of the order or term now: it differs from the amount where a refund came after the invoice was issued
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
    ended_at bigint,
    check ((order_id is null) <> (term_id is null))
);
insert into invoices_anew (id, member_id, order_id, state, title_name, title_code, email, content, amount, order_rest, reason,
                           number, file, requested_at, issued_at, ended_at)
    select id, member_id, order_id, state, title_name, title_code, email, content, amount, order_rest, reason,
           number, file, requested_at, issued_at, ended_at from invoices;
drop table invoices;
alter table invoices_anew rename to invoices;
-- an order, or a term, has one invoice that counts
create unique index invoices_live on invoices (order_id) where state in ('requested', 'issued');
create unique index invoices_live_of_terms on invoices (term_id) where state in ('requested', 'issued');
create index invoices_of_member on invoices (member_id, id);
create index invoices_by_state on invoices (state, id);
