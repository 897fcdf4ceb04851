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

mod footnotes {
    use super::*;
    use domain::reading::{LinkTarget, SheetLink};

    /// Lines of 5 mm letters from 10 mm on, each with its distance from the upper edge.
    fn page(lines: &[(&str, f64)]) -> SheetText {
        let placed =
            |(text, y): &(&str, f64)| line(text, 0, rect(10.0, *y, text.chars().count() as f64 * 5.0, 5.0));
        let blocks = lines.iter().map(|said| block(said.0, vec![placed(said)])).collect();
        SheetText { width: 100.0, height: 200.0, text: PageText { blocks }, unread: 0, is_cut: false }
    }

    /// A link over the characters of a line from one to another, to a place on a page, in mm.
    fn link(y: f64, from: usize, to: usize, page: u32, down: f64) -> SheetLink {
        let frame = Rect {
            x: 100.0 + 50.0 * from as f64,
            y: y * 5.0,
            width: 50.0 * (to - from) as f64,
            height: 25.0,
        };
        SheetLink { frame, target: LinkTarget::Page(page), down: Some(down * 5.0) }
    }

    /// A mark over a line, small as it is printed: from one place to another, from its upper edge.
    fn small(page: &mut SheetText, text: &str, x: f64, y: f64) {
        let mark = line(text, 0, rect(x, y, 2.0, 3.0));
        page.text.blocks.push(TextBlockRead { role: TextRole::Caption, ..block(text, vec![mark]) });
    }

    #[test]
    fn a_mark_that_leads_to_its_like_further_down_is_one() {
        let lines =
            [("正文[1]和别的。", 20.0), ("12 不是", 170.0), ("[1] 第一个注。", 178.0), ("第二个注", 186.0)];
        let mut page = page(&lines);
        small(&mut page, "2", 52.0, 20.0);
        small(&mut page, "2", 8.0, 186.0);
        let over = SheetLink { frame: rect(510.0, 100.0, 40.0, 25.0), ..link(20.0, 0, 0, 7, 182.0) };
        // the small mark of the second note stands beside it, where the first letter of its line begins
        page.text.blocks[3].lines[0].frame.x = 10.5;
        let notes = page.notes(7, &[link(20.0, 2, 5, 7, 168.0), over]);
        let found: Vec<_> =
            notes.iter().map(|note| (note.link, note.mark.as_str(), note.text.as_str())).collect();
        assert_eq!(found, [(0, "[1]", "第一个注。"), (1, "2", "第二个注")]);
    }

    #[test]
    fn other_links_are_none() {
        let lines = [("[1] 章的名字 9", 20.0), ("见第3节[1]", 30.0), ("3 节的名字", 100.0), ("1 注", 180.0)];
        let page = page(&lines);
        for (other, why) in [
            (link(20.0, 0, 3, 7, 176.0), "nothing stands before it: a line of the contents"),
            (link(20.0, 0, 9, 7, 176.0), "it is longer than a mark"),
            (link(180.0, 0, 1, 7, 20.0), "it leads up, back to the mark"),
            (link(30.0, 2, 3, 7, 98.0), "it is no mark but a number among words"),
            (link(30.0, 4, 7, 8, 176.0), "it leads to another page"),
            (link(30.0, 4, 7, 7, 150.0), "what stands there begins otherwise"),
            (SheetLink { down: None, ..link(30.0, 4, 7, 7, 176.0) }, "it says no place"),
        ] {
            assert_eq!(page.notes(7, &[other]), [], "{why}");
        }
        assert_eq!(
            page.notes(7, &[link(30.0, 4, 7, 7, 176.0)]).len(),
            1,
            "where all of that is so, it is one"
        );
    }
}
