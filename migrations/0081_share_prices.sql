-- What reading all of a shared work takes: nothing, or a purchase.
alter table shares add column is_sold bigint not null default 0;
-- the price of this work alone, for ever, in 分; null where it is sold in packages only
alter table shares add column price bigint;
-- pages, from the first on, that anybody may read of what is sold
alter table shares add column preview_pages bigint not null default 0;
