//! /manager/gift-cards and /staff/gift-cards: bought, redeemed to the last fen, given back.

use reqwest::{Response, StatusCode};

use support::payments::books_hold;
use support::staff::Clerk;
use support::wait::eventually;
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    a_card_is_bought_and_spent_to_the_last_fen,
    ; on_sqlite:
    what_is_wrong_with_a_card_is_said_beside_the_field,
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
async fn buy(buyer: &Caller, more: &[(&str, &str)]) -> String {
    let own = location(&send(buyer, more).await);
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

async fn said(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    between(&page, "id=\"code-error\" class=\"error\">", "<")
}

async fn a_card_is_bought_and_spent_to_the_last_fen(server: Server) {
    let buyer = server.member("buyer@example.com", "100").await;
    let friend = server.member("friend@example.com", "0").await;
    let to = [
        ("way", "mail"),
        ("email", "friend@example.com"),
        ("amount", "88.80"),
        ("receiver", "爷爷"),
        ("words", "慢慢看。"),
    ];
    let own = buy(&buyer, &to).await;
    assert_eq!(buyer.balance().await, "11.20");
    books_hold(&server, 0).await;
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
    assert_eq!(location(&redeem(&friend, &code.to_lowercase()).await), format!("{PAGE}?done=redeemed"));
    assert_eq!(location(&redeem(&friend, &code).await), format!("{PAGE}?done=own"), "pressed twice");
    assert_eq!(friend.balance().await, "88.80");
    assert!(said(redeem(&buyer, &code).await).await.contains("已经被兑换了"));
    let used = buyer.page(&own).await;
    assert!(used.contains("已兑换") && !used.contains(&code), "what is used is not shown");
    assert_eq!(buyer.get(&format!("{own}/card.pdf")).await.status(), StatusCode::CONFLICT);
    assert_eq!(server.read(owed).await, "0");

    // to the last fen: what is left of it buys the next card
    buy(&friend, &[("amount", "88.80")]).await;
    assert_eq!(friend.balance().await, "0.00");
    let answer = send(&friend, &[]).await;
    let unpaid = location(&answer);
    let answer = friend.post(&unpaid, &[]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("余额不足"));
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
    assert!(clerk.caller.page("/staff/gift-cards").await.contains("没有兑换的一共 "));
    let place = own.replace("/manager/", "/staff/");
    let press = async |more: &[(&str, &str)]| clerk.caller.post(&format!("{place}/refund"), more).await;
    let answer = press(&[("reason", "没有送出去")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("请再输入一次动态验证码"));
    let fields = clerk.code(&server).await;
    let fields = [("reason", "没有送出去"), ("code", fields.as_str())];
    assert_eq!(location(&press(&fields).await), format!("{place}?said=done"));
    assert_eq!(location(&press(&fields).await), format!("{place}?said=before"));
    assert_eq!(buyer.balance().await, "100.00");
    assert!(said(redeem(&buyer, &code).await).await.contains("已经退款"));
    books_hold(&server, 0).await;
}
