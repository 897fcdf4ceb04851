-- What a payment from outside is for, where it is neither an order nor a recharge: the word of the slice that has it and its
-- id there, what it is called, and the page where it is paid and shown.
alter table payments add column bill_kind text;
alter table payments add column bill_id text;
alter table payments add column bill_title text;
alter table payments add column bill_page text;
create index payments_of_bill on payments (bill_kind, bill_id);
