-- The largest number that an article of the issue ever had: numbers stand in public addresses and in 更正, so none is given twice
alter table issues add column article_number bigint not null default 0;
update issues set article_number = coalesce((select max(number) from articles where articles.issue_id = issues.id), 0);
-- Steps kept before know nothing of jumps, and of numbers that were given again
delete from page_steps;
