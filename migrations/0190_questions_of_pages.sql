-- What a page asks finds its rows, however many there are of others'.
create index works_owned on works (member_id);
create index hot_areas_of_media on hot_areas (media_id) where media_id is not null;
create index members_of_avatar on members (avatar) where avatar is not null;
create index invoices_of_term on invoices (term_id) where term_id is not null;
create index invoices_of_file on invoices (file) where file is not null;
create index third_party_identities_of_member on third_party_identities (member_id);
create index entitlements_to_item on entitlements (kind, item_id) where item_id is not null;
create index entitlements_of_package on entitlements (package_id) where package_id is not null;
create index cancellation_requests_open on cancellation_requests (order_id) where state = 'open';
create index payment_refunds_pending on payment_refunds (created_at, id) where state = 'pending';
-- lists of the back office, the newest first
create index orders_made on orders (created_at, id);
create index payments_made on payments (created_at, id);
create index reports_closed on reports (closed_at, id) where closed_at is not null;
-- what search engines are told of
create index cards_listed on cards (updated_at) where is_listed = 1;
