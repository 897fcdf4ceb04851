//! What can go wrong while a document is typeset or printed.

use domain::ids::{FileDigest, PhotoId};

/// Why the press could not make a picture or a file.
#[derive(Debug, thiserror::Error)]
pub enum PressError {
    /// The document cannot be typeset as it stands: a size that is no size, a crop outside the photo.
    #[error("the document cannot be typeset: {0}")]
    Document(String),
    /// The document names a theme that the press does not have.
    #[error("there is no theme called {0}")]
    Theme(String),
    /// The page asked for is not in the document.
    #[error("the document has no page {0}")]
    Page(usize),
    /// Photos whose originals are not there; printing needs them all.
    #[error("originals are missing: {}", .0.iter().map(PhotoId::as_str).collect::<Vec<_>>().join(", "))]
    MissingOriginals(Vec<PhotoId>),
    /// An original that is there but cannot be used, and why.
    #[error("photo {0} cannot be printed: {1}")]
    Unreadable(PhotoId, String),
    /// An original whose bytes are not those that came: nothing of it may be printed.
    #[error("photo {0} is damaged: its bytes are not those that came")]
    Altered(PhotoId),
    /// A PDF whose bytes are not those that came.
    #[error("the file {0} is damaged: its bytes are not those that came")]
    AlteredFile(FileDigest),
    /// A PDF whose pages the document shows is not there; printing needs it.
    #[error("the file {0} is missing")]
    MissingFile(FileDigest),
    /// A PDF that is there but cannot be used, and why.
    #[error("the file {0} cannot be used: {1}")]
    UnreadableFile(FileDigest, String),
    /// Whoever asked has gone, and the work was not done to its end.
    #[error("nobody waits for the answer")]
    Abandoned,
    /// Typst refused; a fault in a theme or in this crate, never in the member's text.
    #[error("typesetting failed: {0}")]
    Typesetting(String),
    /// Pages of somebody's PDF break the standard in a way that is not mended; they are printed as pictures.
    #[error("pages of a PDF can't be printed as they are: {0}")]
    Unfit(String),
    /// The finished PDF could not be taken apart or put together; a fault in this crate.
    #[error("the PDF could not be assembled: {0}")]
    Pdf(String),
    /// Reading an original or writing the result failed.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl From<lopdf::Error> for PressError {
    fn from(error: lopdf::Error) -> Self {
        Self::Pdf(error.to_string())
    }
}

impl From<moxcms::CmsError> for PressError {
    fn from(error: moxcms::CmsError) -> Self {
        Self::Pdf(format!("a colour profile: {error}"))
    }
}
