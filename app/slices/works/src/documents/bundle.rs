//! A text in Markdown and the pictures that it shows, in one ZIP file.
//!
//! What comes in was made by anybody, on any system: names in the encodings of Chinese computers, addresses with the folders
//! of somebody's disk. Only pictures that the text shows are read, each up to a limit however small it claims to be.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufReader, Read};

use base::error::Error;
use base::storage::Storage;
use domain::typed;
use press::manuscript::{MOST_BYTES, Markup, TextRefusal, addresses, decode};
use tempfile::NamedTempFile;
use zip::ZipArchive;

use super::receive::Refusal;
use crate::unzip::{self, Extracted, NotTaken, extract};
use photos::MAX_FILE_BYTES;

/// Pictures of one text, and their bytes together.
pub const MOST_PICTURES: usize = 100;
/// See [`MOST_PICTURES`].
pub const MOST_PICTURE_BYTES: u64 = 2 * MAX_FILE_BYTES;
/// Addresses that a text may show pictures under: most show each once.
pub const MOST_ADDRESSES: usize = 1_000;

/// What was found.
pub struct Bundle {
    /// The text's own name.
    pub name: String,
    pub text: String,
    pub markup: Markup,
    pub pictures: Vec<Brought>,
}

/// A picture; nobody has looked into it yet.
pub struct Brought {
    /// Under which addresses the text shows it.
    pub addresses: Vec<String>,
    pub file_name: String,
    pub file: NamedTempFile,
    pub sha256: String,
    pub bytes: u64,
}

/// Reads a ZIP file. The inner error is the sentence for its member.
pub fn read(file: File, storage: &Storage) -> Result<Result<Bundle, Refusal>, Error> {
    let damaged = || "这个 .zip 打不开，或者已经损坏".to_owned();
    let Some(mut zip) = unzip::open(file).map_err(Error::internal)? else { return Ok(Err(damaged())) };
    let names = names(&mut zip);
    let (index, name) = match the_text(&names) {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut bytes = Vec::new();
    let whole = zip.by_index(index).map(|entry| entry.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes));
    if !matches!(whole, Ok(Ok(_))) {
        return Ok(Err(damaged()));
    }
    let text = match decode(&bytes) {
        Ok(text) => text,
        Err(TextRefusal::Empty) => return Ok(Err(format!("{name} 里面没有文字"))),
        Err(refusal) => return Ok(Err(refusal.to_string())),
    };
    let markup = if extension(name) == "txt" { Markup::Plain } else { Markup::Markdown };
    let mut wanted: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let shown = if markup == Markup::Markdown { addresses(&text) } else { BTreeSet::new() };
    if shown.len() > MOST_ADDRESSES {
        return Ok(Err(format!("文字里的图片有 {} 处，最多 {MOST_ADDRESSES} 处；请分成几份", shown.len())));
    }
    let places = Places::of(&names);
    for address in shown {
        if let Some(index) = places.find(folder(name), &address) {
            wanted.entry(index).or_default().push(address);
        }
    }
    if wanted.len() > MOST_PICTURES {
        return Ok(Err(format!("图片有 {} 张，一份文字最多 {MOST_PICTURES} 张；请分成几份", wanted.len())));
    }
    let (mut pictures, mut left) = (Vec::new(), MOST_PICTURE_BYTES);
    for (index, addresses) in wanted {
        let file_name = names.iter().find(|(at, _)| *at == index).map(|(_, name)| base(name).to_owned());
        let file_name = typed::name(&file_name.unwrap_or_default(), 120);
        let Ok(entry) = zip.by_index(index) else { return Ok(Err(damaged())) };
        let Extracted { file, sha256, bytes } = match extract(entry, MAX_FILE_BYTES.min(left), storage)? {
            Ok(extracted) => extracted,
            Err(NotTaken::Damaged) => return Ok(Err(damaged())),
            Err(NotTaken::TooLarge) => {
                return Ok(Err(format!("图片“{file_name}”太大，或者图片加起来太大（最多 200 MB）")));
            }
        };
        left -= bytes;
        pictures.push(Brought { addresses, file_name, file, sha256, bytes });
    }
    Ok(Ok(Bundle { name: base(name).to_owned(), text, markup, pictures }))
}

/// The files in it with their places; those that systems add are passed over.
fn names(zip: &mut ZipArchive<BufReader<File>>) -> Vec<(usize, String)> {
    let count = zip.len();
    let name = |index: usize| {
        let entry = zip.by_index_raw(index).ok().filter(|entry| entry.is_file())?;
        let name = decode(entry.name_raw()).ok()?.replace('\\', "/");
        let is_added = name.starts_with("__MACOSX/") || base(&name).starts_with('.');
        (!is_added).then_some((index, name))
    };
    (0..count).filter_map(name).collect()
}

/// The one text among the files: Markdown, or plain where there is no Markdown.
fn the_text(names: &[(usize, String)]) -> Result<(usize, &str), Refusal> {
    let of = |extensions: &[&str]| -> Vec<(usize, &str)> {
        let is_one = |(_, name): &&(usize, String)| extensions.contains(&extension(name).as_str());
        names.iter().filter(is_one).map(|(index, name)| (*index, name.as_str())).collect()
    };
    let mut texts = of(&["md", "markdown"]);
    if texts.is_empty() {
        texts = of(&["txt"]);
    }
    match texts.as_slice() {
        [only] => Ok(*only),
        [] => Err("这个 .zip 里没有 .md 或 .txt 文件".to_owned()),
        several => {
            let shown: Vec<&str> = several.iter().take(3).map(|(_, name)| base(name)).collect();
            Err(format!(
                "这个 .zip 里有 {} 份文字（{} …），请每次只放一份，或者先合成一份",
                several.len(),
                shown.join("、")
            ))
        }
    }
}

/// Where files lie: by their paths and by their names, however systems write them.
pub struct Places {
    by_path: HashMap<String, usize>,
    /// Nothing where several have it.
    by_name: HashMap<String, Option<usize>>,
}

impl Places {
    pub fn of(names: &[(usize, String)]) -> Self {
        let mut places = Self { by_path: HashMap::new(), by_name: HashMap::new() };
        for (index, name) in names {
            places.by_path.entry(alike(name)).or_insert(*index);
            places.by_name.entry(alike(base(name))).and_modify(|known| *known = None).or_insert(Some(*index));
        }
        places
    }

    /// The file that an address in a text means: from the text's folder on; where that is somebody's own disk, the only
    /// file of that name.
    pub fn find(&self, folder: &str, address: &str) -> Option<usize> {
        if address.contains("://") || address.starts_with("data:") {
            return None;
        }
        let decoded = percent_encoding::percent_decode_str(address).decode_utf8_lossy().replace('\\', "/");
        let mut path: Vec<&str> =
            if decoded.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
        for step in decoded.split('/') {
            match step {
                "" | "." => {}
                ".." => _ = path.pop(),
                name => path.push(name),
            }
        }
        path.retain(|step| !step.is_empty());
        let exact = self.by_path.get(&alike(&path.join("/"))).copied();
        exact.or_else(|| self.by_name.get(&alike(base(&decoded))).copied().flatten())
    }
}

/// A name without its letters' size, as words are read: macOS writes é as two characters.
fn alike(name: &str) -> String {
    typed::words(name).to_lowercase()
}

fn base(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, base)| base)
}

fn folder(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn extension(name: &str) -> String {
    base(name).rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}
