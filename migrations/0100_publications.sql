-- Newspapers 报纸 and magazines 期刊 that members publish
create table publications (
    id text primary key,
    member_id text not null references members (id),
    -- epaper or magazine
    kind text not null,
    -- its part of public addresses, chosen once
    address text not null,
    name text not null,
    -- who publishes it 主办, and its licence or number
    organiser text not null,
    number text not null,
    description text not null,
    -- days of the week on which it comes out: bits, Monday the lowest
    weekdays bigint not null,
    -- reading takes a subscription, or one issue bought for its price in 分 (null: subscriptions only)
    is_sold bigint not null,
    issue_price bigint,
    -- pages of each issue, from the first on, that anybody may read of what is sold
    preview_pages bigint not null,
    created_at bigint not null,
    updated_at bigint not null,
    unique (kind, address)
);
create index publications_of_member on publications (member_id, kind, id);

create table issues (
    id text primary key,
    publication_id text not null references publications (id),
    member_id text not null references members (id),
    -- YYYY-MM-DD, and what it is counted by: 期号 in its year, 总期号
    day text not null,
    year bigint not null,
    number bigint not null,
    total bigint not null,
    -- of an issue that has one of its own, such as 春节特刊; may be empty
    name text not null,
    -- draft, scheduled, published, withdrawn
    state text not null,
    scheduled_at bigint,
    published_at bigint,
    withdrawn_at bigint,
    -- what its pages show, and their size in mm
    document text not null,
    width double precision not null,
    height double precision not null,
    pages bigint not null,
    -- part of the addresses of its pictures
    picture_key text not null,
    created_at bigint not null,
    updated_at bigint not null,
    unique (publication_id, total)
);
create index issues_of_publication on issues (publication_id, day);
create index issues_of_member on issues (member_id, id);
create index issues_published on issues (state, day);

-- Pages 版 of an issue
create table issue_pages (
    issue_id text not null references issues (id) on delete cascade,
    -- from 1
    page bigint not null,
    -- 要闻; may be empty
    name text not null,
    -- JSON: links that the page has from PDFs on it, with their places per mille
    links text not null,
    -- when its words were read for proposals; null before; and how many characters there were
    read_at bigint,
    letters bigint not null,
    primary key (issue_id, page)
);

create table articles (
    id text primary key,
    issue_id text not null references issues (id) on delete cascade,
    -- its part of public addresses
    number bigint not null,
    page bigint not null,
    position bigint not null,
    -- 1 until its maker has looked at it: readers don't see what is only proposed
    is_proposed bigint not null,
    kicker text not null,
    title text not null,
    subtitle text not null,
    author text not null,
    text text not null,
    -- JSON: rectangles per mille of the page; ids of photos with what stands under them
    areas text not null,
    photos text not null,
    updated_at bigint not null,
    unique (issue_id, number)
);
create index articles_of_page on articles (issue_id, page, position, number);

-- Readers who want to hear of new issues
create table publication_followers (
    publication_id text not null references publications (id) on delete cascade,
    member_id text not null references members (id),
    -- 1: by e-mail or short message, too
    by_message bigint not null,
    created_at bigint not null,
    primary key (publication_id, member_id)
);
create index publication_followers_by_member on publication_followers (member_id);

-- Who was told of which issue
create table issue_news (
    issue_id text not null references issues (id) on delete cascade,
    member_id text not null references members (id),
    created_at bigint not null,
    primary key (issue_id, member_id)
);
create index issue_news_of_member on issue_news (member_id, created_at);
