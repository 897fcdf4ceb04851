//! Share pictures: their sizes, and that a phone reads the code.

use crate::common::*;
use domain::document::{Colour, Crop, Document, TextRole, Trim};
use press::{Poster, Press, PressError, ShareCover, specimen};

const LONG: &str = "外婆的菜园、爷爷的自行车，还有我们在江南小镇度过的第一个完整的夏天 and-a-word-without-any-place-to-break-it-anywhere";

fn a_book(width: f64, height: f64) -> (Document, Library) {
    let mut book = document("calm", Vec::new());
    book.trim = Trim { width, height };
    book.cover = page(vec![
        photo("cover", book.trim.with_bleed(), Crop::WHOLE),
        text(TextRole::Title, rect(20.0, 20.0, width - 40.0, 30.0), "山水之间"),
    ]);
    let mut library = Library::default();
    library.proxies.insert(id("cover"), specimen::paint(4).jpeg);
    (book, library)
}

fn poster<'a>(title: &'a str, address: &'a str) -> Poster<'a> {
    let (short_address, invitation) = ("books.example/r/7K3QF", "扫码阅读");
    Poster { title, author: "林小满", address, short_address, invitation, house: "书坊" }
}

const ADDRESS: &str = "https://books.example/read/01JQ8Z6Y7W5V4T3S2R1Q0P9N8M?from=poster";

#[test]
fn every_shape_of_cover_makes_pictures_of_their_sizes() {
    for (width, height) in [(210.0, 210.0), (148.0, 210.0), (280.0, 210.0), (60.0, 300.0)] {
        let (book, library) = a_book(width, height);
        let cover = ShareCover::Document(&book, &library);
        for title in ["山", LONG, ""] {
            let made = [
                (Press::new().share_card(cover, title, "林小满").expect("a card"), (1200, 630)),
                (Press::new().share_icon(cover).expect("an icon"), (300, 300)),
                (Press::new().share_poster(cover, &poster(title, ADDRESS)).expect("a poster"), (1080, 1920)),
            ];
            for (file, size) in &made {
                assert_eq!(&file[..3], [0xff, 0xd8, 0xff], "JPEG");
                assert_eq!(image::load_from_memory(file).expect("a picture").into_rgb8().dimensions(), *size);
            }
            assert!(made[0].0.len() < 300_000, "{}", made[0].0.len());
            assert!(made[1].0.len() <= 20_000, "{}", made[1].0.len());
        }
    }
}

#[test]
fn grain_fits_into_the_small_picture() {
    let mut state = 7_u32;
    let noise = image::RgbImage::from_fn(600, 600, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgb([(state >> 24) as u8, (state >> 16) as u8, (state >> 8) as u8])
    });
    let icon = Press::new().share_icon(ShareCover::Picture(&jpeg(&noise))).expect("an icon");
    assert!(icon.len() <= 20_000, "{}", icon.len());
}

#[test]
fn the_code_on_a_poster_is_the_address() {
    let (book, library) = a_book(148.0, 210.0);
    let file = Press::new()
        .share_poster(ShareCover::Document(&book, &library), &poster("山水之间", ADDRESS))
        .expect("a poster");
    let picture = image::load_from_memory(&file).expect("a picture").into_luma8();
    // where the theme puts it: 25 mm inside a frame of 2 mm, 12 and 11 mm from the corner
    let code = qrcode::QrCode::with_error_correction_level(ADDRESS, qrcode::EcLevel::M).expect("a code");
    let (side, left, top) = (250.0, 1080.0 - 120.0 - 20.0 - 250.0, 1920.0 - 110.0 - 20.0 - 250.0);
    let module = side / code.width() as f64;
    for (index, colour) in code.to_colors().into_iter().enumerate() {
        let at = |number: usize, from: f64| (from + (number as f64 + 0.5) * module) as u32;
        let shade = picture.get_pixel(at(index % code.width(), left), at(index / code.width(), top)).0[0];
        assert_eq!(shade < 128, colour == qrcode::Color::Dark, "module {index}: {shade}");
    }
}

#[test]
fn the_cover_is_seen_as_it_is() {
    let mut book = document("calm", Vec::new());
    book.cover.background = Some(Colour([32, 120, 100]));
    let library = Library::default();
    let cover = ShareCover::Document(&book, &library);
    for (file, x, y) in [
        (Press::new().share_card(cover, "山", "").expect("a card"), 300, 315),
        (Press::new().share_icon(cover).expect("an icon"), 150, 150),
        (Press::new().share_poster(cover, &poster("山", ADDRESS)).expect("a poster"), 540, 590),
    ] {
        let picture = image::load_from_memory(&file).expect("a picture").into_rgb8();
        assert!(near(picture.get_pixel(x, y), [32, 120, 100]), "{:?}", picture.get_pixel(x, y));
    }
}

#[test]
fn what_is_no_picture_is_refused() {
    let error = Press::new().share_icon(ShareCover::Picture(b"nothing")).expect_err("no picture");
    assert!(matches!(error, PressError::Document(_)));
}
