//! The words of a page: reading order, places of characters, hits.

use domain::document::{Crop, PdfPage, Rect, TextRole};
use domain::reading::{Flow, Line, PageText, SheetText, TextBlockRead, reading_order};
use proptest::prelude::*;

fn rect(x: f64, y: f64, width: f64, height: f64) -> Rect {
    Rect { x, y, width, height }
}

/// A line whose characters are as wide as each other.
fn line(text: &str, start: usize, frame: Rect) -> Line {
    let count = text.chars().count();
    let edges = (0..=count).map(|index| frame.x + frame.width * index as f64 / count as f64).collect();
    Line { text: text.to_owned(), start, frame, edges }
}

fn block(text: &str, lines: Vec<Line>) -> TextBlockRead {
    TextBlockRead { role: TextRole::Body, text: text.to_owned(), lines }
}

/// "清晨的雾" on one line, "还没有散" on the next.
fn morning() -> TextBlockRead {
    let lines = vec![
        line("清晨的雾", 0, rect(10.0, 10.0, 40.0, 5.0)),
        line("还没有散", 4, rect(10.0, 16.0, 40.0, 5.0)),
    ];
    block("清晨的雾还没有散", lines)
}

#[test]
fn rows_are_read_from_the_left_and_columns_to_their_end() {
    let grid = [
        rect(60.0, 0.0, 40.0, 5.0),
        rect(0.0, 0.5, 40.0, 5.0),
        rect(60.0, 20.0, 40.0, 5.0),
        rect(0.0, 20.0, 40.0, 5.0),
    ];
    assert_eq!(reading_order(&grid, Flow::Rows, 1.0), [1, 0, 3, 2]);
    assert_eq!(reading_order(&grid, Flow::Columns, 1.0), [1, 3, 0, 2]);
    // a headline over two columns, a line across both under them
    let page = [
        rect(0.0, 90.0, 100.0, 5.0),
        rect(55.0, 20.0, 45.0, 5.0),
        rect(0.0, 20.0, 45.0, 5.0),
        rect(0.0, 30.0, 45.0, 5.0),
        rect(55.0, 30.0, 45.0, 5.0),
        rect(0.0, 0.0, 100.0, 10.0),
    ];
    assert_eq!(reading_order(&page, Flow::Columns, 1.0), [5, 2, 3, 1, 4, 0]);
    // a high block and a caption beside its first line
    let beside = [rect(60.0, 0.2, 30.0, 4.0), rect(0.0, 0.0, 50.0, 120.0)];
    assert_eq!(reading_order(&beside, Flow::Rows, 1.0), [1, 0]);
    // photos that touch each other stand over each other, whatever thin line stands on the page
    let touching = [rect(50.0, 0.0, 50.0, 40.0), rect(0.0, 39.0, 50.0, 40.0), rect(0.0, 90.0, 100.0, 0.3)];
    assert_eq!(reading_order(&touching, Flow::Rows, 1.0), [0, 1, 2]);
    // a caption on the foot of a photo comes after it, one beside its head after what is left of it
    let on = [rect(10.0, 95.0, 30.0, 8.0), rect(0.0, 0.0, 100.0, 100.0), rect(110.0, 2.0, 30.0, 8.0)];
    assert_eq!(reading_order(&on, Flow::Rows, 1.0), [1, 0, 2]);
}

#[test]
fn characters_have_their_places() {
    let block = morning();
    assert_eq!(block.frames(1..3), [rect(20.0, 10.0, 20.0, 5.0)]);
    assert_eq!(block.frames(3..5), [rect(40.0, 10.0, 10.0, 5.0), rect(10.0, 16.0, 10.0, 5.0)]);
    assert!(block.frames(8..12).is_empty());
    let turned = Line { edges: Vec::new(), ..block.lines[0].clone() };
    assert_eq!(turned.part(1..2), turned.frame);
    assert_eq!(block.frame(), rect(10.0, 10.0, 40.0, 11.0));
}

#[test]
fn words_are_found_however_they_are_written() {
    let page = PageText {
        blocks: vec![
            morning(),
            block("Bindery　２０２６ 年", vec![line("Bindery　２０２６ 年", 0, rect(0.0, 0.0, 14.0, 5.0))]),
        ],
    };
    let found =
        |words: &str| page.find(words).into_iter().map(|hit| (hit.block, hit.range)).collect::<Vec<_>>();
    assert_eq!(found("雾还"), [(0, 3..5)]);
    assert_eq!(found(" 雾 \n还"), [(0, 3..5)]);
    assert_eq!(found("BINDERY2026"), [(1, 0..12)]);
    assert_eq!(found("没有"), [(0, 5..7)]);
    assert!(found("").is_empty() && found("　").is_empty() && found("有雾").is_empty());
    assert_eq!(page.plain(), "清晨的雾还没有散\nBindery　２０２６ 年");
}

#[test]
fn a_pdf_shows_its_words_through_the_frame() {
    let sheet = SheetText {
        width: 100.0,
        height: 50.0,
        text: PageText { blocks: vec![morning()] },
        ..SheetText::default()
    };
    let file = "ab".repeat(32).parse().expect("a digest");
    let frame = rect(5.0, 5.0, 200.0, 50.0);
    let pdf = PdfPage::new(file, 1, frame, Crop { x: 0.0, y: 0.0, width: 1.0, height: 0.25 });
    let placed = sheet.placed(&pdf);
    // the second line lies below what is shown
    let line = &placed.blocks[0].lines;
    assert_eq!(line.len(), 1);
    assert_eq!(line[0].frame, rect(25.0, 45.0, 80.0, 20.0));
    assert_eq!(line[0].edges, [25.0, 45.0, 65.0, 85.0, 105.0]);
}

proptest! {
    #[test]
    fn every_part_is_read_once(
        parts in prop::collection::vec((0.0..200.0, 0.0..300.0, 0.1..120.0, 0.1..80.0), 0..60),
        is_rows: bool,
    ) {
        let frames: Vec<Rect> = parts.into_iter().map(|(x, y, width, height)| rect(x, y, width, height)).collect();
        let flow = if is_rows { Flow::Rows } else { Flow::Columns };
        let mut order = reading_order(&frames, flow, 1.0);
        order.sort_unstable();
        prop_assert_eq!(order, (0..frames.len()).collect::<Vec<_>>());
    }
}
