-- Which of a member's photos and PDFs are shown where. What has a row here is never deleted; whoever shows files writes its
-- rows in the transaction that writes its own.
create table file_uses (
    -- what shows it: work or order, and its id
    holder_kind text not null,
    holder text not null,
    -- photo (an id) or pdf (a SHA-256)
    kind text not null,
    file text not null,
    -- the versions of the holder that show it: the last is null while it is shown. A holder without versions has 0.
    first_version bigint not null,
    last_version bigint,
    -- whose file it is
    member_id text not null,
    primary key (holder_kind, holder, kind, file, first_version)
);
create index file_uses_of_file on file_uses (member_id, kind, file);

-- How many saves of a work, the refused ones among them, were written together with their uses: all of them, unless a
-- program wrote some that knew no uses. Then the work's uses are noted anew.
alter table works add column noted bigint not null default 0;
create index works_unnoted on works (member_id, id) where noted <> revision + refused;
-- The same of an order, which is written once: 1 or 0.
alter table orders add column noted bigint not null default 0;
create index orders_unnoted on orders (member_id, id) where noted = 0;
