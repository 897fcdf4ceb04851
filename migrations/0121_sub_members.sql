-- Among which house's sub-members a login works at the moment; null for its own.
alter table logins add column works_as text;

-- Who works for a member's house. Times are epoch ms.
create table sub_members (
    id text primary key,
    -- the member whose house it is
    house_id text not null references members (id),
    member_id text not null references members (id),
    -- as the house calls it
    name text not null,
    -- editor, viewer
    role text not null,
    joined_at bigint not null,
    removed_at bigint
);
create unique index sub_members_once on sub_members (house_id, member_id) where removed_at is null;
create index sub_members_of_member on sub_members (member_id);

create table sub_member_invitations (
    id text primary key,
    house_id text not null references members (id),
    -- what the new one will be called
    name text not null,
    role text not null,
    -- the one account that may accept it; null for whoever has the link
    contact text,
    created_at bigint not null,
    expires_at bigint not null,
    used_at bigint,
    used_by text references members (id),
    withdrawn_at bigint
);
create index sub_member_invitations_of_house on sub_member_invitations (house_id, id);

-- Orders that were paid from an allowance: what is given back of them goes there again.
create table allowance_orders (
    order_id text primary key references orders (id),
    sub_member_id text not null references sub_members (id),
    amount bigint not null
);
create index allowance_orders_of_sub_member on allowance_orders (sub_member_id);
