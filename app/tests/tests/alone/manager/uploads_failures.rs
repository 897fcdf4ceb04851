//! /manager/uploads when lines break, servers die and two send at once.

use std::io::Write;
use std::net::TcpStream;
use std::path::PathBuf;

use reqwest::StatusCode;

use support::uploads::{MIB, assert_kept, begin, noise, patch, pieces, position, reason, storage, tus};
use support::wait::{carried_out, until};
use support::{Caller, PASSWORD, Server, jpeg, on_both_engines};

on_both_engines!(
    a_broken_line_keeps_every_byte_that_came,
    a_killed_server_goes_on_where_it_stood,
    requests_at_once_on_two_servers_do_not_mix;
    on_sqlite:
    a_whole_file_becomes_a_photo_though_the_server_failed_then,
    what_nobody_goes_on_with_is_forgotten,
);

/// A PATCH that is sent by hand, so that it can stop anywhere.
async fn dripping(
    server: &Server,
    token: &str,
    place: &str,
    offset: usize,
    whole: &[u8],
    sent: usize,
) -> TcpStream {
    let address = server.base.trim_start_matches("http://").to_owned();
    let head = format!(
        "PATCH {place} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {token}\r\nTus-Resumable: 1.0.0\r\n\
         Content-Type: application/offset+octet-stream\r\nUpload-Offset: {offset}\r\nContent-Length: {}\r\n\r\n",
        whole.len() - offset
    );
    let part = whole[offset..sent].to_vec();
    tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&part).unwrap();
        stream
    })
    .await
    .unwrap()
}

async fn token(server: &Server, account: &str) -> String {
    let answer =
        server.visitor().post("/user-center/login", &[("account", account), ("password", PASSWORD)]).await;
    let answer: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    answer["token"].as_str().unwrap().to_owned()
}

/// Waits until an upload stands at least there.
async fn reaches(member: &Caller, place: &str, least: usize) {
    until(&format!("the upload comes to {least}"), async || position(member, place).await >= least).await;
}

async fn a_broken_line_keeps_every_byte_that_came(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let token = token(&server, "maker@example.com").await;
    let photo = noise(1600, 1200, 1);
    let place = begin(&member, "一.jpg", &photo).await;
    let mut at = 0;
    // odd places, within pieces and across them
    for part in [1, 1000, 700_001, 90_000] {
        drop(dripping(&server, &token, &place, at, &photo, at + part).await);
        at += part;
        reaches(&member, &place, at).await;
        assert_eq!(position(&member, &place).await, at, "nothing is lost, nothing comes twice");
    }
    assert_eq!(patch(&member, &place, at, &photo[at..]).await.status(), StatusCode::NO_CONTENT);
    assert_kept(&server, &photo);
}

async fn a_killed_server_goes_on_where_it_stood(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let token = token(&server, "maker@example.com").await;
    let photo = noise(2000, 1500, 1);
    assert!(photo.len() > 2 * MIB, "{}", photo.len());
    let place = begin(&member, "一.jpg", &photo).await;
    let mut at = 0;
    for target in [MIB, 2 * MIB] {
        // the last part of a piece is on its way when the server dies
        let stream = dripping(&server, &token, &place, at, &photo, target + 1000).await;
        reaches(&member.at(&server.base), &place, target - 512 * 1024).await;
        server.kill();
        drop(stream);
        server.restart();
        let stands = position(&member.at(&server.base), &place).await;
        assert!(stands >= target - 512 * 1024, "{stands} of {target} are left");
        at = stands;
    }
    let member = member.at(&server.base);
    assert_eq!(patch(&member, &place, at, &photo[at..]).await.status(), StatusCode::NO_CONTENT);
    assert_eq!(member.library().await.len(), 1);
    assert_kept(&server, &photo);
}

async fn a_whole_file_becomes_a_photo_though_the_server_failed_then(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let originals = storage(&server).join("originals");
    // originals can't be kept for a while
    std::fs::write(&originals, b"in the way").unwrap();
    let mut places = Vec::new();
    for seed in 1..=2 {
        let photo = jpeg(300, 200, seed);
        let place = begin(&member, "一.jpg", &photo).await;
        let answer = patch(&member, &place, 0, &photo).await;
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(reason(answer).await, "请求失败");
        places.push(place);
    }
    assert!(member.library().await.is_empty());
    std::fs::remove_file(&originals).unwrap();
    // whoever asks finds it done
    assert_eq!(position(&member, &places[0]).await, jpeg(300, 200, 1).len());
    assert_eq!(member.library().await.len(), 1);
    // nobody asks: the job does it
    carried_out(&server, &["take_upload"]).await;
    assert_eq!(member.library().await.len(), 2);
    assert_kept(&server, &jpeg(300, 200, 2));
    assert_eq!(pieces(&server), Vec::<PathBuf>::new());
}

async fn requests_at_once_on_two_servers_do_not_mix(server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let elsewhere = server.another();
    let photo = noise(1600, 1200, 1);
    let place = begin(&member, "一.jpg", &photo).await;
    let senders: Vec<_> = (0..8)
        .map(|n| {
            let caller = if n % 2 == 0 { member.clone() } else { member.at(&elsewhere.base) };
            let (place, photo) = (place.clone(), photo.clone());
            tokio::spawn(async move {
                let head = [
                    ("tus-resumable", "1.0.0"),
                    ("upload-offset", "0"),
                    ("content-type", "application/offset+octet-stream"),
                ];
                // one that lost may find the line closed before it has sent everything
                let answer = caller.try_send("PATCH", &place, &head, photo).await;
                answer.map_or(409, |answer| answer.status().as_u16())
            })
        })
        .collect();
    let mut answers = Vec::new();
    for sender in senders {
        answers.push(sender.await.unwrap());
    }
    // the others are told to ask again: the upload is somebody's, or stands elsewhere
    assert_eq!(answers.iter().filter(|status| **status == 204).count(), 1, "{answers:?}");
    assert!(answers.iter().all(|status| [204, 409, 423].contains(status)), "{answers:?}");
    assert_eq!(member.library().await.len(), 1);
    assert_kept(&server, &photo);
    assert_eq!(pieces(&server), Vec::<PathBuf>::new());
}

async fn what_nobody_goes_on_with_is_forgotten(mut server: Server) {
    let member = server.member("maker@example.com", "0").await;
    let photo = noise(1200, 900, 1);
    let place = begin(&member, "一.jpg", &photo).await;
    let fresh = begin(&member, "二.jpg", &photo).await;
    patch(&member, &place, 0, &photo[..1000]).await;
    patch(&member, &fresh, 0, &photo[..1000]).await;
    let id = place.rsplit('/').next().unwrap();
    server.sql(&format!("update uploads set expires_at = 1 where id = '{id}'")).await;
    assert_eq!(tus(&member, "HEAD", &place, &[], b"").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(patch(&member, &place, 1000, &photo[1000..]).await.status(), StatusCode::NOT_FOUND);
    // once an hour, and at the start
    server.kill();
    server.restart();
    until("one upload is left", async || server.column("select id from uploads").await.len() == 1).await;
    until("and its piece", async || pieces(&server).len() == 1).await;
    assert_eq!(pieces(&server), [PathBuf::from(fresh.rsplit('/').next().unwrap())]);
    assert_eq!(server.column("select id from uploads").await, [fresh.rsplit('/').next().unwrap()]);
    assert_eq!(position(&member.at(&server.base), &fresh).await, 1000);
}
