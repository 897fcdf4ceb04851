//! Sending to a webhook, as Standard Webhooks 1.0 has it: an id, a time and a signature over both and the body. Only into the
//! world: whoever may add an address must not reach this machine or its network by it.

use std::net::SocketAddr;
use std::time::Duration;

use base::db::now_ms;
use base::error::Error;
use base::jobs::{self, Job, Lane};
use base::signing::keyed;
use base::time;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::network::is_public;
use domain::notices::{Kind, is_given_up, pause_after};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Client, Url, redirect};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::Sha256;
use web::app::App;
use web::notices::{self, Notice, Told};

use super::store::webhooks::{self, Delivery, Webhook};
use super::{WEBHOOKS, settings};

/// From the question to the last byte of the answer that is read.
const WHOLE: Duration = Duration::from_secs(10);
const CONNECT: Duration = Duration::from_secs(5);
/// The most of an answer that is read, in bytes; nobody looks at it.
const LARGEST: usize = 16 * 1024;
/// The version of the body's form. Fields may come, and none goes or changes under the same one.
const VERSION: u32 = 1;
/// The type of what a test sends.
pub const TEST: &str = "test";

/// What is sent: `{"version", "id", "type", "timestamp", "data"}`; the data name what it is about and its page, and nothing of
/// members'.
pub fn body(app: &App, id: &str, kind: &str, happened_at: i64, about: Option<(&str, &Told)>) -> String {
    let mut data = json!({});
    if let Some((thing, told)) = about {
        data[thing] = told.subject.as_str().into();
        if let Some(site) = &app.config.public_url {
            data["page"] = format!("{site}{}", told.page).into();
        }
    }
    json!({
        "version": VERSION,
        "id": id,
        "type": kind,
        "timestamp": time::rfc3339(happened_at),
        "data": data,
    })
    .to_string()
}

/// The bytes that what goes to a webhook is signed with: made of the installation's key, and stored nowhere.
fn secret(app: &App, webhook: &str) -> Vec<u8> {
    keyed(app.key.as_bytes(), "webhook").chain_update(webhook).finalize().into_bytes().to_vec()
}

/// The same as whoever receives it enters it.
pub fn shown_secret(app: &App, webhook: &str) -> String {
    format!("whsec_{}", STANDARD.encode(secret(app, webhook)))
}

/// The signature over an id, a time in seconds and a body.
fn signature(secret: &[u8], id: &str, seconds: i64, body: &str) -> String {
    // HMAC takes a key of any length
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap_or_else(|_| unreachable!("any key will do"));
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// An address that something may be sent to, as somebody typed it.
pub fn read_address(typed: &str, allows_private: bool) -> Result<Url, &'static str> {
    const NONE: &str = "请输入 https:// 开头的完整地址";
    if typed.len() > 500 {
        return Err("地址最多 500 个字符");
    }
    let address: Url = domain::typed::typed(typed).parse().map_err(|_| NONE)?;
    let is_web = address.scheme() == "https" || (allows_private && address.scheme() == "http");
    if !is_web || address.host_str().is_none_or(str::is_empty) {
        return Err(NONE);
    }
    if !address.username().is_empty() || address.password().is_some() {
        return Err("地址里不能有用户名和密码；收到的推送用密钥核对");
    }
    let host = address.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let is_inside = host.parse().is_ok_and(|ip| !is_public(ip)) || host == "localhost";
    if is_inside && !allows_private { Err(INSIDE) } else { Ok(address) }
}

/// Why nothing is sent into the host's own network.
const INSIDE: &str = "地址在内部网络里，不能推送";

/// Why a try failed, with the answer's status where there was one.
struct Failed {
    status: Option<u16>,
    reason: String,
}

impl Failed {
    fn without_answer(reason: &str) -> Self {
        Self { status: None, reason: reason.to_owned() }
    }
}

/// Sends once; the status of an answer that took it.
async fn post(app: &App, webhook: &Webhook, delivery: &Delivery, now: i64) -> Result<u16, Failed> {
    let allows_private = settings::allows_private();
    let address = read_address(&webhook.address, allows_private).map_err(Failed::without_answer)?;
    let host = address.host_str().unwrap_or_default().trim_matches(['[', ']']).to_owned();
    let port = address.port_or_known_default().unwrap_or(443);
    let found = tokio::time::timeout(CONNECT, tokio::net::lookup_host((host.as_str(), port)));
    let found: Vec<SocketAddr> = match found.await {
        Ok(Ok(found)) => found.collect(),
        _ => return Err(Failed::without_answer("找不到这个域名")),
    };
    // one inside is enough: a name that leads to both is no honest one
    if found.is_empty() || (!allows_private && found.iter().any(|found| !is_public(found.ip()))) {
        return Err(Failed::without_answer(INSIDE));
    }
    let client = Client::builder()
        .connect_timeout(CONNECT)
        .timeout(WHOLE)
        .redirect(redirect::Policy::none())
        .no_proxy()
        // what was looked at is what is asked, whatever the name leads to a moment later
        .resolve_to_addrs(&host, &found)
        .user_agent(concat!("Bindery/", env!("CARGO_PKG_VERSION")))
        .build()
        .map_err(|error| Failed::without_answer(&error.to_string()))?;
    let seconds = now / 1000;
    let signature = signature(&secret(app, &webhook.id), &delivery.notice, seconds, &delivery.body);
    let question = client
        .post(address)
        .header("content-type", "application/json")
        .header("webhook-id", &delivery.notice)
        .header("webhook-timestamp", seconds)
        .header("webhook-signature", signature)
        .body(delivery.body.clone());
    let failed = |error: reqwest::Error| {
        let reason =
            if error.is_timeout() { "10 秒内没有答复" } else { "连接不上，或者证书不对" };
        Failed::without_answer(reason)
    };
    let mut answer = question.send().await.map_err(failed)?;
    let status = answer.status();
    let mut read = 0;
    while let Ok(Some(chunk)) = answer.chunk().await {
        read += chunk.len();
        if read > LARGEST {
            break;
        }
    }
    match status.as_u16() {
        200..300 => Ok(status.as_u16()),
        300..400 => {
            Err(Failed { status: Some(status.as_u16()), reason: "转到别处的答复不跟随".to_owned() })
        }
        code => Err(Failed { status: Some(code), reason: format!("答复 {code}") }),
    }
}

/// Sends something to a webhook, and tries again later where it does not arrive.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendWebhook {
    pub webhook: String,
    pub notice: String,
    /// How often it was tried before: another job of the same try finds it done.
    pub tries: i64,
}

impl Job for SendWebhook {
    type App = App;
    const KIND: &'static str = "notice_webhook";
    // an address that does not answer takes ten seconds, and keeps no codes and no money waiting
    const LANE: Lane = Lane::Background;
    async fn run(self, app: App) -> Result<(), Error> {
        let Some(webhook) = webhooks::find(&app.db, &self.webhook).await? else { return Ok(()) };
        let Some(delivery) = webhooks::delivery(&app.db, &self.webhook, &self.notice).await? else {
            return Ok(());
        };
        if delivery.next_at.is_none() || delivery.tries != self.tries {
            return Ok(());
        }
        let now = now_ms();
        let sent = match webhook.ended_at {
            Some(_) => Err(Failed::without_answer("这个地址停用了")),
            None => post(&app, &webhook, &delivery, now).await,
        };
        note(&app, &delivery, &self, sent, now).await
    }
}

/// Writes down how a try went, and what comes of it, in one transaction.
async fn note(
    app: &App,
    before: &Delivery,
    job: &SendWebhook,
    sent: Result<u16, Failed>,
    now: i64,
) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let Some(mut webhook) = webhooks::lock(&mut tx, &job.webhook).await? else { return Ok(()) };
    let tries = before.tries + 1;
    let mut tried = Delivery { tries, tried_at: Some(now), next_at: None, ..before.clone() };
    match sent {
        Ok(status) => {
            tried.arrived_at = Some(now);
            (tried.status, tried.reason) = (Some(i64::from(status)), None);
            webhook.failing_since = None;
        }
        Err(failed) => {
            tried.status = failed.status.map(i64::from);
            tried.reason = Some(failed.reason);
            let since = *webhook.failing_since.get_or_insert(now);
            if webhook.ended_at.is_none() && is_given_up(since, now) {
                webhook.ended_at = Some(now);
                webhook.ended_why = Some("三天没有收下任何推送".to_owned());
                let page = format!("{WEBHOOKS}/{}", webhook.id);
                let host = webhook.address.parse::<Url>().ok();
                let host = host.as_ref().and_then(Url::host_str).unwrap_or(&webhook.id);
                let about = format!("{} {now}", webhook.id);
                let told = Notice { kind: Kind::WebhookEnded, about: &about, subject: host, page: &page };
                notices::tell(&mut tx, told).await?;
            } else if webhook.ended_at.is_none() {
                tried.next_at = pause_after(tries - before.tries_before).map(|pause| now + pause);
            }
        }
    }
    if !webhooks::note_try(&mut tx, &job.webhook, job.tries, &tried).await? {
        return Ok(());
    }
    webhooks::set_standing(&mut tx, &webhook).await?;
    if let Some(at) = tried.next_at {
        let next = SendWebhook { webhook: job.webhook.clone(), notice: job.notice.clone(), tries };
        jobs::enqueue_at(&mut tx, &next, at).await?;
    }
    Ok(tx.commit().await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's own libraries.
    #[test]
    fn what_is_sent_is_signed_as_others_check_it() {
        let secret = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap_or_default();
        let signed =
            signature(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, "{\"test\": 2432232314}");
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn addresses_lead_into_the_world_alone() {
        for good in
            ["https://hooks.example/bindery?x=1", "https://hooks.example:8443/", " https://1.1.1.1/a "]
        {
            assert!(read_address(good, false).is_ok(), "{good}");
        }
        for bad in [
            "",
            "hooks.example",
            "http://hooks.example/",
            "ftp://hooks.example/",
            "https://",
            "javascript:alert(1)",
            "https://user@hooks.example/",
            "https://user:word@hooks.example/",
            "https://localhost/",
            "https://127.0.0.1/",
            "https://127.1/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/",
            "https://[fd00::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://192.168.1.1:8080/",
        ] {
            assert!(read_address(bad, false).is_err(), "{bad}");
        }
        assert!(read_address("http://127.0.0.1:9/x", true).is_ok());
        assert!(read_address("ftp://127.0.0.1/", true).is_err());
    }
}
