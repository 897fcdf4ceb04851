-- An article read aloud: the SHA-256 of the file's bytes, among the originals; its format (mp3, m4a), its name, its bytes.
alter table articles add column sound text;
alter table articles add column sound_format text;
alter table articles add column sound_name text;
alter table articles add column sound_bytes bigint;
create index articles_of_sound on articles (sound);
