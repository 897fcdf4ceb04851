//! The print file: what is in it, and that photos come out as they went in.

#[allow(dead_code, clippy::unwrap_used, reason = "the print tests need a part of it")]
#[path = "../../../photo/tests/photo/files.rs"]
mod files;

use crate::common::*;
use domain::document::{Crop, TextRole};
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use photo::PhotoFormat;
use press::{Part, Press, PressError};

fn a_book() -> (domain::document::Document, Library) {
    let pages = vec![
        page(vec![
            photo("sea", rect(-3.0, -3.0, 216.0, 150.0), Crop::fill(1.5, 216.0 / 150.0)),
            text(TextRole::Title, rect(20.0, 155.0, 170.0, 14.0), "海边的三天"),
            text(
                TextRole::Body,
                rect(20.0, 172.0, 170.0, 30.0),
                "风从海上来。\n\n我们在沙滩上走了很久，直到天黑。",
            ),
        ]),
        page(vec![photo(
            "sea",
            rect(20.0, 20.0, 80.0, 60.0),
            Crop { x: 0.1, y: 0.2, width: 0.5, height: 0.6 },
        )]),
        page(Vec::new()),
    ];
    (document("calm", pages), Library::default().jpeg("sea", &landscape(1200, 800), 1))
}

#[test]
fn originals_are_embedded_once_and_byte_for_byte() {
    let (book, library) = a_book();
    let (pdf, report) = print(&book, &library);
    assert_eq!((report.pages, report.photos, report.recoded), (3, 1, vec![]));
    let pdf = lopdf::Document::load_mem(&pdf).expect("a PDF");
    let images: Vec<_> = pdf
        .objects
        .values()
        .filter_map(|object| object.as_stream().ok())
        .filter(|stream| {
            stream.dict.get(b"Subtype").and_then(|name| name.as_name()).is_ok_and(|n| n == b"Image")
        })
        .collect();
    assert_eq!(images.len(), 1);
    assert!(images[0].content == library.bytes("sea"), "the bytes differ");
}

#[test]
fn other_programs_find_nothing_wrong() {
    let (book, library) = a_book();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, print(&book, &library).0).expect("the PDF is written");

    assert!(run("qpdf", &["--check"], &file).contains("No syntax or stream encoding errors"));
    let info = run("pdfinfo", &["-box"], &file);
    assert!(info.contains("PDF version:     1.6"), "{info}");
    assert!(info.contains("山水之间") && info.contains("林小满"), "{info}");
    let metadata = run("pdfinfo", &["-meta"], &file);
    assert!(metadata.contains("<pdfxid:GTS_PDFXVersion>PDF/X-4<"), "{metadata}");
    assert!(metadata.contains("2026-01-02T03:04:05Z"), "{metadata}");

    let fonts = run("pdffonts", &[], &file);
    let fonts: Vec<&str> = fonts.lines().skip(2).collect();
    assert!(!fonts.is_empty());
    for font in fonts {
        // "emb sub uni" are the fourth, third and second column before the two of the object.
        let columns: Vec<&str> = font.split_whitespace().rev().collect();
        assert_eq!((columns[4], columns[3]), ("yes", "yes"), "{font}");
    }
    let images = run("pdfimages", &["-list"], &file);
    assert!(images.lines().skip(2).all(|line| line.contains("jpeg")), "{images}");
}

#[test]
fn pages_have_trim_and_bleed() {
    let (book, library) = a_book();
    let pt = |mm: f64| mm / 25.4 * 72.0;
    for boxes in pdf_boxes(&print(&book, &library).0) {
        let all = [0.0, 0.0, pt(216.0), pt(216.0)];
        let trim = [pt(3.0), pt(3.0), pt(213.0), pt(213.0)];
        for (found, wanted) in
            [(boxes.media, all), (boxes.bleed.expect("PDF/X says it"), all), (boxes.trim, trim)]
        {
            assert!(
                found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 0.01),
                "{found:?} is not {wanted:?}"
            );
        }
    }
}

#[test]
fn the_file_names_its_colours_and_standard() {
    let (book, library) = a_book();
    let pdf = lopdf::Document::load_mem(&print(&book, &library).0).expect("a PDF");
    let catalog = pdf.catalog().expect("a catalog");
    let intents =
        catalog.get(b"OutputIntents").and_then(|intents| intents.as_array()).expect("output intents");
    let intent = intents[0].as_dict().expect("an output intent");
    assert_eq!(intent.get(b"S").and_then(|name| name.as_name()).expect("a subtype"), b"GTS_PDFX");
    let profile = intent.get(b"DestOutputProfile").and_then(|id| id.as_reference()).expect("a profile");
    let profile = &pdf.get_object(profile).and_then(|object| object.as_stream()).expect("a stream").content;
    assert!(moxcms::ColorProfile::new_from_slice(profile).is_ok());
    let info = pdf.trailer.get(b"Info").and_then(|id| id.as_reference()).expect("an Info dictionary");
    let info = pdf.get_dictionary(info).expect("a dictionary");
    assert_eq!(info.get(b"Trapped").and_then(|name| name.as_name()).expect("a name"), b"False");
    assert!(pdf.trailer.has(b"ID"));
}

#[test]
fn the_same_book_is_the_same_file() {
    let (book, library) = a_book();
    assert!(print(&book, &library).0 == print(&book, &library).0);
}

#[test]
fn photos_of_all_orientations_are_upright() {
    let mut library = Library::default();
    let mut pages = Vec::new();
    for orientation in 1..=8 {
        let name = format!("turned-{orientation}");
        library = library.jpeg(&name, &quadrants(320, 240), orientation);
        // The crop is not in the middle: a wrong matrix shows in the proportions, too.
        let crop = Crop { x: 0.25, y: 0.0, width: 0.75, height: 1.0 };
        pages.push(page(vec![photo(&name, rect(30.0, 30.0, 150.0, 150.0), crop)]));
    }
    let (pdf, _) = print(&document("calm", pages), &library);
    for orientation in 1..=8 {
        let picture = rasterised(&pdf, orientation, 420);
        // The frame is 60 to 360 pixels; the colours meet at a third of its width and half its height.
        for (x, y, colour) in [
            (75, 75, RED),
            (150, 200, RED),
            (175, 75, GREEN),
            (345, 200, GREEN),
            (75, 345, BLUE),
            (150, 220, BLUE),
            (175, 345, YELLOW),
            (345, 220, YELLOW),
        ] {
            let pixel = picture.get_pixel(x, y);
            assert!(near(pixel, colour), "orientation {orientation}: {pixel:?} at {x},{y}");
        }
        assert!(near(picture.get_pixel(40, 40), [0xfb, 0xfa, 0xf7]));
    }
}

#[test]
fn png_and_webp_become_upright_jpegs_on_white() {
    let mut transparent = RgbaImage::from_pixel(400, 200, Rgba([0, 0, 0, 0]));
    for x in 0..200 {
        for y in 0..200 {
            transparent.put_pixel(x, y, Rgba([40, 60, 190, 255]));
        }
    }
    let transparent = DynamicImage::ImageRgba8(transparent);
    let webp = DynamicImage::ImageRgb8(stored(&quadrants(300, 200), 6));
    let library = Library::default()
        .add("png", PhotoFormat::Png, 400, 200, 1, encoded(&transparent, ImageFormat::Png))
        .add("webp", PhotoFormat::WebP, 200, 300, 6, encoded(&webp, ImageFormat::WebP));
    let pages = vec![
        page(vec![photo("png", rect(5.0, 5.0, 200.0, 100.0), Crop::WHOLE)]),
        page(vec![photo("webp", rect(0.0, 0.0, 210.0, 140.0), Crop::WHOLE)]),
    ];
    let (pdf, report) = print(&document("calm", pages), &library);
    assert_eq!(report.recoded, vec![id("png"), id("webp")]);
    let first = rasterised(&pdf, 1, 210);
    assert!(near(first.get_pixel(50, 50), BLUE));
    assert!(near(first.get_pixel(150, 50), [255, 255, 255]));
    let second = rasterised(&pdf, 2, 210);
    for (x, y, colour) in [(20, 20, RED), (190, 20, GREEN), (20, 120, BLUE), (190, 120, YELLOW)] {
        assert!(near(second.get_pixel(x, y), colour));
    }
}

#[test]
fn photos_far_too_large_are_brought_to_print_size() {
    let library =
        Library::default().jpeg("huge", &quadrants(2000, 1500), 8).jpeg("other", &quadrants(2000, 1500), 1);
    // 40 mm are 1.57 inches: 1270 dpi.
    let small = rect(30.0, 30.0, 40.0, 30.0);
    let pages = vec![
        page(vec![photo("huge", small, Crop::WHOLE), photo("other", small, Crop::WHOLE)]),
        page(vec![photo("other", rect(0.0, 0.0, 200.0, 150.0), Crop::WHOLE)]),
    ];
    let (pdf, report) = print(&document("calm", pages), &library);
    // The other photo is used large once, and so stays what it was.
    assert_eq!(report.recoded, vec![id("huge")]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, &pdf).expect("the PDF is written");
    let images = run("pdfimages", &["-list", "-f", "1", "-l", "1"], &file);
    assert!(images.contains(" 375 ") || images.contains(" 376 ") || images.contains(" 374 "), "{images}");
    let picture = rasterised(&pdf, 1, 420);
    // "other" lies on top of "huge"; both are upright.
    assert!(near(picture.get_pixel(70, 70), RED) && near(picture.get_pixel(130, 110), YELLOW));
}

#[test]
fn missing_originals_are_named_before_anything_is_written() {
    let (mut book, library) = a_book();
    book.pages[2].elements.push(photo("lost", rect(10.0, 10.0, 50.0, 50.0), Crop::WHOLE));
    let mut out = Vec::new();
    let error = Press::new()
        .print(&book, Part::Inner, &library, MADE_AT, &mut out)
        .expect_err("it cannot be printed");
    assert!(matches!(&error, PressError::MissingOriginals(photos) if *photos == [id("lost")]));
    assert!(error.to_string().contains("lost") && out.is_empty());
}

#[test]
fn a_broken_original_is_named() {
    let (book, mut library) = a_book();
    library = library.add("sea", PhotoFormat::Jpeg, 1200, 800, 1, b"\xff\xd8\xff\xe0".to_vec());
    let error = Press::new()
        .print(&book, Part::Inner, &library, MADE_AT, &mut Vec::new())
        .expect_err("it cannot be printed");
    assert!(matches!(&error, PressError::Unreadable(photo, _) if *photo == id("sea")), "{error}");
}

#[test]
fn impossible_documents_are_refused() {
    let library = Library::default().jpeg("sea", &landscape(60, 40), 1);
    let flat = Crop { x: 0.0, y: 0.0, width: 0.0, height: 1.0 };
    for element in [
        photo("sea", rect(0.0, 0.0, 10.0, 10.0), flat),
        photo("sea", rect(0.0, 0.0, f64::NAN, 10.0), Crop::WHOLE),
        text(TextRole::Body, rect(0.0, f64::INFINITY, 10.0, 10.0), "字"),
    ] {
        let book = document("calm", vec![page(vec![element])]);
        let error = Press::new()
            .print(&book, Part::Inner, &library, MADE_AT, &mut Vec::new())
            .expect_err("it is refused");
        assert!(matches!(error, PressError::Document(_)));
    }
    let book = document("no-such-theme", vec![page(Vec::new())]);
    let error = Press::new()
        .print(&book, Part::Inner, &library, MADE_AT, &mut Vec::new())
        .expect_err("it is refused");
    assert!(matches!(error, PressError::Theme(_)));
}

/// The image objects of a PDF, with their colour spaces.
fn images(pdf: &lopdf::Document) -> Vec<&lopdf::Dictionary> {
    let streams =
        pdf.objects.values().filter_map(|object| object.as_stream().ok()).map(|stream| &stream.dict);
    streams
        .filter(|dict| dict.get(b"Subtype").and_then(|name| name.as_name()).is_ok_and(|n| n == b"Image"))
        .collect()
}

#[test]
fn colour_profiles_are_joined_and_shared() {
    let mut icc = moxcms::ColorProfile::new_adobe_rgb().encode().expect("a profile");
    // The date of making is the clock's.
    icc[24..36].fill(0);
    let mut library = Library::default();
    for (name, colour) in [("one", 10), ("two", 200)] {
        let plain = jpeg(&image::RgbImage::from_pixel(60, 40, image::Rgb([colour; 3])));
        let mut bytes = plain[..2].to_vec();
        let parts: Vec<&[u8]> = icc.chunks(icc.len().div_ceil(3)).collect();
        // The segments may come in any order.
        for (number, part) in parts.iter().enumerate().rev() {
            let length = u16::try_from(part.len() + 16).expect("a short segment");
            bytes.extend([0xff, 0xe2]);
            bytes.extend(length.to_be_bytes());
            bytes.extend(b"ICC_PROFILE\0");
            bytes.extend([number as u8 + 1, parts.len() as u8]);
            bytes.extend(*part);
        }
        bytes.extend(&plain[2..]);
        library = library.add(name, PhotoFormat::Jpeg, 60, 40, 1, bytes);
    }
    let frame = rect(20.0, 20.0, 100.0, 60.0);
    let pages = vec![page(vec![photo("one", frame, Crop::WHOLE), photo("two", frame, Crop::WHOLE)])];
    let pdf = lopdf::Document::load_mem(&print(&document("calm", pages), &library).0).expect("a PDF");
    let spaces: Vec<_> = images(&pdf)
        .iter()
        .map(|dict| dict.get(b"ColorSpace").and_then(|space| space.as_array()).expect("a profile").clone())
        .collect();
    assert_eq!(spaces.len(), 2);
    assert_eq!(spaces[0], spaces[1]);
    let profile = pdf.get_object(spaces[0][1].as_reference().expect("a reference")).expect("a profile");
    // all of it but its version and its fingerprint: PDF/X knows none that is newer than 4.2
    let printed = &profile.as_stream().expect("a stream").content;
    assert_eq!(printed[8..12], [4, 0x20, 0, 0]);
    for same in [0..8, 12..84, 100..icc.len()] {
        assert!(printed[same.clone()] == icc[same]);
    }
}

#[test]
fn photos_with_more_ink_than_the_press_lays_are_mixed_anew() {
    // inverted, as Adobe's programs write them: 300 % and 390 %
    let library = Library::default()
        .add("dry", PhotoFormat::Jpeg, 8, 8, 1, files::flat_jpeg(&[0, 0, 0, 255], Some(0)))
        .add("wet", PhotoFormat::Jpeg, 8, 8, 1, files::flat_jpeg(&[0, 0, 0, 25], Some(0)));
    let pages = vec![page(vec![
        photo("dry", rect(20.0, 20.0, 60.0, 60.0), Crop::WHOLE),
        photo("wet", rect(100.0, 20.0, 60.0, 60.0), Crop::WHOLE),
    ])];
    let (_, report) = print(&document("calm", pages), &library);
    assert_eq!(report.recoded, vec![id("wet")]);
}

#[test]
fn jpegs_of_red_green_and_blue_say_so() {
    // neither JFIF nor Adobe says how three components are to be read, but their names do
    let mut named = files::flat_jpeg(&[200, 40, 90], None);
    let frame =
        named.windows(2).position(|two| two[0] == 0xff && (0xc0..=0xc2).contains(&two[1])).expect("SOF");
    for (index, name) in b"RGB".iter().enumerate() {
        named[frame + 10 + 3 * index] = *name;
    }
    let scan = named.windows(2).position(|two| two == [0xff, 0xda]).expect("SOS");
    for (index, name) in b"RGB".iter().enumerate() {
        named[scan + 5 + 2 * index] = *name;
    }
    let library = Library::default().add("named", PhotoFormat::Jpeg, 8, 8, 1, named).add(
        "usual",
        PhotoFormat::Jpeg,
        8,
        8,
        1,
        files::flat_jpeg(&[76, 85, 255], None),
    );
    let pages = vec![page(vec![
        photo("named", rect(20.0, 20.0, 60.0, 60.0), Crop::WHOLE),
        photo("usual", rect(100.0, 20.0, 60.0, 60.0), Crop::WHOLE),
    ])];
    let (bytes, report) = print(&document("calm", pages), &library);
    assert_eq!(report.recoded, vec![]);
    let pdf = lopdf::Document::load_mem(&bytes).expect("a PDF");
    assert_eq!(images(&pdf).iter().filter(|dict| dict.has(b"DecodeParms")).count(), 1);
    let [red, green, blue] = rasterised(&bytes, 1, 210).get_pixel(50, 50).0;
    assert!(red > 170 && green < 80 && (50..130).contains(&blue), "{red} {green} {blue}");
}

#[test]
fn inks_are_kept_and_the_inverted_ones_said_so() {
    let library = Library::default()
        .add("adobe", PhotoFormat::Jpeg, 8, 8, 1, files::flat_jpeg(&[255, 0, 0, 255], Some(0)))
        .add("plain", PhotoFormat::Jpeg, 8, 8, 1, files::flat_jpeg(&[0, 255, 255, 0], None));
    let pages = vec![page(vec![
        photo("adobe", rect(20.0, 20.0, 60.0, 60.0), Crop::WHOLE),
        photo("plain", rect(100.0, 20.0, 60.0, 60.0), Crop::WHOLE),
    ])];
    let (bytes, report) = print(&document("calm", pages), &library);
    assert_eq!(report.recoded, vec![]);
    let pdf = lopdf::Document::load_mem(&bytes).expect("a PDF");
    let decodes: Vec<bool> = images(&pdf).iter().map(|dict| dict.has(b"Decode")).collect();
    assert_eq!(decodes.iter().filter(|inverted| **inverted).count(), 1);
    // Both are red, give or take how a program shows inks.
    let picture = rasterised(&bytes, 1, 210);
    for x in [50, 130] {
        let [red, green, blue] = picture.get_pixel(x, 50).0;
        assert!(red > 180 && green < 80 && blue < 80, "{red} {green} {blue}");
    }
}
