-- A removed line stays for a while, so that removing can be undone; null while it is in the cart.
alter table cart_lines add column removed_at bigint;
