-- Sections 栏目 are pages of one name: found in each issue of a title, the newest first, and counted, without reading pages, whose
-- rows are long
create index issue_pages_of_name on issue_pages (issue_id, name, page);
