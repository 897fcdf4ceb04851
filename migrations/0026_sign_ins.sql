-- Who came in to an account, or tried to: for its member to look at. Never what was typed.
create table sign_ins (
    id text primary key,
    member_id text not null references members (id),
    -- when, the last time where there were several
    at bigint not null,
    -- password, program, confirmation, qr, weixin or code
    way text not null,
    -- succeeded, wrong_password, throttled or second_factor
    outcome text not null,
    device text not null,
    -- the network address
    address text not null,
    -- how often within the hour
    times bigint not null
);
create index sign_ins_of_member on sign_ins (member_id, at);
create index sign_ins_over on sign_ins (at);
