//! Rules of a calendar's months.

use domain::calendar::{MonthBlock, MonthPart};
use domain::document::{Element, Page, SAFE_MM, Trim, bounds, shared_area};
use serde::Deserialize;

use super::{FindingCode, Report, Severity, TOLERANCE_MM, name_of, outside, solid};
use crate::fonts::Fonts;

/// What the rings at the top edge need, in mm.
const RINGS_MM: f64 = 10.0;
/// A column narrower than this holds no lunar day that can be read, in mm.
const LEAST_COLUMN_MM: f64 = 8.0;

/// What the theme measured of a month's days.
#[derive(Debug, Deserialize)]
pub(super) struct MeasuredMonth {
    pub page: usize,
    pub element: usize,
    /// The days on which something was too long and was shortened.
    short: Vec<u8>,
}

/// What is to be seen in a month on its page.
pub(super) fn month(
    report: &mut Report,
    block: &MonthBlock,
    page: &Page,
    index: usize,
    measured: Option<&MeasuredMonth>,
    trim: Trim,
) {
    let (frame, number) = (&block.frame, block.month.month());
    let what = match block.part {
        MonthPart::Year => format!("的年份“{}”", block.month.year()),
        MonthPart::Title => format!("的“{number} 月”标题"),
        MonthPart::Grid | MonthPart::Small => format!("的 {number} 月月历"),
    };
    let rotation = block.common.rotation;
    if outside(frame, rotation, trim) {
        let sentence = format!("{what}完全在页面之外，不会印出来。");
        report.say(Severity::Warning, FindingCode::OutsidePage, &sentence);
        return;
    }
    let border = SAFE_MM - TOLERANCE_MM;
    let (upright, frame) = (frame, &bounds(frame, rotation));
    let is_inside = frame.x >= border
        && frame.y >= border
        && frame.x + frame.width <= trim.width - border
        && frame.y + frame.height <= trim.height - border;
    if !is_inside {
        let sentence = format!("{what}离裁切边不到 5 毫米，可能被裁掉；请往里移。");
        report.say(Severity::Warning, FindingCode::OutsideSafeArea, &sentence);
    } else if frame.y < RINGS_MM - TOLERANCE_MM {
        let sentence = format!("{what}离上边只有 {:.0} 毫米，会被铁圈的孔打到；请留 10 毫米以上。", frame.y);
        report.say(Severity::Warning, FindingCode::NearFold, &sentence);
    }
    let frame = upright;
    let mut above = page.elements.iter().skip(index + 1);
    let area = frame.width * frame.height;
    let hides = |element: &&Element| {
        solid(element).is_some_and(|other| shared_area(other, (frame, rotation)) > area * 0.05)
    };
    if let Some(above) = above.find(hides) {
        let name = name_of(above);
        let sentence = format!(
            "{what}被{name}盖住了；请把{}移开。",
            name.trim_start_matches("一张").trim_start_matches("一个")
        );
        report.say(Severity::Serious, FindingCode::HiddenText, &sentence);
    }
    if block.part != MonthPart::Grid {
        return;
    }
    if frame.width / 7.0 < LEAST_COLUMN_MM {
        let sentence = format!("{what}太窄，农历的字会小到看不清；请把它放宽。");
        report.say(Severity::Warning, FindingCode::TextOverflow, &sentence);
    }
    for day in measured.iter().flat_map(|measured| &measured.short) {
        let sentence =
            format!("的 {number} 月 {day} 日格子里放不下全部的字，只印出了开头；请缩短那天的纪念日。");
        report.say(Severity::Warning, FindingCode::TextOverflow, &sentence);
    }
    let mut unknown: Vec<char> = Vec::new();
    for character in block.anniversaries.iter().flat_map(|own| own.name.chars()) {
        if !Fonts::embedded().cover(character) && !unknown.contains(&character) {
            unknown.push(character);
        }
    }
    if !unknown.is_empty() {
        let characters: String = unknown.iter().take(10).collect();
        let sentence = format!("的纪念日里有字体中没有的字符“{characters}”，印出来会是空框；请换一种写法。");
        report.say(Severity::Warning, FindingCode::MissingGlyph, &sentence);
    }
}
