//! PNG, a row at a time: a file of some hundred kilobytes may promise 60 megapixels of four channels of 16 bits, which
//! are 480 MB. Each row becomes eight bits, opaque, as it comes, and squares of pixels become one where that is enough.

use std::io::Cursor;

use png::{ColorType, Decoder, DecodingError, InterlaceInfo, Reader, Transformations};

use super::bins::Bins;
use super::decode::{Channels, Pixels, onto_white};
use super::{PhotoInfo, PhotoRefusal};

/// Decodes a PNG; squares of `bin` × `bin` pixels become their mean. Interlaced files, which come in no order in
/// which that is possible, keep their size.
pub(super) fn decode(file: &[u8], info: &PhotoInfo, bin: u32) -> Result<Pixels, PhotoRefusal> {
    let mut decoder = Decoder::new(Cursor::new(file));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(refusal)?;
    let (width, height) = reader.info().size();
    if (width, height) != info.stored_size() {
        return Err(PhotoRefusal::Damaged);
    }
    let profile = reader.info().icc_profile.as_ref().map(|profile| profile.to_vec());
    let channels = match reader.output_color_type().0 {
        ColorType::Grayscale | ColorType::GrayscaleAlpha => Channels::Grey,
        _ => Channels::Rgb,
    };
    let size = match channels {
        Channels::Grey => 1,
        _ => 3,
    };
    if reader.info().interlaced {
        let data = interlaced(&mut reader, width as usize * size, height as usize, size)?;
        return Ok(Pixels { width, height, channels, data, profile });
    }
    let mut bins = Bins::new(width as usize, height as usize, size, bin.max(1) as usize);
    let mut row = Vec::new();
    while next(&mut reader, &mut row)?.is_some() {
        bins.add(&row);
    }
    let (width, height) = (width.div_ceil(bin.max(1)), height.div_ceil(bin.max(1)));
    Ok(Pixels { width, height, channels, data: bins.finish(), profile })
}

fn interlaced(
    reader: &mut Reader<Cursor<&[u8]>>,
    stride: usize,
    height: usize,
    size: usize,
) -> Result<Vec<u8>, PhotoRefusal> {
    let mut data = vec![0; stride * height];
    let mut row = Vec::new();
    while let Some(place) = next(reader, &mut row)? {
        if let InterlaceInfo::Adam7(pass) = place {
            // one or three bytes a pixel
            png::expand_interlaced_row(&mut data, stride, &row, &pass, 8 * size as u8);
        }
    }
    Ok(data)
}

/// The next row in grey or RGB, and where it belongs.
fn next(
    reader: &mut Reader<Cursor<&[u8]>>,
    row: &mut Vec<u8>,
) -> Result<Option<InterlaceInfo>, PhotoRefusal> {
    let colours = reader.output_color_type().0;
    let Some(read) = reader.next_interlaced_row().map_err(refusal)? else { return Ok(None) };
    row.clear();
    row.extend_from_slice(read.data());
    match colours {
        ColorType::GrayscaleAlpha => onto_white::<2>(row),
        ColorType::Rgba => onto_white::<4>(row),
        _ => {}
    }
    Ok(Some(*read.interlace()))
}

fn refusal(_: DecodingError) -> PhotoRefusal {
    PhotoRefusal::Damaged
}
