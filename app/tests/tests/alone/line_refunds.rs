//! Copies of a paid order's lines that are refunded by themselves: once, for what they cost, and neither made nor sent.

use reqwest::{Response, StatusCode};

use support::staff::{Clerk, printable};
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    the_rest_of_a_partly_sent_order_is_refunded,
    two_clerks_refund_copies_once,
    ; on_sqlite:
    what_can_not_be_refunded_is_refused,
    the_command_line_refunds_copies,
    copies_above_the_limit_need_another,
    what_was_sent_and_refunded_is_not_printed_again,
);

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// How much somebody may give back alone, in yuan.
fn limited(server: &mut Server, yuan: &str) {
    server.kill();
    server.set("BINDERY_STAFF_LIMIT", yuan);
    server.restart();
}

/// An order of 3 copies of one album, line 1, and 1 of another, line 2, whose printing may begin.
async fn paid(server: &Server) -> (Caller, String) {
    let member = server.member("buyer@example.com", "9000").await;
    let (one, other) = (member.cart_with_album().await, member.cart_with_album().await);
    // the newest line of a cart is the first of its order
    member.post(&format!("/manager/shopping/cart/{other}/quantity"), &[("quantity", "3")]).await;
    let order = member.order(&format!("{one},{other}")).await;
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    let hour = "paid_at = paid_at - 3660000, state_since = state_since - 3660000";
    server.sql(&format!("update orders set {hour} where id = '{order}'")).await;
    (member, order)
}

/// A press of 退款: what the page has seen, and the copies.
async fn press(
    server: &Server,
    clerk: &Clerk,
    order: &str,
    (key, seen): (&str, &str),
    copies: &[(&str, &str)],
) -> Response {
    let code = clerk.code(server).await;
    let mut fields =
        vec![("key", key), ("part", "copies"), ("seen", seen), ("reason", "不要了"), ("code", code.as_str())];
    fields.extend_from_slice(copies);
    clerk.caller.post(&format!("/staff/orders/{order}/refund"), &fields).await
}

async fn seen(clerk: &Clerk, order: &str) -> String {
    let page = clerk.caller.page(&format!("/staff/orders/{order}")).await;
    // parcels have a field of that name, too
    let (_, form) = page.split_once("/refund\"").unwrap();
    between(form, "name=\"seen\" value=\"", "\"")
}

async fn number(server: &Server, query: &str) -> i64 {
    server.read(query).await.parse().unwrap()
}

async fn state(server: &Server, order: &str) -> String {
    server.read(&format!("select state from orders where id = '{order}'")).await
}

async fn back(server: &Server) -> i64 {
    number(server, "select cast(refunded as text) from orders").await
}

async fn line_total(server: &Server) -> i64 {
    number(server, "select cast(total as text) from order_lines where position = 1").await
}

fn ship<'a>(tracking: &'a str, copies: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let mut fields = vec![("step", "ship"), ("carrier", "SF"), ("tracking", tracking)];
    fields.extend_from_slice(copies);
    fields
}

async fn the_rest_of_a_partly_sent_order_is_refunded(mut server: Server) {
    limited(&mut server, "9000");
    let clerk = Clerk::sign_in(&server, "owner", &["站长"]).await;
    let (member, order) = paid(&server).await;
    let page = format!("/staff/orders/{order}");
    let step = format!("{page}/step");
    // a total that three do not divide
    let odd = "total = total - (total % 3) + 1";
    server.sql(&format!("update order_lines set {odd} where position = 1")).await;
    let total = line_total(&server).await;
    let old = seen(&clerk, &order).await;
    // one of three before anything was begun: a third of the line, rounded down
    let answer = press(&server, &clerk, &order, ("a", &old), &[("back1", "1")]).await;
    assert_eq!(location(&answer), format!("{page}?said=done"));
    assert_eq!(back(&server).await, total / 3);
    let floor = clerk.caller.page(&format!("/staff/floor/{order}/1")).await;
    assert!(floor.contains("2 本") && floor.contains("退款 1 本，还做 2 本"), "{floor}");
    let ticket: serde_json::Value =
        serde_json::from_str(&clerk.caller.page(&format!("{page}/file/ticket.json")).await).unwrap();
    assert_eq!(ticket["lines"][0]["copies"], 2);
    clerk.caller.post(&step, &[("step", "start")]).await;
    // the same page again, and with another key: once only
    let again = press(&server, &clerk, &order, ("a", &old), &[("back1", "1")]).await;
    assert_eq!(location(&again), format!("{page}?said=before"));
    let late = refused(press(&server, &clerk, &order, ("b", &old), &[("back1", "1")]).await).await;
    assert!(late.contains("刚刚有变化") && late.contains("value=\"不要了\""), "{late}");
    // a parcel of what is refunded is refused; one copy leaves
    let many = refused(clerk.caller.post(&step, &ship("SF1234567890001", &[("copies1", "3")])).await).await;
    assert!(many.contains("只剩 2 本"), "{many}");
    let before = seen(&clerk, &order).await;
    clerk.caller.post(&step, &ship("SF1234567890001", &[("copies1", "1")])).await;
    let late = refused(press(&server, &clerk, &order, ("c", &before), &[("back1", "1")]).await).await;
    assert!(late.contains("刚刚有变化"), "a parcel was made meanwhile: {late}");
    // the rest is not made: the order is sent
    let now = seen(&clerk, &order).await;
    let rest = [("back1", "1"), ("back2", "1")];
    assert_eq!(
        location(&press(&server, &clerk, &order, ("d", &now), &rest).await),
        format!("{page}?said=done")
    );
    assert_eq!(state(&server, &order).await, "shipped");
    let one = number(&server, "select cast(total as text) from order_lines where position = 2").await;
    assert_eq!(back(&server).await, total * 2 / 3 + one, "to the fen, and nothing for sending");
    assert!(clerk.caller.page(&format!("/staff/floor/{order}/2")).await.contains("撤单"));
    let shown = member.page(&format!("/manager/order/{order}")).await;
    for words in ["已退款", "其余的都已经寄出", "确认收货"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(!shown.contains("还没有寄"), "{shown}");
    let late = refused(clerk.caller.post(&step, &ship("SF1234567890002", &[("copies1", "1")])).await).await;
    assert!(late.contains("已经全部寄出"), "{late}");
    // the last copy that is paid for takes all that is left, and ends it
    let now = seen(&clerk, &order).await;
    press(&server, &clerk, &order, ("e", &now), &[("back1", "1")]).await;
    assert_eq!(state(&server, &order).await, "refunded");
    assert_eq!(member.balance().await, "9,000.00");
    let checked = server.run(&["ledger", "check"]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    let audit = String::from_utf8(server.run(&["audit", &order]).stdout).unwrap();
    assert!(audit.contains("owner: order refund") && audit.contains("copies"), "{audit}");
}

async fn two_clerks_refund_copies_once(mut server: Server) {
    limited(&mut server, "9000");
    let one = Clerk::sign_in(&server, "zhou", &["客服"]).await;
    let other = Clerk::sign_in(&server, "chen", &["财务", "客服"]).await;
    let (_, order) = paid(&server).await;
    let page = seen(&one, &order).await;
    let copies = [("back1", "2"), ("shipping", "Y")];
    let both = futures::future::join(
        press(&server, &one, &order, ("a", &page), &copies),
        press(&server, &other, &order, ("b", &page), &copies),
    )
    .await;
    let mut answers = [both.0.status(), both.1.status()];
    answers.sort();
    assert_eq!(answers, [StatusCode::SEE_OTHER, StatusCode::UNPROCESSABLE_ENTITY]);
    assert_eq!(number(&server, "select cast(sum(copies) as text) from refunded_copies").await, 2);
    let shipping = number(&server, "select cast(shipping as text) from orders").await;
    assert_eq!(back(&server).await, line_total(&server).await * 2 / 3 + shipping);
    // sending is paid back once
    let page = seen(&one, &order).await;
    press(&server, &one, &order, ("c", &page), &[("back1", "1"), ("shipping", "Y")]).await;
    assert_eq!(back(&server).await, line_total(&server).await + shipping);
    assert!(server.run(&["ledger", "check"]).status.success());
}

async fn what_can_not_be_refunded_is_refused(server: Server) {
    let clerk = Clerk::sign_in(&server, "zhou", &["客服"]).await;
    let (member, order) = paid(&server).await;
    let balance = member.balance().await;
    let page = seen(&clerk, &order).await;
    for (copies, told) in [
        (&[("back1", "4")][..], "《海边的夏天》没有退过款的只有 3 本"),
        (&[("back9", "1")], "订单里没有第 9 行"),
        (&[("back0", "1")], "订单里没有第 0 行"),
        (&[("back1", "0")], "请写要退几本"),
        (&[], "请写要退几本"),
        (&[("back1", "两")], "请写几本"),
        (&[("back1", "-1")], "请写几本"),
        (&[("backx", "1")], "请写几本"),
    ] {
        let said = refused(press(&server, &clerk, &order, ("a", &page), copies).await).await;
        assert!(said.contains(told) && said.contains("value=\"不要了\""), "{told}: {said}");
        if let [(name, typed)] = copies
            && *name == "back1"
        {
            assert!(said.contains(&format!("value=\"{typed}\"")), "{typed} comes back");
        }
    }
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await;
    let answer = press(&server, &wang, &order, ("a", &page), &[("back1", "1")]).await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN, "who prints gives nothing back");
    assert_eq!((member.balance().await, back(&server).await), (balance, 0));
    assert_eq!(server.column("select cast(count(*) as text) from refunded_copies").await, ["0"]);
}

async fn the_command_line_refunds_copies(server: Server) {
    let (_, order) = paid(&server).await;
    let words = |more: &[&str]| {
        let base = ["order", "refund", order.as_str(), "--reason", "不要了"];
        server.run(&[&base[..], more].concat())
    };
    for wrong in [
        &["--copies", "1:1"][..],
        &["--key", "c-1"],
        &["--copies", "1:1", "--amount", "1", "--key", "c-1"],
        &["--copies", "1:4", "--key", "c-1"],
        &["--copies", "one", "--key", "c-1"],
        &["--shipping"],
    ] {
        assert!(!words(wrong).status.success(), "{wrong:?}");
    }
    let right = ["--copies", "1:1", "--copies", "2:1", "--key", "c-1"];
    assert!(words(&right).status.success());
    let given = back(&server).await;
    let again = words(&right);
    assert!(String::from_utf8_lossy(&again.stdout).contains("before") && back(&server).await == given);
    assert!(!words(&["--copies", "1:2", "--key", "c-1"]).status.success(), "the same word for another thing");
    let shown: serde_json::Value =
        serde_json::from_slice(&server.run(&["order", "show", &order, "--json"]).stdout).unwrap();
    assert_eq!(shown["lines"][0]["refunded_copies"], 1);
    assert_eq!(shown["state"], "paid");
    assert_eq!(shown["lines"][1]["refunded_copies"], 1);
    assert!(words(&[]).status.success(), "the rest as a whole");
    assert_eq!(state(&server, &order).await, "refunded");
    assert!(server.run(&["ledger", "check"]).status.success());
}

async fn copies_above_the_limit_need_another(mut server: Server) {
    limited(&mut server, "1");
    let (member, order) = printable(&server, "buyer@example.com").await;
    server.sql("update order_lines set quantity = 2").await;
    server.sql("update production set copies = 2").await;
    let balance = member.balance().await;
    let zhou = Clerk::sign_in(&server, "zhou", &["客服"]).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务", "客服"]).await;
    let page = format!("/staff/orders/{order}");
    let now = seen(&zhou, &order).await;
    for said in ["asked", "asked-before"] {
        let asked = press(&server, &zhou, &order, ("a", &now), &[("back1", "1")]).await;
        assert_eq!(location(&asked), format!("{page}?said={said}"));
    }
    let other = refused(press(&server, &zhou, &order, ("a", &now), &[("back1", "2")]).await).await;
    assert!(other.contains("退另外几本"), "{other}");
    assert_eq!(member.balance().await, balance, "nothing moves yet");
    let shown = chen.caller.page(&page).await;
    assert!(shown.contains("退《海边的夏天》1 本：不要了"), "{shown}");
    let code = chen.code(&server).await;
    let grant = [("request", "a"), ("decision", "grant"), ("code", code.as_str())];
    let answer = chen.caller.post(&format!("{page}/second"), &grant).await;
    assert_eq!(location(&answer), format!("{page}?said=done"));
    assert_ne!(member.balance().await, balance);
    assert_eq!(server.column("select cast(copies as text) from refunded_copies").await, ["1"]);
    assert!(chen.caller.page(&format!("/staff/floor/{order}/1")).await.contains("减本数"));
}

async fn what_was_sent_and_refunded_is_not_printed_again(mut server: Server) {
    limited(&mut server, "9000");
    let clerk = Clerk::sign_in(&server, "owner", &["站长"]).await;
    let (member, order) = paid(&server).await;
    let page = format!("/staff/orders/{order}");
    let step = format!("{page}/step");
    clerk.caller.post(&step, &[("step", "start")]).await;
    // a copy that is in a parcel is refunded: that parcel is not taken back
    clerk.caller.post(&step, &ship("SF1234567890001", &[("copies2", "1")])).await;
    let now = seen(&clerk, &order).await;
    press(&server, &clerk, &order, ("a", &now), &[("back2", "1")]).await;
    assert_eq!(state(&server, &order).await, "in_production");
    let withdraw = [("step", "withdraw"), ("seen", "SF1234567890001")];
    let late = refused(clerk.caller.post(&format!("{page}/parcel/1"), &withdraw).await).await;
    assert!(late.contains("寄出以后退了款"), "{late}");
    clerk.caller.post(&step, &ship("SF1234567890002", &[])).await;
    assert_eq!(state(&server, &order).await, "shipped");
    let now = seen(&clerk, &order).await;
    press(&server, &clerk, &order, ("b", &now), &[("back1", "1")]).await;
    assert_eq!(state(&server, &order).await, "shipped", "only the money goes back");
    let again = |copies: &'static str| {
        [("step", "reprint"), ("why", "压坏"), ("kind", "damaged"), ("again1", copies)]
    };
    let many = refused(clerk.caller.post(&step, &again("3")).await).await;
    assert!(many.contains("有 1 本退了款，不再重印，还剩 2 本"), "{many}");
    let other = [("step", "reprint"), ("why", "压坏"), ("kind", "damaged"), ("again2", "1")];
    assert!(refused(clerk.caller.post(&step, &other).await).await.contains("不再重印"));
    // two are printed again, of which one is refunded before it is made: the other one goes out
    assert_eq!(location(&clerk.caller.post(&step, &again("2")).await), format!("{page}?said=done"));
    let now = seen(&clerk, &order).await;
    press(&server, &clerk, &order, ("c", &now), &[("back1", "1")]).await;
    assert!(clerk.caller.page(&format!("/staff/floor/{order}/1")).await.contains("退款 1 本，还做 1 本"));
    clerk.caller.post(&step, &[("step", "start")]).await;
    let many = refused(clerk.caller.post(&step, &ship("SF1234567890003", &[("copies1", "2")])).await).await;
    assert!(many.contains("只剩 1 本"), "{many}");
    clerk.caller.post(&step, &ship("SF1234567890003", &[])).await;
    assert_eq!(state(&server, &order).await, "shipped");
    assert!(member.page(&format!("/manager/order/{order}")).await.contains("已退款"));
    assert!(server.run(&["ledger", "check"]).status.success());
}
