//! What the shop hears of: mails to clerks, webhooks to its other programs, the day's summary.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use reqwest::StatusCode;
use serde_json::Value;
use sha2::Sha256;

use support::staff::{Clerk, printable};
use support::wait::{carried_out, eventually, until};
use support::{Caller, Server, between, location, on_both_engines};

on_both_engines!(
    a_clerk_hears_of_what_it_chose_and_bursts_are_joined;
    on_sqlite:
    nobody_hears_of_what_its_roles_hide,
    nothing_is_sent_into_the_hosts_network,
    an_address_that_takes_nothing_for_days_is_ended,
    what_is_late_and_what_failed_is_told_once,
    a_day_is_summed_up_once,
    a_webhook_is_signed_and_tried_until_it_is_taken,
);

const MINE: &str = "/staff/notices";
const WEBHOOKS: &str = "/staff/webhooks";

async fn refused(answer: reqwest::Response) -> String {
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    answer.text().await.unwrap()
}

/// Chooses what to hear of, at an address that is confirmed by the code of its mail.
async fn listen(server: &Server, clerk: &Caller, address: &str, fields: &[(&str, &str)]) {
    let fields = [&[("address", address)], fields].concat();
    assert_eq!(location(&clerk.post(MINE, &fields).await), "/staff/notices?said=done");
    let code = code(server, address);
    let confirmed = clerk.post("/staff/notices/confirm", &[("mail_code", &code)]).await;
    assert_eq!(location(&confirmed), "/staff/notices?said=done");
}

fn code(server: &Server, address: &str) -> String {
    between(&server.message_to(address), "验证码是 ", "，")
}

/// Jobs that pass on what happened, done now.
async fn passed_on(server: &Server) {
    carried_out(server, &["notice_spread"]).await;
}

async fn a_clerk_hears_of_what_it_chose_and_bursts_are_joined(mut server: Server) {
    server.kill();
    server.set("BINDERY_PUBLIC_URL", "https://books.example");
    server.restart();
    let lin = Clerk::sign_in(&server, "lin", &["站长"]).await.caller;
    // without an address nothing can be wanted, and what was typed comes back
    let page = refused(lin.post(MINE, &[("kind", "order.paid")]).await).await;
    assert!(
        page.contains("要收通知，请输入邮箱地址") && page.contains("value=\"order.paid\" checked"),
        "{page}"
    );
    assert!(
        refused(lin.post(MINE, &[("address", "lin"), ("summary", "1")]).await)
            .await
            .contains("value=\"lin\"")
    );
    // nothing goes to an address that was not confirmed
    let wish = [("address", "lin@example.com"), ("kind", "order.paid")];
    assert_eq!(location(&lin.post(MINE, &wish).await), "/staff/notices?said=done");
    let (_, before) = printable(&server, "first@example.com").await;
    passed_on(&server).await;
    assert!(!server.outbox().contains(&before), "{}", server.outbox());
    let confirm = "/staff/notices/confirm";
    assert!(refused(lin.post(confirm, &[]).await).await.contains("请输入邮件里的验证码"));
    assert!(refused(lin.post(confirm, &[("mail_code", "x")]).await).await.contains("验证码不正确"));
    let code = code(&server, "lin@example.com");
    assert_eq!(location(&lin.post(confirm, &[("mail_code", &code)]).await), "/staff/notices?said=done");
    assert!(refused(lin.post(confirm, &[("mail_code", &code)]).await).await.contains("过期"));

    // the first is told at once, with the way to its page
    let (_, one) = printable(&server, "one@example.com").await;
    until("the first mail", async || {
        server.outbox().contains(&format!("https://books.example/staff/orders/{one}"))
    })
    .await;
    // those of the next five minutes are in one, even when the program dies meanwhile
    let (_, two) = printable(&server, "two@example.com").await;
    server.kill();
    server.restart();
    let lin = lin.at(&server.base);
    let (_, three) = printable(&server, "three@example.com").await;
    eventually(&server, "select cast(count(*) as text) from notice_mails", "2").await;
    assert!(!server.outbox().contains(&two));
    server.sql("update notice_clerks set mailed_at = mailed_at - 300000").await;
    carried_out(&server, &["notice_mail"]).await;
    let mails = "select cast(count(*) as text) from outbox where subject like '书坊后台：%' and subject not like '%确认%'";
    assert_eq!(server.read(mails).await, "2");
    let joined = server.read("select body from outbox where subject = '书坊后台：2 件事'").await;
    assert!(joined.contains(&two) && joined.contains(&three) && !joined.contains(&one), "{joined}");

    // nothing more once it wants nothing more
    assert_eq!(
        location(&lin.post(MINE, &[("address", "lin@example.com")]).await),
        "/staff/notices?said=done"
    );
    printable(&server, "four@example.com").await;
    passed_on(&server).await;
    assert_eq!(server.read(mails).await, "2");
    assert_eq!(server.read("select cast(count(*) as text) from notice_mails").await, "0");
}

async fn nobody_hears_of_what_its_roles_hide(server: Server) {
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    let page = wang.page(MINE).await;
    assert!(page.contains("value=\"order.paid\"") && !page.contains("value=\"refund.asked\""), "{page}");
    // one that is sent all the same counts for nothing
    let wish = [("kind", "refund.asked"), ("kind", "order.paid"), ("kind", "job.failed")];
    listen(&server, &wang, "wang@example.com", &wish).await;
    assert_eq!(server.read("select kinds from notice_clerks").await, "order.paid job.failed");
    // other roles count at once, for what waits, too
    assert!(server.run(&["staff", "roles", "wang", "--role", "编辑"]).status.success());
    printable(&server, "one@example.com").await;
    passed_on(&server).await;
    assert_eq!(server.read("select cast(count(*) as text) from notice_mails").await, "0");
    assert_eq!(wang.get(WEBHOOKS).await.status(), StatusCode::FORBIDDEN);
    assert_eq!(wang.post(WEBHOOKS, &[]).await.status(), StatusCode::FORBIDDEN);
}

/// One request that a receiver was sent.
#[derive(Clone)]
struct Got {
    path: String,
    headers: HeaderMap,
    body: String,
}

/// A program of the shop's, which answers with a status.
#[derive(Clone)]
struct Receiver {
    address: String,
    inner: Arc<Mutex<(u16, Vec<Got>)>>,
}

impl Receiver {
    async fn start(status: u16) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/hook", listener.local_addr().unwrap());
        let receiver = Self { address, inner: Arc::new(Mutex::new((status, Vec::new()))) };
        let router = Router::new().route("/{*any}", post(take)).with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        receiver
    }

    fn answer(&self, status: u16) {
        self.inner.lock().unwrap().0 = status;
    }

    fn got(&self) -> Vec<Got> {
        self.inner.lock().unwrap().1.clone()
    }

    async fn got_at_least(&self, count: usize) -> Vec<Got> {
        until(&format!("{count} requests"), async || self.got().len() >= count).await;
        self.got()
    }
}

async fn take(State(receiver): State<Receiver>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let mut inner = receiver.inner.lock().unwrap();
    inner.1.push(Got {
        path: uri.path().to_owned(),
        headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    });
    let status = axum::http::StatusCode::from_u16(inner.0).unwrap();
    (status, [("location", "/elsewhere")]).into_response()
}

/// Whether a request is signed with the secret, as the specification says.
fn is_signed(got: &Got, secret: &str) -> bool {
    let header = |name: &str| got.headers[name].to_str().unwrap().to_owned();
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{}.{}.{}", header("webhook-id"), header("webhook-timestamp"), got.body).as_bytes());
    header("webhook-signature") == format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

async fn allowed(server: &mut Server) {
    server.kill();
    server.set("BINDERY_WEBHOOK_PRIVATE", "1");
    server.restart();
}

/// Adds a webhook; its page's address and its secret.
async fn hook(owner: &Caller, address: &str, kinds: &[&str]) -> (String, String) {
    let id = between(&owner.page(WEBHOOKS).await, "name=\"webhook\" value=\"", "\"");
    let kinds: Vec<_> = kinds.iter().map(|kind| ("kind", *kind)).collect();
    let fields = [&[("webhook", id.as_str()), ("address", address)], &kinds[..]].concat();
    let answer = owner.post(WEBHOOKS, &fields).await;
    assert_eq!(answer.status(), StatusCode::OK);
    let page = answer.text().await.unwrap();
    let secret = format!("whsec_{}", between(&page, "whsec_", "<"));
    // the same form once more adds nothing and shows nothing
    let place = format!("{WEBHOOKS}/{id}");
    assert_eq!(location(&owner.post(WEBHOOKS, &fields).await), format!("{place}?said=before"));
    assert!(!owner.page(&place).await.contains("whsec_"), "the secret is shown once");
    (place, secret)
}

async fn a_webhook_is_signed_and_tried_until_it_is_taken(mut server: Server) {
    allowed(&mut server).await;
    let receiver = Receiver::start(500).await;
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    let (place, secret) = hook(&owner, &receiver.address, &["order.paid"]).await;
    let (_, order) = printable(&server, "buyer@example.com").await;
    let first = receiver.got_at_least(1).await[0].clone();
    assert!(is_signed(&first, &secret));
    let body: Value = serde_json::from_str(&first.body).unwrap();
    assert_eq!((&body["version"], &body["type"]), (&1.into(), &"order.paid".into()));
    assert_eq!(
        (&body["data"]["order"], &body["id"]),
        (&order.clone().into(), &first.headers["webhook-id"].to_str().unwrap().into())
    );
    assert!(
        !first.body.contains("buyer") && body["timestamp"].as_str().unwrap().ends_with("+08:00"),
        "{}",
        first.body
    );
    // a redirect is followed nowhere, and the same comes again after a restart, under the same id
    let status = "select coalesce(cast(status as text), '') from webhook_deliveries order by made_at limit 1";
    eventually(&server, status, "500").await;
    receiver.answer(302);
    server.kill();
    server.restart();
    let owner = owner.at(&server.base);
    let again = "update jobs set run_at = 0 where kind = 'notice_webhook'";
    server.sql(again).await;
    eventually(&server, status, "302").await;
    assert!(owner.page(&place).await.contains("转到别处的答复不跟随"));
    receiver.answer(204);
    server.sql(again).await;
    eventually(&server, status, "204").await;
    assert!(owner.page(&place).await.contains("收下了"));
    let got = receiver.got();
    assert!(got.len() >= 3 && got.iter().all(|got| got.path == "/hook"), "nothing comes by the redirect");
    assert!(got.iter().all(|got| got.body == first.body && is_signed(got, &secret)));

    // by hand: the same once more, and a test; of what is on its way nothing is begun anew
    let notice = body["id"].as_str().unwrap();
    let step = [("step", "again"), ("notice", notice)];
    assert_eq!(location(&owner.post(&place, &step).await), format!("{place}?said=done"));
    let more = receiver.got_at_least(got.len() + 1).await;
    assert_eq!(more[got.len()].body, first.body);
    assert_eq!(location(&owner.post(&place, &[("step", "test")]).await), format!("{place}?said=done"));
    let test = receiver.got_at_least(got.len() + 2).await[got.len() + 1].clone();
    assert!(test.body.contains("\"type\":\"test\"") && is_signed(&test, &secret), "{}", test.body);
    assert!(refused(owner.post(&place, &[]).await).await.contains("请选择要做什么"));

    // one that is ended is sent nothing
    assert_eq!(location(&owner.post(&place, &[("step", "end")]).await), format!("{place}?said=done"));
    assert_eq!(location(&owner.post(&place, &[("step", "end")]).await), format!("{place}?said=before"));
    assert!(refused(owner.post(&place, &[("step", "test")]).await).await.contains("先启用再推送"));
    printable(&server, "late@example.com").await;
    passed_on(&server).await;
    assert_eq!(server.read("select cast(count(*) as text) from webhook_deliveries").await, "2");
    let audit = String::from_utf8(server.run(&["audit"]).stdout).unwrap();
    for act in ["webhook add", "webhook again", "webhook test", "webhook end"] {
        assert!(audit.contains(act), "{act}: {audit}");
    }
    assert!(!audit.contains("whsec_"));
}

async fn nothing_is_sent_into_the_hosts_network(server: Server) {
    let receiver = Receiver::start(200).await;
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    let inside = receiver.address.replace("http://", "https://");
    for address in [
        "",
        "hooks.example",
        "http://hooks.example/",
        &inside,
        "https://localhost/",
        "https://[::1]/",
        "https://10.1.2.3/",
    ] {
        let page = refused(owner.post(WEBHOOKS, &[("address", address), ("kind", "order.paid")]).await).await;
        assert!(
            page.contains("id=\"address-error\"") && page.contains(&format!("value=\"{address}\"")),
            "{address}"
        );
    }
    let empty = refused(owner.post(WEBHOOKS, &[("address", "https://hooks.example/")]).await).await;
    assert!(empty.contains("请选择推送哪些事"), "{empty}");
    assert_eq!(server.read("select cast(count(*) as text) from webhooks").await, "0");
    // a name that leads inside is found when it is asked
    let (place, _) = hook(&owner, "https://one.localhost:9/hook", &["order.paid"]).await;
    owner.post(&place, &[("step", "test")]).await;
    let known = "select cast(count(*) as text) from webhook_deliveries where reason is not null";
    eventually(&server, known, "1").await;
    let reason = server.read("select reason from webhook_deliveries").await;
    assert!(reason == "地址在内部网络里，不能推送" || reason == "找不到这个域名", "{reason}");
    assert!(receiver.got().is_empty());
}

async fn an_address_that_takes_nothing_for_days_is_ended(mut server: Server) {
    allowed(&mut server).await;
    let receiver = Receiver::start(503).await;
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    listen(&server, &owner, "owner@example.com", &[("kind", "webhook.ended")]).await;
    let (place, _) = hook(&owner, &receiver.address, &["order.paid"]).await;
    owner.post(&place, &[("step", "test")]).await;
    let status = "select coalesce(cast(status as text), '') from webhook_deliveries";
    eventually(&server, status, "503").await;
    assert!(owner.page(WEBHOOKS).await.contains("还在重试"));
    server.sql("update webhooks set failing_since = failing_since - 259200000").await;
    server.sql("update jobs set run_at = 0 where kind = 'notice_webhook'").await;
    eventually(&server, "select cast(count(*) as text) from webhooks where ended_at is not null", "1").await;
    until("its clerk hears of it", async || server.outbox().contains("推送地址停用：127.0.0.1")).await;
    assert!(owner.page(&place).await.contains("三天没有收下"));
    assert_eq!(location(&owner.post(&place, &[("step", "begin")]).await), format!("{place}?said=done"));
    assert!(owner.page(WEBHOOKS).await.contains("启用"));
}

async fn what_is_late_and_what_failed_is_told_once(mut server: Server) {
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    let wish =
        [("kind", "order.late"), ("kind", "job.failed"), ("kind", "refund.asked"), ("kind", "invoice.asked")];
    listen(&server, &owner, "owner@example.com", &wish).await;
    let (member, order) = printable(&server, "buyer@example.com").await;
    server.sql("update production set due = 86400000").await;
    server
        .sql(
            "insert into jobs (id, kind, payload, run_at, leased_until, attempts, created_at)
         values ('broken', 'nothing', '{\"kind\":\"nothing\"}', 0, 0, 11, 0)",
        )
        .await;
    eventually(&server, "select cast(count(*) as text) from notices where kind = 'job.failed'", "1").await;
    for _ in 0..2 {
        server.kill();
        server.restart();
        eventually(&server, "select cast(count(*) as text) from notices where kind = 'order.late'", "1")
            .await;
    }
    let member = member.at(&server.base);
    member.post(&format!("/manager/order/{order}/cancellation_request"), &[("reason", "不要了")]).await;
    passed_on(&server).await;
    let kinds = "('order.late', 'job.failed', 'refund.asked')";
    let told = format!("select kind || ' ' || subject from notices where kind in {kinds} order by kind");
    let expected =
        ["job.failed nothing".to_owned(), format!("order.late {order}"), format!("refund.asked {order}")];
    assert_eq!(server.column(&told).await, expected);
}

async fn a_day_is_summed_up_once(mut server: Server) {
    server.kill();
    // its hour has come, whatever time it is
    server.set("BINDERY_SUMMARY_HOUR", "0");
    server.restart();
    let owner = Clerk::sign_in(&server, "owner", &["站长"]).await.caller;
    let wang = Clerk::sign_in(&server, "wang", &["印务"]).await.caller;
    listen(&server, &owner, "owner@example.com", &[("summary", "1")]).await;
    listen(&server, &wang, "wang@example.com", &[("summary", "1")]).await;
    printable(&server, "buyer@example.com").await;
    // yesterday at noon, in China
    let day_ms = 86_400_000;
    let now_ms = time::OffsetDateTime::now_utc().unix_timestamp() * 1000;
    let noon = (now_ms + day_ms / 3) / day_ms * day_ms - day_ms / 3 - day_ms / 2;
    server.sql(&format!("update orders set paid_at = {noon}")).await;
    // two programs and a start in the middle: one mail each
    server.sql("delete from summaries").await;
    let other = server.another();
    server.kill();
    server.restart();
    let mails = "select cast(count(*) as text) from outbox where subject like '%的汇总'";
    eventually(&server, mails, "2").await;
    server.kill();
    server.restart();
    carried_out(&server, &["notice_summary"]).await;
    assert_eq!(server.read(mails).await, "2");
    drop(other);
    let (owner, wang) = (owner.at(&server.base), wang.at(&server.base));
    let mail = |to: &'static str| {
        format!("select body from outbox where subject like '%的汇总' and contact = '{to}'")
    };
    let (mine, his) =
        (server.read(&mail("owner@example.com")).await, server.read(&mail("wang@example.com")).await);
    let audit = String::from_utf8(server.run(&["audit", "--check"]).stdout).unwrap();
    assert!(
        mine.contains("付款的订单：1 单")
            && mine.contains("订单收入：¥")
            && mine.contains("磁盘余量：")
            && mine.contains("会员收入：¥0.00（0 笔）")
            && mine.contains("读者购买（代收）：¥"),
        "{mine}"
    );
    assert!(
        his.contains("付款的订单：1 单") && !his.contains("订单收入") && !his.contains("操作日志"),
        "{his}"
    );
    let head = between(&mine, "操作日志末条：", "\n");
    assert!(audit.contains("Head: "), "{audit}");
    let check = server.run(&["audit", "--check", "--head", &head]);
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));

    let page = owner.page("/staff/summary").await;
    assert!(
        page.contains("订单收入") && page.contains("今天到期") && page.contains("操作日志末条"),
        "{page}"
    );
    assert!(!wang.page("/staff/summary").await.contains("订单收入"));
    assert_eq!(owner.get("/staff/summary?day=2026-02-30").await.status(), StatusCode::NOT_FOUND);
    assert_eq!(owner.get("/staff/summary?day=9999-01-01").await.status(), StatusCode::NOT_FOUND);
    assert!(owner.page("/staff/summary?day=2026-01-02").await.contains("0 单"));
}
