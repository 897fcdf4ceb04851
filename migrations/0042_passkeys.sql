-- Passkeys (W3C Web Authentication) of members: each signs in by itself, and takes the place of a code.
create table passkeys (
    id text primary key,
    member_id text not null references members (id),
    -- what the device calls it, base64url
    credential text not null unique,
    -- what its owner calls it
    name text not null,
    -- how a browser reaches the device, as the library writes it
    transports bigint not null,
    -- the public key, and what was agreed on when it was made; base64
    public_key text not null,
    -- its counter and flags as of its last use, base64
    state text not null,
    created_at bigint not null,
    used_at bigint
);
create index passkeys_of_member on passkeys (member_id, created_at);
