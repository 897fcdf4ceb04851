//! /manager/login and /manager/logout.

use reqwest::StatusCode;
use reqwest::multipart::Form;

use support::{Caller, PASSWORD, Server, between, jpeg, location, on_both_engines};

on_both_engines!(
    a_member_comes_back_to_the_page_first_asked_for,
    what_was_typed_survives_an_ended_session,
    a_phone_signs_a_browser_in_once;
    on_sqlite:
    a_wrong_password_and_an_unknown_account_get_the_same_answer,
    a_known_browsers_cookie_opens_nothing,
    signing_out_ends_the_session,
    a_session_planted_before_is_worth_nothing,
    an_empty_form_names_both_fields,
    a_long_form_and_the_words_beside_files_survive_it_too,
    a_declined_or_foreign_question_signs_nobody_in,
    guessing_gets_slower_and_the_right_password_still_waits,
    many_right_sign_ins_from_one_address_are_fine,
);

async fn a_member_comes_back_to_the_page_first_asked_for(server: Server) {
    server.member("reader@example.com", "0").await;
    let visitor = server.visitor();
    let asked = "/manager/opus_list/album?sort=new&x=%2F??";
    let door = location(&visitor.get(asked).await);
    assert!(door.starts_with("/manager/login/"), "{door}");
    assert!(!door.trim_start_matches("/manager/login/").contains('/'), "slashes are %2F: {door}");
    let page = visitor.page(&door).await;
    assert!(page.contains(r#"name="account""#) && page.matches(r#"type="password""#).count() == 1);
    let answer = visitor.post(&door, &[("account", &server.own(READER)), ("password", PASSWORD)]).await;
    assert_eq!(location(&answer), asked);
}

async fn what_was_typed_survives_an_ended_session(server: Server) {
    let member = server.member("reader@example.com", "500").await;
    let line = member.cart_with_album().await;
    let page = format!("/manager/shopping/cart/{line}/options");
    let visitor = server.visitor();
    let typed = [("quantity", "12"), ("remark", "请用哑金 </textarea><b>&\"")];
    let answer = visitor.post_from(&page, &page, &typed).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    let door = answer.text().await.unwrap();
    assert!(door.contains("登录已过期") && door.contains("type=\"password\""));
    assert!(!door.contains("notice bad"), "nobody did anything wrong: {door}");
    let action = between(&door, "method=\"post\" action=\"", "\"");
    assert!(action.starts_with("/manager/login/"), "{action}");
    let kept = between(&door, "name=\"kept\" value=\"", "\"").replace("&amp;", "&");
    // a wrong password on the way loses nothing
    let reader = server.own(READER);
    let fields = |password| [("account", reader.as_str()), ("password", password), ("kept", kept.as_str())];
    let door = visitor.post(&action, &fields("wrong password")).await.text().await.unwrap();
    assert_eq!(between(&door, "name=\"kept\" value=\"", "\"").replace("&amp;", "&"), kept);
    let answer = visitor.post(&action, &fields(PASSWORD)).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let shown = answer.text().await.unwrap();
    assert!(shown.contains("刚才填写的内容还在") && shown.contains("value=\"12\""));
    assert!(!shown.contains("notice bad"), "{shown}");
    assert!(shown.contains("请用哑金 &lt;/textarea>&lt;b>&amp;"));
    assert!(!visitor.page(&page).await.contains("请用哑金"), "nothing was saved");
    // what nobody typed on this site is not carried
    let answer = server.visitor().post(&page, &typed).await;
    assert!(location(&answer).starts_with("/manager/login/"));
}

async fn a_long_form_and_the_words_beside_files_survive_it_too(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let photos = member.upload(vec![("照片.jpg", jpeg(640, 480, 1))]).await;
    let work = member.album("square-210", "书名", &photos).await;
    let base = format!("/manager/opus/{work}");
    let place = format!("text-{}", between(&member.page(&base).await, "name=\"text-", "\""));
    let (visitor, reader) = (server.visitor(), server.own(READER));
    let back = async |answer: reqwest::Response| {
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
        let door = answer.text().await.unwrap();
        let action = between(&door, "method=\"post\" action=\"", "\"");
        let kept = between(&door, "name=\"kept\" value=\"", "\"").replace("&amp;", "&");
        let fields = [("account", &*reader), ("password", PASSWORD), ("kept", &kept)];
        let page = visitor.post(&action, &fields).await.text().await.unwrap();
        visitor.post("/manager/logout", &[]).await;
        page
    };
    let words = "外婆家的院子，一只猫睡在台阶上。".repeat(30);
    let mut fields = vec![("revision", "1".to_owned()), ("title", "另一个书名".to_owned())];
    fields.push((&place, words.clone()));
    fields.extend((0..40).map(|_| ("unknown", words.clone())));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let page = back(visitor.post_from(&base, &format!("{base}/texts"), &fields).await).await;
    assert!(page.contains("另一个书名") && page.contains(&words), "{page}");

    let desk = "/manager/opus-document";
    let file = reqwest::multipart::Part::bytes(vec![b'x'; 100_000]).file_name("报告.pdf");
    let form = Form::new().text("title", "我的\"报告\"").part("file", file).text("text", words.clone());
    let page = back(visitor.post_multipart_from(desk, desk, form).await).await;
    assert!(page.contains("我的&quot;报告&quot;") && page.contains(&words), "{page}");
}

async fn a_wrong_password_and_an_unknown_account_get_the_same_answer(server: Server) {
    server.member("reader@example.com", "0").await;
    let mut pages = Vec::new();
    for account in ["reader@example.com", "nobody@example.com"] {
        let account = &*server.own(account);
        let answer = server.visitor().sign_in(account, "not the password").await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
        let page = answer.text().await.unwrap();
        assert!(page.contains("账号或密码不正确"));
        assert!(page.contains(account), "what was typed comes back");
        assert!(!page.contains("not the password"), "a password never does");
        // each page has a code of its own
        let (before, after) = (page.split_once("<h1>").unwrap().1, "<section class=\"qr\"");
        let form = page.rsplit_once("</section>").unwrap().1;
        pages.push(
            format!("{}{form}", before.split_once("id=\"qr\"").unwrap_or((before, after)).0)
                .replace(account, ""),
        );
    }
    assert_eq!(pages[0], pages[1]);
}

async fn guessing_gets_slower_and_the_right_password_still_waits(server: Server) {
    server.member("reader@example.com", "0").await;
    let guesser = server.visitor();
    for _ in 0..5 {
        let answer = guesser.sign_in("reader@example.com", "a guess").await;
        assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = guesser.sign_in("reader@example.com", "a guess").await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=2).contains(&wait));
    assert!(answer.text().await.unwrap().contains("尝试次数过多"));
    let answer = guesser.sign_in("reader@example.com", PASSWORD).await;
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    tokio::time::sleep(std::time::Duration::from_secs(wait + 1)).await;
    assert_eq!(guesser.sign_in("reader@example.com", PASSWORD).await.status(), StatusCode::SEE_OTHER);
}

const READER: &str = "reader@example.com";

async fn a_known_browsers_cookie_opens_nothing(server: Server) {
    server.member(READER, "0").await;
    let answer = server.visitor().sign_in(READER, PASSWORD).await;
    let cookies: Vec<_> = answer.headers().get_all("set-cookie").iter().collect();
    let known = cookies.iter().map(|cookie| cookie.to_str().unwrap());
    let known = known.filter(|cookie| cookie.starts_with("bindery_known=")).collect::<Vec<_>>();
    assert_eq!(known.len(), 1);
    assert!(
        known[0].contains("; HttpOnly; SameSite=Lax") && !known[0].contains(&server.own(READER)),
        "{known:?}"
    );
    let pair = known[0].split(';').next().unwrap();
    let answer = server.visitor().get_with("/cart/cartList", &[("cookie", pair)]).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    // it is not given again each time
    let again = server.visitor();
    let fields = [("account", &*server.own(READER)), ("password", PASSWORD)];
    let answer = again.post_with_cookie("/manager/login", pair, &fields).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    assert_eq!(answer.headers().get_all("set-cookie").iter().count(), 1);
}

async fn many_right_sign_ins_from_one_address_are_fine(server: Server) {
    server.member("reader@example.com", "0").await;
    for _ in 0..40 {
        let answer = server.visitor().sign_in("reader@example.com", PASSWORD).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    }
}

async fn signing_out_ends_the_session(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    assert_eq!(member.get("/manager/order").await.status(), StatusCode::OK);
    assert_eq!(location(&member.post("/manager/logout", &[]).await), "/manager/login");
    assert_eq!(member.get("/manager/order").await.status(), StatusCode::SEE_OTHER);
}

async fn a_session_planted_before_is_worth_nothing(server: Server) {
    let first = server.member("reader@example.com", "0").await;
    // a second sign-in in the same browser gets a new session id, and the old one ends
    let before = first.get("/manager/order").await;
    assert_eq!(before.status(), StatusCode::OK);
    let answer = first.sign_in("reader@example.com", PASSWORD).await;
    let cookie = answer.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let renewed = cookie.split(';').next().unwrap().to_owned();
    let again = first.sign_in("reader@example.com", PASSWORD).await;
    let newest = again.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert_ne!(renewed, newest);
    let thief = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let answer =
        thief.get(format!("{}/manager/order", server.base)).header("cookie", renewed).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
}

async fn an_empty_form_names_both_fields(server: Server) {
    let answer = server.visitor().sign_in("", "").await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(page.contains("请输入账号") && page.contains("请输入密码"));
}

/// What a browser's sign-in page asks.
async fn ask(browser: &Caller) -> String {
    between(&browser.page("/manager/login/L21hbmFnZXIvb3JkZXI=").await, "name=\"ask\" value=\"", "\"")
}

async fn claim(browser: &Caller, ask: &str) -> reqwest::Response {
    browser.post("/manager/login/L21hbmFnZXIvb3JkZXI=", &[("way", "qr"), ("ask", ask)]).await
}

async fn state(browser: &Caller, ask: &str) -> String {
    let answer = browser.get(&format!("/manager/login_state?ask={ask}")).await;
    assert_eq!(answer.status(), StatusCode::OK);
    between(&answer.text().await.unwrap(), "\"state\":\"", "\"")
}

async fn a_phone_signs_a_browser_in_once(server: Server) {
    let phone = server.member("reader@example.com", "0").await;
    let (browser, thief) = (server.visitor(), server.visitor());
    thief.page("/manager/login").await;
    let ask = ask(&browser).await;
    assert_eq!(state(&browser, &ask).await, "waiting");
    let early = claim(&browser, &ask).await;
    assert_eq!(early.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(early.text().await.unwrap().contains("手机上还没有确认"));

    let scan = format!("/manager/scan/{ask}");
    let page = phone.page(&scan).await;
    let number = between(&browser.page("/manager/login").await, "核对数字 <strong class=\"num\">", "<");
    assert_eq!(number.len(), 2);
    assert!(page.contains(&server.callers_address()) && page.contains("拒绝") && page.contains("确认登录"));
    // looking at it confirms nothing
    assert_eq!(state(&browser, &ask).await, "waiting");
    assert_eq!(location(&phone.post(&scan, &[("answer", "confirm")]).await), scan);
    assert!(phone.page(&scan).await.contains("已确认"));

    assert_eq!(state(&thief, &ask).await, "expired", "another browser has nothing of it");
    assert_eq!(claim(&thief, &ask).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(state(&browser, &ask).await, "confirmed");
    let claims = futures::future::join_all((0..8).map(|_| claim(&browser, &ask))).await;
    let signed_in = claims.iter().filter(|answer| answer.status() == StatusCode::SEE_OTHER);
    assert_eq!(signed_in.map(location).collect::<Vec<_>>(), ["/manager/order"], "exactly once");
    assert_eq!(claim(&browser, &ask).await.status(), StatusCode::UNPROCESSABLE_ENTITY, "never again");
}

async fn a_declined_or_foreign_question_signs_nobody_in(server: Server) {
    let phone = server.member("reader@example.com", "0").await;
    let browser = server.visitor();
    let ask = ask(&browser).await;
    let scan = format!("/manager/scan/{ask}");
    phone.post(&scan, &[("answer", "decline")]).await;
    // a confirmation after that comes too late
    phone.post(&scan, &[("answer", "confirm")]).await;
    assert_eq!(state(&browser, &ask).await, "declined");
    let answer = claim(&browser, &ask).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().await.unwrap().contains("手机上拒绝了这次登录"));
    assert_eq!(browser.get("/cart/cartList").await.status(), StatusCode::UNAUTHORIZED);
    let mut bent = ask.clone();
    bent.replace_range(..1, if ask.starts_with('A') { "B" } else { "A" });
    for forged in [bent.as_str(), "x", &ask[..40]] {
        assert_eq!(phone.get(&format!("/manager/scan/{forged}")).await.status(), StatusCode::NOT_FOUND);
        let answer = phone.post(&format!("/manager/scan/{forged}"), &[("answer", "confirm")]).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    }
    assert_eq!(phone.post(&scan, &[]).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(phone.post(&scan, &[("answer", "x")]).await.status(), StatusCode::BAD_REQUEST);
    assert!(location(&server.visitor().get(&scan).await).starts_with("/manager/login/"), "members only");
}
