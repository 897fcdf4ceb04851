//! Headers that every answer carries, and the id by which a request is found in the log.

mod reports;
mod well_known;

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base::error::Refused;
use base::traces;
use base64::Engine;
use rand::Rng;

use crate::access::Policy::Everybody;
use crate::app::App;
use crate::assets;
use crate::calls::{self, Refusal};
use crate::render::{self, Inside};
use crate::route::Route;
use crate::ui::counted;

/// What programs look for beside the pages: who hears of holes, and where browsers report what the content policy
/// stopped.
pub const ROUTES: &[Route] = &[
    Route::new(reports::PATH, Everybody).handled(|| post(reports::take)),
    Route::new("/.well-known/security.txt", Everybody).handled(|| get(well_known::security)),
];

/// What a script that loads another site's carries, so that the content policy lets both run; new for every answer.
#[derive(Debug, Clone, Default)]
pub struct Nonce(pub String);

/// The id of one request, in the log and on an error page.
#[derive(Debug, Clone, Default)]
pub struct RequestId(pub String);

/// Cookies that go with an answer beside the session's, added wherever the request's parts are at hand.
#[derive(Debug, Clone, Default)]
pub struct Cookies(Arc<Mutex<Vec<HeaderValue>>>);

impl Cookies {
    /// Adds a cookie to the answer of the request with these parts.
    pub fn add(parts: &Parts, cookie: HeaderValue) {
        if let Some(Self(cookies)) = parts.extensions.get::<Self>() {
            cookies.lock().unwrap_or_else(PoisonError::into_inner).push(cookie);
        }
    }

    fn taken(&self) -> Vec<HeaderValue> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Which other sites may show an answer in a frame; none, unless the page says so.
#[derive(Debug, Clone, Default)]
pub struct Framing(Arc<Mutex<Vec<String>>>);

impl Framing {
    /// Lets these sites show the answer of the request with these parts in a frame: origins, such as
    /// `https://example.com`.
    pub fn allow(parts: &Parts, sites: &[String]) {
        if let Some(Self(allowed)) = parts.extensions.get::<Self>() {
            allowed.lock().unwrap_or_else(PoisonError::into_inner).extend(sites.iter().cloned());
        }
    }

    fn taken(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Nonce {
    fn new() -> Self {
        let mut bytes = [0; 16];
        rand::rng().fill_bytes(&mut bytes);
        Self(base64::engine::general_purpose::STANDARD_NO_PAD.encode(bytes))
    }
}

/// Which of what a browser keeps of this site goes (Clear Site Data).
pub const CLEARS: HeaderName = HeaderName::from_static("clear-site-data");

/// Gives a request its id and its nonce, its answer the security headers, and logs it in one line.
pub async fn headers(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let nonce = Nonce::new();
    let id = ulid::Ulid::new().to_string();
    let (method, path) = (request.method().clone(), logged(request.uri().path()).to_owned());
    request.extensions_mut().insert(nonce.clone());
    request.extensions_mut().insert(RequestId(id.clone()));
    let cookies = Cookies::default();
    request.extensions_mut().insert(cookies.clone());
    let framing = Framing::default();
    request.extensions_mut().insert(framing.clone());
    let is_for_nobody = is_for_nobody(request.uri().path());
    if is_for_nobody {
        for name in [header::COOKIE, header::AUTHORIZATION] {
            request.headers_mut().remove(name);
        }
    }
    let traced = traces::request(&request, &id);
    let start = std::time::Instant::now();

    let mut response = traced.carry(next.run(request)).await;

    let (millis, status) = (start.elapsed().as_millis(), response.status().as_u16());
    traced.answered(status);
    traced.say(|| tracing::info!(%method, path, status, millis, "Answered a request"));
    let inside = response.extensions().get::<Inside>().cloned().unwrap_or_default();
    let headers = response.headers_mut();
    for cookie in cookies.taken() {
        headers.append(header::SET_COOKIE, cookie);
    }
    if is_for_nobody {
        headers.remove(header::SET_COOKIE);
    }
    // what was fetched when a link was pressed is from before; a reading that is told changes no page
    if !method.is_safe() && path != counted::PATH && !headers.contains_key(CLEARS) {
        headers.insert(CLEARS, HeaderValue::from_static("\"prefetchCache\""));
    }
    put_policies(&app, headers, &nonce, &inside, &path, &framing.taken());
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    response
}

/// What other sites show in their frames is the same for everybody: no cookie that comes with such a request is read, and none
/// is set.
fn is_for_nobody(path: &str) -> bool {
    path.strip_prefix("/embed").is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// How long browsers ask for this host by https only, where it is (RFC 6797): two years, as preload lists want it. Other
/// hosts of the domain are not ours to speak for.
const HTTPS_ONLY: &str = "max-age=63072000";

/// What others may show on their own pages: assets, and the pictures of what is published. Everything else is for this
/// site alone.
const FOR_OTHER_SITES: [&str; 7] =
    ["/assets/", "/read/", "/embed/", "/epaper/", "/magazine/", "/shelf/", "/card/"];

/// What a file of the program may do where it is no part of a page but a worker, or opened by itself. It has no form and no
/// frame, and whatever else a page is told: a page may ask for twenty of them over a slow line.
const OF_ASSETS: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    ),
];

/// What browsers may do with an answer (OWASP ASVS 5.0, chapter 3.4).
fn put_policies(
    app: &App,
    headers: &mut HeaderMap,
    nonce: &Nonce,
    inside: &Inside,
    path: &str,
    framed_by: &[String],
) {
    let is_file = headers.get(header::CACHE_CONTROL).is_some_and(|keeping| keeping == assets::KEEPING);
    if is_file && path.starts_with("/assets/") {
        headers.extend(OF_ASSETS.map(|(name, value)| (name, HeaderValue::from_static(value))));
        if app.config.secure_cookies {
            headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HTTPS_ONLY));
        }
        return;
    }
    // browsers apply form-action also to where a form's answer redirects
    let forms = app.form_origins();
    let ancestors = if framed_by.is_empty() { "'none'".to_owned() } else { framed_by.join(" ") };
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{0}'{scripts}; style-src 'self'{styles}; img-src 'self' data: blob:; \
         media-src 'self'; connect-src 'self'; font-src 'self'; form-action 'self'{forms}; base-uri 'none'; frame-ancestors {ancestors}; \
         report-uri {1}; report-to csp",
        nonce.0,
        reports::PATH,
        scripts = inside.scripts,
        styles = inside.styles,
    );
    let others = FOR_OTHER_SITES.iter().any(|place| path.starts_with(place));
    let fixed: [(HeaderName, &'static str); 7] = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // form handlers need the page a form stood on, on this site only
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            if others { "cross-origin" } else { "same-origin" },
        ),
        (HeaderName::from_static("reporting-endpoints"), reports::ENDPOINT),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !framed_by.is_empty() {
        // older than the content policy, it knows no list of sites
        headers.remove(header::X_FRAME_OPTIONS);
    }
    if app.config.secure_cookies {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HTTPS_ONLY));
    }
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
}

/// Refuses whatever is sent from another site's page, also where other headers say that it is ours.
pub async fn same_origin(request: Request, next: Next) -> Response {
    if !request.method().is_safe() && is_foreign(request.headers()) {
        return crate::router::foreign_origin();
    }
    next.run(request).await
}

fn is_foreign(headers: &HeaderMap) -> bool {
    let header = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    header(header::ORIGIN).is_some_and(|origin| {
        let authority = origin.split_once("://").map(|(_, authority)| authority);
        authority.is_none() || authority != header(header::HOST)
    })
}

/// Refuses a request that names its host twice or not at all (RFC 9112, section 3.2): whoever stands between may have read
/// another one than we would. HTTP/1.0 knows no such header.
pub async fn one_host(request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || (hosts == 0 && request.version() >= Version::HTTP_11) {
        return (StatusCode::BAD_REQUEST, "Host").into_response();
    }
    next.run(request).await
}

/// A path without what nobody should read in a log: whose browser asks to be signed in, who is let in by a link.
fn logged(path: &str) -> &str {
    let secret = [
        "/gift/",
        "/manager/scan/",
        "/newsletter/confirm/",
        "/newsletter/leave/",
        "/review/",
        "/staff/invitation/",
        "/y/",
    ];
    secret.into_iter().find(|place| path.starts_with(place)).unwrap_or(path)
}

/// The sentence for a refusal that is only a line of English text.
fn bare(response: &Response) -> Option<&'static str> {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !response.status().is_client_error() || !kind.is_some_and(|kind| kind.starts_with("text/plain")) {
        return None;
    }
    Some(match response.status() {
        StatusCode::PAYLOAD_TOO_LARGE => "发送的内容太大，服务器没有收下。",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "发送的内容不是这个地址能读的格式。",
        StatusCode::NOT_FOUND => "找不到这个页面，或者它已不存在。",
        StatusCode::REQUEST_TIMEOUT => "等了太久也没有收完请求，请再试一次。",
        _ => "这个请求写得不对，请回到上一页再试。",
    })
}

/// Turns an error that a handler returned into a page in the site's hand, or into JSON for a call.
pub async fn error_pages(State(app): State<App>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let mut shown = axum::http::Request::new(()).into_parts().0;
    shown.uri = parts.uri.clone();
    shown.method = parts.method.clone();
    shown.extensions = parts.extensions.clone();
    let is_call = calls::is_call(parts.uri.path());
    // payment providers are told in their own words
    let is_providers = parts.uri.path().starts_with("/notify/");
    let response = next.run(Request::from_parts(parts, body)).await;
    if response.status() == StatusCode::METHOD_NOT_ALLOWED {
        let mut page = if is_call {
            Refusal { code: 405, msg: "请求方法不正确".into(), data: None }.into_response()
        } else {
            let message = "这个地址不接受这样的请求。".to_owned();
            render::error_page(&app, shown, StatusCode::METHOD_NOT_ALLOWED, message).await
        };
        // RFC 9110 section 15.5.6 wants it
        if let Some(allowed) = response.headers().get(header::ALLOW) {
            page.headers_mut().insert(header::ALLOW, allowed.clone());
        }
        return page;
    }
    let Some(error) = response.extensions().get::<Refused>().cloned() else {
        return match bare(&response).filter(|_| !is_providers) {
            // a limit or a parser of the framework refused it, before any handler
            Some(message) if is_call => {
                Refusal { code: response.status().as_u16(), msg: message.into(), data: None }.into_response()
            }
            Some(message) => render::error_page(&app, shown, response.status(), message.into()).await,
            None => response,
        };
    };
    let kept = response.headers().get(header::RETRY_AFTER).cloned();
    let mut page = if is_call {
        Refusal { code: response.status().as_u16(), msg: error.told, data: None }.into_response()
    } else if let Some(feature) = error.closed {
        render::closed_page(&app, shown, feature).await
    } else {
        render::error_page(&app, shown, response.status(), error.message).await
    };
    if let Some(value) = kept {
        page.headers_mut().insert(header::RETRY_AFTER, value);
    }
    page
}
