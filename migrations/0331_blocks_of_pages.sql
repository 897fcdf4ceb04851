-- What was read of a page, block by block: JSON, in reading order; null where nobody has read it since blocks are kept
alter table issue_pages add column blocks text;

-- The articles of a page before each of its maker's last steps, JSON, so that a step can be undone
create table page_steps (
    issue_id text not null references issues (id) on delete cascade,
    page bigint not null,
    -- the page's revision that the step made
    revision bigint not null,
    articles text not null,
    primary key (issue_id, page, revision)
);

-- The article on another page that one goes on with 下转, by its id
alter table articles add column goes_on text;
create index articles_going_on on articles (goes_on);
