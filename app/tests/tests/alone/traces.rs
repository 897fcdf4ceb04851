//! Traces by OTLP: what a request and a job took goes to whoever collects it, names nobody, and is named in the log.

use reqwest::StatusCode;

use support::fakes::collector::Collector;
use support::{Server, jpeg, on_both_engines};

/// A span's kinds in the standard's messages.
const SERVER: i32 = 2;
const CLIENT: i32 = 3;
const CONSUMER: i32 = 5;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

async fn a_request_is_followed_to_the_database_and_into_its_job(mut server: Server) {
    let collector = Collector::start();
    server.stop();
    server.set("BINDERY_OTLP_URL", collector.url.clone());
    server.set("BINDERY_OTLP_HEADERS", "authorization=Bearer a-key");
    let log = server.log_everything();
    server.restart();
    let member = server.member("traced@example.com", "100").await;
    let photos = member.upload(vec![("一.jpg", jpeg(640, 480, 1))]).await;
    member.page("/manager/photos").await;
    member.get(&format!("/manager/photo/{}/320", photos[0])).await;
    // what was not sent by then is sent at the end
    server.stop();

    assert!(collector.keys().iter().all(|key| key == "Bearer a-key"), "{:?}", collector.keys());
    let request = collector.named("GET /manager/photos").remove(0);
    assert_eq!((request.kind, &*request.parent, request.failed), (SERVER, "", false));
    for (name, value) in [
        ("http.request.method", "GET"),
        ("http.route", "/manager/photos"),
        ("http.response.status_code", "200"),
    ] {
        assert_eq!(request.attributes[name], value);
    }
    assert_eq!(request.resource["service.name"], "bindery");
    collector.named("GET /manager/photo/{id}/{size}");
    let spans = collector.spans();
    let system = match server.engine {
        support::Engine::Sqlite => "sqlite",
        support::Engine::Postgres => "postgresql",
    };
    let asked: Vec<_> = spans.iter().filter(|span| span.parent == request.id).collect();
    assert!(!asked.is_empty(), "a page of a member's asks the database");
    for span in asked {
        assert_eq!((span.kind, &*span.trace), (CLIENT, &*request.trace));
        assert_eq!(span.attributes["db.system.name"], system);
        assert!(span.name.starts_with(system), "{span:?}");
    }
    let job = collector.named("job derive_photo").remove(0);
    assert_eq!(job.kind, CONSUMER);
    assert!(spans.iter().any(|span| span.parent == job.id), "what the job asks is the job's");
    // a write that goes on by itself is its request's, too
    let upload = collector.named("POST /manager/photos").remove(0);
    assert!(spans.iter().any(|span| span.parent == upload.id), "{upload:?}");
    // nothing is a trace of its own that nobody asked for
    for span in spans.iter().filter(|span| span.parent.is_empty()) {
        assert!([SERVER, CONSUMER].contains(&span.kind), "{span:?}");
    }
    let all = format!("{spans:?}");
    for private in ["traced@example.com", &photos[0], "一.jpg"] {
        assert!(!all.contains(private), "{private} is told");
    }
    let log = std::fs::read_to_string(log).unwrap();
    let line = log.lines().find(|line| line.contains(&request.trace)).expect("a line names the trace");
    assert!(line.contains(&request.attributes["bindery.request"]), "{line}");
}

on_both_engines!(a_request_is_followed_to_the_database_and_into_its_job);

/// A server that was told so, and what came of a visit with the header of somebody's trace.
async fn visited(settings: &[(&'static str, &str)]) -> (Server, Collector) {
    let collector = Collector::start();
    let mut all = vec![("BINDERY_OTLP_URL", collector.url.as_str())];
    all.extend(settings);
    let mut server = Server::start_in(tempfile::tempdir().unwrap(), &all);
    let header = format!("00-{TRACE}-{PARENT}-01");
    let answer =
        server.visitor().try_send("GET", "/about", &[("traceparent", &header)], Vec::new()).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    server.stop();
    (server, collector)
}

#[tokio::test]
async fn a_trace_goes_on_where_the_proxy_is_trusted() {
    let (_server, collector) = visited(&[("BINDERY_TRUST_PROXY", "1")]).await;
    let about = collector.named("GET /about").remove(0);
    assert_eq!((&*about.trace, &*about.parent), (TRACE, PARENT));
    let (_server, collector) = visited(&[]).await;
    let about = collector.named("GET /about").remove(0);
    assert!(about.trace != TRACE && about.parent.is_empty(), "{about:?}");
}

#[tokio::test]
async fn a_share_of_none_is_nothing() {
    let (_server, collector) = visited(&[("BINDERY_OTLP_SHARE", "0")]).await;
    assert!(collector.spans().is_empty(), "{:?}", collector.spans());
}

#[tokio::test]
async fn a_collector_that_is_not_there_stops_nobody() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{closed}");
    let mut server = Server::start_in(tempfile::tempdir().unwrap(), &[("BINDERY_OTLP_URL", &url)]);
    let log = server.log_everything();
    server.stop();
    server.restart();
    assert_eq!(server.visitor().get("/about").await.status(), StatusCode::OK);
    server.stop();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.lines().any(|line| line.contains("WARN") || line.contains("ERROR")), "it is said: {log}");
}
