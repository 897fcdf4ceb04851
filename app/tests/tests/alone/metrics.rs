//! What a program that watches this one reads, and what is made of it: rules for Prometheus, a page for Grafana.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use support::staff::password;
use support::wait::until;
use support::{Server, jpeg, on_both_engines, repository};

on_both_engines!(
    ; on_sqlite:
    nobody_reads_it_where_no_address_is_set,
    what_happened_can_be_read_and_nobody_is_in_it,
);

/// A free port of this machine.
fn address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// `promtool` over a file of the repository's, or what it is told; `None` where it is not installed.
fn promtool(arguments: &[&str], input: &str) -> Option<std::process::Output> {
    let child = Command::new("promtool")
        .args(arguments)
        .current_dir(repository("docs/monitoring"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: promtool is not installed (Debian's prometheus)");
        return None;
    };
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Some(child.wait_with_output().unwrap())
}

fn assert_content(arguments: &[&str], input: &str) {
    if let Some(output) = promtool(arguments, input) {
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("no help"), "{arguments:?}: {said}");
    }
}

/// The number behind a metric with these labels.
fn value(text: &str, metric: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix(metric)?.strip_prefix(' ')?.parse().ok())
}

/// Names of this program's metrics in a text.
fn names(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("bindery_")).map(str::to_owned).collect()
}

async fn what_happened_can_be_read_and_nobody_is_in_it(mut server: Server) {
    let watched = address();
    server.kill();
    server.set("BINDERY_METRICS_ADDR", watched.clone());
    server.set("BINDERY_SMTP_URL", "smtp://127.0.0.1:1");
    server.set("BINDERY_MAIL_FROM", "books@example.com");
    server.restart();
    let read = async || {
        let answer = reqwest::get(format!("http://{watched}/metrics")).await.unwrap();
        assert_eq!(answer.status(), 200);
        assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
        answer.text().await.unwrap()
    };
    let member = server.member("sihai@example.com", "500").await;
    let photos = member.upload(vec![("一.jpg", jpeg(640, 480, 1))]).await;
    let work = member.album("square-210", "海边的夏天", &photos).await;
    assert_eq!(member.get(&format!("/manager/opus/{work}")).await.status(), 200);
    assert_eq!(member.get("/manager/opus/nobodys").await.status(), 404);
    assert_eq!(member.get("/nowhere/at/all").await.status(), 404);
    member.sign_in("sihai@example.com", "wrong wrong wrong").await;
    password(&server.visitor(), "nobody", "wrong wrong wrong").await;
    // a mail that nobody takes
    let fields = [("way", "registration"), ("step", "send"), ("contact", "stranger@example.com")];
    server.visitor().post("/manager/login?way=registration", &fields).await;
    let failed = "bindery_messages_total{outcome=\"later\",way=\"mail\"}";
    until("a mail was tried", async || value(&read().await, failed).is_some()).await;
    let derived = "bindery_jobs_total{kind=\"derive_photo\",outcome=\"done\"}";
    until("a photo was looked at", async || value(&read().await, derived).is_some()).await;

    let text = read().await;
    let count =
        |labels: &str| value(&text, &format!("bindery_http_request_duration_seconds_count{{{labels}}}"));
    assert_eq!(count("method=\"GET\",route=\"/manager/opus/{id}\",status=\"200\""), Some(1.0), "{text}");
    assert_eq!(count("method=\"GET\",route=\"none\",status=\"404\""), Some(1.0), "{text}");
    for (metric, least) in [
        ("bindery_sign_in_failures_total{door=\"member\",reason=\"password\"}", 1.0),
        ("bindery_sign_in_failures_total{door=\"staff\",reason=\"password\"}", 1.0),
        ("bindery_jobs_total{kind=\"deliver\",outcome=\"failed\"}", 1.0),
        ("bindery_jobs_waiting{kind=\"deliver\"}", 1.0),
        ("bindery_jobs_oldest_seconds{kind=\"deliver\"}", 0.0),
        ("bindery_jobs_dead", 0.0),
        ("bindery_database_statement_duration_seconds_count", 20.0),
        ("bindery_database_writer_held_seconds_count", 5.0),
        ("bindery_database_connections{state=\"idle\"}", 0.0),
        ("bindery_database_connections_limit", 14.0),
        ("bindery_storage_free_bytes", 1e6),
        ("bindery_storage_written_bytes_total", 1000.0),
        ("bindery_storage_errors_total", 0.0),
        ("process_resident_memory_bytes", 1e7),
    ] {
        let found = value(&text, metric);
        assert!(found.is_some_and(|found| found >= least), "{metric} is {found:?} in {text}");
    }
    // a dead letter, as the queue stands
    server.sql("update jobs set attempts = 12, leased_until = 0 where kind = 'deliver'").await;
    assert_eq!(value(&read().await, "bindery_jobs_dead"), Some(1.0));

    // nobody, and nothing that somebody typed
    let id = server.read("select id from members").await;
    for private in ["sihai", "stranger", "nobody\"", "127.0.0.1", "海边", "nowhere", &id, &work, &photos[0]]
    {
        assert!(!text.contains(private), "{private} is in {text}");
    }
    assert_content(&["check", "metrics"], &text);
    // it is told there alone
    assert!(!server.visitor().get("/metrics").await.status().is_success());

    // rules and the page read what there is
    let told = names(&text);
    for file in ["alerts.yml", "grafana.json"] {
        let words = std::fs::read_to_string(repository("docs/monitoring").join(file)).unwrap();
        let read = names(&words);
        assert!(read.len() > 8, "{file} reads {read:?}");
        // counters that nothing has happened to are not there yet
        let known = |name: &String| {
            told.contains(name)
                || ["bindery_payments_total", "bindery_sandbox_"].iter().any(|begin| name.starts_with(begin))
        };
        assert_eq!(read.iter().find(|name| !known(name)), None, "{file}");
    }
}

async fn nobody_reads_it_where_no_address_is_set(server: Server) {
    assert!(!server.visitor().get("/metrics").await.status().is_success());
    // one that is taken is told, and the program does not start without it
    let taken = server.address();
    let output = server.run_with(&[("BINDERY_METRICS_ADDR", &taken)], &["serve"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains(&taken), "{said}");
}

#[test]
fn the_rules_fire_on_what_they_are_for() {
    assert_content(&["check", "rules", "alerts.yml"], "");
    assert_content(&["test", "rules", "alerts_test.yml"], "");
}
