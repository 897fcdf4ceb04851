//! Blurred, dark and light photos, screens and papers are told from good photos by what is measured of them.

use domain::document::Trim;
use domain::quality::{Flaw, Quality, Shot, flaw};
use domain::tone::Tone;
use image::{ImageFormat, RgbImage};
use photo::{COATED, Channels, LONG_SIDES, Pixels, Resizer, derive, quality_of, resize};
use pictures::{drawing, encoded, exposed, letters, macro_of, night, out_of_focus, scene, screen, shaken};

use super::info_of;

const PAGE: Trim = Trim { width: 210.0, height: 210.0 };
const PHOTOS: u64 = 20;

/// What is measured of a picture as it is served: no larger than the middle size.
fn measured(picture: &RgbImage) -> Quality {
    let [_, most, _] = LONG_SIDES;
    let (width, height) = picture.dimensions();
    if width.max(height) <= most {
        return quality_of(&encoded(picture, ImageFormat::Jpeg)).unwrap();
    }
    let side =
        |length: u32| (f64::from(length) * f64::from(most) / f64::from(width.max(height))).round() as u32;
    let pixels =
        Pixels { width, height, channels: Channels::Rgb, data: picture.as_raw().clone(), profile: None };
    let served = resize(&mut Resizer::new(), &pixels, None, side(width), side(height)).unwrap();
    let served = RgbImage::from_raw(served.width, served.height, served.data).unwrap();
    quality_of(&encoded(&served, ImageFormat::Jpeg)).unwrap()
}

/// What is weak of a picture of a camera.
fn of_camera(picture: &RgbImage) -> Option<Flaw> {
    judged(picture, "DSC_0001.JPG", true)
}

/// And of one that came through a messenger.
fn of_messenger(picture: &RgbImage) -> Option<Flaw> {
    judged(picture, "mmexport1700000000000.jpg", false)
}

fn judged(picture: &RgbImage, file_name: &str, has_camera: bool) -> Option<Flaw> {
    let (width, height) = picture.dimensions();
    let quality = Some(measured(picture));
    flaw(&Shot { file_name, is_png: false, has_camera, width, height, quality }, PAGE)
}

/// A photo in one of the shapes that cameras give.
fn photo(seed: u64) -> RgbImage {
    let (width, height) = [(1280, 960), (960, 1280), (1280, 720), (1600, 500)][seed as usize % 4];
    scene(width, height, seed)
}

/// How many of twenty pictures are found to have one of these flaws.
fn count(flaws: &[Flaw], found: impl Fn(u64) -> Option<Flaw>) -> usize {
    (0..PHOTOS).filter(|seed| found(*seed).is_some_and(|flaw| flaws.contains(&flaw))).count()
}

/// The mean colour of a photo, by the published values of plain ones.
#[test]
fn a_photos_tone_is_its_colour() {
    let of = |rgb: [u8; 3]| measured(&RgbImage::from_pixel(640, 480, image::Rgb(rgb))).tone.expect("a tone");
    // CIE L*a*b* of sRGB's own colours under D65 (IEC 61966-2-1, CIE 15)
    for (rgb, [l, a, b]) in [
        ([255, 255, 255], [100.0, 0.0, 0.0]),
        ([119, 119, 119], [50.0, 0.0, 0.0]),
        ([255, 0, 0], [53.2, 80.1, 67.2]),
        ([0, 0, 255], [32.3, 79.2, -107.9]),
        ([32, 56, 100], [23.9, 6.5, -28.8]),
    ] {
        let apart = of(rgb).apart(&Tone { l, a, b });
        assert!(apart < 3.0, "{rgb:?}: {:?}", of(rgb));
    }
    // half and half
    let half = RgbImage::from_fn(640, 480, |x, _| image::Rgb(if x < 320 { [255; 3] } else { [119; 3] }));
    assert!((measured(&half).tone.unwrap().l - 75.0).abs() < 1.5);
}

#[test]
fn blurred_photos_are_found_and_sharp_ones_are_not() {
    let blurred = [Flaw::Blurred, Flaw::Soft];
    let by = |blur: &dyn Fn(&RgbImage) -> RgbImage| count(&blurred, |seed| of_camera(&blur(&photo(seed))));
    let sharp = by(&RgbImage::clone);
    let (slight, focus, far) = (
        by(&|photo| out_of_focus(photo, 1.0 / 1280.0)),
        by(&|photo| out_of_focus(photo, 6.0 / 1280.0)),
        by(&|photo| out_of_focus(photo, 12.0 / 1280.0)),
    );
    let moved = by(&|photo| shaken(photo, 24.0 / 1280.0));
    eprintln!("of {PHOTOS}: sharp {sharp}, slight {slight}, out of focus {focus}, far {far}, shaken {moved}");
    assert_eq!((sharp, slight), (0, 0));
    assert!(focus * 10 >= 9 * PHOTOS as usize && far * 10 >= 9 * PHOTOS as usize, "{focus} {far}");
    assert!(moved * 10 >= 6 * PHOTOS as usize, "{moved}");
    // a blur that grows never looks sharper, as long as anything is left to blur
    for seed in 0..4 {
        let steps = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0];
        let blurs = steps.map(|sigma| match sigma {
            0.0 => measured(&photo(seed)).blur.unwrap(),
            sigma => measured(&out_of_focus(&photo(seed), sigma / 1280.0)).blur.unwrap(),
        });
        assert!(blurs.windows(2).all(|pair| pair[0] <= pair[1] + 0.02), "{blurs:?}");
    }
}

#[test]
fn what_is_soft_or_dark_on_purpose_is_no_weak_photo() {
    let none = |what: &str, picture: &dyn Fn(u64) -> RgbImage| {
        let found: Vec<_> = (0..PHOTOS).filter_map(|seed| of_camera(&picture(seed))).collect();
        assert!(found.is_empty(), "{what}: {found:?}");
    };
    none("a flower before a soft ground", &|seed| macro_of(1280, 960, seed));
    none("a night", &|seed| night(1280, 960, seed));
    none("fog", &|seed| exposed(&out_of_focus(&photo(seed), 0.004), 0.2, 170.0));
}

#[test]
fn photos_without_light_and_with_too_much_of_it_are_found() {
    let dark = count(&[Flaw::Dark, Flaw::Black], |seed| of_camera(&exposed(&photo(seed), 0.13, 0.0)));
    let light = count(&[Flaw::Light, Flaw::White], |seed| of_camera(&exposed(&photo(seed), 0.7, 215.0)));
    assert!(dark * 10 >= 9 * PHOTOS as usize && light * 10 >= 9 * PHOTOS as usize, "{dark} {light}");
}

#[test]
fn screens_and_papers_are_told_from_photos() {
    let left_out = [Flaw::Screenshot, Flaw::Slip];
    let phones = [(1080, 2400), (1170, 2532), (1920, 1080)];
    let of_screen = |seed: u64, levels| of_messenger(&screen(phones[seed as usize % 3], seed, levels));
    let (day, night) = (
        count(&left_out, |seed| of_screen(seed, [245, 30])),
        count(&left_out, |seed| of_screen(seed, [20, 225])),
    );
    let receipts = count(&left_out, |seed| of_messenger(&letters((700, 1900), 28, seed)));
    let papers = count(&[Flaw::Paper], |seed| of_messenger(&letters((1654, 2339), 34, seed)));
    let drawings = count(&left_out, |seed| of_messenger(&drawing(1280, 960, seed)));
    let photos = (0..PHOTOS).filter(|seed| of_messenger(&photo(*seed)).is_some()).count();
    eprintln!(
        "of {PHOTOS}: screens {day} and {night}, receipts {receipts}, papers {papers}, drawings left out {drawings}, photos {photos}"
    );
    // a screen that is mostly photos is not told from one
    assert!([day, night].iter().all(|found| found * 5 >= 4 * PHOTOS as usize));
    assert!([receipts, papers].iter().all(|found| found * 10 >= 9 * PHOTOS as usize));
    assert_eq!((drawings, photos), (0, 0));
    let blurred = (0..PHOTOS).filter(|seed| {
        let flaws = [of_camera(&drawing(1280, 960, *seed)), of_camera(&letters((1654, 2339), 34, *seed))];
        flaws.iter().flatten().any(|flaw| matches!(flaw, Flaw::Blurred | Flaw::Soft))
    });
    assert_eq!(blurred.count(), 0, "neither is blurred");
}

#[test]
fn a_picture_made_before_says_the_same() {
    for seed in 0..4 {
        let file = encoded(&photo(seed), ImageFormat::Jpeg);
        let made = derive(&file, &info_of(&file).unwrap(), COATED, None).unwrap();
        let (now, later) = (made.quality.unwrap(), quality_of(&made.sizes[1].webp).unwrap());
        assert!((now.blur.unwrap() - later.blur.unwrap()).abs() < 0.1, "{now:?} {later:?}");
        assert!((now.drawn - later.drawn).abs() < 0.02 && now.darkest.abs_diff(later.darkest) < 12);
    }
    assert_eq!(quality_of(b"no picture"), None);
    // nothing to measure in
    let dot = quality_of(&encoded(&RgbImage::new(3, 2), ImageFormat::Png)).unwrap();
    assert_eq!((dot.blur, dot.shadows, dot.flat), (None, 1.0, 0.0));
}
