-- Works that their makers let others read, at /read/{work}
create table shares (
    work_id text primary key references works (id) on delete cascade,
    member_id text not null references members (id),
    -- private, link, password or public
    visibility text not null,
    -- argon2id; null without a password
    password_hash text,
    -- when reading ends, epoch ms; null: never
    ends_at bigint,
    -- left, right or continuous
    direction text not null,
    -- what is said on cards and on the first page, beside the work's own title and description
    title text not null,
    description text not null,
    -- 0 is the cover
    card_page bigint not null,
    -- sites that may show it in a frame, one origin a line
    embed_sites text not null,
    pdf bigint not null,
    epub bigint not null,
    -- what readers see: a revision, as it was when it was published
    revision bigint not null,
    document text not null,
    -- JSON: page size, how many pages, author, chapters; what every page of it shows, without reading the document
    facts text not null,
    -- part of the addresses of its pictures; another one when fewer people may read it
    picture_key text not null,
    published_at bigint not null,
    updated_at bigint not null,
    -- null while it can be read
    withdrawn_at bigint,
    -- why the house withdrew it; null where its maker did
    withdrawn_reason text
);
create index shares_of_member on shares (member_id, published_at);
create index shares_listed on shares (visibility, published_at) where withdrawn_at is null;

-- The words of a published page, in reading order; 0 is the cover
create table share_pages (
    work_id text not null references shares (work_id) on delete cascade,
    revision bigint not null,
    page bigint not null,
    -- for the search: all words, in the form that is compared
    words text not null,
    -- JSON: blocks with their role, their text, and where its lines stand
    blocks text not null,
    primary key (work_id, revision, page)
);

-- What readers say about works that should not be here
create table reports (
    id text primary key,
    work_id text not null,
    -- as it was then: the work may go
    title text not null,
    -- which of the given reasons
    reason text not null,
    words text not null,
    -- where whoever says so can be asked; may be empty
    contact text not null,
    created_at bigint not null,
    closed_at bigint,
    -- what came of it
    outcome text
);
create index reports_open on reports (created_at) where closed_at is null;
