//! Plain text: paragraphs, and the headings that Chinese books have.

use super::Read;
use super::blocks::{Align, Block, Span, lines};

/// Characters that the heading of a chapter may have.
const HEADING: usize = 30;
/// Lines that are all about as long as a window were broken by a program, in columns.
const WINDOW: std::ops::RangeInclusive<usize> = 50..=100;

/// A line feed starts a new paragraph, as everywhere here; only lines that a program broke are joined again.
pub(super) fn read(text: &str) -> Read {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut blocks = Vec::new();
    for part in text.split("\n\n") {
        let lines: Vec<&str> = part
            .split(['\n', '\u{c}'])
            .map(|line| line.trim_matches(is_blank))
            .filter(|line| !line.is_empty())
            .collect();
        if were_broken(&lines) {
            blocks.push(paragraph(&lines.join(" ")));
            continue;
        }
        for line in lines {
            blocks.push(if is_heading(line) {
                Block::Heading { level: 1, spans: spans(line) }
            } else {
                paragraph(line)
            });
        }
    }
    Read { blocks, ..Read::default() }
}

fn paragraph(line: &str) -> Block {
    Block::Paragraph { spans: spans(line), align: Align::Auto }
}

fn spans(paragraph: &str) -> Vec<Span> {
    let spans: Vec<Vec<Span>> = lines(paragraph).map(|line| vec![Span::plain(line)]).collect();
    spans.join(&Span::line_break())
}

/// White space, with the two wide blanks that paragraphs of plain texts begin with.
fn is_blank(character: char) -> bool {
    character.is_whitespace() || character == '\u{3000}' || character == '\u{feff}'
}

/// 第一章 山中, 第12回 …, 序, 后记.
fn is_heading(line: &str) -> bool {
    const NUMERALS: &str = "零〇一二三四五六七八九十百千两0123456789０１２３４５６７８９";
    if line.chars().count() > HEADING || line.ends_with(['。', '，', '；', '.', ',']) {
        return false;
    }
    if ["序", "序言", "前言", "引言", "楔子", "后记", "尾声", "附录"].contains(&line) {
        return true;
    }
    let Some(rest) = line.strip_prefix('第') else { return false };
    let number = rest.chars().take_while(|c| NUMERALS.contains(*c)).count();
    let mut after = rest.chars().skip(number);
    number > 0
        && after.next().is_some_and(|unit| "章回节卷部篇".contains(unit))
        && after.next().is_none_or(|next| is_blank(next) || "：:·、".contains(next))
}

fn were_broken(lines: &[&str]) -> bool {
    let columns = |line: &&str| line.chars().map(|c| if c < '\u{2e80}' { 1 } else { 2 }).sum::<usize>();
    let is_latin = |line: &&str| line.chars().all(|c| c < '\u{2e80}');
    match lines.split_last() {
        Some((last, full)) if !full.is_empty() => {
            full.iter().all(|line| is_latin(line) && WINDOW.contains(&columns(line))) && is_latin(last)
        }
        _ => false,
    }
}
