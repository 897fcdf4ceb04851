//! /g/{code}/uploads: a guest's photos in pieces, over lines that break, with small copies ahead.

use futures::future::join_all;
use image::ImageFormat;
use reqwest::StatusCode;

use support::collections::{collection, guest, own_photos, waiting, words};
use support::uploads::{
    ahead_at, assert_kept, begin_at, create_at, header, metadata, patch, position, reason, sha256, tus,
};
use support::{Caller, Server, encoded, jpeg, location, on_both_engines, quarters};

on_both_engines!(
    sixteen_begun_at_once_take_the_last_place_once,
    what_is_on_its_way_takes_its_owners_room;
    on_sqlite:
    a_cut_upload_goes_on_and_is_one_photo,
    two_guests_cannot_touch_each_others_upload,
    a_collection_that_ends_refuses_what_is_on_its_way,
    what_is_no_photo_is_refused_with_its_last_byte,
    a_small_copy_stands_until_its_original_comes,
);

/// What the server says of files before they are sent.
async fn asked(guest: &Caller, place: &str, files: &[&[u8]]) -> serde_json::Value {
    let digests: Vec<String> = files.iter().map(|file| sha256(file)).collect();
    let fields: Vec<(&str, &str)> = digests.iter().map(|digest| ("sha256", digest.as_str())).collect();
    let answer = guest.post(&format!("{place}/known"), &fields).await;
    assert_eq!(answer.status(), StatusCode::OK);
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

fn original(seed: u8) -> Vec<u8> {
    jpeg(1600, 1200, seed)
}

fn copy(seed: u8) -> Vec<u8> {
    encoded(&quarters(640, 480, seed.wrapping_mul(16)), ImageFormat::WebP)
}

/// Sends a small copy ahead and answers the photo's id.
async fn ahead(guest: &Caller, place: &str, original: &[u8], preview: Vec<u8>) -> String {
    let answer = ahead_at(guest, place, original, preview).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let answer: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    answer["photo"].as_str().unwrap().to_owned()
}

async fn a_cut_upload_goes_on_and_is_one_photo(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let place = format!("{address}/uploads");
    let guest = guest(&server, &address).await;
    location(&guest.post_multipart(&address, words("表姐", "", Vec::new())).await);
    let photo = original(1);
    let half = photo.len() / 2;
    assert_eq!(asked(&guest, &place, &[&photo]).await["known"], serde_json::json!({}));
    let upload = begin_at(&guest, &place, "切蛋糕.jpg", &photo).await;
    assert!(upload.starts_with(&format!("{place}/")), "{upload}");
    assert_eq!(patch(&guest, &upload, 0, &photo[..half]).await.status(), StatusCode::NO_CONTENT);
    // the page was closed and opened again: it says what waits, and the same bytes go on where they were
    let page = guest.page(&address).await;
    assert!(page.contains("有 1 张还没有发完：切蛋糕.jpg"), "{page}");
    assert_eq!(asked(&guest, &place, &[&photo]).await["open"], serde_json::json!([sha256(&photo)]));
    assert_eq!(position(&guest, &upload).await, half);
    let done = patch(&guest, &upload, half, &photo[half..]).await;
    assert_eq!(done.status(), StatusCode::NO_CONTENT);
    let id = header(&done, "upload-photo");
    assert_kept(&server, &photo);
    assert_eq!(waiting(&owner, &own).await, [&*id]);
    // whoever missed the answer asks again; the same by the form is the same
    assert_eq!(header(&tus(&guest, "HEAD", &upload, &[], b"").await, "upload-photo"), id);
    let answer = guest.post_multipart(&address, words("表姐", "", vec![("x.jpg", photo.clone())])).await;
    assert_eq!(location(&answer), format!("{address}?sent=0#sent"));
    assert_eq!(asked(&guest, &place, &[&photo]).await["known"], serde_json::json!({ sha256(&photo): id }));
    let page = owner.page(&own).await;
    assert!(page.contains("表姐") && page.contains("1 位来宾发来 1 张"), "{page}");
    // it is none of its owner's uploads
    assert!(!owner.page("/manager/photos").await.contains("还没有传完"));
}

async fn two_guests_cannot_touch_each_others_upload(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (_, address) = collection(&owner, &[]).await;
    let (_, elsewhere) = collection(&owner, &[]).await;
    let place = format!("{address}/uploads");
    let (one, other) = (guest(&server, &address).await, guest(&server, &address).await);
    let photo = jpeg(300, 200, 1);
    let upload = begin_at(&one, &place, "一.jpg", &photo).await;
    begin_at(&other, &place, "一.jpg", &photo).await;
    let id = upload.rsplit('/').next().unwrap();
    let (moved, owners) = (format!("{elsewhere}/uploads/{id}"), format!("/manager/uploads/{id}"));
    let strangers = [
        (&other, &upload),
        (&one, &moved),
        (&owner, &owners),
        (&owner, &upload),
        (&server.visitor(), &upload),
    ];
    for (stranger, path) in strangers {
        assert_eq!(tus(stranger, "HEAD", path, &[], b"").await.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(patch(stranger, path, 0, &photo).await.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(tus(stranger, "DELETE", path, &[], b"").await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(patch(&one, &upload, 0, &photo).await.status(), StatusCode::NO_CONTENT);
    assert!(own_photos(&other, &address).await.is_empty());
    assert_eq!(asked(&other, &place, &[&photo]).await["known"], serde_json::json!({}));
    // who keeps no cookies, and who names no digest
    let name = metadata("一.jpg", Some(&sha256(&photo)));
    assert_eq!(create_at(&server.visitor(), &place, 100, &name).await.status(), StatusCode::FORBIDDEN);
    assert_eq!(create_at(&one, &place, 100, "").await.status(), StatusCode::BAD_REQUEST);
}

async fn sixteen_begun_at_once_take_the_last_place_once(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[("most_each", "3")]).await;
    let place = format!("{address}/uploads");
    let guest = guest(&server, &address).await;
    location(&guest.post_multipart(&address, words("小明", "", vec![("1.jpg", jpeg(300, 200, 1))])).await);
    // a small copy has a place, and its upload the same one
    ahead(&guest, &place, &original(2), copy(2)).await;
    let second = begin_at(&guest, &place, "2.jpg", &original(2)).await;
    let photos: Vec<Vec<u8>> = (0..16).map(|number| jpeg(320 + 8 * number, 200, 3)).collect();
    let names: Vec<String> = photos.iter().map(|photo| metadata("x.jpg", Some(&sha256(photo)))).collect();
    let all = photos.iter().zip(&names).map(|(photo, name)| create_at(&guest, &place, photo.len(), name));
    let answers = join_all(all).await;
    let made: Vec<usize> = (0..16).filter(|at| answers[*at].status() == StatusCode::CREATED).collect();
    assert_eq!(made.len(), 1, "{answers:?}");
    let refused = answers.iter().filter(|answer| answer.status() == StatusCode::UNPROCESSABLE_ENTITY).count();
    assert_eq!(refused, 15);
    let third = header(&answers[made[0]], "location");
    // nor is there a place by the form
    let answer = guest.post_multipart(&address, words("小明", "", vec![("y.jpg", jpeg(300, 200, 9))])).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    // those that have one take it
    assert_eq!(patch(&guest, &second, 0, &original(2)).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(patch(&guest, &third, 0, &photos[made[0]]).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(waiting(&owner, &own).await.len(), 3);
    // one that is given up gives its place back
    let last = own_photos(&guest, &address).await.remove(0);
    location(&guest.post(&format!("{address}/sent"), &[("back", &last)]).await);
    let fresh = jpeg(300, 200, 9);
    let upload = begin_at(&guest, &place, "y.jpg", &fresh).await;
    assert_eq!(tus(&guest, "DELETE", &upload, &[], b"").await.status(), StatusCode::NO_CONTENT);
    begin_at(&guest, &place, "y.jpg", &fresh).await;
    // and so does one that its browser has forgotten
    begin_at(&guest, &place, "y.jpg", &fresh).await;
}

async fn what_is_on_its_way_takes_its_owners_room(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (_, address) = collection(&owner, &[]).await;
    let place = format!("{address}/uploads");
    let guest = guest(&server, &address).await;
    let photo = jpeg(300, 200, 1);
    let upload = begin_at(&guest, &place, "一.jpg", &photo).await;
    let id = upload.rsplit('/').next().unwrap();
    let rest = (5_u64 << 30) - 1000;
    server.sql(&format!("update uploads set length = {rest} where id = '{id}'")).await;
    // neither another guest's nor its owner's has room
    let name = metadata("二.jpg", Some(&sha256(b"another")));
    let answer = create_at(&guest, &place, 1001, &name).await;
    assert_eq!(answer.status(), StatusCode::INSUFFICIENT_STORAGE);
    let told: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    assert!(told["msg"].as_str().unwrap().contains("空间满了") && told["data"]["ends"] == "this", "{told}");
    let answer = create_at(&owner, "/manager/uploads", 1001, &metadata("三.jpg", None)).await;
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    let full = ahead_at(&guest, &place, &original(2), copy(2)).await;
    assert_eq!(full.status(), StatusCode::INSUFFICIENT_STORAGE);
    assert_eq!(create_at(&guest, &place, 1000, &name).await.status(), StatusCode::CREATED);
    // room that was set apart is there when the file is
    server.sql(&format!("update uploads set length = {} where id = '{id}'", photo.len())).await;
    let other = format!(
        "update uploads set length = {} where id <> '{id}' and member_id in {}",
        5_u64 << 30,
        server.members()
    );
    server.sql(&other).await;
    assert_eq!(patch(&guest, &upload, 0, &photo).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(own_photos(&guest, &address).await.len(), 1);
}

async fn a_collection_that_ends_refuses_what_is_on_its_way(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let place = format!("{address}/uploads");
    let guest = guest(&server, &address).await;
    let photo = original(1);
    let half = photo.len() / 2;
    let open = format!(
        "select cast(count(*) as text) from uploads where state = 'open' and member_id in {}",
        server.members()
    );
    for (end, sentence) in [(true, "已经停止收照片了"), (false, "最后一天已经过了")] {
        let upload = begin_at(&guest, &place, "一.jpg", &photo).await;
        patch(&guest, &upload, 0, &photo[..half]).await;
        let id = own.rsplit_once('/').unwrap().1;
        if end {
            location(&owner.post(&format!("{own}/end"), &[]).await);
            assert_eq!(server.read(&open).await, "0", "its room is its owner's again");
        } else {
            server.sql(&format!("update guest_collections set until = 1 where id = '{id}'")).await;
        }
        assert_eq!(tus(&guest, "HEAD", &upload, &[], b"").await.status(), StatusCode::GONE);
        let answer = patch(&guest, &upload, half, &photo[half..]).await;
        assert_eq!(answer.status(), StatusCode::GONE);
        assert!(reason(answer).await.contains(sentence));
        assert_eq!(server.read(&open).await, "0", "what had come goes");
        let name = metadata("一.jpg", Some(&sha256(&photo)));
        assert_eq!(create_at(&guest, &place, photo.len(), &name).await.status(), StatusCode::GONE);
        assert_eq!(ahead_at(&guest, &place, &photo, copy(1)).await.status(), StatusCode::GONE);
        assert_eq!(guest.post(&format!("{place}/known"), &[]).await.status(), StatusCode::GONE);
        if end {
            location(&owner.post(&format!("{own}/opening"), &[]).await);
        } else {
            server
                .sql(&format!("update guest_collections set until = 4000000000000 where id = '{id}'"))
                .await;
        }
    }
    assert!(own_photos(&guest, &address).await.is_empty());
    let upload = begin_at(&guest, &place, "一.jpg", &photo).await;
    ahead(&guest, &place, &original(2), copy(2)).await;
    location(&owner.post(&format!("{own}/deletion"), &[]).await);
    let answer = patch(&guest, &upload, 0, &photo).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert!(reason(answer).await.contains("这个地址不对，或者已经撤掉了"));
    assert_eq!(server.read(&open).await, "0");
}

/// A JPEG that says it has more pixels than anybody would decode.
fn bomb() -> Vec<u8> {
    let mut photo = jpeg(640, 480, 7);
    let frame = photo.windows(2).position(|mark| mark == [0xff, 0xc0] || mark == [0xff, 0xc2]).unwrap();
    photo[frame + 5..frame + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    photo
}

async fn what_is_no_photo_is_refused_with_its_last_byte(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[("most_each", "1")]).await;
    let place = format!("{address}/uploads");
    let guest = guest(&server, &address).await;
    let whole = original(1);
    let cut = whole[..whole.len() / 2].to_vec();
    // what it begins with is a photo, of which a small copy stands
    ahead(&guest, &place, &cut, copy(1)).await;
    assert_eq!(waiting(&owner, &own).await.len(), 1);
    for bytes in [cut, bomb(), b"<script>alert(1)</script>".to_vec()] {
        let upload = begin_at(&guest, &place, "半张.jpg", &bytes).await;
        let middle = bytes.len() - 1;
        let first = patch(&guest, &upload, 0, &bytes[..middle]).await;
        let last = match first.status() {
            StatusCode::NO_CONTENT => patch(&guest, &upload, middle, &bytes[middle..]).await,
            _ => first,
        };
        assert_eq!(last.status(), StatusCode::UNPROCESSABLE_ENTITY);
        assert!(!reason(last).await.is_empty());
        assert_eq!(tus(&guest, "HEAD", &upload, &[], b"").await.status(), StatusCode::NOT_FOUND);
        assert!(waiting(&owner, &own).await.is_empty(), "nor does its small copy stay");
    }
    // its place is free
    let upload = begin_at(&guest, &place, "好的.jpg", &whole).await;
    assert_eq!(patch(&guest, &upload, 0, &whole).await.status(), StatusCode::NO_CONTENT);
}

async fn a_small_copy_stands_until_its_original_comes(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let place = format!("{address}/uploads");
    let (one, other) = (guest(&server, &address).await, guest(&server, &address).await);
    let id = ahead(&one, &place, &original(1), copy(1)).await;
    assert_eq!(ahead(&one, &place, &original(1), copy(1)).await, id, "the same again is the same photo");
    let second = ahead(&one, &place, &original(2), copy(2)).await;
    assert_ne!(ahead(&other, &place, &original(1), copy(3)).await, id, "another guest's is another one");
    // its guest and its owner see it, with what is to come; a caption can be written
    assert!(one.page(&address).await.contains("原图还在路上"));
    location(&one.post(&format!("{address}/sent"), &[(&*format!("caption-{id}"), "切蛋糕")]).await);
    let small = one.get(&format!("{address}/photo/{id}")).await;
    assert_eq!(header(&small, "cache-control"), "private, no-store");
    let page = owner.page(&own).await;
    assert!(page.matches("原图还在路上").count() == 3 && page.contains("切蛋糕"), "{page}");
    assert_eq!(owner.get(&format!("{own}/photo/{id}/1280")).await.status(), StatusCode::OK);
    // there is nothing to accept yet, which is said; what is not wanted may be put aside
    let answer = owner.post(&own, &[("accept", &id)]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("原图还在路上，到了才能收下"));
    location(&owner.post(&own, &[("hide", &second)]).await);
    let accepted = location(&owner.post(&own, &[("act", "accept_all")]).await);
    assert_eq!(accepted, format!("{own}?accepted=0&coming=2"));
    assert!(owner.library().await.is_empty());
    // the original comes: it is the same photo
    let upload = begin_at(&one, &place, "海边.jpg", &original(1)).await;
    let done = patch(&one, &upload, 0, &original(1)).await;
    assert_eq!(header(&done, "upload-photo"), id);
    let small = one.get(&format!("{address}/photo/{id}")).await;
    assert!(header(&small, "cache-control").contains("immutable"));
    assert_eq!(
        location(&owner.post(&own, &[("act", "accept_all")]).await),
        format!("{own}?accepted=1&coming=1")
    );
    assert_eq!(owner.library().await.len(), 1);
    // one that was put aside stays there with its original, which may come by the form
    let answer = one.post_multipart(&address, words("表姐", "", vec![("二.jpg", original(2))])).await;
    assert_eq!(location(&answer), format!("{address}?sent=1#sent"));
    assert_eq!(waiting(&owner, &own).await.len(), 1);
    assert!(owner.page(&format!("{own}?show=hidden")).await.contains(&second));
    // one that is taken back ends its upload
    let begun = begin_at(&other, &place, "海边.jpg", &original(1)).await;
    let [photo] = own_photos(&other, &address).await.try_into().unwrap();
    location(&other.post(&format!("{address}/sent"), &[("back", &photo)]).await);
    assert_eq!(tus(&other, "HEAD", &begun, &[], b"").await.status(), StatusCode::NOT_FOUND);
}
