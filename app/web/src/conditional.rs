//! Answers that programs ask for again and again: whoever has one already is told so, without it (RFC 9110, section 13).

use std::time::{Duration, SystemTime};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use sha2::{Digest, Sha256};

/// What an address shows now.
#[derive(Debug, Clone)]
pub struct Shown {
    pub body: String,
    /// Its media type.
    pub kind: &'static str,
    /// When it was changed last, epoch ms, where that is known of all that is in it.
    pub changed: Option<i64>,
    /// Whether it is for who asks alone, and another for others.
    pub is_personal: bool,
}

/// The answer to a request with these headers. It may be kept, but not shown again before we were asked: what is published
/// can end at any moment.
pub fn answer(request: &HeaderMap, shown: Shown) -> Response {
    let digest = Sha256::digest(&shown.body);
    let tag = tag(&digest);
    // what changed in this very second may change in it once more (RFC 9110, section 8.8.2.2)
    let is_settled =
        |changed: &SystemTime| changed.elapsed().is_ok_and(|since| since >= Duration::from_secs(1));
    let changed = shown.changed.map(moment).filter(is_settled);
    let is_known = is_known(request, &tag, changed);
    let mut response = Response::new(if is_known { Body::empty() } else { Body::from(shown.body) });
    let keeping = if shown.is_personal { "private, no-cache" } else { "no-cache" };
    let headers = response.headers_mut();
    let mut put = |name, text: &str| {
        if let Ok(value) = HeaderValue::from_str(text) {
            headers.insert(name, value);
        }
    };
    put(header::ETAG, &tag);
    put(header::CACHE_CONTROL, keeping);
    put(header::VARY, "cookie, authorization");
    if let Some(changed) = changed {
        put(header::LAST_MODIFIED, &httpdate::fmt_http_date(changed));
    }
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
    } else {
        put(header::CONTENT_TYPE, shown.kind);
    }
    response
}

/// The tag of what has a digest: a weak one, as the same words may be sent packed or not.
pub(crate) fn tag(digest: &[u8]) -> String {
    format!("W/\"{}\"", hex::encode(&digest[..16]))
}

/// To the second, as HTTP tells time.
fn moment(epoch_ms: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(epoch_ms / 1000).unwrap_or(0))
}

/// Whether who sends these headers has it already. A tag says more than a time: where there is one, the time is not looked at
/// (RFC 9110, section 13.2.2).
pub(crate) fn is_known(request: &HeaderMap, tag: &str, changed: Option<SystemTime>) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    if request.contains_key(header::IF_NONE_MATCH) {
        let tags = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        return tags
            .flat_map(|tags| tags.split(','))
            .any(|known| known.trim() == "*" || opaque(known) == opaque(tag));
    }
    let since = request.get(header::IF_MODIFIED_SINCE).and_then(|value| value.to_str().ok());
    let since = since.and_then(|since| httpdate::parse_http_date(since).ok());
    matches!((changed, since), (Some(changed), Some(since)) if changed <= since)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-21 07:45:09.5 in China.
    const CHANGED: i64 = 1_795_218_309_500;

    fn asked(conditions: &[(header::HeaderName, &str)]) -> Response {
        let mut request = HeaderMap::new();
        for (name, value) in conditions {
            request.append(name, value.parse().expect("a value"));
        }
        let shown =
            Shown { body: "words".into(), kind: "text/plain", changed: Some(CHANGED), is_personal: false };
        answer(&request, shown)
    }

    #[test]
    fn who_has_it_is_told_so() {
        let first = asked(&[]);
        let tag = first.headers()[header::ETAG].to_str().expect("a tag").to_owned();
        assert_eq!(first.headers()[header::LAST_MODIFIED], "Fri, 20 Nov 2026 23:45:09 GMT");
        let strong = tag.trim_start_matches("W/").to_owned();
        let (none_match, since) = (header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE);
        let (same, before) = ("Fri, 20 Nov 2026 23:45:09 GMT", "Fri, 20 Nov 2026 23:45:08 GMT");
        for (conditions, is_known) in [
            (vec![(none_match.clone(), tag.as_str())], true),
            (vec![(none_match.clone(), strong.as_str())], true),
            (vec![(none_match.clone(), "*")], true),
            (vec![(none_match.clone(), &*format!("\"a\", {tag}"))], true),
            (vec![(none_match.clone(), "\"a\""), (none_match.clone(), &*tag)], true),
            (vec![(none_match.clone(), "\"a\"")], false),
            (vec![(since.clone(), same)], true),
            (vec![(since.clone(), "Friday, 20-Nov-26 23:45:09 GMT")], true),
            (vec![(since.clone(), before)], false),
            (vec![(since.clone(), "yesterday")], false),
            // the tag is looked at, and the time is not
            (vec![(none_match.clone(), "\"a\""), (since.clone(), same)], false),
            (vec![(none_match.clone(), &*tag), (since.clone(), before)], true),
        ] {
            let answer = asked(&conditions);
            let expected = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
            assert_eq!(answer.status(), expected, "{conditions:?}");
            assert_eq!(answer.headers()[header::ETAG], tag.as_str(), "both have what they are known by");
            assert_eq!(answer.headers().contains_key(header::CONTENT_TYPE), !is_known);
        }
    }
}
