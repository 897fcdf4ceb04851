//! Rules of books that are made of PDFs, from the document alone; [`super::inside`] has those of what stands in the pages.

use domain::document::{Document, PdfPage};
use domain::manuscript::{TITLE_LEAF, covers};

use super::{FindingCode, Report, Severity};

/// Runs of pages that are named one by one.
const NAMED: usize = 8;

/// What concerns the pages together.
pub(super) fn book(report: &mut Report, document: &Document) {
    let trim = document.trim;
    let shown: Vec<(usize, &PdfPage)> = (1..)
        .zip(&document.pages)
        .flat_map(|(number, page)| page.pdfs().map(move |pdf| (number, pdf)))
        .collect();
    if shown.is_empty() {
        return;
    }
    let scaled: Vec<_> = shown.iter().filter(|(_, pdf)| !covers(pdf, trim)).collect();
    if !scaled.is_empty() {
        let pages = runs(scaled.iter().map(|(number, _)| *number));
        let sentence =
            format!("的第 {pages} 页来自另一种大小或形状的 PDF 页面，已等比缩放、居中放好；请看看是否合适。");
        report.say(Severity::Warning, FindingCode::ScaledPage, &sentence);
    }
    let blank = document.pages.iter().rev().take_while(|page| page.elements.is_empty()).count();
    if blank > 0 {
        let sentence = format!("最后有 {blank} 张空白页，用来凑足能装订的页数。");
        report.say(Severity::Note, FindingCode::BlankEnd, &sentence);
    }
    let last = document.pages.len() - blank;
    let empty = document.pages.iter().take(last).enumerate().filter(|(_, page)| page.elements.is_empty());
    // the back of a title page is meant to be empty
    let empty: Vec<usize> =
        empty.map(|(index, _)| index + 1).filter(|number| *number != TITLE_LEAF as usize).collect();
    if !empty.is_empty() {
        let sentence = format!("的第 {} 页是空白页。", runs(empty.into_iter()));
        report.say(Severity::Note, FindingCode::BlankPage, &sentence);
    }
}

/// Page numbers as people write them: `1、3–5`.
pub(crate) fn runs(numbers: impl Iterator<Item = usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 >= number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let name = |(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}–{last}") }
    };
    let named: Vec<String> = runs.iter().take(NAMED).map(name).collect();
    let more = if runs.len() > NAMED { "等" } else { "" };
    format!("{}{more}", named.join("、"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn pages_in_a_row_are_named_together() {
        let runs = |numbers: &[usize]| super::runs(numbers.iter().copied());
        assert_eq!(runs(&[1, 3, 4, 5, 9]), "1、3–5、9");
        assert_eq!(runs(&[2, 4, 6, 8, 10, 12, 14, 16, 18]), "2、4、6、8、10、12、14、16等");
    }
}
