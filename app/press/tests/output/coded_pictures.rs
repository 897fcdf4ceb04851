//! Pictures of PDFs that are coded as few programs write them: JPEG 2000 (ISO/IEC 15444-1), and JBIG2 (ISO/IEC 14492) as
//! scanners do. Pillow wrote the former, and the G4 rows that the region of the latter is made of.

use crate::common::raw::Raw;
use crate::common::{MADE_AT, difference, document, rasterised, ready_page, rect};
use crate::faulty::{Fate, fate, taken, with};
use crate::rules::{Shelf, digest};
use domain::document::{Crop, PdfPage, Trim};
use press::{Part, Press, PrintStandard, breaches};

const SIZE: &str = "/Width 64/Height 64";
const LOSSLESS: &[u8] = include_bytes!("coded/rgb-lossless.jp2");
const LOSSY: &[u8] = include_bytes!("coded/rgb-lossy.jp2");
const GREY: &[u8] = include_bytes!("coded/grey.jp2");
const THROUGH: &[u8] = include_bytes!("coded/alpha.jp2");
/// Its samples alone, without the boxes that say what they are.
const SAMPLES: &[u8] = include_bytes!("coded/rgb.j2k");
const SCAN: &[u8] = include_bytes!("coded/disc.jb2");

fn picture(more: &str, data: &[u8]) -> Vec<u8> {
    with(|raw| {
        raw.picture(&format!("{SIZE}{more}"), data);
    })
}

fn bits(more: &str, data: &[u8]) -> Vec<u8> {
    picture(&format!("{more}/BitsPerComponent 1/Filter/JBIG2Decode"), data)
}

#[test]
fn jpeg_2000_and_jbig2_are_shown_and_printed() {
    // segments that several pictures have in common stand in a stream of their own (ISO 32000-1, 7.4.7)
    let (page, region) = SCAN.split_at(11 + 19);
    let mut apart = Raw::default();
    let named =
        "/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode/DecodeParms<</JBIG2Globals 6 0 R>>";
    apart.picture(&format!("{SIZE}{named}"), region);
    apart.stream(6, "", page);
    taken(&[
        ("JPEG 2000 without loss", picture("/Filter/JPXDecode", LOSSLESS)),
        ("JPEG 2000 with loss", picture("/Filter/JPXDecode", LOSSY)),
        ("JPEG 2000 that says its space", picture("/ColorSpace/DeviceRGB/Filter/JPXDecode", LOSSLESS)),
        ("grey JPEG 2000", picture("/Filter/JPXDecode", GREY)),
        ("a scan in JBIG2", bits("/ColorSpace/DeviceGray", SCAN)),
        ("JBIG2 as a mask", bits("/ImageMask true", SCAN)),
        ("inverted JBIG2", bits("/ColorSpace/DeviceGray/Decode[1 0]", SCAN)),
        ("JBIG2 with segments apart", apart.bytes()),
    ]);
    // poppler wants boxes around it
    let like = picture("/Filter/JPXDecode", LOSSLESS);
    let alone = picture("/ColorSpace/DeviceRGB/Filter/JPXDecode", SAMPLES);
    assert_eq!(fate("samples alone", &alone, Some(&like)), Fate::Taken);
    // poppler shows nothing through it: so does a press's software, perhaps
    let like = {
        let mut raw = Raw::default();
        raw.picture(&format!("{SIZE}/SMask 6 0 R/Filter/JPXDecode"), LOSSLESS);
        let mask = format!("/Type/XObject/Subtype/Image{SIZE}/ColorSpace/DeviceGray/BitsPerComponent 8");
        raw.stream(6, &mask, &[128; 64 * 64]);
        raw.bytes()
    };
    let through = picture("/SMaskInData 1/Filter/JPXDecode", THROUGH);
    assert_eq!(fate("seen through", &through, Some(&like)), Fate::Taken);
}

#[test]
fn pictures_that_break_off_end_nothing() {
    let plain = Raw::default().bytes();
    for (name, file) in [
        ("half a JPEG 2000", picture("/ColorSpace/DeviceRGB/Filter/JPXDecode", &LOSSLESS[..90])),
        ("no JPEG 2000", picture("/ColorSpace/DeviceRGB/Filter/JPXDecode", b"\xff\x4f\xff\x51")),
        ("half a scan", bits("/ColorSpace/DeviceGray", &SCAN[..40])),
        ("a scan of nothing", bits("/ImageMask true", &[0; 16])),
    ] {
        let fate = fate(name, &file, Some(&plain));
        assert_eq!(fate, Fate::Taken, "{name}");
    }
}

/// ISO 15930-4 knows neither (PDF 1.4, and of its codings not JBIG2).
#[test]
fn pdf_x_1a_has_other_pictures_that_look_the_same() {
    // what Pillow was given
    let ramp: Vec<u8> = (0..64 * 64).flat_map(|at| [(at / 16) as u8, 255 - (at / 16) as u8, 128]).collect();
    let samples = picture("/ColorSpace/DeviceRGB/BitsPerComponent 8", &ramp);
    let is_white = |x: i32, y: i32| (x - 32).pow(2) + (y - 32).pow(2) < 400 || (y / 4) % 4 == 0 && x < 12;
    let disc: Vec<u8> = (0..64 * 64).map(|at| if is_white(at % 64, at / 64) { 255 } else { 0 }).collect();
    for (name, file, like) in [
        ("JPEG 2000", picture("/Filter/JPXDecode", LOSSY), samples),
        (
            "JBIG2",
            bits("/ColorSpace/DeviceGray", SCAN),
            picture("/ColorSpace/DeviceGray/BitsPerComponent 8", &disc),
        ),
    ] {
        let [plain, like] = [file, like].map(|file| printed(name, &file));
        let has = |coding: &[u8]| plain.windows(coding.len()).any(|part| part == coding);
        assert!(!has(b"JPXDecode") && !has(b"JBIG2Decode"), "{name}");
        let off = difference(&rasterised(&like, 1, 210), &rasterised(&plain, 1, 210));
        assert!(off < 2.5, "{name}: {off:.2}");
    }
}

/// A book of the page in PDF/X-1a.
fn printed(name: &str, file: &[u8]) -> Vec<u8> {
    let frame = rect(0.0, 0.0, 148.0, 210.0);
    let page = PdfPage { common: Default::default(), file: digest(file), page: 1, frame, crop: Crop::WHOLE };
    let mut book = document("calm", vec![ready_page(page)]);
    book.trim = Trim { width: 148.0, height: 210.0 };
    let (mut pdf, shelf) = (Vec::new(), Shelf(file.to_vec()));
    let standard = PrintStandard::X1a;
    Press::following(standard).print(&book, Part::Inner, &shelf, MADE_AT, &mut pdf).unwrap();
    assert_eq!(breaches(&pdf, standard).unwrap(), [], "{name}");
    pdf
}
