//! /manager/userInfo/second_factor/passkeys, and signing in with what was added there.

use reqwest::{Response, StatusCode};
use serde_json::Value;

use support::staff::code;

use support::fakes::authenticator::Authenticator;
use support::second_factor::{at_the_step, switched_on};
use support::{Caller, PASSWORD, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    a_challenge_is_good_once_and_for_its_own_browser;
    on_sqlite:
    what_a_device_makes_is_checked_before_it_is_kept,
    what_was_not_signed_for_this_site_opens_nothing,
    a_counter_that_goes_back_is_told,
    it_takes_the_place_of_a_code,
    it_goes_with_the_password_or_by_the_operator,
    a_member_has_ten_of_its_own,
    without_a_public_address_the_page_says_why,
    closing_an_account_forgets_its_passkeys,
    a_member_adds_a_passkey_and_signs_in_with_it,
);

const PAGE: &str = "/manager/userInfo/second_factor/passkeys";
const ORIGIN: &str = "http://localhost:4711";
const ACCOUNT: &str = "reader@example.com";

/// From now on the site has an address at which browsers know passkeys.
fn with_address(server: &mut Server) {
    server.kill();
    server.set("BINDERY_PUBLIC_URL", ORIGIN);
    server.restart();
}

/// Begins to add a passkey: what the page asks the browser.
async fn begun(member: &Caller, name: &str) -> Value {
    let answer = member.post(PAGE, &[("step", "begin"), ("current", PASSWORD), ("name", name)]).await;
    assert_eq!(location(&answer), PAGE);
    let options = between(&member.page(PAGE).await, "data-options=\"", "\"");
    serde_json::from_str(&options.replace("&quot;", "\"").replace("&amp;", "&")).unwrap()
}

async fn send_made(member: &Caller, answer: &str) -> Response {
    member.post(PAGE, &[("step", "made"), ("credential", answer)]).await
}

async fn added(member: &Caller, name: &str) -> Authenticator {
    let (device, answer) = Authenticator::make(ORIGIN, &begun(member, name).await);
    assert_eq!(location(&send_made(member, &answer).await), format!("{PAGE}?done=added"));
    device
}

/// What a sign-in page's script is told to ask.
async fn asked(visitor: &Caller) -> Value {
    let answer = visitor.post("/manager/login_passkey", &[]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

async fn send(visitor: &Caller, page: &str, answer: &str) -> Response {
    visitor.post(page, &[("way", "passkey"), ("credential", answer)]).await
}

async fn signs_in(server: &Server, device: &mut Authenticator) -> Response {
    let visitor = server.visitor();
    let answer = device.show(&asked(&visitor).await);
    send(&visitor, "/manager/login", &answer).await
}

async fn assert_refused(answer: Response, reason: &str) {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains(reason), "{page}");
}

async fn a_member_adds_a_passkey_and_signs_in_with_it(mut server: Server) {
    with_address(&mut server);
    let member = server.member(ACCOUNT, "0").await;
    assert!(member.page("/manager/userInfo/second_factor").await.contains("还没有添加"));
    let fields = [("step", "begin"), ("current", "not the password"), ("name", "我的手机")];
    let page = member.post(PAGE, &fields).await.text().await.unwrap();
    assert!(page.contains("当前密码不正确") && page.contains("我的手机"), "{page}");
    let mut device = added(&member, "我的 <手机>").await;
    assert!(server.message_to(ACCOUNT).contains("添加了通行密钥“我的 <手机>”"));
    let page = member.page(&format!("{PAGE}?done=added")).await;
    assert!(page.contains("<strong>我的 &lt;手机&gt;</strong>") && page.contains("还没有用过"), "{page}");
    assert!(member.page("/manager/userInfo/second_factor").await.contains("已添加 1 个"));
    // straight to the page that was asked for
    let visitor = server.visitor();
    let door = location(&visitor.get("/manager/order").await);
    let answer = device.show(&asked(&visitor).await);
    assert_eq!(location(&send(&visitor, &door, &answer).await), "/manager/order");
    assert_eq!(visitor.get("/manager/order").await.status(), StatusCode::OK);
    assert!(member.page(PAGE).await.contains("上次使用"));
    assert!(member.page("/manager/userInfo/signins").await.contains("通行密钥登录"));
    // what is added next is not asked for on the device that has one
    let options = begun(&member, "").await;
    assert_eq!(options["excludeCredentials"].as_array().unwrap().len(), 1);
    assert_eq!(options["user"]["id"], device.handle.as_str(), "one member, one handle");
    assert!(!device.handle.contains(&server.read("select id from members").await));
    assert_eq!(location(&member.post(PAGE, &[("step", "cancel")]).await), PAGE);
    assert!(!member.page(PAGE).await.contains("data-options"));
}

async fn what_a_device_makes_is_checked_before_it_is_kept(mut server: Server) {
    with_address(&mut server);
    let member = server.member(ACCOUNT, "0").await;
    let wrong = "没有通过验证";
    let (_, answer) = Authenticator::make("https://books.example", &begun(&member, "").await);
    assert_refused(send_made(&member, &answer).await, wrong).await;
    let options = begun(&member, "").await;
    let (mut device, _) = Authenticator::make(ORIGIN, &options);
    device.verifies = false;
    assert_refused(send_made(&member, &device.made(&options)).await, wrong).await;
    let options = begun(&member, "").await;
    let (mut device, good) = Authenticator::make(ORIGIN, &options);
    device.site = "books.example".into();
    assert_refused(send_made(&member, &device.made(&options)).await, wrong).await;
    // the challenge is gone with the first answer, whatever that was
    assert_refused(send_made(&member, &good).await, "时间已过").await;
    begun(&member, "").await;
    assert_refused(send_made(&member, "{}").await, wrong).await;
    // begun by one member, finished by another in the same browser
    let options = begun(&member, "").await;
    let other = server.member("other@example.com", "0").await;
    drop(other);
    member.sign_in("other@example.com", PASSWORD).await;
    let (_, answer) = Authenticator::make(ORIGIN, &options);
    assert_eq!(send_made(&member, &answer).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(server.column("select id from passkeys").await.is_empty());
}

async fn a_challenge_is_good_once_and_for_its_own_browser(mut server: Server) {
    with_address(&mut server);
    let member = server.member(ACCOUNT, "0").await;
    let mut device = added(&member, "").await;
    let visitor = server.visitor();
    let answer = device.show(&asked(&visitor).await);
    // somebody who saw the answer has no use for it
    let over = "等待通行密钥的时间已过";
    let thief = server.visitor();
    assert_refused(send(&thief, "/manager/login", &answer).await, over).await;
    asked(&thief).await;
    assert_refused(send(&thief, "/manager/login", &answer).await, "没有通过验证").await;
    assert_eq!(send(&visitor, "/manager/login", &answer).await.status(), StatusCode::SEE_OTHER);
    visitor.post("/manager/logout", &[]).await;
    assert_refused(send(&visitor, "/manager/login", &answer).await, over).await;
    // of two questions the newer one counts
    let first = asked(&visitor).await;
    asked(&visitor).await;
    let answer = device.show(&first);
    assert_refused(send(&visitor, "/manager/login", &answer).await, "没有通过验证").await;
    assert_eq!(signs_in(&server, &mut device).await.status(), StatusCode::SEE_OTHER);
}

async fn what_was_not_signed_for_this_site_opens_nothing(mut server: Server) {
    with_address(&mut server);
    let member = server.member(ACCOUNT, "0").await;
    let mut device = added(&member, "").await;
    let wrong = "没有通过验证";
    device.origin = "http://localhost:4712".into();
    assert_refused(signs_in(&server, &mut device).await, wrong).await;
    device.origin = ORIGIN.into();
    device.site = "books.example".into();
    assert_refused(signs_in(&server, &mut device).await, wrong).await;
    device.site = "localhost".into();
    device.verifies = false;
    assert_refused(signs_in(&server, &mut device).await, wrong).await;
    device.verifies = true;
    let handle = std::mem::replace(&mut device.handle, "A".repeat(43));
    assert_refused(signs_in(&server, &mut device).await, wrong).await;
    device.handle = handle;
    // another key under the same name
    let visitor = server.visitor();
    let options = asked(&visitor).await;
    let mut answer: Value = serde_json::from_str(&device.show(&options)).unwrap();
    let signature = answer["response"]["signature"].as_str().unwrap();
    let turned =
        signature[..20].to_owned() + if &signature[20..21] == "A" { "B" } else { "A" } + &signature[21..];
    answer["response"]["signature"] = turned.into();
    assert_refused(send(&visitor, "/manager/login", &answer.to_string()).await, wrong).await;
    asked(&visitor).await;
    assert_refused(send(&visitor, "/manager/login", "").await, wrong).await;
    assert!(location(&visitor.get("/manager/order").await).starts_with("/manager/login/"));
    assert!(member.page("/manager/userInfo/signins").await.contains("通行密钥没有通过验证"));
    // it is still good where everything is right
    assert_eq!(signs_in(&server, &mut device).await.status(), StatusCode::SEE_OTHER);
}

async fn a_counter_that_goes_back_is_told(mut server: Server) {
    with_address(&mut server);
    let member = server.member(ACCOUNT, "0").await;
    let mut device = added(&member, "").await;
    device.counter = 7;
    assert_eq!(signs_in(&server, &mut device).await.status(), StatusCode::SEE_OTHER);
    // the copy has counted less than the one that it was made of
    device.counter = 4;
    assert_refused(signs_in(&server, &mut device).await, "可能有人复制过它").await;
    assert!(member.page("/manager/userInfo/signins").await.contains("通行密钥可能被复制，已拦下"));
    device.counter = 8;
    assert_eq!(signs_in(&server, &mut device).await.status(), StatusCode::SEE_OTHER);
}

async fn it_takes_the_place_of_a_code(mut server: Server) {
    with_address(&mut server);
    let member = server.member(ACCOUNT, "0").await;
    let (secret, _) = switched_on(&member).await;
    let (visitor, step) = at_the_step(&server, "/manager/login").await;
    assert!(!visitor.page(&step).await.contains("改用通行密钥"), "there is none yet");
    let mut device = added(&member, "").await;
    // it is two factors by itself
    assert_eq!(location(&signs_in(&server, &mut device).await), "/manager/make_ebook");
    // and stands for the code behind a password
    let (visitor, step) = at_the_step(&server, "/manager/login").await;
    assert!(visitor.page(&step).await.contains("改用通行密钥"));
    let answer = device.show(&asked(&visitor).await);
    assert_eq!(location(&send(&visitor, &step, &answer).await), "/manager/make_ebook");
    assert_eq!(visitor.get("/manager/order").await.status(), StatusCode::OK);
    let missing = "没有输入动态验证码";
    assert!(
        member.page("/manager/userInfo/signins").await.matches(missing).count() == 1,
        "of the first visitor"
    );
    // a code does what it did, for people and for programs
    let (visitor, step) = at_the_step(&server, "/manager/login").await;
    let fields = [("way", "second_factor"), ("code", &*code(&secret, 0))];
    assert_eq!(visitor.post(&step, &fields).await.status(), StatusCode::SEE_OTHER);
    let fields = [("account", ACCOUNT), ("password", PASSWORD)];
    let said = server.visitor().post("/user-center/login", &fields).await.text().await.unwrap();
    assert!(said.contains("放在 code 里"), "{said}");
}

async fn it_goes_with_the_password_or_by_the_operator(mut server: Server) {
    with_address(&mut server);
    let member = server.member(ACCOUNT, "0").await;
    let mut device = added(&member, "旧手机").await;
    let id = server.read("select id from passkeys").await;
    let fields = [("remove", &*id), ("current", "not the password")];
    assert_refused(member.post(PAGE, &fields).await, "当前密码不正确").await;
    // nobody removes another's
    let other = server.member("other@example.com", "0").await;
    other.post(PAGE, &[("remove", &*id), ("current", PASSWORD)]).await;
    assert_eq!(signs_in(&server, &mut device).await.status(), StatusCode::SEE_OTHER);
    for _ in 0..2 {
        let answer = member.post(PAGE, &[("remove", &*id), ("current", PASSWORD)]).await;
        assert_eq!(location(&answer), format!("{PAGE}?done=removed"));
    }
    assert!(server.message_to(ACCOUNT).contains("通行密钥“旧手机”刚刚被移除"));
    assert_refused(signs_in(&server, &mut device).await, "不认识这个通行密钥").await;
    // an operator ends all of them, for one who has lost everything
    let mut device = added(&member, "").await;
    let off = ["member", "second-factor-off", "--account", ACCOUNT, "--reason", "showed her passport"];
    assert!(server.run(&off).status.success());
    assert_refused(signs_in(&server, &mut device).await, "不认识这个通行密钥").await;
    assert!(server.message_to(ACCOUNT).contains("通行密钥也已全部移除"));
    assert!(!server.run(&off).status.success(), "there is none any more");
}

async fn a_member_has_ten_of_its_own(mut server: Server) {
    with_address(&mut server);
    let member = server.member(ACCOUNT, "0").await;
    for number in 0..9 {
        added(&member, &format!("第 {number} 个")).await;
    }
    // two tabs add the tenth
    let elsewhere = server.visitor();
    elsewhere.sign_in(ACCOUNT, PASSWORD).await;
    let (one, other) = (begun(&member, "").await, begun(&elsewhere, "").await);
    let (device, answer) = Authenticator::make(ORIGIN, &one);
    drop(device);
    assert_eq!(send_made(&member, &answer).await.status(), StatusCode::SEE_OTHER);
    let (_, answer) = Authenticator::make(ORIGIN, &other);
    assert_refused(send_made(&elsewhere, &answer).await, "最多 10 个").await;
    let fields = [("step", "begin"), ("current", PASSWORD)];
    assert_refused(member.post(PAGE, &fields).await, "最多 10 个").await;
    assert_eq!(between_all(&member.page(PAGE).await, "name=\"remove\" value=\"", "\"").len(), 10);
    let long = "名".repeat(31);
    let fields = [("step", "begin"), ("current", PASSWORD), ("name", &*long)];
    assert_refused(elsewhere.post(PAGE, &fields).await, "名字最多 30 个字").await;
}

async fn without_a_public_address_the_page_says_why(mut server: Server) {
    let member = server.member(ACCOUNT, "0").await;
    assert!(member.page(PAGE).await.contains("还没有设置对外的网址"));
    let answer = member.post(PAGE, &[("step", "begin"), ("current", PASSWORD)]).await;
    assert_refused(answer, "还没有设置对外的网址").await;
    let visitor = server.visitor();
    let page = visitor.page("/manager/login").await;
    assert!(!page.contains("用通行密钥登录") && !page.contains("/assets/passkeys"), "{page}");
    assert_eq!(visitor.post("/manager/login_passkey", &[]).await.status(), StatusCode::NOT_FOUND);
    assert_refused(send(&visitor, "/manager/login", "{}").await, "还没有设置对外的网址").await;
    with_address(&mut server);
    assert!(server.visitor().page("/manager/login").await.contains("用通行密钥登录"));
    server.kill();
    server.set("BINDERY_PUBLIC_URL", "http://books.example");
    server.restart();
    let member = server.visitor();
    member.sign_in(ACCOUNT, PASSWORD).await;
    assert!(member.page(PAGE).await.contains("不是 https 开头"));
}

async fn closing_an_account_forgets_its_passkeys(mut server: Server) {
    with_address(&mut server);
    let member = server.member(ACCOUNT, "0").await;
    let mut device = added(&member, "").await;
    let fields = [("current", PASSWORD), ("word", "注销")];
    let answer = member.post("/manager/userInfo/closing", &fields).await;
    assert_eq!(location(&answer), "/manager/login?closed=1");
    assert!(server.column("select id from passkeys").await.is_empty());
    assert_refused(signs_in(&server, &mut device).await, "不认识这个通行密钥").await;
}
