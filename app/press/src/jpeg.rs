//! The headers of a JPEG file, read without the picture: what a PDF has to say about the bytes it carries.

use std::io::{self, Read};

/// Headers longer than this are no photo's (profiles and previews take a few MB at most).
const MAX_HEADERS: usize = 64 << 20;

/// What the headers say (ITU T.81, Annex B).
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Headers {
    pub width: u32,
    pub height: u32,
    pub components: u8,
    /// Eight bits, sequential or progressive, Huffman coded, nothing between its segments: what DCTDecode of PDF 1.6
    /// reads.
    pub common: bool,
    /// There is an Adobe marker: four components are then stored inverted.
    pub adobe: bool,
    /// Red, green and blue themselves, which only the names of the components say.
    pub plain_rgb: bool,
    /// The embedded ICC profile, put together from its segments (ICC.1, Annex B.4).
    pub profile: Option<Vec<u8>>,
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

/// Reads up to the start of the picture. Everything read is added to `read`, so that it can be passed on.
pub(crate) fn headers(source: &mut dyn Read, read: &mut Vec<u8>) -> io::Result<Headers> {
    let mut take = |count: usize, read: &mut Vec<u8>| -> io::Result<usize> {
        let start = read.len();
        if start + count > MAX_HEADERS {
            return Err(broken("its headers are too long"));
        }
        read.resize(start + count, 0);
        source.read_exact(&mut read[start..])?;
        Ok(start)
    };
    let start = take(2, read)?;
    if read[start..] != [0xff, 0xd8] {
        return Err(broken("it is not a JPEG file"));
    }
    let mut headers = Headers::default();
    let mut profile: Vec<(u8, Vec<u8>)> = Vec::new();
    let (mut is_clean, mut is_jfif) = (true, false);
    loop {
        let mut at = take(1, read)?;
        // some programs leave bytes between segments; decoders pass over them
        while read[at] != 0xff {
            is_clean = false;
            at = take(1, read)?;
        }
        // Markers may be padded with any number of 0xff.
        let at = take(1, read)?;
        let mut marker = read[at];
        while marker == 0xff {
            let at = take(1, read)?;
            marker = read[at];
        }
        if matches!(marker, 0x00 | 0x01 | 0xd0..=0xd8) {
            is_clean &= matches!(marker, 0x01 | 0xd0..=0xd7);
            continue;
        }
        let at = take(2, read)?;
        let length = usize::from(u16::from_be_bytes([read[at], read[at + 1]]));
        let at = take(length.checked_sub(2).ok_or_else(|| broken("its headers are damaged"))?, read)?;
        let segment = &read[at..];
        match marker {
            // Start of frame, in any of its kinds; DHT, JPG and DAC lie in the same range.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                let [precision, h1, h2, w1, w2, components, ..] = *segment else {
                    return Err(broken("its headers are damaged"));
                };
                headers.height = u32::from(u16::from_be_bytes([h1, h2]));
                headers.width = u32::from(u16::from_be_bytes([w1, w2]));
                headers.components = components;
                // each component has three bytes, of which the first is its name
                let names = segment.get(6..).unwrap_or_default().iter().step_by(3);
                headers.plain_rgb = names.eq(b"RGB");
                headers.common = precision == 8 && marker <= 0xc2 && matches!(components, 1 | 3 | 4);
            }
            // such a file is of luma and chroma, whatever they are called (JFIF 1.02)
            0xe0 if segment.starts_with(b"JFIF") => is_jfif = true,
            0xe2 => {
                if let Some([number, _, part @ ..]) = segment.strip_prefix(b"ICC_PROFILE\0") {
                    profile.push((*number, part.to_vec()));
                }
            }
            0xee if segment.starts_with(b"Adobe") => headers.adobe = true,
            0xda => break,
            0xd9 => return Err(broken("it holds no picture")),
            _ => {}
        }
    }
    if headers.width == 0 || headers.height == 0 {
        return Err(broken("it does not say how large it is"));
    }
    headers.common &= is_clean;
    headers.plain_rgb &= !is_jfif && !headers.adobe;
    if !profile.is_empty() {
        profile.sort_by_key(|(number, _)| *number);
        headers.profile = Some(profile.into_iter().flat_map(|(_, part)| part).collect());
    }
    Ok(headers)
}

/// The parts of a JPEG file that are its picture: without what cameras and programs say of place, owner, device and
/// history, without small copies, and without what follows its end. One part where there is nothing to leave out; the picture
/// itself is in it byte for byte. (ITU T.81, Annex B)
pub(crate) fn picture_of(file: &[u8]) -> Vec<&[u8]> {
    // what the parts leave out between them, as ranges that are kept
    let mut kept: Vec<std::ops::Range<usize>> = std::iter::once(0..file.len().min(2)).collect();
    let mut keep = |range: std::ops::Range<usize>| match kept.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => kept.push(range),
    };
    let (mut at, mut is_picture) = (2, false);
    while let Some((&[0xff, marker], rest)) = file.get(at..).and_then(|rest| rest.split_first_chunk()) {
        if marker == 0xff {
            // markers may be padded
            keep(at..at + 1);
            at += 1;
            continue;
        }
        let length = match rest {
            [high, low, ..] if !matches!(marker, 0x00 | 0x01 | 0xd0..=0xd9) => {
                usize::from(u16::from_be_bytes([*high, *low]))
            }
            _ => 0,
        };
        let end = (at + 2 + length).min(file.len());
        let content = file.get(at + 4..end).unwrap_or_default();
        if marker == 0xda {
            keep(at..end_of_picture(file, end));
            at = file.len();
            is_picture = true;
            break;
        }
        if is_of_the_picture(marker, content) {
            keep(at..end);
        }
        at = end;
    }
    // a file that is none ends as it is
    if at < file.len() {
        keep(at..file.len());
    }
    let mut parts: Vec<&[u8]> = kept.into_iter().filter_map(|range| file.get(range)).collect();
    // a file may lack it, as long as its picture is whole
    if is_picture && parts.last().is_some_and(|last| !last.ends_with(&END)) {
        parts.push(&END);
    }
    parts
}

/// The end marker.
const END: [u8; 2] = [0xff, 0xd9];

/// Whether a decoder needs a segment, or the shop its colours.
fn is_of_the_picture(marker: u8, content: &[u8]) -> bool {
    match marker {
        // JFIF without a small copy of the picture
        0xe0 => content.starts_with(b"JFIF\0") && content.len() <= 14,
        0xe2 => content.starts_with(b"ICC_PROFILE\0"),
        0xee => content.starts_with(b"Adobe"),
        0xe1..=0xef | 0xfe => false,
        _ => true,
    }
}

/// Where the picture ends whose first scan begins at `at`: after its end marker, or with the file where it has none.
fn end_of_picture(file: &[u8], mut at: usize) -> usize {
    while let Some(found) = file.get(at..).and_then(|rest| memchr::memchr(0xff, rest)) {
        at += found;
        match file.get(at + 1) {
            Some(0xd9) => return at + 2,
            // a byte of the picture, a restart, or padding
            Some(0x00 | 0x01 | 0xd0..=0xd7) => at += 2,
            Some(0xff) => at += 1,
            // between scans stand segments, whose bytes mean something else
            Some(_) => match file.get(at + 2..at + 4) {
                Some(&[high, low]) => at += 2 + usize::from(u16::from_be_bytes([high, low])),
                _ => break,
            },
            None => break,
        }
    }
    file.len()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_stands_between_segments_is_passed_over_and_noticed() {
        let mut file = Vec::new();
        let grey = image::GrayImage::new(40, 30);
        grey.write_to(&mut io::Cursor::new(&mut file), image::ImageFormat::Jpeg).unwrap();
        let read = |file: &[u8]| headers(&mut &*file, &mut Vec::new()).unwrap();
        let clean = read(&file);
        assert!(clean.common);
        for stray in [&[0x00][..], &[0x12, 0x34, 0x56], &[0xff, 0x00]] {
            let littered = [&file[..2], stray, &file[2..]].concat();
            assert_eq!(read(&littered), Headers { common: false, ..clean.clone() }, "{stray:x?}");
        }
        let padded = [&file[..2], &[0xff, 0xff], &file[2..]].concat();
        assert_eq!(read(&padded), clean);
        assert!(headers(&mut &file[..20], &mut Vec::new()).is_err());
    }

    /// A segment of an application.
    fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xff, marker], &length[..], content].concat()
    }

    #[test]
    fn what_a_camera_says_of_itself_stays_here() {
        let mut file = Vec::new();
        let grey = image::GrayImage::from_fn(90, 60, |x, y| image::Luma([(x * y) as u8]));
        grey.write_to(&mut io::Cursor::new(&mut file), image::ImageFormat::Jpeg).unwrap();
        assert_eq!(picture_of(&file).concat(), file);
        assert_eq!(picture_of(&file).len(), 1);
        let icc = segment(0xe2, b"ICC_PROFILE\0\x01\x01profile");
        let private = [
            segment(0xe1, b"Exif\0\0GPS 39.9042N"),
            segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0serial 12345"),
            segment(0xe2, b"MPF\0more pictures"),
            segment(0xed, b"Photoshop 3.0\0owner"),
            segment(0xfe, b"a comment"),
            segment(0xe0, b"JFXX\0a small copy"),
        ]
        .concat();
        let dressed = [&file[..2], &private, &icc, &file[2..], b"\0\0a film and its sound"].concat();
        let clean = [&file[..2], &icc, &file[2..]].concat();
        assert_eq!(picture_of(&dressed).concat(), clean);
        // cut off, it is what is left, and ends
        let cut = &dressed[..dressed.len() - 40];
        assert_eq!(picture_of(cut).concat(), [&clean[..clean.len() - 18], &END].concat());
        assert_eq!(picture_of(b"no JPEG").concat(), b"no JPEG");
        assert_eq!(picture_of(b"").concat(), b"");
    }
}
