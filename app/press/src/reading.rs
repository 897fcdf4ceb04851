//! Pages for readers: pictures in the widths of their screens, and the words that stand on them.
//!
//! What becomes of members' PDFs here, their pictures and words, was made of them elsewhere: see [`crate::pdf`].

mod palette;
mod pictures;
mod text;

pub use pictures::{PictureFormat, ReadingPicture};

pub(crate) use pictures::{for_files, pictures};
pub(crate) use text::{page_text, side_text};
