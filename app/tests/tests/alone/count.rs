//! /count: how reading is counted, and what counts for nothing.

use reqwest::StatusCode;
use serde_json::json;

use support::wait::eventually;
use support::{Caller, PASSWORD, Server, between, jpeg, on_both_engines};

on_both_engines!(
    reading_is_counted_once;
    on_sqlite:
    programs_and_owners_are_not_counted,
    provinces_are_counted_where_their_data_is,
    what_is_forged_counts_for_nothing,
    who_reads_is_forgotten,
);

const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.53";
const COMPUTER: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36";

/// A work of three photos that everybody may read, and its maker.
async fn shared(server: &Server) -> (Caller, String) {
    let maker = server.member_of("maker@example.com", "0", "VIP").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    maker.share(&work).await;
    (maker, work)
}

/// The ticket of a page as a browser is given it, from another page.
async fn ticket(reader: &Caller, path: &str, browser: &str, referer: &str) -> String {
    let headers = [("user-agent", browser), ("referer", referer)];
    let page = reader.get_with(path, &headers).await.text().await.unwrap();
    between(&page, "data-counted=\"", "\"")
}

async fn tell(reader: &Caller, browser: &str, telling: &serde_json::Value) -> StatusCode {
    let headers = [("user-agent", browser), ("content-type", "text/plain;charset=UTF-8")];
    reader.post_with_headers("/count", &headers, &telling.to_string()).await.status()
}

/// Opens, reads, readers and signed-in ones of the work, of all days.
const SUMS: &str =
    "select coalesce(max(opens || ' ' || reads || ' ' || readers || ' ' || members), '') from reading_days d
    join counted_things t on t.id = d.thing_id where t.kind = 'work'";

async fn provinces_are_counted_where_their_data_is(mut server: Server) {
    let (maker, work) = shared(&server).await;
    let cover = format!("/read/{work}");
    let visitor = server.visitor();
    let opened = ticket(&visitor, &cover, COMPUTER, "").await;
    tell(&visitor, COMPUTER, &json!({ "ticket": opened, "pages": [[0, 1200]] })).await;
    eventually(&server, SUMS, "1 1 1 0").await;
    assert!(
        !maker.page("/manager/statisticMag").await.contains("地区，按"),
        "nobody said where provinces are"
    );
    let data = support::repository("app/base/tests/regions.mmdb");
    server.kill();
    server.set("BINDERY_REGIONS", data.to_str().unwrap());
    server.restart();
    let visitor = server.visitor();
    let opened = ticket(&visitor, &cover, PHONE, "").await;
    tell(&visitor, PHONE, &json!({ "ticket": opened, "pages": [[0, 1200]] })).await;
    eventually(&server, "select coalesce(max(word), '') from reading_words where about = 'region'", "浙江")
        .await;
    let maker = server.visitor();
    maker.sign_in("maker@example.com", PASSWORD).await;
    let page = maker.page("/manager/statisticMag").await;
    assert!(between(&page, "地区，按", "</table>").contains("浙江"), "{page}");
    // a file that is none is said at the start
    let no_data = concat!(env!("BINDERY_CHECKOUT"), "/app/tests/Cargo.toml");
    let output = server.run_with(&[("BINDERY_REGIONS", no_data)], &["ledger", "check"]);
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("BINDERY_REGIONS") && said.contains("Cargo.toml"), "{said}");
}

async fn reading_is_counted_once(server: Server) {
    let (_, work) = shared(&server).await;
    let (cover, first) = (format!("/read/{work}"), format!("/read/{work}/1"));
    let visitor = server.visitor();
    let opened = ticket(&visitor, &cover, PHONE, "https://mp.weixin.qq.com/s/abc").await;
    // a little later, so that a page can have been looked at
    let turned = ticket(&visitor, &first, PHONE, &format!("{}{cover}", server.base)).await;
    for _ in 0..3 {
        let told = json!({ "ticket": opened, "pages": [[0, 1200]], "areas": [], "touches": true });
        assert_eq!(tell(&visitor, PHONE, &told).await, StatusCode::NO_CONTENT);
        let told = json!({ "ticket": turned, "pages": [[1, 1500]] });
        assert_eq!(tell(&visitor, PHONE, &told).await, StatusCode::NO_CONTENT);
    }
    // a member on two browsers is one reader; a visitor without a script opens, and nobody knows more
    let member = server.member("reader@example.com", "0").await;
    for browser in [PHONE, COMPUTER] {
        let opened = ticket(&member, &format!("{cover}?q=海"), browser, "").await;
        tell(&member, browser, &json!({ "ticket": opened, "pages": [[0, 400]] })).await;
    }
    let plain = ticket(&server.visitor(), &cover, COMPUTER, "").await;
    let picture = server.visitor().get_with(&format!("/count/{plain}"), &[("user-agent", COMPUTER)]).await;
    assert_eq!(picture.headers()["content-type"], "image/gif");
    eventually(&server, SUMS, "4 2 3 1").await;
    let words = "select string_agg(word || count, ' ' order by word) from reading_words where about = ";
    let words = if server.engine == support::Engine::Sqlite {
        "select group_concat(word || count, ' ') from (select * from reading_words order by word) where about = "
    } else {
        words
    };
    assert_eq!(server.read(&format!("{words}'source'")).await, "2 mp.weixin.qq.com1 weixin1");
    assert_eq!(server.read(&format!("{words}'device'")).await, "computer2 phone2");
    assert_eq!(server.read(&format!("{words}'search'")).await, "海2");
    let pages = "select cast(sum(reads) as text) from reading_pages where page < 2";
    assert_eq!(server.read(pages).await, "2");
    let spent = server.read("select cast(sum(spent) as text) from reading_pages").await;
    assert!((2_700..=8_000).contains(&spent.parse::<i64>().unwrap()), "{spent} ms, told three times");
}

async fn what_is_forged_counts_for_nothing(server: Server) {
    let (_, work) = shared(&server).await;
    let first = format!("/read/{work}/1");
    let visitor = server.visitor();
    let ticket = ticket(&visitor, &first, COMPUTER, "").await;
    let telling = json!({ "ticket": ticket, "pages": [[1, 1500]] });
    let foreign = [("origin", "https://evil.example"), ("user-agent", COMPUTER)];
    let answer = visitor.post_with_headers("/count", &foreign, &telling.to_string()).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    let other = format!("{}A", &ticket[..ticket.len() - 1]);
    for forged in [
        json!({}),
        json!([]),
        json!({ "ticket": "", "pages": [[1, 1500]] }),
        json!({ "ticket": other, "pages": [[1, 1500]] }),
        json!({ "ticket": ticket, "pages": [[1, -5]] }),
        json!({ "ticket": ticket, "pages": "all" }),
    ] {
        assert_eq!(tell(&visitor, COMPUTER, &forged).await, StatusCode::NO_CONTENT, "{forged}");
    }
    let huge = json!({ "ticket": ticket, "areas": vec!["a"; 5_000] });
    assert_eq!(tell(&visitor, COMPUTER, &huge).await, StatusCode::PAYLOAD_TOO_LARGE);
    // what is told of other pages, of other times and of areas that are not there is left out
    let told =
        json!({ "ticket": ticket, "pages": [[7, 5000], [1, 4_000_000_000u32]], "areas": ["nowhere", "a b"] });
    assert_eq!(tell(&visitor, COMPUTER, &told).await, StatusCode::NO_CONTENT);
    eventually(&server, SUMS, "1 1 1 0").await;
    let pages =
        "select page || ' ' || (case when spent < 60000 then 'short' else 'long' end) from reading_pages";
    assert_eq!(server.column(pages).await, ["1 short"]);
    assert_eq!(
        server.column("select word from reading_words where about = 'area'").await,
        Vec::<String>::new()
    );
}

async fn programs_and_owners_are_not_counted(mut server: Server) {
    let (maker, work) = shared(&server).await;
    let cover = format!("/read/{work}");
    assert!(!maker.page(&cover).await.contains("data-counted"), "its owner looks at it");
    let visitor = server.visitor();
    let opened = ticket(&visitor, &cover, COMPUTER, "").await;
    let telling = json!({ "ticket": opened, "pages": [[0, 1500]] });
    // the owner signs in after it opened the page; programs; a browser that asks ahead
    tell(&maker, COMPUTER, &telling).await;
    for program in ["curl/8.5.0", "", &COMPUTER.replace("Chrome", "HeadlessChrome")] {
        tell(&visitor, program, &telling).await;
    }
    let ahead = [("user-agent", COMPUTER), ("sec-purpose", "prefetch")];
    visitor.post_with_headers("/count", &ahead, &telling.to_string()).await;
    // one that is a reader, told when the program is about to stop: nothing is lost
    tell(&visitor, PHONE, &telling).await;
    server.stop();
    assert_eq!(server.column(SUMS).await, ["1 1 1 0"]);
    server.restart();
    assert_eq!(server.visitor().get(&cover).await.status(), StatusCode::OK);
}

async fn who_reads_is_forgotten(mut server: Server) {
    let (_, work) = shared(&server).await;
    let visitor = server.visitor();
    let opened = ticket(&visitor, &format!("/read/{work}"), COMPUTER, "").await;
    tell(&visitor, COMPUTER, &json!({ "ticket": opened, "pages": [[0, 1500]] })).await;
    eventually(&server, SUMS, "1 1 1 0").await;
    for (back, kept) in [(1, "1 2"), (1, "0 0")] {
        server.kill();
        for table in ["reader_salts", "day_readers"] {
            server.sql(&format!("update {table} set day = day - {back}")).await;
        }
        server.restart();
        let left = "select (select count(*) from reader_salts) || ' ' || (select count(*) from day_readers)";
        // a thing's reader, and the one of all that its maker publishes
        eventually(&server, left, kept).await;
    }
    assert_eq!(server.column(SUMS).await, ["1 1 1 0"], "the numbers stay");
}
