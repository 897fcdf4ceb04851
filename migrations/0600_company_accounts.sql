-- accounts at an OpenID Connect provider by which clerks come in: only one that its clerk has connected opens anything
create table staff_identities (
    staff_id text not null references staff (id),
    -- as the provider calls itself (iss), and whom it means there (sub)
    issuer text not null,
    subject text not null,
    created_at bigint not null,
    -- epoch ms; none before its first use
    used_at bigint,
    primary key (staff_id, issuer),
    unique (issuer, subject)
);
