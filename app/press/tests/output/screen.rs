//! Page pictures, and that they show what will be printed.

use crate::common::*;
use domain::document::{Colour, Crop, Element, TextRole};
use image::RgbImage;
use press::{PageRef, Press, PressError, themes};

const HOSTILE: &str = "#import \"/etc/passwd\": *\n#panic[] $x^2$ *粗* _斜_ `码` \\ \\u{41} “引号” \"quotes\" 'it' --- ... ~ <label> @ref \
                       = 标题 // 注释 /* */ [内容] {代码} http://example.com/?a=1&b=2";

fn a_book(theme: &str) -> (domain::document::Document, Library) {
    let long = "清晨的雾还没有散，山路上只有我们的脚步声。走到半山腰的时候，太阳从云里出来，整个山谷一下子亮了；\
                远处的村子里升起炊烟，狗叫声隔着一条河传过来。Bindery 2026 年第 1 版，共 128 页。\n第二段从这里开始。";
    let pages = vec![
        page(vec![
            photo("land", rect(-3.0, -3.0, 216.0, 120.0), Crop { x: 0.1, y: 0.25, width: 0.72, height: 0.6 }),
            text(TextRole::Title, rect(20.0, 124.0, 170.0, 16.0), "山水之间"),
            text(TextRole::Subtitle, rect(20.0, 140.0, 170.0, 8.0), "2026 年 5 月，黄山"),
            text(TextRole::Body, rect(20.0, 152.0, 170.0, 48.0), long),
        ]),
        page(vec![text(TextRole::Body, rect(20.0, 20.0, 170.0, 170.0), HOSTILE)]),
        page(vec![
            text(TextRole::Body, rect(20.0, 20.0, 170.0, 20.0), ""),
            text(TextRole::Title, rect(20.0, 60.0, 170.0, 20.0), " \n\t\n"),
        ]),
    ];
    (document(theme, pages), Library::default().jpeg("land", &landscape(1500, 1000), 6))
}

fn shown(document: &domain::document::Document, library: &Library, page: PageRef, width: u32) -> RgbImage {
    let webp = Press::new().page_picture(document, page, library, width).expect("a page picture");
    image::load_from_memory_with_format(&webp, image::ImageFormat::WebP).expect("WebP").into_rgb8()
}

/// How far screen and paper may be apart on each page.
const LIMITS: [f64; 3] = [0.01, 0.15, 0.01];

/// How much two pictures of a page differ, as a part of what is printed on it. Letters are smoothed differently
/// by different programs; at a quarter of the size this is gone, while another line break or another crop is not.
/// Steps of three in 255 are the WebP's.
fn apart(one: &RgbImage, other: &RgbImage) -> f64 {
    let quarter = |picture: &RgbImage| pictures::scaled(picture, 210, 210);
    let (one, other) = (quarter(one), quarter(other));
    let paper = RgbImage::from_pixel(210, 210, *other.get_pixel(0, 209));
    let visible = |one: &RgbImage, other: &RgbImage| -> f64 {
        let steps = one.as_raw().iter().zip(other.as_raw()).map(|(a, b)| a.abs_diff(*b).saturating_sub(3));
        steps.map(f64::from).sum()
    };
    // the dots of an empty page are smoothed, too
    visible(&one, &other) / visible(&other, &paper).max(1000.0)
}

#[test]
fn the_screen_shows_what_is_printed() {
    for theme in themes() {
        let (book, library) = a_book(theme.name);
        let (pdf, _) = print(&book, &library);
        // A photo fills the first page, small letters the second; the third is empty.
        for (index, limit) in LIMITS.into_iter().enumerate() {
            let screen = shown(&book, &library, PageRef::Inner(index), 840);
            let apart = apart(&screen, &rasterised(&pdf, index + 1, 840));
            assert!(apart <= limit, "{} page {index}: {apart}", theme.name);
        }
    }
}

#[test]
fn the_comparison_would_see_a_difference() {
    let (mut book, library) = a_book("calm");
    let pictures = |book: &_| [0, 1].map(|index| shown(book, &library, PageRef::Inner(index), 840));
    let before = pictures(&book);
    let Element::Photo(photo) = &mut book.pages[0].elements[0] else { panic!("a photo comes first") };
    photo.crop.x += 0.02;
    let Element::Text(block) = &mut book.pages[1].elements[0] else { panic!("the page has a text") };
    block.frame.width -= 6.0;
    let after = pictures(&book);
    let apart: Vec<f64> = after.iter().zip(&before).map(|(after, before)| apart(after, before)).collect();
    assert!(apart[0] > 4.0 * LIMITS[0] && apart[1] > 1.5 * LIMITS[1], "{apart:?}");
}

#[test]
fn what_members_write_is_printed_as_they_wrote_it() {
    let (book, library) = a_book("classic");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    std::fs::write(&file, print(&book, &library).0).expect("the PDF is written");
    let output = std::process::Command::new("pdftotext")
        .args(["-f", "2", "-l", "2", "-raw"])
        .args([file.as_os_str(), "-".as_ref()])
        .output()
        .expect("pdftotext");
    let squeeze =
        |text: &str| text.chars().filter(|c| !c.is_whitespace() && *c != '\u{c}').collect::<String>();
    assert_eq!(squeeze(&String::from_utf8_lossy(&output.stdout)), squeeze(HOSTILE));
}

#[test]
fn pictures_have_the_width_asked_for() {
    let (book, library) = a_book("calm");
    let picture = shown(&book, &library, PageRef::Inner(0), 320);
    assert_eq!(picture.dimensions(), (320, 320));
    assert_eq!(shown(&book, &library, PageRef::Cover, 100).dimensions(), (100, 100));
}

#[test]
fn photos_that_are_not_there_leave_an_empty_frame() {
    let (mut book, mut library) = a_book("calm");
    library.proxies.insert(id("broken"), b"no picture".to_vec());
    for name in ["lost", "broken"] {
        book.pages[0] = page(vec![photo(name, rect(50.0, 50.0, 100.0, 100.0), Crop::WHOLE)]);
        let picture = shown(&book, &library, PageRef::Inner(0), 210);
        assert!(near(picture.get_pixel(100, 100), [0xe9, 0xe7, 0xe1]));
        assert!(near(picture.get_pixel(20, 20), [0xfb, 0xfa, 0xf7]));
    }
}

#[test]
fn backgrounds_are_the_pages_own() {
    let (mut book, library) = a_book("calm");
    book.cover.background = Some(Colour([32, 56, 100]));
    assert!(near(shown(&book, &library, PageRef::Cover, 50).get_pixel(25, 25), [32, 56, 100]));
}

#[test]
fn a_tiny_crop_costs_no_more_than_its_frame() {
    let (mut book, library) = a_book("calm");
    let crop = Crop { x: 0.5, y: 0.5, width: 0.001, height: 0.001 };
    book.pages[0] = page(vec![photo("land", rect(0.0, 0.0, 210.0, 210.0), crop)]);
    assert_eq!(shown(&book, &library, PageRef::Inner(0), 640).width(), 640);
}

#[test]
fn a_frame_much_larger_than_the_page_shows_its_middle() {
    let mut book = document("calm", vec![page(Vec::new())]);
    let library = Library::default().jpeg("land", &quadrants(3000, 3000), 1);
    // a picture of all of it would have 36,000 pixels a side
    book.pages[0] = page(vec![photo("land", rect(-4395.0, -4395.0, 9000.0, 9000.0), Crop::WHOLE)]);
    let picture = shown(&book, &library, PageRef::Inner(0), 840);
    for (x, y, colour) in [(60, 60, RED), (780, 60, GREEN), (60, 780, BLUE), (780, 780, YELLOW)] {
        assert!(near(picture.get_pixel(x, y), colour), "{x}, {y}: {:?}", picture.get_pixel(x, y));
    }
}

#[test]
fn frames_beside_the_page_cost_nothing() {
    let (mut book, library) = a_book("calm");
    let before = shown(&book, &library, PageRef::Inner(2), 320);
    let frame = rect(500.0, 0.0, 9000.0, 9000.0);
    book.pages[2].elements.extend((0..40).map(|_| photo("land", frame, Crop::WHOLE)));
    assert!(shown(&book, &library, PageRef::Inner(2), 320) == before);
}

#[test]
fn pages_that_are_not_there_are_refused() {
    let (book, library) = a_book("calm");
    let error = Press::new().page_picture(&book, PageRef::Inner(9), &library, 300).expect_err("no such page");
    assert!(matches!(error, PressError::Page(9)));
}
