-- Whether readers of an issue may take it away as a file: 1 where its maker allows it
alter table publications add column pdf bigint not null default 0;
alter table publications add column epub bigint not null default 0;
