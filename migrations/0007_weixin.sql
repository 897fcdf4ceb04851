-- Who a member is elsewhere. One identity of each kind for a member, and one member for each identity.
create table third_party_identities (
    -- weixin
    kind text not null,
    member_id text not null references members (id),
    -- the person as our application there knows it
    openid text not null,
    -- the same person in all applications of our company there; null where the answer did not say
    unionid text,
    -- as the person called itself there when it was bound
    nickname text not null,
    bound_at bigint not null,
    primary key (kind, member_id),
    unique (kind, openid),
    unique (kind, unionid)
);

-- Logins elsewhere that came back: none comes back twice. What has begun is not stored: it is signed, in a cookie.
create table used_states (
    nonce text primary key,
    used_at bigint not null
);
