//! Forms with files. The parser holds what comes before a part until the part begins: here that is bounded, so that
//! nobody's request is held whole in memory.

use axum::body::Body;
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{FromRequest, OptionalFromRequest, Request};
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;
use base::error::Error;
use futures::StreamExt;
use memchr::memmem;
use mime::Mime;

/// Bytes that may stand before the first part, and that a part's headers may have.
const MOST_BETWEEN: usize = 16 * 1024;

/// A form with files. One that was sent empty, in another encoding, has no field: its page says what is missing.
#[derive(Debug)]
pub struct Multipart(Option<axum::extract::Multipart>);

impl Multipart {
    /// The next field; none behind the last.
    pub async fn next_field(&mut self) -> Result<Option<Field<'_>>, MultipartError> {
        match &mut self.0 {
            Some(form) => form.next_field().await,
            None => Ok(None),
        }
    }
}

impl<S: Send + Sync> FromRequest<S> for Multipart {
    type Rejection = Error;
    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let form = <axum::extract::Multipart as OptionalFromRequest<S>>::from_request(request, state).await;
        form.map(Self).map_err(|_| Error::Incomplete)
    }
}

/// Reads a field of at most so many bytes; of a longer one, which is read and dropped, how many it has.
pub async fn bounded(mut field: Field<'_>, most: usize) -> Result<Result<Vec<u8>, usize>, MultipartError> {
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(chunk) = field.chunk().await? {
        length += chunk.len();
        if length <= most {
            bytes.extend_from_slice(&chunk);
        }
    }
    Ok(if length <= most { Ok(bytes) } else { Err(length) })
}

/// What the words of one form may still take in memory. A form has any number of fields, so that a bound for each of them
/// bounds nothing.
pub struct Budget(usize);

/// Bytes that a field takes beside its name and its value.
const FIELD_COST: usize = 128;

impl Budget {
    /// For a form whose words have at most so many bytes.
    pub fn of(bytes: usize) -> Self {
        Self(bytes)
    }

    /// Takes the cost of a field with so many bytes of name and value; false where the form has too much already.
    pub fn pay(&mut self, bytes: usize) -> bool {
        let left = self.0.checked_sub(bytes.saturating_add(FIELD_COST));
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// Ends requests whose parts do not begin.
pub async fn watch(request: Request, next: Next) -> Response {
    let request = match boundary(request.headers()) {
        Some(boundary) => {
            let mut watched = Watched::new(&boundary);
            request.map(|body| {
                Body::from_stream(body.into_data_stream().map(move |bytes| {
                    let bytes = bytes?;
                    let reason = "a part of the form does not begin, or its headers do not end";
                    if watched.pass(&bytes) { Ok(bytes) } else { Err(axum::Error::new(reason)) }
                }))
            })
        }
        None => request,
    };
    next.run(request).await
}

/// The boundary of a multipart body (RFC 2046, section 5.1.1).
fn boundary(headers: &HeaderMap) -> Option<String> {
    let kind: Mime = headers.get(header::CONTENT_TYPE)?.to_str().ok()?.parse().ok()?;
    (kind.type_() == mime::MULTIPART).then_some(())?;
    kind.get_param(mime::BOUNDARY).map(|boundary| boundary.as_str().to_owned())
}

/// Where in a body one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the first part.
    Preamble,
    /// Between a boundary and the empty line; behind the last boundary, too.
    Headers,
    /// In what a part holds.
    Content,
}

impl Place {
    fn next(self) -> Self {
        match self {
            Self::Headers => Self::Content,
            Self::Preamble | Self::Content => Self::Headers,
        }
    }
}

/// A multipart body as it passes.
struct Watched {
    /// What ends a part: a line feed, two hyphens, the boundary.
    delimiter: Vec<u8>,
    place: Place,
    /// Bytes since the place began.
    passed: usize,
    /// The last bytes, in which the end of the place may have begun.
    tail: Vec<u8>,
}

impl Watched {
    fn new(boundary: &str) -> Self {
        let delimiter = format!("\r\n--{boundary}").into_bytes();
        Self { delimiter, place: Place::Preamble, passed: 0, tail: Vec::new() }
    }

    /// What ends the place. The first boundary needs no line before it.
    fn mark(&self) -> &[u8] {
        match self.place {
            Place::Preamble => &self.delimiter[2..],
            Place::Headers => b"\r\n\r\n",
            Place::Content => &self.delimiter,
        }
    }

    /// Goes over the next bytes; false where too many came before a part.
    fn pass(&mut self, bytes: &[u8]) -> bool {
        let mut window = std::mem::take(&mut self.tail);
        let mut known = window.len();
        window.extend_from_slice(bytes);
        let mut rest = window.as_slice();
        while let Some(at) = memmem::find(rest, self.mark()) {
            let end = at + self.mark().len();
            if self.place != Place::Content && self.passed + at > MOST_BETWEEN {
                return false;
            }
            rest = &rest[end..];
            known = known.saturating_sub(end);
            self.place = self.place.next();
            self.passed = 0;
        }
        self.passed += rest.len() - known;
        let kept = rest.len().min(self.mark().len() - 1);
        self.tail = rest[rest.len() - kept..].to_vec();
        self.place == Place::Content || self.passed <= MOST_BETWEEN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_passed(body: &[u8], step: usize) -> bool {
        let mut watched = Watched::new("b0undary");
        body.chunks(step).all(|bytes| watched.pass(bytes))
    }

    #[test]
    fn parts_of_any_length_pass_however_they_come() {
        let content = [&vec![b'x'; 100_000][..], b"\r\n--b0undar\r\n\r\n", &vec![b'-'; 50_000]].concat();
        let part = |name: &str| {
            let head = format!("--b0undary\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
            [head.as_bytes(), &content, b"\r\n"].concat()
        };
        let body = [&part("one")[..], &part("two"), b"--b0undary\r\n\r\n\r\n--b0undary--\r\n"].concat();
        for step in [1, 2, 7, 64, 4_096, body.len()] {
            assert!(is_passed(&body, step), "{step}");
        }
    }

    #[test]
    fn what_is_no_part_ends_soon() {
        let long = vec![b'x'; MOST_BETWEEN + 100];
        let start = b"--b0undary\r\nContent-Disposition: form-data; name=\"".as_slice();
        let part = b"--b0undary\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nwords\r\n".as_slice();
        let hostile = [
            long.clone(),
            [&long, part].concat(),
            [start, &long].concat(),
            [start, &long, b"\r\n\r\n"].concat(),
            [part, start, &long].concat(),
        ];
        for body in hostile {
            for step in [1, 1_000, body.len()] {
                assert!(!is_passed(&body, step), "{step}");
            }
        }
    }
}
