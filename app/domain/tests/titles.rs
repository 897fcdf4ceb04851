//! The title and the author's name, and the texts that follow them.
#![allow(clippy::unwrap_used)]

use domain::document::{Document, Page, TextRole, Trim};
use domain::layout::{Captions, LayoutOptions, PageRange, PhotoInput, lay_out};
use domain::titles::{is_followed, retitle};

fn book(author: &str) -> Document {
    let photos: Vec<PhotoInput> = (0..8)
        .map(|number| PhotoInput {
            id: format!("photo-{number}").parse().unwrap(),
            width: 4000,
            height: 3000,
            taken_at: Some(number),
            subject: None,
        })
        .collect();
    let options = LayoutOptions {
        trim: Trim { width: 210.0, height: 210.0 },
        pages: PageRange { min: 20, max: 40, step: 2 },
        title: "海边的夏天".to_owned(),
        author: author.to_owned(),
        theme: "classic".to_owned(),
        captions: Captions::Empty,
        chapters: false,
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

#[test]
fn what_a_member_wrote_stays() {
    let mut document = book("妈妈");
    let caption =
        document.pages.iter_mut().skip(1).flat_map(|page| &mut page.elements).find_map(
            |element| match element {
                domain::document::Element::Text(block) if block.role == TextRole::Caption => Some(block),
                _ => None,
            },
        );
    // the same word as the author's name, below a picture of her
    caption.unwrap().text = "妈妈".to_owned();
    retitle(&mut document, "海边的夏天".to_owned(), "林知夏".to_owned());
    let kept = document.pages.iter().flat_map(Page::texts).find(|block| block.text == "妈妈").unwrap();
    assert!(!is_followed(&document, kept));
    // her own words on the cover
    let mut document = book("");
    if let Some(domain::document::Element::Text(block)) = document.cover.elements.last_mut() {
        block.text = "我们的夏天".to_owned();
    }
    retitle(&mut document, "另一个书名".to_owned(), "林知夏".to_owned());
    assert_eq!(words(&document.cover), ["我们的夏天"]);
}
