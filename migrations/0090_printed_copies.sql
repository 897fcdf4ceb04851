-- Whether readers may order printed copies of a shared work, and what its maker adds to the price of each, in 分.
alter table shares add column print bigint not null default 0;
alter table shares add column markup bigint not null default 0;
-- Whose work an order prints; null where it is the buyer's own.
alter table orders add column maker_id text references members (id);
-- what of the price is the maker's, what of that waits for the receipt, and what the maker has by now
alter table orders add column markup bigint not null default 0;
alter table orders add column markup_held bigint not null default 0;
alter table orders add column markup_earned bigint not null default 0;
create index orders_of_maker on orders (maker_id);
