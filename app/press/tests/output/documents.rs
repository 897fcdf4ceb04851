//! Books of ready pages: PDFs as they come, their pictures, their print files.

use std::collections::BTreeMap;
use std::io;

use crate::common::pdfs::{PT_PER_MM, Pdf, numbers};
use crate::common::{MADE_AT, difference, drawn, near, pdf_boxes, plain_cover, rasterised, rect, run};
use domain::document::Document;
use domain::document::Trim;
use domain::ids::{FileDigest, PhotoId};
use domain::manuscript::{CoverChoice, Manuscript, lay_out};
use image::Rgb;
use lopdf::{Object, dictionary};
use press::pdf::{PdfRefusal, draw, inspect};
use press::{FindingCode, Original, Originals, PageRef, Part, Press, PrintStandard, Proxies};
use sha2::{Digest, Sha256};

pub(super) const A5: Trim = Trim { width: 148.0, height: 210.0 };

/// PDFs in memory, with the pictures of their pages.
#[derive(Default)]
pub(super) struct Shelf {
    names: BTreeMap<char, FileDigest>,
    files: BTreeMap<FileDigest, Vec<u8>>,
    pictures: BTreeMap<(FileDigest, u32), Vec<u8>>,
}

fn digest(bytes: &[u8]) -> FileDigest {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    hex.parse().expect("a digest")
}

impl Shelf {
    pub(super) fn with(mut self, name: char, bytes: Vec<u8>) -> Self {
        let pages = inspect(&bytes).expect("a PDF").sheets.len() as u32;
        let pictures = &mut self.pictures;
        let file = digest(&bytes);
        draw::<PdfRefusal>(&bytes, 1..=pages, |page, webp| {
            pictures.insert((file.clone(), page), webp);
            Ok(true)
        })
        .expect("pictures");
        self.names.insert(name, file.clone());
        self.files.insert(file, bytes);
        self
    }

    pub(super) fn name(&self, name: char) -> FileDigest {
        self.names[&name].clone()
    }

    pub(super) fn book(&self, name: char, trim: Trim, cover: CoverChoice) -> Document {
        let file = self.names[&name].clone();
        let facts = inspect(&self.files[&file]).expect("a PDF");
        let manuscript = Manuscript {
            file: &file,
            sheets: &facts.sheets,
            trim,
            theme: "calm",
            title: "海边的书",
            author: "林小满",
            cover,
            is_text: false,
        };
        lay_out(&manuscript, 4)
    }
}

impl Originals for Shelf {
    fn describe(&self, _: &PhotoId) -> Option<Original> {
        None
    }

    fn digest(&self, _: &PhotoId) -> Option<FileDigest> {
        None
    }

    fn open(&self, _: &PhotoId) -> io::Result<Box<dyn io::Read + '_>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn pdf(&self, file: &FileDigest) -> io::Result<Vec<u8>> {
        self.files.get(file).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Proxies for Shelf {
    fn proxy(&self, _: &PhotoId, _: u32) -> Option<Vec<u8>> {
        None
    }

    fn pdf_page(&self, file: &FileDigest, page: u32) -> Option<Vec<u8>> {
        self.pictures.get(&(file.clone(), page)).cloned()
    }

    fn pdf(&self, file: &FileDigest) -> Option<Vec<u8>> {
        self.files.get(file).cloned()
    }
}

pub(super) fn print(document: &Document, shelf: &Shelf) -> Vec<u8> {
    let mut pdf = Vec::new();
    Press::new().print(document, Part::Inner, shelf, MADE_AT, &mut pdf).expect("a print file");
    pdf
}

#[test]
fn pages_are_printed_as_they_are_and_shown_as_they_print() {
    let trim_box = numbers([5.0, 5.0, 5.0 + 148.0 * PT_PER_MM, 5.0 + 210.0 * PT_PER_MM]);
    let (width, height) = (148.0 + 10.0 / PT_PER_MM, 210.0 + 10.0 / PT_PER_MM);
    let turned = dictionary! { "Rotate" => 90 };
    let bytes = Pdf::new()
        .page(148.0, 210.0, "Plain page")
        .page_with(width, height, "Page with bleed", dictionary! { "TrimBox" => trim_box })
        // 210 × 148, stored upright and turned
        .page_with(210.0, 148.0, "Turned page", turned)
        .bytes();
    let shelf = Shelf::default().with('a', bytes);
    let book = shelf.book('a', A5, CoverChoice::Words);
    let pdf = print(&book, &shelf);

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, &pdf).expect("the PDF is written");
    run("qpdf", &["--check"], &file);
    let text = std::process::Command::new("pdftotext")
        .args([file.as_path(), "-".as_ref()])
        .output()
        .expect("pdftotext");
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    for words in ["Plain page", "Page with bleed", "Turned page"] {
        assert!(text.contains(words), "{words} is no text any more: {text}");
    }
    assert_eq!(run("pdfimages", &["-list"], &file).lines().count(), 2, "a page became a picture");
    assert_eq!(pdf_boxes(&pdf).len(), 4);
    assert!(pdf.starts_with(b"%PDF-1.6"));

    for page in 0..3 {
        let shown = Press::new().page_picture(&book, PageRef::Inner(page), &shelf, 592).expect("a picture");
        let shown = image::load_from_memory(&shown).expect("a WebP").into_rgb8();
        let printed = rasterised(&pdf, page + 1, 592);
        let off = difference(&shown, &printed);
        assert!(off < 2.0, "page {} differs by {off}", page + 1);
    }
    // the red square is in the lower left corner, and after a quarter turn in the upper left
    let corner = |page: usize, low: bool| {
        let shown = Press::new().page_picture(&book, PageRef::Inner(page), &shelf, 592).expect("a picture");
        let shown = image::load_from_memory(&shown).expect("a WebP").into_rgb8();
        *shown.get_pixel(40, if low { shown.height() - 40 } else { 40 })
    };
    let red = [204, 38, 38];
    assert!(near(&corner(0, true), red) && near(&corner(1, true), red) && near(&corner(2, false), red));
    assert!(near(&corner(2, true), [255; 3]));
}

#[test]
fn books_to_read_keep_the_words_of_a_pdf() {
    let bytes = Pdf::new().page(148.0, 210.0, "Plain page").page(148.0, 210.0, "Second page").bytes();
    let shelf = Shelf::default().with('a', bytes);
    let book = shelf.book('a', A5, CoverChoice::Words);
    let pdf = Press::new().reading_pdf(&book, &shelf).expect("a book to read");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, &pdf).expect("the PDF is written");
    run("qpdf", &["--check"], &file);
    let text = std::process::Command::new("pdftotext").args([&file, std::path::Path::new("-")]).output();
    let text = String::from_utf8_lossy(&text.expect("pdftotext").stdout).into_owned();
    assert!(text.contains("Plain page") && text.contains("Second page"), "words are pictures: {text}");
    assert_eq!(run("pdfimages", &["-list"], &file).lines().count(), 2, "a page became a picture");
    for page in 0..2 {
        let shown = Press::new().page_picture(&book, PageRef::Inner(page), &shelf, 592).expect("a picture");
        let shown = image::load_from_memory(&shown).expect("a WebP").into_rgb8();
        // behind the cover
        let number = (page + 2).to_string();
        let (width, height) = (shown.width().to_string(), shown.height().to_string());
        let read =
            drawn(&file, &["-f", &number, "-scale-to-x", &width, "-scale-to-y", &height]).expect("a page");
        let off = difference(&shown, &read);
        assert!(off < 2.0, "page {} differs by {off}", page + 1);
    }

    // a PDF that can't be had is shown as the pictures of its pages
    let pictures = Shelf { pictures: shelf.pictures.clone(), ..Shelf::default() };
    let pdf = Press::new().reading_pdf(&book, &pictures).expect("a book of pictures");
    std::fs::write(&file, &pdf).expect("the PDF is written");
    assert_eq!(run("pdfimages", &["-list"], &file).lines().count(), 4);
}

#[test]
fn pages_become_inks_for_shops_that_insist() {
    let bytes = Pdf::new().page(148.0, 210.0, "One").page(148.0, 210.0, "Two").bytes();
    let shelf = Shelf::default().with('a', bytes);
    let book = shelf.book('a', A5, CoverChoice::Words);
    let mut pdf = Vec::new();
    Press::following(PrintStandard::X1a)
        .print(&book, Part::Inner, &shelf, MADE_AT, &mut pdf)
        .expect("a print file");
    assert!(pdf.starts_with(b"%PDF-1.4"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, &pdf).expect("the PDF is written");
    run("qpdf", &["--check"], &file);
    let images = run("pdfimages", &["-list"], &file);
    let images: Vec<&str> = images.lines().skip(2).collect();
    assert!(images.len() == 2 && images.iter().all(|image| image.contains(" cmyk ")), "{images:?}");
    let sheet = rasterised(&pdf, 1, 592);
    let [red, green, blue] = sheet.get_pixel(40, sheet.height() - 40).0;
    assert!(red > 150 && green < 110 && blue < 110, "{red} {green} {blue} is not the red square");
}

#[test]
fn the_first_page_stands_on_the_cover() {
    let shelf =
        Shelf::default().with('a', Pdf::new().page(148.0, 210.0, "Cover").page(148.0, 210.0, "One").bytes());
    let book = shelf.book('a', A5, CoverChoice::FirstPage);
    let mut pdf = Vec::new();
    Press::new().print(&book, plain_cover(&book, 8.0), &shelf, MADE_AT, &mut pdf).expect("a cover");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cover.pdf");
    std::fs::write(&file, &pdf).expect("the PDF is written");
    run("qpdf", &["--check"], &file);
    let sheet = rasterised(&pdf, 1, 1216);
    // back, spine, front: the square is at the front's lower left
    assert!(near(sheet.get_pixel(156 * 4 + 40, sheet.height() - 40), [204, 38, 38]));
    assert!(!near(sheet.get_pixel(40, sheet.height() - 40), [204, 38, 38]));
    let proof = Press::new().proof_pdf(&book, None, &shelf).expect("a proof");
    assert_eq!(pdf_boxes(&proof).len(), 5);
}

#[test]
fn sizes_count_crop_turn_and_unit() {
    let points = |mm: f64| mm * PT_PER_MM;
    let crop = numbers([points(10.0), points(20.0), points(110.0), points(170.0)]);
    let bytes = Pdf::new()
        .page(210.0, 297.0, "")
        .page_with(210.0, 297.0, "", dictionary! { "CropBox" => crop.clone() })
        .page_with(210.0, 297.0, "", dictionary! { "Rotate" => -90 })
        .page_with(21.0, 29.7, "", dictionary! { "UserUnit" => 10 })
        .page_with(
            210.0,
            297.0,
            "",
            dictionary! {
                "Rotate" => 90,
                "TrimBox" => numbers([points(20.0), points(30.0), points(168.0), points(240.0)]),
            },
        )
        .bytes();
    let facts = inspect(&bytes).expect("a PDF");
    let sizes: Vec<_> =
        facts.sheets.iter().map(|sheet| (sheet.width.round() as u32, sheet.height.round() as u32)).collect();
    assert_eq!(sizes, [(210, 297), (100, 150), (297, 210), (210, 297), (297, 210)]);
    // what was 30 from the bottom is 30 from the left after a quarter turn
    let trim = facts.sheets[4].trim.expect("a trim");
    let expected = rect(30.0, 20.0, 210.0, 148.0);
    for (is, should) in [
        (trim.x, expected.x),
        (trim.y, expected.y),
        (trim.width, expected.width),
        (trim.height, expected.height),
    ] {
        assert!((is - should).abs() < 0.01, "{trim:?}");
    }
    assert_eq!(facts.loose_fonts, ["Helvetica"]);
    let codes: Vec<_> = facts.findings(2, &[]).iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [FindingCode::UndrawablePage, FindingCode::LooseFont]);
}

#[test]
fn what_is_no_usable_pdf_is_refused_with_the_reason() {
    let good = Pdf::new().page(148.0, 210.0, "x").bytes();
    let cases: Vec<(Vec<u8>, PdfRefusal)> = vec![
        (b"PK\x03\x04 a Word file".to_vec(), PdfRefusal::NoPdf),
        (good[..good.len() * 2 / 3].to_vec(), PdfRefusal::Broken),
        (b"%PDF-1.7\nnothing\n%%EOF".to_vec(), PdfRefusal::Broken),
        (Pdf::new().bytes(), PdfRefusal::Empty),
        (Pdf::new().page(5.0, 5.0, "").bytes(), PdfRefusal::Size { page: 1, width: 5, height: 5 }),
        (
            (0..2001).fold(Pdf::new(), |pdf, _| pdf.page(148.0, 210.0, "")).bytes(),
            PdfRefusal::TooManyPages(2001),
        ),
    ];
    for (bytes, expected) in cases {
        let refusal = inspect(&bytes).expect_err("refused");
        assert_eq!(refusal, expected);
        let sentence = refusal.to_string();
        assert!(sentence.chars().any(|c| c >= '\u{4e00}'), "{sentence}");
    }
}

#[test]
fn scripts_attachments_and_forms_do_not_come_along() {
    let mut pdf = Pdf::new();
    let script = dictionary! { "S" => "JavaScript", "JS" => Object::string_literal("app.alert(1)") };
    let script = pdf.document.add_object(script);
    let note =
        dictionary! { "Type" => "Annot", "Subtype" => "Widget", "AA" => dictionary! { "E" => script } };
    let more = dictionary! { "Annots" => vec![note.into()], "AA" => dictionary! { "O" => script } };
    let shelf = Shelf::default().with('a', pdf.page_with(148.0, 210.0, "Quiet", more).bytes());
    let printed = print(&shelf.book('a', A5, CoverChoice::Words), &shelf);
    for word in [b"JavaScript".as_slice(), b"Annots", b"app.alert"] {
        assert!(!printed.windows(word.len()).any(|window| window == word));
    }
}

#[test]
fn preflight_tells_which_pages_were_scaled_and_what_fills_up() {
    let shelf = Shelf::default()
        .with('a', Pdf::new().page(148.0, 210.0, "").page(210.0, 148.0, "").page(100.0, 100.0, "").bytes());
    let book = shelf.book('a', A5, CoverChoice::Words);
    let findings =
        Press::new().preflight(&book, None, &|_| None, &|_| Default::default(), &|| true).expect("findings");
    let said: Vec<_> = findings.iter().map(|finding| (finding.code, finding.message.as_str())).collect();
    assert!(
        said.iter().any(|(code, words)| *code == FindingCode::ScaledPage && words.contains("第 2–3 页")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|(code, words)| *code == FindingCode::BlankEnd && words.contains("1 张")),
        "{said:?}"
    );
    assert_eq!(said.len(), 2, "{said:?}");
}

#[test]
fn a_pdf_that_is_gone_is_named() {
    let shelf = Shelf::default().with('a', Pdf::new().page(148.0, 210.0, "").bytes());
    let book = shelf.book('a', A5, CoverChoice::Words);
    let missing = Press::new().print(&book, Part::Inner, &Shelf::default(), MADE_AT, &mut io::sink());
    assert!(matches!(missing, Err(press::PressError::MissingFile(file)) if file == shelf.names[&'a']));
    // on the screen the place is empty
    let shown =
        Press::new().page_picture(&book, PageRef::Inner(0), &Shelf::default(), 320).expect("a picture");
    let shown = image::load_from_memory(&shown).expect("a WebP").into_rgb8();
    assert_ne!(shown.get_pixel(20, 20), &Rgb([255; 3]));
}
