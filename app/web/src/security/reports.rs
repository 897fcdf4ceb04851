//! What browsers report that the content policy stopped (Content Security Policy Level 3, section 5; Reporting API).
//!
//! Anybody can send such a report, so few are taken, little of each is logged, and nothing is kept.

use std::sync::{Mutex, PoisonError};

use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use base::db::now_ms;
use serde::Deserialize;

/// Where reports are sent.
pub const PATH: &str = "/csp_report";
/// The same, as browsers are told (Reporting API, section 3.3).
pub const ENDPOINT: &str = "csp=\"/csp_report\"";
/// The longest body, in bytes.
const LONGEST: usize = 16 * 1024;
/// Reports of one body that are looked at.
const MOST_AT_ONCE: usize = 4;
/// Reports that are logged in a minute; the others are counted.
const MOST_A_MINUTE: u32 = 20;
const MINUTE_MS: i64 = 60_000;
/// Characters of each thing in a report that are logged.
const MOST_CHARS: usize = 200;

/// What was stopped. Both forms of a report call it differently.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Report {
    #[serde(alias = "document-uri", alias = "documentURL")]
    document: String,
    #[serde(alias = "effective-directive", alias = "effectiveDirective", alias = "violated-directive")]
    directive: String,
    #[serde(alias = "blocked-uri", alias = "blockedURL")]
    blocked: String,
}

/// `application/csp-report`: one report.
#[derive(Deserialize)]
struct Single {
    #[serde(rename = "csp-report")]
    report: Report,
}

/// `application/reports+json`: several, of which those of the content policy count.
#[derive(Deserialize)]
struct Listed {
    #[serde(rename = "type")]
    kind: String,
    body: serde_json::Value,
}

/// How many reports were logged in this minute.
#[derive(Debug)]
struct Count {
    since: i64,
    logged: u32,
    left_out: u32,
}

impl Count {
    /// Whether one more may be logged, and how many were not in the minute before.
    fn take(&mut self, now: i64) -> (bool, u32) {
        let mut missed = 0;
        if now - self.since >= MINUTE_MS {
            missed = self.left_out;
            *self = Self { since: now, logged: 0, left_out: 0 };
        }
        if self.logged < MOST_A_MINUTE {
            self.logged += 1;
            return (true, missed);
        }
        self.left_out = self.left_out.saturating_add(1);
        (false, missed)
    }
}

static COUNT: Mutex<Count> = Mutex::new(Count { since: 0, logged: 0, left_out: 0 });

/// POST /csp_report: one line in the log for each report. Whoever sends something else learns nothing.
pub async fn take(request: Request) -> StatusCode {
    let Ok(body) = to_bytes(request.into_body(), LONGEST).await else {
        return StatusCode::PAYLOAD_TOO_LARGE;
    };
    for report in read(&body) {
        let (logs, missed) = COUNT.lock().unwrap_or_else(PoisonError::into_inner).take(now_ms());
        if missed > 0 {
            tracing::warn!(missed, "More reports of the content policy came than are logged");
        }
        if logs {
            let (document, directive, blocked) =
                (short(&report.document), short(&report.directive), short(&report.blocked));
            tracing::warn!(document, directive, blocked, "A browser reports what the content policy stopped");
        }
    }
    StatusCode::NO_CONTENT
}

fn read(body: &[u8]) -> Vec<Report> {
    if let Ok(single) = serde_json::from_slice::<Single>(body) {
        return vec![single.report];
    }
    let listed: Vec<Listed> = serde_json::from_slice(body).unwrap_or_default();
    let reports = listed.into_iter().filter(|report| report.kind == "csp-violation").take(MOST_AT_ONCE);
    reports.filter_map(|report| serde_json::from_value(report.body).ok()).collect()
}

/// The beginning of a text, on one line. Addresses lose their query, which may hold what is nobody's to read.
fn short(text: &str) -> String {
    let place = text.split(['?', '#']).next().unwrap_or_default();
    place.chars().filter(|c| !c.is_control()).take(MOST_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_a_report_are_read() {
        let single = br#"{"csp-report":{"document-uri":"https://a/b?c","violated-directive":"img-src","blocked-uri":"data"}}"#;
        let listed = br#"[{"type":"deprecation","body":{}},
            {"type":"csp-violation","body":{"documentURL":"https://a/b?c","effectiveDirective":"img-src","blockedURL":"data"}}]"#;
        for body in [&single[..], &listed[..]] {
            let reports = read(body);
            assert_eq!(reports.len(), 1);
            assert_eq!(
                (
                    short(&reports[0].document).as_str(),
                    reports[0].directive.as_str(),
                    reports[0].blocked.as_str()
                ),
                ("https://a/b", "img-src", "data")
            );
        }
        for other in [&b""[..], b"{}", b"[]", b"null", b"[1]", b"\xff"] {
            assert!(read(other).is_empty());
        }
        assert_eq!(short("a\nb\u{1b}[31m?secret"), "ab[31m");
        assert_eq!(short(&"x".repeat(10_000)).len(), MOST_CHARS);
    }

    #[test]
    fn a_flood_of_reports_is_counted() {
        let mut count = Count { since: 0, logged: 0, left_out: 0 };
        let logged = (0..1_000).filter(|_| count.take(MINUTE_MS).0).count();
        assert_eq!(logged, MOST_A_MINUTE as usize);
        assert_eq!(count.take(2 * MINUTE_MS), (true, 1_000 - MOST_A_MINUTE));
    }
}
