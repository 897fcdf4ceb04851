//! What a member gives single elements: turned, framed, rounded, coloured; shapes. The same on the screen, in the proof and in
//! both kinds of print files.

use crate::common::*;
use domain::document::{
    Align, Border, Colour, Crop, Document, Element, Ground, Ink, Mask, Page, PaletteColour, PhotoFrame, Rect,
    Shape, ShapeKind, TextBlock, TextRole, Weight,
};
use domain::ornament::Ornament;
use image::RgbImage;
use press::{Finding, FindingCode, PageRef, Part, Press, PrintStandard, Severity, breaches, themes};

const INK: [u8; 3] = [32, 56, 100];

fn free(colour: [u8; 3]) -> Ink {
    Ink::Free(Colour(colour))
}

fn framed(frame: Rect, rotation: f64, border: Option<f64>, radius: Option<f64>) -> Element {
    let mut photo = PhotoFrame::new(id("quarters"), frame, Crop::WHOLE);
    photo.common.rotation = rotation;
    photo.border = border.map(|width| Border { width, colour: free(INK) });
    photo.radius = radius;
    Element::Photo(photo)
}

fn masked(frame: Rect, mask: Mask, border: Option<f64>) -> Element {
    let mut photo = PhotoFrame::new(id("quarters"), frame, Crop::WHOLE);
    photo.border = border.map(|width| Border { width, colour: free(INK) });
    // what it would have without
    photo.radius = Some(3.0);
    photo.mask = Some(mask);
    Element::Photo(photo)
}

fn shape(shape: ShapeKind, frame: Rect, rotation: f64, fill: Option<Ink>, border: Option<f64>) -> Element {
    let border = border.map(|width| Border { width, colour: free(INK) });
    let mut shape = Shape { common: Default::default(), shape, frame, fill, border, radius: None };
    shape.common.rotation = rotation;
    Element::Shape(shape)
}

fn styled(frame: Rect, words: &str, style: impl FnOnce(&mut TextBlock)) -> Element {
    let mut block = TextBlock::new(frame, TextRole::Body, words);
    style(&mut block);
    Element::Text(block)
}

fn library() -> Library {
    Library::default().jpeg("quarters", &quadrants(900, 900), 1)
}

/// Everything there is, on one page.
fn everything(theme: &str) -> Document {
    let words =
        "清晨的雾还没有散，山路上只有我们的脚步声。走到半山腰的时候，太阳从云里出来，整个山谷一下子亮了。";
    let elements = vec![
        shape(
            ShapeKind::Rect,
            rect(-10.0, 150.0, 230.0, 70.0),
            0.0,
            Some(Ink::Theme(PaletteColour::Accent)),
            None,
        ),
        framed(rect(20.0, 20.0, 60.0, 60.0), 30.0, Some(2.0), Some(8.0)),
        framed(rect(110.0, 20.0, 80.0, 50.0), -90.0, None, Some(40.0)),
        masked(rect(95.0, 108.0, 30.0, 40.0), Mask::Arch, Some(1.0)),
        masked(rect(180.0, 90.0, 25.0, 30.0), Mask::Leaf, None),
        shape(ShapeKind::Ellipse, rect(20.0, 100.0, 60.0, 30.0), 15.0, Some(free(GREEN)), Some(1.5)),
        shape(ShapeKind::Line, rect(90.0, 100.0, 100.0, 4.0), -10.0, None, Some(1.0)),
        styled(rect(20.0, 155.0, 100.0, 40.0), words, |block| {
            block.size = 3;
            block.colour = Some(Ink::Theme(PaletteColour::Paper));
            block.align = Some(Align::Right);
            block.weight = Some(Weight::Bold);
        }),
        styled(rect(140.0, 130.0, 60.0, 40.0), words, |block| {
            block.common.rotation = 90.0;
            block.size = -2;
            block.colour = Some(free(INK));
        }),
    ];
    document(theme, vec![page(elements)])
}

fn shown(document: &Document, width: u32) -> RgbImage {
    let webp =
        Press::new().page_picture(document, PageRef::Inner(0), &library(), width).expect("a page picture");
    image::load_from_memory_with_format(&webp, image::ImageFormat::WebP).expect("WebP").into_rgb8()
}

fn printed(standard: PrintStandard, document: &Document) -> Vec<u8> {
    let mut pdf = Vec::new();
    let press = Press::following(standard);
    press.print(document, Part::Inner, &library(), MADE_AT, &mut pdf).expect("a print file");
    pdf
}

fn one(elements: Vec<Element>) -> Document {
    document("calm", vec![page(elements)])
}

fn findings(document: &Document) -> Vec<Finding> {
    let library = library();
    let describe = |photo: &_| press::Originals::describe(&library, photo);
    let found = Press::new()
        .preflight(document, None, &describe, &|_| Default::default(), &|| true)
        .expect("findings");
    found.into_iter().filter(|finding| finding.page == Some(PageRef::Inner(0))).collect()
}

#[test]
fn screen_print_and_proof_are_one() {
    for theme in themes() {
        let book = everything(theme.name);
        let small = |picture: &RgbImage| pictures::scaled(picture, 210, 210);
        let screen = small(&shown(&book, 840));
        let files = [
            // large grounds are said in tints that a plate holds
            ("X-4", printed(PrintStandard::X4, &book), 2.0),
            // inks are other colours; shapes and places are the same
            ("X-1a", printed(PrintStandard::X1a, &book), 26.0),
        ];
        for (name, pdf, most) in files {
            let apart = difference(&screen, &small(&rasterised(&pdf, 1, 840)));
            assert!(apart <= most, "{} {name}: {apart}", theme.name);
        }
        let proof = Press::new().proof_pdf(&book, None, &library()).expect("a proof");
        let without_guides = difference(&screen, &small(&rasterised(&proof, 2, 840)));
        assert!(without_guides <= 4.0, "{} proof: {without_guides}", theme.name);
    }
}

#[test]
fn four_inks_have_nothing_else_and_nothing_transparent() {
    let bytes = printed(PrintStandard::X1a, &everything("calm"));
    let pdf = lopdf::Document::load_mem(&bytes).expect("a PDF");
    for page in pdf.get_pages().into_values() {
        let content = lopdf::content::Content::decode(&pdf.get_page_content(page)).expect("a page");
        let others = content.operations.iter().map(|it| it.operator.as_str());
        assert!(
            others.clone().all(|it| !matches!(it, "rg" | "RG" | "g" | "G" | "sh")),
            "{:?}",
            others.collect::<Vec<_>>()
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, &bytes).expect("the PDF is written");
    run("qpdf", &["--check"], &file);
}

#[test]
fn a_frame_turns_clockwise_about_its_centre() {
    let book = one(vec![framed(rect(60.0, 80.0, 90.0, 50.0), 90.0, None, None)]);
    for (name, picture) in
        [("screen", shown(&book, 840)), ("print", rasterised(&printed(PrintStandard::X4, &book), 1, 840))]
    {
        // it stands at 80, 60 and is 50 wide and 90 high; what was at the upper left is at the upper right
        let at = |x: f64, y: f64| picture.get_pixel((x * 4.0) as u32, (y * 4.0) as u32);
        for (x, y, colour) in
            [(120.0, 70.0, RED), (120.0, 140.0, GREEN), (90.0, 70.0, BLUE), (90.0, 140.0, YELLOW)]
        {
            assert!(near(at(x, y), colour), "{name} at {x} {y}: {:?}", at(x, y));
        }
        let paper = *picture.get_pixel(5, 5);
        for (x, y) in [(70.0, 105.0), (140.0, 105.0), (105.0, 55.0), (105.0, 155.0)] {
            assert!(near(at(x, y), paper.0), "{name} beside it at {x} {y}: {:?}", at(x, y));
        }
    }
}

#[test]
fn a_border_lies_inside_its_frame_and_corners_are_round() {
    let book = one(vec![framed(rect(50.0, 50.0, 80.0, 80.0), 0.0, Some(4.0), Some(20.0))]);
    let picture = shown(&book, 840);
    let at = |x: f64, y: f64| picture.get_pixel((x * 4.0) as u32, (y * 4.0) as u32);
    let paper = *picture.get_pixel(5, 5);
    assert!(near(at(90.0, 52.0), INK) && near(at(52.0, 90.0), INK), "the line is there");
    assert!(near(at(90.0, 48.0), paper.0) && near(at(90.0, 132.0), paper.0), "and nowhere else");
    assert!(near(at(52.0, 52.0), paper.0) && near(at(128.0, 128.0), paper.0), "corners are round");
    assert!(near(at(70.0, 70.0), RED) && near(at(110.0, 110.0), YELLOW), "the photo is inside");
    // a border of no width takes the theme's away
    let plain = |border| one(vec![framed(rect(50.0, 50.0, 80.0, 80.0), 0.0, border, None)]);
    let night = |border| Document { theme: "night".to_owned(), ..plain(border) };
    assert!(difference(&shown(&night(None), 840), &shown(&night(Some(0.0)), 840)) > 0.0);
}

#[test]
fn a_mask_rounds_its_corners_and_no_others() {
    let frame = rect(50.0, 60.0, 90.0, 60.0);
    for (mask, round) in [
        (Mask::Round, [true; 4]),
        (Mask::Arch, [true, true, false, false]),
        (Mask::Leaf, [true, false, true, false]),
        (Mask::Drop, [true, true, true, false]),
    ] {
        let book = one(vec![masked(frame, mask, None)]);
        for (name, picture) in [
            ("screen", shown(&book, 840)),
            ("X-4", rasterised(&printed(PrintStandard::X4, &book), 1, 840)),
            ("X-1a", rasterised(&printed(PrintStandard::X1a, &book), 1, 840)),
        ] {
            let at = |x: f64, y: f64| *picture.get_pixel((x * 4.0) as u32, (y * 4.0) as u32);
            let paper = at(2.0, 2.0);
            // of a quarter of a circle of 30 mm, 8.8 mm from both edges is its middle
            let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
            for ((right, down), is_round) in corners.into_iter().zip(round) {
                let from = |inset: f64| at(95.0 - right * (45.0 - inset), 90.0 - down * (30.0 - inset));
                assert_eq!(near(&from(7.5), paper.0), is_round, "{name}, {mask:?}, {right} {down}");
                assert!(!near(&from(10.0), paper.0), "{name}, {mask:?}, {right} {down}");
            }
        }
    }
    // a line follows it, inside
    let book = one(vec![masked(frame, Mask::Round, Some(4.0))]);
    let picture = shown(&book, 840);
    let at = |inset: f64| picture.get_pixel(((50.0 + inset) * 4.0) as u32, ((60.0 + inset) * 4.0) as u32);
    let paper = *picture.get_pixel(5, 5);
    assert!(
        near(at(7.5), paper.0) && near(at(10.2), INK) && near(at(13.5), RED),
        "{:?}",
        [7.5, 10.2, 13.5].map(at)
    );
}

/// Each ornament is drawn in its colour in the middle of its frame and nowhere else: on the screen, and in both kinds of print
/// files.
#[test]
fn an_ornament_is_drawn_in_its_frame_and_nowhere_else() {
    let frame = rect(50.0, 60.0, 100.0, 80.0);
    let drawn = |ornament| shape(ShapeKind::Ornament(ornament), frame, 0.0, Some(free(INK)), None);
    let book = document("calm", Ornament::ALL.map(|ornament| page(vec![drawn(ornament)])).to_vec());
    let files = [PrintStandard::X4, PrintStandard::X1a].map(|standard| {
        let pdf = printed(standard, &book);
        assert_eq!(breaches(&pdf, standard).expect("a PDF"), []);
        pdf
    });
    for (index, ornament) in Ornament::ALL.into_iter().enumerate() {
        let place = ornament.drawn_in(&frame).place;
        let screen = Press::new().page_picture(&book, PageRef::Inner(index), &library(), 840).unwrap();
        let screen = image::load_from_memory(&screen).expect("WebP").into_rgb8();
        let [x4, x1a] = [0, 1].map(|file| rasterised(&files[file], index + 1, 840));
        for (name, picture) in [("screen", screen), ("X-4", x4), ("X-1a", x1a)] {
            let paper = *picture.get_pixel(5, 5);
            let inked: Vec<(f64, f64)> = picture
                .enumerate_pixels()
                .filter(|(_, _, pixel)| pixel.0.iter().zip(paper.0).any(|(a, b)| a.abs_diff(b) > 60))
                .map(|(x, y, _)| (f64::from(x) / 4.0, f64::from(y) / 4.0))
                .collect();
            let outside = inked.iter().find(|(x, y)| {
                let (dx, dy) = (x - place.x, y - place.y);
                dx < -0.5 || dy < -0.5 || dx > place.width + 0.5 || dy > place.height + 0.5
            });
            assert_eq!(outside, None, "{ornament:?} {name}");
            let reach = |of: fn(&(f64, f64)) -> f64| {
                let all = inked.iter().map(of);
                all.clone().fold(f64::MIN, f64::max) - all.fold(f64::MAX, f64::min)
            };
            let (across, down) = (reach(|at| at.0) / place.width, reach(|at| at.1) / place.height);
            assert!(across > 0.85 && down > 0.7, "{ornament:?} {name}: {across} {down}");
            if name == "screen" {
                assert!(picture.pixels().filter(|pixel| near(pixel, INK)).count() > 200, "{ornament:?}");
            }
        }
    }
}

/// The smallest, the flattest and the largest frames hold each ornament; where its lines would be too fine, that is said.
#[test]
fn an_ornament_stands_in_any_frame() {
    let at = |ornament, frame, fill| shape(ShapeKind::Ornament(ornament), frame, 30.0, fill, None);
    let odd = [rect(9.0, 9.0, 1.0, 1.0), rect(5.0, 40.0, 200.0, 1.0), rect(40.0, 5.0, 1.0, 200.0)];
    let odd = odd.into_iter().chain([rect(-3.0, -3.0, 216.0, 216.0)]);
    let all = odd.flat_map(|frame| Ornament::ALL.map(|it| at(it, frame, Some(free(INK)))));
    let book = one(all.chain([at(Ornament::Heart, rect(9.0, 9.0, 40.0, 40.0), None)]).collect());
    shown(&book, 320);
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        assert_eq!(breaches(&printed(standard, &book), standard).expect("a PDF"), []);
    }
    let said = |ornament, side: f64| {
        let book = one(vec![at(ornament, rect(50.0, 50.0, side, side), Some(free(INK)))]);
        let found = findings(&book).into_iter().find(|finding| finding.code == FindingCode::Hairline);
        found.map(|finding| finding.message)
    };
    assert!(said(Ornament::Wreath, 4.0).is_some_and(|message| message.contains("花环太小")));
    assert_eq!((said(Ornament::Wreath, 20.0), said(Ornament::Heart, 2.0)), (None, None));
}

/// A theme's own colours are told from each of its grounds (3 : 1, WCAG 2.2, 1.4.11), all but the paper's and the light one's own.
#[test]
fn a_themes_colours_are_seen_on_its_grounds() {
    let names = [PaletteColour::Text, PaletteColour::Strong, PaletteColour::Quiet, PaletteColour::Accent];
    let light = |pixel: &image::Rgb<u8>| {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(pixel.0[0]) + 0.7152 * linear(pixel.0[1]) + 0.0722 * linear(pixel.0[2])
    };
    for theme in themes() {
        for ground in Ground::ALL {
            let areas = names.iter().zip(0..).map(|(name, at)| {
                let frame = rect(20.0 + 45.0 * f64::from(at), 80.0, 30.0, 30.0);
                shape(ShapeKind::Rect, frame, 0.0, Some(Ink::Theme(*name)), None)
            });
            let book = document(theme.name, vec![Page { ground, ..page(areas.collect()) }]);
            let picture = shown(&book, 420);
            let paper = light(picture.get_pixel(3, 3));
            for (name, at) in names.iter().zip(0..) {
                let own = light(picture.get_pixel(70 + 90 * at, 190));
                let contrast = (own.max(paper) + 0.05) / (own.min(paper) + 0.05);
                assert!(contrast >= 3.0, "{} {ground:?} {name:?}: {contrast:.1}", theme.name);
            }
        }
    }
}

/// Words over an ornament are read, and words under one are.
#[test]
fn an_ornament_hides_no_words() {
    let words = || text(TextRole::Title, rect(40.0, 60.0, 130.0, 20.0), "山水之间");
    let over = |kind| {
        let above = shape(kind, rect(40.0, 50.0, 130.0, 40.0), 0.0, Some(free(INK)), None);
        findings(&one(vec![words(), above])).iter().any(|finding| finding.code == FindingCode::HiddenText)
    };
    assert!(over(ShapeKind::Rect));
    assert!(!over(ShapeKind::Ornament(Ornament::Wreath)));
}

#[test]
fn words_follow_what_was_said_of_them() {
    let dark = |book: &Document| {
        let picture = shown(book, 840);
        let paper = *picture.get_pixel(5, 5);
        let inked: Vec<(u32, u32)> = picture
            .enumerate_pixels()
            .filter(|(_, _, pixel)| pixel.0.iter().zip(paper.0).any(|(a, b)| a.abs_diff(b) > 90))
            .map(|(x, y, _)| (x, y))
            .collect();
        inked
    };
    let frame = rect(40.0, 90.0, 130.0, 30.0);
    let usual = dark(&one(vec![styled(frame, "海边", |_| {})]));
    let large = dark(&one(vec![styled(frame, "海边", |block| block.size = 8)]));
    let bold = dark(&one(vec![styled(frame, "海边", |block| block.weight = Some(Weight::Bold))]));
    let right = dark(&one(vec![styled(frame, "海边", |block| block.align = Some(Align::Right))]));
    let coloured = one(vec![styled(frame, "海边", |block| {
        (block.colour, block.size) = (Some(free(RED)), 8);
    })]);
    assert!(large.len() > 5 * usual.len(), "{} and {}", large.len(), usual.len());
    assert!(bold.len() > usual.len());
    let leftmost = |inked: &[(u32, u32)]| inked.iter().map(|(x, _)| *x).min();
    assert!(leftmost(&usual) < Some(180) && leftmost(&right) > Some(600));
    assert!(shown(&coloured, 840).pixels().any(|pixel| near(pixel, RED)));
}

#[test]
fn turning_a_photo_leaves_its_resolution() {
    // 900 pixels on 80 mm are 285 dpi, on 240 mm 95
    let dpi = |side: f64, rotation: f64| {
        let at = (210.0 - side) / 2.0;
        let book = one(vec![framed(rect(at, at, side, side), rotation, None, None)]);
        let coarse = [FindingCode::LowResolution, FindingCode::VeryLowResolution];
        findings(&book).into_iter().find(|it| coarse.contains(&it.code)).map(|it| (it.severity, it.message))
    };
    for rotation in [0.0, 30.0, 45.0, 90.0, -135.0] {
        assert_eq!(dpi(80.0, rotation), None);
        let (severity, message) = dpi(170.0, rotation).expect("170 mm are too many");
        assert_eq!(severity, Severity::Serious);
        assert!(message.contains("134 dpi"), "{message}");
    }
}

#[test]
fn preflight_looks_where_a_turned_thing_lies() {
    let codes = |elements: Vec<Element>| -> Vec<FindingCode> {
        findings(&one(elements)).into_iter().map(|finding| finding.code).collect()
    };
    let long = rect(-20.0, 95.0, 250.0, 20.0);
    assert!(!codes(vec![framed(long, 0.0, None, None)]).contains(&FindingCode::OutsidePage));
    // upright, at the page's right edge and past it
    let beside = Rect { x: 100.0, ..long };
    assert!(codes(vec![framed(beside, 90.0, None, None)]).contains(&FindingCode::OutsidePage));
    // flush with the trim only where it is turned
    let flush = rect(-25.0, 80.0, 100.0, 50.0);
    assert!(codes(vec![framed(flush, 90.0, None, None)]).contains(&FindingCode::ShortBleed));
    assert!(!codes(vec![framed(flush, 45.0, None, None)]).contains(&FindingCode::ShortBleed));
    let words = |rotation: f64| {
        styled(rect(60.0, 20.0, 90.0, 10.0), "清晨的雾还没有散", |block| {
            block.common.rotation = rotation
        })
    };
    assert!(!codes(vec![words(0.0)]).contains(&FindingCode::OutsideSafeArea));
    assert!(codes(vec![words(90.0)]).contains(&FindingCode::OutsideSafeArea));
    let over = shape(ShapeKind::Rect, rect(60.0, 15.0, 90.0, 20.0), 0.0, Some(free(RED)), None);
    assert!(codes(vec![words(0.0), over.clone()]).contains(&FindingCode::HiddenText));
    assert!(!codes(vec![over.clone(), words(0.0)]).contains(&FindingCode::HiddenText));
    let outline = shape(ShapeKind::Rect, rect(60.0, 15.0, 90.0, 20.0), 0.0, None, Some(1.0));
    assert!(!codes(vec![words(0.0), outline]).contains(&FindingCode::HiddenText));
    // a colour like the paper's under light words counts, not the paper
    let light =
        styled(rect(60.0, 20.0, 90.0, 10.0), "清晨的雾", |block| block.colour = Some(free([250; 3])));
    assert!(codes(vec![light.clone()]).contains(&FindingCode::LowContrast));
    assert!(!codes(vec![over, light]).contains(&FindingCode::LowContrast));
}
