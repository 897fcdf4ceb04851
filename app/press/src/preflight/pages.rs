//! Rules of whole pages, of the cover, and of what the book is to be made as.

use domain::document::{Document, Element, Page};
use domain::print_options;

use super::{FindingCode, Making, Report, Severity, TOLERANCE_MM};
use crate::print::{SPINE_WORDS_FROM_MM, SPINE_WORDS_SHARE, spine_words_mm};

/// The least height of words that are read on a shelf, in mm: 6 pt.
const READABLE_MM: f64 = 6.0 * 25.4 / 72.0;

/// What concerns the book as a whole.
pub(super) fn book(report: &mut Report, document: &Document, making: Option<Making>) {
    blanks(report, document);
    let Some(Making { goods, choice }) = making else { return };
    let (trim, made) = (document.trim, goods.trim);
    let differs = |one: f64, other: f64| (one - other).abs() > TOLERANCE_MM;
    if differs(trim.width, made.width) || differs(trim.height, made.height) {
        let sentence = format!(
            "的页面是 {} × {} 毫米，{}是 {} × {} 毫米，印出来会被缩放或裁掉；请选合适的商品。",
            trim.width, trim.height, goods.name, made.width, made.height
        );
        report.say(Severity::Serious, FindingCode::WrongSize, &sentence);
    }
    // no book has more pages than a u32 counts; one that does fits nothing
    let pages = u32::try_from(document.pages.len()).unwrap_or(u32::MAX);
    if let Err(refusal) = print_options::check(goods, pages, choice) {
        let sentence = format!("共 {pages} 页，选好的印刷方式做不了：{refusal}。");
        report.say(Severity::Serious, FindingCode::UnfitChoice, &sentence);
    }
    let Some(spine) = goods.spine_mm(pages, choice).filter(|spine| *spine > 0.0) else { return };
    if spine < SPINE_WORDS_FROM_MM {
        let sentence = format!("的书脊只有 {spine:.1} 毫米，太窄，不印书名。");
        report.say(Severity::Note, FindingCode::NarrowSpine, &sentence);
        return;
    }
    let size = spine_words_mm(spine);
    let length = document.title.chars().map(|character| advance(character) * size).sum::<f64>();
    let room = trim.height * SPINE_WORDS_SHARE;
    if size * (room / length).min(1.0) < READABLE_MM {
        let sentence = "的书名太长，印在书脊上的字会小到看不清；请缩短书名。";
        report.say(Severity::Warning, FindingCode::LongSpineTitle, sentence);
    }
}

/// How many pages nothing is printed on, where it is more than one: each is named on its own, too.
fn blanks(report: &mut Report, document: &Document) {
    // those of a book of ready pages are named together
    if !document.files().is_empty() {
        return;
    }
    let blank: Vec<usize> =
        (0..document.pages.len()).filter(|index| is_blank(&document.pages[*index])).collect();
    if blank.len() < 2 {
        return;
    }
    let named: Vec<String> = blank.iter().take(MOST_NAMED).map(|index| (index + 1).to_string()).collect();
    let more = if blank.len() > MOST_NAMED { " 等" } else { "" };
    let sentence = format!(
        "有 {} 页空白（第 {}{more}页）；可以放照片、写字，或在“整理书页”里成对删去。",
        blank.len(),
        named.join("、"),
    );
    report.say(Severity::Warning, FindingCode::BlankPages, &sentence);
}

/// Pages that are named one by one.
const MOST_NAMED: usize = 8;

/// Whether nothing is printed on a page.
fn is_blank(page: &Page) -> bool {
    page.elements
        .iter()
        .all(|element| matches!(element, Element::Text(block) if block.text.trim().is_empty()))
}

/// What concerns one page as a whole. `number` counts the cover as 0.
pub(super) fn page(report: &mut Report, document: &Document, number: usize) {
    let Some(page) = document.all_pages().nth(number) else { return };
    let has_words = words(page).any(|text| !text.is_empty()) || page.months().next().is_some();
    let has_pdf = page.pdfs().next().is_some();
    let has_shapes = page.elements.iter().any(|element| matches!(element, Element::Shape(_)));
    let has_pictures = has_pdf || has_shapes || page.photos().next().is_some();
    let is_blank = !has_pictures && !has_words;
    match (number, is_blank) {
        (0, true) => {
            let sentence = "上没有照片也没有文字；请至少放上书名。";
            report.say(Severity::Warning, FindingCode::BlankCover, sentence);
        }
        (0, false) if !has_pdf && !words(page).any(|text| text.contains(document.title.trim())) => {
            report.say(Severity::Note, FindingCode::UntitledCover, "上没有书名。");
        }
        // those of a book of ready pages are named together
        (1.., true) if !document.files().is_empty() => {}
        (1.., true) => report.say(Severity::Note, FindingCode::BlankPage, "是空白页。"),
        _ => {}
    }
}

fn words(page: &Page) -> impl Iterator<Item = &str> {
    page.texts().map(|block| block.text.trim())
}

/// About how far a character reaches along the spine, in its own height: Chinese ones are square and have air between
/// them, others are turned.
fn advance(character: char) -> f64 {
    if character < '\u{2e80}' { 0.6 } else { 1.12 }
}
