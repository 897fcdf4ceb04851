-- Licences 团体订阅: a package for an organisation's people, each on a seat.
create table licences (
    id text primary key,
    package_id text not null references packages (id),
    seller_id text not null references members (id),
    -- who it is for
    name text not null,
    seats bigint not null,
    -- how often its code was changed; the code follows from this and the installation's key
    turn bigint not null default 0,
    -- of its code; null where none opens it
    digest text unique,
    -- one on a line
    domains text not null,
    ranges text not null,
    -- the end of its last day
    ends_at bigint not null,
    created_at bigint not null,
    ended_at bigint
);
create index licences_of_seller on licences (seller_id, id desc);
create index licences_of_package on licences (package_id);

create table licence_seats (
    licence_id text not null references licences (id),
    member_id text not null references members (id),
    -- as its reader is called to the seller
    name text not null,
    -- code, mail or network
    way text not null,
    taken_at bigint not null,
    -- when its seller took it back
    back_at bigint,
    primary key (licence_id, member_id)
);
create index licence_seats_of_member on licence_seats (member_id);
