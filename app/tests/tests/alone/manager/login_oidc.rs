//! Members' company accounts: bound, signed in by, taken off; somebody whom nobody bound, and everything by which nobody comes in.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use support::codes::{NEW, finish, send};
use support::fakes::keys::seconds;
use support::fakes::oidc::{
    CLIENT, DISCOVERY, FakeOidc, Mood, RETURN_OF_MEMBERS, Signed, TOKEN, asked, led_on,
};
use support::second_factor::{show, switched_on};
use support::staff::code;
use support::{Caller, PASSWORD, Server, between, location, on_both_engines};

on_both_engines!(
    an_account_is_bound_signs_in_and_is_taken_off,
    an_unknown_account_is_bound_or_registers,
    bindings_at_once_leave_one;
    on_sqlite:
    nobody_is_found_by_an_address_of_mail,
    an_account_is_bound_by_whom_it_was_begun_alone,
    a_second_factor_is_asked_for_where_a_password_was_enough,
    a_closed_account_is_bound_to_nothing,
    what_is_not_right_opens_nothing,
    what_was_begun_is_one_browsers_and_good_once,
    what_was_typed_waits_while_somebody_is_away,
    nothing_is_done_where_nothing_is_written,
    who_tries_too_often_waits,
    where_members_do_not_come_in_by_it_there_is_no_door,
);

/// `/manager/order`, as the sign-in page is asked for it.
const DOOR: &str = "/manager/login/L21hbmFnZXIvb3JkZXI=";
const BIND: &str = "/manager/userInfo/oidc/binding";
const UNBIND: &str = "/manager/userInfo/oidc/unbinding";

/// Sets out from the sign-in page; the provider's address.
async fn sets_out(caller: &Caller) -> String {
    led_on(caller.post(DOOR, &[("way", "oidc")]).await).await
}

/// To the provider and back as somebody, whose token says this, too.
async fn comes_as(provider: &FakeOidc, caller: &Caller, subject: &str, changes: Value) -> Response {
    let address = sets_out(caller).await;
    caller.get(&provider.agree_as(&address, subject, changes, Signed::Well)).await
}

async fn comes(provider: &FakeOidc, caller: &Caller, subject: &str) -> String {
    location(&comes_as(provider, caller, subject, json!({})).await)
}

/// To the provider from the profile; its address.
async fn leaves_profile(member: &Caller) -> String {
    led_on(member.post(BIND, &[("oidc_password", PASSWORD)]).await).await
}

async fn binds(provider: &FakeOidc, member: &Caller, subject: &str) -> Response {
    member.get(&provider.agree(&leaves_profile(member).await, subject)).await
}

async fn page_of(answer: Response, status: u16) -> String {
    assert_eq!(answer.status().as_u16(), status);
    answer.text().await.unwrap()
}

async fn is_in(caller: &Caller) -> bool {
    caller.get("/cart/cartList").await.status() == StatusCode::OK
}

async fn identities(server: &Server) -> Vec<String> {
    server.column("select openid from third_party_identities order by openid").await
}

fn told(outcome: &str) -> String {
    format!("/manager/userInfo?oidc={outcome}#oidc")
}

async fn an_account_is_bound_signs_in_and_is_taken_off(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    let member = server.member("reader@example.com", "0").await;
    assert!(member.page("/manager/userInfo").await.contains("绑定公司账号"));
    // another way in asks for the password, and nothing is bound before somebody has come back
    for (wrong, words) in [("", "请输入密码"), ("a wrong password", "密码不正确")] {
        let page = page_of(member.post(BIND, &[("oidc_password", wrong)]).await, 422).await;
        assert!(page.contains(words) && page.contains("id=\"oidc_password\""), "{page}");
        assert!(!page.contains("a wrong password"));
    }
    let address = leaves_profile(&member).await;
    assert!(identities(&server).await.is_empty());
    let arrived = member.get(&provider.agree(&address, "u-1")).await;
    assert_eq!(location(&arrived), told("bound"));
    let page = member.page(&told("bound")).await;
    for words in ["公司账号已绑定，以后用公司账号就能登录", "已绑定 <strong><bdi>lin</bdi>", "解绑公司账号"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    let kept = server.column("select kind || ' ' || openid from third_party_identities").await;
    assert_eq!(kept, [format!("{} u-1", provider.issuer)]);
    assert!(server.message_to("reader@example.com").contains("您的账号绑定了公司账号“lin”"));
    // one of them is enough
    let page = page_of(member.post(BIND, &[("oidc_password", PASSWORD)]).await, 422).await;
    assert!(page.contains("已绑定另一个公司账号"), "{page}");

    let browser = server.visitor();
    assert!(browser.page(DOOR).await.contains("用公司账号登录"));
    assert_eq!(comes(&provider, &browser, "u-1").await, "/manager/order");
    assert!(is_in(&browser).await);
    assert_eq!(server.column("select began_by from logins order by created_at desc limit 1").await, ["oidc"]);
    assert!(browser.page("/manager/userInfo/signins").await.contains("公司账号登录"));
    // another name there is nobody else, and its keys may change at any time
    provider.change_key();
    let renamed = json!({ "name": "林知夏", "email": "new@example.com", "preferred_username": "zhixia" });
    let answer = comes_as(&provider, &server.visitor(), "u-1", renamed).await;
    assert_eq!(location(&answer), "/manager/order");

    // what is taken off is never the last way in: every account has its password
    assert_eq!(location(&member.post(UNBIND, &[]).await), told("unbound"));
    assert_eq!(location(&member.post(UNBIND, &[]).await), told("not_bound"));
    assert!(identities(&server).await.is_empty() && is_in(&member).await);
    assert!(server.message_to("reader@example.com").contains("解绑了公司账号"));
    let stranger = server.visitor();
    assert_eq!(comes(&provider, &stranger, "u-1").await, format!("{DOOR}?way=oidc_binding"));
    assert!(!is_in(&stranger).await);
    let answer = server.visitor().sign_in("reader@example.com", PASSWORD).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
}

async fn an_unknown_account_is_bound_or_registers(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    server.member("reader@example.com", "0").await;
    let browser = server.visitor();
    let answer = comes_as(&provider, &browser, "u-1", json!({ "name": "小林 <b>\u{202e}🌊" })).await;
    let binding = location(&answer);
    assert_eq!(binding, format!("{DOOR}?way=oidc_binding"));
    assert!(!is_in(&browser).await && identities(&server).await.is_empty());
    let page = browser.page(&binding).await;
    assert!(page.contains("<h1>绑定公司账号</h1>") && page.contains("小林 &lt;b&gt;🌊"), "{page}");
    assert!(!page.contains("u-1") && !page.contains("lin@example.com"), "who it is stays on the server");
    // by an account that is there, which is proved
    let fields =
        |password| [("way", "oidc_binding"), ("account", "reader@example.com"), ("password", password)];
    let again = page_of(browser.post(&binding, &fields("a guess")).await, 422).await;
    assert!(again.contains("账号或密码不正确") && again.contains("value=\"reader@example.com\""));
    // the binding page of another kind binds nothing of this one
    let other = [("way", "binding"), ("account", "reader@example.com"), ("password", PASSWORD)];
    page_of(browser.post(&format!("{DOOR}?way=binding"), &other).await, 422).await;
    assert!(identities(&server).await.is_empty());
    assert_eq!(location(&browser.post(&binding, &fields(PASSWORD)).await), "/manager/order");
    assert_eq!(identities(&server).await, ["u-1"]);
    assert_eq!(comes(&provider, &server.visitor(), "u-1").await, "/manager/order");

    // by a new account, whose contact is shown to be its own as everybody's is
    let (members, address) =
        ("select cast(count(*) as text) from members", format!("{DOOR}?way=registration"));
    let before: u32 = server.read(members).await.parse().unwrap();
    let new = server.visitor();
    let binding = comes(&provider, &new, "u-2").await;
    assert!(new.page(&binding).await.contains(&format!("href=\"{address}\"")));
    assert_eq!(send(&new, &address, "new@example.com").await.status(), StatusCode::OK);
    let code = server.code_to("new@example.com");
    let step = [("way", "registration"), ("step", "finish"), ("contact", "new@example.com"), ("code", "12")];
    let page = page_of(new.post(&address, &step).await, 422).await;
    assert!(page.contains("绑定公司账号 ") && page.contains("name=\"binding\""), "{page}");
    assert_eq!(server.read(members).await, before.to_string(), "nobody is made without the code");
    let whole = [
        ("way", "registration"),
        ("step", "finish"),
        ("contact", "new@example.com"),
        ("code", &*code),
        ("password", NEW),
        ("binding", "yes"),
    ];
    assert_eq!(location(&new.post(&address, &whole).await), "/manager/order");
    assert_eq!(server.read(members).await, (before + 1).to_string());
    assert_eq!(identities(&server).await, ["u-1", "u-2"]);
    let browser = server.visitor();
    assert_eq!(comes(&provider, &browser, "u-2").await, "/manager/order");
    assert!(browser.page("/manager/userInfo").await.contains("new@example.com"));

    // whoever does not want that registers alone
    let alone = server.visitor();
    comes(&provider, &alone, "u-3").await;
    send(&alone, &address, "alone@example.com").await;
    let code = server.code_to("alone@example.com");
    let answer = finish(&alone, &address, "alone@example.com", &code, NEW).await;
    assert_eq!(location(&answer), "/manager/order");
    assert_eq!(identities(&server).await, ["u-1", "u-2"]);
}

async fn bindings_at_once_leave_one(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    // one account, six members
    let mut coming = Vec::new();
    for number in 0..6 {
        let member = server.member(&format!("m{number}@example.com"), "0").await;
        let back = provider.agree(&leaves_profile(&member).await, "u-1");
        coming.push((member, back));
    }
    let answers = futures::future::join_all(coming.iter().map(|(member, back)| member.get(back))).await;
    let count = |answers: &[Response], status: u16| {
        answers.iter().filter(|answer| answer.status().as_u16() == status).count()
    };
    assert_eq!((count(&answers, 303), count(&answers, 409)), (1, 5));
    // one member, six accounts
    server.member("many@example.com", "0").await;
    let mut coming = Vec::new();
    for number in 0..6 {
        let member = server.visitor();
        member.sign_in("many@example.com", PASSWORD).await;
        let back = provider.agree(&leaves_profile(&member).await, &format!("v-{number}"));
        coming.push((member, back));
    }
    let answers = futures::future::join_all(coming.iter().map(|(member, back)| member.get(back))).await;
    assert_eq!((count(&answers, 303), count(&answers, 409)), (1, 5));
    assert_eq!(identities(&server).await.len(), 2);
}

async fn nobody_is_found_by_an_address_of_mail(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    // the fake says of everybody that this is its address, and that it was verified
    let member = server.member("lin@example.com", "0").await;
    let browser = server.visitor();
    for subject in ["u-1", "lin", "lin@example.com"] {
        let place = comes(&provider, &browser, subject).await;
        assert_eq!(place, format!("{DOOR}?way=oidc_binding"), "{subject}");
        assert!(!is_in(&browser).await);
    }
    assert!(identities(&server).await.is_empty());
    // an ordinary sign-in binds nothing of what waits
    assert_eq!(
        location(&browser.post(DOOR, &[("account", "lin@example.com"), ("password", PASSWORD)]).await),
        "/manager/order"
    );
    assert!(identities(&server).await.is_empty());
    // the same name at another provider is somebody else
    assert_eq!(location(&binds(&provider, &member, "u-1").await), told("bound"));
    server.sql("update third_party_identities set kind = 'https://other.example'").await;
    let place = comes(&provider, &server.visitor(), "u-1").await;
    assert_eq!(place, format!("{DOOR}?way=oidc_binding"));
    // and at weixin
    server.sql("update third_party_identities set kind = 'weixin'").await;
    let place = comes(&provider, &server.visitor(), "u-1").await;
    assert_eq!(place, format!("{DOOR}?way=oidc_binding"));
}

async fn an_account_is_bound_by_whom_it_was_begun_alone(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    let member = server.member("reader@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    assert_eq!(location(&binds(&provider, &member, "u-1").await), told("bound"));
    // one account is one member's
    let page = page_of(binds(&provider, &other, "u-1").await, 409).await;
    assert!(page.contains("这个公司账号已绑定另一个账号") && page.contains("回到资料"), "{page}");
    assert!(!page.contains("reader@example.com"));
    // one that another member brings back, or nobody, or whose password was changed meanwhile
    for (meanwhile, status, words) in [
        ("another", 403, "登录的账号在途中变了"),
        ("nobody", 400, "不是从这个浏览器开始的"),
        ("password", 403, "登录的账号在途中变了"),
    ] {
        let address = leaves_profile(&other).await;
        let back = provider.agree(&address, "u-2");
        match meanwhile {
            "another" => drop(other.sign_in("reader@example.com", PASSWORD).await),
            "nobody" => drop(other.post("/manager/logout", &[]).await),
            _ => {
                let elsewhere = server.visitor();
                elsewhere.sign_in("other@example.com", PASSWORD).await;
                let fields = [("current", PASSWORD), ("password", NEW)];
                location(&elsewhere.post("/manager/userInfo/password", &fields).await);
            }
        }
        assert!(page_of(other.get(&back).await, status).await.contains(words), "{meanwhile}");
        other.sign_in("other@example.com", PASSWORD).await;
    }
    // a sign-in that was begun binds nothing, whoever is here
    let signed_in = server.visitor();
    signed_in.sign_in("reader@example.com", PASSWORD).await;
    let place = comes(&provider, &signed_in, "u-2").await;
    assert_eq!(place, format!("{DOOR}?way=oidc_binding"));
    assert_eq!(identities(&server).await, ["u-1"]);
    // another site's form begins nothing
    for path in [DOOR, BIND, UNBIND] {
        let answer = member.post_with_origin(path, "https://evil.example").await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(identities(&server).await, ["u-1"]);
}

async fn a_second_factor_is_asked_for_where_a_password_was_enough(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    let member = server.member("reader@example.com", "0").await;
    assert_eq!(location(&binds(&provider, &member, "u-1").await), told("bound"));
    let (secret, _) = switched_on(&member).await;
    let browser = server.visitor();
    let step = comes(&provider, &browser, "u-1").await;
    assert_eq!(step, format!("{DOOR}?way=second_factor"));
    assert!(!is_in(&browser).await, "not in yet");
    assert_eq!(show(&browser, &step, "000000").await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(location(&show(&browser, &step, &code(&secret, 0)).await), "/manager/order");
    assert!(is_in(&browser).await);
    // the provider has seen more than one thing
    let browser = server.visitor();
    let answer = comes_as(&provider, &browser, "u-1", json!({ "amr": ["pwd", "mfa"] })).await;
    assert_eq!(location(&answer), "/manager/order");
    // a new way into the account asks for all that the account asks for
    let browser = server.visitor();
    member.post(UNBIND, &[]).await;
    let binding = comes(&provider, &browser, "u-2").await;
    let fields = [("way", "oidc_binding"), ("account", "reader@example.com"), ("password", PASSWORD)];
    let step = location(&browser.post(&binding, &fields).await);
    assert_eq!(step, format!("{DOOR}?way=second_factor"));
    assert!(identities(&server).await.is_empty());
    assert_eq!(location(&show(&browser, &step, &code(&secret, 1)).await), "/manager/order");
    assert_eq!(identities(&server).await, ["u-2"]);
}

async fn a_closed_account_is_bound_to_nothing(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    let member = server.member("reader@example.com", "0").await;
    assert_eq!(location(&binds(&provider, &member, "u-1").await), told("bound"));
    let browser = server.visitor();
    let back = provider.agree(&sets_out(&browser).await, "u-1");
    let id = server.read("select id from members where account = 'reader@example.com'").await;
    let word = [("current", PASSWORD), ("word", "注销")];
    assert_eq!(location(&member.post("/manager/userInfo/closing", &word).await), "/manager/login?closed=1");
    assert!(identities(&server).await.is_empty());
    assert_eq!(location(&browser.get(&back).await), format!("{DOOR}?way=oidc_binding"));
    // a row that was left all the same opens nothing
    let row = "insert into third_party_identities (kind, member_id, openid, nickname, bound_at)";
    server.sql(&format!("{row} values ('{}', '{id}', 'u-9', 'x', 1)", provider.issuer)).await;
    assert_eq!(comes(&provider, &browser, "u-9").await, format!("{DOOR}?way=oidc_binding"));
    assert!(!is_in(&browser).await);
    // somebody else may have the account by now
    let other = server.member("other@example.com", "0").await;
    assert_eq!(location(&binds(&provider, &other, "u-1").await), told("bound"));
}

async fn what_is_not_right_opens_nothing(mut server: Server) {
    // the warnings are meant
    server.set("BINDERY_LOG", "bindery=error");
    let provider = FakeOidc::for_members(&mut server).await;
    let member = server.member("reader@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    assert_eq!(location(&binds(&provider, &member, "u-1").await), told("bound"));
    let past = seconds() - 60;
    for (changes, signed) in [
        (json!({ "nonce": "another one's" }), Signed::Well),
        (json!({ "aud": "another-client" }), Signed::Well),
        (json!({ "aud": [CLIENT, "another-client"] }), Signed::Well),
        (json!({ "iss": "https://other.example" }), Signed::Well),
        (json!({ "exp": past, "iat": past - 60 }), Signed::Well),
        (json!({}), Signed::ByAnother),
        (json!({}), Signed::BySecret),
        (json!({}), Signed::Not),
    ] {
        let browser = server.visitor();
        let address = sets_out(&browser).await;
        let answer = browser.get(&provider.agree_as(&address, "u-1", changes.clone(), signed)).await;
        assert!(page_of(answer, 502).await.contains("没有通过核对"), "{changes} {signed:?}");
        assert!(!is_in(&browser).await, "{changes} {signed:?}");
        let address = leaves_profile(&other).await;
        let answer = other.get(&provider.agree_as(&address, "u-2", changes, signed)).await;
        assert!(page_of(answer, 502).await.contains("回到资料"));
    }
    assert_eq!(identities(&server).await, ["u-1"]);
    // codes that it does not know, and what is no code
    let browser = server.visitor();
    for code in ["made-up", "", &"x".repeat(5000)] {
        let state = asked(&sets_out(&browser).await).remove("state").unwrap();
        let answer = browser.get(&format!("{RETURN_OF_MEMBERS}?code={code}&state={state}")).await;
        assert!(page_of(answer, 400).await.contains("没有认可这次登录"));
    }
    // a provider that is away: the other ways in stay
    provider.set_mood(DISCOVERY, Mood::Status(500));
    let page = page_of(browser.post(DOOR, &[("way", "oidc")]).await, 503).await;
    assert!(page.contains("现在没有正常回应") && page.contains("用密码或扫码登录"), "{page}");
    assert!(page.contains(&format!("href=\"{DOOR}\"")), "the way back goes along: {page}");
    let page = page_of(other.post(BIND, &[("oidc_password", PASSWORD)]).await, 503).await;
    assert!(page.contains("回到资料"), "{page}");
    provider.set_mood(DISCOVERY, Mood::Good);
    let back = provider.agree(&sets_out(&browser).await, "u-1");
    provider.set_mood(TOKEN, Mood::NotJson);
    page_of(browser.get(&back).await, 503).await;
    provider.set_mood(TOKEN, Mood::Good);
    assert_eq!(comes(&provider, &browser, "u-1").await, "/manager/order");
}

async fn what_was_begun_is_one_browsers_and_good_once(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    let member = server.member("reader@example.com", "0").await;
    assert_eq!(location(&binds(&provider, &member, "u-1").await), told("bound"));
    let (browser, other) = (server.visitor(), server.visitor());
    let back = provider.agree(&sets_out(&browser).await, "u-1");
    let given = provider.given();
    // another browser's, with nothing or something else under way there; what was begun here is left alone
    assert!(page_of(other.get(&back).await, 400).await.contains("不是从这个浏览器开始的"));
    sets_out(&other).await;
    page_of(other.get(&back).await, 400).await;
    for nothing in ["", "?code=x", "?state=", "?state=x&state=y", "?code=x&state=x"] {
        page_of(browser.get(&format!("{RETURN_OF_MEMBERS}{nothing}")).await, 400).await;
    }
    // nor is it good at the other door
    let query = back.split_once('?').unwrap().1;
    page_of(browser.get(&format!("/staff/login/oidc/return?{query}")).await, 400).await;
    assert!(!is_in(&other).await && provider.given() == given, "no code was handed in");
    assert_eq!(location(&browser.get(&back).await), "/manager/order");
    let visitor = server.visitor();
    assert!(page_of(browser.get(&back).await, 400).await.contains("已经用过"));
    assert_eq!(provider.given(), given + 1);
    // a later one takes its place
    let first = provider.agree(&sets_out(&visitor).await, "u-1");
    let second = provider.agree(&sets_out(&visitor).await, "u-1");
    page_of(visitor.get(&first).await, 400).await;
    assert_eq!(location(&visitor.get(&second).await), "/manager/order");
    // nobody agreed, or the provider gave up
    for (error, status, words) in [
        ("access_denied", 403, "您没有同意用公司账号登录"),
        ("temporarily_unavailable", 502, "公司账号没有完成这次登录"),
    ] {
        let state = asked(&sets_out(&other).await).remove("state").unwrap();
        let back = format!("{RETURN_OF_MEMBERS}?error={error}&error_description=%3Cb%3E&state={state}");
        let page = page_of(other.get(&back).await, status).await;
        assert!(page.contains(words) && !page.contains("<b>"), "{page}");
    }
    // it leads to no other site
    let evil = "/manager/login/aHR0cHM6Ly9ldmlsLmV4YW1wbGU=";
    let address = led_on(other.post(evil, &[("way", "oidc")]).await).await;
    let place = location(&other.get(&provider.agree(&address, "u-1")).await);
    assert!(place.starts_with("/manager/"), "{place}");
}

async fn what_was_typed_waits_while_somebody_is_away(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    let member = server.member("reader@example.com", "500").await;
    assert_eq!(location(&binds(&provider, &member, "u-1").await), told("bound"));
    let line = member.cart_with_album().await;
    let page = format!("/manager/shopping/cart/{line}/options");
    let browser = server.visitor();
    let answer = browser.post_from(&page, &page, &[("quantity", "12"), ("remark", "请用哑金")]).await;
    let door = page_of(answer, 401).await;
    let place = between(&door, "method=\"post\" action=\"", "\"");
    let form = between(&door, "class=\"oidc\">", "</form>");
    let kept = between(&form, "name=\"kept\" value=\"", "\"").replace("&amp;", "&");
    let address = led_on(browser.post(&place, &[("way", "oidc"), ("kept", &kept)]).await).await;
    assert_eq!(location(&browser.get(&provider.agree(&address, "u-1")).await), page);
    let shown = browser.page(&page).await;
    assert!(shown.contains("请用哑金") && shown.contains("value=\"12\""), "{shown}");
    assert!(!browser.page(&page).await.contains("请用哑金"), "nothing was saved, and it is shown once");
}

async fn nothing_is_done_where_nothing_is_written(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    let member = server.member("reader@example.com", "0").await;
    assert_eq!(location(&binds(&provider, &member, "u-1").await), told("bound"));
    let browser = server.visitor();
    let back = provider.agree(&sets_out(&browser).await, "u-1");
    server.kill();
    server.set("BINDERY_READ_ONLY", "1");
    server.restart();
    let page = page_of(browser.at(&server.base).get(&back).await, 503).await;
    assert!(page.contains("<h2>本站正在维护：现在只能浏览，不能保存</h2>"), "{page}");
    assert!(server.column("select id from logins where began_by = 'oidc'").await.is_empty());
}

async fn who_tries_too_often_waits(mut server: Server) {
    // the warnings are meant
    server.set("BINDERY_LOG", "bindery=error");
    let provider = FakeOidc::for_members(&mut server).await;
    let browser = server.visitor();
    let mut statuses = Vec::new();
    for _ in 0..32 {
        let state = asked(&sets_out(&browser).await).remove("state").unwrap();
        let answer = browser.get(&format!("{RETURN_OF_MEMBERS}?code=guess&state={state}")).await;
        statuses.push(answer.status().as_u16());
    }
    assert!(statuses[..30].iter().all(|status| *status == 400), "{statuses:?}");
    assert!(statuses[30..].contains(&429), "{statuses:?}");
    // whom the provider names has guessed at nothing, and addresses made up elsewhere count for nothing
    server.sql("delete from sign_in_attempts").await;
    for _ in 0..32 {
        assert_eq!(comes(&provider, &browser, "u-9").await, format!("{DOOR}?way=oidc_binding"));
    }
    // setting out is bounded, too
    server.sql("update sign_in_attempts set failures = 101 where subject like 'company-account:%'").await;
    let page = page_of(browser.post(DOOR, &[("way", "oidc")]).await, 429).await;
    assert!(page.contains("用公司账号登录得太频繁"), "{page}");
}

async fn where_members_do_not_come_in_by_it_there_is_no_door(mut server: Server) {
    let provider = FakeOidc::for_members(&mut server).await;
    let member = server.member("reader@example.com", "0").await;
    assert_eq!(location(&binds(&provider, &member, "u-1").await), told("bound"));
    server.kill();
    server.set("BINDERY_OIDC_MEMBERS", "0");
    server.restart();
    let visitor = server.visitor();
    assert!(!visitor.page(DOOR).await.contains("公司账号"));
    assert!(!visitor.page(&format!("{DOOR}?way=oidc")).await.contains("公司账号"));
    page_of(visitor.post(DOOR, &[("way", "oidc")]).await, 404).await;
    page_of(visitor.get(&format!("{RETURN_OF_MEMBERS}?code=a&state=b")).await, 404).await;
    visitor.sign_in("reader@example.com", PASSWORD).await;
    page_of(visitor.post(BIND, &[("oidc_password", PASSWORD)]).await, 404).await;
    // clerks' stays, and what a member has bound can be taken off
    assert!(server.visitor().page("/staff/login").await.contains("用公司账号登录"));
    assert!(visitor.page("/manager/userInfo").await.contains("解绑公司账号"));
    assert_eq!(location(&visitor.post(UNBIND, &[]).await), told("unbound"));
    assert!(!visitor.page("/manager/userInfo").await.contains("绑定公司账号"));
}
