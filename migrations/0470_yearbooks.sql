-- Year books 毕业册: a roster, of whom each fills in a page by a link of its own.
create table yearbooks (
    id text primary key,
    member_id text not null references members (id),
    title text not null,
    -- the school, the year; may be empty
    author text not null,
    -- what those who are asked read first; may be empty
    greeting text not null,
    -- when the last day is over
    until_at bigint not null,
    created_at bigint not null,
    -- the book that was made of it last, and when; it may be gone since
    work_id text,
    made_at bigint
);
create index yearbooks_of_member on yearbooks (member_id, created_at, id);

create table yearbook_people (
    id text primary key,
    yearbook_id text not null references yearbooks (id),
    member_id text not null references members (id),
    -- the place in the roster, from 1
    position bigint not null,
    name text not null,
    -- a class; may be empty
    group_name text not null,
    -- an e-mail address or what else tells two of one name apart; may be empty
    contact text not null,
    -- what the link's address is made of, without lines
    code text not null unique,
    -- what that one says; may be empty
    motto text not null default '',
    words text not null default '',
    -- photos of the member's library, and whether they came there by this, 0 or 1
    portrait text,
    is_portrait_added bigint not null default 0,
    own_photo text,
    is_own_added bigint not null default 0,
    -- whether the person gets a copy, 0 or 1
    has_copy bigint not null default 1,
    -- the end of more time than the others have
    until_at bigint,
    withdrawn_at bigint,
    -- when something was sent last
    sent_at bigint,
    -- when a message was sent last
    asked_at bigint
);
create index yearbook_people_of_book on yearbook_people (yearbook_id, position, id);
create index yearbook_people_of_member on yearbook_people (member_id);
