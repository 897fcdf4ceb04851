//! /staff/close: what a month comes to, and its figures once two have closed it.

use reqwest::{Response, StatusCode};

use support::payments::said;
use support::staff::{Clerk, printable};
use support::{Server, between, between_all, location, on_both_engines, wait};

on_both_engines!(
    a_month_is_closed_by_two_and_stays,
    ; on_sqlite:
    figures_that_do_not_add_up_close_no_month,
);

const LIST: &str = "/staff/close";

/// The month before this one in China, and a moment in the middle of it, epoch ms; and this month.
fn months() -> (String, i64, String) {
    let now = time::OffsetDateTime::now_utc() + time::Duration::hours(8);
    let name = |day: time::Date| format!("{:04}-{:02}", day.year(), u8::from(day.month()));
    let last = now.date().replace_day(1).unwrap() - time::Duration::DAY;
    let middle = last.replace_day(15).unwrap().midnight().assume_utc().unix_timestamp() * 1000;
    (name(last), middle, name(now.date()))
}

/// Everything that has happened so far happened then.
async fn happened(server: &Server, at: i64) {
    for statement in [
        format!("update ledger_transactions set created_at = {at}"),
        format!("update orders set paid_at = {at} where paid_at is not null"),
        format!("update order_refunds set created_at = {at}"),
    ] {
        server.sql(&statement).await;
    }
}

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// The figures of a table's row, by what it begins with.
fn row(page: &str, name: &str) -> String {
    let row = page
        .split("<tr>")
        .find(|row| row.contains(&format!(">{name}<")) || row.contains(&format!(">{name} ")));
    row.unwrap_or_else(|| panic!("no {name}: {page}")).to_owned()
}

async fn a_month_is_closed_by_two_and_stays(mut server: Server) {
    server.set("BINDERY_TAX_RATES", "goods=0.13,postage=0.06");
    server.kill();
    server.restart();
    let (_, order) = printable(&server, "one@example.com").await;
    let (last, middle, now) = months();
    happened(&server, middle).await;
    let goods: i64 = server
        .read(&format!("select cast(goods_total as text) from orders where id = '{order}'"))
        .await
        .parse()
        .unwrap();
    let yuan = |fen: i64| domain::money::Fen(fen).grouped();
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let list = chen.caller.page(LIST).await;
    assert!(list.contains(&last) && list.contains("未结账") && list.contains("进行中"), "{list}");
    let own = format!("{LIST}/{last}");
    let page = chen.caller.page(&own).await;
    assert!(!page.contains("有对不上的数字"), "{page}");
    let printed = row(&page, "印刷品");
    assert!(printed.contains(&yuan(goods)), "{printed}");
    let tax = domain::close::tax_in(domain::money::Fen(goods), "0.13".parse().unwrap());
    assert!(printed.contains(&tax.grouped()) && printed.contains("13%"), "{printed}");
    let member = row(&page, "会员余额");
    assert!(member.contains("500.00"), "what was granted: {member}");
    let total = server_total(&server, &order).await;
    assert!(row(&page, "余额").contains(&yuan(total)), "{page}");

    // one asks, another one agrees
    let seen = between(&page, "name=\"seen\" value=\"", "\"");
    let ask = format!("{own}/ask");
    let told = refused(chen.caller.post(&ask, &[("seen", &seen)]).await).await;
    assert!(told.contains("动态验证码"), "{told}");
    let code = chen.code(&server).await;
    let told = refused(chen.caller.post(&ask, &[("seen", "0"), ("code", &code)]).await).await;
    assert!(told.contains("数字已经变了"), "{told}");
    let code = chen.code(&server).await;
    assert_eq!(
        location(&chen.caller.post(&ask, &[("seen", &seen), ("code", &code)]).await),
        format!("{own}?said=asked")
    );
    let again = chen.caller.post(&ask, &[("seen", &seen)]).await;
    assert_eq!(location(&again), format!("{own}?said=asked-before"));
    let decide = format!("{own}/decide");
    let code = chen.code(&server).await;
    let grant = [("seen", seen.as_str()), ("decision", "grant"), ("code", code.as_str())];
    assert!(refused(chen.caller.post(&decide, &grant).await).await.contains("另一位同事复核"));
    let li = Clerk::sign_in(&server, "li", &["站长"]).await;
    assert!(li.caller.page("/staff").await.contains("待复核的月结"));
    let code = li.code(&server).await;
    let grant = [("seen", seen.as_str()), ("decision", "grant"), ("code", code.as_str())];
    assert_eq!(location(&li.caller.post(&decide, &grant).await), format!("{own}?said=done"));
    assert_eq!(location(&li.caller.post(&decide, &grant).await), format!("{own}?said=before"));
    let closed = chen.caller.page(&own).await;
    assert!(
        closed.contains("已结账") && closed.contains(&seen) && !closed.contains("name=\"seen\""),
        "{closed}"
    );
    let audit = said(&server.run(&["audit"]));
    assert!(audit.contains("month ask") && audit.contains("month close"), "{audit}");

    // what goes back now is this month's
    said(&server.run(&["order", "refund", &order, "--reason", "划痕", "--amount", "1.00", "--key", "c-1"]));
    let closed = chen.caller.page(&own).await;
    assert!(!closed.contains("不一致") && !closed.contains(">订单退款"), "{closed}");
    let page = chen.caller.page(&format!("{LIST}/{now}")).await;
    assert!(row(&page, "订单退款").contains("1.00") && !page.contains("有对不上的数字"), "{page}");
    assert!(page.contains("这个月过完以后才能结账"), "{page}");
    let opening = row(&page, "会员余额");
    let rest = domain::money::Fen(50_000 - total);
    assert!(opening.contains(&rest.grouped()), "it opens where the last one closed: {opening}");
    let early = chen.caller.post(&format!("{LIST}/{now}/ask"), &[("seen", "x")]).await;
    assert_eq!(early.status(), StatusCode::CONFLICT);

    // as a file
    let fields = [("kind", "month"), ("format", "csv"), ("view", last.as_str())];
    assert_eq!(location(&chen.caller.post("/staff/exports", &fields).await), "/staff/exports?said=done");
    wait::carried_out(&server, &["make_export"]).await;
    let file =
        between_all(&chen.caller.page("/staff/exports").await, "href=\"/staff/exports/", "\"").remove(0);
    let text = chen.caller.get(&format!("/staff/exports/{file}")).await.text().await.unwrap();
    assert!(text.contains("账户,会员余额") && text.contains("按种类,印刷品"), "{text}");

    // whoever changes a month that is closed is seen
    server.sql(&format!("update orders set paid_at = paid_at - 3456000000 where id = '{order}'")).await;
    assert!(chen.caller.page(&own).await.contains("不一致"));
    for (page, status) in
        [("2026-13", StatusCode::NOT_FOUND), ("x", StatusCode::NOT_FOUND), ("2999-01", StatusCode::NOT_FOUND)]
    {
        assert_eq!(chen.caller.get(&format!("{LIST}/{page}")).await.status(), status, "{page}");
    }
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    assert_eq!(wang.get(&own).await.status(), StatusCode::FORBIDDEN);
    assert_eq!(wang.post(&ask, &[("seen", &seen)]).await.status(), StatusCode::FORBIDDEN);
}

async fn server_total(server: &Server, order: &str) -> i64 {
    server
        .read(&format!("select cast(total as text) from orders where id = '{order}'"))
        .await
        .parse()
        .unwrap()
}

async fn figures_that_do_not_add_up_close_no_month(server: Server) {
    printable(&server, "one@example.com").await;
    let (last, middle, _) = months();
    happened(&server, middle).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let own = format!("{LIST}/{last}");
    server.sql("update ledger_accounts set balance = balance + 1 where id like 'member:%'").await;
    let page = chen.caller.page(&own).await;
    assert!(page.contains("有对不上的数字") && page.contains("member："), "{page}");
    let seen = between(&page, "name=\"seen\" value=\"", "\"");
    let code = chen.code(&server).await;
    let told =
        refused(chen.caller.post(&format!("{own}/ask"), &[("seen", &seen), ("code", &code)]).await).await;
    assert!(told.contains("查清以后才能结账"), "{told}");
    assert_eq!(server.read("select cast(count(*) as text) from month_closings").await, "0");
    // put right, asked for, and withdrawn by whoever asked
    server.sql("update ledger_accounts set balance = balance - 1 where id like 'member:%'").await;
    let seen = between(&chen.caller.page(&own).await, "name=\"seen\" value=\"", "\"");
    let code = chen.code(&server).await;
    chen.caller.post(&format!("{own}/ask"), &[("seen", &seen), ("code", &code)]).await;
    let decline = [("seen", seen.as_str()), ("decision", "decline")];
    assert_eq!(
        location(&chen.caller.post(&format!("{own}/decide"), &decline).await),
        format!("{own}?said=taken-back")
    );
    assert_eq!(server.read("select cast(count(*) as text) from month_closings").await, "0");
}
