//! /manager/epaper_sell, /manager/epaper_code, /manager/epaper_order, /manager/book-study: what is sold, redeemed, earned and
//! given back.

use reqwest::StatusCode;
use serde_json::Value;

use domain::days::DAY_MS;
use support::documents::words_of;
use support::fakes::wechatpay::FakeWechatpay;
use support::payments::{failed, said};
use support::selling::{batch, buy, codes, codes_of, order, package, redeem, seller};
use support::wait::{eventually, until};
use support::{Caller, PASSWORD, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    a_package_is_bought_earned_and_given_back,
    a_package_is_paid_from_outside,
    codes_are_made_taken_away_and_redeemed,
    the_operator_lists_makes_voids_and_pays_out;
    on_sqlite:
    guesses_are_slowed_down,
    an_account_with_income_stays_open,
);

fn books_hold(server: &Server) {
    assert!(said(&server.run(&["ledger", "check"])).contains("The books hold"));
}

async fn a_package_is_bought_earned_and_given_back(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    let reader = server.member("reader@example.com", "100").await;
    assert!(reader.page("/manager/book-study").await.contains("书房还空着"));
    let shop = reader.page(&format!("/manager/package/{id}")).await;
    assert!(shop.contains("一套书") && shop.contains("海边的夏天") && shop.contains("30 天"));
    // what is begun twice is one sale, and what is paid twice is paid once
    let sale = order(&reader, &id).await;
    assert_eq!(order(&reader, &id).await, sale);
    let page = format!("/manager/purchase/{sale}");
    assert!(reader.page(&page).await.contains("用余额支付"));
    let presses = futures::future::join_all((0..8).map(|_| reader.post(&page, &[]))).await;
    assert!(presses.iter().all(|answer| location(answer) == page));
    assert_eq!(reader.balance().await, "70.00");
    assert!(reader.page(&page).await.contains("已经开通"));
    let study = reader.page("/manager/book-study").await;
    assert!(study.contains("海边的夏天") && study.contains("到期，还剩 "), "thirty days are soon over");
    let list = reader.get("/user-center/getEntitlements").await.text().await.unwrap();
    let list: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list["status"], 1);
    assert_eq!(list["data"]["list"][0]["title"], "一套书");
    assert!(list["data"]["list"][0]["until"].as_str().unwrap().ends_with("+08:00"));

    // ten days go by: a third is earned, a tenth of it the house's
    server
        .sql(&format!(
            "update sales set span_from = span_from - {0}, span_until = span_until - {0}, next_earning_at = 1",
            10 * DAY_MS
        ))
        .await;
    server
        .sql(&format!(
            "update entitlements set starts_at = starts_at - {0}, ends_at = ends_at - {0}",
            10 * DAY_MS
        ))
        .await;
    server.sql("update jobs set run_at = 1 where kind = 'earn_sale'").await;
    eventually(&server, "select cast(earned as text) from sales", "1000").await;
    books_hold(&server);
    let orders = seller.page("/manager/epaper_order").await;
    assert!(
        orders.contains("<small>¥</small>9.00<") && orders.contains("<small>¥</small>20.00<"),
        "{orders}"
    );
    assert!(seller.page("/manager/epaper_order?q=一套").await.contains(&sale));
    assert!(seller.page("/manager/epaper_order?q=没有").await.contains("没有符合的订单"));
    // as a browser asks, which takes it compressed
    let packed =
        seller.get_with("/manager/epaper_order/orders.csv", &[("accept-encoding", "gzip, br")]).await;
    assert!(packed.headers().contains_key("content-encoding"));
    assert!(!packed.bytes().await.expect("all of it").is_empty());
    let csv = seller.page("/manager/epaper_order/orders.csv").await;
    assert!(csv.starts_with('\u{feff}') && csv.contains(&format!("{sale},《一套书》,")));

    // the rest goes back, once, and reading ends
    let refund = format!("/manager/epaper_order/{sale}/refund");
    assert!(seller.page(&format!("/manager/epaper_order/{sale}")).await.contains("把未用的 ¥20.00 退给"));
    for _ in 0..2 {
        let done = location(&seller.post(&refund, &[]).await);
        assert_eq!(done, format!("/manager/epaper_order/{sale}?done=refunded"));
    }
    assert_eq!(reader.balance().await, "90.00");
    assert!(reader.page("/manager/book-study").await.contains("已到期"));
    assert!(reader.page(&page).await.contains("已经退还"));
    books_hold(&server);

    // after the end of a term there is nothing to give back
    let again = buy(&reader, &id).await;
    server
        .sql(&format!("update sales set span_from = span_from - {0}, span_until = span_until - {0} where id = '{again}'", 40 * DAY_MS))
        .await;
    let answer = seller.post(&format!("/manager/epaper_order/{again}/refund"), &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("期限已经用完"));
    books_hold(&server);
}

async fn a_package_is_paid_from_outside(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "长期的书", "20", ("forever", "")).await;
    let reader = server.member("reader@example.com", "5").await;
    let sale = order(&reader, &id).await;
    let own = format!("/manager/purchase/{sale}");
    let page = reader.page(&own).await;
    assert!(page.contains("余额不足") && page.contains("微信支付"));
    let key = between(&page, "name=\"request_key\" value=\"", "\"");
    let fields = [("request_key", key.as_str()), ("method", "wechat")];
    let place = location(&reader.post(&own, &fields).await);
    assert_eq!(location(&reader.post(&own, &fields).await), place, "pressed twice, begun once");
    let payment = place.strip_prefix("/manager/payment/").unwrap().to_owned();
    fake.pay(&payment);
    for _ in 0..3 {
        assert_eq!(fake.note(&payment).send(&server).await, 204);
    }
    assert!(reader.page(&place).await.contains("已付款，现在就可以用了"));
    assert!(reader.page(&own).await.contains("可以长期阅读"));
    assert!(reader.page("/manager/book-study").await.contains("长期阅读"));
    assert_eq!(reader.balance().await, "5.00");
    assert!(seller.page(&format!("/manager/epaper_order/{sale}")).await.contains("微信支付"));
    // for ever is earned at once
    assert_eq!(server.read("select cast(earned as text) from sales").await, "2000");
    books_hold(&server);
    // what one has for ever is not bought again
    let answer = reader.post(&format!("/manager/package/{id}"), &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("已经可以长期阅读"));

    // two payments for one sale: the second one's money is the reader's
    let other = server.member("other@example.com", "0").await;
    let sale = order(&other, &id).await;
    let own = format!("/manager/purchase/{sale}");
    let key = between(&other.page(&own).await, "name=\"request_key\" value=\"", "\"");
    let place = location(&other.post(&own, &[("request_key", &key), ("method", "wechat")]).await);
    let payment = place.strip_prefix("/manager/payment/").unwrap().to_owned();
    // what it was for is no longer to be paid
    fake.pay(&payment);
    server.sql(&format!("update sales set state = 'refunded' where id = '{sale}'")).await;
    assert_eq!(fake.note(&payment).send(&server).await, 204);
    assert_eq!(other.balance().await, "20.00");
    assert!(other.page(&place).await.contains("没有重复付款"));
}

async fn codes_are_made_taken_away_and_redeemed(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    assert!(seller.page("/manager/epaper_code").await.contains("先有套餐"));
    let id = package(&seller, &works, "=一套书", "30", ("months", "1")).await;
    let new = seller.page("/manager/epaper_code/new").await;
    let form = between(&new, "name=\"batch\" value=\"", "\"");
    for (codes, expires, told) in [
        ("0", "", "数量须是 1 到 100000"),
        ("100001", "", "数量须是"),
        ("1.5", "", "数量须是"),
        ("5", "2020-01-01", "截止日期不能早于今天"),
        ("5", "tomorrow", "日期写成"),
    ] {
        let fields = [("batch", form.as_str()), ("package", &id), ("codes", codes), ("expires", expires)];
        let answer = seller.post("/manager/epaper_code/new", &fields).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{codes} {expires}");
        assert!(answer.text().await.unwrap().contains(told));
    }
    let batch = batch(&seller, &id, &[("expires", "2099-12-31")]).await;
    let own = format!("/manager/epaper_code/{batch}");
    assert!(seller.page(&own).await.contains("未激活"));
    let answer = seller.post(&format!("{own}/codes.csv"), &[]).await;
    let text = String::from_utf8(answer.bytes().await.unwrap().to_vec()).unwrap();
    assert!(text.contains(",'=一套书,2099-12-31\r\n"), "no cell is a formula: {text}");
    let codes = codes_of(&text);
    assert_eq!(codes, self::codes(&seller, &batch).await, "the same each time");
    assert_eq!(codes.len(), 5);
    // every time that it was taken away stands there, and no code does
    let page = seller.page(&own).await;
    assert_eq!(page.matches("127.0.0.1").count(), 2);
    assert!(codes.iter().all(|code| !page.contains(code.as_str())));
    for code in &codes {
        let plain = code.replace('-', "");
        let kept = server.column("select digest || batch_id from redeem_codes").await;
        assert!(kept.iter().all(|row| !row.to_uppercase().contains(&plain)));
    }

    let reader = server.member("reader@example.com", "0").await;
    assert_eq!(redeem(&reader, &codes[0]).await.1["status"], 0, "not active yet");
    assert_eq!(
        location(&seller.post(&format!("{own}/activation"), &[]).await),
        format!("{own}?done=activated")
    );
    let (status, opened) = redeem(&reader, &codes[0].to_lowercase().replace('-', "")).await;
    assert_eq!(
        (status, &opened["status"], &opened["data"]["title"]),
        (StatusCode::OK, &1.into(), &"=一套书".into())
    );
    let first = opened["data"]["until"].as_str().unwrap().to_owned();
    // a second code's term is added
    let (_, opened) = redeem(&reader, &format!("  {} ", codes[1])).await;
    assert!(opened["data"]["until"].as_str().unwrap() > first.as_str());
    // by the form, too, and twice
    let done = location(&reader.post("/manager/book-study", &[("code", &codes[2])]).await);
    assert_eq!(done, "/manager/book-study?done=redeemed");
    assert!(reader.page(&done).await.contains("兑换成功"));
    let own_code = location(&reader.post("/manager/book-study", &[("code", &codes[2])]).await);
    assert_eq!(own_code, "/manager/book-study?done=own");
    let study = reader.page(&own_code).await;
    assert!(study.contains("您已经兑换过") && study.contains(&codes[2][15..]));
    assert!(seller.page(&own).await.contains(">3<"));

    // seven days later the file is gone for good
    server.sql("update code_batches set file_until = 1").await;
    server.sql("update jobs set run_at = 1 where kind = 'forget_code_salt'").await;
    eventually(&server, "select coalesce(salt, 'gone') from code_batches", "gone").await;
    let answer = seller.post(&format!("{own}/codes.csv"), &[]).await;
    assert_eq!(answer.status(), StatusCode::CONFLICT);
    assert!(seller.page(&own).await.contains("不能再取出"));
    // and codes that were given out are redeemed all the same
    assert_eq!(redeem(&reader, &codes[3]).await.1["status"], 1);
    books_hold(&server);
}

async fn guesses_are_slowed_down(mut server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    let batch = batch(&seller, &id, &[("active", "Y")]).await;
    let codes = codes(&seller, &batch).await;
    server.behind_a_proxy();
    let reader = server.member("reader@example.com", "0").await;
    let guess = |reader: Caller, address: &'static str, code: String| async move {
        reader.post_via(address, "/user-center/redeemCode", &[("code", &code)]).await
    };
    // mistyped ones are no tries, but nobody goes on for ever
    let mut mistyped = Vec::new();
    for _ in 0..12 {
        mistyped.push(guess(reader.clone(), "198.51.100.1", "ABCD-ABCD-ABCD-ABCD".into()).await.status());
    }
    assert_eq!(mistyped.iter().filter(|status| **status == StatusCode::OK).count(), 10, "{mistyped:?}");
    assert_eq!(guess(reader.clone(), "198.51.100.1", codes[0].clone()).await.status(), StatusCode::OK);
    let mut answers = Vec::new();
    for _ in 0..12 {
        answers.push(guess(reader.clone(), "198.51.100.1", "AAAA-AAAA-AAAA-AAAA".into()).await);
    }
    let open = answers.iter().filter(|answer| answer.status() == StatusCode::OK).count();
    assert_eq!(open, 10);
    assert_eq!(answers[11].status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(answers[11].headers()["retry-after"].to_str().unwrap().parse::<u32>().unwrap() <= 60);
    // also with a right one, and on the page
    assert_eq!(
        guess(reader.clone(), "198.51.100.9", codes[1].clone()).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );
    let answer = reader.post_via("198.51.100.9", "/manager/book-study", &[("code", &codes[1])]).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.text().await.unwrap().contains("兑换码试得太频繁"));
    // thirty of an address, whoever they are: ten were the first reader's
    for number in 0..3 {
        let other = server.member(&format!("other{number}@example.com"), "0").await;
        let mut open = 0;
        for _ in 0..10 {
            let answer = guess(other.clone(), "198.51.100.1", "AAAA-AAAA-AAAA-AAAA".into()).await;
            open += usize::from(answer.status() == StatusCode::OK);
        }
        assert_eq!(open, if number < 2 { 10 } else { 1 }, "{number}");
    }
    // a class beside them that redeems its own is let in, all at once
    let class = futures::future::join_all((0..2).map(|number| {
        let account = format!("pupil{number}@example.com");
        let server = &server;
        async move { server.member(&account, "0").await }
    }));
    let redeemed = class
        .await
        .into_iter()
        .zip(&codes[2..])
        .map(|(pupil, code)| guess(pupil, "198.51.100.1", code.clone()));
    for answer in futures::future::join_all(redeemed).await {
        assert_eq!(answer.status(), StatusCode::OK);
        let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(answer["status"], 1);
    }
    server.wait_a_minute().await;
    assert_eq!(guess(reader.clone(), "198.51.100.1", codes[1].clone()).await.status(), StatusCode::OK);
}

async fn the_operator_lists_makes_voids_and_pays_out(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("forever", "")).await;
    let list: Value = serde_json::from_str(&said(&server.run(&["package", "list", "--json"]))).unwrap();
    assert_eq!(list[0]["id"], id.as_str());
    assert_eq!((&list[0]["title"], &list[0]["price"]), (&"一套书".into(), &"30.00".into()));
    assert_eq!(list[0]["seller"], "seller@example.com");
    let file = server.folder.path().join("codes.csv");
    let csv = file.to_str().unwrap();
    let made = said(&server.run(&["code", "make", &id, "--count", "3", "--csv", csv]));
    let batch = between(&made, "batch ", ", in");
    let codes = codes_of(&std::fs::read_to_string(&file).unwrap());
    assert_eq!(codes.len(), 3);
    // a file that is there is not written over, and without a package nothing is made
    assert!(failed(&server.run(&["code", "make", &id, "--count", "3", "--csv", csv])).contains("codes.csv"));
    let other = server.folder.path().join("other.csv");
    let other = other.to_str().unwrap();
    assert!(
        failed(&server.run(&["code", "make", "nothing", "--count", "3", "--csv", other]))
            .contains("no package")
    );
    for count in ["0", "100001", "x"] {
        failed(&server.run(&["code", "make", &id, "--count", count, "--csv", other]));
    }
    assert_eq!(server.column("select id from code_batches").await, std::slice::from_ref(&batch));
    let reader = server.member("reader@example.com", "100").await;
    assert_eq!(redeem(&reader, &codes[0]).await.1["status"], 1);
    assert!(said(&server.run(&["code", "void", &batch])).contains("Voided 2 codes"));
    assert!(said(&server.run(&["code", "void", &batch])).contains("before"));
    assert!(failed(&server.run(&["code", "void", "nothing"])).contains("no batch"));
    assert_eq!(redeem(&reader, &codes[1]).await.1["status"], 0);

    let buyer = server.member("buyer@example.com", "100").await;
    buy(&buyer, &id).await;
    let owed: Value = serde_json::from_str(&said(&server.run(&["payout", "list", "--json"]))).unwrap();
    assert_eq!((&owed[0]["seller"], &owed[0]["income"]), (&"seller@example.com".into(), &"27.00".into()));
    let send = |amount: &str, number: &str| {
        server.run(&["payout", "send", "seller@example.com", "--amount", amount, "--number", number])
    };
    assert!(failed(&send("27.01", "B1")).contains("less"));
    assert!(failed(&send("0", "B1")).contains("above zero"));
    assert!(said(&send("20", "B1")).contains("Noted"));
    assert!(said(&send("20", "B1")).contains("before"));
    assert!(failed(&send("7", "B1")).contains("another payout"));
    assert!(
        failed(&server.run(&["payout", "send", "nobody@example.com", "--amount", "1", "--number", "B2"]))
            .contains("no member")
    );
    let owed: Value = serde_json::from_str(&said(&server.run(&["payout", "list", "--json"]))).unwrap();
    assert_eq!((&owed[0]["income"], &owed[0]["paid_out"]), (&"7.00".into(), &"20.00".into()));
    assert!(server.message_to("seller@example.com").contains("20.00"));
    // the seller sees it with its number, and month by month what moved
    let page = seller.page("/manager/epaper_settlement").await;
    assert!(page.contains("B1") && page.contains("20.00") && page.contains("7.00"), "{page}");
    let file = format!("/manager/epaper_settlement/{}", between(&page, "epaper_settlement/", "\""));
    let printed = words_of(&seller.get(&file).await.bytes().await.unwrap());
    for word in ["对账单", "期初", "收入（已扣平台服务费）", "¥27.00", "\u{2212}¥20.00", "结算 B1", "¥7.00"]
    {
        assert!(printed.contains(word), "no {word} in {printed}");
    }
    let file = file.replace("statement.pdf", "statement.csv");
    let statement = seller.get(&file).await.text().await.unwrap();
    assert!(statement.starts_with("\u{feff}时间,事由,金额,余额\r\n"), "{statement}");
    assert!(
        statement.contains(",27.00,27.00\r\n") && statement.contains("结算 B1,-20.00,7.00\r\n"),
        "{statement}"
    );
    assert_eq!(
        seller.get("/manager/epaper_settlement/statement.csv?month=x").await.status(),
        StatusCode::BAD_REQUEST
    );
    let quiet = seller.get("/manager/epaper_settlement/statement.pdf?month=2020-01").await;
    assert_eq!(quiet.status(), StatusCode::NOT_FOUND, "nothing moved");
    // what left for the bank can't be given back as well
    let sale = server.read("select id from sales").await;
    let answer = seller.post(&format!("/manager/epaper_order/{sale}/refund"), &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("收入余额不够退"));
    assert!(said(&server.run(&["audit"])).contains("payout send"));
    books_hold(&server);
    // what was noted and not posted is found
    server.sql("update payouts set amount = amount + 1").await;
    assert!(!server.run(&["ledger", "check"]).status.success());
}

async fn an_account_with_income_stays_open(server: Server) {
    let (seller, works) = seller(&server, "seller@example.com").await;
    let id = package(&seller, &works, "一套书", "30", ("days", "30")).await;
    let reader = server.member("reader@example.com", "30").await;
    buy(&reader, &id).await;
    let page = seller.page("/manager/userInfo/closing").await;
    assert!(page.contains("还没有读完期限的有 ¥30.00"), "{page}");
    // a reader closes its account whenever it likes; the sale stays without its name
    let fields = [("word", "注销"), ("current", PASSWORD)];
    assert_eq!(reader.post("/manager/userInfo/closing", &fields).await.status(), StatusCode::SEE_OTHER);
    until("its name is gone, and what it could read", async || {
        let shown = between_all(&seller.page("/manager/epaper_order").await, "data-label=\"读者\">", "<");
        shown == ["已注销"] && server.column("select id from entitlements").await.is_empty()
    })
    .await;
    books_hold(&server);
}
