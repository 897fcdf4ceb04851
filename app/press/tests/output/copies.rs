//! What preflight finds in what single copies of a run have of their own.

use crate::common::*;
use domain::document::{Crop, Document, Page, TextRole, Variant, Variants};
use domain::faces::Face;
use domain::ids::{PageId, PhotoId};
use photo::PhotoFormat;
use press::{Finding, FindingCode, Original, Press, Seen, Severity};

/// Copies of so many people, each with its photo on the second page and its name on the third and on the cover.
fn run_of(people: &[(&str, Option<&str>)]) -> Document {
    let words = |what: &str| text(TextRole::Heading, rect(20.0, 60.0, 170.0, 30.0), what);
    let mut book =
        document("calm", vec![page(vec![words("序")]), Page::default(), page(vec![words("留言")])]);
    let places: [PageId; 2] = ["left", "right"].map(|id| id.parse().unwrap());
    for (page, id) in book.pages[1..].iter_mut().zip(&places) {
        page.id = Some(id.clone());
    }
    book.pages.push(page(vec![words("名单")]));
    let mut name = text(TextRole::Subtitle, rect(20.0, 150.0, 60.0, 12.0), "班级留存");
    name.common_mut().id = Some("name".parse().unwrap());
    book.cover = page(vec![text(TextRole::Title, rect(20.0, 40.0, 170.0, 30.0), &book.title), name]);
    let copy = |(at, (name, own)): (usize, &(&str, Option<&str>))| {
        // a portrait of 50 mm is sharp at 800 pixels, and at 100 it is not
        let crop = |own: &str| match own {
            "cut" => Crop { x: 0.2, y: 0.0, width: 0.8, height: 0.8 },
            _ => Crop::WHOLE,
        };
        let own = own.map(|own| photo(own, rect(30.0, 30.0, 50.0, 50.0), crop(own)));
        Variant {
            name: (*name).to_owned(),
            group: String::new(),
            person: Some(format!("person-{at}").parse().unwrap()),
            pages: vec![page(own.into_iter().collect()), page(vec![words(name)])],
        }
    };
    let copies = people.iter().enumerate().map(copy).collect();
    book.variants = Some(Variants { name: "name".parse().unwrap(), places: places.into(), copies });
    book
}

fn preflight(book: &Document) -> Vec<Finding> {
    let side = |photo: &PhotoId| if photo.as_str() == "coarse" { 100 } else { 800 };
    let describe = |photo: &PhotoId| {
        let (width, height) = (side(photo), side(photo));
        let original = Original { format: PhotoFormat::Jpeg, width, height, orientation: 1, damaged: false };
        (photo.as_str() != "lost").then_some(original)
    };
    let face = Face { area: Crop { x: 0.1, y: 0.2, width: 0.2, height: 0.3 }, confidence: 0.9 };
    let seen = |photo: &PhotoId| {
        let faces = if photo.as_str() == "cut" { vec![face] } else { Vec::new() };
        Seen { faces, quality: None }
    };
    let found = Press::new().preflight(book, None, &describe, &seen, &|| true);
    found.expect("the document can be typeset")
}

#[test]
fn what_copies_have_of_their_own_is_found_with_their_names() {
    assert_eq!(preflight(&run_of(&[("张伟", Some("sharp")), ("李娜", Some("sharp"))])), []);
    let long = "阿卜杜热合曼买买提江吐尔逊娜依古丽加玛丽艾合买提江".repeat(3);
    let book = run_of(&[
        ("张伟", Some("coarse")),
        ("李娜", None),
        ("王芳", Some("lost")),
        (long.as_str(), Some("sharp")),
        ("赵\u{10600}", Some("sharp")),
    ]);
    let found = preflight(&book);
    let of = |code: FindingCode| {
        let of: Vec<&Finding> = found.iter().filter(|finding| finding.code == code).collect();
        assert!(!of.is_empty(), "{code:?}: {found:#?}");
        assert!(of.iter().all(|finding| finding.page.is_none() && finding.element.is_none()));
        let copies = of.iter().flat_map(|finding| finding.copies.iter().map(|copy| copy.number));
        (of[0].message.clone(), copies.collect::<Vec<_>>())
    };
    let (said, copies) = of(FindingCode::VeryLowResolution);
    assert_eq!(
        (said.starts_with("张伟那本的第 2 页的照片印出来只有 50 dpi"), copies),
        (true, vec![1]),
        "{said}"
    );
    let (said, copies) = of(FindingCode::MissingPortrait);
    assert_eq!((said.starts_with("李娜那本的第 2 页没有照片"), copies), (true, vec![2]), "{said}");
    assert_eq!(of(FindingCode::MissingOriginal).1, [3]);
    // the name neither fits its page nor the cover
    let (said, copies) = of(FindingCode::TextOverflow);
    assert!(copies == [4, 4] && said.contains("超出了文字框"), "{said}");
    let (said, copies) = of(FindingCode::MissingGlyph);
    assert!(copies == [5, 5] && said.contains("赵\u{10600}那本的封面") && said.contains("空框"), "{said}");
    assert!(found.iter().all(|finding| finding.copies.iter().all(|copy| copy.person.is_some())));
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!(json[0]["copies"][0]["person"], "person-0");
}

#[test]
fn what_is_the_matter_with_many_copies_is_said_once() {
    let names: Vec<String> = (1..=60).map(|at| format!("同学{at}")).collect();
    let coarse: Vec<(&str, Option<&str>)> =
        names.iter().map(|name| (name.as_str(), Some("coarse"))).collect();
    let found = preflight(&run_of(&coarse));
    let [finding] = found.as_slice() else { panic!("{found:#?}") };
    assert_eq!((finding.severity, finding.code), (Severity::Serious, FindingCode::VeryLowResolution));
    assert!(finding.message.starts_with("同学1、同学2、同学3等 60 本的第 2 页的照片"), "{}", finding.message);
    assert_eq!(finding.copies.len(), 60);
    // another face that is cut is another finding, of those alone that have it
    let mut cut = coarse.clone();
    cut[..2].iter_mut().for_each(|(_, own)| *own = Some("cut"));
    let found = preflight(&run_of(&cut));
    let faces: Vec<&Finding> = found.iter().filter(|it| it.code == FindingCode::CutFace).collect();
    assert_eq!(faces.len(), 1);
    assert!(
        faces[0].message.starts_with("同学1、同学2这 2 本的第 2 页的照片里有人的脸"),
        "{}",
        faces[0].message
    );
    // a page that no copy has is not spoken of; one that a nameless copy has is
    let mut book = run_of(&coarse[..1]);
    let blank = |book: &Document| preflight(book).iter().any(|it| it.code == FindingCode::BlankPage);
    assert!(!blank(&book));
    let nobody = Variant { name: String::new(), group: String::new(), person: None, pages: Vec::new() };
    book.variants.as_mut().unwrap().copies.push(nobody);
    assert!(blank(&book));
}
