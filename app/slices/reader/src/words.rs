//! The words of published pages: what is read out, found and marked.

use base::error::Error;
use base::sandbox::SheetRead;
use domain::document::{Document, Page, PdfPage, Rect, TextRole, Trim};
use domain::ids::{FileDigest, MemberId, WorkId};
use domain::newspaper::Piece;
use domain::reading::{Around, LinkTarget, Separators, SheetNote, excerpt, folded};
use press::PageRef;
use serde::{Deserialize, Serialize};
use web::app::App;

use super::room::words_kept;
use super::store::{self, Share};

/// A block of text on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    pub role: TextRole,
    pub text: String,
    /// Where its lines stand; empty where that is not known.
    pub lines: Vec<Line>,
}

/// A line of a block, as parts of the page's width and height (0 to 1).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    pub text: String,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Block {
    /// It where it stands on a page of a size; one of which nobody knows where it stands is none.
    pub fn piece(self, trim: Trim) -> Option<Piece> {
        let place = |line: &Line| Rect {
            x: line.x * 1000.0,
            y: line.y * 1000.0,
            width: line.width * 1000.0,
            height: line.height * 1000.0,
        };
        let lines: Vec<(&str, Rect)> =
            self.lines.iter().map(|line| (line.text.as_str(), place(line))).collect();
        Piece::of(self.role, self.text, &lines, trim.width / trim.height)
    }
}

/// A link that a page has from a PDF on it, where it stands in per mille of the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    pub frame: Rect,
    pub target: Target,
}

/// Where such a link leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    Address(String),
    /// A page of the work, from 1.
    Page(usize),
    /// A footnote of the same page.
    Note {
        mark: String,
        text: String,
    },
    /// The mark of a footnote of the same page, from the number before that: which of the page's links it is.
    Mark {
        mark: String,
        of: usize,
    },
}

/// What was read of a page.
#[derive(Debug, Clone, Default)]
pub struct Words {
    pub blocks: Vec<Block>,
    pub links: Vec<Link>,
    /// What parts the words of PDFs, in per mille of the page; not known of what was kept.
    pub separators: Separators,
}

/// The words of a page of the published revision, 0 for the cover.
pub async fn of_page(app: &App, share: &Share, page: usize) -> Result<Words, Error> {
    let number = i64::try_from(page).map_err(Error::internal)?;
    if let Some((blocks, links)) = store::page_words(&app.db, &share.work, share.revision, number).await? {
        let (blocks, links) = (serde_json::from_str(&blocks)?, serde_json::from_str(&links)?);
        return Ok(Words { blocks, links, separators: Separators::default() });
    }
    // nobody has read it yet, and its turn in the queue has not come
    let document = store::document(&app.db, &share.work).await?;
    let words = read(app, &share.member, &document, page).await?;
    keep(app, &share.work, share.revision, page, &words).await?;
    Ok(words)
}

/// Reads all pages of a published revision that nobody has read yet.
pub async fn prepare(app: &App, work: &WorkId, revision: i64) -> Result<(), Error> {
    let Some(share) = store::find(&app.db, work).await?.filter(|share| share.revision == revision) else {
        return Ok(());
    };
    let document = store::document(&app.db, work).await?;
    for page in 0..=share.facts.pages {
        let number = i64::try_from(page).map_err(Error::internal)?;
        if store::page_words(&app.db, work, revision, number).await?.is_none() {
            let words = read(app, &share.member, &document, page).await?;
            keep(app, work, revision, page, &words).await?;
        }
    }
    let mut tx = app.db.begin().await?;
    store::forget_old_words(&mut tx, work, revision).await?;
    Ok(tx.commit().await?)
}

async fn keep(app: &App, work: &WorkId, revision: i64, page: usize, read: &Words) -> Result<(), Error> {
    let page = i64::try_from(page).map_err(Error::internal)?;
    let (blocks, links) = (serde_json::to_string(&read.blocks)?, serde_json::to_string(&read.links)?);
    let mut tx = app.db.begin().await?;
    store::keep_words(&mut tx, work, revision, page, &words_kept(&read.blocks), (&blocks, &links)).await?;
    Ok(tx.commit().await?)
}

/// The page of a published document, 0 for the cover.
pub fn page_of(document: &Document, page: usize) -> Option<&Page> {
    match page.checked_sub(1) {
        None => Some(&document.cover),
        Some(index) => document.pages.get(index),
    }
}

/// The press's name of a page, 0 for the cover.
pub fn page_ref(page: usize) -> PageRef {
    page.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner)
}

/// What stands on a page, 0 for the cover: what the press set, and the words and links of members' PDFs, with their places.
pub async fn read(app: &App, member: &MemberId, document: &Document, page: usize) -> Result<Words, Error> {
    let shown = page_of(document, page).ok_or(Error::NotFound)?;
    let (press, whole) = (app.press, document.clone());
    let mut text =
        app.compute(move || press.reading_text(&whole, page_ref(page))).await?.map_err(Error::internal)?;
    let (mut links, mut separators) = (Vec::new(), Separators::default());
    for pdf in shown.pdfs() {
        let sheet = works::read_sheet(app, member, &pdf.file, pdf.page).await?;
        if !sheet.words.text.blocks.is_empty() {
            text = text.with(sheet.words.placed(pdf));
            separators.extend(sheet.words.separators_placed(pdf, document.trim));
        }
        links.extend(links_of(document, pdf, sheet, links.len()));
    }
    let trim = document.trim;
    let line = |line: domain::reading::Line| Line {
        text: line.text,
        x: line.frame.x / trim.width,
        y: line.frame.y / trim.height,
        width: line.frame.width / trim.width,
        height: line.frame.height / trim.height,
    };
    let block = |block: domain::reading::TextBlockRead| Block {
        role: block.role,
        text: block.text,
        lines: block.lines.into_iter().map(line).collect(),
    };
    let blocks = text.blocks.into_iter().map(block).filter(|block| !block.text.trim().is_empty()).collect();
    Ok(Words { blocks, links, separators })
}

/// The links that a page has from a PDF on it, `before` of which it has already.
fn links_of(document: &Document, pdf: &PdfPage, sheet: SheetRead, before: usize) -> Vec<Link> {
    let notes = sheet.words.cut(pdf).notes(pdf.page, &sheet.links);
    let note_of = |index: usize| notes.iter().find(|note| note.link == index);
    let back_of = |index: usize| notes.iter().find(|note| note.back == Some(index));
    let frames: Vec<Option<Rect>> = sheet.links.iter().map(|link| link.placed(pdf, document.trim)).collect();
    let page = |number: u32| page_with(document, &pdf.file, number);
    let is_kept = |index: usize| {
        let leads = match &sheet.links[index].target {
            LinkTarget::Uri(_) => true,
            LinkTarget::Page(number) => note_of(index).is_some() || page(*number).is_some(),
        };
        leads && frames[index].is_some()
    };
    let place_of = |index: usize| before + (0..index).filter(|other| is_kept(*other)).count();
    let target = |index: usize| match (note_of(index), back_of(index), &sheet.links[index].target) {
        (Some(SheetNote { mark, text, .. }), ..) => {
            Some(Target::Note { mark: mark.clone(), text: text.clone() })
        }
        (None, Some(note), _) if is_kept(note.link) => {
            Some(Target::Mark { mark: note.mark.clone(), of: place_of(note.link) })
        }
        (None, _, LinkTarget::Uri(address)) => Some(Target::Address(address.clone())),
        (None, _, LinkTarget::Page(number)) => page(*number).map(Target::Page),
    };
    let kept = (0..frames.len()).filter(|index| is_kept(*index));
    kept.filter_map(|index| Some(Link { frame: frames[index]?, target: target(index)? })).collect()
}

/// The first page of a document that shows a page of a file.
fn page_with(document: &Document, file: &FileDigest, number: u32) -> Option<usize> {
    let shows = |page: &Page| page.pdfs().any(|pdf| pdf.file == *file && pdf.page == number);
    document.pages.iter().position(shows).map(|index| index + 1)
}

/// Pages that are listed.
const MOST: i64 = 200;

/// The pages that hold a text, in their order, each with what stands around it.
pub async fn search(app: &App, share: &Share, text: &str) -> Result<Vec<(usize, Around)>, Error> {
    let wanted = folded(text);
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let rows = store::pages_with(&app.db, &share.work, share.revision, &wanted, MOST).await?;
    let mut found = Vec::new();
    for (page, blocks) in rows {
        let blocks: Vec<Block> = serde_json::from_str(&blocks)?;
        if let Some(around) = excerpt(blocks.iter().map(|block| &*block.text), &wanted) {
            found.push((usize::try_from(page).map_err(Error::internal)?, around));
        }
    }
    Ok(found)
}
