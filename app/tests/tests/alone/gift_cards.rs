//! /manager/gift-cards, the till and /staff/gift-cards: bought, used to the last fen, given back.

use reqwest::{Response, StatusCode};

use support::fakes::alipay::{FakeAlipay, send as tell};
use support::fakes::wechatpay::FakeWechatpay;
use support::payments::{books_hold, failed, page as payment_page, pay_order, said as printed, unpaid_order};
use support::staff::Clerk;
use support::wait::eventually;
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    a_card_is_bought_and_used_to_the_last_fen,
    more_of_a_buyers_cards_goes_back_when_another_agrees,
    ; on_sqlite:
    a_card_is_paid_with_alipay,
    what_is_wrong_with_a_card_is_said_beside_the_field,
    what_is_wrong_with_a_card_is_said_at_the_till,
    the_shop_gives_a_card_back,
);

/// What is typed instead, the field's word, and a part of what that says.
type Wrong<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

const PAGE: &str = "/manager/gift-cards";

async fn send(buyer: &Caller, more: &[(&str, &str)]) -> Response {
    let key = between(&buyer.page(PAGE).await, "name=\"card\" value=\"", "\"");
    let mut fields = vec![("card", key.as_str()), ("face", "100.00"), ("way", "card"), ("giver", "小雨")];
    for (name, value) in more {
        fields.retain(|(known, _)| known != name);
        fields.push((name, value));
    }
    buyer.post(PAGE, &fields).await
}

/// Buys one from the balance, pressed twice, and answers its page.
pub async fn buy(buyer: &Caller, more: &[(&str, &str)]) -> String {
    let own = location(&send(buyer, more).await);
    let listed = buyer.page(PAGE).await;
    let listed = listed.contains(&format!("href=\"{own}\" class=\"link\">去付款"));
    assert!(listed, "who leaves without having paid finds it again");
    for _ in 0..2 {
        assert_eq!(location(&buyer.post(&own, &[]).await), own);
    }
    own
}

async fn code_of(buyer: &Caller, own: &str) -> String {
    between(&buyer.page(own).await, "gift-code num\">", "<")
}

async fn redeem(member: &Caller, code: &str) -> Response {
    member.post(&format!("{PAGE}/redemption"), &[("code", code)]).await
}

async fn keep(member: &Caller, code: &str) -> Response {
    member.post(&format!("{PAGE}/kept"), &[("code", code)]).await
}

/// What a form at the till is answered, by the way that it names.
async fn at_till(member: &Caller, order: &str, method: &str, code: &str) -> Response {
    member.post("/manager/shopping/pay", &[("order", order), ("method", method), ("card", code)]).await
}

fn till(order: &str) -> String {
    format!("/manager/shopping/pay?order={order}")
}

/// What is left on the only card.
async fn rest(server: &Server) -> String {
    server.read("select cast(amount - spent as text) from gift_cards").await
}

async fn said_beside(answer: Response, field: &str) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    between(&page, &format!("id=\"{field}-error\" class=\"error\">"), "<")
}

async fn said(answer: Response) -> String {
    said_beside(answer, "code").await
}

async fn a_card_is_bought_and_used_to_the_last_fen(mut server: Server) {
    let fake = FakeWechatpay::configured(&mut server).await;
    let buyer = server.member("buyer@example.com", "0").await;
    let friend = server.member("friend@example.com", "0").await;
    let to = [
        ("way", "mail"),
        ("email", "friend@example.com"),
        ("amount", "88.80"),
        ("receiver", "爷爷"),
        ("words", "慢慢看。"),
    ];
    // paid from outside, told of twice
    let own = location(&send(&buyer, &to).await);
    let key = between(&buyer.page(&own).await, "name=\"request_key\" value=\"", "\"");
    let pay = [("method", "wechat"), ("request_key", key.as_str())];
    let payment = location(&buyer.post(&own, &pay).await);
    let payment = payment.strip_prefix("/manager/payment/").unwrap();
    assert!(buyer.page(&payment_page(payment)).await.contains("书坊礼品卡 ¥88.80"));
    fake.pay(payment);
    for _ in 0..2 {
        assert_eq!(fake.note(payment).send(&server).await, 204);
    }
    assert_eq!(buyer.balance().await, "0.00");
    books_hold(&server, 8_880).await;
    let owed = "select cast(balance as text) from ledger_accounts where id = 'gift-cards'";
    assert_eq!(server.read(owed).await, "8880");
    eventually(&server, "select cast(sent as text) from gift_cards", "1").await;
    let code = code_of(&buyer, &own).await;
    let outbox = server.outbox();
    for word in ["爷爷：", "小雨送给您一张 ¥88.80 的礼品卡", "慢慢看。", &code] {
        assert!(outbox.contains(word), "no {word} in {outbox}");
    }
    let pdf = buyer.get(&format!("{own}/card.pdf")).await;
    assert_eq!(pdf.headers()["content-type"], "application/pdf");
    // nobody else's
    assert_eq!(friend.get(&own).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(friend.get(&format!("{own}/card.pdf")).await.status(), StatusCode::NOT_FOUND);
    assert!(friend.page(&format!("{PAGE}?code={code}")).await.contains(&format!("value=\"{code}\"")));

    // a part of it pays a whole order: typed at the till, pressed twice
    let account = "friend@example.com";
    unpaid_order(&server, account, "one", 5_000).await;
    for _ in 0..2 {
        assert_eq!(location(&at_till(&friend, "one", "card", &code.to_lowercase()).await), till("one"));
    }
    let shown = friend.page(&till("one")).await;
    assert!(shown.contains("用礼品卡支付") && shown.contains("取下"), "{shown}");
    books_hold(&server, 8_880).await;
    for _ in 0..2 {
        assert!(
            location(&friend.post("/manager/shopping/pay", &[("order", "one")]).await).contains("success")
        );
    }
    assert!(friend.page("/manager/shopping/success?order=one").await.contains("礼品卡付 "));
    assert_eq!((rest(&server).await.as_str(), server.read(owed).await.as_str()), ("3880", "3880"));
    books_hold(&server, 8_880).await;
    let used = buyer.page(&own).await;
    assert!(used.contains("已收下") && !used.contains(&code), "what somebody has is not shown");
    assert_eq!(buyer.get(&format!("{own}/card.pdf")).await.status(), StatusCode::CONFLICT);

    // its rest pays the next one in part, what is due then comes from outside
    unpaid_order(&server, account, "two", 5_000).await;
    let card = own.rsplit('/').next().unwrap();
    let (put, off) = (format!("card:{card}"), format!("off:{card}"));
    for way in [&put, &off, &off, &put] {
        assert_eq!(location(&at_till(&friend, "two", way, "").await), till("two"));
    }
    let answer = friend.post("/manager/shopping/pay", &[("order", "two")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("余额不足"));
    let payment = pay_order(&friend, "two", "wechat").await;
    assert_eq!(fake.transaction(&payment)["amount"]["total"], 1_120, "what is due beside the card");
    fake.pay(&payment);
    assert_eq!(fake.note(&payment).send(&server).await, 204);
    assert_eq!((rest(&server).await.as_str(), friend.balance().await.as_str()), ("0", "0.00"));
    let success = friend.page("/manager/shopping/success?order=two").await;
    assert!(success.contains("礼品卡付 ") && success.contains("微信支付"), "{success}");
    books_hold(&server, 10_000).await;
    let invoice = friend.page("/manager/invoice/new?order=two").await;
    assert!(invoice.contains("礼品卡付的，不开发票") && invoice.contains("value=\"11.20\""), "{invoice}");
    assert!(friend.page("/manager/invoice/new?order=one").await.contains("用卡付的部分不再开发票"));

    // what goes back of it goes to the card first, and is used again
    let refund = ["order", "refund", "two", "--amount", "40", "--key", "dent", "--reason", "封面有划痕"];
    for _ in 0..2 {
        printed(&server.run(&refund));
    }
    assert_eq!((rest(&server).await.as_str(), friend.balance().await.as_str()), ("3880", "1.20"));
    assert!(friend.page("/manager/order/two").await.contains("退回礼品卡 ¥38.80、余额 ¥1.20：封面有划痕"));
    books_hold(&server, 10_000).await;
    unpaid_order(&server, account, "three", 3_500).await;
    at_till(&friend, "three", &put, "").await;
    friend.post("/manager/shopping/pay", &[("order", "three")]).await;
    let shown = friend.page(&own).await;
    for word in ["使用中", "付订单", "订单退款", "/manager/order/three"] {
        assert!(shown.contains(word), "no {word} in {shown}");
    }
    // the last 3.80 go into the balance, pressed twice
    for _ in 0..2 {
        let answer = friend.post(&format!("{own}/redemption"), &[]).await;
        assert_eq!(location(&answer), format!("{own}?done=redeemed"));
    }
    assert_eq!((rest(&server).await.as_str(), server.read(owed).await.as_str()), ("0", "0"));
    assert_eq!(friend.balance().await, "5.00");
    let shown = friend.page(&own).await;
    assert!(shown.contains("已用完") && shown.contains("转入余额"));
    assert!(said(keep(&friend, &code).await).await.contains("里没有钱了"));
    assert!(said(redeem(&buyer, &code).await).await.contains("已经在别人的账户里"));
    books_hold(&server, 10_000).await;
}

async fn a_card_is_paid_with_alipay(mut server: Server) {
    let fake = FakeAlipay::configured(&mut server).await;
    let buyer = server.member("buyer@example.com", "0").await;
    let own = location(&send(&buyer, &[]).await);
    let key = between(&buyer.page(&own).await, "name=\"request_key\" value=\"", "\"");
    let pay = [("method", "alipay"), ("request_key", key.as_str())];
    let waiting = buyer.page(&location(&buyer.post(&own, &pay).await)).await;
    let way = between(&waiting, "href=\"http://127.0.0.1", "\"").replace("&amp;", "&");
    let payment = fake.pay(&format!("http://127.0.0.1{way}"));
    for _ in 0..2 {
        assert_eq!(tell(&server, &fake.note(&payment)).await.1, "success");
    }
    let code = code_of(&buyer, &own).await;
    books_hold(&server, 10_000).await;
    assert_eq!(location(&redeem(&buyer, &code).await), format!("{PAGE}?done=redeemed"), "for oneself");
    assert_eq!(buyer.balance().await, "100.00");
    books_hold(&server, 10_000).await;
}

/// Each card that pays nothing says at the till why, and what was typed stays.
async fn what_is_wrong_with_a_card_is_said_at_the_till(server: Server) {
    let buyer = server.member("buyer@example.com", "500").await;
    let account = "buyer@example.com";
    for order in ["order", "other"] {
        unpaid_order(&server, account, order, 10_000).await;
    }
    let mut codes = Vec::new();
    for _ in 0..4 {
        let own = buy(&buyer, &[]).await;
        codes.push((code_of(&buyer, &own).await, own.rsplit('/').next().unwrap().to_owned()));
    }
    let [over, withdrawn, taken, own] = &codes[..] else { panic!("four cards") };
    server.sql(&format!("update gift_cards set expires_at = 1700000000000 where id = '{}'", over.1)).await;
    let clerk = Clerk::sign_in(&server, "财务小周", &["财务"]).await;
    let fields = clerk.code(&server).await;
    let fields = [("reason", "没有送出去"), ("code", fields.as_str())];
    clerk.caller.post(&format!("/staff/gift-cards/{}/refund", withdrawn.1), &fields).await;
    let other = server.member("other@example.com", "0").await;
    assert_eq!(location(&keep(&other, &taken.0).await), format!("{PAGE}?done=kept"));
    let left = format!("/staff/gift-cards/{}/refund", taken.1);
    let answer = clerk.caller.post(&left, &[("reason", "要回来")]).await;
    assert!(answer.text().await.unwrap().contains("已经有人领用"));
    for (typed, sentence) in [
        ("", "请输入礼品卡的卡号"),
        ("ABC", "您输入了 3 个"),
        ("AAAA-AAAA-AAAA-AAAA", "没有这张礼品卡"),
        (over.0.as_str(), "卡里的钱还在，请联系本店重新激活"),
        (withdrawn.0.as_str(), "已经退款作废"),
        (taken.0.as_str(), "已经在别人的账户里"),
    ] {
        let answer = at_till(&buyer, "order", "card", typed).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{typed}");
        let page = answer.text().await.unwrap();
        let beside = between(&page, "id=\"card-error\" class=\"error\">", "<");
        assert!(beside.contains(sentence), "{typed}: {beside}");
        assert!(typed.is_empty() || page.contains(&format!("value=\"{typed}\"")), "what was typed stays");
    }
    // its own is kept for the first order that it is on, until that gives it up
    assert_eq!(location(&at_till(&buyer, "order", "card", &own.0).await), till("order"));
    let elsewhere = at_till(&buyer, "other", "card", &own.0).await;
    assert!(said_beside(elsewhere, "card").await.contains("有 ¥100.00 留给了您待付款的订单"));
    buyer.post("/manager/order/order/cancellation", &[]).await;
    assert_eq!(location(&at_till(&buyer, "other", "card", &own.0).await), till("other"));
    buyer.post("/manager/shopping/pay", &[("order", "other")]).await;
    unpaid_order(&server, account, "third", 10_000).await;
    let empty = at_till(&buyer, "third", "card", &own.0).await;
    assert!(said_beside(empty, "card").await.contains("里没有钱了"));
    // another's order, and another's card by its number
    assert_eq!(at_till(&other, "third", "card", &own.0).await.status(), StatusCode::NOT_FOUND);
    let stolen = at_till(&buyer, "third", &format!("card:{}", taken.1), "").await;
    assert_eq!(stolen.status(), StatusCode::NOT_FOUND);
    assert_eq!(buyer.balance().await, "200.00");
    books_hold(&server, 0).await;
}

async fn what_is_wrong_with_a_card_is_said_beside_the_field(server: Server) {
    let buyer = server.member("buyer@example.com", "100").await;
    let wrong: [Wrong<'_>; 6] = [
        (&[("face", "")], "amount-error", "请选一个面值"),
        (&[("amount", "1000.01")], "amount-error", "在 10.00 到 1,000.00 元之间"),
        (&[("amount", "八十")], "amount-error", "金额写成"),
        (&[("way", "mail"), ("email", "爷爷")], "email-error", "请填写对方的邮箱"),
        (&[("way", "pigeon")], "way-error", "请选择怎么送"),
        (&[("words", "看 example.com")], "words-error", "不能放网址"),
    ];
    for (more, field, sentence) in wrong {
        let answer = send(&buyer, &[&[("receiver", "爷爷")], more].concat()).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{more:?}");
        let page = answer.text().await.unwrap();
        let beside = between(&page, &format!("id=\"{field}\" class=\"error\">"), "<");
        assert!(beside.contains(sentence), "{more:?}: {beside}");
        assert!(page.contains("value=\"爷爷\""), "what was typed comes back");
    }
    let own = buy(&buyer, &[]).await;
    let code = code_of(&buyer, &own).await;
    for (typed, sentence) in [
        ("", "请输入礼品卡的卡号"),
        ("ABC", "卡号有 16 个字符，您输入了 3 个"),
        ("AAAA-AAAA-AAAA-AAAA", "没有这张礼品卡"),
        (&code[..18], "您输入了 15 个"),
    ] {
        assert!(said(redeem(&buyer, typed).await).await.contains(sentence), "{typed}");
    }
    // over: its money is not
    server.sql("update gift_cards set expires_at = 1700000000000").await;
    assert!(said(redeem(&buyer, &code).await).await.contains("卡里的钱还在"));
    assert!(buyer.page(&own).await.contains("钱没有作废"));
    let clerk = Clerk::sign_in(&server, "财务小周", &["财务"]).await;
    let id = own.rsplit('/').next().unwrap();
    let place = format!("/staff/gift-cards/{id}");
    assert_eq!(
        location(&clerk.caller.post(&format!("{place}/activation"), &[]).await),
        format!("{place}?said=done")
    );
    assert_eq!(
        location(&clerk.caller.post(&format!("{place}/activation"), &[]).await),
        format!("{place}?said=before")
    );
    assert_eq!(location(&redeem(&buyer, &code).await), format!("{PAGE}?done=redeemed"), "for oneself");
    assert_eq!(buyer.balance().await, "100.00");
    books_hold(&server, 0).await;
}

async fn the_shop_gives_a_card_back(server: Server) {
    let buyer = server.member("buyer@example.com", "100").await;
    let own = buy(&buyer, &[]).await;
    let code = code_of(&buyer, &own).await;
    let clerk = Clerk::sign_in(&server, "财务小周", &["财务"]).await;
    assert!(clerk.caller.page("/staff/gift-cards").await.contains("卡里还没有用的一共 "));
    let place = own.replace("/manager/", "/staff/");
    let shown = clerk.caller.page(&place).await;
    assert!(shown.contains("buyer@example.com") && shown.contains("看这位会员"), "{shown}");
    let press = async |more: &[(&str, &str)]| clerk.caller.post(&format!("{place}/refund"), more).await;
    let answer = press(&[("reason", "没有送出去")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("请再输入一次动态验证码"));
    let fields = clerk.code(&server).await;
    let fields = [("reason", "没有送出去"), ("code", fields.as_str())];
    assert_eq!(location(&press(&fields).await), format!("{place}?said=done"));
    assert_eq!(location(&press(&fields).await), format!("{place}?said=before"));
    assert_eq!(buyer.balance().await, "100.00");
    assert!(said(redeem(&buyer, &code).await).await.contains("已经退款作废"));

    // the same by whoever has the machine
    let other = buy(&buyer, &[]).await;
    let id = other.rsplit('/').next().unwrap();
    let run = |arguments: &[&str]| server.run(&[&["gift-card"], arguments].concat());
    assert!(printed(&run(&["list"])).contains("¥100.00 is owed"));
    assert!(printed(&run(&["show", id])).contains("¥100.00 (not used) ¥100.00 left"));
    assert!(printed(&run(&["activate", id])).contains("is good"));
    assert!(printed(&run(&["refund", id, "--reason", "没有送出去"])).contains("is given back."));
    assert!(printed(&run(&["refund", id, "--reason", "没有送出去"])).contains("before"));
    assert!(failed(&run(&["activate", id])).contains("不能激活"));
    assert!(failed(&run(&["show", &"0".repeat(26)])).contains("there is no gift card"));
    assert_eq!(buyer.balance().await, "100.00");

    // what somebody has is not given back over that one's head
    let third = buy(&buyer, &[]).await;
    let friend = server.member("friend@example.com", "0").await;
    let code = code_of(&buyer, &third).await;
    assert_eq!(location(&keep(&friend, &code).await), format!("{PAGE}?done=kept"));
    let id = third.rsplit('/').next().unwrap();
    assert!(failed(&run(&["refund", id, "--reason", "想要回来"])).contains("已经有人领用"));
    assert_eq!(buyer.balance().await, "0.00");
    location(&redeem(&friend, &code).await);
    assert_eq!(friend.balance().await, "100.00");
    books_hold(&server, 0).await;
}

async fn more_of_a_buyers_cards_goes_back_when_another_agrees(mut server: Server) {
    server.kill();
    server.set("BINDERY_STAFF_LIMIT", "150");
    server.restart();
    let buyer = server.member("buyer@example.com", "400").await;
    let mut places = Vec::new();
    for _ in 0..4 {
        places.push(buy(&buyer, &[]).await.replace("/manager/", "/staff/"));
    }
    let [first, second, third, fourth] = &places[..] else { panic!("four cards") };
    let zhou = Clerk::sign_in(&server, "zhou", &["财务"]).await;
    let chen = Clerk::sign_in(&server, "chen", &["财务"]).await;
    let press = async |clerk: &Clerk, place: &str| {
        let code = clerk.code(&server).await;
        let fields = [("reason", "没有送出去"), ("code", code.as_str())];
        location(&clerk.caller.post(&format!("{place}/refund"), &fields).await)
    };
    assert_eq!(press(&zhou, first).await, format!("{first}?said=done"));
    assert_eq!(buyer.balance().await, "100.00", "as much as one may");
    // split over cards it is one sum: for the same clerk, for another, and on another day
    assert_eq!(press(&zhou, second).await, format!("{second}?said=asked"));
    assert_eq!(press(&zhou, second).await, format!("{second}?said=asked-before"));
    assert_eq!(press(&chen, third).await, format!("{third}?said=asked"));
    server.sql("update given_alone set given_at = given_at - 86400001").await;
    assert_eq!(press(&zhou, fourth).await, format!("{fourth}?said=asked"));
    assert_eq!(buyer.balance().await, "100.00", "nothing moves yet");
    books_hold(&server, 0).await;
    let shown = zhou.caller.page(second).await;
    assert!(shown.contains("等另一位同事复核") && !shown.contains("退给买卡的人"), "{shown}");

    let request = async |place: &str| {
        let page = zhou.caller.page(place).await;
        between(&page, "name=\"request\" value=\"", "\"")
    };
    let decide = async |clerk: &Clerk, place: &str, decision: &str| {
        let (request, code) = (request(place).await, clerk.code(&server).await);
        let fields = [("request", request.as_str()), ("decision", decision), ("code", &*code)];
        clerk.caller.post(&format!("{place}/second"), &fields).await
    };
    let own = decide(&zhou, second, "grant").await;
    assert_eq!(own.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(own.text().await.unwrap().contains("要由另一位同事复核"));
    assert!(chen.caller.page("/staff").await.contains("待复核的礼品卡退款"));
    let waiting = chen.caller.page("/staff/gift-cards?view=second").await;
    assert!(waiting.contains(second.as_str()) && !waiting.contains(first.as_str()), "{waiting}");
    assert!(chen.caller.page(second).await.contains("同意退款"));
    let asked = request(second).await;
    let bare = [("request", asked.as_str()), ("decision", "grant")];
    let bare = chen.caller.post(&format!("{second}/second"), &bare).await;
    assert!(bare.text().await.unwrap().contains("请再输入一次动态验证码"));
    assert_eq!(buyer.balance().await, "100.00");
    assert_eq!(location(&decide(&chen, second, "grant").await), format!("{second}?said=done"));
    assert_eq!(buyer.balance().await, "200.00");
    let code = chen.code(&server).await;
    let again = [("request", asked.as_str()), ("decision", "grant"), ("code", &*code)];
    let again = chen.caller.post(&format!("{second}/second"), &again).await;
    assert_eq!(location(&again), format!("{second}?said=before"));
    assert_eq!(buyer.balance().await, "200.00", "once");

    // what was declined may be asked again; what somebody has taken meanwhile is not given back over that one's head
    assert_eq!(location(&decide(&zhou, fourth, "decline").await), format!("{fourth}?said=taken-back"));
    assert_eq!(press(&zhou, fourth).await, format!("{fourth}?said=asked"));
    let friend = server.member("friend@example.com", "0").await;
    let code = code_of(&buyer, &fourth.replace("/staff/", "/manager/")).await;
    assert_eq!(location(&keep(&friend, &code).await), format!("{PAGE}?done=kept"));
    let late = decide(&chen, fourth, "grant").await;
    assert_eq!(late.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(late.text().await.unwrap().contains("已经有人领用"));
    assert_eq!(location(&decide(&chen, fourth, "decline").await), format!("{fourth}?said=declined"));
    // another buyer's, on another day
    let other = server.member("other@example.com", "100").await;
    let place = buy(&other, &[]).await.replace("/manager/", "/staff/");
    assert_eq!(press(&zhou, &place).await, format!("{place}?said=done"));
    assert_eq!((buyer.balance().await, other.balance().await), ("200.00".into(), "100.00".into()));
    books_hold(&server, 0).await;
    let card = second.rsplit('/').next().unwrap();
    let audit = printed(&server.run(&["audit", card]));
    assert!(
        audit.contains("zhou: gift card refund-ask") && audit.contains("chen: gift card refund-decide"),
        "{audit}"
    );
}
