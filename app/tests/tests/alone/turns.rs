//! Nobody keeps the others waiting, however much one asks for.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use reqwest::StatusCode;

use support::selling::{codes, package, redeem, seller};
use support::wait::{eventually, until};
use support::{Server, between, on_both_engines};

on_both_engines!(
    whoever_leaves_gives_the_turn_up,
    a_large_batch_is_written_in_slices;
    on_sqlite:
    more_than_one_may_have_waiting_is_refused,
);

/// Requests of one member at a time, of what takes longest.
const AT_ONCE: usize = 24;
/// Of which so many are at work.
const TURNS: usize = 3;

/// A form as it goes over the wire.
fn wire(path: &str, cookie: &str, fields: &str) -> Vec<u8> {
    let kind = "application/x-www-form-urlencoded";
    let length = fields.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: books.example\r\nCookie: {cookie}\r\nContent-Type: {kind}\r\n\
         Content-Length: {length}\r\n\r\n{fields}"
    )
    .into_bytes()
}

fn sent(server: &Server, request: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(server.base.trim_start_matches("http://")).unwrap();
    stream.write_all(request).unwrap();
    stream
}

/// A seller's largest batches, each from a form of its own.
async fn batches(server: &Server) -> Vec<Vec<u8>> {
    let (caller, works) = seller(server, "seller@example.com").await;
    let cookie = caller.cookie("seller@example.com").await;
    let package = package(&caller, &works, "全年", "12", ("months", "1")).await;
    let mut requests = Vec::new();
    for _ in 0..AT_ONCE {
        let page = caller.page("/manager/epaper_code/new").await;
        let id = between(&page, "name=\"batch\" value=\"", "\"");
        let fields = format!("batch={id}&package={package}&codes=20000&active=1");
        requests.push(wire("/manager/epaper_code/new", &cookie, &fields));
    }
    requests
}

async fn whoever_leaves_gives_the_turn_up(server: Server) {
    let requests = batches(&server).await;
    let other = server.member("other@example.com", "0").await;
    let held = server.hold("code_batches").await;
    let streams: Vec<_> = requests.iter().map(|request| sent(&server, request)).collect();
    // all have come, and none is written yet
    tokio::time::sleep(Duration::from_millis(500)).await;
    for stream in &streams {
        stream.shutdown(Shutdown::Both).unwrap();
    }
    assert_eq!(
        other.get("/manager/opus_list/all").await.status(),
        StatusCode::OK,
        "reading waits for nobody"
    );
    tokio::time::sleep(Duration::from_millis(500)).await;
    drop(held);
    // what had its turn is carried to its end, and nothing else is begun
    until("a batch is made", async || {
        server.read("select cast(count(*) as text) from code_batches").await != "0"
    })
    .await;
    let address = [
        ("receiver", "林"),
        ("phone", "13800138000"),
        ("province", "浙江省"),
        ("city", "杭州市"),
        ("district", "西湖区"),
        ("street", "龙井路 1 号"),
    ];
    let answer = other.post("/manager/userInfo/addresses/new", &address).await;
    assert!(answer.status().is_redirection(), "{}", answer.status());
    eventually(&server, "select cast(count(*) as text) from jobs where kind = 'write_codes'", "0").await;
    let made: usize = server.read("select cast(count(*) as text) from code_batches").await.parse().unwrap();
    assert!(made <= TURNS, "{made} of {AT_ONCE} were made for nobody");
    let codes = "select cast(count(*) as text) from redeem_codes";
    assert_eq!(server.read(codes).await, (made * 20_000).to_string());
}

async fn more_than_one_may_have_waiting_is_refused(server: Server) {
    let requests = batches(&server).await;
    let cookie = server.visitor().cookie("seller@example.com").await;
    let other = server.member("other@example.com", "0").await;
    let held = server.hold("code_batches").await;
    let working: Vec<_> = requests.iter().take(TURNS).map(|request| sent(&server, request)).collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    // each is nearly all that a form may be, and they wait for those
    let long = wire("/manager/userInfo/contact", &cookie, &format!("contact={}", "a".repeat(1_900_000)));
    let waiting: Vec<_> = (0..AT_ONCE).map(|_| sent(&server, &long)).collect();
    let mut refused = 0;
    for mut stream in waiting {
        stream.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        let mut start = [0; 12];
        if stream.read_exact(&mut start).is_ok() {
            assert_eq!(&start, b"HTTP/1.1 429");
            refused += 1;
        }
    }
    assert!(refused > 0 && refused < AT_ONCE, "{refused}");
    assert_eq!(other.get("/manager/opus_list/all").await.status(), StatusCode::OK, "nobody else is");
    drop((held, working));
}

async fn a_large_batch_is_written_in_slices(server: Server) {
    let (caller, works) = seller(&server, "seller@example.com").await;
    let package = package(&caller, &works, "全年", "12", ("months", "1")).await;
    let page = caller.page("/manager/epaper_code/new").await;
    let batch = between(&page, "name=\"batch\" value=\"", "\"");
    let own = format!("/manager/epaper_code/{batch}");
    let fields = [("batch", &*batch), ("package", &*package), ("codes", "5000"), ("active", "1")];
    caller.post("/manager/epaper_code/new", &fields).await;
    eventually(&server, "select cast(sum(unwritten) as text) from code_batches", "0").await;
    let all = codes(&caller, &batch).await;
    assert_eq!(all.len(), 5_000);
    let reader = server.member("reader@example.com", "0").await;
    assert_eq!(redeem(&reader, &all[4_999]).await.0, StatusCode::OK, "the last one counts, too");
    // while some are still to come nobody takes the file away
    server.sql("update code_batches set unwritten = 1000").await;
    let page = caller.page(&own).await;
    assert!(page.contains("5000 个里已写好 4000 个") && !page.contains("下载 CSV"), "{page}");
    let answer = caller.post(&format!("{own}/codes.csv"), &[]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    // and nobody has more open codes than a seller may; one is redeemed
    server.sql("update code_batches set unwritten = 0, codes = 999997").await;
    let page = caller.page("/manager/epaper_code/new").await;
    let second = between(&page, "name=\"batch\" value=\"", "\"");
    let fields = |codes| [("batch", &*second), ("package", &*package), ("codes", codes)];
    let answer = caller.post("/manager/epaper_code/new", &fields("5")).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("还能兑换的码不能超过 1000000 个"));
    let answer = caller.post("/manager/epaper_code/new", &fields("4")).await;
    assert!(answer.status().is_redirection());
}
