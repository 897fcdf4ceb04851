//! What is shown and asked on the page that confirms an order: the book to leaf through, and what preflight found.

use reqwest::StatusCode;
use serde_json::json;

use support::editor::{Editor, photos_of, set};
use support::{Caller, Server, between_all, location, on_both_engines};

on_both_engines!(what_was_found_is_decided_once_for_a_revision, each_book_of_an_order_is_shown,);

/// The page that confirms an order of these lines.
fn place(lines: &str) -> String {
    format!("/manager/shopping/order/{lines}")
}

/// The marks of what is to be decided on a page.
fn marks(page: &str) -> Vec<String> {
    between_all(page, "name=\"decided\" value=\"", "\"")
}

/// Shows so little of the book's first photo that it is coarse in print.
async fn make_coarse(editor: &Editor, share: f64) {
    let (revision, document) = editor.document().await;
    let photo = photos_of(&document).remove(0);
    let crop = json!({ "x": 0.0, "y": 0.0, "width": share, "height": share });
    editor.make(revision, &json!([set(&format!("coarse-{revision}"), &photo, "crop", crop)])).await;
}

async fn post(member: &Caller, line: &str, fields: &[(String, String)]) -> reqwest::Response {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    member.post(&place(line), &fields).await
}

async fn what_was_found_is_decided_once_for_a_revision(server: Server) {
    let editor = Editor::of(&server, "buyer@example.com").await;
    let member = &editor.member;
    let line = member.add_to_cart(&editor.work, "album-210").await;
    let page = member.page(&place(&line)).await;
    assert!(marks(&page).is_empty(), "what the house laid out itself needs no hand");

    make_coarse(&editor, 0.2).await;
    let fields = member.order_form(&line).await;
    let page = member.page(&place(&line)).await;
    assert!(page.contains("会明显模糊") && page.contains(&format!("/manager/opus/{}/page/", editor.work)));
    let [mark] = &marks(&page)[..] else { panic!("asked once") };
    let answer = post(member, &line, &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let again = answer.text().await.unwrap();
    assert!(again.contains("《海边的夏天》有 1 处需要您决定") && again.contains("id=\"decided-1-error\""));
    assert!(again.contains("提交订单") && again.contains(&fields[0].1), "what was sent comes back");

    // the same once more is another revision
    make_coarse(&editor, 0.21).await;
    let ticked = |mark: &str| [&fields[..], &[("decided".to_owned(), mark.to_owned())]].concat();
    let answer = post(member, &line, &ticked(mark)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = member.page(&place(&line)).await;
    let [other] = &marks(&page)[..] else { panic!("asked anew") };
    assert_ne!(mark, other);

    // a word given with a new address is kept, and so for another line of the same revision
    let mut new: Vec<(String, String)> = [
        ("address", "new"),
        ("receiver", "林知夏"),
        ("phone", "13800138000"),
        ("province", "浙江省"),
        ("city", "杭州市"),
        ("district", "西湖区"),
        ("street", "龙井路 20 号"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    new.push(("decided".to_owned(), other.clone()));
    let there = location(&post(member, &line, &new).await);
    assert!(marks(&member.page(&there).await).is_empty());
    let placed = location(&post(member, &line, &fields).await);
    assert!(placed.starts_with("/manager/shopping/pay"), "{placed}");
    let line = member.add_to_cart(&editor.work, "album-210").await;
    assert!(marks(&member.page(&place(&line)).await).is_empty());
    make_coarse(&editor, 0.22).await;
    let page = member.page(&place(&line)).await;
    assert_eq!(marks(&page).len(), 1, "asked again, as the work changed");

    // and whoever confirmed the proof has seen it, too
    let proof = format!("/manager/shopping/cart/{line}/proof");
    let revision = editor.document().await.0.to_string();
    let checks = [("revision", &*revision), ("seen", "y"), ("words", "y"), ("edges", "y")];
    assert_eq!(member.post(&proof, &checks).await.status(), StatusCode::SEE_OTHER);
    assert!(marks(&member.page(&place(&line)).await).is_empty());
    member.order(&line).await;
}

async fn each_book_of_an_order_is_shown(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let (one, other) = (member.cart_with_album().await, member.cart_with_album().await);
    let page = member.page(&place(&format!("{one},{other}"))).await;
    assert_eq!(page.matches("class=\"turning\"").count(), 2);
    for line in [&one, &other] {
        let standing = format!("/manager/shopping/cart/{line}/bound/0?");
        let shown = between_all(&page, &format!("src=\"{standing}"), "\"");
        let drawn = member.get(&format!("{standing}{}", shown[0].replace("&amp;", "&"))).await;
        assert_eq!(drawn.headers()["content-type"], "image/svg+xml");
        assert!(drawn.text().await.unwrap().contains("data:image/webp"));
        for face in ["front", "back"] {
            let from = format!("/manager/shopping/cart/{line}/{face}/720?");
            let shown = between_all(&page, &format!("src=\"{from}"), "\"");
            let picture = member.get(&format!("{from}{}", shown[0].replace("&amp;", "&"))).await;
            let picture = image::load_from_memory(&picture.bytes().await.unwrap()).unwrap();
            // a face of 213 × 216 mm
            assert_eq!((picture.width(), picture.height()), (720, 730), "{face}");
        }
    }
    for name in ["封面", "第 1 页", "第 2–3 页", "封底"] {
        assert_eq!(page.matches(&format!("<figcaption>{name}</figcaption>")).count(), 2, "{name}");
    }
    let names = between_all(&page, "<figcaption>", "</figcaption>");
    assert!(names.iter().any(|words| words.contains(" · 书脊 6.")), "how it is bound: {names:?}");
    let order = member.order(&format!("{one},{other}")).await;
    let again = member.page(&format!("/manager/order/{order}/reorder")).await;
    assert_eq!(again.matches("class=\"turning\"").count(), 2);
    assert!(again.contains(&format!("/manager/order/{order}/line/2/page/1/720")));
}
