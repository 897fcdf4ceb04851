//! /staff/coupons, and what they take off at the checkout.

use futures::future::join_all;
use reqwest::{Response, StatusCode};

use support::payments::books_hold;
use support::printed_copies;
use support::selling::codes_of;
use support::staff::Clerk;
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    a_word_takes_off_and_comes_back,
    each_code_is_used_once,
    ; on_sqlite:
    what_a_maker_adds_is_not_taken_off,
    what_nothing_bounds_needs_another,
    what_is_wrong_with_a_coupon_is_said_beside_the_field,
);

/// What is typed instead, the field's word, and a part of what that says.
type Wrong<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

/// The form of a coupon, with other fields in the place of some.
async fn form(clerk: &Clerk, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let page = clerk.caller.page("/staff/coupons/new").await;
    let id = between(&page, "name=\"coupon\" value=\"", "\"");
    let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut fields = vec![
        own("coupon", &id),
        own("name", "开春"),
        own("benefit", "amount"),
        own("amount", "20"),
        own("for", "all"),
        own("from", &today(-1)),
        own("until", &today(30)),
        own("called", "word"),
        own("word", "spring26"),
        own("most", "10"),
    ];
    for (name, value) in more {
        fields.retain(|(known, _)| known != name);
        fields.push(own(name, value));
    }
    fields
}

fn today(days: i64) -> String {
    (time::OffsetDateTime::now_utc() + time::Duration::days(days)).date().to_string()
}

async fn send(clerk: &Clerk, fields: &[(String, String)]) -> Response {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    clerk.caller.post("/staff/coupons/new", &fields).await
}

/// Makes one, pressed twice, and answers its page.
async fn coupon(clerk: &Clerk, more: &[(&str, &str)]) -> String {
    let fields = form(clerk, more).await;
    let place = location(&send(clerk, &fields).await);
    let again = location(&send(clerk, &fields).await);
    let own = |place: &str| place.split('?').next().unwrap().to_owned();
    assert_eq!(own(&place), own(&again), "pressed twice, made once");
    own(&place)
}

/// What an order of a line would be with what is typed as a coupon: the answer, and the sum that its page asks for.
async fn tried(member: &Caller, page: &str, fields: &[(String, String)], code: &str) -> (StatusCode, String) {
    let address = &fields[1].1;
    let answer = member
        .post(page, &[("address", address), ("coupon", code), ("use_coupon", "Y"), ("total", "1")])
        .await;
    (answer.status(), answer.text().await.unwrap())
}

async fn place(
    member: &Caller,
    page: &str,
    fields: &[(String, String)],
    code: &str,
    total: &str,
) -> Response {
    let own = [("request_key", fields[0].1.as_str()), ("address", fields[1].1.as_str())];
    member.post(page, &[&own[..], &[("coupon", code), ("total", total)]].concat()).await
}

fn total_of(page: &str) -> String {
    between(page, "name=\"total\" value=\"", "\"")
}

fn fen(yuan: &str) -> i64 {
    yuan.replace('.', "").parse().unwrap()
}

fn order_of(answer: &Response) -> String {
    location(answer).strip_prefix("/manager/shopping/pay?order=").unwrap().to_owned()
}

async fn a_word_takes_off_and_comes_back(server: Server) {
    let clerk = Clerk::sign_in(&server, "财务小周", &["财务"]).await;
    let own = coupon(&clerk, &[("once", "Y"), ("least", "10")]).await;
    let member = server.member("buyer@example.com", "2000").await;
    let line = member.cart_with_album().await;
    member.post(&format!("/manager/shopping/cart/{line}/quantity"), &[("quantity", "3")]).await;
    let page = format!("/manager/shopping/order/{line}");
    let fields = member.order_form(&line).await;
    let before = fields[2].1.clone();

    // a word that is none is told beside the field, and stays there
    let (status, said) = tried(&member, &page, &fields, "SPRING27").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(said.contains("没有这个优惠码") && said.contains("value=\"SPRING27\""), "{said}");
    // the button shows what is taken off, and orders nothing
    let (status, said) = tried(&member, &page, &fields, " spring26 ").await;
    assert_eq!(status, StatusCode::OK);
    let total = total_of(&said);
    assert_eq!(fen(&before) - fen(&total), 2_000);
    assert!(said.contains("优惠券 ") && said.contains("满 ¥10.00 减 ¥20.00"));
    assert_eq!(server.read("select cast(count(*) as text) from orders").await, "0", "nothing was ordered");
    // a sum that was not seen orders nothing either
    let unseen = place(&member, &page, &fields, "SPRING26", &before).await;
    assert_eq!(unseen.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(unseen.text().await.unwrap().contains("金额已变为"));

    let order = order_of(&place(&member, &page, &fields, "SPRING26", &total).await);
    assert_eq!(order_of(&place(&member, &page, &fields, "SPRING26", &total).await), order, "pressed twice");
    let shown = member.page(&format!("/manager/order/{order}")).await;
    assert!(shown.contains("SPRING26") && shown.contains("减 ¥20.00"));
    let sums =
        "select cast(o.total - o.shipping - (select sum(l.total) from order_lines l) as text) from orders o";
    assert_eq!(server.read(sums).await, "0", "lines are the order's printing to the fen");
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    assert_eq!(fen(&member.balance().await.replace(',', "")), 200_000 - fen(&total));
    assert!(member.page(&format!("/manager/invoice/new?order={order}")).await.contains(&total));

    // once a member; a part that goes back gives no use back, and a cancelled order does
    let again = format!("/manager/order/{order}/reorder");
    let (status, said) = tried(&member, &again, &fields, "SPRING26").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(said.contains("您已经用过这个优惠码"));
    let copies = format!("1:{}", 1);
    let refund = ["order", "refund", &order, "--copies", &copies, "--key", "one", "--reason", "坏了"];
    assert!(server.run(&refund).status.success());
    let line_total: i64 = server.read("select cast(total as text) from order_lines").await.parse().unwrap();
    let back: i64 = server.read("select cast(refunded as text) from orders").await.parse().unwrap();
    assert_eq!(back, line_total / 3, "what a copy cost, with what was taken off it");
    assert_eq!(tried(&member, &again, &fields, "SPRING26").await.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(
        location(&member.post(&format!("/manager/order/{order}/cancellation"), &[]).await),
        format!("/manager/order/{order}")
    );
    assert_eq!(tried(&member, &again, &fields, "SPRING26").await.0, StatusCode::OK);
    assert!(clerk.caller.page(&own).await.contains("已退回"));
    assert_eq!(fen(&member.balance().await.replace(',', "")), 200_000);
    books_hold(&server, 0).await;
}

async fn each_code_is_used_once(server: Server) {
    let clerk = Clerk::sign_in(&server, "财务小周", &["财务"]).await;
    let batch =
        [("benefit", "percent"), ("percent", "15"), ("cap", "50"), ("called", "batch"), ("codes", "3")];
    let own = coupon(&clerk, &batch).await;
    let file = clerk.caller.post(&format!("{own}/codes"), &[]).await;
    assert_eq!(file.headers()["content-type"], "text/csv; charset=utf-8");
    let codes = codes_of(std::str::from_utf8(&file.bytes().await.unwrap()).unwrap());
    assert_eq!(codes.len(), 3);
    let member = server.member("buyer@example.com", "2000").await;
    let line = member.cart_with_album().await;
    let page = format!("/manager/shopping/order/{line}");
    let fields = member.order_form(&line).await;
    let (_, said) = tried(&member, &page, &fields, &codes[0].to_lowercase()).await;
    let total = total_of(&said);
    let order = order_of(&place(&member, &page, &fields, &codes[0], &total).await);
    let shown = member.page(&format!("/manager/order/{order}")).await;
    assert!(shown.contains(&format!("尾号 {}", &codes[0][15..])) && !shown.contains(&codes[0]));
    assert!(clerk.caller.page(&format!("/staff/orders/{order}")).await.contains("85 折"));

    // once, whoever has it
    member.post("/manager/shopping/pay", &[("order", &order)]).await;
    let again = format!("/manager/order/{order}/reorder");
    let (status, said) = tried(&member, &again, &fields, &codes[0]).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(said.contains("这个优惠码已经用过了"));
    // eight who were shown it at once
    let mut hands = Vec::new();
    for number in 0..8 {
        let hand = server.member(&format!("hand{number}@example.com"), "2000").await;
        let line = hand.cart_with_album().await;
        let page = format!("/manager/shopping/order/{line}");
        let fields = hand.order_form(&line).await;
        let total = total_of(&tried(&hand, &page, &fields, &codes[2]).await.1);
        hands.push((hand, page, fields, total));
    }
    let ordered = hands.iter().map(|(hand, page, fields, total)| place(hand, page, fields, &codes[2], total));
    let answers = join_all(ordered).await;
    assert_eq!(answers.iter().filter(|answer| answer.status() == StatusCode::SEE_OTHER).count(), 1);
    // ended between the page and the press: nothing is ordered, and what was typed stays
    let key = between(&member.page(&again).await, "name=\"request_key\" value=\"", "\"");
    let fields = [("request_key".into(), key), fields[1].clone()];
    let (_, said) = tried(&member, &again, &fields, &codes[1]).await;
    let seen = total_of(&said);
    let end = format!("{own}/end");
    assert_eq!(location(&clerk.caller.post(&end, &[]).await), format!("{own}?said=done"));
    assert_eq!(location(&clerk.caller.post(&end, &[]).await), format!("{own}?said=before"));
    let answer = place(&member, &again, &fields, &codes[1], &seen).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let said = answer.text().await.unwrap();
    assert!(said.contains("这个优惠码已经停用") && said.contains(&codes[1]));
    assert_eq!(server.read("select cast(count(*) as text) from orders").await, "2");
    books_hold(&server, 0).await;
}

/// A coupon on copies of somebody else's work: the printing bears it, what its maker adds stays the maker's.
async fn what_a_maker_adds_is_not_taken_off(server: Server) {
    let clerk = Clerk::sign_in(&server, "财务小周", &["财务"]).await;
    let own = coupon(&clerk, &[("benefit", "percent"), ("percent", "50"), ("cap", "")]).await;
    let agreed = server.run(&["coupon", "agree", own.rsplit('/').next().unwrap()]);
    assert!(agreed.status.success(), "what nothing bounds is the host's to agree to");
    let (_, work) = printed_copies::shared(&server, &[("print", "1"), ("markup", "5.00")]).await;
    let reader = server.member("reader@example.com", "2000").await;
    let desk = format!("/manager/opus_share_buy/{work}");
    let fields = printed_copies::chosen(&reader, &desk, "2").await;
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
    let page = location(&reader.post(&desk, &fields).await);
    let (_, form) = printed_copies::order_form(&reader, &page).await;
    let (status, said) = tried(&reader, &page, &form, "SPRING26").await;
    assert_eq!(status, StatusCode::OK, "{said}");
    let order = order_of(&place(&reader, &page, &form, "SPRING26", &total_of(&said)).await);
    let number = async |what: &str| server.read(&format!("select cast({what} as text) from orders")).await;
    let printing = fen(&form[2].1) - number("shipping").await.parse::<i64>().unwrap() - 1_000;
    assert_eq!(number("discount").await, (printing / 2).to_string(), "half of the printing alone");
    assert_eq!(number("markup").await, "1000");
    reader.post("/manager/shopping/pay", &[("order", &order)]).await;
    let held = "select cast(balance as text) from ledger_accounts where id like 'royalty:%'";
    assert_eq!(server.read(held).await, "1000");
    books_hold(&server, 0).await;
    // called off, it gives back the use and what was paid
    reader.post(&format!("/manager/order/{order}/cancellation"), &[]).await;
    assert_eq!((server.read(held).await, reader.balance().await), ("0".to_owned(), "2,000.00".to_owned()));
    assert!(clerk.caller.page(&own).await.contains("已退回"));
    books_hold(&server, 0).await;
}

async fn what_nothing_bounds_needs_another(server: Server) {
    let clerk = Clerk::sign_in(&server, "财务小周", &["财务"]).await;
    let own = coupon(&clerk, &[("most", ""), ("benefit", "percent"), ("percent", "10")]).await;
    let member = server.member("buyer@example.com", "2000").await;
    let line = member.cart_with_album().await;
    let page = format!("/manager/shopping/order/{line}");
    let fields = member.order_form(&line).await;
    assert_eq!(tried(&member, &page, &fields, "SPRING26").await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let shown = clerk.caller.page(&own).await;
    assert!(shown.contains("待复核") && !shown.contains("同意</button>"));
    let request = between(&shown, "name=\"request\" value=\"", "\"");
    let grant = |code: String| {
        [("request".to_owned(), request.clone()), ("decision".into(), "grant".into()), ("code".into(), code)]
    };
    let press = async |clerk: &Clerk| {
        let code = clerk.code(&server).await;
        let fields = grant(code);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        clerk.caller.post(&format!("{own}/second"), &fields).await
    };
    assert_eq!(press(&clerk).await.status(), StatusCode::UNPROCESSABLE_ENTITY, "nobody agrees to its own");
    let other = Clerk::sign_in(&server, "财务小吴", &["财务"]).await;
    assert!(other.caller.page("/staff").await.contains("待复核的优惠券"));
    assert_eq!(location(&press(&other).await), format!("{own}?said=done"));
    assert_eq!(location(&press(&other).await), format!("{own}?said=before"));
    assert_eq!(tried(&member, &page, &fields, "SPRING26").await.0, StatusCode::OK);
    // who prints makes none
    let printer = Clerk::sign_in(&server, "印务小陈", &["印务"]).await;
    assert_eq!(printer.caller.get("/staff/coupons").await.status(), StatusCode::FORBIDDEN);
}

async fn what_is_wrong_with_a_coupon_is_said_beside_the_field(server: Server) {
    let clerk = Clerk::sign_in(&server, "财务小周", &["财务"]).await;
    let wrong: [Wrong<'_>; 8] = [
        (&[("amount", "0")], "amount-error", "减的金额须在"),
        (&[("amount", "二十")], "amount-error", "请写多少元"),
        (&[("benefit", "percent"), ("percent", "100")], "percent-error", "1 到 99"),
        (&[("for", "some")], "goods-error", "请至少选一种商品"),
        (&[("until", &today(-2))], "until-error", "最后一天不能早于第一天"),
        (&[("word", "春天")], "word-error", "4 到 15 个字母或数字"),
        (&[("most", "0")], "most-error", "次数须是"),
        (&[("called", "batch"), ("codes", "5001")], "codes-error", "1 到 5000"),
    ];
    for (more, field, sentence) in wrong {
        let answer = send(&clerk, &form(&clerk, more).await).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{more:?}");
        let page = answer.text().await.unwrap();
        let beside = between(&page, &format!("id=\"{field}\" class=\"error\">"), "<");
        assert!(beside.contains(sentence), "{more:?}: {beside}");
        assert!(page.contains("value=\"开春\""), "what was typed comes back");
    }
    coupon(&clerk, &[]).await;
    let answer = send(&clerk, &form(&clerk, &[("name", "又一张")]).await).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("已经有这个优惠码了"));
    assert_eq!(server.read("select cast(count(*) as text) from coupons").await, "1");
}
