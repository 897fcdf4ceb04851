//! JPEG files of this house.

use std::cell::RefCell;
use std::io::{self, Write};

use jpeg_encoder::{ColorType, Encoder, EncodingError, ImageBuffer, JpegColorType, SamplingFactor};

use super::decode::Pixels;

/// A JPEG of sRGB pixels that shows itself at once, coarse at first. `quality` goes from 1 to 100. Nothing comes of a size
/// without pixels, and of one with a side above 65,535 (ITU-T T.81, B.2.2).
pub fn progressive_jpeg(pixels: &Pixels, quality: u8) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, quality);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.encode(&pixels.data, side(pixels.width)?, side(pixels.height)?, ColorType::Rgb).ok()?;
    Some(file)
}

/// A JPEG of four inks, 4 bytes a pixel where 0 is none, stored inverted as Adobe's programs do it. Otherwise like
/// [`progressive_jpeg`].
pub fn inks_jpeg(inks: &[u8], width: u32, height: u32, quality: u8) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    Encoder::new(&mut file, quality).encode(inks, side(width)?, side(height)?, ColorType::Cmyk).ok()?;
    Some(file)
}

/// The same of inks that come some rows at a time: `next` gives the rows that follow, whole ones. The file goes out as it is made,
/// and so neither it nor the picture is ever held whole. Whether it was made.
///
/// # Errors
/// Those of `next` and of writing.
pub fn write_inks_jpeg<E: From<io::Error>>(
    out: &mut dyn Write,
    (width, height): (u32, u32),
    quality: u8,
    next: impl FnMut() -> Result<Vec<u8>, E>,
) -> Result<bool, E> {
    let (Some(width), Some(height)) = (side(width), side(height)) else { return Ok(false) };
    let rows =
        Rows { width, height, state: RefCell::new(State { next, rows: Vec::new(), first: 0, failed: None }) };
    let encoded = Encoder::new(out, quality).encode_image(&rows);
    match (rows.state.into_inner().failed, encoded) {
        (Some(error), _) => Err(error),
        (None, Err(EncodingError::IoError(error))) => Err(error.into()),
        (None, encoded) => Ok(encoded.is_ok()),
    }
}

/// What an encoder asks for row by row, from the top.
struct Rows<N, E> {
    width: u16,
    height: u16,
    state: RefCell<State<N, E>>,
}

struct State<N, E> {
    next: N,
    /// The rows that are here, of which `first` is the first.
    rows: Vec<u8>,
    first: usize,
    failed: Option<E>,
}

impl<N: FnMut() -> Result<Vec<u8>, E>, E> ImageBuffer for &Rows<N, E> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Cmyk
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let mut state = self.state.borrow_mut();
        let stride = usize::from(self.width) * 4;
        while state.failed.is_none() && usize::from(y) >= state.first + state.rows.len() / stride {
            state.first += state.rows.len() / stride;
            match (state.next)() {
                Ok(rows) if rows.len() < stride => break,
                Ok(rows) => state.rows = rows,
                Err(error) => state.failed = Some(error),
            }
        }
        let from = usize::from(y).saturating_sub(state.first) * stride;
        let Some(row) = state.rows.get(from..from + stride).filter(|_| state.failed.is_none()) else {
            // nobody will see it
            buffers.iter_mut().for_each(|buffer| buffer.resize(buffer.len() + usize::from(self.width), 0));
            return;
        };
        for pixel in row.chunks_exact(4) {
            for (buffer, ink) in buffers.iter_mut().zip(pixel) {
                buffer.push(255 - ink);
            }
        }
    }
}

fn side(pixels: u32) -> Option<u16> {
    u16::try_from(pixels).ok()
}
