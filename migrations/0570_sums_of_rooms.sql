-- What a member's room holds is summed with each file that comes: along these, not through all of its photos and articles
create index photos_kept on photos (member_id, removed_at, preview, bytes);
create index articles_with_sound on articles (issue_id, sound_bytes) where sound_bytes is not null;
