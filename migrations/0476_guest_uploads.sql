-- Guests' photos in pieces. Of an upload: who sends it, and what it is sent to, where that is not the member whose room it takes;
-- both empty for the member's own.
alter table uploads add column sender text not null default '';
alter table uploads add column sent_to text not null default '';
-- whether it has a place of its own, 0 or 1: one whose small copy stands already has that one's
alter table uploads add column counts bigint not null default 1;
create index uploads_sent_to on uploads (sent_to, sender, state);

-- The small copy that stands for a guest's photo while its original is on the way, by the SHA-256 of the copy.
alter table guest_photos add column preview text;
create index guest_photos_of_preview on guest_photos (preview);
create index guest_photos_coming on guest_photos (collection_id, guest_id) where preview is not null;
create index guest_photos_coming_since on guest_photos (created_at) where preview is not null;
