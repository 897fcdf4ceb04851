-- What providers say they took and gave back, line by line, and where that differs from what is known here. Fees are counted in
-- thousandths of a 分: providers take parts of one.
create table statements (
    id text not null primary key,
    -- wechat, alipay
    method text not null,
    -- wechat_all, wechat_success, wechat_refund, alipay_business, alipay_account
    format text not null,
    -- of the file, which lies among the originals
    sha256 text not null unique,
    name text not null,
    -- the first day and the one after the last, 2026-11-20
    from_day text not null,
    until_day text not null,
    clerk text not null,
    created_at bigint not null,
    -- what it comes to; its payments and refunds together are its lines
    payments bigint not null,
    paid bigint not null,
    refunds bigint not null,
    refunded bigint not null,
    fees bigint not null,
    -- how many lines are rows, and the last line of the file that was held against what is known here
    kept bigint not null default 0,
    matched bigint not null default 0,
    -- when all was; none while it is being done
    done_at bigint
);
create index statements_time on statements (from_day, id);

-- each day has one statement of a way's payments and one of its refunds; one file may be both
create table statement_days (
    method text not null,
    day text not null,
    -- payment, refund
    part text not null,
    statement_id text not null,
    primary key (method, day, part)
);

create table statement_lines (
    statement_id text not null,
    -- of the file, from 1
    line bigint not null,
    part text not null,
    at bigint not null,
    -- our number and the provider's, of the payment and of the refund
    payment_no text not null,
    number text not null,
    refund_no text not null,
    refund_number text not null,
    amount bigint not null,
    fee bigint not null,
    -- done, waiting, failed
    standing text not null,
    primary key (statement_id, line)
);
create index statement_lines_of_payment on statement_lines (payment_no);
create index statement_lines_of_refund on statement_lines (refund_no);

create table statement_differences (
    id text not null primary key,
    statement_id text not null,
    -- what it is about: line:12, payment:ID, refund:ID
    place text not null,
    -- twice, state, amount, number, ours, theirs
    kind text not null,
    part text not null,
    line bigint,
    -- ours, where there is one
    payment_id text,
    refund_id text,
    -- what each side has; none where it has nothing
    our_amount bigint,
    their_amount bigint,
    our_state text,
    their_state text,
    our_number text,
    their_number text,
    at bigint not null,
    found_at bigint not null,
    settled_by text,
    settled_at bigint,
    note text,
    unique (statement_id, place)
);
create index statement_differences_open on statement_differences (found_at) where settled_at is null;
create index statement_differences_of on statement_differences (statement_id, id);
create index statement_differences_of_payment on statement_differences (payment_id);
create index statement_differences_of_refund on statement_differences (refund_id);

create index payments_paid on payments (method, paid_at);
create index payment_refunds_ended on payment_refunds (ended_at);

-- months whose figures are kept for good, and those that somebody wants to close until another one agrees
create table month_closings (
    -- 2026-11
    month text not null primary key,
    -- JSON, and its SHA-256
    figures text not null,
    sha256 text not null,
    asked_by text not null,
    asked_at bigint not null,
    closed_by text,
    closed_at bigint
);
