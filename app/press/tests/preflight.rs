//! What preflight finds, and what it leaves alone.

mod common;

use common::*;
use domain::document::{Crop, Document, Element, TextRole};
use press::photo::PhotoFormat;
use press::{Finding, FindingCode, Original, PageRef, Press, Severity};

fn preflight(book: &Document) -> Vec<Finding> {
    // 3000 × 2000 pixels, lying on its side in the file.
    let original = Original { format: PhotoFormat::Jpeg, width: 2000, height: 3000, orientation: 6 };
    Press::new()
        .preflight(book, &|photo| (photo.as_str() != "lost").then_some(original))
        .expect("the document can be typeset")
}

fn on_a_page(element: Element) -> Vec<(Severity, FindingCode)> {
    let findings = preflight(&document("calm", vec![page(vec![element])]));
    findings.iter().map(|finding| (finding.severity, finding.code)).collect()
}

#[test]
fn resolution_has_three_grades() {
    let at = |width: f64| on_a_page(photo("sea", rect(1.0, 1.0, width, width / 1.5), Crop::WHOLE));
    // 3000 pixels on 254 mm are 300 dpi.
    assert_eq!(at(200.0), []);
    let half = Crop { x: 0.0, y: 0.0, width: 0.5, height: 0.5 };
    let cropped = |width: f64| on_a_page(photo("sea", rect(1.0, 1.0, width, width / 1.5), half));
    assert_eq!(cropped(152.4), []);
    assert_eq!(cropped(153.0), [(Severity::Warning, FindingCode::LowResolution)]);
    assert_eq!(cropped(200.0), [(Severity::Warning, FindingCode::LowResolution)]);
    let tiny = Crop { x: 0.4, y: 0.4, width: 0.2, height: 0.2 };
    let poor = on_a_page(photo("sea", rect(1.0, 1.0, 150.0, 100.0), tiny));
    assert_eq!(poor, [(Severity::Serious, FindingCode::VeryLowResolution)]);
}

#[test]
fn missing_originals_and_short_bleeds_are_found() {
    let lost = on_a_page(photo("lost", rect(20.0, 20.0, 50.0, 50.0), Crop::WHOLE));
    assert_eq!(lost, [(Severity::Serious, FindingCode::MissingOriginal)]);
    let flush = on_a_page(photo("sea", rect(0.0, 20.0, 90.0, 60.0), Crop::WHOLE));
    assert_eq!(flush, [(Severity::Warning, FindingCode::ShortBleed)]);
    assert_eq!(on_a_page(photo("sea", rect(-3.0, 20.0, 90.0, 60.0), Crop::WHOLE)), []);
    let gone = on_a_page(photo("sea", rect(300.0, 20.0, 90.0, 60.0), Crop::WHOLE));
    assert_eq!(gone, [(Severity::Warning, FindingCode::OutsidePage)]);
}

#[test]
fn texts_are_measured() {
    let set =
        |text_: &str, height: f64| on_a_page(text(TextRole::Body, rect(20.0, 20.0, 60.0, height), text_));
    assert_eq!(set("短短一行。", 10.0), []);
    let long = "字".repeat(200);
    assert_eq!(set(&long, 20.0), [(Severity::Warning, FindingCode::TextOverflow)]);
    assert_eq!(set(&long, 120.0), []);
    // One word that is wider than the frame.
    let word = on_a_page(text(TextRole::Title, rect(20.0, 20.0, 30.0, 40.0), "Photographs"));
    assert_eq!(word, [(Severity::Warning, FindingCode::TextOverflow)]);
    assert_eq!(set("", 10.0), [(Severity::Note, FindingCode::EmptyFrame)]);
    assert_eq!(set("笑😀", 10.0), [(Severity::Warning, FindingCode::MissingGlyph)]);
    let edge = on_a_page(text(TextRole::Caption, rect(3.0, 20.0, 60.0, 10.0), "边上"));
    assert_eq!(edge, [(Severity::Warning, FindingCode::OutsideSafeArea)]);
}

#[test]
fn findings_say_where_and_are_plain_sentences() {
    let mut book = document(
        "classic",
        vec![page(Vec::new()), page(vec![photo("lost", rect(20.0, 20.0, 50.0, 50.0), Crop::WHOLE)])],
    );
    book.cover = page(vec![text(TextRole::Title, rect(20.0, 20.0, 100.0, 2.0), "一本很好看的画册")]);
    let findings = preflight(&book);
    assert_eq!(findings[0].page, PageRef::Cover);
    assert_eq!(findings[1].page, PageRef::Inner(1));
    assert_eq!(findings[1].message, "第 2 页有一张照片的原图还没有上传完成，暂时不能印刷。");
    let json = serde_json::to_value(&findings).expect("JSON");
    assert_eq!(json[0]["page"], "cover");
    assert_eq!(json[1]["page"]["inner"], 1);
    assert_eq!(json[0]["code"], "text-overflow");
    assert_eq!(json[1]["severity"], "serious");
    assert!(findings[0].message.contains("一本很好看的画册"));
}
