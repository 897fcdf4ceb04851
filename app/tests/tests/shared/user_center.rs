//! /user-center/… and the other calls about who somebody is, as they are on the wire.

use reqwest::StatusCode;
use serde_json::{Value, json};

use support::calls::body;
use support::{PASSWORD, Server, on_both_engines};

on_both_engines!(
    signed_in_or_not_is_always_answered;
    on_sqlite:
    a_token_is_as_good_as_a_session_until_it_is_over,
    signing_out_ends_the_session_that_called,
    a_wrong_password_and_an_unknown_account_look_alike,
    member_info_says_what_the_tier_opens,
    third_logins_say_what_they_cannot_do,
    members_calls_refuse_everybody_else,
);

async fn token(server: &Server, account: &str) -> String {
    let fields = [("account", &*server.own(account)), ("password", PASSWORD)];
    let body = body(server.visitor().post("/user-center/login", &fields).await).await;
    assert_eq!(body["status"], 1);
    body["token"].as_str().unwrap().to_owned()
}

async fn signed_in_or_not_is_always_answered(server: Server) {
    let visitor = server.visitor();
    assert_eq!(body(visitor.post("/user-center/userIsLogin3", &[]).await).await, json!({ "status": 0 }));
    let member = server.member("reader@example.com", "12.30").await;
    let user = body(member.post("/user-center/userIsLogin3", &[]).await).await;
    assert_eq!(user["status"], 1);
    assert_eq!(user["user_account"], json!({ "balance": "12.30" }));
    assert_eq!(user["vip_name"], "普通会员");
    assert_eq!(user["member_code"].as_str().unwrap().len(), 8);
    for field in ["user_id", "yaoqingma", "vip_lastTime_desc", "vip_lastTime", "user_avatar", "bind_wx"] {
        assert!(user[field].is_string(), "{field}");
    }
    for origin in ["https://evil.example", "null"] {
        let answer = member.post_with_origin("/user-center/userIsLogin3", origin).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    }
}

async fn a_token_is_as_good_as_a_session_until_it_is_over(server: Server) {
    server.member("reader@example.com", "1.00").await;
    let token = token(&server, "reader@example.com").await;
    let program = server.visitor();
    let bearer = format!("Bearer {token}");
    for header in [&token, &bearer] {
        let user = body(program.call("POST", "/user-center/userIsLogin3", header, &[]).await).await;
        assert_eq!(user["status"], 1);
        assert_eq!(program.call("GET", "/cart/cartList", header, &[]).await.status(), StatusCode::OK);
        assert_eq!(program.call("GET", "/manager/opus_list/all", header, &[]).await.status(), StatusCode::OK);
    }
    assert_eq!(program.get("/cart/cartList").await.status(), StatusCode::UNAUTHORIZED, "no cookie was given");
    for wrong in ["", "Bearer ", &token[1..], "Basic dXNlcjpwYXNz"] {
        let answer = program.call("GET", "/cart/cartList", wrong, &[]).await;
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{wrong:?}");
    }
    let answer = program.call("POST", "/uwp/web/doLoginout.jsp", &token, &[]).await;
    assert_eq!(body(answer).await, json!({ "status": 1 }));
    let answer = program.call("GET", "/cart/cartList", &token, &[]).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
}

async fn signing_out_ends_the_session_that_called(server: Server) {
    let member = server.member("reader@example.com", "0").await;
    let other = server.visitor();
    other.sign_in("reader@example.com", PASSWORD).await;
    assert_eq!(body(member.post("/uwp/web/doLoginout.jsp", &[]).await).await, json!({ "status": 1 }));
    let answer = member.get("/user-center/getMemberInfo").await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    let answer = other.get("/user-center/getMemberInfo").await;
    assert_eq!(answer.status(), StatusCode::OK, "another browser's session goes on");
}

async fn a_wrong_password_and_an_unknown_account_look_alike(server: Server) {
    server.member("reader@example.com", "0").await;
    let mut bodies = Vec::new();
    for account in ["reader@example.com", "nobody@example.com"] {
        let account = &*server.own(account);
        let fields = [("account", account), ("password", "not the password")];
        bodies.push(body(server.visitor().post("/user-center/login", &fields).await).await);
    }
    assert_eq!(bodies[0], bodies[1]);
    assert_eq!(bodies[0]["status"], 0);
    assert!(!bodies[0]["msg"].as_str().unwrap().is_empty());
    let reader = &*server.own("reader@example.com");
    let answer = server.visitor().post("/user-center/login", &[("account", reader)]).await;
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let mut answer = None;
    for _ in 0..8 {
        let fields = [("account", reader), ("password", "not the password")];
        answer = Some(server.visitor().post("/user-center/login", &fields).await);
    }
    let answer = answer.unwrap();
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.headers()["retry-after"].to_str().unwrap().parse::<u32>().unwrap() > 0);
}

async fn member_info_says_what_the_tier_opens(server: Server) {
    let phone = &*server.own("13800138000");
    let member = server.member("reader@example.com", "0").await;
    let info = body(member.get("/user-center/getMemberInfo").await).await;
    let info = &info["data"]["data"];
    assert_eq!((&info["email"], &info["phone"]), (&json!(server.own("reader@example.com")), &json!("")));
    let expected = json!({
        "subMembers": false, "statistics": false, "ebook": false, "epaperSubscription": false, "onlineEditor": true,
    });
    assert_eq!(info["features"], expected);
    let added =
        server.run(&["member", "add", "--account", phone, "--password", PASSWORD, "--tier", "超级会员"]);
    assert!(added.status.success());
    let visitor = server.visitor();
    visitor.sign_in(phone, PASSWORD).await;
    let info = body(visitor.get("/user-center/getMemberInfo").await).await;
    assert_eq!(info["data"]["data"]["phone"], phone);
    assert!(info["data"]["data"]["features"].as_object().unwrap().values().all(|open| *open == true));
}

async fn third_logins_say_what_they_cannot_do(server: Server) {
    let visitor = server.visitor();
    let answer = visitor.post("/user-center/getThirdLoginInfo", &[("thirdLoginType", "weixin")]).await;
    let answer = body(answer).await;
    assert_eq!(answer["status"], 0);
    assert!(!answer["data"]["msg"].as_str().unwrap().is_empty());
    let answer = visitor.post("/user-center/getThirdLoginInfo", &[("thirdLoginType", "qr")]).await;
    let answer = body(answer).await;
    assert_eq!(answer["status"], 1);
    let session = answer["data"]["loginSessionID"].as_str().unwrap();
    let url = answer["data"]["qrcodeUrl"].as_str().unwrap().replace("%2F", "/").replace("%3A", ":");
    assert_eq!(url, format!("{}/manager/scan/{session}", server.base), "encoded, as the field says");
    let member = server.member("reader@example.com", "0").await;
    let answer = member.post("/user-center/unBindThirdLogin", &[("thirdLoginType", "weixin")]).await;
    let answer = body(answer).await;
    assert_eq!(answer["status"], 0);
    assert!(!answer["msg"].as_str().unwrap().is_empty());
}

async fn members_calls_refuse_everybody_else(server: Server) {
    let visitor = server.visitor();
    for (method, path) in [
        ("POST", "/uwp/web/doLoginout.jsp"),
        ("GET", "/user-center/getMemberInfo"),
        ("GET", "/user-center/getUserAddressList"),
        ("POST", "/shopping/updateDefaultAddr"),
        ("POST", "/user-center/unBindThirdLogin"),
    ] {
        let answer = visitor.call(method, path, "no-token", &[]).await;
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{path}");
        let body: Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!(body["code"], 401);
    }
}
