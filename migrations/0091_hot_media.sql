-- Sound and films that members put on their pages, called by the SHA-256 of their bytes
create table hot_media (
    id text primary key,
    member_id text not null references members (id),
    sha256 text not null,
    -- mp3, m4a, mp4 or webm
    format text not null,
    file_name text not null,
    bytes bigint not null,
    created_at bigint not null,
    unique (member_id, sha256)
);
create index hot_media_of_bytes on hot_media (sha256);
-- what a hot area plays, and the photos that it shows, ids between commas
alter table hot_areas add column media_id text references hot_media (id);
alter table hot_areas add column photos text not null default '';
