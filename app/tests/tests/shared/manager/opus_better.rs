//! Photos that a book does not show yet: /manager/opus/{id}/page/{page}/filling fills a spread up with them, and
//! /manager/opus/{id}/page/{page}/better/{element} puts a better one of the same moment into a frame. And what the editor asks of
//! both.

use pictures::{encoded, scene};
use reqwest::StatusCode;
use serde_json::Value;

use support::editor::json_of;
use support::{Caller, Server, between_all, location, on_both_engines, wait};

on_both_engines!(
    a_spread_is_filled_with_unused_photos_of_its_day;
    on_sqlite:
    a_better_photo_of_the_moment_takes_the_frame,
);

/// A photo whose file's name tells its time.
fn taken(width: u32, height: u32, seed: u64) -> Vec<u8> {
    encoded(&scene(width, height, seed), image::ImageFormat::Jpeg)
}

/// Sends photos, and has them look and be sharp as said: a perceptual hash and a sharpness for each.
async fn uploaded(
    server: &Server,
    member: &Caller,
    photos: Vec<(&str, Vec<u8>)>,
    looks: &[(u64, u32)],
) -> Vec<String> {
    let ids = member.upload(photos).await;
    for (id, (hash, sharpness)) in ids.iter().zip(looks) {
        wait::eventually(server, &format!("select state from photos where id = '{id}'"), "ready").await;
        let set = format!("look = '{hash:016x}', sharpness = {sharpness}, faces = '[]', quality = null");
        server.sql(&format!("update photos set {set} where id = '{id}'")).await;
    }
    ids
}

async fn document(member: &Caller, work: &str) -> Value {
    let answer = member.get(&format!("/works/document?workID={work}")).await;
    json_of(answer).await["data"]["document"].clone()
}

/// The photos on a page (from 1) of a document.
fn photos_on(document: &Value, page: usize) -> Vec<String> {
    let elements = document["pages"][page - 1]["elements"].as_array().unwrap();
    elements.iter().filter_map(|it| it["photo"].as_str().map(str::to_owned)).collect()
}

async fn a_spread_is_filled_with_unused_photos_of_its_day(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let names: Vec<String> = (0..6).map(|n| format!("IMG_2026050{}_100000.jpg", n + 1)).collect();
    let sent = (0..6).map(|n| (&*names[n], taken(1600, 1200, n as u64))).collect();
    // no two look alike
    let looks: Vec<(u64, u32)> = (1..=6).map(|n| (0x1111_1111_1111_1111 * n, 50)).collect();
    let in_book = uploaded(&server, &member, sent, &looks).await;
    let work = member.album("square-210", "海边的夏天", &in_book).await;
    let before = document(&member, &work).await;
    let count = before["pages"].as_array().unwrap().len();
    let both =
        |document: &Value, left: usize| [photos_on(document, left), photos_on(document, left + 1)].concat();
    let left = (2..count).step_by(2).find(|left| both(&before, *left).len() == 1);
    let left = left.expect("a spread with a photo");
    let address = format!("/manager/opus/{work}/page/{left}");
    let page = member.page(&address).await;
    assert!(page.contains("补满这一跨页"), "{page}");

    // everything is in the book: that is said, and nothing is saved
    let refused = member.post(&format!("{address}/filling"), &[("revision", "1")]).await;
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text().await.unwrap().contains("素材里的照片都已经在书里了"));

    // one of the day of a photo there, a copy of that photo, and one of years ago
    let shown = both(&before, left);
    let day = in_book.iter().position(|id| *id == shown[0]).unwrap();
    let name = |hour: u32| format!("IMG_2026050{}_{hour}0000.jpg", day + 1);
    let (near, twin) = (name(11), name(12));
    let more = vec![
        (&*near, taken(1600, 1200, 20)),
        (&*twin, taken(1600, 1200, 21)),
        ("IMG_20190101_100000.jpg", taken(1600, 1200, 22)),
    ];
    let looks = [
        (0x00ff_00ff_f0f0_0f0f, 50),
        (0x1111_1111_1111_1111 * (day as u64 + 1), 90),
        (0x0f0f_3c3c_9696_5a5a, 50),
    ];
    let more = uploaded(&server, &member, more, &looks).await;
    let asked =
        format!("/works/filling?workID={work}&page={}", before["pages"][left - 1]["id"].as_str().unwrap());
    let found = json_of(member.get(&asked).await).await["data"]["data"].clone();
    let coming: Vec<&str> =
        found["photos"].as_array().unwrap().iter().map(|photo| photo["id"].as_str().unwrap()).collect();
    assert!(coming.contains(&&*more[0]) && !coming.contains(&&*more[1]), "no copy of what is there: {found}");

    let saved = member.post(&format!("{address}/filling"), &[("revision", "1")]).await;
    assert_eq!(location(&saved), format!("{address}?saved=filling"));
    assert!(member.page(&location(&saved)).await.contains("已补上没用过的照片"));
    let after = document(&member, &work).await;
    assert!(
        both(&before, left).iter().all(|id| both(&after, left).contains(id)),
        "what stood there stands there"
    );
    assert!(both(&after, left).contains(&more[0]) && !both(&after, left).contains(&more[1]));
    for page in (1..=count).filter(|page| ![left, left + 1].contains(page)) {
        assert_eq!(before["pages"][page - 1], after["pages"][page - 1], "page {page} is as it was");
    }
    // one save, one step back
    assert!(member.page(&format!("/manager/opus/{work}/revisions")).await.contains("第 2 版"));
    // the same form sent twice fills once
    let again = member.post(&format!("{address}/filling"), &[("revision", "1")]).await;
    assert_eq!(location(&again), format!("{address}?saved=filling"));
    assert!(!member.page(&format!("/manager/opus/{work}/revisions")).await.contains("第 3 版"));
    let cover = member.post(&format!("/manager/opus/{work}/page/cover/filling"), &[("revision", "2")]).await;
    assert_eq!(cover.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

async fn a_better_photo_of_the_moment_takes_the_frame(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let names: Vec<String> = (0..4).map(|n| format!("IMG_20260501_{}0000.jpg", n + 10)).collect();
    let sent = (0..4).map(|n| (&*names[n], taken(1200, 900, n as u64))).collect();
    let looks: Vec<(u64, u32)> = (1..=4).map(|n| (0x1111_1111_1111_1111 * n, 50)).collect();
    let in_book = uploaded(&server, &member, sent, &looks).await;
    let work = member.album("square-210", "海边的夏天", &in_book).await;
    let before = document(&member, &work).await;
    let (page, frame) = (1..)
        .find_map(|page| {
            let elements = before["pages"][page - 1]["elements"].as_array()?;
            Some((page, elements.iter().find(|it| it["kind"] == "photo")?.clone()))
        })
        .unwrap();
    let shown = in_book.iter().position(|id| frame["photo"] == **id).unwrap();
    let design = format!("/manager/opus/{work}/page/{page}");
    let address = format!("{design}/better/{}", frame["id"].as_str().unwrap());
    assert!(member.page(&design).await.contains(&format!("{address}\"")), "the page leads there");
    assert!(member.page(&address).await.contains("没有更好的"));

    // larger and sharper a second later, smaller a second later, larger on another day
    let name = |second: u32| format!("IMG_20260501_{}000{second}.jpg", shown + 10);
    let (sharp, small) = (name(1), name(2));
    let more = vec![
        (&*sharp, taken(1600, 1200, 20)),
        (&*small, taken(800, 600, 21)),
        ("IMG_20260601_100000.jpg", taken(1600, 1200, 22)),
    ];
    let hash = 0x1111_1111_1111_1111 * (shown as u64 + 1);
    let more =
        uploaded(&server, &member, more, &[(hash ^ 3, 90), (hash, 60), (0x00ff_00ff_f0f0_0f0f, 90)]).await;
    let html = member.page(&address).await;
    assert_eq!(between_all(&html, "name=\"photo\" value=\"", "\""), [more[0].clone()]);
    assert!(html.contains("<small>更清晰、像素更多</small>"), "{html}");
    let page_id = before["pages"][page - 1]["id"].as_str().unwrap();
    let asked =
        format!("/works/better?workID={work}&page={page_id}&element={}", frame["id"].as_str().unwrap());
    let found = json_of(member.get(&asked).await).await["data"]["data"].clone();
    assert_eq!(
        (found["photos"].as_array().unwrap().len(), found["reason"].as_str()),
        (1, Some("")),
        "{found}"
    );
    assert_eq!(found["photos"][0]["photo"]["id"], *more[0]);

    for wrong in [&*more[1], &*in_book[shown], "nonsense", ""] {
        let refused = member.post(&address, &[("revision", "1"), ("photo", wrong)]).await;
        assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        assert!(refused.text().await.unwrap().contains("请从列出的照片里选一张"), "{wrong}");
    }
    let saved = member.post(&address, &[("revision", "1"), ("photo", &more[0])]).await;
    assert_eq!(location(&saved), format!("{design}?saved=better"));
    assert!(member.page(&location(&saved)).await.contains("照片已换好，相框没有动"));
    let after = document(&member, &work).await;
    let elements = after["pages"][page - 1]["elements"].as_array().unwrap();
    let now = elements.iter().find(|it| it["id"] == frame["id"]).unwrap();
    assert_eq!((&now["photo"], &now["frame"]), (&Value::from(&*more[0]), &frame["frame"]));
    let other = server.member("other@example.com", "0").await;
    assert_eq!(other.get(&address).await.status(), StatusCode::NOT_FOUND);
}
