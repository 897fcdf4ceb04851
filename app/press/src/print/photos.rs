//! Photos in the print file. JPEGs go in as they are, byte for byte; how they are turned and what their numbers
//! mean is said around them. Everything else is decoded, brought to print size, and becomes a JPEG.

use std::collections::HashMap;
use std::io::{BufReader, Cursor, Read};

use domain::ids::PhotoId;
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageFormat};
use lopdf::{Dictionary, Object, Stream, dictionary};

use crate::error::PressError;
use crate::jpeg::{Headers, headers};
use crate::photo::PhotoFormat;
use crate::pixels::{Photo, decode, profile_channels, scale};
use crate::print::writer::PdfWriter;
use crate::print::{Originals, Planned};

/// A JPEG up to this resolution is printed as it is.
const KEEP_UP_TO_DPI: f64 = 600.0;
/// What larger photos, PNG and WebP are brought down to; offset presses show no more than about 300.
const PRINT_DPI: f64 = 375.0;
/// The quality of the JPEGs made here: no difference is visible in print.
const QUALITY: u8 = 93;

/// Writes photos, and what they share.
pub(super) struct Prints<'a> {
    originals: &'a dyn Originals,
    /// Profiles that are in the file already: a camera gives all its photos the same.
    profiles: HashMap<Vec<u8>, Object>,
    pub recoded: Vec<PhotoId>,
}

impl<'a> Prints<'a> {
    pub fn new(originals: &'a dyn Originals) -> Self {
        Self { originals, profiles: HashMap::new(), recoded: Vec::new() }
    }

    /// Writes a photo as object `number`, which paints it upright into the unit square.
    pub fn write(
        &mut self,
        writer: &mut PdfWriter,
        number: u32,
        photo: &PhotoId,
        planned: &Planned,
    ) -> Result<(), PressError> {
        let unreadable =
            |reason: &dyn std::fmt::Display| PressError::Unreadable(photo.clone(), reason.to_string());
        let source = self.originals.open(photo).map_err(|error| unreadable(&error))?;
        let mut source = BufReader::with_capacity(1 << 16, source);
        let mut start = Vec::new();
        let format = match planned.original.format {
            PhotoFormat::Jpeg => {
                let headers = headers(&mut source, &mut start).map_err(|error| unreadable(&error))?;
                // Four inks cannot be turned into RGB without their profile: better too large than wrong.
                if headers.common && (planned.dpi <= KEEP_UP_TO_DPI || headers.components == 4) {
                    let orientation = planned.original.orientation;
                    return self.keep(
                        writer,
                        number,
                        &headers,
                        orientation,
                        &mut Cursor::new(start).chain(source),
                    );
                }
                ImageFormat::Jpeg
            }
            PhotoFormat::Png => ImageFormat::Png,
            PhotoFormat::WebP => ImageFormat::WebP,
        };
        source.read_to_end(&mut start).map_err(|error| unreadable(&error))?;
        let decoded = decode(Cursor::new(&start), Some(format)).map_err(|error| unreadable(&error))?;
        drop(start);
        let jpeg = recode(decoded, planned).map_err(|error| unreadable(&error))?;
        self.recoded.push(photo.clone());
        let mut bytes = jpeg.bytes.as_slice();
        self.keep(writer, number, &jpeg.headers, 1, &mut bytes)
    }

    /// Writes JPEG bytes unchanged. A photo that is to be turned is painted by a form that turns it.
    fn keep(
        &mut self,
        writer: &mut PdfWriter,
        number: u32,
        headers: &Headers,
        orientation: u8,
        bytes: &mut dyn Read,
    ) -> Result<(), PressError> {
        let colours = self.colour_space(writer, headers)?;
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
        match turn(orientation) {
            None => writer.stream(number, dict, bytes),
            Some(matrix) => {
                let image = writer.number();
                writer.object(number, &turned(image, matrix).into())?;
                writer.stream(image, dict, bytes)
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
        // A profile for other channels than the photo has would make the file invalid.
        let Some(icc) = headers.profile.as_ref().filter(|icc| profile_channels(icc) == Some(channels)) else {
            return Ok(device.into());
        };
        let profile = match self.profiles.get(icc) {
            Some(profile) => profile.clone(),
            None => {
                let dict = dictionary! { "N" => i64::from(headers.components), "Alternate" => device };
                let profile = writer.add(&Stream::new(dict, icc.clone()).into())?;
                self.profiles.insert(icc.clone(), profile.clone());
                profile
            }
        };
        Ok(Object::Array(vec!["ICCBased".into(), profile]))
    }
}

/// How the unit square is turned so that a stored picture stands upright; nothing when it does already.
/// Orientations as in EXIF 2.32, 4.6.4.A; the matrix as in ISO 32000-1, 8.3.4.
fn turn(orientation: u8) -> Option<[i8; 6]> {
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

/// Upright, at most [`PRINT_DPI`] in its largest use, as a JPEG.
fn recode(decoded: Photo, planned: &Planned) -> Result<Jpeg, String> {
    let Photo { mut pixels, profile } = decoded;
    let factor = PRINT_DPI / planned.dpi;
    if factor < 0.95 {
        let (width, height) = (f64::from(pixels.width()), f64::from(pixels.height()));
        // Never under one pixel, never over the photo's own size.
        let side = |pixels: f64| (pixels * factor).round().max(1.0) as u32;
        pixels = scale(&pixels, (0.0, 0.0, width, height), side(width), side(height))?;
    }
    pixels.apply_orientation(
        Orientation::from_exif(planned.original.orientation).unwrap_or(Orientation::NoTransforms),
    );
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .encode_image(&pixels)
        .map_err(|error| error.to_string())?;
    let headers = Headers {
        width: pixels.width(),
        height: pixels.height(),
        components: if matches!(pixels, DynamicImage::ImageLuma8(_)) { 1 } else { 3 },
        common: true,
        adobe: false,
        profile,
    };
    Ok(Jpeg { headers, bytes })
}
