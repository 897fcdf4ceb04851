-- What a member sells for a term 套餐. Times are epoch ms, amounts 分.
create table packages (
    id text primary key,
    seller_id text not null references members (id),
    -- as readers see the seller, when it was last saved
    seller_name text not null,
    title text not null,
    description text not null,
    -- days, months or forever, and how many
    term_unit text not null,
    term_count bigint not null,
    price bigint not null,
    -- pages that can be read before buying
    trial_pages bigint not null,
    -- on sale from one moment to another; null for without an end
    on_sale_from bigint not null,
    on_sale_until bigint,
    created_at bigint not null,
    updated_at bigint not null
);
create index packages_of_seller on packages (seller_id, id);

-- What a package holds. What is taken out stays with those who had it before.
create table package_contents (
    package_id text not null references packages (id),
    -- work or title
    kind text not null,
    item_id text not null,
    -- as it was called when it was put in
    title text not null,
    position bigint not null,
    added_at bigint not null,
    removed_at bigint,
    primary key (package_id, kind, item_id, added_at)
);
create index package_contents_of_item on package_contents (kind, item_id);

-- Redeem codes that were made together.
create table code_batches (
    id text primary key,
    package_id text not null references packages (id),
    seller_id text not null references members (id),
    note text not null,
    codes bigint not null,
    -- what the codes are made of, with a key of the installation; null when their file can't be had any more
    salt text,
    file_until bigint not null,
    activated_at bigint,
    voided_at bigint,
    expires_at bigint,
    created_at bigint not null
);
create index code_batches_of_seller on code_batches (seller_id, id);

create table redeem_codes (
    -- HMAC of the code; the code itself is nowhere
    digest text primary key,
    batch_id text not null references code_batches (id),
    number bigint not null,
    redeemed_by text references members (id),
    redeemed_at bigint
);
create index redeem_codes_of_batch on redeem_codes (batch_id, redeemed_at);

-- Who took the file of a batch away, and when.
create table code_downloads (
    id text primary key,
    batch_id text not null references code_batches (id),
    -- the member's name, or the operator's
    who text not null,
    address text not null,
    downloaded_at bigint not null
);
create index code_downloads_of_batch on code_downloads (batch_id, id);

-- A package or a single work that somebody buys. What was agreed on stays here when the package changes.
create table sales (
    id text primary key,
    buyer_id text not null references members (id),
    -- empty when the buyer has closed its account
    buyer_name text not null,
    seller_id text not null references members (id),
    -- either a package or one item
    package_id text references packages (id),
    kind text,
    item_id text,
    title text not null,
    term_unit text not null,
    term_count bigint not null,
    amount bigint not null,
    fee_rate text not null,
    -- unpaid, paid, refunded
    state text not null,
    -- balance, or a way of payment from outside
    way text,
    -- what it is earned over; without an end it is earned at once
    span_from bigint,
    span_until bigint,
    -- what is earned so far, the fee in it
    earned bigint not null default 0,
    refunded bigint not null default 0,
    next_earning_at bigint,
    created_at bigint not null,
    paid_at bigint,
    refunded_at bigint
);
create index sales_of_seller on sales (seller_id, id);
create index sales_of_buyer on sales (buyer_id, id);

-- Who may read what and when.
create table entitlements (
    id text primary key,
    member_id text not null references members (id),
    -- either a package or one item
    package_id text references packages (id),
    kind text,
    item_id text,
    title text not null,
    starts_at bigint not null,
    -- null for ever
    ends_at bigint,
    -- sale or code, and its id or digest
    source text not null,
    source_id text not null,
    -- the last characters of a code, for its owner to know it by
    hint text,
    -- when the member was told that it ends
    told_at bigint,
    created_at bigint not null,
    unique (source, source_id)
);
create index entitlements_of_member on entitlements (member_id, id);

-- Sellers' income that was sent to their banks.
create table payouts (
    id text primary key,
    seller_id text not null references members (id),
    amount bigint not null,
    -- the bank's number of the transfer: the same one twice is one payout
    number text not null unique,
    created_at bigint not null
);
create index payouts_of_seller on payouts (seller_id, id);
