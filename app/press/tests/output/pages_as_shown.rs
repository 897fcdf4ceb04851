//! Whole pages on paper beside what the member saw: their colours, and where things are. Ghostscript and MuPDF show the print
//! files, each by itself.

use std::io;

use crate::common::raw::Raw;
use crate::common::*;
use crate::documents::Shelf;
use crate::likeness::{differences, inks, kinds, shown, upright};
use domain::binding::{Case, CoverMake, CoverSheet, Glued, Leaves};
use domain::document::{Colour, Crop, Document, Element, Ink, PdfPage, Shape, ShapeKind, TextRole, Trim};
use domain::ids::{FileDigest, PhotoId};
use image::{Rgb, RgbImage};
use photo::PhotoFormat;
use press::{Original, Originals, PageRef, Part, Press, PrintStandard, Proxies};

/// A page's side in mm, and the side of its pictures in pixels.
const SIDE_MM: f64 = 100.0;
const SIDE: u32 = 300;

/// Photos and PDFs.
struct Both(Library, Shelf);

impl Originals for Both {
    fn describe(&self, photo: &PhotoId) -> Option<Original> {
        self.0.describe(photo)
    }
    fn digest(&self, photo: &PhotoId) -> Option<FileDigest> {
        Originals::digest(&self.0, photo)
    }
    fn open(&self, photo: &PhotoId) -> io::Result<Box<dyn io::Read + '_>> {
        self.0.open(photo)
    }
    fn pdf(&self, file: &FileDigest) -> io::Result<Vec<u8>> {
        Originals::pdf(&self.1, file)
    }
}

impl Proxies for Both {
    fn proxy(&self, photo: &PhotoId, width: u32) -> Option<Vec<u8>> {
        self.0.proxy(photo, width)
    }
    fn pdf_page(&self, file: &FileDigest, page: u32) -> Option<Vec<u8>> {
        self.1.pdf_page(file, page)
    }
    fn pdf(&self, file: &FileDigest) -> Option<Vec<u8>> {
        Proxies::pdf(&self.1, file)
    }
}

fn area(frame: domain::document::Rect, colour: [u8; 3]) -> Element {
    let fill = Some(Ink::Free(Colour(colour)));
    Element::Shape(Shape {
        common: Default::default(),
        shape: ShapeKind::Rect,
        frame,
        fill,
        border: None,
        radius: None,
    })
}

/// A PDF's page, 90 × 90 mm, with what a designer's program leaves in it.
fn designed() -> Vec<(&'static str, Vec<u8>)> {
    let page = |resources: &str, content: &str| {
        let mut raw = Raw::default();
        raw.page(&format!("/MediaBox[0 0 255.118 255.118]/Resources<<{resources}>>")).content(content);
        raw
    };
    let pantone = "/ColorSpace<</S[/Separation/PANTONE#20185#20C/DeviceCMYK<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 .7 .6 0]/N 1>>]>>";
    let see_through = {
        let mut raw = page(
            "/ExtGState<</G<</ca 0.5>>/M<</BM/Multiply>>>>",
            "0.1 0.5 0.4 0 k 0 0 160 160 re f /G gs 0.6 0.1 0.1 0 k 60 60 160 160 re f /M gs 0 0.1 0.5 0.1 k 100 20 120 220 re f",
        );
        raw.page("/MediaBox[0 0 255.118 255.118]/Group<</S/Transparency/CS/DeviceCMYK/I true>>/Resources<</ExtGState<</G<</ca 0.5>>/M<</BM/Multiply>>>>>>");
        raw
    };
    vec![
        ("spot colours", page(pantone, "/S cs 0.8 scn 10 10 160 160 re f 0.3 scn 120 120 120 120 re f")),
        ("inks", page("", "0.5 0.2 0.1 0.1 k 10 10 160 160 re f 0 0.4 0.5 0 k 120 120 120 120 re f 0 0 0 0.5 k 180 10 60 60 re f")),
        ("colours of a screen", page("", "0.7 0.5 0.4 rg 10 10 160 160 re f 0.4 0.6 0.5 rg 120 120 120 120 re f")),
        ("what shines through", see_through),
    ]
    .into_iter()
    .map(|(name, raw)| (name, raw.bytes()))
    .collect()
}

/// What MuPDF shows of a page in its trim; nothing where its Python package is not installed.
fn by_mupdf(pdf: &[u8], side: u32) -> Option<RgbImage> {
    const SHOWN: &str = "import sys, pymupdf
folder, side = sys.argv[1], int(sys.argv[2])
page = pymupdf.open(folder + '/page.pdf')[0]
trim = page.trimbox
page.get_pixmap(matrix=pymupdf.Matrix(side / trim.width, side / trim.height), clip=trim).save(folder + '/page.png')";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("page.pdf"), pdf).unwrap();
    let made = std::process::Command::new("python3")
        .args(["-c", SHOWN, folder.path().to_str().unwrap(), &side.to_string()])
        .output();
    if !made.is_ok_and(|made| made.status.success()) {
        println!("MuPDF (pymupdf) is not installed: its pictures were not looked at");
        return None;
    }
    let read = image::open(folder.path().join("page.png")).unwrap().into_rgb8();
    Some(image::imageops::crop_imm(&read, 0, 0, side, side).to_image())
}

/// Pages of every kind of content.
fn books() -> Vec<(&'static str, Document, Both)> {
    let book = |page: domain::document::Page| {
        let mut book = document("calm", vec![page]);
        book.trim = Trim { width: SIDE_MM, height: SIDE_MM };
        book
    };
    let mut books = Vec::new();
    let (mut library, mut photos) = (Library::default(), Vec::new());
    for (index, (_, bytes)) in kinds().into_iter().enumerate().filter(|(index, _)| index % 2 == 0).take(4) {
        let name = format!("p{index}");
        library.proxies.insert(id(&name), upright(&bytes));
        library = library.add(&name, PhotoFormat::Jpeg, SIDE, SIDE, 1, bytes);
        let (column, row) = ((photos.len() % 2) as f64, (photos.len() / 2) as f64);
        photos.push(photo(&name, rect(4.0 + 48.0 * column, 4.0 + 48.0 * row, 44.0, 44.0), Crop::WHOLE));
    }
    books.push(("photos", book(page(photos)), Both(library, Shelf::default())));
    let words = text(
        TextRole::Body,
        rect(8.0, 60.0, 84.0, 36.0),
        &"海边的三天，风很大，孩子们在沙滩上跑。".repeat(3),
    );
    let drawn = vec![
        area(rect(-3.0, -3.0, 106.0, 50.0), [120, 150, 140]),
        area(rect(55.0, 20.0, 30.0, 30.0), [180, 120, 110]),
        words,
    ];
    books.push(("words and areas", book(page(drawn)), Both(Library::default(), Shelf::default())));
    for (name, file) in designed() {
        let shelf = Shelf::default().with('a', file);
        let shown = PdfPage {
            common: Default::default(),
            file: shelf.name('a'),
            page: 1,
            frame: rect(5.0, 5.0, 90.0, 90.0),
            crop: Crop::WHOLE,
        };
        books.push((name, book(ready_page(shown)), Both(Library::default(), shelf)));
    }
    assert_eq!(inks().len(), (4 * SIDE * SIDE) as usize);
    books
}

#[test]
fn every_kind_of_content_is_printed_as_it_is_shown() {
    for (kind, book, both) in books() {
        let screen = Press::new().page_picture(&book, PageRef::Inner(0), &both, SIDE).expect("a picture");
        let screen = image::load_from_memory(&screen).unwrap().into_rgb8();
        for standard in [PrintStandard::X4, PrintStandard::X1a] {
            let mut pdf = Vec::new();
            Press::following(standard)
                .print(&book, Part::Inner, &both, MADE_AT, &mut pdf)
                .expect("a print file");
            for (program, printed) in [("Ghostscript", shown(&pdf, SIDE)), ("MuPDF", by_mupdf(&pdf, SIDE))] {
                let Some(printed) = printed else { continue };
                let (mean, most) = differences(&screen, &printed);
                println!("{kind}, {standard:?}, {program}: {mean:.2}, at most {most:.2}");
                // a screen mixes light where a press mixes inks
                let bound = if kind == "what shines through" { 3.5 } else { 2.2 };
                assert!(mean <= bound, "{kind}, {standard:?}, {program}: {mean:.2}");
            }
        }
    }
}

/// From where to where something of this colour is, in mm, where so many pixels are a millimetre.
fn place_of(picture: &RgbImage, is: impl Fn(&Rgb<u8>) -> bool, pixels_per_mm: f64) -> [f64; 4] {
    let mut found = [f64::INFINITY, f64::INFINITY, 0.0, 0.0];
    for (x, y, _) in picture.enumerate_pixels().filter(|(.., pixel)| is(pixel)) {
        let (x, y) = (f64::from(x) / pixels_per_mm, f64::from(y) / pixels_per_mm);
        let step = 1.0 / pixels_per_mm;
        found = [found[0].min(x), found[1].min(y), found[2].max(x + step), found[3].max(y + step)];
    }
    found
}

#[test]
fn things_are_on_paper_where_they_are_shown() {
    // from the trim's corner
    let frame = rect(20.0, 30.0, 50.0, 40.0);
    let mut book = document("calm", vec![page(vec![area(frame, [30, 60, 160])]); 4]);
    book.trim = Trim { width: SIDE_MM, height: SIDE_MM };
    book.cover = page(vec![area(frame, [30, 60, 160])]);
    let library = Library::default();
    let is_blue = |pixel: &Rgb<u8>| i32::from(pixel.0[2]) - i32::from(pixel.0[0]) > 85;
    let cover = |make| CoverSheet { die_line: false, ..CoverSheet::of(make, book.trim, 8.0, 5.0, false) };
    let covers = [
        CoverMake::Glued(Glued::default()),
        CoverMake::Case(Case::default()),
        CoverMake::Leaves(Leaves::default()),
        CoverMake::Folded,
    ];
    let mut parts = vec![(Part::Inner, [0.0, 0.0], 4)];
    for make in covers {
        let sheet = cover(make);
        let (left, top) = sheet.page_on_face();
        let sides = if matches!(make, CoverMake::Leaves(_) | CoverMake::Folded) { 2 } else { 1 };
        parts.push((Part::Cover(sheet), [sheet.front_mm() + left, top], sides));
    }
    for (part, [left, top], pages) in parts {
        for standard in [PrintStandard::X4, PrintStandard::X1a] {
            let mut pdf = Vec::new();
            Press::following(standard).print(&book, part, &library, MADE_AT, &mut pdf).expect("a print file");
            let boxes = pdf_boxes(&pdf);
            assert_eq!(boxes.len(), pages, "{part:?}");
            let mm = |pt: f64| pt * 25.4 / 72.0;
            let trim = boxes[0].trim.map(mm);
            let (width, height) = (trim[2] - trim[0], trim[3] - trim[1]);
            let side = (width.max(height) * 10.0).round() as u32;
            let expected =
                [frame.x + left, frame.y + top, frame.x + left + frame.width, frame.y + top + frame.height];
            let mut seen = vec![("poppler", rasterised(&pdf, 1, (width * 10.0).round() as u32), 10.0)];
            if (width - height).abs() < 0.01 {
                seen.extend(shown(&pdf, side).map(|it| ("Ghostscript", it, f64::from(side) / SIDE_MM)));
                seen.extend(by_mupdf(&pdf, side).map(|it| ("MuPDF", it, f64::from(side) / width)));
            }
            for (program, picture, pixels_per_mm) in seen {
                let found = place_of(&picture, is_blue, pixels_per_mm);
                let apart = found.iter().zip(expected).map(|(is, should)| (is - should).abs());
                let apart = apart.fold(0.0, f64::max);
                println!("{part:?} {standard:?} {program}: {apart:.2} mm");
                assert!(apart <= 0.3, "{part:?} {standard:?} {program}: {found:?} and not {expected:?}");
            }
            // the sheet has its bleed or its turn-in around it
            let bleed = boxes[0].bleed.expect("a bleed").map(mm);
            let around = match part {
                Part::Cover(sheet) => sheet.around_mm,
                _ => 3.0,
            };
            assert!((trim[0] - bleed[0] - around).abs() <= 0.3 && (bleed[3] - trim[3] - around).abs() <= 0.3);
        }
    }
}
