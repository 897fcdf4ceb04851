//! Alipay page pay (电脑网站支付 alipay.trade.page.pay), keys without certificates, RSA2, as
//! <https://opendocs.alipay.com/open/270/105899> describes. The member goes to a signed address; everything else is
//! asked at the gateway, whose answers carry a signature over the very bytes of their one object.

use std::collections::BTreeMap;

use axum::http::HeaderMap;
use base::time;
use domain::ids::PaymentId;
use domain::money::Fen;
use reqwest::{Client, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Bill, Failure, Provider, Receipt, Sending, Sent, Standing, http};
use crate::signing::{SigningKey, VerifyingKey};

/// How far ahead of ours a notification's time may be, in ms. It may be as old as it likes: Alipay repeats one for a day,
/// and what it says (this was paid) is carried out once.
const AHEAD_MS: i64 = 5 * 60_000;

/// An application of Alipay's open platform.
pub struct Alipay {
    pub app_id: String,
    /// Who is paid: 2088 and twelve digits.
    pub seller_id: String,
    pub key: SigningKey,
    pub alipay_key: VerifyingKey,
    pub gateway: Url,
    /// Where notifications arrive.
    pub notify_url: String,
    /// Our site; payers come back to the page of their payment.
    pub public_url: String,
    pub http: Client,
}

/// What every answer begins with.
#[derive(Deserialize)]
struct Outcome {
    code: String,
    #[serde(default)]
    sub_code: String,
}

#[derive(Deserialize)]
struct Trade {
    out_trade_no: String,
    trade_status: String,
    #[serde(default)]
    trade_no: String,
    #[serde(default)]
    total_amount: String,
}

#[derive(Deserialize)]
struct Refund {
    #[serde(default)]
    out_trade_no: String,
    #[serde(default)]
    out_request_no: String,
    #[serde(default)]
    trade_no: String,
    #[serde(default)]
    refund_status: String,
    #[serde(default)]
    refund_amount: String,
    #[serde(default)]
    fund_change: String,
}

impl Alipay {
    /// The parameters of a method, signed.
    fn signed(
        &self,
        method: &str,
        content: &Value,
        addresses: &[(&'static str, String)],
        now: i64,
    ) -> Result<BTreeMap<&'static str, String>, Failure> {
        let mut parameters = BTreeMap::from([
            ("app_id", self.app_id.clone()),
            ("method", method.to_owned()),
            ("format", "JSON".to_owned()),
            ("charset", "utf-8".to_owned()),
            ("sign_type", "RSA2".to_owned()),
            ("timestamp", time::to_the_second(now)),
            ("version", "1.0".to_owned()),
            ("biz_content", content.to_string()),
        ]);
        parameters.extend(addresses.iter().cloned());
        let sign = self.key.sign(&joined(parameters.iter().map(|(name, value)| (*name, value.as_str()))))?;
        parameters.insert("sign", sign);
        Ok(parameters)
    }

    /// Asks the gateway; the answer's object, verified, or the word that it refuses with.
    async fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        content: Value,
        now: i64,
    ) -> Result<Result<T, String>, Failure> {
        let mut parameters = self.signed(method, &content, &[], now)?;
        // the gateway reads the charset before the body
        let content = parameters.remove("biz_content").unwrap_or_default();
        let body = serde_urlencoded::to_string([("biz_content", content)])
            .map_err(|_| Failure::Doubtful("it could not be asked"))?;
        let question = self
            .http
            .post(self.gateway.clone())
            .query(&parameters)
            .header("content-type", "application/x-www-form-urlencoded;charset=utf-8")
            .body(body);
        let answer = http::send(question).await?;
        if answer.status != 200 {
            return Err(Failure::Status(answer.status));
        }
        let node = self.verified(&format!("{}_response", method.replace('.', "_")), &answer.body)?;
        let outcome: Outcome = read(node.as_bytes())?;
        if outcome.code == "10000" {
            return read(node.as_bytes()).map(Ok);
        }
        let word = if outcome.sub_code.is_empty() { outcome.code } else { outcome.sub_code };
        Ok(Err(word.chars().filter(|c| c.is_ascii_graphic()).take(60).collect()))
    }

    /// The signed object of an answer, byte for byte.
    fn verified(&self, name: &str, body: &[u8]) -> Result<String, Failure> {
        let answer: BTreeMap<String, Box<RawValue>> = read(body)?;
        let node = answer.get(name).ok_or(Failure::Doubtful("it is no answer"))?;
        let sign = answer.get("sign").ok_or(Failure::Doubtful("it is not signed"))?;
        let sign: String = read(sign.get().as_bytes())?;
        self.alipay_key.verify(node.get().as_bytes(), &sign)?;
        Ok(node.get().to_owned())
    }
}

#[async_trait::async_trait]
impl Provider for Alipay {
    /// The address is signed here: Alipay hears of the payment when the member goes there.
    async fn begin(&self, bill: &Bill<'_>, now: i64) -> Result<String, Failure> {
        let content = json!({
            "out_trade_no": bill.id,
            "product_code": "FAST_INSTANT_TRADE_PAY",
            "total_amount": bill.amount.to_string(),
            "subject": bill.title,
            "time_expire": time::to_the_second(bill.expires_at),
        });
        let back = format!("{}/manager/payment/{}?returned=1", self.public_url, bill.id);
        let addresses = [("notify_url", self.notify_url.clone()), ("return_url", back)];
        let parameters = self.signed("alipay.trade.page.pay", &content, &addresses, now)?;
        let mut address = self.gateway.clone();
        address.query_pairs_mut().extend_pairs(&parameters);
        Ok(address.into())
    }

    async fn query(&self, payment: &PaymentId, now: i64) -> Result<Standing, Failure> {
        let asked = self.ask::<Trade>("alipay.trade.query", json!({ "out_trade_no": payment }), now).await?;
        let trade = match asked {
            Ok(trade) => trade,
            Err(word) if word == "ACQ.TRADE_NOT_EXIST" => return Ok(Standing::Unknown),
            Err(word) => return Err(Failure::Refused(word)),
        };
        if trade.out_trade_no != payment.as_str() {
            return Err(Failure::Doubtful("it is about another payment"));
        }
        standing(payment, &trade.trade_status, &trade.trade_no, &trade.total_amount)
    }

    async fn close(&self, payment: &PaymentId, now: i64) -> Result<(), Failure> {
        match self.ask::<Value>("alipay.trade.close", json!({ "out_trade_no": payment }), now).await? {
            Ok(_) => Ok(()),
            // nobody has gone there; its address ends by itself
            Err(word) if word == "ACQ.TRADE_NOT_EXIST" => Ok(()),
            Err(word) => Err(Failure::Refused(word)),
        }
    }

    async fn refund(&self, sending: &Sending<'_>, now: i64) -> Result<Sent, Failure> {
        let content = json!({
            "out_trade_no": sending.payment,
            "out_request_no": sending.id,
            "refund_amount": sending.amount.to_string(),
        });
        match self.ask::<Refund>("alipay.trade.refund", content, now).await? {
            Ok(refund) if refund.out_trade_no != sending.payment.as_str() => {
                Err(Failure::Doubtful("it is about another payment"))
            }
            Ok(refund) if refund.fund_change == "Y" => Ok(Sent::Done(refund.trade_no)),
            // sent before, perhaps: the next question tells
            Ok(_) => Ok(Sent::Processing),
            Err(word) => match word.as_str() {
                // asking again can't change these
                "ACQ.TRADE_NOT_EXIST"
                | "ACQ.TRADE_HAS_FINISHED"
                | "ACQ.TRADE_STATUS_ERROR"
                | "ACQ.REASON_TRADE_REFUND_FEE_ERR"
                | "ACQ.INVALID_PARAMETER" => Ok(Sent::Never(word)),
                _ => Err(Failure::Refused(word)),
            },
        }
    }

    async fn refund_standing(&self, sending: &Sending<'_>, now: i64) -> Result<Option<Sent>, Failure> {
        let content = json!({ "out_trade_no": sending.payment, "out_request_no": sending.id });
        match self.ask::<Refund>("alipay.trade.fastpay.refund.query", content, now).await? {
            Ok(refund) if refund.refund_status == "REFUND_SUCCESS" => {
                let ours = refund.out_trade_no == sending.payment.as_str()
                    && refund.out_request_no == sending.id.as_str()
                    && refund.refund_amount.parse() == Ok(sending.amount);
                if ours {
                    Ok(Some(Sent::Done(refund.trade_no)))
                } else {
                    Err(Failure::Doubtful("it is about another refund"))
                }
            }
            Ok(_) => Ok(None),
            Err(word) if word == "ACQ.TRADE_NOT_EXIST" => Ok(None),
            Err(word) => Err(Failure::Refused(word)),
        }
    }

    fn read_notification(&self, _: &HeaderMap, body: &[u8], now: i64) -> Result<Option<Receipt>, Failure> {
        let unreadable = || Failure::Doubtful("it can't be read");
        let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(body).map_err(|_| unreadable())?;
        let count = pairs.len();
        let told: BTreeMap<String, String> = pairs.into_iter().collect();
        // a name twice could be signed as one thing and read as another
        if told.len() != count {
            return Err(unreadable());
        }
        let get = |name: &str| told.get(name).map(String::as_str).unwrap_or_default();
        if get("sign_type") != "RSA2" || !get("charset").eq_ignore_ascii_case("utf-8") {
            return Err(Failure::Doubtful("it is signed in another way"));
        }
        let signed = told.iter().filter(|(name, _)| *name != "sign" && *name != "sign_type");
        let signed = joined(signed.map(|(name, value)| (name.as_str(), value.as_str())));
        self.alipay_key.verify(signed.as_bytes(), get("sign"))?;
        if get("app_id") != self.app_id {
            return Err(Failure::Doubtful("it is for another app_id"));
        }
        if get("seller_id") != self.seller_id {
            return Err(Failure::Doubtful("it is for another seller_id"));
        }
        // times in this form sort as texts
        if get("notify_time") > time::to_the_second(now + AHEAD_MS).as_str() {
            return Err(Failure::Doubtful("it comes from the future, or the clock is wrong"));
        }
        let id: PaymentId =
            get("out_trade_no").parse().map_err(|_| Failure::Doubtful("it has no number of ours"))?;
        Ok(match standing(&id, get("trade_status"), get("trade_no"), get("total_amount"))? {
            Standing::Paid(receipt) => Some(receipt),
            _ => None,
        })
    }
}

/// What a trade's own words mean. TRADE_FINISHED is paid, and too old to be sent back.
fn standing(id: &PaymentId, status: &str, number: &str, amount: &str) -> Result<Standing, Failure> {
    Ok(match status {
        "TRADE_SUCCESS" | "TRADE_FINISHED" => {
            if number.is_empty() {
                return Err(Failure::Doubtful("it has no trade number"));
            }
            let amount: Fen = amount.parse().map_err(|_| Failure::Doubtful("it has no amount"))?;
            Standing::Paid(Receipt { payment: id.clone(), number: Some(number.to_owned()), amount })
        }
        "WAIT_BUYER_PAY" => Standing::Open,
        "TRADE_CLOSED" => Standing::Closed,
        _ => return Err(Failure::Doubtful("it is in a state that needs a look")),
    })
}

/// `a=1&b=2`, not encoded: what a signature covers.
fn joined<'a>(sorted: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    sorted.map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(body).map_err(|_| Failure::Doubtful("it can't be read"))
}
