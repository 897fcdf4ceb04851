-- PDFs that works are made of: uploaded, or set here from a text. The bytes lie with the originals of photos.
create table pdf_files (
    member_id text not null references members (id),
    -- of the file's bytes, lower-case hex
    sha256 text not null,
    -- as its member calls it
    file_name text not null,
    bytes bigint not null,
    -- JSON: the pages' sizes and what is to be known of them; sentences for the member; the text that it was set from
    -- and how, null for an uploaded PDF
    facts text not null,
    notes text not null,
    source text,
    -- pages that could not be drawn for the screen
    undrawable bigint not null default 0,
    created_at bigint not null,
    primary key (member_id, sha256)
);
create index pdf_files_by_file on pdf_files (sha256);
