//! The commands: plain sentences, and a reason when they fail.

use std::time::Duration;

use reqwest::StatusCode;
use time::OffsetDateTime;

use support::staff::Clerk;
use support::{Engine, PASSWORD, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    ; on_sqlite:
    the_demo_fills_an_empty_database,
    a_demo_that_was_broken_off_is_not_served_as_whole,
    a_damaged_backup_restores_nothing,
    a_backup_restores_everything_on_either_engine,
    members_are_added_once,
    commands_explain_themselves,
);

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
    // a first password that the member changes
    assert!(add("three@example.com", "summer2026", &[]).status.success());
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
    let goods = std::fs::read_dir(support::repository("app/slices/catalog/goods")).unwrap().count();
    assert_eq!(cart.matches("name=\"line\"").count(), goods, "one line of every goods");
    for word in ["骑马钉", "布艺", "超级会员"] {
        assert!(cart.contains(word), "{word}");
    }
    // a shop at work: another member's orders at the stages of production
    let states = "select state || ' ' || cast(count(*) as text) from orders group by state order by state";
    let shop = ["in_production 5", "paid 2", "received 1", "reprint 1", "shipped 1"];
    assert_eq!(server.column(states).await, shop);
    let stages = "select distinct stage from production where stage is not null order by stage";
    assert_eq!(server.column(stages).await, ["binding", "inspection", "prepress", "printing"]);
    let clerk = Clerk::sign_in(&server, "wang", &["站长"]).await.caller;
    for (view, title) in
        [("late", "老城的清晨"), ("held", "等特种纸到货"), ("waiting", "运动会"), ("printing", "沿着海岸线")]
    {
        let page = clerk.page(&format!("/staff/floor?view={view}")).await;
        assert!(page.contains(title), "{view}: {page}");
    }
    // five hours before, by China's clock: that may have been in another month
    let ago = OffsetDateTime::now_utc() + Duration::from_secs((8 - 5) * 60 * 60);
    let month = format!("{:04}-{:02}", ago.year(), u8::from(ago.month()));
    assert!(clerk.page(&format!("/staff/reprints?month={month}")).await.contains("封面在路上划伤"));
    let parcels = "select cast(count(*) as text) from parcels group by order_id order by 1";
    assert_eq!(server.column(parcels).await, ["1", "1", "2"]);
    let check = server.run(&["ledger", "check"]);
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
    let buyer = server.visitor();
    buyer.sign_in("buyer@example.com", "bindery-demo").await;
    assert!(buyer.page("/manager/order").await.contains("老城的清晨"));
    let again = server.run(&["demo"]);
    assert!(!again.status.success());
    assert_eq!(server.column(states).await, shop);
}

async fn a_demo_that_was_broken_off_is_not_served_as_whole(server: Server) {
    let mut making = server.command(&["demo"]).spawn().unwrap();
    let photos = "select cast(count(*) as text) from photos";
    while server.column(photos).await == ["0"] {
        assert!(making.try_wait().unwrap().is_none(), "the demo has photos");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    making.kill().unwrap();
    making.wait().unwrap();
    let output = server.run(&["serve", "--demo"]);
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("broken off") && said.contains("start again"), "{said}");
}

async fn commands_explain_themselves(server: Server) {
    for command in [
        &["serve"][..],
        &["migrate"],
        &["demo"],
        &["member", "add"],
        &["order", "export"],
        &["goods", "import"],
        &["goods", "export"],
        &["invoice", "list"],
        &["invoice", "issue"],
        &["invoice", "reject"],
        &["invoice", "void"],
        &["backup"],
        &["restore"],
        &["outbox"],
    ] {
        let mut arguments = command.to_vec();
        arguments.push("--help");
        let output = server.run(&arguments);
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stdout).contains("Usage:"));
    }
    assert!(server.run(&["migrate"]).status.success());
    assert!(!server.run(&["nonsense"]).status.success());
}

/// A member with a paid order and a line in the cart; answers the order's number.
async fn some_business(server: &Server) -> String {
    let member = server.member("keeper@example.com", "500.00").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    location(&member.post("/manager/shopping/pay", &[("order", &order)]).await);
    member.cart_with_album().await;
    order
}

async fn a_backup_restores_everything_on_either_engine(server: Server) {
    let order = some_business(&server).await;
    server.sql("insert into production_capacity (stage, units) values ('binding', 50)").await;
    let folder = server.folder.path().join("backups").join("first");
    let output = server.run(&["backup", folder.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!server.run(&["backup", folder.to_str().unwrap()]).status.success(), "never over another");
    assert!(!server.run(&["restore", folder.to_str().unwrap()]).status.success(), "never over members");

    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(other) = Server::start(engine).await else { continue };
        // who was let in, and what a clerk had set, before there was a member goes
        let file = other.folder.path().join("bindery.env");
        let (file, url) = (file.to_str().unwrap(), "https://books.example");
        let begun =
            ["setup", "--clerk", "chen", "--public-url", url, "--company", "书坊印刷", "--file", file];
        let output = other.run(&begun);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        other.sql(
            "insert into staff_passkeys (id, staff_id, credential, name, transports, public_key, state, created_at)
             select 'k', id, 'c', '钥匙', 0, 'p', '{}', 0 from staff"
        ).await;
        other.sql("insert into production_capacity (stage, units) values ('binding', 7)").await;
        other.sql("insert into production_closed (day) values ('2027-02-10')").await;
        let output = other.run(&["restore", folder.to_str().unwrap()]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(other.read("select cast(units as text) from production_capacity").await, "50");
        for table in ["production_closed", "staff", "staff_passkeys", "staff_invitations"] {
            let count = other.read(&format!("select cast(count(*) as text) from {table}")).await;
            assert_eq!(count, "0", "{table}");
        }
        let (before, after) = (server.visitor(), other.visitor());
        before.sign_in("keeper@example.com", PASSWORD).await;
        after.sign_in("keeper@example.com", PASSWORD).await;
        // both browsers have the styles of the same pages then
        assert_eq!(before.library().await, after.library().await);
        for photo in after.library().await {
            let picture = after.get(&format!("/manager/photo/{photo}/320")).await;
            assert_eq!(picture.status(), StatusCode::OK, "what can be made again is made again");
        }
        for path in [
            "/manager/photos",
            "/manager/opus_list/all",
            "/manager/shopping/cart",
            "/manager/order",
            &format!("/manager/order/{order}"),
        ] {
            // each login's pages have a mark, and each showing the id of a copy that could be made
            let clean = |page: String| {
                let copies = between_all(&page, "name=\"copy\" value=\"", "\"");
                let own = copies.into_iter().chain([between(&page, "data-here=\"", "\"")]);
                own.fold(page.clone(), |page, own| page.replace(&own, ""))
            };
            assert_eq!(clean(after.page(path).await), clean(before.page(path).await), "{path}");
        }
        let out = other.folder.path().join("print");
        assert!(other.run(&["order", "export", &order, out.to_str().unwrap()]).status.success());
    }
}

async fn a_damaged_backup_restores_nothing(server: Server) {
    some_business(&server).await;
    let folder = server.folder.path().join("backup");
    // what lies around in the storage is nobody's original
    std::fs::write(server.folder.path().join("storage/originals/.tmp-left-behind"), "x").unwrap();
    assert!(server.run(&["backup", folder.to_str().unwrap()]).status.success());
    let other = Server::start(Engine::Sqlite).await.unwrap();
    let restore = || {
        let output = other.run(&["restore", folder.to_str().unwrap()]);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let table = folder.join("tables/ledger_entries.jsonl");
    let whole = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, whole.split_once('\n').unwrap().1).unwrap();
    assert!(restore().contains("ledger_entries"));
    std::fs::write(&table, whole).unwrap();
    let shelf = std::fs::read_dir(folder.join("originals")).unwrap().next().unwrap().unwrap().path();
    let original = std::fs::read_dir(shelf).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(&original).unwrap();
    std::fs::write(&original, &bytes[1..]).unwrap();
    assert!(restore().contains("damaged"));
    std::fs::remove_file(&original).unwrap();
    assert!(restore().contains("not whole"));
    std::fs::remove_file(folder.join("backup.json")).unwrap();
    assert!(restore().contains("no backup"));
    let answer = other.visitor().sign_in("keeper@example.com", PASSWORD).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "not half a member");
}
