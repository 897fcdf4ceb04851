//! Words and links of PDFs.

use crate::common::pdfs::{Pdf, numbers};
use domain::document::{Crop, PdfPage, Rect, TextRole, Trim};
use domain::reading::{LinkTarget, SheetText};
use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Object, Stream, dictionary};
use press::manuscript::{Markup, Pictures, Style, set};
use press::pdf;

pub(super) const CHINESE: &str = "# 一本书\n\n## 山路\n\n清晨的雾还没有散，山路上只有我们的脚步声。走到半山腰的时候，太阳从云里出来，整个山谷一下子亮了；远处的村子里\
                       升起炊烟，狗叫声隔着一条河传过来。\n\n第二段从这里开始，说的是 Bindery 书坊的 2026 年。\n\n- 一项\n- 两项\n\n## 后记\n\n完。\n";

pub(super) fn set_text(text: &str) -> Vec<u8> {
    let trim = Trim { width: 148.0, height: 210.0 };
    let style =
        Style { trim, theme: "classic".to_owned(), first_page: 1, title: None, emoji: Default::default() };
    set(text, Markup::Markdown, &style, &Pictures::default()).expect("no fault").expect("a text").pdf
}

/// Strings at places in points, 10 points high.
fn strings(strings: &[(f64, f64, &str)]) -> Vec<u8> {
    let mut operations =
        vec![Operation::new("BT", vec![]), Operation::new("Tf", vec!["F1".into(), 10.into()])];
    for (x, y, words) in strings {
        let place = [1.0, 0.0, 0.0, 1.0, *x, *y].map(|number| Object::Real(number as f32)).to_vec();
        operations.push(Operation::new("Tm", place));
        operations.push(Operation::new("Tj", vec![Object::string_literal(*words)]));
    }
    operations.push(Operation::new("ET", vec![]));
    let mut pdf = Pdf::new();
    let content = Content { operations }.encode().expect("operations");
    let content = pdf.document.add_object(Stream::new(Dictionary::new(), content));
    pdf.add(210.0, 297.0, content, Dictionary::new()).bytes()
}

fn said(sheet: &SheetText) -> Vec<&str> {
    sheet.text.blocks.iter().map(|block| block.text.as_str()).collect()
}

#[test]
fn chinese_comes_back_as_it_was_set() {
    let sheet = pdf::text(&set_text(CHINESE), 1).expect("words");
    let plain: String = sheet.text.plain().chars().filter(|c| !c.is_whitespace()).collect();
    for part in [
        "山路",
        "清晨的雾还没有散，山路上只有我们的脚步声。",
        "狗叫声隔着一条河传过来。",
        "说的是Bindery书坊的2026年。",
    ] {
        assert!(plain.contains(part), "{part} in {plain}");
    }
    assert_eq!(sheet.unread, 0);
    let hits = sheet.text.find("太阳从云里出来");
    assert_eq!(hits.len(), 1, "{plain}");
    let heading = sheet.text.blocks.iter().find(|block| block.text == "山路").expect("the heading");
    assert!(matches!(heading.role, TextRole::Heading | TextRole::Title));
    let paragraph =
        sheet.text.blocks.iter().find(|block| block.text.starts_with("清晨")).expect("the paragraph");
    let first = paragraph.text.lines().next().expect("a line");
    assert!(paragraph.lines.len() > 2 && first.ends_with("传过来。") && !first.contains(' '), "{first}");
    for line in sheet.text.blocks.iter().flat_map(|block| &block.lines) {
        assert_eq!(line.edges.len(), line.length() + 1, "{}", line.text);
        assert!(line.frame.x > 0.0 && line.frame.x + line.frame.width < sheet.width, "{:?}", line.frame);
    }
}

#[test]
fn columns_are_read_one_after_the_other() {
    let mut lines = vec![(72.0, 760.0, "A headline that goes across both of the columns on this page")];
    for row in 0..8 {
        let y = 720.0 - 12.0 * f64::from(row);
        lines.push((
            72.0,
            y,
            ["left one two three four five six", "left again with some more words"][row as usize % 2],
        ));
        lines.push((320.0, y, "right column has other words here"));
    }
    lines.push((72.0, 560.0, "A footer that goes across both of the columns on this page"));
    let sheet = pdf::text(&strings(&lines), 1).expect("words");
    let all = sheet.text.plain();
    let at = |words: &str| all.find(words).unwrap_or_else(|| panic!("{words} in {all}"));
    let last_left = all.rfind("left").expect("the left column");
    assert!(at("A headline") < at("left one") && last_left < at("right column"), "{all}");
    assert!(all.rfind("right").expect("the right column") < at("A footer"), "{all}");
}

#[test]
fn words_drawn_in_pieces_are_one_line() {
    let lines = [
        (72.0, 700.0, "Read"),
        (95.0, 700.0, "ing pieces"),
        (72.0, 650.0, "a hyphen-"),
        (72.0, 638.0, "ated word"),
    ];
    let sheet = pdf::text(&strings(&lines), 1).expect("words");
    assert_eq!(said(&sheet), ["Reading pieces", "a hyphen\u{ad}ated word"]);
    assert_eq!(sheet.text.find("hyphenated")[0].frames.len(), 2);
}

#[test]
fn what_a_page_shows_of_a_pdf_stands_where_it_shows_it() {
    let bytes = Pdf::new().page(210.0, 297.0, "Bindery").bytes();
    let sheet = pdf::text(&bytes, 1).expect("words");
    assert!((sheet.width - 210.0).abs() < 0.1 && (sheet.height - 297.0).abs() < 0.1);
    let file: String = "ab".repeat(32);
    let frame = Rect { x: 10.0, y: 20.0, width: 105.0, height: 148.5 };
    let whole = PdfPage::new(file.parse().expect("a digest"), 1, frame, Crop::WHOLE);
    let line = &sheet.placed(&whole).blocks[0].lines[0];
    // 100 points from the left and from below, at half the size
    let mm = 25.4 / 72.0;
    assert!((line.frame.x - (10.0 + 50.0 * mm)).abs() < 0.1, "{:?}", line.frame);
    assert!(
        (line.frame.y + line.frame.height * 0.83 - (20.0 + 148.5 - 50.0 * mm)).abs() < 0.4,
        "{:?}",
        line.frame
    );
    assert!((line.edges[0] - line.frame.x).abs() < 0.05);
    // the upper half shows none of it
    let half = PdfPage { crop: Crop { x: 0.0, y: 0.0, width: 1.0, height: 0.5 }, ..whole };
    assert!(sheet.placed(&half).blocks.is_empty());
}

#[test]
fn turned_pages_are_read_as_they_are_shown() {
    let bytes = Pdf::new().page_with(210.0, 297.0, "Turned", dictionary! { "Rotate" => 90 }).bytes();
    let sheet = pdf::text(&bytes, 1).expect("words");
    assert!(sheet.width > sheet.height);
    assert_eq!(said(&sheet), ["Turned"]);
    assert!(sheet.text.blocks[0].lines[0].edges.is_empty(), "it runs downwards");
}

fn link(rect: [f64; 4], more: Dictionary) -> Object {
    let mut link = dictionary! { "Type" => "Annot", "Subtype" => "Link", "Rect" => numbers(rect) };
    for (key, value) in more.iter() {
        link.set(key.clone(), value.clone());
    }
    Object::Dictionary(link)
}

fn to(address: &str) -> Dictionary {
    dictionary! { "A" => dictionary! { "S" => "URI", "URI" => Object::string_literal(address) } }
}

#[test]
fn links_lead_where_readers_may_go() {
    let place = [59.5, 84.2, 119.0, 168.4];
    let page =
        |more: Object| dictionary! { "MediaBox" => numbers([0.0, 0.0, 595.0, 842.0]), "Annots" => more };
    let links = |annotations: Vec<Object>| {
        let bytes = Pdf::new()
            .page_with(210.0, 297.0, "one", page(Object::Array(annotations)))
            .page(210.0, 297.0, "two")
            .bytes();
        pdf::links(&bytes, 1).expect("links")
    };
    let taken =
        ["https://books.example/a?b=1", "http://books.example", "mailto:a@books.example", "tel:+8610"];
    let refused = [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "https:",
        "https://a b",
        "relative.html",
    ];
    let all = taken.iter().chain(&refused).map(|address| link(place, to(address))).collect();
    let found = links(all);
    let addresses: Vec<LinkTarget> =
        taken.iter().map(|address| LinkTarget::Uri((*address).to_owned())).collect();
    assert_eq!(found.iter().map(|link| link.target.clone()).collect::<Vec<_>>(), addresses);
    assert_eq!(found[0].frame, Rect { x: 100.0, y: 800.0, width: 100.0, height: 100.0 });

    let second = |page: Object| dictionary! { "Dest" => vec![page, "Fit".into()] };
    assert_eq!(links(vec![link(place, second(1.into()))])[0].target, LinkTarget::Page(2));
    assert!(links(vec![link(place, second(9.into()))]).is_empty());
    assert!(links(vec![link([1.0, 1.0, 1.2, 1.2], to(taken[0]))]).is_empty(), "nobody could touch it");
    assert_eq!(links((0..2_000).map(|_| link(place, to(taken[0]))).collect()).len(), pdf::MOST_LINKS);
}

#[test]
fn footnotes_of_a_text_are_found_from_their_marks() {
    let bytes = set_text(
        "塔建于一八五三年[^年]，人住在塔下[^人]，又说一次[^年]。\n\n[^年]: 县志说是**一八五四年**。\n\n    另一说不可信。\n[^人]: 一家三代。\n",
    );
    let (sheet, links) = (pdf::text(&bytes, 1).expect("words"), pdf::links(&bytes, 1).expect("links"));
    let notes = sheet.notes(1, &links);
    let found: Vec<(&str, String)> =
        notes.iter().map(|note| (note.mark.as_str(), note.text.replace(char::is_whitespace, ""))).collect();
    let year = "县志说是一八五四年。另一说不可信。".to_owned();
    assert_eq!(
        found,
        [("1", year.clone()), ("2", "一家三代。".to_owned()), ("1", year)],
        "{sheet:?} {links:?}"
    );
}

/// As another program follows them: where links stand, and the page and height to which they lead, from below in points.
fn destinations(bytes: &[u8]) -> Vec<(u32, [f64; 4], u32, f64)> {
    let file = lopdf::Document::load_mem(bytes).expect("a PDF");
    let pages = file.get_pages();
    let number_of =
        |id: lopdf::ObjectId| pages.iter().find(|(_, page)| **page == id).map(|(number, _)| *number);
    let float = |object: &Object| f64::from(object.as_float().expect("a number"));
    let mut found = Vec::new();
    for (number, page) in &pages {
        for link in file.get_page_annotations(*page).expect("annotations") {
            let rect = link.get(b"Rect").and_then(Object::as_array).expect("a place");
            let place = [0, 1, 2, 3].map(|side| float(&rect[side]));
            let action = link.get(b"A").and_then(|action| file.dereference(action)).ok();
            let of_action = action.and_then(|(_, action)| action.as_dict().ok()?.get(b"D").ok());
            let Some(to) = of_action.or_else(|| link.get(b"Dest").ok()) else { continue };
            let to = file.dereference(to).expect("a destination").1.as_array().expect("a destination");
            let on = to[0].as_reference().ok().and_then(number_of).expect("a page of the file");
            found.push((*number, place, on, float(&to[3])));
        }
    }
    found
}

#[test]
fn numbers_of_footnotes_and_their_marks_lead_to_each_other() {
    let bytes = set_text(
        "第一行[^一]的字。\n\n第二行[^二]的字，又一次[^一]。\n\n[^一]: 注的话。\n[^二]: 另一个注。\n",
    );
    let links = destinations(&bytes);
    // marks stand over the notes, and lead down
    let (marks, numbers): (Vec<_>, Vec<_>) = links.iter().partition(|(_, place, _, to)| *to < place[1]);
    assert_eq!((marks.len(), numbers.len()), (3, 2), "{links:?}");
    for (page, number, to, height) in &numbers {
        assert_eq!(page, to, "on the page of its mark");
        let own = marks.iter().filter(|(_, mark, ..)| (mark[1] - 1.0..mark[3] + 36.0).contains(height));
        let nearest = own.min_by(|(_, one, ..), (_, other, ..)| {
            (height - one[3]).abs().total_cmp(&(height - other[3]).abs())
        });
        let (.., lands) = nearest.expect("a mark where it leads");
        assert!(
            (number[1] - 1.0..number[3] + 36.0).contains(lands),
            "that mark leads to this note: {links:?}"
        );
    }
    let (sheet, read) = (pdf::text(&bytes, 1).expect("words"), pdf::links(&bytes, 1).expect("links"));
    let notes = sheet.notes(1, &read);
    let backs: Vec<bool> = notes.iter().map(|note| note.back.is_some()).collect();
    assert_eq!(backs, [true, true, false], "the second mark of a note is not led back to: {notes:?}");
    assert!(
        notes
            .iter()
            .filter_map(|note| note.back)
            .all(|back| read[back].frame.y > read[notes[0].link].frame.y)
    );
}

#[test]
fn names_and_references_are_followed() {
    let mut pdf = Pdf::new();
    let first = pdf.document.new_object_id();
    let action =
        dictionary! { "A" => dictionary! { "S" => "GoTo", "D" => vec![first.into(), "Fit".into()] } };
    let annotations = Object::Array(vec![link([0.0, 0.0, 100.0, 100.0], action)]);
    let bytes = pdf
        .page(100.0, 100.0, "one")
        .page_with(100.0, 100.0, "two", dictionary! { "Annots" => annotations })
        .bytes();
    // the reference names no page of the file
    assert!(pdf::links(&bytes, 2).expect("links").is_empty());
}

#[test]
fn links_are_placed_with_their_page() {
    let link = domain::reading::SheetLink {
        frame: Rect { x: 500.0, y: 500.0, width: 500.0, height: 100.0 },
        target: LinkTarget::Page(1),
        down: None,
    };
    let file: String = "ab".repeat(32);
    let frame = Rect { x: 0.0, y: 0.0, width: 100.0, height: 200.0 };
    let shown = PdfPage::new(file.parse().expect("a digest"), 1, frame, Crop::WHOLE);
    let placed = link.placed(&shown, Trim { width: 100.0, height: 200.0 }).expect("it is seen");
    assert_eq!(placed, link.frame);
    let beside = PdfPage { frame: Rect { x: 80.0, ..frame }, ..shown };
    assert!(link.placed(&beside, Trim { width: 100.0, height: 200.0 }).is_none());
}

#[test]
fn hostile_files_are_refused_or_say_little() {
    assert!(pdf::text(b"no PDF", 1).is_err() && pdf::links(b"%PDF-1.7", 1).is_err());
    let bytes = strings(&[(72.0, 700.0, "one page")]);
    assert!(pdf::text(&bytes, 2).is_err() && pdf::text(&bytes, 0).is_err());
    let many: Vec<(f64, f64, &str)> = (0..900)
        .map(|row| {
            (
                20.0,
                20.0 + f64::from(row % 800),
                "a line of letters that is written again and again until it is too much for one page",
            )
        })
        .collect();
    let sheet = pdf::text(&strings(&many), 1).expect("words");
    assert!(sheet.is_cut);
}

#[test]
fn chapters_are_those_of_the_outline() {
    let facts = pdf::inspect(&set_text(CHINESE)).expect("a whole file");
    let names: Vec<&str> = facts.chapters.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["山路", "后记"], "{:?}", facts.chapters);
    assert!(facts.chapters.iter().all(|(page, _)| (1..=facts.sheets.len() as u32).contains(page)));

    let bytes = Pdf::new().page(210.0, 297.0, "one").page(210.0, 297.0, "two").bytes();
    let mut file = lopdf::Document::load_mem(&bytes).expect("a PDF");
    let second = file.get_pages()[&2];
    let [first, next] = [file.new_object_id(), file.new_object_id()];
    let title = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_be_bytes);
        Object::string_literal([0xfe, 0xff].into_iter().chain(units).collect::<Vec<u8>>())
    };
    file.objects.insert(
        first,
        dictionary! { "Title" => title("第一章\r\n海边"), "Dest" => vec![0.into(), "Fit".into()], "Next" => next }.into(),
    );
    // the last one leads back to the first: nobody goes round for ever
    file.objects.insert(
        next,
        dictionary! { "Title" => title("第二章"), "Dest" => vec![second.into(), "Fit".into()], "Next" => first }.into(),
    );
    let outlines = file.add_object(dictionary! { "First" => first, "Last" => next, "Count" => 2 });
    let catalog = file.catalog_mut().expect("a catalog");
    catalog.set("Outlines", outlines);
    let mut bytes = Vec::new();
    file.save_to(&mut bytes).expect("a PDF");
    let facts = pdf::inspect(&bytes).expect("a whole file");
    assert_eq!(facts.chapters, [(1, "第一章 海边".to_owned()), (2, "第二章".to_owned())]);
}
