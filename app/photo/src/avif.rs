//! AVIF: pictures of a HEIF file that are coded by AV1 (AOM, "AV1 Image File Format").

use heifer::color::{ColorParams, frame_to_rgba_sized};
use heifer::heifer_hevc_dec::recon::Frame;
use heifer::heifer_isobmff::boxes::Property;
use heifer::heifer_isobmff::{HeifFile, ItemId};

use heifer::Image;
use re_rav1d::dav1d::{Decoder, Error, Picture, PixelLayout, PlanarImageComponent, Settings};
use re_rav1d::pixel::{MatrixCoefficients, TransferCharacteristic, YUVRange};

use super::heif::{DEEPEST, clean_aperture, colours};
use super::{MAX_PIXELS, PhotoRefusal};

/// How often a decoder is asked for the picture of what it was given.
const PATIENCE: usize = 16;

/// Decodes a picture, with its opacity, cut and turned as its properties say.
pub(super) fn item(heif: &HeifFile<'_>, id: ItemId) -> Result<Image<u8>, PhotoRefusal> {
    // of a grid the tiles, too, and both of its opacity
    let mut pixels = 4 * MAX_PIXELS;
    at(heif, id, 0, &mut pixels)
}

/// The same `depth` pictures deep, of no more pixels in all than are left.
fn at(heif: &HeifFile<'_>, id: ItemId, depth: u32, left: &mut u64) -> Result<Image<u8>, PhotoRefusal> {
    if depth > DEEPEST {
        return Err(PhotoRefusal::Damaged);
    }
    let kind = heif.item(id).map_err(|_| PhotoRefusal::Damaged)?.item_type;
    let mut image = match &kind.0 {
        b"av01" => coded(heif, id, left)?,
        b"grid" => grid(heif, id, depth, left)?,
        _ => return Err(PhotoRefusal::UnusualCoding),
    };
    if let Some(opacity) = heif.referencing_items(id, b"auxl").into_iter().find(|id| is_opacity(heif, *id)) {
        let opacity = at(heif, opacity, depth + 1, left)?;
        if (opacity.width, opacity.height) != (image.width, image.height) {
            return Err(PhotoRefusal::UnusualCoding);
        }
        for (pixel, opacity) in image.data.chunks_exact_mut(4).zip(opacity.data.chunks_exact(4)) {
            pixel[3] = opacity[0];
        }
        image.has_alpha = true;
    }
    for property in heif.item_properties(id).map_err(|_| PhotoRefusal::Damaged)? {
        image = match property {
            Property::CleanAperture { .. } => {
                let (left, top, width, height) = clean_aperture(property, image.width, image.height)?;
                image.crop(left, top, width, height)
            }
            Property::Rotation(quarters) if *quarters != 0 => image.rotate_ccw(*quarters),
            Property::Mirror(top_bottom) => image.mirror(*top_bottom),
            _ => image,
        };
    }
    Ok(image)
}

fn is_opacity(heif: &HeifFile<'_>, id: ItemId) -> bool {
    heif.item_properties(id).is_ok_and(|mut properties| {
        properties.any(|property| {
            matches!(property, Property::AuxiliaryType(name) if name == "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
        })
    })
}

/// Tiles from the top left in reading order (ISO/IEC 23008-12, 6.6.2.3).
fn grid(heif: &HeifFile<'_>, id: ItemId, depth: u32, left: &mut u64) -> Result<Image<u8>, PhotoRefusal> {
    let grid = heif.grid(id).map_err(|_| PhotoRefusal::Damaged)?;
    let tiles = heif.referenced_items(id, b"dimg");
    let (rows, columns) = (usize::from(grid.rows), usize::from(grid.columns));
    if tiles.len() != rows * columns {
        return Err(PhotoRefusal::Damaged);
    }
    spend(left, grid.output_width, grid.output_height)?;
    let mut whole = Image::filled_samples(grid.output_width, grid.output_height, 8, [0, 0, 0, u8::MAX]);
    for (number, tile) in tiles.iter().enumerate() {
        let tile = at(heif, *tile, depth + 1, left)?;
        let (column, row) = ((number % columns) as i64, (number / columns) as i64);
        whole.draw(&tile, column * i64::from(tile.width), row * i64::from(tile.height));
    }
    Ok(whole)
}

/// Takes a picture's pixels from what is left for all of them.
fn spend(left: &mut u64, width: u32, height: u32) -> Result<(), PhotoRefusal> {
    *left = left.checked_sub(u64::from(width) * u64::from(height)).ok_or(PhotoRefusal::Damaged)?;
    Ok(())
}

fn coded(heif: &HeifFile<'_>, id: ItemId, left: &mut u64) -> Result<Image<u8>, PhotoRefusal> {
    let data = heif.item_data(id).map_err(|_| PhotoRefusal::Damaged)?.into_owned();
    let picture = decode(data)?;
    spend(left, picture.width(), picture.height())?;
    if matches!(
        picture.transfer_characteristic(),
        TransferCharacteristic::PerceptualQuantizer | TransferCharacteristic::HybridLogGamma
    ) {
        return Err(PhotoRefusal::Hdr);
    }
    let named = colours(heif, id);
    let matrix = named.map_or_else(|| matrix(picture.matrix_coefficients()), |named| named.matrix);
    // beyond 7 are coordinates of other kinds than differences from brightness
    if !matches!(matrix, 0..=7 | 9) {
        return Err(PhotoRefusal::UnusualCoding);
    }
    let full_range =
        named.map_or_else(|| picture.color_range() == YUVRange::Full, |named| named.is_full_range);
    let frame = frame(&picture, matrix, full_range)?;
    let (width, height) = heif.image_size(id).ok().flatten().unwrap_or((picture.width(), picture.height()));
    if (width, height) != (picture.width(), picture.height()) {
        return Err(PhotoRefusal::Damaged);
    }
    Ok(frame_to_rgba_sized(&frame, ColorParams { matrix, full_range }, width, height))
}

/// The picture of a single frame, of the best layer where there are several.
fn decode(data: Vec<u8>) -> Result<Picture, PhotoRefusal> {
    let mut settings = Settings::new();
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_all_layers(false);
    settings.set_frame_size_limit(u32::try_from(MAX_PIXELS).unwrap_or(u32::MAX));
    let mut decoder = Decoder::with_settings(&settings).map_err(|_| PhotoRefusal::Unreadable)?;
    let mut sent = decoder.send_data(data, None, None, None);
    for _ in 0..PATIENCE {
        match decoder.get_picture() {
            Ok(picture) => return Ok(picture),
            Err(Error::Again) => {}
            Err(error) => return Err(refusal(error)),
        }
        match sent {
            Err(Error::Again) => sent = decoder.send_pending_data(),
            Err(error) => return Err(refusal(error)),
            Ok(()) => {}
        }
    }
    Err(PhotoRefusal::Damaged)
}

fn refusal(error: Error) -> PhotoRefusal {
    match error {
        Error::UnsupportedBitstream => PhotoRefusal::UnusualCoding,
        _ => PhotoRefusal::Damaged,
    }
}

/// The number that ITU-T H.273 has for it.
fn matrix(named: MatrixCoefficients) -> u16 {
    match named {
        MatrixCoefficients::Identity => 0,
        MatrixCoefficients::BT709 => 1,
        MatrixCoefficients::BT470M => 4,
        MatrixCoefficients::ST240M => 7,
        MatrixCoefficients::BT2020NonConstantLuminance => 9,
        MatrixCoefficients::Unspecified | MatrixCoefficients::BT470BG => 6,
        _ => u16::MAX,
    }
}

/// A picture's samples without the room between rows. Where several share a colour, brightness goes on to the last colour's end,
/// as HEVC has it: what is past the picture is cut off later.
fn frame(picture: &Picture, matrix: u16, full_range: bool) -> Result<Frame, PhotoRefusal> {
    let (width, height) = (picture.width(), picture.height());
    let half = |side: u32| side.div_ceil(2);
    let (chroma_format, colour, luma) = match picture.pixel_layout() {
        PixelLayout::I400 => (0, (0, 0), (width, height)),
        PixelLayout::I420 => (1, (half(width), half(height)), (2 * half(width), 2 * half(height))),
        PixelLayout::I422 => (2, (half(width), height), (2 * half(width), height)),
        PixelLayout::I444 => (3, (width, height), (width, height)),
    };
    let bits = picture.bits_per_component().ok_or(PhotoRefusal::UnusualCoding)?.0;
    let bits = u8::try_from(bits).map_err(|_| PhotoRefusal::UnusualCoding)?;
    let plane = |component, here: (u32, u32), wanted: (u32, u32)| {
        if here.0 == 0 { Some(Vec::new()) } else { plane(picture, component, here, wanted) }
    };
    let plane = |component, here, wanted| plane(component, here, wanted).ok_or(PhotoRefusal::Damaged);
    Ok(Frame {
        widths: [luma.0, colour.0, colour.0],
        heights: [luma.1, colour.1, colour.1],
        planes: [
            plane(PlanarImageComponent::Y, (width, height), luma)?,
            plane(PlanarImageComponent::U, colour, colour)?,
            plane(PlanarImageComponent::V, colour, colour)?,
        ],
        bit_depth: [bits; 2],
        chroma_format,
        full_range,
        matrix_coeffs: u8::try_from(matrix).unwrap_or(2),
    })
}

/// The samples of a plane, of which the last of each row and the last row are said again up to the width and height that are wanted.
fn plane(
    picture: &Picture,
    component: PlanarImageComponent,
    (width, height): (u32, u32),
    (wide, high): (u32, u32),
) -> Option<Vec<u16>> {
    let bytes = picture.plane(component);
    let stride = picture.stride(component) as usize;
    let is_deep = picture.bit_depth() > 8;
    let used = width as usize * if is_deep { 2 } else { 1 };
    let mut samples = Vec::with_capacity(wide as usize * high as usize);
    for row in 0..high.min(height) as usize {
        let row = bytes.get(row * stride..row * stride + used)?;
        if is_deep {
            samples.extend(row.as_chunks::<2>().0.iter().map(|pair| u16::from_ne_bytes(*pair)));
        } else {
            samples.extend(row.iter().map(|sample| u16::from(*sample)));
        }
        let last = *samples.last()?;
        samples.extend(std::iter::repeat_n(last, (wide - width) as usize));
    }
    for _ in height..high {
        samples.extend_from_within(samples.len() - wide as usize..);
    }
    Some(samples)
}

/// Whether an item's configuration (AV1 ISOBMFF binding, 2.3.3) says that it has brightness alone.
pub(super) fn is_grey(heif: &HeifFile<'_>, id: ItemId) -> bool {
    const MONOCHROME: u8 = 0b0001_0000;
    heif.item_properties(id).is_ok_and(|mut properties| {
        properties.any(|property| {
            matches!(property, Property::Unknown(kind, data)
                if kind.0 == *b"av1C" && data.get(2).is_some_and(|flags| flags & MONOCHROME != 0))
        })
    })
}
