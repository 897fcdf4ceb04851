-- A member's business card 名片. Times are epoch ms.
create table cards (
    member_id text primary key references members (id),
    -- the member's, by which the card is found
    member_code text not null unique,
    name text not null,
    -- what follows may be empty
    title text not null,
    company text not null,
    phone text not null,
    email text not null,
    weixin text not null,
    address text not null,
    introduction text not null,
    -- the fields that everybody sees, and the works that stand on it (kind:id), each on a line
    shown text not null,
    works text not null,
    -- plain, ink or cloth
    look text not null,
    -- whether search engines may have it
    is_listed bigint not null,
    created_at bigint not null,
    updated_at bigint not null
);
