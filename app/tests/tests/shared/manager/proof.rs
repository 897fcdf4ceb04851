//! /manager/shopping/cart/{line}/proof and /manager/opus/{id}/proof.pdf.

use reqwest::StatusCode;

use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    an_order_says_what_was_looked_at;
    on_sqlite:
    proofs_are_the_owners,
    a_proof_shows_the_whole_cover,
    a_proof_is_of_what_would_be_printed_now,
    a_proof_is_confirmed_point_by_point,
);

const CART: &str = "/manager/shopping/cart";
const CONFIRMED: &str = "样稿已确认";

/// The form as the page has it, with these points checked.
async fn confirm(member: &Caller, page: &str, checks: &[&str]) -> reqwest::Response {
    let html = member.page(page).await;
    let revision = between(&html, "name=\"revision\" value=\"", "\"");
    let mut fields = vec![("revision", &*revision)];
    fields.extend(checks.iter().map(|check| (*check, "y")));
    member.post(page, &fields).await
}

/// The work that a page is about.
fn work_in(html: &str) -> String {
    let (_, rest) = html.split_once("/manager/opus/").unwrap();
    rest.chars().take_while(char::is_ascii_alphanumeric).collect()
}

async fn a_proof_is_confirmed_point_by_point(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let line = member.cart_with_album().await;
    let page = format!("{CART}/{line}/proof");
    assert!(member.page(CART).await.contains(&page));
    assert!(member.page(&page).await.contains("印前检查"));

    let answer = confirm(&member, &page, &["seen", "edges"]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let again = answer.text().await.unwrap();
    assert!(again.contains("id=\"words-error\"") && !again.contains("id=\"seen-error\""));
    assert!(!member.page(CART).await.contains(CONFIRMED));

    let answer = confirm(&member, &page, &["seen", "words", "edges"]).await;
    assert_eq!(location(&answer), format!("{CART}#line-{line}"));
    assert!(member.page(CART).await.contains(CONFIRMED));
    assert!(member.page(&page).await.contains("确认过这份样稿"));
}

async fn a_proof_is_of_what_would_be_printed_now(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let line = member.cart_with_album().await;
    let page = format!("{CART}/{line}/proof");
    let shown = member.page(&page).await;
    let work = work_in(&shown);
    let stale = between(&shown, "name=\"revision\" value=\"", "\"");
    confirm(&member, &page, &["seen", "words", "edges"]).await;

    let pdf = member.get(&format!("/manager/opus/{work}/proof.pdf")).await;
    assert_eq!(pdf.headers()["content-type"], "application/pdf");
    assert!(pdf.headers()["content-disposition"].to_str().unwrap().starts_with("attachment;"));
    assert!(pdf.bytes().await.unwrap().starts_with(b"%PDF-"));

    let texts = format!("/manager/opus/{work}/texts");
    let changed = member.post(&texts, &[("revision", &stale), ("title", "改过的书名")]).await;
    assert_eq!(changed.status(), StatusCode::SEE_OTHER);
    assert!(!member.page(CART).await.contains(CONFIRMED), "another book now");
    let checks = [("revision", &*stale), ("seen", "y"), ("words", "y"), ("edges", "y")];
    let answer = member.post(&page, &checks).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let again = answer.text().await.unwrap();
    assert!(again.contains("请再看一遍") && again.contains("改过的书名") && !again.contains(" checked"));
    confirm(&member, &page, &["seen", "words", "edges"]).await;
    assert!(member.page(CART).await.contains(CONFIRMED));
}

async fn an_order_says_what_was_looked_at(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let unseen = member.cart_with_album().await;
    let confirming = member.page(&format!("/manager/shopping/order/{unseen}")).await;
    let proof = format!("{CART}/{unseen}/proof");
    assert!(confirming.contains("还没有看样") && confirming.contains(&proof), "it can still be done");
    let order = member.order(&unseen).await;
    let page = member.page(&format!("/manager/order/{order}")).await;
    assert!(page.contains("下单前没有看样") && page.contains("印前检查"));

    let seen = member.cart_with_album().await;
    confirm(&member, &format!("{CART}/{seen}/proof"), &["seen", "words", "edges"]).await;
    assert!(member.page(&format!("/manager/shopping/order/{seen}")).await.contains(CONFIRMED));
    let order = member.order(&seen).await;
    assert!(member.page(&format!("/manager/order/{order}")).await.contains(CONFIRMED));
    let again = member.page(&format!("/manager/order/{order}/reorder")).await;
    assert!(again.contains(CONFIRMED), "the same pages, printed the same way");
}

async fn a_proof_shows_the_whole_cover(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let line = member.cart_with_album().await;
    let html = member.page(&format!("{CART}/{line}/proof")).await;
    assert!(html.contains("整张封面") && html.contains("包到纸板里面") && html.contains("书脊 6."), "a case");
    let picture = member.get(&format!("{CART}/{line}/cover/720")).await;
    assert_eq!(picture.headers()["content-type"], "image/webp");
    let picture = image::load_from_memory(&picture.bytes().await.unwrap()).unwrap();
    // 2 × (17.5 + 213 + 10) + 6.1 wide, 216 + 2 × 17.5 high
    assert_eq!((picture.width(), picture.height()), (720, 371));
    assert_eq!(member.get(&format!("{CART}/{line}/cover/721")).await.status(), StatusCode::NOT_FOUND);
    let proof = member.get(&format!("{CART}/{line}/proof.pdf")).await.bytes().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof.pdf");
    std::fs::write(&file, &proof).unwrap();
    let info = std::process::Command::new("pdfinfo").arg("-box").arg(&file).output().unwrap();
    let info = String::from_utf8_lossy(&info.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    // 487.1 mm by 251 mm
    assert!(info.contains("Page size: 1380.") && info.contains(" x 711."), "{info}");
}

async fn proofs_are_the_owners(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let line = member.cart_with_album().await;
    let page = format!("{CART}/{line}/proof");
    let work = work_in(&member.page(&page).await);
    let other = server.member("other@example.com", "0").await;
    for address in [page.clone(), format!("/manager/opus/{work}/proof.pdf")] {
        assert_eq!(other.get(&address).await.status(), StatusCode::NOT_FOUND, "{address}");
    }
    let checks = [("revision", "1"), ("seen", "y"), ("words", "y"), ("edges", "y")];
    assert_eq!(other.post(&page, &checks).await.status(), StatusCode::NOT_FOUND);
    assert!(!member.page(CART).await.contains(CONFIRMED));
}
