//! QR codes: whether a telephone reads them off the paper.

use domain::document::{CodeBlock, Element, Page, Rect, Trim, bounds, shared_area};
use domain::print_code::{CLEAR_SQUARE_MM, LEAST_SQUARE_MM};

use super::{FindingCode, Report, Severity, TOLERANCE_MM, outside, solid};
use crate::code::square_mm;
use crate::screen::PageRef;

/// What may lie on a code, in mm²: an edge that touches it.
const TOUCH_MM2: f64 = 0.5;

/// What concerns one code, which is the page's element of this number.
pub(super) fn code(report: &mut Report, code: &CodeBlock, page: &Page, index: usize, trim: Trim) {
    if outside(&code.frame, code.common.rotation, trim) {
        let sentence = "有一个二维码完全在页面之外，不会印出来。";
        report.say(Severity::Note, FindingCode::OutsidePage, sentence);
        return;
    }
    let square = square_mm(code);
    if square < CLEAR_SQUARE_MM {
        let side = code.frame.width.min(code.frame.height);
        // to the next millimetre up
        let wanted = (side * CLEAR_SQUARE_MM / square).ceil();
        let (severity, trouble) = if square < LEAST_SQUARE_MM {
            (Severity::Serious, "印出来扫不出")
        } else {
            (Severity::Warning, "有的手机可能扫不出")
        };
        let sentence =
            format!("的二维码只有 {side:.0} 毫米宽，每一格太细，{trouble}；请放大到 {wanted:.0} 毫米以上。");
        report.say(severity, FindingCode::TinyCode, &sentence);
    }
    let own = (&code.frame, code.common.rotation);
    let paper = Rect { x: 0.0, y: 0.0, width: trim.width, height: trim.height };
    let area = code.frame.width * code.frame.height;
    if area - shared_area(own, (&paper, 0.0)) > TOUCH_MM2 {
        let sentence = "的二维码会被裁掉一块，印出来扫不出；请移到页面里面。";
        report.say(Severity::Serious, FindingCode::CoveredCode, sentence);
    }
    let above = page.elements.iter().skip(index + 1);
    let covers = |element: &Element| match element {
        // what is printed of a text is letters, which a code stands less well than a photo beside it
        Element::Text(block) if !block.text.trim().is_empty() => {
            shared_area((&block.frame, block.common.rotation), own) > area * 0.05
        }
        other => solid(other).is_some_and(|other| shared_area(other, own) > TOUCH_MM2),
    };
    if above.into_iter().any(covers) {
        let sentence = "的二维码被别的东西盖住了，印出来扫不出；请移开。";
        report.say(Severity::Serious, FindingCode::CoveredCode, sentence);
    }
}

/// Whether it disappears in the fold, which is at the left of right-hand pages.
pub(super) fn near_fold(report: &mut Report, code: &CodeBlock, trim: Trim, fold_mm: f64) {
    let Some(PageRef::Inner(index)) = report.page else { return };
    let frame = bounds(&code.frame, code.common.rotation);
    let distance = if index.is_multiple_of(2) { frame.x } else { trim.width - frame.x - frame.width };
    // what runs off the page is another rule's
    if (0.0..fold_mm - TOLERANCE_MM).contains(&distance) {
        let sentence = format!(
            "的二维码离书脊只有 {distance:.0} 毫米，这种装订翻开后扫不全；请留 {fold_mm:.0} 毫米以上。"
        );
        report.say(Severity::Warning, FindingCode::NearFold, &sentence);
    }
}
