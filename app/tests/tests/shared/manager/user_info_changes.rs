//! /manager/userInfo/password and /manager/userInfo/contact.

use reqwest::{Response, StatusCode};

use support::{Caller, PASSWORD, Server, between, location, on_both_engines};

on_both_engines!(
    another_password_ends_every_other_login,
    another_contact_is_proved_and_the_old_one_is_told;
    on_sqlite:
    the_current_password_is_always_asked_for,
    a_second_contact_leaves_the_account_name_alone,
    a_contact_of_somebody_else_looks_like_any_other,
    only_who_gave_the_password_is_sent_a_code,
);

const PASSWORD_PAGE: &str = "/manager/userInfo/password";
const CONTACT_PAGE: &str = "/manager/userInfo/contact";
const NEW: &str = "a lantern over the river";

async fn begin(member: &Caller, contact: &str) -> Response {
    member.post(CONTACT_PAGE, &[("step", "send"), ("contact", contact), ("current", PASSWORD)]).await
}

async fn confirm(member: &Caller, contact: &str, code: &str) -> Response {
    member.post(CONTACT_PAGE, &[("step", "finish"), ("contact", contact), ("code", code)]).await
}

async fn refused(answer: Response, words: &str) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains(words), "{words} is not in {page}");
    page
}

async fn another_password_ends_every_other_login(server: Server) {
    let reader = &*server.own("reader@example.com");
    let other = server.member(reader, "0").await;
    let fields = [("account", reader), ("password", PASSWORD)];
    let answer = server.visitor().post("/user-center/login", &fields).await.text().await.unwrap();
    let token = between(&answer, "\"token\":\"", "\"");
    let member = server.visitor();
    let before = member.sign_in(reader, PASSWORD).await;
    let before = before.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert!(member.page(PASSWORD_PAGE).await.contains("当前密码"));

    let answer = member.post(PASSWORD_PAGE, &[("current", PASSWORD), ("password", NEW)]).await;
    let renewed = answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert_ne!(before, renewed);
    let page = member.page(&location(&answer)).await;
    assert!(page.contains("密码已修改"), "this login goes on");
    assert_eq!(other.get("/manager/order").await.status(), StatusCode::SEE_OTHER);
    let answer = server.visitor().call("GET", "/cart/cartList", &token, &[]).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    let thief = server.visitor();
    let answer = thief.get_with("/manager/order", &[("cookie", before.as_str())]).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "the session id from before is worth nothing");
    assert!(server.message_to(reader).contains("您的密码刚刚修改"));
    let later = server.visitor();
    assert_eq!(later.sign_in(reader, NEW).await.status(), StatusCode::SEE_OTHER);
    refused(later.sign_in(reader, PASSWORD).await, "账号或密码不正确").await;
}

async fn the_current_password_is_always_asked_for(server: Server) {
    let contact = &*server.own("13800138000");
    // a session that began with a phone has never given one
    let phone = server.member("reader@example.com", "0").await;
    let browser = server.visitor();
    let ask = between(&browser.page("/manager/login").await, "name=\"ask\" value=\"", "\"");
    phone.post(&format!("/manager/scan/{ask}"), &[("answer", "confirm")]).await;
    location(&browser.post("/manager/login", &[("way", "qr"), ("ask", &ask)]).await);
    for fields in [&[("password", NEW)][..], &[("password", NEW), ("current", "")]] {
        refused(browser.post(PASSWORD_PAGE, fields).await, "请输入当前密码").await;
    }
    refused(browser.post(CONTACT_PAGE, &[("step", "send"), ("contact", contact)]).await, "请输入当前密码")
        .await;
    let page = refused(
        browser.post(PASSWORD_PAGE, &[("current", PASSWORD), ("password", "password123")]).await,
        "太常见",
    )
    .await;
    assert!(!page.contains(PASSWORD) && !page.contains("password123"));
    // guesses count together, here and at the door
    for _ in 0..2 {
        refused(
            browser.post(PASSWORD_PAGE, &[("current", "a guess"), ("password", NEW)]).await,
            "当前密码不正确",
        )
        .await;
        let fields = [("step", "send"), ("contact", contact), ("current", "a guess")];
        let page = refused(browser.post(CONTACT_PAGE, &fields).await, "当前密码不正确").await;
        assert!(page.contains(&format!("value=\"{contact}\"")) && !page.contains("a guess"));
    }
    refused(browser.sign_in("reader@example.com", "a guess").await, "账号或密码不正确").await;
    let answer = browser.post(PASSWORD_PAGE, &[("current", PASSWORD), ("password", NEW)]).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.headers().contains_key("retry-after"));
    assert!(server.wrote_to_nobody());
    for page in [PASSWORD_PAGE, CONTACT_PAGE] {
        assert!(location(&server.visitor().get(page).await).starts_with("/manager/login/"));
    }
}

async fn another_contact_is_proved_and_the_old_one_is_told(server: Server) {
    let reader = &*server.own("reader@example.com");
    let new = &*server.own("new@example.com");
    let other = &*server.own("other@example.com");
    let member = server.member(reader, "0").await;
    refused(begin(&member, reader).await, "这就是您现在的邮箱").await;
    refused(begin(&member, "nonsense").await, "格式不正确").await;
    let answer = begin(&member, &new.replace("new", "New").replace("example", "Example")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let page = answer.text().await.unwrap();
    assert!(page.contains("验证码已发到") && !page.contains("type=\"password\""));
    let code = server.code_to(new);
    let wrong = format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000);
    refused(confirm(&member, new, &wrong).await, "验证码不正确").await;
    // the code is bound to the contact that it was sent to
    refused(confirm(&member, other, &code).await, "验证码不正确").await;
    let done = location(&confirm(&member, new, &code).await);
    let page = member.page(&done).await;
    assert!(page.contains("已更改") && page.contains(new));
    let notice = server.message_to(reader);
    assert!(notice.contains(&new.replace("new", "n***")) && !notice.contains(new), "{notice}");
    // the account's name was the old address
    let visitor = server.visitor();
    refused(visitor.sign_in(reader, PASSWORD).await, "账号或密码不正确").await;
    assert_eq!(visitor.sign_in(new, PASSWORD).await.status(), StatusCode::SEE_OTHER);
    let info = visitor.page("/user-center/getMemberInfo").await;
    assert!(info.contains(&format!(r#""phone":"","email":"{new}""#)), "{info}");
    // and the old one is free
    server.member(reader, "0").await;
}

async fn a_second_contact_leaves_the_account_name_alone(server: Server) {
    let reader = &*server.own("reader@example.com");
    let phone = &*server.own("13800138000");
    let member = server.member(reader, "0").await;
    begin(&member, phone).await;
    location(&confirm(&member, phone, &server.code_to(phone)).await);
    assert!(server.message_to(reader).contains("新增了 138****8000"));
    let visitor = server.visitor();
    for name in [phone, reader] {
        assert_eq!(visitor.sign_in(name, PASSWORD).await.status(), StatusCode::SEE_OTHER, "{name}");
    }
    let info = visitor.page("/user-center/getMemberInfo").await;
    assert!(info.contains(&format!(r#""phone":"{phone}","email":"{reader}""#)), "{info}");
    // both are reached when the password is set anew
    let fields = [("current", PASSWORD), ("password", NEW)];
    location(&member.post(PASSWORD_PAGE, &fields).await);
    for contact in [phone, reader] {
        assert!(server.message_to(contact).contains("您的密码刚刚修改"), "{contact}");
    }
}

async fn a_contact_of_somebody_else_looks_like_any_other(server: Server) {
    let taken = &*server.own("taken@example.com");
    let free = &*server.own("free@example.com");
    let phone = &*server.own("13800138000");
    server.member(taken, "0").await;
    let member = server.member("reader@example.com", "0").await;
    let mut pages = Vec::new();
    for contact in [taken, free] {
        let mut seen = String::new();
        for answer in [begin(&member, contact).await, confirm(&member, contact, "000000").await] {
            seen += answer.status().as_str();
            let page = answer.text().await.unwrap();
            seen += &page.replace(contact, "");
        }
        pages.push(seen);
    }
    assert_eq!(pages[0], pages[1]);
    assert!(server.message_to(taken).contains("已经属于另一个账号"));
    // two who want the same free contact: whoever proves it first has it
    let rival = server.member("rival@example.com", "0").await;
    server.wait_a_minute_for(phone).await;
    begin(&member, phone).await;
    let first = server.code_to(phone);
    server.wait_a_minute_for(phone).await;
    begin(&rival, phone).await;
    let second = server.code_to(phone);
    if first != second {
        refused(confirm(&rival, phone, &first).await, "验证码不正确").await;
    }
    location(&confirm(&member, phone, &first).await);
    refused(confirm(&rival, phone, &second).await, "刚刚成了另一个账号的").await;
}

async fn only_who_gave_the_password_is_sent_a_code(server: Server) {
    let phone = &*server.own("13800138000");
    let other_phone = &*server.own("13900139000");
    let member = server.member("reader@example.com", "0").await;
    let again = [("step", "send"), ("contact", phone)];
    refused(member.post(CONTACT_PAGE, &again).await, "请输入当前密码").await;
    begin(&member, phone).await;
    let answer = member.post(CONTACT_PAGE, &again).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "a minute must go by");
    server.wait_a_minute_for(phone).await;
    assert_eq!(member.post(CONTACT_PAGE, &again).await.status(), StatusCode::OK);
    let other = [("step", "send"), ("contact", other_phone)];
    refused(member.post(CONTACT_PAGE, &other).await, "请输入当前密码").await;
    assert!(!server.outbox().contains(other_phone));
}
