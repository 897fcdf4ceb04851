//! The built styles and scripts, part of the binary: hashed names, compressed ahead, good for a year.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base::error::Error;
use base64::Engine;
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

/// The addresses of files.
pub const PATTERN: &str = "/assets/{file}";

#[derive(RustEmbed)]
#[folder = "../../islands/dist"]
struct Dist;

/// A debug build reads the files where they were built: another checkout's are built anew.
const _: Option<&str> = option_env!("BINDERY_CHECKOUT");

#[derive(serde::Deserialize)]
struct Entry {
    /// Its hashed name.
    file: String,
    /// Of an island: its scripts, which its page may have fetched before anything asks for them.
    #[serde(default)]
    imports: Vec<String>,
}

/// What there is by logical name, as the build wrote it.
static MANIFEST: LazyLock<BTreeMap<String, Entry>> = LazyLock::new(|| {
    let text = Dist::get("manifest.json").map(|file| file.data.into_owned()).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
});

/// A file of styles, to stand inside a page.
#[derive(Debug)]
pub struct Sheet {
    /// The hash in its file's name: another text has another one.
    pub mark: String,
    pub text: String,
    /// SHA-256 of the text, as a content policy names it.
    pub digest: String,
}

static SHEETS: LazyLock<BTreeMap<String, Sheet>> = LazyLock::new(|| {
    let sheet = |(name, Entry { file, .. }): (&String, &Entry)| {
        let mark = file.strip_suffix(".css")?.rsplit('-').next()?.to_owned();
        let text = String::from_utf8(Dist::get(file)?.data.into_owned()).ok()?;
        let digest = digest(&text);
        Some((name.clone(), Sheet { mark, text, digest }))
    };
    MANIFEST.iter().filter_map(sheet).collect()
});

/// SHA-256 of a text in base64, as a content policy and a browser that has a dictionary name it.
pub fn digest(text: &str) -> String {
    base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text))
}

/// The styles of this logical name; `None` where the build has none.
pub fn sheet(name: &str) -> Option<&'static Sheet> {
    SHEETS.get(name)
}

/// The marks of all styles there are.
pub fn marks() -> impl Iterator<Item = &'static str> {
    SHEETS.values().map(|sheet| sheet.mark.as_str())
}

/// What pages have in common, and the addresses of which pages it is for, as browsers read it (RFC 9842, section 2.1.1): the
/// first that fits.
pub const DICTIONARIES: [(&str, &str); 2] =
    [("members.dictionary", "/manager/*"), ("readers.dictionary", "/*")];

/// A text by its logical name, to stand elsewhere than at its own address.
pub fn text(name: &str) -> Option<String> {
    String::from_utf8(Dist::get(&MANIFEST.get(name)?.file)?.data.into_owned()).ok()
}

/// The address of an asset by its logical name, such as `site.css`.
pub fn address(name: &str) -> String {
    match MANIFEST.get(name) {
        Some(Entry { file, .. }) => format!("/assets/{file}"),
        None => {
            tracing::error!(name, "An asset is missing from the build");
            format!("/assets/{name}")
        }
    }
}

/// The addresses of an island's scripts: the largest, and then those first that are waited for.
pub fn scripts_of(island: &str) -> impl Iterator<Item = String> {
    let entry = MANIFEST.get(&format!("{island}.island"));
    entry.into_iter().flat_map(|entry| &entry.imports).map(|file| format!("/assets/{file}"))
}

/// How long files are kept whose names say what is in them: a year.
pub const KEEPING: &str = "public, max-age=31536000, immutable";

/// GET /assets/{file}: the best encoding that the caller takes.
pub async fn serve(Path(file): Path<String>, headers: HeaderMap) -> Result<Response, Error> {
    let (name, _) = MANIFEST.iter().find(|(_, known)| known.file == file).ok_or(Error::NotFound)?;
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    let takes =
        |name: &str| accepted.split(',').any(|part| part.split(';').next().is_some_and(|e| e.trim() == name));
    let encodings = [("br", ".br"), ("gzip", ".gz"), ("", "")];
    let found = encodings
        .iter()
        .filter(|(name, _)| name.is_empty() || takes(name))
        .find_map(|(name, suffix)| Dist::get(&format!("{file}{suffix}")).map(|found| (*name, found.data)));
    let (encoding, bytes) = found.ok_or(Error::NotFound)?;
    let kind = match file.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webp") => "image/webp",
        Some("jpg") => "image/jpeg",
        Some("dictionary") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    let mut response = bytes.into_owned().into_response();
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static(KEEPING));
    head.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some((_, pages)) = DICTIONARIES.iter().find(|(dictionary, _)| dictionary == name) {
        let of = format!("match=\"{pages}\", match-dest=(\"document\")");
        head.insert("use-as-dictionary", HeaderValue::try_from(of).map_err(Error::internal)?);
    }
    if !encoding.is_empty() {
        head.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Ok(response)
}
