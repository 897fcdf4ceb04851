//! What every EPUB has: the archive, the metadata, the list of its files and the order in which they are read.

use std::fmt::Write as _;
use std::io::Write;

use domain::xml;
use serde::{Deserialize, Serialize};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::PressError;
use crate::print::civil;

/// In which direction pages are turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    #[default]
    LeftToRight,
    /// As in books that are set in columns.
    RightToLeft,
}

impl Direction {
    fn word(self) -> &'static str {
        match self {
            Self::LeftToRight => "ltr",
            Self::RightToLeft => "rtl",
        }
    }
}

/// What is said of a book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    pub title: String,
    /// May be empty.
    pub author: String,
    /// What it is about; may be empty.
    pub description: String,
    /// As the web names languages: `zh-CN`.
    pub language: String,
    /// An address or `urn:…` that no other book has, and that stays.
    pub identifier: String,
    /// When it was changed last, in milliseconds since 1970.
    pub modified: i64,
    pub direction: Direction,
}

/// One of the book's files.
pub(super) struct Item {
    pub id: String,
    /// From the package's own folder.
    pub path: String,
    pub media_type: &'static str,
    /// `nav`, `cover-image`; mostly nothing.
    pub properties: &'static str,
    /// Its place in the order of reading: nothing, or the properties that it has there.
    pub in_spine: Option<&'static str>,
}

/// An entry of the contents.
pub(super) struct Entry {
    /// 1 stands over all others.
    pub level: u8,
    pub title: String,
    /// A file, and a place in it.
    pub target: String,
}

/// Writes the book's files, one after the other.
pub(super) struct Package<'a> {
    zip: ZipWriter<StreamWriter<&'a mut dyn Write>>,
    items: Vec<Item>,
}

const FOLDER: &str = "EPUB";
const CONTAINER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
    <container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles>\
    <rootfile full-path=\"EPUB/package.opf\" media-type=\"application/oebps-package+xml\"/>\
    </rootfiles></container>\n";

pub(super) const XHTML: &str = "application/xhtml+xml";
pub(super) const CSS: &str = "text/css";

impl<'a> Package<'a> {
    pub fn new(out: &'a mut dyn Write) -> Result<Self, PressError> {
        let mut package = Self { zip: ZipWriter::new_stream(out), items: Vec::new() };
        // the first file, as it is: by it the format is recognised
        package.file("mimetype", b"application/epub+zip", false)?;
        package.file("META-INF/container.xml", CONTAINER.as_bytes(), true)?;
        Ok(package)
    }

    /// A file of the archive; without a date of its own, so that the same book is the same bytes.
    fn file(&mut self, path: &str, bytes: &[u8], is_packed: bool) -> Result<(), PressError> {
        let method = if is_packed { CompressionMethod::Deflated } else { CompressionMethod::Stored };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        self.zip.start_file(path, options).map_err(|error| PressError::Io(error.into()))?;
        self.zip.write_all(bytes)?;
        Ok(())
    }

    /// Adds a file of the book.
    pub fn add(&mut self, item: Item, bytes: &[u8]) -> Result<(), PressError> {
        // pictures are as small as they get
        let is_packed = !item.media_type.starts_with("image/");
        self.file(&format!("{FOLDER}/{}", item.path), bytes, is_packed)?;
        self.items.push(item);
        Ok(())
    }

    /// Writes the contents and the package, and ends the archive. `more` are metadata of this kind of book.
    pub fn finish(mut self, metadata: &Metadata, contents: &Contents, more: &str) -> Result<(), PressError> {
        let nav = Item {
            id: "nav".to_owned(),
            path: "nav.xhtml".to_owned(),
            media_type: XHTML,
            properties: "nav",
            in_spine: None,
        };
        self.add(nav, contents.page(metadata).as_bytes())?;
        let package = self.package(metadata, more);
        self.file(&format!("{FOLDER}/package.opf"), package.as_bytes(), true)?;
        let mut out = self.zip.finish().map_err(|error| PressError::Io(error.into()))?;
        out.flush()?;
        Ok(())
    }

    fn package(&self, metadata: &Metadata, more: &str) -> String {
        let Metadata { title, author, description, language, identifier, modified, direction } = metadata;
        let mut out = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"id\" xml:lang=\"{0}\">\n\
             <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n\
             <dc:identifier id=\"id\">{1}</dc:identifier>\n<dc:title>{2}</dc:title>\n<dc:language>{0}</dc:language>\n",
            escaped(language),
            escaped(identifier),
            escaped(titled(title)),
        );
        if !author.trim().is_empty() {
            let _ = writeln!(out, "<dc:creator>{}</dc:creator>", escaped(author.trim()));
        }
        if !description.trim().is_empty() {
            let _ = writeln!(out, "<dc:description>{}</dc:description>", escaped(description.trim()));
        }
        let _ = writeln!(out, "<meta property=\"dcterms:modified\">{}</meta>", moment(*modified));
        out.push_str(more);
        out.push_str("</metadata>\n<manifest>\n");
        for item in &self.items {
            let properties = match item.properties {
                "" => String::new(),
                words => format!(" properties=\"{words}\""),
            };
            let Item { id, path, media_type, .. } = item;
            let _ =
                writeln!(out, "<item id=\"{id}\" href=\"{path}\" media-type=\"{media_type}\"{properties}/>");
        }
        let _ = writeln!(out, "</manifest>\n<spine page-progression-direction=\"{}\">", direction.word());
        for item in &self.items {
            match item.in_spine {
                Some("") => _ = writeln!(out, "<itemref idref=\"{}\"/>", item.id),
                Some(words) => _ = writeln!(out, "<itemref idref=\"{}\" properties=\"{words}\"/>", item.id),
                None => {}
            }
        }
        out.push_str("</spine>\n</package>\n");
        out
    }
}

/// What a book's contents name.
#[derive(Default)]
pub(super) struct Contents {
    pub entries: Vec<Entry>,
    /// Pages by their numbers, where it has such.
    pub pages: Vec<Entry>,
    /// Where reading begins.
    pub start: String,
}

impl Contents {
    fn page(&self, metadata: &Metadata) -> String {
        let mut body = String::from("<nav epub:type=\"toc\" role=\"doc-toc\"><h1>目录</h1>");
        body.push_str(&nested(&self.entries));
        body.push_str("</nav>\n");
        if !self.pages.is_empty() {
            body.push_str(
                "<nav epub:type=\"page-list\" role=\"doc-pagelist\" hidden=\"hidden\"><h2>页码</h2>",
            );
            body.push_str(&nested(&self.pages));
            body.push_str("</nav>\n");
        }
        let _ = write!(
            body,
            "<nav epub:type=\"landmarks\" hidden=\"hidden\"><h2>导航</h2><ol>\
             <li><a epub:type=\"bodymatter\" href=\"{}\">正文</a></li></ol></nav>",
            escaped(&self.start)
        );
        page(&metadata.language, "目录", "", "", &body)
    }
}

/// Lists in lists. A level that is left out does not show.
fn nested(entries: &[Entry]) -> String {
    let mut out = String::new();
    let mut open: Vec<u8> = Vec::new();
    for Entry { level, title, target } in entries {
        match open.last() {
            Some(last) if level > last => {
                out.push_str("<ol>");
                open.push(*level);
            }
            None => {
                out.push_str("<ol>");
                open.push(*level);
            }
            Some(_) => {
                while let [.., above, last] = open.as_slice()
                    && last > level
                    && above >= level
                {
                    out.push_str("</li></ol>");
                    open.pop();
                }
                out.push_str("</li>");
            }
        }
        let _ = write!(out, "<li><a href=\"{}\">{}</a>", escaped(target), escaped(titled(title)));
    }
    for _ in open {
        out.push_str("</li></ol>");
    }
    out
}

/// A title is never empty.
pub(super) fn titled(title: &str) -> &str {
    if title.trim().is_empty() { "无题" } else { title.trim() }
}

/// A page of the book. `head` and `body` are XHTML already; `style` is the path of its style sheet.
pub(super) fn page(language: &str, title: &str, style: &str, head: &str, body: &str) -> String {
    let (language, title) = (escaped(language), escaped(titled(title)));
    let style = match style {
        "" => String::new(),
        path => format!("<link rel=\"stylesheet\" type=\"text/css\" href=\"{path}\"/>"),
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n\
         <html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\" lang=\"{language}\" xml:lang=\"{language}\">\n\
         <head><meta charset=\"UTF-8\"/><title>{title}</title>{style}{head}</head>\n<body>{body}</body>\n</html>\n"
    )
}

/// Text as XML writes it, without the places to break that the press put into long words.
pub(super) fn escaped(text: &str) -> String {
    xml::escaped(&text.replace('\u{200b}', ""))
}

/// A moment as EPUB writes it: `2026-01-02T03:04:05Z`.
fn moment(milliseconds: i64) -> String {
    let [year, month, day, hour, minute, second] = civil(milliseconds);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}
