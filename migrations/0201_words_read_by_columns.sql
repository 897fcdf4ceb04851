-- The words of published pages are read by their columns, and İ is found as i; those kept before are read again, as are titles.
delete from share_pages;

insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
select 'columns-' || work_id, 'prepare_pages',
       '{"kind":"prepare_pages","work":"' || work_id || '","revision":' || revision || '}', 0, 0, 0, 0
from shares;

delete from title_grams;
delete from work_titles;
