-- What a reader put into its study 书房, and where it has come to in what it reads
create table study_items (
    member_id text not null references members (id),
    -- work or title
    kind text not null,
    item_id text not null,
    -- as it was called when the reader last had to do with it
    title text not null,
    -- null where it was only read
    put_at bigint,
    -- the page that was read last, from 1, and when; how many there were
    page bigint,
    read_at bigint,
    pages bigint,
    updated_at bigint not null,
    primary key (member_id, kind, item_id)
);
create index study_items_newest on study_items (member_id, updated_at);

create table bookmarks (
    member_id text not null references members (id),
    kind text not null,
    item_id text not null,
    page bigint not null,
    title text not null,
    created_at bigint not null,
    primary key (member_id, kind, item_id, page)
);

-- A reader's own notes; nobody else sees them
create table reader_notes (
    id text primary key,
    member_id text not null references members (id),
    kind text not null,
    item_id text not null,
    page bigint not null,
    title text not null,
    words text not null,
    created_at bigint not null,
    updated_at bigint not null
);
create index reader_notes_of_member on reader_notes (member_id, updated_at, id);
create index reader_notes_of_item on reader_notes (member_id, kind, item_id, page);
