-- When the member confirmed the proof of what a line prints; nothing where it was ordered without
alter table order_lines add column proofed_at bigint;
