-- What sending costs and who sends, where the shop says it; which parcels an order has; what was printed once more, and why.

-- without rows the program's own table holds
create table shipping_zones (
    position bigint not null primary key,
    name text not null,
    -- 分
    first_kg bigint not null,
    further_kg bigint not null,
    -- full names, a space between them
    provinces text not null
);

-- at most one row
create table shipping_sender (
    id bigint not null primary key,
    name text not null,
    phone text not null,
    address text not null
);

-- an order that was sent without rows here has one parcel, with all of it: carrier and number stand in its own row
create table parcels (
    order_id text not null,
    -- from 1
    number bigint not null,
    carrier text not null,
    tracking text not null,
    sent_at bigint not null,
    primary key (order_id, number)
);

create index parcels_time on parcels (sent_at);

create table parcel_copies (
    order_id text not null,
    number bigint not null,
    line bigint not null,
    copies bigint not null,
    primary key (order_id, number, line)
);

-- an order that was printed again without rows here was printed again whole
create table reprints (
    order_id text not null,
    -- from 1
    number bigint not null,
    reason text not null,
    -- the member reads it
    note text not null,
    -- what it costs the shop, 分
    cost bigint not null,
    actor text not null,
    ordered_at bigint not null,
    primary key (order_id, number)
);
create index reprints_time on reprints (ordered_at);

create table reprint_copies (
    order_id text not null,
    number bigint not null,
    line bigint not null,
    copies bigint not null,
    primary key (order_id, number, line)
);
