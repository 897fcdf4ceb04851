//! /manager/book-shelf and /shelf/{name}: shelves of what a member publishes.

use reqwest::StatusCode;
use serde_json::Value;

use support::shelves::{make, maker};
use support::{Caller, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    names_that_do_not_do_are_refused_with_the_reason;
    on_sqlite:
    an_old_name_leads_to_the_new_one,
    a_shelf_is_made_arranged_and_looked_at,
    only_what_everybody_may_read_stands_on_a_public_shelf,
    other_members_things_are_none,
);

async fn add(maker: &Caller, id: &str, works: &[String]) -> reqwest::Response {
    let items: Vec<String> = works.iter().map(|work| format!("work:{work}")).collect();
    let fields: Vec<(&str, &str)> = items.iter().map(|item| ("item", &**item)).collect();
    maker.post(&format!("/manager/book-shelf/{id}/items"), &fields).await
}

/// The works on a shelf as a reader sees them, in their order.
async fn seen(reader: &Caller, name: &str) -> Vec<String> {
    between_all(&reader.page(&format!("/shelf/{name}")).await, "<a href=\"/read/", "\"")
}

async fn a_shelf_is_made_arranged_and_looked_at(server: Server) {
    let (maker, works) = maker(&server, "maker@example.com", &["山海之间", "秋日徒步", "家书"]).await;
    assert!(maker.page("/manager/book-shelf").await.contains("还没有书架"));
    // sent twice, it is one
    for _ in 0..2 {
        let made = location(&make(&maker, "hills-a", "shanye-a", &[]).await);
        assert_eq!(made, "/manager/book-shelf/hills-a?done=made");
    }
    let empty = add(&maker, "hills-a", &[]).await;
    assert_eq!(empty.status(), StatusCode::UNPROCESSABLE_ENTITY);
    add(&maker, "hills-a", &works).await;
    let reader = server.visitor();
    assert_eq!(seen(&reader, "shanye-a").await, works);
    // by buttons
    let arrange = "/manager/book-shelf/hills-a/order";
    let item = |at: usize| format!("work:{}", works[at]);
    let moved = location(&maker.post(arrange, &[("before", &item(2))]).await);
    assert_eq!(moved, format!("/manager/book-shelf/hills-a#item-{}", works[2]));
    assert_eq!(seen(&reader, "shanye-a").await, [&*works[0], &works[2], &works[1]]);
    // by a script, which does not know what came on the shelf meanwhile
    let answer = maker.post(arrange, &[("order", &item(1)), ("order", &item(2)), ("order", "work:x")]).await;
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(seen(&reader, "shanye-a").await, [&*works[1], &works[2], &works[0]]);
    maker.post(arrange, &[("cover", &item(0))]).await;
    maker.post(arrange, &[("remove", &item(2))]).await;
    assert_eq!(seen(&reader, "shanye-a").await, [&*works[1], &works[0]]);
    // what it is, for search engines and messengers
    let page = reader.page("/shelf/shanye-a").await;
    assert_eq!(page.matches("<h1").count(), 1);
    assert!(page.contains("林知夏") && page.contains("走过的山") && page.contains("2 件"), "{page}");
    let home = format!("{}/shelf/shanye-a", server.base);
    assert!(page.contains(&format!("<link rel=\"canonical\" href=\"{home}\">")), "{page}");
    let card = between(&page, "og:image\" content=\"", "\"");
    assert!(card.contains(&format!("/read/{}/card.jpg", works[0])), "the chosen one stands for it: {card}");
    let data: Value = serde_json::from_str(&between(&page, "ld+json\">", "</script>")).unwrap();
    assert_eq!(data["mainEntity"]["numberOfItems"], 2);
    assert_eq!(data["mainEntity"]["itemListElement"][0]["item"]["name"], "秋日徒步");
    assert!(reader.page("/sitemap.xml").await.contains("/shelf/shanye-a<"));
    let cover = between(&page, "<img src=\"", "\"");
    assert_eq!(reader.get(&cover).await.status(), StatusCode::OK);
    // taken apart, its name is free
    maker.post("/manager/book-shelf/hills-a/removal", &[]).await;
    assert_eq!(reader.get("/shelf/shanye-a").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(make(&maker, "again-a", "shanye-a", &[]).await.status(), StatusCode::SEE_OTHER);
}

async fn only_what_everybody_may_read_stands_on_a_public_shelf(server: Server) {
    let (maker, works) = maker(&server, "maker@example.com", &["山海之间", "秋日徒步"]).await;
    make(&maker, "hills-b", "shanye-b", &[]).await;
    add(&maker, "hills-b", &works).await;
    let reader = server.visitor();
    let second = [works[1].clone()];
    for visibility in ["link", "private"] {
        maker.share_as(&works[0], &[("visibility", visibility)]).await;
        assert_eq!(seen(&reader, "shanye-b").await, second, "{visibility}");
        assert!(!reader.page("/shelf/shanye-b").await.contains(&works[0]), "{visibility}: no trace");
        assert!(maker.page("/shelf/shanye-b").await.contains("有 1 件没有公开"), "its maker is told");
    }
    maker.share_as(&works[0], &[]).await;
    assert_eq!(seen(&reader, "shanye-b").await, works);
    // at once, and its place is kept
    maker.post(&format!("/manager/opus_share_edit/{}/withdrawal", works[0]), &[]).await;
    assert_eq!(seen(&reader, "shanye-b").await, second);
    maker.share_as(&works[0], &[]).await;
    assert_eq!(seen(&reader, "shanye-b").await, works);
    maker.post(&format!("/manager/opus/{}/trash", works[1]), &[]).await;
    assert_eq!(seen(&reader, "shanye-b").await, [works[0].clone()]);
    // a shelf that is not public is none to others
    let fields = [("title", "山野书屋"), ("name", "shanye-b")];
    assert_eq!(maker.post("/manager/book-shelf/hills-b", &fields).await.status(), StatusCode::SEE_OTHER);
    for path in ["/shelf/shanye-b", "/shelf/shanye-b/report"] {
        assert_eq!(reader.get(path).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert!(!reader.page("/sitemap.xml").await.contains("/shelf/shanye-b"));
    let own = maker.page("/shelf/shanye-b").await;
    assert!(own.contains("还没有公开") && own.contains("noindex") && !own.contains("og:url"), "{own}");
}

async fn names_that_do_not_do_are_refused_with_the_reason(server: Server) {
    let (maker, _) = maker(&server, "maker@example.com", &[]).await;
    let other = server.member("other@example.com", "0").await;
    make(&other, "others-c", "taken-name", &[]).await;
    for (name, told) in [
        ("login", "“login”是网站自己用的名字"),
        ("Manager", "“manager”是网站自己用的名字"),
        ("taken-name", "已经有人用了"),
        ("TAKEN-name", "已经有人用了"),
        ("a", "2 到 30 个字，现在是 1 个"),
        (&"长".repeat(31), "2 到 30 个字，现在是 31 个"),
        ("a/b", "不能有“/”"),
        ("a b", "不能有“ ”"),
        ("-a", "连字符"),
    ] {
        let answer = make(&maker, "mine-c", name, &[]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(told), "{name}: no {told}");
        assert!(page.contains("走过的山") && page.contains("value=\"林知夏\""), "what was typed comes back");
    }
    for (field, value) in [("title", ""), ("title", &*"长".repeat(31)), ("description", &*"长".repeat(301))]
    {
        let answer = make(&maker, "mine-c", "mine-c", &[(field, value)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{field}");
    }
    assert_eq!(
        server.column(&format!("select id from shelves where member_id in {}", server.members())).await,
        ["others-c"]
    );
    // without a name it is called by its title
    assert_eq!(make(&maker, "mine-c", "", &[]).await.status(), StatusCode::SEE_OTHER);
    let page = server.visitor().page("/shelf/%E5%B1%B1%E9%87%8E%E4%B9%A6%E5%B1%8B").await;
    assert!(page.contains("/shelf/%E5%B1%B1%E9%87%8E%E4%B9%A6%E5%B1%8B\">"), "canonical: {page}");
    for missing in ["/shelf/nobodys", "/shelf/%FF", "/shelf/a%2Fb", "/shelf/%3Cb%3E"] {
        assert_eq!(server.visitor().get(missing).await.status(), StatusCode::NOT_FOUND, "{missing}");
    }
}

async fn an_old_name_leads_to_the_new_one(server: Server) {
    let (maker, _) = maker(&server, "maker@example.com", &[]).await;
    make(&maker, "hills-d", "old-name", &[]).await;
    let renamed = |name| [("title", "山野书屋"), ("name", name), ("public", "1")];
    maker.post("/manager/book-shelf/hills-d", &renamed("山野")).await;
    let reader = server.visitor();
    for old in ["/shelf/old-name", "/shelf/OLD-Name"] {
        let answer = reader.get(old).await;
        assert_eq!(answer.status(), StatusCode::PERMANENT_REDIRECT, "{old}");
        assert_eq!(answer.headers()["location"], "/shelf/%E5%B1%B1%E9%87%8E");
    }
    assert!(!reader.page("/sitemap.xml").await.contains("old-name"));
    assert!(maker.page("/manager/book-shelf/hills-d").await.contains("以前的地址也能打开：old-name"));
    // nobody else gets it
    let other = server.member("other@example.com", "0").await;
    let answer = make(&other, "others-d", "old-name", &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // and its own shelf may have it again
    maker.post("/manager/book-shelf/hills-d", &renamed("old-name")).await;
    assert_eq!(reader.get("/shelf/old-name").await.status(), StatusCode::OK);
    assert_eq!(reader.get("/shelf/%E5%B1%B1%E9%87%8E").await.status(), StatusCode::PERMANENT_REDIRECT);
}

async fn other_members_things_are_none(server: Server) {
    let (mine, works) = maker(&server, "maker@example.com", &["山海之间"]).await;
    make(&mine, "hills-e", "shanye-e", &[]).await;
    let (other, others) = maker(&server, "other@example.com", &["别人的书"]).await;
    assert_eq!(add(&mine, "hills-e", &others).await.status(), StatusCode::NOT_FOUND, "somebody else's work");
    assert_eq!(add(&mine, "hills-e", &["x".to_owned()]).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(
        add(&other, "hills-e", &others).await.status(),
        StatusCode::NOT_FOUND,
        "somebody else's shelf"
    );
    add(&mine, "hills-e", &works).await;
    let item = format!("work:{}", works[0]);
    for (path, fields) in [
        ("/manager/book-shelf/hills-e", &[("title", "x"), ("name", "taken-over-e")][..]),
        ("/manager/book-shelf/hills-e/order", &[("remove", &*item)]),
        ("/manager/book-shelf/hills-e/removal", &[]),
    ] {
        assert_eq!(other.post(path, fields).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(seen(&other, "shanye-e").await, works);
    // the same id from somebody else makes nothing and changes nothing
    make(&other, "hills-e", "another-e", &[]).await;
    assert_eq!(server.visitor().get("/shelf/another-e").await.status(), StatusCode::NOT_FOUND);
}
