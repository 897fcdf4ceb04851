//! QR codes on pages: another program reads them off the printed page, at the size of a thumbnail and in every theme; what would
//! keep a telephone from reading one is said.

use crate::common::*;
use domain::document::{
    CodeBlock, Document, Element, Ground, Ink, PaletteColour, Rect, Shape, ShapeKind, Trim,
};
use domain::print_code::{Corner, PrintCode, Side, placed};
use image::{GrayImage, imageops};
use press::{FindingCode, PageRef, Part, Press, PrintStandard, Severity, themes};

const SITE: &str = "https://books.example.cn";

fn address() -> String {
    PrintCode::of([7, 21, 3, 30, 11, 0, 17, 26]).address(SITE)
}

fn code(frame: Rect, rotation: f64) -> CodeBlock {
    let mut code = CodeBlock { common: Default::default(), frame, address: address() };
    code.common.rotation = rotation;
    code
}

fn one(elements: Vec<Element>) -> Document {
    document("calm", vec![page(elements)])
}

/// What a decoder that knows nothing of this house reads off a picture of a page.
pub fn scanned(picture: GrayImage) -> Vec<String> {
    let (width, height) = picture.dimensions();
    let shade = |x, y| picture.get_pixel(x as u32, y as u32).0[0];
    let mut prepared = rqrr::PreparedImage::prepare_from_greyscale(width as usize, height as usize, shade);
    prepared.detect_grids().iter().filter_map(|grid| Some(grid.decode().ok()?.1)).collect()
}

/// The first page of a print file at the resolution of a good camera held near: 400 dpi, over the page with its bleed.
fn camera(pdf: &[u8], document: &Document) -> GrayImage {
    let wide = (document.trim.width + 6.0) / 25.4 * 400.0;
    imageops::grayscale(&rasterised(pdf, 1, wide as u32))
}

fn printed(standard: PrintStandard, document: &Document) -> Vec<u8> {
    let mut pdf = Vec::new();
    let press = Press::following(standard);
    press.print(document, Part::Inner, &Library::default(), MADE_AT, &mut pdf).expect("a print file");
    pdf
}

fn findings(document: &Document) -> Vec<(FindingCode, Severity)> {
    let library = Library::default();
    let describe = |photo: &_| press::Originals::describe(&library, photo);
    let found = Press::new()
        .preflight(document, None, &describe, &|_| Default::default(), &|| true)
        .expect("findings");
    let about_codes = |code: FindingCode| {
        matches!(
            code,
            FindingCode::TinyCode
                | FindingCode::CoveredCode
                | FindingCode::OutsidePage
                | FindingCode::HiddenText
        )
    };
    found.into_iter().filter(|it| about_codes(it.code)).map(|it| (it.code, it.severity)).collect()
}

#[test]
fn a_code_of_twelve_millimetres_is_read_off_print_files_of_both_standards() {
    let book = one(vec![Element::Code(code(rect(20.0, 180.0, 12.0, 12.0), 0.0))]);
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let pdf = printed(standard, &book);
        assert_eq!(scanned(camera(&pdf, &book)), [address()], "{standard:?}");
    }
    assert_eq!(findings(&book), []);
}

#[test]
fn every_theme_prints_codes_that_are_read_on_each_of_its_grounds() {
    for theme in themes() {
        let trim = Trim { width: 100.0, height: 100.0 };
        let pages = Ground::ALL.map(|ground| {
            let placed = placed(address(), "扫码听：外婆的歌", 15, Corner::BottomRight, trim, Side::Right);
            let words = Element::Text(placed.words.expect("words"));
            let mut page = page(vec![Element::Code(placed.code), words]);
            page.ground = ground;
            page
        });
        let mut book = document(theme.name, pages.to_vec());
        book.trim = trim;
        for index in 0..book.pages.len() {
            let webp = Press::new()
                .page_picture(&book, PageRef::Inner(index), &Library::default(), 1024)
                .expect("a page picture");
            let picture = image::load_from_memory(&webp).expect("WebP").into_luma8();
            assert_eq!(scanned(picture), [address()], "{} {index}", theme.name);
        }
    }
}

#[test]
fn a_code_is_read_turned_and_keeps_its_shape_in_a_frame_of_another() {
    let book = one(vec![
        Element::Code(code(rect(40.0, 40.0, 20.0, 20.0), 37.0)),
        Element::Code(code(rect(120.0, 120.0, 60.0, 20.0), 0.0)),
    ]);
    let pdf = printed(PrintStandard::X4, &book);
    assert_eq!(scanned(camera(&pdf, &book)), [address(), address()]);
    // nothing of it beside the square in the middle
    let picture = camera(&pdf, &book);
    let dot = |x: f64, y: f64| {
        let pixel = |mm: f64| ((mm + 3.0) / 25.4 * 400.0) as u32;
        picture.get_pixel(pixel(x), pixel(y)).0[0]
    };
    assert!(dot(125.0, 130.0) > 240 && dot(175.0, 130.0) > 240);
}

#[test]
fn what_would_keep_it_from_being_read_is_said() {
    let usual = || Element::Code(code(rect(20.0, 150.0, 15.0, 15.0), 0.0));
    let patch = |frame| {
        Element::Shape(Shape {
            common: Default::default(),
            shape: ShapeKind::Rect,
            frame,
            fill: Some(Ink::Theme(PaletteColour::Accent)),
            border: None,
            radius: None,
        })
    };
    let alone = |frame| findings(&one(vec![Element::Code(code(frame, 0.0))]));
    assert_eq!(alone(rect(20.0, 150.0, 15.0, 15.0)), []);
    assert_eq!(alone(rect(20.0, 150.0, 9.0, 9.0)), [(FindingCode::TinyCode, Severity::Warning)]);
    assert_eq!(alone(rect(20.0, 150.0, 6.0, 30.0)), [(FindingCode::TinyCode, Severity::Serious)]);
    assert_eq!(alone(rect(-4.0, 150.0, 15.0, 15.0)), [(FindingCode::CoveredCode, Severity::Serious)]);
    assert_eq!(alone(rect(-40.0, 150.0, 15.0, 15.0)), [(FindingCode::OutsidePage, Severity::Note)]);
    let under = one(vec![usual(), patch(rect(30.0, 160.0, 40.0, 20.0))]);
    assert_eq!(findings(&under), [(FindingCode::CoveredCode, Severity::Serious)]);
    let over = one(vec![patch(rect(10.0, 140.0, 40.0, 40.0)), usual()]);
    assert_eq!(findings(&over), [], "it brings its own paper");
    let read = scanned(camera(&printed(PrintStandard::X4, &over), &over));
    assert_eq!(read, [address()]);
}
