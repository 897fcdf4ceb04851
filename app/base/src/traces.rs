//! Spans: what requests and jobs take, and what they ask the database. Each has two: one that only a collector of traces sees
//! ([`TARGET`]), with the attributes of OpenTelemetry's semantic conventions, and one that names the request or the job, and its
//! trace, in whatever is logged meanwhile. Where nobody collects, the first costs a look at a flag.

use std::future::Future;
use std::sync::OnceLock;

use axum::extract::MatchedPath;
use axum::http::{HeaderMap, Request};
use tracing::field::Empty;
use tracing::{Instrument, Span};

/// The target of spans that are for a collector alone.
pub const TARGET: &str = "bindery::traces";

/// Makes a span part of the trace that a request's headers name (W3C Trace Context), and answers the trace's id; nothing where this
/// one is not collected.
pub type Joins = fn(&Span, &HeaderMap) -> Option<String>;

static JOINS: OnceLock<Joins> = OnceLock::new();

/// From now on somebody collects.
pub fn collected(joins: Joins) {
    let _ = JOINS.set(joins);
}

tokio::task_local! {
    /// The span for a collector of what is under way here.
    static UNDER_WAY: Span;
}

/// A request or a job under way.
#[derive(Debug, Clone)]
pub struct Traced {
    whole: Span,
    named: Span,
}

impl Traced {
    /// What is logged meanwhile names it, and what is asked of the database is part of it.
    pub async fn carry<T>(&self, work: impl Future<Output = T>) -> T {
        UNDER_WAY
            .scope(self.whole.clone(), work.instrument(self.named.clone()))
            .instrument(self.whole.clone())
            .await
    }

    /// The same of what is said at once.
    pub fn say<T>(&self, work: impl FnOnce() -> T) -> T {
        self.whole.in_scope(|| self.named.in_scope(work))
    }

    /// Notes how a request was answered.
    pub fn answered(&self, status: u16) {
        self.whole.record("http.response.status_code", status);
        if status >= 500 {
            self.whole.record("otel.status_code", "ERROR");
        }
    }

    /// Notes whether a job was done.
    pub fn ended(&self, is_good: bool) {
        if !is_good {
            self.whole.record("otel.status_code", "ERROR");
        }
    }

    fn new(whole: Span, named: Span, headers: &HeaderMap) -> Self {
        if let Some(trace) = JOINS.get().and_then(|joins| joins(&whole, headers)) {
            named.record("trace", trace);
        }
        Self { whole, named }
    }
}

/// A request, by the pattern of its route.
pub fn request<B>(request: &Request<B>, id: &str) -> Traced {
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str);
    let method = request.method().as_str();
    let whole = tracing::trace_span!(
        target: TARGET, parent: None, "request",
        otel.name = format_args!("{method} {route}"), otel.kind = "server", otel.status_code = Empty,
        http.request.method = method, http.route = route, http.response.status_code = Empty, bindery.request = id,
    );
    let named = tracing::info_span!(parent: &whole, "request", id, trace = Empty);
    Traced::new(whole, named, request.headers())
}

/// A job, by its kind.
pub fn job(kind: &'static str, id: &str) -> Traced {
    let whole = tracing::trace_span!(
        target: TARGET, parent: None, "job",
        otel.name = format_args!("job {kind}"), otel.kind = "consumer", otel.status_code = Empty, bindery.job = id,
    );
    let named = tracing::info_span!(parent: &whole, "job", kind, id, trace = Empty);
    Traced::new(whole, named, &HeaderMap::new())
}

/// Has a part of what is under way here done by a task of its own, as that.
pub fn carried<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    let (whole, named) = (UNDER_WAY.try_with(Span::clone).unwrap_or_else(|_| Span::none()), Span::current());
    async move { UNDER_WAY.scope(whole.clone(), work.instrument(named)).instrument(whole).await }
}

/// A question to the database that a request or a job asks, from the module where it stands.
pub(crate) fn statement(system: &'static str, module: &'static str) -> Span {
    let under_way = UNDER_WAY.try_with(Span::clone).unwrap_or_else(|_| Span::none());
    if under_way.is_none() {
        return under_way;
    }
    tracing::trace_span!(
        target: TARGET, parent: &under_way, "statement",
        otel.name = format_args!("{system} {module}"), otel.kind = "client", db.system.name = system,
    )
}
