//! The title and the author's name, and the texts that follow them.

use domain::compare::Place;
use domain::document::{Document, Element, Page, TextRole, Trim};
use domain::layout::{Captions, LayoutOptions, MAGAZINE, PageRange, PhotoInput, Style, lay_out};
use domain::titles::{is_followed, retitle};

fn book(author: &str) -> Document {
    book_of(8, "海边的夏天", author)
}

/// A book of twenty pages.
fn book_of(photos: i64, title: &str, author: &str) -> Document {
    styled(photos, title, author, Style::default())
}

fn styled(photos: i64, title: &str, author: &str, style: Style) -> Document {
    let photos: Vec<PhotoInput> = (0..photos)
        .map(|number| PhotoInput {
            taken_at: Some(number),
            ..PhotoInput::new(format!("photo-{number}").parse().unwrap(), 4000, 3000)
        })
        .collect();
    let options = LayoutOptions {
        trim: Trim { width: 210.0, height: 210.0 },
        pages: PageRange { min: 20, max: 20, step: 2 },
        title: title.to_owned(),
        author: author.to_owned(),
        theme: "classic".to_owned(),
        captions: Captions::Empty,
        chapters: false,
        parts: Default::default(),
        density: Default::default(),
        style,
    };
    lay_out(&photos, &options).unwrap()
}

fn words(page: &Page) -> Vec<&str> {
    page.texts().map(|block| block.text.as_str()).collect()
}

#[test]
fn the_cover_the_title_page_and_the_last_page_follow() {
    for author in ["", "林知夏"] {
        let mut document = book(author);
        retitle(&mut document, "山里的秋天".to_owned(), "妈妈".to_owned());
        assert_eq!(words(&document.cover), ["山里的秋天", "妈妈"], "from {author:?}");
        assert_eq!(words(&document.pages[0]), ["山里的秋天", "妈妈"], "from {author:?}");
        assert_eq!(words(document.pages.last().unwrap()), ["山里的秋天\n妈妈"], "from {author:?}");
        let all = document.all_pages().flat_map(words).collect::<Vec<_>>().concat();
        assert!(!all.contains("海边的夏天") && !all.contains("林知夏"));
    }
}

#[test]
fn the_words_over_pages_follow_and_a_caption_of_the_same_words_stays() {
    let style = Style { composition: &MAGAZINE, ..Style::default() };
    let mut document = styled(40, "海边的夏天", "林知夏", style);
    let caption = document.pages.iter_mut().find_map(|page| {
        let mut texts = page.elements.iter_mut().filter_map(|element| match element {
            Element::Text(block) if block.role == TextRole::Caption && block.text.is_empty() => Some(block),
            _ => None,
        });
        texts.next()
    });
    caption.expect("an empty caption").text = "海边的夏天".to_owned();
    let said = |document: &Document, title: &str| {
        document.all_pages().flat_map(Page::texts).filter(|block| block.text == title).count()
    };
    let before = said(&document, "海边的夏天");
    assert!(before > 4, "words stand over pages");
    retitle(&mut document, "山里的秋天".to_owned(), "妈妈".to_owned());
    assert_eq!((said(&document, "海边的夏天"), said(&document, "山里的秋天")), (1, before - 1));
}

#[test]
fn a_name_that_is_taken_away_leaves_no_empty_frame() {
    let (before, mut document) = (book(""), book("林知夏"));
    retitle(&mut document, "海边的夏天".to_owned(), String::new());
    assert_eq!(document, before);
    retitle(&mut document, "海边的夏天".to_owned(), "林知夏".to_owned());
    let places = |document: &Document| {
        let names =
            document.all_pages().flat_map(Page::texts).filter(|block| block.role == TextRole::Subtitle);
        names.map(|block| (block.text.clone(), block.frame)).collect::<Vec<_>>()
    };
    for (one, other) in places(&document).into_iter().zip(places(&book("林知夏"))) {
        assert_eq!(one.0, other.0);
        assert!((one.1.y - other.1.y).abs() < 0.2 && (one.1.height - other.1.height).abs() < 0.2);
    }
}

/// Writes into the caption of a page.
fn write_caption(page: &mut Page, words: &str) {
    let caption = page.elements.iter_mut().find_map(|element| match element {
        Element::Text(block) if block.role == TextRole::Caption => Some(block),
        _ => None,
    });
    caption.unwrap().text = words.to_owned();
}

/// The first page that shows a photo and has a caption.
fn captioned(document: &Document) -> usize {
    let has_caption = |page: &Page| page.texts().any(|block| block.role == TextRole::Caption);
    document.pages.iter().position(|page| page.photos().count() > 0 && has_caption(page)).unwrap()
}

/// Whether the only text of an inner page follows.
fn follows(document: &Document, index: usize) -> bool {
    is_followed(document, Place::Inner(index), document.pages[index].texts().next().unwrap())
}

#[test]
fn what_a_member_wrote_stays() {
    let mut document = book("妈妈");
    let index = captioned(&document);
    // the same word as the author's name, below a picture of her
    write_caption(&mut document.pages[index], "妈妈");
    retitle(&mut document, "海边的夏天".to_owned(), "林知夏".to_owned());
    assert_eq!(words(&document.pages[index]), ["妈妈"]);
    assert!(!follows(&document, index));
    // her own words on the cover
    let mut document = book("");
    if let Some(Element::Text(block)) = document.cover.elements.last_mut() {
        block.text = "我们的夏天".to_owned();
    }
    retitle(&mut document, "另一个书名".to_owned(), "林知夏".to_owned());
    assert_eq!(words(&document.cover), ["我们的夏天"]);
}

#[test]
fn only_the_closing_page_says_the_title_in_a_caption() {
    let mut document = book_of(8, "生日", "");
    let (index, last) = (captioned(&document), document.pages.len() - 1);
    write_caption(&mut document.pages[index], "生日");
    assert_eq!((follows(&document, index), follows(&document, last)), (false, true));
    retitle(&mut document, "两岁".to_owned(), "妈妈".to_owned());
    assert_eq!(words(&document.pages[index]), ["生日"]);
    assert_eq!(words(&document.pages[last]), ["两岁\n妈妈"]);
}

#[test]
fn a_book_that_ends_with_a_photo_has_no_closing_page() {
    let mut document = book_of(8, "生日", "");
    let last = captioned(&document);
    document.pages.truncate(last + 1);
    write_caption(&mut document.pages[last], "生日");
    assert!(!follows(&document, last));
    retitle(&mut document, "两岁".to_owned(), String::new());
    assert_eq!(words(&document.pages[last]), ["生日"]);
}
