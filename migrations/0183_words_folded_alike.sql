-- The words of published pages are compared as titles are, by their plain letters; those kept before are read again.
delete from share_pages;

insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
select 'fold-' || work_id, 'prepare_pages',
       '{"kind":"prepare_pages","work":"' || work_id || '","revision":' || revision || '}', 0, 0, 0, 0
from shares;
