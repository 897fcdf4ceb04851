-- What a member shows of itself: SHA-256 of the picture's WebP bytes, lower-case hex; null without one.
alter table members add column avatar text;

-- When a login was last in use, to the hour; null until it was used an hour after it began.
alter table logins add column last_seen_at bigint;
