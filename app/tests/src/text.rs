//! Reading answers, and what stands in files.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// What a page says of itself in structured data.
pub fn structured_data(page: &str) -> Vec<Value> {
    let data: Value =
        serde_json::from_str(&between(page, "<script type=\"application/ld+json\">", "</script>")).unwrap();
    assert_eq!(data["@context"], "https://schema.org");
    data["@graph"].as_array().unwrap().clone()
}

/// How large bytes are when a browser gets them compressed.
pub fn brotli_size(bytes: &[u8]) -> usize {
    let mut out = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 11, ..Default::default() };
    brotli::BrotliCompress(&mut &*bytes, &mut out, &parameters).unwrap();
    out.len()
}

/// What stands between two marks, the first time.
pub fn between(text: &str, start: &str, end: &str) -> String {
    let rest = text.split_once(start).unwrap_or_else(|| panic!("no {start:?} in {text}")).1;
    rest.split_once(end).unwrap().0.to_owned()
}

/// What stands between two marks, every time, each once.
pub fn between_all(text: &str, start: &str, end: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for rest in text.split(start).skip(1) {
        if let Some((inner, _)) = rest.split_once(end)
            && !found.iter().any(|known| known == inner)
        {
            found.push(inner.to_owned());
        }
    }
    found
}

/// Files directly in a folder, by name.
pub fn names_in(folder: &Path) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into()).collect();
    names.sort();
    names
}

/// A file or folder of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("BINDERY_CHECKOUT")).join(path)
}
