-- Codes of a large batch are written a few thousand at a time: how many are still to come.
alter table code_batches add column unwritten bigint not null default 0;
