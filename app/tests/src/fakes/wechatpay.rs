//! A WeChat Pay of our own: orders, questions, refunds and signed notifications over HTTP, in good and bad moods.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};

use crate::Server;
use crate::fakes::keys::{file, is_signed, seal, seconds, sign};

pub const MCHID: &str = "1900000001";
pub const APPID: &str = "wx0123456789abcdef";
pub const SERIAL: &str = "PUB_KEY_ID_0119000000012026112100000000000001";
pub const API_KEY: &str = "0123456789abcdef0123456789ABCDEF";
const MERCHANT_SERIAL: &str = "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";
const NOTIFY: &str = "/notify/wechatpay";

/// How it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mood {
    Good,
    Status(u16),
    /// Longer than anybody waits.
    Late,
    Unsigned,
    /// Signed by somebody else.
    OtherKey,
    /// The body is not the one that was signed.
    Altered,
    /// Signed long ago.
    Old,
    /// Under another serial number.
    OtherSerial,
    /// Leads elsewhere.
    Redirect,
    Huge,
}

#[derive(Debug, Clone)]
struct Trade {
    total: i64,
    state: &'static str,
    number: String,
}

struct Inner {
    trades: HashMap<String, Trade>,
    refunds: HashMap<String, Value>,
    mood: Mood,
    /// What a refund comes to.
    refund_status: &'static str,
    /// Notifies this server before it answers an order.
    hasty: Option<String>,
    orders: usize,
    led_astray: usize,
}

/// A running fake; ends with the test.
#[derive(Clone)]
pub struct FakeWechatpay {
    inner: Arc<Mutex<Inner>>,
}

/// A notification, to be sent as it is or bent first.
#[derive(Debug, Clone)]
pub struct Note {
    pub timestamp: String,
    pub nonce: String,
    pub serial: String,
    pub signature: String,
    pub body: String,
}

impl Note {
    /// Seals a transaction as the platform does.
    pub fn of(transaction: &Value) -> Self {
        let sealed = seal(API_KEY, "0123456789ab", "transaction", &transaction.to_string());
        Self::sealed(&json!({
            "id": "EV-1", "create_time": "2026-11-21T14:05:09+08:00", "resource_type": "encrypt-resource",
            "event_type": "TRANSACTION.SUCCESS", "summary": "支付成功",
            "resource": {
                "original_type": "transaction", "algorithm": "AEAD_AES_256_GCM", "ciphertext": sealed,
                "associated_data": "transaction", "nonce": "0123456789ab",
            },
        }))
    }

    /// Signs a body, now.
    pub fn sealed(body: &Value) -> Self {
        Self::signed(&body.to_string(), seconds(), "wechatpay")
    }

    pub fn signed(body: &str, at: i64, key: &str) -> Self {
        let nonce = format!("{:032x}", rand::random::<u128>());
        let signature = sign(key, &format!("{at}\n{nonce}\n{body}\n"));
        let (timestamp, serial) = (at.to_string(), SERIAL.to_owned());
        Self { timestamp, nonce, serial, signature, body: body.to_owned() }
    }

    /// Sends it; the status of the answer.
    pub async fn send(&self, server: &Server) -> u16 {
        self.send_to(&server.base).await
    }

    async fn send_to(&self, base: &str) -> u16 {
        let answer = reqwest::Client::new()
            .post(format!("{base}{NOTIFY}"))
            .header("content-type", "application/json")
            .header("wechatpay-timestamp", &self.timestamp)
            .header("wechatpay-nonce", &self.nonce)
            .header("wechatpay-serial", &self.serial)
            .header("wechatpay-signature", &self.signature)
            .header("wechatpay-signature-type", "WECHATPAY2-SHA256-RSA2048")
            .body(self.body.clone())
            .send()
            .await
            .unwrap();
        answer.status().as_u16()
    }
}

impl FakeWechatpay {
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
        let base = format!("http://{}", listener.local_addr().unwrap());
        let inner = Inner {
            trades: HashMap::new(),
            refunds: HashMap::new(),
            mood: Mood::Good,
            refund_status: "SUCCESS",
            hasty: None,
            orders: 0,
            led_astray: 0,
        };
        let fake = Self { inner: Arc::new(Mutex::new(inner)) };
        let router = Router::new()
            .route("/v3/pay/transactions/native", post(native))
            .route("/v3/pay/transactions/out-trade-no/{number}", get(query))
            .route("/v3/pay/transactions/out-trade-no/{number}/close", post(close))
            .route("/v3/refund/domestic/refunds", post(refund))
            .route("/v3/refund/domestic/refunds/{number}", get(refund_query))
            .route("/elsewhere", get(elsewhere).post(elsewhere))
            .with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        server.set("BINDERY_PUBLIC_URL", "https://books.example");
        server.set("BINDERY_WECHATPAY_MCHID", MCHID);
        server.set("BINDERY_WECHATPAY_APPID", APPID);
        server.set("BINDERY_WECHATPAY_SERIAL", MERCHANT_SERIAL);
        server.set("BINDERY_WECHATPAY_KEY_FILE", file("merchant"));
        server.set("BINDERY_WECHATPAY_API_KEY", API_KEY);
        server.set("BINDERY_WECHATPAY_PLATFORM_SERIAL", SERIAL);
        server.set("BINDERY_WECHATPAY_PLATFORM_KEY_FILE", file("wechatpay.pub"));
        server.set("BINDERY_WECHATPAY_BASE_URL", base);
        fake
    }

    pub fn set_mood(&self, mood: Mood) {
        self.inner.lock().unwrap().mood = mood;
    }

    /// What becomes of refunds asked for from now on, and of those that are asked about.
    pub fn set_refunds(&self, status: &'static str) {
        let mut inner = self.inner.lock().unwrap();
        inner.refund_status = status;
        for refund in inner.refunds.values_mut().filter(|refund| refund["status"] != "CLOSED") {
            refund["status"] = json!(status);
        }
    }

    /// From now on it notifies this server before it answers an order, as if it were paid at once.
    pub fn be_hasty(&self, base: &str) {
        self.inner.lock().unwrap().hasty = Some(base.to_owned());
    }

    pub fn led_astray(&self) -> usize {
        self.inner.lock().unwrap().led_astray
    }

    /// How many orders it was asked for.
    pub fn orders(&self) -> usize {
        self.inner.lock().unwrap().orders
    }

    /// How many refunds it made.
    pub fn refunds(&self) -> usize {
        self.inner.lock().unwrap().refunds.len()
    }

    /// Somebody scans the code and pays.
    pub fn pay(&self, payment: &str) {
        self.inner.lock().unwrap().trades.get_mut(payment).unwrap().state = "SUCCESS";
    }

    pub fn state(&self, payment: &str) -> &'static str {
        self.inner.lock().unwrap().trades[payment].state
    }

    /// What it would say of a payment.
    pub fn transaction(&self, payment: &str) -> Value {
        transaction(payment, &self.inner.lock().unwrap().trades[payment])
    }

    /// The notification of a payment.
    pub fn note(&self, payment: &str) -> Note {
        Note::of(&self.transaction(payment))
    }

    fn signed(&self, status: u16, body: &Value) -> Response {
        let mood = self.inner.lock().unwrap().mood;
        let mut body = if status == 204 { String::new() } else { body.to_string() };
        let at = if mood == Mood::Old { seconds() - 330 } else { seconds() };
        let note = Note::signed(&body, at, if mood == Mood::OtherKey { "alipay" } else { "wechatpay" });
        match mood {
            Mood::Status(status) => return StatusCode::from_u16(status).unwrap().into_response(),
            Mood::Unsigned => return (StatusCode::from_u16(status).unwrap(), body).into_response(),
            Mood::Redirect => return Redirect::temporary("/elsewhere").into_response(),
            Mood::Altered => body = body.replace("NOTPAY", "SUCCESS").replace("wxpay", "wxpa1"),
            Mood::Huge => body = format!("{body}{}", " ".repeat(100_000)),
            _ => {}
        }
        let serial = if mood == Mood::OtherSerial { "PUB_KEY_ID_0" } else { SERIAL };
        let headers = [
            ("wechatpay-timestamp", note.timestamp.as_str()),
            ("wechatpay-nonce", &note.nonce),
            ("wechatpay-serial", serial),
            ("wechatpay-signature", &note.signature),
            ("content-type", "application/json"),
        ];
        (StatusCode::from_u16(status).unwrap(), headers, body).into_response()
    }

    async fn wait(&self) {
        if self.inner.lock().unwrap().mood == Mood::Late {
            tokio::time::sleep(Duration::from_secs(30)).await;
        }
    }
}

fn transaction(payment: &str, trade: &Trade) -> Value {
    let mut transaction = json!({
        "appid": APPID, "mchid": MCHID, "out_trade_no": payment, "trade_state": trade.state,
        "trade_state_desc": "…", "amount": { "total": trade.total, "currency": "CNY" },
    });
    if trade.state == "SUCCESS" {
        transaction["transaction_id"] = json!(trade.number);
        transaction["trade_type"] = json!("NATIVE");
        transaction["success_time"] = json!("2026-11-21T14:05:09+08:00");
        transaction["amount"]["payer_total"] = json!(trade.total);
    }
    transaction
}

fn refused(code: &str) -> Value {
    json!({ "code": code, "message": "…" })
}

/// The merchant must have signed exactly this request, just now.
fn check(method: &Method, uri: &Uri, headers: &HeaderMap, body: &[u8]) {
    let authorization = headers["authorization"].to_str().unwrap();
    let fields = authorization.strip_prefix("WECHATPAY2-SHA256-RSA2048 ").unwrap();
    let fields: HashMap<&str, &str> = fields
        .split(',')
        .map(|field| field.split_once('=').unwrap())
        .map(|(name, value)| (name, value.trim_matches('"')))
        .collect();
    assert_eq!((fields["mchid"], fields["serial_no"]), (MCHID, MERCHANT_SERIAL));
    assert_eq!(headers["wechatpay-serial"], SERIAL);
    assert_eq!(headers["accept"], "application/json");
    assert!(headers.contains_key("user-agent"));
    let timestamp = fields["timestamp"];
    assert!(timestamp.parse::<i64>().unwrap().abs_diff(seconds()) < 60);
    assert!(fields["nonce_str"].len() >= 16);
    let path = uri.path_and_query().unwrap().as_str();
    let body = std::str::from_utf8(body).unwrap();
    let signed = format!("{method}\n{path}\n{timestamp}\n{}\n{body}\n", fields["nonce_str"]);
    assert!(is_signed("merchant", &signed, fields["signature"]), "{signed}");
}

async fn native(
    State(fake): State<FakeWechatpay>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    check(&method, &uri, &headers, &body);
    let asked: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&asked["appid"], &asked["mchid"]), (&json!(APPID), &json!(MCHID)));
    assert_eq!(asked["notify_url"], "https://books.example/notify/wechatpay");
    assert_eq!(asked["amount"]["currency"], "CNY");
    assert!(asked["time_expire"].as_str().unwrap().ends_with("+08:00"));
    assert!((1..=127).contains(&asked["description"].as_str().unwrap().len()));
    let number = asked["out_trade_no"].as_str().unwrap().to_owned();
    assert!((6..=32).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_alphanumeric()));
    let hasty = {
        let mut inner = fake.inner.lock().unwrap();
        inner.orders += 1;
        let trade = Trade {
            total: asked["amount"]["total"].as_i64().unwrap(),
            state: "NOTPAY",
            number: format!("42000{:023}", rand::random::<u64>()),
        };
        inner.trades.entry(number.clone()).or_insert(trade);
        inner.hasty.clone()
    };
    if let Some(base) = hasty {
        fake.pay(&number);
        assert_eq!(fake.note(&number).send_to(&base).await, 204);
    }
    fake.wait().await;
    fake.signed(200, &json!({ "code_url": format!("weixin://wxpay/bizpayurl?pr={}", &number[..9]) }))
}

async fn query(
    State(fake): State<FakeWechatpay>,
    Path(number): Path<String>,
    Query(asked): Query<HashMap<String, String>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    check(&method, &uri, &headers, b"");
    assert_eq!(asked["mchid"], MCHID);
    let known = fake.inner.lock().unwrap().trades.get(&number).cloned();
    fake.wait().await;
    match known {
        Some(trade) => fake.signed(200, &transaction(&number, &trade)),
        None => fake.signed(404, &refused("ORDER_NOT_EXIST")),
    }
}

async fn close(
    State(fake): State<FakeWechatpay>,
    Path(number): Path<String>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    check(&method, &uri, &headers, &body);
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap(), json!({ "mchid": MCHID }));
    {
        let mut inner = fake.inner.lock().unwrap();
        match inner.trades.get_mut(&number) {
            Some(trade) if trade.state == "SUCCESS" => drop(inner),
            Some(trade) => {
                trade.state = "CLOSED";
                drop(inner);
                return fake.signed(204, &Value::Null);
            }
            None => drop(inner),
        }
    }
    fake.signed(400, &refused("ORDERPAID"))
}

async fn refund(
    State(fake): State<FakeWechatpay>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    check(&method, &uri, &headers, &body);
    let asked: Value = serde_json::from_slice(&body).unwrap();
    let (number, payment) =
        (asked["out_refund_no"].as_str().unwrap(), asked["out_trade_no"].as_str().unwrap());
    let answer = {
        let mut inner = fake.inner.lock().unwrap();
        let status = inner.refund_status;
        let trade = inner.trades.get(payment).cloned().unwrap();
        let total = asked["amount"]["total"].as_i64().unwrap();
        assert_eq!((trade.state, trade.total), ("SUCCESS", total));
        let before: i64 = inner
            .refunds
            .values()
            .filter(|refund| refund["out_trade_no"] == payment && refund["out_refund_no"] != number)
            .filter(|refund| refund["status"] != "CLOSED")
            .map(|refund| refund["amount"]["refund"].as_i64().unwrap())
            .sum();
        assert!(before + asked["amount"]["refund"].as_i64().unwrap() <= total, "more than was paid");
        let fresh = json!({
            "refund_id": format!("50000{:020}", rand::random::<u64>()), "out_refund_no": number,
            "out_trade_no": payment, "transaction_id": trade.number, "channel": "ORIGINAL", "status": status,
            "amount": asked["amount"],
        });
        inner.refunds.entry(number.to_owned()).or_insert(fresh).clone()
    };
    fake.signed(200, &answer)
}

async fn refund_query(
    State(fake): State<FakeWechatpay>,
    Path(number): Path<String>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    check(&method, &uri, &headers, b"");
    let known = fake.inner.lock().unwrap().refunds.get(&number).cloned();
    match known {
        Some(refund) => fake.signed(200, &refund),
        None => fake.signed(404, &refused("RESOURCE_NOT_EXISTS")),
    }
}

async fn elsewhere(State(fake): State<FakeWechatpay>) -> &'static str {
    fake.inner.lock().unwrap().led_astray += 1;
    "{}"
}
