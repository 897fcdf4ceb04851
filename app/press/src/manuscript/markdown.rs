//! Markdown: CommonMark with GitHub's tables, struck words, tasks, footnotes and alerts, and the HTML in it.
//!
//! `**重点。**后面` is strong, though CommonMark has it otherwise: what is beside emphasis is read as the proposal for texts in
//! Chinese, Japanese and Korean says (markdown-cjk-friendly).

use std::collections::BTreeSet;

use comrak::arena_tree::NodeEdge;
use comrak::nodes::{AlertType, AstNode, ListType, NodeValue, TableAlignment};
use comrak::{Arena, Options, parse_document};
use domain::titles::TITLE_LENGTH;

use super::blocks::{Align, Block, for_each_span, verbatim, words};
use super::builder::{Builder, Footnote, Kind, MOST_COLUMNS, Style};
use super::html::{self, Reading};
use super::pictures::Pictures;
use super::{Read, links};

/// How often words below HTML are taken out of it; those may hold HTML again.
const MOST_CUTS: usize = 3;

/// A text as it is read, with its lines as they were.
struct Source {
    text: String,
    /// The number of each of its lines in what came.
    numbers: Vec<usize>,
    has_metadata: bool,
}

impl Source {
    fn of(text: &str) -> Self {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let has_metadata = metadata_of(&text).is_some();
        let numbers = (1..=text.split('\n').count()).collect();
        let mut source = Self { text, numbers, has_metadata };
        for _ in 0..MOST_CUTS {
            let cuts = source.cuts();
            if cuts.is_empty() {
                break;
            }
            source.cut(&cuts);
        }
        source
    }

    fn parse<'a>(&self, arena: &'a Arena<'a>) -> &'a AstNode<'a> {
        let mut options = Options::default();
        let extension = &mut options.extension;
        extension.table = true;
        extension.strikethrough = true;
        extension.tasklist = true;
        extension.footnotes = true;
        extension.alerts = true;
        extension.cjk_friendly_emphasis = true;
        extension.front_matter_delimiter = self.has_metadata.then(|| "---".to_owned());
        // those that have no mark are words, too
        options.parse.leave_footnote_definitions = true;
        parse_document(arena, &self.text, &options)
    }

    /// Lines, from 0, before which a piece of HTML ought to have ended.
    fn cuts(&self) -> BTreeSet<usize> {
        if !self.text.contains('<') {
            return BTreeSet::new();
        }
        let arena = Arena::new();
        let blocks = self.parse(&arena).children().filter_map(|node| {
            let node = node.data();
            let NodeValue::HtmlBlock(block) = &node.value else { return None };
            let is_element = matches!(block.block_type, 6 | 7);
            is_element
                .then(|| html::ends_before(&block.literal))?
                .map(|line| node.sourcepos.start.line - 1 + line)
        });
        blocks.collect()
    }

    fn cut(&mut self, cuts: &BTreeSet<usize>) {
        let (mut text, mut numbers) = (String::with_capacity(self.text.len() + cuts.len()), Vec::new());
        for (index, (line, number)) in self.text.split('\n').zip(&self.numbers).enumerate() {
            if cuts.contains(&index) {
                text.push('\n');
                numbers.push(*number);
            }
            text.push_str(line);
            text.push('\n');
            numbers.push(*number);
        }
        text.pop();
        (self.text, self.numbers) = (text, numbers);
    }

    /// The number that a line had when it came.
    fn number(&self, line: usize) -> usize {
        line.checked_sub(1).and_then(|index| self.numbers.get(index)).copied().unwrap_or(line)
    }
}

/// The line that ends the metadata at the beginning of a text, as many programs write it, from 1. Two rules with words
/// between them are none.
fn metadata_of(text: &str) -> Option<usize> {
    let mut lines = text.strip_prefix("---\n")?.lines();
    let end = lines.clone().position(|line| line.trim_end() == "---")?;
    let is_key = |line: &str| {
        line.split_once(':').is_some_and(|(key, value)| {
            !key.contains(char::is_whitespace) && (value.is_empty() || value.starts_with(' '))
        })
    };
    let is_yaml =
        |line: &str| line.is_empty() || line.starts_with([' ', '\t', '-', '#', ']', '}']) || is_key(line);
    let is_first = lines.clone().next().is_some_and(is_key);
    (is_first && lines.by_ref().take(end).all(is_yaml)).then_some(end + 2)
}

/// The addresses of the pictures that a text shows, each once.
pub fn addresses(text: &str) -> BTreeSet<String> {
    let (source, arena) = (Source::of(text), Arena::new());
    let mut found = BTreeSet::new();
    for node in source.parse(&arena).descendants() {
        match &node.data().value {
            NodeValue::Image(image) => _ = found.insert(image.url.clone()),
            NodeValue::HtmlBlock(block) => found.extend(html::addresses(&block.literal)),
            NodeValue::HtmlInline(html) => found.extend(html::addresses(html)),
            _ => {}
        }
    }
    found
}

pub(super) fn read(text: &str, chosen: Option<&str>, pictures: &Pictures) -> Read {
    let (source, arena) = (Source::of(text), Arena::new());
    let root = source.parse(&arena);
    let builder = Builder::new(pictures, notes_of(root));
    let mut reader =
        Reader { source: &source, builder, html: Reading::default(), open_tags: 0, picture: None };
    for edge in root.traverse() {
        match edge {
            NodeEdge::Start(node) => reader.start(node),
            NodeEdge::End(node) => reader.end(node),
        }
    }
    let (mut blocks, mut footnotes, mut left_out) = reader.builder.finish();
    left_out.addresses.extend(links::unused(root, &source.text).into_iter().map(|line| source.number(line)));
    left_out.metadata = metadata_of(&source.text);
    let title = take_title(&mut blocks, chosen);
    raise_headings(&mut blocks);
    left_out.unused_notes.extend(place_unmarked(&mut blocks, &mut footnotes));
    let footnotes = footnotes.into_iter().map(|footnote| footnote.blocks).collect();
    Read { blocks, footnotes, title, notes: left_out.sentences(MOST_COLUMNS) }
}

/// Sets footnotes at the end whose marks are in nothing that is set (what a picture shows, HTML that is left out); their lines.
fn place_unmarked(blocks: &mut Vec<Block>, footnotes: &mut [Footnote]) -> Vec<usize> {
    let mut marked = BTreeSet::new();
    for_each_span(blocks, &mut |span| marked.extend(span.footnote));
    let mut lines = Vec::new();
    for (number, footnote) in footnotes.iter_mut().enumerate() {
        if !marked.contains(&number) && !footnote.blocks.is_empty() {
            lines.push(footnote.line);
            blocks.append(&mut footnote.blocks);
        }
    }
    lines
}

/// The names of the footnotes that have a mark in the text itself, in the order of their marks.
fn notes_of<'a>(root: &'a AstNode<'a>) -> Vec<String> {
    let (mut names, mut known, mut inside) = (Vec::new(), BTreeSet::new(), 0usize);
    for edge in root.traverse() {
        let (node, begins) = match edge {
            NodeEdge::Start(node) => (node, true),
            NodeEdge::End(node) => (node, false),
        };
        match &node.data().value {
            NodeValue::FootnoteDefinition(_) if begins => inside += 1,
            NodeValue::FootnoteDefinition(_) => inside -= 1,
            NodeValue::FootnoteReference(mark)
                if begins && inside == 0 && known.insert(mark.name.clone()) =>
            {
                names.push(mark.name.clone());
            }
            _ => {}
        }
    }
    names
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
    let has_note = spans.iter().any(|span| span.footnote.is_some());
    if title.chars().count() <= TITLE_LENGTH && !has_note && chosen.is_none_or(|chosen| chosen == title) {
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

struct Reader<'s, 't> {
    source: &'s Source,
    builder: Builder<'t>,
    /// Of the HTML among the words of a paragraph.
    html: Reading,
    /// Elements of HTML that were open when the paragraph began.
    open_tags: usize,
    /// Pictures in each other that are being read, and what they show.
    picture: Option<(usize, String)>,
}

impl Reader<'_, '_> {
    fn start<'a>(&mut self, node: &'a AstNode<'a>) {
        let node = node.data();
        self.builder.line = self.source.number(node.sourcepos.start.line);
        match &node.value {
            NodeValue::BlockQuote | NodeValue::MultilineBlockQuote(_) => self.builder.open(Kind::Quote),
            NodeValue::Alert(alert) => {
                self.builder.open(Kind::Quote);
                self.builder.begin_style(Style::Strong);
                self.builder.write(alert.title.as_deref().unwrap_or(alert_title(alert.alert_type)));
                self.builder.end_words();
                self.builder.end_style(Style::Strong);
            }
            NodeValue::List(list) => {
                let start = (list.list_type == ListType::Ordered).then_some(list.start as u64);
                self.builder.open(Kind::List(start));
            }
            NodeValue::Item(_) => self.builder.open(Kind::Item(None)),
            NodeValue::TaskItem(task) => self.builder.open(Kind::Item(Some(task.symbol.is_some()))),
            NodeValue::FootnoteDefinition(note) => self.builder.open(Kind::Footnote(note.name.clone())),
            NodeValue::Table(table) => {
                self.builder.open(Kind::Table(table.alignments.iter().map(side_of).collect()));
            }
            NodeValue::TableRow(_) => self.builder.open(Kind::Row),
            NodeValue::TableCell => {
                self.builder.open(Kind::Cell(1, 1, Align::Auto));
                self.begin_words();
            }
            NodeValue::Heading(heading) => {
                self.builder.open(Kind::Heading(heading.level));
                self.begin_words();
            }
            NodeValue::Paragraph => {
                self.builder.end_words();
                self.begin_words();
            }
            NodeValue::CodeBlock(code) => {
                self.builder.end_words();
                self.builder.push(Block::Code { text: verbatim(&code.literal) });
            }
            NodeValue::ThematicBreak => {
                self.builder.end_words();
                self.builder.push(Block::Rule);
            }
            NodeValue::HtmlBlock(block) => {
                self.builder.end_words();
                let line = self.builder.line;
                Reading::default().read(&block.literal, line, true, &mut self.builder);
                self.builder.end_words();
                self.builder.end_styles();
            }
            value => self.start_inline(value),
        }
    }

    fn start_inline(&mut self, value: &NodeValue) {
        if let Some((open, alternative)) = &mut self.picture {
            match value {
                NodeValue::Image(_) => *open += 1,
                NodeValue::Text(text) => alternative.push_str(text),
                NodeValue::Code(code) => alternative.push_str(&code.literal),
                NodeValue::SoftBreak | NodeValue::LineBreak => alternative.push(' '),
                _ => {}
            }
            return;
        }
        if let NodeValue::HtmlInline(html) = value {
            return self.html.read(html, self.builder.line, false, &mut self.builder);
        }
        if !self.html.takes_words() {
            return;
        }
        match value {
            NodeValue::Text(text) => {
                if has_mark(text) {
                    self.builder.left_out.unknown_notes.push(self.builder.line);
                }
                self.builder.write(text);
            }
            NodeValue::Code(code) => {
                self.builder.begin_style(Style::Code);
                self.builder.write(&code.literal);
                self.builder.end_style(Style::Code);
            }
            NodeValue::SoftBreak => self.builder.end_line(),
            NodeValue::LineBreak => self.builder.break_line(),
            NodeValue::Link(link) => self.builder.begin_link(&link.url),
            NodeValue::Image(_) => self.picture = Some((1, String::new())),
            NodeValue::FootnoteReference(mark) => self.builder.footnote(&mark.name),
            value => {
                if let Some(style) = style_of(value) {
                    self.builder.begin_style(style);
                }
            }
        }
    }

    fn end<'a>(&mut self, node: &'a AstNode<'a>) {
        let node = node.data();
        match &node.value {
            NodeValue::BlockQuote
            | NodeValue::MultilineBlockQuote(_)
            | NodeValue::Alert(_)
            | NodeValue::List(_)
            | NodeValue::Item(_)
            | NodeValue::TaskItem(_) => self.builder.close(true),
            NodeValue::FootnoteDefinition(_) => {
                self.builder.line = self.source.number(node.sourcepos.start.line);
                self.builder.close(false);
            }
            NodeValue::Table(_) | NodeValue::TableRow(_) => self.builder.close(false),
            NodeValue::TableCell | NodeValue::Heading(_) => {
                self.end_words();
                self.builder.close(false);
            }
            NodeValue::Paragraph => self.end_words(),
            NodeValue::Image(image) => {
                let Some((open, alternative)) = &mut self.picture else { return };
                *open -= 1;
                if *open == 0 {
                    self.builder.picture(&image.url, alternative, &image.title);
                    self.picture = None;
                }
            }
            _ if self.picture.is_some() || !self.html.takes_words() => {}
            NodeValue::Link(_) => self.builder.end_link(),
            value => {
                if let Some(style) = style_of(value) {
                    self.builder.end_style(style);
                }
            }
        }
    }

    fn begin_words(&mut self) {
        self.html = Reading::default();
        self.open_tags = self.builder.open_tags().count();
    }

    fn end_words(&mut self) {
        self.builder.end_styles();
        self.builder.close_tags_down_to(self.open_tags);
        self.html = Reading::default();
    }
}

fn style_of(value: &NodeValue) -> Option<Style> {
    match value {
        NodeValue::Strong => Some(Style::Strong),
        NodeValue::Emph => Some(Style::Emphasis),
        NodeValue::Strikethrough => Some(Style::Struck),
        _ => None,
    }
}

fn side_of(side: &TableAlignment) -> Align {
    match side {
        TableAlignment::None => Align::Auto,
        TableAlignment::Left => Align::Left,
        TableAlignment::Center => Align::Center,
        TableAlignment::Right => Align::Right,
    }
}

fn alert_title(kind: AlertType) -> &'static str {
    match kind {
        AlertType::Note => "说明",
        AlertType::Tip => "提示",
        AlertType::Important => "重要",
        AlertType::Warning => "注意",
        AlertType::Caution => "警告",
    }
}

/// Whether words hold the mark of a footnote, which then has none.
fn has_mark(text: &str) -> bool {
    text.split("[^").skip(1).any(|rest| {
        let name = rest.split(']').next().unwrap_or_default();
        name.len() < rest.len() && !name.is_empty() && !name.contains([' ', '['])
    })
}
