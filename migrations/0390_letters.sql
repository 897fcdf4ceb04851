-- Readers without an account who have a title's issues sent to an address. A row that is not confirmed goes after two days
create table mail_followers (
    id text primary key,
    publication_id text not null references publications (id) on delete cascade,
    -- as contacts are kept: plain, in lower case
    address text not null,
    -- when the last message asked for a confirmation
    asked_at bigint not null,
    confirmed_at bigint,
    unique (publication_id, address)
);
create index mail_followers_asked on mail_followers (asked_at);
create index mail_followers_unconfirmed on mail_followers (publication_id, asked_at) where confirmed_at is null;

-- What a title's maker sees of its letters, and whether there are any
create table mailed_titles (
    publication_id text primary key references publications (id) on delete cascade,
    is_off bigint not null,
    sent bigint not null,
    bounced bigint not null,
    -- readers who ended it
    ended bigint not null
);

-- A letter: an issue on its way to one reader, once. No address stands here
create table issue_letters (
    issue_id text not null references issues (id) on delete cascade,
    publication_id text not null,
    -- a row of mail_followers, or a member
    reader text not null,
    is_member bigint not null,
    -- the host that takes its mail, as long as it may be sent: who had it may have gone since
    host text not null,
    -- waiting, sent, bounced, expired; withdrawn or off, while its issue or its title is; told: by a short notice instead
    state text not null,
    -- its place in the host's line, and not before (both epoch ms)
    turn bigint not null,
    run_at bigint not null,
    tries bigint not null,
    queued_at bigint not null,
    ended_at bigint,
    primary key (issue_id, reader)
);
create index issue_letters_in_line on issue_letters (host, state, turn);
create index issue_letters_waiting on issue_letters (queued_at) where state in ('waiting', 'withdrawn', 'off');
create index issue_letters_to_send on issue_letters (issue_id, run_at) where state = 'waiting';
create index issue_letters_of_reader on issue_letters (reader, queued_at);
create index issue_letters_by_title on issue_letters (publication_id, host, turn);

-- How many letters a host was handed in a minute (counted from 1970)
create table letter_hosts (
    host text primary key,
    minute bigint not null,
    sent bigint not null
);

-- Who was told of an issue before there were letters is sent none of it
insert into issue_letters (issue_id, publication_id, reader, is_member, host, state, turn, run_at, tries, queued_at, ended_at)
select n.issue_id, i.publication_id, n.member_id, 1, '', 'told', n.created_at, n.created_at, 0, n.created_at, n.created_at
from issue_news n join issues i on i.id = n.issue_id;
