//! /staff/invoices: requests that somebody issues or refuses, and invoices that are taken back.

use reqwest::multipart::{Form, Part};
use reqwest::{Response, StatusCode};

use support::invoices::{ask, paid_order};
use support::invoices::{issue as issued, pdf, succeeds};
use support::staff::{Clerk, next_page};
use support::{Caller, Server, location, on_both_engines};

on_both_engines!(
    a_request_is_issued_and_its_file_replaced,
    a_red_invoice_takes_back_what_was_refunded;
    on_sqlite:
    a_red_invoice_over_all_voids_the_invoice,
    what_is_no_invoice_is_refused_beside_its_field,
    a_request_is_refused_with_a_reason,
    money_given_back_asks_for_a_correction,
    long_lists_of_invoices_have_pages,
);

const LIST: &str = "/staff/invoices";

/// What a refused form's page says.
async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// Sends the form with a file.
async fn issue(clerk: &Caller, id: &str, file: &[u8], fields: &[(&'static str, &str)]) -> Response {
    let mut form = Form::new().part("file", Part::bytes(file.to_vec()).file_name("发票.pdf"));
    for (name, value) in fields {
        form = form.text(*name, (*value).to_owned());
    }
    clerk.post_multipart(&format!("{LIST}/{id}/issue"), form).await
}

/// An invoice's amount, in yuan.
async fn yuan(server: &Server, id: &str) -> String {
    let amount = server.read(&format!("select cast(amount as text) from invoices where id = '{id}'")).await;
    format!("{}.{}", &amount[..amount.len() - 2], &amount[amount.len() - 2..])
}

async fn a_request_is_issued_and_its_file_replaced(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let id = ask(&member, &order).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    assert!(chen.page("/staff").await.contains("待开的发票"));
    let own = format!("{LIST}/{id}");
    let list = chen.page(LIST).await;
    assert!(list.contains(&own) && list.contains("林知夏") && list.contains("申请中"), "{list}");
    let page = chen.page(&own).await;
    for words in ["林知夏", "个人", "buyer@example.com", &format!("/staff/orders/{order}"), "不予开票"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("下载 PDF") && !page.contains("name=\"replace\""));
    assert_eq!(chen.get(&format!("{own}/file")).await.status(), StatusCode::NOT_FOUND);

    let (first, second) = (pdf("first"), pdf("second"));
    let amount = format!("¥{}", yuan(&server, &id).await);
    let fields = [("number", "12345678"), ("amount", amount.as_str())];
    for said in ["done", "before"] {
        assert_eq!(location(&issue(&chen, &id, &first, &fields).await), format!("{own}?said={said}"));
    }
    assert!(!chen.page(LIST).await.contains(&own), "nothing waits");
    assert!(chen.page(&format!("{LIST}?view=all")).await.contains(&own));
    let page = chen.page(&own).await;
    assert!(page.contains("已开票") && page.contains("value=\"12345678\""), "{page}");
    for place in [format!("{own}/file"), format!("/manager/invoice/{id}/file")] {
        let reader = if place.starts_with(LIST) { &chen } else { &member };
        assert_eq!(reader.get(&place).await.bytes().await.unwrap(), first, "{place}");
    }

    // another file takes its place only where that is meant
    let page = refused(issue(&chen, &id, &second, &fields).await).await;
    assert!(page.contains("id=\"replace-error\"") && page.contains("请勾选这一项"), "{page}");
    let replacing = [fields[0], fields[1], ("replace", "Y")];
    for said in ["done", "before"] {
        assert_eq!(location(&issue(&chen, &id, &second, &replacing).await), format!("{own}?said={said}"));
    }
    assert_eq!(member.get(&format!("/manager/invoice/{id}/file")).await.bytes().await.unwrap(), second);
    // what was issued is not refused any more
    let page = refused(chen.post(&format!("{own}/rejection"), &[("reason", "晚了")]).await).await;
    assert!(page.contains("现在是“已开票”"), "{page}");
    let audit = succeeds(server.run(&["audit", &id]));
    for line in ["chen: invoice issue", "chen: invoice replace"] {
        assert_eq!(audit.matches(line).count(), 1, "{audit}");
    }
    assert_eq!(server.outbox().matches("发票已开好").count(), 4, "subject and text of each");
}

async fn what_is_no_invoice_is_refused_beside_its_field(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let id = ask(&member, &paid_order(&member).await).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let good = pdf("good");
    let large = [&good[..], &vec![b' '; 10 * 1024 * 1024]].concat();
    let amount = yuan(&server, &id).await;
    for (file, number, amount, beside, told) in [
        (&b""[..], "12345678", &*amount, "file", "请选择发票的 PDF 文件"),
        (b"<html>", "12345678", &amount, "file", "不是能打开的 PDF"),
        (&large, "12345678", &amount, "file", "文件有 11 MB"),
        (&good, "12a", &amount, "number", "发票号码是 1 到 20 位数字"),
        (&good, "", &amount, "number", "发票号码是 1 到 20 位数字"),
        (&good, "12345678", "", "amount", "请输入金额"),
        (&good, "12345678", "one", "amount", "金额须是数字"),
        (&good, "12345678", "0.01", "amount", "不是 ¥0.01"),
    ] {
        let answer = issue(&chen, &id, file, &[("number", number), ("amount", amount)]).await;
        let page = refused(answer).await;
        assert!(page.contains(told) && page.contains(&format!("id=\"{beside}-error\"")), "{told}: {page}");
        for typed in [number, amount] {
            assert!(page.contains(&format!("value=\"{typed}\"")), "{typed} comes back");
        }
    }
    assert_eq!(server.column("select state from invoices").await, ["requested"]);
    let fields = [("number", "12345678"), ("amount", amount.as_str())];
    let answer = issue(&chen, "01k00000000000000000000000", &good, &fields).await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let answer = chen.post(&format!("{LIST}/{id}/issue"), &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "no form with files");
    let page = answer.text().await.unwrap();
    assert!(page.contains("请选择发票的 PDF 文件"), "{page}");
}

async fn a_request_is_refused_with_a_reason(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let id = ask(&member, &order).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let own = format!("{LIST}/{id}");
    let long = "长".repeat(201);
    for reason in ["", " 。", "两\n行", &long] {
        let page = refused(chen.post(&format!("{own}/rejection"), &[("reason", reason)]).await).await;
        assert!(page.contains("原因要写成一行") && page.contains("id=\"reason-error\""), "{page}");
    }
    for said in ["done", "before"] {
        let answer = chen.post(&format!("{own}/rejection"), &[("reason", "抬头有误。")]).await;
        assert_eq!(location(&answer), format!("{own}?said={said}"));
    }
    assert!(chen.page(&own).await.contains("抬头有误"));
    assert!(member.page(&format!("/manager/invoice/{id}")).await.contains("抬头有误"));
    // a request can't be voided, nor what the member took back be issued
    let again = ask(&member, &order).await;
    let page = refused(chen.post(&format!("{LIST}/{again}/voiding"), &[("reason", "x")]).await).await;
    assert!(page.contains("现在是“申请中”"), "{page}");
    member.post(&format!("/manager/invoice/{again}/cancellation"), &[]).await;
    let amount = yuan(&server, &again).await;
    let fields = [("number", "1"), ("amount", amount.as_str())];
    let page = refused(issue(&chen, &again, &pdf("late"), &fields).await).await;
    assert!(page.contains("现在是“已撤销”"), "{page}");
}

async fn money_given_back_asks_for_a_correction(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let id = ask(&member, &order).await;
    issued(&server, &id, &pdf("one"), &[]);
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let correction = format!("{LIST}?view=correction");
    assert!(chen.page(&correction).await.contains("没有要红冲的发票"));
    // it waits since the money went back, not since it was issued
    server.sql("update invoices set issued_at = issued_at - 864000000").await;
    let part = ["--amount", "10.00", "--key", "stain", "--reason", "一页有污渍"];
    succeeds(server.run(&[&["order", "refund", &order][..], &part].concat()));
    let home = chen.page("/staff").await;
    assert!(home.contains("需红冲的发票") && home.contains("刚刚") && !home.contains("10 天"), "{home}");
    let list = chen.page(&correction).await;
    assert!(list.contains(&format!("{LIST}/{id}")) && list.contains("badge bad"), "{list}");
    let page = chen.page(&format!("{LIST}/{id}")).await;
    assert!(page.contains("请开红字发票") && page.contains("可以重新申请"), "{page}");
    for said in ["done", "before"] {
        let answer = chen.post(&format!("{LIST}/{id}/voiding"), &[("reason", "部分退款，已红冲")]).await;
        assert_eq!(location(&answer), format!("{LIST}/{id}?said={said}"));
    }
    assert!(!chen.page(&correction).await.contains(&id));
    assert!(member.page(&format!("/manager/invoice/{id}")).await.contains("已作废"));
    let file = chen.get(&format!("{LIST}/{id}/file")).await;
    assert_eq!(file.status(), StatusCode::OK, "the shop still has it");
}

/// Sends the form of a red invoice.
async fn red(clerk: &Caller, id: &str, file: &[u8], fields: &[(&'static str, &str)]) -> Response {
    let mut form = Form::new().part("red_file", Part::bytes(file.to_vec()).file_name("红字.pdf"));
    for (name, value) in fields {
        form = form.text(*name, (*value).to_owned());
    }
    clerk.post_multipart(&format!("{LIST}/{id}/red"), form).await
}

fn printed<'a>(number: &'a str, day: &'a str, amount: &'a str) -> [(&'static str, &'a str); 4] {
    [("red_number", number), ("red_code", ""), ("red_date", day), ("red_amount", amount)]
}

fn refund(server: &Server, order: &str, amount: &str, key: &str) {
    let part = ["--amount", amount, "--key", key, "--reason", "一页有污渍"];
    succeeds(server.run(&[&["order", "refund", order][..], &part].concat()));
}

async fn a_red_invoice_takes_back_what_was_refunded(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let id = ask(&member, &order).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let own = format!("{LIST}/{id}");
    // a request is lowered to what is left
    let whole = server.read("select cast(amount as text) from invoices").await.parse::<i64>().unwrap();
    refund(&server, &order, "1.00", "early");
    assert_eq!(server.read("select cast(amount as text) from invoices").await, (whole - 100).to_string());
    let early = refused(red(&chen, &id, &pdf("red"), &printed("77", "2026-01-02", "1.00")).await).await;
    assert!(early.contains("现在是“申请中”"), "{early}");
    issued(&server, &id, &pdf("blue"), &[]);
    refund(&server, &order, "10.00", "stain");
    let page = chen.page(&own).await;
    assert!(page.contains("登记红字发票") && page.contains("10.00"), "{page}");
    for (file, number, day, amount, beside, told) in [
        (&b""[..], "77", "2026-01-02", "10.00", "red_file", "请选择发票的 PDF 文件"),
        (b"<html>", "77", "2026-01-02", "10.00", "red_file", "不是能打开的 PDF"),
        (&pdf("red"), "7a", "2026-01-02", "10.00", "red_number", "发票号码是"),
        (&pdf("red"), "77", "2999-01-02", "10.00", "red_date", "不能晚于今天"),
        (&pdf("red"), "77", "", "10.00", "red_date", "请写开票日期"),
        (&pdf("red"), "77", "2026-01-02", "9.99", "red_amount", "不是 ¥9.99"),
        (&pdf("red"), "77", "2026-01-02", "0", "red_amount", "不是 ¥0.00"),
    ] {
        let page = refused(red(&chen, &id, file, &printed(number, day, amount)).await).await;
        assert!(page.contains(told) && page.contains(&format!("id=\"{beside}-error\"")), "{told}: {page}");
        assert!(page.contains(&format!("value=\"{number}\"")), "{number} comes back");
    }
    assert_eq!(server.column("select cast(count(*) as text) from red_invoices").await, ["0"]);
    // recorded once, whoever is second
    let right = printed("77", "2026-01-02", "10.00");
    let file = pdf("red");
    let both = futures::future::join(red(&chen, &id, &file, &right), red(&chen, &id, &file, &right)).await;
    let mut said = [location(&both.0), location(&both.1)];
    said.sort();
    assert_eq!(said, [format!("{own}?said=before"), format!("{own}?said=done")]);
    let other = refused(red(&chen, &id, &pdf("other"), &right).await).await;
    assert!(other.contains("已经登记过"), "{other}");
    assert!(!chen.page(&format!("{LIST}?view=correction")).await.contains(&id), "it is right again");
    assert_eq!(chen.get(&format!("{own}/red/77")).await.bytes().await.unwrap(), file);
    // the member has it, nobody else, and nothing more is to be invoiced
    let shown = member.page(&format!("/manager/invoice/{id}")).await;
    assert!(shown.contains("下载红字发票") && shown.contains("红冲后有效"), "{shown}");
    let address = format!("/manager/invoice/{id}/red/77");
    assert_eq!(member.get(&address).await.bytes().await.unwrap(), file);
    let stranger = server.member("other@example.com", "1").await;
    assert_eq!(stranger.get(&address).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(member.get(&format!("/manager/invoice/{id}/red/78")).await.status(), StatusCode::NOT_FOUND);
    assert!(!member.page("/manager/invoice").await.contains("可以开票的付款"));
    assert!(server.outbox().contains("红字发票 77，冲销 ¥10.00"));
    // once more given back: it is in the queue again
    refund(&server, &order, "2.00", "again");
    assert!(chen.page(&format!("{LIST}?view=correction")).await.contains(&id));
    assert!(
        refused(red(&chen, &id, &pdf("late"), &printed("78", "2026-01-02", "12.00")).await)
            .await
            .contains("¥2.00")
    );
    let second = red(&chen, &id, &pdf("second"), &printed("78", "2026-01-02", "2.00")).await;
    assert_eq!(location(&second), format!("{own}?said=done"));
    let audit = String::from_utf8(server.run(&["audit", &id]).stdout).unwrap();
    assert_eq!(audit.matches("chen: invoice red").count(), 2, "{audit}");
}

async fn a_red_invoice_over_all_voids_the_invoice(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let order = paid_order(&member).await;
    let id = ask(&member, &order).await;
    issued(&server, &id, &pdf("blue"), &[]);
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    refund(&server, &order, "10.00", "stain");
    let amount = yuan(&server, &id).await;
    let answer = red(&chen, &id, &pdf("red"), &printed("77", "2026-01-02", &amount)).await;
    assert_eq!(location(&answer), format!("{LIST}/{id}?said=done"));
    assert_eq!(server.read("select state from invoices").await, "voided");
    // what is left may be asked for anew
    let again = ask(&member, &order).await;
    let left = server.read(&format!("select cast(amount as text) from invoices where id = '{again}'")).await;
    assert_eq!(
        left,
        server.read("select cast(total - refunded as text) from orders").await,
        "of what is left and no more"
    );
    // and nothing where nothing is left: a request ends, an issued one is taken back whole
    succeeds(server.run(&["order", "refund", &order, "--reason", "印坏了"]));
    let state = server.read(&format!("select state from invoices where id = '{again}'")).await;
    assert_eq!(state, "cancelled");
    assert!(member.page(&format!("/manager/invoice/{id}")).await.contains("红字发票 77 全额冲销"));
}

async fn long_lists_of_invoices_have_pages(server: Server) {
    let member = server.member("buyer@example.com", "500").await;
    let first = ask(&member, &paid_order(&member).await).await;
    let copies = (10..41).map(|number| {
        format!(
            "insert into invoices (id, member_id, order_id, state, title_name, content, amount, order_rest, requested_at, ended_at)
             select 'old-{number}', member_id, order_id, 'cancelled', title_name, content, amount, order_rest, {number}, {number}
             from invoices where id = '{first}'"
        )
    });
    for copy in copies {
        server.sql(&copy).await;
    }
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await.caller;
    let page = chen.page(&format!("{LIST}?view=all")).await;
    assert_eq!(page.matches("data-label=\"金额\"").count(), 30);
    let next = next_page(&page);
    let page = chen.page(&next).await;
    assert_eq!(page.matches("data-label=\"金额\"").count(), 2);
    assert!(page.contains("回到开头"));
    for wrong in ["?view=none", "?after=a.b"] {
        assert_eq!(chen.get(&format!("{LIST}{wrong}")).await.status(), StatusCode::NOT_FOUND, "{wrong}");
    }
}
