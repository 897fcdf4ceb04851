//! What comes between: programs that end, disks and buckets that take nothing, others at the same time, bytes that change.

use std::os::unix::fs::MetadataExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use age::secrecy::ExposeSecret;
use age::x25519::Identity;

use support::fakes::s3::FakeS3;
use support::uploads::sha256;
use support::wait::until;
use support::{Engine, Server, jpeg, names_in, on_both_engines, rounds};

use super::{backups, blob, date_back, files_below, generations, refused, repository, said};

on_both_engines!(
    one_at_a_time_is_made,
    ; on_sqlite:
    a_kill_in_the_middle_leaves_no_generation,
    a_busy_bucket_is_waited_for,
    a_full_disk_leaves_what_was_there,
    what_is_damaged_is_named_and_stored_anew,
    what_makes_no_sense_is_refused,
);

/// Begins one, and waits until its first blob is there.
async fn begun(server: &Server, bucket: &FakeS3) -> Child {
    bucket.be_busy_after(0);
    let mut child =
        server.command(&["backups", "run"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // it waits for the bucket
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(child.try_wait().unwrap().is_none(), "it goes on");
    child
}

async fn ended(child: Child) -> bool {
    let output = tokio::task::spawn_blocking(move || child.wait_with_output().unwrap()).await.unwrap();
    if !output.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    }
    output.status.success()
}

async fn one_at_a_time_is_made(mut server: Server) {
    let bucket = FakeS3::start().await;
    bucket.configure_backups(&mut server);
    let member = server.member("keeper@example.com", "0").await;
    member.upload(vec![("照片.jpg", jpeg(640, 480, 1))]).await;
    let first = begun(&server, &bucket).await;
    let busy = "is at work there";
    assert!(refused(&server, &["run"]).await.contains(busy));
    assert!(refused(&server, &["prune"]).await.contains(busy));
    bucket.be_free();
    assert!(ended(first).await);
    // another installation that shares the repository, and is at work
    let running = bucket.place("running");
    assert!(!running.exists() || names_in(&running).is_empty(), "who has ended says so");
    std::fs::create_dir_all(&running).unwrap();
    std::fs::write(running.join("another"), "").unwrap();
    assert!(refused(&server, &["run"]).await.contains(busy));
    assert_eq!(names_in(&running).len(), 1);
    let old = std::time::SystemTime::now() - Duration::from_secs(11 * 60);
    std::fs::File::open(running.join("another")).unwrap().set_modified(old).unwrap();
    backups(&server, &["run"]).await;
    assert!(!backups(&server, &["list"]).await.is_empty());
}

async fn a_kill_in_the_middle_leaves_no_generation(mut server: Server) {
    let bucket = FakeS3::start().await;
    bucket.configure_backups(&mut server);
    let member = server.member("keeper@example.com", "0").await;
    member.upload((0..12).map(|n| ("照片.jpg", jpeg(1200, 900, n))).collect()).await;
    // who is at work, whose it is, lists, and some of the photos
    bucket.be_busy_after(13);
    let mut run = server.command(&["backups", "run"]).stdout(Stdio::null()).spawn().unwrap();
    let blobs = bucket.place("blobs");
    until("a blob is there", async || blobs.is_dir() && !files_below(&blobs).is_empty()).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(run.try_wait().unwrap().is_none(), "it is in the middle");
    run.kill().unwrap();
    run.wait().unwrap();
    bucket.be_free();
    assert_eq!(backups(&server, &["list"]).await, "", "what is half is none");
    // nobody knows that it was killed until it has been silent for a while
    assert!(refused(&server, &["run"]).await.contains("is at work there"));
    let old = std::time::SystemTime::now() - Duration::from_secs(11 * 60);
    for place in files_below(&bucket.place("running")) {
        std::fs::File::open(place).unwrap().set_modified(old).unwrap();
    }
    assert!(refused(&server, &["verify"]).await.contains("holds no backup"));
    // the next one goes on at once, and what had come is not sent again
    backups(&server, &["run"]).await;
    backups(&server, &["verify"]).await;
    let said = "select fault from backup_attempts where fault is not null order by id limit 1";
    assert_eq!(server.read(said).await, "程序中途结束了");
}

async fn a_busy_bucket_is_waited_for(mut server: Server) {
    let bucket = FakeS3::start().await;
    bucket.configure_backups(&mut server);
    let member = server.member("keeper@example.com", "0").await;
    member.upload(vec![("照片.jpg", jpeg(640, 480, 1))]).await;
    let run = begun(&server, &bucket).await;
    // it gives others three tries within twenty seconds
    tokio::time::sleep(Duration::from_secs(rounds(4, 60) as u64)).await;
    bucket.be_free();
    assert!(ended(run).await);
    backups(&server, &["verify"]).await;
}

async fn a_full_disk_leaves_what_was_there(mut server: Server) {
    let folder = repository(&mut server);
    let place = folder.path().to_str().unwrap();
    let member = server.member("keeper@example.com", "0").await;
    member.upload(vec![("照片.jpg", jpeg(640, 480, 1))]).await;
    backups(&server, &["run"]).await;
    let first = generations(folder.path());
    // little room is seen before anything is written
    server.set("BINDERY_DISK_RESERVE", "100000000");
    member.upload(vec![("新.jpg", jpeg(640, 480, 2))]).await;
    assert!(refused(&server, &["run"]).await.contains("nearly full"));
    assert_eq!(generations(folder.path()), first);
    // and no room at all while it is
    server.set("BINDERY_DISK_RESERVE", "0");
    member.upload((10..20).map(|n| ("大.jpg", support::uploads::noise(600, 400, n))).collect()).await;
    let copied = "mount -t tmpfs -o size=2m tmpfs /mnt && cp -r \"$1\"/. /mnt && shift && \"$@\"; code=$?; \
                  ls /mnt/generations; exit $code";
    let program = server.command(&["backups", "run"]);
    let mut small = Command::new("unshare");
    // who is root already keeps the rights by which it reaches a database's socket
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        small.arg("--map-root-user");
    }
    small.args(["--mount", "sh", "-c", copied, "sh", place]).arg(program.get_program());
    small.args(program.get_args());
    small.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    small.env("BINDERY_BACKUP_TO", "/mnt");
    let Ok(output) = small.output() else {
        eprintln!("skipped: there is no unshare");
        return;
    };
    let told = said(&output);
    let is_full = told.contains("nearly full") || told.contains("No space left on device");
    assert!(!output.status.success() && is_full, "{told}");
    assert_eq!(told.lines().filter(|line| line.starts_with(&first[0])).count(), 1, "{told}");
    // what can't be written for another reason is said, too
    let shut = tempfile::tempdir().unwrap();
    std::fs::write(shut.path().join("blobs"), "no folder").unwrap();
    let output =
        server.run_with(&[("BINDERY_BACKUP_TO", shut.path().to_str().unwrap())], &["backups", "run"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    // where there is room it is made after all
    backups(&server, &["run"]).await;
    backups(&server, &["verify"]).await;
}

async fn what_is_damaged_is_named_and_stored_anew(mut server: Server) {
    let folder = repository(&mut server);
    let member = server.member("keeper@example.com", "0").await;
    let photos: Vec<Vec<u8>> = (1..4).map(|n| jpeg(640, 480, n)).collect();
    member.upload(photos.iter().map(|photo| ("照片.jpg", photo.clone())).collect()).await;
    backups(&server, &["run"]).await;
    let [rotten, missing, cut] = [&photos[0], &photos[1], &photos[2]].map(|photo| sha256(photo));
    let mut bytes = photos[0].clone();
    bytes[1000] ^= 1;
    std::fs::write(blob(folder.path(), &rotten), bytes).unwrap();
    std::fs::remove_file(blob(folder.path(), &missing)).unwrap();
    std::fs::write(blob(folder.path(), &cut), &photos[2][..100]).unwrap();
    let told = refused(&server, &["verify"]).await;
    assert!(
        told.contains(&format!("{rotten} is damaged")) && told.contains(&format!("{missing} is missing")),
        "{told}"
    );
    assert!(told.contains(&format!("{cut} is damaged")), "{told}");
    let restored = Server::start(Engine::Sqlite).await.unwrap();
    let place = folder.path().to_str().unwrap();
    refused(&restored, &["restore", "--from", place]).await;
    assert_eq!(restored.read("select cast(count(*) as text) from members").await, "0", "not half a shop");
    let despite = backups(&restored, &["restore", "--from", place, "--despite-damage"]).await;
    assert!([&rotten, &missing, &cut].iter().all(|photo| despite.contains(*photo)), "{despite}");
    assert_eq!(restored.read("select cast(count(*) as text) from photos").await, "3");
    backups(&server, &["run"]).await;
    backups(&server, &["verify"]).await;
    // what somebody cut off is seen without reading it
    std::fs::write(blob(folder.path(), &cut), &photos[2][..100]).unwrap();
    backups(&server, &["run"]).await;
    backups(&server, &["verify"]).await;
    // a generation itself
    let name = names_in(&folder.path().join("generations")).remove(0);
    let manifest = folder.path().join("generations").join(name);
    let mut bytes = std::fs::read(&manifest).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&manifest, bytes).unwrap();
    assert!(refused(&server, &["verify"]).await.contains("is damaged"));
    assert!(refused(&server, &["list"]).await.contains("is damaged"));
    let blobs = files_below(&folder.path().join("blobs")).len();
    assert!(refused(&server, &["prune"]).await.contains("is damaged"));
    assert_eq!(files_below(&folder.path().join("blobs")).len(), blobs, "nobody knows what it names");
    // one that is made is noted, and that nothing could be taken away; until somebody puts the broken one aside
    let broken = generations(folder.path()).remove(0);
    date_back(folder.path(), &broken, "20200101T033000Z");
    assert!(refused(&server, &["run"]).await.contains("nothing taken away"));
    let noted = "select prune_fault from backup_attempts order by id desc limit 1";
    assert!(server.read(noted).await.contains("is damaged"));
    assert!(refused(&server, &["prune", "--forget", "20990101T033000Z"]).await.contains("holds no backup"));
    let good = generations(folder.path()).pop().unwrap();
    assert!(refused(&server, &["prune", "--forget", &good]).await.contains("can be read"));
    assert!(backups(&server, &["prune", "--forget", "20200101T033000Z"]).await.contains("is put aside"));
    assert_eq!(generations(folder.path()), [good]);
    backups(&server, &["verify"]).await;
}

async fn what_makes_no_sense_is_refused(server: Server) {
    let to = ("BINDERY_BACKUP_TO", "/tmp");
    for (settings, reason) in [
        (
            &[("BINDERY_BACKUP_TO", "backups")][..],
            "\"backups\" is neither an absolute path nor an s3: address",
        ),
        (&[("BINDERY_BACKUP_TO", "ftp://host/x")], "BINDERY_BACKUP_TO: "),
        (&[("BINDERY_BACKUP_AT", "03:30")], "BINDERY_BACKUP_AT: BINDERY_BACKUP_TO is not set"),
        (&[to, ("BINDERY_BACKUP_AT", "25:00")], "\"25:00\" is no time of the day"),
        (&[to, ("BINDERY_BACKUP_KEEP", "7 days")], "\"7 days\" is not like 7d,4w,12m"),
        (&[to, ("BINDERY_BACKUP_RECIPIENT", "me")], "\"me\" is no public key of age"),
        (&[to, ("BINDERY_BACKUP_ENDPOINT_URL", "http://x")], "BINDERY_BACKUP_ACCESS_KEY_ID and"),
    ] {
        let output = server.run_with(settings, &["migrate"]);
        assert!(!output.status.success() && said(&output).contains(reason), "{}", said(&output));
    }
    // where backups are looked through and not made
    let bucket = [("BINDERY_BACKUP_ACCESS_KEY_ID", "x"), ("BINDERY_BACKUP_SECRET_ACCESS_KEY", "y")];
    assert!(server.run_with(&bucket, &["migrate"]).status.success());
    // a secret is not repeated
    let secret = Identity::generate().to_string();
    let output = server.run_with(&[to, ("BINDERY_BACKUP_RECIPIENT", secret.expose_secret())], &["migrate"]);
    assert!(said(&output).contains("secret half") && !said(&output).contains(secret.expose_secret()));
    for command in ["run", "list", "verify", "prune", "restore"] {
        assert!(refused(&server, &[command]).await.contains("BINDERY_BACKUP_TO is not set"), "{command}");
        assert!(backups(&server, &[command, "--help"]).await.contains("Usage:"));
    }
    let absent = [("BINDERY_BACKUP_TO", "/nowhere/at/all")];
    assert!(said(&server.run_with(&absent, &["backups", "run"])).contains("make it, or mount its disk"));
    // the check says so, too
    let folder = tempfile::tempdir().unwrap();
    let there = [("BINDERY_BACKUP_TO", folder.path().to_str().unwrap())];
    let good = said(&server.run_with(&there, &["check"]));
    assert!(good.contains("好 backups: a file was written, read and deleted in"), "{good}");
    assert_eq!(names_in(folder.path()).len(), 0);
    let bad = server.run_with(&absent, &["check"]);
    assert!(!bad.status.success() && said(&bad).contains("坏 backups: /nowhere/at/all is no folder"));
    assert!(said(&server.run(&["check"])).contains("好 backups: none are made by themselves"));
}
