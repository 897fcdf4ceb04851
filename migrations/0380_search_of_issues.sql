-- What all issues are searched by. Made of articles and of the words on pages, page by page: no part of a backup, and made by a job
-- for pages that have no row here. The index itself is each engine's own, made when the program opens (search_grams).

-- Pages of issues; is_kept is 1 where what they say now is in the index
create table search_pages (
    issue_id text not null,
    page bigint not null,
    publication_id text not null,
    is_kept bigint not null,
    primary key (issue_id, page),
    foreign key (issue_id, page) references issue_pages (issue_id, page) on delete cascade
);
create index search_pages_waiting on search_pages (publication_id) where is_kept = 0;

-- What is found: articles, and what pages say beside their articles
create table search_entries (
    -- the day of the issue and a number in it, so that what is read along it is in the order of days
    place bigint primary key,
    issue_id text not null,
    page bigint not null,
    publication_id text not null,
    -- the article's number; 0 for a page
    article bigint not null,
    is_proposed bigint not null,
    -- folded: the name of the page; headlines; all words, a line for each paragraph
    section text not null,
    headline text not null,
    words text not null,
    foreign key (issue_id, page) references search_pages (issue_id, page) on delete cascade
);
create index search_entries_of_page on search_entries (issue_id, page);
