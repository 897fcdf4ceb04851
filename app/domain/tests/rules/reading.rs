//! The words of a page: reading order, places of characters, hits.

use domain::document::{Crop, PdfPage, Rect, TextRole};
use domain::reading::{
    Flow, Line, PageText, Part, Separators, SheetText, TextBlockRead, page_order, reading_order,
};
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

fn text_part(frame: Rect) -> Part {
    Part { frame, is_heading: false, is_vertical: false }
}

#[test]
fn rules_boxes_and_headings_go_before_columns() {
    // two columns of an article, two of the next one under it
    let columns = [
        rect(0.0, 20.0, 45.0, 30.0),
        rect(50.0, 20.0, 45.0, 30.0),
        rect(0.0, 70.0, 45.0, 30.0),
        rect(50.0, 70.0, 45.0, 30.0),
    ];
    let mut parts: Vec<Part> = columns.map(text_part).to_vec();
    let none = Separators::default();
    assert_eq!(page_order(&parts, &none, 1.0), [0, 2, 1, 3], "nothing says that there are two");
    let rule = Separators { rules: vec![rect(0.0, 60.0, 95.0, 0.2)], boxes: Vec::new() };
    assert_eq!(page_order(&parts, &rule, 1.0), [0, 1, 2, 3]);
    parts.push(Part { is_heading: true, ..text_part(rect(0.0, 58.0, 30.0, 10.0)) });
    assert_eq!(page_order(&parts, &none, 1.0), [0, 1, 4, 2, 3], "a heading over the left one");
    // what stands in a box is read together, and a line in it parts nothing outside
    parts.pop();
    let boxed = Separators { rules: Vec::new(), boxes: vec![rect(48.0, 15.0, 50.0, 90.0)] };
    assert_eq!(page_order(&parts, &boxed, 1.0), [0, 2, 1, 3]);
    let upright = Separators { rules: vec![rect(47.5, 10.0, 0.1, 95.0)], boxes: Vec::new() };
    assert_eq!(page_order(&parts, &upright, 1.0), [0, 2, 1, 3]);
    // lines that run down begin on the right
    let down = [0.0, 10.0, 20.0].map(|x| Part { is_vertical: true, ..text_part(rect(x, 0.0, 8.0, 80.0)) });
    assert_eq!(page_order(&down, &none, 2.0), [2, 1, 0]);
}

#[test]
fn rules_and_boxes_part_what_stands_on_their_sides() {
    let (above, below) = (rect(0.0, 0.0, 40.0, 10.0), rect(0.0, 30.0, 40.0, 10.0));
    let (left, right) = (rect(0.0, 0.0, 40.0, 40.0), rect(50.0, 0.0, 40.0, 40.0));
    for (rules, boxes, over, beside, why) in [
        (vec![], vec![], false, false, "nothing is there"),
        (vec![rect(0.0, 20.0, 40.0, 0.2)], vec![], true, false, "a rule between"),
        (vec![rect(0.0, 20.0, 10.0, 0.2)], vec![], false, false, "a short one"),
        (vec![rect(0.0, 50.0, 40.0, 0.2)], vec![], false, false, "one under both"),
        (vec![rect(45.0, 0.0, 0.2, 40.0)], vec![], false, true, "an upright one between"),
        (vec![], vec![rect(-5.0, -5.0, 100.0, 60.0)], false, false, "a box around all"),
        (vec![], vec![rect(-2.0, 25.0, 44.0, 20.0)], true, false, "a box around one"),
    ] {
        let separators = Separators { rules, boxes };
        assert_eq!(separators.part_over(&above, &below), over, "{why}");
        assert_eq!(separators.part_beside(&left, &right), beside, "{why}");
    }
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

    #[test]
    fn every_part_of_a_printed_page_is_read_once(
        parts in prop::collection::vec((0.0..200.0, 0.0..300.0, 0.1..120.0, 0.1..80.0, any::<bool>(), any::<bool>()), 0..40),
        lines in prop::collection::vec((0.0..200.0, 0.0..300.0, 0.1..200.0, 0.1..2.0), 0..6),
        boxes in prop::collection::vec((0.0..200.0, 0.0..300.0, 10.0..120.0, 10.0..120.0), 0..5),
    ) {
        let parts: Vec<Part> = parts
            .into_iter()
            .map(|(x, y, width, height, is_heading, is_vertical)| Part { frame: rect(x, y, width, height), is_heading, is_vertical })
            .collect();
        let of = |all: Vec<(f64, f64, f64, f64)>| all.into_iter().map(|(x, y, width, height)| rect(x, y, width, height)).collect();
        let mut order = page_order(&parts, &Separators { rules: of(lines), boxes: of(boxes) }, 1.0);
        order.sort_unstable();
        prop_assert_eq!(order, (0..parts.len()).collect::<Vec<_>>());
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
        SheetText { width: 100.0, height: 200.0, text: PageText { blocks }, ..SheetText::default() }
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
    fn the_number_before_a_note_leads_back_to_its_mark() {
        let lines = [
            ("正文[1]和别的[1]。", 20.0),
            ("下一行[2]的字。", 30.0),
            ("[1] 第一个注。", 178.0),
            ("[2] 第二个注。", 186.0),
        ];
        let page = page(&lines);
        let marks = [link(20.0, 2, 5, 7, 168.0), link(20.0, 8, 11, 7, 168.0), link(30.0, 3, 6, 7, 176.0)];
        let numbers = [link(178.0, 0, 3, 7, 16.5), link(186.0, 0, 3, 7, 26.5)];
        let all: Vec<SheetLink> = numbers.iter().chain(&marks).cloned().collect();
        let found: Vec<_> = page.notes(7, &all).iter().map(|note| (note.link, note.back)).collect();
        assert_eq!(found, [(2, Some(0)), (3, None), (4, Some(1))], "of two marks it leads to the first");
        // one that leads elsewhere leads there
        let other = [link(178.0, 0, 3, 8, 16.5), link(186.0, 0, 3, 7, 100.0)];
        let all: Vec<SheetLink> = marks.iter().chain(&other).cloned().collect();
        assert!(page.notes(7, &all).iter().all(|note| note.back.is_none()));
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
