//! /manager/order: from payment to completion, what may be asked on the way, and the operator's commands.

use reqwest::StatusCode;

use support::wait::until;
use support::{Caller, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    deadlines_move_orders_by_themselves,
    the_same_is_ordered_once_more_at_todays_price;
    on_sqlite:
    commands_say_what_they_did_and_repeat_nothing,
    print_files_are_made_after_the_hour,
    lists_are_filtered_searched_and_paged,
    an_order_goes_its_way,
);

async fn paid_order(server: &Server) -> (Caller, String) {
    let member = server.member("buyer@example.com", "500").await;
    let line = member.cart_with_album().await;
    let order = member.order(&line).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    (member, order)
}

/// An hour and a minute go by for an order that was paid.
async fn an_hour_later(server: &Server, order: &str) {
    server.sql(&format!("update orders set paid_at = paid_at - 3660000 where id = '{order}'")).await;
}

/// Runs a command that must succeed.
fn command(server: &Server, words: &[&str]) -> String {
    let output = server.run(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs one that must fail, and answers why.
fn refusal(server: &Server, words: &[&str]) -> String {
    let output = server.run(words);
    assert!(!output.status.success(), "{words:?} succeeded");
    String::from_utf8(output.stderr).unwrap()
}

async fn state(server: &Server, order: &str) -> String {
    server.read(&format!("select state from orders where id = '{order}'")).await
}

async fn an_order_goes_its_way(server: Server) {
    let (member, order) = paid_order(&server).await;
    let detail = format!("/manager/order/{order}");
    let paid = member.page(&detail).await;
    assert!(paid.contains("之前可以自行取消"));
    assert!(paid.contains("预计 ") && paid.contains("做好寄出。"), "{paid}");
    // a day that is over is no promise
    server.sql(&format!("update orders set paid_at = paid_at - 5184000000 where id = '{order}'")).await;
    server.sql(&format!("update production set due = due - 5184000000 where order_id = '{order}'")).await;
    assert!(!member.page(&detail).await.contains("做好寄出"));
    server.sql(&format!("update orders set paid_at = paid_at + 5184000000 where id = '{order}'")).await;
    // nothing is received before it is sent, and nobody asks for what it may do itself
    let answer = member.post(&format!("{detail}/receipt"), &[]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    let ask = format!("{detail}/cancellation_request");
    assert_eq!(member.post(&ask, &[("reason", "不要了")]).await.status(), StatusCode::CONFLICT);
    an_hour_later(&server, &order).await;
    let answer = member.post(&format!("{detail}/cancellation"), &[]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(answer.text().await.unwrap().contains("付款已超过 60 分钟"));
    // an empty reason comes back with the page
    let answer = member.post(&ask, &[("reason", "  ")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("请输入取消的原因"));
    let reason = "书名 </textarea><script>alert(1)</script>";
    assert_eq!(location(&member.post(&ask, &[("reason", reason)]).await), detail);
    let page = member.page(&detail).await;
    assert!(page.contains("已申请取消") && !page.contains("<script>alert"));
    // production waits for the answer
    assert!(refusal(&server, &["order", "start", &order]).contains("会员申请了取消"));
    command(&server, &["order", "decline", &order, "--reason", "已排版"]);
    command(&server, &["order", "start", &order]);
    assert_eq!(state(&server, &order).await, "in_production");
    command(&server, &["order", "ship", &order, "--carrier", "中通", "--tracking", "Z1"]);
    let page = member.page(&detail).await;
    assert!(page.contains("中通") && page.contains("确认收货"));
    assert_eq!(location(&member.post(&format!("{detail}/receipt"), &[]).await), detail);
    assert_eq!(location(&member.post(&format!("{detail}/receipt"), &[]).await), detail, "twice is once");
    assert_eq!(state(&server, &order).await, "received");
    let received = server.column("select state from order_events where state = 'received'").await;
    assert_eq!(received.len(), 1);
    // the shop prints it again at its own cost
    command(&server, &["order", "reprint", &order, "--reason", "第 3 页有墨点"]);
    command(&server, &["order", "start", &order]);
    command(&server, &["order", "ship", &order, "--carrier", "中通", "--tracking", "Z2"]);
    let page = member.page(&detail).await;
    assert!(page.contains("第 3 页有墨点") && page.contains("Z2"));
    // a page as it was ordered
    let picture =
        between_all(&page, "src=\"", "\"").into_iter().find(|src| src.contains("/page/2/320")).unwrap();
    assert_eq!(member.get(&picture).await.headers()["content-type"], "image/webp");
    for wrong in ["/page/0/320", "/page/999/320", "/page/2/321"] {
        let address = picture.replace("/page/2/320", wrong);
        assert_eq!(member.get(&address).await.status(), StatusCode::NOT_FOUND, "{address}");
    }
}

async fn deadlines_move_orders_by_themselves(server: Server) {
    let (member, order) = paid_order(&server).await;
    let unpaid = {
        let line = member.cart_with_album().await;
        member.order(&line).await
    };
    // time goes by: what waits since then is due
    let days = |days: i64| days * 24 * 3_600_000;
    let later = async |id: &str, ms: i64| {
        server.sql(&format!("update orders set state_since = state_since - {ms} where id = '{id}'")).await;
        server.sql("update jobs set run_at = 0 where kind = 'order_deadline'").await;
    };
    later(&unpaid, days(7) - 60_000).await;
    settle(&server).await;
    assert_eq!(state(&server, &unpaid).await, "unpaid", "a minute is left");
    // the job looked and went; the next one is queued by hand
    server
        .sql(&format!(
            "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
             values ('again', 'order_deadline', '{{\"kind\":\"order_deadline\",\"order\":\"{unpaid}\"}}', 0, 0, 0, 0)"
        ))
        .await;
    later(&unpaid, 60_000).await;
    settle(&server).await;
    assert_eq!(state(&server, &unpaid).await, "cancelled");
    let answer = member.post("/manager/shopping/pay", &[("order", &unpaid)]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT, "a closed order is not paid");
    an_hour_later(&server, &order).await;
    command(&server, &["order", "start", &order]);
    command(&server, &["order", "ship", &order, "--carrier", "中通", "--tracking", "Z1"]);
    later(&order, days(15)).await;
    settle(&server).await;
    assert_eq!(state(&server, &order).await, "received");
    later(&order, days(7)).await;
    settle(&server).await;
    assert_eq!(state(&server, &order).await, "completed");
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("自动确认收货"));
}

/// Waits until no job is due.
async fn settle(server: &Server) {
    let due = "select id from jobs where run_at <= 1000";
    until("no job is due", async || server.column(due).await.is_empty()).await;
}

async fn the_same_is_ordered_once_more_at_todays_price(server: Server) {
    let (member, order) = paid_order(&server).await;
    let again = format!("/manager/order/{order}/reorder");
    let page = member.page(&again).await;
    let fields = [
        ("request_key", between(&page, "name=\"request_key\" value=\"", "\"")),
        ("address", between(&page, "name=\"address\" value=\"", "\"")),
        ("total", between(&page, "name=\"total\" value=\"", "\"")),
    ];
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, &**value)).collect();
    // the price rises before the form is sent: the member is told, and the frozen order keeps its own
    let body = server.read("select body from goods where id = 'album-210'").await;
    let mut goods: serde_json::Value = serde_json::from_str(&body).unwrap();
    goods["price_book"]["base"] = "88.00".into();
    server.sql(&format!("update goods set body = '{goods}' where id = 'album-210'")).await;
    let answer = member.post(&again, &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("金额已变为"), "{page}");
    let total = between(&page, "name=\"total\" value=\"", "\"");
    let fields: Vec<(&str, &str)> = fields
        .into_iter()
        .map(|(name, value)| (name, if name == "total" { &*total } else { value }))
        .collect();
    let first = location(&member.post(&again, &fields).await);
    assert_eq!(location(&member.post(&again, &fields).await), first, "pressed twice it orders once");
    let new = first.rsplit('=').next().unwrap();
    assert_ne!(new, order);
    let frozen = |id: &str| format!("select document from order_lines where order_id = '{id}'");
    assert_eq!(server.read(&frozen(new)).await, server.read(&frozen(&order)).await);
    // goods that are no longer sold are named
    server.sql("update goods set active = 0").await;
    let answer = member.get(&again).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(answer.text().await.unwrap().contains("已不再出售"));
}

async fn lists_are_filtered_searched_and_paged(server: Server) {
    let (member, order) = paid_order(&server).await;
    let id = server.read("select member_id from orders").await;
    let rows: Vec<String> = (0..45)
        .map(|n| {
            let created = 1_000_000 + n / 3;
            format!("('x{n}', '{id}', 'x{n}', 'unpaid', 1, 1, 2, (select a.address from orders a where a.id = '{order}'), {created}, 1)")
        })
        .collect();
    for row in rows {
        server
            .sql(&format!(
                "insert into orders
                    (id, member_id, request_key, state, goods_total, shipping, total, address, created_at, state_since)
                 values {row}"
            ))
            .await;
    }
    let mut seen = Vec::new();
    let mut place = "/manager/order".to_owned();
    for _ in 0..3 {
        let page = member.page(&place).await;
        seen.extend(between_all(&page, "href=\"/manager/order/", "\""));
        place = page
            .split("rel=\"next\"")
            .next()
            .and_then(|rest| rest.rsplit("href=\"").next())
            .map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"))
            .unwrap();
    }
    assert_eq!(seen.len(), 46, "every order once: {seen:?}");
    assert_eq!(seen[0], order);
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 46);
    let page = member.page("/manager/order?state=making").await;
    assert!(page.contains(&order) && !page.contains("/manager/order/x1\""));
    let page = member.page(&format!("/manager/order?q={}", &order[10..])).await;
    assert!(page.contains(&order) && !page.contains("/manager/order/x1\""));
    let page = member.page("/manager/order?q=%E6%B5%B7%E8%BE%B9").await;
    assert!(page.contains(&order) && !page.contains("/manager/order/x1\""));
    for nothing in ["%25", "_", "'", "\u{5c}"] {
        let page = member.page(&format!("/manager/order?q={nothing}")).await;
        assert!(page.contains("没有符合的订单"), "{nothing}");
    }
    for wrong in ["state=nothing", "after=x", "after=1-"] {
        let answer = member.get(&format!("/manager/order?{wrong}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{wrong}");
    }
}

async fn commands_say_what_they_did_and_repeat_nothing(server: Server) {
    let (member, order) = paid_order(&server).await;
    let balance = member.balance().await;
    let listed = command(&server, &["order", "list", "--state", "paid"]);
    assert!(listed.starts_with(&order), "{listed}");
    assert!(command(&server, &["order", "list", "--state", "shipped"]).contains("no such orders"));
    let shown: serde_json::Value =
        serde_json::from_str(&command(&server, &["order", "show", &order, "--json"])).unwrap();
    assert_eq!((&shown["state"], &shown["lines"][0]["title"]), (&"paid".into(), &"海边的夏天".into()));
    assert!(refusal(&server, &["order", "show", "19990101"]).contains("there is no order"));
    assert!(refusal(&server, &["order", "start", &order]).contains("还不能开始生产"));
    assert!(
        refusal(&server, &["order", "ship", &order, "--carrier", "x", "--tracking", "y"]).contains("不能从")
    );
    let part = ["order", "refund", &order, "--reason", "划痕", "--amount", "1.00", "--key", "c-1"];
    assert!(command(&server, &part).contains("1.00 of"));
    assert!(command(&server, &part).contains("given back before"));
    let mut other = part;
    other[6] = "2.00";
    assert!(refusal(&server, &other).contains("c-1"));
    assert!(
        refusal(&server, &["order", "refund", &order, "--reason", "x", "--amount", "1.00"]).contains("--key")
    );
    for amount in ["0", "-1", "99999999"] {
        let amount = format!("--amount={amount}");
        refusal(&server, &["order", "refund", &order, "--reason", "x", &amount, "--key", "c-2"]);
    }
    for key in ["whole ", "a b", "", "=cancellation"] {
        refusal(&server, &["order", "refund", &order, "--reason", "x", "--amount", "1", "--key", key]);
    }
    assert!(command(&server, &["order", "refund", &order, "--reason", "印坏了"]).contains("已退款"));
    assert!(command(&server, &["order", "refund", &order, "--reason", "印坏了"]).contains("before"));
    assert_eq!(member.balance().await, "500.00");
    assert_ne!(balance, "500.00");
    let audit = command(&server, &["audit", &order]);
    assert_eq!(audit.matches("order refund").count(), 2, "{audit}");
    assert!(command(&server, &["ledger", "check"]).starts_with("The books hold"));
    // a balance that was granted by mistake goes back, once
    let key =
        server.read("select posting_key from ledger_transactions where posting_key like 'opening:%'").await;
    assert!(command(&server, &["ledger", "reverse", &key, "--reason", "写错了"]).contains("is reversed"));
    assert!(command(&server, &["ledger", "reverse", &key, "--reason", "写错了"]).contains("before"));
    assert_eq!(member.balance().await, "0.00");
    refusal(&server, &["ledger", "reverse", &format!("order-payment:{order}"), "--reason", "x"]);
    assert!(command(&server, &["ledger", "check"]).starts_with("The books hold"));
    let account = server.read("select id from ledger_accounts where id like 'member:%'").await;
    assert_eq!(command(&server, &["ledger", "list", &account]).lines().count(), 5);
}

async fn print_files_are_made_after_the_hour(server: Server) {
    let (_, order) = paid_order(&server).await;
    let files = server.folder.path().join("storage/print").join(&order);
    let due = server
        .read("select cast(run_at - created_at as text) from jobs where kind = 'make_print_files'")
        .await;
    let due: i64 = due.parse().unwrap();
    assert!((3_590_000..3_601_000).contains(&due), "{due}");
    assert!(!files.exists());
    server.sql("update jobs set run_at = 0 where kind = 'make_print_files'").await;
    settle(&server).await;
    // below the key of all that they are made of
    let made_of = support::names_in(&files);
    let [made_of] = &made_of[..] else { panic!("{made_of:?}") };
    let files = files.join(made_of);
    let names = support::names_in(&files);
    assert_eq!(names.len(), 3, "{names:?}");
    // exporting takes them as they are
    let made = std::fs::metadata(files.join("1-inner.pdf")).unwrap().modified().unwrap();
    let folder = server.folder.path().join("export");
    command(&server, &["order", "export", &order, folder.to_str().unwrap()]);
    assert_eq!(std::fs::metadata(files.join("1-inner.pdf")).unwrap().modified().unwrap(), made);
    let bytes = |folder: &std::path::Path| std::fs::read(folder.join("1-inner.pdf")).unwrap();
    assert!(bytes(&folder) == bytes(&files));
}
