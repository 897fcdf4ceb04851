//! Doors that hold: who may try how often, what a request must look like, how many may be connected.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use reqwest::StatusCode;

use support::{PASSWORD, Server, jpeg, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    files_are_their_owners_alone,
    a_drip_from_one_address_shuts_nobody_out,
    several_forwarded_lines_are_the_last_ones,
);

async fn several_forwarded_lines_are_the_last_ones(mut server: Server) {
    server.member("reader@example.com", "0").await;
    server.kill();
    server.set("BINDERY_TRUST_PROXY", "1");
    server.restart();
    let visitor = server.visitor();
    // what a client sends itself stands before what the proxy adds
    let mut answers = Vec::new();
    for round in 0..45 {
        let own = format!("198.51.100.{round}");
        let proxys = if round % 2 == 0 { "203.0.113.7:4711" } else { "203.0.113.7" };
        let account = format!("account=nobody{round}%40example.com&password=wrong");
        let headers = [
            ("x-forwarded-for", own.as_str()),
            ("x-forwarded-for", proxys),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        answers.push(visitor.post_with_headers("/manager/login", &headers, &account).await.status());
    }
    assert_eq!(answers.last(), Some(&StatusCode::TOO_MANY_REQUESTS), "{answers:?}");
    let headers =
        [("x-forwarded-for", "[2001:db8::7]:4711"), ("content-type", "application/x-www-form-urlencoded")];
    let body = format!("account=reader%40example.com&password={}", PASSWORD.replace(' ', "%20"));
    let answer = visitor.post_with_headers("/manager/login", &headers, &body).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "another address is nobody's trouble");
}

async fn a_drip_from_one_address_shuts_nobody_out(server: Server) {
    let address = server.address();
    let dripping = tokio::task::spawn_blocking(move || {
        let open = |number: usize| {
            let mut stream = TcpStream::connect(&address).ok()?;
            let body = "POST /manager/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx";
            stream
                .write_all(if number.is_multiple_of(2) { body.as_bytes() } else { b"GET / HTTP/1.1\r\n" })
                .ok()?;
            Some(stream)
        };
        (0..1_200).filter_map(open).collect::<Vec<_>>()
    });
    let mut streams = dripping.await.unwrap();
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    // the same address, which has all its places taken by then
    let began = Instant::now();
    for _ in 0..20 {
        assert_eq!(server.visitor().get("/healthz").await.status(), StatusCode::OK);
    }
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    streams.iter_mut().for_each(|stream| drop(stream.write_all(b"y")));
    // a body that hardly comes is not waited for
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let waited = tokio::task::spawn_blocking(move || {
        let began = Instant::now();
        stream
            .write_all(b"POST /manager/login HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
            .unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        let mut byte = [0; 1];
        while began.elapsed() < Duration::from_secs(60) {
            let is_open = stream.write_all(b"z").is_ok();
            let read = stream.read(&mut byte);
            let waits = read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
            if !is_open || !waits {
                break;
            }
        }
        began.elapsed().as_secs()
    });
    let waited = waited.await.unwrap();
    assert!(waited <= 45, "{waited} s");
}

async fn files_are_their_owners_alone(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    member.upload(vec![("一.jpg", jpeg(64, 64, 1))]).await;
    let backup = server.folder.path().join("backup");
    assert!(server.run(&["backup", backup.to_str().unwrap()]).status.success());
    let mut folders = vec![server.folder.path().to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let found = entry.metadata().unwrap();
            assert_eq!(found.permissions().mode() & 0o077, 0, "{}", entry.path().display());
            if found.is_dir() {
                folders.push(entry.path());
            }
        }
    }
}
