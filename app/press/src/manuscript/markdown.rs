//! Markdown: CommonMark with tables and struck words. HTML is left out, and pictures that nobody brought.

use std::collections::BTreeSet;
use std::iter::Peekable;

use domain::titles::TITLE_LENGTH;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::Read;
use super::blocks::{Block, Span, printable, words};
use super::pictures::Pictures;

/// Quotes in lists in quotes: what lies deeper stands at this depth.
const DEEPEST: usize = 8;
/// Columns that fit on a page.
const MOST_COLUMNS: usize = 12;

fn parser(text: &str) -> Parser<'_> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    Parser::new_ext(text, options)
}

/// The addresses of the pictures that a text shows, each once.
pub fn addresses(text: &str) -> BTreeSet<String> {
    let shown = parser(text).filter_map(|event| match event {
        Event::Start(Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    });
    shown.collect()
}

pub(super) fn read(text: &str, chosen: Option<&str>, pictures: &Pictures) -> Read {
    let mut reader = Reader {
        events: parser(text).peekable(),
        pictures,
        waiting: Vec::new(),
        images: 0,
        html: 0,
        cells: 0,
    };
    let mut blocks = reader.blocks(0);
    let title = take_title(&mut blocks, chosen);
    raise_headings(&mut blocks);
    let mut notes = Vec::new();
    if reader.images > 0 {
        notes.push(format!(
            "文字里的 {} 张图片没有排进来：图片要和文字装在同一个 .zip 里上传，并且打得开",
            reader.images
        ));
    }
    if reader.html > 0 {
        notes.push(format!("文字里的 {} 处 HTML 标记没有排进来", reader.html));
    }
    if reader.cells > 0 {
        notes.push(format!("表格最多排 {MOST_COLUMNS} 列，多出来的 {} 格没有排进来", reader.cells));
    }
    Read { blocks, title, notes }
}

/// The first heading when it is the only one of its level, and the highest: it is the title. It is taken out unless the
/// book was called otherwise, or it is too long for a title, since then it would stand nowhere.
fn take_title(blocks: &mut Vec<Block>, chosen: Option<&str>) -> Option<String> {
    // a picture may stand above it
    let first = blocks.iter().position(|block| !matches!(block, Block::Picture { .. }))?;
    let Some(Block::Heading { level, spans }) = blocks.get(first) else { return None };
    let is_alone = blocks
        .iter()
        .skip(first + 1)
        .all(|block| !matches!(block, Block::Heading { level: other, .. } if other <= level));
    let title = words(spans).trim().to_owned();
    if !is_alone || title.is_empty() {
        return None;
    }
    if title.chars().count() <= TITLE_LENGTH && chosen.is_none_or(|chosen| chosen == title) {
        blocks.remove(first);
    }
    Some(title)
}

/// The highest headings that are there become level 1.
fn raise_headings(blocks: &mut [Block]) {
    let levels = blocks.iter().filter_map(|block| match block {
        Block::Heading { level, .. } => Some(*level),
        _ => None,
    });
    let Some(highest) = levels.min() else { return };
    for block in blocks {
        if let Block::Heading { level, .. } = block {
            *level = *level - highest + 1;
        }
    }
}

struct Reader<'t> {
    events: Peekable<Parser<'t>>,
    pictures: &'t Pictures,
    /// Pictures that stood among words, and follow them.
    waiting: Vec<Block>,
    /// Pictures that are left out.
    images: usize,
    html: usize,
    /// Cells with words beyond the last column that fits.
    cells: usize,
}

/// What the words being read are.
#[derive(Default)]
struct Hand {
    strong: usize,
    emphasis: usize,
    struck: usize,
    /// Where links lead, and which words are the first of them.
    links: Vec<(String, usize)>,
    /// A line of the source ended.
    line_ended: bool,
    /// What comes next belongs to another link than what was before.
    is_apart: bool,
}

impl Reader<'_> {
    /// Blocks up to the end of what they stand in.
    fn blocks(&mut self, depth: usize) -> Vec<Block> {
        let mut blocks = Vec::new();
        // containers that are too deep to be shown as such
        let mut passed = 0usize;
        while let Some(event) = self.events.peek() {
            if is_inline(event) {
                paragraph(&mut blocks, self.spans());
                blocks.append(&mut self.waiting);
                continue;
            }
            let Some(event) = self.events.next() else { break };
            match event {
                Event::Start(Tag::Paragraph) => {
                    paragraph(&mut blocks, self.spans());
                    blocks.append(&mut self.waiting);
                }
                Event::Start(Tag::Heading { level, .. }) => {
                    let spans: Vec<Span> =
                        self.spans().into_iter().map(|span| Span { address: None, ..span }).collect();
                    if spans.iter().any(|span| !span.text.is_empty()) {
                        blocks.push(Block::Heading { level: level as u8, spans });
                    }
                    blocks.append(&mut self.waiting);
                }
                Event::Start(Tag::CodeBlock(_)) => {
                    let text = self.text_until_end();
                    blocks.push(Block::Code { text });
                }
                Event::Start(Tag::HtmlBlock) => {
                    self.html += 1;
                    self.text_until_end();
                }
                Event::Start(Tag::MetadataBlock(_)) => drop(self.text_until_end()),
                Event::Start(Tag::Table(columns)) => {
                    let columns = columns.len().clamp(1, MOST_COLUMNS);
                    let rows = self.rows(columns);
                    blocks.push(Block::Table { columns, rows });
                    blocks.append(&mut self.waiting);
                }
                Event::Start(_) if depth >= DEEPEST => passed += 1,
                Event::Start(Tag::BlockQuote(_)) => {
                    let quoted = self.blocks(depth + 1);
                    blocks.push(Block::Quote { blocks: quoted });
                }
                Event::Start(Tag::List(start)) => {
                    let items = self.items(depth + 1);
                    blocks.push(Block::List { start, items });
                }
                Event::Start(_) => passed += 1,
                Event::Rule => blocks.push(Block::Rule),
                Event::End(TagEnd::Paragraph | TagEnd::Heading(_)) => {}
                Event::End(_) if passed > 0 => passed -= 1,
                Event::End(_) => break,
                _ => {}
            }
        }
        blocks
    }

    fn items(&mut self, depth: usize) -> Vec<Vec<Block>> {
        let mut items = Vec::new();
        while let Some(event) = self.events.next() {
            match event {
                Event::Start(Tag::Item) => items.push(self.blocks(depth)),
                Event::End(TagEnd::List(_)) => break,
                _ => {}
            }
        }
        items
    }

    fn rows(&mut self, columns: usize) -> Vec<Vec<Vec<Span>>> {
        let (mut rows, mut row) = (Vec::new(), Vec::new());
        while let Some(event) = self.events.next() {
            match event {
                Event::Start(Tag::TableCell) => row.push(self.spans()),
                Event::End(TagEnd::TableHead | TagEnd::TableRow) => {
                    let mut row = std::mem::take(&mut row);
                    self.cells += row.iter().skip(columns).filter(|cell| has_words(cell)).count();
                    row.resize(columns, Vec::new());
                    rows.push(row);
                }
                Event::End(TagEnd::Table) => break,
                _ => {}
            }
        }
        rows
    }

    /// The bare text of a block that holds nothing else.
    fn text_until_end(&mut self) -> String {
        let mut text = String::new();
        for event in self.events.by_ref() {
            match event {
                Event::Text(part) => text.push_str(&part),
                Event::End(TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_)) => break,
                _ => {}
            }
        }
        let lines: Vec<String> = text.trim_end().lines().map(printable).collect();
        lines.join("\n")
    }

    /// Words up to the next block.
    fn spans(&mut self) -> Vec<Span> {
        let (mut spans, mut hand) = (Vec::new(), Hand::default());
        while self.events.peek().is_some_and(is_inline) {
            let Some(event) = self.events.next() else { break };
            match event {
                Event::Text(text) => write(&mut spans, &mut hand, &text, false),
                Event::Code(text) => write(&mut spans, &mut hand, &text, true),
                Event::SoftBreak => hand.line_ended = true,
                Event::HardBreak => spans.push(Span { line_break: true, ..Span::default() }),
                Event::InlineHtml(html) if is_line_break(&html) => {
                    spans.push(Span { line_break: true, ..Span::default() });
                }
                Event::InlineHtml(html) => self.html += usize::from(!html.starts_with("</")),
                Event::Start(Tag::Strong) => hand.strong += 1,
                Event::End(TagEnd::Strong) => hand.strong = hand.strong.saturating_sub(1),
                Event::Start(Tag::Emphasis) => hand.emphasis += 1,
                Event::End(TagEnd::Emphasis) => hand.emphasis = hand.emphasis.saturating_sub(1),
                Event::Start(Tag::Strikethrough) => hand.struck += 1,
                Event::End(TagEnd::Strikethrough) => hand.struck = hand.struck.saturating_sub(1),
                Event::Start(Tag::Link { dest_url, .. }) => {
                    hand.links.push((dest_url.to_string(), spans.len()));
                    hand.is_apart = true;
                }
                Event::End(TagEnd::Link) => {
                    if let Some((address, from)) = hand.links.pop() {
                        note_address(&mut spans, from, &address);
                    }
                }
                Event::Start(Tag::Image { dest_url, title, .. }) => self.image(&dest_url, &title),
                _ => {}
            }
        }
        spans
    }

    /// A picture with its words, of which those in quotes are meant to be read.
    fn image(&mut self, address: &str, title: &str) {
        let (mut open, mut alternative) = (1, String::new());
        for event in self.events.by_ref() {
            match event {
                Event::Start(Tag::Image { .. }) => open += 1,
                Event::End(TagEnd::Image) => open -= 1,
                Event::Text(text) | Event::Code(text) => alternative.push_str(&text),
                Event::SoftBreak | Event::HardBreak => alternative.push(' '),
                _ => {}
            }
            if open == 0 {
                break;
            }
        }
        let Some(picture) = self.pictures.find(address) else {
            self.images += 1;
            return;
        };
        let caption = if title.trim().is_empty() { &alternative } else { title };
        let (alternative, caption) = (printable(alternative.trim()), printable(caption.trim()));
        self.waiting.push(Block::Picture { picture, alternative, caption });
    }
}

fn is_inline(event: &Event) -> bool {
    match event {
        Event::Start(tag) => matches!(
            tag,
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. }
        ),
        Event::End(tag) => matches!(
            tag,
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image
        ),
        Event::Text(_) | Event::Code(_) | Event::InlineHtml(_) | Event::SoftBreak | Event::HardBreak => true,
        _ => false,
    }
}

fn is_line_break(html: &str) -> bool {
    html.trim_start_matches('<').trim_end_matches(['>', '/', ' ']).eq_ignore_ascii_case("br")
}

fn has_words(spans: &[Span]) -> bool {
    spans.iter().any(|span| !span.text.trim().is_empty())
}

fn paragraph(blocks: &mut Vec<Block>, spans: Vec<Span>) {
    if has_words(&spans) {
        blocks.push(Block::Paragraph { spans });
    }
}

fn write(spans: &mut Vec<Span>, hand: &mut Hand, text: &str, code: bool) {
    // a line of the source ends like a word, but Chinese has no blanks between words
    if std::mem::take(&mut hand.line_ended) {
        let before = spans.last().and_then(|span| span.text.chars().last());
        let is_wide = |character: Option<char>| character.is_some_and(|c| c >= '\u{2e80}');
        if before.is_some() && !(is_wide(before) && is_wide(text.chars().next())) {
            spans.push(Span::plain(" "));
        }
    }
    let span = Span {
        text: printable(text),
        strong: hand.strong > 0,
        emphasis: hand.emphasis > 0,
        struck: hand.struck > 0,
        code,
        address: None,
        line_break: false,
    };
    let bare = |span: &Span| Span { text: String::new(), ..span.clone() };
    let is_apart = std::mem::take(&mut hand.is_apart);
    match spans.last_mut() {
        Some(last) if !is_apart && bare(last) == bare(&span) => last.text.push_str(&span.text),
        _ => spans.push(span),
    }
}

/// Notes where the words since `from` led, unless they say so themselves or it is a place in the text.
fn note_address(spans: &mut [Span], from: usize, address: &str) {
    let linked = spans.get(from..).map(words).unwrap_or_default();
    let plain = address.trim_start_matches("mailto:");
    if linked.is_empty()
        || linked.trim_end_matches('/') == plain.trim_end_matches('/')
        || address.starts_with('#')
    {
        return;
    }
    if let Some(last) = spans.last_mut() {
        last.address = Some(printable(plain));
    }
}
