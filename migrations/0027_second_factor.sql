-- The second factor of members who switched one on: codes by time (TOTP, RFC 6238).
create table second_factors (
    member_id text primary key references members (id),
    -- the secret, AES-256-GCM with a key made of the installation's own, base64
    sealed text not null,
    began_at bigint not null,
    -- when the member proved that it has the secret; null before
    on_since bigint,
    -- the newest time step whose code was used: none is used twice
    last_step bigint not null
);
-- Codes for a member who has lost the other thing, each good once.
create table recovery_codes (
    member_id text not null references members (id),
    -- keyed digest, base64
    digest text not null,
    used_at bigint,
    primary key (member_id, digest)
);
