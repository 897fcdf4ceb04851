//! Pages that stay as they are: a picture of each, with its words over it, unseen, for those who listen, search and copy.

use std::fmt::Write as _;
use std::io::Write;

use domain::document::{Document, TextRole};
use domain::reading::{Line, PageText, TextBlockRead};

use super::accessibility::Accessibility;
use super::package::{CSS, Contents, Direction, Entry, Item, Metadata, Package, XHTML, escaped, page};
use crate::PressError;
use crate::reading::{for_files, page_text};
use crate::screen::{PageRef, Proxies};

/// What is to be known of an album beside its document.
pub struct Album<'a> {
    pub metadata: &'a Metadata,
    /// The number of the page after the cover: 1 where the cover is none of the pages, 2 where it is the first of them.
    pub first_number: usize,
    /// Whether pages lie beside each other where there is room: a calendar's don't.
    pub has_spreads: bool,
    /// How wide its pictures are, in pixels.
    pub width: u32,
    /// What is said of a page.
    pub describe: &'a dyn Fn(PageRef) -> PageWords,
}

/// What is said of a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PageWords {
    /// Its words, where they are more than the document's own: those of the PDFs that it shows.
    pub text: Option<PageText>,
    /// What its pictures show, for those who can't see them.
    pub alternative: String,
    /// What it is called in the contents, where it stands there.
    pub contents: Option<String>,
}

const STYLE: &str = "html,body{margin:0;padding:0}\
    body{position:relative;overflow:hidden}\
    img{position:absolute;left:0;top:0;width:100%;height:100%}\
    h1,h2,p{margin:0;font-weight:normal}\
    span{position:absolute;color:transparent;white-space:pre;line-height:1}\n";

pub(super) fn write(
    document: &Document,
    proxies: &dyn Proxies,
    album: &Album,
    out: &mut dyn Write,
) -> Result<(), PressError> {
    let mut package = Package::new(out)?;
    let style = Item {
        id: "style".to_owned(),
        path: "style.css".to_owned(),
        media_type: CSS,
        properties: "",
        in_spine: None,
    };
    package.add(style, STYLE.as_bytes())?;
    let mut contents = Contents { start: "cover.xhtml".to_owned(), ..Contents::default() };
    let pages = [PageRef::Cover].into_iter().chain((0..document.pages.len()).map(PageRef::Inner));
    for side in pages {
        let number = number(side, album);
        let (name, title) = named(side, number);
        let PageWords { text, alternative, contents: entry } = (album.describe)(side);
        let text = text.map_or_else(|| page_text(document, side), Ok)?;
        let picture = for_files(document, side, proxies, album.width)?;
        let file = format!("{name}.{}", picture.format.extension());
        let is_cover = side == PageRef::Cover;
        let item = Item {
            id: format!("{name}-picture"),
            path: file.clone(),
            media_type: picture.format.media_type(),
            properties: if is_cover { "cover-image" } else { "" },
            in_spine: None,
        };
        package.add(item, &picture.bytes)?;

        let (width, height) = (picture.width, picture.height);
        let head = format!("<meta name=\"viewport\" content=\"width={width}, height={height}\"/>");
        let alternative = if alternative.trim().is_empty() { title.as_str() } else { alternative.trim() };
        let mut body = format!(
            "<div style=\"width:{width}px;height:{height}px\"><img src=\"{file}\" alt=\"{}\"/>\n",
            escaped(alternative)
        );
        let pixels = f64::from(width) / document.trim.width;
        for block in &text.blocks {
            body.push_str(&words(block, pixels));
        }
        body.push_str("</div>");
        let path = format!("{name}.xhtml");
        let item = Item {
            id: name,
            path: path.clone(),
            media_type: XHTML,
            properties: "",
            in_spine: Some(place(side, album)),
        };
        package.add(item, page(&album.metadata.language, &title, "style.css", &head, &body).as_bytes())?;
        let called = entry.or_else(|| is_cover.then(|| title.clone()));
        contents.entries.extend(called.map(|title| Entry { level: 1, title, target: path.clone() }));
        if number > 0 {
            contents.pages.push(Entry { level: 1, title: number.to_string(), target: path });
        }
    }
    package.finish(album.metadata, &contents, &more(album))
}

/// A page's number; 0 for a cover that is none of the pages.
fn number(side: PageRef, album: &Album) -> usize {
    match side {
        PageRef::Cover => album.first_number.saturating_sub(1),
        PageRef::Inner(index) => index + album.first_number,
    }
}

/// A page's file and title.
fn named(side: PageRef, number: usize) -> (String, String) {
    match side {
        PageRef::Cover => ("cover".to_owned(), "封面".to_owned()),
        PageRef::Inner(_) => (format!("page-{number:04}"), format!("第 {number} 页")),
    }
}

/// On which side a page lies: those with odd numbers where a book's first page lies.
fn place(side: PageRef, album: &Album) -> &'static str {
    let is_first_side = match side {
        _ if !album.has_spreads => return "",
        PageRef::Cover => return "rendition:page-spread-center",
        PageRef::Inner(_) => number(side, album) % 2 == 1,
    };
    let is_right = is_first_side == (album.metadata.direction == Direction::LeftToRight);
    if is_right { "page-spread-right" } else { "page-spread-left" }
}

/// Pages are pictures: the sizes of their letters stay as they are, and not every photo is described.
const PICTURES: Accessibility = Accessibility {
    modes: &["visual", "textual"],
    sufficient: &["visual"],
    features: &["alternativeText", "pageNavigation", "tableOfContents"],
    summary: "每一页是一幅图，页上的文字可以朗读和查找，照片有说明的会读出说明；有目录和页码。文字大小和颜色不能改。",
    conforms: false,
};

fn more(album: &Album) -> String {
    let spread = if album.has_spreads { "landscape" } else { "none" };
    format!(
        "<meta property=\"rendition:layout\">pre-paginated</meta>\n\
         <meta property=\"rendition:orientation\">auto</meta>\n\
         <meta property=\"rendition:spread\">{spread}</meta>\n{}",
        PICTURES.lines()
    )
}

fn words(block: &TextBlockRead, pixels: f64) -> String {
    let name = match block.role {
        TextRole::Title => "h1",
        TextRole::Subtitle | TextRole::Heading => "h2",
        TextRole::Caption | TextRole::Body => "p",
    };
    let mut out = format!("<{name}>");
    for line in &block.lines {
        let text = line.text.trim_end();
        if !text.is_empty() {
            let _ = write!(out, "<span style=\"{}\">{}</span> ", style(line, pixels), escaped(text));
        }
    }
    let _ = writeln!(out, "</{name}>");
    out
}

/// Where a line stands. Nobody sees its letters, so any font will do; spread over the line's width they lie about where
/// those of the picture are.
fn style(line: &Line, pixels: f64) -> String {
    let frame = line.frame;
    let (width, height) = (frame.width * pixels, frame.height * pixels);
    let size = if line.edges.is_empty() { width.min(height) } else { height };
    let count = line.length().max(1) as f64;
    let natural: f64 = line.text.chars().map(|c| if c < '\u{2e80}' { 0.5 } else { 1.0 }).sum::<f64>() * size;
    let spacing = ((width - natural) / count).clamp(-0.5 * size, 2.0 * size);
    format!(
        "left:{:.1}px;top:{:.1}px;width:{width:.1}px;height:{height:.1}px;font-size:{size:.1}px;letter-spacing:{spacing:.2}px",
        frame.x * pixels,
        frame.y * pixels,
    )
}
