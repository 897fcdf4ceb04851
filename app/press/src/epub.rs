//! Electronic books, EPUB 3: a text flows as the reader's screen asks for it, pages of an album, a calendar or a PDF stay as
//! they are, as pictures with their words.
//!
//! The same work and the same metadata give the same bytes. No crate is used for it but the one that writes the archive:
//! those there are don't know fixed layouts, and write what changes from run to run.

mod accessibility;
mod album;
mod flow;
mod package;

use std::io::Write;

use domain::document::Document;

pub use album::{Album, PageWords};
pub use flow::Text;
pub use package::{Direction, Metadata};

use crate::PressError;
use crate::reading::{ReadingPicture, for_files};
use crate::screen::{PageRef, Proxies};

/// How wide a cover is, in pixels: stores of books ask for a long side of 1,600 at least.
const COVER_WIDTH: u32 = 1200;

/// The cover of a work, as a picture that every reading program knows.
///
/// # Errors
/// The document is impossible, or its theme does not exist.
pub fn cover(document: &Document, proxies: &dyn Proxies) -> Result<ReadingPicture, PressError> {
    for_files(document, PageRef::Cover, proxies, COVER_WIDTH)
}

/// Writes an album, a calendar or a PDF as a book of pages. The pages' pictures are drawn one after the other.
///
/// # Errors
/// The document is impossible; `out` can't be written.
pub fn write_album(
    document: &Document,
    proxies: &dyn Proxies,
    album: &Album,
    out: &mut dyn Write,
) -> Result<(), PressError> {
    album::write(document, proxies, album, out)
}

/// Writes a text as a book that flows.
///
/// # Errors
/// `out` can't be written.
pub fn write_text(text: &Text, metadata: &Metadata, out: &mut dyn Write) -> Result<(), PressError> {
    flow::write(text, metadata, out)
}
