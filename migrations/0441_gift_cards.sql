-- Gift cards 礼品卡: money that is owed to whoever has the code, until that is taken into a balance. The sum of those that are open is
-- the ledger's account gift-cards.
create table gift_cards (
    id text primary key,
    buyer_id text not null references members (id),
    -- 分
    amount bigint not null,
    -- unpaid, open, redeemed or refunded
    state text not null,
    -- how it was paid
    pay_way text,
    -- mail or card
    way text not null,
    -- where its message goes; empty for a card to print
    address text not null,
    -- as its buyer typed them; may be empty
    receiver text not null,
    giver text not null,
    words text not null,
    -- what its code is made of, with a key of the installation; null when nobody needs it any more
    salt text,
    -- HMAC of the code
    digest text not null unique,
    created_at bigint not null,
    paid_at bigint,
    expires_at bigint,
    sent bigint not null default 0,
    sent_at bigint,
    redeemed_by text references members (id),
    redeemed_at bigint,
    refunded_at bigint
);
create index gift_cards_of_buyer on gift_cards (buyer_id, created_at desc, id desc);
create index gift_cards_of_redeemer on gift_cards (redeemed_by);
create index gift_cards_newest on gift_cards (created_at desc, id desc);
