//! Many photos over a line that keeps breaking, to a server that keeps dying: every one arrives whole, none twice, and
//! hardly a byte is sent again. `BINDERY_STORM=200` sends so many photos, with a cut for every second one and five kills.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use support::uploads::{assert_kept, metadata, noise, sha256};
use support::{Caller, Server, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    every_photo_arrives_whole_and_once,
);

/// What 16 KiB take.
const PACE: Duration = Duration::from_millis(5);

/// A proxy that cuts a connection each time when so many bytes more have come from senders.
struct Proxy {
    /// Where the server is now.
    target: Mutex<String>,
    /// Bytes that senders have sent, heads of requests counted.
    sent: AtomicU64,
    cuts: AtomicU64,
    most_cuts: u64,
    every: u64,
}

impl Proxy {
    async fn start(server: &Server, every: u64, most_cuts: u64) -> (Arc<Self>, String) {
        let proxy = Arc::new(Self {
            target: Mutex::new(server.base.clone()),
            sent: AtomicU64::new(0),
            cuts: AtomicU64::new(0),
            most_cuts,
            every,
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let shared = proxy.clone();
        tokio::spawn(async move {
            while let Ok((sender, _)) = listener.accept().await {
                let proxy = shared.clone();
                tokio::spawn(async move { proxy.carry(sender).await });
            }
        });
        (proxy, base)
    }

    async fn carry(&self, mut sender: TcpStream) -> Option<()> {
        let address = self.target.lock().unwrap().trim_start_matches("http://").to_owned();
        let mut server = TcpStream::connect(address).await.ok()?;
        let (mut from_sender, mut from_server) = (vec![0; 16 * 1024], vec![0; 16 * 1024]);
        loop {
            tokio::select! {
                read = sender.read(&mut from_sender) => {
                    let read = read.ok().filter(|read| *read > 0)?;
                    server.write_all(&from_sender[..read]).await.ok()?;
                    // as fast as a good line: what no line would have on its way is in no buffer either
                    tokio::time::sleep(PACE).await;
                    let sent = self.sent.fetch_add(read as u64, Ordering::Relaxed) + read as u64;
                    let cuts = self.cuts.load(Ordering::Relaxed);
                    let due = cuts < self.most_cuts && sent > (cuts + 1) * self.every;
                    if due && self.cuts.compare_exchange(cuts, cuts + 1, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                        // what was carried so far is still delivered
                        server.shutdown().await.ok()?;
                        return None;
                    }
                }
                read = server.read(&mut from_server) => {
                    let read = read.ok().filter(|read| *read > 0)?;
                    sender.write_all(&from_server[..read]).await.ok()?;
                }
            }
        }
    }
}

/// Sends one photo to its end, asking after each failure where it stands.
async fn send(caller: &Caller, photo: &[u8]) {
    let version = ("tus-resumable", "1.0.0");
    let length = photo.len().to_string();
    let told = metadata("照片.jpg", Some(&sha256(photo)));
    let place = loop {
        let head = [version, ("upload-length", &*length), ("upload-metadata", &told)];
        if let Some(answer) = caller.try_send("POST", "/manager/uploads", &head, Vec::new()).await {
            break answer.headers()["location"].to_str().unwrap().to_owned();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    loop {
        if let Some(answer) = caller.try_send("HEAD", &place, &[version], Vec::new()).await {
            assert!(answer.status().is_success(), "{answer:?}");
            let stands = answer.headers()["upload-offset"].to_str().unwrap().to_owned();
            let rest = photo[stands.parse::<usize>().unwrap()..].to_vec();
            if rest.is_empty() {
                return;
            }
            let head =
                [version, ("upload-offset", &*stands), ("content-type", "application/offset+octet-stream")];
            if caller
                .try_send("PATCH", &place, &head, rest)
                .await
                .is_some_and(|answer| answer.status().is_success())
            {
                return;
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn every_photo_arrives_whole_and_once(mut server: Server) {
    let count: u32 = std::env::var("BINDERY_STORM").map_or(16, |count| count.parse().unwrap());
    let (cuts, kills) = (u64::from(count / 2), if count >= 200 { 5 } else { 2 });
    let member = server.member("maker@example.com", "0").await;
    let photos: Arc<Vec<Vec<u8>>> = Arc::new((1..=count).map(|seed| noise(1600, 1200, seed)).collect());
    let total: u64 = photos.iter().map(|photo| photo.len() as u64).sum();
    let (proxy, base) = Proxy::start(&server, total / (cuts + 1), cuts).await;
    let queue = Arc::new(Mutex::new((0..photos.len()).collect::<VecDeque<_>>()));
    let senders: Vec<_> = (0..3)
        .map(|_| {
            let (caller, photos, queue) = (member.at(&base), photos.clone(), queue.clone());
            tokio::spawn(async move {
                loop {
                    let Some(next) = queue.lock().unwrap().pop_front() else { return };
                    send(&caller, &photos[next]).await;
                }
            })
        })
        .collect();
    for kill in 1..=kills {
        while proxy.sent.load(Ordering::Relaxed) < total * kill / (kills + 1) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server.kill();
        server.restart();
        *proxy.target.lock().unwrap() = server.base.clone();
    }
    for sender in senders {
        sender.await.unwrap();
    }
    let sent = proxy.sent.load(Ordering::Relaxed);
    let again = sent.saturating_sub(total) as f64 * 100.0 / total as f64;
    eprintln!(
        "{count} photos, {total} bytes, {} cuts, {kills} kills: {again:.2} % sent again, heads of requests counted",
        proxy.cuts.load(Ordering::Relaxed)
    );
    for photo in photos.iter() {
        assert_kept(&server, photo);
    }
    let kept = server.column("select sha256 from photos").await;
    assert_eq!(kept.len(), photos.len(), "none is there twice");
    // few photos weigh little against what three senders lose with each kill
    let most = if count >= 200 { 2.0 } else { 8.0 };
    assert!(again < most, "{again} % were sent again");
}
