//! /manager/Aitus: the house's templates, and the making desk that begins with one.

use reqwest::StatusCode;

use support::{Server, between, between_all, on_both_engines};

on_both_engines!(a_template_is_looked_at_and_begun_with,);

async fn a_template_is_looked_at_and_begun_with(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let all = member.page("/manager/Aitus/all").await;
    let categories = between_all(&between(&all, "aria-label=\"模板分类\"", "</nav>"), "href=\"", "\"");
    assert!(categories.len() > 5, "{categories:?}");
    for category in &categories {
        assert!(member.page(category).await.contains("class=\"spread\""), "{category}");
    }
    let one = member.page("/manager/Aitus/wedding-festive").await;
    let picture = between(&one, "class=\"template\"><img src=\"", "\"");
    let answer = member.get(&picture).await;
    assert_eq!(answer.headers()["content-type"], "image/webp");
    assert_eq!(member.get("/manager/Aitus/wedding-festive/0/999").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(member.get("/manager/Aitus/wedding-festive/99/320").await.status(), StatusCode::NOT_FOUND);
    // the desk has what the template says
    let begun = between(&one, "href=\"/manager/make_ebook?", "\"").replace("&amp;", "&");
    let desk = format!("/manager/make_ebook?{begun}");
    let desk = member.page(&desk).await;
    for chosen in ["value=\"square-210\" checked", "value=\"festive\" checked"] {
        assert!(desk.contains(chosen), "{chosen}");
    }
    assert!(!between(&desk, "name=\"dates\"", ">").contains("checked"));
    assert!(between(&desk, "name=\"chapters\" value=\"pauses\"", ">").contains("checked"));
    // what there is not says what there is
    let unknown = member.get("/manager/Aitus/no-such-thing").await;
    assert_eq!(unknown.status(), StatusCode::NOT_FOUND);
    assert!(unknown.text().await.unwrap().contains("/manager/Aitus/travel"));
}
