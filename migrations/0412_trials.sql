-- Trials 试读: days of a package that a reader has free; 0 for none.
alter table packages add column trial_days bigint not null default 0;

-- Who has tried what: by digests of the account and of its contacts under a key of the installation, so that whoever closes its
-- account and opens another one with the same number or address has tried it, and nobody can read whose they are.
create table trials (
    taker text not null,
    kind text not null,
    item_id text not null,
    package_id text not null references packages (id),
    -- the right that came of it, which goes with the account
    entitlement_id text not null,
    created_at bigint not null,
    primary key (taker, kind, item_id)
);
create index trials_of_package on trials (package_id, created_at);
