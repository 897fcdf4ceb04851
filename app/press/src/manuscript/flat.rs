//! Blocks where only words can stand: in the cells of tables.

use super::blocks::{Block, Span, has_words};

/// Writes a block's words below those that are there.
pub(super) fn flatten(block: &Block, out: &mut Vec<Span>) {
    let mut below = |spans: &[Span]| {
        if has_words(out) {
            out.push(Span::line_break());
        }
        out.extend(spans.iter().cloned());
    };
    match block {
        Block::Heading { spans, .. } | Block::Paragraph { spans, .. } => below(spans),
        Block::Code { text } => {
            text.lines().for_each(|line| below(&[Span { code: true, ..Span::plain(line) }]));
        }
        Block::List { start, items } => {
            for (item, number) in items.iter().zip(start.unwrap_or(1)..) {
                let mark = match (start, item.done) {
                    (_, Some(true)) => "☑ ".to_owned(),
                    (_, Some(false)) => "☐ ".to_owned(),
                    (Some(_), None) => format!("{number}. "),
                    (None, None) => "• ".to_owned(),
                };
                let mut words = vec![Span::plain(&mark)];
                item.blocks.iter().for_each(|block| flatten_behind(block, &mut words));
                if has_words(out) {
                    out.push(Span::line_break());
                }
                out.append(&mut words);
            }
        }
        Block::Quote { blocks } => blocks.iter().for_each(|block| flatten(block, out)),
        Block::Table { rows, .. } => rows.iter().for_each(|row| below(&row.join(&Span::plain(" ")))),
        Block::Picture { .. } | Block::Rule => {}
    }
}

/// Blocks behind the mark of their entry.
fn flatten_behind(block: &Block, words: &mut Vec<Span>) {
    if words.len() == 1
        && let Block::Paragraph { spans, .. } = block
    {
        words.extend(spans.iter().cloned());
    } else {
        flatten(block, words);
    }
}
