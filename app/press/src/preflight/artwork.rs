//! Rules of what is put on a cover besides ink, and of covers that take no ink.

use domain::document::{Document, Element};

use super::texts::excerpt;
use super::{FindingCode, Making, Measured, Report, Severity};
use crate::screen::PageRef;

/// What concerns the cover as it is to be made; `measured` is what the theme says of its texts by their places.
pub(super) fn cover<'m>(
    report: &mut Report,
    document: &Document,
    Making { goods, choice }: Making,
    measured: impl Fn(usize) -> Option<&'m Measured>,
) {
    let pages = u32::try_from(document.pages.len()).unwrap_or(u32::MAX);
    let sheet = goods.cover_sheet(pages, choice);
    let front = &document.cover;
    report.turn_to(PageRef::Cover);
    let Some(embellishment) = sheet.embellishment else {
        if sheet.cloth.is_some() {
            let sentence = "是布面，不印图；没有选烫金一类的工艺，布面上什么都没有。";
            report.say(Severity::Warning, FindingCode::BareCloth, sentence);
        }
        return;
    };
    let (plate, artwork) = (embellishment.plate(), sheet.artwork(front));
    if artwork.is_empty() {
        let sentence = format!("上没有字，{plate}没有图样可做；请写上书名，或者不选{plate}。");
        report.say(Severity::Serious, FindingCode::NoArtwork, &sentence);
    }
    let least = embellishment.least_size_pt();
    for index in artwork {
        let (Some(measured), Some(Element::Text(text))) = (measured(index), front.elements.get(index)) else {
            continue;
        };
        if measured.size < least {
            report.element = Some(index);
            let sentence = format!(
                "的文字“{}”只有 {:.1} 点，{plate}的笔画会粘在一起；请放大到 {least:.0} 点以上。",
                excerpt(&text.text),
                measured.size
            );
            report.say(Severity::Warning, FindingCode::FineArtwork, &sentence);
        }
    }
}
