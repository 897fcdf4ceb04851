//! /manager/opus_list/{type}: kinds, search, orders, pages, copies, the trash.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use reqwest::StatusCode;

use support::shelf::{album, titles};
use support::wait::{eventually, until};
use support::{Caller, PASSWORD, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    what_is_found_follows_the_title,
    what_is_found_is_sorted_and_read_in_pages,
    a_hundred_thousand_works_are_read_page_by_page;
    on_sqlite:
    the_trash_forgets_after_thirty_days,
    pictures_of_pages_are_forgotten_after_thirty_days,
);

/// The titles that a search finds on a shelf.
async fn found(member: &Caller, shelf: &str, search: &str) -> Vec<String> {
    let query = serde_urlencoded::to_string([("q", search)]).unwrap();
    titles(&member.page(&format!("/manager/opus_list/{shelf}?{query}")).await)
}

async fn what_is_found_follows_the_title(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let work = album(&member, "海边的夏天").await;
    assert!(found(&other, "all", "夏天").await.is_empty(), "each has its own");
    let fields = [("revision", "1"), ("title", "山里的秋天"), ("author", "")];
    location(&member.post(&format!("/manager/opus/{work}/texts"), &fields).await);
    assert!(found(&member, "all", "夏天").await.is_empty());
    assert!(found(&member, "all", "海边").await.is_empty());
    assert_eq!(found(&member, "all", "秋天").await, ["山里的秋天"]);
    assert_eq!(found(&member, "all", "里的").await, ["山里的秋天"]);
    let counts = "select (select count(*) from title_grams) || ' ' || (select count(*) from work_titles)";
    assert_eq!(server.read(counts).await, "5 1", "a row for each character, and none of the old title");
    member.post(&format!("/manager/opus/{work}/trash"), &[]).await;
    assert!(found(&member, "all", "秋天").await.is_empty());
    assert_eq!(found(&member, "trash", "秋天").await, ["山里的秋天"]);
    // made by a version that kept none of this, or filled in from a backup
    server.kill();
    server.sql("delete from title_grams").await;
    server.sql("delete from work_titles").await;
    server.restart();
    let member = server.visitor();
    member.sign_in("maker@example.com", PASSWORD).await;
    assert_eq!(found(&member, "trash", "秋天").await, ["山里的秋天"]);
    location(&member.post(&format!("/manager/opus/{work}/deletion"), &[]).await);
    eventually(&server, counts, "0 0").await;
}

/// Both ways of a search, by a rare gram and along the shelf, find the same in every order.
async fn what_is_found_is_sorted_and_read_in_pages(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "第一本").await;
    server.kill();
    server
        .sql(&format!(
            "insert into works (id, member_id, kind, title, trim_width, trim_height, pages, document, revision, noted,
                                created_at, updated_at)
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
             select 'many-' || i, w.member_id, case when i % 2 = 0 then 'calendar' else 'album' end,
                    'Book ' || (i % 30) || case when i % 20 = 0 then ' 海边' else ' 山里' end, 210, 210, 20, '{{}}', 1, 1,
                    1000 + i % 700, 1000 + i
             from n, works w where w.id = '{work}'"
        ))
        .await;
    server.restart();
    let member = server.visitor();
    member.sign_in("maker@example.com", PASSWORD).await;
    let all = "select id, title, kind, created_at, updated_at from works";
    let rows: Vec<Vec<String>> = {
        let columns = ["id", "title", "kind", "created_at", "updated_at"];
        let mut rows = vec![Vec::new(); server.column(all).await.len()];
        for column in columns {
            let values =
                server.column(&format!("select cast({column} as text) from works order by id")).await;
            rows.iter_mut().zip(values).for_each(|(row, value)| row.push(value));
        }
        rows
    };
    // each order, each kind, and each way to ask
    for (search, kind, sort, key) in [
        ("海边", "", "", 4),
        ("BOOK 7 ", "", "made", 3),
        ("book 2", "calendar", "title", 1),
        ("山", "album", "made", 3),
        ("里 山", "", "title", 1),
    ] {
        let mut due: Vec<&Vec<String>> = rows
            .iter()
            .filter(|row| row[1].to_lowercase().contains(&search.trim().to_lowercase()))
            .filter(|row| kind.is_empty() || row[2] == kind)
            .collect();
        due.sort_by(|one, other| match sort {
            "title" => (&one[key], &one[0]).cmp(&(&other[key], &other[0])),
            _ => {
                let at = |row: &Vec<String>| row[key].parse::<i64>().unwrap();
                (at(other), &other[0]).cmp(&(at(one), &one[0]))
            }
        });
        let shelf = if kind.is_empty() { "all" } else { kind };
        let query = serde_urlencoded::to_string([("sort", sort), ("q", search)]).unwrap();
        let mut address = format!("/manager/opus_list/{shelf}?{query}");
        let mut seen = Vec::new();
        for _ in 0..3 {
            let page = member.page(&address).await;
            seen.extend(between_all(&page, "href=\"/manager/opus_setting/", "\""));
            let Some((_, pager)) = page.split_once("aria-label=\"翻页\"") else { break };
            let Some(next) = pager.split("<a ").find(|link| link.contains("rel=\"next\"")) else { break };
            address = between(next, "href=\"", "\"").replace("&amp;", "&");
        }
        let due: Vec<&String> = due.iter().take(3 * 48).map(|row| &row[0]).collect();
        assert_eq!(seen.iter().collect::<Vec<_>>(), due, "{search} by {sort}");
    }
}

async fn a_hundred_thousand_works_are_read_page_by_page(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "第一本").await;
    // many works of the same moment and title, too: the id decides among them
    server
        .sql(&format!(
            "insert into works (id, member_id, kind, title, trim_width, trim_height, pages, document, revision,
                                created_at, updated_at)
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000)
             select 'many-' || i, w.member_id, case when i % 10000 = 0 then 'calendar' else 'album' end,
                    'Book ' || (i / 3), 210, 210, 20, '{{}}', 1, 1000 + i / 3, 1000 + i / 3
             from n, works w where w.id = '{work}'"
        ))
        .await;
    server.sql("analyze").await;
    // the whole of a rare kind, and both ends of every order, each within the time of one page
    let started = std::time::Instant::now();
    assert_eq!(titles(&member.page("/manager/opus_list/calendar").await).len(), 10);
    for sort in ["", "made", "title"] {
        let mut address = format!("/manager/opus_list/all?sort={sort}");
        let mut seen = Vec::new();
        for _ in 0..3 {
            let page = member.page(&address).await;
            seen.extend(between_all(&page, "href=\"/manager/opus_setting/", "\""));
            let pager = between(&page, "aria-label=\"翻页\"", "</nav>");
            let next = pager.split("<a ").find(|link| link.contains("rel=\"next\"")).unwrap();
            address = between(next, "href=\"", "\"").replace("&amp;", "&");
        }
        let count = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!((seen.len(), count), (144, 144), "{sort}: nothing twice");
        let deep = match sort {
            "title" => "Book 5000.zzz",
            _ => "1010.zzz",
        };
        let query = serde_urlencoded::to_string([("sort", sort), ("after", deep)]).unwrap();
        let page = member.page(&format!("/manager/opus_list/all?{query}")).await;
        assert!(titles(&page).iter().all(|title| title.starts_with("Book ")), "{sort}");
    }
    let took = started.elapsed();
    assert!(took.as_secs() < 8, "thirteen pages took {took:?}");
}

async fn the_trash_forgets_after_thirty_days(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let (gone, stays) = (album(&member, "三十天了").await, album(&member, "又放进去一次").await);
    for work in [&gone, &stays] {
        location(&member.post(&format!("/manager/opus/{work}/trash"), &[]).await);
    }
    location(&member.post(&format!("/manager/opus/{stays}/restoration"), &[]).await);
    location(&member.post(&format!("/manager/opus/{stays}/trash"), &[]).await);
    let month = 30 * 24 * 60 * 60_000i64;
    server.sql(&format!("update works set trashed_at = trashed_at - {month} where id = '{gone}'")).await;
    server.sql(&format!("update jobs set run_at = run_at - {month} where kind = 'forget_work'")).await;
    eventually(&server, "select cast(count(*) as text) from jobs where kind = 'forget_work'", "0").await;
    assert_eq!(member.get(&format!("/manager/opus/{gone}")).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(titles(&member.page("/manager/opus_list/trash").await), ["又放进去一次"]);
}

/// The pictures of pages that are kept.
fn kept_pictures(server: &Server) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(server.folder.path().join("storage/pages")).unwrap();
    let files = folders.flat_map(|folder| std::fs::read_dir(folder.unwrap().path()).unwrap());
    files.map(|file| file.unwrap().path()).collect()
}

async fn pictures_of_pages_are_forgotten_after_thirty_days(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "海边的夏天").await;
    let draw = async |member: &Caller, page: &str| {
        let answer = member.get(&format!("/manager/opus/{work}/page/{page}/320")).await;
        assert_eq!(answer.status(), StatusCode::OK, "{page}");
    };
    draw(&member, "cover").await;
    let old = kept_pictures(&server);
    assert_eq!(old.len(), 1);
    draw(&member, "1").await;
    server.kill();
    for file in kept_pictures(&server) {
        let days = if old.contains(&file) { 31 } else { 29 };
        let drawn = SystemTime::now() - Duration::from_secs(days * 24 * 60 * 60);
        std::fs::File::options().write(true).open(file).unwrap().set_modified(drawn).unwrap();
    }
    // once an hour, and at the start
    server.restart();
    until("one is left", async || kept_pictures(&server).len() == 1).await;
    assert!(!old[0].exists(), "the other one is younger");
    draw(&member.at(&server.base), "cover").await;
    assert!(old[0].exists(), "what is looked at again is drawn again");
}
