//! Rules of photos.

use domain::calendar::is_calendar;
use domain::document::{BLEED_MM, Document, Element, PhotoFrame, Rect, Trim, bounds, shared_area};
use domain::faces::Face;
use domain::layout::{FaceLoss, is_across, lost_faces};
use domain::quality::Quality;
use domain::resolution::{GOOD_DPI, is_coarse, is_good};

use super::{FindingCode, Report, Severity, TOLERANCE_MM, name_of, outside, solid};
use crate::print::Original;

/// A photo may be this much wider or higher than it is before an eye sees it.
const STRETCH: f64 = 0.02;
/// Under this share of a photo, what was left out is worth a word.
const HEAVY_CROP: f64 = 0.25;
/// From this part of a page's shorter side on a photo is large.
const LARGE: f64 = 0.5;
/// The shortest side on which a photo is more than a spot, in mm.
const TINY_MM: f64 = 15.0;

/// What is to be seen in the photo and its frame alone.
pub(super) fn photo(report: &mut Report, photo: &PhotoFrame, trim: Trim, original: Option<Original>) {
    let frame = &photo.frame;
    let rotation = photo.common.rotation;
    if outside(frame, rotation, trim) {
        report.say(Severity::Warning, FindingCode::OutsidePage, "有一张照片完全在页面之外，不会印出来。");
        return;
    }
    // edges that lie across the page's make no border, however they end
    let past: Vec<f64> = match rotation % 90.0 == 0.0 {
        true => past_trim(&bounds(frame, rotation), trim).to_vec(),
        false => Vec::new(),
    };
    if past.iter().any(|past| (-0.5..BLEED_MM - TOLERANCE_MM).contains(past)) {
        let sentence = "的照片贴着裁切线，没有延伸到出血位，裁切后可能露出白边；请把它拉出页面 3 毫米。";
        report.say(Severity::Warning, FindingCode::ShortBleed, sentence);
    }
    if let Some(past) = past.into_iter().find(|past| (-BLEED_MM + TOLERANCE_MM..-0.5).contains(past)) {
        let sentence = format!(
            "的照片离裁切边只有 {:.1} 毫米，裁切稍有偏差，白边就会宽窄不一；请留 3 毫米以上，或拉出页面 3 毫米。",
            -past
        );
        report.say(Severity::Warning, FindingCode::NarrowMargin, &sentence);
    }
    if frame.width.min(frame.height) < TINY_MM {
        let sentence = "有一张照片很小，不到 15 毫米，印出来看不清内容。";
        report.say(Severity::Note, FindingCode::TinyPhoto, sentence);
    }
    if photo.crop.area() < HEAVY_CROP {
        let percent = (photo.crop.area() * 100.0).round();
        let sentence = format!("的照片只用到了 {percent}%，其余部分不会印出来；请看看裁切是否合适。");
        report.say(Severity::Note, FindingCode::HeavyCrop, &sentence);
    }
    let Some(original) = original else {
        let sentence = "有一张照片的原图还没有上传完成，暂时不能印刷。";
        report.say(Severity::Serious, FindingCode::MissingOriginal, sentence);
        return;
    };
    if original.damaged {
        let sentence = "有一张照片的文件已损坏，不能印刷；请换一张，或重新上传。";
        report.say(Severity::Serious, FindingCode::DamagedPhoto, sentence);
        return;
    }
    let (width, height) = original.upright();
    let dpi = photo.effective_dpi(width, height);
    let whole = (dpi + 0.01).floor();
    if is_coarse(dpi) {
        let sentence = format!("的照片印出来只有 {whole} dpi，会明显模糊；请换一张更大的照片，或把它缩小。");
        report.say(Severity::Serious, FindingCode::VeryLowResolution, &sentence);
    } else if !is_good(dpi) {
        let sentence = format!("的照片印出来是 {whole} dpi，可能不够清晰；达到 {GOOD_DPI} dpi 效果更好。");
        report.say(Severity::Warning, FindingCode::LowResolution, &sentence);
    }
    let shown = (f64::from(width) * photo.crop.width) / (f64::from(height) * photo.crop.height);
    let stretch = frame.aspect() / shown;
    if !(1.0 - STRETCH..=1.0 + STRETCH).contains(&stretch) {
        let way = if stretch > 1.0 { "宽" } else { "高" };
        let sentence = format!("的照片被拉{way}了，人和物会变形；请按原来的比例裁切。");
        report.say(Severity::Warning, FindingCode::Stretched, &sentence);
    }
}

/// What becomes of the people in a photo. `number` counts the cover as 0.
pub(super) fn people(
    report: &mut Report,
    document: &Document,
    number: usize,
    photo: &PhotoFrame,
    faces: &[Face],
) {
    // neither a cover's front nor a calendar is folded
    let index = number.checked_sub(1).filter(|_| !is_calendar(document));
    for loss in lost_faces(document, index, photo, faces) {
        let (code, sentence) = match loss {
            FaceLoss::Cut => (
                FindingCode::CutFace,
                "的照片里有人的脸被裁掉了一部分；请在编辑里移动或缩放这张照片，让脸完整。",
            ),
            FaceLoss::InFold => (
                FindingCode::FaceInFold,
                "的照片里有人的脸落在订口，翻开时会被夹住；请把这张照片移开，或换一种版式。",
            ),
        };
        report.say(Severity::Warning, code, sentence);
    }
}

/// Whether a photo that is blurred itself is shown large.
pub(super) fn blur(report: &mut Report, photo: &PhotoFrame, trim: Trim, quality: Option<Quality>) {
    let is_large = photo.frame.width.max(photo.frame.height) > trim.width.min(trim.height) * LARGE;
    if is_large && quality.is_some_and(|quality| quality.is_soft()) {
        let sentence = "的照片本身就不清晰，印大了更明显；请换一张，或把它缩小。";
        report.say(Severity::Warning, FindingCode::BlurredPhoto, sentence);
    }
}

/// What is to be seen when one looks at the other photos of the page and of the one facing it. `number` counts the
/// cover as 0.
pub(super) fn beside_others(
    report: &mut Report,
    document: &Document,
    number: usize,
    index: usize,
    photo: &PhotoFrame,
) {
    let Some(page) = document.all_pages().nth(number) else { return };
    let later = page.elements.iter().skip(index + 1);
    let (frame, rotation) = (&photo.frame, photo.common.rotation);
    let covers = |element: &&Element| {
        let shared = solid(element).map(|other| shared_area(other, (frame, rotation)));
        shared.is_some_and(|shared| shared >= frame.width * frame.height * 0.99)
    };
    if let Some(above) = later.clone().find(covers) {
        let other = if matches!(above, Element::Photo(_)) { "另一张" } else { name_of(above) };
        let sentence = format!("有一张照片被{other}完全盖住了，看不见；请移开或删除。");
        report.say(Severity::Warning, FindingCode::HiddenPhoto, &sentence);
    }
    let is_same = |other: &PhotoFrame| other.photo == photo.photo;
    if later.into_iter().any(|element| matches!(element, Element::Photo(other) if is_same(other))) {
        let sentence = "有一张照片用了两次，请看看是不是有意的。";
        report.say(Severity::Warning, FindingCode::RepeatedPhoto, sentence);
    }
    // pages 2 and 3, 4 and 5 … face each other, but not on a calendar; each pair is looked at from its left page
    let is_left =
        number >= 2 && number.is_multiple_of(2) && !is_calendar(document) && !is_across(document, number - 1);
    let facing = is_left.then(|| document.all_pages().nth(number + 1)).flatten();
    if facing.is_some_and(|facing| facing.photos().any(is_same)) {
        let sentence = format!("和第 {} 页用了同一张照片，翻开会同时看到。", number + 1);
        report.say(Severity::Warning, FindingCode::RepeatedPhoto, &sentence);
    }
}

/// How far each edge lies past the trim, in mm; below zero inside it.
fn past_trim(frame: &Rect, trim: Trim) -> [f64; 4] {
    [-frame.x, -frame.y, frame.x + frame.width - trim.width, frame.y + frame.height - trim.height]
}
