//! Texts as members bring them, plain or in Markdown, set as pages by a theme.
//!
//! A text becomes [`Block`]s and is handed to the themes as data, like everything that members write. What comes out is a
//! PDF, which a book is then made of like of any other. Title page and cover are no part of it.
//!
//! Setting a long text takes seconds, and nobody knows what it holds: whoever calls [`set`] does so in a process of its
//! own, with limits.

mod blocks;
mod builder;
mod encoding;
mod flat;
mod html;
mod left_out;
mod links;
mod markdown;
mod pictures;
mod plain;
mod set;

pub use blocks::{Align, Block, Item, Script, Span};
pub(crate) use blocks::{for_each_picture, for_each_span, for_each_text, words};
pub use encoding::decode;
pub use markdown::addresses;
pub use pictures::{Picture, Pictures};
pub use set::{SetText, Style, set};

use serde::{Deserialize, Serialize};

/// Bytes that a text may have.
pub const MOST_BYTES: usize = 2 << 20;

/// How a text is marked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Markup {
    Plain,
    Markdown,
}

/// A text as it was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Read {
    pub blocks: Vec<Block>,
    /// By their numbers in the spans that are their marks.
    pub footnotes: Vec<Vec<Block>>,
    /// The heading that stands over all others, where the text begins with it; among the blocks only where the book is
    /// called otherwise.
    pub title: Option<String>,
    /// What was left out, each as a sentence for the member.
    pub notes: Vec<String>,
}

/// Why a text can't be set. Each text can be shown to a member.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum TextRefusal {
    #[error("这里面没有文字")]
    Empty,
    #[error("文字太长，最多 2 MB（约七十万字）")]
    TooLong,
    #[error("这不是文字文件，或者它的编码认不出来；请另存为 UTF-8 编码的文本再上传")]
    NoText,
}

/// Reads a text's structure. `title` is what somebody called the book, if anybody did; of the pictures that it shows, those
/// are among its blocks that are given.
pub fn read(text: &str, markup: Markup, title: Option<&str>, pictures: &Pictures) -> Read {
    match markup {
        Markup::Plain => plain::read(text),
        Markup::Markdown => markdown::read(text, title, pictures),
    }
}
