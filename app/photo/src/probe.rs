//! What a file is, from its first bytes and its headers. No pixel is decoded, nothing is allocated by a size
//! that the file claims, and every loop over a file's parts has an end.

use std::io::{BufRead, Read, Seek, SeekFrom};

use super::exif::{self, Exif};
use super::{MAX_PIXELS, MAX_SCALED_PIXELS, PhotoFormat, PhotoInfo, PhotoRefusal, heif, turns_sideways};

/// The most parts (JPEG segments, PNG or WebP chunks) that are looked at in one file. PNG files of the largest
/// accepted size have some ten thousand.
const MOST_PARTS: usize = 100_000;
/// The most bytes of EXIF data that are read; times and orientation stand at its beginning.
pub(super) const MOST_EXIF: u64 = 128 * 1024;

/// Reads a photo's headers, from the start of `file`.
///
/// # Errors
/// A refusal when the bytes are of no [`PhotoFormat`], when the photo is past the limits, and when its headers
/// are damaged. That the pixels are sound only [`super::derive`] knows.
pub fn probe(file: &mut (impl BufRead + Seek)) -> Result<PhotoInfo, PhotoRefusal> {
    let (format, header) = read(file)?;
    let orientation = header.exif.orientation.unwrap_or(1);
    let (width, height) = if turns_sideways(orientation) {
        (header.height, header.width)
    } else {
        (header.width, header.height)
    };
    let exif = &header.exif;
    let info = PhotoInfo {
        format,
        width,
        height,
        orientation,
        taken_at: exif.taken.map(|clock| clock.at),
        taken_offset: exif.taken.or(exif.changed).and_then(|clock| clock.offset),
        changed_at: exif.changed.map(|clock| clock.at),
        position: exif.position,
    };
    info.check_size(if header.is_scaled { MAX_SCALED_PIXELS } else { MAX_PIXELS })?;
    Ok(info)
}

/// Maker and model of the camera, where a photo says them.
pub fn camera(file: &mut (impl BufRead + Seek)) -> Option<String> {
    read(file).ok()?.1.exif.camera
}

fn read(file: &mut (impl BufRead + Seek)) -> Result<(PhotoFormat, Header), PhotoRefusal> {
    file.seek(SeekFrom::Start(0))?;
    let mut start = Vec::with_capacity(512);
    Read::take(&mut *file, 512).read_to_end(&mut start)?;
    let format = recognise(&start)?;
    let header = match format {
        PhotoFormat::Jpeg => jpeg(file)?,
        PhotoFormat::Png => png(file)?,
        PhotoFormat::WebP => webp(file)?,
        PhotoFormat::Heic | PhotoFormat::Avif => heif::header(file, format)?,
    };
    Ok((format, header))
}

/// A photo's size as stored, and its EXIF data.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub width: u32,
    pub height: u32,
    /// Whether it can be decoded at a part of its size.
    pub is_scaled: bool,
    pub exif: Exif,
}

/// The format by the first bytes; 512 are enough.
///
/// # Errors
/// A refusal that names the kind of file, where that is known.
pub fn recognise(start: &[u8]) -> Result<PhotoFormat, PhotoRefusal> {
    let at = |offset: usize, bytes: &[u8]| start.get(offset..).is_some_and(|rest| rest.starts_with(bytes));
    if at(0, &[0xFF, 0xD8, 0xFF]) {
        return Ok(PhotoFormat::Jpeg);
    }
    if at(0, b"\x89PNG\r\n\x1A\n") {
        return Ok(PhotoFormat::Png);
    }
    if at(0, b"RIFF") && at(8, b"WEBP") {
        return Ok(PhotoFormat::WebP);
    }
    if at(4, b"ftyp") {
        return heif_kind(start);
    }
    let others: [(&[u8], &str); 8] = [
        (b"GIF8", "GIF"),
        (b"BM", "BMP"),
        (b"II*\0", "TIFF"),
        (b"MM\0*", "TIFF"),
        (b"8BPS", "PSD"),
        (b"%PDF", "PDF"),
        (b"PK\x03\x04", "压缩"),
        (b"\0\0\0\x0CJXL ", "JPEG XL"),
    ];
    if let Some((_, name)) = others.iter().find(|(bytes, _)| start.starts_with(bytes)) {
        return Err(PhotoRefusal::OtherKind(name));
    }
    let text = String::from_utf8_lossy(start).to_ascii_lowercase();
    if text.contains("<svg") {
        return Err(PhotoRefusal::OtherKind("SVG"));
    }
    if text.contains("<html") || text.contains("<!doctype html") {
        return Err(PhotoRefusal::OtherKind("HTML"));
    }
    Err(PhotoRefusal::NotAPhoto)
}

/// What a file of ISO base media is by the brands that it says it follows, the first of which need not be the one that tells
/// (ISO/IEC 23008-12, 10.2).
fn heif_kind(start: &[u8]) -> Result<PhotoFormat, PhotoRefusal> {
    let length = start.first_chunk().map_or(0, |length| u32::from_be_bytes(*length) as usize);
    let brands = start.get(8..length.min(start.len())).unwrap_or_default();
    // behind the first stands its version
    let brands =
        || brands.chunks_exact(4).enumerate().filter(|(place, _)| *place != 1).map(|(_, brand)| brand);
    let follows = |names: &[&[u8; 4]]| brands().any(|brand| names.iter().any(|name| brand == *name));
    let format = if follows(&[b"avif", b"avis"]) {
        PhotoFormat::Avif
    } else if follows(&[b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"]) {
        PhotoFormat::Heic
    } else if follows(&[b"mif1", b"msf1"]) {
        return Err(PhotoRefusal::UnusualCoding);
    } else {
        return Err(PhotoRefusal::OtherKind("视频"));
    };
    if cfg!(feature = "heif") { Ok(format) } else { Err(PhotoRefusal::Heic) }
}

fn bytes<const N: usize>(file: &mut impl BufRead) -> Result<[u8; N], PhotoRefusal> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Goes `length` bytes on. Past the file's end, the next reading fails.
fn skip(file: &mut impl Seek, length: u64) -> Result<(), PhotoRefusal> {
    Ok(file.seek_relative(i64::try_from(length).map_err(|_| PhotoRefusal::Damaged)?)?)
}

/// Reads the EXIF data of a part that has `length` bytes, and goes behind it.
fn exif_part(file: &mut (impl BufRead + Seek), length: u64) -> Result<Exif, PhotoRefusal> {
    let mut data = Vec::new();
    Read::take(&mut *file, length.min(MOST_EXIF)).read_to_end(&mut data)?;
    skip(file, length - data.len() as u64)?;
    Ok(exif::read(data.strip_prefix(b"Exif\0\0").unwrap_or(&data)))
}

/// ITU-T T.81, annex B: segments up to the first scan.
fn jpeg(file: &mut (impl BufRead + Seek)) -> Result<Header, PhotoRefusal> {
    file.seek(SeekFrom::Start(2))?;
    let mut header = Header::default();
    for _ in 0..MOST_PARTS {
        let [marker] = bytes(file)?;
        if marker != 0xFF {
            // Bytes between segments; decoders go on to the next marker.
            continue;
        }
        let mut code = 0xFF;
        for _ in 0..MOST_PARTS {
            [code] = bytes(file)?;
            if code != 0xFF {
                break;
            }
        }
        if matches!(code, 0x00 | 0x01 | 0xD0..=0xD8) {
            continue;
        }
        if code == 0xD9 {
            return Err(PhotoRefusal::Damaged);
        }
        let length = u64::from(u16::from_be_bytes(bytes(file)?));
        let length = length.checked_sub(2).ok_or(PhotoRefusal::Damaged)?;
        match code {
            // Baseline, extended and progressive.
            0xC0..=0xC2 => {
                let [precision, h1, h0, w1, w0, components] = bytes(file)?;
                header.height = u32::from(u16::from_be_bytes([h1, h0]));
                header.width = u32::from(u16::from_be_bytes([w1, w0]));
                header.is_scaled = code != 0xC2 && components != 4;
                if precision != 8 || header.height == 0 || !matches!(components, 1 | 3 | 4) {
                    return Err(PhotoRefusal::UnusualCoding);
                }
                skip(file, length.checked_sub(6).ok_or(PhotoRefusal::Damaged)?)?;
            }
            0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => return Err(PhotoRefusal::UnusualCoding),
            0xE1 if header.exif == Exif::default() => header.exif = app1(file, length)?,
            0xDA if header.width > 0 => return Ok(header),
            0xDA => return Err(PhotoRefusal::Damaged),
            _ => skip(file, length)?,
        }
    }
    Err(PhotoRefusal::Damaged)
}

/// An APP1 segment holds EXIF data or something else, such as XMP.
fn app1(file: &mut (impl BufRead + Seek), length: u64) -> Result<Exif, PhotoRefusal> {
    if length < 6 {
        skip(file, length)?;
        return Ok(Exif::default());
    }
    let name: [u8; 6] = bytes(file)?;
    if &name == b"Exif\0\0" {
        return exif_part(file, length - 6);
    }
    skip(file, length - 6)?;
    Ok(Exif::default())
}

/// PNG, third edition, section 5. EXIF data may come after the pixels.
fn png(file: &mut (impl BufRead + Seek)) -> Result<Header, PhotoRefusal> {
    file.seek(SeekFrom::Start(8))?;
    let mut header = Header::default();
    for part in 0..MOST_PARTS {
        let length = u64::from(u32::from_be_bytes(bytes(file)?));
        let kind: [u8; 4] = bytes(file)?;
        // Each part ends with a checksum of four bytes.
        match &kind {
            b"IHDR" if part == 0 && length == 13 => {
                let [w3, w2, w1, w0, h3, h2, h1, h0] = bytes(file)?;
                header.width = u32::from_be_bytes([w3, w2, w1, w0]);
                header.height = u32::from_be_bytes([h3, h2, h1, h0]);
                // Past the limits nothing else matters, and the file may be hostile.
                let info = PhotoInfo {
                    format: PhotoFormat::Png,
                    width: header.width,
                    height: header.height,
                    orientation: 1,
                    taken_at: None,
                    taken_offset: None,
                    changed_at: None,
                    position: None,
                };
                info.check_size(MAX_PIXELS)?;
                skip(file, 5 + 4)?;
            }
            _ if part == 0 || length > u64::from(u32::MAX / 2) => return Err(PhotoRefusal::Damaged),
            b"IEND" => return Ok(header),
            b"eXIf" => {
                header.exif = exif_part(file, length)?;
                skip(file, 4)?;
            }
            _ => skip(file, length + 4)?,
        }
    }
    // A file of very many small parts: its pixels may still be sound.
    Ok(header)
}

/// RFC 9649, section 2.
fn webp(file: &mut (impl BufRead + Seek)) -> Result<Header, PhotoRefusal> {
    file.seek(SeekFrom::Start(4))?;
    let mut left = u64::from(u32::from_le_bytes(bytes(file)?));
    skip(file, 4)?;
    left = left.checked_sub(4).ok_or(PhotoRefusal::Damaged)?;
    let mut header = Header::default();
    for part in 0..MOST_PARTS {
        if left < 8 {
            break;
        }
        let kind: [u8; 4] = bytes(file)?;
        let length = u64::from(u32::from_le_bytes(bytes(file)?));
        let padded = length + length % 2;
        left = left.saturating_sub(8 + padded);
        let read = match &kind {
            b"VP8X" if part == 0 && length >= 10 => {
                let [flags, _, _, _, w0, w1, w2, h0, h1, h2] = bytes(file)?;
                if flags & 0b10 != 0 {
                    return Err(PhotoRefusal::Animated);
                }
                header.width = u32::from_le_bytes([w0, w1, w2, 0]) + 1;
                header.height = u32::from_le_bytes([h0, h1, h2, 0]) + 1;
                10
            }
            b"VP8 " if part == 0 && length >= 10 => {
                let [_, _, _, s0, s1, s2, w0, w1, h0, h1] = bytes(file)?;
                if [s0, s1, s2] != [0x9D, 0x01, 0x2A] {
                    return Err(PhotoRefusal::Damaged);
                }
                header.width = u32::from(u16::from_le_bytes([w0, w1]) & 0x3FFF);
                header.height = u32::from(u16::from_le_bytes([h0, h1]) & 0x3FFF);
                // The simple form has only this part, and nothing but the end of its bytes is of interest.
                10
            }
            b"VP8L" if part == 0 && length >= 5 => {
                let [signature, b0, b1, b2, b3] = bytes(file)?;
                if signature != 0x2F {
                    return Err(PhotoRefusal::Damaged);
                }
                let sizes = u32::from_le_bytes([b0, b1, b2, b3]);
                header.width = (sizes & 0x3FFF) + 1;
                header.height = (sizes >> 14 & 0x3FFF) + 1;
                5
            }
            _ if part == 0 => return Err(PhotoRefusal::Damaged),
            b"EXIF" => {
                header.exif = exif_part(file, length)?;
                length
            }
            _ => 0,
        };
        skip(file, length - read)?;
        // The last part's padding is often left out.
        if padded > length && left > 0 {
            skip(file, 1)?;
        }
    }
    let end = file.stream_position()?;
    if file.seek(SeekFrom::End(0))? < end {
        return Err(PhotoRefusal::Damaged);
    }
    Ok(header)
}
