//! What preflight finds inside the pages of members' PDFs.

use crate::common::pdfs::{PT_PER_MM, Pdf, numbers};
use crate::common::{document, page, rect};
use domain::document::{Crop, Document as Book, Element, PdfPage, Trim};
use domain::ids::FileDigest;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use press::pdf::inspect;
use press::{Finding, FindingCode, PageRef, Press};

const A5: Trim = Trim { width: 148.0, height: 210.0 };

/// A file whose pages of A5 say this, each with the same resources.
fn file(contents: &[&str], resources: impl FnOnce(&mut Document) -> Dictionary) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let resources = resources(&mut pdf.document);
    for content in contents {
        let content = pdf.document.add_object(Stream::new(Dictionary::new(), content.as_bytes().to_vec()));
        pdf = pdf.add(A5.width, A5.height, content, dictionary! { "Resources" => resources.clone() });
    }
    pdf.bytes()
}

/// What is found on the pages of a file, shown so many times as large as they are from page 1 on.
fn findings(file: &[u8], scale: f64) -> Vec<Finding> {
    let facts = inspect(file).expect("a PDF");
    let name: FileDigest = "a".repeat(64).parse().expect("a digest");
    let shown = |number: usize| PdfPage {
        common: Default::default(),
        file: name.clone(),
        page: number as u32,
        frame: rect(0.0, 0.0, A5.width * scale, A5.height * scale),
        crop: Crop::WHOLE,
    };
    let pages = (1..=facts.sheets.len()).map(|number| page(vec![Element::Pdf(shown(number))])).collect();
    let trim = Trim { width: A5.width * scale, height: A5.height * scale };
    let book = Book { trim, ..document("calm", pages) };
    let mut findings = Press::new().pdf_findings(&book, &name, &facts, 0);
    findings.retain(|finding| finding.code != FindingCode::LooseFont);
    findings
}

fn said(file: &[u8]) -> Vec<(FindingCode, String)> {
    findings(file, 1.0).into_iter().map(|finding| (finding.code, finding.message)).collect()
}

fn only(file: &[u8]) -> (FindingCode, String) {
    let [only] = said(file).try_into().expect("one finding");
    only
}

/// A grey picture.
fn picture(pdf: &mut Document, width: i64, height: i64) -> ObjectId {
    let dict = dictionary! {
        "Type" => "XObject", "Subtype" => "Image", "Width" => width, "Height" => height,
        "ColorSpace" => "DeviceGray", "BitsPerComponent" => 8,
    };
    pdf.add_object(Stream::new(dict, vec![128; (width * height) as usize]))
}

fn with_picture(pdf: &mut Document) -> Dictionary {
    let picture = picture(pdf, 300, 200);
    dictionary! { "XObject" => dictionary! { "P" => picture } }
}

fn with_font(pdf: &mut Document) -> Dictionary {
    let font = dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica" };
    let font = pdf.add_object(font);
    dictionary! { "Font" => dictionary! { "F" => font } }
}

fn with_nothing(_: &mut Document) -> Dictionary {
    Dictionary::new()
}

#[test]
fn coarse_pictures_are_found_with_their_resolution() {
    // 300 pixels on so many points
    let at = |points: f64| format!("q {points} 0 0 {} 50 50 cm /P Do Q", points * 2.0 / 3.0);
    assert_eq!(said(&file(&[&at(72.0)], with_picture)), []);
    let (code, words) = only(&file(&[&at(120.0)], with_picture));
    assert_eq!(code, FindingCode::LowResolution);
    assert!(words.starts_with("第 1 页有 180 dpi 的图片"), "{words}");
    let (code, words) = only(&file(&[&at(72.0), &at(225.0)], with_picture));
    assert_eq!(code, FindingCode::VeryLowResolution);
    assert_eq!(words, "第 2 页有 96 dpi 的图片，印出来会模糊；请换更清晰的图，重新导出 PDF。");
    // of many pages it is said once, with the worst
    let (_, words) = only(&file(&[&at(225.0), &at(240.0), &at(72.0), &at(225.0)], with_picture));
    assert!(words.starts_with("第 1–2、4 页有低至 90 dpi"), "{words}");
    // turned, in a form, and stretched one way
    let turned = "q 0 225 -150 0 300 50 cm /P Do Q";
    assert!(only(&file(&[turned], with_picture)).1.contains("96 dpi"));
    let nested = file(&["q 2 0 0 2 0 0 cm /X Do Q"], |pdf| {
        let picture = picture(pdf, 300, 200);
        let form = dictionary! {
            "Type" => "XObject", "Subtype" => "Form", "BBox" => numbers([0.0, 0.0, 500.0, 500.0]),
            "Matrix" => vec![1.into(), 0.into(), 0.into(), 1.into(), 20.into(), 20.into()],
            "Resources" => dictionary! { "XObject" => dictionary! { "P" => picture } },
        };
        let form = pdf.add_object(Stream::new(form, b"112.5 0 0 75 0 0 cm /P Do".to_vec()));
        dictionary! { "XObject" => dictionary! { "X" => form } }
    });
    assert!(only(&nested).1.contains("96 dpi"));
    // what is beside the page is not printed, nor what is cut off
    assert_eq!(said(&file(&["q 225 0 0 150 500 50 cm /P Do Q"], with_picture)), []);
    assert_eq!(said(&file(&["300 300 20 20 re W n q 225 0 0 150 50 50 cm /P Do Q"], with_picture)), []);
}

#[test]
fn a_page_that_is_a_picture_on_the_cover_is_not_read_there() {
    let bytes = file(&["BT /F 8 Tf 50 50 Td (read) Tj ET 50 150 100 0.4 re f"], with_font);
    let facts = inspect(&bytes).expect("a PDF");
    let name: FileDigest = "a".repeat(64).parse().expect("a digest");
    let shown =
        |frame| PdfPage { common: Default::default(), file: name.clone(), page: 1, frame, crop: Crop::WHOLE };
    let small = rect(37.0, 30.0, A5.width / 2.0, A5.height / 2.0);
    let codes = |cover: Vec<Element>, inner: Vec<Element>| {
        let mut book = Book { trim: A5, ..document("calm", vec![page(inner)]) };
        book.cover = page(cover);
        let findings = Press::new().pdf_findings(&book, &name, &facts, 0);
        let mut codes: Vec<_> = findings.into_iter().map(|finding| finding.code).collect();
        codes.retain(|code| *code != FindingCode::LooseFont);
        codes
    };
    assert_eq!(codes(vec![Element::Pdf(shown(small))], vec![]), []);
    // as small on a page it is to be read
    let of_a_page = codes(vec![], vec![Element::Pdf(shown(small))]);
    assert_eq!(of_a_page, [FindingCode::Hairline, FindingCode::TinyText]);
    let whole = Trim { width: A5.width / 2.0, height: A5.height / 2.0 };
    let mut book = Book { trim: whole, ..document("calm", vec![]) };
    book.cover = page(vec![Element::Pdf(shown(rect(0.0, 0.0, whole.width, whole.height)))]);
    let findings = Press::new().pdf_findings(&book, &name, &facts, 0);
    assert!(
        findings.iter().any(|finding| finding.code == FindingCode::TinyText),
        "the cover is the page itself"
    );
}

#[test]
fn a_page_that_is_shown_larger_is_measured_as_it_is_shown() {
    let sharp = file(&["q 72 0 0 48 50 50 cm /P Do Q 0.4 w 50 50 m 90 90 l S"], with_picture);
    assert_eq!(findings(&sharp, 1.0), []);
    let twice = findings(&sharp, 2.0);
    assert_eq!(twice.iter().map(|it| it.code).collect::<Vec<_>>(), [FindingCode::LowResolution]);
    assert!(twice[0].message.contains("150 dpi"), "{}", twice[0].message);
    assert_eq!(twice[0].page, Some(PageRef::Inner(0)));
    let half = findings(&sharp, 0.5);
    assert_eq!(half.iter().map(|it| it.code).collect::<Vec<_>>(), [FindingCode::Hairline]);
    assert!(half[0].message.contains("0.20 点"), "{}", half[0].message);
}

#[test]
fn thin_lines_are_found() {
    let line = |width: &str| file(&[&format!("{width} w 50 50 m 90 90 l S")], with_nothing);
    assert_eq!(said(&line("0.25")), []);
    for (width, words) in [("0", "0.00 点"), ("0.1", "0.10 点"), ("q 0.1 0 0 0.1 0 0 cm 1", "0.10 点")] {
        let (code, message) = only(&line(width));
        assert_eq!(code, FindingCode::Hairline);
        assert!(message.starts_with("第 1 页有 ") && message.contains(words), "{message}");
    }
    // a filled area can be a line, too, and a graphics state can say how thick lines are
    assert_eq!(only(&file(&["50 50 100 0.1 re f"], with_nothing)).0, FindingCode::Hairline);
    let state = file(&["/G gs 50 50 m 90 90 l S"], |_| {
        let state = dictionary! { "Type" => "ExtGState", "LW" => 0.1 };
        dictionary! { "ExtGState" => dictionary! { "G" => state } }
    });
    assert_eq!(only(&state).0, FindingCode::Hairline);
    // nothing is drawn with it
    assert_eq!(said(&file(&["0 w 50 50 m 90 90 l n"], with_nothing)), []);
}

#[test]
fn small_words_are_found_as_large_as_they_are_shown() {
    let words = |before: &str| file(&[&format!("BT {before} 50 50 Td (Words) Tj ET")], with_font);
    assert_eq!(said(&words("/F 5 Tf")), []);
    let (code, message) = only(&words("/F 4 Tf"));
    assert_eq!(code, FindingCode::TinyText);
    assert!(message.starts_with("第 1 页有 4.0 点的文字"), "{message}");
    assert!(only(&words("/F 1 Tf 3 0 0 3 0 0 Tm")).1.contains("3.0 点"));
    assert_eq!(said(&words("/F 1 Tf 9 0 0 9 0 0 Tm")), []);
    // a scan's words are searched for, not read; and spaces have no size
    assert_eq!(said(&words("/F 4 Tf 3 Tr")), []);
    assert_eq!(said(&file(&["BT /F 1 Tf 50 50 Td (   ) Tj ET"], with_font)), []);
}

#[test]
fn too_much_ink_is_found() {
    let colour = |inks: &str| file(&[&format!("{inks} k 50 50 100 100 re f")], with_nothing);
    assert_eq!(said(&colour("0.8 0.8 0.8 0.8")), []);
    let (code, message) = only(&colour("1 1 1 0.9"));
    assert_eq!(code, FindingCode::TooMuchInk);
    assert!(message.contains("390%") && message.contains("320%"), "{message}");
    // what is said and not painted lays no ink
    assert_eq!(said(&file(&["1 1 1 1 k 0 g 50 50 100 100 re f"], with_nothing)), []);

    let picture = |inks: [u8; 4], decode: Option<[i64; 8]>| {
        file(&["q 14 0 0 14 50 50 cm /P Do Q"], move |pdf| {
            let mut dict = dictionary! {
                "Type" => "XObject", "Subtype" => "Image", "Width" => 50, "Height" => 50,
                "ColorSpace" => "DeviceCMYK", "BitsPerComponent" => 8,
            };
            if let Some(decode) = decode {
                dict.set("Decode", decode.map(Object::Integer).to_vec());
            }
            let mut stream = Stream::new(dict, inks.repeat(2_500));
            stream.compress().expect("flate");
            let picture = pdf.add_object(stream);
            dictionary! { "XObject" => dictionary! { "P" => picture } }
        })
    };
    assert_eq!(said(&picture([255, 255, 255, 0], None)), []);
    assert_eq!(only(&picture([255, 255, 255, 128], None)).0, FindingCode::TooMuchInk);
    let inverted = Some([1, 0, 1, 0, 1, 0, 1, 0]);
    assert_eq!(said(&picture([255, 255, 255, 128], inverted)), []);
    assert_eq!(only(&picture([0, 0, 0, 128], inverted)).0, FindingCode::TooMuchInk);
}

#[test]
fn white_that_overprints_is_found() {
    let painted = |state: Dictionary, colour: &str| {
        file(&[&format!("/G gs {colour} 50 50 100 100 re f")], move |_| {
            dictionary! { "ExtGState" => dictionary! { "G" => state } }
        })
    };
    let state = |mode: i64| dictionary! { "Type" => "ExtGState", "op" => true, "OPM" => mode };
    let (code, message) = only(&painted(state(1), "0 0 0 0 k"));
    assert_eq!(code, FindingCode::LostWhite);
    assert!(message.starts_with("第 1 页有"), "{message}");
    assert_eq!(said(&painted(state(0), "0 0 0 0 k")), []);
    assert_eq!(said(&painted(state(1), "0 0 0 1 k")), []);
}

#[test]
fn bleed_is_missed_where_something_reaches_the_edge() {
    let (width, height) = (A5.width * PT_PER_MM, A5.height * PT_PER_MM);
    let words = "BT /F 12 Tf 60 60 Td (Words on white paper) Tj ET";
    assert_eq!(said(&file(&[words], with_font)), [], "white text pages need no bleed");
    let white = format!("1 1 1 rg 0 0 {width} {height} re f 0 g {words}");
    assert_eq!(said(&file(&[&white], with_font)), [], "nor does paper that is said to be white");
    let ground = format!("0.9 0.8 0.7 rg 0 0 {width} {height} re f 0 g {words}");
    let (code, message) = only(&file(&[words, &ground, words], with_font));
    assert_eq!(code, FindingCode::PdfWithoutBleed);
    assert!(message.starts_with("第 2 页"), "{message}");
    // cut off before the edge, it does not reach it
    let cut = format!("60 60 100 100 re W n 0.9 0.8 0.7 rg 0 0 {width} {height} re f");
    assert_eq!(said(&file(&[&cut], with_font)), []);
}

#[test]
fn a_jpeg_of_inks_is_measured() {
    let shown = |inks: [u8; 4]| {
        file(&["q 14 0 0 14 50 50 cm /P Do Q"], move |pdf| {
            let mut jpeg = Vec::new();
            jpeg_encoder::Encoder::new(&mut jpeg, 95)
                .encode(&inks.repeat(64 * 64), 64, 64, jpeg_encoder::ColorType::Cmyk)
                .expect("a JPEG");
            // as image programs write them: none is 255
            let dict = dictionary! {
                "Type" => "XObject", "Subtype" => "Image", "Width" => 64, "Height" => 64,
                "ColorSpace" => "DeviceCMYK", "BitsPerComponent" => 8, "Filter" => "DCTDecode",
                "Decode" => [1, 0, 1, 0, 1, 0, 1, 0].map(Object::Integer).to_vec(),
            };
            let picture = pdf.add_object(Stream::new(dict, jpeg));
            dictionary! { "XObject" => dictionary! { "P" => picture } }
        })
    };
    assert_eq!(said(&shown([200, 150, 150, 100])), []);
    assert_eq!(only(&shown([250, 250, 250, 200])).0, FindingCode::TooMuchInk);
}

#[test]
fn a_file_that_is_made_to_take_long_is_cut_short() {
    // forms that show the next one ten times each: a million million squares
    let bomb = file(&["/X0 Do"], |pdf| {
        let mut inner = None;
        for _ in 0..12 {
            let mut form = dictionary! {
                "Type" => "XObject", "Subtype" => "Form", "BBox" => numbers([0.0, 0.0, 400.0, 400.0]),
            };
            let content = match inner {
                None => b"10 10 5 5 re f".to_vec(),
                Some(inner) => {
                    form.set(
                        "Resources",
                        dictionary! { "XObject" => dictionary! { "X0" => Object::Reference(inner) } },
                    );
                    b"/X0 Do ".repeat(10)
                }
            };
            inner = Some(pdf.add_object(Stream::new(form, content)));
        }
        dictionary! { "XObject" => dictionary! { "X0" => inner.expect("forms") } }
    });
    // gone through to its end, the file would take years
    let found = said(&bomb);
    assert!(found.iter().any(|(code, _)| *code == FindingCode::PartlyChecked), "{found:?}");
}
