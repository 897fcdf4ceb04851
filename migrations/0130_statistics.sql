-- How what members publish is read. Rollups: they grow with pages and days, not with readers. Days are counted from
-- 1970-01-01 in China's time zone.

-- What is counted, under a short number: the first 63 bits of the SHA-256 of its kind and id.
create table counted_things (
    id bigint primary key,
    -- work, issue, …; or member, for all of a member's together
    kind text not null,
    item_id text not null,
    member_id text not null references members (id)
);
create index counted_things_of_member on counted_things (member_id);

create table reading_days (
    thing_id bigint not null,
    day bigint not null,
    -- visits that began
    opens bigint not null,
    -- pages that were looked at for a second, and for how long, ms
    reads bigint not null,
    spent bigint not null,
    -- how many people, and those of them that were signed in
    readers bigint not null,
    members bigint not null,
    primary key (thing_id, day)
);

create table reading_pages (
    thing_id bigint not null,
    day bigint not null,
    -- 0 is the cover
    page bigint not null,
    reads bigint not null,
    spent bigint not null,
    primary key (thing_id, day, page)
);

-- Where visits came from, with what, what was searched for and pressed: a bounded number of words a day.
create table reading_words (
    thing_id bigint not null,
    day bigint not null,
    -- source, device, search or area
    about text not null,
    word text not null,
    count bigint not null,
    primary key (thing_id, day, about, word)
);

-- A day's readers are told apart by a digest under the day's salt. Both are deleted when the day after is over.
create table reader_salts (
    day bigint primary key,
    salt text not null
);
create table day_readers (
    day bigint not null,
    thing_id bigint not null,
    reader bigint not null,
    primary key (day, thing_id, reader)
);
