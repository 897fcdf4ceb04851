-- QR codes on paper: what stands behind /Q/ in their addresses. A row stays when its area or its work goes, as paper does: whoever
-- scans it is told that there is nothing any more, and no code is ever given out twice.
create table print_codes (
    code text primary key,
    work_id text not null,
    area_id text not null unique,
    created_at bigint not null
);
