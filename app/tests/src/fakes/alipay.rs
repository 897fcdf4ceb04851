//! An Alipay of our own: the gateway's questions with signed answers, and notifications.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};

use crate::Server;
use crate::fakes::keys::{file, is_signed, sign};

pub const APP_ID: &str = "2021000000000001";
pub const SELLER_ID: &str = "2088000000000001";
const NOTIFY: &str = "/notify/alipay";

/// How the gateway answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Good,
    Unsigned,
    OtherKey,
    /// The body is not the one that was signed.
    Altered,
}

#[derive(Debug, Clone)]
struct Trade {
    total: String,
    status: &'static str,
    number: String,
}

struct Inner {
    trades: HashMap<String, Trade>,
    refunds: HashMap<String, Value>,
    mood: Mood,
    closed: Vec<String>,
}

/// A running fake; ends with the test.
#[derive(Clone)]
pub struct FakeAlipay {
    inner: Arc<Mutex<Inner>>,
}

/// A notification's fields.
pub type Note = BTreeMap<String, String>;

/// What a signature covers.
fn joined(fields: &BTreeMap<String, String>, without: &[&str]) -> String {
    let kept = fields.iter().filter(|(name, _)| !without.contains(&name.as_str()));
    kept.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

/// Signs a notification anew.
pub fn signed(mut note: Note, key: &str) -> Note {
    let sign = sign(key, &joined(&note, &["sign", "sign_type"]));
    note.insert("sign".into(), sign);
    note
}

/// Sends a notification; the answer's status and word.
pub async fn send(server: &Server, note: &Note) -> (u16, String) {
    let body = serde_urlencoded::to_string(note).unwrap();
    send_body(server, &body).await
}

pub async fn send_body(server: &Server, body: &str) -> (u16, String) {
    let form = "application/x-www-form-urlencoded; charset=utf-8";
    let answer = server.visitor().post_with_headers(NOTIFY, &[("content-type", form)], body).await;
    (answer.status().as_u16(), answer.text().await.unwrap())
}

impl FakeAlipay {
    /// Starts one, and the server again with it configured.
    pub async fn configured(server: &mut Server) -> Self {
        let fake = Self::started(server).await;
        server.kill();
        server.restart();
        fake
    }

    /// Starts one; the server's next start knows it.
    pub async fn started(server: &mut Server) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let gateway = format!("http://{}/gateway.do", listener.local_addr().unwrap());
        let inner =
            Inner { trades: HashMap::new(), refunds: HashMap::new(), mood: Mood::Good, closed: Vec::new() };
        let fake = Self { inner: Arc::new(Mutex::new(inner)) };
        let router = Router::new().route("/gateway.do", post(gate)).with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        server.set("BINDERY_PUBLIC_URL", "https://books.example");
        server.set("BINDERY_ALIPAY_APP_ID", APP_ID);
        server.set("BINDERY_ALIPAY_SELLER_ID", SELLER_ID);
        server.set("BINDERY_ALIPAY_KEY_FILE", file("merchant"));
        server.set("BINDERY_ALIPAY_PUBLIC_KEY_FILE", file("alipay.pub"));
        server.set("BINDERY_ALIPAY_GATEWAY_URL", gateway);
        fake
    }

    pub fn set_mood(&self, mood: Mood) {
        self.inner.lock().unwrap().mood = mood;
    }

    /// Somebody goes to the address of a payment: it is checked, and the trade begins. Answers the payment's number.
    pub fn visit(&self, address: &str) -> String {
        let address = reqwest::Url::parse(address).unwrap();
        let asked: BTreeMap<String, String> = address.query_pairs().into_owned().collect();
        assert!(is_signed("merchant", &joined(&asked, &["sign"]), &asked["sign"]), "{asked:?}");
        assert_eq!(asked["app_id"], APP_ID);
        assert_eq!(asked["method"], "alipay.trade.page.pay");
        assert_eq!((asked["sign_type"].as_str(), asked["charset"].as_str()), ("RSA2", "utf-8"));
        assert_eq!((asked["version"].as_str(), asked["format"].as_str()), ("1.0", "JSON"));
        assert_eq!(asked["notify_url"], "https://books.example/notify/alipay");
        let content: Value = serde_json::from_str(&asked["biz_content"]).unwrap();
        assert_eq!(content["product_code"], "FAST_INSTANT_TRADE_PAY");
        assert_eq!(content["time_expire"].as_str().unwrap().len(), "2026-11-21 14:05:09".len());
        let number = content["out_trade_no"].as_str().unwrap().to_owned();
        assert_eq!(asked["return_url"], format!("https://books.example/manager/payment/{number}?returned=1"));
        let trade = Trade {
            total: content["total_amount"].as_str().unwrap().to_owned(),
            status: "WAIT_BUYER_PAY",
            number: format!("20261121220014{:018}", rand::random::<u32>()),
        };
        self.inner.lock().unwrap().trades.entry(number.clone()).or_insert(trade);
        number
    }

    /// The same, and pays.
    pub fn pay(&self, address: &str) -> String {
        let number = self.visit(address);
        self.set_status(&number, "TRADE_SUCCESS");
        number
    }

    pub fn set_status(&self, payment: &str, status: &'static str) {
        self.inner.lock().unwrap().trades.get_mut(payment).unwrap().status = status;
    }

    pub fn closed(&self) -> Vec<String> {
        self.inner.lock().unwrap().closed.clone()
    }

    pub fn refunds(&self) -> usize {
        self.inner.lock().unwrap().refunds.len()
    }

    /// The notification of a payment, signed.
    pub fn note(&self, payment: &str) -> Note {
        signed(self.unsigned_note(payment), "alipay")
    }

    pub fn unsigned_note(&self, payment: &str) -> Note {
        let trade = self.inner.lock().unwrap().trades[payment].clone();
        let fields = [
            ("app_id", APP_ID),
            ("seller_id", SELLER_ID),
            ("charset", "utf-8"),
            ("sign_type", "RSA2"),
            ("version", "1.0"),
            ("notify_type", "trade_status_sync"),
            ("notify_id", "4a91b7a78a503640467525113fb7d8bg8e"),
            ("notify_time", "2026-11-21 14:10:49"),
            ("gmt_create", "2026-11-21 14:10:44"),
            ("subject", "书坊账户充值"),
            ("passback_params", ""),
            ("buyer_id", "2088102116773037"),
            ("out_trade_no", payment),
            ("trade_no", &trade.number),
            ("trade_status", trade.status),
            ("total_amount", &trade.total),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}

async fn gate(
    State(fake): State<FakeAlipay>,
    Query(query): Query<BTreeMap<String, String>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    assert!(headers["content-type"].to_str().unwrap().starts_with("application/x-www-form-urlencoded"));
    assert_eq!(query["charset"], "utf-8", "the gateway reads it before the body");
    let body: BTreeMap<String, String> = serde_urlencoded::from_bytes(&body).unwrap();
    let asked: BTreeMap<String, String> = query.into_iter().chain(body).collect();
    assert!(is_signed("merchant", &joined(&asked, &["sign"]), &asked["sign"]), "{asked:?}");
    assert_eq!(asked["app_id"], APP_ID);
    let content: Value = serde_json::from_str(&asked["biz_content"]).unwrap();
    let node = fake.answer(&asked["method"], &content);
    let mood = fake.inner.lock().unwrap().mood;
    // as the gateway writes it, with a space that a parser would lose
    let node = node.to_string().replacen("{", "{ ", 1);
    let sign = sign(if mood == Mood::OtherKey { "wechatpay" } else { "alipay" }, &node);
    let node = if mood == Mood::Altered { node.replace("WAIT_BUYER_PAY", "TRADE_SUCCESS") } else { node };
    let name = asked["method"].replace('.', "_");
    if mood == Mood::Unsigned {
        return format!("{{\"{name}_response\":{node}}}").into_response();
    }
    format!("{{\"{name}_response\":{node},\"sign\":\"{sign}\"}}").into_response()
}

impl FakeAlipay {
    fn answer(&self, method: &str, content: &Value) -> Value {
        let mut inner = self.inner.lock().unwrap();
        let payment = content["out_trade_no"].as_str().unwrap();
        let refused = |word: &str| json!({ "code": "40004", "msg": "Business Failed", "sub_code": word });
        let Some(trade) = inner.trades.get(payment).cloned() else { return refused("ACQ.TRADE_NOT_EXIST") };
        match method {
            "alipay.trade.query" => json!({
                "code": "10000", "msg": "Success", "out_trade_no": payment, "trade_no": trade.number,
                "trade_status": trade.status, "total_amount": trade.total, "buyer_logon_id": "159****5620",
            }),
            "alipay.trade.close" if trade.status == "WAIT_BUYER_PAY" => {
                inner.trades.get_mut(payment).unwrap().status = "TRADE_CLOSED";
                inner.closed.push(payment.to_owned());
                json!({ "code": "10000", "msg": "Success", "out_trade_no": payment, "trade_no": trade.number })
            }
            "alipay.trade.close" => refused("ACQ.TRADE_STATUS_ERROR"),
            "alipay.trade.refund" => {
                let number = content["out_request_no"].as_str().unwrap().to_owned();
                let change = if inner.refunds.contains_key(&number) { "N" } else { "Y" };
                inner.refunds.entry(number).or_insert(content["refund_amount"].clone());
                json!({
                    "code": "10000", "msg": "Success", "out_trade_no": payment, "trade_no": trade.number,
                    "fund_change": change, "refund_fee": content["refund_amount"],
                })
            }
            "alipay.trade.fastpay.refund.query" => {
                match inner.refunds.get(content["out_request_no"].as_str().unwrap()) {
                    None => json!({ "code": "10000", "msg": "Success" }),
                    Some(amount) => json!({
                        "code": "10000", "msg": "Success", "out_trade_no": payment, "trade_no": trade.number,
                        "out_request_no": content["out_request_no"], "refund_amount": amount,
                        "total_amount": trade.total, "refund_status": "REFUND_SUCCESS",
                    }),
                }
            }
            other => panic!("{other}"),
        }
    }
}
