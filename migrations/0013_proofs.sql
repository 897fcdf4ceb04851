-- The proof of a cart line: which revision of its work the member confirmed, and when
alter table cart_lines add column proofed_revision bigint;
alter table cart_lines add column proofed_at bigint;
