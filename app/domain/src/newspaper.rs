//! Which articles a page of a newspaper may have, concluded from the words on it and where they stand. A page does not say
//! what an article is: what comes out is proposed to its maker, never published by itself.
//!
//! A headline is larger than the text around it, or bold where nothing larger stands over it. Its text stands below it, or beside
//! it where it runs down; columns that begin level with that text, or that no other headline is over, are its text too. No text
//! crosses a rule, or leaves a box. Texts that go on on another page are not put together.

mod owners;

use crate::document::{Rect, TextRole};
use crate::hot_area::{LEAST_SIDE, Place};
use crate::publication::{AUTHOR_LENGTH, HEADLINE_LENGTH, MOST_AREAS, TEXT_LENGTH};
use crate::reading::{Part, Separators, around, page_order};

/// Words that stand together on a page, in reading order.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    pub role: TextRole,
    /// A line feed ends a paragraph.
    pub text: String,
    /// In per mille of the page.
    pub frame: Rect,
    /// The height of one of its lines, in per mille of the page's height.
    pub line: f64,
    /// The width of a character, in per mille of the page's width.
    pub em: f64,
    /// Its lines run from top to bottom.
    pub is_vertical: bool,
}

impl Piece {
    /// Of lines with what they say, in per mille of a page that is `shape` times as wide as high; nothing of no lines.
    pub fn of(role: TextRole, text: String, lines: &[(&str, Rect)], shape: f64) -> Option<Self> {
        let mut heights: Vec<f64> = lines.iter().map(|(_, line)| line.height).collect();
        heights.sort_by(f64::total_cmp);
        let height = *heights.get(heights.len() / 2)?;
        let runs_down = |(text, line): &&(&str, Rect)| {
            text.chars().count() > 1 && line.height > RUNS_DOWN * line.width * shape
        };
        let is_vertical = lines.iter().filter(runs_down).count() * 2 > lines.len();
        let mut widths: Vec<f64> = lines.iter().map(|(_, line)| line.width * shape).collect();
        widths.sort_by(f64::total_cmp);
        let line = if is_vertical { widths[widths.len() / 2] } else { height };
        let frame = around(lines.iter().map(|(_, line)| *line));
        let em = line / shape;
        // without what hangs behind the lines or before them
        let end = |(text, line): &(&str, Rect)| {
            let hangs =
                text.ends_with(['，', '。', '、', '；', '：', '！', '？', '”', '’', '》', '」', '』', '）']);
            line.x + line.width - if hangs { em } else { 0.0 }
        };
        let start = |(text, line): &(&str, Rect)| {
            line.x + if text.starts_with(['“', '‘', '《', '「', '『', '（']) { em / 2.0 } else { 0.0 }
        };
        let right = lines.iter().map(end).fold(f64::MIN, f64::max);
        let left = lines.iter().map(start).fold(f64::MAX, f64::min);
        let frame =
            if !is_vertical && right > left { Rect { x: left, width: right - left, ..frame } } else { frame };
        Some(Self { role, text, frame, line, em, is_vertical })
    }
}

/// An article as it may be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposal {
    /// 引题, above the title.
    pub kicker: String,
    pub title: String,
    /// 副题, below it.
    pub subtitle: String,
    pub author: String,
    pub text: String,
    /// Where it stands on the page.
    pub areas: Vec<Place>,
}

/// Words of a headline have at most so many characters.
const MOST_OF_HEADLINE: usize = 60;
/// Parts of one headline stand so near to each other, in heights of the smallest one's lines.
const NEAR: f64 = 1.6;
/// How much of a text stands below a headline, of the narrower one's width.
const BELOW: f64 = 0.3;
/// A heading is no headline by itself if it is no larger than this, of the usual line: bold words between paragraphs.
const STRONG: f64 = 1.15;
/// Lines run down that are so much higher than wide.
const RUNS_DOWN: f64 = 1.5;
/// A part of a headline is at least so much larger than the text.
const LARGER: f64 = 1.08;
/// What is so much larger stands along no page's edge.
const LARGE: f64 = 1.25;
/// White space between columns, in per mille of the page.
const GUTTER: f64 = 2.0;
/// More pieces than this are no newspaper's, and nothing parts them; of the lines, the longest are looked at.
const MOST_PIECES: usize = 1_000;
const MOST_RULES: usize = 300;
/// The name of a newspaper stands over a line so near to the upper edge, in per mille, which is so long, of all that stands there.
const MASTHEAD: f64 = 150.0;
const MASTHEAD_RULE: f64 = 0.8;
/// Bands along the edges in which names of pages and dates stand, in per mille, and how long those are.
const HEAD_BAND: f64 = 55.0;
const FOOT_BAND: f64 = 970.0;
const MOST_OF_BAND: usize = 40;
/// Words of another size, by this part, are no part of a paragraph.
const OTHER: f64 = 0.05;
/// Who wrote something has at most so many characters, where nothing says that it is a name.
const MOST_OF_NAME: usize = 10;
/// Words under pictures are so much smaller than the text.
const SMALLER: f64 = 0.93;
/// How far areas reach around their words, in per mille.
const AROUND: f64 = 5.0;

/// A headline with all its parts.
struct Headline<'a> {
    parts: Vec<&'a Piece>,
    frame: Rect,
}

impl Headline<'_> {
    fn is_vertical(&self) -> bool {
        self.parts.iter().all(|part| part.is_vertical)
    }
}

/// The articles that a page may have, in the order in which they are read. `separators` are in per mille of the page, too.
pub fn propose(pieces: &[Piece], separators: &Separators) -> Vec<Proposal> {
    let mut separators = separators.clone();
    separators.rules.sort_by(|one, other| length(other).total_cmp(&length(one)));
    separators.rules.truncate(MOST_RULES);
    if pieces.len() > MOST_PIECES {
        separators = Separators::default();
    }
    let masthead = masthead(pieces, &separators);
    let usual = usual_line(pieces);
    let is_of_edge = |piece: &Piece| is_of_edge(piece, usual) || bottom(&piece.frame) <= masthead;
    let pieces: Vec<&Piece> =
        pieces.iter().filter(|piece| !piece.text.trim().is_empty() && !is_of_edge(piece)).collect();
    let is_large = |piece: &Piece| is_headline(piece) && piece.line >= STRONG * usual;
    // a line over or under a headline that is little larger than the text is a part of it
    let is_part = |piece: &Piece| {
        let is_line = piece.frame.height < 1.5 * piece.line && piece.text.chars().count() <= MOST_OF_HEADLINE;
        let touches = |other: &&Piece| {
            let gap = (other.frame.y - bottom(&piece.frame)).max(piece.frame.y - bottom(&other.frame));
            is_large(other)
                && gap < 0.6 * piece.line
                && shared(&other.frame, &piece.frame) > 0.9 * other.frame.width.min(piece.frame.width)
        };
        is_line
            && piece.line >= LARGER * usual
            && !piece.is_vertical
            && !is_byline(&piece.text)
            && pieces.iter().any(touches)
    };
    let is_strong = |piece: &Piece| is_large(piece) || is_part(piece);
    let strong: Vec<&Piece> = pieces.iter().copied().filter(|piece| is_strong(piece)).collect();
    let found = headlines(&strong, &separators);
    // bold words of the text's size are a headline where nothing else is over them
    let weak: Vec<&Piece> =
        pieces.iter().copied().filter(|piece| is_headline(piece) && !is_strong(piece)).collect();
    let covered = owners::owners(&found, &weak, &separators);
    let alone: Vec<&Piece> =
        weak.iter().zip(covered).filter(|(_, owner)| owner.is_none()).map(|(piece, _)| *piece).collect();
    let is_alone = |piece: &Piece| alone.iter().any(|other| std::ptr::eq(*other, piece));
    let all: Vec<&Piece> =
        pieces.iter().copied().filter(|piece| is_strong(piece) || is_alone(piece)).collect();
    let headlines = headlines(&all, &separators);
    let running: Vec<&Piece> =
        pieces.iter().copied().filter(|piece| !is_strong(piece) && !is_alone(piece)).collect();
    let mut texts: Vec<Vec<&Piece>> = vec![Vec::new(); headlines.len()];
    let mut stray: Vec<&Piece> = Vec::new();
    let mut last = None;
    for (piece, owner) in running.iter().zip(owners::owners(&headlines, &running, &separators)) {
        match owner.or(last) {
            Some(index) => {
                texts[index].push(piece);
                last = Some(index);
            }
            None => stray.push(piece),
        }
    }
    let texts: Vec<Vec<&Piece>> = texts.into_iter().map(|text| in_order(text, &separators)).collect();
    let all: Vec<Vec<&Piece>> = headlines
        .iter()
        .zip(&texts)
        .map(|(headline, text)| headline.parts.iter().chain(text).copied().collect())
        .collect();
    // a name of the paper, a picture's title: nothing to read
    let told = headlines.iter().zip(&texts).enumerate().filter(|(_, (_, text))| !text.is_empty());
    let articles = told.map(|(index, (headline, text))| {
        let others = all.iter().enumerate().filter(|(other, _)| *other != index);
        let others: Vec<Rect> = others.flat_map(|(_, parts)| parts.iter().map(|part| part.frame)).collect();
        article(headline, text, &all[index], &others)
    });
    without_headline(&stray).into_iter().chain(articles).collect()
}

/// The pieces of one article, column by column.
fn in_order<'a>(pieces: Vec<&'a Piece>, separators: &Separators) -> Vec<&'a Piece> {
    let part =
        |piece: &&Piece| Part { frame: piece.frame, is_heading: false, is_vertical: piece.is_vertical };
    let parts: Vec<Part> = pieces.iter().map(part).collect();
    page_order(&parts, separators, GUTTER).into_iter().map(|index| pieces[index]).collect()
}

/// The height of most characters' lines.
fn usual_line(pieces: &[Piece]) -> f64 {
    let mut lines: Vec<(f64, usize)> =
        pieces.iter().map(|piece| (piece.line, piece.text.chars().count())).collect();
    lines.sort_by(|one, other| one.0.total_cmp(&other.0));
    let half = lines.iter().map(|(_, count)| count).sum::<usize>() / 2;
    let mut passed = 0;
    let middle = lines.iter().find(|(_, count)| {
        passed += count;
        passed > half
    });
    middle.map_or(0.0, |(line, _)| *line)
}

/// Down to where the paper's own name and date stand: over the first line across the page, where a year is among the words.
fn masthead(pieces: &[Piece], separators: &Separators) -> f64 {
    let left = pieces.iter().map(|piece| piece.frame.x).fold(f64::MAX, f64::min);
    let right = pieces.iter().map(|piece| piece.frame.x + piece.frame.width).fold(f64::MIN, f64::max);
    let across = separators.level().filter(|rule| rule.width >= MASTHEAD_RULE * (right - left));
    let tops = across.map(|rule| rule.y).filter(|y| *y <= MASTHEAD);
    let above = |y: f64| pieces.iter().filter(move |piece| piece.frame.y + piece.frame.height / 2.0 < y);
    let Some(line) = tops.filter(|y| above(*y).next().is_some()).min_by(f64::total_cmp) else { return 0.0 };
    let names_year = |piece: &Piece| {
        let digits: Vec<char> = piece.text.chars().collect();
        digits
            .windows(4)
            .any(|four| matches!(four[..2], ['1', '9'] | ['2', '0']) && four.iter().all(char::is_ascii_digit))
    };
    let is_short =
        |piece: &Piece| piece.text.chars().count() <= MOST_OF_BAND * piece.text.lines().count().max(1);
    if above(line).any(names_year) && above(line).all(is_short) { line } else { 0.0 }
}

fn length(rule: &Rect) -> f64 {
    rule.width.max(rule.height)
}

/// Whether it is what stands along the edges of every page.
fn is_of_edge(piece: &Piece, usual: f64) -> bool {
    let is_large = piece.role == TextRole::Title || is_headline(piece) && piece.line >= LARGE * usual;
    let is_short = piece.text.chars().count() <= MOST_OF_BAND && !is_large;
    is_short && (bottom(&piece.frame) < HEAD_BAND || piece.frame.y > FOOT_BAND)
}

fn is_headline(piece: &Piece) -> bool {
    matches!(piece.role, TextRole::Title | TextRole::Heading)
        && piece.text.chars().count() <= MOST_OF_HEADLINE
}

fn bottom(frame: &Rect) -> f64 {
    frame.y + frame.height
}

fn shared(one: &Rect, other: &Rect) -> f64 {
    (one.x + one.width).min(other.x + other.width) - one.x.max(other.x)
}

/// Parts that stand over each other are one headline.
fn headlines<'a>(pieces: &[&'a Piece], separators: &Separators) -> Vec<Headline<'a>> {
    let mut headlines: Vec<Headline> = Vec::new();
    for piece in pieces {
        let belongs = headlines.iter_mut().find(|known| {
            let line = known.parts.iter().map(|part| part.line).fold(piece.line, f64::min);
            let gap = (piece.frame.y - bottom(&known.frame)).max(known.frame.y - bottom(&piece.frame));
            let narrow = known.frame.width.min(piece.frame.width);
            known.parts.iter().all(|part| part.is_vertical == piece.is_vertical)
                && gap < NEAR * line
                && shared(&known.frame, &piece.frame) > BELOW * narrow
                && !separators.part_over(&known.frame, &piece.frame)
                && !separators.part_over(&piece.frame, &known.frame)
        });
        match belongs {
            Some(known) => {
                known.frame = around([known.frame, piece.frame]);
                known.parts.push(piece);
            }
            None => headlines.push(Headline { parts: vec![piece], frame: piece.frame }),
        }
    }
    headlines
}

fn article(headline: &Headline, text: &[&Piece], parts: &[&Piece], others: &[Rect]) -> Proposal {
    let mut stacked = headline.parts.clone();
    stacked.sort_by(|one, other| one.frame.y.total_cmp(&other.frame.y));
    let largest = stacked.iter().map(|part| part.line).fold(0.0, f64::max);
    let is_main = |part: &&&Piece| part.line > 0.95 * largest;
    let from = stacked.iter().position(|part| is_main(&part)).unwrap_or(0);
    let to = stacked.iter().rposition(|part| is_main(&part)).unwrap_or(from);
    let words = |parts: &[&Piece]| {
        let words: Vec<String> = parts.iter().map(|part| one_line(&part.text)).collect();
        words.join(" ").chars().take(HEADLINE_LENGTH).collect::<String>()
    };
    let (author, text) = text_of(text);
    Proposal {
        kicker: words(&stacked[..from]),
        title: words(&stacked[from..=to]),
        subtitle: words(&stacked[to + 1..]),
        author,
        text,
        areas: areas(parts, others),
    }
}

/// What stands under no headline is one article, called by its first words.
fn without_headline(text: &[&Piece]) -> Option<Proposal> {
    let first = text.first()?;
    let title: String = one_line(&first.text).chars().take(20).collect();
    let (author, words) = text_of(text);
    Some(Proposal { title, author, text: words, areas: areas(text, &[]), ..Proposal::default() })
}

fn one_line(text: &str) -> String {
    text.replace('\u{ad}', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of all its pieces; words under pictures come last. A paragraph goes on in the next column.
fn text_of(pieces: &[&Piece]) -> (String, String) {
    // a smaller line or two
    let usual = usual_line(&pieces.iter().map(|piece| (*piece).clone()).collect::<Vec<_>>());
    let is_caption = |piece: &&&Piece| {
        let is_small = piece.line < SMALLER * usual && piece.frame.height < 3.5 * piece.line;
        let is_name = |piece: &Piece| {
            piece.text.chars().count() <= MOST_OF_NAME && !piece.text.contains(['。', '，', '：'])
        };
        let is_first = pieces.first().is_some_and(|first| std::ptr::eq(*first, **piece));
        piece.role == TextRole::Caption
            || is_small && !is_byline(&piece.text) && !(is_first && is_name(piece))
    };
    let (captions, running): (Vec<&Piece>, Vec<&Piece>) = pieces.iter().partition(is_caption);
    let only_captions = running.is_empty();
    let mut text = String::new();
    let mut was_apart = false;
    let mut before: Option<(Rect, f64)> = None;
    let mut add = |piece: &Piece, goes_on: bool| {
        // a line alone over others, verse or a name; or another size
        let is_apart = before.is_some_and(|(frame, line)| {
            let is_line = frame.height < 1.5 * piece.line && frame.y < piece.frame.y;
            is_line && shared(&frame, &piece.frame) > 0.0 || (line - piece.line).abs() > OTHER * line
        });
        let is_table = piece.text.contains('\t');
        let is_heading = is_headline(piece);
        let words = piece.text.replace('\u{ad}', "");
        // an empty cell begins a row
        let words = words.trim_matches(|c: char| c.is_whitespace() && c != '\t');
        let is_over = text.chars().last().is_none_or(|last| "。！？…”」』：；.!?\n".contains(last));
        if !text.is_empty()
            && (is_over || !goes_on || is_apart || is_heading || was_apart || is_table || is_byline(&text))
        {
            text.push('\n');
        }
        text.push_str(words);
        was_apart = is_heading || is_table;
        before = Some((piece.frame, piece.line));
    };
    running.iter().for_each(|piece| add(piece, true));
    captions.iter().for_each(|piece| add(piece, only_captions));
    let (author, text) = author_of(text);
    (author, text.chars().take(TEXT_LENGTH).collect())
}

/// Whether a line says who wrote what follows.
fn is_byline(line: &str) -> bool {
    const BEGINNINGS: [&str; 7] = ["本报记者", "记者", "通讯员", "文/", "作者", "□", "■"];
    let line = line.trim();
    BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))
        && line.chars().count() <= 24
        && !line.contains(['，', '。', '：', ',', '\n'])
}

/// A byline on a line of its own.
fn author_of(text: String) -> (String, String) {
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let line = first.trim();
    if !is_byline(line) || rest.is_empty() {
        return (String::new(), text);
    }
    let author = line.trim_start_matches(['□', '■']).trim_start_matches("文/").trim();
    let author = author.strip_prefix("作者").unwrap_or(author).trim_start_matches([':', '：', ' ']);
    (author.chars().take(AUTHOR_LENGTH).collect(), rest.to_owned())
}

/// One rectangle around all of it, unless something of another article lies in that: then one for each piece.
fn areas(parts: &[&Piece], others: &[Rect]) -> Vec<Place> {
    let frames = parts.iter().map(|part| part.frame);
    let whole = around(frames.clone());
    let lies_in = |other: &Rect| {
        let (x, y) = (other.x + other.width / 2.0, other.y + other.height / 2.0);
        (whole.x..whole.x + whole.width).contains(&x) && (whole.y..bottom(&whole)).contains(&y)
    };
    if !others.iter().any(lies_in) || parts.len() > MOST_AREAS {
        return place(&whole).into_iter().collect();
    }
    frames.filter_map(|frame| place(&frame)).collect()
}

/// A little more than a frame, on the page.
pub(crate) fn place(frame: &Rect) -> Option<Place> {
    let span = |from: f64, size: f64| {
        let from = (from - AROUND).clamp(0.0, 1000.0 - f64::from(LEAST_SIDE));
        let to = (from + size + 2.0 * AROUND).clamp(from + f64::from(LEAST_SIDE), 1000.0);
        (from.floor() as u32, (to.floor() - from.floor()) as u32)
    };
    let ((x, width), (y, height)) = (span(frame.x, frame.width), span(frame.y, frame.height));
    Place::new(x, y, width, height)
}

#[cfg(test)]
mod tests;
