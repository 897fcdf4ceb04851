-- The next job of a lane is found without putting all that are due in order.
create index jobs_in_turn on jobs (lane, turn, id);
