//! Spot colours of members' PDFs: said in the press's inks where they stand, so that words stay words; or printed.

use crate::common::pdfs::{PT_PER_MM, Pdf, numbers};
use crate::common::*;
use crate::rules::{Shelf, book_of, digest};
use image::RgbImage;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, StringFormat, dictionary};
use press::pdf::inspect;
use press::{FindingCode, OutputCondition, Part, Press, PrintStandard, breaches};

const WIDTH: f64 = 148.0;
const HEIGHT: f64 = 210.0;

fn reals(values: &[f32]) -> Vec<Object> {
    values.iter().map(|value| Object::Real(*value)).collect()
}

/// An ink whose tint goes in a straight line from paper to a colour of a space.
fn ink(name: &str, space: impl Into<Object>, paper: &[f32], full: &[f32]) -> Object {
    let tint = dictionary! {
        "FunctionType" => 2, "Domain" => reals(&[0.0, 1.0]), "C0" => reals(paper), "C1" => reals(full), "N" => 1,
    };
    Object::Array(vec!["Separation".into(), name.into(), space.into(), tint.into()])
}

/// As designers' programs write them.
fn pantone() -> Object {
    ink("PANTONE 185 C", "DeviceCMYK", &[0.0; 4], &[0.0, 0.91, 0.76, 0.0])
}

/// Two inks and one of the press's own.
fn three_inks(pdf: &mut Document) -> Object {
    let ranges = |count: usize| reals(&[0.0, 1.0].repeat(count));
    // orange in magenta, green in yellow, cyan in itself
    let program = "{ 3 1 roll 0.8 mul exch 0.6 mul exch 0.1 }";
    let tint = dictionary! {
        "FunctionType" => 4, "Domain" => ranges(3), "Range" => ranges(4),
    };
    let tint = pdf.add_object(Stream::new(tint, program.as_bytes().to_vec()));
    let names: Vec<Object> = ["Orange 021 C", "PANTONE 347 C", "Cyan"].map(Object::from).to_vec();
    Object::Array(vec!["DeviceN".into(), names.into(), "DeviceCMYK".into(), tint.into()])
}

fn picture(width: i64, height: i64, bits: i64, space: Object, data: Vec<u8>) -> Stream {
    let dict = dictionary! {
        "Type" => "XObject", "Subtype" => "Image", "Width" => width, "Height" => height,
        "BitsPerComponent" => bits, "ColorSpace" => space,
    };
    Stream::new(dict, data)
}

fn form(content: &str, resources: Dictionary) -> Stream {
    let form = dictionary! {
        "Type" => "XObject", "Subtype" => "Form", "BBox" => numbers([0.0, 0.0, 60.0, 60.0]),
        "Resources" => resources,
    };
    Stream::new(form, content.as_bytes().to_vec())
}

/// A page of A5 with this content and these resources, and its trim.
fn page_of(content: &str, resources: impl FnOnce(&mut Document) -> Dictionary) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let mut resources = resources(&mut pdf.document);
    let font = dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding",
    };
    let font = pdf.document.add_object(font);
    resources.set("Font", dictionary! { "F" => font });
    let content = pdf.document.add_object(Stream::new(Dictionary::new(), content.as_bytes().to_vec()));
    let trim = numbers([0.0, 0.0, WIDTH * PT_PER_MM, HEIGHT * PT_PER_MM]);
    pdf.add(WIDTH, HEIGHT, content, dictionary! { "Resources" => resources, "TrimBox" => trim }).bytes()
}

/// Ways in which something is painted in a spot colour, each by itself.
fn ways() -> Vec<(&'static str, Vec<u8>)> {
    let spaces = |space: Object| dictionary! { "ColorSpace" => dictionary! { "C" => space } };
    let painted = "1 scn 40 300 120 120 re f q 0.4 scn 200 300 120 120 re f Q 60 200 100 50 re f 0.5 0.2 0 0.1 k 200 200 60 60 re f";
    let words = "BT /F 36 Tf 40 100 Td 0.8 scn (Red words) Tj ET";
    let with_words = format!("/C cs q {painted} Q {words}");
    let shown = |object: fn(&mut Document) -> Stream| {
        page_of("q 200 0 0 200 60 200 cm /X Do Q", move |pdf| {
            let object = object(pdf);
            let object = pdf.add_object(object);
            dictionary! { "XObject" => dictionary! { "X" => object } }
        })
    };
    let ramp = || (0..=255).collect::<Vec<u8>>();
    vec![
        ("words and areas", page_of(&with_words, |_| spaces(pantone()))),
        (
            "lines",
            page_of("/C CS 6 w 0.7 SCN 40 100 m 300 500 l S /C CS 40 500 m 300 100 l S", |_| {
                spaces(pantone())
            }),
        ),
        (
            "an alternate in Lab",
            page_of(&with_words, |_| {
                let white = dictionary! {
                    "WhitePoint" => reals(&[0.9642, 1.0, 0.8249]), "Range" => reals(&[-128.0, 127.0, -128.0, 127.0]),
                };
                let lab = Object::Array(vec!["Lab".into(), white.into()]);
                spaces(ink("PANTONE Red", lab, &[100.0, 0.0, 0.0], &[50.0, 70.0, 40.0]))
            }),
        ),
        (
            "an alternate in RGB, by reference",
            page_of(&with_words, |pdf| {
                let space = ink("Brand", "DeviceRGB", &[1.0; 3], &[0.8, 0.1, 0.3]);
                let space = pdf.add_object(space);
                spaces(space.into())
            }),
        ),
        (
            "several inks at once",
            page_of(
                "/C cs 40 300 120 120 re f 0.9 0.2 0.3 scn 200 300 120 120 re f 0 .5 .0 scn 40 100 99 99 re f",
                |pdf| {
                    let space = three_inks(pdf);
                    spaces(space)
                },
            ),
        ),
        (
            "a form",
            page_of("q 2 0 0 2 60 200 cm /X Do Q", |pdf| {
                let inner = form("/C cs 1 scn 5 5 50 50 re f", spaces(pantone()));
                let inner = pdf.add_object(inner);
                let outer = form("/C cs 0.3 scn 0 0 60 60 re f /Y Do", {
                    let mut resources = spaces(pantone());
                    resources.set("XObject", dictionary! { "Y" => inner });
                    resources
                });
                let outer = pdf.add_object(outer);
                dictionary! { "XObject" => dictionary! { "X" => outer } }
            }),
        ),
        (
            "a pattern without colours",
            page_of("/P cs 0.9 /T scn 40 200 240 240 re f", |pdf| {
                let pattern = dictionary! {
                    "Type" => "Pattern", "PatternType" => 1, "PaintType" => 2, "TilingType" => 1,
                    "BBox" => numbers([0.0, 0.0, 40.0, 40.0]), "XStep" => 40, "YStep" => 40,
                    "Resources" => Dictionary::new(),
                };
                let pattern = pdf.add_object(Stream::new(pattern, b"0 0 20 20 re f".to_vec()));
                let space = Object::Array(vec!["Pattern".into(), pantone()]);
                dictionary! {
                    "ColorSpace" => dictionary! { "P" => space },
                    "Pattern" => dictionary! { "T" => pattern },
                }
            }),
        ),
        ("a picture of one ink", shown(|_| picture(16, 16, 8, pantone(), (0..=255).collect()))),
        (
            "one that says none as full",
            shown(|_| {
                let mut picture = picture(16, 16, 8, pantone(), (0..=255).collect());
                picture.dict.set("Decode", reals(&[1.0, 0.0]));
                picture
            }),
        ),
        ("one of single bits", shown(|_| picture(8, 8, 1, pantone(), vec![0b1010_0101; 8]))),
        (
            "a JPEG of one ink",
            shown(|_| {
                let mut jpeg = Vec::new();
                let encoder = jpeg_encoder::Encoder::new(&mut jpeg, 95);
                let ramp: Vec<u8> = (0..64 * 64).map(|at| (at / 16) as u8).collect();
                encoder.encode(&ramp, 64, 64, jpeg_encoder::ColorType::Luma).unwrap();
                let mut picture = picture(64, 64, 8, pantone(), jpeg);
                picture.dict.set("Filter", "DCTDecode");
                picture
            }),
        ),
        (
            "one of several inks",
            shown(|pdf| {
                let space = three_inks(pdf);
                let data = (0..16 * 16).flat_map(|at| [at as u8, 255 - at as u8, (at * 7) as u8]).collect();
                let mut picture = picture(16, 16, 8, space, data);
                picture.compress().unwrap();
                picture
            }),
        ),
        (
            "a table of colours",
            page_of("q 200 0 0 200 60 200 cm /X Do Q /C cs 3 sc 40 40 99 99 re f", move |pdf| {
                let table = Object::String(ramp(), StringFormat::Hexadecimal);
                let space = Object::Array(vec!["Indexed".into(), pantone(), 255.into(), table]);
                let space = pdf.add_object(space);
                let picture = pdf.add_object(picture(16, 16, 8, space.into(), (0..=255).collect()));
                dictionary! {
                    "XObject" => dictionary! { "X" => picture },
                    "ColorSpace" => dictionary! { "C" => space },
                }
            }),
        ),
        (
            "a gradient",
            page_of("q 40 100 300 400 re W n /G sh Q", |_| {
                let function = dictionary! {
                    "FunctionType" => 2, "Domain" => reals(&[0.0, 1.0]), "C0" => reals(&[0.0]), "C1" => reals(&[1.0]), "N" => 2,
                };
                let gradient = dictionary! {
                    "ShadingType" => 2, "ColorSpace" => pantone(), "Coords" => reals(&[40.0, 100.0, 340.0, 500.0]),
                    "Function" => function, "Extend" => vec![true.into(), true.into()],
                };
                dictionary! { "Shading" => dictionary! { "G" => gradient } }
            }),
        ),
    ]
}

fn printed(file: &[u8], press: Press) -> Vec<u8> {
    let mut pdf = Vec::new();
    press.print(&book_of(file), Part::Inner, &Shelf(file.to_vec()), MADE_AT, &mut pdf).unwrap();
    pdf
}

/// What a program says of a PDF.
fn said(program: &str, pdf: &[u8], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file.pdf");
    std::fs::write(&file, pdf).unwrap();
    let output = std::process::Command::new(program).arg(&file).args(arguments).output().expect(program);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// How many pictures a PDF has, and how many pixels those have.
fn pictures(pdf: &[u8]) -> Vec<(String, String)> {
    let list = said("pdfimages", pdf, &["-list"]);
    assert!(list.starts_with("page"), "pdfimages -list: {list}");
    list.lines()
        .skip(2)
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            (words[3].to_owned(), words[4].to_owned())
        })
        .collect()
}

/// The mean difference of two pictures, and the largest of squares of eight pixels above their words, whose font was put in.
fn apart(one: &RgbImage, other: &RgbImage) -> (f64, f64) {
    let mut most = 0.0_f64;
    for y in (0..one.height() * 3 / 4 - 8).step_by(8) {
        for x in (0..one.width() - 8).step_by(8) {
            let cut = |picture: &RgbImage| image::imageops::crop_imm(picture, x, y, 8, 8).to_image();
            most = most.max(difference(&cut(one), &cut(other)));
        }
    }
    (difference(one, other), most)
}

#[test]
fn what_is_painted_in_spot_colours_stays_what_it_is() {
    for (way, file) in ways() {
        let facts = inspect(&file).unwrap();
        assert_eq!((facts.spotted_pages, facts.unsaid_pages), (vec![1], vec![]), "{way}");
        let pdf = printed(&file, Press::new());
        assert_eq!(breaches(&pdf, PrintStandard::X4).unwrap(), [], "{way}");
        run_qpdf(&pdf);
        // no page became a picture
        assert_eq!(pictures(&pdf), pictures(&file), "{way}");
        if way == "words and areas" {
            assert!(said("pdftotext", &pdf, &["-"]).contains("Red words"));
            let fonts = said("pdffonts", &pdf, &[]);
            assert!(fonts.contains("Helvetica") && fonts.contains(" yes "), "{fonts}");
        }
        if let Some(plates) = plates(&pdf) {
            assert!(plates.keys().eq(["Black", "Cyan", "Magenta", "Yellow"]), "{way}: {:?}", plates.keys());
        }
        // poppler reads the file's own tints, and the inks that they became
        let (mean, most) = apart(&rasterised(&file, 1, 296), &rasterised(&pdf, 1, 296));
        println!("{way}: {mean:.2}, at most {most:.2}");
        assert!(mean < 0.5 && most < 10.0, "{way}: {mean:.2}, at most {most:.2}");
    }
}

fn run_qpdf(pdf: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file.pdf");
    std::fs::write(&file, pdf).unwrap();
    run("qpdf", &["--check"], &file);
}

#[test]
fn what_can_not_be_said_in_inks_where_it_stands_is_a_picture_and_told() {
    let spaces = || dictionary! { "ColorSpace" => dictionary! { "C" => pantone() } };
    // whoever shows the form has said which space its tints are of
    let inherited = page_of("/C cs 1 scn 10 10 80 80 re f q 2 0 0 2 60 200 cm /X Do Q", |pdf| {
        let inner = pdf.add_object(form("0.5 scn 5 5 50 50 re f", Dictionary::new()));
        let mut resources = spaces();
        resources.set("XObject", dictionary! { "X" => inner });
        resources
    });
    let inline = page_of(
        "/C cs 1 scn 10 10 80 80 re f q 99 0 0 99 99 99 cm BI /W 2 /H 2 /BPC 8 /CS /C ID \x01\x02\x03\x04 EI Q",
        |_| spaces(),
    );
    for (way, file) in [("a form without a space", inherited), ("a picture in a content", inline)] {
        let facts = inspect(&file).unwrap();
        assert_eq!((&facts.spotted_pages, &facts.unsaid_pages), (&vec![1], &vec![1]), "{way}");
        let told = facts.findings(0, &[]);
        assert!(told.iter().any(|it| it.code == FindingCode::DrawnPages), "{way}: {told:?}");
        let pdf = printed(&file, Press::new());
        assert_eq!(pictures(&pdf).len(), 1, "{way}");
        if let Some(plates) = plates(&pdf) {
            assert_eq!(plates.len(), 4, "{way}");
        }
    }
}

#[test]
fn a_spot_colour_that_is_printed_is_a_plate_and_the_others_are_inks() {
    let file = page_of("/C cs 1 scn 40 300 120 120 re f /D cs 1 scn 200 300 120 120 re f", |_| {
        let other = ink("Gold", "DeviceCMYK", &[0.0; 4], &[0.1, 0.3, 0.8, 0.1]);
        dictionary! { "ColorSpace" => dictionary! { "C" => pantone(), "D" => other } }
    });
    let mut condition = OutputCondition::default();
    condition.spots = vec!["PANTONE 185 C".to_owned()];
    let press = Press::new().printed_on(Box::leak(Box::new(condition)));
    assert_ne!(press.printing_key(), Press::new().printing_key(), "it is another file");
    let pdf = printed(&file, press);
    assert_eq!(breaches(&pdf, PrintStandard::X4).unwrap(), []);
    if let Some(plates) = plates(&pdf) {
        assert!(
            plates.keys().eq(["Black", "Cyan", "Magenta", "PANTONE 185 C", "Yellow"]),
            "{:?}",
            plates.keys()
        );
        // 50 dots an inch; the square of the ink that is printed, and that of the other
        let at = |plate: &str, x: f64| {
            let plate = &plates[plate];
            plate.get_pixel(((x + 3.0 * PT_PER_MM) * 50.0 / 72.0) as u32, plate.height() / 2 - 50).0[0]
        };
        assert!(at("PANTONE 185 C", 100.0) < 40 && at("PANTONE 185 C", 260.0) > 215);
        assert!(at("Magenta", 100.0) > 215 && at("Yellow", 260.0) < 90);
    }
    let facts = inspect(&file).unwrap();
    let told = press.pdf_findings(&book_of(&file), &digest(&file), &facts, 0);
    let told: Vec<String> =
        told.into_iter().filter(|it| it.code == FindingCode::SpotColour).map(|it| it.message).collect();
    let [plate, inks] = told.as_slice() else { panic!("{told:?}") };
    assert!(
        plate.contains("PANTONE 185 C") && plate.contains("单独出版") && !plate.contains("Gold"),
        "{plate}"
    );
    assert!(inks.contains("Gold") && inks.contains("四色") && !inks.contains("PANTONE"), "{inks}");
}

/// Whether a space of colours in an object is said by one of these profiles.
fn is_said_by(object: &Object, profiles: &[ObjectId]) -> bool {
    let within = |object: &Object| is_said_by(object, profiles);
    match object {
        Object::Array(parts) => match parts.as_slice() {
            [Object::Name(kind), Object::Reference(id)] if kind == b"ICCBased" => profiles.contains(id),
            parts => parts.iter().any(within),
        },
        Object::Dictionary(dict) => dict.iter().any(|(_, value)| within(value)),
        Object::Stream(stream) => stream.dict.iter().any(|(_, value)| within(value)),
        _ => false,
    }
}

/// Inks that name the press's own profile are the press's (ISO 15930-7, 6.2.4.2): they go to the plates as they are written.
#[test]
fn inks_with_the_profile_of_the_press_are_its_own() {
    let icc = OutputCondition::default().icc().to_vec();
    let file = page_of("/C cs 0.2 0.4 0.6 0.1 scn 40 300 120 120 re f", |pdf| {
        let profile = pdf.add_object(Stream::new(dictionary! { "N" => 4 }, icc.clone()));
        let space: Vec<Object> = vec!["ICCBased".into(), profile.into()];
        dictionary! { "ColorSpace" => dictionary! { "C" => space } }
    });
    let names_a_profile = |pdf: &[u8]| {
        let pdf = Document::load_mem(pdf).unwrap();
        let is_press = |object: &Object| {
            let stream = object.as_stream().ok();
            stream.is_some_and(|stream| stream.get_plain_content().is_ok_and(|content| content == icc))
        };
        let profiles: Vec<ObjectId> =
            pdf.objects.iter().filter(|(_, object)| is_press(object)).map(|(id, _)| *id).collect();
        assert!(!profiles.is_empty(), "it is the file's own, or what it is printed for");
        pdf.objects.values().any(|object| is_said_by(object, &profiles))
    };
    assert!(names_a_profile(&file));
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let pdf = printed(&file, Press::following(standard));
        assert_eq!(breaches(&pdf, standard).unwrap(), []);
        assert!(!names_a_profile(&pdf), "{standard:?}");
        // for shops that insist a page is mixed anew
        if let Some(plates) = plates(&pdf).filter(|_| standard == PrintStandard::X4) {
            for (ink, tint) in [("Cyan", 0.2), ("Magenta", 0.4), ("Yellow", 0.6), ("Black", 0.1)] {
                let darkest = plates[ink].pixels().map(|pixel| pixel.0[0]).min().unwrap();
                let expected = 255.0 * (1.0 - tint);
                assert!((f64::from(darkest) - expected).abs() < 3.0, "{standard:?} {ink}: {darkest}");
            }
        }
    }
}
