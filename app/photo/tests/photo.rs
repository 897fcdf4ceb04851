//! Photo files: what is accepted, what is refused and why, and what is served of them.
#![allow(clippy::unwrap_used)]

#[path = "photo/faces.rs"]
mod faces;
#[path = "photo/files.rs"]
mod files;
#[path = "photo/foreign.rs"]
mod foreign;
#[path = "photo/heif.rs"]
mod heif;
#[path = "photo/quality.rs"]
mod quality;

use std::collections::BTreeSet;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use files::{Metadata, chunk, exif, file, flat_jpeg, jpeg_header, png_header, quarters};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, Luma, Rgb, RgbImage, Rgba, RgbaImage};
use photo::{
    COATED, Derivative, Derivatives, LONG_SIDES, PhotoFormat, PhotoInfo, PhotoRefusal, derive, probe, square,
};

const FORMATS: [PhotoFormat; 3] = [PhotoFormat::Jpeg, PhotoFormat::Png, PhotoFormat::WebP];

fn info_of(bytes: &[u8]) -> Result<PhotoInfo, PhotoRefusal> {
    probe(&mut Cursor::new(bytes))
}

fn both(bytes: &[u8]) -> Result<(PhotoInfo, Derivatives), PhotoRefusal> {
    let info = info_of(bytes)?;
    Ok((info, derive(bytes, &info, COATED, None)?))
}

fn pixels(derivative: &Derivative) -> RgbImage {
    let image = image::load_from_memory(&derivative.webp).unwrap();
    assert_eq!((image.width(), image.height()), (derivative.width, derivative.height));
    image.into_rgb8()
}

/// The colour in the middle of a photo's smallest derivative.
fn colour_of(bytes: &[u8]) -> [u8; 3] {
    let (_, derivatives) = both(bytes).unwrap();
    let image = pixels(&derivatives.sizes[0]);
    image.get_pixel(image.width() / 2, image.height() / 2).0
}

fn assert_near(colour: [u8; 3], expected: [u8; 3], by: u8) {
    let near = colour.iter().zip(expected).all(|(one, other)| one.abs_diff(other) <= by);
    assert!(near, "{colour:?} is not {expected:?}");
}

fn flat(colour: [u8; 3]) -> DynamicImage {
    RgbImage::from_pixel(64, 64, Rgb(colour)).into()
}

#[test]
fn a_square_is_the_upright_middle() {
    // what is left and right of the middle is black
    let mut upright = RgbImage::new(480, 120);
    image::imageops::replace(&mut upright, &quarters(120, 120), 180, 0);
    for orientation in 1..=8_u8 {
        let exif = Some(exif(false, u16::from(orientation), &[]));
        let stored = turned_away(&upright, orientation);
        let bytes = file(PhotoFormat::Png, &stored, Metadata { exif, profile: None });
        let info = info_of(&bytes).unwrap();
        let webp = square(&bytes, &info, COATED, 256).unwrap();
        assert!(!webp.windows(4).any(|part| part == b"EXIF" || part == b"ICCP"));
        let image = image::load_from_memory(&webp).unwrap().into_rgb8();
        assert_eq!(image.dimensions(), (256, 256), "small photos are enlarged");
        for (x, y, colour) in [(64, 64, [230, 20, 20]), (192, 64, [20, 160, 40]), (64, 192, [20, 40, 220])] {
            assert_near(image.get_pixel(x, y).0, colour, 12);
        }
    }
    let info = info_of(&file(PhotoFormat::Png, &flat([1, 2, 3]), Metadata::default())).unwrap();
    assert_eq!(square(b"no photo", &info, COATED, 256), Err(PhotoRefusal::Damaged));
}

/// The pixels as a camera stores them when it is turned so that the file needs this orientation.
fn turned_away(upright: &RgbImage, orientation: u8) -> DynamicImage {
    let back = match orientation {
        6 => 8,
        8 => 6,
        same => same,
    };
    let mut image = DynamicImage::from(upright.clone());
    image.apply_orientation(Orientation::from_exif(back).unwrap());
    image
}

#[test]
fn all_eight_orientations_stand_upright() {
    let upright = quarters(480, 360);
    for format in FORMATS {
        for orientation in 1..=8_u8 {
            let exif = Some(exif(orientation % 2 == 0, u16::from(orientation), &[]));
            let bytes = file(format, &turned_away(&upright, orientation), Metadata { exif, profile: None });
            let (info, derivatives) = both(&bytes).unwrap();
            assert_eq!((info.format, info.width, info.height), (format, 480, 360), "{orientation}");
            assert_eq!(info.orientation, orientation);
            for derivative in &derivatives.sizes {
                let image = pixels(derivative);
                let (width, height) = image.dimensions();
                let at = |x: u32, y: u32| image.get_pixel(width * x / 4, height * y / 4).0;
                assert_near(at(1, 1), [230, 20, 20], 12);
                assert_near(at(3, 1), [20, 160, 40], 12);
                assert_near(at(1, 3), [20, 40, 220], 12);
                assert_near(at(3, 3), [240, 220, 30], 12);
            }
        }
    }
}

fn sample_photos() -> Option<PathBuf> {
    let folder = Path::new(env!("BINDERY_CHECKOUT")).join("../shared/photos");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there are no sample photos in {}", folder.display());
    None
}

#[test]
fn sample_photos_of_all_orientations_look_the_same() {
    let Some(folder) = sample_photos() else { return };
    for name in ["Landscape", "Portrait"] {
        let small = |orientation: u8| {
            let bytes = std::fs::read(folder.join(format!("{name}_{orientation}.jpg"))).unwrap();
            let (info, derivatives) = both(&bytes).unwrap();
            assert_eq!(info.orientation, orientation);
            pixels(&derivatives.sizes[0])
        };
        let first = small(1);
        for orientation in 2..=8 {
            let other = small(orientation);
            assert_eq!(first.dimensions(), other.dimensions(), "{name} {orientation}");
            let sum: u64 = first.iter().zip(other.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
            let mean = sum as f64 / first.len() as f64;
            assert!(mean < 6.0, "{name} {orientation} differs by {mean}");
        }
    }
}

#[test]
fn times_are_the_clock_on_the_wall_with_its_zone() {
    let time = (0x9003, "2024:05:01 12:30:59");
    let taken = |little: bool, texts: &[(u16, &str)]| {
        let metadata = Metadata { exif: Some(exif(little, 1, texts)), profile: None };
        let info = info_of(&file(PhotoFormat::Jpeg, &flat([9, 9, 9]), metadata)).unwrap();
        (info.taken_at, info.taken_offset)
    };
    // as if it were China's
    const WALL: i64 = 1_714_566_659_000 - 8 * 3_600_000;
    for little in [true, false] {
        assert_eq!(taken(little, &[time]), (Some(WALL), None));
        assert_eq!(taken(little, &[time, (0x9291, "25")]), (Some(WALL + 250), None));
        for (zone, minutes) in [("+08:00", 480), ("+02:00", 120), ("-03:30", -210), ("Z", 0)] {
            let texts = [time, (0x9291, "1234"), (0x9011, zone)];
            assert_eq!(taken(little, &texts), (Some(WALL + 123), Some(minutes)), "{zone}");
        }
        assert_eq!(taken(little, &[(0x9003, "0000:00:00 00:00:00")]), (None, None));
        assert_eq!(taken(little, &[(0x9004, "2024:05:01 12:30:59")]), (Some(WALL), None));
        assert_eq!(taken(little, &[]), (None, None));
    }
    let png = info_of(&file(PhotoFormat::Png, &flat([9, 9, 9]), Metadata::default())).unwrap();
    assert_eq!((png.taken_at, png.taken_offset, png.changed_at), (None, None, None));
}

#[test]
fn where_a_photo_was_taken_is_a_citys_name() {
    let city = |north, east| info_of(&foreign::placed(north, east)).unwrap().city();
    assert_eq!(city(34.995, 135.785), Some("京都"));
    assert_eq!(city(-33.857, 151.215), Some("悉尼"), "south");
    assert_eq!(city(21.277, -157.823), Some("檀香山"), "west");
    assert_eq!(city(-22.952, -43.211), Some("里约热内卢"), "both");
    assert_eq!(city(48.7, 87.0), None, "in the wild");
    // cameras that saw no satellite write that they are in the sea
    assert_eq!(city(0.0, 0.0), None);
    let unplaced =
        file(PhotoFormat::Jpeg, &flat([9, 9, 9]), Metadata { exif: Some(exif(true, 1, &[])), profile: None });
    assert_eq!(info_of(&unplaced).unwrap().city(), None);
}

#[test]
fn photos_that_people_sent_are_taken_as_they_are() {
    let Some(folder) = sample_photos() else { return };
    let read = |name: &str| std::fs::read(folder.join("../reports/photos").join(name)).unwrap();
    let info = |name: &str| info_of(&read(name)).unwrap();
    let open = read("noeoi.jpg");
    photo::check_whole(&open, &info("noeoi.jpg")).unwrap();
    both(&open).unwrap();
    let inks = |name: &str| photo::decode(&read(name), &info(name), 1).unwrap().data;
    let (plain, coded) = (inks("cmyk_adobe0.jpg"), inks("ycck_adobe2.jpg"));
    let apart: u64 = plain.iter().zip(&coded).map(|(one, other)| u64::from(one.abs_diff(*other))).sum();
    assert!(apart < 2 * plain.len() as u64, "the same picture: {apart}");
    // 20:30 and 20:40 in Paris, as China's clocks would show them
    let evening = 1_777_638_600_000;
    let phone = info("tz_paris_phone.jpg");
    assert_eq!((phone.taken_at, phone.taken_offset), (Some(evening), Some(120)));
    let camera = info("tz_paris_dslr.jpg");
    assert_eq!((camera.taken_at, camera.taken_offset), (Some(evening + 600_000), None));
    let changed = info("only_datetime.jpg");
    assert!(changed.taken_at.is_none() && changed.changed_at.is_some());
}

#[test]
fn sizes_are_made_and_never_enlarged() {
    let sizes = |width: u32, height: u32| {
        let bytes = file(PhotoFormat::Png, &quarters(width, height).into(), Metadata::default());
        let (_, derivatives) = both(&bytes).unwrap();
        let asked: Vec<u32> = derivatives.sizes.iter().map(|size| size.long_side).collect();
        assert_eq!(asked, LONG_SIDES);
        assert_eq!(derivatives.get(1280), Some(&derivatives.sizes[1]));
        derivatives.sizes.map(|size| (size.width, size.height))
    };
    assert_eq!(sizes(2400, 1200), [(320, 160), (1280, 640), (2048, 1024)]);
    assert_eq!(sizes(600, 800), [(240, 320), (600, 800), (600, 800)]);
    assert_eq!(sizes(3000, 2), [(320, 1), (1280, 1), (2048, 1)]);
    assert_eq!(sizes(1, 1), [(1, 1); 3]);
}

#[test]
fn nothing_but_the_picture_is_served() {
    let metadata = Metadata {
        exif: Some(exif(true, 1, &[(0x9003, "2024:05:01 12:30:59")])),
        profile: Some(moxcms::ColorProfile::new_display_p3().encode().unwrap()),
    };
    let bytes = file(PhotoFormat::Jpeg, &quarters(400, 300).into(), metadata);
    assert!(bytes.windows(11).any(|text| text == b"SERIAL-4711"));
    let (_, derivatives) = both(&bytes).unwrap();
    for Derivative { webp, .. } in derivatives.sizes {
        // One chunk of lossy pixels and no other: no EXIF, XMP, profile or extended header.
        assert_eq!((&webp[..4], &webp[8..16]), (b"RIFF".as_slice(), b"WEBPVP8 ".as_slice()));
        let length = u32::from_le_bytes(webp[16..20].try_into().unwrap()) as usize;
        assert_eq!(webp.len(), 20 + length + length % 2);
        assert!(!webp.windows(6).any(|text| text == b"SERIAL" || text == b"2024:0"));
    }
}

#[test]
fn other_files_are_refused_by_name() {
    let refused: [(&[u8], PhotoRefusal); 10] = [
        (b"", PhotoRefusal::NotAPhoto),
        ("今天天气很好。".as_bytes(), PhotoRefusal::NotAPhoto),
        (b"\xFF\xD8", PhotoRefusal::NotAPhoto),
        (b"GIF89a\x01\0\x01\0", PhotoRefusal::OtherKind("GIF")),
        (b"<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'/>", PhotoRefusal::OtherKind("SVG")),
        (b"  <!DOCTYPE html><script>alert(1)</script>", PhotoRefusal::OtherKind("HTML")),
        (b"<html><img src=x>", PhotoRefusal::OtherKind("HTML")),
        (b"%PDF-1.7", PhotoRefusal::OtherKind("PDF")),
        (b"II*\0\x08\0\0\0", PhotoRefusal::OtherKind("TIFF")),
        (b"RIFF\x24\0\0\0WAVEfmt ", PhotoRefusal::NotAPhoto),
    ];
    for (bytes, refusal) in refused {
        let text = refusal.to_string();
        assert!(text.chars().any(|letter| ('\u{4E00}'..='\u{9FFF}').contains(&letter)), "{text}");
        assert_eq!(info_of(bytes), Err(refusal));
    }
    assert!(PhotoRefusal::Heic.to_string().contains("JPEG"));

    let animated = [b"RIFF\x12\0\0\0WEBPVP8X\x0A\0\0\0\x02\0\0\0".as_slice(), &[9, 0, 0, 9, 0, 0]].concat();
    assert_eq!(info_of(&animated), Err(PhotoRefusal::Animated));
}

#[test]
fn hostile_headers_cost_nothing() {
    let started = Instant::now();
    let large = |width, height| Err(PhotoRefusal::TooLarge { width, height });
    assert_eq!(info_of(&jpeg_header(65_000, 65_000)), large(65_000, 65_000));
    assert_eq!(info_of(&png_header(65_000, 65_000)), large(65_000, 65_000));
    assert_eq!(info_of(&png_header(u32::MAX, u32::MAX)), large(u32::MAX, u32::MAX));
    assert_eq!(info_of(&png_header(30_001, 1)), large(30_001, 1));
    assert_eq!(info_of(&png_header(7_750, 7_750)), large(7_750, 7_750));
    assert!(info_of(&png_header(7_745, 7_745)).is_ok());
    // a JPEG of one scan is decoded at half its size, which one of several can't be
    assert!(info_of(&jpeg_header(16_320, 12_240)).is_ok());
    assert_eq!(info_of(&jpeg_header(16_400, 12_240)), large(16_400, 12_240));
    let mut progressive = jpeg_header(16_320, 12_240);
    let frame = progressive.windows(2).position(|two| two == [0xFF, 0xC0]).unwrap();
    progressive[frame + 1] = 0xC2;
    assert_eq!(info_of(&progressive), large(16_320, 12_240));
    assert_eq!(info_of(&png_header(0, 5)), Err(PhotoRefusal::Damaged));
    let canvas = [b"RIFF\x16\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0".as_slice(), &[0xFF; 6]].concat();
    assert_eq!(info_of(&canvas), large(1 << 24, 1 << 24));
    assert!(started.elapsed() < Duration::from_millis(500), "{:?}", started.elapsed());

    let text = PhotoRefusal::TooLarge { width: 65_000, height: 65_000 }.to_string();
    assert!(
        text.contains("65000 × 65000") && text.contains("422500 万") && text.contains("6000 万"),
        "{text}"
    );
}

#[test]
fn small_files_with_large_promises_are_damaged() {
    for bytes in [jpeg_header(4000, 3000), png_header(4000, 3000)] {
        let info = info_of(&bytes).unwrap();
        assert_eq!(derive(&bytes, &info, COATED, None), Err(PhotoRefusal::Damaged));
    }
    // A profile that unpacks to far more than the whole picture is left aside.
    let profile = Some(vec![0; 40_000_000]);
    let bytes = file(PhotoFormat::Png, &flat([200, 100, 50]), Metadata { exif: None, profile });
    assert!(bytes.len() < 200_000);
    assert!(both(&bytes).map_or_else(|error| error == PhotoRefusal::Damaged, |_| true));
}

#[test]
fn photos_that_break_off_are_refused() {
    let noise =
        RgbImage::from_fn(300, 200, |x, y| Rgb([((x * 7) ^ (y * 13)) as u8, (x * y) as u8, (x + y) as u8]));
    let picture = DynamicImage::from(noise);
    let lossy = webpx::Encoder::new_rgb(picture.as_bytes(), 300, 200).encode(webpx::Unstoppable).unwrap();
    let mut whole: Vec<Vec<u8>> =
        FORMATS.iter().map(|format| file(*format, &picture, Metadata::default())).collect();
    whole.push(lossy);
    for bytes in whole {
        let (info, _) = both(&bytes).unwrap();
        for part in [10, 50, 90, 99] {
            let broken = &bytes[..bytes.len() * part / 100];
            let refusal = derive(broken, &info, COATED, None).err();
            assert_eq!(refusal, Some(PhotoRefusal::Damaged), "{:?} at {part} %", info.format);
        }
        if info.format == PhotoFormat::Jpeg {
            let closed = [&bytes[..bytes.len() / 2], &[0xFF, 0xD9]].concat();
            let refusal = both(&closed).err();
            assert_eq!(refusal, Some(PhotoRefusal::Damaged), "half a photo with an end marker");
        }
    }
    if let Some(folder) = sample_photos() {
        let bytes = std::fs::read(folder.join("Landscape_6.jpg")).unwrap();
        assert_eq!(both(&bytes[..bytes.len() * 9 / 10]).err(), Some(PhotoRefusal::Damaged));
    }
}

#[test]
fn altered_files_never_do_harm() {
    let picture = DynamicImage::from(quarters(48, 32));
    let mut state = 1_u32;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for format in FORMATS {
        let metadata =
            Metadata { exif: Some(exif(true, 6, &[(0x9003, "2024:05:01 12:30:59")])), profile: None };
        let bytes = file(format, &picture, metadata);
        for length in 0..bytes.len() {
            let _ = info_of(&bytes[..length]);
        }
        for _ in 0..300 {
            let mut altered = bytes.clone();
            for _ in 0..=random(4) {
                let at = random(altered.len());
                altered[at] = random(256) as u8;
            }
            // Sizes that grew are allowed to, within the limits; here they would only take time.
            if info_of(&altered).is_ok_and(|info| info.width.max(info.height) < 2000) {
                let _ = both(&altered);
            }
        }
    }
}

#[test]
fn a_jpeg_may_lack_its_end_marker() {
    let picture = DynamicImage::from(quarters(400, 300));
    let whole = file(PhotoFormat::Jpeg, &picture, Metadata::default());
    let open = &whole[..whole.len() - 2];
    let info = info_of(open).unwrap();
    photo::check_whole(open, &info).unwrap();
    assert_eq!(derive(open, &info, COATED, None).unwrap(), derive(&whole, &info, COATED, None).unwrap());
    // a broken-off one, and one of several scans, of which nobody could say that all are there
    let broken = &whole[..whole.len() * 9 / 10];
    assert_eq!(photo::check_whole(broken, &info), Err(PhotoRefusal::Damaged));
    let mut scans = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut scans, 90);
    encoder.set_progressive(true);
    encoder.encode(picture.as_bytes(), 400, 300, jpeg_encoder::ColorType::Rgb).unwrap();
    photo::check_whole(&scans, &info).unwrap();
    assert_eq!(photo::check_whole(&scans[..scans.len() - 2], &info), Err(PhotoRefusal::Damaged));
}

#[test]
fn an_orientation_may_be_written_longer_than_it_is() {
    let mut tags = exif(true, 6, &[]);
    let at = tags.windows(4).position(|entry| entry == [0x12, 0x01, 3, 0]).unwrap();
    tags[at + 2] = 4;
    let bytes =
        file(PhotoFormat::Jpeg, &quarters(40, 30).into(), Metadata { exif: Some(tags), profile: None });
    assert_eq!(info_of(&bytes).unwrap().orientation, 6);
}

#[test]
fn another_photos_description_is_refused() {
    let bytes = file(PhotoFormat::Jpeg, &quarters(40, 30).into(), Metadata::default());
    let info = info_of(&bytes).unwrap();
    for wrong in [
        PhotoInfo { width: 41, ..info },
        PhotoInfo { orientation: 6, ..info },
        PhotoInfo { format: PhotoFormat::Png, ..info },
        PhotoInfo { width: 0, ..info },
    ] {
        assert_eq!(derive(&bytes, &wrong, COATED, None), Err(PhotoRefusal::Damaged), "{wrong:?}");
    }
    let huge = PhotoInfo { width: 65_000, height: 65_000, ..info };
    assert!(matches!(derive(&bytes, &huge, COATED, None), Err(PhotoRefusal::TooLarge { .. })));
}

/// sRGB's curve, which Display P3 shares.
fn linear(value: f64) -> f64 {
    if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

fn curved(value: f64) -> f64 {
    if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 }
}

#[test]
fn colours_of_a_wider_space_become_srgb() {
    const P3_TO_SRGB: [[f64; 3]; 3] =
        [[1.224_94, -0.224_94, 0.0], [-0.042_06, 1.042_06, 0.0], [-0.019_64, -0.078_64, 1.098_27]];
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    for colour in [[200, 100, 50], [60, 160, 90], [128, 128, 128]] {
        let light = colour.map(|channel| linear(f64::from(channel) / 255.0));
        let expected = P3_TO_SRGB.map(|row| {
            let sum: f64 = row.iter().zip(light).map(|(factor, light)| factor * light).sum();
            (curved(sum.clamp(0.0, 1.0)) * 255.0).round() as u8
        });
        for format in FORMATS {
            let metadata = Metadata { exif: None, profile: Some(profile.clone()) };
            assert_near(colour_of(&file(format, &flat(colour), metadata)), expected, 4);
            assert_near(colour_of(&file(format, &flat(colour), Metadata::default())), colour, 4);
        }
    }
    // Adobe RGB holds more green than sRGB does.
    let profile = Some(moxcms::ColorProfile::new_adobe_rgb().encode().unwrap());
    let bytes = file(PhotoFormat::Jpeg, &flat([120, 200, 120]), Metadata { exif: None, profile });
    let [red, green, blue] = colour_of(&bytes);
    assert!(red < 90 && green >= 198 && blue < 125, "{red} {green} {blue}");
    // A damaged profile is none.
    let bytes =
        file(PhotoFormat::Jpeg, &flat([90, 80, 70]), Metadata { exif: None, profile: Some(vec![7; 300]) });
    assert_near(colour_of(&bytes), [90, 80, 70], 4);
}

#[test]
fn grey_photos_stay_grey() {
    let picture = DynamicImage::from(GrayImage::from_pixel(64, 64, Luma([128])));
    for format in [PhotoFormat::Jpeg, PhotoFormat::Png] {
        assert_near(colour_of(&file(format, &picture, Metadata::default())), [128; 3], 3);
        let profile = Some(moxcms::ColorProfile::new_gray_with_gamma(1.0).encode().unwrap());
        let [red, green, blue] = colour_of(&file(format, &picture, Metadata { exif: None, profile }));
        // Half the light is 188 in sRGB.
        assert_near([red, green, blue], [188; 3], 4);
    }
}

/// Every way in which photos code colours that is taken, each beside what another program reads; it takes all CMYK for Adobe's,
/// so others' is left out. A picture without edges, so that halved colour differences come to the same.
#[test]
fn colours_are_what_other_programs_read() {
    const SIDE: u16 = 64;
    let at = |x: u32, y: u32| [(3 * x + 20) as u8, (3 * y + 30) as u8, (220 - 2 * x - y / 2) as u8];
    let picture = RgbImage::from_fn(SIDE.into(), SIDE.into(), |x, y| Rgb(at(x, y)));
    let inks: Vec<u8> = picture.pixels().flat_map(|Rgb([r, g, b])| [*r, *g, *b, r / 4]).collect();
    let grey: Vec<u8> = picture.pixels().map(|Rgb([r, ..])| *r).collect();
    let jpeg = |kind, data: &[u8], factor, is_progressive| {
        let mut bytes = Vec::new();
        let mut encoder = jpeg_encoder::Encoder::new(&mut bytes, 95);
        encoder.set_sampling_factor(factor);
        encoder.set_progressive(is_progressive);
        encoder.encode(data, SIDE, SIDE, kind).unwrap();
        bytes
    };
    let png = |colour, depth, data: &[u8], palette: &[u8], clear: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, SIDE.into(), SIDE.into());
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        if !clear.is_empty() {
            encoder.set_trns(clear.to_vec());
        }
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    };
    use jpeg_encoder::{ColorType as Jpeg, SamplingFactor as Factor};
    use png::{BitDepth as Depth, ColorType as Png};
    let rgb = picture.as_raw().as_slice();
    let ycck = jpeg(Jpeg::CmykAsYcck, &inks, Factor::F_1_1, false);
    let cmyk = jpeg(Jpeg::Cmyk, &inks, Factor::F_1_1, false);
    let profiled = |bytes: &[u8], profile: &[u8]| {
        let parts = profile.chunks(60_000).enumerate();
        let count = profile.len().div_ceil(60_000) as u8;
        let segments = parts.flat_map(|(number, part)| {
            let head = [b"ICC_PROFILE\0".as_slice(), &[number as u8 + 1, count]].concat();
            files::segment(0xE2, &[&head, part].concat())
        });
        let mut bytes = bytes.to_vec();
        bytes.splice(2..2, segments);
        bytes
    };
    let palette: Vec<u8> = (0..=255).flat_map(|index: u8| [index, 255 - index, index / 2]).collect();
    let clear: Vec<u8> = (0..=255).collect();
    let deep = |data: &[u8]| -> Vec<u8> { data.iter().flat_map(|byte| [*byte, 255 - *byte]).collect() };
    let opaque = |data: &[u8], channels: usize| -> Vec<u8> {
        data.chunks(channels).enumerate().flat_map(|(at, pixel)| [pixel, &[at as u8]].concat()).collect()
    };
    let narrow = |bits: usize| vec![0b1110_0100; usize::from(SIDE) * usize::from(SIDE) * bits / 8];
    let webp = |picture: DynamicImage| file(PhotoFormat::WebP, &picture, Metadata::default());
    let translucent: RgbaImage = RgbaImage::from_fn(SIDE.into(), SIDE.into(), |x, y| {
        let [red, green, blue] = at(x, y);
        Rgba([red, green, blue, (4 * y) as u8])
    });
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("JPEG, grey", jpeg(Jpeg::Luma, &grey, Factor::F_1_1, false)),
        ("JPEG, YCbCr 4:4:4", jpeg(Jpeg::Rgb, rgb, Factor::F_1_1, false)),
        ("JPEG, YCbCr 4:2:2", jpeg(Jpeg::Rgb, rgb, Factor::F_2_1, false)),
        ("JPEG, YCbCr 4:2:0", jpeg(Jpeg::Rgb, rgb, Factor::F_2_2, false)),
        ("JPEG, YCbCr, progressive", jpeg(Jpeg::Rgb, rgb, Factor::F_2_2, true)),
        ("JPEG, RGB by Adobe's marker", flat_jpeg(&[200, 40, 90], Some(0))),
        ("JPEG, YCbCr by Adobe's marker", flat_jpeg(&[76, 85, 255], Some(1))),
        ("JPEG, YCbCr without a marker", flat_jpeg(&[76, 85, 255], None)),
        ("JPEG, RGB by its components' names", named_rgb(flat_jpeg(&[200, 40, 90], None))),
        ("JPEG, CMYK by Adobe", cmyk.clone()),
        ("JPEG, CMYK by Adobe, with a profile", profiled(&cmyk, COATED)),
        ("JPEG, YCCK", ycck.clone()),
        ("JPEG, YCCK with a profile", profiled(&ycck, COATED)),
        ("JPEG, YCCK, progressive", jpeg(Jpeg::CmykAsYcck, &inks, Factor::F_1_1, true)),
        ("JPEG, YCCK by hand", flat_jpeg(&[179, 171, 0, 255], Some(2))),
        ("PNG, grey", png(Png::Grayscale, Depth::Eight, &grey, &[], &[])),
        ("PNG, grey, 16 bits", png(Png::Grayscale, Depth::Sixteen, &deep(&grey), &[], &[])),
        ("PNG, grey, 1 bit", png(Png::Grayscale, Depth::One, &narrow(1), &[], &[])),
        ("PNG, grey, 2 bits", png(Png::Grayscale, Depth::Two, &narrow(2), &[], &[])),
        ("PNG, grey, 4 bits", png(Png::Grayscale, Depth::Four, &narrow(4), &[], &[])),
        ("PNG, grey with opacity", png(Png::GrayscaleAlpha, Depth::Eight, &opaque(&grey, 1), &[], &[])),
        ("PNG, grey of which one is clear", png(Png::Grayscale, Depth::Eight, &grey, &[], &[0, 80])),
        ("PNG, RGB", png(Png::Rgb, Depth::Eight, rgb, &[], &[])),
        ("PNG, RGB, 16 bits", png(Png::Rgb, Depth::Sixteen, &deep(rgb), &[], &[])),
        ("PNG, RGB of which one is clear", png(Png::Rgb, Depth::Eight, rgb, &[], &[0, 20, 0, 30, 0, 220])),
        ("PNG, RGBA", png(Png::Rgba, Depth::Eight, translucent.as_raw(), &[], &[])),
        ("PNG, RGBA, 16 bits", png(Png::Rgba, Depth::Sixteen, &deep(translucent.as_raw()), &[], &[])),
        ("PNG, palette", png(Png::Indexed, Depth::Eight, &grey, &palette, &[])),
        ("PNG, palette, 4 bits", png(Png::Indexed, Depth::Four, &narrow(4), &palette[..48], &[])),
        ("PNG, palette, 1 bit", png(Png::Indexed, Depth::One, &narrow(1), &palette[..6], &[])),
        ("PNG, palette with opacity", png(Png::Indexed, Depth::Eight, &grey, &palette, &clear)),
        ("WebP, RGB", webp(picture.clone().into())),
        ("WebP, RGBA", webp(translucent.clone().into())),
    ];
    let names: BTreeSet<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names, promised(&["JPEG", "PNG", "WebP"]));
    for ((name, bytes), read) in files.iter().zip(foreign::pillow(&files)) {
        let info = info_of(bytes).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        let ours = photo::decode(bytes, &info, 1).unwrap_or_else(|refused| panic!("{name}: {refused}"));
        let channels = ours.data.len() / (ours.width * ours.height) as usize;
        // grey is grey in three channels, too
        let ours: Vec<u8> = match read.len() / (ours.width * ours.height) as usize {
            3 if channels == 1 => ours.data.iter().flat_map(|grey| [*grey; 3]).collect(),
            _ => ours.data,
        };
        assert_eq!(ours.len(), read.len(), "{name}");
        let apart = ours.iter().zip(&read).map(|(ours, read)| u32::from(ours.abs_diff(*read)));
        let (most, sum) = (apart.clone().max().unwrap_or(0), apart.sum::<u32>());
        assert!(
            most <= 6 && sum <= ours.len() as u32,
            "{name}: {most}, {:.2}",
            f64::from(sum) / ours.len() as f64
        );
    }
}

/// What `docs/taken.md` says of these kinds, as `kind, colours and coding`.
fn promised(kinds: &[&str]) -> BTreeSet<String> {
    let table = std::fs::read_to_string(Path::new(env!("BINDERY_CHECKOUT")).join("docs/taken.md")).unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    rows.filter(|(kind, _)| kinds.contains(kind))
        .map(|(kind, rest)| format!("{kind}, {}", rest.split(" | ").next().unwrap()))
        .collect()
}

#[test]
fn photos_of_two_hundred_megapixels_are_seen_at_half_their_size() {
    let at = |x: u32, y: u32| [(x * 255 / 8_100) as u8, (y * 255 / 7_600) as u8, 120];
    let row = |y: u32| (0..8_100).flat_map(move |x| at(x, y)).collect::<Vec<u8>>();
    let pixels_of: Vec<u8> = (0..7_600).flat_map(row).collect();
    let mut bytes = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut bytes, 90);
    encoder.encode(&pixels_of, 8_100, 7_600, jpeg_encoder::ColorType::Rgb).unwrap();
    let (info, derivatives) = both(&bytes).unwrap();
    assert_eq!((info.width, info.height), (8_100, 7_600));
    photo::check_whole(&bytes, &info).unwrap();
    let seen = pixels(&derivatives.sizes[2]);
    assert_eq!(seen.dimensions(), (2_048, 1_922));
    for (x, y) in [(10, 10), (2_000, 100), (1_024, 961), (30, 1_900), (2_040, 1_910)] {
        assert_near(seen.get_pixel(x, y).0, at(x * 8_100 / 2_048, y * 7_600 / 1_922), 4);
    }
    // print has half of its sides, too, however large it is asked for
    let printed = photo::decode(&bytes, &info, 1).unwrap();
    assert_eq!((printed.width, printed.height), (4_050, 3_800));
    assert_eq!(photo::check_whole(&bytes[..bytes.len() - 2], &info), Err(PhotoRefusal::Damaged));
    let cut = [&bytes[..bytes.len() / 2], &[0xFF, 0xD9]].concat();
    assert_eq!(both(&cut).err(), Some(PhotoRefusal::Damaged), "half a photo with an end marker");
}

/// The same JPEG whose three components are called R, G and B.
fn named_rgb(mut bytes: Vec<u8>) -> Vec<u8> {
    let of = |bytes: &[u8], marker: u8| bytes.windows(2).position(|two| two == [0xFF, marker]).unwrap();
    let (frame, scan) = (of(&bytes, 0xC0) + 10, of(&bytes, 0xDA) + 5);
    for (number, name) in b"RGB".iter().enumerate() {
        bytes[frame + 3 * number] = *name;
        bytes[scan + 2 * number] = *name;
    }
    bytes
}

#[test]
fn inks_become_colours() {
    let red = [255, 0, 0];
    // Adobe's files hold inverted inks, as CMYK or as YCCK; files of others hold them as they are.
    // Without a profile they are the press's own, which has no red as bright as a screen's.
    let printed = colour_of(&flat_jpeg(&[255, 0, 0, 255], Some(0)));
    assert_near(printed, [228, 28, 38], 16);
    assert_near(colour_of(&flat_jpeg(&[179, 171, 0, 255], Some(2))), printed, 8);
    assert_near(colour_of(&flat_jpeg(&[0, 255, 255, 0], None)), printed, 8);
    assert_near(colour_of(&flat_jpeg(&[255, 255, 255, 128], Some(0))), [150; 3], 24);
    // Three components: RGB without conversion, and YCbCr.
    assert_near(colour_of(&flat_jpeg(&[200, 40, 90], Some(0))), [200, 40, 90], 6);
    assert_near(colour_of(&flat_jpeg(&[76, 85, 255], Some(1))), red, 8);
    assert_near(colour_of(&flat_jpeg(&[76, 85, 255], None)), red, 8);
}

#[test]
fn inks_are_seen_as_the_shops_own_press_prints_them() {
    let photo = flat_jpeg(&[255, 0, 0, 255], Some(0));
    let info = info_of(&photo).unwrap();
    let seen = |inks: &[u8]| {
        let derivatives = derive(&photo, &info, inks, None).unwrap();
        pixels(&derivatives.sizes[0]).get_pixel(2, 2).0
    };
    let usual = seen(COATED);
    // a press that is nobody's: its profile says of every mixture that it looks darker
    let mut icc = COATED.to_vec();
    let number = |icc: &[u8], at: usize| u32::from_be_bytes(icc[at..at + 4].try_into().unwrap()) as usize;
    for tag in 0..number(&icc, 128) {
        let entry = 132 + 12 * tag;
        if icc[entry..].starts_with(b"A2B") {
            let (offset, size) = (number(&icc, entry + 4), number(&icc, entry + 8));
            icc[offset + size / 4..offset + size].iter_mut().for_each(|byte| *byte /= 2);
        }
    }
    let own = seen(&icc);
    assert!(own.iter().zip(usual).any(|(own, usual)| own.abs_diff(usual) > 30), "{own:?} and {usual:?}");
}

#[test]
fn transparent_pixels_lie_on_white() {
    let half = RgbaImage::from_pixel(64, 64, Rgba([200, 0, 0, 128]));
    for format in [PhotoFormat::Png, PhotoFormat::WebP] {
        let bytes = file(format, &half.clone().into(), Metadata::default());
        assert_near(colour_of(&bytes), [227, 127, 127], 4);
        let clear = RgbaImage::from_pixel(64, 64, Rgba([0, 0, 0, 0]));
        assert_near(colour_of(&file(format, &clear.into(), Metadata::default())), [255; 3], 2);
    }
    let deep = DynamicImage::from(half).into_rgba16();
    assert_near(colour_of(&file(PhotoFormat::Png, &deep.into(), Metadata::default())), [227, 127, 127], 4);
    let deep = flat([10, 120, 240]).into_rgb16();
    assert_near(colour_of(&file(PhotoFormat::Png, &deep.into(), Metadata::default())), [10, 120, 240], 4);
}

/// A PNG in the seven passes of Adam7 (PNG specification, section 8.2), 8-bit RGB.
fn interlaced(image: &RgbImage) -> Vec<u8> {
    let (width, height) = image.dimensions();
    let passes =
        [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)];
    let mut rows = Vec::new();
    for (left, top, across, down) in passes {
        for y in (top..height).step_by(down) {
            rows.push(0);
            rows.extend((left..width).step_by(across).flat_map(|x| image.get_pixel(x, y).0));
        }
    }
    let mut pixels = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    pixels.write_all(&rows).unwrap();
    let pixels = pixels.finish().unwrap();
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 1]].concat();
    let chunks = [chunk(b"IHDR", &header), chunk(b"IDAT", &pixels), chunk(b"IEND", &[])];
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunks.concat()].concat()
}

#[test]
fn large_pngs_look_like_their_pixels_in_whatever_order_they_come() {
    // over twice the largest derivative, so that squares of pixels become one; not a multiple of two
    let image = RgbImage::from_fn(4301, 1203, |x, y| {
        Rgb([(x * 255 / 4300) as u8, (y * 255 / 1202) as u8, if (x / 430) % 2 == 0 { 40 } else { 200 }])
    });
    let plain = file(PhotoFormat::Png, &DynamicImage::ImageRgb8(image.clone()), Metadata::default());
    for bytes in [plain, interlaced(&image)] {
        let (info, derivatives) = both(&bytes).unwrap();
        assert_eq!((info.width, info.height), (4301, 1203));
        let large = pixels(derivatives.get(2048).unwrap());
        assert_eq!(large.dimensions(), (2048, 573));
        for (x, y) in [(100, 20), (700, 300), (1300, 450), (1940, 560)] {
            let expected = image.get_pixel(x * 4301 / 2048, y * 1203 / 573).0;
            assert_near(large.get_pixel(x, y).0, expected, 8);
        }
    }
}
