-- which line of the cart became a line of an order: whoever goes back to where it was ordered is led to the order
alter table order_lines add column cart_line text;
create index order_lines_of_cart on order_lines (cart_line) where cart_line is not null;
