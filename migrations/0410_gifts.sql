-- Gifts 送给别人: sales whose reader is whoever has their code. One that nobody has taken has no time in which it is earned.
alter table sales add column is_gift bigint not null default 0;

-- When a right was given, which is how rights follow one another; a gift's holds what it held when it was paid, which is before.
alter table entitlements add column granted_at bigint not null default 0;
update entitlements set granted_at = created_at;

create table gifts (
    sale_id text primary key references sales (id),
    -- mail or card
    way text not null,
    -- where its message goes; empty for a card, and when nobody needs it any more
    address text not null,
    -- as its giver typed them; may be empty
    receiver text not null,
    giver text not null,
    words text not null,
    -- what its code is made of, with a key of the installation; null when nobody can redeem it any more
    salt text,
    -- HMAC of the code
    digest text not null unique,
    -- when its message leaves; null for one that leaves with the payment
    send_at bigint,
    sent bigint not null default 0,
    sent_at bigint,
    taken_by text references members (id),
    taken_at bigint
);
create index gifts_of_taker on gifts (taken_by);
create index sales_given_of_item on sales (kind, item_id) where is_gift = 1;
create index sales_given_of_package on sales (package_id) where is_gift = 1;
