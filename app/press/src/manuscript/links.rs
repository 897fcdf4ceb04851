//! Addresses of links that stand apart from them: `[山]: https://…`. Where no link uses one, it may be words that happen to
//! look so, as Chinese has no blanks in a sentence: `[甲]: 你好`.

use std::collections::{BTreeSet, HashMap};

use comrak::nodes::{AstNode, NodeValue};

/// The lines, from 1, of addresses that nothing uses.
pub(super) fn unused<'a>(root: &'a AstNode<'a>, text: &str) -> Vec<usize> {
    let (set, used) = what_is_set(root);
    let labels = labels_of(text);
    let is_unused = |line: &str| {
        let Some((label, address)) = definition(line) else { return false };
        // how comments are written
        let is_comment = address == "#";
        !is_comment && !used.contains(address) && labels.get(label).is_none_or(|times| *times < 2)
    };
    let lines = (1..).zip(text.lines()).filter(|(number, line)| !set.contains(number) && is_unused(line));
    lines.map(|(number, _)| number).collect()
}

/// How often each name stands in brackets.
fn labels_of(text: &str) -> HashMap<&str, usize> {
    let mut labels = HashMap::new();
    for rest in text.split('[').skip(1) {
        if let Some((label, _)) = rest.split_once(']') {
            *labels.entry(label).or_insert(0) += 1;
        }
    }
    labels
}

/// The lines that are part of what is set, and the addresses of links and pictures.
fn what_is_set<'a>(root: &'a AstNode<'a>) -> (BTreeSet<usize>, BTreeSet<String>) {
    let (mut set, mut used) = (BTreeSet::new(), BTreeSet::new());
    for node in root.descendants() {
        let data = node.data();
        let lines = data.sourcepos.start.line..=data.sourcepos.end.line;
        match &data.value {
            NodeValue::Link(link) | NodeValue::Image(link) => _ = used.insert(link.url.clone()),
            NodeValue::Paragraph => {
                // addresses may stand above its words
                let first =
                    node.first_child().map_or(*lines.start(), |child| child.data().sourcepos.start.line);
                set.extend(first..=*lines.end());
            }
            NodeValue::Heading(_)
            | NodeValue::CodeBlock(_)
            | NodeValue::HtmlBlock(_)
            | NodeValue::Table(_)
            | NodeValue::ThematicBreak
            | NodeValue::FrontMatter(_) => set.extend(lines),
            _ => {}
        }
    }
    (set, used)
}

/// Name and address, if a line is such a one.
fn definition(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(|c: char| c.is_ascii_digit() || " \t>*+-.)".contains(c));
    let (label, rest) = line.strip_prefix('[')?.split_once("]:")?;
    let address = rest.split_whitespace().next().unwrap_or_default();
    let is_link = !label.is_empty() && !label.starts_with('^');
    is_link.then(|| (label, address.trim_start_matches('<').trim_end_matches('>')))
}
