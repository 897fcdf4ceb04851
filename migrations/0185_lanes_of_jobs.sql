-- What of the queue comes first: messages and money (0), what somebody waits for (1), the rest (2); and within a lane the
-- members' turns.
alter table jobs add column lane bigint not null default 1;
alter table jobs add column owner text not null default '';
alter table jobs add column turn bigint not null default 0;
update jobs set turn = run_at;
update jobs set lane = 0
where kind in ('deliver', 'follow_payment', 'send_back', 'order_deadline', 'earn_sale', 'publish_issue', 'change_goods');
update jobs set lane = 2
where kind like 'forget%' or kind like 'tell%' or kind in ('prepare_pages', 'make_print_files');
create index jobs_of_lane on jobs (lane, run_at);
create index jobs_of_owner on jobs (owner, lane, turn);
