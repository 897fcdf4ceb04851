//! What to look at before printing. Every finding says where it is and what to do about it.

use domain::document::{BLEED_MM, Document, Element, Page, PhotoFrame, Rect, SAFE_MM, TextBlock, Trim};
use domain::ids::PhotoId;
use serde::{Deserialize, Serialize};
use typst::foundations::{Label, Selector};
use typst::introspection::Introspector;
use typst::utils::PicoStr;
use typst_layout::PagedDocument;

use crate::error::PressError;
use crate::fonts::Fonts;
use crate::print::Original;
use crate::screen::PageRef;
use crate::sheet::{Sheet, check};
use crate::world::typeset;

/// From this resolution a photo prints well (product page, section 3, "Editor").
const GOOD_DPI: f64 = 250.0;
/// Under this it is visibly coarse.
const POOR_DPI: f64 = 150.0;
/// Differences that no eye and no knife sees, in mm.
const TOLERANCE_MM: f64 = 0.1;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// The print may disappoint.
    Warning,
    /// The print will disappoint, or cannot be made.
    Serious,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingCode {
    /// A photo prints at 150 to 249 dpi.
    LowResolution,
    /// A photo prints under 150 dpi.
    VeryLowResolution,
    /// A photo's original is not there yet.
    MissingOriginal,
    /// A photo ends at the trim and does not reach into the bleed.
    ShortBleed,
    /// Something lies wholly outside the page.
    OutsidePage,
    /// A text is longer than its frame.
    TextOverflow,
    /// A text frame without text.
    EmptyFrame,
    /// A text comes closer than 5 mm to the trim.
    OutsideSafeArea,
    /// A text has characters that no font of the press has.
    MissingGlyph,
}

/// Something to look at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// The page it is on: `"cover"` or `{"inner": 0}`.
    pub page: PageRef,
    /// Which of the page's elements, counted from 0, the lowest first.
    pub element: usize,
    pub severity: Severity,
    pub code: FindingCode,
    /// One plain Chinese sentence for the member.
    pub message: String,
}

/// What the theme measured of a text: its longest word and its height, in mm.
#[derive(Debug, Deserialize)]
struct Measured {
    page: usize,
    element: usize,
    width: f64,
    height: f64,
}

pub(crate) fn preflight(
    document: &Document,
    describe: &dyn Fn(&PhotoId) -> Option<Original>,
) -> Result<Vec<Finding>, PressError> {
    check(document, document.all_pages())?;
    // Texts do not depend on photos: frames stay empty.
    let sheet = Sheet::new(document, document.all_pages(), |_| Ok::<_, PressError>(None))?;
    let measured = measured(&typeset(&document.theme, &sheet, Vec::new())?)?;

    let mut findings = Vec::new();
    for (number, page) in document.all_pages().enumerate() {
        let place = number.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner);
        for (index, element) in page.elements.iter().enumerate() {
            let mut found = Report { page: place, element: index, findings: &mut findings };
            match element {
                Element::Photo(photo) => found.photo(photo, document.trim, describe(&photo.photo)),
                Element::Text(block) => {
                    let measured = measured.iter().find(|text| text.page == number && text.element == index);
                    found.text(block, document.trim, page, measured);
                }
            }
        }
    }
    Ok(findings)
}

fn measured(typeset: &PagedDocument) -> Result<Vec<Measured>, PressError> {
    let label = Label::new(PicoStr::intern("text-block"))
        .ok_or_else(|| PressError::Typesetting("the theme measured nothing".to_owned()))?;
    let blocks = typeset.introspector().query(&Selector::Label(label));
    let read = |error: String| PressError::Typesetting(error);
    blocks
        .iter()
        .map(|block| {
            let value = block.get_by_name("value").map_err(|error| read(format!("{error:?}")))?;
            let value = serde_json::to_value(value).map_err(|error| read(error.to_string()))?;
            serde_json::from_value(value).map_err(|error| read(error.to_string()))
        })
        .collect()
}

struct Report<'a> {
    page: PageRef,
    element: usize,
    findings: &'a mut Vec<Finding>,
}

impl Report<'_> {
    fn say(&mut self, severity: Severity, code: FindingCode, sentence: &str) {
        let page = match self.page {
            PageRef::Cover => "封面".to_owned(),
            PageRef::Inner(index) => format!("第 {} 页", index + 1),
        };
        let message = format!("{page}{sentence}");
        self.findings.push(Finding { page: self.page, element: self.element, severity, code, message });
    }

    fn photo(&mut self, photo: &PhotoFrame, trim: Trim, original: Option<Original>) {
        if outside(&photo.frame, trim) {
            self.say(Severity::Warning, FindingCode::OutsidePage, "有一张照片完全在页面之外，不会印出来。");
            return;
        }
        if short_of_bleed(&photo.frame, trim) {
            let sentence = "的照片贴着裁切线，没有延伸到出血位，裁切后可能露出白边；请把它拉出页面 3 毫米。";
            self.say(Severity::Warning, FindingCode::ShortBleed, sentence);
        }
        let Some(original) = original else {
            let sentence = "有一张照片的原图还没有上传完成，暂时不能印刷。";
            self.say(Severity::Serious, FindingCode::MissingOriginal, sentence);
            return;
        };
        let (width, height) = original.upright();
        // A frame that is exactly large enough must not fail by a rounding.
        let dpi = (photo.effective_dpi(width, height) + 0.01).floor();
        if dpi < POOR_DPI {
            let sentence =
                format!("的照片印出来只有 {dpi} dpi，会明显模糊；请换一张更大的照片，或把它缩小。");
            self.say(Severity::Serious, FindingCode::VeryLowResolution, &sentence);
        } else if dpi < GOOD_DPI {
            let sentence = format!("的照片印出来是 {dpi} dpi，可能不够清晰；达到 250 dpi 效果更好。");
            self.say(Severity::Warning, FindingCode::LowResolution, &sentence);
        }
    }

    fn text(&mut self, block: &TextBlock, trim: Trim, page: &Page, measured: Option<&Measured>) {
        let Some(measured) = measured else {
            self.say(Severity::Note, FindingCode::EmptyFrame, "有一个空的文字框，印刷时会留白。");
            return;
        };
        if outside(&block.frame, trim) {
            self.say(Severity::Warning, FindingCode::OutsidePage, "有一段文字完全在页面之外，不会印出来。");
            return;
        }
        let excerpt = excerpt(&block.text);
        let too_long = measured.height > block.frame.height + TOLERANCE_MM;
        if too_long || measured.width > block.frame.width + TOLERANCE_MM {
            let below = page.photos().any(|photo| photo.frame.y >= block.frame.y + block.frame.height);
            let advice = if below { "，会压到下面的内容" } else { "" };
            let sentence = format!("的文字“{excerpt}”超出了文字框{advice}；请加大文字框或删减文字。");
            self.say(Severity::Warning, FindingCode::TextOverflow, &sentence);
        }
        if !inside_safe_area(&block.frame, trim) {
            let sentence = format!("的文字“{excerpt}”离裁切边不到 5 毫米，可能被裁掉；请往里移。");
            self.say(Severity::Warning, FindingCode::OutsideSafeArea, &sentence);
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
            self.say(Severity::Warning, FindingCode::MissingGlyph, &sentence);
        }
    }
}

/// The beginning of a text, so that the member knows which is meant.
fn excerpt(text: &str) -> String {
    let mut characters = text.split_whitespace().flat_map(str::chars);
    let mut start: String = characters.by_ref().take(10).collect();
    if characters.next().is_some() {
        start.push('…');
    }
    start
}

fn outside(frame: &Rect, trim: Trim) -> bool {
    frame.x >= trim.width
        || frame.y >= trim.height
        || frame.x + frame.width <= 0.0
        || frame.y + frame.height <= 0.0
}

/// Whether an edge lies at the trim, or past it by less than the bleed.
fn short_of_bleed(frame: &Rect, trim: Trim) -> bool {
    let past = [-frame.x, -frame.y, frame.x + frame.width - trim.width, frame.y + frame.height - trim.height];
    past.into_iter().any(|past| (-0.5..BLEED_MM - TOLERANCE_MM).contains(&past))
}

fn inside_safe_area(frame: &Rect, trim: Trim) -> bool {
    let border = SAFE_MM - TOLERANCE_MM;
    frame.x >= border
        && frame.y >= border
        && frame.x + frame.width <= trim.width - border
        && frame.y + frame.height <= trim.height - border
}
