//! Rules of what is put on a cover besides ink, and of covers that take no ink.

use std::borrow::Cow;

use domain::binding::Embellishment;
use domain::document::{Document, Element, TextBlock, TextRole};

use super::strokes::{self, CLEAR_MM, TooFine};
use super::texts::excerpt;
use super::{FindingCode, Making, Measured, Report, Severity};
use crate::error::PressError;
use crate::screen::PageRef;

/// Which of the front's elements are on no plate and in no ink: on cloth all but what is put on besides.
pub(super) fn unprinted(document: &Document, making: Making) -> Vec<usize> {
    let cover = making.cover(document);
    if cover.cloth.is_none() {
        return Vec::new();
    }
    let plated = cover.plated(&document.cover);
    (0..document.cover.elements.len()).filter(|index| !plated.contains(index)).collect()
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
) -> Result<(), PressError> {
    let sheet = making.cover(document);
    let front = &document.cover;
    report.turn_to(PageRef::Cover);
    let Some(embellishment) = sheet.embellishment else {
        if sheet.cloth.is_some() {
            let sentence = "是布面，不印图；没有选烫金一类的工艺，布面上什么都没有。";
            report.say(Severity::Warning, FindingCode::BareCloth, sentence);
        }
        return Ok(());
    };
    let (plate, plated) = (embellishment.plate(), sheet.plated(front));
    if plated.is_empty() && sheet.artwork.has_words() {
        let sentence =
            format!("上没有字，{plate}没有图样可做；请写上书名，或者选一种纹样，或者不选{plate}。");
        report.say(Severity::Serious, FindingCode::NoArtwork, &sentence);
    }
    let least = embellishment.least_size_pt();
    for index in plated {
        let Some(element @ Element::Text(text)) = front.elements.get(index) else { continue };
        let Some(measured) = measured(index) else { continue };
        let fine = strokes::of_text(document, element, embellishment)?;
        if measured.size < least || fine.is_some() {
            report.element = Some(index);
            let words = excerpt(&text.text);
            let sentence = too_fine(fine, embellishment, &words, measured.size);
            report.say(Severity::Warning, FindingCode::FineArtwork, &sentence);
        }
    }
    if let Some((ornament, _)) = sheet.ornament(front)
        && strokes::ornament_meets_words(document, &sheet)?
    {
        report.element = None;
        let sentence = format!(
            "的{}和文字碰在一起，{plate}对不准就会压到字；请把文字移开 {CLEAR_MM:.0} 毫米以上，或者换一种纹样。",
            ornament.name()
        );
        report.say(Severity::Warning, FindingCode::CrowdedArtwork, &sentence);
    }
    Ok(())
}

/// What a machine can't make of words, with what was found and what it holds, and what to do about it.
fn too_fine(fine: Option<TooFine>, embellishment: Embellishment, words: &str, size: f64) -> String {
    let plate = embellishment.plate();
    let mut found = Vec::new();
    if let Some(line) = fine.and_then(|fine| fine.line) {
        found.push(format!(
            "最细的笔画约 {line:.2} 毫米，{plate}至少要 {} 毫米",
            embellishment.least_line_mm()
        ));
    }
    if let Some(gap) = fine.and_then(|fine| fine.gap) {
        found.push(format!(
            "笔画之间最窄约 {gap:.2} 毫米，{plate}至少要 {} 毫米",
            embellishment.least_gap_mm()
        ));
    }
    let least = embellishment.least_size_pt();
    if size < least {
        found.push(format!("{plate}的字至少要 {least:.0} 点"));
    }
    let larger = fine.map_or(Some(1.0), |fine| fine.larger).map(|larger| (size * larger).ceil().max(least));
    // bold type is no way out: it leaves less room between strokes, and the level ones of a serif are as thin in it
    let other = fine.map(|_| "换一个笔画均匀的风格");
    let rescue = match (larger, other) {
        (Some(larger), Some(other)) => format!("请放大到 {larger:.0} 点以上，或者{other}"),
        (Some(larger), None) => format!("请放大到 {larger:.0} 点以上"),
        (None, other) => format!("请{}，或者不选这种工艺", other.unwrap_or("放大")),
    };
    format!("的文字“{words}”（{size:.1} 点）做不好{plate}：{}；{rescue}。", found.join("，"))
}
