//! The proof that members look at: the pages of the print file, small, with their lines.

use crate::common::*;
use domain::document::{Crop, TextRole};
use press::Press;

#[test]
fn a_proof_is_the_whole_book_small_and_with_lines() {
    let library = Library::default().jpeg("sea", &landscape(2400, 1600), 6);
    let mut book = document(
        "calm",
        vec![
            page(vec![photo("sea", rect(-3.0, -3.0, 216.0, 144.0), Crop::WHOLE)]),
            page(vec![
                photo("sea", rect(30.0, 40.0, 150.0, 100.0), Crop::WHOLE),
                text(TextRole::Caption, rect(30.0, 144.0, 100.0, 10.0), "海边的早晨"),
            ]),
            page(vec![photo("lost", rect(30.0, 40.0, 150.0, 100.0), Crop::WHOLE)]),
        ],
    );
    book.cover = page(vec![text(TextRole::Title, rect(20.0, 20.0, 150.0, 30.0), "山水之间")]);
    let pdf = Press::new().proof_pdf(&book, None, &library).expect("a proof");

    let boxes = pdf_boxes(&pdf);
    assert_eq!(boxes.len(), 4, "the cover and three pages");
    for page in &boxes {
        let side = |from: f64, to: f64| ((to - from) * 25.4 / 72.0 * 10.0).round() / 10.0;
        assert_eq!(side(page.media[0], page.media[2]), 216.0, "the bleed is there to be seen");
        assert_eq!(side(page.trim[0], page.trim[2]), 210.0);
    }
    let original = library.bytes("sea").len();
    assert!(pdf.len() < original, "{} bytes, the photo alone has {original}", pdf.len());

    // the same page as the screen shows, apart from the lines
    let shown = rasterised(&pdf, 3, 420);
    let alone = document("calm", vec![book.pages[1].clone()]);
    let (file, _) = print(&alone, &library);
    let printed = rasterised(&file, 1, 420);
    assert!(difference(&shown, &printed) < 4.0, "{}", difference(&shown, &printed));

    // the dashed border lies 5 mm inside the trim, two pixels to the millimetre
    let differs =
        |x: u32| (300..400).any(|y| shown.get_pixel(x, y).0[0].abs_diff(printed.get_pixel(x, y).0[0]) > 12);
    assert!((9..=11).any(differs) && !(14..30).any(differs));
}
