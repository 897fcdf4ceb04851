-- What came out can be put right. An issue whose pages were replaced is another edition of it, by which its pictures are called
-- and kept; its forms are filled in over a revision, and those of a page over the page's.
alter table issues add column edition bigint not null default 0;
alter table issues add column revision bigint not null default 0;
alter table issue_pages add column revision bigint not null default 0;
-- What an article has to be looked at again for, since its page was replaced: changed, or gone; and JSON: what the page says now
alter table articles add column doubt text;
alter table articles add column found text;

-- 更正: what readers are told that was put right
create table corrections (
    id text primary key,
    issue_id text not null references issues (id) on delete cascade,
    -- the page, from 1, or 0 for the whole issue; and the number of the article, where it is about one
    page bigint not null,
    article bigint,
    note text not null,
    created_at bigint not null
);
create index corrections_of_issue on corrections (issue_id, created_at);
