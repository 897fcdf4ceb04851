//! /manager/userInfo and /manager/avatar: name, picture, what the tier opens, and the list of logins.

use reqwest::StatusCode;

use support::profile::{PAGE, picture, user};
use support::wait::until;
use support::{Caller, Server, jpeg, location, on_both_engines};

on_both_engines!(
    a_picture_is_the_members_own_and_survives_a_backup;
    on_sqlite:
    a_picture_that_nobody_shows_is_deleted,
);

async fn a_picture_is_the_members_own_and_survives_a_backup(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    member.post_multipart(PAGE, picture("我.jpg", jpeg(300, 300, 1))).await;
    let address = user(&member).await["user_avatar"].as_str().unwrap().to_owned();
    assert_eq!(other.get(&address).await.status(), StatusCode::NOT_FOUND);
    let answer = server.visitor().get(&address).await;
    assert!(location(&answer).starts_with("/manager/login/"));
    let folder = server.folder.path().join("backup");
    assert!(server.run(&["backup", folder.to_str().unwrap()]).status.success());
    let name = address.rsplit('/').next().unwrap();
    assert!(folder.join("avatars").join(&name[..2]).join(name).is_file());
}

/// The file of the picture that a member shows.
async fn file_of(server: &Server, member: &Caller) -> std::path::PathBuf {
    let address = user(member).await["user_avatar"].as_str().unwrap().to_owned();
    let name = address.rsplit('/').next().unwrap();
    server.folder.path().join("storage/avatars").join(&name[..2]).join(name)
}

/// Waits until no job is left.
async fn rest(server: &Server) {
    until("no job is left", async || server.column("select id from jobs").await.is_empty()).await;
}

async fn a_picture_that_nobody_shows_is_deleted(mut server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    for one in [&member, &other] {
        one.post_multipart(PAGE, picture("我.jpg", jpeg(300, 300, 1))).await;
    }
    let same = file_of(&server, &member).await;
    assert_eq!(same, file_of(&server, &other).await);
    member.post_multipart(PAGE, picture("新.jpg", jpeg(300, 300, 2))).await;
    let new = file_of(&server, &member).await;
    rest(&server).await;
    assert!(same.is_file() && new.is_file(), "another member shows it");
    // taken away and shown again before the job's turn, or after it: it is there
    other.post("/manager/userInfo/avatar/removal", &[]).await;
    other.post_multipart(PAGE, picture("我.jpg", jpeg(300, 300, 1))).await;
    rest(&server).await;
    assert!(same.is_file());
    // a program that dies in between does it after its next start
    other.post("/manager/userInfo/avatar/removal", &[]).await;
    server.kill();
    // the time for which a dead program holds its job
    server.sql("update jobs set leased_until = 0").await;
    server.restart();
    rest(&server).await;
    assert!(!same.exists() && new.is_file());
    let folder = server.folder.path().join("backup");
    assert!(server.run(&["backup", folder.to_str().unwrap()]).status.success());
}
