//! WeChat Pay API v3, Native (微信支付 Native 支付, direct merchant). Requests are signed with the merchant's key, answers and
//! notifications verified with the platform's, and what a notification holds is opened with the APIv3 key, as
//! <https://pay.weixin.qq.com/doc/v3/merchant/4012365342> describes.

use axum::http::HeaderMap;
use base::time;
use domain::ids::PaymentId;
use domain::money::Fen;
use rand::RngExt;
use reqwest::{Client, Method};
use serde::Deserialize;
use serde_json::{Value, json};

use super::http::{self, Answer};
use super::{Bill, Failure, Provider, Receipt, Sending, Sent, Standing};
use crate::signing::{OpeningKey, SigningKey, VerifyingKey};

/// How far a signature's time may lie from ours, in seconds.
const SKEW_S: i64 = 5 * 60;
const SCHEME: &str = "WECHATPAY2-SHA256-RSA2048";

/// A merchant of WeChat Pay.
pub struct WechatPay {
    pub mchid: String,
    pub appid: String,
    /// The serial number of the merchant's certificate.
    pub serial: String,
    pub key: SigningKey,
    /// The serial number of the platform's certificate, or the id of its public key.
    pub platform_serial: String,
    pub platform_key: VerifyingKey,
    pub api_key: OpeningKey,
    /// Without a slash at the end.
    pub base: String,
    /// Where notifications arrive.
    pub notify_url: String,
    pub http: Client,
}

/// The word that a refusal is known by.
#[derive(Deserialize)]
struct Refusal {
    code: String,
}

#[derive(Deserialize)]
struct Transaction {
    appid: String,
    mchid: String,
    out_trade_no: String,
    trade_state: String,
    transaction_id: Option<String>,
    amount: Option<Amount>,
}

#[derive(Deserialize)]
struct Amount {
    total: i64,
    currency: String,
}

#[derive(Deserialize)]
struct Notification {
    event_type: String,
    resource: Resource,
}

#[derive(Deserialize)]
struct Resource {
    algorithm: String,
    ciphertext: String,
    nonce: String,
    #[serde(default)]
    associated_data: String,
}

#[derive(Deserialize)]
struct Refund {
    refund_id: String,
    out_refund_no: String,
    out_trade_no: String,
    status: String,
    amount: RefundAmount,
}

#[derive(Deserialize)]
struct RefundAmount {
    refund: i64,
    currency: String,
}

impl WechatPay {
    /// Asks, signed; the answer is the platform's own words.
    async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
        now: i64,
    ) -> Result<Answer, Failure> {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let (seconds, nonce) = (now / 1000, nonce());
        let signature = self.key.sign(&format!("{method}\n{path}\n{seconds}\n{nonce}\n{body}\n"))?;
        let authorization = format!(
            "{SCHEME} mchid=\"{}\",nonce_str=\"{nonce}\",signature=\"{signature}\",timestamp=\"{seconds}\",\
             serial_no=\"{}\"",
            self.mchid, self.serial
        );
        let mut question = self
            .http
            .request(method, format!("{}{path}", self.base))
            .header("authorization", authorization)
            .header("accept", "application/json")
            // which of its keys the platform shall sign with
            .header("wechatpay-serial", &self.platform_serial);
        if !body.is_empty() {
            question = question.header("content-type", "application/json").body(body);
        }
        let answer = http::send(question).await?;
        match self.verify(&answer.headers, &answer.body, now) {
            Ok(()) => Ok(answer),
            // somebody between us and the platform: nothing follows from it
            Err(_) if !(200..300).contains(&answer.status) => Err(Failure::Status(answer.status)),
            Err(failure) => Err(failure),
        }
    }

    /// Whether the platform signed this, just now.
    fn verify(&self, headers: &HeaderMap, body: &[u8], now: i64) -> Result<(), Failure> {
        let header = |name: &str| {
            let value =
                headers.get(name).and_then(|value| value.to_str().ok()).filter(|value| !value.is_empty());
            value.ok_or(Failure::Doubtful("it is not signed"))
        };
        if header("wechatpay-serial")? != self.platform_serial {
            return Err(Failure::Doubtful("it is signed with another key"));
        }
        let seconds: i64 =
            header("wechatpay-timestamp")?.parse().map_err(|_| Failure::Doubtful("it has no time"))?;
        if seconds.abs_diff(now / 1000) > SKEW_S.unsigned_abs() {
            return Err(Failure::Doubtful("it is too old, or the clock is wrong"));
        }
        let mut signed = format!("{seconds}\n{}\n", header("wechatpay-nonce")?).into_bytes();
        signed.extend_from_slice(body);
        signed.push(b'\n');
        Ok(self.platform_key.verify(&signed, header("wechatpay-signature")?)?)
    }

    /// What a transaction says, when it is one of ours.
    fn standing(&self, transaction: Transaction) -> Result<(PaymentId, Standing), Failure> {
        if transaction.appid != self.appid {
            return Err(Failure::Doubtful("it is for another appid"));
        }
        if transaction.mchid != self.mchid {
            return Err(Failure::Doubtful("it is for another mchid"));
        }
        let id: PaymentId =
            transaction.out_trade_no.parse().map_err(|_| Failure::Doubtful("it has no number of ours"))?;
        let standing = match transaction.trade_state.as_str() {
            "SUCCESS" => {
                let amount = transaction.amount.ok_or(Failure::Doubtful("it has no amount"))?;
                if amount.currency != "CNY" {
                    return Err(Failure::Doubtful("it is in another currency"));
                }
                let number = transaction.transaction_id.filter(|number| !number.is_empty());
                if number.is_none() {
                    return Err(Failure::Doubtful("it has no transaction id"));
                }
                Standing::Paid(Receipt { payment: id.clone(), number, amount: Fen(amount.total) })
            }
            "NOTPAY" | "USERPAYING" | "PAYERROR" => Standing::Open,
            "CLOSED" | "REVOKED" => Standing::Closed,
            // REFUND: paid and sent back outside of this program; that is the operator's to settle
            _ => return Err(Failure::Doubtful("it is in a state that needs a look")),
        };
        Ok((id, standing))
    }

    fn sent(&self, sending: &Sending<'_>, answer: &Answer) -> Result<Sent, Failure> {
        let refund: Refund = read(&answer.body)?;
        let ours = refund.out_refund_no == sending.id.as_str()
            && refund.out_trade_no == sending.payment.as_str()
            && refund.amount.refund == sending.amount.0
            && refund.amount.currency == "CNY";
        if !ours {
            return Err(Failure::Doubtful("it is about another refund"));
        }
        match refund.status.as_str() {
            "SUCCESS" => Ok(Sent::Done(refund.refund_id)),
            "PROCESSING" => Ok(Sent::Processing),
            "CLOSED" => Ok(Sent::Never("CLOSED".into())),
            // ABNORMAL: it left, but the payer's account does not take it; handled on the platform's own pages
            other => Err(Failure::Refused(other.to_owned())),
        }
    }
}

#[async_trait::async_trait]
impl Provider for WechatPay {
    async fn begin(&self, bill: &Bill<'_>, now: i64) -> Result<String, Failure> {
        #[derive(Deserialize)]
        struct Begun {
            code_url: String,
        }
        let body = json!({
            "appid": self.appid,
            "mchid": self.mchid,
            "description": bill.title,
            "out_trade_no": bill.id,
            "time_expire": time::rfc3339(bill.expires_at),
            "notify_url": self.notify_url,
            "amount": { "total": bill.amount.0, "currency": "CNY" },
        });
        let answer = self.ask(Method::POST, "/v3/pay/transactions/native", Some(body), now).await?;
        if answer.status != 200 {
            return Err(refused(&answer));
        }
        let begun: Begun = read(&answer.body)?;
        // the code is drawn for a phone: it must lead nowhere else
        let plausible = begun.code_url.starts_with("weixin://") && begun.code_url.len() <= 512;
        if plausible { Ok(begun.code_url) } else { Err(Failure::Doubtful("it has no code_url")) }
    }

    async fn query(&self, payment: &PaymentId, now: i64) -> Result<Standing, Failure> {
        let path = format!("/v3/pay/transactions/out-trade-no/{payment}?mchid={}", self.mchid);
        let answer = self.ask(Method::GET, &path, None, now).await?;
        if answer.status != 200 {
            return match code(&answer).as_str() {
                "ORDER_NOT_EXIST" | "ORDERNOTEXIST" => Ok(Standing::Unknown),
                _ => Err(refused(&answer)),
            };
        }
        let (id, standing) = self.standing(read(&answer.body)?)?;
        if id == *payment { Ok(standing) } else { Err(Failure::Doubtful("it is about another payment")) }
    }

    async fn close(&self, payment: &PaymentId, now: i64) -> Result<(), Failure> {
        let path = format!("/v3/pay/transactions/out-trade-no/{payment}/close");
        let answer = self.ask(Method::POST, &path, Some(json!({ "mchid": self.mchid })), now).await?;
        match (answer.status, code(&answer).as_str()) {
            (204, _) | (_, "ORDER_CLOSED" | "ORDER_NOT_EXIST" | "ORDERNOTEXIST") => Ok(()),
            _ => Err(refused(&answer)),
        }
    }

    async fn refund(&self, sending: &Sending<'_>, now: i64) -> Result<Sent, Failure> {
        let body = json!({
            "out_trade_no": sending.payment,
            "out_refund_no": sending.id,
            "amount": { "refund": sending.amount.0, "total": sending.paid.0, "currency": "CNY" },
        });
        let answer = self.ask(Method::POST, "/v3/refund/domestic/refunds", Some(body), now).await?;
        if answer.status == 200 {
            return self.sent(sending, &answer);
        }
        match code(&answer).as_str() {
            // asking again can't change these
            word @ ("PARAM_ERROR" | "RESOURCE_NOT_EXISTS" | "USER_ACCOUNT_ABNORMAL") => {
                Ok(Sent::Never(word.to_owned()))
            }
            _ => Err(refused(&answer)),
        }
    }

    async fn refund_standing(&self, sending: &Sending<'_>, now: i64) -> Result<Option<Sent>, Failure> {
        let path = format!("/v3/refund/domestic/refunds/{}", sending.id);
        let answer = self.ask(Method::GET, &path, None, now).await?;
        match (answer.status, code(&answer).as_str()) {
            (200, _) => self.sent(sending, &answer).map(Some),
            (404, "RESOURCE_NOT_EXISTS") => Ok(None),
            _ => Err(refused(&answer)),
        }
    }

    fn read_notification(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: i64,
    ) -> Result<Option<Receipt>, Failure> {
        self.verify(headers, body, now)?;
        let notification: Notification = read(body)?;
        let Resource { algorithm, ciphertext, nonce, associated_data } = notification.resource;
        if algorithm != "AEAD_AES_256_GCM" {
            return Err(Failure::Doubtful("it is encrypted in another way"));
        }
        let opened = self.api_key.open(&ciphertext, &nonce, &associated_data)?;
        if !notification.event_type.starts_with("TRANSACTION.") {
            return Ok(None);
        }
        Ok(match self.standing(read(&opened)?)?.1 {
            Standing::Paid(receipt) => Some(receipt),
            _ => None,
        })
    }
}

fn read<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|_| Failure::Doubtful("it can't be read"))
}

fn code(answer: &Answer) -> String {
    serde_json::from_slice::<Refusal>(&answer.body).map(|refusal| refusal.code).unwrap_or_default()
}

fn refused(answer: &Answer) -> Failure {
    let word: String = code(answer).chars().filter(|c| c.is_ascii_graphic()).take(60).collect();
    if word.is_empty() { Failure::Status(answer.status) } else { Failure::Refused(word) }
}

/// 32 letters and digits.
fn nonce() -> String {
    rand::rng().sample_iter(rand::distr::Alphanumeric).take(32).map(char::from).collect()
}
