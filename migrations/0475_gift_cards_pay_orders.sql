-- Gift cards pay orders, part by part. Whoever uses one first has it from then on: its state is held, and it has no end any more.
alter table gift_cards add column holder_id text references members (id);
alter table gift_cards add column held_at bigint;
-- 分 of its amount that are gone, as its moves say
alter table gift_cards add column spent bigint not null default 0;
create index gift_cards_of_holder on gift_cards (holder_id, held_at desc, id desc);

-- What cards pay of an order. As long as that is unpaid it is set aside on them.
create table gift_card_uses (
    order_id text not null references orders (id),
    card_id text not null references gift_cards (id),
    -- in which order they were put on it, from 1
    position bigint not null,
    -- 分
    amount bigint not null,
    -- what of it went back to the card
    given_back bigint not null default 0,
    put_at bigint not null,
    primary key (order_id, card_id)
);
create index gift_card_uses_of_card on gift_card_uses (card_id);

-- What took something off a card that somebody has, or brought it back.
create table gift_card_moves (
    card_id text not null references gift_cards (id),
    -- from 1
    number bigint not null,
    -- payment, return or redemption
    kind text not null,
    -- 分; below zero where the card has less afterwards
    amount bigint not null,
    -- of a payment or a return
    order_id text,
    -- of a return
    refund_key text,
    moved_at bigint not null,
    primary key (card_id, number)
);
create index gift_card_moves_of_order on gift_card_moves (order_id);

-- What gift cards pay of an order, and what of that went back to them.
alter table orders add column by_cards bigint not null default 0;
alter table orders add column back_to_cards bigint not null default 0;

-- An older program would take a card for whole that is not, and give its money back to a balance.
update oldest_program set migration = 475;
