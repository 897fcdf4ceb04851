//! Doors that hold: who may try how often, what a request must look like, how many may be connected.

use std::io::{Read, Write};
use std::net::TcpStream;

use reqwest::StatusCode;

use support::{Server, between, jpeg, on_both_engines, photo_form};

on_both_engines!(
    what_the_framework_refuses_is_a_page_of_ours,
    every_login_session_has_another_id,
    a_full_room_is_full_for_forms_sent_at_once;
    on_sqlite:
    a_request_names_one_host,
    what_is_no_http_ends_its_own_connection,
    an_order_without_the_total_that_was_seen_is_refused,
    the_page_count_of_a_cart_must_be_a_number,
    a_photo_of_the_year_9999_is_a_photo,
);

async fn what_the_framework_refuses_is_a_page_of_ours(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let shown = |answer: reqwest::Response, status: StatusCode| async move {
        assert_eq!(answer.status(), status);
        assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/html"));
        let page = answer.text().await.unwrap();
        assert!(page.contains("<h1>") && page.contains("书坊"), "{page}");
        page
    };
    let long = "x".repeat(3 << 20);
    let kind = [("content-type", "application/x-www-form-urlencoded")];
    let answer =
        member.post_with_headers("/manager/userInfo/addresses/new", &kind, &format!("street={long}")).await;
    let page = shown(answer, StatusCode::PAYLOAD_TOO_LARGE).await;
    assert!(page.contains("填的内容还在"), "{page}");
    let answer = member
        .post_with_headers("/manager/userInfo/addresses/new", &[("content-type", "text/csv")], "a,b")
        .await;
    shown(answer, StatusCode::UNSUPPORTED_MEDIA_TYPE).await;
    let answer = member.get("/manager/opus/%ff/page/1/320").await;
    assert!(answer.status().is_client_error());
    shown(member.get("/manager/opus/%ff/page/1/320").await, answer.status()).await;
}

async fn a_request_names_one_host(server: Server) {
    let ask = |head: &'static str| {
        let address = server.address();
        tokio::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(head.as_bytes()).unwrap();
            let mut answer = [0; 12];
            stream.read_exact(&mut answer).unwrap();
            String::from_utf8_lossy(&answer).into_owned()
        })
    };
    assert_eq!(ask("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").await.unwrap(), "HTTP/1.1 200");
    assert_eq!(ask("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").await.unwrap(), "HTTP/1.1 400");
    assert_eq!(ask("GET /healthz HTTP/1.1\r\n\r\n").await.unwrap(), "HTTP/1.1 400");
}

/// RFC 9112: what a server must not take, and what it should not wait for.
async fn what_is_no_http_ends_its_own_connection(server: Server) {
    let long = format!("GET /healthz HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "x".repeat(2 << 20));
    let many = format!("GET /healthz HTTP/1.1\r\nHost: a\r\n{}\r\n", "X: y\r\n".repeat(20_000));
    let post = "POST /user-center/userIsLogin3 HTTP/1.1\r\nHost: a\r\n";
    let second = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    let mut wrong: Vec<Vec<u8>> = vec![
        vec![0; 64 << 10],
        (0..=255).cycle().take(64 << 10).collect(),
        // TLS to a port without it
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(50),
        b"GET /healthz\r\n\r\n".to_vec(),
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nNo colon\r\n\r\n".to_vec(),
        b"GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n".to_vec(),
        long.into_bytes(),
        many.into_bytes(),
        format!("{post}Content-Length: -1\r\n\r\n").into_bytes(),
        format!("{post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy").into_bytes(),
        format!("{post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{second}").into_bytes(),
        format!("{post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{second}").into_bytes(),
        format!("{post}Transfer-Encoding: gzip\r\n\r\n{second}").into_bytes(),
    ];
    // a balancer forgives these, and asks as it should have been asked
    if !server.is_balanced() {
        wrong.push(b"GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n".to_vec());
        wrong.push(b"GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n".to_vec());
    }
    for bytes in wrong {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(60)]).into_owned();
        let answer = answered(&server, bytes).await;
        let is_refused = answer.is_empty()
            || ["HTTP/1.1 4", "HTTP/1.1 5"].iter().any(|refused| answer.starts_with(refused));
        assert!(is_refused, "{shown}: {answer}");
        assert_eq!(
            answer.matches("HTTP/1.").count().min(2),
            usize::from(!answer.is_empty()),
            "{shown}: {answer}"
        );
        assert_eq!(server.visitor().get("/healthz").await.status(), StatusCode::OK, "{shown}");
    }
    // what says its length twice is either refused, or has the length of its chunks and ends its connection (section 6.3)
    let smuggled = format!("{post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{second}");
    let answer = answered(&server, smuggled.into_bytes()).await;
    assert!(!answer.contains("\r\n\r\nok"), "a second request was read out of it: {answer}");
}

/// What comes back for bytes until the connection ends, half a minute at most.
async fn answered(server: &Server, bytes: Vec<u8>) -> String {
    let address = server.address();
    let asked = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
        // it may end before all is sent
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    });
    asked.await.unwrap()
}

async fn an_order_without_the_total_that_was_seen_is_refused(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let mut fields = member.order_form(&line).await;
    fields.retain(|(name, _)| name != "total");
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let answer = member.post(&format!("/manager/shopping/order/{line}"), &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("请核对金额后再提交"));
    assert_eq!(
        server.column(&format!("select id from orders where member_id in {}", server.members())).await,
        Vec::<String>::new()
    );
}

async fn the_page_count_of_a_cart_must_be_a_number(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let info = member.get(&format!("/cart/cartInfo?cartID={line}")).await.text().await.unwrap();
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    let info = &info["data"]["data"];
    let shown = info["buzhou"].as_array().unwrap().iter();
    let shown = shown.filter(|step| step["IsShow"] == "Y" && !step["items"].as_array().unwrap().is_empty());
    let cnums: Vec<&str> = shown.map(|step| step["selCnum"].as_str().unwrap()).collect();
    let cnums = cnums.join("|");
    let goods = info["goods"]["ID"].as_str().unwrap();
    let save = |pages: &'static str| {
        let fields = [
            ("CartID", line.as_str()),
            ("goodsID", goods),
            ("count", "2"),
            ("cnums", cnums.as_str()),
            ("pagesNum", pages),
        ];
        let member = member.clone();
        let fields: Vec<(String, String)> = fields.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec();
        async move {
            let fields: Vec<(&str, &str)> = fields.iter().map(|(a, b)| (&**a, &**b)).collect();
            member.post("/shopping/updateCart", &fields).await.status()
        }
    };
    for pages in ["abc", "-4", "4.5", "99999999"] {
        assert_eq!(save(pages).await, StatusCode::BAD_REQUEST, "{pages}");
    }
    assert_eq!(save("40").await, StatusCode::OK);
    assert_eq!(save("").await, StatusCode::OK);
}

async fn every_login_session_has_another_id(server: Server) {
    let visitor = server.visitor();
    let mut ids = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let answer = visitor.post("/user-center/getThirdLoginInfo", &[("thirdLoginType", "qr")]).await;
        ids.insert(between(&answer.text().await.unwrap(), "\"loginSessionID\":\"", "\""));
    }
    assert_eq!(ids.len(), 20);
}

async fn a_full_room_is_full_for_forms_sent_at_once(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let photo = jpeg(1_000, 800, 1);
    // nearly everything is used: one more fits
    let quota = domain::tier::Tier::Basic.photo_quota();
    let used = quota - photo.len() as u64 * 3 / 2;
    server
        .sql(&format!(
            "insert into photos (id, member_id, sha256, file_name, format, bytes, width, height, orientation, state, created_at)
             select 'p0', id, 'x', 'x.jpg', 'jpg', {used}, 1, 1, 1, 'ready', 1 from members where id in {}",
            server.members()
        ))
        .await;
    let sending = (0..6u8).map(|seed| {
        let member = member.clone();
        let photo = jpeg(1_000, 800, seed + 1);
        tokio::spawn(async move {
            member.post_multipart("/manager/photos", photo_form(vec![("照片.jpg", photo)])).await.status()
        })
    });
    let sending: Vec<_> = sending.collect();
    let mut taken = 0;
    for task in sending {
        taken += usize::from(task.await.unwrap() == StatusCode::SEE_OTHER);
    }
    assert_eq!(taken, 1);
    assert_eq!(
        server.column(&format!("select id from photos where member_id in {}", server.members())).await.len(),
        2
    );
}

/// A JPEG whose camera says when it was taken (EXIF 2.32, DateTimeOriginal).
fn taken_at(moment: &str) -> Vec<u8> {
    let mut tiff = b"II*\0\x08\0\0\0".to_vec();
    // one entry: the Exif IFD behind it
    tiff.extend([1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]);
    tiff.extend([1, 0, 0x03, 0x90, 2, 0, 20, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0]);
    tiff.extend(moment.as_bytes());
    tiff.push(0);
    let mut segment = b"Exif\0\0".to_vec();
    segment.extend(tiff);
    let plain = jpeg(640, 480, 1);
    let length = u16::try_from(segment.len() + 2).unwrap().to_be_bytes();
    [&plain[..2], &[0xff, 0xe1], &length, &segment, &plain[2..]].concat()
}

async fn a_photo_of_the_year_9999_is_a_photo(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let photos = member
        .upload(vec![
            ("一.jpg", taken_at("9999:12:31 23:59:59")),
            ("二.jpg", taken_at("0000:00:00 00:00:00")),
            ("三.jpg", taken_at("2024:02:30 25:61:61")),
        ])
        .await;
    assert!(!photos.is_empty());
    let work = member.album("square-210", "很久以后", &photos).await;
    member.page(&format!("/manager/opus/{work}")).await;
    assert_eq!(member.library().await.len(), 3);
    assert_eq!(member.get(&format!("/manager/opus/{work}/page/1/320")).await.status(), StatusCode::OK);
}
