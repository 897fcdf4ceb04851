-- What a shelf is searched by. Both tables are made of the works' titles: they are no part of a backup, and filled at start
-- for works that have no row here.

-- Each work's title as searches compare it: in one case, compatible characters alike
create table work_titles (
    work_id text primary key references works (id) on delete cascade,
    folded text not null
);
-- The places of folded titles by the three characters that begin there; '' past the end. In columns of their own, since an
-- index finds the beginnings of texts in one order of letters only. A reference to the work would need another index.
create table title_grams (
    member_id text not null,
    first text not null,
    second text not null,
    third text not null,
    work_id text not null,
    primary key (member_id, first, second, third, work_id)
);
