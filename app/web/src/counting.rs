//! What pages say of themselves so that their reading can be counted: a ticket that only this program makes. Who counts is
//! a slice; who is counted says so with [`Counted`](crate::ui::counted::Counted) on its pages and a
//! [`Countable`](crate::slice::Countable) in its `SLICE`.

use axum::http::{HeaderMap, header};
use base::signing::keyed;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::statistics::{self, WORD_LENGTH};
use hmac::Mac;
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Bytes of a signature: 96 bits.
const SHORT: usize = 12;
/// The longest ticket, in characters.
const LONGEST: usize = 1_200;
/// How long a ticket counts, in ms: who leaves a page open over night reads on in the morning.
pub const LIFE_MS: i64 = 12 * 60 * 60_000;

/// One showing of one page, as the program itself made it. It names nobody.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// The word for such things, as their [`Countable`](crate::slice::Countable) says it: `work`, `issue`.
    pub kind: String,
    pub id: String,
    /// The pages that are shown; 0 is a cover.
    pub first: u32,
    pub last: u32,
    /// Whether a visit begins here, which comes from `source`.
    pub is_entry: bool,
    /// See [`statistics::source`].
    pub source: String,
    /// What was searched for; empty where nothing was.
    pub asked: String,
    /// The area of a page that this is the whole of, an article's: who is shown it has opened that. Empty on other pages.
    pub area: String,
    /// When it was made, epoch ms.
    pub at: i64,
    /// Tells it from all others.
    pub mark: u64,
}

/// A ticket on its way, one letter for each part.
type Wire = (String, String, u32, u32, bool, String, String, i64, u64);
/// The same of what an area opens. Others stay as they were: a program of the version before reads them, too.
type WireOfArea = (String, String, u32, u32, bool, String, String, i64, u64, String);

/// What a page is a page of.
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    pub kind: &'a str,
    pub id: &'a str,
    pub pages: (u32, u32),
    /// The address below which all pages of it lie: whoever comes from there turns a page.
    pub home: &'a str,
    pub asked: &'a str,
    /// See [`Ticket::area`].
    pub area: &'a str,
}

impl Ticket {
    /// For a page that is being answered to a request with these headers.
    pub fn of(subject: &Subject<'_>, headers: &HeaderMap, now: i64) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let (referer, own) = (text(header::REFERER), text(header::HOST));
        let is_entry = !statistics::is_inside(referer, own, subject.home);
        let user_agent = text(header::USER_AGENT).unwrap_or_default();
        Self {
            kind: subject.kind.to_owned(),
            id: subject.id.to_owned(),
            first: subject.pages.0,
            last: subject.pages.1.max(subject.pages.0),
            is_entry,
            source: if is_entry { statistics::source(referer, own, user_agent) } else { String::new() },
            asked: subject.asked.trim().chars().take(WORD_LENGTH).collect(),
            area: subject.area.to_owned(),
            at: now,
            mark: rand::rng().next_u64(),
        }
    }

    /// As it stands on the page.
    pub fn sealed(&self, key: &str) -> String {
        let Self { kind, id, first, last, is_entry, source, asked, area, at, mark } = self.clone();
        let wire = if area.is_empty() {
            let wire: Wire = (kind, id, first, last, is_entry, source, asked, at, mark);
            serde_json::to_vec(&wire)
        } else {
            let wire: WireOfArea = (kind, id, first, last, is_entry, source, asked, at, mark, area);
            serde_json::to_vec(&wire)
        };
        let body = URL_SAFE_NO_PAD.encode(wire.unwrap_or_default());
        let sign = URL_SAFE_NO_PAD.encode(&signature(key, &body)[..SHORT]);
        format!("{body}.{sign}")
    }

    /// One that came back; nothing where this program did not make it, or long ago.
    pub fn opened(key: &str, text: &str, now: i64) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let (body, sign) = text.split_once('.')?;
        let sign = URL_SAFE_NO_PAD.decode(sign).ok()?;
        let mut mac = keyed(key.as_bytes(), "count");
        mac.update(body.as_bytes());
        if sign.len() != SHORT || mac.verify_truncated_left(&sign).is_err() {
            return None;
        }
        let wire = URL_SAFE_NO_PAD.decode(body).ok()?;
        let (kind, id, first, last, is_entry, source, asked, at, mark, area) =
            match serde_json::from_slice::<Wire>(&wire) {
                Ok((kind, id, first, last, is_entry, source, asked, at, mark)) => {
                    (kind, id, first, last, is_entry, source, asked, at, mark, String::new())
                }
                Err(_) => serde_json::from_slice::<WireOfArea>(&wire).ok()?,
            };
        let is_fresh = (now - LIFE_MS..=now + 60_000).contains(&at);
        is_fresh.then_some(Self { kind, id, first, last, is_entry, source, asked, area, at, mark })
    }
}

fn signature(key: &str, body: &str) -> [u8; 32] {
    let mut mac = keyed(key.as_bytes(), "count");
    mac.update(body.as_bytes());
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket(referer: &str) -> Ticket {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, "books.example".parse().unwrap());
        headers.insert(header::REFERER, referer.parse().unwrap());
        let subject =
            Subject {
                kind: "work", id: "one", pages: (2, 3), home: "/read/one", asked: " 秋天 ", area: ""
            };
        Ticket::of(&subject, &headers, 1_000_000)
    }

    #[test]
    fn only_what_was_made_here_is_opened() {
        let ticket = ticket("https://mp.weixin.qq.com/");
        assert!(ticket.is_entry && ticket.source == "mp.weixin.qq.com" && ticket.asked == "秋天");
        let sealed = ticket.sealed("key");
        assert_eq!(Ticket::opened("key", &sealed, 1_000_001), Some(ticket.clone()));
        assert_eq!(Ticket::opened("another", &sealed, 1_000_001), None);
        assert_eq!(Ticket::opened("key", &sealed, 1_000_001 + LIFE_MS), None, "long ago");
        let (body, sign) = sealed.split_once('.').unwrap();
        for forged in [
            String::new(),
            body.to_owned(),
            format!("{body}."),
            format!("{body}.{}", &sign[..4]),
            format!("x{body}.{sign}"),
            format!(
                "{}.{sign}",
                Ticket { first: 0, ..ticket.clone() }.sealed("key").split('.').next().unwrap()
            ),
            "x".repeat(100_000),
        ] {
            assert_eq!(Ticket::opened("key", &forged, 1_000_001), None, "{forged:.80}");
        }
    }

    #[test]
    fn what_an_area_opens_says_which() {
        let plain = ticket("https://books.example/read/one/1");
        let opened = Ticket { area: "article-3".into(), ..plain.clone() };
        assert_eq!(Ticket::opened("key", &opened.sealed("key"), 1_000_001), Some(opened));
        // as the version before writes and reads it
        let body = plain.sealed("key");
        let body = URL_SAFE_NO_PAD.decode(body.split('.').next().unwrap()).unwrap();
        assert!(serde_json::from_slice::<Wire>(&body).is_ok());
    }

    #[test]
    fn a_turned_page_is_no_visit() {
        let turned = ticket("https://books.example/read/one/1");
        assert!(!turned.is_entry && turned.source.is_empty());
        assert_eq!(ticket("https://books.example/shelf/mine").source, "site");
    }
}
