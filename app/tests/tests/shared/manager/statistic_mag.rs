//! /manager/statisticMag: whose numbers are shown to whom, and that page and file say the same.

use reqwest::StatusCode;

use support::{Caller, Server, between, jpeg, on_both_engines};

on_both_engines!(
    numbers_are_shown_with_what_they_mean,
    others_numbers_look_like_none;
    on_sqlite:
    several_days_are_no_sum_of_people,
    other_tiers_are_told_which_one_opens_it,
    files_say_the_same,
);

const PAGE: &str = "/manager/statisticMag";

async fn shared(server: &Server, account: &str, title: &str) -> (Caller, String) {
    let maker = server.member_of(account, "0", "VIP").await;
    let photos = maker.upload((0..3).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", title, &photos).await;
    maker.share_as(&work, &[("title", title)]).await;
    (maker, work)
}

/// Rows as they are written for two days of a work: so many days ago, opens, reads, ms, readers, signed-in ones.
async fn count(server: &Server, work: &str, days: &[(i64, [i64; 5])]) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let today = (i64::try_from(now.as_millis()).unwrap() + 28_800_000) / 86_400_000;
    let member = server.read(&format!("select member_id from works where id = '{work}'")).await;
    for (kind, item) in [("work", work), ("member", member.as_str())] {
        let id = number(kind, item);
        server
            .sql(&format!("insert into counted_things (id, kind, item_id, member_id) values ({id}, '{kind}', '{item}', '{member}')"))
            .await;
        for (back, [opens, reads, spent, readers, members]) in days {
            let day = today - back;
            server
                .sql(&format!("insert into reading_days values ({id}, {day}, {opens}, {reads}, {spent}, {readers}, {members})"))
                .await;
        }
    }
    let (id, day) = (number("work", work), today);
    for (page, reads, spent) in [(0, 10, 20_000), (1, 6, 18_000)] {
        server
            .sql(&format!("insert into reading_pages values ({id}, {day}, {page}, {reads}, {spent})"))
            .await;
    }
    for (about, word, count) in [
        ("source", "weixin", 8),
        ("source", "a.example", 3),
        ("device", "phone", 9),
        ("search", "<b>海</b>", 4),
    ] {
        server
            .sql(&format!("insert into reading_words values ({id}, {day}, '{about}', '{word}', {count})"))
            .await;
    }
}

/// The number of a thing: the first bits of a digest.
fn number(kind: &str, id: &str) -> i64 {
    use sha2::{Digest, Sha256};
    let digest = Sha256::digest(format!("{kind}\0{id}"));
    i64::from_be_bytes(digest[..8].try_into().unwrap()) & i64::MAX
}

async fn numbers_are_shown_with_what_they_mean(server: Server) {
    let nobody = server.member_of("nobody@example.com", "0", "VIP").await;
    let page = nobody.page(PAGE).await;
    assert!(page.contains("还没有可以统计的作品") && page.contains("这些数字怎样数"));
    let (maker, work) = shared(&server, "maker@example.com", "=山海").await;
    count(&server, &work, &[(0, [12, 1_234, 61_700, 9, 2]), (1, [4, 20, 30_000, 3, 0])]).await;
    let all = maker.page(PAGE).await;
    assert!(all.contains("1,254") && all.contains(">16<"), "{all}");
    assert!(all.contains("=山海") && all.contains(&format!("of=work%3A{work}")));
    assert!(all.contains("微信") && all.contains("a.example") && all.contains("手机"));
    assert!(all.contains("&lt;b&gt;海&lt;/b&gt;") && !all.contains("<b>海"), "what readers type stays text");
    assert!(all.contains("polyline") && all.contains("人次") && all.contains("48 小时"));
    // of one work: how far readers come
    let one = maker.page(&format!("{PAGE}?of=work:{work}")).await;
    assert!(one.contains("读到哪一页") && one.contains("/picture/"), "{one}");
    assert!(one.contains("62.5%") && one.contains("37.5%"), "10 and 6 of 16 visits: {one}");
    // a day before nothing was
    let typed = maker.page(&format!("{PAGE}?span=days&from=2020-01-01&until=2020-01-07")).await;
    assert!(typed.contains("value=\"2020-01-01\"") && typed.contains("这段时间还没有人打开"));
    let wrong = maker.get(&format!("{PAGE}?span=days&from=2020-02-30&until=2020-01-07")).await;
    assert_eq!(wrong.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let wrong = wrong.text().await.unwrap();
    assert!(wrong.contains("日期写成") && wrong.contains("value=\"2020-02-30\""), "what was typed stays");
}

async fn several_days_are_no_sum_of_people(server: Server) {
    let (maker, work) = shared(&server, "maker@example.com", "山海").await;
    count(&server, &work, &[(0, [5, 5, 5_000, 40, 0]), (1, [5, 5, 5_000, 37, 0])]).await;
    let week = maker.page(&format!("{PAGE}?span=7")).await;
    let key = between(&week, "<dl class=\"key", "</dl>");
    assert!(key.contains("每日读者") && key.contains("最多的一天 40 人") && key.contains("11.0"), "{key}");
    assert!(key.contains("共 77 人次") && !key.contains("77 人，"), "no seventy-seven people came: {key}");
    let today = maker.page(&format!("{PAGE}?span=1")).await;
    assert!(between(&today, "<dl class=\"key", "</dl>").contains(">40<"));
}

async fn others_numbers_look_like_none(server: Server) {
    let (maker, work) = shared(&server, "maker@example.com", "山海").await;
    count(&server, &work, &[(0, [7, 7, 7_000, 7, 0])]).await;
    let (other, _) = shared(&server, "other@example.com", "别处").await;
    for address in [
        format!("{PAGE}?of=work:{work}"),
        format!("{PAGE}/pages.csv?of=work:{work}"),
        format!("{PAGE}/days.csv?of=work:{work}"),
    ] {
        assert_eq!(maker.get(&address).await.status(), StatusCode::OK, "{address}");
        assert_eq!(other.get(&address).await.status(), StatusCode::NOT_FOUND, "{address}");
    }
    for unknown in ["work:nothing", "member:x", "x", "issue:1"] {
        assert_eq!(
            maker.get(&format!("{PAGE}?of={unknown}")).await.status(),
            StatusCode::NOT_FOUND,
            "{unknown}"
        );
    }
    let page = other.page(PAGE).await;
    assert!(!page.contains("山海") && !page.contains("a.example"));
}

async fn other_tiers_are_told_which_one_opens_it(server: Server) {
    let basic = server.member("basic@example.com", "0").await;
    let answer = basic.get(PAGE).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    let page = answer.text().await.unwrap();
    assert!(page.contains("VIP") && page.contains("超级会员") && page.contains("企业高级版"));
    assert_eq!(basic.get(&format!("{PAGE}/days.csv")).await.status(), StatusCode::FORBIDDEN);
}

async fn files_say_the_same(server: Server) {
    let (maker, work) = shared(&server, "maker@example.com", "=山海").await;
    count(&server, &work, &[(0, [12, 1_234, 61_700, 9, 2])]).await;
    let days = maker.get(&format!("{PAGE}/days.csv?span=7")).await;
    assert_eq!(days.headers()["content-type"], "text/csv; charset=utf-8");
    let days = String::from_utf8(days.bytes().await.unwrap().to_vec()).unwrap();
    assert!(days.starts_with("\u{feff}日期,作品,打开,阅读,读者,"), "{days}");
    let lines: Vec<&str> = days.lines().collect();
    assert_eq!(lines.len(), 1 + 7 + 1, "a line for each day of all, and one for the day of the work");
    assert!(lines[7].ends_with(",全部,12,1234,9,2,61,0,0.00,0,0"), "{}", lines[7]);
    assert!(lines[8].contains(",'=山海,12,1234,9,2,61,,"), "no spreadsheet takes a title for a formula");
    let pages = maker.page(&format!("{PAGE}/pages.csv?of=work:{work}")).await;
    assert!(pages.contains("'=山海,封面,10,83.3%,20") && pages.contains("第 1 页,6,50.0%,18"), "{pages}");
    assert_eq!(maker.get(&format!("{PAGE}/pages.csv")).await.status(), StatusCode::NOT_FOUND);
}
