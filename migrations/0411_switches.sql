-- Changing 换订 from terms that run to a longer one. What is counted of them, as it was confirmed and then as it was paid; the
-- sale's amount is what it is sold for, this included.
alter table sales add column credit bigint not null default 0;
-- the sale that took its place, of one that was given back for that
alter table sales add column replaced_by text;

-- Which sales are counted for one.
create table sale_switches (
    sale_id text not null references sales (id),
    old_id text not null references sales (id),
    primary key (sale_id, old_id)
);
create index sale_switches_of_old on sale_switches (old_id);
