//! Pages as readers get them: pictures in the widths of screens, and words where they stand.

use crate::common::*;
use domain::calendar::{DaysOff, MonthBlock, MonthPart, WeekStart, YearMonth};
use domain::document::{Crop, Document, Element, Rect, TextRole};
use press::{PageRef, PictureFormat, Press, PressError, ReadingPicture, themes};

const LONG: &str = "清晨的雾还没有散，山路上只有我们的脚步声。走到半山腰的时候，太阳从云里出来，整个山谷一下子亮了；远处的村子里\
                    升起炊烟，狗叫声隔着一条河传过来。Bindery 2026 年第 1 版，共 128 页，see https://books.example/read/a-very-long-address-that-breaks-anywhere for more.\n\
                    第二段从这里开始。\n\n\t第四段，前面空了一行。";

fn a_page_of_text(theme: &str) -> Document {
    document(
        theme,
        vec![page(vec![
            text(TextRole::Body, rect(20.0, 60.0, 80.0, 130.0), LONG),
            text(TextRole::Title, rect(20.0, 20.0, 170.0, 16.0), "山水之间"),
            text(TextRole::Caption, rect(120.0, 60.0, 70.0, 20.0), "右边的图说"),
            text(TextRole::Body, rect(20.0, 200.0, 20.0, 5.0), " \n"),
        ])],
    )
}

fn pictures(document: &Document, library: &Library, widths: &[u32]) -> Vec<ReadingPicture> {
    Press::new().reading_pictures(document, PageRef::Inner(0), library, widths).expect("pictures")
}

fn decoded(picture: &ReadingPicture) -> image::RgbImage {
    image::load_from_memory(&picture.bytes).expect("a picture").into_rgb8()
}

#[test]
fn a_page_of_text_is_small_and_looks_the_same() {
    for theme in themes() {
        let book = a_page_of_text(theme.name);
        let library = Library::default();
        let found = pictures(&book, &library, &[360, 1080]);
        for (picture, most) in found.iter().zip([20_000, 75_000]) {
            assert!(
                picture.bytes.len() <= most,
                "{}: {} bytes at {}",
                theme.name,
                picture.bytes.len(),
                picture.width
            );
        }
        let webp =
            Press::new().page_picture(&book, PageRef::Inner(0), &library, 1080).expect("a page picture");
        let other = image::load_from_memory(&webp).expect("WebP").into_rgb8();
        let apart = difference(&decoded(&found[1]), &other);
        assert!(apart < 3.0, "{}: {apart}", theme.name);
    }
    let plain = &pictures(&a_page_of_text("calm"), &Library::default(), &[1080])[0];
    assert_eq!(plain.format, PictureFormat::Png);
    // the paper is exactly the theme's: pictures lie on pages of that colour
    assert_eq!(decoded(plain).get_pixel(3, 3).0, [0xff, 0xfd, 0xf7]);
}

#[test]
fn photos_are_webp_and_the_first_picture_is_small() {
    // grain that no encoder makes small
    let mut state = 1_u32;
    let noise = image::RgbImage::from_fn(1500, 1500, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let grey = (state >> 24) as u8;
        image::Rgb([grey, grey / 2 + 60, 255 - grey])
    });
    let library = Library::default().jpeg("land", &landscape(1500, 1000), 1).jpeg("noise", &noise, 1);
    let whole = rect(-3.0, -3.0, 216.0, 216.0);
    for name in ["land", "noise"] {
        let book = document("calm", vec![page(vec![photo(name, whole, Crop::WHOLE)])]);
        let found = pictures(&book, &library, &[360, 540, 720]);
        assert!(found.iter().all(|picture| picture.format == PictureFormat::WebP));
        assert!(found[0].bytes.len() <= 45_000, "{name}: {}", found[0].bytes.len());
        for (picture, width) in found.iter().zip([360, 540, 720]) {
            assert_eq!((picture.width, picture.height), (width, width));
            assert_eq!(decoded(picture).dimensions(), (width, width));
        }
    }
}

#[test]
fn a_width_gives_the_same_bytes_whatever_else_is_asked_for() {
    let book = a_page_of_text("classic");
    let alone = pictures(&book, &Library::default(), &[540]);
    assert_eq!(pictures(&book, &Library::default(), &[1440, 540, 360])[1], alone[0]);
}

fn words(document: &Document, index: usize) -> domain::reading::PageText {
    Press::new().reading_text(document, PageRef::Inner(index)).expect("words")
}

#[test]
fn words_are_the_members_and_stand_where_they_are_printed() {
    for theme in themes() {
        let book = a_page_of_text(theme.name);
        let page = words(&book, 0);
        let roles: Vec<TextRole> = page.blocks.iter().map(|block| block.role).collect();
        assert_eq!(roles, [TextRole::Title, TextRole::Body, TextRole::Caption], "{}", theme.name);
        assert_eq!(page.blocks[1].text, LONG.replace('\t', " "), "{}", theme.name);
        for block in &page.blocks {
            let letters: Vec<char> = block.text.chars().collect();
            let mut shown = 0;
            for line in &block.lines {
                let count = line.length();
                let said: String = letters[line.start..line.start + count].iter().collect();
                assert_eq!(said, line.text);
                assert_eq!(line.edges.len(), count + 1);
                assert!(line.edges.is_sorted(), "{:?}", line.edges);
                shown += line.text.chars().filter(|c| !c.is_whitespace()).count();
            }
            // every character that leaves ink has its place
            assert_eq!(shown, letters.iter().filter(|c| !c.is_whitespace()).count(), "{}", theme.name);
        }
        assert!(page.blocks[1].lines.len() > 5);
    }
}

#[test]
fn hits_lie_on_the_ink() {
    let mut book = a_page_of_text("calm");
    book.pages[0].background = Some(domain::document::Colour([255; 3]));
    let page = words(&book, 0);
    let picture = decoded(&pictures(&book, &Library::default(), &[1440])[0]);
    let pixels = 1440.0 / 210.0;
    for wanted in ["山水之间", "半山腰", "bindery 2026", "第二段从这里开始", "远处的村子里升起炊烟"]
    {
        let hits = page.find(wanted);
        assert_eq!(hits.len(), 1, "{wanted}");
        for Rect { x, y, width, height } in &hits[0].frames {
            let dark =
                |x: f64, y: f64| picture.get_pixel((x * pixels) as u32, (y * pixels) as u32).0[1] < 140;
            let steps =
                |from: f64, length: f64| (0..=40).map(move |step| from + length * f64::from(step) / 40.0);
            let ink = steps(*x, *width).filter(|x| steps(*y, *height).any(|y| dark(*x, y))).count();
            assert!(ink > 14, "{wanted}: ink in {ink} of 41 columns");
            // above and below the line there is none
            let beside = |y: f64| steps(*x, *width).filter(|x| dark(*x, y)).count();
            assert!(beside(y - 0.1 * height) < 4 && beside(y + 1.05 * height) < 4, "{wanted}");
        }
    }
    assert!(page.find("不在这里").is_empty() && page.find(" ").is_empty());
}

#[test]
fn a_month_is_read_day_by_day() {
    let month = YearMonth::new(2026, 2).expect("a month");
    let block = |part, frame| {
        Element::Month(MonthBlock {
            common: Default::default(),
            frame,
            part,
            month,
            week_start: WeekStart::Monday,
            anniversaries: domain::calendar::parse_anniversaries("2-14 结婚纪念日").expect("lines"),
            days_off: DaysOff::of(month),
        })
    };
    for theme in themes() {
        let grid = block(MonthPart::Grid, rect(10.0, 60.0, 190.0, 130.0));
        let title = block(MonthPart::Title, rect(10.0, 20.0, 190.0, 20.0));
        let page = words(&document(theme.name, vec![page(vec![grid, title])]), 0);
        assert_eq!(page.blocks.len(), 2);
        assert!(page.blocks[0].text.starts_with("2 二月"), "{}", page.blocks[0].text);
        let days: Vec<&str> = page.blocks[1].text.lines().collect();
        assert_eq!(days[0], "一 二 三 四 五 六 日");
        assert_eq!(days.len(), 1 + 28);
        assert!(days[14].starts_with("14 ") && days[14].contains("结婚纪念日"), "{}", days[14]);
        assert!(days[17].starts_with("17 休") && days[17].contains("春节"), "{}", days[17]);
        assert_eq!(page.find("结婚纪念日").len(), 1);
    }
}

#[test]
fn pages_that_are_not_there_have_no_words() {
    let error = Press::new().reading_text(&a_page_of_text("calm"), PageRef::Inner(7)).expect_err("no page");
    assert!(matches!(error, PressError::Page(7)));
}
