//! Single elements by themselves, and that a page put together of them is the page.

use crate::common::*;
use domain::document::{Crop, Document, Element, Page, ShapeKind, TextBlock, TextRole};
use domain::ids::ElementId;
use image::{RgbImage, RgbaImage, imageops};
use press::{LAYER_MARGIN_MM, PageRef, Press, themes};

const WIDTH: u32 = 420;
/// A page is 210 mm wide.
const PX: f64 = 2.0;

fn a_page(theme: &str) -> (Document, Library) {
    let words = "清晨的雾还没有散，山路上只有我们的脚步声。走到半山腰的时候，太阳从云里出来。";
    let mut turned = TextBlock::new(rect(60.0, 120.0, 90.0, 30.0), TextRole::Caption, words);
    turned.common.rotation = 30.0;
    let ellipse = domain::document::Shape {
        common: Default::default(),
        shape: ShapeKind::Ellipse,
        frame: rect(20.0, 150.0, 40.0, 30.0),
        fill: Some(domain::document::Ink::Theme(domain::document::PaletteColour::Accent)),
        border: None,
        radius: None,
    };
    let wreath = domain::document::Shape {
        shape: ShapeKind::Ornament(domain::ornament::Ornament::Wreath),
        frame: rect(150.0, 20.0, 45.0, 30.0),
        ..ellipse.clone()
    };
    let elements = vec![
        Element::Shape(ellipse),
        photo("land", rect(20.0, 60.0, 90.0, 50.0), Crop { x: 0.1, y: 0.1, width: 0.9, height: 0.75 }),
        text(TextRole::Title, rect(20.0, 20.0, 170.0, 16.0), "山水之间"),
        // more than its frame holds
        text(TextRole::Body, rect(120.0, 60.0, 70.0, 20.0), &words.repeat(3)),
        Element::Text(turned),
        Element::Shape(wreath),
    ];
    let mut document = document(theme, vec![page(elements)]);
    document.identify(1).expect("ids");
    (document, Library::default().jpeg("land", &landscape(1500, 1000), 1))
}

fn shown(webp: &[u8]) -> RgbImage {
    image::load_from_memory_with_format(webp, image::ImageFormat::WebP).expect("WebP").into_rgb8()
}

fn layer(document: &Document, library: &Library, id: &ElementId) -> RgbaImage {
    let webp =
        Press::new().element_picture(document, id, library, WIDTH).expect("a layer").expect("an element");
    image::load_from_memory_with_format(&webp, image::ImageFormat::WebP).expect("WebP").into_rgba8()
}

#[test]
fn a_page_put_together_of_its_layers_is_the_page() {
    for theme in themes() {
        let (document, library) = a_page(theme.name);
        let whole = shown(&Press::new().page_picture(&document, PageRef::Inner(0), &library, WIDTH).unwrap());
        let bare = Page { elements: Vec::new(), ..document.pages[0].clone() };
        let bare = Document { pages: vec![bare], ..document.clone() };
        let backdrop = Press::new().page_picture(&bare, PageRef::Inner(0), &library, WIDTH).unwrap();
        let mut page = image::DynamicImage::ImageRgb8(shown(&backdrop)).into_rgba8();
        for element in &document.pages[0].elements {
            // turned ones are turned by the browser
            if element.common().rotation != 0.0 {
                continue;
            }
            let layer = layer(&document, &library, element.common().id.as_ref().unwrap());
            let corner = |mm: f64| ((mm - LAYER_MARGIN_MM) * PX) as i64;
            imageops::overlay(&mut page, &layer, corner(element.frame().x), corner(element.frame().y));
        }
        let page = image::DynamicImage::ImageRgba8(page).into_rgb8();
        // what is turned lies below these
        let part = |of: &RgbImage| imageops::crop_imm(of, 0, 0, WIDTH, 190).to_image();
        let apart = difference(&part(&page), &part(&whole));
        assert!(apart < 1.5, "{}: {apart} steps of 255", theme.name);
        assert!(
            difference(&part(&shown(&backdrop)), &part(&whole)) > 3.0 * apart,
            "there is something to compare"
        );
    }
}

/// A name that is a character too long for its line is set a little smaller, and a long one in two lines as before; a text is neither.
#[test]
fn a_name_leaves_no_character_alone() {
    let lines = |theme: &str, role, words: &str| {
        let mut book = document(theme, vec![page(vec![text(role, rect(20.0, 60.0, 100.0, 40.0), words)])]);
        book.identify(1).expect("ids");
        let id = book.pages[0].elements[0].common().id.clone().unwrap();
        Press::new().element_lines(&book, &id).expect("lines").expect("a text").len()
    };
    for theme in themes() {
        let set = |count: usize| lines(theme.name, TextRole::Heading, &"山".repeat(count));
        let most = (1..40).take_while(|count| set(*count) == 1).last().expect("a line");
        // without that, it would be a fifth less
        assert!((set(most), set(most + 1)) == (1, 2), "{}", theme.name);
        assert!(most > 8, "{}: {most}", theme.name);
        let longer = set(most + most / 2);
        assert_eq!(longer, 2, "{}", theme.name);
    }
    let body = |count: usize| lines("calm", TextRole::Body, &"山".repeat(count));
    let most = (1..80).take_while(|count| body(*count) == 1).last().expect("a line");
    // 10 pt, as wide as they are on a page of 210 mm
    assert!((25..=29).contains(&most), "{most}");
}

#[test]
fn a_layer_is_nothing_but_its_element_and_stands_upright() {
    let (document, library) = a_page("calm");
    let turned = document.pages[0].elements[4].common().id.clone().unwrap();
    let picture = layer(&document, &library, &turned);
    // its frame and what is around it, and a page's height for what does not fit
    assert_eq!(picture.dimensions(), (((90.0 + 12.0) * PX) as u32, ((30.0 + 12.0 + 210.0) * PX) as u32));
    assert_eq!(picture.get_pixel(0, 0)[3], 0, "there is no paper");
    let has_ink = |y: u32| (0..picture.width()).any(|x| picture.get_pixel(x, y)[3] > 40);
    assert!((12..20).any(has_ink) && !(140..400).any(has_ink), "its first line is level");
    let nobody =
        Press::new().element_picture(&document, &"nobody".parse().unwrap(), &library, WIDTH).unwrap();
    assert!(nobody.is_none());
}

#[test]
fn the_lines_of_a_text_are_those_of_the_page() {
    let (document, _) = a_page("calm");
    let lines = |place: usize| {
        let id = document.pages[0].elements[place].common().id.clone().unwrap();
        Press::new().element_lines(&document, &id).unwrap().unwrap()
    };
    let body = lines(3);
    assert!(body.len() > 2, "{body:?}");
    let all: String = body.iter().map(|line| line.text.as_str()).collect();
    let Element::Text(block) = &document.pages[0].elements[3] else { panic!("a text") };
    assert_eq!(all, block.text);
    assert!(body.last().unwrap().frame.y > 80.0, "it goes on below its frame");
    assert_eq!(lines(2).len(), 1);
    assert!(!lines(4).is_empty(), "also of what is turned");
}

#[test]
fn the_themes_say_what_they_look_like() {
    let looks = Press::new().looks().unwrap();
    let names: Vec<&str> = looks.iter().map(|look| look.name.as_str()).collect();
    assert_eq!(names.len(), themes().len());
    assert!(themes().iter().all(|theme| names.contains(&theme.name)));
    let journal = looks.iter().find(|look| look.name == "journal").unwrap();
    assert_eq!((journal.photo.mat, journal.grounds.paper.as_str()), (1.0, "#fffaee"));
    assert!(journal.photo.line.as_ref().is_some_and(|line| (line.width - 0.1058).abs() < 0.001));
    let title = journal.roles.iter().find(|role| role.name == "title").unwrap();
    assert!((title.size - 29.0 * 0.35278).abs() < 0.01 && title.pitch == 1.35);
}
