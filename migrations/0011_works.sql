-- When a work was put into the trash; null on the shelf
alter table works add column trashed_at bigint;

-- A shelf is read in keyset pages: one index for each order, of all works and of one kind.
-- They do what works_of_member did.
drop index works_of_member;
create index works_changed on works (member_id, updated_at, id) where trashed_at is null;
create index works_made on works (member_id, created_at, id) where trashed_at is null;
create index works_titled on works (member_id, title, id) where trashed_at is null;
create index works_of_kind_changed on works (member_id, kind, updated_at, id) where trashed_at is null;
create index works_of_kind_made on works (member_id, kind, created_at, id) where trashed_at is null;
create index works_of_kind_titled on works (member_id, kind, title, id) where trashed_at is null;
create index works_trashed on works (member_id, trashed_at, id) where trashed_at is not null;
create index cart_lines_of_work on cart_lines (work_id);

-- Why a revision was made: made, texts, settings, format, copied, imported, restored; empty before this was noted.
-- Numbers from 1 on are a work's line. A save that was refused because another one had come first is kept beside it
-- under a negative number.
alter table work_revisions add column cause text not null default '';
-- The revision that it was made from: of a restored one the one restored, of a refused save the one it began with
alter table work_revisions add column source bigint;
