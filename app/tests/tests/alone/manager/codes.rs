//! /manager/login?way=registration and ?way=recovery: codes, and what a stranger learns from them.

use reqwest::{Response, StatusCode};

use support::{Caller, PASSWORD, Server, between, between_all, location, on_both_engines};

on_both_engines!(
    somebody_registers_and_goes_where_it_wanted,
    everything_typed_comes_back_but_the_password,
    a_stranger_cannot_tell_who_has_an_account,
    a_code_is_good_for_five_guesses,
    a_code_ends_and_the_newest_replaces_the_one_before,
    a_code_is_used_once_however_many_come_at_once,
    a_code_is_sent_once_a_minute_and_not_for_ever,
    a_stranger_who_burns_codes_closes_nobodys_recovery,
    a_code_goes_with_the_browser_and_with_nobody_else,
    codes_are_guessed_at_a_hundred_times_a_day_at_most,
    an_invite_code_says_who_invited,
    finding_the_password_ends_every_login,
    passwords_that_everybody_tries_are_refused,
    one_account_has_one_count_of_failures,
    a_name_that_hides_characters_is_refused,
    what_was_typed_before_goes_through_both_ways,
);

const REGISTER: &str = "/manager/login?way=registration";
const RECOVER: &str = "/manager/login?way=recovery";
const NEW: &str = "a lantern over the river";

/// The way that an address names.
fn way(address: &str) -> &str {
    address.split_once("way=").unwrap().1
}

async fn send(caller: &Caller, address: &str, contact: &str) -> Response {
    caller.post(address, &[("way", way(address)), ("step", "send"), ("contact", contact)]).await
}

async fn finish(caller: &Caller, address: &str, contact: &str, code: &str, password: &str) -> Response {
    let fields = [
        ("way", way(address)),
        ("step", "finish"),
        ("contact", contact),
        ("code", code),
        ("password", password),
    ];
    caller.post(address, &fields).await
}

/// A code that is not this one.
fn other_than(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

async fn refused(answer: Response, words: &str) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains(words), "{words} is not in {page}");
    page
}

async fn somebody_registers_and_goes_where_it_wanted(server: Server) {
    let visitor = server.visitor();
    let door = location(&visitor.get("/manager/photos?added=3").await);
    let page = visitor.page(&door).await;
    assert!(page.contains(&format!("{door}?way=registration")), "the way back goes along");
    let address = format!("{door}?way=registration");
    assert!(visitor.page(&address).await.contains("注册书坊账号"));
    let page = send(&visitor, &address, " +86 138-0013-8000 ").await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(page.text().await.unwrap().contains("验证码已发到"));
    let code = server.code_to("13800138000");
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    let answer = finish(&visitor, &address, "138 0013 8000", &spaced, NEW).await;
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("bindery=") && cookie.contains("HttpOnly"));
    assert_eq!(location(&answer), "/manager/photos?added=3");
    let info = visitor.page("/user-center/getMemberInfo").await;
    assert!(info.contains(r#""phone":"13800138000","email":"""#), "{info}");
    assert!(info.contains(r#""vip_name":"普通会员""#) && info.contains(r#""name":"138****8000""#));
    // the code is used up, and the account is there for good
    refused(finish(&server.visitor(), REGISTER, "13800138000", &code, NEW).await, "验证码不正确").await;
    assert_eq!(server.visitor().sign_in("+86 13800138000", NEW).await.status(), StatusCode::SEE_OTHER);
}

async fn everything_typed_comes_back_but_the_password(server: Server) {
    let visitor = server.visitor();
    let inviter = between(
        &server.member("friend@example.com", "0").await.page("/user-center/getMemberInfo").await,
        "\"yaoqingma\":\"",
        "\"",
    );
    let fields =
        [("way", "registration"), ("step", "send"), ("contact", "not a contact"), ("yaoqingma", &*inviter)];
    let page = refused(visitor.post(REGISTER, &fields).await, "格式不正确").await;
    assert!(page.contains("value=\"not a contact\"") && page.contains(&format!("value=\"{inviter}\"")));
    refused(send(&visitor, REGISTER, "").await, "请输入手机号或邮箱").await;
    assert_eq!(server.outbox(), "The outbox is empty.\n");

    send(&visitor, REGISTER, "reader@example.com").await;
    let fields = [
        ("way", "registration"),
        ("step", "finish"),
        ("contact", "reader@example.com"),
        ("yaoqingma", &*inviter),
        ("code", "12"),
        ("password", "short"),
        ("name", "林知夏"),
    ];
    let page = refused(visitor.post(REGISTER, &fields).await, "验证码是 6 位数字").await;
    assert!(page.contains("密码至少 8 个字符"));
    for kept in ["reader@example.com", "林知夏", "value=\"12\"", &*inviter] {
        assert!(page.contains(kept), "{kept}");
    }
    assert!(!page.contains("short"));
    // what was wrong with the form cost none of the code's tries
    let code = server.code_to("reader@example.com");
    for _ in 0..6 {
        finish(&visitor, REGISTER, "reader@example.com", &code, "short").await;
    }
    assert_eq!(
        finish(&visitor, REGISTER, "reader@example.com", &code, NEW).await.status(),
        StatusCode::SEE_OTHER
    );
}

/// A page without what differs by chance, and without the contact.
fn plain(page: &str, contact: &str) -> String {
    let nonces = between_all(page, "nonce=\"", "\"");
    nonces.iter().fold(page.to_owned(), |page, nonce| page.replace(nonce, "")).replace(contact, "")
}

async fn a_stranger_cannot_tell_who_has_an_account(server: Server) {
    server.member("known@example.com", "0").await;
    server.run(&["member", "add", "--account", "13800138000", "--password", PASSWORD]);
    for address in [REGISTER, RECOVER] {
        for (known, unknown) in [("known@example.com", "nobody@example.com"), ("13800138000", "13900139000")]
        {
            let mut seen: Vec<Vec<String>> = Vec::new();
            for contact in [known, unknown] {
                let stranger = server.visitor();
                let mut pages = Vec::new();
                for answer in [
                    send(&stranger, address, contact).await,
                    // at once again: too early, with the same words
                    send(&stranger, address, contact).await,
                    finish(&stranger, address, contact, "000000", NEW).await,
                ] {
                    let status = answer.status();
                    let cookies = answer.headers().get_all("set-cookie").iter().count();
                    let page = plain(&answer.text().await.unwrap(), contact);
                    // how many seconds are left may differ
                    let page = page.replace(|c: char| c.is_ascii_digit(), "");
                    pages.push(format!("{status} {cookies} {page}"));
                }
                server.wait_a_minute().await;
                seen.push(pages);
            }
            assert_eq!(seen[0], seen[1]);
            assert!(
                seen[0][0].starts_with("200")
                    && seen[0][1].starts_with("429")
                    && seen[0][2].starts_with("422")
            );
        }
    }
    // only the contact itself learns it, and no code would help
    let messages = server.outbox();
    for words in ["已经有账号了", "还没有账号"] {
        assert_eq!(messages.matches(words).count(), 2, "{words}");
    }
    assert_eq!(messages.matches("验证码是").count(), 4);
}

async fn a_code_is_good_for_five_guesses(server: Server) {
    let visitor = server.visitor();
    send(&visitor, REGISTER, "reader@example.com").await;
    let code = server.code_to("reader@example.com");
    for _ in 0..5 {
        refused(
            finish(&visitor, REGISTER, "reader@example.com", &other_than(&code), NEW).await,
            "验证码不正确，或已失效",
        )
        .await;
    }
    refused(finish(&visitor, REGISTER, "reader@example.com", &code, NEW).await, "验证码不正确，或已失效")
        .await;
    server.wait_a_minute().await;
    send(&visitor, REGISTER, "reader@example.com").await;
    let code = server.code_to("reader@example.com");
    for _ in 0..4 {
        finish(&visitor, REGISTER, "reader@example.com", &other_than(&code), NEW).await;
    }
    let answer = finish(&visitor, REGISTER, "reader@example.com", &code, NEW).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "the fifth is still a try");
}

async fn a_code_ends_and_the_newest_replaces_the_one_before(server: Server) {
    server.member("reader@example.com", "0").await;
    let visitor = server.visitor();
    send(&visitor, RECOVER, "reader@example.com").await;
    let first = server.code_to("reader@example.com");
    server.wait_a_minute().await;
    let mut second = first.clone();
    // one time in a million they are the same
    while second == first {
        assert_eq!(send(&visitor, RECOVER, "reader@example.com").await.status(), StatusCode::OK);
        second = server.code_to("reader@example.com");
        server.wait_a_minute().await;
    }
    refused(finish(&visitor, RECOVER, "reader@example.com", &first, NEW).await, "验证码不正确").await;
    // a code for one purpose opens nothing else
    refused(finish(&visitor, REGISTER, "reader@example.com", &second, NEW).await, "验证码不正确").await;
    server.sql("update sent_codes set expires_at = expires_at - 601000").await;
    refused(finish(&visitor, RECOVER, "reader@example.com", &second, NEW).await, "验证码不正确").await;
    server.sql("update sent_codes set expires_at = expires_at + 601000").await;
    let answer = finish(&visitor, RECOVER, "reader@example.com", &second, NEW).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "in time it is right");
}

async fn a_code_is_used_once_however_many_come_at_once(server: Server) {
    send(&server.visitor(), REGISTER, "reader@example.com").await;
    let code = server.code_to("reader@example.com");
    let callers: Vec<Caller> = (0..5).map(|_| server.visitor()).collect();
    let answers = futures::future::join_all(
        callers.iter().map(|caller| finish(caller, REGISTER, "reader@example.com", &code, NEW)),
    )
    .await;
    let inside = answers.iter().filter(|answer| answer.status() == StatusCode::SEE_OTHER).count();
    assert_eq!(inside, 1);
    // and guesses sent at once are five all the same
    server.member("guessed@example.com", "0").await;
    send(&server.visitor(), RECOVER, "guessed@example.com").await;
    let code = server.code_to("guessed@example.com");
    let wrong = other_than(&code);
    futures::future::join_all(
        (0..8).map(|_| finish(&callers[0], RECOVER, "guessed@example.com", &wrong, NEW)),
    )
    .await;
    refused(finish(&callers[0], RECOVER, "guessed@example.com", &code, NEW).await, "验证码不正确").await;
}

async fn a_code_is_sent_once_a_minute_and_not_for_ever(server: Server) {
    let visitor = server.visitor();
    let answers =
        futures::future::join_all((0..6).map(|_| send(&visitor, REGISTER, "reader@example.com"))).await;
    let sent = answers.iter().filter(|answer| answer.status() == StatusCode::OK).count();
    assert_eq!(sent, 1, "one of six that come at once");
    let late = answers.into_iter().find(|answer| answer.status() == StatusCode::TOO_MANY_REQUESTS).unwrap();
    let wait: u64 = late.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((50..=60).contains(&wait), "{wait}");
    let page = late.text().await.unwrap();
    assert!(page.contains("秒后再发") && page.contains("name=\"code\""), "whoever has the code goes on");
    // the same contact is not written to for another purpose either
    assert_eq!(send(&visitor, RECOVER, "reader@example.com").await.status(), StatusCode::TOO_MANY_REQUESTS);
    for _ in 0..4 {
        server.wait_a_minute().await;
        send(&visitor, REGISTER, "reader@example.com").await;
    }
    server.wait_a_minute().await;
    let answer = send(&visitor, REGISTER, "reader@example.com").await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "after five the wait doubles");
    // one network address that asks for many contacts is slowed down, too
    let mut refusals = 0;
    for number in 0..40 {
        let answer = send(&visitor, REGISTER, &format!("reader{number}@example.com")).await;
        refusals += usize::from(answer.status() == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refusals > 5, "{refusals}");
}

/// The same steps from a network address.
async fn send_via(caller: &Caller, at: &str, contact: &str) -> Response {
    caller.post_via(at, RECOVER, &[("way", "recovery"), ("step", "send"), ("contact", contact)]).await
}

async fn finish_via(caller: &Caller, at: &str, contact: &str, code: &str) -> Response {
    let fields = [("way", "recovery"), ("step", "finish"), ("contact", contact), ("code", code)];
    caller.post_via(at, RECOVER, &[&fields[..], &[("password", NEW)]].concat()).await
}

async fn a_stranger_who_burns_codes_closes_nobodys_recovery(mut server: Server) {
    server.behind_a_proxy();
    let contact = "reader@example.com";
    server.member(contact, "0").await;
    let (stranger, evil) = (server.visitor(), "203.0.113.9");
    // asks as often as it may, and guesses at all of them
    for _ in 0..8 {
        send_via(&stranger, evil, contact).await;
        let wrong = other_than(&server.code_to(contact));
        for _ in 0..5 {
            finish_via(&stranger, evil, contact, &wrong).await;
        }
        server.sql("update sign_in_attempts set last_failure_at = last_failure_at - 480000").await;
    }
    let answer = send_via(&stranger, evil, contact).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.text().await.unwrap().contains("验证码发得太频繁，请 8 分钟后再发"));
    // the owner asks at once, and its code stands whatever the stranger does
    let (owner, home) = (server.visitor(), "198.51.100.7");
    assert_eq!(send_via(&owner, home, contact).await.status(), StatusCode::OK);
    let code = server.code_to(contact);
    for _ in 0..6 {
        finish_via(&stranger, evil, contact, &other_than(&code)).await;
    }
    assert_eq!(finish_via(&owner, home, contact, &code).await.status(), StatusCode::SEE_OTHER);
}

async fn a_code_goes_with_the_browser_and_with_nobody_else(mut server: Server) {
    server.behind_a_proxy();
    let contact = "reader@example.com";
    server.member(contact, "0").await;
    let (owner, stranger) = (server.visitor(), server.visitor());
    assert_eq!(send_via(&owner, "198.51.100.7", contact).await.status(), StatusCode::OK);
    let code = server.code_to(contact);
    let answer = finish_via(&stranger, "203.0.113.9", contact, &code).await;
    refused(answer, "只在要它的那个浏览器或网络里有效").await;
    // on the way from Wi-Fi to the street
    assert_eq!(finish_via(&owner, "198.51.100.8", contact, &code).await.status(), StatusCode::SEE_OTHER);
    // in the same network with another browser, as on a phone and a computer at home
    let another = server.visitor();
    send_via(&another, "198.51.100.20", contact).await;
    let code = server.code_to(contact);
    let answer = finish_via(&server.visitor(), "198.51.100.20", contact, &code).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    // a code that was used ends all others
    assert_eq!(server.column("select digest from sent_codes").await.len(), 0);
}

async fn codes_are_guessed_at_a_hundred_times_a_day_at_most(mut server: Server) {
    server.behind_a_proxy();
    let contact = "reader@example.com";
    let known = server.member(contact, "0").await;
    let mut answered = 0;
    for network in 0..12 {
        let (at, visitor) = (format!("203.0.113.{network}"), server.visitor());
        for _ in 0..5 {
            send_via(&visitor, &at, contact).await;
            for guess in 0..5 {
                let answer = finish_via(&visitor, &at, contact, &format!("00000{guess}")).await;
                answered += usize::from(answer.status() == StatusCode::UNPROCESSABLE_ENTITY);
            }
            server.wait_a_minute().await;
        }
    }
    assert_eq!(answered, 80);
    // nor does a day end at midnight
    server.sql("update sign_in_attempts set last_failure_at = last_failure_at - 36000000").await;
    let at = "198.51.100.7";
    let answer = finish_via(&server.visitor(), at, contact, "000000").await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    let page = answer.text().await.unwrap();
    assert!(page.contains("今天有很多地方在猜它的验证码") && page.contains("小时后再试"), "{page}");
    // the owner's own browser is not shut out
    assert_eq!(send_via(&known, at, contact).await.status(), StatusCode::OK);
    let code = server.code_to(contact);
    finish_via(&known, at, contact, &other_than(&code)).await;
    assert_eq!(finish_via(&known, at, contact, &code).await.status(), StatusCode::SEE_OTHER);
}

async fn an_invite_code_says_who_invited(server: Server) {
    let friend = server.member("friend@example.com", "0").await;
    let info = friend.page("/user-center/getMemberInfo").await;
    let (code, id) = (between(&info, "\"yaoqingma\":\"", "\""), between(&info, "\"user_id\":\"", "\""));
    let visitor = server.visitor();
    let fields = |code| {
        [("way", "registration"), ("step", "send"), ("contact", "reader@example.com"), ("yaoqingma", code)]
    };
    let page = refused(visitor.post(REGISTER, &fields("NOBODY22")).await, "没有这个邀请码").await;
    assert!(page.contains("value=\"NOBODY22\"") && page.contains("value=\"reader@example.com\""));
    assert_eq!(server.outbox(), "The outbox is empty.\n");
    let lower = code.to_lowercase();
    assert_eq!(visitor.post(REGISTER, &fields(&lower)).await.status(), StatusCode::OK);
    let number = server.code_to("reader@example.com");
    let mut fields = fields(&lower).to_vec();
    fields[1] = ("step", "finish");
    fields.extend([("code", &*number), ("password", NEW), ("name", "林知夏")]);
    location(&visitor.post(REGISTER, &fields).await);
    assert!(visitor.page("/user-center/getMemberInfo").await.contains("\"name\":\"林知夏\""));
    let invited_by = "select invited_by from members where account = 'reader@example.com'";
    assert_eq!(server.read(invited_by).await, id);
}

async fn finding_the_password_ends_every_login(server: Server) {
    let elsewhere = server.member("reader@example.com", "0").await;
    let fields = [("account", "reader@example.com"), ("password", PASSWORD)];
    let answer = server.visitor().post("/user-center/login", &fields).await.text().await.unwrap();
    let token = between(&answer, "\"token\":\"", "\"");
    // somebody has guessed at the account; its owner need not wait
    for _ in 0..7 {
        server.visitor().sign_in("reader@example.com", "a guess").await;
    }
    let visitor = server.visitor();
    let door = location(&visitor.get("/manager/order").await);
    let address = format!("{door}?way=recovery");
    send(&visitor, &address, "reader@example.com").await;
    let code = server.code_to("reader@example.com");
    let answer = finish(&visitor, &address, "reader@example.com", &code, NEW).await;
    assert_eq!(location(&answer), "/manager/order");
    assert_eq!(visitor.get("/manager/order").await.status(), StatusCode::OK);
    assert_eq!(elsewhere.get("/manager/order").await.status(), StatusCode::SEE_OTHER, "signed out");
    let answer = server.visitor().call("GET", "/cart/cartList", &token, &[]).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "the token is over");
    assert!(server.message_to("reader@example.com").contains("您的密码刚刚修改"));
    let later = server.visitor();
    assert_eq!(
        later.sign_in("reader@example.com", PASSWORD).await.status(),
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(later.sign_in("reader@example.com", NEW).await.status(), StatusCode::SEE_OTHER);
    // the same code again
    refused(
        finish(&visitor, &address, "reader@example.com", &code, "another one entirely").await,
        "验证码不正确",
    )
    .await;
}

async fn passwords_that_everybody_tries_are_refused(server: Server) {
    server.member("reader@example.com", "0").await;
    let visitor = server.visitor();
    for (address, contact) in [(REGISTER, "lin.zhixia@example.com"), (RECOVER, "reader@example.com")] {
        send(&visitor, address, contact).await;
        let code = server.code_to(contact);
        for (password, words) in [
            ("", "请输入密码"),
            ("1234567", "密码至少 8 个字符"),
            ("password123", "太常见"),
            ("woaini1314", "太常见"),
            ("Passw0rd!", "太容易被猜到"),
            ("wang123456", "太容易被猜到"),
            ("Summer2026!", "太容易被猜到"),
            (contact, "密码不能是账号"),
            ("Bindery2026", "密码不能是账号"),
            (&"长".repeat(129), "密码至多 128 个字符"),
        ] {
            let page = refused(finish(&visitor, address, contact, &code, password).await, words).await;
            assert!(page.contains("id=\"password-error\""));
        }
        let answer = finish(&visitor, address, contact, &code, "Ｐａｐｅｒ－Ｌａｎｔｅｒｎ－９").await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        assert_eq!(
            server.visitor().sign_in(contact, "Paper-Lantern-9").await.status(),
            StatusCode::SEE_OTHER
        );
    }
    let output = server.run(&["member", "add", "--account", "x@example.com", "--password", "12345678"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("太常见"));
}

async fn one_account_has_one_count_of_failures(server: Server) {
    server.member("reader@example.com", "0").await;
    server.sql("update members set phone = '13800138000' where account = 'reader@example.com'").await;
    let visitor = server.visitor();
    assert_eq!(visitor.sign_in("13800138000", PASSWORD).await.status(), StatusCode::SEE_OTHER);
    for name in ["reader@example.com", "13800138000", "READER@example.com", "+8613800138000", "138 0013 8000"]
    {
        assert_eq!(visitor.sign_in(name, "a guess").await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = visitor.sign_in("reader@example.com", "a guess").await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
}

async fn a_name_that_hides_characters_is_refused(server: Server) {
    let visitor = server.visitor();
    send(&visitor, REGISTER, "reader@example.com").await;
    let code = server.code_to("reader@example.com");
    let fields = |name| {
        [
            ("way", "registration"),
            ("step", "finish"),
            ("contact", "reader@example.com"),
            ("code", &*code),
            ("password", NEW),
            ("name", name),
        ]
    };
    let page = refused(visitor.post(REGISTER, &fields("林\u{202E}夏")).await, "看不见的字符").await;
    assert!(page.contains("id=\"name-error\""));
    assert_eq!(visitor.post(REGISTER, &fields("林知夏")).await.status(), StatusCode::SEE_OTHER);
}

async fn what_was_typed_before_goes_through_both_ways(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let page = format!("/manager/shopping/cart/{}/options", member.cart_with_album().await);
    for (way, contact, shown_again) in [
        ("recovery", "reader@example.com", StatusCode::OK),
        ("registration", "new@example.com", StatusCode::NOT_FOUND),
    ] {
        let visitor = server.visitor();
        let typed = [("quantity", "12"), ("remark", "请用\"哑金\"&<b>")];
        let door = visitor.post_from(&page, &page, &typed).await.text().await.unwrap();
        let kept = |page: &str| {
            let kept = between(page, "name=\"kept\" value=\"", "\"");
            kept.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        };
        // the way there is a button of a form that carries it
        let (_, ways) = door.split_once("<form id=\"ways\"").expect("a form of ways");
        let address = ways.split("formaction=\"").find(|to| to.contains(way)).unwrap();
        let address = address.split('"').next().unwrap().to_owned();
        let first = visitor.post(&address, &[("step", "begin"), ("kept", &kept(&door))]).await;
        assert_eq!(first.status(), StatusCode::OK);
        let first = first.text().await.unwrap();
        assert!(first.contains("name=\"contact\"") && !first.contains("请输入手机号或邮箱"), "{first}");
        let fields = [("way", way), ("step", "send"), ("contact", contact), ("kept", &kept(&first))];
        let second = visitor.post(&address, &fields).await.text().await.unwrap();
        let code = server.code_to(contact);
        let fields = [
            ("way", way),
            ("step", "finish"),
            ("contact", contact),
            ("code", &*code),
            ("password", NEW),
            ("kept", &kept(&second)),
        ];
        let answer = visitor.post(&address, &fields).await;
        assert_eq!(answer.status(), shown_again, "a new member has no such line");
        let answer = answer.text().await.unwrap();
        if shown_again == StatusCode::OK {
            assert!(answer.contains("刚才填写的内容还在") && answer.contains("value=\"12\""));
            assert!(
                answer.contains("请用\"哑金\"&amp;&lt;b>") || answer.contains("请用&quot;哑金&quot;"),
                "{answer}"
            );
        }
    }
}
