-- A member who is signed in: a browser's session or a program's token. Ending one deletes its row.
create table logins (
    id text primary key,
    member_id text not null references members (id),
    -- SHA-256 of the token, lower-case hex; null for a browser
    token_hash text unique,
    -- password or qr
    began_by text not null,
    -- what the browser or program calls itself, in a few words
    device text not null,
    -- the network address that it came from
    address text not null,
    created_at bigint not null
);
create index logins_of_member on logins (member_id, created_at);
