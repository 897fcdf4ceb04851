//! /staff/clerks: who works in the back office, from a link that lets somebody in to the end of an account; and the passkeys of
//! those who work there.

use reqwest::{Response, StatusCode};
use serde_json::Value;

use support::fakes::authenticator::Authenticator;
use support::staff::{Clerk, SECRET, code, password};
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    two_at_once_leave_somebody_who_manages;
    on_sqlite:
    nobody_but_an_owner_reaches_an_account,
    an_end_signs_out_and_is_taken_back_by_a_link,
    a_reset_leaves_nothing_of_before,
    what_was_typed_wrong_comes_back,
    links_are_not_guessed,
    a_passkey_that_is_not_right_opens_nothing,
    somebody_is_invited_and_comes_in_once,
    a_passkey_opens_the_back_office,
    roles_for_money_need_another_owner,
);

const LIST: &str = "/staff/clerks";
const PASSKEYS: &str = "/staff/me/passkeys";
const ORIGIN: &str = "http://localhost:4711";
const NEW: &str = "another-harbour-lantern-7";

async fn refused(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// The link that an answer shows, as a path.
async fn link(answer: Response) -> String {
    assert_eq!(answer.status(), StatusCode::OK);
    let page = answer.text().await.unwrap();
    format!("/staff/invitation/{}", between(&page, "/staff/invitation/", "\""))
}

/// Asks for an account; a code of the clerk's goes with it.
async fn add(server: &Server, by: &Clerk, name: &str, roles: &[&str], more: &[(&str, &str)]) -> Response {
    let key = between(&by.caller.page(LIST).await, "name=\"key\" value=\"", "\"");
    let code = by.code(server).await;
    let mut fields = vec![("key", key.as_str()), ("name", name), ("code", &code)];
    fields.extend(roles.iter().map(|role| ("role", *role)));
    fields.extend(more);
    by.caller.post(LIST, &fields).await
}

/// Does something to an account, as its page has it now.
async fn act(server: &Server, by: &Clerk, name: &str, act: &str, more: &[(&str, &str)]) -> Response {
    let page = page_of(server, name).await;
    let seen = server.read(&format!("select cast(version as text) from staff where name = '{name}'")).await;
    let code = by.code(server).await;
    let key = format!("key-{name}-{act}-{seen}");
    let mut fields = vec![("act", act), ("seen", seen.as_str()), ("key", &key), ("code", &code)];
    fields.extend(more);
    by.caller.post(&page, &fields).await
}

async fn page_of(server: &Server, name: &str) -> String {
    format!("{LIST}/{}", server.read(&format!("select id from staff where name = '{name}'")).await)
}

/// Uses a link: password and device are set, and somebody is in.
pub async fn comes_in(server: &Server, link: &str) -> Clerk {
    let caller = server.visitor();
    let page = caller.page(link).await;
    let secret = between(&page, "<span class=\"num\">", "</span>");
    let used = code(&secret, 0);
    let answer = caller.post(link, &[("password", NEW), ("code", &used)]).await;
    assert_eq!(location(&answer), "/staff");
    Clerk { caller, secret, used }
}

async fn decide(server: &Server, by: &Clerk, decision: &str) -> Response {
    let id = server.read("select id from approvals where decided_at is null").await;
    let code = by.code(server).await;
    by.caller.post(&format!("{LIST}/requests/{id}"), &[("decision", decision), ("code", &code)]).await
}

fn log(server: &Server, id: &str) -> String {
    String::from_utf8(server.run(&["audit", id]).stdout).unwrap()
}

async fn roles(server: &Server, name: &str) -> String {
    server.read(&format!("select roles from staff where name = '{name}'")).await
}

async fn somebody_is_invited_and_comes_in_once(mut server: Server) {
    server.kill();
    server.set("BINDERY_PUBLIC_URL", "https://books.example");
    server.restart();
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let mail = [("full_name", "王 <小>明"), ("email", "wang@example.com")];
    let answer = add(&server, &lin, "ＷＡＮＧ", &["printing", "editor"], &mail).await;
    let link = link(answer).await;
    let message = server.message_to("wang@example.com");
    assert!(message.contains(&format!("https://books.example{link}")), "{message}");
    // it is shown once, and stands nowhere
    let list = lin.caller.page(LIST).await;
    assert!(!list.contains("/staff/invitation/") && list.contains("王 &lt;小&gt;明"), "{list}");
    assert!(list.contains("印务、编辑") && list.contains("已邀请"), "{list}");
    let secret = link.rsplit('/').next().unwrap();
    assert!(server.column("select digest from staff_invitations").await.iter().all(|kept| kept != secret));
    // a password alone, or a wrong code, is not enough, and uses nothing up
    let guest = server.visitor();
    let page = refused(guest.post(&link, &[("password", NEW), ("code", "000000")]).await).await;
    assert!(page.contains("验证码不正确") && !page.contains(NEW), "{page}");
    let page = refused(guest.post(&link, &[("password", "wang"), ("code", "")]).await).await;
    assert!(page.contains("id=\"password-error\""), "{page}");
    let wang = comes_in(&server, &link).await;
    assert_eq!(wang.caller.get("/staff/floor").await.status(), StatusCode::OK);
    assert_eq!(wang.caller.get("/staff/payments").await.status(), StatusCode::FORBIDDEN);
    // the second time it is no link
    assert!(guest.page(&link).await.contains("邀请链接不能用了"));
    refused(guest.post(&link, &[("password", NEW), ("code", &code(&wang.secret, 1))]).await).await;
    // the usual way in is open from now on, but not with the code that was shown
    assert_eq!(location(&password(&guest, "wang", NEW).await), "/staff/login/code");
    refused(guest.post("/staff/login/code", &[("code", &wang.used)]).await).await;
    let fresh = wang.code(&server).await;
    assert_eq!(location(&guest.post("/staff/login/code", &[("code", &fresh)]).await), "/staff");
    let page = lin.caller.page(&page_of(&server, "wang").await).await;
    assert!(page.contains("在职") && page.contains("验证器") && page.contains("上次登录"), "{page}");
    let id = server.read("select id from staff where name = 'wang'").await;
    let log = log(&server, &id);
    for line in ["lin: staff add", "wang: staff invitation", "wang: staff sign-in"] {
        assert!(log.contains(line), "{log}");
    }
    assert!(log.contains("printing,editor"), "{log}");
    // after two days it is over
    let late = self::link(add(&server, &lin, "late", &["editor"], &[]).await).await;
    server.sql("update staff_invitations set ends_at = ends_at - 172800000").await;
    assert!(guest.page(&late).await.contains("邀请链接不能用了"));
    assert!(lin.caller.page(LIST).await.contains("邀请已过期"));
    let again = self::link(act(&server, &lin, "late", "reset", &[]).await).await;
    assert!(guest.page(&again).await.contains("设置后台账号"));
}

async fn roles_for_money_need_another_owner(server: Server) {
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    assert!(lin.caller.page(LIST).await.contains("只有您一位站长"));
    let zhao = Clerk::sign_in(&server, "zhao", &["站长"]).await;
    let answer = add(&server, &lin, "chen", &["finance", "printing"], &[]).await;
    assert_eq!(location(&answer), "/staff/clerks?asked=1");
    assert!(server.column("select name from staff where name = 'chen'").await.is_empty(), "nothing before");
    assert!(zhao.caller.page("/staff").await.contains("待复核的账号"));
    let page = zhao.caller.page(LIST).await;
    assert!(page.contains("新开账号 chen：印务、财务") && page.contains("同意"), "{page}");
    // not whoever asked, and not without a code
    let own = refused(decide(&server, &lin, "grant").await).await;
    assert!(own.contains("要由另一位站长复核"), "{own}");
    let request = server.read("select id from approvals").await;
    let bare = zhao.caller.post(&format!("{LIST}/requests/{request}"), &[("decision", "grant")]).await;
    assert!(refused(bare).await.contains("请再输入一次动态验证码"));
    let chen = link(decide(&server, &zhao, "grant").await).await;
    let chen = comes_in(&server, &chen).await;
    assert_eq!(chen.caller.get("/staff/payments").await.status(), StatusCode::OK);
    let late = zhao.caller.post(&format!("{LIST}/requests/{request}"), &[("decision", "decline")]).await;
    assert_eq!(location(&late), "/staff/clerks?said=before");
    let id = server.read("select id from staff where name = 'chen'").await;
    let told = log(&server, &id);
    for line in ["lin: staff change-ask", "zhao: staff add", "zhao: staff change-decide"] {
        assert!(told.contains(line), "{told}");
    }

    // less is at once, more waits; what was there before stands in the log
    assert!(
        location(&act(&server, &lin, "chen", "roles", &[("role", "printing")]).await).ends_with("said=done")
    );
    assert_eq!(roles(&server, "chen").await, "printing");
    assert_eq!(chen.caller.get("/staff/payments").await.status(), StatusCode::FORBIDDEN);
    let again = act(&server, &lin, "chen", "roles", &[("role", "printing")]).await;
    assert!(location(&again).ends_with("said=before"));
    let more = [("role", "printing"), ("role", "owner")];
    assert!(location(&act(&server, &lin, "chen", "roles", &more).await).ends_with("asked=1"));
    assert_eq!(roles(&server, "chen").await, "printing");
    // what was changed meanwhile is not what was asked for
    assert!(
        location(&act(&server, &zhao, "chen", "roles", &[("role", "editor")]).await).ends_with("said=done")
    );
    let page = refused(decide(&server, &zhao, "grant").await).await;
    assert!(page.contains("提出以后，这个账号又有人改过"), "{page}");
    assert!(location(&decide(&server, &lin, "decline").await).ends_with("said=taken-back"));
    assert!(location(&act(&server, &lin, "chen", "roles", &more).await).ends_with("asked=1"));
    assert!(location(&decide(&server, &zhao, "grant").await).ends_with("said=done"));
    assert_eq!(roles(&server, "chen").await, "printing,owner");
    let told = log(&server, &id);
    assert!(told.contains("editor") && told.contains("printing,owner"), "{told}");
    // a new link to such an account is as good as the role
    assert!(location(&act(&server, &lin, "chen", "reset", &[]).await).ends_with("asked=1"));
    assert_eq!(chen.caller.get("/staff").await.status(), StatusCode::OK, "nothing before");
    // whom it is about does not agree
    let page = refused(decide(&server, &chen, "grant").await).await;
    assert!(page.contains("不能改自己的账号"), "{page}");
    comes_in(&server, &link(decide(&server, &zhao, "grant").await).await).await;
    assert_eq!(location(&chen.caller.get("/staff").await), "/staff/login");
}

async fn two_at_once_leave_somebody_who_manages(server: Server) {
    for round in 0..4 {
        let (a, b) = (format!("a{round}"), format!("b{round}"));
        let one = Clerk::sign_in(&server, &a, &["站长"]).await;
        let other = Clerk::sign_in(&server, &b, &["站长"]).await;
        server.sql(&format!("update staff set ended_at = 1 where name not in ('{a}', '{b}')")).await;
        let (pages, codes) = (
            [page_of(&server, &b).await, page_of(&server, &a).await],
            [one.code(&server).await, other.code(&server).await],
        );
        let [first, second] = [(&one, 0), (&other, 1)].map(|(clerk, at)| {
            let fields = [("act", "end"), ("seen", "0"), ("key", "one-key"), ("code", codes[at].as_str())];
            let page = pages[at].clone();
            async move { clerk.caller.post(&page, &fields).await.status() }
        });
        let done = tokio::join!(first, second);
        let left = server
            .column(&format!("select name from staff where ended_at is null and name in ('{a}', '{b}')"))
            .await;
        assert_eq!(left.len(), 1, "{done:?} {left:?}");
    }
}

async fn nobody_but_an_owner_reaches_an_account(server: Server) {
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let page = page_of(&server, "lin").await;
    for (number, role) in ["客服", "印务", "财务", "编辑"].into_iter().enumerate() {
        let clerk = Clerk::sign_in(&server, &format!("clerk{number}"), &[role]).await.caller;
        for path in [LIST, &page] {
            assert_eq!(clerk.get(path).await.status(), StatusCode::FORBIDDEN, "{role} {path}");
            let fields = [("key", "a-key"), ("name", "x"), ("role", "owner"), ("act", "end")];
            assert_eq!(clerk.post(path, &fields).await.status(), StatusCode::FORBIDDEN, "{role} {path}");
        }
        let decision = clerk.post(&format!("{LIST}/requests/x"), &[("decision", "grant")]).await;
        assert_eq!(decision.status(), StatusCode::FORBIDDEN, "{role}");
    }
    // nobody does to itself what another one has to
    for (step, more) in
        [("roles", vec![("role", "owner"), ("role", "finance")]), ("end", vec![]), ("reset", vec![])]
    {
        let page = refused(act(&server, &lin, "lin", step, &more).await).await;
        assert!(page.contains("不能改自己的账号"), "{step}: {page}");
    }
    assert_eq!(roles(&server, "lin").await, "owner");
    assert!(!lin.caller.page(&page).await.contains("value=\"end\""));
    assert_eq!(lin.caller.get(&format!("{LIST}/nobody")).await.status(), StatusCode::NOT_FOUND);
}

async fn an_end_signs_out_and_is_taken_back_by_a_link(server: Server) {
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let wu = Clerk::sign_in(&server, "wu", &["编辑"]).await;
    // one browser of somebody's is ended without looking for a phone
    let page = page_of(&server, "wu").await;
    let out = lin.caller.post(&page, &[("act", "end-logins"), ("key", "one-key")]).await;
    assert!(location(&out).ends_with("said=done"));
    assert_eq!(location(&wu.caller.get("/staff").await), "/staff/login");
    password(&wu.caller, "wu", SECRET).await;
    let fresh = wu.code(&server).await;
    wu.caller.post("/staff/login/code", &[("code", &fresh)]).await;
    assert_eq!(wu.caller.get("/staff").await.status(), StatusCode::OK);

    assert!(location(&act(&server, &lin, "wu", "end", &[]).await).ends_with("said=done"));
    assert_eq!(location(&wu.caller.get("/staff").await), "/staff/login");
    refused(password(&server.visitor(), "wu", SECRET).await).await;
    assert!(location(&act(&server, &lin, "wu", "end", &[]).await).ends_with("said=before"));
    assert!(lin.caller.page(LIST).await.contains("已停用"));
    // the name is nobody else's, however it is written
    for name in ["wu", "ＷＵ", "w\u{200b}u"] {
        let page = refused(add(&server, &lin, name, &["editor"], &[]).await).await;
        assert!(page.contains("这个登录名有人用过") && page.contains(&format!("value=\"{name}\"")), "{page}");
    }
    let id = server.read("select id from staff where name = 'wu'").await;
    assert!(log(&server, &id).contains("wu: staff sign-in"), "its name stays");
    // back again by a link, not by what it knew before
    let link = link(act(&server, &lin, "wu", "back", &[]).await).await;
    refused(password(&server.visitor(), "wu", SECRET).await).await;
    let wu = comes_in(&server, &link).await;
    assert_eq!(wu.caller.get("/staff/reports").await.status(), StatusCode::OK);
    // the command line does the same
    assert!(server.run(&["staff", "remove", "wu"]).status.success());
    assert_eq!(location(&wu.caller.get("/staff").await), "/staff/login");
    assert!(String::from_utf8(server.run(&["staff", "list"]).stdout).unwrap().contains("wu (编辑) let go"));
}

async fn a_reset_leaves_nothing_of_before(mut server: Server) {
    with_address(&mut server);
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let wu = Clerk::sign_in(&server, "wu", &["编辑"]).await;
    let mut device = added(&server, &wu).await;
    let first = link(act(&server, &lin, "wu", "reset", &[]).await).await;
    assert_eq!(location(&wu.caller.get("/staff").await), "/staff/login");
    refused(password(&server.visitor(), "wu", SECRET).await).await;
    refused(by_passkey(&server.visitor(), &mut device).await).await;
    // a page of before is told so, with what it is now
    let page = page_of(&server, "wu").await;
    let code = lin.code(&server).await;
    let old = [("act", "roles"), ("seen", "0"), ("key", "one-key"), ("role", "printing"), ("code", &code)];
    let answer = refused(lin.caller.post(&page, &old).await).await;
    assert!(answer.contains("又有人改过") && answer.contains("name=\"seen\" value=\"1\""), "{answer}");
    assert_eq!(roles(&server, "wu").await, "editor");
    // a newer link takes the place of the one before
    let second = link(act(&server, &lin, "wu", "reset", &[]).await).await;
    assert!(server.visitor().page(&first).await.contains("邀请链接不能用了"));
    comes_in(&server, &second).await;
    // an end takes the link, too
    let third = link(act(&server, &lin, "wu", "reset", &[]).await).await;
    act(&server, &lin, "wu", "end", &[]).await;
    assert!(server.visitor().page(&third).await.contains("邀请链接不能用了"));
}

async fn what_was_typed_wrong_comes_back(server: Server) {
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    for (name, chosen, more, reason) in [
        ("a b", vec!["editor"], vec![("full_name", "张三")], "登录名是"),
        ("", vec!["editor"], vec![("full_name", "张三")], "登录名是"),
        ("wu", vec![], vec![("full_name", "张三")], "至少选一个角色"),
        ("wu", vec!["editor"], vec![("full_name", "张三"), ("email", "nobody")], "请写一个电子邮箱"),
        (
            "wu",
            vec!["editor"],
            vec![("full_name", "张三"), ("email", "wu@example.com")],
            "没有设置对外的网址",
        ),
    ] {
        let page = refused(add(&server, &lin, name, &chosen, &more).await).await;
        assert!(page.contains(reason) && page.contains("value=\"张三\""), "{reason}: {page}");
        assert_eq!(page.contains("value=\"editor\" checked"), !chosen.is_empty(), "{page}");
    }
    let key = between(&lin.caller.page(LIST).await, "name=\"key\" value=\"", "\"");
    let bare = [("key", key.as_str()), ("name", "wu"), ("role", "editor")];
    assert!(refused(lin.caller.post(LIST, &bare).await).await.contains("请再输入一次动态验证码"));
    let wrong = [bare[0], bare[1], ("role", "boss"), ("code", "000000")];
    assert_eq!(lin.caller.post(LIST, &wrong).await.status(), StatusCode::BAD_REQUEST);
    let page = refused(lin.caller.post(LIST, &bare[1..]).await).await;
    assert!(page.contains("表单不完整") && page.contains("value=\"wu\""), "{page}");
    assert_eq!(server.read("select cast(count(*) as text) from staff").await, "1");
}

async fn links_are_not_guessed(server: Server) {
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let link = link(add(&server, &lin, "wu", &["editor"], &[]).await).await;
    let guest = server.visitor();
    let mut tries = 0;
    while guest.get(&format!("/staff/invitation/{tries:a>43}")).await.status() == StatusCode::OK {
        tries += 1;
        assert!(tries < 40, "a guesser has to wait");
    }
    // and finds nothing meanwhile
    assert_eq!(guest.get(&link).await.status(), StatusCode::TOO_MANY_REQUESTS);
    server.sql("delete from sign_in_attempts").await;
    assert!(guest.page(&link).await.contains("设置后台账号"));
}

/// From now on the site has an address at which browsers know passkeys.
fn with_address(server: &mut Server) {
    server.kill();
    server.set("BINDERY_PUBLIC_URL", ORIGIN);
    server.restart();
}

/// Begins to add a passkey: what the page asks the browser.
async fn begun(server: &Server, clerk: &Clerk) -> Value {
    let code = clerk.code(server).await;
    let answer =
        clerk.caller.post(PASSKEYS, &[("step", "begin"), ("name", "柜台 <一>"), ("code", &code)]).await;
    assert_eq!(location(&answer), PASSKEYS);
    let options = between(&clerk.caller.page(PASSKEYS).await, "data-options=\"", "\"");
    serde_json::from_str(&options.replace("&quot;", "\"").replace("&amp;", "&")).unwrap()
}

async fn added(server: &Server, clerk: &Clerk) -> Authenticator {
    let (device, answer) = Authenticator::make(ORIGIN, &begun(server, clerk).await);
    let answer = clerk.caller.post(PASSKEYS, &[("step", "made"), ("credential", &answer)]).await;
    assert_eq!(location(&answer), format!("{PASSKEYS}?said=done"));
    device
}

async fn asked(visitor: &Caller) -> Value {
    let answer = visitor.post("/staff/login/passkey/ask", &[]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    serde_json::from_str(&answer.text().await.unwrap()).unwrap()
}

async fn by_passkey(visitor: &Caller, device: &mut Authenticator) -> Response {
    let answer = device.show(&asked(visitor).await);
    visitor.post("/staff/login/passkey", &[("credential", &answer)]).await
}

async fn a_passkey_opens_the_back_office(mut server: Server) {
    with_address(&mut server);
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let bare = refused(lin.caller.post(PASSKEYS, &[("step", "begin"), ("name", "我的手机")]).await).await;
    assert!(bare.contains("请再输入一次动态验证码") && bare.contains("我的手机"), "{bare}");
    let mut device = added(&server, &lin).await;
    let page = lin.caller.page(PASSKEYS).await;
    assert!(page.contains("<strong>柜台 &lt;一&gt;</strong>") && page.contains("还没有用过"), "{page}");
    // straight to the page that was asked for, without password and code
    let visitor = server.visitor();
    assert!(visitor.page("/staff/login").await.contains("data-ask=\"/staff/login/passkey/ask\""));
    let answer = device.show(&asked(&visitor).await);
    let door = "/staff/login/passkey?next=%2Fstaff%2Faudit";
    assert_eq!(location(&visitor.post(door, &[("credential", &answer)]).await), "/staff/audit");
    assert!(visitor.page("/staff/audit").await.contains("登录后台</td>"));
    assert!(lin.caller.page(PASSKEYS).await.contains("上次使用"));
    assert!(lin.caller.page(LIST).await.contains("1 个通行密钥"));
    // an answer is good once, and in the browser that asked
    refused(server.visitor().post("/staff/login/passkey", &[("credential", &answer)]).await).await;
    refused(visitor.post("/staff/login/passkey", &[("credential", &answer)]).await).await;
    // money asks for a code of the device all the same, and it goes with a code alone
    let id = between(&lin.caller.page(PASSKEYS).await, "name=\"remove\" value=\"", "\"");
    refused(lin.caller.post(PASSKEYS, &[("remove", &id)]).await).await;
    let code = lin.code(&server).await;
    let gone = lin.caller.post(PASSKEYS, &[("remove", &id), ("code", &code)]).await;
    assert_eq!(location(&gone), format!("{PASSKEYS}?said=done"));
    refused(by_passkey(&server.visitor(), &mut device).await).await;
    let told = log(&server, &server.read("select id from staff").await);
    for line in ["lin: staff passkey-add", "lin: staff passkey-remove"] {
        assert!(told.contains(line), "{told}");
    }
}

async fn a_passkey_that_is_not_right_opens_nothing(mut server: Server) {
    let early = server.visitor();
    assert_eq!(early.post("/staff/login/passkey/ask", &[]).await.status(), StatusCode::NOT_FOUND);
    assert!(!early.page("/staff/login").await.contains("data-ask"));
    with_address(&mut server);
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await;
    let mut device = added(&server, &lin).await;
    // nobody was asked who holds it
    device.verifies = false;
    refused(by_passkey(&server.visitor(), &mut device).await).await;
    device.verifies = true;
    // another site's
    device.origin = "https://evil.example".into();
    refused(by_passkey(&server.visitor(), &mut device).await).await;
    device.origin = ORIGIN.into();
    // a member's page does not know it, and this door knows no member's
    let visitor = server.visitor();
    let asked = visitor.post("/manager/login_passkey", &[]).await.text().await.unwrap();
    let answer = device.show(&serde_json::from_str(&asked).unwrap());
    refused(visitor.post("/manager/login", &[("way", "passkey"), ("credential", &answer)]).await).await;
    assert_eq!(location(&by_passkey(&server.visitor(), &mut device).await), "/staff");
    // a copy counts on its own
    device.counter = 0;
    let page = refused(by_passkey(&server.visitor(), &mut device).await).await;
    assert!(page.contains("可能有人复制过它"), "{page}");
    assert!(log(&server, &server.read("select id from staff").await).contains("staff passkey-copied"));
    // whoever is let go finishes nothing, and its passkey opens nothing
    let options = begun(&server, &lin).await;
    server.sql("update staff set ended_at = 1 where name = 'lin'").await;
    let (_, answer) = Authenticator::make(ORIGIN, &options);
    let made = lin.caller.post(PASSKEYS, &[("step", "made"), ("credential", &answer)]).await;
    assert_eq!(location(&made), "/staff/login");
    refused(by_passkey(&server.visitor(), &mut device).await).await;
}
