-- JSON: the links that a published page has from the PDFs on it, with their places per mille
alter table share_pages add column links text not null default '[]';
