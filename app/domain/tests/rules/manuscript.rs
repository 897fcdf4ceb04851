//! Pages of a PDF as pages of a book: sizes, frames, page counts, another format.

use domain::document::{
    Colour, Crop, Document, Element, Ground, Page, PdfPage, Rect, SAFE_MM, TextRole, Trim,
};
use domain::goods::PageAim;
use domain::ids::FileDigest;
use domain::layout::reflow;
use domain::manuscript::{
    CoverChoice, Manuscript, PdfSheet, bound_count, covers, covers_bleed, lay_out, page_count, set_anew,
    size_in_file,
};

const A4: Trim = Trim { width: 210.0, height: 297.0 };
const A5: Trim = Trim { width: 148.0, height: 210.0 };
const SQUARE: Trim = Trim { width: 210.0, height: 210.0 };

fn digest() -> FileDigest {
    "0123456789abcdef".repeat(4).parse().expect("a digest")
}

fn sheet(width: f64, height: f64) -> PdfSheet {
    PdfSheet { width, height, trim: None }
}

fn made(sheets: &[PdfSheet], trim: Trim, cover: CoverChoice, is_text: bool) -> Document {
    let file = digest();
    let manuscript =
        Manuscript { file: &file, sheets, trim, theme: "calm", title: "海", author: "林", cover, is_text };
    lay_out(&manuscript, page_count(&manuscript).next_multiple_of(4))
}

fn pdf(document: &Document, page: usize) -> &PdfPage {
    document.pages[page].pdfs().next().expect("a page of the PDF")
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 0.01
}

/// Every point of the frame shows the same point of the sheet, at one scale in both directions.
fn scale(pdf: &PdfPage, sheet: &PdfSheet) -> f64 {
    let across = pdf.frame.width / (pdf.crop.width * sheet.width);
    let down = pdf.frame.height / (pdf.crop.height * sheet.height);
    assert!((across - down).abs() < 1e-6, "{across} {down}");
    across
}

#[test]
fn a_page_of_the_books_size_is_not_scaled_and_fills_the_page() {
    let trim_box = |left: f64| Some(Rect { x: left, y: left, width: 210.0, height: 297.0 });
    // as it is; with 3 mm bleed and without a word of it; with marks around
    let sheets = [
        sheet(210.0, 297.0),
        sheet(216.0, 303.0),
        PdfSheet { width: 230.0, height: 317.0, trim: trim_box(10.0) },
    ];
    let document = made(&sheets, A4, CoverChoice::Words, false);
    for (index, sheet) in sheets.iter().enumerate() {
        let page = pdf(&document, index);
        assert!(near(scale(page, sheet), 1.0));
        assert!(covers(page, A4));
        assert_eq!(covers_bleed(page, A4), index > 0, "sheet {index}");
    }
    assert_eq!(pdf(&document, 0).crop, Crop::WHOLE);
    // marks past the bleed are cut away
    let marked = pdf(&document, 2);
    assert!(near(marked.frame.x, -3.0) && near(marked.frame.width, 216.0));
    assert!(near(marked.crop.x * 230.0, 7.0));
    // what fills up the book is white, too
    assert_eq!(document.pages.len(), 4);
    assert!(document.pages[3].elements.is_empty() && document.pages[3].background.is_some());
}

#[test]
fn a_cover_takes_the_first_page_and_the_title() {
    // with marks around, on its side, and as wide as the page
    let marked = PdfSheet {
        width: 230.0,
        height: 317.0,
        trim: Some(Rect { x: 10.0, y: 10.0, width: 210.0, height: 297.0 }),
    };
    for (first, trim) in [(marked, A4), (sheet(297.0, 210.0), A4), (sheet(148.0, 210.0), A5)] {
        let document = made(&[first, first], trim, CoverChoice::Both, false);
        let shown = document.cover.pdfs().next().expect("the first page");
        assert_eq!((shown.page, pdf(&document, 0).page), (1, 1), "it stays an inner page");
        scale(shown, &first);
        let Rect { x, y, width, height } = shown.frame;
        assert!(near(x + width / 2.0, trim.width / 2.0) && x >= SAFE_MM && y >= SAFE_MM);
        let words: Vec<_> = document.cover.texts().collect();
        assert!(words.iter().all(|block| block.frame.y > y + height), "the words stand below");
        assert!(words.iter().all(|block| block.frame.y + block.frame.height < trim.height - SAFE_MM));
        assert_eq!(words.first().map(|block| block.text.as_str()), Some(document.title.as_str()));
    }
}

#[test]
fn a_page_that_differs_by_less_than_a_millimetre_leaves_no_white_edge() {
    let sheets = [sheet(209.2, 297.4)];
    let document = made(&sheets, A4, CoverChoice::Words, false);
    let page = pdf(&document, 0);
    assert!(covers(page, A4));
    assert!((scale(page, &sheets[0]) - 1.0).abs() < 0.005);
}

#[test]
fn a_page_of_another_shape_is_seen_whole_in_the_middle() {
    let sheets = [sheet(297.0, 210.0), sheet(100.0, 100.0)];
    let document = made(&sheets, A4, CoverChoice::Words, false);
    for (index, sheet) in sheets.iter().enumerate() {
        let page = pdf(&document, index);
        scale(page, sheet);
        assert_eq!(page.crop, Crop::WHOLE);
        assert!(near(page.frame.width, 210.0), "as large as it can be");
        assert!(near(page.frame.x + page.frame.width / 2.0, 105.0));
        assert!(near(page.frame.y + page.frame.height / 2.0, 148.5));
        assert!(!covers(page, A4));
    }
}

#[test]
fn the_size_in_the_file_is_the_one_that_most_pages_have() {
    let offered = || [SQUARE, A4, A5];
    assert_eq!(size_in_file(&[sheet(148.3, 209.8)], offered()), Some(A5));
    assert_eq!(
        size_in_file(&[sheet(216.0, 303.0), sheet(210.0, 297.0), sheet(50.0, 50.0)], offered()),
        Some(A4)
    );
    assert_eq!(size_in_file(&[sheet(210.0, 297.0), sheet(50.0, 50.0)], offered()), None);
    assert_eq!(size_in_file(&[sheet(300.0, 300.0)], offered()), None);
}

#[test]
fn a_book_gets_as_few_empty_pages_as_any_goods_allow() {
    let aims = [
        PageAim { min: 24, max: 600, step: 2 },
        PageAim { min: 12, max: 160, step: 2 },
        PageAim { min: 10, max: 62, step: 4 },
    ];
    for (pages, count) in
        [(3, Some(10)), (11, Some(12)), (13, Some(14)), (61, Some(62)), (161, Some(162)), (601, None)]
    {
        assert_eq!(bound_count(pages, &aims), count, "{pages}");
    }
}

#[test]
fn the_first_page_may_be_the_cover() {
    let sheets = [sheet(148.0, 210.0), sheet(148.0, 210.0), sheet(148.0, 210.0)];
    let document = made(&sheets, A5, CoverChoice::FirstPage, false);
    assert_eq!(document.cover.pdfs().next().map(|pdf| pdf.page), Some(1));
    assert_eq!(pdf(&document, 0).page, 2);
    let words = made(&sheets, A5, CoverChoice::Words, false);
    let roles: Vec<_> = words.cover.texts().map(|text| (text.role, text.text.as_str())).collect();
    assert_eq!(roles, [(TextRole::Title, "海"), (TextRole::Subtitle, "林")]);
    assert_eq!(pdf(&words, 0).page, 1);
}

#[test]
fn a_text_begins_with_a_title_leaf_and_its_first_page_is_a_right_hand_one() {
    let document = made(&[sheet(216.0, 303.0)], A4, CoverChoice::Words, true);
    assert!(document.pages[0].texts().any(|text| text.text == "海"));
    assert!(document.pages[1].elements.is_empty());
    assert_eq!(pdf(&document, 2).page, 1);
}

#[test]
fn another_page_size_keeps_every_page_whole_and_fills_up_at_the_end() {
    let sheets = [sheet(216.0, 303.0), sheet(297.0, 210.0), sheet(210.0, 297.0)];
    let before = made(&sheets, A4, CoverChoice::FirstPage, false);
    for (trim, fills) in [(A5, true), (SQUARE, false)] {
        let after = reflow(&before, &[], trim, 12).expect("a page size");
        assert_eq!(after.pages.len(), 12);
        assert_eq!((pdf(&after, 0).page, pdf(&after, 1).page), (2, 3), "in their order, empty ones last");
        for (page, sheet) in after.pages.iter().flat_map(|page| page.pdfs()).zip(&sheets[1..]) {
            scale(page, sheet);
            assert_eq!(page.crop, Crop::WHOLE);
        }
        assert_eq!(covers(pdf(&after, 1), trim), fills, "A4 and A5 have one shape");
        assert_eq!(after.cover.pdfs().next().is_some_and(|pdf| covers(pdf, trim)), fills);
        let twice = reflow(&after, &[], A4, 2).expect("a page size");
        assert!(near(pdf(&twice, 0).frame.width, 210.0), "and back");
    }
}

#[test]
fn a_text_set_anew_keeps_the_look_of_its_pages() {
    let sheets = [sheet(216.0, 303.0); 6];
    let mut before = made(&sheets, A4, CoverChoice::Words, true);
    before.pages[0].ground = Ground::Tint;
    before.pages[2].theme = Some("night".to_owned());
    before.pages[4].ground = Ground::Deep;
    before.pages[5].background = Some(Colour([250, 240, 230]));
    before.pages[7].ground = Ground::Deep;
    let look = |page: &Page| (page.theme.clone(), page.ground, page.background);
    let looks = |document: &Document| document.pages.iter().map(look).collect::<Vec<_>>();
    // as long as before, longer, and shorter
    for (count, pages) in [(6, 8), (9, 12), (2, 4)] {
        let text = vec![sheet(154.0, 216.0); count];
        let set = made(&text, A5, CoverChoice::Words, true);
        let after = set_anew(&before, set.clone());
        assert_eq!(after.pages.len(), pages);
        let kept = before.pages.len().min(after.pages.len());
        assert_eq!(looks(&after)[..kept], looks(&before)[..kept]);
        assert!(after.pages[kept..].iter().all(|page| look(page) == look(&Page::default())));
        for (new, page) in after.pages.iter().zip(&set.pages).skip(1) {
            assert_eq!(new.elements, page.elements, "the text is the new one");
        }
    }
}

#[test]
fn elements_are_read_as_they_are_written() {
    let mut document = made(&[sheet(148.0, 210.0)], A5, CoverChoice::Words, false);
    document.identify(1).expect("ids");
    let json = serde_json::to_string(&document).expect("JSON");
    assert!(json.contains(r#""kind":"pdf""#));
    assert_eq!(serde_json::from_str::<Document>(&json).expect("a document"), document);
    assert!(
        serde_json::from_str::<Element>(&json.replace("0123456789abcdef", "../../../../../../")).is_err()
    );
}
