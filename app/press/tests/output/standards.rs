//! What print shops ask of files: PDF/X-4 whose colours all mean something, and PDF/X-1a in four inks.

use crate::common::*;
use domain::document::{Crop, Element, Ground, TextBlock, TextRole, Typeface};
use image::{DynamicImage, ImageFormat};
use lopdf::{Dictionary, Object};
use photo::PhotoFormat;
use press::{Part, Press, PrintStandard, themes};

/// A book with a photo of every kind and words on every ground of a theme.
fn book(theme: &str) -> (domain::document::Document, Library) {
    let mut pages = Vec::new();
    for ground in [Ground::Paper, Ground::Tint, Ground::Deep] {
        let mut made = page(vec![
            photo("quarters", rect(20.0, 20.0, 80.0, 80.0), Crop::WHOLE),
            photo("png", rect(110.0, 20.0, 80.0, 80.0), Crop::WHOLE),
            text(TextRole::Title, rect(20.0, 120.0, 170.0, 14.0), "海边的三天"),
            text(TextRole::Body, rect(20.0, 140.0, 170.0, 30.0), "风从海上来。"),
            text(TextRole::Caption, rect(20.0, 180.0, 170.0, 10.0), "七月，青岛"),
        ]);
        made.ground = ground;
        pages.push(made);
    }
    let picture = quadrants(600, 600);
    let png = encoded(&DynamicImage::ImageRgb8(picture.clone()), ImageFormat::Png);
    let library =
        Library::default().jpeg("quarters", &picture, 6).add("png", PhotoFormat::Png, 600, 600, 1, png);
    (document(theme, pages), library)
}

fn printed(standard: PrintStandard, document: &domain::document::Document, library: &Library) -> Vec<u8> {
    let mut pdf = Vec::new();
    Press::following(standard)
        .print(document, Part::Inner, library, MADE_AT, &mut pdf)
        .expect("a print file");
    pdf
}

fn images(pdf: &lopdf::Document) -> Vec<&Dictionary> {
    let streams = pdf.objects.values().filter_map(|object| object.as_stream().ok());
    let is_image = |dict: &&Dictionary| {
        dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Image")
    };
    streams.map(|stream| &stream.dict).filter(is_image).collect()
}

/// The profile of the press that a file names.
fn press_of(pdf: &lopdf::Document) -> moxcms::ColorProfile {
    let intents = pdf.catalog().unwrap().get(b"OutputIntents").unwrap().as_array().unwrap();
    let intent = intents[0].as_dict().unwrap();
    assert_eq!(intent.get(b"S").unwrap().as_name().unwrap(), b"GTS_PDFX");
    let profile = intent.get(b"DestOutputProfile").unwrap().as_reference().unwrap();
    let profile = pdf.get_object(profile).unwrap().as_stream().unwrap();
    moxcms::ColorProfile::new_from_slice(&profile.content).unwrap()
}

#[test]
fn files_name_a_printing_condition() {
    let (book, library) = book("calm");
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let pdf = lopdf::Document::load_mem(&printed(standard, &book, &library)).unwrap();
        let press = press_of(&pdf);
        // ISO 15930-7, 6.2.2.2: an output profile
        assert!(press.profile_class == moxcms::ProfileClass::OutputDevice);
        assert!(press.color_space == moxcms::DataColorSpace::Cmyk);
    }
}

#[test]
fn every_photos_colours_mean_something() {
    let (book, library) = book("calm");
    let pdf = lopdf::Document::load_mem(&printed(PrintStandard::X4, &book, &library)).unwrap();
    let images = images(&pdf);
    assert_eq!(images.len(), 2);
    for image in images {
        let space = image.get(b"ColorSpace").unwrap().as_array().unwrap();
        assert_eq!(space[0].as_name().unwrap(), b"ICCBased");
    }
}

#[test]
fn shops_that_insist_get_four_inks_and_nothing_else() {
    for theme in themes() {
        let (book, library) = book(theme.name);
        let bytes = printed(PrintStandard::X1a, &book, &library);
        assert!(bytes.starts_with(b"%PDF-1.4"));
        let pdf = lopdf::Document::load_mem(&bytes).unwrap();
        let info = pdf.get_dictionary(pdf.trailer.get(b"Info").unwrap().as_reference().unwrap()).unwrap();
        assert_eq!(info.get(b"GTS_PDFXVersion").unwrap().as_str().unwrap(), b"PDF/X-1a:2003");
        for image in images(&pdf) {
            assert_eq!(image.get(b"ColorSpace").unwrap().as_name().unwrap(), b"DeviceCMYK", "{}", theme.name);
        }
        let mut inked = 0;
        for object in pdf.objects.values() {
            let Ok(stream) = object.as_stream() else { continue };
            assert!(!stream.dict.has(b"SMask") && !stream.dict.has(b"N") || stream.dict.has(b"Alternate"));
            let is_painted = stream.dict.has(b"PatternType")
                || stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Form")
                || stream.dict.iter().all(|(key, _)| matches!(key.as_slice(), b"Length" | b"Filter"));
            let Ok(content) = stream.get_plain_content() else { continue };
            let Ok(content) = lopdf::content::Content::decode(&content) else { continue };
            if !is_painted {
                continue;
            }
            for operation in content.operations {
                let operator = operation.operator.as_str();
                assert!(!matches!(operator, "rg" | "RG" | "g" | "G" | "sh"), "{}: {operator}", theme.name);
                inked += usize::from(matches!(operator, "k" | "K"));
            }
        }
        assert!(inked >= 3, "{}: {inked} colours", theme.name);
        // other programs show what the screen shows, as far as inks can
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("book.pdf");
        std::fs::write(&file, &bytes).unwrap();
        run("qpdf", &["--check"], &file);
        assert!(run("pdffonts", &[], &file).lines().skip(2).all(|line| line.contains("yes")));
        let sheet = rasterised(&bytes, 1, 420);
        for (left, what) in [(20.0, "JPEG"), (110.0, "PNG")] {
            let at = |x: f64, y: f64| sheet.get_pixel(((left + x) * 2.0) as u32, ((20.0 + y) * 2.0) as u32).0;
            let [red, green, blue] = at(20.0, 20.0);
            assert!(red > 150 && green < 110 && blue < 110, "{what}: {red} {green} {blue} is no red");
            let [red, green, blue] = at(20.0, 60.0);
            assert!(blue > red && blue > green, "{what}: {red} {green} {blue} is no blue");
        }
    }
}

#[test]
fn a_photo_of_too_many_pixels_to_decode_at_once_keeps_those_that_are_printed() {
    // it is turned, and so it is stored 7,600 wide
    let library = Library::default().jpeg("phone", &quadrants(8_100, 7_600), 6);
    let seen = |crop| {
        let book = document("calm", vec![page(vec![photo("phone", rect(5.0, 5.0, 200.0, 200.0), crop)])]);
        let bytes = printed(PrintStandard::X1a, &book, &library);
        let pdf = lopdf::Document::load_mem(&bytes).unwrap();
        let [image] = images(&pdf).try_into().unwrap();
        assert_eq!(image.get(b"ColorSpace").unwrap().as_name().unwrap(), b"DeviceCMYK");
        let side = |name| image.get(name).unwrap().as_i64().unwrap();
        let page = rasterised(&bytes, 1, 210);
        for (x, y, first) in [(40, 40, 0), (40, 160, 2)] {
            let seen = page.get_pixel(x, y).0;
            let is_most = |(channel, value): (usize, u8)| channel == first || value < seen[first] - 40;
            assert!((0..).zip(seen).all(is_most), "{seen:?} at {x}, {y}");
        }
        (side(b"Width"), side(b"Height"))
    };
    // of the middle fifth every pixel, 205 to an inch; of all of it, where half of them are more than enough, those that print
    assert_eq!(seen(Crop { x: 0.4, y: 0.4, width: 0.2, height: 0.2 }), (7_600, 8_100));
    let (width, height) = seen(Crop::WHOLE);
    assert!((2_900..3_300).contains(&width) && (2_700..3_200).contains(&height), "{width} × {height}");
}

/// `/usr/bin/time -v` around it says how much memory that takes, with the file's own bytes twice: here and in the press.
#[test]
#[ignore = "BINDERY_LARGE_PHOTO names a JPEG"]
fn a_large_photo_is_printed_within_memory() {
    let file = std::fs::read(std::env::var("BINDERY_LARGE_PHOTO").unwrap()).unwrap();
    let (width, height) = image::ImageReader::with_format(std::io::Cursor::new(&file), ImageFormat::Jpeg)
        .into_dimensions()
        .unwrap();
    let library = Library::default().add("phone", PhotoFormat::Jpeg, width, height, 1, file);
    let crop = Crop { x: 0.4, y: 0.4, width: 0.2, height: 0.2 };
    let book = document("calm", vec![page(vec![photo("phone", rect(5.0, 5.0, 200.0, 150.0), crop)])]);
    let mut out = tempfile::tempfile().unwrap();
    let press = Press::following(PrintStandard::X1a);
    let report = press.print(&book, Part::Inner, &library, MADE_AT, &mut out).unwrap();
    println!("{width} × {height}: {} bytes", report.bytes);
}

#[test]
fn greys_are_black_ink_alone() {
    let mut book = document("calm", vec![page(Vec::new())]);
    book.pages[0].background = Some(domain::document::Colour([51; 3]));
    let bytes = printed(PrintStandard::X1a, &book, &Library::default());
    let pdf = lopdf::Document::load_mem(&bytes).unwrap();
    let content = pdf.get_page_content(pdf.get_pages()[&1]);
    let content = lopdf::content::Content::decode(&content).unwrap();
    let inks = |operands: &[Object]| operands.iter().map(|ink| ink.as_float().unwrap()).collect::<Vec<_>>();
    let colours: Vec<_> =
        content.operations.iter().filter(|it| it.operator == "k").map(|it| inks(&it.operands)).collect();
    assert!(colours.contains(&vec![0.0, 0.0, 0.0, 0.8]), "{colours:?}");
}

#[test]
fn every_typeface_that_can_be_chosen_is_in_the_print_files_of_both_standards() {
    let frame = |place: usize| rect(20.0, 20.0 + 40.0 * place as f64, 170.0, 30.0);
    let texts = Typeface::ALL.iter().enumerate().map(|(place, font)| {
        let mut block = TextBlock::new(frame(place), TextRole::Body, "山水之间");
        (block.font, block.size) = (Some(*font), 4);
        Element::Text(block)
    });
    let book = document("calm", vec![page(texts.collect())]);
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let pdf = printed(standard, &book, &Library::default());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("book.pdf");
        std::fs::write(&file, &pdf).unwrap();
        let fonts = run("pdffonts", &[], &file);
        for family in ["NotoSansSC", "NotoSerifSC", "MaShanZheng", "ZCOOLXiaoWei"] {
            let line = fonts.lines().find(|line| line.contains(family));
            let line = line.unwrap_or_else(|| panic!("{standard:?}: no {family}: {fonts}"));
            // embedded, and a subset of it
            let columns: Vec<&str> = line.split_whitespace().collect();
            assert!(columns.windows(2).any(|pair| pair == ["yes", "yes"]), "{standard:?}: {line}");
        }
    }
}
