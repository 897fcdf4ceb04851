-- Accounts ---------------------------------------------------------------------------------------------------

create table members (
    id text primary key,
    -- a mobile number or an e-mail address, in lower case
    account text not null unique,
    name text not null,
    password_hash text not null,
    member_code text not null unique,
    invite_code text not null unique,
    tier text not null,
    -- when a paid tier ends; null for a tier without an end
    tier_until bigint,
    created_at bigint not null
);

-- Failed sign-ins, one row for each account name and each network address
create table sign_in_attempts (
    subject text primary key,
    failures bigint not null,
    last_failure_at bigint not null
);

create table addresses (
    id text primary key,
    member_id text not null references members (id),
    receiver text not null,
    phone text not null,
    province text not null,
    city text not null,
    district text not null,
    street text not null,
    is_default bigint not null,
    created_at bigint not null
);
create index addresses_of_member on addresses (member_id, created_at);

-- Jobs -------------------------------------------------------------------------------------------------------

-- Work that survives a restart. A worker takes a row by leasing it; a lease that runs out is free again.
create table jobs (
    id text primary key,
    kind text not null,
    payload text not null,
    run_at bigint not null,
    leased_until bigint not null,
    attempts bigint not null,
    last_error text,
    created_at bigint not null
);
create index jobs_due on jobs (run_at);

-- Photos -----------------------------------------------------------------------------------------------------

create table photos (
    id text primary key,
    member_id text not null references members (id),
    -- of the original's bytes, lower-case hex; its place in the storage
    sha256 text not null,
    file_name text not null,
    -- jpg, png or webp
    format text not null,
    bytes bigint not null,
    -- stored pixels, before the orientation is applied
    width bigint not null,
    height bigint not null,
    -- EXIF, 1 to 8
    orientation bigint not null,
    taken_at bigint,
    -- pending, ready, or broken (the derivatives could not be made)
    state text not null,
    created_at bigint not null,
    unique (member_id, sha256)
);
create index photos_of_member on photos (member_id, created_at);

-- Works ------------------------------------------------------------------------------------------------------

create table works (
    id text primary key,
    member_id text not null references members (id),
    -- album, document, calendar, ebook, epaper, magazine
    kind text not null,
    title text not null,
    -- of the newest revision's document, so that a shelf reads no documents: mm, and sides
    trim_width double precision not null,
    trim_height double precision not null,
    pages bigint not null,
    -- the newest revision's document, JSON
    document text not null,
    revision bigint not null,
    created_at bigint not null,
    updated_at bigint not null
);
create index works_of_member on works (member_id, updated_at);

create table work_revisions (
    work_id text not null references works (id),
    revision bigint not null,
    document text not null,
    created_at bigint not null,
    primary key (work_id, revision)
);

-- Catalog ----------------------------------------------------------------------------------------------------

create table goods (
    id text primary key,
    position bigint not null,
    -- the goods with its steps and price book, JSON
    body text not null,
    active bigint not null
);

-- Cart -------------------------------------------------------------------------------------------------------

create table cart_lines (
    id text primary key,
    member_id text not null references members (id),
    work_id text not null references works (id),
    goods_id text not null references goods (id),
    -- the chosen items of the shown steps in step order, a JSON list of Cnums
    cnums text not null,
    quantity bigint not null,
    remark text not null,
    created_at bigint not null,
    updated_at bigint not null
);
create index cart_lines_of_member on cart_lines (member_id, created_at);

-- Orders -----------------------------------------------------------------------------------------------------

create table orders (
    id text primary key,
    member_id text not null references members (id),
    -- one key for each rendered form: pressing twice orders once
    request_key text not null,
    state text not null,
    goods_total bigint not null,
    shipping bigint not null,
    total bigint not null,
    -- the address as it was, JSON
    address text not null,
    created_at bigint not null,
    paid_at bigint,
    unique (member_id, request_key)
);
create index orders_of_member on orders (member_id, created_at);

create table order_lines (
    order_id text not null references orders (id),
    position bigint not null,
    work_id text not null,
    title text not null,
    quantity bigint not null,
    remark text not null,
    total bigint not null,
    -- frozen copies, JSON: the document, the goods, the chosen items, the price with its explanation
    document text not null,
    goods text not null,
    cnums text not null,
    quote text not null,
    primary key (order_id, position)
);

create table order_events (
    order_id text not null references orders (id),
    position bigint not null,
    state text not null,
    happened_at bigint not null,
    primary key (order_id, position)
);

-- Ledger: double entry, append only ----------------------------------------------------------------------------

create table ledger_accounts (
    -- 'member:<id>', or the name of a house account such as 'revenue'
    id text primary key,
    balance bigint not null,
    -- a member's balance never goes below zero; house accounts may
    floor bigint,
    check (floor is null or balance >= floor)
);

create table ledger_transactions (
    id text primary key,
    -- idempotency: the same key never posts twice
    posting_key text not null unique,
    -- of what was asked, so that the same key with another request is an error
    digest text not null,
    memo text not null,
    created_at bigint not null
);

create table ledger_entries (
    transaction_id text not null references ledger_transactions (id),
    position bigint not null,
    account_id text not null references ledger_accounts (id),
    amount bigint not null,
    balance_after bigint not null,
    primary key (transaction_id, position)
);
create index ledger_entries_of_account on ledger_entries (account_id);
