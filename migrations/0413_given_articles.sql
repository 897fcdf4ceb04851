-- How many articles of a title that is sold a subscriber may let others read by a link, in a month; 0 for none.
alter table publications add column given_articles bigint not null default 0;

-- Articles that somebody lets others read by a link.
create table given_articles (
    id text primary key,
    publication_id text not null,
    issue_id text not null,
    -- the article's, as its address has it
    number bigint not null,
    member_id text not null references members (id),
    -- 2026-11, in China's time
    month text not null,
    created_at bigint not null,
    expires_at bigint not null,
    unique (member_id, issue_id, number, month)
);
create index given_articles_of_member on given_articles (member_id, publication_id, month);
create index given_articles_of_publication on given_articles (publication_id, expires_at);
create index given_articles_of_issue on given_articles (issue_id);
