//! Saddle-stitched books as they lie on their sheets.

use crate::common::*;
use domain::binding::{CoverMake, CoverSheet};
use domain::document::{Colour, Crop, Document, TextRole};
use domain::imposition::Booklet;
use image::{RgbImage, imageops};
use press::{Part, Press, PressError, PrintStandard};

/// Eight pages, no two alike, one with a photo over its whole bleed.
fn a_booklet() -> (Document, Library) {
    let mut pages: Vec<_> = (1..=8)
        .map(|number| {
            let words = format!("第{number}页");
            page(vec![text(TextRole::Title, rect(20.0, 20.0 * f64::from(number), 170.0, 16.0), &words)])
        })
        .collect();
    pages[3].elements.insert(0, photo("land", rect(-3.0, -3.0, 216.0, 216.0), Crop::WHOLE));
    let mut book = document("calm", pages);
    book.cover = page(vec![text(TextRole::Title, rect(20.0, 60.0, 170.0, 20.0), "封面")]);
    (book, Library::default().jpeg("land", &quadrants(1200, 1200), 1))
}

/// The sheet around the others.
fn folded_cover(book: &Document, booklet: Booklet) -> CoverSheet {
    CoverSheet::of(CoverMake::Folded, book.trim, 0.0, 0.0, booklet.starts_on_cover)
}

fn imposed(standard: PrintStandard, book: &Document, library: &Library, booklet: Booklet) -> Vec<u8> {
    let mut pdf = Vec::new();
    let part = Part::Booklet(booklet, folded_cover(book, booklet));
    let report = Press::following(standard).print(book, part, library, MADE_AT, &mut pdf).expect("a file");
    assert_eq!(report.bytes, pdf.len() as u64);
    pdf
}

/// The cover's two sides come first.
const COVER: usize = 2;

fn half(side: &RgbImage, index: u32) -> RgbImage {
    imageops::crop_imm(side, index * 420, 0, 420, 420).to_image()
}

#[test]
fn each_half_of_a_sheet_is_the_page_itself() {
    let (book, library) = a_booklet();
    let flat = Booklet { starts_on_cover: false, sheet_mm: 0.0 };
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let mut alone = Vec::new();
        Press::following(standard).print(&book, Part::Inner, &library, MADE_AT, &mut alone).expect("pages");
        let pdf = imposed(standard, &book, &library, flat);
        let spreads = flat.spreads(8).expect("two sheets");
        assert_eq!(pdf_boxes(&pdf).len(), COVER + 4);
        for (index, spread) in spreads.iter().enumerate() {
            let side = rasterised(&pdf, COVER + index + 1, 840);
            for (place, number) in [(0, spread.left), (1, spread.right)] {
                let apart = difference(&half(&side, place), &rasterised(&alone, number + 1, 420));
                assert!(apart < 2.0, "page {number} on side {index}: {apart}");
            }
        }
    }
}

#[test]
fn the_cover_is_a_sheet_with_its_inside() {
    let (mut book, library) = a_booklet();
    for starts_on_cover in [false, true] {
        // two pages more are printed inside it
        if starts_on_cover {
            book.pages.extend_from_within(..2);
            book.pages[9].background = Some(Colour([200, 40, 40]));
        }
        let booklet = Booklet { starts_on_cover, sheet_mm: 0.1 };
        for standard in [PrintStandard::X4, PrintStandard::X1a] {
            let print = |part| {
                let mut pdf = Vec::new();
                Press::following(standard).print(&book, part, &library, MADE_AT, &mut pdf).expect("a file");
                pdf
            };
            let pdf = imposed(standard, &book, &library, booklet);
            assert_eq!(pdf_boxes(&pdf).len(), COVER + 4);
            let cover = CoverSheet { die_line: false, ..folded_cover(&book, booklet) };
            let cover = print(Part::Cover(cover));
            for side in 1..=COVER {
                let apart = difference(&rasterised(&pdf, side, 840), &rasterised(&cover, side, 840));
                assert!(apart < 1.0, "side {side}: {apart}");
            }
            let inside = rasterised(&pdf, 2, 840);
            let is_blank = inside.pixels().all(|pixel| near(pixel, [255; 3]));
            assert_eq!(is_blank, !starts_on_cover);
            if starts_on_cover {
                let inner = print(Part::Inner);
                for (place, number) in [(0, 1), (1, 10)] {
                    let apart = difference(&half(&inside, place), &rasterised(&inner, number, 420));
                    assert!(apart < 2.0, "page {number}: {apart}");
                }
            }
        }
    }
}

#[test]
fn sheets_are_whole_files_with_room_for_marks() {
    let (book, library) = a_booklet();
    let pdf = imposed(PrintStandard::X4, &book, &library, Booklet { starts_on_cover: false, sheet_mm: 0.1 });
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("booklet.pdf");
    std::fs::write(&file, &pdf).expect("the PDF is written");
    run("qpdf", &["--check"], &file);
    let mm = |pt: f64| (pt * 25.4 / 72.0 * 100.0).round() / 100.0;
    for sheet in pdf_boxes(&pdf) {
        assert_eq!(sheet.media.map(mm), [0.0, 0.0, 446.0, 236.0]);
        assert_eq!(sheet.trim.map(mm), [13.0, 13.0, 433.0, 223.0]);
        assert_eq!(sheet.bleed.map(|bleed| bleed.map(mm)), Some([10.0, 10.0, 436.0, 226.0]));
    }
    // the knife's and the fold's marks are outside the bleed, and nothing else is
    let page = whole_page(&file);
    let dark = |x: f64, y: f64| page.get_pixel((x * 10.0) as u32, (y * 10.0) as u32).0[0] < 160;
    let near = |x: f64, y: f64| (-3..=3).any(|off| dark(x + f64::from(off) / 10.0, y));
    assert!(near(13.0, 5.0) && near(223.0, 4.2) && near(433.0, 5.0));
    assert!(!near(100.0, 5.0) && !near(13.0, 9.5));
    // the targets in the middle of the margins, and the patches of ink below the sheet
    assert!(dark(5.0, 118.0) || near(5.0, 118.0));
    let patch = |index: f64| page.get_pixel(((23.0 + 5.0 * index + 2.5) * 10.0) as u32, 2310).0;
    let [red, green, blue] = patch(0.0);
    assert!(red < 90 && blue > 150 && green > red, "cyan: {red} {green} {blue}");
    assert!(patch(3.0)[0] < 80, "black");
    let words = std::fs::read(&file).expect("the file");
    assert!(words.windows(4).any(|part| part == b"/All"), "marks stand on every plate");
}

/// The first page with everything around its trim, 10 pixels to the millimetre.
fn whole_page(file: &std::path::Path) -> RgbImage {
    drawn(file, &["-r", "254"]).expect("a page")
}

#[test]
fn pages_of_inner_sheets_move_towards_the_fold() {
    let (book, library) = a_booklet();
    let shown = |sheet_mm| {
        let pdf = imposed(PrintStandard::X4, &book, &library, Booklet { starts_on_cover: false, sheet_mm });
        rasterised(&pdf, COVER + 3, 840)
    };
    // the inner sheet's front: page 6 left, page 3 right; 2 mm are 4 pixels
    let (flat, crept) = (shown(0.0), shown(2.0));
    for (place, by) in [(0, 4_i64), (1, -4)] {
        let mut moved = RgbImage::from_pixel(420, 420, *flat.get_pixel(2, 2));
        imageops::replace(&mut moved, &half(&flat, place), by, 0);
        let crept = half(&crept, place);
        let inner = |picture: &RgbImage| imageops::crop_imm(picture, 10, 10, 400, 400).to_image();
        let apart = |other: &RgbImage| difference(&inner(&crept), &inner(other));
        assert!(
            5.0 * apart(&moved) < apart(&half(&flat, place)),
            "{} {}",
            apart(&moved),
            apart(&half(&flat, place))
        );
    }
}

#[test]
fn what_fills_no_sheets_is_refused() {
    let (book, library) = a_booklet();
    let refused = |booklet: Booklet, cover: CoverSheet| {
        let part = Part::Booklet(booklet, cover);
        let refused = Press::new().print(&book, part, &library, MADE_AT, &mut Vec::new());
        assert!(matches!(refused, Err(PressError::Document(_))));
    };
    let booklet = Booklet { starts_on_cover: true, sheet_mm: 0.1 };
    refused(booklet, folded_cover(&book, booklet));
    // nor does a cover that is not folded lie around them
    refused(Booklet { starts_on_cover: false, ..booklet }, CoverSheet::plain(book.trim, 4.0));
}

/// The numbers that a program reads in the left and the right half of each side of a file's sheets; 0 where a half is empty.
fn read_halves(pdf: &[u8], trim_mm: f64, from_mm: f64) -> Vec<[u32; 2]> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sheets.pdf");
    std::fs::write(&file, pdf).expect("the PDF is written");
    let pt = |mm: f64| (mm * 72.0 / 25.4).round().to_string();
    let half = |side: usize, left: f64| -> u32 {
        let (side, left) = ((side + 1).to_string(), pt(left));
        let words = std::process::Command::new("pdftotext")
            .args(["-r", "72", "-f", &side, "-l", &side, "-x", &left, "-y", "0"])
            .args(["-W", &pt(trim_mm), "-H", "2000"])
            .args([file.as_path(), std::path::Path::new("-")])
            .output()
            .expect("pdftotext");
        let words = String::from_utf8_lossy(&words.stdout).into_owned();
        let digits: String = words.chars().filter(char::is_ascii_digit).collect();
        if digits.is_empty() { 0 } else { digits.parse().unwrap_or_else(|_| panic!("{words}")) }
    };
    (0..pdf_boxes(pdf).len()).map(|side| [half(side, from_mm), half(side, from_mm + trim_mm)]).collect()
}

/// A book whose pages say their numbers, and nothing else.
fn numbered(pages: u32) -> Document {
    let one = |number: u32| {
        page(vec![text(TextRole::Title, rect(40.0, 90.0, 130.0, 16.0), &format!("第{number}页"))])
    };
    let mut book = document("calm", (1..=pages).map(one).collect());
    book.title = "书".to_owned();
    book.cover = page(vec![text(TextRole::Title, rect(40.0, 90.0, 130.0, 16.0), "封面")]);
    book
}

#[test]
fn a_folded_book_reads_from_its_first_page_to_its_last() {
    let library = Library::default();
    for (pages, starts_on_cover) in [(8, false), (20, false), (10, true), (22, true)] {
        let book = numbered(pages);
        let booklet = Booklet { starts_on_cover, sheet_mm: 0.1 };
        for standard in [PrintStandard::X4, PrintStandard::X1a] {
            let halves = read_halves(&imposed(standard, &book, &library, booklet), 210.0, 13.0);
            let (cover, sheets) = halves.split_at(COVER);
            // each sheet lies around those after it: one turns its right half, and comes back to its left one at the end
            let mut read = Vec::new();
            for sides in sheets.chunks(2).rev() {
                let [[last, first], [second, before_last]] = sides else { panic!("a sheet has two sides") };
                read.splice(0..0, [*first, *second]);
                read.extend([*before_last, *last]);
            }
            let inside = cover[1];
            if starts_on_cover {
                read.insert(0, inside[0]);
                read.push(inside[1]);
            } else {
                assert_eq!(inside, [0, 0]);
            }
            assert!(read.iter().copied().eq(1..=pages), "{standard:?} {pages}: {read:?}");
        }
    }
}

#[test]
fn mounted_sheets_and_single_pages_read_from_first_to_last() {
    let library = Library::default();
    let print = |book: &Document, part| {
        let mut pdf = Vec::new();
        Press::new().print(book, part, &library, MADE_AT, &mut pdf).expect("a file");
        pdf
    };
    for pages in [8, 9] {
        let book = numbered(pages);
        // folded once and back to back: left, right, and on; what is glued to the cover is empty
        let halves = read_halves(&print(&book, Part::Mounted), 210.0, 3.0);
        let read: Vec<u32> = halves.into_iter().flatten().collect();
        let empty = (pages % 2 == 0).then_some(0);
        assert!(read.iter().copied().eq([0].into_iter().chain(1..=pages).chain(empty)), "{pages}: {read:?}");
        // glued and sewn books are imposed by their shop
        let singles = read_halves(&print(&book, Part::Inner), 210.0, 3.0);
        assert!(singles.iter().map(|[page, _]| *page).eq(1..=pages), "{singles:?}");
        let middle = read_halves(&print(&book, Part::Middle), 210.0, 3.0);
        assert!(middle.iter().map(|[page, _]| *page).eq(2..pages), "{middle:?}");
    }
}
