//! Rules of whole pages, of the cover, and of what the book is to be made as.

use std::collections::BTreeSet;

use domain::document::{Document, Element, Page};
use domain::print_options;

use super::{FindingCode, Making, Report, Severity, TOLERANCE_MM};
use crate::cover::{Wordless, spine_words};
use crate::fonts::Fonts;

/// What concerns the book as a whole; pages that are `unshown`, the cover being 0, are in no copy.
pub(super) fn book(
    report: &mut Report,
    document: &Document,
    making: Option<Making>,
    unshown: &BTreeSet<usize>,
) {
    blanks(report, document, unshown);
    let Some(making) = making else { return };
    let Making { goods, choice } = making;
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
    let sewn: u32 = goods.sections(pages, choice).iter().flatten().sum();
    if let Some(blank @ 1..) = sewn.checked_sub(pages) {
        let sentence = format!(
            "共 {pages} 页，锁线按每张 4 页折成书帖，最后会多 {blank} 页空白；想用上这几页，可以加到 {sewn} 页。"
        );
        report.say(Severity::Note, FindingCode::BlankEnd, &sentence);
    }
    let cover = making.cover(document);
    match spine_words(document, &cover) {
        Err(Wordless::Narrow) => {
            let sentence = format!("的书脊只有 {:.1} 毫米，太窄，不印书名。", cover.spine_mm);
            report.say(Severity::Note, FindingCode::NarrowSpine, &sentence);
        }
        Err(Wordless::Long) => {
            let sentence = "的书名太长，印在书脊上的字会小到看不清，所以书脊上不印；请缩短书名。";
            report.say(Severity::Warning, FindingCode::LongSpineTitle, sentence);
        }
        Ok(_) | Err(Wordless::NoSpine) => {}
    }
}

/// Characters of title and author that no font of the press has: the back of the cover and the spine show both.
pub(super) fn titles(report: &mut Report, document: &Document) {
    let words = document.title.chars().chain(document.author.chars());
    let mut unknown: Vec<char> = words.filter(|c| !c.is_control() && !Fonts::embedded().cover(*c)).collect();
    unknown.dedup();
    if !unknown.is_empty() {
        let characters: String = unknown.into_iter().take(10).collect();
        let sentence =
            format!("的书名或作者里有字体中没有的字符“{characters}”，封底和书脊上会印成空框；请换一种写法。");
        report.say(Severity::Warning, FindingCode::MissingGlyph, &sentence);
    }
}

/// How many pages nothing is printed on, where it is more than one: each is named on its own, too.
fn blanks(report: &mut Report, document: &Document, unshown: &BTreeSet<usize>) {
    // those of a book of ready pages are named together
    if !document.files().is_empty() {
        return;
    }
    let is_shown = |index: &usize| !unshown.contains(&(index + 1));
    let pages = (0..document.pages.len()).filter(is_shown);
    let blank: Vec<usize> = pages.filter(|index| is_blank(&document.pages[*index])).collect();
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
    let has_shapes =
        page.elements.iter().any(|element| matches!(element, Element::Shape(_) | Element::Code(_)));
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
