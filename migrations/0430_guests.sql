-- Photos of guests 来宾照片: what is sent by a link, without an account, to the member who collects it.
create table guest_collections (
    id text primary key,
    member_id text not null references members (id),
    -- what its address is made of, without lines
    code text not null unique,
    title text not null,
    -- what guests read before they send, and when they come back; may be empty
    greeting text not null,
    thanks text not null,
    -- whether guests are asked for words, 0 or 1
    asks_wishes bigint not null,
    -- when its last day is over
    until bigint not null,
    -- photos of all guests together, and of one
    most bigint not null,
    most_each bigint not null,
    created_at bigint not null,
    -- set while its owner has ended it
    ended_at bigint,
    -- set once it is to go, with what nobody accepted
    deleted_at bigint
);
create index guest_collections_of_member on guest_collections (member_id, created_at, id);

-- Who sends: a browser, at one collection.
create table guests (
    id text primary key,
    collection_id text not null references guest_collections (id),
    -- digest of what the browser keeps
    browser text not null,
    name text not null,
    -- may be empty
    wish text not null,
    -- whether the collection's owner does not want it, 0 or 1
    is_wish_hidden bigint not null default 0,
    created_at bigint not null,
    unique (collection_id, browser)
);
create index guests_of_collection on guests (collection_id, id);

create table guest_photos (
    id text primary key,
    collection_id text not null references guest_collections (id),
    guest_id text not null references guests (id),
    -- the collection's, whose room it takes
    member_id text not null references members (id),
    -- of the original's bytes
    sha256 text not null,
    file_name text not null,
    bytes bigint not null,
    -- what its headers say, JSON
    facts text not null,
    -- as the guest wrote it; may be empty
    caption text not null,
    -- waiting, accepted or hidden
    state text not null,
    -- whether it can't be decoded, 0 or 1
    is_broken bigint not null default 0,
    -- in its owner's library, once it was accepted; that may be gone since
    photo_id text,
    -- whether the photo came into the library by this, 0 or 1
    is_added bigint not null default 0,
    created_at bigint not null,
    hidden_at bigint,
    unique (guest_id, sha256)
);
create index guest_photos_of_collection on guest_photos (collection_id, state, guest_id, id);
create index guest_photos_of_member on guest_photos (member_id, state, bytes);
create index guest_photos_of_original on guest_photos (sha256);
create index guest_photos_of_photo on guest_photos (photo_id);
