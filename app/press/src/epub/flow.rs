//! Texts that flow: chapters from the headings, everything that the manuscript has.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;

use super::accessibility::Accessibility;
use super::package::{CSS, Contents, Entry, Item, Metadata, Package, XHTML, escaped, page, titled};
use crate::PressError;
use crate::manuscript::{
    Align, Block, Item as ListItem, Pictures, Script, Span, for_each_picture, for_each_span, for_each_text,
    words,
};
use crate::reading::ReadingPicture;

/// Characters of a file from which on a new one begins before the next paragraph: reading programs lay out one at a time.
const LONG: usize = 60_000;
/// Headings down to this level stand in the contents.
const IN_CONTENTS: u8 = 3;

/// A text and its cover.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    pub blocks: &'a [Block],
    /// By the numbers in the blocks' spans.
    pub footnotes: &'a [Vec<Block>],
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
    pre,code{font-family:monospace}\
    .left{text-align:left}.center{text-align:center;text-indent:0}.right{text-align:right;text-indent:0}\
    ul.tasks{list-style:none;padding-left:1em}\
    rt{font-size:.5em}\
    a[role=doc-noteref]{vertical-align:super;font-size:.7em;line-height:1;text-decoration:none}\
    aside{margin:1em 0;padding-top:.5em;border-top:1px solid #aaa;font-size:.85em}aside p{text-indent:0}\
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
    let (mut shown, mut are_described) = (BTreeSet::new(), true);
    for blocks in std::iter::once(text.blocks).chain(text.footnotes.iter().map(Vec::as_slice)) {
        for_each_picture(blocks, &mut |number, is_described| {
            shown.insert(number);
            are_described &= is_described;
        });
    }
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
        let mut file = Chapter { paths: &paths, marks: BTreeMap::new() };
        for block in chapter {
            if let Block::Heading { level, spans } = block {
                headings += 1;
                let (level, title) = ((*level).clamp(1, 6), words(spans));
                let _ = writeln!(body, "<h{level} id=\"h{headings}\">{}</h{level}>", file.inline(spans));
                if level <= IN_CONTENTS {
                    let target = format!("{path}#h{headings}");
                    contents.entries.push(Entry { level, title: title.clone(), target });
                }
                called.get_or_insert(title);
            } else {
                file.part(block, &mut body);
            }
        }
        file.footnotes(text.footnotes, &mut body);
        body.push_str("</section>");
        if contents.entries.is_empty() {
            contents.entries.push(Entry { level: 1, title: metadata.title.clone(), target: path.clone() });
        }
        let called = called.unwrap_or_else(|| metadata.title.clone());
        package
            .add(plain(&name, &path, XHTML), page(language, &called, "style.css", "", &body).as_bytes())?;
    }
    let accessibility = match (paths.is_empty(), are_described) {
        (true, _) => &WORDS,
        (false, true) => &DESCRIBED,
        (false, false) => &UNDESCRIBED,
    };
    package.finish(metadata, &contents, &accessibility.lines())
}

/// Where pictures lie in the book, by their numbers.
type Paths = BTreeMap<usize, String>;

/// What flows is read out whole where nothing is shown but words, or where each picture says what it shows.
const WORDS: Accessibility = Accessibility {
    modes: &["textual"],
    sufficient: &["textual"],
    features: &["displayTransformability", "readingOrder", "structuralNavigation", "tableOfContents"],
    summary: "全书是文字，可以朗读，文字大小和颜色可以改；有目录和标题。",
    conforms: true,
};
const DESCRIBED: Accessibility = Accessibility {
    modes: &["textual", "visual"],
    features: &[
        "alternativeText",
        "displayTransformability",
        "readingOrder",
        "structuralNavigation",
        "tableOfContents",
    ],
    summary: "文字可以朗读，文字大小和颜色可以改；每张图片都有说明；有目录和标题。",
    ..WORDS
};
const UNDESCRIBED: Accessibility = Accessibility {
    modes: &["textual", "visual"],
    sufficient: &["textual,visual"],
    summary: "文字可以朗读，文字大小和颜色可以改；有的图片没有说明；有目录和标题。",
    conforms: false,
    ..WORDS
};

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

/// What is written into one file.
struct Chapter<'a> {
    paths: &'a Paths,
    /// How many marks each footnote has in it so far.
    marks: BTreeMap<usize, usize>,
}

impl Chapter<'_> {
    fn part(&mut self, block: &Block, out: &mut String) {
        match block {
            // inside of lists and quotes, where no contents lead
            Block::Heading { spans, .. } => {
                _ = writeln!(out, "<p><strong>{}</strong></p>", self.inline(spans));
            }
            Block::Paragraph { spans, align } => {
                _ = writeln!(out, "<p{}>{}</p>", side(*align), self.inline(spans));
            }
            Block::List { start, items } => self.list(*start, items, out),
            Block::Quote { blocks } => {
                out.push_str("<blockquote>\n");
                blocks.iter().for_each(|block| self.part(block, out));
                out.push_str("</blockquote>\n");
            }
            Block::Code { text } => _ = writeln!(out, "<pre><code>{}</code></pre>", escaped(text)),
            Block::Table { columns, rows } => self.table(columns, rows, out),
            Block::Picture { picture, alternative, caption } => {
                let Some(path) = self.paths.get(picture) else { return };
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

    fn list(&mut self, start: Option<u64>, items: &[ListItem], out: &mut String) {
        // the largest number that reading programs count to
        let start = start.map(|start| start.min(i32::MAX as u64));
        let name = if start.is_some() { "ol" } else { "ul" };
        let are_tasks = start.is_none() && items.iter().all(|item| item.done.is_some());
        match start {
            Some(start) if start != 1 => _ = write!(out, "<ol start=\"{start}\">"),
            _ if are_tasks => out.push_str("<ul class=\"tasks\">"),
            _ => _ = write!(out, "<{name}>"),
        }
        for item in items {
            out.push_str("<li>");
            let mark = match item.done {
                Some(true) => "☑ ",
                Some(false) => "☐ ",
                None => "",
            };
            match item.blocks.as_slice() {
                [Block::Paragraph { spans, align: Align::Auto }, rest @ ..]
                    if rest.is_empty() || !mark.is_empty() =>
                {
                    let _ = write!(out, "{mark}{}", self.inline(spans));
                    rest.iter().for_each(|block| self.part(block, out));
                }
                blocks => {
                    out.push_str(mark);
                    blocks.iter().for_each(|block| self.part(block, out));
                }
            }
            out.push_str("</li>");
        }
        let _ = writeln!(out, "</{name}>");
    }

    fn table(&mut self, columns: &[Align], rows: &[Vec<Vec<Span>>], out: &mut String) {
        let mut row = |cells: &[Vec<Span>], name: &str| {
            let cell = |(cell, align): (&Vec<Span>, &Align)| {
                format!("<{name}{}>{}</{name}>", side(*align), self.inline(cell))
            };
            let cells: String = cells.iter().zip(columns).map(cell).collect();
            format!("<tr>{cells}</tr>")
        };
        let Some((head, rest)) = rows.split_first() else { return };
        let _ = write!(out, "<table><thead>{}</thead>", row(head, "th"));
        if !rest.is_empty() {
            let rest: String = rest.iter().map(|cells| row(cells, "td")).collect();
            let _ = write!(out, "<tbody>{rest}</tbody>");
        }
        out.push_str("</table>\n");
    }

    fn inline(&mut self, spans: &[Span]) -> String {
        let mut out = String::new();
        for span in spans {
            if span.line_break {
                out.push_str("<br/>");
                continue;
            }
            if let Some(number) = span.footnote {
                out.push_str(&self.mark(number));
                continue;
            }
            let mut words = escaped(&span.text);
            if let Some(ruby) = &span.ruby {
                words = format!("<ruby>{words}<rt>{}</rt></ruby>", escaped(ruby));
            }
            for (is_so, name) in [
                (span.code, "code"),
                (span.script == Some(Script::Sub), "sub"),
                (span.script == Some(Script::Super), "sup"),
                (span.struck, "s"),
                (span.underlined, "u"),
                (span.marked, "mark"),
                (span.emphasis, "em"),
                (span.strong, "strong"),
            ] {
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

    /// The mark of a footnote; reading programs show the footnote beside it.
    fn mark(&mut self, number: usize) -> String {
        let marks = self.marks.entry(number).or_default();
        *marks += 1;
        let (shown, again) = (number + 1, if *marks > 1 { format!("-{marks}") } else { String::new() });
        format!(
            "<a epub:type=\"noteref\" role=\"doc-noteref\" id=\"mark-{shown}{again}\" href=\"#note-{shown}\">{shown}</a>"
        )
    }

    /// The footnotes whose marks are in the file, and those whose marks are in these.
    fn footnotes(&mut self, footnotes: &[Vec<Block>], out: &mut String) {
        let mut asked: BTreeSet<usize> = self.marks.keys().copied().collect();
        let mut written = BTreeSet::new();
        while let Some(number) = asked.pop_first() {
            let Some(blocks) = footnotes.get(number).filter(|_| written.insert(number)) else { continue };
            for_each_span(blocks, &mut |span| asked.extend(span.footnote));
            let shown = number + 1;
            let back = format!("<a role=\"doc-backlink\" href=\"#mark-{shown}\">{shown}</a> ");
            let _ = write!(out, "<aside epub:type=\"footnote\" role=\"doc-footnote\" id=\"note-{shown}\">");
            let rest = match blocks.split_first() {
                Some((Block::Paragraph { spans, .. }, rest)) => {
                    let _ = write!(out, "<p>{back}{}</p>", self.inline(spans));
                    rest
                }
                _ => {
                    let _ = write!(out, "<p>{back}</p>");
                    blocks.as_slice()
                }
            };
            rest.iter().for_each(|block| self.part(block, out));
            out.push_str("</aside>\n");
        }
    }
}

fn side(align: Align) -> &'static str {
    match align {
        Align::Auto => "",
        Align::Left => " class=\"left\"",
        Align::Center => " class=\"center\"",
        Align::Right => " class=\"right\"",
    }
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
