-- What was made of a work
create index order_lines_of_work on order_lines (work_id);
