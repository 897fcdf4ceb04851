//! /manager/uploads/preview: a small copy stands for a photo whose original is on its way.

use image::ImageFormat;
use reqwest::multipart::{Form, Part};
use reqwest::{Response, StatusCode};

use support::documents;
use support::uploads::{ahead_at, begin, header, patch, sha256};
use support::wait::carried_out;
use support::{Caller, Engine, PASSWORD, Server, between, encoded, jpeg, on_both_engines, quarters};

on_both_engines!(
    ; on_sqlite:
    what_is_no_copy_of_the_original_is_refused,
    a_backup_holds_it,
    pages_are_laid_out_with_it_and_printed_with_the_original,
    naming_somebody_elses_photo_shows_and_prints_nothing_of_it,
);

/// The original of these tests: 1600 × 1200 pixels.
fn original(seed: u8) -> Vec<u8> {
    jpeg(1600, 1200, seed)
}

fn copy(seed: u8) -> Vec<u8> {
    encoded(&quarters(640, 480, seed.wrapping_mul(16)), ImageFormat::WebP)
}

async fn sent(caller: &Caller, original: &[u8], preview: Vec<u8>) -> Response {
    ahead_at(caller, "/manager/uploads", original, preview).await
}

async fn body(answer: Response) -> serde_json::Value {
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

/// Sends a small copy ahead and answers the photo's id.
async fn ahead(caller: &Caller, original: &[u8], preview: Vec<u8>) -> String {
    let answer = sent(caller, original, preview).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let answer = body(answer).await;
    answer["photo"].as_str().unwrap().to_owned()
}

async fn picture(caller: &Caller, path: &str) -> (String, image::RgbImage) {
    let answer = caller.get(path).await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    let keeping = header(&answer, "cache-control");
    (keeping, image::load_from_memory(&answer.bytes().await.unwrap()).unwrap().into_rgb8())
}

async fn pages_are_laid_out_with_it_and_printed_with_the_original(server: Server) {
    let member = server.member("maker@example.com", "500").await;
    let photo = ahead(&member, &original(1), copy(1)).await;
    assert_eq!(ahead(&member, &original(1), copy(1)).await, photo, "the same again is the same photo");
    let library = member.page("/manager/photos").await;
    assert!(library.contains("原图未到") && library.contains("海边.jpg"));
    assert!(member.page(&format!("/manager/photo/{photo}")).await.contains("1600 × 1200"));
    let (keeping, small) = picture(&member, &format!("/manager/photo/{photo}/1280")).await;
    assert_eq!((keeping.as_str(), small.dimensions()), ("private, no-store", (640, 480)));

    let known = member.post("/manager/uploads/known", &[("sha256", &sha256(&original(1)))]).await;
    let known = body(known).await;
    assert_eq!(
        (&known["known"], &known["coming"][sha256(&original(1))]),
        (&serde_json::json!({}), &photo.clone().into())
    );

    let mut photos = member.upload((2..8).map(|n| ("照片.jpg", jpeg(800, 600, n))).collect()).await;
    photos.push(photo.clone());
    let work = member.album("square-210", "海边的夏天", &photos).await;
    // one of the pages shows it
    let mut page = None;
    for number in 1..=16 {
        let address = format!("/manager/opus/{work}/page/{number}/320");
        if picture(&member, &address).await.0 == "private, no-store" {
            page = Some(address);
        }
    }
    let page = page.expect("a picture with the small copy is kept by nobody");
    let line = member.add_to_cart(&work, "album-210").await;
    let refused = member.page("/manager/shopping/cart").await;
    assert!(refused.contains("缺少原图") && refused.contains("海边.jpg"), "the cart names it");
    let export = format!("/manager/opus/{work}/export");
    assert_eq!(member.get(&export).await.status(), StatusCode::CONFLICT);

    // what is promised takes no room before it comes: the quota is nearly full
    let nearly = 5 * (1_u64 << 30) - original(1).len() as u64 - 500_000;
    let first = "id = (select min(id) from photos where preview is null)";
    server.sql(&format!("update photos set bytes = {nearly} where {first}")).await;
    server.sql("update photos set bytes = 1000000 where preview is not null").await;
    let whole = original(1);
    let upload = begin(&member, "海边.jpg", &whole).await;
    // its small copy, sent once more after a reload, needs no room beside it
    server.sql(&format!("update photos set bytes = {} where {first}", 5_u64 << 30)).await;
    assert_eq!(ahead(&member, &original(1), copy(1)).await, photo);
    server.sql(&format!("update photos set bytes = {nearly} where {first}")).await;
    let taken = patch(&member, &upload, 0, &whole).await;
    assert_eq!(header(&taken, "upload-photo"), photo, "it stays the photo it was");
    assert!(!member.page("/manager/photos").await.contains("原图未到"));
    let (lasting, large) = picture(&member, &format!("/manager/photo/{photo}/1280")).await;
    assert_eq!((lasting.as_str(), large.dimensions()), ("private, max-age=31536000, immutable", (1280, 960)));
    assert!(picture(&member, &page).await.0.contains("immutable"));
    assert!(!member.page("/manager/shopping/cart").await.contains("缺少原图"));
    member.order(&line).await;
    assert_eq!(member.get(&export).await.status(), StatusCode::OK);
    // a backup that was begun before finds the small copy for a day
    let copies = || {
        let shelves = std::fs::read_dir(server.folder.path().join("storage/previews")).unwrap();
        shelves.flat_map(|shelf| std::fs::read_dir(shelf.unwrap().path()).unwrap()).count()
    };
    assert_eq!(copies(), 1);
    carried_out(&server, &["forget_preview"]).await;
    assert_eq!(copies(), 0);
}

async fn naming_somebody_elses_photo_shows_and_prints_nothing_of_it(server: Server) {
    let owner = server.member("owner@example.com", "500").await;
    owner.upload(vec![("私人.jpg", original(3))]).await;
    let other = server.member("other@example.com", "500").await;
    // who saw the photo's digest and its first bytes somewhere
    let photo = ahead(&other, &original(3), copy(9)).await;
    let seen = picture(&other, &format!("/manager/photo/{photo}/2048")).await.1;
    assert_eq!(seen.dimensions(), (640, 480), "their own small copy");
    let photos = other.upload((4..9).map(|n| ("照片.jpg", jpeg(800, 600, n))).collect()).await;
    let work = other.album("square-210", "别人的照片", &photos).await;
    assert!(photos.contains(&photo));
    assert_eq!(other.get(&format!("/manager/opus/{work}/export")).await.status(), StatusCode::CONFLICT);
    let (_, owners) = picture(&owner, &format!("/manager/photo/{}/2048", owner.library().await[0])).await;
    assert_eq!(owners.dimensions(), (1600, 1200), "the owner's picture is as it was");
    // nor is it set into a text
    let pictures = format!("{{\"photos\":{{\"a.jpg\":\"{photo}\"}}}}");
    let text = [
        ("title", "别人的照片"),
        ("text", "一段。\n\n![](a.jpg)\n"),
        ("markup", "markdown"),
        ("pictures", &*pictures),
    ];
    let book = documents::made(&other, &text, None).await;
    assert_eq!(documents::inner_pictures(&other, &book).await, 0);

    // taking it away leaves the owner's original
    let alone = ahead(&other, &original(10), copy(10)).await;
    let file = |bytes: &[u8]| {
        let sha256 = sha256(bytes);
        server.folder.path().join("storage/originals").join(&sha256[..2]).join(sha256)
    };
    owner.upload(vec![("又一张.jpg", original(10))]).await;
    other.post("/manager/photos/removal", &[("photo", &alone)]).await;
    server.sql("update photos set removed_at = 1 where removed_at is not null").await;
    carried_out(&server, &["forget_photo", "forget_original"]).await;
    assert!(server.column("select id from photos where removed_at is not null").await.is_empty());
    assert_eq!(other.get(&format!("/manager/photo/{alone}/320")).await.status(), StatusCode::NOT_FOUND);
    assert!(file(&original(3)).exists() && file(&original(10)).exists());
}

async fn what_is_no_copy_of_the_original_is_refused(server: Server) {
    let member = server.member("maker@example.com", "500").await;
    let photo = original(1);
    let tall = encoded(&quarters(480, 640, 1), ImageFormat::WebP);
    let large = encoded(&quarters(2400, 1800, 1), ImageFormat::Jpeg);
    let cases: [(&[u8], Vec<u8>); 4] = [
        (&photo, tall),
        (&photo, large),
        (&photo, b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()),
        (b"<html>", copy(1)),
    ];
    for (original, preview) in cases {
        let answer = sent(&member, original, preview).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let refusal = body(answer).await;
        assert!(!refusal["msg"].as_str().unwrap().is_empty());
    }
    let many = sent(&member, &photo, vec![0; 12 << 20]).await;
    assert_eq!(many.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(member.library().await, Vec::<String>::new());
    // no more room than for originals
    server.sql("update members set tier = '普通会员'").await;
    let form = Form::new()
        .text("sha256", sha256(&photo))
        .text("length", (u64::MAX / 4).to_string())
        .part("head", Part::bytes(photo.clone()).file_name("blob"))
        .part("preview", Part::bytes(copy(1)).file_name("blob"));
    let answer = member.post_multipart("/manager/uploads/preview", form).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

async fn a_backup_holds_it(server: Server) {
    let member = server.member("maker@example.com", "500").await;
    let photo = ahead(&member, &original(1), copy(1)).await;
    let backup = server.folder.path().join("backup");
    assert!(server.run(&["backup", backup.to_str().unwrap()]).status.success());
    let other = Server::start(Engine::Sqlite).await.unwrap();
    assert!(other.run(&["restore", backup.to_str().unwrap()]).status.success());
    let after = other.visitor();
    after.sign_in("maker@example.com", PASSWORD).await;
    let (_, small) = picture(&after, &format!("/manager/photo/{photo}/320")).await;
    assert_eq!(small.dimensions(), (640, 480));
    assert_eq!(between(&after.page("/manager/photos").await, "<span class=\"badge bad\">", "<"), "原图未到");
}
