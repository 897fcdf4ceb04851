//! /staff/exports: lists of the back office as files, as they are filtered, for who may see them.

use std::io::{Cursor, Read};
use std::time::Duration;

use reqwest::{Response, StatusCode};

use crate::gift_cards::buy;
use support::staff::{Clerk, printable};
use support::{Caller, Server, between_all, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    who_may_not_see_a_list_has_no_file_of_it,
    files_are_made_once_and_go_after_three_days,
    a_list_is_had_as_a_file_as_it_is_filtered,
);

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// Asks for a file and fetches it when it is made.
async fn export(clerk: &Caller, fields: &[(&str, &str)]) -> (String, Vec<u8>) {
    let before = addresses(clerk).await;
    assert_eq!(location(&clerk.post("/staff/exports", fields).await), "/staff/exports?said=done");
    for _ in 0..600 {
        let made = addresses(clerk).await.into_iter().find(|address| !before.contains(address));
        if let Some(address) = made {
            let answer = clerk.get(&address).await;
            assert_eq!(answer.status(), StatusCode::OK);
            let disposition = answer.headers()["content-disposition"].to_str().unwrap().to_owned();
            return (disposition, answer.bytes().await.unwrap().to_vec());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("no file of {fields:?}");
}

async fn addresses(clerk: &Caller) -> Vec<String> {
    let page = clerk.page("/staff/exports").await;
    between_all(&page, "href=\"/staff/exports/", "\"")
        .into_iter()
        .map(|id| format!("/staff/exports/{id}"))
        .collect()
}

/// What names a workbook's sheets, and the first of them: both are well-formed XML.
fn cells(xlsx: &[u8]) -> (String, String) {
    let mut archive = zip::ZipArchive::new(Cursor::new(xlsx)).unwrap();
    let mut sheet = String::new();
    archive.by_name("xl/worksheets/sheet1.xml").unwrap().read_to_string(&mut sheet).unwrap();
    let mut book = String::new();
    archive.by_name("xl/workbook.xml").unwrap().read_to_string(&mut book).unwrap();
    roxmltree::Document::parse(&sheet).unwrap();
    (book, sheet)
}

async fn a_list_is_had_as_a_file_as_it_is_filtered(server: Server) {
    let (_, waiting) = printable(&server, "one@example.com").await;
    let (_, begun) = printable(&server, "two@example.com").await;
    let chen = Clerk::sign_in(&server, "chen", &["财务", "印务"]).await.caller;
    chen.post("/staff/orders/start", &[("order", &begun)]).await;
    server
        .sql(&format!("update order_lines set title = '=cmd|''/c calc''!A1' where order_id = '{waiting}'"))
        .await;

    let (name, file) = export(&chen, &[("kind", "orders"), ("format", "csv"), ("view", "paid")]).await;
    assert!(name.contains("orders-") && name.contains(".csv"), "{name}");
    let text = String::from_utf8(file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "a heading, and what is on the list: {text}");
    assert!(text.starts_with('\u{feff}') && lines[0].contains("订单号,状态,内容"), "{text}");
    // 18 digits are no number, and what looks like a formula is none
    assert!(lines[1].starts_with(&format!("{waiting}\t,已付款,")), "{text}");
    assert!(
        lines[1].contains("《=cmd") && lines[1].contains("林知夏") && lines[1].contains("浙江省杭州市西湖区"),
        "{text}"
    );

    let (name, file) = export(&chen, &[("kind", "orders"), ("format", "xlsx"), ("q", &begun)]).await;
    assert!(name.contains(".xlsx") && name.contains("filename*=UTF-8''%E8%AE%A2%E5%8D%95"), "{name}");
    let (book, sheet) = cells(&file);
    assert!(book.contains("name=\"订单\""), "{book}");
    assert!(sheet.contains(&format!("<t>{begun}</t>")), "the number is a text: {sheet}");
    assert!(!sheet.contains(&waiting));

    let (_, file) = export(&chen, &[("kind", "lines"), ("format", "csv")]).await;
    let text = String::from_utf8(file).unwrap();
    assert!(text.contains("'=cmd") && text.contains(&waiting) && text.contains(&begun), "{text}");
    let (_, file) = export(&chen, &[("kind", "sales"), ("format", "csv")]).await;
    let text = String::from_utf8(file).unwrap();
    assert!(
        text.lines().any(|line| line.contains("album-210") && line.contains(",2,2,")),
        "both on a day: {text}"
    );
    let (_, file) = export(&chen, &[("kind", "payments"), ("format", "csv")]).await;
    assert!(String::from_utf8(file).unwrap().starts_with("\u{feff}编号,时间,会员"));
    let (_, file) = export(&chen, &[("kind", "members"), ("format", "csv")]).await;
    let text = String::from_utf8(file).unwrap();
    assert!(text.contains("****@example.com") && !text.contains("one@example.com"), "{text}");
    server.sql("update members set member_code = '01234567' where account = 'one@example.com'").await;
    let (_, file) = export(&chen, &[("kind", "members"), ("format", "csv"), ("q", "01234567")]).await;
    assert!(String::from_utf8(file).unwrap().contains("\r\n01234567\t,"), "a zero in front stays");
    let buyer = server.member("giver@example.com", "100").await;
    let card = buy(&buyer, &[]).await;
    let (_, file) = export(&chen, &[("kind", "gift-cards"), ("format", "csv")]).await;
    let text = String::from_utf8(file).unwrap();
    let card = card.rsplit('/').next().unwrap();
    assert!(text.contains(&format!("\r\n{card},未使用,100.00,100.00,")), "{text}");
    // people read which part of a list a file holds
    let page = chen.page("/staff/exports").await;
    assert!(page.contains(">待开印</span>") && page.contains("“01234567”"), "{page}");
    let audit = String::from_utf8(server.run(&["audit"]).stdout).unwrap();
    assert!(audit.contains("export") && audit.contains("view=paid"), "{audit}");

    assert!(refused(chen.post("/staff/exports", &[]).await).await.contains("请选择导出什么"));
    let nothing = [("kind", "orders"), ("format", "csv"), ("view", "lost")];
    assert_eq!(chen.post("/staff/exports", &nothing).await.status(), StatusCode::NOT_FOUND);
}

async fn who_may_not_see_a_list_has_no_file_of_it(server: Server) {
    printable(&server, "one@example.com").await;
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let li = Clerk::sign_in(&server, "li", &["印务"]).await.caller;
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    let members = [("kind", "members"), ("format", "csv")];
    assert_eq!(wang.post("/staff/exports", &members).await.status(), StatusCode::FORBIDDEN);
    assert!(!wang.page("/staff/exports").await.contains("会员</option>"));
    export(&wang, &[("kind", "orders"), ("format", "csv")]).await;
    let address = addresses(&wang).await.remove(0);
    assert!(addresses(&li).await.is_empty(), "another clerk's is not shown");
    assert_eq!(li.get(&address).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(owner.get(&address).await.status(), StatusCode::OK);
    assert_eq!(wang.get("/staff/exports/x").await.status(), StatusCode::NOT_FOUND);
}

async fn files_are_made_once_and_go_after_three_days(mut server: Server) {
    printable(&server, "one@example.com").await;
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    export(&wang, &[("kind", "orders"), ("format", "xlsx")]).await;
    let address = addresses(&wang).await.remove(0);
    // the job once more, as after a kill: the file stays the one that was counted
    let id = address.rsplit('/').next().unwrap();
    server
        .sql(&format!(
            "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
             values ('again', 'make_export', '{{\"kind\":\"make_export\",\"export\":\"{id}\"}}', 0, 0, 0, 0)"
        ))
        .await;
    let before = wang.get(&address).await.bytes().await.unwrap();
    for _ in 0..200 {
        if server.column("select id from jobs where id = 'again'").await.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(server.column("select id from jobs where id = 'again'").await.is_empty(), "it was tried");
    let made = wang.get(&address).await;
    assert_eq!(made.headers()["cache-control"], "private, no-store");
    assert_eq!(made.bytes().await.unwrap(), before);
    let three_days = 3 * 24 * 60 * 60_000 + 1;
    server.sql(&format!("update exports set asked_at = asked_at - {three_days}")).await;
    server.stop();
    server.restart();
    for _ in 0..200 {
        if server.column("select id from exports").await.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let left = std::fs::read_dir(server.folder.path().join("exports")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "no file is left behind");
}
