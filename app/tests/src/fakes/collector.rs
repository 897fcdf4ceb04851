//! A collector of traces: OTLP over HTTP in protobuf, read by the standard's own messages.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value::Value};
use prost::Message;
use tokio::net::TcpListener;

/// A span that came, its attributes and its resource's as texts.
#[derive(Debug, Clone)]
pub struct Span {
    pub name: String,
    pub kind: i32,
    /// In hexadecimal digits.
    pub trace: String,
    pub id: String,
    pub parent: String,
    pub attributes: BTreeMap<String, String>,
    pub resource: BTreeMap<String, String>,
    /// Whether it is one of something that failed.
    pub failed: bool,
}

/// What came, and with which header `authorization`.
#[derive(Debug, Default)]
struct Got {
    spans: Vec<Span>,
    keys: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Collector {
    /// Where it listens, without a path.
    pub url: String,
    got: Arc<Mutex<Got>>,
}

impl Collector {
    /// On a thread of its own: a test waits for the program's end while the last spans come.
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let got: Arc<Mutex<Got>> = Arc::default();
        let router = Router::new().route("/v1/traces", post(take)).with_state(got.clone());
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                axum::serve(TcpListener::from_std(listener).unwrap(), router).await.unwrap();
            });
        });
        Self { url, got }
    }

    pub fn spans(&self) -> Vec<Span> {
        self.got.lock().unwrap().spans.clone()
    }

    pub fn keys(&self) -> Vec<String> {
        self.got.lock().unwrap().keys.clone()
    }

    /// The spans of a name, of which there are some.
    pub fn named(&self, name: &str) -> Vec<Span> {
        let spans = self.spans();
        let found: Vec<_> = spans.iter().filter(|span| span.name == name).cloned().collect();
        assert!(
            !found.is_empty(),
            "no {name} among {:?}",
            spans.iter().map(|span| &span.name).collect::<Vec<_>>()
        );
        found
    }
}

async fn take(State(got): State<Arc<Mutex<Got>>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    assert_eq!(headers["content-type"], "application/x-protobuf");
    let Ok(request) = ExportTraceServiceRequest::decode(body) else { return StatusCode::BAD_REQUEST };
    let mut got = got.lock().unwrap();
    let key = headers.get("authorization").map(|key| key.to_str().unwrap().to_owned());
    got.keys.push(key.unwrap_or_default());
    for of in request.resource_spans {
        let resource = texts(of.resource.map(|resource| resource.attributes).unwrap_or_default());
        for span in of.scope_spans.into_iter().flat_map(|scope| scope.spans) {
            got.spans.push(Span {
                name: span.name,
                kind: span.kind,
                trace: hex::encode(span.trace_id),
                id: hex::encode(span.span_id),
                parent: hex::encode(span.parent_span_id),
                attributes: texts(span.attributes),
                resource: resource.clone(),
                failed: span.status.is_some_and(|status| status.code == 2),
            });
        }
    }
    StatusCode::OK
}

fn texts(pairs: Vec<KeyValue>) -> BTreeMap<String, String> {
    pairs.into_iter().map(|pair| (pair.key, text(pair.value))).collect()
}

fn text(value: Option<AnyValue>) -> String {
    match value.and_then(|value| value.value) {
        Some(Value::StringValue(text)) => text,
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::BoolValue(is)) => is.to_string(),
        other => format!("{other:?}"),
    }
}
