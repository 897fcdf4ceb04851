//! Photos of every kind look on paper as they do on the screen, as far as the press has the colours.

use crate::common::*;
use domain::document::{Crop, Trim};
use image::codecs::jpeg::JpegEncoder;
use image::{GrayImage, ImageEncoder, Luma, Rgb, RgbImage};
use jpeg_encoder::{ColorType, Encoder};
use moxcms::ColorProfile;
use photo::{COATED, PhotoFormat};
use press::{PageRef, Part, Press, PrintStandard};

const SIDE: u32 = 300;

/// From dark to light across, and softly coloured: colours that a press has.
fn colours() -> RgbImage {
    RgbImage::from_fn(SIDE, SIDE, |x, y| {
        let light = 60.0 + 150.0 * f64::from(x) / f64::from(SIDE);
        let turn = f64::from(y) / f64::from(SIDE) * std::f64::consts::TAU;
        let channel = |phase: f64| (light + 24.0 * (turn + phase).cos()).round() as u8;
        Rgb([channel(0.0), channel(2.1), channel(4.2)])
    })
}

fn greys() -> GrayImage {
    GrayImage::from_fn(SIDE, SIDE, |x, _| Luma([(x * 255 / (SIDE - 1)) as u8]))
}

/// Inks, nowhere more than a press lays.
pub(super) fn inks() -> Vec<u8> {
    let pixels = (0..SIDE * SIDE).flat_map(|at| {
        let (x, y) = ((at % SIDE) as f64 / SIDE as f64, (at / SIDE) as f64 / SIDE as f64);
        [0.6 * x, 0.5 * y, 0.5 * (1.0 - x), 0.3 * (1.0 - y)].map(|ink| (ink * 255.0) as u8)
    });
    pixels.collect()
}

fn with_profile(profile: Option<ColorProfile>, encode: impl FnOnce(JpegEncoder<&mut Vec<u8>>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 95);
    if let Some(profile) = profile {
        encoder.set_icc_profile(profile.encode().unwrap()).unwrap();
    }
    encode(encoder);
    bytes
}

pub(super) fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let colour = |profile| with_profile(profile, |mut encoder| encoder.encode_image(&colours()).unwrap());
    let grey = |profile| with_profile(profile, |mut encoder| encoder.encode_image(&greys()).unwrap());
    let in_inks = |profile: Option<&[u8]>| {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, 95);
        if let Some(profile) = profile {
            encoder.add_icc_profile(profile).unwrap();
        }
        encoder.encode(&inks(), SIDE as u16, SIDE as u16, ColorType::Cmyk).unwrap();
        bytes
    };
    vec![
        ("sRGB", colour(Some(ColorProfile::new_srgb()))),
        ("RGB without a profile", colour(None)),
        ("Adobe RGB", colour(Some(ColorProfile::new_adobe_rgb()))),
        ("Display P3", colour(Some(ColorProfile::new_display_p3()))),
        ("grey", grey(None)),
        ("grey of gamma 1.8", grey(Some(ColorProfile::new_gray_with_gamma(1.8)))),
        ("grey of gamma 2.2", grey(Some(ColorProfile::new_gray_with_gamma(2.2)))),
        ("inks without a profile", in_inks(None)),
        ("inks of the press", in_inks(Some(COATED))),
    ]
}

/// CIE L*a*b* of an sRGB colour, under D65.
fn lab(colour: [f64; 3]) -> [f64; 3] {
    let linear = colour.map(|v| {
        let v = v / 255.0;
        if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
    });
    let row = |a: f64, b: f64, c: f64| a * linear[0] + b * linear[1] + c * linear[2];
    let xyz = [
        row(0.4124, 0.3576, 0.1805) / 0.950_47,
        row(0.2126, 0.7152, 0.0722),
        row(0.0193, 0.1192, 0.9505) / 1.088_83,
    ];
    let [x, y, z] = xyz.map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The mean and the largest difference (ΔE 1976) of two pictures over squares of 10 pixels.
pub(super) fn differences(one: &RgbImage, other: &RgbImage) -> (f64, f64) {
    assert_eq!(one.dimensions(), other.dimensions());
    let mean = |picture: &RgbImage, left: u32, top: u32| -> [f64; 3] {
        let mut sums = [0.0; 3];
        for y in top..top + 10 {
            for x in left..left + 10 {
                for (sum, value) in sums.iter_mut().zip(picture.get_pixel(x, y).0) {
                    *sum += f64::from(value) / 100.0;
                }
            }
        }
        lab(sums)
    };
    let (mut sum, mut most, mut count) = (0.0, 0.0_f64, 0.0);
    for top in (0..one.height() - 10).step_by(10) {
        for left in (0..one.width() - 10).step_by(10) {
            let (a, b) = (mean(one, left, top), mean(other, left, top));
            let apart = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            (sum, most, count) = (sum + apart, most.max(apart), count + 1.0);
        }
    }
    (sum / count, most)
}

/// What a press lays of a page, as Ghostscript mixes its inks and Little CMS (in Pillow) sees them; nothing where Ghostscript is
/// not installed.
pub(super) fn shown(pdf: &[u8], side: u32) -> Option<RgbImage> {
    const SEEN: &str = "import sys
from PIL import Image, ImageCms
folder = sys.argv[1]
inks, press = Image.open(folder + '/page.tif'), ImageCms.getOpenProfile(folder + '/press.icc')
seen = ImageCms.buildTransform(press, ImageCms.createProfile('sRGB'), 'CMYK', 'RGB', renderingIntent=1, flags=0x2000)
ImageCms.applyTransform(inks, seen).save(folder + '/page.png')";
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    std::fs::write(place("page.pdf"), pdf).unwrap();
    std::fs::write(place("press.icc"), COATED).unwrap();
    let made = std::process::Command::new("gs")
        .args(["-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=tiff32nc", "-dUseTrimBox"])
        .arg(format!("-sOutputICCProfile={}", place("press.icc").display()))
        .arg(format!("-sDefaultCMYKProfile={}", place("press.icc").display()))
        .arg(format!("-r{}", f64::from(side) / 100.0 * 25.4))
        .arg(format!("-sOutputFile={}", place("page.tif").display()))
        .arg(place("page.pdf"))
        .status();
    if made.is_err() {
        println!("Ghostscript is not installed: its pictures were not looked at");
        return None;
    }
    run("/usr/bin/python3", &["-c", SEEN], folder.path());
    Some(image::open(place("page.png")).unwrap().into_rgb8())
}

#[test]
fn every_kind_of_photo_is_printed_as_it_is_shown() {
    let mut book = document("calm", vec![page(vec![photo("p", rect(0.0, 0.0, 100.0, 100.0), Crop::WHOLE)])]);
    book.trim = Trim { width: 100.0, height: 100.0 };
    for (kind, bytes) in kinds() {
        let mut library = Library::default();
        library.proxies.insert(id("p"), upright(&bytes));
        let library = library.add("p", PhotoFormat::Jpeg, SIDE, SIDE, 1, bytes);
        let screen = Press::new().page_picture(&book, PageRef::Inner(0), &library, SIDE).expect("a picture");
        let screen = image::load_from_memory(&screen).unwrap().into_rgb8();
        for standard in [PrintStandard::X4, PrintStandard::X1a] {
            let mut pdf = Vec::new();
            let press = Press::following(standard);
            press.print(&book, Part::Inner, &library, MADE_AT, &mut pdf).expect("a print file");
            let Some(printed) = shown(&pdf, SIDE) else { return };
            let (mean, most) = differences(&screen, &printed);
            println!("{kind}, {standard:?}: {mean:.2}, at most {most:.2}");
            // black ink alone is no screen's black; everything else is there
            let bound = if kind.starts_with("grey") { 2.2 } else { 1.5 };
            assert!(mean <= bound, "{kind}, {standard:?}: {mean:.2}");
        }
    }
}

/// What the program makes of a photo for the screen.
pub(super) fn upright(jpeg: &[u8]) -> Vec<u8> {
    let info = photo::probe(&mut std::io::Cursor::new(jpeg)).unwrap();
    let pixels = photo::to_srgb(photo::decode(jpeg, &info, 1).unwrap());
    let picture = RgbImage::from_raw(pixels.width, pixels.height, pixels.data).unwrap();
    let mut png = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}
