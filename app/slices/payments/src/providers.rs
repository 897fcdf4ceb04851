//! What every provider is asked, in one form. Each module speaks one protocol and answers only what it has verified:
//! who signed it, for whom, and when.

mod alipay;
mod http;
mod stand_in;
mod wechatpay;

use axum::http::HeaderMap;
use domain::ids::{PaymentId, PaymentRefundId};
use domain::money::Fen;

use super::signing::Broken;

pub use alipay::Alipay;
pub use http::client;
pub use stand_in::StandIn;
pub use wechatpay::WechatPay;

/// A payment as a provider is told of it.
pub struct Bill<'a> {
    pub id: &'a PaymentId,
    pub amount: Fen,
    /// What the payer reads.
    pub title: &'a str,
    /// Epoch ms.
    pub expires_at: i64,
}

/// Money to send back.
pub struct Sending<'a> {
    pub id: &'a PaymentRefundId,
    pub payment: &'a PaymentId,
    pub amount: Fen,
    /// The whole payment.
    pub paid: Fen,
}

/// Money that a provider received for us.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    pub payment: PaymentId,
    /// The provider's or the bank's own number.
    pub number: Option<String>,
    pub amount: Fen,
}

/// Where a payment stands at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It knows of none: nobody has opened it yet, or it never arrived.
    Unknown,
    /// Not paid, and it still could be.
    Open,
    /// Nobody can pay it any more.
    Closed,
    Paid(Receipt),
}

/// Where money on its way back stands at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    /// With the provider's number.
    Done(String),
    /// Accepted; it arrives later.
    Processing,
    /// It will not be sent, and why.
    Never(String),
}

/// Why a provider told us nothing that counts. None of these texts holds a key.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("it did not answer in time")]
    Late,
    #[error("it could not be asked: {0}")]
    Unreachable(reqwest::Error),
    #[error("it answered with status {0}")]
    Status(u16),
    #[error("it refused: {0}")]
    Refused(String),
    /// The answer is not provably the provider's, or not for us.
    #[error("its answer does not count: {0}")]
    Doubtful(&'static str),
}

impl Failure {
    /// As whoever looks after a refund reads it.
    pub fn sentence(&self) -> String {
        match self {
            Self::Late => "平台没有及时回答".to_owned(),
            Self::Unreachable(_) => "连不上平台".to_owned(),
            Self::Status(status) => format!("平台回答 HTTP {status}"),
            Self::Refused(word) => {
                let advice = match word.as_str() {
                    // 微信支付: 退款结果 ABNORMAL, 错误码 NOT_ENOUGH; 支付宝: alipay.trade.refund, 业务错误码
                    "ABNORMAL" | "ACQ.BUYER_ERROR" => "：付款的账户收不了款，请到支付平台的商户后台处理",
                    "NOT_ENOUGH" | "ACQ.SELLER_BALANCE_NOT_ENOUGH" => "：商户账户余额不足，充值后会再退",
                    _ => "",
                };
                let word: String = word.chars().take(MOST_WORD).collect();
                format!("平台没有受理（{word}）{advice}")
            }
            Self::Doubtful(_) => "平台的回答不能确认真伪".to_owned(),
        }
    }
}

/// How much of a provider's own word is kept, in characters.
const MOST_WORD: usize = 64;

impl From<Broken> for Failure {
    fn from(broken: Broken) -> Self {
        Self::Doubtful(match broken {
            Broken::Signature => "the signature is wrong",
            Broken::Sealed => "what is encrypted can't be opened",
            _ => "a key can't be used",
        })
    }
}

/// A provider of payments.
#[async_trait::async_trait]
pub trait Provider: Send + Sync {
    /// Begins a payment; the address at which it is paid: for a QR code, or to go to. Asking again is safe.
    async fn begin(&self, bill: &Bill<'_>, now: i64) -> Result<String, Failure>;

    /// Asks where a payment stands.
    async fn query(&self, payment: &PaymentId, now: i64) -> Result<Standing, Failure>;

    /// Makes a payment that nobody has paid one that nobody can pay.
    async fn close(&self, payment: &PaymentId, now: i64) -> Result<(), Failure>;

    /// Sends money back. Asking again under the same number sends nothing again.
    async fn refund(&self, sending: &Sending<'_>, now: i64) -> Result<Sent, Failure>;

    /// Asks where money on its way back stands; `None` when the provider knows nothing of it.
    async fn refund_standing(&self, sending: &Sending<'_>, now: i64) -> Result<Option<Sent>, Failure>;

    /// Reads a notification; `None` when it is the provider's but tells of no money that arrived.
    fn read_notification(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: i64,
    ) -> Result<Option<Receipt>, Failure>;
}
