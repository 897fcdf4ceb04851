//! Stand-ins for photos while a book is typeset for print: tiny JPEGs, each with its photo's id in a comment, so
//! that they can be told apart in the finished PDF.

use std::sync::LazyLock;

use domain::ids::PhotoId;
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;

/// What the comment starts with.
const MARK: &[u8] = b"bindery-photo:";

static GREY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut jpeg = Vec::new();
    // Writing 64 grey pixels into memory cannot fail; an empty stand-in would be refused by Typst.
    let _ = JpegEncoder::new(&mut jpeg).encode(&[0x80; 64], 8, 8, ExtendedColorType::L8);
    jpeg
});

/// The stand-in for a photo.
pub(crate) fn make(photo: &PhotoId) -> Vec<u8> {
    let comment = [MARK, photo.as_str().as_bytes()].concat();
    let (start, rest) = GREY.split_at(2.min(GREY.len()));
    // JPEG (ITU T.81, B.2.4.5): COM marker, length of itself and the comment, comment.
    let length = u16::try_from(comment.len() + 2).unwrap_or(u16::MAX).to_be_bytes();
    [start, &[0xff, 0xfe], &length, &comment, rest].concat()
}

/// The photo that a JPEG stands in for.
pub(crate) fn recognise(jpeg: &[u8]) -> Option<PhotoId> {
    let (header, rest) = jpeg.split_at_checked(6)?;
    if header[..4] != [0xff, 0xd8, 0xff, 0xfe] {
        return None;
    }
    let length = usize::from(u16::from_be_bytes([header[4], header[5]])).checked_sub(2)?;
    let id = rest.get(..length)?.strip_prefix(MARK)?;
    std::str::from_utf8(id).ok()?.parse().ok()
}
