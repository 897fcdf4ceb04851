//! /staff/login/oidc: company accounts, from connecting one to signing in, and everything by which nobody comes in.

use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use support::fakes::keys::seconds;
use support::fakes::oidc::{
    CLIENT, DISCOVERY, FakeOidc, KEYS, Mood, RETURN, Signed, TOKEN, asked, led_on, sets_out,
};
use support::staff::{Clerk, SECRET, password};
use support::{Caller, Server, location, on_both_engines};

use crate::configuration::said;

on_both_engines!(
    an_account_is_connected_and_signs_in;
    on_sqlite:
    nobody_comes_in_by_an_account_that_is_not_connected,
    a_token_that_is_not_right_opens_nothing,
    what_was_begun_is_one_browsers_and_good_once,
    a_provider_that_does_not_answer_is_said_to,
    an_account_is_connected_by_whom_it_was_begun_alone,
    whoever_goes_or_is_reset_is_connected_no_more,
    who_tries_too_often_waits,
    settings_that_belong_together_are_looked_at,
    a_check_asks_the_provider,
    a_check_finds_what_is_wrong_there,
);

const OWN: &str = "/staff/me/oidc";

/// The page of an answer with this status.
async fn page_of(answer: Response, status: u16) -> String {
    assert_eq!(answer.status().as_u16(), status);
    answer.text().await.unwrap()
}

/// Sends a form of /staff/me with a fresh code.
async fn own(server: &Server, clerk: &Clerk, step: &str) -> Response {
    let code = clerk.code(server).await;
    clerk.caller.post(OWN, &[("step", step), ("code", &code)]).await
}

/// Connects a clerk's account; where it arrives.
async fn connect(server: &Server, provider: &FakeOidc, clerk: &Clerk, subject: &str) -> Response {
    let address = led_on(own(server, clerk, "link").await).await;
    clerk.caller.get(&provider.agree(&address, subject)).await
}

async fn comes_back(provider: &FakeOidc, caller: &Caller, subject: &str, changes: Value) -> Response {
    let address = sets_out(caller).await;
    caller.get(&provider.agree_as(&address, subject, changes, Signed::Well)).await
}

async fn is_out(caller: &Caller) -> bool {
    caller.get("/staff").await.status() == StatusCode::SEE_OTHER
}

fn log(server: &Server) -> String {
    String::from_utf8(server.run(&["audit"]).stdout).unwrap()
}

async fn an_account_is_connected_and_signs_in(mut server: Server) {
    let provider = FakeOidc::configured(&mut server).await;
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    // another way in asks for the code, and nothing is connected before somebody has come back
    let answer = lin.caller.post(OWN, &[("step", "link"), ("code", "")]).await;
    let page = page_of(answer, 422).await;
    assert!(page.contains("请再输入一次动态验证码") && page.contains("id=\"code-password\""), "{page}");
    let address = led_on(own(&server, &lin, "link").await).await;
    assert!(server.column("select subject from staff_identities").await.is_empty());
    let arrived = lin.caller.get(&provider.agree(&address, "u-1")).await;
    assert_eq!(location(&arrived), "/staff/me?said=done");
    let page = lin.caller.page("/staff/me").await;
    assert!(page.contains("已连接，连接于") && page.contains("还没有用过"), "{page}");
    let kept = server.column("select issuer || ' ' || subject from staff_identities").await;
    assert_eq!(kept, [format!("{} u-1", provider.issuer)]);

    // by more than a password: in at once, on the page that was asked for
    for changes in [
        json!({ "amr": ["pwd", "mfa"] }),
        json!({ "acr": "https://refeds.org/profile/mfa" }),
        json!({ "amr": ["mfa"], "aud": [CLIENT] }),
    ] {
        let browser = server.visitor();
        let door = browser.page("/staff/login?next=%2Fstaff%2Faudit").await;
        assert!(door.contains("用公司账号登录"), "{door}");
        let address = led_on(browser.post("/staff/login/oidc?next=%2Fstaff%2Faudit", &[]).await).await;
        let back = provider.agree_as(&address, "u-1", changes, Signed::Well);
        assert_eq!(location(&browser.get(&back).await), "/staff/audit");
        assert!(!is_out(&browser).await);
    }
    assert!(lin.caller.page("/staff/me").await.contains("上次使用"));

    // by a password alone, or by something unheard of: the code is asked for, as after a password
    for changes in [json!({}), json!({ "amr": ["pwd"] }), json!({ "amr": ["otp"], "acr": "0" })] {
        let browser = server.visitor();
        let address = led_on(browser.post("/staff/login/oidc?next=%2Fstaff%2Faudit", &[]).await).await;
        let back = provider.agree_as(&address, "u-1", changes, Signed::Well);
        let step = location(&browser.get(&back).await);
        assert_eq!(step, "/staff/login/code?next=%2Fstaff%2Faudit");
        assert!(is_out(&browser).await, "not in yet");
        let page = browser.page(&step).await;
        assert!(!page.contains("<svg role"), "the secret is not shown");
        page_of(browser.post(&step, &[("code", "000000")]).await, 422).await;
        let code = lin.code(&server).await;
        assert_eq!(location(&browser.post(&step, &[("code", &code)]).await), "/staff/audit");
        assert!(!is_out(&browser).await);
    }

    // its keys may change at any time
    provider.change_key();
    let browser = server.visitor();
    let arrived = comes_back(&provider, &browser, "u-1", json!({ "amr": ["mfa"] })).await;
    assert_eq!(location(&arrived), "/staff");

    // disconnecting asks for the code, too, and once
    page_of(lin.caller.post(OWN, &[("step", "unlink"), ("code", "")]).await, 422).await;
    assert_eq!(location(&own(&server, &lin, "unlink").await), "/staff/me?said=done");
    assert_eq!(location(&own(&server, &lin, "unlink").await), "/staff/me?said=before");
    assert!(lin.caller.page("/staff/me").await.contains("连接公司账号"));
    let answer = comes_back(&provider, &server.visitor(), "u-1", json!({ "amr": ["mfa"] })).await;
    page_of(answer, 403).await;
    let log = log(&server);
    for line in ["lin: staff oidc-link", "lin: staff oidc-unlink", "(oidc): staff oidc-refused"] {
        assert!(log.contains(line), "{line}: {log}");
    }
    assert_eq!(log.matches("lin: staff sign-in").count(), 8, "{log}");
}

async fn nobody_comes_in_by_an_account_that_is_not_connected(mut server: Server) {
    let provider = FakeOidc::configured(&mut server).await;
    // name and address of mail are a clerk's, and say nothing
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let browser = server.visitor();
    for subject in ["u-2", "lin", "lin@example.com"] {
        let answer = comes_back(&provider, &browser, subject, json!({ "amr": ["mfa"] })).await;
        let page = page_of(answer, 403).await;
        assert!(page.contains("这个公司账号还没有连接任何员工"), "{page}");
        assert!(is_out(&browser).await);
    }
    assert!(server.column("select subject from staff_identities").await.is_empty());
    // another's of the same provider
    assert_eq!(location(&connect(&server, &provider, &lin, "u-1").await), "/staff/me?said=done");
    page_of(comes_back(&provider, &browser, "u-10", json!({})).await, 403).await;
    // the same name at another provider is somebody else
    server.sql("update staff_identities set issuer = 'https://other.example'").await;
    page_of(comes_back(&provider, &browser, "u-1", json!({})).await, 403).await;
    assert!(is_out(&browser).await);
}

async fn a_token_that_is_not_right_opens_nothing(mut server: Server) {
    let provider = FakeOidc::configured(&mut server).await;
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    assert_eq!(location(&connect(&server, &provider, &lin, "u-1").await), "/staff/me?said=done");
    let wang = Clerk::sign_in(&server, "wang", &["客服"]).await;
    let past = seconds() - 60;
    for (mut changes, signed) in [
        (json!({ "nonce": "another one's" }), Signed::Well),
        (json!({ "nonce": null }), Signed::Well),
        (json!({ "aud": "another-client" }), Signed::Well),
        (json!({ "aud": [CLIENT, "another-client"] }), Signed::Well),
        (json!({ "iss": "https://other.example" }), Signed::Well),
        (json!({ "exp": past, "iat": past - 60 }), Signed::Well),
        (json!({ "sub": "" }), Signed::Well),
        (json!({}), Signed::ByAnother),
        (json!({}), Signed::BySecret),
        (json!({}), Signed::Not),
    ] {
        changes["amr"] = json!(["mfa"]);
        let browser = server.visitor();
        let address = sets_out(&browser).await;
        let answer = browser.get(&provider.agree_as(&address, "u-1", changes.clone(), signed)).await;
        assert_eq!(answer.status(), StatusCode::BAD_GATEWAY, "{changes} {signed:?}");
        assert!(answer.text().await.unwrap().contains("没有通过核对"));
        assert!(is_out(&browser).await, "{changes} {signed:?}");
        // nor does it connect anything
        let address = led_on(own(&server, &wang, "link").await).await;
        let answer = wang.caller.get(&provider.agree_as(&address, "u-2", changes, signed)).await;
        let page = page_of(answer, 502).await;
        assert!(page.contains("没有通过核对") && page.contains("回到我的账号"), "{page}");
    }
    assert_eq!(server.column("select subject from staff_identities").await, ["u-1"]);
    // codes that it does not know or has taken, and what is no code
    let browser = server.visitor();
    for code in ["made-up", "", &"x".repeat(5000)] {
        let state = asked(&sets_out(&browser).await).remove("state").unwrap();
        let answer = browser.get(&format!("{RETURN}?code={code}&state={state}")).await;
        assert!(page_of(answer, 400).await.contains("没有认可这次登录"));
    }
}

async fn what_was_begun_is_one_browsers_and_good_once(mut server: Server) {
    let provider = FakeOidc::configured(&mut server).await;
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    assert_eq!(location(&connect(&server, &provider, &lin, "u-1").await), "/staff/me?said=done");
    let mfa = json!({ "amr": ["mfa"] });
    let (browser, other) = (server.visitor(), server.visitor());
    let back = provider.agree_as(&sets_out(&browser).await, "u-1", mfa.clone(), Signed::Well);
    // another browser's, with nothing or something else under way there; what was begun here is left alone
    let given = provider.given();
    assert!(page_of(other.get(&back).await, 400).await.contains("不是从这个浏览器开始的"));
    sets_out(&other).await;
    page_of(other.get(&back).await, 400).await;
    for nothing in ["", "?code=x", "?state=", "?state=x&state=y", "?code=x&state=x"] {
        page_of(browser.get(&format!("{RETURN}{nothing}")).await, 400).await;
    }
    assert!(is_out(&other).await && provider.given() == given, "no code was handed in");
    assert_eq!(location(&browser.get(&back).await), "/staff");
    // once
    assert!(page_of(browser.get(&back).await, 400).await.contains("已经用过"));
    assert_eq!(provider.given(), given + 1);
    // a later one takes its place
    let browser = server.visitor();
    let first = provider.agree_as(&sets_out(&browser).await, "u-1", mfa.clone(), Signed::Well);
    let second = provider.agree_as(&sets_out(&browser).await, "u-1", mfa.clone(), Signed::Well);
    page_of(browser.get(&first).await, 400).await;
    assert_eq!(location(&browser.get(&second).await), "/staff");
    // a code that came back with somebody else's state is of no use: PKCE and the provider hold it
    let (browser, other) = (server.visitor(), server.visitor());
    let stolen = provider.agree_as(&sets_out(&browser).await, "u-1", mfa, Signed::Well);
    let code = stolen.split(['=', '&']).nth(1).unwrap().to_owned();
    let state = asked(&sets_out(&other).await).remove("state").unwrap();
    page_of(other.get(&format!("{RETURN}?code={code}&state={state}")).await, 400).await;
    assert!(is_out(&other).await);
    // nobody agreed, or the provider gave up; it may be tried again
    for (error, status, words) in [
        ("access_denied", 403, "您没有同意用公司账号登录"),
        ("temporarily_unavailable", 502, "公司账号没有完成这次登录"),
        ("interaction_required", 502, "公司账号没有完成这次登录"),
    ] {
        let state = asked(&sets_out(&other).await).remove("state").unwrap();
        let back = format!("{RETURN}?error={error}&error_description=%3Cb%3E&state={state}");
        let page = page_of(other.get(&back).await, status).await;
        assert!(page.contains(words) && !page.contains("<b>"), "{page}");
        page_of(other.get(&back).await, 400).await;
    }
    // it leads to no other site
    let address = led_on(other.post("/staff/login/oidc?next=https%3A%2F%2Fevil.example", &[]).await).await;
    let back = provider.agree_as(&address, "u-1", json!({ "amr": ["mfa"] }), Signed::Well);
    assert_eq!(location(&other.get(&back).await), "/staff");
    // another site's form begins nothing
    let answer = server.visitor().post_with_origin("/staff/login/oidc", "https://evil.example").await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
}

async fn a_provider_that_does_not_answer_is_said_to(mut server: Server) {
    let provider = FakeOidc::configured(&mut server).await;
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    assert_eq!(location(&connect(&server, &provider, &lin, "u-1").await), "/staff/me?said=done");
    let browser = server.visitor();
    let moods = [Mood::Status(500), Mood::NotJson, Mood::Huge, Mood::Redirect, Mood::Late];
    for question in [DISCOVERY, KEYS] {
        for mood in moods.into_iter().filter(|mood| question == DISCOVERY || *mood != Mood::Late) {
            provider.set_mood(question, mood);
            let page = page_of(browser.post("/staff/login/oidc", &[]).await, 503).await;
            assert!(page.contains("现在没有正常回应") && page.contains("用别的方式登录"), "{page}");
            page_of(own(&server, &lin, "unlink").await, 303).await;
            if mood != Mood::Late {
                let answer = own(&server, &lin, "link").await;
                assert!(page_of(answer, 503).await.contains("回到我的账号"));
            }
            provider.set_mood(question, Mood::Good);
            assert_eq!(location(&connect(&server, &provider, &lin, "u-1").await), "/staff/me?said=done");
        }
    }
    // on the way back; what was begun is over, and another begins
    for mood in moods {
        let back =
            provider.agree_as(&sets_out(&browser).await, "u-1", json!({ "amr": ["mfa"] }), Signed::Well);
        provider.set_mood(TOKEN, mood);
        let page = page_of(browser.get(&back).await, 503).await;
        assert!(page.contains("现在没有正常回应") && is_out(&browser).await, "{mood:?}: {page}");
        provider.set_mood(TOKEN, Mood::Good);
    }
    assert_eq!(provider.led_astray(), 0, "the secret follows no redirect");
    assert!(server.column("select id from staff_logins where proven_at is null").await.is_empty());
    let arrived = comes_back(&provider, &browser, "u-1", json!({ "amr": ["mfa"] })).await;
    assert_eq!(location(&arrived), "/staff");
    // one that names itself otherwise than the host does, and one that is not there: the other ways in stay
    for issuer in [format!("{}/", provider.issuer), "http://127.0.0.1:1".to_owned()] {
        server.kill();
        server.set("BINDERY_OIDC_ISSUER", issuer);
        server.restart();
        let browser = server.visitor();
        page_of(browser.post("/staff/login/oidc", &[]).await, 503).await;
        assert_eq!(location(&password(&browser, "lin", SECRET).await), "/staff/login/code");
    }
}

async fn an_account_is_connected_by_whom_it_was_begun_alone(mut server: Server) {
    let provider = FakeOidc::configured(&mut server).await;
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let wang = Clerk::sign_in(&server, "wang", &["客服"]).await;
    assert_eq!(location(&connect(&server, &provider, &lin, "u-1").await), "/staff/me?said=done");
    // one account is one clerk's, and a clerk has one
    let page = page_of(connect(&server, &provider, &wang, "u-1").await, 409).await;
    assert!(page.contains("已经连接了另一位员工"), "{page}");
    assert!(log(&server).contains("wang: staff oidc-refused"));
    let page = page_of(own(&server, &lin, "link").await, 422).await;
    assert!(page.contains("请先断开它"), "{page}");
    // two begun at once: the second is told
    let (first, second) = (lin.caller.clone(), server.visitor());
    assert_eq!(location(&own(&server, &lin, "unlink").await), "/staff/me?said=done");
    let code = lin.code(&server).await;
    assert_eq!(location(&password(&second, "lin", SECRET).await), "/staff/login/code");
    assert_eq!(location(&second.post("/staff/login/code", &[("code", &code)]).await), "/staff");
    let mut backs = Vec::new();
    for (caller, subject) in [(&first, "u-1"), (&second, "u-3")] {
        let code = lin.code(&server).await;
        let address = led_on(caller.post(OWN, &[("step", "link"), ("code", &code)]).await).await;
        backs.push((caller, provider.agree(&address, subject)));
    }
    assert_eq!(location(&backs[0].0.get(&backs[0].1).await), "/staff/me?said=done");
    assert!(page_of(backs[1].0.get(&backs[1].1).await, 409).await.contains("已经连接了另一个"));
    // whoever signed out, or is somebody else by now, connects nothing
    let address = led_on(own(&server, &wang, "link").await).await;
    let back = provider.agree(&address, "u-2");
    wang.caller.post("/staff/logout", &[]).await;
    let page = page_of(wang.caller.get(&back).await, 403).await;
    assert!(page.contains("登录的员工在途中变了"), "{page}");
    let code = wang.code(&server).await;
    password(&wang.caller, "wang", SECRET).await;
    wang.caller.post("/staff/login/code", &[("code", &code)]).await;
    let address = led_on(own(&server, &wang, "link").await).await;
    let code = lin.code(&server).await;
    password(&wang.caller, "lin", SECRET).await;
    assert_eq!(location(&wang.caller.post("/staff/login/code", &[("code", &code)]).await), "/staff");
    page_of(wang.caller.get(&provider.agree(&address, "u-2")).await, 403).await;
    // a sign-in that was begun connects nothing, whoever is here
    let address = sets_out(&wang.caller).await;
    page_of(wang.caller.get(&provider.agree(&address, "u-2")).await, 403).await;
    assert_eq!(server.column("select subject from staff_identities").await, ["u-1"]);
}

async fn whoever_goes_or_is_reset_is_connected_no_more(mut server: Server) {
    let provider = FakeOidc::configured(&mut server).await;
    Clerk::sign_in(&server, "zhao", &["站长"]).await;
    let lin = Clerk::sign_in(&server, "lin", &["客服"]).await;
    let mfa = json!({ "amr": ["mfa"] });
    assert_eq!(location(&connect(&server, &provider, &lin, "u-1").await), "/staff/me?said=done");
    // somebody who was let go while it was on its way
    let browser = server.visitor();
    let back = provider.agree_as(&sets_out(&browser).await, "u-1", mfa.clone(), Signed::Well);
    assert!(server.run(&["staff", "remove", "lin"]).status.success());
    page_of(browser.get(&back).await, 403).await;
    page_of(comes_back(&provider, &browser, "u-1", mfa.clone()).await, 403).await;
    assert!(is_out(&browser).await);
    assert!(server.column("select subject from staff_identities").await.is_empty());
    // another clerk may have it now, and a reset takes it away with the password and the device
    let wang = Clerk::sign_in(&server, "wang", &["客服"]).await;
    assert_eq!(location(&connect(&server, &provider, &wang, "u-1").await), "/staff/me?said=done");
    assert_eq!(location(&comes_back(&provider, &browser, "u-1", mfa.clone()).await), "/staff");
    assert!(server.run(&["staff", "reset", "wang"]).status.success());
    assert!(is_out(&browser).await);
    page_of(comes_back(&provider, &browser, "u-1", mfa.clone()).await, 403).await;
    // a row that was left all the same opens nothing
    let row = "insert into staff_identities (staff_id, issuer, subject, created_at)";
    for name in ["lin", "wang"] {
        let issuer = &provider.issuer;
        server
            .sql(&format!("{row} select id, '{issuer}', 'u-{name}', 1 from staff where name = '{name}'"))
            .await;
        page_of(comes_back(&provider, &browser, &format!("u-{name}"), mfa.clone()).await, 403).await;
    }
    assert!(is_out(&browser).await);
}

async fn who_tries_too_often_waits(mut server: Server) {
    let provider = FakeOidc::configured(&mut server).await;
    let browser = server.visitor();
    let mut statuses = Vec::new();
    for _ in 0..32 {
        statuses.push(comes_back(&provider, &browser, "u-9", json!({})).await.status().as_u16());
    }
    assert!(statuses[..30].iter().all(|status| *status == 403), "{statuses:?}");
    assert!(statuses[30..].contains(&429), "{statuses:?}");
    // addresses that were made up on another site's page count for nothing
    server.sql("delete from sign_in_attempts").await;
    for _ in 0..40 {
        page_of(browser.get(&format!("{RETURN}?code=x&state=x")).await, 400).await;
    }
    page_of(comes_back(&provider, &browser, "u-9", json!({})).await, 403).await;
    // setting out is bounded, too
    server.sql("update sign_in_attempts set failures = 101 where subject like 'company-account:%'").await;
    let page = page_of(browser.post("/staff/login/oidc", &[]).await, 429).await;
    assert!(page.contains("用公司账号登录得太频繁"), "{page}");
}

async fn settings_that_belong_together_are_looked_at(mut server: Server) {
    let whole = [
        ("BINDERY_OIDC_ISSUER", "https://login.example.com"),
        ("BINDERY_OIDC_CLIENT_ID", CLIENT),
        ("BINDERY_OIDC_CLIENT_SECRET", "hush"),
    ];
    let lacking = "belong together; missing: BINDERY_OIDC_CLIENT_SECRET";
    let long = "一".repeat(21);
    for (settings, words) in [
        (whole[..2].to_vec(), lacking),
        (
            vec![("BINDERY_OIDC_ISSUER", "http://login.example.com"), whole[1], whole[2]],
            "BINDERY_OIDC_ISSUER: ",
        ),
        (vec![("BINDERY_OIDC_NAME", long.as_str())], "BINDERY_OIDC_NAME: "),
        (vec![("BINDERY_OIDC_MEMBERS", "1")], "BINDERY_OIDC_MEMBERS: it needs BINDERY_OIDC_ISSUER"),
        ([&whole[..], &[("BINDERY_OIDC_MEMBERS", "ja")]].concat(), "BINDERY_OIDC_MEMBERS: "),
    ] {
        for command in ["serve", "check"] {
            let (good, out, error) = said(&server.run_with(&settings, &[command]));
            let told = if command == "check" { out } else { error };
            assert!(!good && told.contains(words) && !told.contains("hush"), "{command}: {told}");
        }
    }
    assert!(said(&server.run_with(&whole, &["check"])).0);
    // a secret in a file, a name of the shop's own; without any of it there is no door
    assert!(!server.visitor().page("/staff/login").await.contains("/staff/login/oidc"));
    assert_eq!(server.visitor().get("/staff/login/oidc").await.status(), StatusCode::NOT_FOUND);
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    assert!(!lin.caller.page("/staff/me").await.contains(OWN));
    let secret = server.folder.path().join("secret");
    std::fs::write(&secret, "hush\n").unwrap();
    server.kill();
    server.set(whole[0].0, whole[0].1);
    server.set(whole[1].0, whole[1].1);
    server.set("BINDERY_OIDC_CLIENT_SECRET_FILE", secret.to_str().unwrap());
    server.set("BINDERY_OIDC_NAME", "书坊通行证");
    server.restart();
    assert!(server.visitor().page("/staff/login").await.contains("用书坊通行证登录"));
    assert!(server.visitor().page("/staff/login/oidc").await.contains("用别的方式登录"));
}

async fn a_check_asks_the_provider(mut server: Server) {
    let (good, out, _) = said(&server.run(&["check"]));
    assert!(good && out.contains("好 company accounts: none; BINDERY_OIDC_ISSUER names a provider"), "{out}");
    let (good, out, _) = said(&server.run(&["check", "--oidc"]));
    assert!(
        !good && out.contains("坏 company accounts: there is no provider; set BINDERY_OIDC_ISSUER"),
        "{out}"
    );
    let provider = FakeOidc::configured(&mut server).await;
    server.set("BINDERY_PUBLIC_URL", "https://books.example/");
    // nobody is asked without being told to
    provider.set_mood(DISCOVERY, Mood::Status(500));
    let (good, out, _) = said(&server.run_configured(&["check"]).await);
    assert!(good && out.contains("好 公司账号: not tried; --oidc does"), "{out}");
    provider.set_mood(DISCOVERY, Mood::Good);
    let (good, out, error) = said(&server.run_configured(&["check", "--oidc"]).await);
    assert!(good, "{out}{error}");
    for words in [
        "to be registered there: https://books.example/staff/login/oidc/return (clerks); with BINDERY_OIDC_MEMBERS=1",
        &format!("{} describes itself", provider.issuer),
        "one key signs its tokens",
        "what is asked there goes over https, or stays on this machine",
        "code flow with PKCE (S256)",
        "this site and its secret are known there",
    ] {
        assert!(out.contains(&format!("好 公司账号: {words}")), "{words} is not in {out}");
    }
    assert_eq!(provider.given(), 0, "nobody was signed in");
    server.set("BINDERY_OIDC_MEMBERS", "1");
    server.set("BINDERY_OIDC_NAME", "书坊通行证");
    let (_, out, _) = said(&server.run_configured(&["check", "--oidc"]).await);
    let both = "/staff/login/oidc/return (clerks) and https://books.example/manager/login_oidc (members)";
    assert!(out.contains("好 书坊通行证: to be registered there: ") && out.contains(both), "{out}");
    // what many do not say is no fault
    provider.describe_as(json!({ "code_challenge_methods_supported": null }));
    let (good, out, _) = said(&server.run_configured(&["check", "--oidc"]).await);
    assert!(good && out.contains("it does not say whether it takes PKCE"), "{out}");
}

async fn a_check_finds_what_is_wrong_there(mut server: Server) {
    let provider = FakeOidc::configured(&mut server).await;
    for (changes, words) in [
        (json!({ "issuer": "https://login.example.com" }), "look at BINDERY_OIDC_ISSUER"),
        (json!({ "authorization_endpoint": "http://login.example.com/a" }), "asked without https"),
        (
            json!({ "token_endpoint": "http://login.example.com/t" }),
            "http://login.example.com/t is asked without",
        ),
        (json!({ "token_endpoint": null }), "names no address where codes are handed in"),
        (json!({ "response_types_supported": ["id_token", "code id_token"] }), "it knows no code flow"),
        (json!({ "code_challenge_methods_supported": ["plain"] }), "it does not take PKCE with S256"),
        (
            json!({ "token_endpoint_auth_methods_supported": ["private_key_jwt"] }),
            "neither as client_secret_basic",
        ),
        (
            json!({ "id_token_signing_alg_values_supported": ["HS256", "none"] }),
            "in no way that is taken here",
        ),
    ] {
        provider.describe_as(changes.clone());
        let output = server.run_configured(&["check", "--oidc"]).await;
        let (_, out, error) = said(&output);
        assert_eq!(output.status.code(), Some(1), "{changes}: {out}{error}");
        let told = out.lines().find(|line| line.starts_with("坏 公司账号: ")).unwrap_or_default();
        assert!(told.contains(words), "{changes}: {out}");
    }
    provider.describe_as(json!({}));
    for (question, mood) in [
        (DISCOVERY, Mood::Status(500)),
        (KEYS, Mood::NotJson),
        (KEYS, Mood::Redirect),
        (DISCOVERY, Mood::Late),
    ] {
        provider.set_mood(question, mood);
        let output = server.run_configured(&["check", "--oidc"]).await;
        assert_eq!(output.status.code(), Some(1), "{question} {mood:?}");
        provider.set_mood(question, Mood::Good);
    }
    server.set("BINDERY_OIDC_CLIENT_SECRET", "another's");
    let (good, out, error) = said(&server.run_configured(&["check", "--oidc"]).await);
    let words = "look at BINDERY_OIDC_CLIENT_ID and BINDERY_OIDC_CLIENT_SECRET";
    assert!(!good && out.contains(words) && out.contains("invalid_client"), "{out}");
    assert!(!out.contains("another's") && !error.contains("another's"), "{out}{error}");
}
