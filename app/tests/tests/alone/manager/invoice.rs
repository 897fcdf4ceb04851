//! /manager/invoice: what a member asks for, and what becomes of it.

use support::invoices::{LIST, ask, issue, paid_order, pdf, succeeds};
use support::{Engine, PASSWORD, Server, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    a_backup_holds_the_files,
);

async fn a_backup_holds_the_files(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let id = ask(&member, &paid_order(&member).await).await;
    let file = pdf("kept");
    issue(&server, &id, &file, &[]);
    let folder = server.folder.path().join("backup");
    succeeds(server.run(&["backup", folder.to_str().unwrap()]));
    let other = Server::start(Engine::Sqlite).await.unwrap();
    succeeds(other.run(&["restore", folder.to_str().unwrap()]));
    let after = other.visitor();
    after.sign_in("buyer@example.com", PASSWORD).await;
    assert_eq!(after.get(&format!("{LIST}/{id}/file")).await.bytes().await.unwrap(), file);
}
