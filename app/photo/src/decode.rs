//! Decoding: a file's bytes to rows of 8-bit pixels, strictly. A photo that breaks off is refused, because a
//! grey lower half would only be noticed in the printed book.

use std::io::Cursor;

use image::codecs::webp::WebPDecoder;
use image::{ColorType, ImageDecoder, ImageError, Limits};
use memchr::memchr;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use super::bins::Bins;
use super::strips::{STRIP, Strips};
use super::{MAX_PIXELS, PhotoFormat, PhotoInfo, PhotoRefusal, heif, png, probe, webp};

/// What a pixel's bytes mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channels {
    Grey,
    Rgb,
    /// 0 is no ink.
    Cmyk,
}

/// Decoded pixels as they are stored, not yet turned upright.
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub channels: Channels,
    /// Rows from the top without padding, one byte per channel.
    pub data: Vec<u8>,
    /// The embedded colour profile.
    pub profile: Option<Vec<u8>>,
}

/// Whether a file goes on to its end. A JPEG has its end marker, or else all of its pixels. The parts of PNG and WebP were walked
/// over by [`super::probe`] already.
///
/// # Errors
/// [`PhotoRefusal::Damaged`] when the file breaks off.
pub fn check_whole(file: &[u8], info: &PhotoInfo) -> Result<(), PhotoRefusal> {
    match info.format {
        PhotoFormat::Jpeg => match segments(file) {
            None => Err(PhotoRefusal::Damaged),
            Some(found) if found.is_open && is_in_strips(info) => Err(PhotoRefusal::Damaged),
            Some(found) if !found.single_scan && is_in_strips(info) => Err(PhotoRefusal::UnusualCoding),
            Some(found) if found.is_open => decode(file, info, 1).map(drop),
            Some(_) => Ok(()),
        },
        PhotoFormat::Png | PhotoFormat::WebP => Ok(()),
        PhotoFormat::Heic | PhotoFormat::Avif => heif::check_whole(file),
    }
}

/// About how many bytes of memory decoding a photo takes at its height, so that callers can decide how many are decoded
/// at once.
pub fn memory(file: &[u8], info: &PhotoInfo) -> u64 {
    let bytes = match info.format {
        // in several scans all coefficients are kept to the end, two bytes each
        PhotoFormat::Jpeg if is_in_strips(info) => 1,
        PhotoFormat::Jpeg => segments(file)
            .map_or(0, |found| u64::from(found.components) * if found.single_scan { 1 } else { 3 }),
        PhotoFormat::Png => 3,
        // without loss: four channels, and three beside them
        PhotoFormat::WebP => 8,
        // four channels, the same turned, and the film's own planes
        PhotoFormat::Heic | PhotoFormat::Avif => 14,
    };
    bytes * u64::from(info.width) * u64::from(info.height)
}

/// Decodes a photo. Memory: its pixels at one byte per channel, and while decoding a progressive JPEG two bytes
/// more per sample. Nothing is allocated before the headers have been compared with `info`, which [`super::probe`]
/// has checked against the limits.
///
/// Of a PNG, squares of `bin` × `bin` pixels become one while it is read: whoever needs a photo at a third of its size
/// or less says so, and it takes that much less memory. A JPEG past [`super::MAX_PIXELS`] comes smaller in any case. Others come
/// whole.
pub fn decode(file: &[u8], info: &PhotoInfo, bin: u32) -> Result<Pixels, PhotoRefusal> {
    decode_into(Vec::new(), file, info, bin)
}

/// The same, with memory that a photo had before: where it is enough, a JPEG takes no other for its pixels.
pub(super) fn decode_into(
    memory: Vec<u8>,
    file: &[u8],
    info: &PhotoInfo,
    bin: u32,
) -> Result<Pixels, PhotoRefusal> {
    match info.format {
        PhotoFormat::Jpeg => jpeg(memory, file, info, bin),
        PhotoFormat::Png => png::decode(file, info, bin),
        PhotoFormat::WebP => stranger(file, info),
        PhotoFormat::Heic | PhotoFormat::Avif => heif::decode(file, info),
    }
}

/// Decodes a derivative. Those are WebP files of this house; other kinds are read like a photo, but for those that only the
/// sandbox decodes.
pub fn read_derivative(file: &[u8]) -> Option<Pixels> {
    let info = probe(&mut Cursor::new(file)).ok()?;
    if info.format.is_heif() {
        return None;
    }
    if info.format != PhotoFormat::WebP {
        return decode(file, &info, 1).ok();
    }
    webp::decode(file)
}

fn stranger(file: &[u8], info: &PhotoInfo) -> Result<Pixels, PhotoRefusal> {
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(refusal)?;
    if decoder.has_animation() {
        return Err(PhotoRefusal::Animated);
    }
    let (width, height) = decoder.dimensions();
    if (width, height) != info.stored_size() {
        return Err(PhotoRefusal::Damaged);
    }
    // What the header promises is all a decoder may allocate, and room for a colour profile.
    let mut limits = Limits::default();
    limits.max_alloc = Some(u64::from(width) * u64::from(height) * 8 + 16 * 1024 * 1024);
    decoder.set_limits(limits).map_err(refusal)?;
    let profile = decoder.icc_profile().ok().flatten();
    let colours = decoder.color_type();
    let mut data = vec![0; usize::try_from(decoder.total_bytes()).map_err(|_| PhotoRefusal::Damaged)?];
    decoder.read_image(&mut data).map_err(refusal)?;
    match colours {
        ColorType::Rgb8 => {}
        ColorType::Rgba8 => {
            onto_white::<4>(&mut data);
            data.shrink_to_fit();
        }
        _ => return Err(PhotoRefusal::UnusualCoding),
    }
    Ok(Pixels { width, height, channels: Channels::Rgb, data, profile })
}

fn refusal(error: ImageError) -> PhotoRefusal {
    match error {
        ImageError::Unsupported(_) => PhotoRefusal::UnusualCoding,
        _ => PhotoRefusal::Damaged,
    }
}

/// Lays pixels of `N` channels, the last of which is opacity, onto white paper, in place.
pub(super) fn onto_white<const N: usize>(data: &mut Vec<u8>) {
    let count = data.len() / N;
    for index in 0..count {
        let opacity = u32::from(data[index * N + N - 1]);
        for channel in 0..N - 1 {
            let value = u32::from(data[index * N + channel]);
            let mixed = (value * opacity + 255 * (255 - opacity) + 127) / 255;
            data[index * (N - 1) + channel] = u8::try_from(mixed).unwrap_or(u8::MAX);
        }
    }
    data.truncate(count * (N - 1));
}

/// So many zeros: nothing that was in the memory stays.
fn zeros(mut memory: Vec<u8>, count: usize) -> Vec<u8> {
    if memory.capacity() < count {
        return vec![0; count];
    }
    memory.clear();
    memory.resize(count, 0);
    memory
}

/// Whether a photo is a JPEG that is decoded strip by strip.
pub fn is_in_strips(info: &PhotoInfo) -> bool {
    info.format == PhotoFormat::Jpeg && pixels_of(info) > MAX_PIXELS
}

fn pixels_of(info: &PhotoInfo) -> u64 {
    u64::from(info.width) * u64::from(info.height)
}

/// The pixels of a JPEG of one sequential scan from its top, some rows at a time: of those for which [`is_in_strips`] is true.
pub struct JpegStrips<'a> {
    strips: Strips<'a>,
    width: u32,
    /// The first strip's.
    profile: Option<Vec<u8>>,
}

impl<'a> JpegStrips<'a> {
    /// # Errors
    /// The file is damaged, or of another coding.
    pub fn of(file: &'a [u8], info: &PhotoInfo) -> Result<Self, PhotoRefusal> {
        Self::with(file, info, STRIP)
    }

    fn with(file: &'a [u8], info: &PhotoInfo, most: usize) -> Result<Self, PhotoRefusal> {
        let found = segments(file).filter(|found| !found.is_open).ok_or(PhotoRefusal::Damaged)?;
        if !found.single_scan {
            return Err(PhotoRefusal::UnusualCoding);
        }
        let strips = Strips::of(&file[..found.end], most)?;
        let (width, height) = info.stored_size();
        if strips.size() != (width as usize, height as usize) {
            return Err(PhotoRefusal::Damaged);
        }
        Ok(Self { strips, width, profile: None })
    }

    /// The next rows; nothing behind the last.
    ///
    /// # Errors
    /// The file is damaged.
    pub fn next_rows(&mut self) -> Result<Option<Pixels>, PhotoRefusal> {
        let Some(strip) = self.strips.next_strip()? else { return Ok(None) };
        let found = segments(&strip.file).ok_or(PhotoRefusal::Damaged)?;
        let mut pixels = whole_jpeg(Vec::new(), &strip.file, &found, (self.width, strip.height))?;
        let stride = pixels.data.len() / strip.height as usize;
        pixels.height = strip.own.end - strip.own.start;
        pixels.profile = pixels.profile.or_else(|| self.profile.clone());
        self.profile.clone_from(&pixels.profile);
        pixels.data.truncate(strip.own.end as usize * stride);
        pixels.data.drain(..strip.own.start as usize * stride);
        Ok(Some(pixels))
    }
}

/// A JPEG past [`MAX_PIXELS`] at a `bin`th of its sides, or at less where that is still more.
fn in_strips(file: &[u8], info: &PhotoInfo, bin: u32) -> Result<Pixels, PhotoRefusal> {
    let is_enough = |bin: &u32| pixels_of(info) / u64::from(bin * bin) <= MAX_PIXELS;
    let bin = (bin.max(1)..).find(is_enough).unwrap_or(bin);
    let (width, height) = info.stored_size();
    let mut strips = JpegStrips::of(file, info)?;
    let mut made: Option<(Bins, Channels, Option<Vec<u8>>)> = None;
    while let Some(pixels) = strips.next_rows()? {
        let stride = pixels.data.len() / pixels.height as usize;
        let size = stride / width as usize;
        let (bins, ..) = made.get_or_insert_with(|| {
            let bins = Bins::new(width as usize, height as usize, size, bin as usize);
            (bins, pixels.channels, pixels.profile)
        });
        pixels.data.chunks_exact(stride).for_each(|row| bins.add(row));
    }
    let (bins, channels, profile) = made.ok_or(PhotoRefusal::Damaged)?;
    Ok(Pixels {
        width: width.div_ceil(bin),
        height: height.div_ceil(bin),
        channels,
        data: bins.finish(),
        profile,
    })
}

fn jpeg(memory: Vec<u8>, file: &[u8], info: &PhotoInfo, bin: u32) -> Result<Pixels, PhotoRefusal> {
    if is_in_strips(info) {
        return in_strips(file, info, bin);
    }
    let segments = segments(file).ok_or(PhotoRefusal::Damaged)?;
    whole_jpeg(memory, file, &segments, info.stored_size())
}

fn whole_jpeg(
    memory: Vec<u8>,
    file: &[u8],
    segments: &Segments,
    (width, height): (u32, u32),
) -> Result<Pixels, PhotoRefusal> {
    // Pixels that are stored as RGB say so in Adobe's segment, which this decoder takes for CMYK: it is left
    // out, and the samples are taken as they are. Without it and JFIF's the components' names tell, as libjpeg has it.
    let plain_rgb = segments.components == 3
        && match &segments.adobe {
            Some(adobe) => adobe.transform == 0,
            None => !segments.is_jfif && segments.is_named_rgb,
        };
    let left_out = match &segments.adobe {
        Some(adobe) if plain_rgb => adobe.start..adobe.end,
        _ => 0..0,
    };
    // Where a single scan ends too early, the decoder would take the end marker for endless zeros. Without the
    // marker it notices, after a little more than it reads ahead of a sound scan's end.
    let (end, beyond) =
        if segments.single_scan { (segments.end, [0; 64].as_slice()) } else { (file.len(), [].as_slice()) };
    let file = [&file[..left_out.start], &file[left_out.end..end], beyond].concat();

    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(width as usize)
        .set_max_height(height as usize);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file.as_slice()), options);
    decoder.decode_headers().map_err(jpeg_refusal)?;
    if decoder.dimensions() != Some((width as usize, height as usize)) {
        return Err(PhotoRefusal::Damaged);
    }
    let stored = decoder.input_colorspace().ok_or(PhotoRefusal::Damaged)?;
    let (wished, channels) = match stored {
        ColorSpace::Luma => (ColorSpace::Luma, Channels::Grey),
        // Four inks are taken as they are stored: the profile knows better than a formula.
        ColorSpace::CMYK | ColorSpace::YCCK => (stored, Channels::Cmyk),
        _ if plain_rgb => (stored, Channels::Rgb),
        _ => (ColorSpace::RGB, Channels::Rgb),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(wished));
    let mut data = zeros(memory, decoder.output_buffer_size().ok_or(PhotoRefusal::Damaged)?);
    decoder.decode_into(&mut data).map_err(jpeg_refusal)?;

    if stored == ColorSpace::YCCK {
        ycck_to_cmyk(&mut data);
    }
    // Adobe's programs, which write nearly all of these files, store inks inverted.
    if channels == Channels::Cmyk && segments.adobe.is_some() {
        data.iter_mut().for_each(|ink| *ink = 255 - *ink);
    }
    Ok(Pixels { width, height, channels, data, profile: decoder.icc_profile() })
}

fn jpeg_refusal(error: DecodeErrors) -> PhotoRefusal {
    match error {
        DecodeErrors::Unsupported(_) => PhotoRefusal::UnusualCoding,
        _ => PhotoRefusal::Damaged,
    }
}

/// ITU-R BT.601 as JFIF uses it, on the first three of four channels; the fourth is black already. What comes out are the
/// complements of three inks (Adobe, Technical Note 5116), which are turned into
/// inks here: as a rule they are stored inverted once more.
fn ycck_to_cmyk(data: &mut [u8]) {
    for pixel in data.chunks_exact_mut(4) {
        let (y, blue, red) = (f32::from(pixel[0]), f32::from(pixel[1]) - 128.0, f32::from(pixel[2]) - 128.0);
        // The conversion saturates at 0 and 255.
        pixel[0] = 255 - (y + 1.402 * red).round() as u8;
        pixel[1] = 255 - (y - 0.344_136 * blue - 0.714_136 * red).round() as u8;
        pixel[2] = 255 - (y + 1.772 * blue).round() as u8;
    }
}

/// What a walk over a JPEG's segments finds.
#[derive(Debug, Default)]
struct Segments {
    components: u8,
    /// Whether the three components are called R, G and B.
    is_named_rgb: bool,
    is_jfif: bool,
    /// Whether there is one scan, and it is sequential.
    single_scan: bool,
    /// Where the end marker stands; the file's end where it has none.
    end: usize,
    /// Whether there is none. Of a file with several scans nobody could say that all are there.
    is_open: bool,
    adobe: Option<Adobe>,
}

/// Adobe's APP14 segment: where it stands with its marker, and how the colours are coded.
#[derive(Debug)]
struct Adobe {
    start: usize,
    end: usize,
    transform: u8,
}

/// Walks over all segments and scans to the end marker; nothing when it is missing behind several scans or before any, which is
/// how a broken-off upload or a broken-off copy looks.
fn segments(file: &[u8]) -> Option<Segments> {
    let mut found = Segments::default();
    let (mut sequential, mut scans) = (false, 0);
    let end = walk(file, &mut found, &mut sequential, &mut scans);
    found.single_scan = sequential && scans == 1;
    found.is_open = end.is_none();
    found.end = end.unwrap_or(file.len());
    (!found.is_open || found.single_scan).then_some(found)
}

/// Walks to the end marker, and answers where it stands.
fn walk(file: &[u8], found: &mut Segments, sequential: &mut bool, scans: &mut usize) -> Option<usize> {
    let mut at = 2;
    loop {
        at += memchr(0xFF, file.get(at..)?)?;
        let code = *file.get(at + 1)?;
        match code {
            // A fill byte may stand before a marker.
            0xFF => at += 1,
            // Inside a scan: the byte 0xFF itself, and restart markers.
            0x00 | 0x01 | 0xD0..=0xD8 => at += 2,
            0xD9 => return Some(at),
            _ => {
                let length = usize::from(u16::from_be_bytes([*file.get(at + 2)?, *file.get(at + 3)?]));
                let content = file.get(at + 4..at + 2 + length.max(2))?;
                match code {
                    0xC0..=0xC2 => {
                        found.components = *content.get(5)?;
                        let names =
                            content.get(6..).unwrap_or_default().chunks(3).map(|component| component[0]);
                        found.is_named_rgb = names.eq(*b"RGB");
                        *sequential = code != 0xC2;
                    }
                    0xDA => *scans += 1,
                    0xE0 => found.is_jfif |= content.starts_with(b"JFIF\0"),
                    0xEE if content.starts_with(b"Adobe") && content.len() >= 12 => {
                        found.adobe = Some(Adobe { start: at, end: at + 2 + length, transform: content[11] });
                    }
                    _ => {}
                }
                at += 2 + length.max(2);
            }
        }
    }
}

#[cfg(test)]
mod tests;
