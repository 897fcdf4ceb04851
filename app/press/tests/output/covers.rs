//! Covers as bindings make them: the sheet, what is drawn on it, and the die line.

use crate::common::*;
use domain::binding::{Case, CoverMake, CoverSheet, Embellishment, Glued, Leaves};
use domain::document::{Align, Colour, Crop, Document, Element, Ground, Page, TextBlock, TextRole, Trim};
use image::{GrayImage, Rgb, RgbImage};
use press::{PageRef, Part, Press, PrintStandard, breaches, themes};

pub const A4: Trim = Trim { width: 210.0, height: 297.0 };

/// A book whose front is a photo over all of it, red above left, yellow below right.
pub fn a_book() -> (Document, Library) {
    let mut book = document("calm", Vec::new());
    book.trim = A4;
    book.cover = page(vec![
        photo("front", rect(-3.0, -3.0, 216.0, 303.0), Crop::WHOLE),
        text(TextRole::Title, rect(20.0, 30.0, 170.0, 20.0), "山水之间"),
    ]);
    book.pages = (1..=8)
        .map(|number| {
            page(vec![text(TextRole::Title, rect(20.0, 20.0, 170.0, 16.0), &format!("第{number}页"))])
        })
        .collect();
    (book, Library::default().jpeg("front", &quadrants(720, 1010), 1))
}

fn printed(book: &Document, library: &Library, part: Part) -> Vec<u8> {
    let mut pdf = Vec::new();
    Press::new().print(book, part, library, MADE_AT, &mut pdf).expect("a print file");
    if let Ok(folder) = std::env::var("BINDERY_LOOK") {
        let name = format!("{folder}/{}-{:x}.pdf", std::process::id(), typst::utils::hash128(&pdf) as u32);
        std::fs::write(&name, &pdf).unwrap();
        println!("{name}: {part:?}");
    }
    pdf
}

/// A file whose first page is shown with everything around its trim.
pub fn with_trim_of_media(pdf: &[u8]) -> Vec<u8> {
    let mut whole = lopdf::Document::load_mem(pdf).unwrap();
    let page = whole.get_pages()[&1];
    let media = whole.get_dictionary(page).unwrap().get(b"MediaBox").unwrap().clone();
    whole.get_dictionary_mut(page).unwrap().set("TrimBox", media);
    let mut bytes = Vec::new();
    whole.save_to(&mut bytes).unwrap();
    bytes
}

fn mm(pt: f64) -> f64 {
    (pt * 25.4 / 72.0 * 10.0).round() / 10.0
}

fn words(pdf: &[u8], page: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cover.pdf");
    std::fs::write(&file, pdf).unwrap();
    run("qpdf", &["--check"], &file);
    let number = page.to_string();
    let output = std::process::Command::new("pdftotext")
        .args(["-f", &number, "-l", &number])
        .args([file.as_os_str(), "-".as_ref()])
        .output();
    String::from_utf8_lossy(&output.unwrap().stdout).chars().filter(|c| !c.is_whitespace()).collect()
}

/// How much what is drawn on two papers at so many pixels a mm differs where it differs most, in squares of 5 mm: a thin line is nothing in the
/// mean of all.
fn most_apart(one: &RgbImage, other: &RgbImage, px: u32) -> f64 {
    let (width, height) = one.dimensions();
    // a ground is printed in a tint that a plate holds
    let drawn = |it: &RgbImage| {
        let (small, paper) = (pictures::scaled(it, width / (5 * px), height / (5 * px)), *it.get_pixel(2, 2));
        let over =
            |pixel: &Rgb<u8>| [0, 1, 2].map(|part| f64::from(pixel.0[part]) - f64::from(paper.0[part]));
        small.pixels().map(over).collect::<Vec<_>>()
    };
    let apart =
        |(a, b): (&[f64; 3], &[f64; 3])| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 3.0;
    drawn(one).iter().zip(&drawn(other)).map(apart).fold(0.0, f64::max)
}

/// Whether something is drawn on paper, be it ever so light.
fn differs(pixel: &Rgb<u8>, paper: &Rgb<u8>) -> bool {
    pixel.0.iter().zip(paper.0).any(|(a, b)| a.abs_diff(b) > 6)
}

/// What lies on its ground and behind its title is printed on a front as its page is shown, in every theme and on each ground.
#[test]
fn a_front_is_printed_as_its_page_is_shown() {
    for theme in themes() {
        for ground in Ground::ALL {
            let mut book = document(theme.name, Vec::new());
            let title = text(TextRole::Title, rect(30.0, 120.0, 150.0, 20.0), "山水之间");
            book.cover = Page { ground, ..page(vec![title]) };
            let library = Library::default();
            let pdf = printed(&book, &library, plain_cover(&book, 8.0));
            // so fine that lines are as wide as they are in any program
            let px = 6;
            let sheet = rasterised(&pdf, 1, 428 * px);
            let front = image::imageops::crop_imm(&sheet, 218 * px, 0, 210 * px, 210 * px).to_image();
            let shown =
                Press::new().page_picture(&book, PageRef::Cover, &library, 210 * px).expect("a picture");
            let shown = image::load_from_memory(&shown).unwrap().into_rgb8();
            // letters have other edges in another program
            for (from, to) in [(0, 115), (145, 210)] {
                let part = |of: &RgbImage| {
                    image::imageops::crop_imm(of, 0, from * px, 210 * px, (to - from) * px).to_image()
                };
                let apart = most_apart(&part(&front), &part(&shown), px);
                assert!(apart < 4.0, "{} {ground:?}: {apart}", theme.name);
            }
        }
    }
}

/// What lies behind a chapter's name lies where its theme has it: in the middle of the page, or so far from an edge of it.
#[test]
fn what_lies_behind_a_chapter_is_where_it_belongs() {
    let shown = |theme: &str, ground| {
        let name = text(TextRole::Heading, rect(30.0, 80.0, 150.0, 16.0), "江上");
        let book = document(theme, vec![Page { ground, ..page(vec![name]) }]);
        let seen = Press::new().page_picture(&book, PageRef::Inner(0), &Library::default(), 420).unwrap();
        image::load_from_memory(&seen).unwrap().into_rgb8()
    };
    for theme in ["classic", "cream", "festive", "gallery"] {
        for ground in Ground::ALL {
            let page = shown(theme, ground);
            let mirrored = image::imageops::flip_horizontal(&page);
            // the words are in the middle, and no mirror of themselves
            let around = |it: &RgbImage| {
                let (above, below) = (image::imageops::crop_imm(it, 0, 0, 420, 156), (0, 196, 420, 224));
                let (x, y, width, height) = below;
                [above.to_image(), image::imageops::crop_imm(it, x, y, width, height).to_image()]
            };
            for (one, other) in around(&page).iter().zip(&around(&mirrored)) {
                let apart = most_apart(one, other, 2);
                assert!(apart < 6.0, "{theme} {ground:?}: {apart}");
            }
        }
    }
    for (theme, y) in [("calm", 210.0 * 0.88), ("magazine", 210.0 * 0.92)] {
        let page = shown(theme, Ground::Paper);
        let has_line =
            |by: i32| differs(page.get_pixel(210, (y * 2.0 + f64::from(by)) as u32), page.get_pixel(2, 2));
        assert!((-2..=2).any(has_line) && !has_line(-8) && !has_line(8), "{theme}");
    }
    let moon = *shown("night", Ground::Paper).get_pixel(347, 81);
    assert!(near(&moon, [0xe9, 0xe7, 0xe2]), "{moon:?}");
}

/// What stands over a name stands where its words do, wherever a page has them.
#[test]
fn what_stands_over_a_name_goes_with_it() {
    let red = |align: Option<Align>, x: f64| {
        let mut name = TextBlock::new(rect(x, 80.0, 100.0, 16.0), TextRole::Heading, "江上");
        name.align = align;
        let book = document("magazine", vec![page(vec![Element::Text(name)])]);
        let seen = Press::new().page_picture(&book, PageRef::Inner(0), &Library::default(), 420).unwrap();
        let seen = image::load_from_memory(&seen).unwrap().into_rgb8();
        let is_red = |pixel: &Rgb<u8>| pixel.0[0] > 140 && pixel.0[1] < 80;
        let inked =
            seen.enumerate_pixels().filter(|(_, _, pixel)| is_red(pixel)).map(|(x, ..)| f64::from(x) / 2.0);
        let (from, to) = inked.fold((f64::MAX, f64::MIN), |(from, to), x| (from.min(x), to.max(x)));
        (from.round(), to.round())
    };
    // 22 mm wide
    assert_eq!(red(None, 15.0), (15.0, 37.0));
    assert_eq!(red(Some(Align::Center), 15.0), (54.0, 76.0));
    assert_eq!(red(Some(Align::Right), 90.0), (168.0, 190.0));
}

/// A back is made with its front: what lies on the front's ground goes on there, and on a spine that nothing parts.
#[test]
fn a_back_is_made_with_its_front() {
    let sheet = |theme: &str, ground| {
        let mut book = document(theme, Vec::new());
        book.cover = Page { ground, ..page(Vec::new()) };
        rasterised(&printed(&book, &Library::default(), plain_cover(&book, 8.0)), 1, 856)
    };
    // a gold frame on both, and a seal in the middle of the back
    let festive = sheet("festive", Ground::Deep);
    let [red, gold] = [*festive.get_pixel(4, 4), *festive.get_pixel(436 + 210, 16)];
    assert!(!near(&gold, red.0));
    assert!(near(festive.get_pixel(210, 16), gold.0), "{gold:?}");
    // dots on all of it
    let journal = sheet("journal", Ground::Tint);
    let inked = |from: u32, to: u32| {
        let paper = *journal.get_pixel(0, 0);
        // below the words on the spine, above those on the back
        let part = (from..to).flat_map(|x| (140..300).map(move |y| (x, y)));
        part.filter(|(x, y)| differs(journal.get_pixel(*x, *y), &paper)).count() as f64 / f64::from(to - from)
    };
    let (back, spine, front) = (inked(0, 420), inked(420, 436), inked(436, 856));
    assert!(back > 1.0 && (back / front - 1.0).abs() < 0.1 && spine > back / 3.0, "{back} {spine} {front}");
}

#[test]
fn a_case_is_drawn_over_its_boards_and_into_them() {
    let (book, library) = a_book();
    let cover = CoverSheet::of(CoverMake::Case(Case::default()), A4, 11.5, 5.0, false);
    let pdf = printed(&book, &library, Part::Cover(cover));
    let [sheet] = &pdf_boxes(&pdf)[..] else { panic!("one page") };
    assert_eq!(sheet.media.map(mm), [0.0, 0.0, 492.5, 338.0]);
    assert_eq!(sheet.trim.map(mm), [17.5, 17.5, 475.0, 320.5]);
    // two pixels a mm of what is seen: back 213, groove 10, spine 11.5, groove 10, front 213
    let seen = rasterised(&pdf, 1, 915);
    let paper = [0xff; 3];
    let at = |x: f64, y: f64| *seen.get_pixel((x * 2.0) as u32, (y * 2.0) as u32);
    assert!(near(&at(100.0, 100.0), paper) && near(&at(229.0, 60.0), paper), "back and spine are paper");
    assert!(near(&at(238.0, 40.0), RED), "the photo reaches through the groove to the spine");
    assert!(near(&at(455.0, 300.0), YELLOW) && near(&at(250.0, 300.0), BLUE) && near(&at(455.0, 8.0), GREEN));
    // and around the boards to the edge of the sheet
    let sheet = rasterised(&with_trim_of_media(&pdf), 1, 985);
    assert!(near(sheet.get_pixel(980, 670), YELLOW) && near(sheet.get_pixel(980, 6), GREEN));
}

#[test]
fn every_cover_has_its_die_line_and_nothing_of_it_in_the_inks() {
    let (book, library) = a_book();
    let makes = [
        (CoverMake::Case(Case::default()), 11.5),
        (CoverMake::Glued(Glued::default()), 7.0),
        (CoverMake::Folded, 0.0),
        (CoverMake::Leaves(Leaves::default()), 0.0),
    ];
    for (make, spine) in makes {
        let cover = CoverSheet::of(make, A4, spine, 5.0, false);
        let bytes = printed(&book, &library, Part::Cover(cover));
        let pdf = lopdf::Document::load_mem(&bytes).unwrap();
        assert!(bytes.windows(19).any(|part| part == b"/#E5#88#80#E7#BA#BF"), "{make:?}: 刀线 is a colour");
        for page in pdf.get_pages().into_values() {
            let content = String::from_utf8_lossy(&pdf.get_page_content(page)).into_owned();
            let (_, die) = content.rsplit_once("/BinderyOver gs").expect("a die line");
            assert!(die.contains(" CS 1 SCN") && !die.contains(" rg") && !die.contains(" k"));
            let folds = die.matches(" m ").count();
            assert_eq!(folds, cover.folds().len(), "{make:?}");
        }
        if let Some(plates) = plates(&bytes) {
            assert!(plates.contains_key("刀线"), "{make:?}: {:?}", plates.keys());
        }
    }
}

/// The darkest place of a plate in a rectangle of the sheet, in mm from its upper left corner.
pub fn darkest(plate: &GrayImage, [left, top, right, bottom]: [f64; 4]) -> u8 {
    let dots = |mm: f64| (mm * 50.0 / 25.4) as u32;
    let rows = dots(top)..dots(bottom).min(plate.height());
    let places = rows.flat_map(|y| (dots(left)..dots(right).min(plate.width())).map(move |x| (x, y)));
    places.map(|(x, y)| plate.get_pixel(x, y).0[0]).min().unwrap()
}

pub const INKS: [&str; 4] = ["Cyan", "Magenta", "Yellow", "Black"];

#[test]
fn what_is_put_on_besides_ink_is_a_plate_of_its_own() {
    let (book, library) = a_book();
    let mut untitled = book.clone();
    untitled.cover.elements.pop();
    let plain = CoverSheet::of(CoverMake::Glued(Glued::default()), A4, 7.0, 0.6, false);
    // the title on the sheet: bleed, back and spine lie before the front
    let title = [240.0, 33.0, 410.0, 53.0];
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let made = |book: &Document, cover: CoverSheet| {
            let mut pdf = Vec::new();
            let press = Press::following(standard);
            press.print(book, Part::Cover(cover), &library, MADE_AT, &mut pdf).expect("a print file");
            assert_eq!(breaches(&pdf, standard).expect("a PDF"), []);
            pdf
        };
        for (embellishment, name, under) in [
            (Embellishment::Foil, "烫金", &untitled),
            (Embellishment::SpotVarnish, "局部UV", &book),
            (Embellishment::Emboss, "起鼓", &book),
        ] {
            let pdf = made(&book, CoverSheet { embellishment: Some(embellishment), ..plain });
            assert_eq!(pdf_boxes(&pdf).len(), 1, "the plate is no page of its own");
            assert!(words(&pdf, 1).contains("山水之间"));
            let (Some(plates), Some(expected)) = (plates(&pdf), plates(&made(under, plain))) else { return };
            let plate = plates.get(name).unwrap_or_else(|| panic!("{name}: {:?}", plates.keys()));
            assert!(darkest(plate, title) < 60, "{name}: the title is on it, all of it");
            for [left, top, right, bottom] in [[0.0, 0.0, 238.0, 303.0], [238.0, 60.0, 433.0, 303.0]] {
                assert_eq!(darkest(plate, [left, top, right, bottom]), 255, "{name}: and nothing else is");
            }
            // what is printed is what is printed without it; foil hides what is under it, and only that is left out
            for ink in INKS {
                assert!(plates[ink] == expected[ink], "{standard:?} {name}: {ink}");
            }
            assert!(plates.contains_key("刀线"));
        }
    }
}

#[test]
fn cloth_takes_no_ink() {
    let (mut book, library) = a_book();
    book.cover.elements.push(text(TextRole::Subtitle, rect(20.0, 60.0, 170.0, 10.0), "写给外婆"));
    let cloth = Colour([0x6f, 0x74, 0x7c]);
    let case = CoverSheet::of(CoverMake::Case(Case::default()), A4, 11.5, 5.0, false);
    let bare = CoverSheet { cloth: Some(cloth), ..case };
    let foiled = CoverSheet { embellishment: Some(Embellishment::Foil), ..bare };
    // the photo is not asked for
    let without = Library::default();
    let printed_words = words(&printed(&book, &without, Part::Cover(foiled)), 1);
    assert!(printed_words.contains("写给外婆") && printed_words.contains("林小满"), "{printed_words}");
    assert_eq!(words(&printed(&book, &without, Part::Cover(bare)), 1), "");
    if let Some(plates) = plates(&printed(&book, &without, Part::Cover(foiled))) {
        for ink in INKS {
            assert_eq!(darkest(&plates[ink], [0.0, 0.0, 492.0, 338.0]), 255, "{ink}");
        }
        // the front's words and those of the spine, 213 and 10 from the turn-in
        assert!(darkest(&plates["烫金"], [270.0, 40.0, 450.0, 75.0]) < 60);
        assert!(darkest(&plates["烫金"], [240.5, 20.0, 252.0, 330.0]) < 60);
    }
    // and the screen shows cloth, with words of gold
    let seen = |cover: &CoverSheet| {
        let picture = Press::new().standing_picture(&book, cover, &without, 720).expect("a picture");
        image::load_from_memory(&picture).unwrap().into_rgb8()
    };
    let golden = |picture: &RgbImage, gold| picture.pixels().filter(|pixel| near(pixel, gold)).count();
    let on_cloth = [0xd9, 0xb4, 0x5f];
    let (foiled, bare) = (seen(&foiled), seen(&bare));
    assert!(near(foiled.get_pixel(600, 900), cloth.0) && near(bare.get_pixel(300, 120), cloth.0));
    assert!(golden(&foiled, on_cloth) > 100 && golden(&bare, on_cloth) == 0);
    let on_paper = CoverSheet { embellishment: Some(Embellishment::Foil), ..case };
    let picture = Press::new().standing_picture(&book, &on_paper, &library, 720).expect("a picture");
    let picture = image::load_from_memory(&picture).unwrap().into_rgb8();
    assert!(golden(&picture, [0xa6, 0x7a, 0x1e]) > 100 && near(picture.get_pixel(690, 900), YELLOW));
}

/// The picture beside the print options: gold, a gleam, light and shadow, each only where the words are.
#[test]
fn a_front_looks_as_it_is_made() {
    let (book, library) = a_book();
    let plain = CoverSheet::of(CoverMake::Glued(Glued::default()), A4, 7.0, 0.6, false);
    let seen = |embellishment| {
        let cover = CoverSheet { embellishment, ..plain };
        let picture = Press::new().front_picture(&book, &cover, &library, 720).expect("a picture");
        image::load_from_memory(&picture).unwrap().into_rgb8()
    };
    let crafts =
        [None, Some(Embellishment::Foil), Some(Embellishment::SpotVarnish), Some(Embellishment::Emboss)];
    let pictures = crafts.map(seen);
    let [paper, foil, varnish, raised] = &pictures;
    assert!(
        (719..=721).contains(&paper.width()) && paper.height().abs_diff(1018) <= 2,
        "{:?}",
        paper.dimensions()
    );
    // how many pixels differ: in the title's rows, and below them
    let differ = |one: &RgbImage, other: &RgbImage, rows: std::ops::Range<u32>| {
        let pixels = rows.flat_map(|y| (0..700).map(move |x| (x, y)));
        pixels
            .filter(|(x, y)| {
                let (a, b) = (one.get_pixel(*x, *y).0, other.get_pixel(*x, *y).0);
                (0..3).any(|channel| a[channel].abs_diff(b[channel]) > 40)
            })
            .count()
    };
    for (index, one) in pictures.iter().enumerate() {
        for other in &pictures[index + 1..] {
            assert!(differ(one, other, 40..220) > 50);
            assert_eq!(differ(one, other, 260..1000), 0);
        }
    }
    let gold = [0xa6, 0x7a, 0x1e];
    assert!(foil.pixels().filter(|pixel| near(pixel, gold)).count() > 100);
    assert!(
        [paper, varnish, raised].iter().all(|picture| picture
            .pixels()
            .filter(|pixel| near(pixel, gold))
            .count()
            < 20)
    );
}

#[test]
fn a_folded_cover_has_two_sides_and_rings_have_leaves() {
    let (book, library) = a_book();
    let folded = CoverSheet::of(CoverMake::Folded, A4, 0.0, 0.6, true);
    let pdf = printed(&book, &library, Part::Cover(folded));
    assert_eq!(pdf_boxes(&pdf).len(), 2);
    let inside = words(&pdf, 2);
    assert!(inside.contains("第1页") && inside.contains("第8页") && !inside.contains("第2页"), "{inside}");
    let middle = printed(&book, &library, Part::Middle);
    assert_eq!(pdf_boxes(&middle).len(), 6);
    assert!(words(&middle, 1).contains("第2页"));

    let blank = CoverSheet::of(CoverMake::Folded, A4, 0.0, 0.6, false);
    assert_eq!(words(&printed(&book, &library, Part::Cover(blank)), 2), "");

    let rings = CoverSheet::of(CoverMake::Leaves(Leaves::default()), A4, 0.0, 0.6, false);
    let pdf = printed(&book, &library, Part::Cover(rings));
    for leaf in pdf_boxes(&pdf) {
        assert_eq!(leaf.media.map(mm), [0.0, 0.0, 216.0, 303.0]);
        assert_eq!(leaf.trim.map(mm), [3.0, 3.0, 213.0, 300.0]);
    }
    assert!(near(rasterised(&pdf, 1, 420).get_pixel(20, 20), RED));
    // both leaves run off on all sides
    let whole = rasterised(&with_trim_of_media(&pdf), 1, 432);
    assert!(near(whole.get_pixel(1, 300), RED) && near(whole.get_pixel(430, 300), GREEN));
    assert!(words(&pdf, 2).contains("林小满"), "the back is the other leaf");
}

#[test]
fn mounted_pages_are_printed_two_and_two() {
    let (book, library) = a_book();
    let pdf = printed(&book, &library, Part::Mounted);
    let boxes = pdf_boxes(&pdf);
    assert_eq!(boxes.len(), 5);
    assert_eq!(boxes[0].media.map(mm), [0.0, 0.0, 426.0, 303.0]);
    let spreads: Vec<String> = (1..=5).map(|sheet| words(&pdf, sheet)).collect();
    assert_eq!(spreads, ["第1页", "第2页第3页", "第4页第5页", "第6页第7页", "第8页"]);
}

#[test]
fn words_stand_on_a_spine_where_they_can_be_read() {
    let (mut book, library) = a_book();
    book.cover.elements.pop();
    let glued = |spine| CoverSheet::of(CoverMake::Glued(Glued::default()), A4, spine, 0.6, false);
    // the colophon says the title once
    let title = |book: &Document, spine| {
        words(&printed(book, &library, Part::Cover(glued(spine))), 1).matches('山').count()
    };
    assert_eq!((title(&book, 5.0), title(&book, 7.0)), (1, 2));
    assert_eq!(press::spine_refusal(&book, &glued(5.0)), Some("书脊太窄"));
    assert_eq!(press::spine_refusal(&book, &glued(7.0)), None);
    book.title = "很长很长的山名".repeat(12);
    assert_eq!(title(&book, 7.0), 12);
    assert!(press::spine_refusal(&book, &glued(7.0)).is_some_and(|reason| reason.contains("太长")));
}

#[test]
fn members_see_the_whole_cover_with_its_lines() {
    let (book, library) = a_book();
    let cover = CoverSheet::of(CoverMake::Case(Case::default()), A4, 11.5, 5.0, false);
    let picture = Press::new().cover_picture(&book, &cover, &library, 985).expect("a picture");
    let picture = image::load_from_memory(&picture).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), (985, 676));
    // the board's edge and the folds are red lines; the turn-in shows the photo
    let is_line = |x: u32, y: u32| {
        (x - 2..=x + 2).any(|x| {
            let [red, green, blue] = picture.get_pixel(x, y).0;
            red > green.saturating_add(15) && red > blue.saturating_add(15)
        })
    };
    let lines: Vec<u32> = (2..983).filter(|x| is_line(*x, 300)).collect();
    assert!(is_line(35, 300) && !is_line(100, 300), "the edge of the back board: {lines:?}");
    assert!(near(picture.get_pixel(978, 660), YELLOW));
    let proof = Press::new().proof_pdf(&book, Some(&cover), &library).expect("a proof");
    let boxes = pdf_boxes(&proof);
    assert_eq!(boxes.len(), 9);
    assert_eq!(boxes[0].media.map(mm), [0.0, 0.0, 492.5, 338.0]);
}
