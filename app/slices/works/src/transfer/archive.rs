//! The archive of a work: a ZIP file that any program opens.
//!
//! ```text
//! work.json                  the document, its kind, and which photo and PDF is which file
//! originals/<sha256>.<jpg>   photos as they were uploaded
//! originals/<sha256>.pdf     PDFs that pages are made of
//! print/inner.pdf, cover.pdf the same book for a print shop; not read again
//! ```
//!
//! What comes in was made by anybody. Nothing in it names a place on the disk: entries are asked for by names made of
//! the files' hashes, each is read up to a limit however small it claims to be, and counts only if its bytes hash to
//! its name.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};

use base::error::Error;
use base::storage::Storage;
use domain::document::{Document, Page, Trim, Unfit};
use domain::ids::{FileDigest, PhotoId};
use domain::titles::TITLE_LENGTH;
use domain::typed;
use press::Press;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;
use web::ui::forms::has_control;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::documents::{MOST_ADDRESSES, Source};
use crate::forms::{AUTHOR_LENGTH, TEXT_LENGTH};
use crate::pictures::LibraryOriginals;
use crate::settings::DESCRIPTION_LENGTH;
use crate::store::Work;
use crate::unzip::{self, Extracted, NotTaken, extract};
use crate::{KINDS, offers_size, photos_of};
use photos::{MAX_FILE_BYTES, Photo};

/// The form of the archive; another number can't be read by this version.
const FORMAT: u32 = 1;
const WORK: &str = "work.json";
/// Bytes that the document may have.
const MOST_JSON: u64 = 16 << 20;

#[derive(Serialize, Deserialize)]
struct Described {
    format: u32,
    kind: String,
    document: Document,
    photos: Vec<Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pdfs: Vec<PdfEntry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    id: PhotoId,
    sha256: String,
    /// jpg, png or webp.
    format: String,
    file_name: String,
}

impl Entry {
    fn name(&self) -> String {
        format!("originals/{}.{}", self.sha256, self.format)
    }
}

#[derive(Serialize, Deserialize)]
struct PdfEntry {
    sha256: FileDigest,
    file_name: String,
    #[serde(default)]
    notes: Vec<String>,
    /// The text that it was set from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
}

impl PdfEntry {
    fn name(&self) -> String {
        format!("originals/{}.pdf", self.sha256)
    }
}

/// What an archive held, whole and checked.
pub struct Content {
    pub kind: String,
    pub document: Document,
    pub photos: Vec<Arrived>,
    pub pdfs: Vec<ArrivedPdf>,
}

/// A PDF out of an archive; nobody has looked into it yet.
pub struct ArrivedPdf {
    pub sha256: FileDigest,
    pub file: NamedTempFile,
    pub bytes: u64,
    pub file_name: String,
    pub notes: Vec<String>,
    pub source: Option<Source>,
}

/// A photo out of an archive.
pub struct Arrived {
    pub id: PhotoId,
    pub file: NamedTempFile,
    pub file_name: String,
    pub sha256: String,
    pub bytes: u64,
}

/// Writes a work's archive. Nothing is held in memory but the document.
pub fn write(
    file: File,
    work: &Work,
    library: &[Photo],
    originals: &LibraryOriginals,
    prints: Vec<(&str, NamedTempFile)>,
) -> Result<File, Error> {
    // photos and print files are compressed already
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored).large_file(true);
    let mut zip = ZipWriter::new(BufWriter::with_capacity(1 << 20, file));
    let photos: Vec<Entry> = library
        .iter()
        .map(|photo| Entry {
            id: photo.id.clone(),
            sha256: photo.sha256.clone(),
            format: photo.format.clone(),
            file_name: photo.file_name.clone(),
        })
        .collect();
    for entry in &photos {
        zip.start_file(entry.name(), stored).map_err(Error::internal)?;
        let mut original = File::open(originals.path(&entry.id)?).map_err(Error::internal)?;
        std::io::copy(&mut original, &mut zip).map_err(Error::internal)?;
    }
    let pdfs: Vec<PdfEntry> = originals
        .pdfs()
        .values()
        .map(|pdf| PdfEntry {
            sha256: pdf.sha256.clone(),
            file_name: pdf.file_name.clone(),
            notes: pdf.notes.clone(),
            source: pdf.source.clone(),
        })
        .collect();
    for entry in &pdfs {
        zip.start_file(entry.name(), stored).map_err(Error::internal)?;
        let mut original = File::open(originals.pdf_path(&entry.sha256)).map_err(Error::internal)?;
        std::io::copy(&mut original, &mut zip).map_err(Error::internal)?;
    }
    for (name, print) in prints {
        zip.start_file(name, stored).map_err(Error::internal)?;
        std::io::copy(&mut print.reopen().map_err(Error::internal)?, &mut zip).map_err(Error::internal)?;
    }
    let described =
        Described { format: FORMAT, kind: work.kind.clone(), document: work.document.clone(), photos, pdfs };
    zip.start_file(WORK, stored).map_err(Error::internal)?;
    zip.write_all(&serde_json::to_vec_pretty(&described)?).map_err(Error::internal)?;
    let out = zip.finish().map_err(Error::internal)?;
    out.into_inner().map_err(|error| Error::internal(error.into_error()))
}

/// The sentence for a file that is no archive, or not a whole one.
fn damaged() -> String {
    "这个文件不是书坊导出的作品，或者已经损坏".to_owned()
}

/// Reads an archive and checks everything in it. The inner error is the sentence for a member.
pub fn read(
    file: File,
    storage: &Storage,
    press: &Press,
    quota: u64,
) -> Result<Result<Content, String>, Error> {
    let Some(mut zip) = unzip::open(file).map_err(Error::internal)? else { return Ok(Err(damaged())) };
    let described = match described(&mut zip) {
        Ok(described) => described,
        Err(reason) => return Ok(Err(reason)),
    };
    if let Err(reason) = check(&described, press) {
        return Ok(Err(reason));
    }
    let mut wanted: Vec<(PhotoId, bool)> =
        photos_of(&described.document).into_iter().map(|id| (id, true)).collect();
    // what stands in a text may be gone since it was set, and was set nevertheless
    let in_texts = described.pdfs.iter().filter_map(|pdf| pdf.source.as_ref());
    for id in in_texts.flat_map(|source| source.pictures.values()).take(MOST_ADDRESSES) {
        if wanted.iter().all(|(known, _)| known != id) {
            wanted.push((id.clone(), false));
        }
    }
    let (mut photos, mut sum) = (Vec::new(), 0);
    for (id, is_needed) in wanted {
        let Some(entry) = described.photos.iter().find(|entry| entry.id == id) else {
            if is_needed {
                return Ok(Err(damaged()));
            }
            continue;
        };
        let is_hash = entry.sha256.len() == 64 && entry.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
        let file_name: String = typed::name(&entry.file_name, 120);
        let Ok(original) = zip.by_name(&entry.name()) else {
            return Ok(Err(format!("文件不完整：缺少照片“{file_name}”")));
        };
        // what a member may keep ends it, however much more there is
        let most = MAX_FILE_BYTES.min(quota.saturating_sub(sum));
        let Extracted { file, sha256, bytes } = match extract(original, most, storage)? {
            Ok(extracted) => extracted,
            Err(NotTaken::Damaged) => return Ok(Err(damaged())),
            Err(NotTaken::TooLarge) => {
                return Ok(Err(format!("照片“{file_name}”太大，放不进您的素材空间")));
            }
        };
        if !is_hash || sha256 != entry.sha256 {
            return Ok(Err(format!("照片“{file_name}”已经损坏")));
        }
        sum += bytes;
        photos.push(Arrived { id, file, file_name, sha256, bytes });
    }
    let mut pdfs = Vec::new();
    for wanted in described.document.files() {
        let Some(entry) = described.pdfs.iter().find(|entry| entry.sha256 == *wanted) else {
            return Ok(Err(damaged()));
        };
        let file_name: String = typed::name(&entry.file_name, 120);
        let Ok(original) = zip.by_name(&entry.name()) else {
            return Ok(Err(format!("文件不完整：缺少 PDF“{file_name}”")));
        };
        let most = MAX_FILE_BYTES.min(quota.saturating_sub(sum));
        let Extracted { file, sha256, bytes } = match extract(original, most, storage)? {
            Ok(extracted) => extracted,
            Err(NotTaken::Damaged) => return Ok(Err(damaged())),
            Err(NotTaken::TooLarge) => return Ok(Err(format!("PDF“{file_name}”太大，放不进您的素材空间"))),
        };
        if sha256 != wanted.as_str() {
            return Ok(Err(format!("PDF“{file_name}”已经损坏")));
        }
        sum += bytes;
        pdfs.push(ArrivedPdf {
            sha256: wanted.clone(),
            file,
            bytes,
            file_name,
            notes: entry.notes.iter().filter(|note| !has_control(note)).take(10).cloned().collect(),
            source: entry.source.clone(),
        });
    }
    Ok(Ok(Content { kind: described.kind, document: described.document, photos, pdfs }))
}

/// The document, if this version can read it.
fn described(zip: &mut ZipArchive<BufReader<File>>) -> Result<Described, String> {
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let mut text = Vec::new();
    let entry = zip.by_name(WORK).map_err(|_| damaged())?;
    entry.take(MOST_JSON + 1).read_to_end(&mut text).map_err(|_| damaged())?;
    if text.len() as u64 > MOST_JSON {
        return Err(damaged());
    }
    let Version { format } = serde_json::from_slice(&text).map_err(|_| damaged())?;
    if format != FORMAT {
        return Err(format!("这个文件是版本 {format} 的格式，这里只认得版本 {FORMAT}：请先升级书坊"));
    }
    serde_json::from_slice(&text).map_err(|_| damaged())
}

/// Whether it is a work that could have been made here.
fn check(described: &Described, press: &Press) -> Result<(), String> {
    let document = &described.document;
    let texts = || document.all_pages().flat_map(domain::document::Page::texts).map(|block| &block.text);
    let fits = |text: &str, least: usize, most: usize| {
        (least..=most).contains(&text.chars().count()) && !has_control(text)
    };
    document.check_size().map_err(|reason| format!("{reason}，不能导入"))?;
    let is_work = KINDS.iter().any(|(kind, _)| *kind == described.kind)
        && !document.pages.is_empty()
        && fits(&document.title, 1, TITLE_LENGTH)
        && fits(&document.author, 0, AUTHOR_LENGTH)
        && fits(&document.description, 0, DESCRIPTION_LENGTH)
        && texts().all(|text| fits(text, 0, TEXT_LENGTH));
    if !is_work {
        return Err(damaged());
    }
    if press::themes().iter().all(|theme| theme.name != document.theme) {
        return Err("这本书用的风格这里还没有，请先升级书坊".to_owned());
    }
    if !offers_size(document.trim) {
        return Err("这本书的开本这里还没有，请先升级书坊".to_owned());
    }
    for (index, page) in document.all_pages().enumerate() {
        if let Err(reason) = check_page(page, document.trim) {
            let name = if index == 0 { "封面".to_owned() } else { format!("第 {index} 页") };
            return Err(format!("{name}：{reason}，不能导入"));
        }
    }
    // what the press can't set was not made by it
    press
        .preflight(document, None, &|_| None, &|_| Default::default(), &|| true)
        .map(drop)
        .map_err(|_| damaged())
}

/// Whether it is a page as the editor makes them.
fn check_page(page: &Page, trim: Trim) -> Result<(), Unfit> {
    page.check_room(trim)?;
    page.elements.iter().try_for_each(|element| element.check(trim))
}
