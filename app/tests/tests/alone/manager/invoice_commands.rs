//! `bindery invoice`: what the operator does, and can do twice.

use support::invoices::{ask, paid_order};
use support::invoices::{fails, issue, pdf, succeeds, try_issue};
use support::{Server, on_both_engines};

on_both_engines!(
    issuing_twice_issues_once,
    operators_at_once_agree;
    on_sqlite:
    what_is_no_invoice_is_not_attached,
    every_step_is_noted_once,
);

async fn issuing_twice_issues_once(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let id = ask(&member, &paid_order(&member).await).await;
    let listed = succeeds(server.run(&["invoice", "list", "--state", "requested"]));
    assert!(listed.contains(&id) && listed.contains("申请中") && listed.contains("个人 林知夏"), "{listed}");
    let (first, second) = (pdf("first"), pdf("second"));
    assert!(issue(&server, &id, &first, &["--number", "12345678"]).contains("Issued"));
    assert!(issue(&server, &id, &first, &[]).contains("before"));
    assert!(issue(&server, &id, &first, &["--number", "12345678"]).contains("before"));
    for (file, more) in [(&second, &[][..]), (&first, &["--number", "87654321"])] {
        assert!(fails(try_issue(&server, &id, file, more)).contains("--replace"));
    }
    let file = format!("/manager/invoice/{id}/file");
    assert_eq!(member.get(&file).await.bytes().await.unwrap(), first);
    assert!(issue(&server, &id, &second, &["--replace"]).contains("Issued"));
    assert!(issue(&server, &id, &second, &["--replace"]).contains("before"));
    assert_eq!(member.get(&file).await.bytes().await.unwrap(), second);
    assert_eq!(server.read("select number from invoices").await, "12345678", "the number stays");
    assert!(succeeds(server.run(&["invoice", "list", "--state", "requested"])).contains("no such invoice"));
    let listed = succeeds(server.run(&["invoice", "list"]));
    assert!(listed.contains("已开票") && listed.contains("no. 12345678"), "{listed}");
    // the first one and the replacement
    assert_eq!(server.outbox().matches("发票已开好").count(), 4, "subject and text of each");
}

async fn what_is_no_invoice_is_not_attached(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let id = ask(&member, &paid_order(&member).await).await;
    let good = pdf("good");
    let large = [&good[..], &vec![b' '; 10 * 1024 * 1024]].concat();
    for (file, reason) in [
        (&b""[..], "no PDF"),
        (b"<html>", "no PDF"),
        (b"%PDF-1.7 and nothing else", "no PDF"),
        (&good[..good.len() / 2], "no PDF"),
        (&large, "11 MB"),
    ] {
        assert!(fails(try_issue(&server, &id, file, &[])).contains(reason), "{reason}");
    }
    for (more, reason) in [
        (&["--number", "12a"][..], "digits"),
        (&["--number", ""], "digits"),
        (&["--amount", "0.01"], "not ¥0.01"),
        (&["--amount", "one"], "金额格式不正确"),
    ] {
        let said = fails(try_issue(&server, &id, &good, more));
        assert!(said.contains(reason), "{said}");
    }
    assert!(
        fails(try_issue(&server, "01k00000000000000000000000", &good, &[])).contains("there is no invoice")
    );
    assert!(fails(server.run(&["invoice", "issue", &id, "/nowhere.pdf"])).contains("/nowhere.pdf"));
    for reason in ["", " ", "两\n行", "\u{1b}[31m", &"长".repeat(201)] {
        assert!(
            fails(server.run(&["invoice", "reject", &id, "--reason", reason]))
                .contains("a reason is one line")
        );
    }
    assert!(fails(server.run(&["invoice", "void", &id, "--reason", "x"])).contains("申请中"));
    assert!(fails(server.run(&["invoice", "list", "--state", "open"])).contains("no invoice state"));
    assert_eq!(server.column("select state from invoices").await, ["requested"]);
    let amount = server.read("select cast(amount as text) from invoices").await;
    let yuan = format!("{}.{}", &amount[..amount.len() - 2], &amount[amount.len() - 2..]);
    issue(&server, &id, &good, &["--amount", &yuan]);
    assert!(fails(server.run(&["invoice", "reject", &id, "--reason", "x"])).contains("已开票"));
}

async fn every_step_is_noted_once(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let rejected = ask(&member, &order).await;
    for _ in 0..2 {
        succeeds(server.run(&["invoice", "reject", &rejected, "--reason", "抬头有误。"]));
    }
    let voided = ask(&member, &order).await;
    for _ in 0..2 {
        issue(&server, &voided, &pdf("x"), &[]);
    }
    for _ in 0..2 {
        succeeds(server.run(&["invoice", "void", &voided, "--reason", "重开"]));
    }
    assert!(fails(try_issue(&server, &voided, &pdf("x"), &[])).contains("已作废"));
    let noted = server.column("select action || ' ' || subject from audit_log order by id").await;
    let expected = [("reject", &rejected), ("issue", &voided), ("void", &voided)];
    assert_eq!(noted, expected.map(|(action, id)| format!("invoice {action} {id}")));
    let outbox = server.outbox();
    assert!(outbox.contains("没有通过：抬头有误。登录后"), "{outbox}");
    assert_eq!(outbox.matches("【书坊】").count(), 3, "the member is told once of each");
}

async fn operators_at_once_agree(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let id = ask(&member, &paid_order(&member).await).await;
    let (server, file) = (std::sync::Arc::new(server), pdf("one"));
    let issuing: Vec<_> = (0..6)
        .map(|number| {
            let (server, id, file) = (server.clone(), id.clone(), file.clone());
            tokio::task::spawn_blocking(move || {
                if number % 2 == 0 {
                    try_issue(&server, &id, &file, &[]).status.success()
                } else {
                    server.run(&["invoice", "reject", &id, "--reason", "x"]).status.success()
                }
            })
        })
        .collect();
    let mut worked = Vec::new();
    for task in issuing {
        worked.push(task.await.unwrap());
    }
    let state = server.read("select state from invoices").await;
    let issued = state == "issued";
    assert_eq!(worked, [issued, !issued, issued, !issued, issued, !issued], "{state}");
    assert_eq!(server.column("select id from audit_log").await.len(), 1);
}
