//! Articles of what is sold, let to be read by a link.

use reqwest::StatusCode;

use support::publications::{editor, out};
use support::{Server, between, location, on_both_engines};

on_both_engines!(
    whoever_has_the_link_reads_one_article;
    on_sqlite:
    what_is_wrong_with_the_number_is_said,
);

/// Two articles behind the pages that anybody may read.
const SOLD: [(&str, &str); 4] =
    [("reading", "sold"), ("issue_price", "6"), ("preview_pages", "1"), ("given_articles", "1")];

async fn whoever_has_the_link_reads_one_article(server: Server) {
    let maker = editor(&server).await;
    let (title, _) = out(&maker, "epaper", "xihu-given", "2026-01-10", &SOLD).await;
    let base = "/epaper/xihu-given/2026-01-10";
    let (one, other) = (format!("{base}/a/3"), format!("{base}/a/4"));
    let visitor = server.visitor();
    let may = |page: &str| page.contains("lead story runs");
    assert!(!may(&visitor.page(&one).await));
    // a subscriber, who has paid
    let page = maker.page("/manager/epaper_sell/new").await;
    let package = between(&page, "name=\"package\" value=\"", "\"");
    let content = format!("title:{title}");
    let fields =
        [("package", &*package), ("title", "全年"), ("unit", "days"), ("count", "30"), ("price", "30")];
    let fields = [&fields[..], &[("trial_days", "7"), ("content", &content)]].concat();
    location(&maker.post("/manager/epaper_sell/new", &fields).await);
    let reader = server.member("reader@example.com", "50").await;
    let giving = format!("{one}/giving");
    assert!(!reader.page(&one).await.contains("送朋友读这一篇"));
    let refused = reader.post(&giving, &[]).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().await.unwrap().contains("订阅以后才能送朋友读"));
    // who tries it free is none
    location(&reader.post(&format!("/manager/package/{package}/trial"), &[]).await);
    assert!(may(&reader.page(&one).await));
    assert_eq!(reader.post(&giving, &[]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let sale = location(&reader.post(&format!("/manager/package/{package}"), &[]).await);
    location(&reader.post(&sale, &[("method", "balance")]).await);
    // what was bought runs from now on
    server
        .sql(&format!("delete from entitlements where source = 'trial' and package_id = '{package}'"))
        .await;
    server
        .sql(&format!(
            "update entitlements set starts_at = starts_at - 700000000 where package_id = '{package}'"
        ))
        .await;
    let page = reader.page(&one).await;
    assert!(page.contains("送朋友读这一篇") && page.contains("这个月还可以送 1 篇"), "{page}");
    for _ in 0..2 {
        assert_eq!(location(&reader.post(&giving, &[]).await), format!("{one}#giving"), "twice is one");
    }
    let page = reader.page(&one).await;
    let link = between(&page, "<p class=\"link-to-give\"><a href=\"", "\"");
    let path = &link[link.find("/epaper/").unwrap()..];
    assert!(page.contains("这个月还可以送 0 篇"), "{page}");
    let enough = reader.post(&format!("{other}/giving"), &[]).await;
    assert_eq!(enough.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(enough.text().await.unwrap().contains("这个月送出的已经有 1 篇了"));

    // whoever has it reads this article and nothing else, and is told no name
    let given = visitor.page(path).await;
    assert!(may(&given) && given.contains("一位订户请您读这一篇") && given.contains("noindex"), "{given}");
    assert!(!given.contains("reader@example.com") && !given.contains("rel=\"canonical\""));
    let token = path.split_once("?given=").unwrap().1;
    for shut in [
        format!("{other}?given={token}"),
        format!("{one}?given={}", &token[..token.len() - 1]),
        format!("{one}?given={}", token.replace('.', "x.")),
        one.clone(),
    ] {
        assert!(!may(&visitor.page(&shut).await), "{shut}");
    }
    assert!(!visitor.page(&format!("{base}/2?given={token}")).await.contains("/picture/"), "not its page");
    for feed in ["feed.atom", "opds.xml", "opds.json"] {
        let feed = visitor.page(&format!("/epaper/xihu-given/{feed}")).await;
        assert!(!feed.contains("given=") && !may(&feed));
    }
    // its maker gives as many as it wants
    for article in [&one, &other] {
        assert_eq!(
            location(&maker.post(&format!("{article}/giving"), &[]).await),
            format!("{article}#giving")
        );
    }
    let page = maker.page(&one).await;
    let own = between(&page, "<p class=\"link-to-give\"><a href=\"", "\"");
    assert!(visitor.page(&own[own.find("/epaper/").unwrap()..]).await.contains("出版人请您读这一篇"));
    // an article that begins on an open page goes on on a closed one: it is read as far as that, and with the link to its end
    let goes_on = |on: &str| {
        format!(
            "update articles set goes_on = {on} where number = 1
             and issue_id = (select id from issues where publication_id = '{title}')"
        )
    };
    let third =
        "(select third.id from articles third where third.issue_id = articles.issue_id and third.number = 3)";
    server.sql(&goes_on(third)).await;
    let whole = format!("{base}/a/1");
    let read = |page: &str| between(page, "class=\"story\"", "</div>").matches("lead story runs").count();
    let page = visitor.page(&whole).await;
    assert!(read(&page) == 1 && page.contains("订阅以后读全文"), "{page}");
    let page = visitor.page(&format!("{whole}?given={token}")).await;
    assert!(read(&page) == 2 && !page.contains("订阅以后读全文"), "{page}");
    let answer = visitor.get(path).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    assert_eq!(answer.headers()["location"], format!("{whole}?given={token}#part-3"));
    server.sql(&goes_on("null")).await;
    // one that begins behind what is open is read from where it is open
    let first = format!(
        "(select first.id from articles first join issues i on i.id = first.issue_id
          where i.publication_id = '{title}' and first.number = 1)"
    );
    let third =
        format!("number = 3 and issue_id in (select id from issues where publication_id = '{title}')");
    server.sql(&format!("update articles set goes_on = {first} where {third}")).await;
    let page = visitor.page(&whole).await;
    assert!(read(&page) == 1 && !page.contains("订阅以后读全文"), "{page}");
    assert_eq!(
        reader.get(&whole).await.status(),
        StatusCode::SEE_OTHER,
        "who may read its beginning goes there"
    );
    server.sql(&format!("update articles set goes_on = null where {third}")).await;
    // a link ends by itself, and with the title's switch
    server
        .sql(&format!(
            "update given_articles set expires_at = 1 where publication_id = '{title}' and month <> ''
        and member_id in (select id from members where account = '{}')",
            server.own("reader@example.com")
        ))
        .await;
    assert!(!may(&visitor.page(path).await));
    // and is made anew, which counts once
    assert!(reader.page(&one).await.contains("生成链接"));
    assert_eq!(location(&reader.post(&giving, &[]).await), format!("{one}#giving"));
    assert!(may(&visitor.page(path).await));
    assert!(reader.page(&one).await.contains("这个月还可以送 0 篇"));
    server.sql(&format!("update publications set given_articles = 0 where id = '{title}'")).await;
    assert!(!may(&visitor.page(&own[own.find("/epaper/").unwrap()..]).await));
    assert!(!maker.page(&one).await.contains("送朋友读这一篇"));
    assert_eq!(maker.post(&giving, &[]).await.status(), StatusCode::SEE_OTHER, "given before");
    assert_eq!(visitor.post(&giving, &[]).await.status(), StatusCode::SEE_OTHER, "signs in first");
}

async fn what_is_wrong_with_the_number_is_said(server: Server) {
    let maker = editor(&server).await;
    let (id, _) = out(&maker, "magazine", "given-number", "2026-01-10", &SOLD).await;
    let settings = format!("/manager/magazine/{id}/settings");
    assert!(maker.page(&settings).await.contains("订户每月可以送朋友读几篇"));
    for wrong in ["-1", "101", "x"] {
        let fields = [
            ("name", "刊"),
            ("organiser", "社"),
            ("reading", "sold"),
            ("issue_price", "6"),
            ("given_articles", wrong),
        ];
        let answer = maker.post(&settings, &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        let page = answer.text().await.unwrap();
        assert!(page.contains("请填写 0 到 100 之间的整数") && page.contains(&format!("value=\"{wrong}\"")));
    }
}
