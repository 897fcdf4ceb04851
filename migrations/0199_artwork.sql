-- What a craft (烫金, 局部UV, 起鼓) is drawn from: the title, as everything that was chosen and ordered before, an ornament, or both.
alter table cart_lines add column artwork text not null default 'title';
alter table order_lines add column artwork text not null default 'title';
