-- The small copy that stands for an original on its way, SHA-256 of its bytes; null once the original is here
alter table photos add column preview text;
create index photos_by_preview on photos (preview);
