//! Strips of a JPEG, which only photos past the usual limit are cut into, in small.

#![allow(clippy::unwrap_used)]

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use super::*;

fn jpeg_of(width: u16, height: u16, colours: ColorType, set: impl Fn(&mut Encoder<&mut Vec<u8>>)) -> Vec<u8> {
    let mut noise = 1u32;
    let mut next = || {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 24) as u8
    };
    let count = usize::from(width) * usize::from(height) * (if colours == ColorType::Luma { 1 } else { 3 });
    // smooth, with edges and noise: long runs, and codes of all lengths
    let pixels: Vec<u8> =
        (0..count).map(|at| if at % 7_000 < 2_500 { next() } else { (at / 900) as u8 }).collect();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 93);
    set(&mut encoder);
    encoder.encode(&pixels, width, height, colours).unwrap();
    file
}

#[test]
fn strips_are_what_the_whole_is() {
    let samplings =
        [SamplingFactor::F_1_1, SamplingFactor::F_2_1, SamplingFactor::F_1_2, SamplingFactor::F_2_2];
    let mut files = vec![jpeg_of(333, 250, ColorType::Luma, |_| {})];
    for sampling in samplings {
        files.push(jpeg_of(333, 250, ColorType::Rgb, |encoder| encoder.set_sampling_factor(sampling)));
        files.push(jpeg_of(160, 97, ColorType::Rgb, |encoder| {
            encoder.set_sampling_factor(sampling);
            encoder.set_restart_interval(7);
        }));
    }
    files.push(jpeg_of(333, 250, ColorType::Rgb, |encoder| encoder.set_restart_interval(1)));
    for file in files {
        let info = probe(&mut Cursor::new(&file)).unwrap();
        let whole = decode(&file, &info, 1).unwrap();
        for most in [1, 12_000, 1_000_000] {
            let mut strips = JpegStrips::with(&file, &info, most).unwrap();
            let (mut data, mut height, mut count) = (Vec::new(), 0, 0);
            while let Some(strip) = strips.next_rows().unwrap() {
                (height, count) = (height + strip.height, count + 1);
                data.extend(strip.data);
            }
            assert_eq!(height, whole.height);
            assert!(most > 100_000 && count == 1 || count > 1, "{count} strips");
            let other = data.iter().zip(&whole.data).position(|(one, other)| one != other);
            assert!(data.len() == whole.data.len() && other.is_none(), "{most}: {other:?} of {}", data.len());
        }
    }
}

#[test]
fn what_breaks_off_has_no_strips() {
    let file = jpeg_of(333, 250, ColorType::Rgb, |_| {});
    let info = probe(&mut Cursor::new(&file)).unwrap();
    let read = |file: &[u8]| -> Result<u32, PhotoRefusal> {
        let mut strips = JpegStrips::with(file, &info, 12_000)?;
        let mut height = 0;
        while let Some(strip) = strips.next_rows()? {
            height += strip.height;
        }
        Ok(height)
    };
    assert_eq!(read(&file), Ok(250));
    for end in [file.len() / 4, file.len() / 2, file.len() - 40] {
        assert_eq!(read(&[&file[..end], &[0xFF, 0xD9]].concat()), Err(PhotoRefusal::Damaged), "{end}");
    }
    // any byte may be another: nothing but an answer comes of it
    for at in (20..file.len() - 2).step_by(997) {
        let mut file = file.clone();
        file[at] ^= 0x5A;
        drop(read(&file));
    }
}
