//! PDFs that are encrypted and open without a password, as qpdf makes them.

use std::path::Path;
use std::process::Command;

use crate::common::{difference, drawn, run};
use crate::documents::{A5, Shelf, print};
use crate::pdf_words::{CHINESE, set_text};
use domain::manuscript::CoverChoice;
use image::RgbImage;
use press::pdf::{PdfFacts, PdfRefusal, draw, inspect, text};
use press::{FindingCode, Press};

/// A file as qpdf writes it anew.
pub(super) fn written(file: &[u8], options: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("from.pdf"), folder.path().join("to.pdf"));
    std::fs::write(&from, file).unwrap();
    let done = Command::new("qpdf").args(options).args([&from, &to]).status().expect("qpdf");
    assert!(done.success(), "{options:?}");
    std::fs::read(&to).unwrap()
}

/// A file that opens without a password, encrypted with so many bits.
fn encrypted(file: &[u8], bits: &str, wishes: &[&str]) -> Vec<u8> {
    written(file, &[&["--allow-weak-crypto", "--encrypt", "", "owner", bits], wishes, &["--"]].concat())
}

/// A page as poppler draws it, as large as the picture of ours.
fn poppler(file: &Path, size: (u32, u32)) -> RgbImage {
    let (width, height) = (size.0.to_string(), size.1.to_string());
    drawn(file, &["-scale-to-x", &width, "-scale-to-y", &height]).expect("a page")
}

fn first_picture(file: &[u8]) -> RgbImage {
    let mut picture = None;
    draw::<PdfRefusal>(file, [1], |_, webp| {
        picture = Some(image::load_from_memory(&webp).expect("a WebP").into_rgb8());
        Ok(true)
    })
    .expect("a picture");
    picture.expect("a picture")
}

fn words(file: &Path) -> String {
    let said = Command::new("pdftotext").arg(file).arg("-").output().expect("pdftotext");
    String::from_utf8_lossy(&said.stdout).into_owned()
}

#[test]
fn every_encryption_is_opened_and_none_is_printed() {
    let plain = set_text(CHINESE);
    let (facts, said) = (inspect(&plain).unwrap(), text(&plain, 1).unwrap());
    assert!(!said.text.blocks.is_empty());
    let folder = tempfile::tempdir().unwrap();
    let ways: [(&str, &[&str]); 9] = [
        ("40", &[]),
        ("128", &["--use-aes=n"]),
        ("128", &["--use-aes=y"]),
        ("128", &["--use-aes=y", "--cleartext-metadata"]),
        ("128", &["--force-V4", "--use-aes=n"]),
        ("256", &[]),
        ("256", &["--force-R5"]),
        ("256", &["--cleartext-metadata"]),
        // neither changing nor taking pages out is what a book does
        ("256", &["--modify=none", "--annotate=n", "--assemble=n", "--form=n"]),
    ];
    let shapes: [&[&str]; 3] =
        [&["--linearize"], &["--object-streams=generate"], &["--object-streams=disable"]];
    for (&(bits, wishes), shape) in ways.iter().zip(shapes.iter().cycle()) {
        let name = format!("{bits} {wishes:?} {shape:?}");
        // encrypted last: qpdf keeps the encryption of its input
        let arguments = [*shape, &["--allow-weak-crypto", "--encrypt", "", "owner", bits], wishes, &["--"]];
        let bytes = written(&plain, &arguments.concat());
        let file = folder.path().join("encrypted.pdf");
        std::fs::write(&file, &bytes).unwrap();
        assert!(run("pdfinfo", &[], &file).contains("Encrypted:       yes"), "{name}");
        assert_eq!(inspect(&bytes).as_ref(), Ok(&facts), "{name}");
        assert_eq!(text(&bytes, 1).as_ref(), Ok(&said), "{name}");
        let shown = first_picture(&bytes);
        let off = difference(&shown, &poppler(&file, shown.dimensions()));
        assert!(off < 2.0, "{name} differs by {off}");
        assert_eq!(press::pdf::pages(&bytes), Some(facts.sheets.len()), "{name}");

        let shelf = Shelf::default().with('a', bytes);
        let book = shelf.book('a', A5, CoverChoice::Words);
        for (what, made) in
            [("print", print(&book, &shelf)), ("reading", Press::new().reading_pdf(&book, &shelf).unwrap())]
        {
            let file = folder.path().join("made.pdf");
            std::fs::write(&file, made).unwrap();
            run("qpdf", &["--check"], &file);
            assert!(run("pdfinfo", &[], &file).contains("Encrypted:       no"), "{what} {name}");
            assert!(words(&file).contains("清晨的雾还没有散"), "{what} {name}: {}", words(&file));
        }
    }
}

#[test]
fn a_password_is_asked_for_in_vain() {
    let plain = set_text(CHINESE);
    for bits in ["40", "128", "256"] {
        let locked = written(&plain, &["--allow-weak-crypto", "--encrypt", "secret", "owner", bits, "--"]);
        // with and without a table that leads anywhere
        let mut lost = locked.clone();
        let at = lost.windows(9).rposition(|part| part == b"startxref").unwrap();
        lost.truncate(at);
        lost.extend_from_slice(b"startxref\n7\n%%EOF\n");
        for file in [&locked, &lost, &[b"head\r\n".as_slice(), &locked].concat()] {
            assert_eq!(inspect(file), Err(PdfRefusal::Encrypted), "{bits}");
            assert_eq!(text(file, 1), Err(PdfRefusal::Encrypted), "{bits}");
            assert_eq!(press::pdf::pages(file), None, "{bits}");
        }
    }
}

/// What a member is told of a file's permissions.
fn told(facts: &PdfFacts) -> Vec<String> {
    let findings = facts.findings(0, &[]).into_iter();
    findings
        .filter(|finding| finding.code == FindingCode::Permissions)
        .map(|finding| finding.message)
        .collect()
}

#[test]
fn what_may_not_be_printed_is_no_book() {
    let plain = set_text(CHINESE);
    for (bits, wish) in [("40", "--print=n"), ("128", "--print=none"), ("256", "--print=none")] {
        let refused = inspect(&encrypted(&plain, bits, &[wish]));
        assert_eq!(refused, Err(PdfRefusal::NoPrinting), "{bits}");
        assert!(refused.unwrap_err().to_string().contains("不许打印"));
    }
}

#[test]
fn what_may_be_printed_coarsely_is_printed_coarsely() {
    for bits in ["128", "256"] {
        let bytes = encrypted(&set_text(CHINESE), bits, &["--print=low"]);
        let facts = inspect(&bytes).unwrap();
        assert!(facts.is_coarse && !facts.forbids_copying);
        assert!(matches!(&*told(&facts), [only] if only.contains("150 dpi")), "{:?}", told(&facts));
        let shelf = Shelf::default().with('a', bytes);
        let book = shelf.book('a', A5, CoverChoice::Words);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("made.pdf");
        for made in [print(&book, &shelf), Press::new().reading_pdf(&book, &shelf).unwrap()] {
            std::fs::write(&file, made).unwrap();
            run("qpdf", &["--check"], &file);
            assert!(!words(&file).contains("清晨"));
            let list = run("pdfimages", &["-list"], &file);
            let fine: Vec<u32> = list
                .lines()
                .skip(2)
                .map(|line| line.split_whitespace().nth(12).unwrap().parse().unwrap())
                .collect();
            assert!(!fine.is_empty() && fine.iter().all(|dpi| (140..=155).contains(dpi)), "{list}");
        }
    }
}

#[test]
fn words_that_may_not_be_copied_are_printed_and_not_given_away() {
    for bits in ["40", "128", "256"] {
        let bytes = encrypted(&set_text(CHINESE), bits, &["--extract=n"]);
        let facts = inspect(&bytes).unwrap();
        assert!(facts.forbids_copying && !facts.is_coarse, "{bits}");
        assert!(matches!(&*told(&facts), [only] if only.contains("不许复制")), "{:?}", told(&facts));
        let shelf = Shelf::default().with('a', bytes);
        let book = shelf.book('a', A5, CoverChoice::Words);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("made.pdf");
        std::fs::write(&file, print(&book, &shelf)).unwrap();
        assert!(words(&file).contains("清晨的雾"), "print keeps letters sharp");
        let read = Press::new().reading_pdf(&book, &shelf).unwrap();
        std::fs::write(&file, read).unwrap();
        run("qpdf", &["--check"], &file);
        assert!(!words(&file).contains("清晨的雾"), "{bits}");
    }
    assert_eq!(told(&inspect(&set_text(CHINESE)).unwrap()), [""; 0]);
}
