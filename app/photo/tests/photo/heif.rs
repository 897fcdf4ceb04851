//! HEIC and AVIF: files of Debian's encoders, compared with what its decoders read.

use std::path::{Path, PathBuf};
use std::process::Command;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use photo::{Channels, PhotoFormat, PhotoRefusal};

use super::files::{Metadata, exif, file};
use super::{both, derive, info_of, pixels};

/// Runs a program of Debian's packages libheif-examples and libavif-bin.
fn run(program: &str, words: &[&str]) {
    let done =
        Command::new(program).args(words).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(done.status.success(), "{program} {words:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// What an encoder makes of a picture: `program` gets its words, the picture's path and that of the result.
struct Workshop(tempfile::TempDir);

impl Workshop {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn place(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn encode(&self, coding: &str, source: &[u8], ending: &str, words: &[&str]) -> Vec<u8> {
        let (from, to) = (self.place(&format!("source.{ending}")), self.place(&format!("made.{coding}")));
        std::fs::write(&from, source).unwrap();
        // libavif reads JPEG and PNG, and has what libheif has no words for
        if words.iter().any(|word| word.starts_with("--") && !word.contains('_')) {
            run("avifenc", &[words, &["-s", "9", text(&from), text(&to)]].concat());
        } else {
            let quick = if coding == "avif" { "speed=9" } else { "preset=ultrafast" };
            run("heif-enc", &[words, &["-p", quick, text(&from), "-o", text(&to)]].concat());
        }
        std::fs::read(to).unwrap()
    }

    /// The pixels as libheif decodes them, on white paper.
    fn foreign(&self, file: &[u8]) -> RgbImage {
        let (from, to) = (self.place("read.heif"), self.place("read.png"));
        std::fs::write(&from, file).unwrap();
        run("heif-convert", &[text(&from), text(&to)]);
        let mut read = image::open(to).unwrap().into_rgba8();
        for pixel in read.pixels_mut() {
            let opacity = u32::from(pixel[3]);
            for channel in 0..3 {
                let mixed = (u32::from(pixel[channel]) * opacity + 255 * (255 - opacity) + 127) / 255;
                pixel[channel] = u8::try_from(mixed).unwrap();
            }
        }
        DynamicImage::from(read).into_rgb8()
    }
}

fn decoded(name: &str, file: &[u8]) -> RgbImage {
    let info = info_of(file).unwrap_or_else(|refused| panic!("{name}: {refused}"));
    photo::check_whole(file, &info).unwrap_or_else(|refused| panic!("{name}: {refused}"));
    let read = photo::decode(file, &info, 1).unwrap_or_else(|refused| panic!("{name}: {refused}"));
    assert_eq!((read.width, read.height, info.orientation), (info.width, info.height, 1), "{name}");
    let data = match read.channels {
        Channels::Grey => read.data.iter().flat_map(|grey| [*grey; 3]).collect(),
        _ => read.data,
    };
    RgbImage::from_raw(read.width, read.height, data).unwrap()
}

/// CIE 1976 L*a*b* of an sRGB colour (IEC 61966-2-1), under D65.
fn lab(colour: &Rgb<u8>) -> [f64; 3] {
    let linear = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = colour.0.map(linear);
    let curve = |value: f64| {
        if value > 216.0 / 24389.0 { value.cbrt() } else { (24389.0 / 27.0 * value + 16.0) / 116.0 }
    };
    let x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
    let y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    let z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

/// The mean distance of two pictures' colours, CIE 1976.
fn apart(one: &RgbImage, other: &RgbImage) -> f64 {
    assert_eq!(one.dimensions(), other.dimensions());
    let distance = |(one, other): (&Rgb<u8>, &Rgb<u8>)| {
        let (one, other) = (lab(one), lab(other));
        one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
    };
    let pairs = one.pixels().zip(other.pixels());
    let count = pairs.len() as f64;
    pairs.map(distance).sum::<f64>() / count
}

/// Colours that run into each other, with waves of brightness in them.
fn scene(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let (across, down) = (f64::from(x) / f64::from(width), f64::from(y) / f64::from(height));
        let wave = (f64::from(x) / 9.0).sin() * (f64::from(y) / 7.0).cos() * 40.0;
        [80.0 + 90.0 * across, 60.0 + 120.0 * down, 180.0 - 80.0 * across]
            .map(|colour| (colour + wave) as u8)
            .into()
    })
}

fn png(picture: impl Into<DynamicImage>) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn names(files: &[(String, Vec<u8>)]) -> std::collections::BTreeSet<String> {
    files.iter().map(|(name, _)| name.clone()).collect()
}

#[test]
fn pictures_of_phones_are_what_another_program_reads() {
    let workshop = Workshop::new();
    let whole = png(scene(160, 120));
    let large = png(scene(320, 240));
    let odd = png(scene(151, 103));
    let grey = png(DynamicImage::from(scene(160, 120)).into_luma8());
    let deep = png(DynamicImage::from(scene(160, 120)).into_rgb16());
    let seen = scene(160, 120);
    let clear = png(RgbaImage::from_fn(160, 120, |x, y| {
        let [red, green, blue] = seen.get_pixel(x, y).0;
        Rgba([red, green, blue, (x * 255 / 159) as u8])
    }));
    let any: [(&str, &[u8], &[&str]); 10] = [
        ("4:2:0", &whole, &["-q", "90"]),
        ("4:2:2", &whole, &["-q", "90", "-p", "chroma=422"]),
        ("4:4:4", &whole, &["-q", "90", "-p", "chroma=444"]),
        ("without loss", &whole, &["-L", "-p", "chroma=444"]),
        ("RGB without loss", &whole, &["-L", "-p", "chroma=444", "--matrix_coefficients=0"]),
        ("coarse", &whole, &["-q", "30"]),
        ("odd sides", &odd, &["-q", "90"]),
        ("BT.709", &whole, &["-q", "90", "--matrix_coefficients=1"]),
        ("a film's range", &whole, &["-q", "90", "--full_range_flag=0"]),
        ("grey", &grey, &["-q", "90"]),
    ];
    let of_avif: [(&str, &[u8], &[&str]); 8] = [
        ("10 bits", &deep, &["--depth", "10"]),
        ("12 bits", &deep, &["--depth", "12"]),
        ("tiles", &large, &["--grid", "2x2", "--yuv", "444"]),
        ("turned", &whole, &["--irot", "1"]),
        ("mirrored", &whole, &["--imir", "1"]),
        ("cut and turned", &whole, &["--crop", "20,40,100,60", "--irot", "3"]),
        ("grey by its coding", &grey, &["--yuv", "400"]),
        ("with opacity", &clear, &["--yuv", "444"]),
    ];
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (name, source, words) in any {
        for (kind, coding) in [("HEIC", "heic"), ("AVIF", "avif")] {
            files.push((format!("{kind}, {name}"), workshop.encode(coding, source, "png", words)));
        }
    }
    files
        .push(("HEIC, 10 bits".to_owned(), workshop.encode("heic", &deep, "png", &["-q", "90", "-b", "10"])));
    files.push(("HEIC, with opacity".to_owned(), workshop.encode("heic", &clear, "png", &["-q", "90"])));
    for (name, source, words) in of_avif {
        files.push((format!("AVIF, {name}"), workshop.encode("avif", source, "png", words)));
    }
    // as cameras write them, of tiles
    let tiled =
        heifer::encode_rgb8(1100, 700, scene(1100, 700).as_raw(), &heifer::EncodeOptions::default()).unwrap();
    files.push(("HEIC, tiles".to_owned(), tiled));
    assert_eq!(names(&files), super::promised(&["HEIC", "AVIF"]));
    for (name, file) in &files {
        let far = apart(&decoded(name, file), &workshop.foreign(file));
        assert!(far <= 1.0, "{name}: {far:.2}");
    }
}

#[test]
fn pictures_of_phones_stand_as_they_say_themselves() {
    let workshop = Workshop::new();
    let texts = [(0x9003, "2026:05:01 20:30:00"), (0x9011, "+02:00")];
    let metadata = || Metadata { exif: Some(exif(true, 6, &texts)), profile: None };
    let jpeg = file(PhotoFormat::Jpeg, &scene(160, 120).into(), metadata());
    for coding in ["heic", "avif"] {
        // what EXIF says of turning has been done, or is the file's own affair
        let made = workshop.encode(coding, &jpeg, "jpg", &["-q", "95"]);
        let (info, derivatives) = both(&made).unwrap();
        assert_eq!((info.width, info.height, info.orientation), (160, 120, 1), "{coding}");
        // 20:30, as China's clocks would show it
        assert_eq!((info.taken_at, info.taken_offset), (Some(1_777_638_600_000), Some(120)));
        assert!(apart(&pixels(&derivatives.sizes[0]), &scene(160, 120)) < 3.0, "{coding}");
        // its own turning is done as another program does it
        for (kind, values) in [(b"irot", 0..4), (b"imir", 0..2)] {
            for value in values {
                let mut turned = made.clone();
                let place = turned.windows(4).position(|four| four == b"pixi").unwrap();
                turned[place..place + 4].copy_from_slice(kind);
                turned[place + 4] = value;
                let name = format!("{coding}, {} {value}", String::from_utf8_lossy(kind));
                let far = apart(&decoded(&name, &turned), &workshop.foreign(&turned));
                assert!(far <= 1.0, "{name}: {far:.2}");
            }
        }
    }
}

/// What a HEIC or an AVIF says of its colours (ISO/IEC 23008-12, `nclx`), changed by hand.
fn in_colours(mut file: Vec<u8>, primaries: u8, transfer: u8) -> Vec<u8> {
    let places: Vec<usize> =
        file.windows(4).enumerate().filter(|(_, four)| four == b"nclx").map(|(place, _)| place).collect();
    assert!(!places.is_empty());
    for place in places {
        file[place + 4..place + 8].copy_from_slice(&[0, primaries, 0, transfer]);
    }
    file
}

/// A picture as HEIC and as AVIF, with what it says of its colours.
fn with_colours(picture: &RgbImage) -> [(&'static str, Vec<u8>); 2] {
    let (width, height) = picture.dimensions();
    let options = heifer::EncodeOptions { quality: 100, ..heifer::EncodeOptions::default() };
    let heic = heifer::encode_rgb8(width, height, picture.as_raw(), &options).unwrap();
    let words = ["--cicp", "1/13/6", "--yuv", "444", "--min", "0", "--max", "0"];
    [("heic", heic), ("avif", Workshop::new().encode("avif", &png(picture.clone()), "png", &words))]
}

#[test]
fn colours_of_wide_screens_are_seen_as_they_are() {
    let colour = |file: &[u8]| pixels(&both(file).unwrap().1.sizes[0]).get_pixel(20, 20).0;
    let red = RgbImage::from_pixel(64, 64, Rgb([200, 40, 30]));
    for (_, file) in with_colours(&red) {
        super::assert_near(colour(&file), [200, 40, 30], 4);
        // the same numbers of Display P3 (SMPTE EG 432-1) are a redder red, at the edge of what sRGB has
        super::assert_near(colour(&in_colours(file.clone(), 12, 13)), [218, 0, 4], 4);
        // a camera's own curve is seen as every screen shows it
        super::assert_near(colour(&in_colours(file, 1, 1)), [200, 40, 30], 4);
    }
    // a profile is what phones write
    let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
    let source = file(PhotoFormat::Jpeg, &red.into(), Metadata { exif: None, profile: Some(profile) });
    for coding in ["heic", "avif"] {
        let made = Workshop::new().encode(coding, &source, "jpg", &["-q", "100"]);
        super::assert_near(colour(&made), [218, 0, 4], 8);
    }
}

#[test]
fn brightness_that_paper_has_not_is_refused() {
    for (coding, file) in with_colours(&scene(64, 64)) {
        for transfer in [16, 18] {
            let file = in_colours(file.clone(), 9, transfer);
            assert_eq!(info_of(&file), Err(PhotoRefusal::Hdr), "{coding} {transfer}");
        }
    }
    // as another program writes them, of ten bits
    for cicp in ["9/16/9", "9/18/9"] {
        let made = Workshop::new().encode("avif", &png(scene(64, 64)), "png", &["--cicp", cicp, "-d", "10"]);
        assert_eq!(info_of(&made), Err(PhotoRefusal::Hdr), "{cicp}");
        // where only the pixels' own stream says so, they are found out when they are decoded
        let hidden = in_colours(made, 9, 13);
        let info = info_of(&hidden).unwrap();
        assert_eq!(
            derive(&hidden, &info, photo::COATED, None).err(),
            Some(PhotoRefusal::Hdr),
            "{cicp}, unnamed"
        );
    }
    assert!(PhotoRefusal::Hdr.to_string().contains("导出为普通（SDR）照片"), "what to do is said");
}

#[test]
fn broken_pictures_of_phones_are_refused() {
    let workshop = Workshop::new();
    let source = png(scene(200, 160));
    for coding in ["heic", "avif"] {
        let made = workshop.encode(coding, &source, "png", &["-q", "80"]);
        let info = info_of(&made).unwrap();
        for part in 1..16 {
            let cut = &made[..made.len() * part / 16];
            let whole = info_of(cut).and_then(|info| photo::check_whole(cut, &info));
            assert_eq!(whole, Err(PhotoRefusal::Damaged), "{coding}: {part} of 16 parts");
        }
        // sides that its pixels have not
        let place = made.windows(4).position(|four| four == b"ispe").unwrap() + 8;
        let mut lying = made.clone();
        lying[place..place + 8].copy_from_slice(&[0, 0, 0x1B, 0x58, 0, 0, 0x1B, 0x58]);
        let claimed = info_of(&lying).unwrap();
        assert_eq!(derive(&lying, &claimed, photo::COATED, None), Err(PhotoRefusal::Damaged), "{coding}");
        lying[place + 1] = 1;
        assert!(matches!(info_of(&lying), Err(PhotoRefusal::TooLarge { .. })), "{coding}");
        // whatever else is altered does no harm
        for step in 0..200 {
            let mut altered = made.clone();
            let at = step * made.len() / 200;
            altered[at] ^= 0x55;
            if let Ok(info) = info_of(&altered) {
                drop(derive(&altered, &info, photo::COATED, None));
            }
            drop(derive(&altered, &info, photo::COATED, None));
        }
    }
}

#[test]
fn what_is_no_still_picture_is_refused() {
    let film = b"\0\0\0\x18ftypisom\0\0\0\0isommp42";
    assert_eq!(info_of(film), Err(PhotoRefusal::OtherKind("视频")));
    let burst = [b"\0\0\0\x18ftyphevc\0\0\0\0msf1hevc".as_slice(), b"\0\0\0\x08moov"].concat();
    assert_eq!(info_of(&burst), Err(PhotoRefusal::Animated));
    // coded by what nobody writes
    assert_eq!(info_of(b"\0\0\0\x18ftypmif1\0\0\0\0mif1jpeg"), Err(PhotoRefusal::UnusualCoding));
    // an AVIF of several pictures is its first
    let workshop = Workshop::new();
    let (one, two) = (workshop.place("1.png"), workshop.place("2.png"));
    std::fs::write(&one, png(scene(160, 120))).unwrap();
    std::fs::write(&two, png(RgbImage::new(160, 120))).unwrap();
    let made = workshop.place("sequence.avif");
    run("avifenc", &["-s", "9", text(&one), text(&two), text(&made)]);
    let read = decoded("sequence", &std::fs::read(made).unwrap());
    assert!(apart(&read, &scene(160, 120)) < 3.0);
}

/// A box of ISO base media: its length, its kind, its content.
fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes(), kind.as_slice(), content].concat()
}

#[test]
fn lists_that_swell_cost_nothing() {
    let started = std::time::Instant::now();
    let named = boxed(b"ftyp", b"heic\0\0\0\0mif1heic");
    // each of these items claims 65,535 places of no size
    let items: Vec<u8> =
        (0..20_000_u16).flat_map(|id| [id.to_be_bytes(), [0, 0], [0xFF, 0xFF]].concat()).collect();
    let places = boxed(b"iloc", &[&[0, 0, 0, 0, 0, 0, 0x4E, 0x20], items.as_slice()].concat());
    let meta = boxed(b"meta", &[&[0; 4], places.as_slice()].concat());
    let hostile = [named.clone(), meta.clone()].concat();
    assert_eq!(info_of(&hostile), Err(PhotoRefusal::Damaged));
    // a list larger than any photo needs
    let large = boxed(b"meta", &vec![0; 5 << 20]);
    assert_eq!(info_of(&[named.clone(), large].concat()), Err(PhotoRefusal::Damaged));
    // names again and again
    assert_eq!(info_of(&named.repeat(500)), Err(PhotoRefusal::Damaged));
    // a second one behind a sound one is not looked at
    let made = Workshop::new().encode("heic", &png(scene(64, 64)), "png", &["-q", "80"]);
    let info = info_of(&made).unwrap();
    photo::check_whole(&[made, meta].concat(), &info).unwrap();
    assert!(started.elapsed() < std::time::Duration::from_secs(10), "{:?}", started.elapsed());
}
