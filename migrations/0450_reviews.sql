-- Asking others to look at a work 请人看样, round after round: 第 1 稿, 第 2 稿 …
create table review_rounds (
    work_id text not null references works (id),
    number bigint not null,
    member_id text not null references members (id),
    -- what is looked at; it stays as long as this row does
    revision bigint not null,
    words text not null,
    asked_at bigint not null,
    -- the end of the last day
    until_at bigint not null,
    -- when the work was ordered: from then on nothing more is said in this round
    ordered_at bigint,
    primary key (work_id, number)
);
create index review_rounds_of_member on review_rounds (member_id);

create table review_links (
    id text primary key,
    work_id text not null references works (id),
    member_id text not null references members (id),
    -- whose it is; empty for one by which anybody may come who says a name
    name text not null,
    created_at bigint not null,
    withdrawn_at bigint
);
create index review_links_of_work on review_links (work_id, created_at);
create index review_links_of_member on review_links (member_id);

-- Who looks; of a link with a name there is one, with the same id.
create table reviewers (
    id text primary key,
    link_id text not null references review_links (id),
    work_id text not null references works (id),
    name text not null,
    created_at bigint not null,
    -- when a page was turned last, and of which round
    seen_at bigint,
    seen_round bigint
);
create index reviewers_of_work on reviewers (work_id, created_at);
create index reviewers_of_link on reviewers (link_id);

create table review_comments (
    id text primary key,
    work_id text not null references works (id),
    round bigint not null,
    -- null for the maker
    reviewer_id text references reviewers (id),
    -- the comment that it answers
    answers text,
    -- from 1; 0 is the cover
    page bigint not null,
    -- the page's own id, wherever it stands later
    page_id text,
    -- per mille of the page; null for the page as a whole
    x bigint,
    y bigint,
    words text not null,
    created_at bigint not null,
    -- when the maker said that it is mended
    done_at bigint
);
create index review_comments_of_work on review_comments (work_id, created_at);
create index review_comments_of_reviewer on review_comments (reviewer_id, round);

create table review_verdicts (
    reviewer_id text not null references reviewers (id),
    round bigint not null,
    work_id text not null references works (id),
    -- print or change
    verdict text not null,
    said_at bigint not null,
    primary key (reviewer_id, round)
);
create index review_verdicts_of_work on review_verdicts (work_id, round);

-- Who had said what of the work when it was ordered, as JSON; null where nobody was asked
alter table order_lines add column reviewed text;
