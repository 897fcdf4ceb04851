//! PNG, a row at a time: a file of some hundred kilobytes may promise 60 megapixels of four channels of 16 bits, which
//! are 480 MB. Each row becomes eight bits, opaque, as it comes, and squares of pixels become one where that is enough.

use std::io::Cursor;

use png::{ColorType, Decoder, DecodingError, InterlaceInfo, Reader, Transformations};

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

/// Squares of pixels, summed as their rows come. At the right and lower edges they may hold fewer pixels.
struct Bins {
    /// Pixels in a row, bytes in a pixel, and the side of a square.
    width: usize,
    size: usize,
    side: usize,
    sums: Vec<u32>,
    /// Rows in `sums`.
    rows: usize,
    data: Vec<u8>,
}

impl Bins {
    fn new(width: usize, height: usize, size: usize, side: usize) -> Self {
        let across = width.div_ceil(side) * size;
        let data = Vec::with_capacity(across * height.div_ceil(side));
        Self { width, size, side, sums: vec![0; across], rows: 0, data }
    }

    fn add(&mut self, row: &[u8]) {
        if self.side == 1 {
            self.data.extend_from_slice(row);
            return;
        }
        let squares = row.chunks(self.side * self.size);
        for (sums, square) in self.sums.chunks_exact_mut(self.size).zip(squares) {
            for pixel in square.chunks_exact(self.size) {
                for (sum, value) in sums.iter_mut().zip(pixel) {
                    *sum += u32::from(*value);
                }
            }
        }
        self.rows += 1;
        if self.rows == self.side {
            self.average();
        }
    }

    fn average(&mut self) {
        let last = self.sums.len() / self.size - 1;
        for (index, sums) in self.sums.chunks_exact_mut(self.size).enumerate() {
            let across = if index == last { self.width - last * self.side } else { self.side };
            let count = (across * self.rows) as u32;
            for sum in sums {
                // a mean of bytes is one
                self.data.push(((*sum + count / 2) / count) as u8);
                *sum = 0;
            }
        }
        self.rows = 0;
    }

    fn finish(mut self) -> Vec<u8> {
        if self.rows > 0 {
            self.average();
        }
        self.data
    }
}
