-- What is on a shop's floor: a row for each line of an order from its payment on, where it stands, and what happened to it.
-- What was paid before is taken on when the program serves.
create table production (
    order_id text not null,
    line bigint not null,
    title text not null,
    goods text not null,
    copies bigint not null,
    -- printed sides of one copy
    pages bigint not null,
    -- the codes of its stages, a space between them
    stages text not null,
    -- 1, and one more each time it is printed again
    round bigint not null,
    -- where it is; none before it is begun and when it has left
    stage text,
    -- since when it has been there, or has waited to be begun
    since bigint not null,
    -- who has it
    holder text,
    -- why it is on hold, and since when
    held text,
    held_since bigint,
    -- the first moment of the day by whose end it is promised; of the last day there is, where nobody can say
    due bigint not null,
    -- how it left: shipped or dropped
    ended text,
    -- one more each time something of it changes
    version bigint not null,
    primary key (order_id, line)
);
create index production_open on production (due, order_id, line) where ended is null;
create index production_at on production (stage, due, order_id, line) where ended is null;
create index production_held on production (held_since) where ended is null and held is not null;
create index production_holder on production (holder, due, order_id, line) where ended is null;

create table production_events (
    order_id text not null,
    line bigint not null,
    position bigint not null,
    round bigint not null,
    kind text not null,
    stage text,
    note text not null,
    actor text not null,
    happened_at bigint not null,
    primary key (order_id, line, position)
);

-- what a stage does in a day; a stage without a row takes what comes
create table production_capacity (
    stage text not null primary key,
    units bigint not null
);

-- days on which the shop is closed beside weekends and holidays, as 2026-11-27
create table production_closed (
    day text not null primary key
);
