//! What preflight finds, and what it leaves alone.

use crate::common::*;
use domain::document::{Colour, Crop, Document, Element, Page, TextRole, Trim, Weight};
use domain::faces::Face;
use domain::goods::Goods;
use domain::ids::PhotoId;
use domain::print_options::{Choice, default_choice};
use domain::quality::Quality;
use photo::PhotoFormat;
use press::{Finding, FindingCode, Making, Original, PageRef, Press, Seen, Severity};

use Severity::{Note, Serious, Warning};

/// 3000 × 2000 pixels, lying on its side in the file.
const ORIGINAL: Original =
    Original { format: PhotoFormat::Jpeg, width: 2000, height: 3000, orientation: 6, damaged: false };

/// A face in the left third of a photo.
const SOMEBODY: Face = Face { area: Crop { x: 0.1, y: 0.2, width: 0.2, height: 0.3 }, confidence: 0.9 };

/// A photo of which no part is sharp.
const BLURRED: Quality = Quality {
    blur: Some(0.7),
    shadows: 0.0,
    highlights: 0.0,
    darkest: 10,
    lightest: 240,
    flat: 0.1,
    drawn: 0.0,
    tone: None,
};

fn seen(photo: &PhotoId) -> Seen {
    match photo.as_str() {
        "somebody" => Seen { faces: vec![SOMEBODY], quality: None },
        "blurred" => Seen { faces: Vec::new(), quality: Some(BLURRED) },
        "fog" => Seen { faces: Vec::new(), quality: Some(Quality { darkest: 180, ..BLURRED }) },
        _ => Seen::default(),
    }
}

fn look(book: &Document, making: Option<Making>) -> Vec<Finding> {
    Press::new()
        .preflight(
            book,
            making,
            &|photo| {
                let original = Original { damaged: photo.as_str() == "damaged", ..ORIGINAL };
                (photo.as_str() != "lost").then_some(original)
            },
            &seen,
            &|| true,
        )
        .expect("the document can be typeset")
}

fn preflight(book: &Document) -> Vec<Finding> {
    look(book, None)
}

pub fn codes(findings: &[Finding]) -> Vec<(Severity, FindingCode)> {
    findings.iter().map(|finding| (finding.severity, finding.code)).collect()
}

/// A book whose cover has nothing to complain of.
fn book(pages: Vec<Page>) -> Document {
    let mut book = document("calm", pages);
    book.cover = page(vec![text(TextRole::Title, rect(20.0, 20.0, 150.0, 30.0), &book.title)]);
    book
}

#[test]
fn people_who_are_cut_or_lie_in_the_fold_are_named() {
    let shown = |x: f64, crop: Crop| {
        let mut element = whole("somebody", x, 60.0, 90.0);
        if let Element::Photo(frame) = &mut element {
            frame.crop = crop;
        }
        let codes = on_a_page(element);
        let people = |code: &FindingCode| matches!(code, FindingCode::CutFace | FindingCode::FaceInFold);
        codes.into_iter().map(|(_, code)| code).filter(people).collect::<Vec<_>>()
    };
    let part = |x: f64| Crop { x, y: 0.0, width: 1.0 - x, height: 1.0 };
    assert_eq!(shown(60.0, Crop::WHOLE), []);
    assert_eq!(shown(60.0, part(0.2)), [FindingCode::CutFace]);
    assert_eq!(shown(60.0, part(0.4)), [], "a face that is left out whole is nobody's loss");
    // a right-hand page folds at its left edge
    assert_eq!(shown(0.0, part(0.1)), [FindingCode::FaceInFold]);
    assert_eq!(shown(-20.0, Crop::WHOLE), [FindingCode::CutFace]);
    let book = book(vec![page(vec![{
        let mut element = whole("somebody", 60.0, 60.0, 90.0);
        if let Element::Photo(frame) = &mut element {
            frame.crop = part(0.2);
        }
        element
    }])]);
    let found = preflight(&book);
    let cut = found.iter().find(|finding| finding.code == FindingCode::CutFace).unwrap();
    assert!(cut.message.starts_with("第 1 页的照片里有人的脸") && cut.element == Some(0), "{cut:?}");
}

#[test]
fn a_blurred_photo_that_is_large_is_named() {
    let found = |photo: &str, wide: f64| {
        let codes = on_a_page(whole(photo, 60.0, 60.0, wide));
        codes
            .iter()
            .any(|(severity, code)| (*severity, *code) == (Severity::Warning, FindingCode::BlurredPhoto))
    };
    // of a page of 210 mm the half is large
    assert!(found("blurred", 120.0));
    assert!(!found("blurred", 40.0));
    assert!(!found("fog", 120.0) && !found("sharp", 120.0));
}

/// What is found on the only page of a book.
fn on_page(page: Page) -> Vec<(Severity, FindingCode)> {
    codes(&preflight(&book(vec![page])))
}

fn on_a_page(element: Element) -> Vec<(Severity, FindingCode)> {
    on_page(page(vec![element]))
}

fn caption(x: f64, y: f64, words: &str) -> Element {
    text(TextRole::Caption, rect(x, y, 60.0, 12.0), words)
}

/// A photo of the originals' own shape, 3 to 2.
pub fn whole(name: &str, x: f64, y: f64, width: f64) -> Element {
    photo(name, rect(x, y, width, width / 1.5), Crop::WHOLE)
}

pub fn goods() -> Goods {
    toml::from_str(include_str!("../../../slices/catalog/goods/album-210.toml"))
        .expect("goods of the catalogue")
}

/// The goods' usual choice for this number of pages, with another binding.
fn bound(goods: &Goods, pages: u32, binding: &str) -> Choice {
    let usual = default_choice(goods, pages);
    let cnums = usual.cnums().iter();
    let is_binding = |code: &str| code.starts_with("b-");
    Choice::new(cnums.map(|cnum| if is_binding(&cnum.0) { binding.into() } else { cnum.clone() }).collect())
}

#[test]
fn resolution_has_three_grades() {
    let at = |width: f64| on_a_page(photo("sea", rect(5.0, 5.0, width, width / 1.5), Crop::WHOLE));
    // 3000 pixels on 254 mm are 300 dpi.
    assert_eq!(at(200.0), []);
    let half = Crop { x: 0.0, y: 0.0, width: 0.5, height: 0.5 };
    let cropped = |width: f64| on_a_page(photo("sea", rect(5.0, 5.0, width, width / 1.5), half));
    assert_eq!(cropped(152.4), []);
    assert_eq!(cropped(153.0), [(Warning, FindingCode::LowResolution)]);
    assert_eq!(cropped(200.0), [(Warning, FindingCode::LowResolution)]);
    let tiny = Crop { x: 0.4, y: 0.4, width: 0.2, height: 0.2 };
    let poor = on_a_page(photo("sea", rect(5.0, 5.0, 150.0, 100.0), tiny));
    assert_eq!(poor, [(Note, FindingCode::HeavyCrop), (Serious, FindingCode::VeryLowResolution)]);
}

#[test]
fn missing_originals_and_short_bleeds_are_found() {
    let lost = on_a_page(whole("lost", 20.0, 20.0, 60.0));
    assert_eq!(lost, [(Serious, FindingCode::MissingOriginal)]);
    assert_eq!(on_a_page(whole("damaged", 20.0, 20.0, 60.0)), [(Serious, FindingCode::DamagedPhoto)]);
    let flush = on_a_page(photo("sea", rect(0.0, 20.0, 90.0, 60.0), Crop::WHOLE));
    assert_eq!(flush, [(Warning, FindingCode::ShortBleed)]);
    assert_eq!(on_a_page(photo("sea", rect(-3.0, 20.0, 90.0, 60.0), Crop::WHOLE)), []);
    let gone = on_a_page(photo("sea", rect(300.0, 20.0, 90.0, 60.0), Crop::WHOLE));
    assert_eq!(gone, [(Warning, FindingCode::OutsidePage)]);
}

#[test]
fn texts_are_measured() {
    let set =
        |text_: &str, height: f64| on_a_page(text(TextRole::Body, rect(20.0, 20.0, 60.0, height), text_));
    assert_eq!(set("短短一行。", 10.0), []);
    let long = "字".repeat(200);
    assert_eq!(set(&long, 20.0), [(Warning, FindingCode::TextOverflow)]);
    assert_eq!(set(&long, 120.0), []);
    // One word that is wider than the frame.
    let word = on_a_page(text(TextRole::Title, rect(20.0, 20.0, 30.0, 40.0), "Photographs"));
    assert_eq!(word, [(Warning, FindingCode::TextOverflow)]);
    assert_eq!(set("", 10.0), [(Note, FindingCode::BlankPage), (Note, FindingCode::EmptyFrame)]);
    assert_eq!(set("笑😀1\u{fe0f}\u{20e3}", 10.0), []);
    assert_eq!(set("笑\u{10ffff}", 10.0), [(Warning, FindingCode::MissingGlyph)]);
    let edge = on_a_page(text(TextRole::Caption, rect(3.0, 20.0, 60.0, 10.0), "边上"));
    assert_eq!(edge, [(Warning, FindingCode::OutsideSafeArea)]);
}

#[test]
fn empty_frames_of_many_pages_are_one_finding() {
    let album = |pages: usize| {
        let page =
            page(vec![whole("sea", 20.0, 20.0, 90.0), caption(20.0, 90.0, ""), caption(20.0, 110.0, "")]);
        let mut found = preflight(&book(vec![page; pages]));
        // the same photo on every page
        found.retain(|finding| finding.code != FindingCode::RepeatedPhoto);
        found
    };
    let [one] = album(1).try_into().expect("one finding");
    assert_eq!(
        (one.code, one.page, one.element),
        (FindingCode::EmptyFrame, Some(PageRef::Inner(0)), Some(1))
    );
    let [all] = album(40).try_into().expect("one finding");
    assert_eq!((all.code, all.page), (FindingCode::EmptyFrame, None));
    assert!(all.message.contains("40 页"), "{}", all.message);
}

#[test]
fn photos_have_a_margin_or_reach_into_the_bleed() {
    let at = |x: f64| on_a_page(whole("sea", x, 20.0, 90.0));
    assert_eq!(at(2.0), [(Warning, FindingCode::NarrowMargin)]);
    assert_eq!(at(1.0), [(Warning, FindingCode::NarrowMargin)]);
    assert_eq!(at(0.2), [(Warning, FindingCode::ShortBleed)]);
    for x in [3.0, 20.0, -3.0] {
        assert_eq!(at(x), [], "{x}");
    }
    assert_eq!(at(210.0 - 90.0 - 2.0), [(Warning, FindingCode::NarrowMargin)]);
}

#[test]
fn shapes_and_crops_are_looked_at() {
    let shape =
        |width: f64, height: f64, crop| on_a_page(photo("sea", rect(20.0, 20.0, width, height), crop));
    assert_eq!(shape(90.0, 60.0, Crop::WHOLE), []);
    assert_eq!(shape(91.0, 60.0, Crop::WHOLE), [], "nobody sees one percent");
    assert_eq!(shape(90.0, 90.0, Crop::WHOLE), [(Warning, FindingCode::Stretched)]);
    assert_eq!(shape(90.0, 30.0, Crop::WHOLE), [(Warning, FindingCode::Stretched)]);
    assert_eq!(shape(60.0, 60.0, Crop::fill(1.5, 1.0)), [], "cut to a square");
    let part = Crop { x: 0.3, y: 0.3, width: 0.4, height: 0.4 };
    assert_eq!(shape(60.0, 40.0, part), [(Note, FindingCode::HeavyCrop)]);
    assert_eq!(shape(18.0, 12.0, Crop::WHOLE), [(Note, FindingCode::TinyPhoto)]);
}

#[test]
fn photos_on_photos_and_twice_are_found() {
    let under = on_page(page(vec![whole("sea", 40.0, 40.0, 60.0), whole("hill", 30.0, 30.0, 120.0)]));
    assert_eq!(under, [(Warning, FindingCode::HiddenPhoto)]);
    let beside = on_page(page(vec![whole("sea", 20.0, 20.0, 80.0), whole("hill", 60.0, 40.0, 80.0)]));
    assert_eq!(beside, [], "a corner may lie on another photo");
    let twice = on_page(page(vec![whole("sea", 20.0, 20.0, 60.0), whole("sea", 20.0, 100.0, 60.0)]));
    assert_eq!(twice, [(Warning, FindingCode::RepeatedPhoto)]);

    let pages = |names: [&str; 5]| names.map(|name| page(vec![whole(name, 20.0, 20.0, 90.0)])).to_vec();
    let facing = preflight(&book(pages(["one", "sea", "sea", "four", "five"])));
    assert_eq!(codes(&facing), [(Warning, FindingCode::RepeatedPhoto)]);
    assert!(facing[0].message.starts_with("第 2 页和第 3 页用了同一张照片"), "{}", facing[0].message);
    let turned = preflight(&book(pages(["sea", "sea", "three", "sea", "five"])));
    assert_eq!(codes(&turned), [], "nobody sees two pages of different leaves at once");
}

#[test]
fn texts_and_photos_keep_apart() {
    let below = on_page(page(vec![caption(30.0, 30.0, "海边的早晨"), whole("sea", 20.0, 20.0, 90.0)]));
    assert_eq!(below, [(Serious, FindingCode::HiddenText)]);
    let above = on_page(page(vec![whole("sea", 20.0, 20.0, 90.0), caption(30.0, 30.0, "海边的早晨")]));
    assert_eq!(above, [(Note, FindingCode::TextOnPhoto)]);
    let title = text(TextRole::Title, rect(30.0, 30.0, 70.0, 20.0), "海");
    assert_eq!(on_page(page(vec![whole("sea", 20.0, 20.0, 90.0), title])), [], "titles often do");
    let apart = on_page(page(vec![whole("sea", 20.0, 20.0, 90.0), caption(20.0, 82.0, "海边的早晨")]));
    assert_eq!(apart, []);

    let twice = on_page(page(vec![caption(30.0, 30.0, "海边的早晨"), caption(40.0, 31.0, "另一段")]));
    assert_eq!(twice, [(Warning, FindingCode::OverlappingTexts)]);
    // frames may overlap where their lines don't
    let lines = on_page(page(vec![caption(30.0, 30.0, "海边的早晨"), caption(30.0, 38.0, "另一段")]));
    assert_eq!(lines, []);
}

#[test]
fn words_stand_out_from_their_paper() {
    let on = |colour: [u8; 3]| {
        let background = Some(Colour(colour));
        on_page(Page { background, ..page(vec![caption(30.0, 30.0, "海边的早晨")]) })
    };
    assert_eq!(on([255, 255, 255]), []);
    assert_eq!(on([0x20, 0x20, 0x28]), [], "grey on black is read");
    assert_eq!(on([0x60, 0x62, 0x68]), [(Warning, FindingCode::LowContrast)]);
}

#[test]
fn empty_pages_and_covers_are_found() {
    assert_eq!(on_page(Page::default()), [(Note, FindingCode::BlankPage)]);
    let blank = document("calm", vec![page(vec![whole("sea", 20.0, 20.0, 90.0)])]);
    assert_eq!(codes(&preflight(&blank)), [(Warning, FindingCode::BlankCover)]);
    let mut untitled = blank.clone();
    untitled.cover = page(vec![whole("sea", 20.0, 20.0, 90.0)]);
    assert_eq!(codes(&preflight(&untitled)), [(Note, FindingCode::UntitledCover)]);
    assert_eq!(codes(&preflight(&book(blank.pages))), []);
}

#[test]
fn the_binding_has_its_say() {
    let goods = goods();
    let sixty = book(vec![page(vec![whole("sea", 20.0, 20.0, 90.0)]); 60]);
    let found = |book: &Document, binding: &str| {
        let choice = bound(&goods, 60, binding);
        let making = Some(Making { goods: &goods, choice: &choice });
        let mut found = codes(&look(book, making));
        // the same photo on every page
        found.retain(|(_, code)| *code != FindingCode::RepeatedPhoto);
        found
    };
    assert_eq!(found(&sixty, "b-hard-perfect"), []);
    assert_eq!(found(&sixty, "b-deluxe"), [(Serious, FindingCode::UnfitChoice)]);

    let mut other_size = sixty.clone();
    other_size.trim = Trim { width: 210.0, height: 297.0 };
    assert_eq!(found(&other_size, "b-hard-perfect"), [(Serious, FindingCode::WrongSize)]);

    // 30 leaves of thin paper and a paper cover
    assert_eq!(found(&sixty, "b-perfect"), [(Note, FindingCode::NarrowSpine)]);
    assert_eq!(found(&sixty, "b-saddle"), [], "no spine at all");
    let mut wordy = sixty.clone();
    wordy.title = "很长很长的书名".repeat(9);
    wordy.cover = page(vec![text(TextRole::Body, rect(20.0, 20.0, 150.0, 60.0), &wordy.title)]);
    assert_eq!(found(&wordy, "b-hard-perfect"), [(Warning, FindingCode::LongSpineTitle)]);

    let mut folded = sixty;
    folded.pages[0] = page(vec![caption(7.0, 30.0, "靠左"), caption(143.0, 60.0, "靠右")]);
    folded.pages[1] = folded.pages[0].clone();
    let making = bound(&goods, 60, "b-hard-perfect");
    let near = look(&folded, Some(Making { goods: &goods, choice: &making }));
    let near: Vec<_> = near.iter().filter(|finding| finding.code == FindingCode::NearFold).collect();
    // the spine is at the left of page 1 and at the right of page 2
    assert_eq!(
        near.iter().map(|finding| finding.page).collect::<Vec<_>>(),
        [0, 1].map(|page| Some(PageRef::Inner(page)))
    );
    assert_eq!(near.iter().map(|finding| finding.element).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert_eq!(found(&folded, "b-saddle"), [], "it opens flat");
}

#[test]
fn findings_say_where_and_are_plain_sentences() {
    let mut book = document("classic", vec![page(Vec::new()), page(vec![whole("lost", 20.0, 20.0, 60.0)])]);
    book.cover =
        page(vec![text(TextRole::Title, rect(20.0, 20.0, 100.0, 2.0), "一本很好看的画册《山水之间》")]);
    book.trim = Trim { width: 200.0, height: 200.0 };
    let goods = goods();
    let choice = default_choice(&goods, 60);
    let findings = look(&book, Some(Making { goods: &goods, choice: &choice }));
    let (whole, rest) = findings.split_at(3);
    let about = [FindingCode::WrongSize, FindingCode::UnfitChoice, FindingCode::NarrowSpine];
    assert_eq!(whole.iter().map(|finding| finding.code).collect::<Vec<_>>(), about);
    assert!(whole.iter().all(|finding| finding.page.is_none() && finding.message.starts_with("这本书")));
    assert!(whole[1].message.contains("共 2 页"), "{}", whole[1].message);
    let [overflow, blank, missing] = rest else { panic!("{rest:#?}") };
    assert_eq!(overflow.page, Some(PageRef::Cover));
    assert_eq!(blank.message, "第 1 页是空白页。");
    assert_eq!(missing.message, "第 2 页有一张照片的原图还没有上传完成，暂时不能印刷。");
    let json = serde_json::to_value(&findings).expect("JSON");
    assert_eq!(json[0]["page"], serde_json::Value::Null);
    assert_eq!(json[3]["page"], "cover");
    assert_eq!(json[3]["code"], "text-overflow");
    assert_eq!(json[4]["element"], serde_json::Value::Null);
    assert_eq!(json[5]["page"]["inner"], 1);
    assert_eq!(json[5]["severity"], "serious");
    assert!(overflow.message.contains("一本很好看的画册"));
}

#[test]
fn what_is_put_on_besides_ink_is_looked_at_as_it_is_made() {
    let goods = goods();
    let made = |cover: &str, craft: &str| {
        let cnums = ["b-hard-perfect", cover, craft].map(domain::goods::Cnum::from).to_vec();
        domain::print_options::evaluate(&goods, 16, &Choice::new(cnums)).choice()
    };
    let mut book = book(vec![page(vec![whole("p", 20.0, 20.0, 100.0)]); 16]);
    let found = |book: &Document, choice: &Choice| {
        let findings = look(book, Some(Making { goods: &goods, choice }));
        let of_cover = findings.into_iter().filter(|finding| finding.page == Some(PageRef::Cover));
        codes(&of_cover.collect::<Vec<_>>())
    };
    // a small photo on the front, which cloth has not
    book.cover.elements.push(whole("damaged", 20.0, 80.0, 100.0));
    let printed = found(&book, &made("c-coated", "x-foil"));
    assert_eq!(printed, [(Serious, FindingCode::DamagedPhoto)]);
    assert_eq!(found(&book, &made("c-cloth", "x-foil")), []);
    let bare = [(Warning, FindingCode::BareCloth), (Warning, FindingCode::BlankCover)];
    assert_eq!(found(&book, &made("c-cloth", "x-none")), bare);
    book.cover.elements.pop();
    // words of 9.5 pt and a title of 25
    book.cover.elements.push(caption(20.0, 120.0, "写给外婆"));
    assert_eq!(found(&book, &made("c-coated", "x-emboss")), []);
    assert_eq!(found(&book, &made("c-cloth", "x-foil")), [(Warning, FindingCode::FineArtwork)]);
    book.cover.elements.clear();
    book.cover.elements.push(whole("p", 20.0, 20.0, 150.0));
    let bare = found(&book, &made("c-coated", "x-uv"));
    assert!(bare.contains(&(Serious, FindingCode::NoArtwork)), "{bare:?}");
}

/// Hairlines of a typeface, and gaps that close, are found however large a number its size is.
#[test]
fn a_plate_is_measured_as_it_is_drawn() {
    let goods = goods();
    let said = |theme: &str, weight: Option<Weight>, size: i8, craft: &str| {
        let mut book = document(theme, vec![page(vec![whole("p", 20.0, 20.0, 100.0)]); 16]);
        let mut title = text(TextRole::Title, rect(20.0, 20.0, 150.0, 30.0), "山水之间");
        if let Element::Text(block) = &mut title {
            (block.weight, block.size) = (weight, size);
        }
        book.cover = page(vec![title]);
        let cnums = ["b-hard-perfect", "c-coated", craft].map(domain::goods::Cnum::from).to_vec();
        let choice = domain::print_options::evaluate(&goods, 16, &Choice::new(cnums)).choice();
        let making = Making { goods: &goods, choice: &choice };
        let found = Press::new().artwork_findings(&book, making).expect("a cover");
        // whoever prints is told the same
        let all = look(&book, Some(making));
        assert!(found.iter().all(|finding| all.contains(finding)), "{found:?} {all:?}");
        found.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
    };
    // Noto Sans in bold has strokes of 0.9 mm at 26 pt, in regular ones of 0.57
    for weight in [Weight::Bold, Weight::Regular] {
        assert_eq!(said("calm", Some(weight), 0, "x-foil"), Vec::<String>::new());
    }
    // The level strokes of Noto Serif, drawn by Pillow 2000 pixels high, are 56 to 60 pixels: 0.27 to 0.29 mm of the title's
    // 27.3 pt. A die holds them, varnish does not.
    let pt = 26.0 * 1.05;
    let level = |pt: f64| 58.0 / 2000.0 * pt * 25.4 / 72.0;
    let width = |sentence: &str| -> f64 {
        let (_, rest) = sentence.split_once("最细的笔画约 ").expect("a width");
        rest.split_once(' ').expect("a unit").0.parse().expect("a number")
    };
    for weight in [Weight::Regular, Weight::Bold] {
        assert_eq!(said("classic", Some(weight), 0, "x-foil"), Vec::<String>::new());
        for (size, craft, least) in [(0, "x-uv", 0.38), (0, "x-emboss", 0.35), (-4, "x-foil", 0.2)] {
            let told = said("classic", Some(weight), size, craft);
            let [told] = &told[..] else { panic!("{told:?}") };
            let drawn = level(pt * (7.0_f64 / 6.0).powi(size.into()));
            assert!((width(told) - drawn).abs() < 0.04, "{drawn} {told}");
            assert!(told.contains("山水之间") && told.contains(&format!("至少要 {least} 毫米")), "{told}");
            assert!(told.contains("请放大到"), "{told}");
        }
    }
    assert_eq!(said("classic", Some(Weight::Regular), 0, "x-none"), Vec::<String>::new());
    // too small is said with the width, too
    let small = said("classic", None, -7, "x-foil").concat();
    assert!(small.contains("的字至少要 10 点") && width(&small) < 0.15, "{small}");
}

#[test]
fn a_sewn_book_says_the_blank_pages_that_fill_its_last_sheet() {
    let goods = goods();
    for (pages, binding, expected) in [
        (60, "b-sewn", None),
        (
            62,
            "b-sewn",
            Some(
                "这本书共 62 页，锁线按每张 4 页折成书帖，最后会多 2 页空白；想用上这几页，可以加到 64 页。",
            ),
        ),
        (62, "b-hard-sewn", Some("最后会多 2 页空白")),
        (62, "b-perfect", None),
    ] {
        let book = book(vec![page(vec![whole("p", 20.0, 20.0, 100.0)]); pages]);
        let choice = bound(&goods, pages as u32, binding);
        let found = look(&book, Some(Making { goods: &goods, choice: &choice }));
        let blank = found.iter().find(|finding| finding.code == FindingCode::BlankEnd);
        assert_eq!(blank.is_some(), expected.is_some(), "{binding} {pages}: {found:?}");
        if let (Some(blank), Some(expected)) = (blank, expected) {
            assert!(blank.message.contains(expected), "{}", blank.message);
        }
    }
}
