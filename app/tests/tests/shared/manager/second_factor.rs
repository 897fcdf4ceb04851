//! /manager/userInfo/second_factor and the sign-in page's second step.

use reqwest::StatusCode;
use serde_json::Value;

use support::second_factor::{ACCOUNT, PAGE, at_the_step, secret, show, switched_on};
use support::staff::code;
use support::{PASSWORD, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    a_member_switches_it_on_and_shows_a_code_from_then_on,
    a_code_is_used_once_and_guesses_end_the_step,
    a_recovery_code_opens_once_and_can_be_made_anew;
    on_sqlite:
    a_program_shows_the_code_in_a_field,
    it_goes_off_with_password_and_code_or_by_the_operator,
    every_other_way_in_asks_for_it_but_a_signed_in_phone,
    what_was_typed_goes_through_both_steps,
);

async fn a_member_switches_it_on_and_shows_a_code_from_then_on(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    assert!(member.page("/manager/userInfo").await.contains("<dt>两步验证</dt><dd>未开启"));
    let answer = member.post(PAGE, &[("step", "begin"), ("current", "not the password")]).await;
    assert!(answer.text().await.unwrap().contains("当前密码不正确"));
    // begun, it is not on: signing in goes on as before
    let begun = secret(&member).await;
    assert_eq!(location(&server.visitor().sign_in(ACCOUNT, PASSWORD).await), "/manager/make_ebook");
    let answer = member.post(PAGE, &[("step", "confirm"), ("code", &code(&begun, 40))]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("id=\"code-error\""));
    let (secret, _) = switched_on(&member).await;
    assert_ne!(secret, begun, "beginning again makes another one");
    assert!(server.message_to(ACCOUNT).contains("已开启两步验证"));
    assert!(member.page("/manager/userInfo").await.contains("<dt>两步验证</dt><dd>已开启"));
    let page = member.page(PAGE).await;
    assert!(!page.contains(&secret) && !page.contains("recovery-codes"), "shown once");

    let asked = "/manager/opus_list/album?sort=new";
    let door = location(&server.visitor().get(asked).await);
    let (visitor, step) = at_the_step(&server, &door).await;
    let page = visitor.page(&step).await;
    assert!(page.contains("autocomplete=\"one-time-code\"") && !page.contains("type=\"password\""), "{page}");
    let answer = show(&visitor, &step, "").await;
    assert!(answer.text().await.unwrap().contains("请输入动态验证码"));
    let now = code(&secret, 0);
    let spaced = format!(" {} {} ", &now[..3], &now[3..]);
    assert_eq!(location(&show(&visitor, &step, &spaced).await), asked, "to the page first asked for");
    assert_eq!(visitor.get("/manager/order").await.status(), StatusCode::OK);
    // the log says that it came in, and nothing of a missing code
    let log = member.page("/manager/userInfo/signins").await;
    assert!(!log.contains("没有输入动态验证码"), "{log}");
    // another browser that never shows the code is seen by the owner
    at_the_step(&server, "/manager/login").await;
    assert!(member.page("/manager/userInfo/signins").await.contains("密码正确，没有输入动态验证码"));
}

async fn a_code_is_used_once_and_guesses_end_the_step(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    let (secret, _) = switched_on(&member).await;
    // the one that switched it on counts no more
    let (visitor, step) = at_the_step(&server, "/manager/login").await;
    let answer = show(&visitor, &step, &code(&secret, -1)).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let now = code(&secret, 0);
    assert_eq!(location(&show(&visitor, &step, &now).await), "/manager/make_ebook");
    // somebody who read it over the member's shoulder and knows the password
    let (thief, step) = at_the_step(&server, "/manager/login").await;
    let page = show(&thief, &step, &now).await.text().await.unwrap();
    assert!(page.contains("或已经用过") && page.contains("id=\"code-error\""), "{page}");
    for _ in 0..4 {
        assert_ne!(show(&thief, &step, "000000").await.status(), StatusCode::SEE_OTHER);
    }
    // the step is over, also for the right code
    let page = show(&thief, &step, &code(&secret, 1)).await.text().await.unwrap();
    assert!(page.contains("请重新登录") && page.contains("type=\"password\""), "{page}");
    // and from this address guessing goes on slowly
    let (thief, step) = at_the_step(&server, "/manager/login").await;
    let mut last = StatusCode::OK;
    for _ in 0..2 {
        last = show(&thief, &step, "000000").await.status();
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
    assert!(member.page("/manager/userInfo/signins").await.contains("动态验证码不正确"));
    // nobody waits: there is nothing to answer
    let page = show(&server.visitor(), "/manager/login?way=second_factor", &code(&secret, 1)).await;
    assert!(page.text().await.unwrap().contains("请重新登录"));
}

async fn a_recovery_code_opens_once_and_can_be_made_anew(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    let (secret, codes) = switched_on(&member).await;
    let (visitor, step) = at_the_step(&server, "/manager/login").await;
    let typed = codes[3].to_uppercase().replace('-', " ");
    assert_eq!(location(&show(&visitor, &step, &typed).await), "/manager/make_ebook");
    assert!(server.message_to(ACCOUNT).contains("恢复码"), "the owner hears of it");
    let (visitor, step) = at_the_step(&server, "/manager/login").await;
    assert_eq!(show(&visitor, &step, &codes[3]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(member.page(PAGE).await.contains("<strong class=\"num\">9</strong>"));
    let now = code(&secret, 0);
    let anew = [("step", "codes"), ("current", PASSWORD), ("code", now.as_str())];
    let page = member.post(PAGE, &anew).await.text().await.unwrap();
    let new = between_all(&page, "<li><code class=\"num\">", "</code>");
    assert_eq!(new.len(), 10);
    assert_eq!(show(&visitor, &step, &codes[4]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(location(&show(&visitor, &step, &new[0]).await), "/manager/make_ebook");
    // what is sent in its place is not shown as one
    let planted = [("step", "confirm"), ("recovery_codes", "planted-code"), ("code", "123456")];
    assert!(!member.post(PAGE, &planted).await.text().await.unwrap().contains("planted-code"));
}

async fn token(server: &Server, code: &str) -> Value {
    let fields = [("account", &*server.own(ACCOUNT)), ("password", PASSWORD), ("code", code)];
    let answer = server.visitor().post("/user-center/login", &fields).await;
    assert_eq!(answer.status(), StatusCode::OK);
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

async fn a_program_shows_the_code_in_a_field(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    let before = token(&server, "").await;
    assert_eq!(before["status"], 1, "without a second factor nothing is asked");
    let (secret, _) = switched_on(&member).await;
    let answer = token(&server, "").await;
    assert_eq!(answer["status"], 0);
    assert!(answer["msg"].as_str().unwrap().contains("code") && answer.get("token").is_none(), "{answer}");
    assert_eq!(token(&server, "000000").await["msg"], "动态验证码不正确，或已经用过");
    let answer = token(&server, &code(&secret, 0)).await;
    for token in [&before, &answer] {
        let token = token["token"].as_str().unwrap();
        let info = server.visitor().call("GET", "/user-center/getMemberInfo", token, &[]).await;
        assert_eq!(info.status(), StatusCode::OK, "those that were given go on");
    }
}

async fn it_goes_off_with_password_and_code_or_by_the_operator(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    let (secret, _) = switched_on(&member).await;
    let now = code(&secret, 0);
    for (current, code, reason) in [
        ("", now.as_str(), "请输入当前密码"),
        ("not the password", now.as_str(), "当前密码不正确"),
        (PASSWORD, "", "请输入动态验证码"),
        (PASSWORD, "000000", "验证码不正确"),
    ] {
        let answer = member.post(PAGE, &[("step", "off"), ("current", current), ("code", code)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{reason}");
        assert!(answer.text().await.unwrap().contains(reason), "{reason}");
    }
    let answer = member.post(PAGE, &[("step", "off"), ("current", PASSWORD), ("code", &now)]).await;
    assert_eq!(location(&answer), format!("{PAGE}?off=1"));
    assert!(server.message_to(ACCOUNT).contains("两步验证刚刚关闭"));
    assert_eq!(location(&server.visitor().sign_in(ACCOUNT, PASSWORD).await), "/manager/make_ebook");
    // the other way out is the operator's, and is written down
    switched_on(&member).await;
    let account = server.own(ACCOUNT);
    let off = ["member", "second-factor-off", "--account", &account, "--reason", "showed her passport"];
    assert!(server.run(&off).status.success());
    assert_eq!(location(&server.visitor().sign_in(ACCOUNT, PASSWORD).await), "/manager/make_ebook");
    assert!(String::from_utf8_lossy(&server.run(&["audit"]).stdout).contains("showed her passport"));
    assert!(server.message_to(ACCOUNT).contains("应您的要求"));
    assert!(!server.run(&off).status.success(), "there is none any more");
}

async fn every_other_way_in_asks_for_it_but_a_signed_in_phone(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    switched_on(&member).await;
    // the phone is a thing that the member has
    let browser = server.visitor();
    let ask = between(&browser.page("/manager/login").await, "name=\"ask\" value=\"", "\"");
    member.post(&format!("/manager/scan/{ask}"), &[("answer", "confirm")]).await;
    let claimed = browser.post("/manager/login", &[("way", "qr"), ("ask", &ask)]).await;
    assert_eq!(location(&claimed), "/manager/make_ebook");
    // finding the password proves the mailbox, not the device
    let visitor = server.visitor();
    let account = &*server.own(ACCOUNT);
    visitor.post("/manager/login", &[("way", "recovery"), ("step", "send"), ("contact", account)]).await;
    let sent = server.code_to(ACCOUNT);
    let new = "a lantern over the river";
    let fields =
        [("way", "recovery"), ("step", "finish"), ("contact", account), ("code", &sent), ("password", new)];
    let answer = visitor.post("/manager/login", &fields).await;
    assert_eq!(location(&answer), "/manager/login?way=second_factor");
    assert!(location(&visitor.get("/manager/order").await).starts_with("/manager/login/"));
}

async fn what_was_typed_goes_through_both_steps(server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    let (secret, _) = switched_on(&member).await;
    let visitor = server.visitor();
    let page = "/manager/userInfo/addresses/new";
    let answer = visitor.post_from(page, page, &[("receiver", "林知夏"), ("street", "平江路 62 号")]).await;
    let door = answer.text().await.unwrap();
    let action = between(&door, "method=\"post\" action=\"", "\"");
    let kept = between(&door, "name=\"kept\" value=\"", "\"").replace("&amp;", "&");
    let fields = [("account", &*server.own(ACCOUNT)), ("password", PASSWORD), ("kept", kept.as_str())];
    let step = visitor.post(&action, &fields).await;
    assert_eq!(step.status(), StatusCode::OK);
    let step = step.text().await.unwrap();
    assert_eq!(between(&step, "name=\"kept\" value=\"", "\"").replace("&amp;", "&"), kept);
    let place = format!("{action}?way=second_factor");
    let now = code(&secret, 0);
    let fields = [("way", "second_factor"), ("code", now.as_str()), ("kept", kept.as_str())];
    let shown = visitor.post(&place, &fields).await.text().await.unwrap();
    assert!(shown.contains("平江路 62 号") && shown.contains("刚才填写的内容还在"), "{shown}");
}
