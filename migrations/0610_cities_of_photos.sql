-- The city that a photo was taken in or near, by the name that Chinese readers know it by; the place itself is not kept. Photos from
-- before are read again.
alter table photos add column city text;

insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at, lane, owner)
select 'city-' || id, 'read_clock', '{"kind":"read_clock","photo":"' || id || '"}', 0, 0, 0, 0, 2, member_id
from photos where camera is not null and preview is null and state <> 'broken';
