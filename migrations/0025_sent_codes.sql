-- Codes that were sent, at most one for each purpose, contact and network address that asked: nobody spends another
-- one's tries. `codes` is read no more; it goes in a later release.
create table sent_codes (
    -- registration, recovery or contact
    purpose text not null,
    contact text not null,
    -- who asked while signed in; empty for a visitor
    member_id text not null,
    -- the network address that asked
    address text not null,
    -- SHA-256 of the secret in the browser that asked, lower-case hex
    browser text not null,
    -- keyed digest of purpose, contact, member and code, base64; of nothing where no code can be right
    digest text not null,
    tries bigint not null,
    expires_at bigint not null,
    primary key (purpose, contact, member_id, address)
);
create index sent_codes_over on sent_codes (expires_at);
