//! What all calls of programs and islands share (specification section 7): server functions on fixed addresses,
//! refusals as `{"code","msg"}`, the optional signature.
//!
//! The calls themselves are in the slices' `calls.rs`.

use axum::Json;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base::error::Error;
use leptos::prelude::{FromServerFnError, ServerFnErrorErr, expect_context, provide_context};
use leptos::server_fn::codec::{Encoding, FromRes, IntoRes};
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use leptos::server_fn::response::{ClientRes, TryRes};
use leptos::server_fn::{ContentType, Format, FormatType, codec::JsonEncoding};
use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_sessions::Session;

use crate::app::App;
use crate::session::{Member, Visitor};
use crate::ui::forms::{has_control, unwritable};

/// The largest body of a call, in bytes.
const LARGEST_BODY: usize = 64 * 1024;

/// Whether an address belongs to the calls: refusals there are JSON, and nobody is sent to the sign-in page.
pub fn is_call(path: &str) -> bool {
    ["/user-center/", "/shopping/", "/cart/", "/works/", "/uwp/", "/manager/uploads"]
        .iter()
        .any(|base| path.starts_with(base))
        // of guests, below a code
        || path.strip_prefix("/g/").is_some_and(|rest| rest.split('/').nth(1) == Some("uploads"))
}

/// Why a call was not carried out: `{"code":400,"msg":"…"}`, the code being the HTTP status. Some say more in `data`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refusal {
    pub code: u16,
    pub msg: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl Refusal {
    /// The same with what the caller needs to know beside the sentence.
    pub fn with(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// An error as a call's answer.
    pub fn of(error: &Error) -> Self {
        Self { code: error.status().as_u16(), msg: error.told(), data: None }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        if let Error::Internal(cause) = &error {
            tracing::error!(cause, "A call failed");
        }
        Self::of(&error)
    }
}

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;
    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            // the framework would answer 500
            ServerFnErrorErr::Args(_)
            | ServerFnErrorErr::MissingArg(_)
            | ServerFnErrorErr::Deserialization(_) => Error::BadRequest("参数不正确".into()).into(),
            other => Error::internal(other).into(),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        (status, [(header::CACHE_CONTROL, "private, no-store")], Json(self)).into_response()
    }
}

/// `{"status":1,"data":…}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Answer<T> {
    pub status: i8,
    pub data: T,
}

impl<T> Answer<T> {
    /// The answer of a call that was carried out.
    pub fn ok(data: T) -> Self {
        Self { status: 1, data }
    }
}

/// `{"data":…}`: cart and member info lie one level deeper (specification section 7).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Inner<T> {
    pub data: T,
}

/// `{"list":[…]}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct List<T> {
    pub list: Vec<T>,
}

/// An answer of plain text (`getTotal`, `updateCart`).
pub struct PlainText;

impl ContentType for PlainText {
    const CONTENT_TYPE: &'static str = "text/plain; charset=utf-8";
}

impl FormatType for PlainText {
    const FORMAT_TYPE: Format = Format::Text;
}

impl Encoding for PlainText {
    const METHOD: Method = Method::POST;
}

impl<E: Send, R: TryRes<E>> IntoRes<PlainText, R, E> for String {
    async fn into_res(self) -> Result<R, E> {
        R::try_from_string(PlainText::CONTENT_TYPE, self)
    }
}

impl<E: Send, R: ClientRes<E> + Send> FromRes<PlainText, R, E> for String {
    async fn from_res(response: R) -> Result<Self, E> {
        response.try_into_string().await
    }
}

/// The program and the member of this call. The access table lets nobody else reach a member's call.
pub fn caller() -> Result<(App, Member), Refusal> {
    let member = expect_context::<Visitor>().0;
    let member = member.ok_or_else(|| Error::internal("a member's call was reached signed out"))?;
    Ok((expect_context::<App>(), member))
}

/// Handler of every call: checks the signature, runs the server function at this address, and gives a refusal its
/// status.
pub async fn handle(State(app): State<App>, request: Request) -> Result<Response, Error> {
    handle_up_to(LARGEST_BODY, app, request).await
}

/// The same for a call that takes larger bodies, in bytes.
pub async fn handle_up_to(most: usize, app: App, request: Request) -> Result<Response, Error> {
    let (mut parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, most).await.map_err(|_| Error::TooLarge("请求过大".into()))?;
    let query = read(parts.uri.query().unwrap_or_default().as_bytes());
    let form = read(&body);
    if query.iter().chain(&form).any(|(_, value)| has_control(value)) {
        return Err(unwritable());
    }
    check_signature(app.config.sign_key.as_deref(), query.iter().chain(&form))?;
    // what was checked is what the function reads, whatever another parser would make of the bytes
    let body = written(form);
    let path = parts.uri.path();
    parts.uri = format!("{path}?{}", written(query)).parse().map_err(Error::internal)?;
    if parts.method == Method::HEAD {
        // functions are known by GET; hyper leaves the body out
        parts.method = Method::GET;
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    // with text/html in it, the framework would answer with a redirect to the page that asked
    parts.headers.remove(header::ACCEPT);
    let visitor = parts.extensions.get::<Visitor>().cloned().unwrap_or_default();
    let session = parts.extensions.get::<Session>().cloned();
    let context = move || {
        if let Some(session) = session.clone() {
            provide_context(session);
        }
        provide_context(app.clone());
        provide_context(visitor.clone());
    };
    let mut request = Request::from_parts(parts, Body::from(body));
    // it was read already, and is no longer than it may be
    DefaultBodyLimit::disable().apply(&mut request);
    let response = leptos_axum::handle_server_fns_with_context(context, request).await.into_response();
    if !response.headers().contains_key(SERVER_FN_ERROR_HEADER) {
        return Ok(([(header::CACHE_CONTROL, "private, no-store")], response).into_response());
    }
    let wait = response.headers().get(header::RETRY_AFTER).cloned();
    let body = axum::body::to_bytes(response.into_body(), LARGEST_BODY).await.map_err(Error::internal)?;
    let mut refusal = serde_json::from_slice::<Refusal>(&body)?.into_response();
    if let Some(wait) = wait {
        refusal.headers_mut().insert(header::RETRY_AFTER, wait);
    }
    Ok(refusal)
}

/// Checks the parameter `sign` where there is one (specification section 7, "General behaviours"): the MD5 of every
/// other non-empty parameter, sorted by the bytes of the names, with the key behind them, in upper-case hex.
fn check_signature<'a>(key: Option<&str>, parameters: impl Iterator<Item = &'a Pair>) -> Result<(), Error> {
    let wrong = || Error::Forbidden("签名不正确");
    let given = parameters.filter(|(_, value)| !value.is_empty());
    let (signs, mut signed): (Vec<_>, Vec<_>) = given.partition(|(name, _)| name == "sign");
    let Some((_, sign)) = signs.first() else { return Ok(()) };
    let key = key.ok_or_else(wrong)?;
    signed.sort();
    if signs.len() == 1 && signature(&signed, key) == *sign { Ok(()) } else { Err(wrong()) }
}

/// A parameter's name and value, decoded.
type Pair = (String, String);

fn read(text: &[u8]) -> Vec<Pair> {
    serde_urlencoded::from_bytes(text).unwrap_or_default()
}

/// Parameters for the function: without the signature, and without names that its parser reads as lists.
fn written(mut parameters: Vec<Pair>) -> String {
    parameters.retain(|(name, value)| name != "sign" && !value.is_empty() && !name.contains('['));
    serde_urlencoded::to_string(parameters).unwrap_or_default()
}

/// `a=1&b=2&key={key}`, hashed.
fn signature(parameters: &[&Pair], key: &str) -> String {
    let mut text: String = parameters.iter().map(|(name, value)| format!("{name}={value}&")).collect();
    text.push_str("key=");
    text.push_str(key);
    Md5::digest(text).iter().map(|byte| format!("{byte:02X}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_covers_every_other_parameter_that_has_a_value() {
        // md5("a=1&b=2&key=secret")
        let right = "9F565CCD686CFA5DC3B06B3A89E4E3AD";
        let pairs = [("a".to_owned(), "1".to_owned()), ("b".to_owned(), "2".to_owned())];
        let sign = signature(&pairs.iter().collect::<Vec<_>>(), "secret");
        assert_eq!(sign, right);
        let check = |key, query: &str, body: &str| {
            check_signature(key, read(query.as_bytes()).iter().chain(&read(body.as_bytes()))).is_ok()
        };
        assert!(check(Some("secret"), &format!("b=2&a=1&empty=&sign={sign}"), ""));
        assert!(check(Some("secret"), "b=2", &format!("sign={sign}&a=1")));
        assert!(check(Some("secret"), "b=2&a=1", ""), "a signature is optional");
        assert!(check(None, "a=1&sign=", ""), "an empty one is none");
        assert!(check(Some("secret"), &format!("sign=&a=1&b=2&sign={sign}"), ""), "also beside a right one");
        assert!(!check(None, &format!("a=1&b=2&sign={sign}"), ""), "without a key nothing can be right");
        assert!(!check(Some("secret"), &format!("a=1&b=3&sign={sign}"), ""));
        assert!(!check(Some("secret"), &format!("a=1&b=2&c=3&sign={sign}"), ""));
        assert!(!check(Some("secret"), &format!("a=1&b=2&sign={}", sign.to_lowercase()), ""));
        assert!(!check(Some("other"), &format!("a=1&b=2&sign={sign}"), ""));
    }
}
