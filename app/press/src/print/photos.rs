//! Photos in the print file. JPEGs go in as they are, byte for byte; how they are turned and what their numbers
//! mean is said around them. Everything else is decoded, brought to print size, and becomes a JPEG.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Cursor;

use domain::ids::PhotoId;
use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use lopdf::{Dictionary, Object, Stream, dictionary};
use photo::{
    Channels, JpegStrips, PhotoFormat, PhotoInfo, PhotoRefusal, Pixels, Resizer, decode, inks_jpeg,
    is_in_strips, probe, resize, to_srgb, to_srgb_with, turn, write_inks_jpeg,
};

use crate::error::PressError;
use crate::jpeg::{Headers, headers, picture_of};
use crate::print::Planned;
use crate::print::grey::Blacks;
use crate::print::inks::Inks;
use crate::print::profile::{OutputCondition, lower_version};
use crate::print::writer::PdfWriter;

/// A JPEG up to this resolution is printed as it is.
const KEEP_UP_TO_DPI: f64 = 600.0;
/// What larger photos, PNG and WebP are brought down to; offset presses show no more than about 300.
const PRINT_DPI: f64 = 375.0;
/// The least that a photo of many pixels is brought down to at once.
const OFFSET_DPI: f64 = 300.0;
/// JPEGs made with so much ink have a little more, in parts of 255 of one ink.
const ROUNDED: u32 = 8;
/// The quality of the JPEGs made here: no difference is visible in print.
pub(super) const QUALITY: u8 = 93;

/// Writes photos, and what they share.
pub(super) struct Prints<'a> {
    condition: &'a OutputCondition,
    /// Profiles that are in the file already: a camera gives all its photos the same.
    profiles: HashMap<Vec<u8>, Object>,
    /// What RGB without a profile means.
    srgb: Option<Object>,
    /// Where everything is to become inks.
    inks: Option<Inks>,
    /// What greys are in black ink, once there is one.
    blacks: Option<Blacks>,
    pub recoded: Vec<PhotoId>,
}

pub(super) fn hex(digest: &[u8]) -> String {
    digest.iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl<'a> Prints<'a> {
    pub fn new(condition: &'a OutputCondition, srgb: Option<Object>, inks: Option<Inks>) -> Self {
        Self { condition, profiles: HashMap::new(), srgb, inks, blacks: None, recoded: Vec::new() }
    }

    /// Writes an image that is no photo: somebody's, as it is, or one that was drawn here, in inks.
    pub fn picture(&self, writer: &mut PdfWriter, number: u32, image: &Stream) -> Result<(), PressError> {
        let Some(inks) = &self.inks else { return writer.object(number, &image.clone().into()) };
        let unread = |refusal: PhotoRefusal| PressError::Pdf(format!("a picture in the pages: {refusal}"));
        let info = probe(&mut Cursor::new(&image.content)).map_err(unread)?;
        let pixels = to_srgb(decode(&image.content, &info, 1).map_err(unread)?);
        let jpeg = in_inks(&pixels, inks)?;
        self.keep(writer, number, &jpeg.headers, "DeviceCMYK".into(), 1, &[&jpeg.bytes])
    }

    /// Writes a photo as object `number`, which paints it upright into the unit square.
    pub fn write(
        &mut self,
        writer: &mut PdfWriter,
        number: u32,
        photo: &PhotoId,
        planned: &Planned,
        bytes: &[u8],
    ) -> Result<(), PressError> {
        let unreadable =
            |reason: &dyn std::fmt::Display| PressError::Unreadable(photo.clone(), reason.to_string());
        if planned.original.format == PhotoFormat::Jpeg {
            let headers = headers(&mut &*bytes, &mut Vec::new()).map_err(|error| unreadable(&error))?;
            // Four inks cannot be turned into RGB without their profile: better too large than wrong. Grey is black ink.
            let is_fit = match headers.components {
                1 => true,
                4 => !self.is_too_wet(bytes),
                _ => self.inks.is_none() && planned.dpi <= KEEP_UP_TO_DPI,
            };
            if headers.common && is_fit {
                let orientation = planned.original.orientation;
                let colours = self.colour_space(writer, &headers)?;
                return self.keep(writer, number, &headers, colours, orientation, &picture_of(bytes));
            }
            if headers.components == 3
                && let Some(info) = self.only_in_strips(planned, bytes)
            {
                self.recoded.push(photo.clone());
                let written = self.whole_in_inks(writer, number, planned, bytes, &info);
                return written.map_err(|failure| match failure {
                    Failure::Photo(refusal) => unreadable(&refusal),
                    Failure::Press(error) => error,
                });
            }
        }
        let factor = PRINT_DPI / planned.dpi;
        // twice as many pixels as are printed are enough for a good filter
        let bin = (0.5 / factor).max(1.0) as u32;
        let decoded = probe(&mut Cursor::new(bytes)).and_then(|info| decode(bytes, &info, bin));
        let decoded = decoded.map_err(|error| unreadable(&error))?;
        let pixels = fitted(decoded, planned, self.condition).map_err(|error| unreadable(&error))?;
        let jpeg = match &self.inks {
            Some(inks) if pixels.channels != Channels::Grey => in_inks(&to_srgb(pixels), inks)?,
            _ => recode(pixels).map_err(|error| unreadable(&error))?,
        };
        self.recoded.push(photo.clone());
        let colours = self.colour_space(writer, &jpeg.headers)?;
        self.keep(writer, number, &jpeg.headers, colours, 1, &[&jpeg.bytes])
    }

    /// What is known of a photo of too many pixels to be decoded at once that is to become inks, where half of its sides are too
    /// coarse.
    fn only_in_strips(&self, planned: &Planned, bytes: &[u8]) -> Option<PhotoInfo> {
        let info = probe(&mut Cursor::new(bytes)).ok()?;
        let is_coarse = planned.dpi / 2.0 < OFFSET_DPI;
        (self.inks.is_some() && is_in_strips(&info) && is_coarse).then_some(info)
    }

    /// Writes all of its pixels in inks, strip by strip: neither they nor their JPEG are ever held whole.
    fn whole_in_inks(
        &self,
        writer: &mut PdfWriter,
        number: u32,
        planned: &Planned,
        bytes: &[u8],
        info: &PhotoInfo,
    ) -> Result<(), Failure> {
        let Some(inks) = &self.inks else { return Err(PhotoRefusal::UnusualCoding.into()) };
        let mut strips = JpegStrips::of(bytes, info)?;
        let (width, height) = info.stored_size();
        let dict = image(&headers_in_inks(width, height), "DeviceCMYK".into());
        let number = match turning(planned.original.orientation) {
            None => number,
            Some(matrix) => {
                let image = writer.number();
                writer.object(number, &turned(image, matrix).into())?;
                image
            }
        };
        writer.flowing(number, dict, |out| {
            let rows = || -> Result<Vec<u8>, Failure> {
                let strip = strips.next_rows()?.ok_or(PhotoRefusal::Damaged)?;
                Ok(inks.mix(&to_srgb(strip).data)?)
            };
            let is_made = write_inks_jpeg(out, (width, height), QUALITY, rows)?;
            if is_made { Ok(()) } else { Err(PhotoRefusal::UnusualCoding.into()) }
        })
    }

    /// Whether a photo in inks has more of them than the press can lay, on more than a thousandth of it: single pixels are
    /// noise. It is mixed anew then.
    fn is_too_wet(&self, bytes: &[u8]) -> bool {
        const NOISE: usize = 1_000;
        // what is seen of it small is enough
        let decoded = probe(&mut Cursor::new(bytes)).and_then(|info| decode(bytes, &info, 4));
        let Ok(Pixels { channels: Channels::Cmyk, data, .. }) = decoded else { return false };
        let most = (self.condition.total_ink * 255.0).round() as u32 + ROUNDED;
        let sum = |pixel: &&[u8]| pixel.iter().map(|ink| u32::from(*ink)).sum::<u32>() > most;
        let wet = data.chunks_exact(4).filter(sum).count();
        wet > data.len() / 4 / NOISE
    }

    /// Writes JPEG bytes unchanged. A photo that is to be turned is painted by a form that turns it.
    fn keep(
        &self,
        writer: &mut PdfWriter,
        number: u32,
        headers: &Headers,
        colours: Object,
        orientation: u8,
        bytes: &[&[u8]],
    ) -> Result<(), PressError> {
        let dict = image(headers, colours);
        match turning(orientation) {
            None => writer.parts(number, dict, bytes),
            Some(matrix) => {
                let image = writer.number();
                writer.object(number, &turned(image, matrix).into())?;
                writer.parts(image, dict, bytes)
            }
        }
    }

    fn colour_space(&mut self, writer: &mut PdfWriter, headers: &Headers) -> Result<Object, PressError> {
        let device = match headers.components {
            1 => "DeviceGray",
            4 => "DeviceCMYK",
            _ => "DeviceRGB",
        };
        let channels = usize::from(headers.components);
        if channels == 1 {
            let blacks = match self.blacks.take() {
                Some(blacks) => blacks,
                None => Blacks::of(self.condition)?,
            };
            let space = blacks.space(headers.profile.as_deref());
            self.blacks = Some(blacks);
            return Ok(space);
        }
        // A profile for other channels than the photo has would make the file invalid.
        let Some(icc) = headers.profile.as_ref().filter(|icc| profile_channels(icc) == Some(channels)) else {
            return Ok(match (&self.srgb, channels) {
                (Some(srgb), 3) => Object::Array(vec!["ICCBased".into(), srgb.clone()]),
                _ => device.into(),
            });
        };
        // PDF/X-1a knows the press's inks alone; and its own profile is said of nothing else (ISO 15930-7, 6.2.4.2)
        if self.inks.is_some() || icc == self.condition.icc() {
            return Ok(device.into());
        }
        let profile = match self.profiles.get(icc) {
            Some(profile) => profile.clone(),
            None => {
                let dict = dictionary! { "N" => i64::from(headers.components), "Alternate" => device };
                let mut known = icc.clone();
                lower_version(&mut known);
                let profile = writer.add(&Stream::new(dict, known).into())?;
                self.profiles.insert(icc.clone(), profile.clone());
                profile
            }
        };
        Ok(Object::Array(vec!["ICCBased".into(), profile]))
    }
}

/// How the unit square is turned so that a stored picture stands upright; nothing when it does already.
/// Orientations as in EXIF 2.32, 4.6.4.A; the matrix as in ISO 32000-1, 8.3.4.
fn turning(orientation: u8) -> Option<[i8; 6]> {
    Some(match orientation {
        2 => [-1, 0, 0, 1, 1, 0],
        3 => [-1, 0, 0, -1, 1, 1],
        4 => [1, 0, 0, -1, 0, 1],
        5 => [0, -1, -1, 0, 1, 1],
        6 => [0, -1, 1, 0, 0, 1],
        7 => [0, 1, 1, 0, 0, 0],
        8 => [0, 1, -1, 0, 1, 0],
        _ => return None,
    })
}

/// What is said of a JPEG in a PDF.
fn image(headers: &Headers, colours: Object) -> Dictionary {
    let mut dict = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Image",
        "Width" => i64::from(headers.width),
        "Height" => i64::from(headers.height),
        "BitsPerComponent" => 8,
        "ColorSpace" => colours,
        "Filter" => "DCTDecode",
    };
    if headers.components == 4 && headers.adobe {
        dict.set("Decode", [1, 0, 1, 0, 1, 0, 1, 0].map(Object::Integer).to_vec());
    }
    if headers.plain_rgb {
        // a reader of PDF takes three components for luma and chroma (ISO 32000-1, table 13)
        dict.set("DecodeParms", dictionary! { "ColorTransform" => 0 });
    }
    dict
}

/// A form that paints an image, turned, into the unit square.
fn turned(image: u32, matrix: [i8; 6]) -> Stream {
    let numbers = matrix.map(|number| number.to_string()).join(" ");
    let photo = Dictionary::from_iter([("Photo", Object::Reference((image, 0)))]);
    let dict = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => [0, 0, 1, 1].map(Object::Integer).to_vec(),
        "Resources" => dictionary! { "XObject" => photo },
    };
    Stream::new(dict, format!("q {numbers} cm /Photo Do Q").into_bytes())
}

struct Jpeg {
    headers: Headers,
    bytes: Vec<u8>,
}

/// Upright, at most [`PRINT_DPI`] in its largest use; grey or RGB.
fn fitted(
    mut pixels: Pixels,
    planned: &Planned,
    condition: &OutputCondition,
) -> Result<Pixels, PhotoRefusal> {
    if pixels.channels == Channels::Cmyk {
        pixels = to_srgb_with(pixels, condition.icc());
    }
    let factor = PRINT_DPI / planned.dpi;
    if factor < 0.95 {
        // Never under one pixel.
        let side = |pixels: u32| (f64::from(pixels) * factor).round().max(1.0) as u32;
        let (width, height) = (side(planned.original.width), side(planned.original.height));
        pixels = resize(&mut Resizer::new(), &pixels, None, width, height)?;
    }
    turn(pixels, planned.original.orientation)
}

fn recode(pixels: Pixels) -> Result<Jpeg, PhotoRefusal> {
    let (width, height) = (pixels.width, pixels.height);
    let (components, kind) = match pixels.channels {
        Channels::Grey => (1, ExtendedColorType::L8),
        _ => (3, ExtendedColorType::Rgb8),
    };
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .encode(&pixels.data, width, height, kind)
        .map_err(|_| PhotoRefusal::Unreadable)?;
    let headers = Headers {
        width,
        height,
        components,
        common: true,
        adobe: false,
        plain_rgb: false,
        profile: pixels.profile,
    };
    Ok(Jpeg { headers, bytes })
}

/// sRGB pixels in the press's four inks, stored inverted as Adobe's programs do it.
fn in_inks(pixels: &Pixels, inks: &Inks) -> Result<Jpeg, PressError> {
    let (width, height) = (pixels.width, pixels.height);
    let bytes = inks_jpeg(&inks.mix(&pixels.data)?, width, height, QUALITY)
        .ok_or_else(|| PressError::Pdf("a picture can't be written as a JPEG".to_owned()))?;
    Ok(Jpeg { headers: headers_in_inks(width, height), bytes })
}

fn headers_in_inks(width: u32, height: u32) -> Headers {
    Headers { width, height, components: 4, common: true, adobe: true, plain_rgb: false, profile: None }
}

/// What a photo may fail at when it becomes inks.
enum Failure {
    Photo(PhotoRefusal),
    Press(PressError),
}

impl From<PhotoRefusal> for Failure {
    fn from(refusal: PhotoRefusal) -> Self {
        Self::Photo(refusal)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Press(error.into())
    }
}

impl From<PressError> for Failure {
    fn from(error: PressError) -> Self {
        Self::Press(error)
    }
}

/// How many channels an ICC profile is for (ICC.1, 7.2.6: the data colour space at byte 16).
fn profile_channels(icc: &[u8]) -> Option<usize> {
    match icc.get(16..20)? {
        b"GRAY" => Some(1),
        b"RGB " => Some(3),
        b"CMYK" => Some(4),
        _ => None,
    }
}
