-- Photos that arrive in pieces (tus 1.0): what is acknowledged here lies in the storage.
create table uploads (
    id text primary key,
    member_id text not null references members (id),
    file_name text not null,
    -- Upload-Metadata as it was sent
    metadata text not null,
    -- of the whole file, lower-case hex, where the sender knew it
    sha256 text,
    -- all bytes, and how many have been acknowledged
    length bigint not null,
    received bigint not null,
    -- open; taken (photo_id says as which photo); ended (its pieces are being deleted)
    state text not null,
    photo_id text,
    -- the request that may add bytes, and until when another one has to wait for it; a sign of life moves that on
    holder text,
    busy_until bigint not null default 0,
    created_at bigint not null,
    expires_at bigint not null
);
create index uploads_of_member on uploads (member_id, state);
create index uploads_by_expiry on uploads (expires_at);

create table upload_pieces (
    upload_id text not null references uploads (id),
    -- its place in the file
    start bigint not null,
    -- the piece's name in the storage
    name text not null,
    primary key (upload_id, start)
);

-- Maker and model of the camera, from the file; null where it does not say, and for photos from before.
alter table photos add column camera text;
-- When the member took the photo out of the library. Its row and its files go a day later.
alter table photos add column removed_at bigint;
