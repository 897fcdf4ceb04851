//! Texts that flow: chapters from the headings, everything that the manuscript has.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;

use super::package::{CSS, Contents, Entry, Item, Metadata, Package, XHTML, escaped, page, titled};
use crate::PressError;
use crate::manuscript::{Block, Pictures, Span, for_each_text, pictures_in};
use crate::reading::ReadingPicture;

/// Characters of a file from which on a new one begins before the next paragraph: reading programs lay out one at a time.
const LONG: usize = 60_000;
/// Headings down to this level stand in the contents.
const IN_CONTENTS: u8 = 3;

/// A text and its cover.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    pub blocks: &'a [Block],
    pub cover: Option<&'a ReadingPicture>,
    /// What its blocks show.
    pub pictures: &'a Pictures,
}

const STYLE: &str = "body{margin:5%;line-height:1.75;text-align:justify}\
    h1,h2,h3,h4,h5,h6{line-height:1.35;text-align:left;margin:1.6em 0 .8em;break-after:avoid}\
    h1{font-size:1.6em}h2{font-size:1.3em}h3{font-size:1.12em}\
    p{margin:0;text-indent:2em}\
    li p,blockquote p,td p{text-indent:0}\
    blockquote{margin:1em 0 1em 1em;padding-left:1em;border-left:2px solid #999;color:#555}\
    pre{margin:1em 0;padding:.8em;background:#f3f1ec;white-space:pre-wrap;text-align:left;font-size:.9em}\
    table{margin:1em 0;border-collapse:collapse;text-align:left}\
    th,td{padding:.3em .7em;border-bottom:1px solid #aaa}\
    hr{width:18%;margin:2em auto;border:0;border-top:1px solid #aaa}\
    em{font-style:normal;text-emphasis:filled dot;-webkit-text-emphasis:filled dot;-epub-text-emphasis-style:filled}\
    figure{margin:1.4em 0;text-align:center}figure img{max-width:100%;max-height:90vh}\
    figcaption{margin-top:.5em;color:#555;font-size:.85em}\
    .cover{margin:0;text-align:center}.cover img{max-width:100%;max-height:100vh}\
    .title{margin:25% 5%;text-align:center}.title h1{text-align:center}.title p{text-indent:0}\n";

pub(super) fn write(text: &Text, metadata: &Metadata, out: &mut dyn Write) -> Result<(), PressError> {
    let mut package = Package::new(out)?;
    let plain = |id: &str, path: &str, media_type| Item {
        id: id.to_owned(),
        path: path.to_owned(),
        media_type,
        properties: "",
        in_spine: (media_type == XHTML).then_some(""),
    };
    package.add(plain("style", "style.css", CSS), STYLE.as_bytes())?;
    let language = &metadata.language;
    if let Some(cover) = text.cover {
        let file = format!("cover.{}", cover.format.extension());
        let picture = plain("cover-picture", &file, cover.format.media_type());
        package.add(Item { properties: "cover-image", ..picture }, &cover.bytes)?;
        let body = format!(
            "<section class=\"cover\" epub:type=\"cover\"><img src=\"{file}\" alt=\"{}\"/></section>",
            escaped(titled(&metadata.title))
        );
        package.add(
            plain("cover", "cover.xhtml", XHTML),
            page(language, "封面", "style.css", "", &body).as_bytes(),
        )?;
    }
    let mut front = format!(
        "<section class=\"title\" epub:type=\"titlepage\"><h1>{}</h1>",
        escaped(titled(&metadata.title))
    );
    if !metadata.author.trim().is_empty() {
        let _ = write!(front, "<p>{}</p>", escaped(metadata.author.trim()));
    }
    front.push_str("</section>");
    package.add(
        plain("front", "front.xhtml", XHTML),
        page(language, &metadata.title, "style.css", "", &front).as_bytes(),
    )?;

    let mut paths: Paths = BTreeMap::new();
    let mut shown = BTreeSet::new();
    pictures_in(text.blocks, &mut shown);
    for number in shown {
        let Some(picture) = text.pictures.all().get(number) else { continue };
        let name = format!("picture-{:03}", number + 1);
        let path = format!("{name}.jpg");
        package.add(plain(&name, &path, "image/jpeg"), &picture.jpeg)?;
        paths.insert(number, path);
    }

    let mut contents = Contents { start: "text-001.xhtml".to_owned(), ..Contents::default() };
    let mut headings = 0;
    for (index, chapter) in chapters(text.blocks).into_iter().enumerate() {
        let name = format!("text-{:03}", index + 1);
        let path = format!("{name}.xhtml");
        let mut body = String::from("<section epub:type=\"bodymatter chapter\">\n");
        let mut called = None;
        for block in chapter {
            if let Block::Heading { level, spans } = block {
                headings += 1;
                let (level, title) = ((*level).clamp(1, 6), plain_words(spans));
                let _ = writeln!(body, "<h{level} id=\"h{headings}\">{}</h{level}>", inline(spans));
                if level <= IN_CONTENTS {
                    let target = format!("{path}#h{headings}");
                    contents.entries.push(Entry { level, title: title.clone(), target });
                }
                called.get_or_insert(title);
            } else {
                part(block, &paths, &mut body);
            }
        }
        body.push_str("</section>");
        if contents.entries.is_empty() {
            contents.entries.push(Entry { level: 1, title: metadata.title.clone(), target: path.clone() });
        }
        let called = called.unwrap_or_else(|| metadata.title.clone());
        package
            .add(plain(&name, &path, XHTML), page(language, &called, "style.css", "", &body).as_bytes())?;
    }
    let more = if paths.is_empty() { TEXTUAL.to_owned() } else { format!("{VISUAL}{TEXTUAL}") };
    package.finish(metadata, &contents, &more)
}

/// Where pictures lie in the book, by their numbers.
type Paths = BTreeMap<usize, String>;

const VISUAL: &str = "<meta property=\"schema:accessMode\">visual</meta>\n";
const TEXTUAL: &str = "<meta property=\"schema:accessMode\">textual</meta>\n\
    <meta property=\"schema:accessModeSufficient\">textual</meta>\n\
    <meta property=\"schema:accessibilityFeature\">tableOfContents</meta>\n\
    <meta property=\"schema:accessibilityFeature\">readingOrder</meta>\n\
    <meta property=\"schema:accessibilityHazard\">none</meta>\n";

/// The text cut before each of the highest headings, and where it is long without one. There is one part at least.
fn chapters(blocks: &[Block]) -> Vec<&[Block]> {
    let mut chapters = Vec::new();
    let (mut from, mut length) = (0, 0);
    for (index, block) in blocks.iter().enumerate() {
        let begins = matches!(block, Block::Heading { level: 1, .. });
        if index > from && (begins || length > LONG) {
            chapters.push(&blocks[from..index]);
            (from, length) = (index, 0);
        }
        for_each_text(std::slice::from_ref(block), &mut |words: &str| length += words.chars().count());
    }
    chapters.push(&blocks[from..]);
    chapters
}

fn part(block: &Block, paths: &Paths, out: &mut String) {
    match block {
        // inside of lists and quotes, where no contents lead
        Block::Heading { spans, .. } => _ = writeln!(out, "<p><strong>{}</strong></p>", inline(spans)),
        Block::Paragraph { spans } => _ = writeln!(out, "<p>{}</p>", inline(spans)),
        Block::List { start, items } => list(*start, items, paths, out),
        Block::Quote { blocks } => {
            out.push_str("<blockquote>\n");
            blocks.iter().for_each(|block| part(block, paths, out));
            out.push_str("</blockquote>\n");
        }
        Block::Code { text } => _ = writeln!(out, "<pre><code>{}</code></pre>", escaped(text)),
        Block::Table { rows, .. } => table(rows, out),
        Block::Picture { picture, alternative, caption } => {
            let Some(path) = paths.get(picture) else { return };
            // what stands below it is not read out twice
            let alternative = if alternative == caption { String::new() } else { escaped(alternative) };
            let caption = escaped(caption);
            let _ = write!(out, "<figure><img src=\"{path}\" alt=\"{alternative}\"/>");
            if !caption.is_empty() {
                let _ = write!(out, "<figcaption>{caption}</figcaption>");
            }
            out.push_str("</figure>\n");
        }
        Block::Rule => out.push_str("<hr/>\n"),
    }
}

fn list(start: Option<u64>, items: &[Vec<Block>], paths: &Paths, out: &mut String) {
    // the largest number that reading programs count to
    let start = start.map(|start| start.min(i32::MAX as u64));
    let name = if start.is_some() { "ol" } else { "ul" };
    match start {
        Some(start) if start != 1 => _ = write!(out, "<ol start=\"{start}\">"),
        _ => _ = write!(out, "<{name}>"),
    }
    for item in items {
        out.push_str("<li>");
        match item.as_slice() {
            [Block::Paragraph { spans }] => out.push_str(&inline(spans)),
            blocks => blocks.iter().for_each(|block| part(block, paths, out)),
        }
        out.push_str("</li>");
    }
    let _ = writeln!(out, "</{name}>");
}

fn table(rows: &[Vec<Vec<Span>>], out: &mut String) {
    let row = |cells: &[Vec<Span>], name: &str| {
        let cells: String = cells.iter().map(|cell| format!("<{name}>{}</{name}>", inline(cell))).collect();
        format!("<tr>{cells}</tr>")
    };
    let Some((head, rest)) = rows.split_first() else { return };
    let _ = write!(out, "<table><thead>{}</thead>", row(head, "th"));
    if !rest.is_empty() {
        let _ =
            write!(out, "<tbody>{}</tbody>", rest.iter().map(|cells| row(cells, "td")).collect::<String>());
    }
    out.push_str("</table>\n");
}

fn plain_words(spans: &[Span]) -> String {
    spans.iter().map(|span| if span.line_break { " " } else { span.text.as_str() }).collect()
}

fn inline(spans: &[Span]) -> String {
    let mut out = String::new();
    for span in spans {
        if span.line_break {
            out.push_str("<br/>");
            continue;
        }
        let mut words = escaped(&span.text);
        for (is_so, name) in
            [(span.code, "code"), (span.struck, "s"), (span.emphasis, "em"), (span.strong, "strong")]
        {
            if is_so && !words.is_empty() {
                words = format!("<{name}>{words}</{name}>");
            }
        }
        match &span.address {
            None => out.push_str(&words),
            Some(address) => match link(address) {
                Some(link) if !words.is_empty() => {
                    _ = write!(out, "<a href=\"{}\">{words}</a>", escaped(&link))
                }
                _ => _ = write!(out, "{words} ({})", escaped(address)),
            },
        }
    }
    out
}

/// An address that a reading program may open, as the web writes it; nothing where it is none.
fn link(address: &str) -> Option<String> {
    let address = address.replace('\u{200b}', "");
    let (scheme, rest) = address.split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    let is_host = |host: &str| {
        let name = host.split(':').next().unwrap_or_default();
        !name.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':'))
    };
    let is_known = match scheme.as_str() {
        "http" | "https" => {
            let host = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?;
            is_host(host)
        }
        "mailto" | "tel" => !rest.is_empty() && !rest.contains('#'),
        _ => false,
    };
    if !is_known || rest.matches('#').count() > 1 {
        return None;
    }
    let mut out = format!("{scheme}:");
    let bytes = rest.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        let is_escape =
            || bytes.get(index + 1..index + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
        let is_plain = byte.is_ascii_alphanumeric()
            || b"-._~:/?#@!$&'()*+,;=".contains(byte)
            || *byte == b'%' && is_escape();
        if is_plain {
            out.push(char::from(*byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_become_links() {
        for (written, taken) in [
            ("https://books.example/a b?c=书", Some("https://books.example/a%20b?c=%E4%B9%A6")),
            ("HTTP://books.example/%41%4", Some("http://books.example/%41%254")),
            ("mailto:a@books.example", Some("mailto:a@books.example")),
            ("https://books.exa\u{200b}mple", Some("https://books.example")),
            ("https://", None),
            ("https://书坊.example", None),
            ("javascript:alert(1)", None),
            ("chapter-2.md", None),
            ("https://books.example/#a#b", None),
        ] {
            assert_eq!(link(written).as_deref(), taken, "{written}");
        }
    }
}
