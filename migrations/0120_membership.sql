-- What a member has when its tier is over; null for the lowest.
alter table members add column tier_after text;

-- What the tiers cost, from a day on. The book is JSON.
create table membership_price_books (
    starts_at bigint primary key,
    book text not null,
    created_at bigint not null
);

-- Terms of tiers that members buy. What was confirmed stays here when prices change. Times are epoch ms, amounts 分.
create table membership_terms (
    id text primary key,
    member_id text not null references members (id),
    tier text not null,
    months bigint not null,
    -- begin, renew, upgrade
    step text not null,
    price bigint not null,
    -- counted from the tier that ends
    credit bigint not null,
    amount bigint not null,
    -- given for what the credit is more than the price
    days bigint not null,
    -- how many terms the member had paid when this one was confirmed
    basis bigint not null,
    -- unpaid, paid, replaced, refunded
    state text not null,
    -- balance, credit, or a way of payment from outside
    way text,
    -- the terms without a gap that it belongs to, itself the last: where they begin, their months, their days beside those
    run_from bigint,
    run_months bigint,
    run_days bigint,
    starts_at bigint,
    ends_at bigint,
    -- amount, and what the credit was worth when it was paid
    value bigint not null default 0,
    -- when it ended before its end, what was not used then, and the term that took its place
    ended_at bigint,
    rest bigint not null default 0,
    successor_id text,
    created_at bigint not null,
    paid_at bigint
);
create index membership_terms_of_member on membership_terms (member_id, id);
create index membership_terms_of_successor on membership_terms (successor_id);

-- Which ends of a tier a member was told of, and how many days before.
create table membership_notices (
    member_id text not null references members (id),
    ends_at bigint not null,
    days bigint not null,
    told_at bigint not null,
    primary key (member_id, ends_at, days)
);
