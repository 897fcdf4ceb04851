//! The parts of a text.

use std::collections::BTreeSet;

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
    },
    /// Numbered from `start`, or with marks.
    List {
        start: Option<u64>,
        items: Vec<Vec<Block>>,
    },
    Quote {
        blocks: Vec<Block>,
    },
    Code {
        text: String,
    },
    /// Rows of the same number of cells; the first one is the head.
    Table {
        columns: usize,
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

/// Words that are set alike.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Span {
    pub text: String,
    pub strong: bool,
    pub emphasis: bool,
    pub struck: bool,
    pub code: bool,
    /// Where a link led, shown at the foot of the page.
    pub address: Option<String>,
    /// A new line in place of words.
    pub line_break: bool,
}

impl Span {
    /// Plain words.
    pub fn plain(text: &str) -> Self {
        Self { text: printable(text), ..Self::default() }
    }
}

/// A text without what can't be printed; addresses may break anywhere.
pub(super) fn printable(text: &str) -> String {
    breakable(text)
}

/// The words of spans alone.
pub(super) fn words(spans: &[Span]) -> String {
    spans
        .iter()
        .map(|span| if span.line_break { " " } else { &span.text })
        .collect::<String>()
        .replace('\u{200b}', "")
}

/// The numbers of the pictures in the blocks.
pub(crate) fn pictures_in(blocks: &[Block], found: &mut BTreeSet<usize>) {
    for block in blocks {
        match block {
            Block::Picture { picture, .. } => _ = found.insert(*picture),
            Block::List { items, .. } => items.iter().for_each(|item| pictures_in(item, found)),
            Block::Quote { blocks } => pictures_in(blocks, found),
            _ => {}
        }
    }
}

/// Every run of words in the blocks.
pub(crate) fn for_each_text(blocks: &[Block], see: &mut impl FnMut(&str)) {
    let spans = |spans: &[Span], see: &mut dyn FnMut(&str)| {
        for span in spans {
            see(&span.text);
        }
    };
    for block in blocks {
        match block {
            Block::Heading { spans: words, .. } | Block::Paragraph { spans: words } => spans(words, see),
            Block::List { items, .. } => items.iter().for_each(|item| for_each_text(item, see)),
            Block::Quote { blocks } => for_each_text(blocks, see),
            Block::Code { text } => see(text),
            Block::Picture { caption, .. } => see(caption),
            Block::Table { rows, .. } => rows.iter().flatten().for_each(|cell| spans(cell, see)),
            Block::Rule => {}
        }
    }
}
