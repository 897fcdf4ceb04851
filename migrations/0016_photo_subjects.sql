-- The part of a photo that it is about, {x, y, width, height} as fractions; null where nobody looked or nothing stands out
alter table photos add column subject text;
