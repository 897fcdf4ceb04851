-- Titles are searched as texts are: without space and what nobody sees, marks in one order. Those kept before are folded again.
delete from title_grams;
delete from work_titles;
