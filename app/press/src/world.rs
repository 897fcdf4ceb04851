//! What Typst sees: the themes, the part they share, the document as data, and the pictures. Nothing else; no disk,
//! no network, no clock.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::ecow::EcoVec;
use typst::foundations::{Bytes, Datetime, Duration, Smart};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandards};

use crate::error::PressError;
use crate::fonts::Fonts;
use crate::sheet::Sheet;
use crate::themes;

static LIBRARY: LazyLock<LazyHash<Library>> = LazyLock::new(|| LazyHash::new(Library::default()));

/// How many later runs a result of Typst's memory is kept for. Pictures are part of it, so it is short.
const REMEMBERED_RUNS: usize = 3;

/// Whether something was typeset since [`rest`] was last asked for.
static IS_BUSY: AtomicBool = AtomicBool::new(false);

/// Gives back what is kept for the next page, unpacked fonts and Typst's memory, unless something was typeset since this was
/// last called.
pub(crate) fn rest() {
    if !IS_BUSY.swap(false, Ordering::Relaxed) {
        typst::comemo::evict(0);
        Fonts::embedded().put_away();
    }
}

/// The themes, parsed once.
static SOURCES: LazyLock<Result<Vec<Source>, PressError>> = LazyLock::new(|| {
    let source = |(path, text): (&str, &str)| Ok(Source::new(file_id(path)?, text.to_owned()));
    themes::SOURCES.into_iter().map(source).collect()
});

struct Desk {
    sources: &'static [Source],
    main: FileId,
    document: (FileId, Bytes),
    pictures: Vec<(FileId, Bytes)>,
}

/// The name under which the theme reads a picture. Typst keeps every file name it has seen for ever and has room
/// for 65535, so that pictures are numbered and not called by their photo's id.
pub(crate) fn picture_path(index: usize) -> String {
    format!("/pictures/{index}")
}

fn file_id(path: &str) -> Result<FileId, PressError> {
    let path = VirtualPath::new(path).map_err(|error| PressError::Typesetting(error.to_string()))?;
    Ok(RootedPath::new(VirtualRoot::Project, path).intern())
}

impl World for Desk {
    fn library(&self) -> &LazyHash<Library> {
        &LIBRARY
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &Fonts::embedded().book
    }

    fn main(&self) -> FileId {
        self.main
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        self.sources.iter().find(|source| source.id() == id).cloned().ok_or_else(|| FileError::Other(None))
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        std::iter::once(&self.document)
            .chain(&self.pictures)
            .find(|(file, _)| *file == id)
            .map(|(_, bytes)| bytes.clone())
            .ok_or_else(|| FileError::Other(None))
    }

    fn font(&self, index: usize) -> Option<Font> {
        IS_BUSY.store(true, Ordering::Relaxed);
        Fonts::embedded().get(index)
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

/// Typesets a sheet. `pictures` are in the order in which the sheet counts them.
pub(crate) fn typeset(sheet: &Sheet, pictures: Vec<Bytes>) -> Result<PagedDocument, PressError> {
    if let Some(page) = sheet.pages.iter().find(|page| !themes::is_known(page.theme)) {
        return Err(PressError::Theme(page.theme.to_owned()));
    }
    compile(themes::BOOK, sheet, pictures)
}

/// Typesets what a file of the themes makes of the data.
pub(crate) fn compile(
    main: &str,
    data: &impl Serialize,
    pictures: Vec<Bytes>,
) -> Result<PagedDocument, PressError> {
    let sources = SOURCES.as_ref().map_err(|error| PressError::Typesetting(error.to_string()))?;
    let json = serde_json::to_vec(data).map_err(|error| PressError::Document(error.to_string()))?;
    let desk = Desk {
        sources,
        main: file_id(main)?,
        document: (file_id("/document.json")?, Bytes::new(json)),
        pictures: pictures
            .into_iter()
            .enumerate()
            .map(|(index, bytes)| Ok((file_id(&picture_path(index))?, bytes)))
            .collect::<Result<_, PressError>>()?,
    };
    let typeset = typst::compile::<PagedDocument>(&desk).output.map_err(|errors| refused(&errors));
    typst::comemo::evict(REMEMBERED_RUNS);
    typeset
}

/// Writes typeset pages as a PDF: without tags, and without the time, so that the same pages are the same file.
pub(crate) fn write_pdf(typeset: &PagedDocument, standards: PdfStandards) -> Result<Vec<u8>, PressError> {
    let options = PdfOptions {
        ident: Smart::Auto,
        creator: Smart::Auto,
        timestamp: None,
        page_ranges: None,
        standards,
        tagged: false,
        pretty: false,
    };
    typst_pdf::pdf(typeset, &options).map_err(|errors| refused(&errors))
}

/// Typst's own words, for the log.
fn refused(errors: &EcoVec<SourceDiagnostic>) -> PressError {
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    PressError::Typesetting(messages.join("; "))
}
