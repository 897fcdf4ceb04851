//! Files in a bucket: machines that share nothing but it and the database.

use std::fs::FileTimes;
use std::path::Path;
use std::time::{Duration, SystemTime};

use reqwest::StatusCode;

use support::fakes::s3::FakeS3;
use support::uploads::{begin, noise, patch, sha256};
use support::wait::until;
use support::{Caller, Engine, PASSWORD, Server, jpeg, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    what_one_machine_took_in_every_other_shows_and_prints,
    a_backup_holds_what_is_in_the_bucket,
    nothing_is_acknowledged_while_the_bucket_is_away,
);

/// A server with its files in a new bucket, and a member there.
async fn in_a_bucket(server: &mut Server) -> (FakeS3, Caller) {
    let bucket = FakeS3::start().await;
    bucket.configure(server);
    server.kill();
    server.restart();
    (bucket, server.member("keeper@example.com", "500").await)
}

/// Where the storage keeps an original.
fn original(bytes: &[u8]) -> String {
    let sha256 = sha256(bytes);
    format!("originals/{}/{sha256}", &sha256[..2])
}

async fn assert_shown(member: &Caller, path: &str) {
    assert_eq!(member.get(path).await.status(), StatusCode::OK, "{path}");
}

async fn run(server: &Server, words: &[&str]) {
    let output = server.run_configured(words).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

async fn what_one_machine_took_in_every_other_shows_and_prints(mut server: Server) {
    let (bucket, here) = in_a_bucket(&mut server).await;
    let other = server.elsewhere();
    let there = here.at(&other.base);

    // one that goes to the bucket in parts, begun at one machine and ended at the other
    let large = noise(3600, 2600, 1);
    assert!(large.len() > 9 << 20, "{}", large.len());
    let upload = begin(&here, "大.jpg", &large).await;
    let half = large.len() / 2;
    assert_eq!(patch(&here, &upload, 0, &large[..half]).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(patch(&there, &upload, half, &large[half..]).await.status(), StatusCode::NO_CONTENT);
    assert!(std::fs::read(bucket.place(&original(&large))).unwrap() == large);

    let photos = here.upload((0..5).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    assert_eq!(photos.len(), 6);
    for photo in &photos {
        assert_shown(&there, &format!("/manager/photo/{photo}/320")).await;
    }
    let work = there.album("square-210", "海边的夏天", &photos).await;
    for page in ["cover", "1", "2"] {
        assert_shown(&there, &format!("/manager/opus/{work}/page/{page}/720")).await;
        assert_shown(&here, &format!("/manager/opus/{work}/page/{page}/1280")).await;
    }
    let line = there.add_to_cart(&work, "album-210").await;
    let order = here.order(&line).await;
    location(&there.post("/manager/shopping/pay", &[("order", &order)]).await);

    // the first machine is gone with everything on it, the second one's copies are old
    server.kill();
    std::fs::remove_dir_all(server.folder.path().join("copies")).unwrap();
    let copy = other.folder.path().join("copies").join(original(&large));
    assert!(copy.exists(), "what was looked at was copied here");
    let old = SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60);
    std::fs::File::open(&copy).unwrap().set_times(FileTimes::new().set_accessed(old)).unwrap();
    let third = other.elsewhere();
    let print = third.folder.path().join("export");
    run(&third, &["order", "export", &order, print.to_str().unwrap()]).await;
    let inner = std::fs::read(print.join("1-inner.pdf")).unwrap();
    assert!(inner.len() > large.len(), "the print file holds the photo as it came");
    // below the key of all that it is made of
    let made = support::names_in(&bucket.place(&format!("print/{order}")));
    let [made] = &made[..] else { panic!("{made:?}") };
    assert!(
        std::fs::read(bucket.place(&format!("print/{order}/{}/1-inner.pdf", made.display()))).unwrap()
            == inner
    );
    assert!(copy.exists());
    let mut other = other;
    other.kill();
    other.restart();
    until("a copy that nobody needs is forgotten", async || !copy.exists()).await;
    assert!(bucket.place(&original(&large)).exists());
    let again = there.at(&other.base);
    assert_shown(&again, &format!("/manager/photo/{}/2048", photos[0])).await;
    let export = again.get(&format!("/manager/opus/{work}/export")).await;
    assert_eq!(export.status(), StatusCode::OK);
    assert!(export.bytes().await.unwrap().len() > 2 * large.len(), "originals and print files");
}

async fn a_backup_holds_what_is_in_the_bucket(mut server: Server) {
    let (bucket, member) = in_a_bucket(&mut server).await;
    let photo = jpeg(640, 480, 1);
    let ids = member.upload(vec![("照片.jpg", photo.clone())]).await;
    let backup = server.folder.path().join("backup");
    run(&server, &["backup", backup.to_str().unwrap()]).await;
    assert!(std::fs::read(backup.join(original(&photo))).unwrap() == photo);

    // into a folder, and from there into another bucket
    let folder = Server::start(Engine::Sqlite).await.unwrap();
    run(&folder, &["restore", backup.to_str().unwrap()]).await;
    assert!(std::fs::read(folder.folder.path().join("storage").join(original(&photo))).unwrap() == photo);
    let mut restored = Server::start(Engine::Sqlite).await.unwrap();
    let other_bucket = FakeS3::start().await;
    other_bucket.configure(&mut restored);
    run(&restored, &["restore", backup.to_str().unwrap()]).await;
    assert!(std::fs::read(other_bucket.place(&original(&photo))).unwrap() == photo);
    restored.kill();
    restored.restart();
    let again = restored.visitor();
    again.sign_in("keeper@example.com", PASSWORD).await;
    assert_shown(&again, &format!("/manager/photo/{}/320", ids[0])).await;

    // a file that another hand changed is named, and does not keep the others from being saved
    let other = jpeg(640, 480, 2);
    member.upload(vec![("另一张.jpg", other.clone())]).await;
    std::fs::write(bucket.place(&original(&photo)), b"broken").unwrap();
    let second = server.folder.path().join("second");
    let output = server.run_configured(&["backup", second.to_str().unwrap()]).await;
    assert!(String::from_utf8(output.stderr).unwrap().contains(&sha256(&photo)));
    assert!(!output.status.success() && !second.join(original(&photo)).exists());
    assert!(std::fs::read(second.join(original(&other))).unwrap() == other);
}

async fn nothing_is_acknowledged_while_the_bucket_is_away(mut server: Server) {
    let (mut bucket, member) = in_a_bucket(&mut server).await;
    assert_shown(&member, "/readyz").await;
    bucket.vanish().await;
    // an answer stands for a second
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(member.get("/readyz").await.status(), StatusCode::SERVICE_UNAVAILABLE);
    let photo = jpeg(640, 480, 1);
    assert!(!member.try_upload(photo.clone()).await);
    assert!(member.library().await.is_empty());
    bucket.answer().await;
    assert!(member.try_upload(photo.clone()).await);
    let [id] = &member.library().await[..] else { panic!("one photo") };
    assert_shown(&member, &format!("/manager/photo/{id}/320")).await;
    assert!(Path::new(&bucket.place(&original(&photo))).exists());
}
