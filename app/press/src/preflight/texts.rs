//! Rules of texts.

use domain::binding::{BoundEdge, Leaves};
use domain::document::{
    Colour, Element, Ink, Page, Rect, SAFE_MM, TextBlock, TextRole, Trim, bounds, shared_area, turned_with,
};

use super::{FindingCode, Measured, Report, Severity, TOLERANCE_MM, name_of, outside, solid};
use crate::fonts::Fonts;
use crate::screen::PageRef;

/// The least contrast at which large words are read easily (WCAG 2.2, 1.4.3).
const CONTRAST: f64 = 3.0;
/// Words under this height are hard to read on paper, in pt.
pub(super) const LEAST_PT: f64 = 5.0;
/// From this share of a text on a photo, it is worth a look.
const ON_PHOTO: f64 = 0.2;

/// A text on its page.
pub(super) struct Text<'a> {
    pub block: &'a TextBlock,
    pub page: &'a Page,
    /// Its place among the page's elements.
    pub index: usize,
    /// Nothing where the block is empty.
    pub measured: Option<&'a Measured>,
}

impl Text<'_> {
    /// What is to be seen in the text and its frame alone.
    pub fn look(&self, report: &mut Report, trim: Trim) {
        let block = self.block;
        let Some(measured) = self.measured else {
            report.empty_frames.push((report.page, report.element));
            return;
        };
        if outside(&block.frame, block.common.rotation, trim) {
            let sentence = "有一段文字完全在页面之外，不会印出来。";
            report.say(Severity::Warning, FindingCode::OutsidePage, sentence);
            return;
        }
        let excerpt = excerpt(&block.text);
        let too_long = measured.height > block.frame.height + TOLERANCE_MM;
        if too_long || measured.width > block.frame.width + TOLERANCE_MM {
            let below = self.page.photos().any(|photo| photo.frame.y >= block.frame.y + block.frame.height);
            let advice = if below { "，会压到下面的内容" } else { "" };
            let sentence = format!("的文字“{excerpt}”超出了文字框{advice}；请加大文字框或删减文字。");
            report.say(Severity::Warning, FindingCode::TextOverflow, &sentence);
        }
        if !inside_safe_area(&bounds(&block.frame, block.common.rotation), trim) {
            let sentence = format!("的文字“{excerpt}”离裁切边不到 5 毫米，可能被裁掉；请往里移。");
            report.say(Severity::Warning, FindingCode::OutsideSafeArea, &sentence);
        }
        if measured.size < LEAST_PT {
            let sentence = format!(
                "的文字“{excerpt}”只有 {:.1} 点，印出来很难看清；请放大到 {LEAST_PT:.0} 点以上。",
                measured.size
            );
            report.say(Severity::Warning, FindingCode::TinyText, &sentence);
        }
        let mut unknown: Vec<char> = Vec::new();
        for character in block.text.chars().filter(|c| !c.is_control() && !Fonts::embedded().cover(*c)) {
            if !unknown.contains(&character) {
                unknown.push(character);
            }
        }
        if !unknown.is_empty() {
            let characters: String = unknown.iter().take(10).collect();
            let sentence =
                format!("的文字里有字体中没有的字符“{characters}”，印出来会是空框；请换一种写法。");
            report.say(Severity::Warning, FindingCode::MissingGlyph, &sentence);
        }
    }

    /// Whether it disappears in the fold, which is at the left of right-hand pages: 1, 3, 5 …
    pub fn near_fold(&self, report: &mut Report, trim: Trim, fold_mm: f64) {
        let (Some(_), Some(PageRef::Inner(index))) = (self.measured, report.page) else { return };
        let frame = &bounds(&self.block.frame, self.block.common.rotation);
        let distance = if index.is_multiple_of(2) { frame.x } else { trim.width - frame.x - frame.width };
        // closer than the safe area is another rule's
        if distance < fold_mm - TOLERANCE_MM && inside_safe_area(frame, trim) {
            let sentence = format!(
                "的文字“{}”离书脊只有 {distance:.0} 毫米，这种装订翻开后看不全；请留 {fold_mm:.0} 毫米以上。",
                excerpt(&self.block.text)
            );
            report.say(Severity::Warning, FindingCode::NearFold, &sentence);
        }
    }

    /// Whether rings go through it: a leaf's holes are at its bound edge, on its back at the other side. On the cover, too.
    pub fn in_holes(&self, report: &mut Report, trim: Trim, leaves: Leaves) {
        let (Some(_), Some(page)) = (self.measured, report.page) else { return };
        let frame = &bounds(&self.block.frame, self.block.common.rotation);
        let is_front = match page {
            PageRef::Cover => true,
            PageRef::Inner(index) => index.is_multiple_of(2),
        };
        let distance = match leaves.edge {
            BoundEdge::Top => frame.y,
            BoundEdge::Left if is_front => frame.x,
            BoundEdge::Left => trim.width - frame.x - frame.width,
        };
        if distance < leaves.holes_mm - TOLERANCE_MM && !outside(frame, 0.0, trim) {
            let sentence = format!(
                "的文字“{}”离装订边只有 {:.0} 毫米，会被铁圈的孔打到；请留 {:.0} 毫米以上。",
                excerpt(&self.block.text),
                distance.max(0.0),
                leaves.holes_mm
            );
            report.say(Severity::Warning, FindingCode::NearFold, &sentence);
        }
    }

    /// What is to be seen when one looks at the rest of the page.
    pub fn beside_others(&self, report: &mut Report, texts: &[Option<&Measured>]) {
        let Some(measured) = self.measured else { return };
        let excerpt = excerpt(&self.block.text);
        let body = printed(self.block, measured);
        let area = body.width * body.height;
        let body = (&body, self.block.common.rotation);
        let mut on_photo = 0.0;
        // the colour under all of it, where that is not the paper's; nothing where only the theme knows
        let mut under = Some(measured.paper.clone());
        for (index, element) in self.page.elements.iter().enumerate() {
            match element {
                Element::Photo(_) | Element::Shape(_) | Element::Code(_) if index > self.index => {
                    if solid(element).is_some_and(|other| shared_area(other, body) > area * ON_PHOTO) {
                        let name = name_of(element);
                        let sentence = format!("的文字“{excerpt}”被{name}盖住了；请把文字移开。");
                        report.say(Severity::Serious, FindingCode::HiddenText, &sentence);
                    }
                }
                Element::Photo(photo) => on_photo += shared_area((&photo.frame, photo.common.rotation), body),
                Element::Shape(shape) => {
                    if solid(element).is_some_and(|other| shared_area(other, body) > area * ON_PHOTO) {
                        under = match shape.fill {
                            Some(Ink::Free(colour)) => Some(colour.into()),
                            _ => None,
                        };
                    }
                }
                Element::Text(other) if index > self.index => {
                    let Some(measured) = texts[index] else { continue };
                    // a square millimetre is the air around letters
                    let other = (&printed(other, measured), other.common.rotation);
                    if shared_area(other, body) > 1.0 {
                        let sentence = format!("的文字“{excerpt}”和另一段文字叠在一起；请移开其中一段。");
                        report.say(Severity::Warning, FindingCode::OverlappingTexts, &sentence);
                    }
                }
                Element::Text(_) | Element::Pdf(_) | Element::Month(_) | Element::Code(_) => {}
            }
        }
        if on_photo > area * ON_PHOTO {
            if matches!(self.block.role, TextRole::Caption | TextRole::Body) {
                let sentence = format!("的文字“{excerpt}”压在照片上，请看看是否清楚。");
                report.say(Severity::Note, FindingCode::TextOnPhoto, &sentence);
            }
        } else if under
            .and_then(|paper| contrast(&measured.ink, &paper))
            .is_some_and(|contrast| contrast < CONTRAST)
        {
            let sentence = format!("的文字“{excerpt}”和底色太接近，印出来看不清；请换一种底色。");
            report.say(Severity::Warning, FindingCode::LowContrast, &sentence);
        }
    }
}

/// Where a text's lines really lie: from the top of its frame, as high as they are.
fn printed(block: &TextBlock, measured: &Measured) -> Rect {
    turned_with(&block.frame, block.common.rotation, &Rect { height: measured.height, ..block.frame })
}

/// The beginning of a text, so that the member knows which is meant.
pub(super) fn excerpt(text: &str) -> String {
    let mut characters = text.split_whitespace().flat_map(str::chars);
    let mut start: String = characters.by_ref().take(10).collect();
    if characters.next().is_some() {
        start.push('…');
    }
    start
}

fn inside_safe_area(frame: &Rect, trim: Trim) -> bool {
    let border = SAFE_MM - TOLERANCE_MM;
    frame.x >= border
        && frame.y >= border
        && frame.x + frame.width <= trim.width - border
        && frame.y + frame.height <= trim.height - border
}

/// The contrast ratio of two sRGB colours, 1 to 21 (WCAG 2.2, "contrast ratio").
fn contrast(one: &str, other: &str) -> Option<f64> {
    let luminance = |colour: &str| -> Option<f64> {
        let Colour(channels) = Colour::try_from(colour.to_owned()).ok()?;
        let [red, green, blue] = channels.map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        Some(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    };
    let (one, other) = (luminance(one)?, luminance(other)?);
    Some((one.max(other) + 0.05) / (one.min(other) + 0.05))
}
