//! Photo files made by hand, so that every byte of them is known.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ImageEncoder, Rgb, RgbImage};
use photo::PhotoFormat;

/// A picture that shows which way is up: red, green, blue and yellow quarters, from the top left in reading order.
pub fn quarters(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => Rgb([230, 20, 20]),
        (false, true) => Rgb([20, 160, 40]),
        (true, false) => Rgb([20, 40, 220]),
        (false, false) => Rgb([240, 220, 30]),
    })
}

/// Metadata for a file: EXIF (a TIFF), an ICC profile.
#[derive(Default)]
pub struct Metadata {
    pub exif: Option<Vec<u8>>,
    pub profile: Option<Vec<u8>>,
}

/// A file of a format.
pub fn file(format: PhotoFormat, picture: &DynamicImage, metadata: Metadata) -> Vec<u8> {
    fn write(mut encoder: impl ImageEncoder, picture: &DynamicImage, metadata: Metadata) {
        if let Some(exif) = metadata.exif {
            encoder.set_exif_metadata(exif).unwrap();
        }
        if let Some(profile) = metadata.profile {
            encoder.set_icc_profile(profile).unwrap();
        }
        picture.write_with_encoder(encoder).unwrap();
    }
    let mut bytes = Vec::new();
    match format {
        PhotoFormat::Png => write(PngEncoder::new(&mut bytes), picture, metadata),
        PhotoFormat::WebP => write(WebPEncoder::new_lossless(&mut bytes), picture, metadata),
        PhotoFormat::Jpeg => {
            picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 95)).unwrap();
            let mut segments = Vec::new();
            if let Some(exif) = metadata.exif {
                segments.extend(segment(0xE1, &[b"Exif\0\0", exif.as_slice()].concat()));
            }
            if let Some(profile) = metadata.profile {
                segments.extend(segment(0xE2, &[b"ICC_PROFILE\0\x01\x01", profile.as_slice()].concat()));
            }
            bytes.splice(2..2, segments);
        }
        PhotoFormat::Heic | PhotoFormat::Avif => panic!("other programs write these"),
    }
    bytes
}

/// A JPEG segment with its marker and length.
pub fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
    [&[0xFF, marker], length.as_slice(), content].concat()
}

/// EXIF data as a camera writes it: an orientation, texts of the EXIF directory by tag, and beside them a
/// serial number and a place that must never leave the house.
pub fn exif(little: bool, orientation: u16, texts: &[(u16, &str)]) -> Vec<u8> {
    let short = |value: u16| if little { value.to_le_bytes() } else { value.to_be_bytes() };
    let long = |value: usize| {
        let value = u32::try_from(value).unwrap();
        if little { value.to_le_bytes() } else { value.to_be_bytes() }
    };
    let mut texts: Vec<(u16, String)> = texts.iter().map(|(tag, text)| (*tag, format!("{text}\0"))).collect();
    texts.push((0xA431, "SERIAL-4711\0".to_owned()));
    texts.sort();

    let entry = |tag: u16, kind: u16, count: usize, value: [u8; 4]| {
        [short(tag).as_slice(), &short(kind), &long(count), &value].concat()
    };
    let exif_at = 8 + 2 + 3 * 12 + 4;
    let gps_at = exif_at + 2 + texts.len() * 12 + 4;
    let mut data_at = gps_at + 2 + 12 + 4;
    let [one, two] = short(orientation);
    let mut bytes = [if little { b"II" } else { b"MM" }.as_slice(), &short(42), &long(8)].concat();
    bytes.extend(short(3));
    bytes.extend(entry(0x0112, 3, 1, [one, two, 0, 0]));
    bytes.extend(entry(0x8769, 4, 1, long(exif_at)));
    bytes.extend(entry(0x8825, 4, 1, long(gps_at)));
    bytes.extend(long(0));

    bytes.extend(short(u16::try_from(texts.len()).unwrap()));
    let mut data = Vec::<u8>::new();
    for (tag, text) in &texts {
        let value = if text.len() <= 4 {
            let mut value = [0; 4];
            value[..text.len()].copy_from_slice(text.as_bytes());
            value
        } else {
            data.extend(text.as_bytes());
            data_at += text.len();
            long(data_at - text.len())
        };
        bytes.extend(entry(*tag, 2, text.len(), value));
    }
    bytes.extend(long(0));

    bytes.extend(short(1));
    bytes.extend(entry(0x001D, 2, 11, long(data_at)));
    bytes.extend(long(0));
    data.extend(b"2024:05:01\0");
    bytes.extend(data);
    bytes
}

/// A baseline JPEG of 8 × 8 pixels in one colour, with the stored samples given for each component. `adobe` is
/// the transform in an Adobe segment.
pub fn flat_jpeg(samples: &[u8], adobe: Option<u8>) -> Vec<u8> {
    let count = u8::try_from(samples.len()).unwrap();
    let mut bytes = vec![0xFF, 0xD8];
    if let Some(transform) = adobe {
        bytes.extend(segment(0xEE, &[b"Adobe\0\x64\0\0\0\0".as_slice(), &[transform]].concat()));
    }
    bytes.extend(segment(0xDB, &[&[0], [1; 64].as_slice()].concat()));
    let mut frame = vec![8, 0, 8, 0, 8, count];
    let mut scan = vec![count];
    for component in 1..=count {
        frame.extend([component, 0x11, 0]);
        scan.extend([component, 0]);
    }
    scan.extend([0, 63, 0]);
    bytes.extend(segment(0xC0, &frame));
    // Twelve lengths of the DC value, each a code of four bits; one AC code, the end of the block.
    let mut dc = vec![0, 0, 0, 0, 12];
    dc.extend([0; 12]);
    dc.extend(0..12);
    bytes.extend(segment(0xC4, &dc));
    let mut ac = vec![0x10, 1];
    ac.extend([0; 15]);
    ac.push(0);
    bytes.extend(segment(0xC4, &ac));
    bytes.extend(segment(0xDA, &scan));

    let mut bits = String::new();
    for &sample in samples {
        let value = (i32::from(sample) - 128) * 8;
        let length = 32 - value.unsigned_abs().leading_zeros() as usize;
        let coded = if value < 0 { value + (1 << length) - 1 } else { value };
        bits += &format!("{length:04b}");
        if length > 0 {
            bits += &format!("{coded:0length$b}");
        }
        bits.push('0');
    }
    while !bits.len().is_multiple_of(8) {
        bits.push('1');
    }
    for byte in bits.as_bytes().chunks(8) {
        let byte = u8::from_str_radix(std::str::from_utf8(byte).unwrap(), 2).unwrap();
        bytes.push(byte);
        if byte == 0xFF {
            bytes.push(0);
        }
    }
    bytes.extend([0xFF, 0xD9]);
    bytes
}

/// The start of a JPEG that claims a size; there are no pixels.
pub fn jpeg_header(width: u16, height: u16) -> Vec<u8> {
    let ([h1, h0], [w1, w0]) = (height.to_be_bytes(), width.to_be_bytes());
    let frame = segment(0xC0, &[8, h1, h0, w1, w0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    let scan = segment(0xDA, &[3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
    [&[0xFF, 0xD8], frame.as_slice(), &scan, &[0xFF, 0xD9]].concat()
}

/// The start of a PNG that claims a size, with a few bytes of pixels.
pub fn png_header(width: u32, height: u32) -> Vec<u8> {
    let header = [width.to_be_bytes().as_slice(), &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    // Ten zero bytes, deflated.
    let pixels = [0x78, 0x9C, 0x63, 0x80, 0x03, 0x00, 0x00, 0x0A, 0x00, 0x01];
    [
        b"\x89PNG\r\n\x1A\n".as_slice(),
        &chunk(b"IHDR", &header),
        &chunk(b"IDAT", &pixels),
        &chunk(b"IEND", &[]),
    ]
    .concat()
}

/// A PNG chunk with its length and checksum.
pub fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let body = [kind.as_slice(), content].concat();
    let checksum = body.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(
            sum ^ u32::from(*byte),
            |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 },
        )
    });
    let length = u32::try_from(content.len()).unwrap();
    [length.to_be_bytes().as_slice(), &body, &(!checksum).to_be_bytes()].concat()
}
