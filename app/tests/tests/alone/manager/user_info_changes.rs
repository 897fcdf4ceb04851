//! /manager/userInfo/password and /manager/userInfo/contact.

use reqwest::StatusCode;

use support::{PASSWORD, Server, on_both_engines};

on_both_engines!(a_member_from_an_older_version_is_reached_too,);

async fn a_member_from_an_older_version_is_reached_too(server: Server) {
    server.member("reader@example.com", "0").await;
    let backup = server.folder.path().join("backup");
    server.sql("update members set email = null").await;
    assert!(server.run(&["backup", backup.to_str().unwrap()]).status.success());
    let other = Server::start(server.engine).await.unwrap();
    assert!(other.run(&["restore", backup.to_str().unwrap()]).status.success());
    let member = other.visitor();
    assert_eq!(member.sign_in("reader@example.com", PASSWORD).await.status(), StatusCode::SEE_OTHER);
    assert!(member.page("/user-center/getMemberInfo").await.contains(r#""email":"reader@example.com""#));
}
