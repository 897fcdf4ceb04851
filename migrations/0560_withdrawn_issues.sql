-- Why the house withdrew an issue, where it did: then nobody reads it, whoever bought it among them, and its maker can't publish
-- it again
alter table issues add column withdrawn_reason text;
