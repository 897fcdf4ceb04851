//! /manager/book-shelf and /shelf/{name}: shelves of what a member publishes.

use reqwest::StatusCode;
use serde_json::Value;

use support::shelves::{make, maker};
use support::{Server, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    a_shelf_is_reported_and_withdrawn,
);

async fn a_shelf_is_reported_and_withdrawn(server: Server) {
    let (maker, _) = maker(&server, "maker@example.com", &[]).await;
    make(&maker, "hills", "山野", &[]).await;
    let reader = server.visitor();
    let report = "/shelf/%E5%B1%B1%E9%87%8E/report";
    let answer = reader.post(report, &[("words", "名字不对")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("名字不对"));
    let fields = [("reason", "copyright"), ("words", "名字不对")];
    assert_eq!(location(&reader.post(report, &fields).await), format!("{report}?sent=1"));
    let printed = String::from_utf8(server.run(&["report", "list"]).stdout).unwrap();
    assert!(printed.contains("/shelf/%E5%B1%B1%E9%87%8E 山野书屋"), "{printed}");
    assert!(server.run(&["shelf", "withdraw", "山野", "--reason", "侵权"]).status.success());
    assert_eq!(reader.get("/shelf/%E5%B1%B1%E9%87%8E").await.status(), StatusCode::GONE);
    assert!(!reader.page("/sitemap.xml").await.contains("/shelf/"));
    assert!(maker.page("/manager/book-shelf/hills").await.contains("已被下架（侵权）"));
    let listed: Value = serde_json::from_slice(&server.run(&["shelf", "list", "--json"]).stdout).unwrap();
    assert_eq!(listed[0]["state"], "withdrawn");
    assert!(server.run(&["shelf", "allow", "山野"]).status.success());
    assert_eq!(reader.get("/shelf/%E5%B1%B1%E9%87%8E").await.status(), StatusCode::OK);
}
