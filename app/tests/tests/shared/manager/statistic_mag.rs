//! /manager/statisticMag: whose numbers are shown to whom, and that page and file say the same.

use reqwest::StatusCode;
use serde_json::json;

use support::publications::{editor, issue, out, paper, set};
use support::wait::eventually;
use support::{Caller, Server, between, between_all, jpeg, location, on_both_engines};

on_both_engines!(
    numbers_are_shown_with_what_they_mean,
    others_numbers_look_like_none,
    articles_are_listed_by_how_often_they_were_opened;
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

const COMPUTER: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36";

/// The ticket of a page as a browser is given it that comes from another page.
async fn ticket(reader: &Caller, path: &str, referer: &str) -> String {
    let headers = [("user-agent", COMPUTER), ("referer", referer)];
    between(&reader.get_with(path, &headers).await.text().await.unwrap(), "data-counted=\"", "\"")
}

/// Tells that a page was looked at, and what was pressed on it.
async fn tell(reader: &Caller, browser: &str, ticket: &str, page: u32, areas: &[&str]) {
    let told = json!({ "ticket": ticket, "pages": [[page, 1_500]], "areas": areas });
    let headers = [("user-agent", browser), ("content-type", "text/plain;charset=UTF-8")];
    let answer = reader.post_with_headers("/count", &headers, &told.to_string()).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
}

async fn articles_are_listed_by_how_often_they_were_opened(server: Server) {
    let maker = editor(&server).await;
    let (title, first) = out(&maker, "epaper", "most-read", "2026-11-20", &[]).await;
    let second = issue(&maker, "epaper", &title, "2026-11-21", paper()).await;
    location(&maker.post(&format!("/manager/epaper_issue/{second}/proposals"), &[]).await);
    set(&maker, "epaper", &second, "publish").await;
    let (home, other) = ("/epaper/most-read/2026-11-20", "/epaper/most-read/2026-11-21");
    let outside = "https://mp.weixin.qq.com/s/abc";

    // somebody presses an article's area, is led to its page and looks at it again: one opening
    let visitor = server.visitor();
    let leaf = ticket(&visitor, &format!("{home}/1"), outside).await;
    tell(&visitor, COMPUTER, &leaf, 1, &["article-2", "article-99", "nowhere"]).await;
    for _ in 0..2 {
        let own = ticket(&visitor, &format!("{home}/a/2"), &format!("{}{home}/1", server.base)).await;
        tell(&visitor, COMPUTER, &own, 1, &[]).await;
        tell(&visitor, COMPUTER, &own, 1, &[]).await;
    }
    // members come from outside, one of them twice; the last has no script, and comes from the issue's own pages
    for (account, visits) in [("one@example.com", 1), ("two@example.com", 2)] {
        let reader = server.member(account, "0").await;
        for _ in 0..visits {
            let own = ticket(&reader, &format!("{home}/a/2"), outside).await;
            tell(&reader, COMPUTER, &own, 1, &[]).await;
        }
    }
    let plain = server.member("plain@example.com", "0").await;
    let headers = [("user-agent", COMPUTER), ("referer", &*format!("{}{other}/1", server.base))];
    let page = plain.get_with(&format!("{other}/a/3"), &headers).await.text().await.unwrap();
    let picture = between(&page, "<noscript><img src=\"", "\"");
    assert_eq!(plain.get_with(&picture, &headers).await.status(), StatusCode::OK);
    // programs and the maker are nobody
    let own = ticket(&visitor, &format!("{home}/a/1"), outside).await;
    tell(&visitor, "curl/8.5.0", &own, 1, &[]).await;
    tell(&maker, COMPUTER, &own, 1, &[]).await;
    assert!(!maker.page(&format!("{home}/a/1")).await.contains("data-counted"));

    let words = |id: &str| {
        format!(
            "select coalesce(max(word || ' ' || cast(count as text)), '') || ' ' || cast(count(*) as text)
             from reading_words where about = 'article' and thing_id = {}",
            number("issue", id)
        )
    };
    eventually(&server, &words(&first), "article-2 4 1").await;
    eventually(&server, &words(&second), "article-3 1 1").await;

    // of all, of one, and as files
    let listed = |page: &str| -> Vec<String> {
        let list = between(page, "<ol class=\"most-read\">", "</ol>");
        let (titles, counts) = (between_all(&list, "<a href=\"", "</a>"), between_all(&list, "<b>", "</b>"));
        titles.into_iter().zip(counts).map(|(title, count)| format!("{title} {count}")).collect()
    };
    let page = maker.page(PAGE).await;
    let lines = [format!("{home}/a/2\">Weather 4"), format!("{other}/a/3\">A library in a tea mill 1")];
    assert_eq!(listed(&page), lines, "{page}");
    assert!(page.contains("西湖晚报 2026-11-20 第 1 期 · 第 1 页"), "{page}");
    let one = maker.page(&format!("{PAGE}?of=issue:{first}&span=7")).await;
    assert_eq!(listed(&one), lines[..1]);
    assert!(one.contains(&format!("{PAGE}/articles.csv?of=issue%3A{first}&amp;span=7")), "{one}");
    let before = maker.page(&format!("{PAGE}?span=days&from=2020-01-01&until=2020-01-07")).await;
    assert!(!before.contains("读得最多的稿件"), "nothing was opened then");
    let file = maker.page(&format!("{PAGE}/articles.csv")).await;
    let rows: Vec<&str> = file.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(
        rows,
        [
            "作品,页,稿件,打开",
            "西湖晚报 2026-11-20 第 1 期,第 1 页,Weather,4",
            "西湖晚报 2026-11-21 第 2 期,第 2 页,A library in a tea mill,1"
        ]
    );
    let file = maker.page(&format!("{PAGE}/articles.csv?of=issue:{second}")).await;
    assert!(file.contains("A library") && !file.contains("Weather"), "{file}");

    // parts that are joined are one article, with what was opened of them before
    let on = format!(
        "update articles set goes_on = (select id from articles where issue_id = '{second}' and number = 3)"
    );
    server.sql(&format!("{on} where issue_id = '{second}' and number = 1")).await;
    let leaf = ticket(&server.member("third@example.com", "0").await, &format!("{other}/2"), outside).await;
    tell(&visitor, COMPUTER, &leaf, 2, &["article-1.3"]).await;
    eventually(&server, &words(&second), "article-3 1 2").await;
    let one = maker.page(&format!("{PAGE}?of=issue:{second}&span=7")).await;
    assert_eq!(listed(&one), [format!("{other}/a/1\">Trees along the river 2")]);
    assert!(one.contains("id=\"pressed\""), "its area is on its own page: {one}");

    // nobody else's business
    let (stranger, _) = shared(&server, "stranger@example.com", "别处").await;
    for address in [format!("{PAGE}/articles.csv?of=issue:{first}"), format!("{PAGE}?of=issue:{first}")] {
        assert_eq!(stranger.get(&address).await.status(), StatusCode::NOT_FOUND, "{address}");
    }
    assert!(!stranger.page(&format!("{PAGE}/articles.csv")).await.contains("Weather"));
    assert!(!stranger.page(PAGE).await.contains("读得最多的稿件"));
}
