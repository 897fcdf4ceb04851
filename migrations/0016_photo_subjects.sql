-- What a photo is about: {"area": {x, y, width, height as fractions}, "is_face": bool}; null where nobody looked or
-- nothing stands out
alter table photos add column subject text;
