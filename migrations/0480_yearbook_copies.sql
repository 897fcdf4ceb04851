-- Some copies of a run that differ in a line of a cart, a JSON list of their keys and names; null where it is all of them.
alter table cart_lines add column copies text;

-- How a year book was made last, so that it is made so again: page size, theme, and how much room each has. Null before.
alter table yearbooks add column format text;
alter table yearbooks add column theme text;
alter table yearbooks add column share text;
