-- What goods were and are, version by version. The first is what there was before the first change.
create table goods_versions (
    goods_id text not null references goods (id),
    number bigint not null,
    -- as in goods
    body text not null,
    active bigint not null,
    note text not null,
    -- a name in the back office, or who gave the command; empty for what there was before
    made_by text not null,
    made_at bigint not null,
    primary key (goods_id, number)
);

-- Changes of goods that wait for their day, one of each.
create table goods_changes (
    goods_id text primary key references goods (id),
    -- as in goods
    body text not null,
    active bigint not null,
    -- the number of the version that it was made over
    base bigint not null,
    note text not null,
    -- a name in the back office
    made_by text not null,
    made_at bigint not null,
    takes_effect_at bigint not null,
    -- why it did not take effect on its day; null before
    failed text
);

-- Who changes goods is told what becomes of the carts.
create index cart_lines_of_goods on cart_lines (goods_id) where removed_at is null;
