-- Rectangles on the pages of a work that lead somewhere or say something to its readers
create table hot_areas (
    id text primary key,
    work_id text not null references works (id) on delete cascade,
    member_id text not null references members (id),
    -- of the document's page, wherever that stands
    page_id text not null,
    -- link, page, note, article or product
    kind text not null,
    -- per mille of the page
    x bigint not null,
    y bigint not null,
    width bigint not null,
    height bigint not null,
    -- what it is called, for those who see the page and for those who don't
    name text not null,
    -- an address, or the id of a page
    target text not null,
    -- a note or an article
    words text not null,
    updated_at bigint not null
);
create index hot_areas_of_page on hot_areas (work_id, page_id, y, x);
create index hot_areas_of_member on hot_areas (member_id);
