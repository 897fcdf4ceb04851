//! What stands in a book because of its title and its author's name: on the cover, on the title page and at the end.

use crate::calendar::MonthPart;
use crate::compare::Place;
use crate::document::{Document, Element, Page, Rect, SAFE_MM, TextBlock, TextRole, Trim};
use crate::layout::is_head;

/// Characters that a title may have.
pub const TITLE_LENGTH: usize = 60;

/// The author's name below a title, as a part of the title's height.
const SUBTITLE_SHARE: f64 = 1.0 / 3.0;

/// What the closing page says.
pub fn closing_words(title: &str, author: &str) -> String {
    if author.is_empty() { title.to_owned() } else { format!("{title}\n{author}") }
}

/// Where the closing page stands: at the end, with nothing but words. A photo's words there are its caption.
fn closing_place(document: &Document) -> Option<Place> {
    let (last, before) = document.pages.split_last()?;
    let is_text = |element: &Element| matches!(element, Element::Text(_));
    last.elements.iter().all(is_text).then_some(Place::Inner(before.len()))
}

/// What a page says of a title: all of it, but for the year where a calendar's number of the year stands on the same page.
pub fn words_on<'t>(page: &Page, title: &'t str) -> &'t str {
    let year = page.elements.iter().find_map(|element| match element {
        Element::Month(block) if block.part == MonthPart::Year => Some(block.month.year()),
        _ => None,
    });
    year.map_or(title, |year| beside_year(title, year))
}

/// `2027 年历` is `年历` beside the number, and `2027年的我们` is `我们`. A title that says nothing else stays.
fn beside_year(title: &str, year: i32) -> &str {
    let Some(rest) = title.trim().strip_prefix(&year.to_string()) else { return title };
    let rest = rest.trim_start();
    let of_year = if rest.starts_with("年历") { None } else { rest.strip_prefix('年') };
    let rest = of_year.map_or(rest, |rest| rest.trim_start().trim_start_matches('的')).trim();
    if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()) { title } else { rest }
}

/// What a text says because of a title and an author, where it does. The closing words are what the caption of any
/// photo may be, so they follow only where the page `closes` the book.
fn follows(block: &TextBlock, closes: bool, title: &str, author: &str) -> Option<Follows> {
    match block.role {
        TextRole::Title if block.text == title => Some(Follows::Title),
        TextRole::Subtitle if !author.is_empty() && block.text == author => Some(Follows::Author),
        TextRole::Caption if closes && block.text == closing_words(title, author) => Some(Follows::Closing),
        TextRole::Caption if is_head(block) && block.text == title => Some(Follows::Title),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    Title,
    Author,
    Closing,
}

/// Whether a text at a place of the document follows its title or its author: it is changed with them.
pub fn is_followed(document: &Document, place: Place, block: &TextBlock) -> bool {
    let closes = closing_place(document) == Some(place);
    let page = match place {
        Place::Cover => Some(&document.cover),
        Place::Inner(index) => document.pages.get(index),
    };
    let title = page.map_or(document.title.as_str(), |page| words_on(page, &document.title));
    follows(block, closes, title, &document.author).is_some()
}

/// Gives a document another title and another author. The texts that said the old ones say the new ones; those that a
/// member wrote stay. The name of an author that it did not have comes below its titles where there is room, and goes
/// from there when it is taken away.
pub fn retitle(document: &mut Document, title: String, author: String) {
    let (old_title, old_author) = (document.title.clone(), document.author.clone());
    let trim = document.trim;
    let closing = closing_place(document);
    let inner = document.pages.iter_mut().enumerate().map(|(index, page)| (Place::Inner(index), page));
    for (place, page) in std::iter::once((Place::Cover, &mut document.cover)).chain(inner) {
        let closes = closing == Some(place);
        let (old, new) = (words_on(page, &old_title).to_owned(), words_on(page, &title).to_owned());
        let mut titled = None;
        let mut named = false;
        page.elements.retain_mut(|element| {
            let Element::Text(block) = element else { return true };
            match follows(block, closes, &old, &old_author) {
                Some(Follows::Title) => {
                    block.text.clone_from(&new);
                    titled = Some(block.frame);
                }
                Some(Follows::Author) => {
                    block.text.clone_from(&author);
                    return !author.is_empty();
                }
                Some(Follows::Closing) => block.text = closing_words(&title, &author),
                None => named |= block.role == TextRole::Subtitle,
            }
            true
        });
        if let Some(above) = titled
            && !named
            && old_author.is_empty()
            && !author.is_empty()
        {
            page.elements.extend(below(page, above, trim, &author));
        }
    }
    document.title = title;
    document.author = author;
}

/// The author's name below a title, where nothing else stands.
fn below(page: &Page, title: Rect, trim: Trim, author: &str) -> Option<Element> {
    let (y, height) = (title.y + title.height, title.height * SUBTITLE_SHARE);
    let frame = Rect { y, height, ..title };
    let is_free = |element: &Element| {
        let other = element.frame();
        other.x >= frame.x + frame.width
            || other.x + other.width <= frame.x
            || other.y >= frame.y + frame.height
            || other.y + other.height <= frame.y + 0.1
    };
    let fits = y + height <= trim.height - SAFE_MM && page.elements.iter().all(is_free);
    fits.then(|| Element::Text(TextBlock::new(frame, TextRole::Subtitle, author)))
}
