//! /manager/login?way=registration and ?way=recovery: codes, and what a stranger learns from them.

use reqwest::StatusCode;

use support::codes::{NEW, RECOVER, REGISTER, finish, other_than, refused, send};
use support::{Caller, PASSWORD, Server, between, location, on_both_engines};

on_both_engines!(
    somebody_registers_and_goes_where_it_wanted,
    a_code_is_used_once_however_many_come_at_once,
    a_code_is_sent_once_a_minute_and_not_for_ever;
    on_sqlite:
    a_code_is_good_for_five_guesses,
    a_code_ends_and_the_newest_replaces_the_one_before,
    an_invite_code_says_who_invited,
    finding_the_password_ends_every_login,
    one_account_has_one_count_of_failures,
    a_name_that_hides_characters_is_refused,
    what_was_typed_before_goes_through_both_ways,
    passwords_that_everybody_tries_are_refused,
    everything_typed_comes_back_but_the_password,
);

async fn somebody_registers_and_goes_where_it_wanted(server: Server) {
    let phone = &*server.own("13800138000");
    let visitor = server.visitor();
    let door = location(&visitor.get("/manager/photos?added=3").await);
    let page = visitor.page(&door).await;
    assert!(page.contains(&format!("{door}?way=registration")), "the way back goes along");
    let address = format!("{door}?way=registration");
    assert!(visitor.page(&address).await.contains("注册书坊账号"));
    let page =
        send(&visitor, &address, &format!(" +86 {}-{}-{} ", &phone[..3], &phone[3..7], &phone[7..])).await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(page.text().await.unwrap().contains("验证码已发到"));
    let code = server.code_to(phone);
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    let answer = finish(
        &visitor,
        &address,
        &format!("{} {} {}", &phone[..3], &phone[3..7], &phone[7..]),
        &spaced,
        NEW,
    )
    .await;
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.starts_with("bindery=") && cookie.contains("HttpOnly"));
    assert_eq!(location(&answer), "/manager/photos?added=3");
    let info = visitor.page("/user-center/getMemberInfo").await;
    assert!(info.contains(&format!(r#""phone":"{phone}","email":"""#)), "{info}");
    assert!(info.contains(r#""vip_name":"普通会员""#) && info.contains(r#""name":"138****8000""#));
    // the code is used up, and the account is there for good
    refused(finish(&server.visitor(), REGISTER, phone, &code, NEW).await, "验证码不正确").await;
    assert_eq!(server.visitor().sign_in(&format!("+86 {phone}"), NEW).await.status(), StatusCode::SEE_OTHER);
}

async fn everything_typed_comes_back_but_the_password(server: Server) {
    let reader = &*server.own("reader@example.com");
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
    assert!(server.wrote_to_nobody());

    send(&visitor, REGISTER, reader).await;
    let fields = [
        ("way", "registration"),
        ("step", "finish"),
        ("contact", reader),
        ("yaoqingma", &*inviter),
        ("code", "12"),
        ("password", "short"),
        ("name", "林知夏"),
    ];
    let page = refused(visitor.post(REGISTER, &fields).await, "验证码是 6 位数字").await;
    assert!(page.contains("密码至少 8 个字符"));
    for kept in [reader, "林知夏", "value=\"12\"", &*inviter] {
        assert!(page.contains(kept), "{kept}");
    }
    assert!(!page.contains("short"));
    // what was wrong with the form cost none of the code's tries
    let code = server.code_to(reader);
    for _ in 0..6 {
        finish(&visitor, REGISTER, reader, &code, "short").await;
    }
    assert_eq!(finish(&visitor, REGISTER, reader, &code, NEW).await.status(), StatusCode::SEE_OTHER);
}

async fn a_code_is_good_for_five_guesses(server: Server) {
    let reader = &*server.own("reader@example.com");
    let visitor = server.visitor();
    send(&visitor, REGISTER, reader).await;
    let code = server.code_to(reader);
    for _ in 0..5 {
        refused(finish(&visitor, REGISTER, reader, &other_than(&code), NEW).await, "验证码不正确，或已失效")
            .await;
    }
    refused(finish(&visitor, REGISTER, reader, &code, NEW).await, "验证码不正确，或已失效").await;
    server.wait_a_minute_for(reader).await;
    send(&visitor, REGISTER, reader).await;
    let code = server.code_to(reader);
    for _ in 0..4 {
        finish(&visitor, REGISTER, reader, &other_than(&code), NEW).await;
    }
    let answer = finish(&visitor, REGISTER, reader, &code, NEW).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "the fifth is still a try");
}

async fn a_code_ends_and_the_newest_replaces_the_one_before(server: Server) {
    let reader = &*server.own("reader@example.com");
    server.member(reader, "0").await;
    let later = |sign: &str| {
        format!("update sent_codes set expires_at = expires_at {sign} 601000 where contact = '{reader}'")
    };
    let visitor = server.visitor();
    send(&visitor, RECOVER, reader).await;
    let first = server.code_to(reader);
    server.wait_a_minute_for(reader).await;
    let mut second = first.clone();
    // one time in a million they are the same
    while second == first {
        assert_eq!(send(&visitor, RECOVER, reader).await.status(), StatusCode::OK);
        second = server.code_to(reader);
        server.wait_a_minute_for(reader).await;
    }
    refused(finish(&visitor, RECOVER, reader, &first, NEW).await, "验证码不正确").await;
    // a code for one purpose opens nothing else
    refused(finish(&visitor, REGISTER, reader, &second, NEW).await, "验证码不正确").await;
    server.sql(&later("-")).await;
    refused(finish(&visitor, RECOVER, reader, &second, NEW).await, "验证码不正确").await;
    server.sql(&later("+")).await;
    let answer = finish(&visitor, RECOVER, reader, &second, NEW).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "in time it is right");
}

async fn a_code_is_used_once_however_many_come_at_once(server: Server) {
    let reader = &*server.own("reader@example.com");
    let guessed = &*server.own("guessed@example.com");
    send(&server.visitor(), REGISTER, reader).await;
    let code = server.code_to(reader);
    let callers: Vec<Caller> = (0..5).map(|_| server.visitor()).collect();
    let answers =
        futures::future::join_all(callers.iter().map(|caller| finish(caller, REGISTER, reader, &code, NEW)))
            .await;
    let inside = answers.iter().filter(|answer| answer.status() == StatusCode::SEE_OTHER).count();
    assert_eq!(inside, 1);
    // and guesses sent at once are five all the same
    server.member(guessed, "0").await;
    send(&server.visitor(), RECOVER, guessed).await;
    let code = server.code_to(guessed);
    let wrong = other_than(&code);
    futures::future::join_all((0..8).map(|_| finish(&callers[0], RECOVER, guessed, &wrong, NEW))).await;
    refused(finish(&callers[0], RECOVER, guessed, &code, NEW).await, "验证码不正确").await;
}

async fn a_code_is_sent_once_a_minute_and_not_for_ever(server: Server) {
    let reader = &*server.own("reader@example.com");
    let visitor = server.visitor();
    let answers = futures::future::join_all((0..6).map(|_| send(&visitor, REGISTER, reader))).await;
    let sent = answers.iter().filter(|answer| answer.status() == StatusCode::OK).count();
    assert_eq!(sent, 1, "one of six that come at once");
    let late = answers.into_iter().find(|answer| answer.status() == StatusCode::TOO_MANY_REQUESTS).unwrap();
    let wait: u64 = late.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((50..=60).contains(&wait), "{wait}");
    let page = late.text().await.unwrap();
    assert!(page.contains("秒后再发") && page.contains("name=\"code\""), "whoever has the code goes on");
    // the same contact is not written to for another purpose either
    assert_eq!(send(&visitor, RECOVER, reader).await.status(), StatusCode::TOO_MANY_REQUESTS);
    for _ in 0..4 {
        server.wait_a_minute_for(reader).await;
        send(&visitor, REGISTER, reader).await;
    }
    server.wait_a_minute_for(reader).await;
    let answer = send(&visitor, REGISTER, reader).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS, "after five the wait doubles");
    // one network address that asks for many contacts is slowed down, too
    let mut refusals = 0;
    for number in 0..40 {
        let answer = send(&visitor, REGISTER, &server.own(&format!("reader{number}@example.com"))).await;
        refusals += usize::from(answer.status() == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refusals > 5, "{refusals}");
}

async fn an_invite_code_says_who_invited(server: Server) {
    let reader = &*server.own("reader@example.com");
    let friend = server.member("friend@example.com", "0").await;
    let info = friend.page("/user-center/getMemberInfo").await;
    let (code, id) = (between(&info, "\"yaoqingma\":\"", "\""), between(&info, "\"user_id\":\"", "\""));
    let visitor = server.visitor();
    let fields = |code| [("way", "registration"), ("step", "send"), ("contact", reader), ("yaoqingma", code)];
    let page = refused(visitor.post(REGISTER, &fields("NOBODY22")).await, "没有这个邀请码").await;
    assert!(page.contains("value=\"NOBODY22\"") && page.contains(&format!("value=\"{reader}\"")));
    assert!(server.wrote_to_nobody());
    let lower = code.to_lowercase();
    assert_eq!(visitor.post(REGISTER, &fields(&lower)).await.status(), StatusCode::OK);
    let number = server.code_to(reader);
    let mut fields = fields(&lower).to_vec();
    fields[1] = ("step", "finish");
    fields.extend([("code", &*number), ("password", NEW), ("name", "林知夏")]);
    location(&visitor.post(REGISTER, &fields).await);
    assert!(visitor.page("/user-center/getMemberInfo").await.contains("\"name\":\"林知夏\""));
    let invited_by = format!("select invited_by from members where account = '{reader}'");
    assert_eq!(server.read(&invited_by).await, id);
}

async fn finding_the_password_ends_every_login(server: Server) {
    let reader = &*server.own("reader@example.com");
    let elsewhere = server.member(reader, "0").await;
    let fields = [("account", reader), ("password", PASSWORD)];
    let answer = server.visitor().post("/user-center/login", &fields).await.text().await.unwrap();
    let token = between(&answer, "\"token\":\"", "\"");
    // somebody has guessed at the account; its owner need not wait
    for _ in 0..7 {
        server.visitor().sign_in(reader, "a guess").await;
    }
    let visitor = server.visitor();
    let door = location(&visitor.get("/manager/order").await);
    let address = format!("{door}?way=recovery");
    send(&visitor, &address, reader).await;
    let code = server.code_to(reader);
    let answer = finish(&visitor, &address, reader, &code, NEW).await;
    assert_eq!(location(&answer), "/manager/order");
    assert_eq!(visitor.get("/manager/order").await.status(), StatusCode::OK);
    assert_eq!(elsewhere.get("/manager/order").await.status(), StatusCode::SEE_OTHER, "signed out");
    let answer = server.visitor().call("GET", "/cart/cartList", &token, &[]).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "the token is over");
    assert!(server.message_to(reader).contains("您的密码刚刚修改"));
    let later = server.visitor();
    assert_eq!(later.sign_in(reader, PASSWORD).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(later.sign_in(reader, NEW).await.status(), StatusCode::SEE_OTHER);
    // the same code again
    refused(finish(&visitor, &address, reader, &code, "another one entirely").await, "验证码不正确").await;
}

async fn passwords_that_everybody_tries_are_refused(server: Server) {
    let stranger = &*server.own("lin.zhixia@example.com");
    let reader = &*server.own("reader@example.com");
    server.member(reader, "0").await;
    let visitor = server.visitor();
    for (address, contact) in [(REGISTER, stranger), (RECOVER, reader)] {
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
    let (reader, phone) = (&*server.own("reader@example.com"), &*server.own("13800138000"));
    server.member(reader, "0").await;
    server.sql(&format!("update members set phone = '{phone}' where account = '{reader}'")).await;
    let visitor = server.visitor();
    assert_eq!(visitor.sign_in(phone, PASSWORD).await.status(), StatusCode::SEE_OTHER);
    let spaced = format!("{} {} {}", &phone[..3], &phone[3..7], &phone[7..]);
    for name in [reader, phone, &reader.replace("reader", "READER"), &format!("+86{phone}"), &spaced] {
        assert_eq!(visitor.sign_in(name, "a guess").await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = visitor.sign_in(reader, "a guess").await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
}

async fn a_name_that_hides_characters_is_refused(server: Server) {
    let reader = &*server.own("reader@example.com");
    let visitor = server.visitor();
    send(&visitor, REGISTER, reader).await;
    let code = server.code_to(reader);
    let fields = |name| {
        [
            ("way", "registration"),
            ("step", "finish"),
            ("contact", reader),
            ("code", &*code),
            ("password", NEW),
            ("name", name),
        ]
    };
    let page = refused(visitor.post(REGISTER, &fields("林\u{2028}夏")).await, "看不见的字符").await;
    assert!(page.contains("id=\"name-error\""));
    assert_eq!(visitor.post(REGISTER, &fields("林知夏")).await.status(), StatusCode::SEE_OTHER);
}

async fn what_was_typed_before_goes_through_both_ways(server: Server) {
    let reader = &*server.own("reader@example.com");
    let new = &*server.own("new@example.com");
    let member = server.member(reader, "0").await;
    let page = format!("/manager/shopping/cart/{}/options", member.cart_with_album().await);
    for (way, contact, shown_again) in
        [("recovery", reader, StatusCode::OK), ("registration", new, StatusCode::NOT_FOUND)]
    {
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
