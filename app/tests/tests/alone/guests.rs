//! /g/{code}/uploads when nobody goes on with it, and when a server fails in the middle.

use image::ImageFormat;
use reqwest::StatusCode;

use support::collections::{collection, guest, own_photos, waiting};
use support::uploads::{ahead_at, assert_kept, begin_at, patch, storage};
use support::wait::{carried_out, until};
use support::{Server, encoded, jpeg, names_in, on_both_engines, quarters};

on_both_engines!(
    ; on_sqlite:
    a_whole_upload_of_a_guest_is_taken_though_the_server_failed_then,
    a_small_copy_whose_original_never_comes_goes_after_a_week,
);

async fn a_whole_upload_of_a_guest_is_taken_though_the_server_failed_then(server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let place = format!("{address}/uploads");
    let guest = guest(&server, &address).await;
    // originals can't be kept for a while
    let originals = storage(&server).join("originals");
    std::fs::write(&originals, b"in the way").unwrap();
    let photo = jpeg(300, 200, 1);
    let upload = begin_at(&guest, &place, "一.jpg", &photo).await;
    assert_eq!(patch(&guest, &upload, 0, &photo).await.status(), StatusCode::INTERNAL_SERVER_ERROR);
    assert!(waiting(&owner, &own).await.is_empty());
    std::fs::remove_file(&originals).unwrap();
    carried_out(&server, &["take_guest_upload"]).await;
    assert_eq!(waiting(&owner, &own).await.len(), 1);
    assert_kept(&server, &photo);
}

async fn a_small_copy_whose_original_never_comes_goes_after_a_week(mut server: Server) {
    let owner = server.member("maker@example.com", "0").await;
    let (own, address) = collection(&owner, &[]).await;
    let place = format!("{address}/uploads");
    let guest = guest(&server, &address).await;
    for seed in [1, 2] {
        let copy = encoded(&quarters(640, 480, seed * 16), ImageFormat::WebP);
        let answer = ahead_at(&guest, &place, &jpeg(1600, 1200, seed), copy).await;
        assert_eq!(answer.status(), StatusCode::OK);
    }
    let begun = begin_at(&guest, &place, "一.jpg", &jpeg(1600, 1200, 1)).await;
    let [young, old] = own_photos(&guest, &address).await.try_into().unwrap();
    // a minute from a week, on either side of it
    for (id, age) in [(&young, 604_740_000), (&old, 604_860_000)] {
        let older = format!("update guest_photos set created_at = created_at - {age} where id = '{id}'");
        server.sql(&older).await;
    }
    // once an hour, and at the start
    server.kill();
    server.restart();
    let (guest, owner) = (guest.at(&server.base), owner.at(&server.base));
    until("one is left", async || own_photos(&guest, &address).await == [&*young]).await;
    assert_eq!(patch(&guest, &begun, 0, b"x").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(waiting(&owner, &own).await, [young]);
    carried_out(&server, &["forget_preview"]).await;
    let previews = storage(&server).join("previews");
    let copies: usize = names_in(&previews).iter().map(|shelf| names_in(&previews.join(shelf)).len()).sum();
    assert_eq!(copies, 1);
}
