-- A photo's time is the clock on the wall, whatever its zone; the zone is kept beside it, in minutes east of UTC. What was read
-- before was moved to China's clock where a file said its zone, and is read again.
alter table photos add column taken_offset bigint;

insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at, lane, owner)
select 'clock-' || id, 'read_clock', '{"kind":"read_clock","photo":"' || id || '"}', 0, 0, 0, 0, 2, member_id
from photos where taken_at is not null and taken_from is null and preview is null and state <> 'broken';
