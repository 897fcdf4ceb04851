-- The words on the pages of issues, to be found and marked: read when an issue comes out, or when somebody first asks.
create table issue_words (
    issue_id text not null references issues (id) on delete cascade,
    -- from 1
    page bigint not null,
    -- of the pages that they stand on: of another one they are read anew
    edition bigint not null,
    -- folded, a line for each block
    words text not null,
    -- JSON: blocks with the places of their lines
    blocks text not null,
    primary key (issue_id, page)
);
