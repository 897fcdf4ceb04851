//! From a request to HTML. Pages are Leptos components; the answer is whole and clean: no hydration scripts,
//! no `<!>` markers, one piece.

mod compressed;
mod dictionary;
mod head;
mod kept;
mod styles;

use std::any::Any;
use std::collections::BTreeMap;
use std::future::Future;
use std::hash::Hash;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use base::db::new_id;
use base::error::{Error, INCOMPLETE};
use domain::tier::Feature;
use domain::typed::words;
use futures::{Stream, StreamExt, stream};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;
use sha2::{Digest, Sha256};

use crate::access;
use crate::app::App;
use crate::conditional;
use crate::origin::Origin;
use crate::route::Parameters;
use crate::security::Nonce;
use crate::session::{NothingElse, Visitor};
use crate::staff;
use crate::ui::closed::ClosedBody;
use crate::ui::shell::{Document, ErrorBody, ErrorDocument};

pub use compressed::Packed;
pub use head::{Ahead, Card, HEAD_PLACE, HeadSlot, Link};
pub use kept::Fragments;
pub use styles::{Inside, no_styles};

use compressed::Coding;
use dictionary::Dictionary;
use styles::Styles;

/// What a member sent in a form that was refused: every value comes back as it was sent, with what is wrong beside it.
#[derive(Debug, Clone, Default)]
pub struct Form {
    values: BTreeMap<String, Vec<Value>>,
    errors: Vec<FieldError>,
    note: Option<&'static str>,
}

/// A value as it was sent, and as it is read.
#[derive(Debug, Clone)]
struct Value {
    sent: String,
    /// Its [`words`].
    read: String,
}

impl From<String> for Value {
    fn from(sent: String) -> Self {
        Self { read: words(&sent), sent }
    }
}

/// One thing wrong with a form. The field is empty where it concerns the whole form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    pub field: String,
    pub message: String,
}

impl Form {
    /// What was sent, without any complaint yet.
    pub fn sent(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut form = Self::default();
        for (name, value) in pairs {
            form.values.entry(name).or_default().push(value.into());
        }
        form
    }

    /// The value sent for a field, as [`words`] are read; empty where none was sent. Numbers, codes and addresses have
    /// readers of their own, which begin with [`domain::typed`].
    pub fn get(&self, name: &str) -> &str {
        self.values.get(name).and_then(|values| values.first()).map_or("", |value| &value.read)
    }

    /// Every value sent under a name, as it was sent: ids, choices and secrets.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.values.get(name).into_iter().flatten().map(|value| value.sent.as_str())
    }

    /// The values whose names start so, in the order of the names, with the rest of each name, as [`words`] are read.
    pub fn starting_with<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.values.iter().filter_map(move |(name, values)| {
            Some((name.strip_prefix(prefix)?, values.first().map_or("", |value| &value.read)))
        })
    }

    /// Whether anything was sent at all (a page shown for the first time has an empty form).
    pub fn is_sent(&self) -> bool {
        !self.values.is_empty() || !self.errors.is_empty()
    }

    /// The value to show in a field: what was sent, else what is known.
    pub fn or(&self, name: &str, known: &str) -> String {
        match self.values.get(name) {
            Some(values) => values.first().map(|value| value.sent.clone()).unwrap_or_default(),
            None => known.to_owned(),
        }
    }

    /// Notes what is wrong with a field, or with the whole form where the name is empty.
    pub fn refuse(&mut self, field: &str, message: impl Into<String>) {
        self.errors.push(FieldError { field: field.to_owned(), message: message.into() });
    }

    /// What the page puts into its form by itself, such as an id that tells one press from another. Without it the whole form
    /// is refused, and the page that comes back has another one.
    pub fn own<T: FromStr>(&mut self, name: &str) -> Option<T> {
        self.own_where(name, |text| text.parse().ok())
    }

    /// The same of a word that is a key where `fits` says so.
    pub fn own_key(&mut self, name: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
        self.own_where(name, |key| fits(key).then(|| key.to_owned()))
    }

    fn own_where<T>(&mut self, name: &str, read: impl Fn(&str) -> Option<T>) -> Option<T> {
        let own = read(self.get(name));
        if own.is_none() {
            self.forget(name);
            self.refuse("", INCOMPLETE);
        }
        own
    }

    /// Puts a value in the place of what was sent.
    pub fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), vec![value.to_owned().into()]);
    }

    /// Forgets a value that must not come back, such as a password.
    pub fn forget(&mut self, field: &str) {
        self.values.remove(field);
    }

    /// What is wrong with one field.
    pub fn error(&self, field: &str) -> Option<String> {
        self.errors.iter().find(|error| error.field == field).map(|error| error.message.clone())
    }

    /// Everything that is wrong.
    pub fn errors(&self) -> &[FieldError] {
        &self.errors
    }

    /// Says why it is here again though nothing is wrong with it.
    pub fn set_note(&mut self, note: &'static str) {
        self.note = Some(note);
    }

    /// Why it is here again though nothing is wrong with it.
    pub fn note(&self) -> Option<&'static str> {
        self.note
    }

    /// Whether anything is wrong.
    pub fn is_refused(&self) -> bool {
        !self.errors.is_empty()
    }
}

/// The form that this page was asked to show again; empty on a first visit.
pub fn use_form() -> Form {
    use_context::<Form>().unwrap_or_default()
}

/// The member whose page this is. Pages behind the access table have one.
pub fn use_member() -> Option<crate::session::Member> {
    use_context::<Visitor>().and_then(|visitor| visitor.0)
}

/// Who really looks at this page, where a sub-member works for the member.
pub fn use_acting() -> Option<crate::session::Acting> {
    use_member().and_then(|member| member.acting)
}

/// What a member's page works with.
pub struct Here {
    pub app: App,
    pub member: crate::session::Member,
}

/// The program and the member of this request. The access table lets nobody else reach a member's page.
pub fn here() -> Result<Here, Error> {
    let app = use_context::<App>().ok_or_else(|| Error::internal("a page outside a request"))?;
    let member = use_member().ok_or_else(|| Error::internal("a member's page was reached signed out"))?;
    Ok(Here { app, member })
}

/// A parameter of the route, as an id or a word; anything else is a page that does not exist.
pub fn parameter<T: std::str::FromStr>(name: &str) -> Result<T, Error> {
    let parameters = use_context::<Parameters>().unwrap_or_default();
    parameters.get(name).and_then(|text| text.parse().ok()).ok_or(Error::NotFound)
}

/// The path of this request, as sent.
pub fn use_path() -> String {
    use_context::<Parts>().map(|parts| parts.uri.path().to_owned()).unwrap_or_default()
}

/// The request's query, as sent.
pub fn use_raw_query() -> String {
    use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default()
}

/// One value of the request's query, decoded.
pub fn use_query(name: &str) -> Option<String> {
    let parts = use_context::<Parts>()?;
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(parts.uri.query()?).ok()?;
    pairs.into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// An id for what a form makes: sent twice, it makes one thing. Whoever comes back to the page is shown another one.
pub fn once<T: TryFrom<String>>() -> T
where
    T::Error: std::fmt::Debug,
{
    unkept();
    new_id()
}

/// The same as a field of the form with this id, at the document's end: the rest of the page stays the same, so its browser may
/// keep it. What the form makes is known by this and by what it is made of ([`id_from`](base::db::id_from)).
pub fn once_at_end(form: &str, name: &str) {
    if let Some(slot) = use_context::<HeadSlot>() {
        let id: String = new_id();
        slot.needs("once.js");
        slot.at_end(&format!(
            "<input type=\"hidden\" form=\"{form}\" name=\"{name}\" value=\"{id}\" autocomplete=\"off\" data-once>"
        ));
    }
}

/// Has nobody keep the page that is being made, its browser neither: it shows what nobody should find who comes after.
pub fn unkept() {
    if let Some(slot) = use_context::<HeadSlot>() {
        slot.unkept();
    }
}

/// Handler of every GET page. What was typed on it before signing in again is there once more.
pub async fn page(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let is_signed_in = parts.extensions.get::<Visitor>().is_some_and(|visitor| visitor.0.is_some());
    // it is shown once, so not to a browser that may not need the page
    let may_wait =
        is_signed_in && !access::is_ahead(&parts.headers) && parts.extensions.get::<NothingElse>().is_none();
    let typed = if may_wait { app.house.identity.take_typed(&parts).await } else { Ok(None) };
    let form = typed.unwrap_or_else(|error| {
        tracing::warn!(%error, "What was typed before could not be shown again");
        None
    });
    let styles = Styles::of_browser(&parts.headers, app.config.secure_cookies);
    let shown = at_address(&app, &parts.uri);
    render(&app, parts, form.unwrap_or_default(), styles, shown).await
}

/// The page at `path` once more, with the form that was sent: status 422 where it was refused.
pub async fn again(app: &App, mut parts: Parts, path: &str, form: Form) -> Result<Response, Error> {
    parts.uri = path.parse::<Uri>().map_err(Error::internal)?;
    parts.method = axum::http::Method::GET;
    let refused = form.is_refused();
    let shown = at_address(app, &parts.uri);
    let mut response = render(app, parts, form, Styles::Linked, shown).await;
    if refused && response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(response)
}

/// The same under a status of the refusal's own.
pub async fn again_as(
    app: &App,
    parts: Parts,
    path: &str,
    form: Form,
    status: u16,
) -> Result<Response, Error> {
    let mut response = again(app, parts, path, form).await?;
    *response.status_mut() = StatusCode::from_u16(status).map_err(Error::internal)?;
    Ok(response)
}

/// An error as a page of its own.
pub async fn error_page(app: &App, parts: Parts, status: StatusCode, message: String) -> Response {
    let document = move || view! { <ErrorDocument status message/> }.into_any();
    let mut response = render(app, parts, Form::default(), Styles::Linked, document).await;
    *response.status_mut() = status;
    response
}

/// The page that says which tiers open what this member's does not: status 403.
pub async fn closed_page(app: &App, parts: Parts, feature: Feature) -> Response {
    let document = move || view! { <Document><ClosedBody feature/></Document> }.into_any();
    let mut response = render(app, parts, Form::default(), Styles::Linked, document).await;
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}

/// A page that is the same for everybody. It is rendered from its address alone, so that nothing of a request, no
/// visitor and no nonce, can get into what others are shown.
pub async fn for_everybody(app: &App, path: &'static str, base: Origin) -> Result<String, Error> {
    let (mut parts, ()) = Request::new(()).into_parts();
    parts.uri = Uri::from_static(path);
    parts.extensions.insert(base);
    let shown = at_address(app, &parts.uri);
    let response = render(app, parts, Form::default(), Styles::OfEverybody, shown).await;
    if response.status() != StatusCode::OK {
        return Err(Error::internal(format!("{path} could not be rendered: {}", response.status())));
    }
    let html = axum::body::to_bytes(response.into_body(), usize::MAX).await.map_err(Error::internal)?;
    String::from_utf8(html.into()).map_err(Error::internal)
}

/// The document of the page at an address.
fn at_address(app: &App, address: &Uri) -> impl FnOnce() -> AnyView + Send + 'static {
    let page = app.routes.page(address.path());
    move || match page {
        Some((page, parameters)) => {
            provide_context(parameters);
            view! { <Document>{page()}</Document> }.into_any()
        }
        None => view! { <ErrorDocument status=StatusCode::NOT_FOUND message=String::new()/> }.into_any(),
    }
}

async fn render(
    app: &App,
    parts: Parts,
    form: Form,
    styles: Styles,
    document: impl FnOnce() -> AnyView + Send + 'static,
) -> Response {
    let visitor = parts.extensions.get::<Visitor>().cloned().unwrap_or_default();
    let nonce = parts.extensions.get::<Nonce>().cloned().unwrap_or_default();
    let secure = app.config.secure_cookies;
    let agent = || parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    let in_weixin =
        app.config.shares_in_weixin && agent().is_some_and(|agent| agent.contains("MicroMessenger"));
    let known = parts.headers.clone();
    // what was typed is shown once; the back office, and whomever it looks at, to nobody who comes after
    let is_looked_at = visitor.0.as_ref().is_some_and(|member| member.looked_at_until.is_some());
    let is_office = staff::is_own(parts.uri.path()) || is_looked_at;
    let may_be_kept = styles.is_of_browser() && !form.is_sent() && !is_office;
    let dictionary = Dictionary::of(parts.uri.path()).filter(|_| styles.is_of_browser() && !is_office);
    let coding = Coding::of(&parts.headers, dictionary);
    let shown = app.clone();
    let head = HeadSlot::default();
    let slot = head.clone();
    let context = move || {
        provide_context(slot.clone());
        provide_context(shown.clone());
        provide_context(visitor.clone());
        provide_context(form.clone());
    };
    let request = Request::from_parts(parts, Body::empty());
    let response = leptos_axum::handle_response_inner(context, document, request, in_one_piece).await;
    let (mut parts, body) = response.into_parts();
    let files = if access::saves_data(&known) { Vec::new() } else { styles.ahead(head.assets()) };
    if head.awaits_scripts() {
        head.at_end(&styles::later(&files));
    } else if let Some(files) = styles::links(&files) {
        parts.headers.append(header::LINK, files);
    }
    if let Some(cookie) = styles.cookie(head.assets(), secure) {
        parts.headers.append(header::SET_COOKIE, cookie);
    }
    let html = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    parts.extensions.insert(head.inside(&styles));
    // whoever opens one page and goes on elsewhere has no use for it
    if let Some(dictionary) = dictionary.filter(|_| styles.is_of_known_browser()) {
        head.link(Link { rel: "compression-dictionary", href: dictionary.address(), kind: "" });
    }
    let tags = head.html(&styles, in_weixin.then_some(&*nonce.0));
    let html = clean(&String::from_utf8_lossy(&html), &tags);
    let (html, tail) = with_tail(html, head.tail());
    let digest = Sha256::digest(&html).into();
    let may_be_kept = parts.status == StatusCode::OK && may_be_kept && head.is_kept();
    parts.headers.append(header::VARY, vary(may_be_kept, dictionary));
    if !may_be_kept {
        parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    } else if is_kept(&known, tail.is_empty().then_some(&digest), &mut parts.headers) {
        parts.status = StatusCode::NOT_MODIFIED;
        return Response::from_parts(parts, Body::empty());
    }
    let body = app.packed.body(html, digest, &tail, coding, &mut parts.headers);
    Response::from_parts(parts, body)
}

/// What ends a document.
const END: &str = "</body></html>";

/// A page cut in two: what is the same each time, and its end, where that is another one.
fn with_tail(mut html: String, tail: String) -> (String, String) {
    match html.strip_suffix(END).map(str::len) {
        Some(length) if !tail.is_empty() => {
            html.truncate(length);
            (html, tail + END)
        }
        _ => (html, String::new()),
    }
}

/// By what a page goes. One that may be kept is another one signed out, or in as somebody else.
fn vary(may_be_kept: bool, dictionary: Option<Dictionary>) -> HeaderValue {
    HeaderValue::from_static(match (may_be_kept, dictionary) {
        (true, Some(_)) => "cookie, accept-encoding, available-dictionary",
        (true, None) => "cookie, accept-encoding",
        (false, Some(_)) => "accept-encoding, available-dictionary",
        (false, None) => "accept-encoding",
    })
}

/// Lets a browser keep a page for itself and go back to it at once; whoever follows a link to it asks whether it is still the
/// same (RFC 9111, section 5.2.2.4), where that can be: it has a digest. Whether the browser with these headers has it already.
fn is_kept(known: &HeaderMap, digest: Option<&[u8; 32]>, headers: &mut HeaderMap) -> bool {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    let Some(digest) = digest else { return false };
    let tag = conditional::tag(digest);
    let is_known = conditional::is_known(known, &tag, None);
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    is_known
}

/// What stands for nothing where views have one type for all.
const NOTHING: &str = "<!--<() />-->";

/// Takes out the markers that Leptos leaves between nodes for hydration, and puts the head's tags in. Both marks
/// begin with `<`, which is escaped in text and attributes, so neither can be a member's words.
fn clean(html: &str, head: &str) -> String {
    let place = format!("<meta name=\"{HEAD_PLACE}\">");
    let (before, after) = html.split_once(&place).unwrap_or((html, ""));
    let mut clean = String::with_capacity(html.len() + head.len());
    push_without_marks(before, &mut clean);
    clean.push_str(head);
    push_without_marks(after, &mut clean);
    clean
}

fn without_marks(html: &str) -> String {
    let mut clean = String::with_capacity(html.len());
    push_without_marks(html, &mut clean);
    clean
}

fn push_without_marks(html: &str, to: &mut String) {
    let mut from = 0;
    for at in memchr::memmem::find_iter(html.as_bytes(), "<!") {
        if let Some(mark) = ["<!>", NOTHING].into_iter().find(|mark| html[at..].starts_with(mark)) {
            to.push_str(&html[from..at]);
            from = at + mark.len();
        }
    }
    to.push_str(&html[from..]);
}

/// A part of a page alone, which a script puts in its place. It sees no form.
pub fn fragment(part: impl FnOnce() -> AnyView) -> String {
    let html = Owner::new().with(|| {
        // what is kept was not refused, whatever the page around it shows again
        provide_context(Form::default());
        part().to_html()
    });
    without_marks(&html)
}

/// The same, made once of each `of`: it is made of nothing else. For [`inner_html`](leptos::html::InnerHtmlAttribute).
pub fn kept(name: &str, of: impl Hash, part: impl FnOnce() -> AnyView) -> Arc<str> {
    match use_context::<App>() {
        Some(app) => app.fragments.of(name, of, part),
        None => fragment(part).into(),
    }
}

/// The same of something large beside `of`, which is known by where it is.
pub fn kept_of<T: Any + Send + Sync>(
    name: &str,
    of: impl Hash,
    shared: &Arc<T>,
    part: impl FnOnce() -> AnyView,
) -> Arc<str> {
    match use_context::<App>() {
        Some(app) => app.fragments.of_shared(name, of, shared, part),
        None => fragment(part).into(),
    }
}

type Pinned<T> = Pin<Box<dyn Stream<Item = T> + Send>>;

/// Renders everything before the first byte leaves, so that a status set late still counts. Stock Leptos
/// appends scripts with the value of every resource (`chunks`); they are left out.
fn in_one_piece<V: IntoView + 'static>(
    view: V,
    _chunks: Box<dyn FnOnce() -> Pinned<String> + Send>,
    _out_of_order: bool,
) -> Pin<Box<dyn Future<Output = Pinned<String>> + Send>> {
    Box::pin(async move {
        let html: String = view.to_html_stream_in_order().collect().await;
        Box::pin(stream::once(async move { html })) as Pinned<String>
    })
}

/// A part of a page whose data must be loaded first. What can't be loaded becomes the error's page, with its
/// status.
pub fn loaded<T, V>(
    load: impl Future<Output = Result<T, Error>> + Send + 'static,
    view: impl FnOnce(T) -> V + Send + 'static,
) -> impl IntoView
where
    T: Send + 'static,
    V: IntoView + 'static,
{
    let answer = use_context::<ResponseOptions>();
    Suspend::new(async move {
        match load.await {
            Ok(value) => view(value).into_any(),
            Err(error) => {
                if let Error::Internal(cause) = &error {
                    tracing::error!(cause, "A page could not be made");
                }
                if let Some(answer) = &answer {
                    answer.set_status(error.status());
                }
                match error {
                    Error::Closed(feature) => view! { <ClosedBody feature/> }.into_any(),
                    Error::Elsewhere(place) => {
                        if let Some((answer, to)) = answer.zip(HeaderValue::from_str(&place).ok()) {
                            answer.insert_header(header::LOCATION, to);
                        }
                        view! { <a href=place>"这一页已经在别处了"</a> }.into_any()
                    }
                    error => view! { <ErrorBody status=error.status() message=error.message()/> }.into_any(),
                }
            }
        }
    })
}
