//! /manager/opus_list/{type}: kinds, search, orders, pages, copies, the trash.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use reqwest::StatusCode;

use support::{Caller, PASSWORD, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    every_kind_has_a_shelf_and_tabs_stand_where_there_are_works,
    works_are_found_by_any_part_of_their_titles,
    what_is_found_follows_the_title,
    what_is_found_is_sorted_and_read_in_pages,
    a_shelf_is_shown_in_three_orders_and_in_pages,
    a_hundred_thousand_works_are_read_page_by_page,
    a_work_is_copied_once_for_each_form,
    the_trash_keeps_a_work_and_gives_it_back,
    a_line_of_the_cart_waits_for_its_work,
    an_order_outlives_its_work,
    the_trash_forgets_after_thirty_days,
    pictures_of_pages_are_forgotten_after_thirty_days,
);

/// An album of one photo.
async fn album(member: &Caller, title: &str) -> String {
    let photos = member.upload(vec![("一.jpg", jpeg(320, 240, 1))]).await;
    member.album("square-210", title, &photos).await
}

/// The titles on a page of the shelf, in its order.
fn titles(page: &str) -> Vec<String> {
    between_all(page.split_once("<main").unwrap().1, "<strong>", "</strong>")
}

async fn every_kind_has_a_shelf_and_tabs_stand_where_there_are_works(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "画册一本").await;
    let page = member.page("/manager/opus_list/all").await;
    let tabs = |page: &str| between_all(&between(page, "aria-label=\"作品类型\"", "</nav>"), ">", "</a");
    assert_eq!(tabs(&page), ["全部", "画册", "回收站"]);
    for kind in ["document", "calendar", "ebook", "epaper", "magazine"] {
        let page = member.page(&format!("/manager/opus_list/{kind}")).await;
        assert!(titles(&page).is_empty(), "{kind}");
        assert_eq!(tabs(&page).len(), 4, "the place one is at has a tab");
    }
    server.sql(&format!("update works set kind = 'calendar' where id = '{work}'")).await;
    assert_eq!(tabs(&member.page("/manager/opus_list/all").await), ["全部", "台历", "回收站"]);
    assert_eq!(titles(&member.page("/manager/opus_list/calendar").await), ["画册一本"]);
    assert_eq!(member.get("/manager/opus_list/nonsense").await.status(), StatusCode::NOT_FOUND);
}

async fn works_are_found_by_any_part_of_their_titles(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    for title in ["海边的夏天", "夏天在山里", "Summer 100%"] {
        album(&member, title).await;
    }
    let find = async |search: &str| {
        let query = serde_urlencoded::to_string([("q", search)]).unwrap();
        titles(&member.page(&format!("/manager/opus_list/all?{query}")).await)
    };
    assert_eq!(find("夏天").await, ["夏天在山里", "海边的夏天"]);
    assert_eq!(find("边的").await, ["海边的夏天"]);
    assert_eq!(find("summer").await, ["Summer 100%"]);
    assert_eq!(find("0%").await, ["Summer 100%"]);
    assert!(find("_").await.is_empty());
    // letters that an engine has in one case only
    for title in ["旅行Ⅱ", "Ａlbum", "É", "Дорога"] {
        album(&member, title).await;
        assert_eq!(find(title).await, [title]);
    }
    assert_eq!(find("ＡLBUM").await, ["Ａlbum"]);
    assert_eq!(find("行Ⅱ").await, ["旅行Ⅱ"]);
    assert_eq!(find("album").await, ["Ａlbum"], "wide letters are letters");
    assert_eq!(find("é").await, ["É"]);
    assert_eq!(find("дорог").await, ["Дорога"]);
    assert_eq!(find("夏").await.len(), 2);
    assert_eq!(find("summer 100%").await, ["Summer 100%"]);
    assert!(find("夏天夏").await.is_empty());
    let page = member.page("/manager/opus_list/all?q=%3Cb%3E").await;
    assert!(page.contains("没有书名里带“&lt;b&gt;”的作品"), "{page}");
}

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
    for _ in 0..100 {
        if server.read(counts).await == "0 0" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("a deleted work can still be found");
}

/// Both ways of a search, by a rare gram and along the shelf, find the same in every order.
async fn what_is_found_is_sorted_and_read_in_pages(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "第一本").await;
    server.kill();
    server
        .sql(&format!(
            "insert into works (id, member_id, kind, title, trim_width, trim_height, pages, document, revision,
                                created_at, updated_at)
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
             select 'many-' || i, w.member_id, case when i % 2 = 0 then 'calendar' else 'album' end,
                    'Book ' || (i % 30) || case when i % 20 = 0 then ' 海边' else ' 山里' end, 210, 210, 20, '{{}}', 1,
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
    for (search, kind) in
        [("海边", ""), ("BOOK 7 ", ""), ("book 2", "calendar"), ("山", "album"), ("里 山", "")]
    {
        for (sort, key) in [("", 4), ("made", 3), ("title", 1)] {
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
}

async fn a_shelf_is_shown_in_three_orders_and_in_pages(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let first = album(&member, "乙").await;
    album(&member, "甲").await;
    album(&member, "丙").await;
    let fields = [("revision", "1"), ("title", "乙"), ("author", "改过")];
    location(&member.post(&format!("/manager/opus/{first}/texts"), &fields).await);
    let order = async |query: &str| titles(&member.page(&format!("/manager/opus_list/all{query}")).await);
    assert_eq!(order("").await, ["乙", "丙", "甲"]);
    assert_eq!(order("?sort=made").await, ["丙", "甲", "乙"]);
    assert_eq!(order("?sort=title").await, ["丙", "乙", "甲"]);
    for wrong in ["?sort=price", "?after=x", "?after=x.y"] {
        let answer = member.get(&format!("/manager/opus_list/all{wrong}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{wrong}");
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

async fn a_work_is_copied_once_for_each_form(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "海边的夏天").await;
    let page = member.page("/manager/opus_list/all").await;
    let copy = between(&page, "name=\"copy\" value=\"", "\"");
    let address = format!("/manager/opus/{work}/copy");
    for _ in 0..2 {
        let answer = member.post(&address, &[("copy", &copy)]).await;
        assert_eq!(location(&answer), format!("/manager/opus_list/all?copied={copy}"));
    }
    let page = member.page(&format!("/manager/opus_list/all?copied={copy}")).await;
    assert_eq!(titles(&page), ["海边的夏天（副本）", "海边的夏天"]);
    assert!(page.contains("已复制，新的一本是"));
    let opened = member.page(&format!("/manager/opus/{copy}")).await;
    assert_eq!(between(&opened, "<h1>", "</h1>"), "海边的夏天（副本）");
    // the copy goes its own way
    let fields = [("revision", "1"), ("title", "改了副本")];
    location(&member.post(&format!("/manager/opus/{copy}/texts"), &fields).await);
    assert!(member.page(&format!("/manager/opus/{work}")).await.contains("<h1>海边的夏天</h1>"));
    assert_eq!(member.post(&address, &[("copy", "no id")]).await.status(), StatusCode::BAD_REQUEST);
    // an id that is somebody else's makes nothing
    let other = server.member("other@example.com", "0").await;
    let theirs = album(&other, "别人的").await;
    location(&other.post(&format!("/manager/opus/{theirs}/copy"), &[("copy", &work)]).await);
    assert_eq!(titles(&other.page("/manager/opus_list/all").await), ["别人的"]);
}

async fn the_trash_keeps_a_work_and_gives_it_back(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let work = album(&member, "海边的夏天").await;
    let base = format!("/manager/opus/{work}");
    let shelf = [("shelf", "/manager/opus_list/album?sort=title")];
    for _ in 0..2 {
        let answer = member.post(&format!("{base}/trash"), &shelf).await;
        assert_eq!(location(&answer), "/manager/opus_list/album?sort=title");
    }
    assert_eq!(
        server.column("select cast(count(*) as text) from jobs where kind = 'forget_work'").await,
        ["1"]
    );
    let page = member.page("/manager/opus_list/all").await;
    assert!(titles(&page).is_empty() && page.contains("《海边的夏天》已移到回收站。"), "{page}");
    assert_eq!(titles(&member.page("/manager/opus_list/trash").await), ["海边的夏天"]);
    // it can be looked at, and nothing else
    let page = member.page(&base).await;
    assert!(page.contains("这件作品在回收站里") && !page.contains("保存文字"));
    assert_eq!(member.get(&format!("{base}/page/cover/320?r=1")).await.status(), StatusCode::OK);
    for (path, fields) in [
        (format!("{base}/texts"), vec![("revision", "1"), ("title", "改")]),
        (format!("{base}/copy"), vec![("copy", "another")]),
        (format!("{base}/revisions/1/restoration"), vec![("revision", "1")]),
        (format!("/manager/opus_setting/{work}"), vec![("revision", "1"), ("title", "改")]),
        (format!("/manager/add_shopping/{work}"), vec![("line", "a"), ("goods", "album-210")]),
    ] {
        let answer = member.post(&path, &fields).await;
        assert_eq!(answer.status(), StatusCode::CONFLICT, "{path}");
        assert!(answer.text().await.unwrap().contains("在回收站里，还原以后才能继续"), "{path}");
    }
    for path in [format!("/manager/opus_setting/{work}"), format!("/manager/add_shopping/{work}")] {
        assert_eq!(member.get(&path).await.status(), StatusCode::CONFLICT, "{path}");
    }
    for _ in 0..2 {
        let answer = member.post(&format!("{base}/restoration"), &[("shelf", "https://evil.example")]).await;
        assert_eq!(location(&answer), format!("/manager/opus_list/all?restored={work}"));
    }
    assert_eq!(titles(&member.page("/manager/opus_list/all").await), ["海边的夏天"]);
    assert_eq!(member.post(&format!("{base}/deletion"), &[]).await.status(), StatusCode::CONFLICT);
    location(&member.post(&format!("{base}/trash"), &[]).await);
    let answer = member.post(&format!("{base}/deletion"), &[]).await;
    assert_eq!(location(&answer), "/manager/opus_list/trash");
    assert_eq!(member.get(&base).await.status(), StatusCode::NOT_FOUND);
}

async fn a_line_of_the_cart_waits_for_its_work(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let line = member.cart_with_album().await;
    let fields = member.order_form(&line).await;
    let work = between(&member.page("/manager/opus_list/all").await, "href=\"/manager/opus_setting/", "\"");
    location(&member.post(&format!("/manager/opus/{work}/trash"), &[]).await);
    let cart = member.page("/manager/shopping/cart").await;
    assert!(
        cart.contains("《海边的夏天》在回收站里，还原以后才能继续。") && cart.contains(" disabled"),
        "{cart}"
    );
    let order = format!("/manager/shopping/order/{line}");
    assert_eq!(member.get(&order).await.status(), StatusCode::CONFLICT);
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(member.post(&order, &fields).await.status(), StatusCode::CONFLICT);
    location(&member.post(&format!("/manager/opus/{work}/restoration"), &[]).await);
    assert!(location(&member.post(&order, &fields).await).starts_with("/manager/shopping/pay?order="));
}

async fn an_order_outlives_its_work(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    let work = between(&member.page("/manager/opus_list/all").await, "href=\"/manager/opus_setting/", "\"");
    member.add_to_cart(&work, "album-210").await;
    location(&member.post(&format!("/manager/opus/{work}/trash"), &[]).await);
    location(&member.post(&format!("/manager/opus/{work}/deletion"), &[]).await);
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("海边的夏天"));
    let picture = member.get(&format!("/manager/order/{order}/line/1/page/cover/320")).await;
    assert_eq!(picture.status(), StatusCode::OK);
    assert!(member.page("/manager/shopping/cart").await.contains("购物车是空的"));
    assert_eq!(member.library().await.len(), 6, "photos stay in the library");
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
    let count = || server.column("select cast(count(*) as text) from jobs where kind = 'forget_work'");
    for _ in 0..200 {
        if count().await == ["0"] {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(count().await, ["0"]);
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
    for _ in 0..100 {
        if kept_pictures(&server).len() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(kept_pictures(&server).len(), 1);
    assert!(!old[0].exists(), "the other one is younger");
    draw(&member.at(&server.base), "cover").await;
    assert!(old[0].exists(), "what is looked at again is drawn again");
}
