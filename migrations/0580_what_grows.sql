-- What is asked for often is found along these, however much a member, a title or the house has

-- under way while somebody pays, saves, removes photos or queues work
create index payments_of_order_by_way on payments (order_id, method);
create index jobs_of_kind on jobs (kind);
create index photos_on_the_way on photos (member_id) where preview is not null;
create index work_operations_kept on work_operations (work_id, made_at) where change is not null;
-- a library in its order; those without a moment stand last
create index photos_by_moment on photos (member_id, coalesce(taken_at, -9000000000000000000), id) where removed_at is null;
-- issues of a title that came out, in their order; when what they say was changed last
create index issues_of_title_by_state on issues (publication_id, state, day, total);
create index articles_changed on articles (issue_id, is_proposed, updated_at);
create index mail_followers_in_turn on mail_followers (publication_id, id);
create index sales_paid_of_seller on sales (seller_id, paid_at) where state <> 'unpaid';
create index sales_kept_of_package on sales (seller_id, package_id) where state = 'paid' and package_id is not null;
create index ledger_entries_in_turn on ledger_entries (account_id, coalesce(sequence, 0), transaction_id);
create index production_open_lines on production (order_id, line) where ended is null;
create index webhook_deliveries_in_turn on webhook_deliveries (webhook, made_at, notice);
