//! The commands: plain sentences, and a reason when they fail.

use crate::support::{Server, on_both_engines};

on_both_engines!(members_are_added_once, the_demo_fills_an_empty_database, commands_explain_themselves);

async fn members_are_added_once(server: Server) {
    let add = |account: &str, password: &str, more: &[&str]| {
        let mut arguments = vec!["member", "add", "--account", account, "--password", password];
        arguments.extend(more);
        server.run(&arguments)
    };
    let good = add("One@Example.com", "long enough", &["--tier", "企业高级版", "--balance", "100.00"]);
    assert!(good.status.success());
    for (account, password, more, reason) in [
        ("one@example.com", "long enough", &[][..], "已经存在"),
        ("not-an-account", "long enough", &[], "手机号码或电子邮箱"),
        ("two@example.com", "short", &[], "至少 8 个字符"),
        ("two@example.com", "long enough", &["--balance=-1"], "below zero"),
        ("two@example.com", "long enough", &["--balance", "1.234"], "金额格式不正确"),
        ("two@example.com", "long enough", &["--tier", "金卡"], "没有这个会员等级"),
    ] {
        let output = add(account, password, more);
        assert!(!output.status.success(), "{account} {more:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(reason), "{said}");
    }
    let visitor = server.visitor();
    visitor.sign_in("one@example.com", "long enough").await;
    assert_eq!(visitor.balance().await, "100.00");
    assert!(visitor.page("/manager/order").await.contains("企业高级版"));
}

async fn the_demo_fills_an_empty_database(server: Server) {
    let start = std::time::Instant::now();
    let output = server.run(&["demo"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    println!("the demo took {:?}", start.elapsed());
    let member = server.visitor();
    member.sign_in("demo@example.com", "bindery-demo").await;
    let cart = member.page("/manager/shopping/cart").await;
    let goods = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/goods")).unwrap().count();
    assert_eq!(cart.matches("name=\"line\"").count(), goods, "one line of every goods");
    for word in ["骑马钉", "布艺", "超级会员"] {
        assert!(cart.contains(word), "{word}");
    }
    let again = server.run(&["demo"]);
    assert!(!again.status.success());
}

async fn commands_explain_themselves(server: Server) {
    for command in [&["serve"][..], &["migrate"], &["demo"], &["member", "add"], &["order", "export"]] {
        let mut arguments = command.to_vec();
        arguments.push("--help");
        let output = server.run(&arguments);
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stdout).contains("Usage:"));
    }
    assert!(server.run(&["migrate"]).status.success());
    assert!(!server.run(&["nonsense"]).status.success());
}
