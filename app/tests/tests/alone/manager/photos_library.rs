//! /manager/photos as a library, /manager/photo/{id} and /manager/photos/removal.

use std::path::PathBuf;

use reqwest::StatusCode;
use sha2::{Digest, Sha256};

use support::library::remove;
use support::wait::carried_out;
use support::{Server, between, jpeg, location, on_both_engines};

on_both_engines!(
    a_photo_that_comes_into_use_meanwhile_is_back;
    on_sqlite:
    what_others_have_too_stays_theirs,
    a_damaged_photo_is_named_and_never_ordered,
    a_removed_photo_is_gone_a_day_later,
);

fn original(server: &Server, bytes: &[u8]) -> PathBuf {
    let sha256 = hex::encode(Sha256::digest(bytes));
    server.folder.path().join("storage/originals").join(&sha256[..2]).join(sha256)
}

/// A day goes by, and the jobs for then are carried out, with those that they leave for the files.
async fn a_day_later(server: &Server) {
    server.sql("update photos set removed_at = removed_at - 90000000").await;
    carried_out(server, &["forget_photo", "forget_original"]).await;
}

async fn a_removed_photo_is_gone_a_day_later(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photo = jpeg(300, 200, 1);
    let id = member.upload(vec![("一.jpg", photo.clone())]).await.remove(0);
    assert_eq!(member.get(&format!("/manager/photo/{id}/320")).await.status(), StatusCode::OK);
    assert_eq!(location(&remove(&member, &[&id]).await), "/manager/photos?removed=1");
    assert!(member.page("/manager/photos?removed=1").await.contains("已删除 1 张照片。"));
    assert!(member.library().await.is_empty());
    assert!(!member.page("/manager/make_ebook").await.contains(&id));
    // the same bytes again are the same photo, back again
    assert_eq!(member.upload(vec![("一.jpg", photo.clone())]).await, [&*id]);
    a_day_later(&server).await;
    assert_eq!(member.library().await, [&*id]);

    remove(&member, &[&id]).await;
    assert!(original(&server, &photo).exists());
    a_day_later(&server).await;
    assert!(!original(&server, &photo).exists());
    assert_eq!(member.get(&format!("/manager/photo/{id}/320")).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(member.get(&format!("/manager/photo/{id}")).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(between(&member.page("/manager/photos").await, "共 <span class=\"num\">", "<"), "0");
}

async fn what_others_have_too_stays_theirs(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    let photo = jpeg(300, 200, 1);
    let mine = member.upload(vec![("一.jpg", photo.clone())]).await.remove(0);
    let theirs = other.upload(vec![("一.jpg", photo.clone())]).await.remove(0);
    remove(&member, &[&mine]).await;
    a_day_later(&server).await;
    assert_eq!(member.get(&format!("/manager/photo/{mine}")).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(other.get(&format!("/manager/photo/{theirs}/320")).await.status(), StatusCode::OK);
    assert_eq!(std::fs::read(original(&server, &photo)).unwrap(), photo);
}

async fn a_photo_that_comes_into_use_meanwhile_is_back(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photo = jpeg(300, 200, 1);
    let ids = member.upload(vec![("一.jpg", photo.clone())]).await;
    remove(&member, &ids.iter().map(String::as_str).collect::<Vec<_>>()).await;
    // a form that was open before
    member.album("square-210", "后来的书", &ids).await;
    a_day_later(&server).await;
    assert_eq!(member.library().await, ids);
    assert!(original(&server, &photo).exists());
}

async fn a_damaged_photo_is_named_and_never_ordered(server: Server) {
    let member = server.member("maker@example.com", "500").await;
    let photos: Vec<_> = (0..6).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect();
    let broken = photos[3].1.clone();
    let photos = member.upload(photos).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    let line = member.add_to_cart(&work, "album-210").await;
    let form = member.order_form(&line).await;
    // the disk loses half of an original that nobody has looked at yet
    std::fs::write(original(&server, &broken), &broken[..broken.len() / 2]).unwrap();
    let sha256 = hex::encode(Sha256::digest(&broken));
    server
        .sql(&format!(
            "update photos set state = 'pending', file_name = '坏了.jpg' where sha256 = '{sha256}'"
        ))
        .await;
    let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (&**name, &**value)).collect();
    let answer = member.post(&format!("/manager/shopping/order/{line}"), &form).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("照片已损坏，请换掉：坏了.jpg"));
    assert!(member.page("/manager/shopping/cart").await.contains("照片已损坏，请换掉：坏了.jpg"));
    assert!(member.page(&format!("/manager/opus/{work}")).await.contains("照片的文件已损坏，不能印刷"));
}
