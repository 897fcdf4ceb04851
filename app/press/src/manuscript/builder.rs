//! Puts words, and what they stand in, together as blocks. Markdown and the HTML in it tell it what begins and ends.

use std::collections::BTreeMap;

use super::blocks::{Align, Block, Item, Script, Span, has_words, lines, printable, verbatim, words};
use super::flat::flatten;
use super::left_out::LeftOut;
use super::pictures::Pictures;

/// Quotes in lists in quotes: what lies deeper stands at this depth.
const DEEPEST: usize = 8;
/// Elements of HTML in each other whose ends are waited for.
const MOST_OPEN: usize = 64;
/// Columns that fit on a page.
pub(super) const MOST_COLUMNS: usize = 12;
/// Characters that one reading can stand over: a line holds them, and it does not break.
const MOST_UNDER_RUBY: usize = 10;

/// What words or blocks stand in.
pub(super) enum Kind {
    /// Only its end and its side matter.
    Through(Align),
    Quote,
    List(Option<u64>),
    Item(Option<bool>),
    Heading(u8),
    /// Rows and the columns' sides, as far as they are known.
    Table(Vec<Align>),
    Row,
    /// How many columns and rows it covers, and its side.
    Cell(usize, usize, Align),
    Preformatted,
    /// By its name.
    Footnote(String),
}

struct Frame {
    kind: Kind,
    /// The element of HTML that it is; nothing for what Markdown says, which HTML can't end.
    tag: Option<&'static str>,
    blocks: Vec<Block>,
    items: Vec<Item>,
    rows: Vec<Vec<Vec<Span>>>,
    /// Of a row: its cells. Of a cell: its words, as the first.
    cells: Vec<Vec<Span>>,
    /// Of a table: for how many rows more cells from above cover each column.
    covered: Vec<usize>,
    text: String,
}

impl Frame {
    fn new(kind: Kind, tag: Option<&'static str>) -> Self {
        let (blocks, items, rows, cells) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { kind, tag, blocks, items, rows, cells, covered: Vec::new(), text: String::new() }
    }

    fn is_deep(&self) -> bool {
        matches!(self.kind, Kind::Quote | Kind::List(_))
    }
}

/// A way in which words are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Strong,
    Emphasis,
    Struck,
    Underlined,
    Marked,
    Code,
    Sub,
    Super,
}

/// How the words that come next are set.
#[derive(Default)]
struct Hand {
    /// What began and has not ended; the same way may have begun twice.
    styles: Vec<Style>,
    /// Where links lead, and which words are the first of them.
    links: Vec<(String, usize)>,
    /// Which words are the first that the next reading stands over.
    ruby: Option<usize>,
    /// The reading itself, while it is read.
    reading: Option<String>,
    /// A line of the source ended.
    line_ended: bool,
    /// What comes next belongs to another link than what was before.
    is_apart: bool,
}

/// A footnote and the line where it begins.
#[derive(Debug, Clone, Default)]
pub(super) struct Footnote {
    pub blocks: Vec<Block>,
    pub line: usize,
}

/// What a text is made of.
pub(super) struct Builder<'t> {
    pictures: &'t Pictures,
    frames: Vec<Frame>,
    /// Containers of Markdown that are too deep to be shown as such.
    passed: usize,
    spans: Vec<Span>,
    hand: Hand,
    /// Pictures that stood among words, and follow them.
    waiting: Vec<Block>,
    /// The numbers of footnotes by their names.
    numbers: BTreeMap<String, usize>,
    footnotes: Vec<Footnote>,
    pub left_out: LeftOut,
    /// Where in the source the words stand.
    pub line: usize,
}

impl<'t> Builder<'t> {
    /// `notes` are the names of the footnotes that have a mark in the text, in the order of their marks.
    pub fn new(pictures: &'t Pictures, notes: Vec<String>) -> Self {
        Self {
            pictures,
            frames: vec![Frame::new(Kind::Through(Align::Auto), None)],
            passed: 0,
            spans: Vec::new(),
            hand: Hand::default(),
            waiting: Vec::new(),
            footnotes: vec![Footnote::default(); notes.len()],
            numbers: notes.into_iter().zip(0..).collect(),
            left_out: LeftOut::default(),
            line: 1,
        }
    }

    /// The blocks, the footnotes, and what was left out.
    pub fn finish(mut self) -> (Vec<Block>, Vec<Footnote>, LeftOut) {
        while self.frames.len() > 1 {
            self.close_last();
        }
        self.end_words();
        (self.frames.pop().map(|root| root.blocks).unwrap_or_default(), self.footnotes, self.left_out)
    }

    /// Something of Markdown begins.
    pub fn open(&mut self, kind: Kind) {
        self.end_words();
        if matches!(kind, Kind::Quote | Kind::List(_) | Kind::Item(_)) && self.is_deepest(&kind) {
            self.passed += 1;
        } else {
            self.frames.push(Frame::new(kind, None));
        }
    }

    /// What [`Builder::open`] began last ends, and the HTML in it. `is_passable` says that it was a quote, a list or an entry.
    pub fn close(&mut self, is_passable: bool) {
        self.end_words();
        if is_passable && self.passed > 0 {
            self.passed -= 1;
            return;
        }
        while self.frames.len() > 1 {
            let was_markdown = self.frames.last().is_some_and(|frame| frame.tag.is_none());
            self.close_last();
            if was_markdown {
                return;
            }
        }
    }

    fn is_deepest(&self, kind: &Kind) -> bool {
        let is_full = self.frames.iter().filter(|frame| frame.is_deep()).count() >= DEEPEST;
        // the entries of the last list are entries
        let in_list = || matches!(self.frames.last(), Some(Frame { kind: Kind::List(_), .. }));
        is_full && !(matches!(kind, Kind::Item(_)) && self.passed == 0 && in_list())
    }

    /// An element of HTML begins.
    pub fn open_tag(&mut self, tag: &'static str, kind: Kind) {
        self.end_words();
        let is_deep = matches!(kind, Kind::Quote | Kind::List(_)) && self.is_deepest(&kind);
        if self.frames.len() < MOST_OPEN {
            let kind = if is_deep { Kind::Through(Align::Auto) } else { kind };
            self.frames.push(Frame::new(kind, Some(tag)));
        }
    }

    /// An element of HTML ends, if it is open and nothing of Markdown lies between.
    pub fn close_tag(&mut self, tag: &str) {
        self.end_words();
        let count = self.open_tags().position(|open| open == tag);
        if let Some(count) = count {
            (0..=count).for_each(|_| self.close_last());
        }
    }

    /// The innermost elements of HTML, up to what Markdown says.
    pub fn open_tags(&self) -> impl Iterator<Item = &'static str> {
        self.frames.iter().skip(1).rev().map_while(|frame| frame.tag)
    }

    /// Ends elements of HTML until so many are open inside of what Markdown says.
    pub fn close_tags_down_to(&mut self, count: usize) {
        self.end_words();
        (count..self.open_tags().count()).for_each(|_| self.close_last());
    }

    fn close_last(&mut self) {
        self.end_words();
        let Some(mut frame) = self.frames.pop() else { return };
        match frame.kind {
            Kind::Through(_) => {}
            Kind::Quote if frame.blocks.is_empty() => {}
            Kind::Quote => self.push(Block::Quote { blocks: frame.blocks }),
            Kind::List(start) if !frame.items.is_empty() => {
                self.push(Block::List { start, items: frame.items })
            }
            Kind::List(_) => {}
            Kind::Item(done) => self.push_item(Item { done, blocks: frame.blocks }),
            Kind::Heading(_) => frame.blocks.into_iter().for_each(|block| self.push(block)),
            Kind::Table(columns) => self.push_table(columns, frame.rows),
            Kind::Row => self.push_row(frame.cells),
            Kind::Cell(columns, rows, align) => {
                self.push_cell(frame.cells.pop().unwrap_or_default(), (columns, rows), align);
            }
            Kind::Preformatted => {
                let text = verbatim(frame.text.strip_prefix('\n').unwrap_or(&frame.text));
                if !text.is_empty() {
                    self.push(Block::Code { text });
                }
                // what stood in elements of its own
                frame.blocks.into_iter().for_each(|block| self.push(block));
            }
            Kind::Footnote(name) => self.push_footnote(&name, frame.blocks),
        }
    }

    /// A block where it stands: pictures and tables follow the table that they are in, other blocks become words of its cell.
    pub fn push(&mut self, block: Block) {
        let Some(frame) = self.frames.iter_mut().rev().find(|frame| !is_through(frame)) else { return };
        match frame.kind {
            Kind::Cell(..) if !matches!(block, Block::Picture { .. }) => {
                let mut spans = Vec::new();
                flatten(&block, &mut spans);
                write_below(&mut frame.cells, spans);
            }
            Kind::Cell(..) | Kind::Row | Kind::Table(_) => self.waiting.push(block),
            Kind::List(_) => frame.items.push(Item { done: None, blocks: vec![block] }),
            _ => frame.blocks.push(block),
        }
    }

    fn push_item(&mut self, item: Item) {
        match self.frames.last_mut() {
            Some(frame) if matches!(frame.kind, Kind::List(_)) => frame.items.push(item),
            // an entry without a list
            _ => self.push(Block::List { start: None, items: vec![item] }),
        }
    }

    fn push_cell(&mut self, spans: Vec<Span>, (columns, rows): (usize, usize), align: Align) {
        let (row, table) = match self.frames.as_mut_slice() {
            [.., table, row] if matches!(row.kind, Kind::Row) => (row, table),
            // a cell that is in no table: its words stand for themselves
            _ => {
                self.spans = spans;
                return self.end_words();
            }
        };
        let column = passed_over(&mut row.cells, &table.covered);
        row.cells.push(spans);
        if let Kind::Table(sides) = &mut table.kind {
            if sides.len() <= column {
                sides.resize(column + 1, Align::Auto);
            }
            if let Some(side) = sides.get_mut(column).filter(|side| **side == Align::Auto) {
                *side = align;
            }
            for _ in 1..columns.min(MOST_COLUMNS) {
                row.cells.push(Vec::new());
            }
            if rows > 1 {
                table.covered.resize(table.covered.len().max(row.cells.len()), 0);
                // this row counts, too
                table.covered.iter_mut().take(row.cells.len()).skip(column).for_each(|left| *left = rows);
            }
        }
    }

    fn push_row(&mut self, mut cells: Vec<Vec<Span>>) {
        let is_table = |frame: &&mut Frame| matches!(frame.kind, Kind::Table(_));
        match self.frames.last_mut().filter(is_table) {
            Some(table) => {
                passed_over(&mut cells, &table.covered);
                table.covered.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
                let beyond = cells.iter().skip(MOST_COLUMNS).filter(|cell| has_words(cell)).count();
                self.left_out.cells.extend(std::iter::repeat_n(self.line, beyond));
                cells.truncate(MOST_COLUMNS);
                table.rows.push(cells);
            }
            // a row without a table
            None => cells.into_iter().for_each(|spans| {
                self.spans = spans;
                self.end_words();
            }),
        }
    }

    fn push_table(&mut self, mut columns: Vec<Align>, mut rows: Vec<Vec<Vec<Span>>>) {
        let most = rows.iter().map(Vec::len).max().unwrap_or(0);
        if rows.iter().flatten().any(|cell| has_words(cell)) {
            rows.iter_mut().for_each(|row| row.resize(most, Vec::new()));
            columns.resize(most, Align::Auto);
            self.push(Block::Table { columns, rows });
        }
        self.end_words();
    }

    fn push_footnote(&mut self, name: &str, blocks: Vec<Block>) {
        let place = self.numbers.get(name).and_then(|number| self.footnotes.get_mut(*number));
        match place {
            Some(place) if place.blocks.is_empty() => *place = Footnote { blocks, line: self.line },
            _ => {
                self.left_out.unused_notes.push(self.line);
                let named = Span::plain(&format!("注 {name}："));
                let mut blocks = blocks;
                match blocks.first_mut() {
                    Some(Block::Paragraph { spans, .. }) => spans.insert(0, named),
                    _ => blocks.insert(0, Block::Paragraph { spans: vec![named], align: Align::Auto }),
                }
                blocks.into_iter().for_each(|block| self.push(block));
            }
        }
    }

    /// The words up to here are a paragraph, or what else they stand in makes of them; then come the pictures among them.
    pub fn end_words(&mut self) {
        let hand = &mut self.hand;
        (hand.line_ended, hand.is_apart, hand.ruby) = (false, false, None);
        hand.links.iter_mut().for_each(|(_, from)| *from = 0);
        let mut spans = std::mem::take(&mut self.spans);
        while spans.last().is_some_and(|span| span.line_break) {
            spans.pop();
        }
        if has_words(&spans) {
            self.place(spans);
        }
        let holds_table = self.frames.iter().any(|frame| matches!(frame.kind, Kind::Table(_)));
        if !holds_table {
            std::mem::take(&mut self.waiting).into_iter().for_each(|block| self.push(block));
        }
    }

    fn place(&mut self, spans: Vec<Span>) {
        let align = self.frames.iter().rev().find_map(|frame| match frame.kind {
            Kind::Through(Align::Auto) => None,
            Kind::Through(align) => Some(align),
            _ => Some(Align::Auto),
        });
        match self.frames.iter_mut().rev().find(|frame| !is_through(frame)) {
            Some(Frame { kind: Kind::Heading(level), blocks, .. }) => {
                let level = *level;
                if spans.iter().any(|span| span.address.is_some()) {
                    self.left_out.links.push(self.line);
                }
                blocks.push(Block::Heading { level, spans: without_addresses(spans) });
            }
            Some(Frame { kind: Kind::Cell(..), cells, .. }) => write_below(cells, spans),
            _ => self.push(Block::Paragraph { spans, align: align.unwrap_or_default() }),
        }
    }

    /// Words as they stand.
    pub fn write(&mut self, text: &str) {
        if let Some(frame) = self.frames.last_mut().filter(|frame| matches!(frame.kind, Kind::Preformatted)) {
            frame.text.push_str(text);
            return;
        }
        if let Some(reading) = &mut self.hand.reading {
            reading.push_str(text);
            return;
        }
        for (index, line) in lines(text).enumerate() {
            if index > 0 {
                self.break_line();
            }
            if !line.is_empty() {
                self.write_line(line);
            }
        }
    }

    fn write_line(&mut self, text: &str) {
        // a line of the source ends like a word, but Chinese has no blanks between words
        if std::mem::take(&mut self.hand.line_ended) {
            let before = self.spans.last().and_then(|span| span.text.chars().last());
            let is_wide = |character: Option<char>| character.is_some_and(|c| c >= '\u{2e80}');
            if before.is_some() && !(is_wide(before) && is_wide(text.chars().next())) {
                self.add(Span::plain(" "));
            }
        }
        let has = |style| self.hand.styles.contains(&style);
        let script = self.hand.styles.iter().rev().find_map(|style| match style {
            Style::Sub => Some(Script::Sub),
            Style::Super => Some(Script::Super),
            _ => None,
        });
        let span = Span {
            text: printable(text),
            strong: has(Style::Strong),
            emphasis: has(Style::Emphasis),
            struck: has(Style::Struck),
            underlined: has(Style::Underlined),
            marked: has(Style::Marked),
            code: has(Style::Code),
            script,
            ..Span::default()
        };
        self.add(span);
    }

    fn add(&mut self, span: Span) {
        let bare = |span: &Span| Span { text: String::new(), ..span.clone() };
        let is_apart = std::mem::take(&mut self.hand.is_apart);
        match self.spans.last_mut() {
            Some(last) if !is_apart && bare(last) == bare(&span) => last.text.push_str(&span.text),
            _ => self.spans.push(span),
        }
    }

    /// A line of the source ended among words.
    pub fn end_line(&mut self) {
        match self.frames.last_mut().filter(|frame| matches!(frame.kind, Kind::Preformatted)) {
            Some(frame) => frame.text.push('\n'),
            None => self.hand.line_ended = true,
        }
    }

    /// The words go on in a new line.
    pub fn break_line(&mut self) {
        match self.frames.last_mut().filter(|frame| matches!(frame.kind, Kind::Preformatted)) {
            Some(frame) => frame.text.push('\n'),
            None if has_words(&self.spans) => {
                self.hand.line_ended = false;
                self.spans.push(Span::line_break());
            }
            None => {}
        }
    }

    /// Whether words stand in the line that is being written.
    pub fn is_in_line(&self) -> bool {
        self.spans.last().is_some_and(|span| !span.line_break)
    }

    pub fn is_preformatted(&self) -> bool {
        self.frames.last().is_some_and(|frame| matches!(frame.kind, Kind::Preformatted))
    }

    pub fn begin_style(&mut self, style: Style) {
        self.hand.styles.push(style);
    }

    pub fn end_style(&mut self, style: Style) {
        if let Some(last) = self.hand.styles.iter().rposition(|begun| *begun == style) {
            self.hand.styles.remove(last);
        }
    }

    /// Ends what HTML began among the words of a paragraph and did not end.
    pub fn end_styles(&mut self) {
        self.end_ruby();
        self.hand.styles.clear();
        while !self.hand.links.is_empty() {
            self.end_link();
        }
    }

    pub fn begin_link(&mut self, address: &str) {
        self.hand.links.push((address.to_owned(), self.spans.len()));
        self.hand.is_apart = true;
    }

    /// Notes where the words of the link led, unless they say so themselves or it is a place in the text.
    pub fn end_link(&mut self) {
        let Some((address, from)) = self.hand.links.pop() else { return };
        self.hand.is_apart = true;
        let linked = self.spans.get(from..).map(words).unwrap_or_default();
        let plain = address.trim_start_matches("mailto:");
        let says_so = linked.trim_end_matches('/') == plain.trim_end_matches('/');
        if says_so || plain.is_empty() || address.starts_with('#') {
            return;
        }
        if linked.is_empty() {
            self.left_out.links.push(self.line);
            return;
        }
        if let Some(last) = self.spans.last_mut() {
            last.address = Some(printable(plain));
        }
    }

    /// The words that come next may have a reading over them.
    pub fn begin_ruby(&mut self) {
        self.hand.ruby = Some(self.spans.len());
        self.hand.is_apart = true;
    }

    /// The reading of the words since the last one begins.
    pub fn begin_reading(&mut self) {
        self.end_reading();
        self.hand.reading = Some(String::new());
    }

    pub fn end_reading(&mut self) {
        let Some(reading) = self.hand.reading.take() else { return };
        let reading = printable(reading.trim());
        let from = self.hand.ruby.unwrap_or(self.spans.len()).min(self.spans.len());
        let under = self.spans.split_off(from);
        let base: String = under.iter().map(|span| span.text.as_str()).collect();
        let length = base.trim().chars().count();
        let is_set = (1..=MOST_UNDER_RUBY).contains(&length) && !reading.is_empty();
        let first = under.first().cloned().unwrap_or_default();
        if is_set && under.iter().all(|span| span.footnote.is_none() && span.ruby.is_none()) {
            let address = under.into_iter().rev().find_map(|span| span.address);
            let text = base.trim().to_owned();
            self.spans.push(Span { text, ruby: Some(reading), address, line_break: false, ..first });
        } else {
            self.spans.extend(under);
            if !reading.is_empty() {
                self.spans.push(Span::plain(&format!("（{reading}）")));
            }
        }
        self.begin_ruby();
    }

    pub fn end_ruby(&mut self) {
        self.end_reading();
        self.hand.ruby = None;
    }

    /// The mark of a footnote; its name where the text has none.
    pub fn footnote(&mut self, name: &str) {
        match self.numbers.get(name) {
            Some(number) => {
                self.hand.line_ended = false;
                self.spans.push(Span { footnote: Some(*number), ..Span::default() });
            }
            None => self.write(&format!("[^{name}]")),
        }
    }

    /// A picture with its words, of which those in quotes are meant to be read.
    pub fn picture(&mut self, address: &str, alternative: &str, title: &str) {
        let Some(picture) = self.pictures.find(address) else {
            self.left_out.pictures.push(self.line);
            return;
        };
        let caption = if title.trim().is_empty() { alternative } else { title };
        let (alternative, caption) = (printable(alternative.trim()), printable(caption.trim()));
        self.waiting.push(Block::Picture { picture, alternative, caption });
    }
}

/// The whole text is none.
fn is_through(frame: &Frame) -> bool {
    frame.tag.is_some() && matches!(frame.kind, Kind::Through(_))
}

/// Leaves the columns empty that cells of rows above cover; the next column.
fn passed_over(cells: &mut Vec<Vec<Span>>, covered: &[usize]) -> usize {
    while covered.get(cells.len()).is_some_and(|rows| *rows > 0) {
        cells.push(Vec::new());
    }
    cells.len()
}

fn write_below(cells: &mut Vec<Vec<Span>>, mut spans: Vec<Span>) {
    match cells.first_mut() {
        Some(cell) => {
            cell.push(Span::line_break());
            cell.append(&mut spans);
        }
        None => cells.push(spans),
    }
}

/// Headings stand in the contents, too, where no address is shown.
fn without_addresses(spans: Vec<Span>) -> Vec<Span> {
    spans.into_iter().map(|span| Span { address: None, ..span }).collect()
}
