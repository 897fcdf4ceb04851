//! PDFs with faults that print shops meet: each is shown as other programs show it and printed as it is shown, or refused in
//! words. None takes long.

use std::time::{Duration, Instant};

use crate::common::raw::{Raw, SQUARES};
use crate::common::*;
use crate::rules::{Shelf, digest};
use domain::document::{Crop, PdfPage, Trim};
use image::{Rgb, RgbImage};
use press::pdf::{PdfRefusal, draw, inspect};
use press::{Part, Press, PressError, PrintStandard, breaches};

/// No file takes longer, however it is made; test programs are slow.
const LONGEST: Duration = Duration::from_secs(30);
/// How far two programs are apart that show the same, on the mean, of 255; one of the squares is 8.
const MOST_OFF: f64 = 2.5;
/// What is compared is so wide.
const WIDTH: u32 = 210;

/// What became of a file.
#[derive(Debug, PartialEq)]
pub(super) enum Fate {
    Refused(PdfRefusal),
    /// Shown as poppler shows it, and printed as it is shown.
    Taken,
    /// Something is not as it should be.
    Wrong(String),
}

/// The first page as the member sees it.
fn shown(file: &[u8]) -> RgbImage {
    let mut picture = None;
    draw::<PdfRefusal>(file, [1], |_, webp| {
        picture = Some(image::load_from_memory(&webp).unwrap().into_rgb8());
        Ok(false)
    })
    .unwrap();
    picture.unwrap()
}

fn small(picture: &RgbImage, height: u32) -> RgbImage {
    pictures::scaled(picture, WIDTH, height)
}

/// The same as poppler draws it, or, where it must not be asked, as it should be.
fn drawn_by_poppler(file: &[u8]) -> Option<RgbImage> {
    let folder = tempfile::tempdir().unwrap();
    let pdf = folder.path().join("page.pdf");
    std::fs::write(&pdf, file).unwrap();
    drawn(&pdf, &["-cropbox", "-hide-annotations", "-r", "150"])
}

/// A book of the first page, as large as it is.
fn printed(file: &[u8], width: f64, height: f64) -> Result<Vec<u8>, PressError> {
    let frame = rect(0.0, 0.0, width, height);
    let shown = PdfPage { common: Default::default(), file: digest(file), page: 1, frame, crop: Crop::WHOLE };
    let mut book = document("calm", vec![ready_page(shown)]);
    book.trim = Trim { width, height };
    let mut pdf = Vec::new();
    Press::new().print(&book, Part::Inner, &Shelf(file.to_vec()), MADE_AT, &mut pdf)?;
    Ok(pdf)
}

/// Follows a file from its upload to the press. `like` is a file that it has to look like where poppler does not show it.
pub(super) fn fate(name: &str, file: &[u8], like: Option<&[u8]>) -> Fate {
    let begun = Instant::now();
    let facts = match inspect(file) {
        Ok(facts) => facts,
        Err(refusal) => {
            assert!(begun.elapsed() < LONGEST, "{name}: refused after {:?}", begun.elapsed());
            let sentence = refusal.to_string();
            assert!(sentence.chars().any(|c| c >= '\u{4e00}'), "{name}: {sentence}");
            return Fate::Refused(refusal);
        }
    };
    let sheet = &facts.sheets[0];
    let seen = shown(file);
    let expected = drawn_by_poppler(like.unwrap_or(file));
    let expected = expected.unwrap_or_else(|| panic!("{name}: poppler shows nothing"));
    let rows = (f64::from(WIDTH) * sheet.height / sheet.width).round() as u32;
    let off = difference(&small(&seen, rows), &small(&expected, rows));
    let pdf = printed(file, sheet.width, sheet.height).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(breaches(&pdf, PrintStandard::X4).unwrap(), [], "{name}");
    let paper = rasterised(&pdf, 1, WIDTH);
    let on_paper = difference(&pictures::scaled(&seen, paper.width(), paper.height()), &paper);
    println!("{name}: {off:.2} from poppler, {on_paper:.2} on paper, {:?}", begun.elapsed());
    assert!(begun.elapsed() < LONGEST, "{name}: {:?}", begun.elapsed());
    if off < MOST_OFF && on_paper < MOST_OFF {
        Fate::Taken
    } else {
        Fate::Wrong(format!("{off:.2} off what poppler shows, {on_paper:.2} on paper"))
    }
}

/// Each is taken.
pub(super) fn taken(cases: &[(&str, Vec<u8>)]) {
    let fates = cases.iter().map(|(name, file)| (*name, fate(name, file, None)));
    let others: Vec<_> = fates.filter(|(_, fate)| *fate != Fate::Taken).collect();
    assert!(others.is_empty(), "{others:#?}");
}

fn plain() -> Vec<u8> {
    Raw::default().bytes()
}

/// A file whose page is made by `change`.
pub(super) fn with(change: impl FnOnce(&mut Raw)) -> Vec<u8> {
    let mut raw = Raw::default();
    change(&mut raw);
    raw.bytes()
}

#[test]
fn the_plain_file_is_what_it_says() {
    let seen = small(&shown(&plain()), 297);
    assert!(near(seen.get_pixel(40, 260), [204, 26, 26]) && near(seen.get_pixel(170, 50), [26, 51, 204]));
    assert_eq!(seen.get_pixel(100, 150), &Rgb([255; 3]));
    assert_eq!(fate("plain", &plain(), None), Fate::Taken);
}

#[test]
fn boxes_are_read_as_others_read_them() {
    let boxes = |boxes: &'static str| {
        with(|raw| {
            raw.page(boxes);
        })
    };
    let inherited = with(|raw| {
        raw.set(2, "<</Type/Pages/Kids[6 0 R]/Count 1/MediaBox[0 0 420 595]/Rotate 90>>");
        raw.set(6, "<</Type/Pages/Parent 2 0 R/Kids[3 0 R]/Count 1>>");
        raw.set(3, "<</Type/Page/Parent 6 0 R/Contents 4 0 R>>");
    });
    let cases = [
        ("inherited", inherited),
        ("corners the other way", boxes("/MediaBox[420 595 0 0]")),
        ("an origin elsewhere", boxes("/MediaBox[-30 -40 420 595]")),
        (
            "as references",
            with(|raw| {
                raw.page("/MediaBox 6 0 R").set(6, "[0 0 7 0 R 595]").set(7, "420");
            }),
        ),
        ("fractions", boxes("/MediaBox[0.0 -.5 420.25 +595.75]")),
        ("a crop past the page", boxes("/MediaBox[0 0 420 595]/CropBox[-50 -50 300 800]")),
        ("more than a turn", boxes("/MediaBox[0 0 420 595]/Rotate 450")),
        ("a turn of no quarter", boxes("/MediaBox[0 0 420 595]/Rotate 45")),
        ("a turn back, in units", boxes("/MediaBox[0 0 210 297]/Rotate -90/UserUnit 2")),
        ("a trim past the page", boxes("/MediaBox[0 0 420 595]/TrimBox[-100 -100 900 900]")),
    ];
    taken(&cases);
    let refused = [
        ("a crop without area", boxes("/MediaBox[0 0 420 595]/CropBox[100 100 100 100]")),
        ("a crop beside the page", boxes("/MediaBox[0 0 420 595]/CropBox[900 900 1000 1000]")),
        ("without area", boxes("/MediaBox[0 0 0 0]")),
        ("wider than any press", boxes("/MediaBox[0 0 14400 20000]")),
        ("a stamp", boxes("/MediaBox[0 0 30 30]")),
        ("huge units", boxes("/MediaBox[0 0 420 595]/UserUnit 100")),
    ];
    // A4, as most readers have it
    for (name, file) in [("no numbers", boxes("/MediaBox[/a /b /c /d]")), ("none at all", boxes(""))] {
        let sheet = &inspect(&file).unwrap().sheets[0];
        assert_eq!((sheet.width, sheet.height), (210.0, 297.0), "{name}");
    }
    for (name, file) in &refused {
        assert!(matches!(fate(name, file, None), Fate::Refused(PdfRefusal::Size { page: 1, .. })), "{name}");
    }
}

#[test]
fn tables_that_lie_are_mended_or_refused() {
    let raw = Raw::default();
    let plain = plain();
    let start = plain.windows(9).rposition(|part| part == b"startxref").unwrap();
    let with_start =
        |start_says: &str| [&plain[..start], format!("startxref\n{start_says}\n%%EOF\n").as_bytes()].concat();
    let rewritten = |arguments: &[&str]| crate::encrypted::written(&plain, arguments);
    let streams = rewritten(&["--object-streams=generate"]);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("all places wrong", raw.moved(7)),
        ("places past the end", raw.moved(100_000)),
        ("a wrong start", with_start("12")),
        ("a start past the end", with_start("99999999")),
        ("a start below zero", with_start("-1")),
        ("no table", raw.bare("trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n")),
        ("in streams", streams.clone()),
        ("linear", rewritten(&["--linearize"])),
        ("a wrong start of streams", {
            let at = streams.windows(9).rposition(|part| part == b"startxref").unwrap();
            [&streams[..at], b"startxref\n3\n%%EOF\n"].concat()
        }),
        ("a later part in its place", {
            // a page that was added to the file later goes before
            let mut bytes = plain.clone();
            let at = bytes.len();
            bytes.extend(
                b"3 0 obj\n<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 300 595]>>\nendobj\n",
            );
            let table = bytes.len();
            let last = start + 10;
            let before = String::from_utf8_lossy(&plain[last..]).lines().next().unwrap().to_owned();
            bytes.extend(format!("xref\n3 1\n{at:010} 00000 n \ntrailer\n<</Size 5/Root 1 0 R/Prev {before}>>\nstartxref\n{table}\n%%EOF\n").bytes());
            bytes
        }),
        ("a table before itself", {
            let text = plain.clone();
            let at = text.windows(7).rposition(|part| part == b"trailer").unwrap();
            let table = text.windows(5).rposition(|part| part == b"\nxref").unwrap() + 1;
            let tail = format!("trailer\n<</Size 5/Root 1 0 R/Prev {table}>>\nstartxref\n{table}\n%%EOF\n");
            [&text[..at], tail.as_bytes()].concat()
        }),
    ];
    for (name, file) in &cases {
        // poppler gives some of them up
        let like = (!name.starts_with("a later part")).then_some(plain.as_slice());
        assert_eq!(fate(name, file, like), Fate::Taken, "{name}");
    }
    // what is cut off, or lost in a damaged stream of objects, is never passed over
    for at in [plain.len() / 3, plain.len() / 2, start - 40] {
        assert_eq!(inspect(&plain[..at]), Err(PdfRefusal::Broken));
    }
    let objects = streams.windows(6).position(|part| part == b"stream").unwrap() + 12;
    let mut damaged = streams.clone();
    damaged[objects..objects + 60].fill(0xAA);
    assert!(inspect(&damaged).is_err(), "{:?}", inspect(&damaged));
}

#[test]
fn trees_of_pages_that_lie_end() {
    let tree = |change: fn(&mut Raw)| with(change);
    let cases: Vec<(&str, Vec<u8>)> = vec![
        (
            "a count too large",
            tree(|raw| {
                raw.set(2, "<</Type/Pages/Kids[3 0 R]/Count 9999>>");
            }),
        ),
        (
            "a count of none",
            tree(|raw| {
                raw.set(2, "<</Type/Pages/Kids[3 0 R]/Count 0>>");
            }),
        ),
        (
            "no count",
            tree(|raw| {
                raw.set(2, "<</Type/Pages/Kids[3 0 R]>>");
            }),
        ),
        (
            "a count below zero",
            tree(|raw| {
                raw.set(2, "<</Type/Pages/Kids[3 0 R]/Count -1>>");
            }),
        ),
        (
            "a kid that is missing",
            tree(|raw| {
                raw.set(2, "<</Type/Pages/Kids[3 0 R 77 0 R]/Count 2>>");
            }),
        ),
        (
            "no type",
            tree(|raw| {
                raw.set(3, "<</Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 420 595]>>");
            }),
        ),
        (
            "no parent",
            tree(|raw| {
                raw.set(3, "<</Type/Page/Contents 4 0 R/MediaBox[0 0 420 595]>>");
            }),
        ),
        (
            "a parent that is itself",
            tree(|raw| {
                raw.set(3, "<</Type/Page/Parent 3 0 R/Contents 4 0 R/MediaBox[0 0 420 595]>>");
            }),
        ),
    ];
    for (name, file) in &cases {
        assert_eq!(fate(name, file, Some(&plain())), Fate::Taken, "{name}");
    }
    let own = tree(|raw| {
        raw.set(2, "<</Type/Pages/Kids[3 0 R 2 0 R]/Count 2>>");
    });
    assert_eq!(fate("its own kid", &own, None), Fate::Refused(PdfRefusal::Broken));
    // pages behind a hole would be lost
    let hole = tree(|raw| {
        raw.set(2, "<</Type/Pages/Kids[3 0 R null 6 0 R]/Count 3>>");
        raw.set(6, "<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 420 595]>>");
    });
    assert_eq!(fate("a hole", &hole, None), Fate::Refused(PdfRefusal::Broken));
    let loops = with(|raw| {
        raw.set(2, "<</Type/Pages/Kids[6 0 R]/Count 1>>")
            .set(6, "<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>");
    });
    assert_eq!(fate("a loop", &loops, None), Fate::Refused(PdfRefusal::Empty));
    // arrays in arrays, which programs follow by calling themselves
    for depth in [50, 5_000] {
        let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let within = format!("{}1{}", "<</a ".repeat(depth), ">>".repeat(depth));
        let arrays = with(|raw| {
            raw.set(6, &deep);
        });
        let content = with(|raw| {
            raw.content(&format!("{SQUARES} {deep} TJ"));
        });
        let dictionaries = with(|raw| {
            raw.page(&format!("/MediaBox[0 0 420 595]/PieceInfo {within}"));
        });
        for (name, file) in [("arrays", arrays), ("a content", content), ("dictionaries", dictionaries)] {
            assert_eq!(fate(name, &file, Some(&plain())), Fate::Taken, "{name}, {depth} deep");
        }
    }
}
