-- Shelves 书架 of what a member publishes, at /shelf/{name}
create table shelves (
    id text primary key,
    member_id text not null references members (id),
    -- as its address has it now
    name text not null,
    title text not null,
    -- whose it is, as readers are told
    byline text not null,
    description text not null,
    is_public bigint not null,
    -- the thing on it whose cover stands for it; null for the first one
    cover_kind text,
    cover_id text,
    created_at bigint not null,
    updated_at bigint not null,
    -- when and why the house withdrew it
    withdrawn_at bigint,
    withdrawn_reason text
);
create index shelves_of_member on shelves (member_id, id);
create index shelves_listed on shelves (updated_at, id) where is_public = 1 and withdrawn_at is null;

-- Every name that a shelf has or had: an old one leads to it, and nobody else gets it
create table shelf_names (
    name text primary key,
    shelf_id text not null references shelves (id) on delete cascade,
    since bigint not null
);
create index shelf_names_of_shelf on shelf_names (shelf_id, since);

-- What stands on a shelf, the smallest position first
create table shelf_items (
    shelf_id text not null references shelves (id) on delete cascade,
    -- work or title
    kind text not null,
    item_id text not null,
    position bigint not null,
    added_at bigint not null,
    primary key (shelf_id, kind, item_id)
);

-- What is reported, where it is no work: the path of its page. Then work_id is its id.
alter table reports add column address text not null default '';
