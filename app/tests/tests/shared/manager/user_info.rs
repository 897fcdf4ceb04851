//! /manager/userInfo and /manager/avatar: name, picture, what the tier opens, and the list of logins.

use image::{GenericImageView, ImageFormat};
use reqwest::multipart::Form;
use reqwest::{Response, StatusCode};
use serde_json::Value;

use support::profile::{PAGE, picture, user};
use support::{Caller, PASSWORD, Server, between_all, encoded, jpeg, location, on_both_engines, quarters};

on_both_engines!(
    the_page_says_who_somebody_is_and_what_the_tier_opens,
    logins_are_listed_and_ended_at_once,
    a_login_is_noted_as_in_use_at_most_once_an_hour,
    another_members_login_and_another_sites_form_change_nothing;
    on_sqlite:
    a_name_is_kept_and_a_wrong_one_comes_back,
    files_that_are_no_picture_are_refused_with_a_reason,
    the_profile_counts_who_came_by_its_invite_code,
    a_member_has_twenty_tokens_and_the_one_unused_longest_goes,
    a_token_ends_and_the_page_says_when,
    signing_in_over_a_session_ends_the_login_before,
    a_picture_becomes_a_small_upright_square_without_metadata,
);

async fn the_page_says_who_somebody_is_and_what_the_tier_opens(server: Server) {
    let member = server.member("reader@example.com", "12.30").await;
    let page = member.page(PAGE).await;
    let user = user(&member).await;
    for part in ["yaoqingma", "member_code", "vip_name", "vip_lastTime_desc"] {
        assert!(page.contains(user[part].as_str().unwrap()), "{part}");
    }
    assert!(page.contains(&server.own("reader@example.com")) && page.contains("12.30"));
    // specification section 6, as a 普通会员 sees it
    for (feature, note) in [
        ("我的会员", "VIP、超级会员、企业高级版可用"),
        ("统计", "VIP、超级会员、企业高级版可用"),
        ("发布电子书", "超级会员可用"),
        ("订阅电子报", "超级会员可用"),
        ("在线编辑和印刷", "已开通"),
    ] {
        assert!(page.contains(&format!("<span>{feature}</span><small>{note}</small>")), "{feature}: {page}");
    }
    for way in ["/manager/userInfo/contact", "/manager/userInfo/password", "/manager/userInfo/addresses"] {
        assert!(page.contains(&format!("href=\"{way}\"")), "{way}");
    }
}

async fn a_name_is_kept_and_a_wrong_one_comes_back(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let answer = member.post(PAGE, &[("name", "  林 <b>知夏</b> ")]).await;
    assert_eq!(location(&answer), "/manager/userInfo?done=name");
    let page = member.page(PAGE).await;
    assert!(page.contains("林 &lt;b&gt;知夏&lt;/b&gt;") && !page.contains("<b>知夏"), "{page}");
    let long = "很长的名字".repeat(7);
    for (wrong, reason) in
        [("", "请输入名字"), (long.as_str(), "名字最多 30 个字"), ("林\u{2028}夏", "看不见的字符")]
    {
        let answer = member.post(PAGE, &[("name", wrong)]).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let page = answer.text().await.unwrap();
        assert!(page.contains(reason) && page.contains("id=\"name-error\""), "{reason}");
        assert!(page.contains(&format!("value=\"{wrong}\"")), "what was typed comes back");
    }
    assert!(member.page(PAGE).await.contains("林 &lt;b&gt;知夏&lt;/b&gt;"), "nothing was changed");
}

/// A landscape JPEG that a phone stored on its side, with a GPS block.
fn phone_jpeg() -> Vec<u8> {
    let plain = encoded(&quarters(400, 300, 9), ImageFormat::Jpeg);
    let mut exif = b"Exif\0\0II*\0\x08\0\0\0\x02\0".to_vec();
    exif.extend([0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]);
    exif.extend([0x25, 0x88, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0, 0, 0, 0]);
    exif.extend([1, 0, 1, 0, 2, 0, 2, 0, 0, 0, b'N', 0, 0, 0, 0, 0, 0, 0]);
    let mut bytes = plain[..2].to_vec();
    bytes.extend([0xff, 0xe1]);
    bytes.extend(u16::try_from(exif.len() + 2).unwrap().to_be_bytes());
    bytes.extend(exif);
    bytes.extend(&plain[2..]);
    bytes
}

async fn a_picture_becomes_a_small_upright_square_without_metadata(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    assert_eq!(user(&member).await["user_avatar"], "");
    let answer = member.post_multipart(PAGE, picture("我.jpg", phone_jpeg())).await;
    assert_eq!(location(&answer), "/manager/userInfo?done=avatar");
    let address = user(&member).await["user_avatar"].as_str().unwrap().to_owned();
    assert!(member.page(PAGE).await.contains(&format!("src=\"{address}\"")));
    let answer = member.get(&address).await;
    assert_eq!(answer.headers()["content-type"], "image/webp");
    assert_eq!(answer.headers()["cache-control"], "private, max-age=31536000, immutable");
    let bytes = answer.bytes().await.unwrap();
    assert!(!bytes.windows(4).any(|w| w == b"EXIF" || w == b"Exif" || w == b"XMP "));
    let made = image::load_from_memory_with_format(&bytes, ImageFormat::WebP).unwrap();
    assert_eq!(made.dimensions(), (256, 256));
    // orientation 6 turns the stored picture clockwise: its bottom left, which is blue, comes to the top left
    let top_left = made.get_pixel(40, 40);
    assert!(top_left[2] > 150 && top_left[0] < 100, "{top_left:?}");
    // all other formats, and another picture has another address
    for format in [ImageFormat::Png, ImageFormat::WebP] {
        let answer = member.post_multipart(PAGE, picture("x", encoded(&quarters(60, 90, 3), format))).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{format:?}");
    }
    assert_ne!(user(&member).await["user_avatar"], address);
    assert_eq!(member.get(&address).await.status(), StatusCode::NOT_FOUND, "it is shown no more");
    let answer = member.post("/manager/userInfo/avatar/removal", &[]).await;
    assert_eq!(location(&answer), "/manager/userInfo?done=avatar-removed");
    assert_eq!(user(&member).await["user_avatar"], "");
}

async fn files_that_are_no_picture_are_refused_with_a_reason(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let whole = jpeg(400, 300, 1);
    let half = whole[..whole.len() / 2].to_vec();
    let mut bomb = encoded(&quarters(8, 8, 0), ImageFormat::Png);
    bomb[16..24].copy_from_slice(&[0, 0, 0xfd, 0xe8, 0, 0, 0xfd, 0xe8]);
    let mut large = whole.clone();
    large.resize(10 * 1024 * 1024 + 1, 0);
    for (name, bytes, reason) in [
        ("", Vec::new(), "请选择一张照片"),
        ("文字.jpg", b"this is only text".to_vec(), "不是照片"),
        ("半张.jpg", half, "已损坏或不完整"),
        ("炸弹.png", bomb, "65000 × 65000"),
        ("动图.gif", b"GIF89a".to_vec(), "不支持 GIF"),
        (
            "图标.svg",
            b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>".to_vec(),
            "不支持 SVG",
        ),
        ("太大.jpg", large, "不能超过 10 MB"),
    ] {
        let answer = member.post_multipart(PAGE, picture(name, bytes)).await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        let page = answer.text().await.unwrap();
        assert!(page.contains(reason) && page.contains("id=\"avatar-error\""), "{name}: {reason}");
    }
    let answer = member.post_multipart(PAGE, Form::new().text("other", "x")).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(user(&member).await["user_avatar"], "");
}

async fn the_profile_counts_who_came_by_its_invite_code(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    assert!(!member.page(PAGE).await.contains("用它注册"));
    server.member("friend@example.com", "0").await;
    let (reader, friend) = (server.own("reader@example.com"), server.own("friend@example.com"));
    server
        .sql(&format!(
            "update members set invited_by = (select id from members where account = '{reader}')
             where account = '{friend}'"
        ))
        .await;
    let page = member.page(PAGE).await;
    assert!(page.contains("位朋友用它注册") && page.contains("<strong class=\"num\">1</strong>"), "{page}");
    assert!(!page.contains(&friend), "only a number");
}

async fn ids(member: &Caller) -> Vec<String> {
    between_all(&member.page(PAGE).await, "/manager/userInfo/logins/", "/removal")
}

async fn token(server: &Server, account: &str) -> String {
    let fields = [("account", &*server.own(account)), ("password", PASSWORD)];
    let answer = server.visitor().post("/user-center/login", &fields).await;
    let answer: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
    answer["token"].as_str().unwrap().to_owned()
}

async fn logins_are_listed_and_ended_at_once(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    assert!(ids(&member).await.is_empty(), "the one in use can't be ended here, and there is no other");
    let second = server.visitor();
    second.sign_in("reader@example.com", PASSWORD).await;
    let token = token(&server, "reader@example.com").await;
    let call = |token: String| {
        let visitor = server.visitor();
        async move { visitor.call("GET", "/user-center/getMemberInfo", &token, &[]).await.status() }
    };
    let page = member.page(PAGE).await;
    assert!(page.contains("密码登录") && page.contains("程序令牌") && page.matches("正在使用").count() == 1);
    let mut listed = ids(&member).await;
    assert_eq!(listed.len(), 3, "two others, and all of them at once: {listed:?}");
    listed.retain(|id| id != "others");
    // one of them is the second browser's, the other one the program's
    let seen_by_second = ids(&second).await;
    let program = listed.iter().find(|id| seen_by_second.contains(id)).unwrap();
    assert_eq!(call(token.clone()).await, StatusCode::OK);
    let ended = member.post(&format!("/manager/userInfo/logins/{program}/removal"), &[]).await;
    assert_eq!(location(&ended), "/manager/userInfo?done=login#logins");
    assert_eq!(call(token).await, StatusCode::UNAUTHORIZED);
    assert_eq!(second.get(PAGE).await.status(), StatusCode::OK, "the others go on");
    let third = server.visitor();
    third.sign_in("reader@example.com", PASSWORD).await;
    let ended = member.post("/manager/userInfo/logins/others/removal", &[]).await;
    assert_eq!(location(&ended), "/manager/userInfo?done=logins#logins");
    for over in [second, third] {
        assert!(location(&over.get(PAGE).await).starts_with("/manager/login/"));
    }
    assert!(ids(&member).await.is_empty());
    assert_eq!(member.get(PAGE).await.status(), StatusCode::OK, "this one goes on");
}

async fn seen(server: &Server) -> String {
    let seen = "select coalesce(cast(last_seen_at as text), 'never') from logins where member_id in";
    server.read(&format!("{seen} {}", server.members())).await
}

async fn a_login_is_noted_as_in_use_at_most_once_an_hour(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    member.page(PAGE).await;
    assert_eq!(seen(&server).await, "never", "no write within the first hour");
    later(&server, 7_200_000).await;
    member.page(PAGE).await;
    let first = seen(&server).await;
    assert_ne!(first, "never");
    member.page(PAGE).await;
    assert_eq!(seen(&server).await, first, "nor within the next one");
    // a browser's session lasts thirty days; what is older is no login any more
    later(&server, 2_700_000_000).await;
    let again = server.visitor();
    again.sign_in("reader@example.com", PASSWORD).await;
    assert!(ids(&again).await.is_empty());
}

/// The logins began so many milliseconds earlier.
async fn later(server: &Server, ms: i64) {
    let sql =
        format!("update logins set created_at = created_at - {ms} where member_id in {}", server.members());
    server.sql(&sql).await;
}

/// What a program gets with a token.
async fn used(server: &Server, token: &str) -> StatusCode {
    server.visitor().call("GET", "/user-center/getMemberInfo", token, &[]).await.status()
}

async fn a_member_has_twenty_tokens_and_the_one_unused_longest_goes(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    server.member("other@example.com", "0").await;
    let others = token(&server, "other@example.com").await;
    let (first, second) =
        (token(&server, "reader@example.com").await, token(&server, "reader@example.com").await);
    later(&server, 7_200_000).await;
    assert_eq!(used(&server, &first).await, StatusCode::OK);
    let mut newer = Vec::new();
    for _ in 0..18 {
        newer.push(token(&server, "reader@example.com").await);
    }
    assert_eq!(used(&server, &second).await, StatusCode::OK, "there are twenty now");
    server
        .sql(&format!(
            "update logins set last_seen_at = last_seen_at - 60000 where member_id in {}",
            server.members()
        ))
        .await;
    let more = futures::future::join_all((0..2).map(|_| token(&server, "reader@example.com"))).await;
    assert_eq!(
        server
            .column(&format!(
                "select id from logins where token_hash is not null and member_id in {}",
                server.members()
            ))
            .await
            .len(),
        21
    );
    for (token, status) in [
        (&first, StatusCode::UNAUTHORIZED),
        (&second, StatusCode::UNAUTHORIZED),
        (&newer[0], StatusCode::OK),
        (&more[0], StatusCode::OK),
        (&more[1], StatusCode::OK),
        (&others, StatusCode::OK),
    ] {
        assert_eq!(used(&server, token).await, status);
    }
    assert_eq!(member.get(PAGE).await.status(), StatusCode::OK, "no browser goes for a program");
}

async fn a_token_ends_and_the_page_says_when(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let token = token(&server, "reader@example.com").await;
    let day = 24 * 60 * 60_000i64;
    let ends = |days: i64| {
        let at = time::OffsetDateTime::now_utc() + time::Duration::days(days) + time::Duration::hours(8);
        format!(
            "<span class=\"num\">{:04}-{:02}-{:02}</span> 到期",
            at.year(),
            u8::from(at.month()),
            at.day()
        )
    };
    let page = member.page(PAGE).await;
    assert!(page.contains(&ends(90)) && page.contains(&ends(30)), "{page}");
    let later = |days: i64| {
        format!(
            "update logins set created_at = created_at - {0}, last_seen_at = last_seen_at - {0}
             where token_hash is not null and member_id in {1}",
            days * day,
            server.members()
        )
    };
    server.sql(&later(89)).await;
    assert_eq!(used(&server, &token).await, StatusCode::OK, "in use it goes on");
    assert!(member.page(PAGE).await.contains(&ends(90)));
    for _ in 0..3 {
        server.sql(&later(80)).await;
        assert_eq!(used(&server, &token).await, StatusCode::OK);
    }
    assert!(member.page(PAGE).await.contains(&ends(365 - 329)), "but not for ever");
    server.sql(&later(37)).await;
    assert_eq!(used(&server, &token).await, StatusCode::UNAUTHORIZED, "a year is over");
    assert!(!member.page(PAGE).await.contains("程序令牌"), "what has ended is not listed");
    let another = self::token(&server, "reader@example.com").await;
    server.sql(&later(91)).await;
    assert_eq!(used(&server, &another).await, StatusCode::UNAUTHORIZED, "nobody used it");
    let next = self::token(&server, "reader@example.com").await;
    assert_eq!(used(&server, &next).await, StatusCode::OK);
    let kept = server
        .column(&format!(
            "select id from logins where token_hash is not null and member_id in {}",
            server.members()
        ))
        .await;
    assert_eq!(kept.len(), 1, "what has ended is deleted with the next login");
}

async fn signing_in_over_a_session_ends_the_login_before(server: Server) {
    let browser = server.member("reader@example.com", "0").await;
    let program = token(&server, "reader@example.com").await;
    browser.sign_in("reader@example.com", PASSWORD).await;
    let browsers = format!(
        "select m.account from logins l join members m on m.id = l.member_id
         where l.token_hash is null and m.id in {}",
        server.members()
    );
    assert_eq!(server.column(&browsers).await.len(), 1);
    // somebody else signs in there
    let other = server.own("other@example.com");
    server.run(&["member", "add", "--account", &other, "--password", PASSWORD]);
    browser.sign_in(&other, PASSWORD).await;
    assert_eq!(server.column(&browsers).await, [other]);
    assert_eq!(used(&server, &program).await, StatusCode::OK, "a program's goes on");
}

async fn another_members_login_and_another_sites_form_change_nothing(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let second = server.visitor();
    second.sign_in("reader@example.com", PASSWORD).await;
    let id = ids(&member).await.into_iter().find(|id| id != "others").unwrap();
    let other = server.member("other@example.com", "0").await;
    let status = |answer: Response| answer.status();
    for id in [id.as_str(), "00000000000000000000000000", "no.id"] {
        let address = format!("/manager/userInfo/logins/{id}/removal");
        assert_eq!(status(other.post(&address, &[]).await), StatusCode::NOT_FOUND, "{id}");
    }
    assert_eq!(
        status(other.post("/manager/userInfo/logins/others/removal", &[]).await),
        StatusCode::SEE_OTHER
    );
    for path in [
        PAGE.to_owned(),
        "/manager/userInfo/avatar/removal".to_owned(),
        "/manager/userInfo/logins/others/removal".to_owned(),
        format!("/manager/userInfo/logins/{id}/removal"),
        "/manager/userInfo/addresses/new".to_owned(),
    ] {
        let answer = member.post_with_origin(&path, "https://evil.example").await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
        let door = location(&server.visitor().post(&path, &[]).await);
        assert!(door.starts_with("/manager/login/"), "{path}");
    }
    assert_eq!(second.get(PAGE).await.status(), StatusCode::OK);
}
