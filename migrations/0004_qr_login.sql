-- Keys that this installation made for itself.
create table secrets (
    name text primary key,
    -- base64
    value text not null
);

-- What a phone answered to a browser that asked to be signed in. The question itself is not stored: it is signed.
create table qr_answers (
    nonce text primary key,
    member_id text not null references members (id),
    -- confirmed, declined or used
    state text not null,
    answered_at bigint not null
);
