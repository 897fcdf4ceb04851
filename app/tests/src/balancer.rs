//! HAProxy in front of several instances, as `packaging/haproxy.cfg` has it.

use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

/// How the file calls the instances, with the addresses that they have in it.
const SHIPPED: [(&str, &str); 3] =
    [("one", "10.0.0.11:3000"), ("two", "10.0.0.12:3000"), ("three", "10.0.0.13:3000")];

/// An address that nobody else listens at: this process's of those that are the machine's own. So an instance comes back where it was.
///
/// All have the same host, so that a browser's cookies are good at each.
pub fn address() -> String {
    static NEXT: AtomicU16 = AtomicU16::new(8_001);
    let [_, a, b, c] = std::process::id().to_be_bytes();
    format!("127.{}.{b}.{c}:{}", 1 + a, NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A running HAProxy.
pub struct Balancer {
    /// Where it is asked, as a site's address.
    pub base: String,
    _process: Bound,
    _folder: tempfile::TempDir,
}

impl Balancer {
    /// In front of three instances, which need not be there yet. It shares the requests out in turn, so that no two of a browser go
    /// the same way; `None` where HAProxy is not installed.
    pub fn before(instances: &[String; 3]) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let (file, address) = (folder.path().join("haproxy.cfg"), address());
        std::fs::write(&file, configuration(instances, &address)).unwrap();
        let process = started(&file)?;
        let begun = Instant::now();
        while TcpStream::connect(&address).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "HAProxy does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(Self { base: format!("http://{address}"), _process: process, _folder: folder })
    }

    /// Which of the three are asked, as HAProxy's own page has it.
    pub async fn asked(&self) -> Vec<&'static str> {
        let page = reqwest::get(format!("{}/haproxy;csv", self.base)).await.unwrap().text().await.unwrap();
        let is_up = |name: &str| {
            let mut rows = page.lines().filter_map(|line| line.strip_prefix(&format!("instances,{name},")));
            rows.any(|row| row.split(',').any(|cell| cell == "UP"))
        };
        SHIPPED.iter().map(|(name, _)| *name).filter(|name| is_up(name)).collect()
    }
}

/// What is shipped, with other addresses, no certificate and no log; callers of tests say themselves where they come from.
fn configuration(instances: &[String; 3], address: &str) -> String {
    let mut text = include_str!("../../../packaging/haproxy.cfg").to_owned();
    for ((_, shipped), own) in SHIPPED.iter().zip(instances) {
        assert!(text.contains(shipped), "{text}");
        text = text.replace(shipped, own);
    }
    let ours: String = text
        .lines()
        .filter(|line| {
            ![
                "log ",
                "stats socket",
                "bind :443",
                "option forwardfor",
                "http-request redirect",
                "option httplog",
            ]
            .iter()
            .any(|left_out| line.trim().starts_with(left_out))
        })
        .map(|line| match line.trim() {
            "bind :80" => format!("\tbind {address}\n\tstats enable\n\tstats uri /haproxy\n"),
            "http-request set-header X-Forwarded-Proto https" => String::new(),
            "balance leastconn" => "\tbalance roundrobin\n".to_owned(),
            _ => format!("{line}\n"),
        })
        .collect();
    assert!(ours.contains(address) && ours.contains("roundrobin") && !ours.contains("443"), "{ours}");
    ours
}

/// A shell's line that begins a program and ends it when its own standard input does: a pipe's, whose other end closes when this
/// process ends. Only the program holds its standard output, so that one that does not start is noticed.
pub fn ends_with_us(program: &str) -> String {
    format!("{program} & exec >/dev/null; cat; kill $!; wait")
}

/// Ends when its standard input is dropped, before it is waited for.
struct Bound(Child);

impl Drop for Bound {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

fn started(file: &Path) -> Option<Bound> {
    if Command::new("haproxy").arg("-v").stdout(Stdio::null()).status().is_err() {
        eprintln!("skipped: HAProxy is not installed");
        return None;
    }
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(ends_with_us("haproxy -q -db -f \"$0\"")).arg(file);
    Some(Bound(shell.stdin(Stdio::piped()).spawn().unwrap()))
}
