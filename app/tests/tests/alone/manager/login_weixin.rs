//! Signing in with weixin, and binding it to an account, against a weixin that can misbehave.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use support::fakes::weixin::{APP_ID, FakeWeixin, Mood, PERSON, SECRET, TOKEN};
use support::{Caller, PASSWORD, Server, between, location, on_both_engines};

on_both_engines!(
    a_state_is_good_for_one_browser_once,
    bindings_at_once_leave_one;
    on_sqlite:
    an_unknown_weixin_is_bound_to_an_account_and_then_signs_in,
    what_was_typed_waits_while_somebody_is_at_weixin,
    binding_asks_for_the_account_each_time,
    a_weixin_that_misbehaves_changes_nothing,
    members_bind_and_unbind_in_their_profile,
    calls_tell_and_unbind,
    nothing_secret_is_logged,
    pages_present_themselves_in_weixin,
    a_slow_weixin_is_not_waited_for,
    without_configuration_there_is_no_weixin,
);

/// `/manager/order`, as the sign-in page is asked for it.
const DOOR: &str = "/manager/login/L21hbmFnZXIvb3JkZXI=";

/// The address of weixin's page to agree on, taken apart.
struct Leaving {
    state: String,
    cookie: String,
}

impl Leaving {
    fn of(answer: &Response, server: &Server) -> Self {
        let address = location(answer);
        assert!(address.starts_with("https://open.weixin.qq.com/connect/qrconnect?"), "{address}");
        assert!(address.ends_with("#wechat_redirect"));
        let address = reqwest::Url::parse(&address).unwrap();
        let given: HashMap<String, String> = address.query_pairs().into_owned().collect();
        assert_eq!(given["appid"], APP_ID);
        assert_eq!(given["redirect_uri"], format!("{}/manager/login_weixin", server.base));
        assert_eq!((&*given["response_type"], &*given["scope"]), ("code", "snsapi_login"));
        assert!(given["state"].len() >= 22, "128 random bits");
        let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
        for flag in ["HttpOnly", "SameSite=Lax", "Max-Age=600"] {
            assert!(cookie.contains(flag), "{cookie}");
        }
        Self { state: given["state"].clone(), cookie }
    }
}

async fn leave(caller: &Caller, server: &Server, door: &str) -> Leaving {
    Leaving::of(&caller.post(door, &[("way", "weixin")]).await, server)
}

async fn come_back(caller: &Caller, state: &str, code: &str) -> Response {
    caller.get(&format!("/manager/login_weixin?code={code}&state={state}")).await
}

/// To weixin and back as somebody.
async fn through_weixin(caller: &Caller, server: &Server, fake: &FakeWeixin, openid: &str) -> String {
    let leaving = leave(caller, server, DOOR).await;
    location(&come_back(caller, &leaving.state, &fake.agree(openid)).await)
}

async fn is_signed_in(caller: &Caller) -> bool {
    caller.get("/cart/cartList").await.status() == StatusCode::OK
}

async fn identities(server: &Server) -> usize {
    server.column("select openid from third_party_identities").await.len()
}

async fn body(answer: Response) -> Value {
    assert_eq!(answer.status(), StatusCode::OK);
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

async fn without_configuration_there_is_no_weixin(server: Server) {
    let visitor = server.visitor();
    let page = visitor.page("/manager/login").await;
    assert!(!page.contains("微信登录"));
    let answer = visitor.post(DOOR, &[("way", "weixin")]).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("微信登录尚未开通"));
    let answer = visitor.get("/manager/login_weixin?code=a&state=b").await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    let told =
        body(visitor.post("/user-center/getThirdLoginInfo", &[("thirdLoginType", "weixin")]).await).await;
    assert_eq!(told, json!({ "status": 0, "data": { "msg": "微信登录尚未开通" } }));
}

async fn an_unknown_weixin_is_bound_to_an_account_and_then_signs_in(mut server: Server) {
    let fake = FakeWeixin::configured(&mut server).await;
    server.member("reader@example.com", "0").await;
    let browser = server.visitor();
    assert!(browser.page(DOOR).await.contains("微信登录"));
    let leaving = leave(&browser, &server, DOOR).await;
    let code = fake.agree_as("o-anna", Some("union-anna"), "小林 <b>\u{202e}🌊");
    let answer = come_back(&browser, &leaving.state, &code).await;
    let binding = location(&answer);
    assert_eq!(binding, format!("{DOOR}?way=binding"));
    assert!(!is_signed_in(&browser).await, "nobody is signed in by an unknown weixin");
    let page = browser.page(&binding).await;
    assert!(page.contains("小林 &lt;b&gt;🌊"), "the name is plain text");
    assert!(page.contains(&format!("href=\"{DOOR}?way=registration\"")), "registering keeps the way back");
    assert!(!page.contains("o-anna") && !page.contains("union-anna"), "who it is stays on the server");

    let fields = |password| [("way", "binding"), ("account", "reader@example.com"), ("password", password)];
    let answer = browser.post(&binding, &fields("a wrong password")).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let again = answer.text().await.unwrap();
    assert!(again.contains("账号或密码不正确") && again.contains("value=\"reader@example.com\""));
    assert!(again.contains("小林") && !again.contains("a wrong password"));
    assert_eq!(identities(&server).await, 0);

    assert_eq!(location(&browser.post(&binding, &fields(PASSWORD)).await), "/manager/order");
    assert!(is_signed_in(&browser).await);
    assert_eq!(identities(&server).await, 1);

    // from another browser, with another id of the same person as when the application changes
    let other = server.visitor();
    let leaving = leave(&other, &server, DOOR).await;
    let code = fake.agree_as("o-anna-2", Some("union-anna"), "小林");
    let answer = come_back(&other, &leaving.state, &code).await;
    let cookies: Vec<_> =
        answer.headers().get_all("set-cookie").iter().map(|c| c.to_str().unwrap()).collect();
    assert!(
        cookies.iter().any(|cookie| cookie.starts_with("bindery_weixin=;") && cookie.contains("Max-Age=0"))
    );
    assert_eq!(location(&answer), "/manager/order");
    assert!(is_signed_in(&other).await);
    let began = server.column("select began_by from logins order by created_at desc limit 1").await;
    assert_eq!(began, ["weixin"]);
}

async fn what_was_typed_waits_while_somebody_is_at_weixin(mut server: Server) {
    let fake = FakeWeixin::configured(&mut server).await;
    let member = server.member("reader@example.com", "500").await;
    let line = member.cart_with_album().await;
    let page = format!("/manager/shopping/cart/{line}/options");
    let ended = async |browser: &Caller, remark: &str| {
        let answer = browser.post_from(&page, &page, &[("quantity", "12"), ("remark", remark)]).await;
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
        let door = answer.text().await.unwrap();
        let place = between(&door, "method=\"post\" action=\"", "\"");
        let form = between(&door, "class=\"weixin\">", "</form>");
        let kept = between(&form, "name=\"kept\" value=\"", "\"").replace("&amp;", "&");
        let answer = browser.post(&place, &[("way", "weixin"), ("kept", &kept)]).await;
        Leaving::of(&answer, &server)
    };

    // a weixin that nobody knows is bound on the way
    let browser = server.visitor();
    let leaving = ended(&browser, "请用哑金").await;
    let binding = location(&come_back(&browser, &leaving.state, &fake.agree("o-anna")).await);
    let account = [("way", "binding"), ("account", "reader@example.com"), ("password", PASSWORD)];
    assert_eq!(location(&browser.post(&binding, &account).await), page);
    assert!(!browser.page("/manager/shopping/cart").await.contains("刚才填写的内容还在"), "another page");
    let shown = browser.get(&page).await.text().await.unwrap();
    assert!(
        shown.contains("刚才填写的内容还在") && shown.contains("请用哑金") && shown.contains("value=\"12\"")
    );
    assert!(!browser.page(&page).await.contains("请用哑金"), "nothing was saved, and it is shown once");

    // one that is known signs in at once; whoever does not agree finds it after another way
    let other = server.visitor();
    let leaving = ended(&other, "请用亮金").await;
    let refused = location(&other.get(&format!("/manager/login_weixin?state={}", leaving.state)).await);
    let door = refused.split('?').next().unwrap();
    let answer = other.post(door, &[("account", "reader@example.com"), ("password", PASSWORD)]).await;
    assert_eq!(location(&answer), page);
    assert!(other.get(&page).await.text().await.unwrap().contains("请用亮金"));
    let third = server.visitor();
    let leaving = ended(&third, "请用古铜").await;
    assert_eq!(location(&come_back(&third, &leaving.state, &fake.agree("o-anna")).await), page);
    assert!(third.get(&page).await.text().await.unwrap().contains("请用古铜"));
}

async fn binding_asks_for_the_account_each_time(mut server: Server) {
    let fake = FakeWeixin::configured(&mut server).await;
    server.member("reader@example.com", "0").await;
    let fields = [("way", "binding"), ("account", "reader@example.com"), ("password", PASSWORD)];
    // nothing waits: the right password binds nothing and signs nobody in
    let stranger = server.visitor();
    let answer = stranger.post(&format!("{DOOR}?way=binding"), &fields).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("微信授权已经过期"));
    assert!(!is_signed_in(&stranger).await);

    // a weixin waits, but the member signs in as usual: it is not bound silently
    let browser = server.visitor();
    through_weixin(&browser, &server, &fake, "o-anna").await;
    assert_eq!(location(&browser.post(DOOR, &fields[1..]).await), "/manager/order");
    assert_eq!(identities(&server).await, 0);

    // neither does a form that claims to be somebody at weixin
    let forged =
        [&fields[..], &[("openid", "o-anna"), ("unionid", "union-o-anna"), ("nickname", "x")]].concat();
    server.visitor().post(&format!("{DOOR}?way=binding"), &forged).await;
    assert_eq!(identities(&server).await, 0);

    // guesses on the binding page count like all others
    let guesser = server.visitor();
    let page = through_weixin(&guesser, &server, &fake, "o-thief").await;
    let mut statuses = Vec::new();
    for _ in 0..6 {
        let guess = [("way", "binding"), ("account", "reader@example.com"), ("password", "a guess")];
        statuses.push(guesser.post(&page, &guess).await.status());
    }
    assert_eq!(statuses[5], StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(identities(&server).await, 0);
}

/// A cookie of a login that began eleven minutes ago, signed with this installation's own key.
async fn late_cookie(server: &Server, nonce: &str) -> String {
    let key = server.column("select value from secrets where name = 'signing'").await.remove(0);
    let begun = json!({ "nonce": nonce, "expires_at": 1_700_000_000_000_i64, "intent": { "SignIn": "/manager/order" } });
    let body = URL_SAFE_NO_PAD.encode(begun.to_string());
    let mut mac = Hmac::<sha2::Sha256>::new_from_slice(key.as_bytes()).unwrap();
    mac.update(b"weixin login\0");
    mac.update(body.as_bytes());
    format!("bindery_weixin={body}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

async fn a_state_is_good_for_one_browser_once(mut server: Server) {
    let fake = FakeWeixin::configured(&mut server).await;
    let unknown = "/manager/login?way=weixin&trouble=unknown";
    let browser = server.visitor();
    let leaving = leave(&browser, &server, DOOR).await;
    let code = fake.agree("o-anna");

    // another browser that got hold of code and state, with and without a login of its own
    let thief = server.visitor();
    assert_eq!(location(&come_back(&thief, &leaving.state, &code).await), unknown);
    leave(&thief, &server, DOOR).await;
    assert_eq!(location(&come_back(&thief, &leaving.state, &code).await), unknown);
    // the thief's code, brought to the browser without its state
    for query in
        ["", "?", "?code=x", "?state=", "?code=x&state=AAAA", "?state=%FF&code=%00", "?code[]=x&state[]=y"]
    {
        let answer = browser.get(&format!("/manager/login_weixin{query}")).await;
        assert_eq!(location(&answer), unknown, "{query}");
    }
    // none of that ended the login under way
    let eight = (0..8).map(|_| come_back(&browser, &leaving.state, &code));
    let places: Vec<String> = futures::future::join_all(eight).await.iter().map(location).collect();
    let binding = format!("{DOOR}?way=binding");
    assert_eq!(places.iter().filter(|place| **place == binding).count(), 1, "{places:?}");
    // the cookie is gone, and kept by a thief it would be worth nothing
    assert_eq!(location(&come_back(&browser, &leaving.state, &code).await), unknown);
    let kept = leaving.cookie.split(';').next().unwrap();
    let again = format!("/manager/login_weixin?code={}&state={}", fake.agree("o-anna"), leaving.state);
    let answer = server.visitor().get_with(&again, &[("cookie", kept)]).await;
    assert_eq!(location(&answer), format!("{DOOR}?way=weixin&trouble=unknown"));

    // too late, and not agreed to
    let nonce = "a".repeat(43);
    let late = late_cookie(&server, &nonce).await;
    let path = format!("/manager/login_weixin?code={}&state={nonce}", fake.agree("o-anna"));
    let answer = server.visitor().get_with(&path, &[("cookie", &late)]).await;
    assert_eq!(location(&answer), format!("{DOOR}?way=weixin&trouble=late"));
    let leaving = leave(&browser, &server, DOOR).await;
    let answer = browser.get(&format!("/manager/login_weixin?state={}", leaving.state)).await;
    let denied = location(&answer);
    assert_eq!(denied, format!("{DOOR}?way=weixin&trouble=denied"));
    let page = browser.page(&denied).await;
    assert!(page.contains("您在微信里没有同意授权") && page.contains("用密码或扫码登录"));
    assert!(page.contains("重新用微信登录"));
    // nothing from the address gets onto the page
    let page = browser.page("/manager/login?way=weixin&trouble=%3Cscript%3Ealert(1)").await;
    assert!(!page.contains("alert(1)"));
    assert_eq!(identities(&server).await, 0);
}

async fn a_weixin_that_misbehaves_changes_nothing(mut server: Server) {
    // the warnings are meant
    server.set("BINDERY_LOG", "bindery=error");
    let fake = FakeWeixin::configured(&mut server).await;
    let browser = server.visitor();
    let silent = format!("{DOOR}?way=weixin&trouble=silent");
    for mood in [
        Mood::Errcode(-1),
        Mood::Errcode(40013),
        Mood::Status(500),
        Mood::Status(404),
        Mood::NotJson,
        Mood::Huge,
        Mood::Empty,
        Mood::Redirect,
        Mood::OddId,
    ] {
        for question in [TOKEN, PERSON] {
            fake.set_mood(question, mood);
            assert_eq!(
                through_weixin(&browser, &server, &fake, "o-anna").await,
                silent,
                "{question}: {mood:?}"
            );
            fake.set_mood(question, Mood::Good);
        }
    }
    fake.set_mood(PERSON, Mood::SomebodyElse);
    assert_eq!(through_weixin(&browser, &server, &fake, "o-anna").await, silent);
    fake.set_mood(PERSON, Mood::Good);
    assert_eq!(fake.led_astray(), 0, "the secret went where weixin pointed");
    // a code that was used or made up
    let refused = format!("{DOOR}?way=weixin&trouble=refused");
    let code = fake.agree("o-anna");
    let leaving = leave(&browser, &server, DOOR).await;
    assert_eq!(location(&come_back(&browser, &leaving.state, &code).await), format!("{DOOR}?way=binding"));
    for code in [code.as_str(), "made-up", "a%26appid=x"] {
        let leaving = leave(&browser, &server, DOOR).await;
        assert_eq!(location(&come_back(&browser, &leaving.state, code).await), refused);
    }
    assert!(browser.page(&silent).await.contains("获取第三方登录信息失败"));
    assert!(!is_signed_in(&browser).await);
    assert_eq!(identities(&server).await, 0);
}

async fn a_slow_weixin_is_not_waited_for(mut server: Server) {
    // the warnings are meant
    server.set("BINDERY_LOG", "bindery=error");
    let fake = FakeWeixin::configured(&mut server).await;
    fake.set_mood(TOKEN, Mood::Late);
    let browser = server.visitor();
    let start = std::time::Instant::now();
    let place = through_weixin(&browser, &server, &fake, "o-anna").await;
    assert_eq!(place, format!("{DOOR}?way=weixin&trouble=silent"));
    assert!((9..15).contains(&start.elapsed().as_secs()), "waited for {:?}", start.elapsed());
}

const BIND: &str = "/manager/userInfo/weixin/binding";
const UNBIND: &str = "/manager/userInfo/weixin/unbinding";

/// To weixin from the profile.
async fn leave_profile(member: &Caller, server: &Server) -> Leaving {
    Leaving::of(&member.post(BIND, &[("weixin_password", PASSWORD)]).await, server)
}

async fn members_bind_and_unbind_in_their_profile(mut server: Server) {
    let fake = FakeWeixin::configured(&mut server).await;
    let member = server.member("reader@example.com", "0").await;
    let other = server.member("other@example.com", "0").await;
    for wrong in ["", "a wrong password"] {
        let answer = member.post(BIND, &[("weixin_password", wrong)]).await;
        assert_ne!(answer.status(), StatusCode::SEE_OTHER, "a new way in asks for the password");
        assert!(!answer.headers().contains_key("set-cookie"));
    }
    let profile = |outcome: &str| format!("/manager/userInfo?weixin={outcome}#weixin");
    let leaving = leave_profile(&member, &server).await;
    let place = location(&come_back(&member, &leaving.state, &fake.agree("o-anna")).await);
    assert_eq!(place, profile("bound"));
    // the same weixin for somebody else, another weixin for the same member
    let leaving = leave_profile(&other, &server).await;
    let place = location(&come_back(&other, &leaving.state, &fake.agree("o-anna")).await);
    assert_eq!(place, profile("taken"));
    let answer = member.post(BIND, &[("weixin_password", PASSWORD)]).await;
    assert_ne!(answer.status(), StatusCode::SEE_OTHER);
    assert_eq!(server.column("select openid from third_party_identities").await, ["o-anna"]);
    // a binding that another member brings back, or nobody
    let leaving = leave_profile(&other, &server).await;
    other.sign_in("reader@example.com", PASSWORD).await;
    let place = location(&come_back(&other, &leaving.state, &fake.agree("o-bert")).await);
    assert_eq!(place, profile("other_member"));
    other.sign_in("other@example.com", PASSWORD).await;
    let leaving = leave_profile(&other, &server).await;
    other.post("/manager/logout", &[]).await;
    let place = location(&come_back(&other, &leaving.state, &fake.agree("o-bert")).await);
    assert_eq!(place, profile("other_member"));
    assert_eq!(identities(&server).await, 1);

    assert_eq!(location(&member.post(UNBIND, &[]).await), profile("unbound"));
    assert_eq!(location(&member.post(UNBIND, &[]).await), profile("not_bound"));
    assert_eq!(identities(&server).await, 0);
    assert!(is_signed_in(&member).await);
    let place = through_weixin(&server.visitor(), &server, &fake, "o-anna").await;
    assert_eq!(place, format!("{DOOR}?way=binding"), "what was unbound signs nobody in");
}

async fn bindings_at_once_leave_one(mut server: Server) {
    let fake = FakeWeixin::configured(&mut server).await;
    // one weixin, six members
    let mut coming = Vec::new();
    for number in 0..6 {
        let member = server.member(&format!("m{number}@example.com"), "0").await;
        let leaving = leave_profile(&member, &server).await;
        coming.push((member, leaving.state, fake.agree("o-anna")));
    }
    let answers = coming.iter().map(|(member, state, code)| come_back(member, state, code));
    let places: Vec<String> = futures::future::join_all(answers).await.iter().map(location).collect();
    assert_eq!(places.iter().filter(|place| place.contains("=bound")).count(), 1, "{places:?}");
    assert_eq!(places.iter().filter(|place| place.contains("=taken")).count(), 5, "{places:?}");
    // one member, six weixin
    server.member("many@example.com", "0").await;
    let mut coming = Vec::new();
    for number in 0..6 {
        let member = server.visitor();
        member.sign_in("many@example.com", PASSWORD).await;
        let leaving = leave_profile(&member, &server).await;
        coming.push((member, leaving.state, fake.agree(&format!("o-{number}"))));
    }
    let answers = coming.iter().map(|(member, state, code)| come_back(member, state, code));
    let places: Vec<String> = futures::future::join_all(answers).await.iter().map(location).collect();
    assert_eq!(places.iter().filter(|place| place.contains("=bound")).count(), 1, "{places:?}");
    assert_eq!(places.iter().filter(|place| place.contains("=has_another")).count(), 5, "{places:?}");
    assert_eq!(identities(&server).await, 2);
}

async fn calls_tell_and_unbind(mut server: Server) {
    let fake = FakeWeixin::configured(&mut server).await;
    let browser = server.visitor();
    let weixin = [("thirdLoginType", "weixin")];
    let answer = browser.post("/user-center/getThirdLoginInfo", &weixin).await;
    assert!(answer.headers()["set-cookie"].to_str().unwrap().starts_with("bindery_weixin="));
    let told = body(answer).await;
    assert_eq!(told["status"], 1);
    let (id, url) =
        (told["data"]["loginSessionID"].as_str().unwrap(), told["data"]["qrcodeUrl"].as_str().unwrap());
    assert!(url.starts_with("https%3A%2F%2Fopen.weixin.qq.com%2Fconnect%2Fqrconnect%3Fappid%3D"), "{url}");
    assert!(url.contains(&format!("state%3D{id}")) && !url.contains(SECRET));
    let place = location(&come_back(&browser, id, &fake.agree("o-anna")).await);
    assert!(place.ends_with("?way=binding"), "the browser that asked goes on: {place}");

    let member = server.member("reader@example.com", "0").await;
    let bound = async || {
        let user = body(member.post("/user-center/userIsLogin3", &[]).await).await;
        let info = body(member.get("/user-center/getMemberInfo").await).await;
        assert_eq!(user["bind_wx"], info["data"]["data"]["bind_wx"]);
        user["bind_wx"].as_str().unwrap().to_owned()
    };
    assert_eq!(bound().await, "N");
    let leaving = leave_profile(&member, &server).await;
    come_back(&member, &leaving.state, &fake.agree("o-bert")).await;
    assert_eq!(bound().await, "Y");
    let done = body(member.post("/user-center/unBindThirdLogin", &weixin).await).await;
    assert_eq!(done, json!({ "status": 1, "msg": "解绑成功!" }));
    assert_eq!(bound().await, "N");
    let done = body(member.post("/user-center/unBindThirdLogin", &weixin).await).await;
    assert_eq!(done, json!({ "status": 0, "msg": "没有绑定微信" }));
    let done = body(member.post("/user-center/unBindThirdLogin", &[("thirdLoginType", "qq")]).await).await;
    assert_eq!(done, json!({ "status": 0, "msg": "解绑第三方登录失败" }));
}

async fn nothing_secret_is_logged(mut server: Server) {
    let log = server.log_everything();
    let fake = FakeWeixin::configured(&mut server).await;
    server.member("reader@example.com", "0").await;
    let browser = server.visitor();
    let mut secrets = vec![SECRET.to_owned(), PASSWORD.to_owned()];
    for mood in [Mood::Good, Mood::Status(500), Mood::NotJson, Mood::Errcode(-1)] {
        for question in [TOKEN, PERSON] {
            fake.set_mood(question, mood);
            let leaving = leave(&browser, &server, DOOR).await;
            let code = fake.agree("o-anna");
            come_back(&browser, &leaving.state, &code).await;
            secrets.extend([code, leaving.state]);
            fake.set_mood(question, Mood::Good);
        }
    }
    secrets.extend(fake.tokens());
    let fields = [("way", "binding"), ("account", "reader@example.com"), ("password", PASSWORD)];
    assert_eq!(location(&browser.post(&format!("{DOOR}?way=binding"), &fields).await), "/manager/order");
    // nobody answers at all
    server.kill();
    server.set("BINDERY_WEIXIN_API_URL", "http://127.0.0.1:9");
    server.log_everything();
    let earlier = std::fs::read_to_string(&log).unwrap();
    server.restart();
    let browser = server.visitor();
    let leaving = leave(&browser, &server, DOOR).await;
    let place = location(&come_back(&browser, &leaving.state, "the-last-code").await);
    assert!(place.ends_with("trouble=silent"));
    secrets.extend(["the-last-code".to_owned(), leaving.state]);
    let log = format!("{earlier}{}", std::fs::read_to_string(&log).unwrap());
    assert!(log.contains("A login with weixin failed") && log.contains("/manager/login_weixin"));
    for secret in secrets {
        let line = log.lines().find(|line| line.contains(&secret));
        assert_eq!(line, None, "the log holds {secret}");
    }
    between(&log, "weixin could not be asked", "\n");
}

async fn pages_present_themselves_in_weixin(mut server: Server) {
    let phone =
        [("user-agent", "Mozilla/5.0 (Linux; Android 14) Mobile Safari/537.36 MicroMessenger/8.0.55")];
    let maker = server.member("maker@example.com", "0").await;
    let photos = maker.upload(vec![("照片.jpg", support::jpeg(640, 480, 1))]).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    maker.share(&work).await;
    let path = format!("/read/{work}");
    let plain = server.visitor().get_with(&path, &phone).await.text().await.unwrap();
    assert!(!plain.contains("/assets/weixin-"), "nobody configured an account");

    let fake = FakeWeixin::configured(&mut server).await;
    let visitor = server.visitor();
    let page = visitor.get_with(&path, &phone).await.text().await.unwrap();
    assert!(page.contains("/assets/weixin-") && page.contains("rel=\"image_src\""), "{page}");
    assert!(!visitor.page(&path).await.contains("/assets/weixin-"), "another browser");
    let url = format!("{}{path}?from=timeline", server.base);
    let ask = async |url: &str| {
        let query = serde_urlencoded::to_string([("url", url)]).unwrap();
        visitor.get(&format!("/weixin/share?{query}")).await
    };
    for _ in 0..3 {
        let answer = ask(&url).await.text().await.unwrap();
        let signed: serde_json::Value = serde_json::from_str(&answer).unwrap();
        let told = |name: &str| signed[name].as_str().unwrap().to_owned();
        assert_eq!(told("appId"), support::fakes::weixin::ACCOUNT);
        let text = format!(
            "jsapi_ticket={}&noncestr={}&timestamp={}&url={url}",
            support::fakes::weixin::TICKET,
            told("nonceStr"),
            signed["timestamp"]
        );
        assert_eq!(told("signature"), hex::encode(<sha1::Sha1 as sha1::Digest>::digest(text)));
    }
    assert_eq!(fake.tickets(), 1, "one is used for all pages");
    assert_eq!(ask("https://elsewhere.example/").await.status(), StatusCode::BAD_REQUEST);
}
