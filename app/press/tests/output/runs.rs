//! Runs of copies that differ: one file in the order of the run, in which what copies have in common is there once.

use crate::common::*;
use crate::covers::A4;
use domain::binding::{Case, CoverMake, CoverSheet, Embellishment, Leaves};
use domain::document::{Crop, Document, Page, TextRole, Variant, Variants};
use domain::ids::PageId;
use domain::imposition::Booklet;
use press::{Part, Press, PrintStandard, breaches};

/// A book of eight pages and a photo, of which the second and third page and the cover's name differ in three copies; the last of
/// these is nobody's.
fn a_run() -> (Document, Library) {
    let said = |what: &str| text(TextRole::Heading, rect(20.0, 60.0, 170.0, 20.0), what);
    let mut book =
        document("calm", (1..=8).map(|number| page(vec![said(&format!("第{number}页"))])).collect());
    book.pages[4].elements.push(photo("sea", rect(20.0, 100.0, 120.0, 80.0), Crop::WHOLE));
    let mut name = text(TextRole::Subtitle, rect(20.0, 150.0, 170.0, 12.0), "班级留存");
    name.common_mut().id = Some("name".parse().unwrap());
    book.cover = page(vec![text(TextRole::Title, rect(20.0, 40.0, 170.0, 20.0), "山水之间"), name]);
    let places: [PageId; 2] = ["left", "right"].map(|id| id.parse().unwrap());
    for (page, id) in book.pages[1..3].iter_mut().zip(&places) {
        page.id = Some(id.clone());
    }
    let own = |name: &str| -> Vec<Page> {
        let mut left = page(vec![said(&format!("{name}的左页"))]);
        if name == "张伟" {
            left.elements.push(photo("zhang", rect(20.0, 100.0, 60.0, 75.0), Crop::WHOLE));
        }
        vec![left, page(vec![said(&format!("{name}的右页"))])]
    };
    let of = |name: &str, pages| Variant { name: name.into(), group: String::new(), person: None, pages };
    let copy = |name: &str| of(name, own(name));
    let nobodys = of("", Vec::new());
    let copies = vec![copy("张伟"), copy("李娜"), nobodys];
    book.variants = Some(Variants { name: "name".parse().unwrap(), places: places.into(), copies });
    let library = Library::default().jpeg("sea", &landscape(1200, 800), 1);
    (book, library.jpeg("zhang", &quadrants(800, 1000), 1))
}

fn printed(standard: PrintStandard, book: &Document, library: &Library, part: Part) -> Vec<u8> {
    let mut pdf = Vec::new();
    Press::following(standard).print(book, part, library, MADE_AT, &mut pdf).expect("a print file");
    assert!(breaches(&pdf, standard).unwrap().is_empty());
    pdf
}

/// The words of each page, without spaces.
fn words(pdf: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.pdf");
    std::fs::write(&file, pdf).unwrap();
    assert!(run("qpdf", &["--check"], &file).contains("No syntax or stream encoding errors"));
    let output =
        std::process::Command::new("pdftotext").args([file.as_os_str(), "-".as_ref()]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let page = |page: &str| page.chars().filter(|c| !c.is_whitespace()).collect();
    text.split('\u{c}').map(page).take(pdf_boxes(pdf).len()).collect()
}

fn pictures(pdf: &[u8]) -> usize {
    let pdf = lopdf::Document::load_mem(pdf).unwrap();
    let is_picture = |stream: &lopdf::Stream| {
        stream.dict.get(b"Subtype").and_then(|name| name.as_name()).is_ok_and(|name| name == b"Image")
    };
    pdf.objects
        .values()
        .filter_map(|object| object.as_stream().ok())
        .filter(|stream| is_picture(stream))
        .count()
}

/// What stands on the inner pages of a copy.
fn inner(name: &str) -> Vec<String> {
    let own = |page: usize, what: &str| {
        if name.is_empty() { format!("第{page}页") } else { format!("{name}的{what}") }
    };
    let mut pages: Vec<String> = (1..=8).map(|page| format!("第{page}页")).collect();
    (pages[1], pages[2]) = (own(2, "左页"), own(3, "右页"));
    pages
}

#[test]
fn copies_follow_one_another_and_what_they_share_is_there_once() {
    let (book, library) = a_run();
    for standard in [PrintStandard::X4, PrintStandard::X1a] {
        let pdf = printed(standard, &book, &library, Part::Inner);
        assert_eq!(words(&pdf), [inner("张伟"), inner("李娜"), inner("")].concat());
        assert_eq!(pictures(&pdf), 2, "{standard:?}");
    }
    let run = printed(PrintStandard::X4, &book, &library, Part::Inner);
    let one = printed(PrintStandard::X4, &book.copy(0).unwrap(), &library, Part::Inner);
    assert!(run.len() < one.len() * 2, "{} is no run of {}", run.len(), one.len());
    // a copy of the run looks as it does by itself, and the same run is the same file
    for page in [2, 3, 5] {
        assert_eq!(difference(&rasterised(&run, page, 200), &rasterised(&one, page, 200)), 0.0);
    }
    assert!(run == printed(PrintStandard::X4, &book, &library, Part::Inner));
    // two pages beside each other, as they are mounted
    let mounted = words(&printed(PrintStandard::X4, &book, &library, Part::Mounted));
    assert_eq!(mounted.len(), 3 * 5);
    let spread = |at: usize| [1, 6, 11].map(|of_copy| mounted[of_copy + at].clone());
    assert_eq!(spread(0), ["张伟的左页张伟的右页", "李娜的左页李娜的右页", "第2页第3页"]);
}

#[test]
fn each_copy_has_its_own_name_on_its_cover() {
    let (mut book, library) = a_run();
    book.trim = A4;
    let names = ["张伟", "李娜", "班级留存"];
    let case = CoverSheet::of(CoverMake::Case(Case::default()), A4, 11.5, 5.0, false);
    for embellishment in [None, Some(Embellishment::Foil)] {
        let cover = CoverSheet { embellishment, ..case };
        let pdf = printed(PrintStandard::X4, &book, &library, Part::Cover(cover));
        let covers = words(&pdf);
        assert_eq!(covers.len(), 3);
        for (said, name) in covers.iter().zip(names) {
            assert!(said.contains(name) && said.contains("山水之间"), "{said}");
            assert_eq!(names.iter().filter(|other| said.contains(**other)).count(), 1);
        }
        // the plate with the title lies on each
        let plate = embellishment.map_or("nothing", Embellishment::plate);
        let pdf = lopdf::Document::load_mem(&pdf).unwrap();
        let has_plate = |page: &lopdf::ObjectId| {
            let resources = pdf.get_dictionary(*page).unwrap().get(b"Resources").unwrap();
            let resources = pdf.dereference(resources).unwrap().1.as_dict().unwrap();
            let forms = resources.get(b"XObject").and_then(|forms| pdf.dereference(forms));
            forms.is_ok_and(|(_, forms)| forms.as_dict().unwrap().has(b"BinderyPlate"))
        };
        let with_plate = pdf.get_pages().values().filter(|page| has_plate(page)).count();
        assert_eq!(with_plate, if embellishment.is_some() { 3 } else { 0 }, "{plate}");
    }
    // leaves are two pages each
    let leaves = CoverSheet::of(CoverMake::Leaves(Leaves::default()), A4, 0.0, 0.0, false);
    let said = words(&printed(PrintStandard::X4, &book, &library, Part::Cover(leaves)));
    assert_eq!(said.len(), 6);
    assert!(names.iter().enumerate().all(|(at, name)| said[2 * at].contains(name)), "{said:?}");
}

#[test]
fn the_sheets_of_a_saddle_stitched_run_are_those_of_copy_after_copy() {
    let (mut book, library) = a_run();
    // two of the pages are printed inside the cover
    book.pages.extend([page(Vec::new()), page(Vec::new())]);
    let booklet = Booklet { starts_on_cover: true, sheet_mm: 0.2 };
    let cover = CoverSheet::of(CoverMake::Folded, book.trim, 0.0, 0.0, true);
    let sides = words(&printed(PrintStandard::X4, &book, &library, Part::Booklet(booklet, cover)));
    let alone = |copy: usize| {
        let copy = book.copy(copy).unwrap();
        words(&printed(PrintStandard::X4, &copy, &library, Part::Booklet(booklet, cover)))
    };
    assert_eq!(sides, [alone(0), alone(1), alone(2)].concat());
}
