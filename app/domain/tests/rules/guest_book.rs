//! What guests say in a book: below their photos, and on pages of their own.

use std::collections::BTreeMap;

use domain::document::Page;
use domain::ids::PhotoId;
use domain::layout::{
    Density, LayoutOptions, NoRoom, PageRange, PhotoInput, Sender, Wish, captioned, lay_out, with_guest_book,
};

use crate::common::options;

const RANGE: PageRange = PageRange { min: 8, max: 200, step: 2 };

fn photos(count: usize) -> Vec<PhotoInput> {
    let photo = |number: usize| PhotoInput {
        taken_at: Some(1_777_597_200_000 + number as i64 * 60_000),
        ..PhotoInput::new(format!("photo-{number}").parse().unwrap(), 4_000, 3_000)
    };
    (0..count).map(photo).collect()
}

fn sender(name: &str, caption: &str) -> Sender {
    Sender { name: name.into(), caption: caption.into() }
}

fn said(page: &Page) -> String {
    page.texts().map(|block| block.text.as_str()).collect::<Vec<_>>().join("|")
}

#[test]
fn guests_words_stand_below_their_photos_once() {
    let photos = photos(12);
    let mut book = lay_out(&photos, &options(210.0, 210.0, RANGE)).unwrap();
    let senders: BTreeMap<PhotoId, Sender> = photos
        .iter()
        .enumerate()
        .map(|(at, photo)| (photo.id.clone(), sender("小雨", &format!("第{at}张"))))
        .collect();
    captioned(&mut book, &senders);
    let mut told = 0;
    for page in &book.pages[1..book.pages.len() - 1] {
        let text = said(page);
        for frame in page.photos() {
            let sender = &senders[&frame.photo];
            let is_said = text.contains(&format!("{}（小雨）", sender.caption));
            told += usize::from(is_said);
        }
    }
    assert!(told >= 8, "{told} of 12 are told");
    // what nobody said is not there, and the title page has nothing of it
    assert!(!said(&book.pages[0]).contains("小雨"));
}

/// Of photos of all shapes some have words; each of these is read somewhere in the book.
#[test]
fn words_that_come_with_photos_have_a_place() {
    const SHAPES: [(u32, u32); 5] =
        [(4_000, 3_000), (3_000, 4_000), (4_000, 2_250), (3_000, 3_000), (2_250, 4_000)];
    for density in Density::ALL {
        for (width, height) in [(210.0, 210.0), (210.0, 297.0), (280.0, 210.0)] {
            for seed in 0..12_usize {
                let photo = |number: usize| {
                    let (wide, tall) = SHAPES[(number * 7 + seed * 3 + number * number) % SHAPES.len()];
                    PhotoInput {
                        taken_at: Some(1_777_597_200_000 + number as i64 * 60_000),
                        has_words: (number + seed).is_multiple_of(5),
                        ..PhotoInput::new(format!("photo-{number}").parse().unwrap(), wide, tall)
                    }
                };
                let photos: Vec<PhotoInput> = (0..26).map(photo).collect();
                let options = LayoutOptions { density, ..options(width, height, RANGE) };
                let mut book = lay_out(&photos, &options).unwrap();
                let worded = photos.iter().filter(|photo| photo.has_words);
                let senders: BTreeMap<PhotoId, Sender> =
                    worded.map(|photo| (photo.id.clone(), sender("", &format!("说{}", photo.id)))).collect();
                captioned(&mut book, &senders);
                let all: String = book.pages.iter().map(said).collect();
                for (id, sender) in &senders {
                    assert!(all.contains(&sender.caption), "{id} of {density:?} {width}×{height} {seed}");
                }
            }
        }
    }
}

#[test]
fn a_page_with_much_to_say_names_its_guests_alone() {
    let photos = photos(40);
    let options = options(210.0, 210.0, PageRange { min: 8, max: 12, step: 2 });
    let mut book = lay_out(&photos, &options).unwrap();
    let names = ["小雨", "老王", "表姐", "同桌"];
    let senders: BTreeMap<PhotoId, Sender> = photos
        .iter()
        .enumerate()
        .map(|(at, photo)| (photo.id.clone(), sender(names[at % 4], &"很长的话".repeat(8))))
        .collect();
    captioned(&mut book, &senders);
    let text: Vec<String> = book.pages.iter().map(said).collect();
    assert!(text.iter().any(|text| text.contains("照片：") && text.contains('、')), "{text:?}");
    assert!(book.pages.iter().flat_map(Page::texts).all(|block| block.text.chars().count() <= 60));
}

#[test]
fn the_guests_pages_stand_before_the_closing_page_and_the_book_can_be_bound() {
    for step in [1, 2, 4] {
        for count in [1, 3, 20, 90] {
            let range = PageRange { step, ..RANGE };
            let mut book = lay_out(&photos(10), &options(210.0, 280.0, range)).unwrap();
            let (before, closing) = (book.pages.len(), book.pages.last().cloned());
            let wishes: Vec<Wish> = (0..count)
                .map(|at| Wish {
                    name: format!("客人{at}号"),
                    words: "百年好合，岁岁平安。".repeat(1 + at % 7),
                })
                .collect();
            with_guest_book(&mut book, &wishes, &["小雨".into(), "老王".into()], range).unwrap();
            let added = book.pages.len() - before;
            assert!(added >= 3 && added.is_multiple_of(2) && book.pages.len().is_multiple_of(step as usize));
            assert!(!before.is_multiple_of(4) || added.is_multiple_of(4), "{before} and {added}");
            assert_eq!(book.pages.last(), closing.as_ref());
            let all: Vec<String> = book.pages.iter().map(said).collect();
            for wish in &wishes {
                let line = format!("{}\n—— {}", wish.words, wish.name);
                assert_eq!(all.iter().filter(|text| text.contains(&line)).count(), 1, "{line}");
            }
            assert!(all.iter().any(|text| text.contains("小雨、老王")));
            // each in a frame of its own, inside the page
            for block in book.pages.iter().flat_map(Page::texts) {
                let frame = block.frame;
                assert!(frame.y >= 0.0 && frame.y + frame.height <= 280.0, "{frame:?}");
            }
        }
    }
}

#[test]
fn a_book_without_room_for_them_says_so_and_stays_as_it_is() {
    let range = PageRange { min: 8, max: 8, step: 4 };
    let mut book = lay_out(&photos(10), &options(210.0, 210.0, range)).unwrap();
    let before = book.clone();
    let wish = Wish { name: "小雨".into(), words: "好".into() };
    assert_eq!(with_guest_book(&mut book, &[wish], &[], range), Err(NoRoom));
    assert_eq!(book, before);
    assert_eq!(with_guest_book(&mut book, &[], &[], range), Ok(()));
    assert_eq!(book, before);
}
