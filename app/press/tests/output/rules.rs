//! Every rule of PDF/X that is looked at, and a file that breaks it.

use crate::common::pdfs::{Pdf, numbers};
use crate::common::*;
use domain::document::{Crop, Document as Book, PdfPage, TextRole, Trim};
use domain::ids::{FileDigest, PhotoId};
use lopdf::{Dictionary, Document, Object, Stream, dictionary};
use press::{FindingCode, Original, Originals, Part, Press, PressError, PrintStandard, RULES, breaches};
use sha2::{Digest, Sha256};

fn printed(standard: PrintStandard) -> Vec<u8> {
    let pages = vec![page(vec![
        photo("sea", rect(20.0, 20.0, 90.0, 60.0), Crop::WHOLE),
        text(TextRole::Title, rect(20.0, 155.0, 170.0, 14.0), "海边的三天"),
    ])];
    let library = Library::default().jpeg("sea", &landscape(300, 200), 1);
    let mut pdf = Vec::new();
    Press::following(standard)
        .print(&document("calm", pages), Part::Inner, &library, MADE_AT, &mut pdf)
        .expect("a print file");
    pdf
}

/// The names of the rules that a file breaks after one change.
fn broken(standard: PrintStandard, change: impl FnOnce(&mut Document)) -> Vec<&'static str> {
    let mut pdf = Document::load_mem(&printed(standard)).unwrap();
    change(&mut pdf);
    let mut bytes = Vec::new();
    pdf.save_to(&mut bytes).unwrap();
    breaches(&bytes, standard).unwrap().iter().map(|breach| breach.rule).collect()
}

fn page_of(pdf: &mut Document) -> &mut Dictionary {
    let page = pdf.get_pages()[&1];
    pdf.get_dictionary_mut(page).unwrap()
}

fn first_of<'a>(pdf: &'a mut Document, key: &[u8], name: &[u8]) -> &'a mut Dictionary {
    let found = pdf.objects.values_mut().find_map(|object| {
        let dict = match object {
            Object::Dictionary(dict) => dict,
            Object::Stream(stream) => &mut stream.dict,
            _ => return None,
        };
        dict.get(key).and_then(Object::as_name).is_ok_and(|found| found == name).then_some(dict)
    });
    found.unwrap()
}

#[test]
fn what_is_printed_breaks_no_rule() {
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        assert_eq!(breaches(&printed(standard), standard).unwrap(), [], "{standard:?}");
    }
}

#[test]
fn every_rule_has_a_file_that_breaks_it() {
    use PrintStandard::{X1a, X4};
    let state = |entry: &'static str, value: Object| {
        move |pdf: &mut Document| {
            pdf.add_object(dictionary! { "Type" => "ExtGState", entry => value });
        }
    };
    let catalog = |key: &'static str, value: Object| {
        move |pdf: &mut Document| pdf.catalog_mut().unwrap().set(key, value)
    };
    let names: Vec<(&str, Vec<&str>)> = vec![
        ("version", broken(X4, |pdf| pdf.version = "1.7".to_owned())),
        ("identifier", broken(X4, |pdf| drop(pdf.trailer.remove(b"ID")))),
        ("encryption", {
            // a file that says so is not opened at all
            let mut bytes = printed(X4);
            let at = bytes.windows(7).rposition(|part| part == b"trailer").unwrap();
            let rest = String::from_utf8_lossy(&bytes[at..]).replacen("<<", "<</Encrypt 1 0 R", 1);
            bytes.truncate(at);
            bytes.extend(rest.as_bytes());
            match breaches(&bytes, X4) {
                Ok(breaches) => breaches.iter().map(|breach| breach.rule).take(1).collect(),
                Err(_) => vec!["encryption"],
            }
        }),
        ("output-intent", broken(X4, |pdf| drop(pdf.catalog_mut().unwrap().remove(b"OutputIntents")))),
        (
            "conformance",
            broken(X4, |pdf| {
                for object in pdf.objects.values_mut() {
                    if let Ok(stream) = object.as_stream_mut()
                        && stream
                            .dict
                            .get(b"Subtype")
                            .and_then(Object::as_name)
                            .is_ok_and(|name| name == b"XML")
                    {
                        stream.set_content(b"<x/>".to_vec());
                    }
                }
            }),
        ),
        (
            "trapped",
            broken(X4, |pdf| {
                let info = pdf.trailer.get(b"Info").unwrap().as_reference().unwrap();
                pdf.get_dictionary_mut(info).unwrap().remove(b"Trapped");
            }),
        ),
        ("boxes", broken(X4, |pdf| page_of(pdf).set("TrimBox", numbers([-9.0, 0.0, 50.0, 50.0])))),
        (
            "fonts",
            broken(X4, |pdf| {
                pdf.add_object(
                    dictionary! { "Type" => "Font", "Subtype" => "TrueType", "BaseFont" => "Arial" },
                );
            }),
        ),
        ("transfer", broken(X4, state("TR2", "Identity".into()))),
        ("halftone", broken(X4, state("HT", Object::Dictionary(dictionary! { "HalftoneType" => 1 })))),
        (
            "postscript",
            broken(X4, |pdf| {
                let dict = dictionary! { "Type" => "XObject", "Subtype" => "PS" };
                pdf.add_object(Stream::new(dict, b"showpage".to_vec()));
            }),
        ),
        (
            "annotations",
            broken(X4, |pdf| {
                let note = dictionary! { "Type" => "Annot", "Subtype" => "Text", "Rect" => numbers([0.0, 0.0, 9.0, 9.0]) };
                page_of(pdf).set("Annots", vec![Object::Dictionary(note)]);
            }),
        ),
        (
            "layers",
            broken(X4, |pdf| {
                pdf.add_object(dictionary! { "Type" => "OCG", "Name" => Object::string_literal("draft") });
            }),
        ),
        (
            "actions",
            broken(X4, catalog("OpenAction", Object::Dictionary(dictionary! { "S" => "JavaScript" }))),
        ),
        ("substitutes", broken(X4, |pdf| first_of(pdf, b"Subtype", b"Image").set("OPI", Dictionary::new()))),
        (
            "lzw",
            broken(X4, |pdf| {
                let dict = dictionary! { "Filter" => "LZWDecode" };
                pdf.add_object(Stream::new(dict, vec![0x80, 0x0b, 0x60, 0x50]));
            }),
        ),
        (
            "profiles",
            broken(X4, |pdf| {
                let srgb = pdf.objects.values_mut().find_map(|object| {
                    let stream = object.as_stream_mut().ok()?;
                    let mut icc = stream.get_plain_content().ok()?;
                    let is_srgb = icc.get(16..20) == Some(b"RGB ".as_slice());
                    icc.get_mut(8..10)?.copy_from_slice(&[4, 0x40]);
                    is_srgb.then_some((stream, icc))
                });
                let (stream, icc) = srgb.unwrap();
                stream.dict.remove(b"Filter");
                stream.set_content(icc);
            }),
        ),
        (
            "overprint",
            broken(X4, |pdf| {
                let form = mixed_form(pdf);
                pdf.add_object(form);
            }),
        ),
        ("colours", broken(X1a, |pdf| first_of(pdf, b"Subtype", b"Image").set("ColorSpace", "DeviceRGB"))),
        ("transparency", broken(X1a, state("ca", 0.5.into()))),
    ];
    assert_eq!(names.iter().map(|(name, _)| *name).collect::<Vec<_>>(), RULES.map(|rule| rule.name));
    for (name, found) in names {
        assert_eq!(found, [name]);
    }
}

/// A form that overprints four inks with a profile in mode 1.
fn mixed_form(pdf: &mut Document) -> Stream {
    let profile = pdf.add_object(Stream::new(dictionary! { "N" => 4 }, Vec::new()));
    let state = dictionary! { "Type" => "ExtGState", "op" => true, "OPM" => 1 };
    let space = vec!["ICCBased".into(), profile.into()];
    let resources = dictionary! {
        "ExtGState" => dictionary! { "G" => state },
        "ColorSpace" => dictionary! { "C" => space },
    };
    let form = dictionary! {
        "Type" => "XObject", "Subtype" => "Form", "BBox" => numbers([0.0, 0.0, 300.0, 300.0]),
        "Resources" => resources,
    };
    Stream::new(form, b"/G gs /C cs 0 0 0 1 sc 100 100 200 200 re f".to_vec())
}

#[test]
fn members_are_told_of_pages_that_become_pictures() {
    let mixed = member_page("/X Do", |pdf| {
        let form = mixed_form(pdf);
        let form = pdf.add_object(form);
        dictionary! { "XObject" => dictionary! { "X" => form } }
    });
    let told = |file: &[u8], standard: PrintStandard| -> Vec<String> {
        let facts = press::pdf::inspect(file).unwrap();
        let findings = Press::following(standard).pdf_findings(&book_of(file), &digest(file), &facts, 0);
        let drawn = findings.into_iter().filter(|finding| finding.code == press::FindingCode::DrawnPages);
        drawn.map(|finding| finding.message).collect()
    };
    let [said] = told(&mixed, PrintStandard::X4).try_into().unwrap();
    assert!(said.contains("第 1 页") && said.contains("叠印") && said.contains("印成图"), "{said}");
    // and the file is what it is called
    let mut pdf = Vec::new();
    Press::new().print(&book_of(&mixed), Part::Inner, &Shelf(mixed.clone()), MADE_AT, &mut pdf).unwrap();
    assert_eq!(breaches(&pdf, PrintStandard::X4).unwrap(), []);
    let plain = member_page("0 0 0 1 k 100 100 200 200 re f", |_| Dictionary::new());
    assert_eq!(told(&plain, PrintStandard::X4), Vec::<String>::new());
    let [said] = told(&plain, PrintStandard::X1a).try_into().unwrap();
    assert!(said.contains("400 dpi"), "{said}");
}

#[test]
fn newer_profiles_are_said_to_be_older_ones() {
    let with_profile = |version: [u8; 2]| {
        member_page("/C cs 0.2 0.3 0.4 sc 100 100 200 200 re f", move |pdf| {
            let mut icc = moxcms::ColorProfile::new_srgb().encode().unwrap();
            icc[8..10].copy_from_slice(&version);
            let profile = pdf.add_object(Stream::new(dictionary! { "N" => 3 }, icc));
            let space = vec!["ICCBased".into(), profile.into()];
            dictionary! { "ColorSpace" => dictionary! { "C" => space } }
        })
    };
    for (version, is_drawn) in [([4, 0x20], false), ([4, 0x40], false), ([5, 0], true)] {
        let file = with_profile(version);
        assert_eq!(press::pdf::inspect(&file).unwrap().unfit_pages.is_empty(), !is_drawn, "{version:?}");
        let mut pdf = Vec::new();
        Press::new().print(&book_of(&file), Part::Inner, &Shelf(file.clone()), MADE_AT, &mut pdf).unwrap();
        assert_eq!(breaches(&pdf, PrintStandard::X4).unwrap(), [], "{version:?}");
    }
}

/// One PDF, under its digest.
pub(super) struct Shelf(pub Vec<u8>);

pub(super) fn digest(bytes: &[u8]) -> FileDigest {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    hex.parse().unwrap()
}

impl Originals for Shelf {
    fn describe(&self, _: &PhotoId) -> Option<Original> {
        None
    }
    fn digest(&self, _: &PhotoId) -> Option<FileDigest> {
        None
    }
    fn open(&self, _: &PhotoId) -> std::io::Result<Box<dyn std::io::Read + '_>> {
        Err(std::io::ErrorKind::NotFound.into())
    }
    fn pdf(&self, _: &FileDigest) -> std::io::Result<Vec<u8>> {
        Ok(self.0.clone())
    }
}

/// A book of one page that shows a member's PDF.
pub(super) fn book_of(file: &[u8]) -> Book {
    let shown = PdfPage {
        common: Default::default(),
        file: digest(file),
        page: 1,
        frame: rect(0.0, 0.0, 148.0, 210.0),
        crop: Crop::WHOLE,
    };
    let mut book = document("calm", vec![ready_page(shown)]);
    book.trim = Trim { width: 148.0, height: 210.0 };
    book
}

/// A page of a member's PDF with more in its resources, and content of its own.
fn member_page(content: &str, resources: impl FnOnce(&mut Document) -> Dictionary) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let resources = resources(&mut pdf.document);
    let content = pdf.document.add_object(Stream::new(Dictionary::new(), content.as_bytes().to_vec()));
    pdf.add(148.0, 210.0, content, dictionary! { "Resources" => resources }).bytes()
}

#[test]
fn members_pages_are_mended_or_printed_as_pictures() {
    let square = "0 0 0 1 k 100 100 200 200 re f ";
    let font = |name: &str| {
        dictionary! { "Type" => "Font", "Subtype" => "TrueType", "BaseFont" => name, "Encoding" => "WinAnsiEncoding" }
    };
    let with_font = |name: &'static str| {
        let words = format!("{square}BT /F 24 Tf 50 400 Td (Page one) Tj ET");
        member_page(&words, move |pdf| {
            let font = pdf.add_object(font(name));
            dictionary! { "Font" => dictionary! { "F" => font } }
        })
    };
    let state = |entry: &'static str, value: Object| {
        member_page(&format!("/G gs {square}"), move |_| {
            let state = Object::Dictionary(dictionary! { "Type" => "ExtGState", entry => value });
            dictionary! { "ExtGState" => dictionary! { "G" => state } }
        })
    };
    let object = |dict: Dictionary| {
        member_page(&format!("{square}/X Do"), move |pdf| {
            let object = pdf.add_object(Stream::new(dict, Vec::new()));
            dictionary! { "XObject" => dictionary! { "X" => object } }
        })
    };
    let form =
        || dictionary! { "Type" => "XObject", "Subtype" => "Form", "BBox" => numbers([0.0, 0.0, 9.0, 9.0]) };
    let layered = object({
        let mut form = form();
        form.set(
            "OC",
            Object::Dictionary(dictionary! { "Type" => "OCG", "Name" => Object::string_literal("a") }),
        );
        form
    });
    let cases: Vec<(&str, Vec<u8>, bool)> = vec![
        ("one of the fourteen fonts", with_font("Helvetica"), true),
        ("a font that nobody has", with_font("MyOwnFont"), false),
        ("a transfer function", state("TR", "Identity".into()), true),
        ("a halftone", state("HT", Object::Dictionary(dictionary! { "HalftoneType" => 1 })), true),
        ("a PostScript object", object(dictionary! { "Type" => "XObject", "Subtype" => "PS" }), true),
        (
            "an OPI picture",
            object({
                let mut form = form();
                form.set("OPI", Dictionary::new());
                form
            }),
            true,
        ),
        ("a layer", layered, true),
    ];
    for (what, file, stays) in cases {
        let mut pdf = Vec::new();
        Press::new()
            .print(&book_of(&file), Part::Inner, &Shelf(file.clone()), MADE_AT, &mut pdf)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(breaches(&pdf, PrintStandard::X4).unwrap(), [], "{what}");
        let doc = Document::load_mem(&pdf).unwrap();
        let is_drawn = doc.objects.values().any(|object| {
            object.as_stream().is_ok_and(|stream| {
                stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Image")
            })
        });
        assert_eq!(is_drawn, !stays, "{what}");
        if stays {
            // black stays black ink alone
            let has_black = doc.objects.values().any(|object| {
                let content = object.as_stream().ok().and_then(|stream| stream.get_plain_content().ok());
                content.is_some_and(|content| content.windows(9).any(|part| part == b"0 0 0 1 k"))
            });
            assert!(has_black, "{what}");
        }
    }
}

/// A page painted in one colour of a space, by full tint.
fn painted_in(space: Object, tints: &str) -> Vec<u8> {
    member_page(&format!("/C cs {tints} scn 100 100 200 200 re f"), move |_| {
        dictionary! { "ColorSpace" => dictionary! { "C" => space } }
    })
}

#[test]
fn spot_colours_of_members_are_no_plates() {
    let tint = |count: i64| {
        Object::Dictionary(dictionary! {
            "FunctionType" => 2,
            "Domain" => [0, 1].repeat(count as usize).into_iter().map(Object::Integer).collect::<Vec<_>>(),
            "C0" => vec![0.into(); 4],
            "C1" => [0, 1, 1, 0].map(Object::Integer).to_vec(),
            "N" => 1,
        })
    };
    let separation =
        |name: &str| Object::Array(vec!["Separation".into(), name.into(), "DeviceCMYK".into(), tint(1)]);
    let indexed = Object::Array(vec![
        "Indexed".into(),
        separation("Gold"),
        1.into(),
        Object::String(vec![0, 255], lopdf::StringFormat::Hexadecimal),
    ]);
    for (space, tints, spots) in [
        (separation("PANTONE 185 C"), "1", vec!["PANTONE 185 C"]),
        (separation("All"), "1", vec!["All"]),
        (indexed, "1", vec!["Gold"]),
        (separation("Magenta"), "1", vec![]),
        (separation("None"), "1", vec![]),
    ] {
        let file = painted_in(space, tints);
        let facts = press::pdf::inspect(&file).unwrap();
        assert_eq!(facts.spots, spots);
        assert_eq!(facts.spotted_pages, vec![1; spots.len()]);
        let told = facts.findings(0, &[]);
        assert_eq!(told.iter().any(|it| it.code == FindingCode::SpotColour), !spots.is_empty(), "{spots:?}");
        for standard in [PrintStandard::X4, PrintStandard::X1a] {
            let mut pdf = Vec::new();
            let press = Press::following(standard);
            press.print(&book_of(&file), Part::Inner, &Shelf(file.clone()), MADE_AT, &mut pdf).unwrap();
            assert_eq!(breaches(&pdf, standard).unwrap(), [], "{spots:?}");
            if let Some(plates) = plates(&pdf) {
                let inks = ["Black", "Cyan", "Magenta", "Yellow"];
                assert!(plates.keys().eq(inks), "{standard:?} {spots:?}: {:?}", plates.keys());
            }
            if spots.is_empty() || spots == ["All"] {
                continue;
            }
            // and looks as the member saw it: red
            let [red, green, blue] = rasterised(&pdf, 1, 148).get_pixel(50, 140).0;
            assert!(red > 150 && green < 110 && blue < 110, "{standard:?} {spots:?}: {red} {green} {blue}");
        }
    }
}

#[test]
fn a_pdf_whose_bytes_are_not_those_that_came_is_not_printed() {
    let file = Pdf::new().page(148.0, 210.0, "x").bytes();
    let mut other = file.clone();
    let at = other.len() / 2;
    other[at] ^= 1;
    let refused =
        Press::new().print(&book_of(&file), Part::Inner, &Shelf(other), MADE_AT, &mut std::io::sink());
    assert!(matches!(refused, Err(PressError::AlteredFile(name)) if name == digest(&file)));
}
