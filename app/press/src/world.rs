//! What Typst sees: the theme, the shared part, the document as data, and the pictures. Nothing else; no disk,
//! no network, no clock.

use std::sync::LazyLock;

use typst::diag::{FileError, FileResult, SourceDiagnostic};
use typst::ecow::EcoVec;
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_layout::PagedDocument;

use crate::error::PressError;
use crate::fonts::Fonts;
use crate::sheet::Sheet;
use crate::themes;

static LIBRARY: LazyLock<LazyHash<Library>> = LazyLock::new(|| LazyHash::new(Library::default()));

/// How many later runs a result of Typst's memory is kept for. Pictures are part of it, so it is short.
const REMEMBERED_RUNS: usize = 3;

struct Desk {
    theme: Source,
    shared: Source,
    month: Source,
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
        self.theme.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        [&self.theme, &self.shared, &self.month]
            .into_iter()
            .find(|source| source.id() == id)
            .cloned()
            .ok_or_else(|| FileError::Other(None))
    }

    fn file(&self, id: FileId) -> FileResult<Bytes> {
        std::iter::once(&self.document)
            .chain(&self.pictures)
            .find(|(file, _)| *file == id)
            .map(|(_, bytes)| bytes.clone())
            .ok_or_else(|| FileError::Other(None))
    }

    fn font(&self, index: usize) -> Option<Font> {
        Fonts::embedded().get(index)
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

/// Typesets a sheet. `pictures` are in the order in which the sheet counts them.
pub(crate) fn typeset(theme: &str, sheet: &Sheet, pictures: Vec<Bytes>) -> Result<PagedDocument, PressError> {
    let theme_source = themes::source(theme).ok_or_else(|| PressError::Theme(theme.to_owned()))?;
    let json = serde_json::to_vec(sheet).map_err(|error| PressError::Document(error.to_string()))?;
    let desk = Desk {
        theme: Source::new(file_id(&format!("/{theme}.typ"))?, theme_source.to_owned()),
        shared: Source::new(file_id("/press.typ")?, themes::SHARED.to_owned()),
        month: Source::new(file_id("/month.typ")?, themes::MONTH.to_owned()),
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

/// Typst's own words, for the log.
pub(crate) fn refused(errors: &EcoVec<SourceDiagnostic>) -> PressError {
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    PressError::Typesetting(messages.join("; "))
}
