//! /manager/userInfo/second_factor and the sign-in page's second step.

use reqwest::{Response, StatusCode};

use support::fakes::weixin::FakeWeixin;
use support::second_factor::{ACCOUNT, at_the_step, show, switched_on};
use support::staff::code;
use support::{PASSWORD, Server, between, location, on_both_engines};

on_both_engines!(
    weixin_asks_for_it_before_it_signs_in_or_binds;
    on_sqlite:
    the_secret_is_nowhere_to_be_read,
);

async fn weixin_asks_for_it_before_it_signs_in_or_binds(mut server: Server) {
    let fake = FakeWeixin::configured(&mut server).await;
    let member = server.member(ACCOUNT, "0").await;
    let (secret, codes) = switched_on(&member).await;
    let back = |state: &str, code: &str| format!("/manager/login_weixin?code={code}&state={state}");
    let word = |answer: &Response| between(&location(answer), "&state=", "#");
    // a weixin that nobody has bound: with the password alone it is bound to nobody
    let visitor = server.visitor();
    let leaving = visitor.post("/manager/login", &[("way", "weixin")]).await;
    let binding = location(&visitor.get(&back(&word(&leaving), &fake.agree("o-anna"))).await);
    let fields = [("way", "binding"), ("account", ACCOUNT), ("password", PASSWORD)];
    let step = location(&visitor.post(&binding, &fields).await);
    assert!(step.contains("way=second_factor"), "{step}");
    assert!(server.column("select openid from third_party_identities").await.is_empty());
    assert_eq!(show(&visitor, &step, &codes[0]).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(visitor.get("/manager/order").await.status(), StatusCode::OK);
    // bound, it leads to the second step, too
    let visitor = server.visitor();
    let leaving = visitor.post("/manager/login", &[("way", "weixin")]).await;
    let step = location(&visitor.get(&back(&word(&leaving), &fake.agree("o-anna"))).await);
    assert!(step.contains("way=second_factor"), "{step}");
    assert!(location(&visitor.get("/manager/order").await).starts_with("/manager/login/"));
    assert_eq!(show(&visitor, &step, &code(&secret, 0)).await.status(), StatusCode::SEE_OTHER);
    assert_eq!(visitor.get("/manager/order").await.status(), StatusCode::OK);
}

async fn the_secret_is_nowhere_to_be_read(mut server: Server) {
    server.kill();
    let log = server.log_everything();
    server.restart();
    let member = server.member(ACCOUNT, "0").await;
    let (secret, codes) = switched_on(&member).await;
    let (visitor, step) = at_the_step(&server, "/manager/login").await;
    show(&visitor, &step, &codes[0]).await;
    let folder = server.folder.path().join("backup");
    assert!(server.run(&["backup", folder.to_str().unwrap()]).status.success());
    let mut written = std::fs::read_to_string(log).unwrap();
    for table in ["second_factors", "recovery_codes", "outbox", "sign_ins", "audit_log"] {
        let path = folder.join("tables").join(format!("{table}.jsonl"));
        written.push_str(&std::fs::read_to_string(path).unwrap_or_default());
    }
    assert!(written.contains("sealed") && written.contains("digest"), "both tables are in the backup");
    for word in [secret.as_str(), codes[0].as_str(), codes[1].as_str()] {
        assert!(!written.contains(word), "{word}");
    }
}
