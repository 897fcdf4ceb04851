//! Backups in a repository: generations of which each is whole, and the second one of which reads nothing again.

mod faults;
mod owners;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use age::secrecy::ExposeSecret;
use age::x25519::Identity;
use reqwest::StatusCode;

use support::fakes::s3::FakeS3;
use support::staff::Clerk;
use support::uploads::sha256;
use support::wait::{eventually, until};
use support::{Caller, Engine, PASSWORD, Server, between, jpeg, location, names_in, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    what_is_encrypted_opens_for_its_key_alone,
    what_a_generation_names_stays,
    a_moment_comes_back,
    a_generation_comes_back_on_either_engine_and_from_there_again,
    the_second_one_reads_no_file_again,
    the_program_makes_them_by_itself_and_says_how_they_stand,
);

/// A folder for backups, and a server that has it for its repository.
fn repository(server: &mut Server) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    server.set("BINDERY_BACKUP_TO", folder.path().to_str().unwrap());
    folder
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// What a command of `bindery backups` prints, which has to succeed.
async fn backups(server: &Server, words: &[&str]) -> String {
    let words: Vec<&str> = ["backups"].iter().chain(words).copied().collect();
    let output = server.run_configured(&words).await;
    assert!(output.status.success(), "{words:?}: {}", said(&output));
    said(&output)
}

/// The same of one that must not.
async fn refused(server: &Server, words: &[&str]) -> String {
    let words: Vec<&str> = ["backups"].iter().chain(words).copied().collect();
    let output = server.run_configured(&words).await;
    assert!(!output.status.success(), "{words:?}: {}", said(&output));
    said(&output)
}

/// Generations of a folder by their names, the oldest first.
fn generations(repository: &Path) -> Vec<String> {
    let mut names: Vec<String> = names_in(&repository.join("generations"))
        .iter()
        .map(|name| name.to_str().unwrap().split('-').next().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

/// Makes a generation older: its name says when it was made.
fn date_back(repository: &Path, generation: &str, to: &str) {
    let folder = repository.join("generations");
    let name =
        names_in(&folder).into_iter().find(|name| name.to_str().unwrap().starts_with(generation)).unwrap();
    let other = name.to_str().unwrap().replace(generation, to);
    std::fs::rename(folder.join(name), folder.join(other)).unwrap();
}

fn blob(repository: &Path, name: &str) -> PathBuf {
    repository.join("blobs").join(&name[..2]).join(name)
}

/// Where a server keeps an original.
fn original(server: &Server, bytes: &[u8]) -> PathBuf {
    let sha256 = sha256(bytes);
    server.folder.path().join("storage/originals").join(&sha256[..2]).join(sha256)
}

async fn assert_as_before(before: &Caller, server: &Server, photos: &[Vec<u8>], order: &str) {
    let after = server.visitor();
    after.sign_in("keeper@example.com", PASSWORD).await;
    assert_eq!(before.library().await, after.library().await);
    assert_eq!(before.balance().await, after.balance().await);
    assert!(after.page(&format!("/manager/order/{order}")).await.contains("已付款"));
    for photo in after.library().await {
        let picture = after.get(&format!("/manager/photo/{photo}/320")).await;
        assert_eq!(picture.status(), StatusCode::OK, "what can be made again is made again");
    }
    for photo in photos {
        assert!(std::fs::read(original(server, photo)).unwrap() == *photo);
    }
    for check in [&["ledger", "check"][..], &["audit", "--check"]] {
        let output = server.run(check);
        assert!(output.status.success(), "{}", said(&output));
    }
}

async fn a_generation_comes_back_on_either_engine_and_from_there_again(mut server: Server) {
    let folder = repository(&mut server);
    let place = folder.path().to_str().unwrap();
    let member = server.member("keeper@example.com", "500").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    location(&member.post("/manager/shopping/pay", &[("order", &order)]).await);
    let photos: Vec<Vec<u8>> = (1..4).map(|n| jpeg(640, 480, n)).collect();
    member.upload(photos.iter().map(|photo| ("照片.jpg", photo.clone())).collect()).await;
    assert!(backups(&server, &["run"]).await.starts_with("Made "));
    let [name] = &generations(folder.path())[..] else { panic!("one generation") };
    let listed = backups(&server, &["list"]).await;
    assert!(listed.starts_with(name) && listed.lines().count() == 1, "{listed}");
    let whole = backups(&server, &["verify"]).await;
    assert!(whole.contains("is whole") && whole.contains("transactions of the books"), "{whole}");
    if let Ok(postgres) = std::env::var("BINDERY_TEST_POSTGRES") {
        server.set("BINDERY_BACKUP_SCRATCH_URL", postgres);
        let whole = backups(&server, &["verify", "--generation", name, "--postgres"]).await;
        assert!(whole.contains("is whole"), "{whole}");
    }
    // an installation with members is left as it is
    assert!(refused(&server, &["restore"]).await.contains("restore into an empty database"));

    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut other) = Server::start(engine).await else { continue };
        let restored = backups(&other, &["restore", "--from", place]).await;
        assert!(restored.starts_with(&format!("Restored {name}")), "{restored}");
        assert_as_before(&member, &other, &photos, &order).await;
        // and back from there, into the engine that it came from
        let second = repository(&mut other);
        backups(&other, &["run"]).await;
        let third = Server::start(server.engine).await.unwrap();
        backups(&third, &["restore", "--from", second.path().to_str().unwrap()]).await;
        assert_as_before(&member, &third, &photos, &order).await;
    }
}

async fn the_second_one_reads_no_file_again(mut server: Server) {
    let folder = repository(&mut server);
    let member = server.member("keeper@example.com", "0").await;
    let photos: Vec<Vec<u8>> = (1..4).map(|n| jpeg(640, 480, n)).collect();
    member.upload(photos.iter().map(|photo| ("照片.jpg", photo.clone())).collect()).await;
    backups(&server, &["run"]).await;
    // whoever reads them again finds them damaged
    for photo in &photos {
        std::fs::write(original(&server, photo), b"broken").unwrap();
    }
    let new = jpeg(640, 480, 9);
    member.upload(vec![("新.jpg", new.clone())]).await;
    let made = backups(&server, &["run"]).await;
    let stored: usize = between(&made, "of which ", " were stored").parse().unwrap();
    assert!(stored >= new.len() && stored < new.len() + 40_000, "{made}");
    let files = between(&made, "rows and ", " files");
    assert_eq!(files, "4", "{made}");
    backups(&server, &["verify"]).await;
    let restored = Server::start(server.engine).await.unwrap();
    backups(&restored, &["restore", "--from", folder.path().to_str().unwrap()]).await;
    for photo in photos.iter().chain([&new]) {
        assert!(std::fs::read(original(&restored, photo)).unwrap() == *photo);
    }
    // one that nobody has yet is named where it is damaged, and keeps the others from nothing
    let bad = jpeg(640, 480, 10);
    member.upload(vec![("坏.jpg", bad.clone())]).await;
    std::fs::write(original(&server, &bad), b"broken").unwrap();
    assert!(refused(&server, &["run"]).await.contains(&sha256(&bad)));
    let noted = "select cast(damaged as text) from backup_attempts order by id desc limit 1";
    assert_eq!(server.read(noted).await, "1");
    assert_eq!(generations(folder.path()).len(), 1, "of one day the newest stays");
    backups(&server, &["verify"]).await;
}

async fn the_program_makes_them_by_itself_and_says_how_they_stand(mut server: Server) {
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    assert!(owner.page("/staff/machine").await.contains("BINDERY_BACKUP_TO"));
    let folder = repository(&mut server);
    server.kill();
    server.restart();
    // of two instances one makes it
    let other = server.elsewhere();
    let good =
        "select cast(count(*) as text) from backup_attempts where fault is null and ended_at is not null";
    eventually(&server, good, "1").await;
    let running = folder.path().join("running");
    until("nobody is at work", async || names_in(&running).is_empty()).await;
    drop(other);
    let watched = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    server.set("BINDERY_METRICS_ADDR", watched.clone());
    server.kill();
    server.restart();
    let owner = owner.at(&server.base);
    assert_eq!(server.read("select cast(count(*) as text) from backup_attempts").await, "1");
    assert_eq!(generations(folder.path()).len(), 1);
    let page = owner.page("/staff/machine").await;
    for words in [
        folder.path().to_str().unwrap(),
        "不加密",
        "最近 7 天各一份",
        "还没有过",
        &generations(folder.path())[0],
    ] {
        assert!(page.contains(words), "{words} is not in {page}");
    }
    let metric = async |name: &str| -> i64 {
        let text = reqwest::get(format!("http://{watched}/metrics")).await.unwrap().text().await.unwrap();
        let value =
            text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap_or_default();
        value.parse().unwrap_or_else(|_| panic!("{name} in {text}"))
    };
    assert_eq!(metric("bindery_backup_scheduled").await, 1);
    assert!(metric("bindery_backup_age_seconds").await < 3600);
    assert!(metric("bindery_backup_size_bytes").await > 1000);
    assert_eq!(metric("bindery_backup_failures").await, 0);
    assert!(metric("bindery_backup_verified_age_seconds").await > 1_000_000_000);
    backups(&server, &["verify"]).await;
    assert!(metric("bindery_backup_verified_age_seconds").await < 3600);
    assert!(!owner.page("/staff/machine").await.contains("还没有过"));

    // two days later the disk is not there, and then it is; what fails is tried again after an hour
    let two_days =
        "update backup_attempts set began_at = began_at - 172800000, ended_at = ended_at - 172800000";
    server.sql(two_days).await;
    let aside = folder.path().with_extension("aside");
    std::fs::rename(folder.path(), &aside).unwrap();
    server.kill();
    server.restart();
    let failed = "select cast(count(*) as text) from backup_attempts where fault is not null";
    eventually(&server, failed, "1").await;
    let page = owner.at(&server.base).page("/staff/machine").await;
    assert!(page.contains("mount its disk") && page.contains("此后失败"), "{page}");
    assert_eq!(metric("bindery_backup_failures").await, 1);
    assert!(metric("bindery_backup_age_seconds").await > 172_000);
    std::fs::rename(&aside, folder.path()).unwrap();
    server.sql("update backup_attempts set ended_at = ended_at - 3600000 where fault is not null").await;
    server.kill();
    server.restart();
    eventually(&server, good, "3").await;
    assert_eq!(metric("bindery_backup_failures").await, 0);
}

/// Every file below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

async fn what_is_encrypted_opens_for_its_key_alone(mut server: Server) {
    let bucket = FakeS3::start().await;
    bucket.configure_backups(&mut server);
    let keys = tempfile::tempdir().unwrap();
    let [key, other] = ["key", "other"].map(|name| {
        let (identity, path) = (Identity::generate(), keys.path().join(name));
        let text =
            format!("# public key: {}\n{}\n", identity.to_public(), identity.to_string().expose_secret());
        std::fs::write(&path, text).unwrap();
        (identity.to_public().to_string(), path.to_str().unwrap().to_owned())
    });
    server.set("BINDERY_BACKUP_RECIPIENT", key.0.clone());
    let member = server.member("keeper@example.com", "0").await;
    let photo = jpeg(640, 480, 1);
    member.upload(vec![("照片.jpg", photo.clone())]).await;
    backups(&server, &["run"]).await;
    let listed = backups(&server, &["list"]).await;
    assert!(listed.contains(&key.0), "{listed}");

    // nobody learns which photos are there, nor anything of who keeps them
    let stored = files_below(&bucket.place("blobs"));
    assert!(stored.len() > 8, "{}", stored.len());
    for file in &stored {
        assert!(!file.to_str().unwrap().contains(&sha256(&photo)));
        let bytes = std::fs::read(file).unwrap();
        assert!(bytes.starts_with(b"age-encryption.org/v1\n"), "{}", file.display());
    }
    // age's own program opens them
    if Command::new("age").arg("--version").output().is_ok() {
        let opened = |file: &PathBuf| {
            Command::new("age").args(["-d", "-i", &key.1]).arg(file).output().unwrap().stdout
        };
        assert!(stored.iter().any(|file| opened(file) == photo));
    } else {
        eprintln!("skipped: age is not installed");
    }
    // what is there is found again without the secret half
    let again = backups(&server, &["run"]).await;
    let count = stored.iter().filter(|file| file.exists()).count();
    assert!(count > 5, "{again}");
    std::fs::write(original(&server, &photo), b"broken").unwrap();
    backups(&server, &["run"]).await;

    assert!(refused(&server, &["verify"]).await.contains("--identity names the file"));
    let wrong = refused(&server, &["verify", "--identity", &other.1]).await;
    assert!(wrong.contains(&key.0) && wrong.contains(&other.0), "{wrong}");
    assert!(refused(&server, &["verify", "--identity", "/nowhere/key"]).await.contains("/nowhere/key"));
    backups(&server, &["verify", "--identity", &key.1]).await;
    let restored = {
        let mut restored = Server::start(Engine::Sqlite).await.unwrap();
        bucket.configure_backups(&mut restored);
        restored
    };
    assert!(refused(&restored, &["restore"]).await.contains("--identity"));
    assert_eq!(restored.read("select cast(count(*) as text) from members").await, "0");
    backups(&restored, &["restore", "--identity", &key.1]).await;
    assert!(std::fs::read(original(&restored, &photo)).unwrap() == photo);

    // for another recipient everything is stored anew: what the first one opens is no use to the second
    std::fs::write(original(&server, &photo), &photo).unwrap();
    server.set("BINDERY_BACKUP_RECIPIENT", other.0.clone());
    backups(&server, &["run"]).await;
    backups(&server, &["verify", "--identity", &other.1]).await;
}

async fn what_a_generation_names_stays(mut server: Server) {
    let folder = repository(&mut server);
    let member = server.member("keeper@example.com", "0").await;
    let [gone, kept] = [jpeg(640, 480, 1), jpeg(640, 480, 2)];
    member.upload(vec![("一.jpg", gone.clone()), ("二.jpg", kept.clone())]).await;
    backups(&server, &["run"]).await;
    let first = generations(folder.path()).remove(0);
    date_back(folder.path(), &first, "20200101T033000Z");
    std::fs::remove_file(original(&server, &gone)).unwrap();
    server.sql(&format!("delete from photos where sha256 = '{}'", sha256(&gone))).await;
    backups(&server, &["run"]).await;
    let both = generations(folder.path());
    assert_eq!(both.len(), 2, "the newest of its month");
    assert!(blob(folder.path(), &sha256(&gone)).exists());
    backups(&server, &["verify", "--generation", "20200101T033000Z"]).await;
    // what a run that was killed had stored is part of none
    let stray = blob(folder.path(), &"ab".repeat(32));
    std::fs::create_dir_all(stray.parent().unwrap()).unwrap();
    std::fs::write(&stray, "x").unwrap();
    assert!(backups(&server, &["prune"]).await.contains("1 blobs that are part of none"));
    assert!(!stray.exists() && blob(folder.path(), &sha256(&gone)).exists());
    let told = backups(&server, &["prune", "--keep", "1d"]).await;
    assert!(told.contains("20200101T033000Z need not stay"), "{told}");
    assert_eq!(generations(folder.path()), both[1..]);
    assert!(!blob(folder.path(), &sha256(&gone)).exists() && blob(folder.path(), &sha256(&kept)).exists());
    backups(&server, &["verify"]).await;
}

async fn a_moment_comes_back(mut server: Server) {
    let folder = repository(&mut server);
    let place = folder.path().to_str().unwrap();
    let member = server.member("keeper@example.com", "0").await;
    let photos: Vec<Vec<u8>> = (1..4).map(|n| jpeg(640, 480, n)).collect();
    for (photo, day) in photos.iter().zip(["20260101", "20260201", ""]) {
        member.upload(vec![("照片.jpg", photo.clone())]).await;
        backups(&server, &["run"]).await;
        if !day.is_empty() {
            let newest = generations(folder.path()).pop().unwrap();
            // 03:30 in UTC is 11:30 here
            date_back(folder.path(), &newest, &format!("{day}T033000Z"));
        }
    }
    for (at, count) in
        [("2026-01-01 11:30", 1), ("2026-02-01 11:29", 1), ("2026-02-01T11:30", 2), ("2099-01-01 00:00", 3)]
    {
        let restored = Server::start(Engine::Sqlite).await.unwrap();
        backups(&restored, &["restore", "--from", place, "--at", at]).await;
        let again = restored.visitor();
        again.sign_in("keeper@example.com", PASSWORD).await;
        assert_eq!(again.library().await.len(), count, "{at}");
    }
    let fresh = Server::start(Engine::Sqlite).await.unwrap();
    for (words, reason) in [
        (&["--at", "2025-12-31 00:00"][..], "holds no backup of 2025-12-31 00:00 or before"),
        (&["--at", "yesterday"], "no moment like 2026-11-28 18:00"),
        (&["--generation", "20260101T033001Z"], "holds no backup 20260101T033001Z"),
        (&["--generation", "x", "--at", "2026-01-01 11:30"], "cannot be used with"),
    ] {
        let words: Vec<&str> = ["restore", "--from", place].iter().chain(words).copied().collect();
        let told = refused(&fresh, &words).await;
        assert!(told.contains(reason), "{told}");
    }
}

/// A soak: the first one takes minutes.
#[tokio::test]
async fn a_hundred_thousand_photos_are_not_read_again() {
    if !support::is_soak() {
        return;
    }
    let mut server = Server::start(Engine::Sqlite).await.unwrap();
    let folder = repository(&mut server);
    let photos: Vec<Vec<u8>> = (0..100_000).map(|n: u32| n.to_string().into_bytes()).collect();
    for photo in &photos {
        let place = original(&server, photo);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, photo).unwrap();
    }
    let time = std::time::Instant::now();
    backups(&server, &["run"]).await;
    println!("the first one took {:?}", time.elapsed());
    for photo in &photos {
        std::fs::write(original(&server, photo), b"broken").unwrap();
    }
    let time = std::time::Instant::now();
    let made = backups(&server, &["run"]).await;
    println!("the second one took {:?}: {made}", time.elapsed());
    assert!(made.contains("100000 files"), "{made}");
    assert!(time.elapsed() < Duration::from_secs(60));
    assert_eq!(generations(folder.path()).len(), 1);
}
