//! The cover: back, spine and front on one sheet.

use crate::common::*;
use domain::document::{Crop, Document, TextRole};
use press::{Press, PressError};

fn a_book(title: &str) -> (Document, Library) {
    let mut book = document("calm", Vec::new());
    book.title = title.to_owned();
    book.cover = page(vec![
        photo("front", rect(-3.0, -3.0, 216.0, 216.0), Crop::WHOLE),
        text(TextRole::Title, rect(20.0, 20.0, 170.0, 20.0), title),
    ]);
    (book, Library::default().jpeg("front", &quadrants(400, 400), 1))
}

fn cover(book: &Document, spine: f64, library: &Library) -> Vec<u8> {
    let mut pdf = Vec::new();
    let report =
        Press::new().print(book, plain_cover(book, spine), library, MADE_AT, &mut pdf).expect("a cover");
    assert_eq!(report.pages, 1);
    pdf
}

fn words(pdf: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cover.pdf");
    std::fs::write(&file, pdf).expect("the PDF is written");
    run("qpdf", &["--check"], &file);
    let output = std::process::Command::new("pdftotext").args([file.as_os_str(), "-".as_ref()]).output();
    let text = output.expect("pdftotext").stdout;
    String::from_utf8_lossy(&text).chars().filter(|c| !c.is_whitespace()).collect()
}

#[test]
fn the_sheet_is_two_pages_and_a_spine_wide() {
    let (book, library) = a_book("山水之间");
    let pdf = cover(&book, 10.0, &library);
    let boxes = pdf_boxes(&pdf);
    let pt = |mm: f64| mm / 25.4 * 72.0;
    assert!((boxes[0].media[2] - pt(436.0)).abs() < 0.01);
    assert!((boxes[0].trim[2] - boxes[0].trim[0] - pt(430.0)).abs() < 0.01);
    assert!((boxes[0].trim[3] - boxes[0].trim[1] - pt(210.0)).abs() < 0.01);
}

#[test]
fn the_front_photo_ends_at_the_spine() {
    let (book, library) = a_book("山");
    let picture = rasterised(&cover(&book, 10.0, &library), 1, 860);
    let paper = [0xfb, 0xfa, 0xf7];
    // Two pixels a mm: the spine is 420 to 440.
    assert!(near(picture.get_pixel(437, 300), paper), "the photo runs over the spine");
    assert!(near(picture.get_pixel(443, 150), RED) && near(picture.get_pixel(857, 417), YELLOW));
    assert!(near(picture.get_pixel(100, 100), paper));
}

#[test]
fn narrow_spines_stay_blank() {
    let (book, library) = a_book("山水之间");
    let title = |spine: f64| words(&cover(&book, spine, &library)).matches("山").count();
    assert_eq!((title(5.9), title(6.0), title(0.0)), (2, 3, 2));
}

#[test]
fn long_titles_fit_the_spine() {
    for title in ["一".repeat(60), "A Very Long Winter in the Mountains of Anhui, 2026".to_owned()] {
        let (mut book, library) = a_book(&title);
        book.cover.elements.pop();
        let picture = rasterised(&cover(&book, 12.0, &library), 1, 868);
        // Above and below its words the spine is paper, over its whole width.
        for y in (0..36).chain(390..420) {
            assert!((421..443).all(|x| near(picture.get_pixel(x, y), [0xfb, 0xfa, 0xf7])), "{title} at {y}");
        }
    }
}

#[test]
fn impossible_spines_are_refused() {
    let (book, library) = a_book("山");
    for spine in [-1.0, f64::NAN, 1e9] {
        let refused =
            Press::new().print(&book, plain_cover(&book, spine), &library, MADE_AT, &mut Vec::new());
        assert!(matches!(refused, Err(PressError::Document(_))));
    }
}
