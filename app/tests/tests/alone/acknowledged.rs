//! What was acknowledged is kept: when clients hang up in the middle of everything, and when the disk is full.

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use rand::RngExt;
use reqwest::StatusCode;

use support::{Caller, Engine, Server, jpeg, location, on_both_engines, rounds};

on_both_engines!(requests_that_are_broken_off_lose_nothing);

/// How many requests at once are broken off.
const AT_ONCE: usize = 8;
/// After so many, something is acknowledged.
const EVERY: usize = 100;

/// A request as it goes over the wire.
fn wire(path: &str, cookie: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: books.example\r\nCookie: {cookie}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn form(path: &str, cookie: &str, fields: &str) -> Vec<u8> {
    wire(path, cookie, "application/x-www-form-urlencoded", fields.as_bytes())
}

/// Every kind of write that a member makes.
async fn writes(server: &Server, member: &Caller, cookie: &str) -> Vec<Vec<u8>> {
    let line = member.cart_with_album().await;
    let work = server.read("select id from works limit 1").await;
    let setting = format!("/manager/opus_setting/{work}");
    let photo = [
        b"--edge\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"a.jpg\"\r\n\r\n".as_slice(),
        &jpeg(320, 240, 9),
        b"\r\n--edge--\r\n",
    ]
    .concat();
    let address = "receiver=%E6%9E%97&phone=13800138000&province=%E6%B5%99%E6%B1%9F%E7%9C%81&city=%E6%9D%AD%E5%B7%9E%E5%B8%82&district=%E8%A5%BF%E6%B9%96%E5%8C%BA&street=%E9%BE%99%E4%BA%95%E8%B7%AF";
    vec![
        form("/user-center/login", "", "account=other%40example.com&password=correct%20horse%20battery"),
        form("/user-center/login", "", "account=other%40example.com&password=wrong"),
        form("/manager/login", "", "account=other%40example.com&password=correct%20horse%20battery"),
        form("/user-center/userIsLogin3", cookie, ""),
        form("/manager/userInfo/addresses/new", cookie, address),
        form(&format!("/manager/shopping/cart/{line}/options"), cookie, "count=7"),
        form(&format!("/manager/shopping/cart/{line}/removal"), cookie, ""),
        form(&setting, cookie, "revision=1&title=%E6%94%B9&author=&description=&category="),
        form("/manager/recharge", cookie, "amount=10&way=transfer&request_key=k"),
        form("/manager/photos/removal", cookie, "photo=none"),
        form("/manager/uploads/known", cookie, "sha256=00"),
        wire("/manager/photos", cookie, "multipart/form-data; boundary=edge", &photo),
        form("/manager/make_ebook", cookie, "format=square-210&theme=calm&title=x"),
        form("/shopping/updateDefaultAddr", cookie, "addrID=none"),
    ]
}

/// Sends a request, or a part of it, and hangs up within a few milliseconds.
fn break_off(address: &str, request: &[u8]) {
    let mut random = rand::rng();
    let Ok(mut stream) = TcpStream::connect(address) else { return };
    let part = if random.random_bool(0.1) { random.random_range(0..request.len()) } else { request.len() };
    let _ = stream.write_all(&request[..part]);
    std::thread::sleep(Duration::from_micros(random.random_range(0..8_000)));
    // without a word to the other side, half of the time
    if random.random_bool(0.5) {
        let _ = stream.shutdown(Shutdown::Both);
    }
}

async fn requests_that_are_broken_off_lose_nothing(mut server: Server) {
    let member = server.member("reader@example.com", "100").await;
    server.member("other@example.com", "0").await;
    let cookie = member.cookie("reader@example.com").await;
    let writes = std::sync::Arc::new(writes(&server, &member, &cookie).await);
    let mut named = String::new();
    let mut albums = Vec::new();
    let photos = member.library().await;
    for round in 0..rounds(2_000, 10_000) / EVERY {
        let breaking = (0..AT_ONCE).map(|place| {
            let (address, writes) = (server.address(), writes.clone());
            tokio::task::spawn_blocking(move || {
                for number in 0..EVERY / AT_ONCE + 1 {
                    break_off(&address, &writes[(place * 5 + number) % writes.len()]);
                }
            })
        });
        let breaking: Vec<_> = breaking.collect();
        // while they break off, and after it, somebody gets answers
        named = format!("名字 {round}");
        location(&member.post("/manager/userInfo", &[("name", &named)]).await);
        for task in breaking {
            task.await.unwrap();
        }
        albums.push(member.album("square-210", &format!("第 {round} 本"), &photos).await);
    }
    let began = Instant::now();
    assert_eq!(member.get("/readyz").await.status(), StatusCode::OK);
    assert!(began.elapsed() < Duration::from_secs(10), "a write waits {:?}", began.elapsed());
    server.kill();
    // another program reads what this one said it had
    let works = server.column("select id from works").await;
    for album in &albums {
        assert!(works.contains(album), "an acknowledged work is gone");
    }
    let names = server.column("select name from members where account = 'reader@example.com'").await;
    assert_eq!(names, [named], "the last acknowledged name");
    let output = server.run(&["ledger", "check"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    server.restart();
}

/// A disk of its own of so many MB; `None` where nobody may make one.
struct Disk(Option<tempfile::TempDir>);

impl Disk {
    fn make(megabytes: usize) -> Option<Self> {
        let place = tempfile::tempdir().unwrap();
        let size = format!("size={megabytes}m");
        let mounted = std::process::Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(place.path())
            .output();
        mounted.is_ok_and(|output| output.status.success()).then(|| Self(Some(place)))
    }

    fn path(&self) -> &std::path::Path {
        self.0.as_ref().unwrap().path()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(self.path()).output();
    }
}

#[tokio::test]
async fn a_full_disk_ends_nothing_for_good() {
    let Some(disk) = Disk::make(256) else {
        eprintln!("skipped: no disk of its own can be made here");
        return;
    };
    let server = Server::start_in(
        tempfile::tempdir_in(disk.path()).unwrap(),
        &[("BINDERY_DISK_RESERVE", "8"), ("TMPDIR", "/tmp")],
    );
    let member = server.member("reader@example.com", "100").await;
    let photos = member.upload(vec![("一.jpg", jpeg(640, 480, 1))]).await;
    let rename = |name: String| {
        let member = member.clone();
        async move { member.post("/manager/userInfo", &[("name", &name)]).await.status() }
    };
    assert_eq!(rename("先".into()).await, StatusCode::SEE_OTHER);
    let free = || {
        let output =
            std::process::Command::new("df").args(["--output=avail", "-B1"]).arg(disk.path()).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        text.lines().last().unwrap().trim().parse::<u64>().unwrap()
    };
    // nearly full: no more files, everything else goes on
    let filler = disk.path().join("filler");
    std::fs::write(&filler, vec![1; usize::try_from(free() - (6 << 20)).unwrap()]).unwrap();
    let answer = member
        .post_multipart("/manager/photos", support::photo_form(vec![("二.jpg", jpeg(640, 480, 2))]))
        .await;
    assert_eq!(answer.status(), StatusCode::INSUFFICIENT_STORAGE);
    assert!(answer.text().await.unwrap().contains("存储空间快满了"));
    let metadata = [("tus-resumable", "1.0.0"), ("upload-length", "1000000"), ("upload-metadata", "")];
    let answer = member.try_send("POST", "/manager/uploads", &metadata, Vec::new()).await.unwrap();
    assert_eq!(answer.status(), StatusCode::INSUFFICIENT_STORAGE);
    assert_eq!(rename("中".into()).await, StatusCode::SEE_OTHER);
    assert_eq!(member.get("/readyz").await.status(), StatusCode::OK);
    // full to the last byte
    let rest = disk.path().join("rest");
    let mut last = std::fs::File::create(&rest).unwrap();
    while last.write_all(&[1; 4096]).is_ok() {}
    drop(last);
    let mut refused = 0;
    let mut kept = "中".to_owned();
    // a name takes the place of another one; a book needs room, of which the database's log may have some left from before
    let book = || {
        let book = reqwest::multipart::Form::new().text("format", "square-210").text("theme", "calm");
        book.text("blank", "1").text("title", "满")
    };
    for round in 0..5_000 {
        if refused >= 20 {
            break;
        }
        let made = member.post_multipart("/manager/make_ebook", book()).await.status();
        if made != StatusCode::SEE_OTHER {
            assert!(made.is_server_error(), "{made}");
            refused += 1;
        }
        let name = format!("满 {round}");
        match rename(name.clone()).await {
            StatusCode::SEE_OTHER => kept = name,
            status => {
                assert!(status.is_server_error(), "{status}");
                refused += 1;
            }
        }
    }
    assert!(refused > 0, "nothing was refused");
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(member.get("/readyz").await.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(member.library().await, photos, "reading goes on");
    // room again
    std::fs::remove_file(&rest).unwrap();
    std::fs::remove_file(&filler).unwrap();
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert_eq!(member.get("/readyz").await.status(), StatusCode::OK);
    let names = server.column("select name from members").await;
    assert_eq!(names, [kept], "what was acknowledged, and nothing else");
    for round in 0..20 {
        assert_eq!(rename(format!("后 {round}")).await, StatusCode::SEE_OTHER);
    }
    assert_eq!(server.column("select name from members").await, ["后 19"], "another program sees it");
    drop(server);
}

/// Programs that start on the same empty database at the same moment.
async fn together(server: &Server) {
    let outputs = (0..6).map(|_| {
        let folder = server.folder.path().join("fresh");
        std::fs::create_dir_all(&folder).unwrap();
        let database = match server.engine {
            Engine::Sqlite => format!("sqlite:{}", folder.join("fresh.db").display()),
            Engine::Postgres => server.database_url.clone(),
        };
        let mut command = std::process::Command::new(support::program());
        command.env("BINDERY_DATA", &folder).env("BINDERY_DATABASE_URL", database).arg("migrate");
        tokio::task::spawn_blocking(move || command.output().unwrap())
    });
    let outputs: Vec<_> = outputs.collect();
    for output in outputs {
        let output = output.await.unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

async fn programs_that_start_at_once_wait_for_each_other(mut server: Server) {
    if server.engine == Engine::Postgres {
        server.emptied().await;
    }
    together(&server).await;
}

mod at_once {
    use support::on_both_engines;

    use super::programs_that_start_at_once_wait_for_each_other;
    on_both_engines!(programs_that_start_at_once_wait_for_each_other);
}
