-- How many saves of a work were refused so far: the next one's number, which nobody had before it.
alter table works add column refused bigint not null default 0;
update works set refused = coalesce((select -min(revision) from work_revisions where work_id = works.id and revision < 0), 0);
