//! Months of calendars: everything is printed, readable, and inside its cell.

use crate::common::*;
use domain::calendar::{
    DaysOff, MonthBlock, MonthPart, Plan, WeekStart, YearMonth, make, parse_anniversaries,
};
use domain::document::{Crop, Document, Element, Rect, Trim};
use domain::layout::PhotoInput;
use press::{FindingCode, PageRef, Press, Severity, themes};

/// February with four weeks, May with six, January with five, a month with 休 and 班, and one with long festivals.
const MONTHS: [(i32, u8); 5] = [(2027, 2), (2027, 5), (2027, 1), (2026, 2), (2025, 10)];
/// Grids as they stand on a desk, on a wall, and beside an upright photo.
const GRIDS: [(f64, f64); 4] = [(85.0, 124.0), (264.0, 118.0), (192.0, 82.0), (109.0, 96.0)];
/// A longest name on a day with a festival, several on one day, and words without a place to break.
const OWN: &str = "2-14 结婚纪念日二十周年金婚\n2-17 爷爷生日\n2-17 奶奶生日\n2-17 小满满月酒\n5-9 WWWWWWWWWWWW\n1-1 元旦在老家过\n10-6 外婆\n\
                   1-31 Anniversary!\n10-31 一二三四五六七八九十一二";

fn grid(month: (i32, u8), frame: Rect, week_start: WeekStart, own: &str) -> Element {
    let month = YearMonth::new(month.0, month.1).expect("a month");
    Element::Month(MonthBlock {
        common: domain::document::Common::default(),
        frame,
        part: MonthPart::Grid,
        month,
        week_start,
        anniversaries: parse_anniversaries(own).expect("lines"),
        days_off: DaysOff::of(month),
    })
}

/// Every word of a page with its box in mm from the trimmed page's corner: left, top, right, bottom.
fn words(pdf: &[u8]) -> Vec<Vec<(String, [f64; 4])>> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, pdf).expect("the PDF is written");
    let output = std::process::Command::new("pdftotext")
        .args(["-bbox".as_ref(), file.as_os_str(), "-".as_ref()])
        .output()
        .expect("pdftotext");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let boxes = pdf_boxes(pdf);
    let pages = text.split("<page ").skip(1).zip(&boxes);
    pages
        .map(|(page, boxes)| {
            let (left, top) = (boxes.trim[0] - boxes.media[0], boxes.media[3] - boxes.trim[3]);
            page.split("<word ")
                .skip(1)
                .map(|word| {
                    let number = |name: &str| -> f64 {
                        let rest = word.split_once(&format!("{name}=\"")).expect("an attribute").1;
                        rest.split('"').next().and_then(|number| number.parse().ok()).expect("a number")
                    };
                    let mm = |pt: f64| pt * 25.4 / 72.0;
                    let place = [
                        mm(number("xMin") - left),
                        mm(number("yMin") - top),
                        mm(number("xMax") - left),
                        mm(number("yMax") - top),
                    ];
                    let content = word.split_once('>').and_then(|rest| rest.1.split_once("</word>"));
                    (content.map(|content| content.0.to_owned()).expect("a word"), place)
                })
                .collect()
        })
        .collect()
}

#[test]
fn nothing_leaves_its_cell_in_any_theme() {
    for theme in themes() {
        let mut pages = Vec::new();
        for (width, height) in GRIDS {
            for month in MONTHS {
                for week_start in [WeekStart::Monday, WeekStart::Sunday] {
                    pages.push(page(vec![grid(month, rect(12.0, 14.0, width, height), week_start, OWN)]));
                }
            }
        }
        let mut book = document(theme.name, pages);
        book.trim = Trim { width: 300.0, height: 210.0 };
        let (pdf, _) = print(&book, &Library::default());
        for (side, words) in book.pages.iter().zip(words(&pdf)) {
            let Element::Month(block) = &side.elements[0] else { panic!("a month") };
            let frame = block.frame;
            let column = frame.width / 7.0;
            // the head has seven weekdays, and every day has its number
            assert!(
                words.len() >= 7 + 2 * usize::from(block.month.days()),
                "{}: {}",
                block.month,
                words.len()
            );
            for (word, [left, top, right, bottom]) in &words {
                let about = format!("{} {} {word} {left} {right}", theme.name, block.month);
                let cell = ((left + right) / 2.0 - frame.x).div_euclid(column);
                let start = frame.x + cell * column;
                assert!(*left >= start - 0.2 && *right <= start + column + 0.2, "{about} {start} {column}");
                // the box of a word is as high as its font, which is more than its characters
                assert!(*top >= frame.y - 3.0 && *bottom <= frame.y + frame.height + 1.5, "{about}");
            }
        }
    }
}

const TERMS: [&str; 24] = [
    "小寒", "大寒", "立春", "雨水", "惊蛰", "春分", "清明", "谷雨", "立夏", "小满", "芒种", "夏至", "小暑",
    "大暑", "立秋", "处暑", "白露", "秋分", "寒露", "霜降", "立冬", "小雪", "大雪", "冬至",
];

/// 春分 of 2026 is 龙抬头, 寒露 of 2027 is 重阳节, and more such days come.
#[test]
fn a_solar_term_is_never_lost_behind_a_festival() {
    let printed = |months: Vec<(i32, u8)>, (width, height): (f64, f64), own: &str| -> Vec<String> {
        let frame = rect(12.0, 14.0, width, height);
        let pages = months.into_iter().map(|month| page(vec![grid(month, frame, WeekStart::Monday, own)]));
        let mut book = document("calm", pages.collect());
        book.trim = Trim { width: 300.0, height: 150.0 };
        let pages = words(&print(&book, &Library::default()).0);
        pages.into_iter().map(|page| page.into_iter().map(|(word, _)| word).collect()).collect()
    };
    for size in GRIDS {
        let pages = printed(vec![(2026, 3), (2027, 10)], size, "");
        for (page, names) in pages.iter().zip([["龙抬头", "春分"], ["重阳节", "寒露"]]) {
            assert!(names.iter().all(|name| page.contains(name)), "{size:?}: {names:?} in {page}");
        }
    }
    // where there is room for one of them alone, and with something of the member's own below
    for (size, own) in [((64.0, 60.0), ""), (GRIDS[0], "3-20 外婆的生日\n10-8 爬山")] {
        let year = |year| (1..=12).map(|month| (year, month)).collect();
        for year in [year(2026), year(2027)] {
            let whole = printed(year, size, own).concat();
            for term in TERMS {
                assert!(whole.contains(term), "{size:?}: {term}");
            }
        }
    }
}

#[test]
fn the_print_file_says_what_the_days_are() {
    for theme in themes() {
        let own = "2-20 妈妈生日\n2-25 #[x]$y$*粗*";
        let pages = vec![page(vec![grid((2026, 2), rect(12.0, 14.0, 186.0, 160.0), WeekStart::Monday, own)])];
        let (pdf, _) = print(&document(theme.name, pages), &Library::default());
        let words: Vec<String> = words(&pdf).remove(0).into_iter().map(|(word, _)| word).collect();
        let text = words.join(" ");
        for expected in
            ["春节", "除夕", "立春", "雨水", "情人节", "小年", "廿一", "妈妈生日", "#[x]$y$*粗*", "28"]
        {
            assert!(text.contains(expected), "{}: no {expected} in {text}", theme.name);
        }
        // nine days off from the 15th, the 14th and the 28th to make up for them
        assert_eq!(text.matches('休').count(), 9, "{text}");
        assert_eq!(text.matches('班').count(), 2, "{text}");
        assert!(!text.contains('…'), "nothing is shortened: {text}");
    }
}

fn calendar(theme: &str, trim: (f64, f64), own: &str) -> (Document, Library) {
    let plan = Plan {
        trim: Trim { width: trim.0, height: trim.1 },
        theme: theme.to_owned(),
        title: "山河岁月".to_owned(),
        start: YearMonth::new(2026, 12).expect("a month"),
        months: 12,
        week_start: WeekStart::Monday,
        anniversaries: parse_anniversaries(own).expect("lines"),
        is_facing: false,
    };
    let photo = |name: &str, width, height| PhotoInput::new(id(name), width, height);
    let photos = [photo("wide", 1800, 1200), photo("tall", 1200, 1800)];
    let library =
        Library::default().jpeg("wide", &landscape(1800, 1200), 1).jpeg("tall", &landscape(1200, 1800), 1);
    (make(&plan, &photos).expect("a calendar"), library)
}

#[test]
fn whole_calendars_pass_preflight_in_every_theme_and_size() {
    for theme in themes() {
        for trim in [(210.0, 148.0), (297.0, 420.0)] {
            let (book, library) = calendar(theme.name, trim, "3-15 妈妈生日\n农历八月初八 外婆生日");
            let findings = Press::new()
                .preflight(
                    &book,
                    None,
                    &|photo| library.originals.get(photo).map(|(original, _)| *original),
                    &|_| Default::default(),
                    &|| true,
                )
                .expect("findings");
            // small test photos are not sharp enough; everything else is as it should be
            let others: Vec<_> = findings
                .iter()
                .filter(|finding| finding.severity > Severity::Note)
                .filter(|finding| {
                    !matches!(finding.code, FindingCode::LowResolution | FindingCode::VeryLowResolution)
                })
                .collect();
            assert!(others.is_empty(), "{} {trim:?}: {others:#?}", theme.name);
            assert!(!findings.iter().any(|finding| finding.code == FindingCode::BlankPage));
        }
    }
}

#[test]
fn preflight_names_what_is_wrong_with_a_month() {
    let found = |element: Element| -> Vec<(FindingCode, String)> {
        let book = document("calm", vec![page(vec![element])]);
        let findings = Press::new()
            .preflight(&book, None, &|_| None, &|_| Default::default(), &|| true)
            .expect("findings");
        findings
            .into_iter()
            .filter(|f| f.page == Some(PageRef::Inner(0)))
            .map(|f| (f.code, f.message))
            .collect()
    };
    let whole = rect(12.0, 14.0, 186.0, 160.0);
    assert_eq!(found(grid((2027, 3), whole, WeekStart::Monday, "3-15 妈妈生日")), []);
    let code = |element: Element| found(element).into_iter().map(|found| found.0).collect::<Vec<_>>();
    let at = |x: f64, y: f64| grid((2027, 3), rect(x, y, 186.0, 160.0), WeekStart::Monday, "");
    assert_eq!(code(at(3.0, 14.0)), [FindingCode::OutsideSafeArea]);
    assert_eq!(code(at(12.0, 6.0)), [FindingCode::NearFold]);
    assert_eq!(code(at(300.0, 14.0)), [FindingCode::OutsidePage]);
    let small = rect(12.0, 14.0, 84.0, 90.0);
    let long = found(grid((2027, 3), small, WeekStart::Monday, "3-15 WWWWWWWWWWWW"));
    assert_eq!(long.len(), 1, "{long:?}");
    assert!(long[0].0 == FindingCode::TextOverflow && long[0].1.contains("3 月 15 日"), "{long:?}");
    assert_eq!(
        code(grid((2027, 3), rect(12.0, 14.0, 50.0, 90.0), WeekStart::Monday, "")).first(),
        Some(&FindingCode::TextOverflow)
    );
    assert_eq!(
        code(grid((2027, 3), whole, WeekStart::Monday, "3-15 \u{10600}")),
        [FindingCode::MissingGlyph]
    );
    let mut book = document("calm", vec![page(vec![at(12.0, 14.0), photo("lost", whole, Crop::WHOLE)])]);
    book.title = String::new();
    let findings =
        Press::new().preflight(&book, None, &|_| None, &|_| Default::default(), &|| true).expect("findings");
    assert!(findings.iter().any(|finding| finding.code == FindingCode::HiddenText));
}
