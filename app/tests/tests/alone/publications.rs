//! /manager/epaper, /manager/magazine and what readers see of them: issues made, corrected, published, sold, withdrawn.

use reqwest::StatusCode;

use support::publications::out;
use support::publications::{editor, issue, paper, send, title};
use support::wait::{carried_out, until};
use support::{Engine, Server, between, location, on_both_engines};

on_both_engines!(
    an_issue_comes_out_at_its_time_once,
    what_was_there_before_the_index_is_taken_in,
    an_archive_of_decades_is_searched;
    on_sqlite:
    a_title_has_so_many_issues,
);

async fn a_title_has_so_many_issues(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, id) = out(&maker, "epaper", "xihu", "2026-11-20", &[]).await;
    server
        .sql(&format!(
            "insert into issues (id, publication_id, member_id, day, year, number, total, name, state, document, width,
                                 height, pages, picture_key, created_at, updated_at)
             with recursive numbers (n) as (select 2 union all select n + 1 from numbers where n < 30000)
             select id || n, publication_id, member_id, '1926-01-01', 1926, n, total + n, name, 'draft', document, width,
                    height, pages, picture_key || n, created_at, updated_at
             from issues, numbers where id = '{id}'"
        ))
        .await;
    let answer = send(&maker, "epaper", &paper_id, &[("day", "2026-11-21")], Some(paper())).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("一份报刊最多 30000 期") && page.contains("value=\"2026-11-21\""), "{page}");
    // those that are there are read as ever
    assert_eq!(server.visitor().get("/epaper/xihu/2026-11-20/1").await.status(), StatusCode::OK);
}

async fn an_issue_comes_out_at_its_time_once(server: Server) {
    let maker = editor(&server).await;
    let (paper_id, _) = out(&maker, "epaper", "xihu", "2026-11-20", &[]).await;
    let reader = server.member("reader@example.com", "0").await;
    let quiet = server.member("quiet@example.com", "0").await;
    let following = format!("/manager/publication/{paper_id}/following");
    assert!(reader.page(&following).await.contains("同时发邮件到 reader@example.com"));
    location(&reader.post(&following, &[("act", "follow"), ("by_message", "1")]).await);
    location(&quiet.post(&following, &[("act", "follow")]).await);
    let id = issue(&maker, "epaper", &paper_id, "2026-11-21", paper()).await;
    let state = format!("/manager/epaper_issue/{id}/state");
    for (on, at, told) in [
        ("2020-01-01", "06:00", "这个时间已经过去了"),
        ("2099-01-01", "06:00", "最多可以定到一年以内"),
        ("x", "06:00", "日期写成"),
        ("2027-01-01", "25:00", "时间写成"),
    ] {
        let answer = maker.post(&state, &[("act", "schedule"), ("on", on), ("at", at)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{on} {at}");
        assert!(answer.text().await.unwrap().contains(told), "{on} {at}");
    }
    let soon = (time::OffsetDateTime::now_utc() + time::Duration::days(2)).date().to_string();
    location(&maker.post(&state, &[("act", "schedule"), ("on", &soon), ("at", "06:30")]).await);
    assert!(maker.page(&format!("/manager/epaper_issue/{id}")).await.contains("06:30"));
    let visitor = server.visitor();
    let place = "/epaper/xihu/2026-11-21/1";
    assert_eq!(visitor.get(place).await.status(), StatusCode::NOT_FOUND);
    // cancelled it stays a draft, whatever job still waits
    location(&maker.post(&state, &[("act", "cancel")]).await);
    carried_out(&server, &["publish_issue"]).await;
    assert_eq!(visitor.get(place).await.status(), StatusCode::NOT_FOUND);
    // its time comes with several jobs for it and two servers that look for them
    location(&maker.post(&state, &[("act", "schedule"), ("on", &soon), ("at", "06:30")]).await);
    let _second = server.another();
    server.sql("update issues set scheduled_at = 1000 where state = 'scheduled'").await;
    let job = server.read("select payload from jobs where kind = 'publish_issue'").await;
    let due = job.replace(&between(&job, "\"at\":", ",").trim_end_matches('}').to_owned(), "1000");
    for number in 0..4 {
        server
            .sql(&format!(
                "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
                 values ('again-{number}', 'publish_issue', '{due}', 1, 0, 0, 1)"
            ))
            .await;
    }
    let waits = "select id from jobs where kind = 'tell_readers_of_issue' or id like 'again-%'";
    until("it is published and everybody told", async || {
        visitor.get(place).await.status() == StatusCode::OK && server.column(waits).await.is_empty()
    })
    .await;
    let told = server.column(&format!("select member_id from issue_news where issue_id = '{id}'")).await;
    assert_eq!(told.len(), 2, "each once");
    let outbox = server.outbox();
    assert_eq!(outbox.matches("西湖晚报》2026-11-21").count(), 1, "{outbox}");
    // nobody configured where the site is
    assert!(outbox.contains("reader@example.com") && outbox.contains("登录书坊就可以读"), "{outbox}");
    let study = quiet.page("/manager/book-study").await;
    assert!(study.contains("订阅的报刊") && study.contains(&format!("href=\"{place}\"")), "{study}");
    location(&quiet.post(&following, &[("act", "leave")]).await);
}

async fn what_was_there_before_the_index_is_taken_in(server: Server) {
    let mut server = server;
    let maker = editor(&server).await;
    out(&maker, "epaper", "before", "2026-11-20", &[]).await;
    let ask = "/epaper/before/search?q=umbrella";
    let found = async |server: &Server| server.visitor().page(ask).await.contains("<mark>umbrella</mark>");
    until("it is found", async || found(&server).await).await;
    // as if an older program had written it all, and its pages were still to come
    server.stop();
    server.sql("delete from search_pages").await;
    assert_eq!(server.read("select cast(count(*) as text) from search_entries").await, "0");
    assert_eq!(
        server.read("select cast(count(*) as text) from search_grams").await,
        "0",
        "nothing is left behind"
    );
    server.restart();
    until("it is found again", async || found(&server).await).await;
    until("no page waits", async || !server.visitor().page(ask).await.contains("可能不全")).await;
    server.sql("update search_pages set is_kept = 0").await;
    assert!(server.visitor().page(ask).await.contains("可能不全"), "an answer says that pages are missing");

    // another program of the same site finds the same
    let second = server.another();
    assert!(found(&second).await);
    drop(second);
    // the index is no part of a backup: it is made where that is restored
    let folder = server.folder.path().join("backup");
    let output = server.run(&["backup", folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut other) = Server::start(engine).await else { continue };
        let output = other.run(&["restore", folder.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        other.restart();
        until("it is found where it was restored", async || found(&other).await).await;
    }
}

/// An issue of a day whose articles say these, forty on a page.
async fn printed(server: &Server, title: &str, (day, total): (&str, usize), texts: &[String]) {
    let pages = texts.len().div_ceil(40);
    let rows = texts.iter().enumerate().map(|(at, text)| {
        let (number, page) = (at + 1, at / 40 + 1);
        format!("('{day}-{number}', '{day}', {number}, {page}, {number}, 0, '', '第{number}篇', '', '', '{text}', '[]', '[]', 1)")
    });
    let rows: Vec<String> = rows.collect();
    let listed: Vec<String> = (1..=pages).map(|page| format!("('{day}', {page}, '', '[]', 1, 8)")).collect();
    server
        .sql(&format!(
            "insert into issues (id, publication_id, member_id, day, year, number, total, name, state, published_at, document,
                width, height, pages, picture_key, created_at, updated_at)
             select '{day}', id, member_id, '{day}', 2000, {total}, {total}, '', 'published', 1, '{{}}', 390, 540, {pages}, 'key', 1, 1
             from publications where id = '{title}';
             insert into issue_pages (issue_id, page, name, links, read_at, letters) values {};
             insert into articles (id, issue_id, number, page, position, is_proposed, kicker, title, subtitle, author, text,
                areas, photos, updated_at) values {}",
            listed.join(", "),
            rows.join(", ")
        ))
        .await;
}

/// More articles of the last months than are looked at first, some of the year before, and some of long ago.
async fn an_archive_of_decades_is_searched(server: Server) {
    let mut server = server;
    let maker = editor(&server).await;
    let title = title(&maker, "epaper", "decades", &[]).await;
    let texts = |count: usize, text: &str| vec![text.to_owned(); count];
    printed(&server, &title, ("1965-05-01", 1), &texts(5, "海边的灯塔，旧磨坊")).await;
    printed(&server, &title, ("2025-12-31", 2), &texts(3, "山上的灯塔")).await;
    printed(&server, &title, ("2026-01-10", 3), &texts(320, "海边的风筝")).await;
    let taken_in = "no page waits";
    let none_waits = async |server: &Server| {
        server.read("select cast(count(*) as text) from search_pages where is_kept = 0").await == "0"
    };
    server.restart();
    until(taken_in, async || none_waits(&server).await).await;
    let days = async |server: &Server, question: &str| {
        let page = server.visitor().page(&format!("/epaper/decades/search?{question}")).await;
        page.split("<time datetime=\"").skip(1).map(|rest| rest[..10].to_owned()).collect::<Vec<_>>()
    };
    let of = |parts: &[(&str, usize)]| -> Vec<String> {
        parts.iter().flat_map(|(day, count)| std::iter::repeat_n((*day).to_owned(), *count)).collect()
    };
    assert_eq!(days(&server, "q=海边").await, of(&[("2026-01-10", 20)]), "the newest");
    assert_eq!(days(&server, "q=海边&sheet=10").await, of(&[("2026-01-10", 20)]), "two hundred of them");
    assert_eq!(
        days(&server, "q=灯塔").await,
        of(&[("2025-12-31", 3), ("1965-05-01", 5)]),
        "and whatever is older"
    );
    assert_eq!(days(&server, "q=海边的灯塔").await, of(&[("1965-05-01", 5)]));
    assert_eq!(days(&server, "q=旧磨坊").await, of(&[("1965-05-01", 5)]), "what is of long ago alone");
    assert_eq!(days(&server, "q=海边&until=2025-12-31").await, of(&[("1965-05-01", 5)]), "as of a day");
    assert_eq!(days(&server, "q=灯塔&from=2000-01-01").await, of(&[("2025-12-31", 3)]));
    if server.engine == Engine::Sqlite {
        return;
    }
    // as an older program took it in, without the months
    server.stop();
    let without = "select count(*) from search_grams where not exists (
        select 1 from unnest(tsvector_to_array(grams)) word where word like 'b%')";
    server
        .sql(
            "update search_grams set grams = array_to_tsvector(array(
                select word from unnest(tsvector_to_array(grams)) word where word not like 'b%'))",
        )
        .await;
    assert_eq!(server.read(&format!("select cast(({without}) as text)")).await, "328");
    server.sql("alter index search_grams_of set (fastupdate = off)").await;
    server.restart();
    until(taken_in, async || none_waits(&server).await).await;
    assert_eq!(server.read(&format!("select cast(({without}) as text)")).await, "0");
    let options = "select coalesce(array_to_string(reloptions, ' '), '') from pg_class where relname = 'search_grams_of'";
    assert_eq!(server.read(options).await, "");
    assert_eq!(days(&server, "q=灯塔").await, of(&[("2025-12-31", 3), ("1965-05-01", 5)]));
}
