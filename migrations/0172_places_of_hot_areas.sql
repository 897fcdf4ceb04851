-- Further rectangles of an area: a column that goes on elsewhere, several faces of one person. Each `x,y,width,height` in
-- per mille of the page, between semicolons
alter table hot_areas add column more_places text not null default '';
