-- Refunds that a provider has not sent yet: when it was asked last, and why nothing came of it.
alter table payment_refunds add column asked_at bigint;
-- as people read it; none where the provider has taken it
alter table payment_refunds add column trouble text;
-- tries that failed, one behind the other
alter table payment_refunds add column troubles bigint not null default 0;
