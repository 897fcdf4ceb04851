//! Text strings: names that a file gives its chapters (ISO 32000-2, 7.9.2.2).

use encoding_rs::{Encoding, GB18030};
use lopdf::{Object, decode_text_string};

/// What a text string says. One that begins with a byte order mark is UTF-16 or UTF-8; the little-endian one is nobody's
/// standard, and is read by everybody. Others are PDFDocEncoding, or what Chinese programs wrote in its place: GBK, and
/// UTF-8 without its mark.
pub(super) fn text_string(bytes: &[u8]) -> String {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return without_languages(&encoding.decode_without_bom_handling(&bytes[mark..]).0);
    }
    if let Ok(text) = str::from_utf8(bytes)
        && !text.is_ascii()
    {
        return text.to_owned();
    }
    chinese(bytes).unwrap_or_else(|| latin(bytes))
}

/// PDFDocEncoding (annex D.2); white space that it does not define is a space.
fn latin(bytes: &[u8]) -> String {
    let spaced = bytes.iter().map(|byte| if matches!(byte, b'\t' | b'\n' | b'\r') { b' ' } else { *byte });
    decode_text_string(&Object::string_literal(spaced.collect::<Vec<u8>>())).unwrap_or_default()
}

/// What the bytes say in GBK, where they are more likely that than Latin letters: every byte above ASCII is one of a pair, and
/// most pairs are punctuation or one of the 3,755 common characters of GB 2312. Accented small letters lie beyond those, and
/// hardly ever stand two and two.
fn chinese(bytes: &[u8]) -> Option<String> {
    let (mut pairs, mut common) = (0, 0);
    let mut rest = bytes.iter();
    while let Some(first) = rest.next() {
        if *first > 0x80 {
            let second = rest.next()?;
            pairs += 1;
            common += usize::from((0xa1..=0xd7).contains(first) && *second >= 0xa1);
        }
    }
    let is_alone = !bytes.iter().any(u8::is_ascii_alphabetic);
    let is_likely = 3 * common >= 2 * pairs && (pairs > 1 || pairs == 1 && is_alone);
    let text = GB18030.decode_without_bom_handling_and_without_replacement(bytes).filter(|_| is_likely)?;
    Some(text.into_owned())
}

/// Without the names of languages, which stand between two escapes each (7.9.2.2.3).
fn without_languages(text: &str) -> String {
    text.split('\u{1b}').step_by(2).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_strings_are_what_their_marks_say() {
        for (bytes, expected) in [
            (b"\xfe\xff\x7b\x2c\x4e\x00\x7a\xe0".as_slice(), "第一章"),
            (b"\xff\xfe\x2c\x7b\x00\x4e\xe0\x7a", "第一章"),
            (b"\xef\xbb\xbf\xe7\xac\xac\xe4\xb8\x80\xe7\xab\xa0", "第一章"),
            // beyond the first plane; a language before the words
            (b"\xfe\xff\xd8\x40\xdc\x0b\x00!", "\u{2000b}!"),
            (b"\xfe\xff\x00\x1b\x00z\x00h\x00C\x00N\x00\x1b\x4e\x2d", "中"),
            (b"\xfe\xff", ""),
        ] {
            assert_eq!(text_string(bytes), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn unmarked_strings_are_latin_or_chinese() {
        for (bytes, expected) in [
            (b"Chapter 1".as_slice(), "Chapter 1"),
            // PDFDocEncoding: quotes, dashes, ligatures, the euro
            (b"\x8d\x93quoted\x94\x8e Chapter \x80", "“ﬁquotedﬂ” Chapter •"),
            (b"L\x90\xe9t\xe9 \x84 \xa010", "L’été — €10"),
            (b"Cr\xe9\xe9e \xe0 No\xebl", "Créée à Noël"),
            (b"\xc9T\xc9", "ÉTÉ"),
            (b"M\xfc\xdfig", "Müßig"),
            (b"one\r\ntwo", "one  two"),
            // GBK: common characters, rare ones among them, alone
            (b"\xb5\xda\xce\xe5\xd5\xc2 \xb9\xfa\xb1\xea", "第五章 国标"),
            (b"\xd6\xec\xe9\x46\xbb\xf9", "朱镕基"),
            (b"\xd0\xf2", "序"),
            (b"2026\xc4\xea\xb5\xda1\xc6\xda", "2026年第1期"),
            (b"\xa1\xb6\xba\xec\xc2\xa5\xc3\xce\xa1\xb7", "《红楼梦》"),
            ("前言".as_bytes(), "前言"),
        ] {
            assert_eq!(text_string(bytes), expected, "{bytes:x?}");
        }
    }
}
