//! The one error type of the program, and what each error is to whoever asked.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use domain::tier::Feature;

/// Why a request was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 404: there is no such thing, or it is somebody else's (the two look the same).
    #[error("not found")]
    NotFound,
    /// 401: a call that needs a member came without one.
    #[error("signed out")]
    SignedOut,
    /// 403: the caller may not do this.
    #[error("forbidden: {0}")]
    Forbidden(&'static str),
    /// 403: the member's tier does not open this.
    #[error("closed to this tier: {0:?}")]
    Closed(Feature),
    /// 400: the request makes no sense; the sentence says why.
    #[error("bad request: {0}")]
    BadRequest(String),
    /// 422: a form lacks what its page puts into it by itself, or names no act that there is.
    #[error("incomplete form")]
    Incomplete,
    /// 303: what was asked for is at another address of this site by now.
    #[error("elsewhere: {0}")]
    Elsewhere(String),
    /// 410: it was here and is not any more; the sentence says why.
    #[error("gone: {0}")]
    Gone(String),
    /// 409: the thing is no longer in the state that the request assumed.
    #[error("conflict: {0}")]
    Conflict(String),
    /// 413: the body is larger than this page takes.
    #[error("too large: {0}")]
    TooLarge(String),
    /// 507: this machine's disk is nearly full, so nothing large is taken in.
    #[error("the disk is nearly full")]
    Full,
    /// 429: too many attempts; how long to wait, and why.
    #[error("too many attempts, {} s to wait", .0.seconds)]
    TooMany(Wait),
    /// 503: this machine is too busy for an expensive request; try again soon.
    #[error("busy")]
    Busy,
    /// 503: nothing is written at the moment; the sentence says why, and until when.
    #[error("reading only: {0}")]
    ReadOnly(String),
    /// 500: anything unexpected. The cause is logged and never shown.
    #[error("{0}")]
    Internal(String),
}

/// What whoever sent an incomplete form reads.
pub const INCOMPLETE: &str = "表单不完整，请在页面上再填一次";

/// Why a command of the program failed, as a sentence.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Why something that was begun ends here: a trouble that a page tells, or a fault.
#[derive(Debug)]
pub enum Stop<T> {
    Trouble(T),
    Failed(Error),
}

/// A trouble of a slice's own, which is enough to [`Stop`].
pub trait Stops {}

impl<T: Stops> From<T> for Stop<T> {
    fn from(trouble: T) -> Self {
        Self::Trouble(trouble)
    }
}

impl<T> From<Error> for Stop<T> {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl<T> From<sqlx::Error> for Stop<T> {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// How long somebody has to wait, and why: a member who did nothing wrong must not be left guessing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wait {
    pub seconds: u64,
    /// What there was too much of: a sentence without its end.
    pub why: &'static str,
    /// What can be done until then, as a sentence; empty where nothing can.
    pub meanwhile: &'static str,
}

impl Wait {
    /// How long, as people say it.
    pub fn span(&self) -> String {
        match self.seconds {
            seconds @ 0..=120 => format!("{seconds} 秒"),
            seconds @ 121..=7200 => format!("{} 分钟", seconds.div_ceil(60)),
            seconds => format!("{} 小时", seconds.div_ceil(3600)),
        }
    }
}

impl Error {
    /// Wraps a cause that a caller never sees.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self::Internal(cause.to_string())
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Elsewhere(_) => StatusCode::SEE_OTHER,
            Self::SignedOut => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) | Self::Closed(_) => StatusCode::FORBIDDEN,
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Incomplete => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Gone(_) => StatusCode::GONE,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Full => StatusCode::INSUFFICIENT_STORAGE,
            Self::TooMany(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::ReadOnly(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The sentence a member reads.
    pub fn message(&self) -> String {
        match self {
            Self::NotFound => "找不到这个页面，或者它已不存在。".into(),
            Self::Elsewhere(_) => "这一页已经在别处了。".into(),
            Self::SignedOut => "请先登录".into(),
            Self::Forbidden(reason) => (*reason).into(),
            Self::Closed(feature) => format!("“{}”由{}开通", feature.name(), opened_by(*feature)),
            Self::Incomplete => INCOMPLETE.into(),
            Self::BadRequest(reason)
            | Self::Conflict(reason)
            | Self::Gone(reason)
            | Self::TooLarge(reason) => reason.clone(),
            Self::Full => "服务器的存储空间快满了，暂时收不下新的文件。已经保存的都在，请稍后再试。".into(),
            Self::TooMany(wait) => format!("{}，请 {}后再试。{}", wait.why, wait.span(), wait.meanwhile),
            Self::Busy => "现在有些繁忙，请稍后再试。".into(),
            Self::ReadOnly(sentence) => format!("{sentence}刚才的内容没有保存，恢复以后请再试一次。"),
            Self::Internal(_) => "请求失败，请重试".into(),
        }
    }

    /// The sentence that a program reads which called.
    pub fn told(&self) -> String {
        match self {
            Self::Internal(_) => "请求失败".to_owned(),
            Self::NotFound => "没有找到，或者它已不存在".to_owned(),
            other => other.message(),
        }
    }
}

/// The tiers that open a feature, as a text.
pub fn opened_by(feature: Feature) -> String {
    feature.opened_by().iter().map(|tier| tier.name()).collect::<Vec<_>>().join("、")
}

/// What PostgreSQL says of a transaction that may be tried again: `serialization_failure`, `deadlock_detected`
/// (<https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html>).
const UNDONE: [&str; 2] = ["40001", "40P01"];

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::RowNotFound => Self::NotFound,
            // nobody gave a connection back in time
            sqlx::Error::PoolTimedOut => Self::Busy,
            sqlx::Error::Database(cause) if cause.code().is_some_and(|code| UNDONE.contains(&&*code)) => {
                tracing::warn!(%cause, "A transaction was undone so that others go on");
                Self::Busy
            }
            other => Self::Internal(format!("database: {other}")),
        }
    }
}

impl From<object_store::Error> for Error {
    fn from(error: object_store::Error) -> Self {
        crate::metrics::storage_failed();
        Self::Internal(format!("storage: {error}"))
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Internal(format!("json: {error}"))
    }
}

/// Handlers answer an error with this; the router's outer layer turns it into a page in the site's hand, or into
/// JSON for a call.
impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if let Self::Internal(cause) = &self {
            tracing::error!(cause, "A request failed");
        }
        if let Self::Elsewhere(place) = &self {
            return Redirect::to(place).into_response();
        }
        let mut response = (self.status(), self.message()).into_response();
        if let Self::TooMany(wait) = &self {
            response.headers_mut().insert("retry-after", wait.seconds.into());
        }
        let closed = if let Self::Closed(feature) = self { Some(feature) } else { None };
        let refused = Refused { message: self.message(), told: self.told(), closed };
        response.extensions_mut().insert(refused);
        response
    }
}

/// Marks a response that is to become an error page, or a call's refusal.
#[derive(Debug, Clone)]
pub struct Refused {
    pub message: String,
    /// See [`Error::told`].
    pub told: String,
    /// What the caller's tier does not open, where that is why.
    pub closed: Option<Feature>,
}
