//! Emoji in colour, as other programs see them in print, beside the font's own drawings; and how they stand in their lines.

use std::process::Command;

use domain::binding::{CoverMake, CoverSheet, Embellishment, Glued};
use domain::document::{Document, Emoji, TextRole, Trim};
use domain::manuscript::CoverChoice;
use image::{Rgb, RgbImage};
use press::manuscript::{Markup, Pictures, Style, set};
use press::{OutputCondition, PageRef, Part, Press, PrintStandard, breaches, themes};

use crate::common::*;
use crate::documents::Shelf;
use crate::likeness::shown;

/// A page of 100 × 100 mm with one text.
fn book(role: TextRole, words: &str, emoji: Emoji) -> Document {
    let mut book = document("calm", vec![page(vec![text(role, rect(10.0, 10.0, 80.0, 80.0), words)])]);
    book.trim = Trim { width: 100.0, height: 100.0 };
    book.emoji = emoji;
    book
}

fn printed(press: Press, book: &Document) -> Vec<u8> {
    let mut pdf = Vec::new();
    press.print(book, Part::Inner, &Library::default(), MADE_AT, &mut pdf).expect("a print file");
    pdf
}

fn seen(book: &Document) -> RgbImage {
    let drawn = Press::new().page_picture(book, PageRef::Inner(0), &Library::default(), SIDE);
    image::load_from_memory(&drawn.expect("a page")).unwrap().into_rgb8()
}

/// Pixels that pages are looked at with: 24 for a millimetre.
const SIDE: u32 = 2400;

fn words_of(pdf: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, pdf).unwrap();
    let said = Command::new("pdftotext").args(["-enc", "UTF-8"]).arg(file).arg("-").output();
    String::from_utf8(said.expect("pdftotext").stdout).unwrap()
}

/// What Chromium draws with the font as its makers gave it, on the page's paper; nothing where it is not installed.
fn originals() -> Option<Vec<RgbImage>> {
    const BOX: u32 = 256;
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let font = concat!(env!("CARGO_MANIFEST_DIR"), "/../node_modules/twemoji-colr-font/twemoji.woff2");
    std::fs::copy(font, place("twemoji.woff2")).unwrap();
    let drawn = (0..)
        .zip(DRAWN)
        .map(|(number, emoji)| format!("<i style='left:{}px;top:0'>{emoji}</i>", number * BOX + 28));
    let style = "@font-face{font-family:t;src:url(twemoji.woff2)}body{margin:0;background:#fffdf7}\
        i{position:absolute;font:normal 200px/256px t}";
    let page =
        format!("<!doctype html><meta charset=utf-8><style>{style}</style>{}", drawn.collect::<String>());
    std::fs::write(place("page.html"), page).unwrap();
    let made = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--force-color-profile=srgb",
            "--hide-scrollbars",
        ])
        .arg(format!("--window-size={},{BOX}", BOX * DRAWN.len() as u32))
        .arg(format!("--user-data-dir={}", place("profile").display()))
        .arg(format!("--screenshot={}", place("page.png").display()))
        .arg(place("page.html"))
        .output();
    if made.is_err() {
        println!("Chromium is not installed: its drawings were not looked at");
        return None;
    }
    let page = image::open(place("page.png")).unwrap().into_rgb8();
    let cut = |number| image::imageops::crop_imm(&page, number * BOX, 0, BOX, BOX).to_image();
    Some((0..DRAWN.len() as u32).map(cut).collect())
}

/// What is drawn on the paper: its mean colour in CIE Lab, and its box in parts of the picture.
fn drawing(picture: &RgbImage) -> ([f64; 3], [u32; 4]) {
    let paper = *picture.get_pixel(2, 2);
    let is_drawn = |pixel: &Rgb<u8>| (0..3).any(|channel| pixel[channel].abs_diff(paper[channel]) > 12);
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    let mut edges = [u32::MAX, u32::MAX, 0, 0];
    // what is smoothed into the paper is more of a small picture than of a large one
    let is_inside = |x: u32, y: u32| {
        let around = [(x.wrapping_sub(3), y), (x + 3, y), (x, y.wrapping_sub(3)), (x, y + 3)];
        around.into_iter().all(|(x, y)| picture.get_pixel_checked(x, y).is_some_and(is_drawn))
    };
    for (x, y, pixel) in picture.enumerate_pixels().filter(|(_, _, pixel)| is_drawn(pixel)) {
        edges = [edges[0].min(x), edges[1].min(y), edges[2].max(x), edges[3].max(y)];
        if is_inside(x, y) {
            let colour = lab(pixel);
            (0..3).for_each(|channel| sum[channel] += colour[channel]);
            count += 1.0;
        }
    }
    (sum.map(|channel| channel / count), edges)
}

/// sRGB as CIE Lab, under D65 (IEC 61966-2-1).
fn lab(Rgb(pixel): &Rgb<u8>) -> [f64; 3] {
    let [red, green, blue] = pixel.map(|value| {
        let value = f64::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    let curve = |light: f64| if light > 0.008856 { light.cbrt() } else { 7.787 * light + 16.0 / 116.0 };
    let x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
    let y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    let z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn apart(one: [f64; 3], other: [f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
}

/// Faces, leaves, fur, all colours of the rainbow, and a blue that no ink has.
const DRAWN: [&str; 8] = ["😀", "🍎", "🌳", "🐻", "🎂", "🌈", "💙", "🏠"];

#[test]
fn colours_are_those_of_the_font_in_every_program() {
    let Some(originals) = originals() else { return };
    for (emoji, original) in DRAWN.into_iter().zip(&originals) {
        let (original, [left, top, right, bottom]) = drawing(original);
        let book = book(TextRole::Title, emoji, Emoji::Colour);
        let x4 = printed(Press::new(), &book);
        let x1a = printed(Press::following(PrintStandard::X1a), &book);
        // what an eye just tells apart lies so far from each other
        let mut pictures =
            vec![("screen", seen(&book), 2.3), ("Poppler, X-4", rasterised(&x4, 1, SIDE), 2.3)];
        // inks on coated paper have no screen's yellow, and no blue heart's
        let bound = if emoji == "💙" { 8.0 } else { 5.0 };
        pictures.extend(shown(&x4, SIDE).map(|picture| ("Ghostscript, X-4", picture, bound)));
        pictures.extend(shown(&x1a, SIDE).map(|picture| ("Ghostscript, X-1a", picture, bound)));
        for (program, picture, bound) in pictures {
            let (colour, edges) = drawing(&picture);
            let distance = apart(colour, original);
            println!("{emoji} {program}: {distance:.2}");
            assert!(distance <= bound, "{emoji} {program}: {distance:.2}");
            // as wide and as high: its em is 25 pt, smaller on a small page
            let ratio = f64::from(edges[2] - edges[0]) / f64::from(edges[3] - edges[1]);
            let drawn = f64::from(right - left) / f64::from(bottom - top);
            assert!((ratio / drawn - 1.0).abs() < 0.06, "{emoji} {program}: {ratio:.3} for {drawn:.3}");
        }
    }
}

/// Emoji of all kinds (UTS #51): alone, with signs' selector, skin, families, flags, keycaps, a job.
const KINDS: &str = "今天😀真好，👍🏽、👨‍👩‍👧‍👦一家，🇨🇳和🏴󠁧󠁢󠁥󠁮󠁧󠁿，1️⃣2️⃣，👩‍🚒。⏰🎉🥟🧧";

#[test]
fn lines_are_those_of_emoji_without_colour() {
    for theme in themes() {
        for role in [TextRole::Body, TextRole::Caption, TextRole::Title] {
            // as long as several lines
            let words = format!("{KINDS}\n{KINDS}");
            let lines = Emoji::ALL.map(|emoji| {
                let mut book = book(role, &words, emoji);
                book.theme = theme.name.to_owned();
                let read = Press::new().reading_text(&book, PageRef::Inner(0)).expect("words");
                assert_eq!(read.blocks[0].text, words);
                let lines = read.blocks[0].lines.clone();
                lines.into_iter().map(|line| (line.text, line.frame)).collect::<Vec<_>>()
            });
            let [plain, coloured] = &lines;
            assert_eq!(plain.len(), coloured.len(), "{} {role:?}", theme.name);
            for ((text, frame), (other, beside)) in plain.iter().zip(coloured) {
                assert_eq!(text, other, "{} {role:?}", theme.name);
                assert_eq!(frame, beside, "{} {role:?}: {text}", theme.name);
            }
        }
    }
}

#[test]
fn a_selector_says_which_it_is() {
    let is_coloured = |words: &str| {
        let picture = seen(&book(TextRole::Body, words, Emoji::Colour));
        let (_, edges) = drawing(&picture);
        let pixels = (edges[0]..edges[2]).flat_map(|x| (edges[1]..edges[3]).map(move |y| (x, y)));
        let is_colour = |(x, y)| {
            let [_, a, b] = lab(picture.get_pixel(x, y));
            // words are grey, on a paper that is nearly so
            f64::hypot(a, b) > 20.0
        };
        pixels.filter(|at| is_colour(*at)).count() > 60
    };
    for words in [
        "😀",
        "❤\u{fe0f}",
        "☀\u{fe0f}",
        "🏃🏽\u{200d}♂",
        "🏃🏽\u{200d}♂\u{fe0f}",
        "1\u{fe0f}\u{20e3}",
        "1\u{20e3}",
        "🆗",
        "🇨🇳",
        "👁\u{fe0f}\u{200d}🗨\u{fe0f}\u{200d}🔥",
    ] {
        assert!(is_coloured(words), "{words:?}");
    }
    for words in ["😀\u{fe0e}", "❤", "❤\u{fe0e}", "☀", "1", "#\u{fe0f}", "©", "™", "字", "\u{1faea}"]
    {
        assert!(!is_coloured(words), "{words:?}");
    }
}

#[test]
fn words_of_files_are_still_words() {
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let [plain, coloured] = Emoji::ALL
            .map(|emoji| words_of(&printed(Press::following(standard), &book(TextRole::Body, KINDS, emoji))));
        let bare = |words: &str| words.replace(['\u{fe0f}', '\n', '\u{c}', ' '], "");
        assert_eq!(bare(&coloured), bare(&plain), "{standard:?}");
        assert!(bare(&coloured).contains("👨‍👩‍👧‍👦一家，🇨🇳和"), "{coloured}");
    }
}

/// What no print shop takes in PDF/X-1a, as lopdf finds it.
fn is_in_inks(pdf: &[u8]) -> bool {
    let pdf = lopdf::Document::load_mem(pdf).unwrap();
    pdf.objects.values().all(|object| {
        let dict = object.as_dict().ok().or_else(|| object.as_stream().ok().map(|stream| &stream.dict));
        let is_opaque = dict.is_none_or(|dict| {
            let whole =
                |key: &[u8]| dict.get(key).and_then(lopdf::Object::as_float).map_or(true, |it| it >= 1.0);
            !dict.has(b"SMask") && whole(b"ca") && whole(b"CA") && !dict.has(b"Group")
        });
        let is_painted = |stream: &lopdf::Stream| {
            stream.dict.get(b"Subtype").and_then(lopdf::Object::as_name).is_ok_and(|name| name == b"Form")
        };
        let in_inks = object.as_stream().ok().filter(|stream| is_painted(stream)).is_none_or(|stream| {
            let content = lopdf::content::Content::decode(&stream.get_plain_content().unwrap()).unwrap();
            let colours = ["rg", "RG", "g", "G", "cs", "CS", "sc", "SC", "scn", "SCN", "sh"];
            content.operations.iter().all(|operation| !colours.contains(&operation.operator.as_str()))
        });
        is_opaque && in_inks
    })
}

#[test]
fn every_emoji_of_the_font_is_printed_in_inks() {
    // a character of each block that has some, the ones that shine through in the font as it came among them
    let blocks = [
        0x2600..=0x27bf,
        0x1f300..=0x1f64f,
        0x1f680..=0x1f6ff,
        0x1f7e0..=0x1f7eb,
        0x1f900..=0x1f9ff,
        0x1fa70..=0x1faff,
    ];
    let every = blocks.into_iter().flatten().filter_map(char::from_u32);
    let words: String = every.flat_map(|emoji| [emoji, '\u{fe0f}', ' ']).collect();
    let book = book(TextRole::Body, &words, Emoji::Colour);
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let pdf = printed(Press::following(standard), &book);
        assert_eq!(breaches(&pdf, standard).unwrap(), [], "{standard:?}");
        if standard == PrintStandard::X1a {
            assert!(is_in_inks(&pdf));
        }
    }
}

/// Small black words print over what is under them: the white of an emoji among them must not.
#[test]
fn an_emoji_among_black_words_hides_what_is_under_it() {
    let mut condition = OutputCondition::default();
    condition.overprint_below_pt = 9.5;
    let condition: &'static OutputCondition = Box::leak(Box::new(condition));
    let press = Press::following(PrintStandard::X1a).printed_on(condition);
    // white hands and a white belly on dark
    let book = book(TextRole::Body, "字🐧字", Emoji::Colour);
    let Some(picture) = shown(&printed(press, &book), SIDE) else { return };
    let Some(usual) = shown(&printed(Press::new(), &book), SIDE) else { return };
    let (one, _) = drawing(&picture);
    let (other, _) = drawing(&usual);
    assert!(apart(one, other) < 3.0, "{one:?} {other:?}");
}

#[test]
fn whatever_is_typed_is_set() {
    let many = |part: &str, count: usize| part.repeat(count);
    for words in [
        many("👩\u{200d}", 50) + "👧",
        many("👨\u{200d}👩\u{200d}❤\u{fe0f}\u{200d}", 50),
        "👨\u{200d}🦄\u{200d}🚀\u{200d}字".to_owned(),
        "\u{fe0f}\u{fe0e}\u{200d}\u{20e3}".to_owned(),
        "字\u{fe0f}字\u{fe0e}".to_owned(),
        "🇨".to_owned(),
        "🇨🇳🇨字🇿🇿🇽🇽🇽".to_owned(),
        many("🇨", 101),
        "🏴\u{e0067}\u{e0062}".to_owned(),
        "🏽🏽👍🏽🏽".to_owned(),
        "1\u{200d}2\u{200d}3 #\u{fe0f}\u{200d}4".to_owned(),
        many("😀\u{fe0e}\u{fe0f}", 60),
        "\u{e50a}".to_owned(),
    ] {
        let begun = std::time::Instant::now();
        let book = book(TextRole::Body, &words, Emoji::Colour);
        seen(&book);
        for standard in [PrintStandard::X4, PrintStandard::X1a] {
            let pdf = printed(Press::following(standard), &book);
            assert_eq!(breaches(&pdf, standard).unwrap(), [], "{standard:?} {words:.40?}");
        }
        assert!(begun.elapsed().as_secs() < 20, "{words:.40?} took {:?}", begun.elapsed());
    }
    // digits stay digits, whatever joins them
    let [plain, coloured] =
        Emoji::ALL.map(|emoji| seen(&book(TextRole::Body, "1\u{200d}2 #\u{fe0f}3", emoji)));
    assert_eq!(plain, coloured);
}

#[test]
fn what_is_put_on_besides_ink_has_no_colours() {
    let title = text(TextRole::Title, rect(20.0, 20.0, 170.0, 30.0), "海边🌊三天❤\u{fe0f}");
    let mut book = document("calm", vec![page(Vec::new()); 4]);
    book.cover = page(vec![title]);
    let bare = CoverSheet::of(CoverMake::Glued(Glued::default()), book.trim, 8.0, 0.6, false);
    let cover = CoverSheet { embellishment: Some(Embellishment::Foil), ..bare };
    let [plain, coloured] = Emoji::ALL.map(|emoji| {
        book.emoji = emoji;
        book.title = "海边".to_owned();
        let mut pdf = Vec::new();
        let press = Press::new();
        press.print(&book, Part::Cover(cover), &Library::default(), MADE_AT, &mut pdf).expect("a cover");
        plates(&pdf)
    });
    let (Some(plain), Some(coloured)) = (plain, coloured) else { return };
    assert_eq!(plain["烫金"], coloured["烫金"]);
    assert!(coloured["烫金"].pixels().any(|pixel| pixel.0[0] < 128), "something is on it");
}

#[test]
fn a_text_is_set_in_colour_and_its_words_stay_words() {
    let trim = Trim { width: 148.0, height: 210.0 };
    let style = |emoji| Style { trim, theme: "calm".to_owned(), first_page: 1, title: None, emoji };
    let [plain, coloured] = Emoji::ALL.map(|emoji| {
        let source = format!("# 假期😀\n\n{KINDS}\n\n`码😀`\n");
        set(&source, Markup::Markdown, &style(emoji), &Pictures::default()).unwrap().unwrap()
    });
    assert_eq!(plain.notes, coloured.notes);
    let bare = |pdf: &[u8]| words_of(pdf).replace(['\u{fe0f}', '\n', '\u{c}', ' '], "");
    assert_eq!(bare(&plain.pdf), bare(&coloured.pdf));
    // what readers search, and an EPUB is made of
    let read = |pdf: &[u8]| {
        let pages = 1..=lopdf::Document::load_mem(pdf).unwrap().get_pages().len() as u32;
        let text = pages.map(|page| press::pdf::text(pdf, page).expect("words").text);
        let blocks =
            text.flat_map(|text| text.blocks.into_iter().map(|block| block.text.replace('\u{fe0f}', "")));
        blocks.collect::<Vec<_>>()
    };
    assert_eq!(read(&plain.pdf), read(&coloured.pdf));
    // in a print file its pages stand as they are: nothing becomes a picture
    let shelf = Shelf::default().with('t', coloured.pdf.clone());
    let book = shelf.book('t', trim, CoverChoice::Words);
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let mut pdf = Vec::new();
        let press = Press::following(standard);
        press.print(&book, Part::Inner, &shelf, MADE_AT, &mut pdf).expect("a print file");
        assert_eq!(breaches(&pdf, standard).unwrap(), [], "{standard:?}");
        assert!(words_of(&pdf).contains("👨‍👩‍👧‍👦一家"), "{standard:?}");
        assert!(standard == PrintStandard::X4 || is_in_inks(&pdf));
    }
    let is_drawn = |pdf: &[u8]| pdf.windows(5).any(|part| part == b"Type3");
    let whole = |pdf: &[u8]| {
        let mut pdf = lopdf::Document::load_mem(pdf).unwrap();
        pdf.decompress();
        let mut bytes = Vec::new();
        pdf.save_to(&mut bytes).unwrap();
        bytes
    };
    assert!(!is_drawn(&whole(&plain.pdf)) && is_drawn(&whole(&coloured.pdf)));
}
