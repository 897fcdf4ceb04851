-- What a photo looks like, as near-duplicates are found by it: 16 hexadecimal digits of a perceptual hash, and how sharp
-- it is. Both come with its served sizes.
alter table photos add column look text;
alter table photos add column sharpness bigint;
-- 'name' where the file's name tells when it was taken; otherwise its camera does, or nobody.
alter table photos add column taken_from text;
