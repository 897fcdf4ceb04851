-- When a work was published as an e-book 电子书; null where it is none
alter table works add column ebook_at bigint;
create index works_ebook_changed on works (member_id, updated_at, id) where trashed_at is null and ebook_at is not null;
create index works_ebook_made on works (member_id, created_at, id) where trashed_at is null and ebook_at is not null;
create index works_ebook_titled on works (member_id, title, id) where trashed_at is null and ebook_at is not null;
