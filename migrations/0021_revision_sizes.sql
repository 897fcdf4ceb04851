-- How many bytes a version takes: documents count in what a member may keep. Its index is read instead of the documents.
alter table work_revisions add column bytes bigint not null default 0;
update work_revisions set bytes = octet_length(document);
create index work_revisions_bytes on work_revisions (work_id, bytes);
