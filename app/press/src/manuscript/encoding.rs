//! The text of a file, in whatever encoding computers in East Asia write it.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

use super::{MOST_BYTES, TextRefusal};

/// Bytes beyond ASCII that say too little of their encoding: ten characters.
const SHORT: usize = 20;

/// The text of a file.
///
/// # Errors
/// See [`TextRefusal`].
pub fn decode(bytes: &[u8]) -> Result<String, TextRefusal> {
    if bytes.len() > MOST_BYTES {
        return Err(TextRefusal::TooLong);
    }
    let encoding = encoding_of(bytes);
    let (text, _, is_broken) = encoding.decode(bytes);
    // no text holds such, nearly every other file does; what is valid UTF-8 is that by no accident
    let is_foreign =
        |character: char| if encoding == UTF_8 { character == '\0' } else { is_control(character) };
    if is_broken || text.chars().any(is_foreign) {
        return Err(TextRefusal::NoText);
    }
    if text.trim().is_empty() {
        return Err(TextRefusal::Empty);
    }
    Ok(text.into_owned())
}

/// What the file says, then what its bytes can only be, then what they are most likely.
fn encoding_of(bytes: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    if let Some(wide) = utf_16(bytes) {
        return wide;
    }
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    // most come from the mainland, which decides about a few words: names of files are such
    let is_short = bytes.iter().filter(|byte| !byte.is_ascii()).count() < SHORT;
    let likely = detector.guess(is_short.then_some(&b"cn"[..]), Utf8Detection::Deny);
    [BIG5, SHIFT_JIS, EUC_JP, EUC_KR].into_iter().find(|known| *known == likely).unwrap_or(GB18030)
}

/// UTF-16 that does not say so: ASCII and line feeds have a zero in every second byte, and no other text has zeros.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    match (zeros(0), zeros(1)) {
        _ if !bytes.len().is_multiple_of(2) => None,
        (0, 1..) => Some(UTF_16LE),
        (1.., 0) => Some(UTF_16BE),
        _ => None,
    }
}

/// Controls other than those that end lines and pages, and the mark that DOS ended files with.
fn is_control(character: char) -> bool {
    matches!(character, '\0'..='\u{8}' | '\u{e}'..='\u{19}' | '\u{1c}'..='\u{1f}' | '\u{7f}')
}
