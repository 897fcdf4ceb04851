-- What the shop is told of: by mail to clerks, by webhooks to its other programs. The day's summary. Ends of the audit log,
-- kept apart from it.

-- each event once
create table notices (
    id text not null primary key,
    kind text not null,
    -- what it is about: the same is told once
    about text not null,
    -- as people read it: an order's number
    subject text not null,
    -- the page of the back office that it leads to
    page text not null,
    happened_at bigint not null,
    -- when it was passed on to whoever hears of it
    spread_at bigint,
    unique (kind, about)
);
create index notices_time on notices (happened_at);

-- what clerks want to hear of
create table notice_clerks (
    clerk text not null primary key,
    -- the address that was confirmed; empty while there is none
    address text not null,
    -- one that waits for its code
    asked text not null,
    -- SHA-256 with the installation's key
    code text not null,
    code_sent_at bigint not null,
    code_tries bigint not null,
    -- types of events, a space between them
    kinds text not null,
    -- 1 where the day's summary is wanted
    summary bigint not null,
    -- when the last mail left
    mailed_at bigint not null
);

-- what the next mail to a clerk tells
create table notice_mails (
    clerk text not null,
    notice text not null,
    kind text not null,
    subject text not null,
    page text not null,
    happened_at bigint not null,
    primary key (clerk, notice)
);

-- addresses of the shop's other programs
create table webhooks (
    id text not null primary key,
    address text not null,
    kinds text not null,
    made_by text not null,
    made_at bigint not null,
    -- since when nothing was taken there; none while all is well
    failing_since bigint,
    ended_at bigint,
    ended_why text
);

create table webhook_deliveries (
    webhook text not null,
    notice text not null,
    kind text not null,
    -- JSON, the same at each try
    body text not null,
    made_at bigint not null,
    -- tries, and how many there were when it was last begun anew
    tries bigint not null,
    tries_before bigint not null,
    -- when it is tried next; none when it arrived or was given up
    next_at bigint,
    tried_at bigint,
    arrived_at bigint,
    -- HTTP, of the last try
    status bigint,
    -- why the last try failed
    reason text,
    primary key (webhook, notice)
);
create index webhook_deliveries_time on webhook_deliveries (made_at);

-- days that were summed up
create table summaries (
    day text not null primary key,
    made_at bigint not null
);

-- mails with a day's summary that are not written yet
create table summary_mails (
    day text not null,
    clerk text not null,
    primary key (day, clerk)
);

-- where the audit log ended on each day: a log that was cut, or computed again, does not fit
create table audit_ends (
    day text not null primary key,
    number bigint not null,
    hash text not null,
    -- rows without a number, from before there was a chain, when the day began
    older bigint not null
);

create index orders_paid on orders (paid_at) where paid_at is not null;
create index order_refunds_time on order_refunds (created_at);
