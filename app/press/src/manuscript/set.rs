//! Setting a text as pages.

use domain::document::{BLEED_MM, Emoji, Trim};
use serde::{Deserialize, Serialize};
use typst::foundations::Bytes;
use typst_pdf::PdfStandards;

use super::blocks::{Block, for_each_span, for_each_text};
use super::left_out::named;
use super::{Markup, Pictures, TextRefusal, read};
use crate::drawn::readable;
use crate::error::PressError;
use crate::fonts::Fonts;
use crate::sheet::Sheet;
use crate::themes;
use crate::world::{compile, picture_path, write_pdf};

/// From so many headings on, there is a table of contents.
const CONTENTS_FROM: usize = 3;
/// Chapters of this many characters on average begin on a page of their own.
const LONG_CHAPTER: usize = 1_200;
/// Unknown characters that are shown to the member.
const MOST_UNKNOWN: usize = 40;

/// How a text is to be set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Style {
    pub trim: Trim,
    /// The name of a theme.
    pub theme: String,
    /// The number of the first page: how many pages the book has before it, and one.
    pub first_page: u32,
    /// What the book was called when the text was first set, if anybody said: a text that calls itself otherwise says so on
    /// its pages. A book that is renamed later leaves them as they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How its emoji are shown.
    #[serde(default, skip_serializing_if = "Emoji::is_plain")]
    pub emoji: Emoji,
}

/// A text that was set.
#[derive(Debug, Clone, PartialEq)]
pub struct SetText {
    /// Pages with bleed, the words as words.
    pub pdf: Vec<u8>,
    /// What the text calls itself, where it does.
    pub title: Option<String>,
    /// What was left out or can't be printed, each as a sentence for the member.
    pub notes: Vec<String>,
}

/// Everything that the shared part reads: an empty sheet and the text.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Text<'a> {
    #[serde(flatten)]
    sheet: Sheet<'a>,
    theme: &'a str,
    blocks: &'a [Block],
    footnotes: Vec<Footnote<'a>>,
    pictures: Vec<Placed>,
    first_page: u32,
    has_contents: bool,
    has_long_chapters: bool,
}

/// A footnote as the themes set it.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Footnote<'a> {
    blocks: &'a [Block],
    /// It has a mark in the text, and not only in other footnotes.
    is_marked: bool,
    /// Several marks lead to it, so that it has to be found again.
    has_more_marks: bool,
}

/// A picture where the themes find it.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Placed {
    path: String,
    /// As wide as it can be and still be fine enough, in mm.
    width: f64,
    /// Its height, where its width is 1.
    ratio: f64,
}

/// Dots per inch that a picture of a text is never coarser than.
const PICTURE_DPI: f64 = 200.0;

/// Sets a text as a PDF, with the pictures that are given.
///
/// # Errors
/// The theme does not exist, or Typst fails. The inner refusal is for the member.
pub fn set(
    text: &str,
    markup: Markup,
    style: &Style,
    pictures: &Pictures,
) -> Result<Result<SetText, TextRefusal>, PressError> {
    if !themes::is_known(&style.theme) {
        return Err(PressError::Theme(style.theme.clone()));
    }
    let super::Read { blocks, footnotes, title, mut notes } =
        read(text, markup, style.title.as_deref(), pictures);
    if blocks.is_empty() {
        return Ok(Err(TextRefusal::Empty));
    }
    notes.extend(unknown_characters(&blocks, &footnotes, text));
    let levels = |most: u8| {
        blocks.iter().filter(|block| matches!(block, Block::Heading { level, .. } if *level <= most)).count()
    };
    let mut characters = 0;
    for_each_text(&blocks, &mut |words| characters += words.chars().count());
    let chapters = levels(1);
    let placed = pictures.all().iter().enumerate().map(|(index, picture)| {
        let (width, height) = (f64::from(picture.width), f64::from(picture.height));
        Placed { path: picture_path(index), width: width / PICTURE_DPI * 25.4, ratio: height / width }
    });
    let placed = placed.collect();
    let data = Text {
        sheet: Sheet {
            width: style.trim.width,
            height: style.trim.height,
            bleed: BLEED_MM,
            title: "",
            author: "",
            emoji: style.emoji,
            cover: None,
            guides: None,
            layer: None,
            pages: Vec::new(),
        },
        theme: &style.theme,
        blocks: &blocks,
        footnotes: marked(&blocks, &footnotes),
        pictures: placed,
        first_page: style.first_page,
        has_contents: levels(3) >= CONTENTS_FROM,
        has_long_chapters: chapters > 1 && characters / chapters >= LONG_CHAPTER,
    };
    let typeset = compile(
        themes::TEXT,
        &data,
        pictures.all().iter().map(|picture| Bytes::new(picture.jpeg.clone())).collect(),
    )?;
    let pdf = readable(write_pdf(&typeset, PdfStandards::default())?, style.emoji)?;
    Ok(Ok(SetText { pdf, title, notes }))
}

/// The footnotes, with what their marks are.
fn marked<'a>(blocks: &[Block], footnotes: &'a [Vec<Block>]) -> Vec<Footnote<'a>> {
    let count = |blocks: &[Block], marks: &mut Vec<usize>| {
        for_each_span(blocks, &mut |span| {
            if let Some(marks) = span.footnote.and_then(|number| marks.get_mut(number)) {
                *marks += 1;
            }
        });
    };
    let mut in_text = vec![0; footnotes.len()];
    count(blocks, &mut in_text);
    let mut anywhere = in_text.clone();
    footnotes.iter().for_each(|blocks| count(blocks, &mut anywhere));
    let marks = in_text.into_iter().zip(anywhere);
    let footnote = |(blocks, (in_text, anywhere)): (&'a Vec<Block>, (usize, usize))| Footnote {
        blocks,
        is_marked: in_text > 0,
        has_more_marks: anywhere > 1,
    };
    footnotes.iter().zip(marks).map(footnote).collect()
}

/// The sentence about characters that no font has, each with the first line of the text that has it.
fn unknown_characters(blocks: &[Block], footnotes: &[Vec<Block>], text: &str) -> Option<String> {
    let mut unknown: Vec<char> = Vec::new();
    let mut see = |words: &str| {
        for character in words.chars() {
            let is_new = !character.is_control() && !unknown.contains(&character);
            if unknown.len() <= MOST_UNKNOWN && is_new && !Fonts::embedded().cover(character) {
                unknown.push(character);
            }
        }
    };
    for_each_text(blocks, &mut see);
    footnotes.iter().for_each(|blocks| for_each_text(blocks, &mut see));
    let shown: Vec<String> = unknown.iter().take(MOST_UNKNOWN).map(|c| named_character(*c, text)).collect();
    let more = if unknown.len() > MOST_UNKNOWN { " 等" } else { "" };
    (!shown.is_empty()).then(|| format!("字体里没有这些字符，印出来会是空框：{}{more}", shown.join("、")))
}

/// 𪚥（U+2A6A5，第 3 行)
fn named_character(character: char, text: &str) -> String {
    let code = format!("U+{:04X}", u32::from(character));
    let at = (1..).zip(text.lines()).find(|(_, line)| line.contains(character));
    match at {
        Some((line, _)) => format!("{character}（{code}，{}）", named(&[line])),
        None => format!("{character}（{code}）"),
    }
}
