//! HEIF (ISO/IEC 23008-12) as phones write it: HEIC, whose pictures are coded by HEVC (ITU-T H.265), and AVIF, by AV1.
//!
//! What is decoded is the picture that the file calls its primary one, or the first of a burst: what brightens it on some
//! screens (gain maps), depths and thumbnails are left where they are.

use std::io::{BufRead, Cursor, Read, Seek, SeekFrom};

use heifer::heifer_hevc_dec::nal::NalUnit;
use heifer::heifer_hevc_dec::params::ParameterSets;
use heifer::heifer_isobmff::boxes::{ColorInfo, ConstructionMethod, Extent, Property};

use heifer::heifer_isobmff::{BoxIter, FourCC, HeifFile, ItemId};
use heifer::{Image, Options};
use moxcms::{CicpColorPrimaries, CicpProfile, ColorProfile, MatrixCoefficients, TransferCharacteristics};

use super::decode::{Channels, Pixels, onto_white};
use super::exif::{self, Exif};
use super::probe::{Header, MOST_EXIF};
use super::{MAX_PIXELS, PhotoFormat, PhotoInfo, PhotoRefusal, avif};

/// The most boxes that a file may have beside each other.
const MOST_BOXES: usize = 1_000;
/// The most bytes that are read of what says where everything is: a grid of a thousand tiles needs some 40,000, and a profile
/// of colours a few thousand more. Reading takes time by the square of it.
const MOST_META: u64 = 128 << 10;
/// How deep pictures may be made of pictures.
pub(super) const DEEPEST: u32 = 4;

/// Reads what stands before the pictures, and the metadata of the primary one.
pub(super) fn header(file: &mut (impl BufRead + Seek), format: PhotoFormat) -> Result<Header, PhotoRefusal> {
    let front = front(file)?;
    let heif = HeifFile::parse(&front).map_err(|_| PhotoRefusal::Damaged)?;
    let primary = heif.primary_id;
    check_coding(&heif, primary, format, 0)?;
    if lineage(&heif, primary).find_map(|id| colours(&heif, id)).is_some_and(Colours::is_hdr) {
        return Err(PhotoRefusal::Hdr);
    }
    let (mut width, mut height) = heif.image_size(primary).ok().flatten().ok_or(PhotoRefusal::Damaged)?;
    for property in heif.item_properties(primary).map_err(|_| PhotoRefusal::Damaged)? {
        match property {
            Property::CleanAperture { .. } => {
                let (.., across, down) = clean_aperture(property, width, height)?;
                (width, height) = (across, down);
            }
            Property::Rotation(quarters) if quarters % 2 == 1 => (width, height) = (height, width),
            _ => {}
        }
    }
    let exif = metadata(file, &heif, primary).unwrap_or_default();
    // the file's own turning counts, and what EXIF says of it is what it was before (ISO/IEC 23008-12, annex A)
    Ok(Header { width, height, is_scaled: false, exif: Exif { orientation: None, ..exif } })
}

/// Whether places take room where they are listed (`iloc`, ISO/IEC 14496-12, 8.11.3): a list of places without a size is a
/// hundred gigabytes in a few hundred kilobytes.
fn has_sound_places(meta: &[u8]) -> bool {
    let boxes = BoxIter::new(meta.get(4..).unwrap_or_default());
    let mut lists = boxes.map_while(Result::ok).filter(|found| found.header.box_type == FourCC(*b"iloc"));
    lists.all(|list| list.content.get(4).is_some_and(|sizes| *sizes != 0))
}

/// The boxes that say what the file is and where everything stands in it: the first of their kinds.
fn front(file: &mut (impl BufRead + Seek)) -> Result<Vec<u8>, PhotoRefusal> {
    file.seek(SeekFrom::Start(0))?;
    let (mut front, mut is_film, mut is_named) = (Vec::new(), false, false);
    for _ in 0..MOST_BOXES {
        let mut head = [0; 8];
        if file.fill_buf()?.is_empty() {
            break;
        }
        file.read_exact(&mut head)?;
        let [s0, s1, s2, s3, kind @ ..] = head;
        let (length, before) = match u32::from_be_bytes([s0, s1, s2, s3]) {
            0 => break,
            1 => {
                let mut long = [0; 8];
                file.read_exact(&mut long)?;
                (u64::from_be_bytes(long), 16)
            }
            length => (u64::from(length), 8),
        };
        let content = length.checked_sub(before).ok_or(PhotoRefusal::Damaged)?;
        match &kind {
            b"ftyp" if is_named => return Err(PhotoRefusal::Damaged),
            b"ftyp" | b"meta" if content <= MOST_META => {
                is_named = true;
                let size = u32::try_from(content + 8).map_err(|_| PhotoRefusal::Damaged)?;
                front.extend_from_slice(&size.to_be_bytes());
                front.extend_from_slice(&kind);
                let start = front.len();
                if Read::take(&mut *file, content).read_to_end(&mut front)? as u64 != content {
                    return Err(PhotoRefusal::Damaged);
                }
                if &kind == b"meta" {
                    let is_sound = front.get(start..).is_some_and(has_sound_places);
                    return if is_sound { Ok(front) } else { Err(PhotoRefusal::Damaged) };
                }
            }
            b"ftyp" | b"meta" => return Err(PhotoRefusal::Damaged),
            _ => {
                is_film |= &kind == b"moov";
                file.seek_relative(i64::try_from(content).map_err(|_| PhotoRefusal::Damaged)?)?;
            }
        }
    }
    Err(if is_film { PhotoRefusal::Animated } else { PhotoRefusal::Damaged })
}

/// Refuses what no decoder here is for.
fn check_coding(
    heif: &HeifFile<'_>,
    id: ItemId,
    format: PhotoFormat,
    depth: u32,
) -> Result<(), PhotoRefusal> {
    if depth > DEEPEST {
        return Err(PhotoRefusal::Damaged);
    }
    let item = heif.item(id).map_err(|_| PhotoRefusal::Damaged)?;
    match (&item.item_type.0, format) {
        (b"hvc1", PhotoFormat::Heic) | (b"av01", PhotoFormat::Avif) => Ok(()),
        (b"grid", _) | (b"iovl" | b"iden", PhotoFormat::Heic) => {
            let parts = heif.referenced_items(id, b"dimg");
            let first = parts.first().ok_or(PhotoRefusal::Damaged)?;
            check_coding(heif, *first, format, depth + 1)
        }
        _ => Err(PhotoRefusal::UnusualCoding),
    }
}

/// Left, top, width and height of what is shown of a picture (ISO/IEC 14496-12, 12.1.4).
pub(super) fn clean_aperture(
    property: &Property,
    width: u32,
    height: u32,
) -> Result<(u32, u32, u32, u32), PhotoRefusal> {
    let &Property::CleanAperture { width: across, height: down, horiz_offset, vert_offset } = property else {
        return Ok((0, 0, width, height));
    };
    if across.1 == 0 || down.1 == 0 || horiz_offset.1 == 0 || vert_offset.1 == 0 {
        return Err(PhotoRefusal::Damaged);
    }
    let along = |whole: u32, part: (u32, u32), offset: (i32, u32)| {
        let part = f64::from(part.0) / f64::from(part.1);
        let middle = f64::from(offset.0) / f64::from(offset.1) + (f64::from(whole) - 1.0) / 2.0;
        // both conversions saturate
        let start = ((middle - (part - 1.0) / 2.0).round() as u32).min(whole);
        (start, (part.round() as u32).min(whole - start))
    };
    let (left, across) = along(width, across, horiz_offset);
    let (top, down) = along(height, down, vert_offset);
    Ok((left, top, across, down))
}

/// The EXIF data of a picture, or of the first that it is made of.
fn metadata(file: &mut (impl Read + Seek), heif: &HeifFile<'_>, primary: ItemId) -> Option<Exif> {
    let parts = heif.referenced_items(primary, b"dimg");
    let described = std::iter::once(primary).chain(parts.first().copied());
    let mut items = described.flat_map(|id| heif.referencing_items(id, b"cdsc"));
    let item = items.find_map(|id| heif.item(id).ok().filter(|item| item.item_type == FourCC(*b"Exif")))?;
    let location = item.location.as_ref()?;
    let [extent] = location.extents.as_slice() else { return None };
    let mut data = Vec::new();
    match location.construction_method {
        ConstructionMethod::File => {
            file.seek(SeekFrom::Start(extent.offset)).ok()?;
            Read::take(&mut *file, extent.length.min(MOST_EXIF)).read_to_end(&mut data).ok()?;
        }
        _ => data = heif.item_data(item.id).ok()?.into_owned(),
    }
    // how many bytes stand before its TIFF header, and then those
    let (before, rest) = data.split_first_chunk()?;
    let tiff = rest.get(u32::from_be_bytes(*before) as usize..)?;
    Some(exif::read(tiff.strip_prefix(b"Exif\0\0").unwrap_or(tiff)))
}

/// Whether the bytes of every part that the file names are there.
pub(super) fn check_whole(file: &[u8]) -> Result<(), PhotoRefusal> {
    let front = front(&mut Cursor::new(file))?;
    let heif = HeifFile::parse(&front).map_err(|_| PhotoRefusal::Damaged)?;
    let is_there = |extent: &Extent| {
        extent.offset.checked_add(extent.length).is_some_and(|end| end <= file.len() as u64)
    };
    let places = heif.items.iter().filter_map(|item| item.location.as_ref());
    let mut outside = places.filter(|place| place.construction_method == ConstructionMethod::File);
    if outside.all(|place| place.extents.iter().all(is_there)) { Ok(()) } else { Err(PhotoRefusal::Damaged) }
}

/// Decodes the primary picture, as it stands upright.
pub(super) fn decode(file: &[u8], info: &PhotoInfo) -> Result<Pixels, PhotoRefusal> {
    let heif = HeifFile::parse(file).map_err(|_| PhotoRefusal::Damaged)?;
    let primary = heif.primary_id;
    if named_colours(&heif, primary).is_some_and(Colours::is_hdr) {
        return Err(PhotoRefusal::Hdr);
    }
    let image = match info.format {
        PhotoFormat::Avif => avif::item(&heif, primary)?,
        _ => {
            let options = Options { max_threads: 1, max_pixels: MAX_PIXELS };
            heifer::decode_rgba8(file, &options).map_err(refusal)?
        }
    };
    let (width, height) = (image.width, image.height);
    if (width, height) != info.stored_size() {
        return Err(PhotoRefusal::Damaged);
    }
    let profile = profile(&heif, primary);
    let is_grey = is_grey(&heif, primary);
    let data = if image.has_alpha { on_white(image) } else { image.into_rgb8() };
    Ok(if is_grey {
        let data = data.chunks_exact(3).map(|pixel| pixel[0]).collect();
        Pixels { width, height, channels: Channels::Grey, data, profile }
    } else {
        Pixels { width, height, channels: Channels::Rgb, data, profile }
    })
}

fn on_white(image: Image<u8>) -> Vec<u8> {
    let mut data = image.data;
    onto_white::<4>(&mut data);
    data.shrink_to_fit();
    data
}

fn refusal(error: heifer::Error) -> PhotoRefusal {
    match error {
        heifer::Error::Unsupported(_)
        | heifer::Error::Hevc(heifer::heifer_hevc_dec::Error::Unimplemented(_)) => {
            PhotoRefusal::UnusualCoding
        }
        _ => PhotoRefusal::Damaged,
    }
}

/// A picture and, one below the other, the first ones that it is made of.
fn lineage<'a>(heif: &'a HeifFile<'_>, id: ItemId) -> impl Iterator<Item = ItemId> + 'a {
    let first = |id: &ItemId| heif.referenced_items(*id, b"dimg").first().copied();
    std::iter::successors(Some(id), first).take(DEEPEST as usize)
}

/// What ITU-T H.273 calls a picture's colours, where the file says it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Colours {
    primaries: u16,
    transfer: u16,
    pub matrix: u16,
    pub is_full_range: bool,
}

impl Colours {
    /// Whether their brightness is that of a film for bright screens (ITU-R BT.2100), by PQ or HLG.
    fn is_hdr(self) -> bool {
        matches!(self.transfer, 16 | 18)
    }
}

/// The colours that a picture's own properties name.
pub(super) fn colours(heif: &HeifFile<'_>, id: ItemId) -> Option<Colours> {
    heif.item_properties(id).ok()?.find_map(|property| match *property {
        Property::Color(ColorInfo::Nclx { primaries, transfer, matrix, full_range }) => {
            Some(Colours { primaries, transfer, matrix, is_full_range: full_range })
        }
        _ => None,
    })
}

/// The same of what HEVC itself says.
fn coded_colours(heif: &HeifFile<'_>, id: ItemId) -> Option<Colours> {
    let mut sets = ParameterSets::default();
    for unit in &heif.hevc_config(id).ok()??.nal_units {
        sets.add(&NalUnit::parse(unit).ok()?).ok()?;
    }
    let vui = sets.sps.iter().flatten().find_map(|sps| sps.vui.as_ref())?;
    Some(Colours {
        primaries: vui.colour_primaries.into(),
        transfer: vui.transfer_characteristics.into(),
        matrix: vui.matrix_coeffs.into(),
        is_full_range: vui.video_full_range_flag,
    })
}

fn named_colours(heif: &HeifFile<'_>, id: ItemId) -> Option<Colours> {
    lineage(heif, id).find_map(|id| colours(heif, id).or_else(|| coded_colours(heif, id)))
}

/// The profile that a file has, or one of the colours that it names; none for sRGB and what is as good as that.
fn profile(heif: &HeifFile<'_>, id: ItemId) -> Option<Vec<u8>> {
    if let Some(profile) = lineage(heif, id).find_map(|id| heif.icc_profile(id).ok().flatten()) {
        return Some(profile.to_vec());
    }
    const SRGB: u8 = 13;
    let Colours { primaries, transfer, .. } = named_colours(heif, id)?;
    let transfer = match transfer {
        // a camera's curve, or none that is named: as every screen shows it
        1 | 2 | 6 | 14 | 15 => SRGB,
        named => u8::try_from(named).ok()?,
    };
    if matches!(primaries, 1 | 2) && transfer == SRGB {
        return None;
    }
    let named = CicpProfile {
        color_primaries: CicpColorPrimaries::try_from(u8::try_from(primaries).ok()?).ok()?,
        transfer_characteristics: TransferCharacteristics::try_from(transfer).ok()?,
        matrix_coefficients: MatrixCoefficients::Identity,
        full_range: true,
    };
    ColorProfile::new_from_cicp(named).encode().ok()
}

/// Whether a picture has brightness alone.
fn is_grey(heif: &HeifFile<'_>, id: ItemId) -> bool {
    lineage(heif, id).last().is_some_and(|id| {
        let hevc = heif.hevc_config(id).ok().flatten().map(|config| config.chroma_format);
        hevc.map_or_else(|| avif::is_grey(heif, id), |chroma| chroma == 0)
    })
}
