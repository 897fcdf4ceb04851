-- Coupons 优惠券: a word that everybody may type, or a batch of codes each of which is used once. What one is good for never
-- changes; it is only ended.
create table coupons (
    id text primary key,
    -- what the shop calls it
    name text not null,
    -- in capitals; null for a batch
    word text unique,
    -- amount (value in 分) or percent (value in hundredths, cap in 分)
    benefit text not null,
    value bigint not null,
    cap bigint,
    least bigint not null,
    -- ids as a list of JSON; empty for all goods
    goods text not null,
    valid_from bigint not null,
    valid_until bigint not null,
    once_a_member bigint not null,
    -- how often it may be used in all; null for no end
    most bigint,
    -- orders that use it now
    used bigint not null default 0,
    -- how many codes it has; 0 for a word
    codes bigint not null,
    -- what its codes are made of, with a key of the installation; null when nobody can have them any more
    salt text,
    file_until bigint,
    made_by text not null,
    created_at bigint not null,
    -- null as long as another clerk has to agree
    agreed_at bigint,
    ended_at bigint
);
create index coupons_newest on coupons (created_at desc, id desc);

create table coupon_codes (
    -- HMAC of the code
    digest text primary key,
    coupon_id text not null references coupons (id),
    number bigint not null,
    -- the order that uses it now
    order_id text
);
create index coupon_codes_of_coupon on coupon_codes (coupon_id, number);
create index coupon_codes_of_order on coupon_codes (order_id);

create table coupon_uses (
    order_id text primary key,
    coupon_id text not null references coupons (id),
    member_id text not null references members (id),
    -- as the order shows it
    code text not null,
    -- 分 that it took off
    amount bigint not null,
    used_at bigint not null,
    -- when the order gave it back
    returned_at bigint
);
create index coupon_uses_of_coupon on coupon_uses (coupon_id, used_at desc, order_id desc);
create index coupon_uses_of_member on coupon_uses (coupon_id, member_id);

-- What an order keeps of the coupon that it used; what each line bears of it is taken off the line's own total.
alter table orders add column coupon_id text;
alter table orders add column coupon_code text;
alter table orders add column coupon_rule text;
alter table orders add column discount bigint not null default 0;
alter table order_lines add column discount bigint not null default 0;
