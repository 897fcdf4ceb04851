//! The parts of a text.

use serde::Serialize;

use crate::sheet::breakable;

/// A part of a text, one below the other.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// Level 1 stands over all others.
    Heading {
        level: u8,
        spans: Vec<Span>,
    },
    Paragraph {
        spans: Vec<Span>,
        align: Align,
    },
    /// Numbered from `start`, or with marks.
    List {
        start: Option<u64>,
        items: Vec<Item>,
    },
    Quote {
        blocks: Vec<Block>,
    },
    Code {
        text: String,
    },
    /// Rows with a cell for each column; the first one is the head.
    Table {
        columns: Vec<Align>,
        rows: Vec<Vec<Vec<Span>>>,
    },
    /// By its number among the text's pictures, with what it shows and the words below it.
    Picture {
        picture: usize,
        alternative: String,
        caption: String,
    },
    Rule,
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Item {
    /// Of a list of tasks: whether it is done.
    pub done: Option<bool>,
    pub blocks: Vec<Block>,
}

/// To which side words are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// As the theme has it.
    #[default]
    Auto,
    Left,
    Center,
    Right,
}

/// Words that are set alike.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Span {
    pub text: String,
    pub strong: bool,
    pub emphasis: bool,
    pub struck: bool,
    pub underlined: bool,
    pub marked: bool,
    pub code: bool,
    /// Below or above the line, smaller.
    pub script: Option<Script>,
    /// What stands over the words, how they are read (ruby).
    pub ruby: Option<String>,
    /// Where a link led, shown at the foot of the page.
    pub address: Option<String>,
    /// The mark of a footnote in place of words: its number among the text's footnotes, from 0.
    pub footnote: Option<usize>,
    /// A new line in place of words.
    pub line_break: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Script {
    Sub,
    Super,
}

impl Span {
    /// Plain words.
    pub fn plain(text: &str) -> Self {
        Self { text: printable(text), ..Self::default() }
    }

    pub(super) fn line_break() -> Self {
        Self { line_break: true, ..Self::default() }
    }

    fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.footnote.is_none()
    }
}

/// A text without what can't be printed; addresses may break anywhere.
pub(super) fn printable(text: &str) -> String {
    breakable(text)
}

/// The lines of a text, where characters end them that are no line feeds.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(domain::typed::is_line_end)
}

/// A text set as it is written, line by line.
pub(super) fn verbatim(text: &str) -> String {
    let lines: Vec<String> = text.trim_end().lines().flat_map(lines).map(printable).collect();
    lines.join("\n")
}

/// The words of spans alone.
pub(crate) fn words(spans: &[Span]) -> String {
    spans
        .iter()
        .map(|span| if span.line_break { " " } else { &span.text })
        .collect::<String>()
        .replace('\u{200b}', "")
}

pub(super) fn has_words(spans: &[Span]) -> bool {
    spans.iter().any(|span| !span.is_empty())
}

/// Every picture in the blocks, by its number, and whether words of its own say what it shows: a caption tells something else.
pub(crate) fn for_each_picture(blocks: &[Block], see: &mut impl FnMut(usize, bool)) {
    for block in blocks {
        match block {
            Block::Picture { picture, alternative, caption } => {
                see(*picture, !alternative.is_empty() && alternative != caption);
            }
            Block::List { items, .. } => items.iter().for_each(|item| for_each_picture(&item.blocks, see)),
            Block::Quote { blocks } => for_each_picture(blocks, see),
            _ => {}
        }
    }
}

/// Every run of words in the blocks.
pub(crate) fn for_each_text(blocks: &[Block], see: &mut impl FnMut(&str)) {
    for_each_span(blocks, &mut |span| {
        see(&span.text);
        span.ruby.iter().for_each(|ruby| see(ruby));
        span.address.iter().for_each(|address| see(address));
    });
    for_each_verbatim(blocks, see);
}

/// Every span in the blocks.
pub(crate) fn for_each_span(blocks: &[Block], see: &mut impl FnMut(&Span)) {
    for block in blocks {
        match block {
            Block::Heading { spans, .. } | Block::Paragraph { spans, .. } => spans.iter().for_each(&mut *see),
            Block::List { items, .. } => items.iter().for_each(|item| for_each_span(&item.blocks, see)),
            Block::Quote { blocks } => for_each_span(blocks, see),
            Block::Table { rows, .. } => rows.iter().flatten().flatten().for_each(&mut *see),
            Block::Code { .. } | Block::Picture { .. } | Block::Rule => {}
        }
    }
}

/// Words that stand in no span.
fn for_each_verbatim(blocks: &[Block], see: &mut impl FnMut(&str)) {
    for block in blocks {
        match block {
            Block::Code { text } | Block::Picture { caption: text, .. } => see(text),
            Block::List { items, .. } => items.iter().for_each(|item| for_each_verbatim(&item.blocks, see)),
            Block::Quote { blocks } => for_each_verbatim(blocks, see),
            _ => {}
        }
    }
}
