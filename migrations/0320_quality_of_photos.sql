-- How good a photo is: how blurred its sharpest parts are, its light, how much of it is drawn, as JSON; null where nobody measured.
-- Photos that are here are measured in their served sizes.
alter table photos add column quality text;

insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at, lane, owner)
select 'measure-' || id, 'measure_photo', '{"kind":"measure_photo","photo":"' || id || '"}', 0, 0, 0, 0, 2, member_id
from photos where preview is null and state = 'ready';
