//! Rules of what is put on a cover besides ink, and of covers that take no ink.

use std::borrow::Cow;

use domain::document::{Document, Element, TextBlock, TextRole};

use super::texts::excerpt;
use super::{FindingCode, Making, Measured, Report, Severity};
use crate::screen::PageRef;

/// Which of the front's elements are on no plate and in no ink: on cloth all but what is put on besides.
pub(super) fn unprinted(document: &Document, making: Making) -> Vec<usize> {
    let cover = making.cover(document);
    if cover.cloth.is_none() {
        return Vec::new();
    }
    let artwork = cover.artwork(&document.cover);
    (0..document.cover.elements.len()).filter(|index| !artwork.contains(index)).collect()
}

/// A document whose front has nothing in the place of what is not printed.
pub(super) fn as_made<'d>(document: &'d Document, unprinted: &[usize]) -> Cow<'d, Document> {
    if unprinted.is_empty() {
        return Cow::Borrowed(document);
    }
    let mut made = document.clone();
    for index in unprinted {
        let element = &mut made.cover.elements[*index];
        *element = Element::Text(TextBlock::new(element.frame(), TextRole::Body, ""));
    }
    Cow::Owned(made)
}

/// What concerns the cover as it is to be made; `measured` is what the theme says of its texts by their places.
pub(super) fn cover<'m>(
    report: &mut Report,
    document: &Document,
    making: Making,
    measured: impl Fn(usize) -> Option<&'m Measured>,
) {
    let sheet = making.cover(document);
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
