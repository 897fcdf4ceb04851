//! What guests say in a book: their names and words below their photos, and pages with their wishes before the closing page.

use std::collections::BTreeMap;

use super::reflow::is_beside;
use super::{PageRange, is_half_frame, margin_of};
use crate::document::{Align, Document, Element, Page, Rect, TextBlock, TextRole, Trim};
use crate::ids::PhotoId;

/// Who sent a photo, and what is written below it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sender {
    /// Empty where nobody said it.
    pub name: String,
    /// May be empty.
    pub caption: String,
}

/// Characters that a place for a caption has room for.
const CAPTION_ROOM: usize = 60;

/// Writes below photos what their guests wrote, and who they are. A page with much to say names the guests alone.
pub fn captioned(document: &mut Document, senders: &BTreeMap<PhotoId, Sender>) {
    let last = document.pages.len().saturating_sub(1);
    for index in 1..last {
        // a photo across the fold has its words on one of its pages
        let of_page: Vec<&Sender> = document.pages[index]
            .photos()
            .filter(|frame| !(index % 2 == 1 && is_half_frame(document, index, frame)))
            .filter_map(|frame| senders.get(&frame.photo))
            .collect();
        let words = words_of(&of_page);
        let place = document.pages[index].elements.iter_mut().find_map(|element| match element {
            Element::Text(block) if is_beside(block) => Some(block),
            _ => None,
        });
        if let Some(place) = place.filter(|_| !words.is_empty()) {
            place.text = if place.text.is_empty() { words } else { format!("{}　{words}", place.text) };
        }
    }
}

/// What stands below the photos of some guests.
fn words_of(senders: &[&Sender]) -> String {
    let mut whole: Vec<String> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for sender in senders {
        let words = match (sender.caption.as_str(), sender.name.as_str()) {
            ("", "") => continue,
            ("", name) => name.to_owned(),
            (caption, "") => caption.to_owned(),
            (caption, name) => format!("{caption}（{name}）"),
        };
        if !whole.contains(&words) {
            whole.push(words);
        }
        if !sender.name.is_empty() && !names.contains(&sender.name.as_str()) {
            names.push(&sender.name);
        }
    }
    let has_captions = senders.iter().any(|sender| !sender.caption.is_empty());
    let all = whole.join("；");
    if has_captions && all.chars().count() <= CAPTION_ROOM {
        return all;
    }
    if names.is_empty() {
        return all.chars().take(CAPTION_ROOM).collect();
    }
    let names = names.join("、");
    let mut said = format!("照片：{names}");
    if said.chars().count() > CAPTION_ROOM {
        said = said.chars().take(CAPTION_ROOM - 1).chain(['…']).collect();
    }
    said
}

/// A guest's words in the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    pub name: String,
    pub words: String,
}

/// A book that has no room for its guests' pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("书已经最厚了，放不下来宾留言的页：请少放几张照片，或者不加留言页")]
pub struct NoRoom;

/// The size of a wish's letters with what is between its lines, in mm: what themes give a body's text at most.
const LETTER_MM: f64 = 3.9;
const LINE_MM: f64 = 7.2;
/// Between two wishes.
const GAP_MM: f64 = 7.0;
/// The widest column.
const COLUMN_MM: f64 = 130.0;
/// Where columns begin, as a part of the page.
const TOP: f64 = 0.12;
/// Names in the list of those who sent photos, at most: the rest is counted.
const MOST_NAMED: usize = 120;

/// Puts the guests' pages before the closing page: one that says what they are, the wishes, and who sent photos. They are as
/// many as keep the book bindable; those that nothing stands on are for writing by hand.
///
/// # Errors
/// The longest book has no room for them.
pub fn with_guest_book(
    document: &mut Document,
    wishes: &[Wish],
    senders: &[String],
    range: PageRange,
) -> Result<(), NoRoom> {
    if wishes.is_empty() && senders.is_empty() {
        return Ok(());
    }
    let trim = document.trim;
    let filled = pages_of(wishes, trim);
    let credits = usize::from(!senders.is_empty());
    let needed = 1 + filled.len() + credits;
    let count = document.pages.len();
    // an even number, so that what faces what stays; quarters of a sheet where the book is made of whole ones
    let step = lcm(range.step.max(1) as usize, 2);
    let signature = if count.is_multiple_of(4) { lcm(step, 4) } else { step };
    let most = (range.max as usize).saturating_sub(count);
    let added =
        [signature, step].into_iter().map(|step| needed.next_multiple_of(step)).find(|all| *all <= most);
    let added = added.ok_or(NoRoom)?;
    let mut pages = vec![opening(trim, wishes.len())];
    pages.extend(filled);
    let credits = (credits > 0).then(|| credits_page(trim, senders));
    pages.resize_with(added - usize::from(credits.is_some()), Page::default);
    pages.extend(credits);
    // a closing page has no photos; where there is none the guests come last
    let has_closing = document.pages.last().is_some_and(|page| page.photos().next().is_none());
    let at = if has_closing { count - 1 } else { count };
    document.pages.splice(at..at, pages);
    Ok(())
}

pub(super) fn lcm(one: usize, other: usize) -> usize {
    let (mut a, mut b) = (one, other);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    one / a * other
}

fn opening(trim: Trim, wishes: usize) -> Page {
    let margin = margin_of(trim);
    let frame = Rect { x: margin, y: trim.height * 0.38, width: trim.width - 2.0 * margin, height: 22.0 };
    let said =
        if wishes > 0 { format!("{wishes} 位来宾的话") } else { "给来宾写几句话".to_owned() };
    let below = Rect { y: frame.y + frame.height, height: 14.0, ..frame };
    Page {
        elements: vec![
            Element::Text(TextBlock::new(rounded(frame), TextRole::Heading, "来宾留言")),
            Element::Text(TextBlock::new(rounded(below), TextRole::Subtitle, said)),
        ],
        ..Page::default()
    }
}

fn credits_page(trim: Trim, senders: &[String]) -> Page {
    let width = (trim.width - 2.0 * margin_of(trim)).min(COLUMN_MM);
    let frame = Rect {
        x: (trim.width - width) / 2.0,
        y: trim.height * TOP,
        width,
        height: trim.height * (1.0 - 2.0 * TOP),
    };
    let named: Vec<&str> = senders.iter().take(MOST_NAMED).map(String::as_str).collect();
    let rest = match senders.len() - named.len() {
        0 => String::new(),
        _ => format!(" 等 {} 位", senders.len()),
    };
    let text = format!("书里的照片来自\n{}{rest}", named.join("、"));
    let block =
        TextBlock { align: Some(Align::Center), ..TextBlock::new(rounded(frame), TextRole::Body, text) };
    Page { elements: vec![Element::Text(block)], ..Page::default() }
}

/// The wishes on pages, each in a frame of its own that is as high as its words need.
fn pages_of(wishes: &[Wish], trim: Trim) -> Vec<Page> {
    let width = (trim.width - 2.0 * margin_of(trim) - 10.0).min(COLUMN_MM);
    let (top, bottom) = (trim.height * TOP, trim.height * (1.0 - TOP));
    let mut pages: Vec<Page> = Vec::new();
    let mut y = f64::INFINITY;
    for wish in wishes {
        let high = height_of(wish, width);
        if y + high > bottom {
            pages.push(Page::default());
            y = top;
        }
        let frame = Rect { x: (trim.width - width) / 2.0, y, width, height: high.min(bottom - top) };
        let text = if wish.name.is_empty() {
            wish.words.clone()
        } else {
            format!("{}\n—— {}", wish.words, wish.name)
        };
        let block = TextBlock::new(rounded(frame), TextRole::Body, text);
        if let Some(page) = pages.last_mut() {
            page.elements.push(Element::Text(block));
        }
        y += high + GAP_MM;
    }
    pages
}

fn height_of(wish: &Wish, width: f64) -> f64 {
    let letters = (width / LETTER_MM).floor().max(1.0);
    let lines: f64 =
        wish.words.lines().map(|line| (line.chars().count() as f64 / letters).ceil().max(1.0)).sum();
    let name = if wish.name.is_empty() { 0.0 } else { 1.0 };
    // themes begin paragraphs with a space of their own
    (lines + name + 1.0) * LINE_MM
}

fn rounded(frame: Rect) -> Rect {
    let to = |mm: f64| (mm * 100.0).round() / 100.0;
    Rect { x: to(frame.x), y: to(frame.y), width: to(frame.width), height: to(frame.height) }
}
