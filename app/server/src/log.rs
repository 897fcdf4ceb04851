//! The log on standard error, and traces: spans of requests and jobs that are sent to a collector by OTLP over HTTP, where the host
//! names one.

use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;
use base::config::own;
use base::traces;
use base::variables::ConfigError;
use opentelemetry::KeyValue;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{TraceContextExt, TracerProvider};
use opentelemetry_http::{Bytes, HeaderExtractor, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use tokio::runtime::Handle;
use tracing::{Level, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};

use crate::house::HOUSE;

/// How long a collector may take for one sending.
const PATIENCE: Duration = Duration::from_secs(10);
/// The crates of the program that are no slice's.
const PARTS: [&str; 4] = ["domain", "openid", "photo", "press"];

/// What collects spans, until the program ends.
pub struct Collector(Option<SdkTracerProvider>);

impl Collector {
    /// Sends what has been collected and not been sent.
    pub fn end(self) {
        if let Some(Err(error)) = self.0.map(|provider| provider.shutdown_with_timeout(PATIENCE / 2)) {
            tracing::warn!(%error, "The last traces could not be sent");
        }
    }
}

/// Begins to log: `BINDERY_LOG` filters (such as `info` or `bindery=debug`), `BINDERY_LOG_FORMAT=json` is for machines. With
/// `collects`, spans are collected where `BINDERY_OTLP_URL` says where to.
pub fn begin(runtime: &Handle, collects: bool) -> Result<Collector, ConfigError> {
    let filter = EnvFilter::try_new(directives(&own::LOG.or_usual()))
        .map_err(|error| own::LOG.refusal(&error.to_string()))?;
    let provider = if collects { provider(runtime)? } else { None };
    let spans = provider.as_ref().map(|provider| {
        tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("bindery"))
            .with_context_activation(false)
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(filter_fn(|of| {
                if of.is_span() { of.target() == traces::TARGET } else { *of.level() <= Level::WARN }
            }))
    });
    let lines = fmt::layer().with_writer(std::io::stderr);
    let lines = match own::LOG_FORMAT.or_usual().as_str() {
        "json" => lines.json().boxed(),
        _ => lines.with_target(false).boxed(),
    };
    registry().with(spans).with(lines.with_filter(filter)).init();
    if provider.is_some() {
        // whoever is not known may not put its requests into our traces
        traces::collected(if own::TRUST_PROXY.is_on()? { joins } else { begins });
    }
    Ok(Collector(provider))
}

/// The filter's directives: of `bindery` are all crates of the program.
fn directives(text: &str) -> String {
    let crates = || HOUSE.slices.iter().map(|slice| slice.name).chain(PARTS);
    let all = text.split(',').flat_map(|directive| {
        let directive = directive.trim();
        let rest =
            directive.strip_prefix("bindery").filter(|rest| rest.is_empty() || rest.starts_with(['=', '[']));
        let others = rest.into_iter().flat_map(move |rest| crates().map(move |name| format!("{name}{rest}")));
        others.chain([directive.to_owned()])
    });
    all.collect::<Vec<_>>().join(",")
}

fn provider(runtime: &Handle) -> Result<Option<SdkTracerProvider>, ConfigError> {
    let Some(url) = own::OTLP_URL.get() else { return Ok(None) };
    let client = reqwest::Client::builder()
        .timeout(PATIENCE)
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .map_err(|error| own::OTLP_URL.refusal(&error.to_string()))?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Sending { client, runtime: runtime.clone() })
        .with_endpoint(traces_of(&url))
        .with_headers(headers(&own::OTLP_HEADERS.get().unwrap_or_default()))
        .build()
        .map_err(|error| own::OTLP_URL.refusal(&error.to_string()))?;
    let resource = Resource::builder()
        .with_service_name("bindery")
        .with_attribute(KeyValue::new("service.version", env!("PROGRAM_VERSION")))
        .build();
    let share = Sampler::TraceIdRatioBased(own::OTLP_SHARE.parsed()?);
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_sampler(Sampler::ParentBased(Box::new(share)))
        .with_resource(resource)
        .build();
    Ok(Some(provider))
}

/// Where a collector takes traces (OTLP/HTTP): the path that the standard names where the address has none.
fn traces_of(url: &str) -> String {
    match url.split_once("://").and_then(|(_, rest)| rest.split_once('/')) {
        Some((_, path)) if !path.is_empty() => url.to_owned(),
        _ => format!("{}/v1/traces", url.trim_end_matches('/')),
    }
}

/// `name=value` between commas, as OTEL_EXPORTER_OTLP_HEADERS has them.
fn headers(text: &str) -> HashMap<String, String> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

/// The trace of a span that goes on what the request's headers name.
fn joins(span: &Span, headers: &axum::http::HeaderMap) -> Option<String> {
    let parent = TraceContextPropagator::new().extract(&HeaderExtractor(headers));
    // fails for a span that nobody collects
    let _ = span.set_parent(parent);
    begins(span, headers)
}

/// The trace of a span that begins one.
fn begins(span: &Span, _: &axum::http::HeaderMap) -> Option<String> {
    let context = span.context();
    let context = context.span().span_context().clone();
    context.is_sampled().then(|| context.trace_id().to_string())
}

/// Sends over the program's own client. The batches are sent from a thread of their own, which has no runtime.
#[derive(Debug)]
struct Sending {
    client: reqwest::Client,
    runtime: Handle,
}

#[async_trait]
impl HttpClient for Sending {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let request = reqwest::Request::try_from(request)?;
        let client = self.client.clone();
        let answer = self.runtime.spawn(async move {
            let answer = client.execute(request).await?;
            let mut response = Response::builder().status(answer.status());
            if let Some(headers) = response.headers_mut() {
                *headers = answer.headers().clone();
            }
            Ok::<_, HttpError>(response.body(answer.bytes().await?)?)
        });
        answer.await?
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn bindery_is_every_crate_of_the_program() {
        let all = directives("bindery=debug,warn");
        for one in ["orders=debug", "photo=debug", "bindery=debug", "warn"] {
            assert!(all.split(',').any(|directive| directive == one), "{one} in {all}");
        }
        assert_eq!(directives("info, hyper=debug"), "info,hyper=debug");
        assert!(EnvFilter::try_new(all).is_ok());
    }

    #[test]
    fn a_collector_is_asked_where_it_takes_traces() {
        for (url, place) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"),
            ("https://collector.example/otlp/v1/traces", "https://collector.example/otlp/v1/traces"),
        ] {
            assert_eq!(traces_of(url), place);
        }
        let both = headers("authorization=Bearer a=b, x-scope=one");
        assert_eq!(both["authorization"], "Bearer a=b");
        assert_eq!(both["x-scope"], "one");
    }
}
