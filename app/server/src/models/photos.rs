//! Which files the daily sweep takes.

use std::time::{Duration, SystemTime};

use base::jobs::Job;
use base::storage::{Storage, derivative_key, original_key};
use sha2::{Digest, Sha256};
use web::files::{ForgetOriginal, sweep};

use crate::testing::{self, Engine};
use photos::{keep_jpeg, make_derivatives};

fn age(storage: &Storage, key: &object_store::path::Path) {
    let file = std::fs::File::open(storage.place(key)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nothing_is_called_by_goes_and_everything_else_stays() {
    let (app, _folder) = testing::app(Engine::Sqlite).await.unwrap();
    let member = testing::member(&app).await;
    let mut jpeg = Vec::new();
    jpeg_encoder::Encoder::new(&mut jpeg, 90)
        .encode(&[120; 64 * 48 * 3], 64, 48, jpeg_encoder::ColorType::Rgb)
        .unwrap();
    let shown = hex::encode(Sha256::digest(&jpeg));
    let photo = keep_jpeg(&app, &member, "照片.jpg", jpeg, 64, 48, 0).await.unwrap();
    make_derivatives(&app, &photo).await.unwrap();
    let [old, young, lone] = ["old", "young", "lone"].map(|name| hex::encode(Sha256::digest(name)));
    for sha256 in [&old, &young] {
        app.storage.put(&original_key(sha256), b"bytes".to_vec()).await.unwrap();
    }
    for sha256 in [&old, &lone] {
        app.storage.put(&derivative_key(sha256, 320), b"bytes".to_vec()).await.unwrap();
        age(&app.storage, &derivative_key(sha256, 320));
    }
    age(&app.storage, &original_key(&shown));
    age(&app.storage, &derivative_key(&shown, 320));
    age(&app.storage, &original_key(&old));
    assert_eq!(sweep(&app).await.unwrap(), 2, "the old one, and the picture whose original is gone");
    for sha256 in [&old, &lone, &young, &shown] {
        // as if each had been queued
        if *sha256 != young {
            ForgetOriginal { sha256: sha256.clone() }.run(app.clone()).await.unwrap();
        }
    }
    for (sha256, is_there) in [(&shown, true), (&young, true), (&old, false)] {
        assert_eq!(app.storage.has(&original_key(sha256)).await.unwrap(), is_there);
    }
    for (sha256, is_there) in [(&shown, true), (&old, false), (&lone, false)] {
        assert_eq!(app.storage.has(&derivative_key(sha256, 320)).await.unwrap(), is_there);
    }
}
