-- The faces in a photo: boxes in parts of its sides, each with how sure the detector is, as JSON; null where nobody looked.
-- Photos that are here get theirs from their served sizes.
alter table photos add column faces text;

insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at, lane, owner)
select 'faces-' || id, 'look_for_faces', '{"kind":"look_for_faces","photo":"' || id || '"}', 0, 0, 0, 0, 2, member_id
from photos where preview is null and state = 'ready';
