//! Whole books for readers to take away: PDF and EPUB of a document as it is given.

use base::error::Error;
use base::sandbox::WriteBook;
use domain::document::Document;
use domain::ids::MemberId;
use domain::reading::PageText;
use press::PageRef;
use press::epub::{self, Album, Metadata, PageWords, Text};
use press::manuscript::{self, Picture, Pictures};
use web::app::App;

use super::documents::{self, ensure_drawn, read_sheet};
use super::pictures::LibraryProxies;
use super::{pdfs_of, photos_of};
use photos::{self, PhotoState};

/// How wide the pictures of an EPUB's pages are, in pixels.
const EPUB_WIDTH: u32 = 1200;

/// What is said of a book beside its document.
pub struct BookFacts {
    pub metadata: Metadata,
    /// The number of the page after the cover: see [`Album::first_number`].
    pub first_number: usize,
    /// Chapters: the number of the page where one begins, and its name.
    pub chapters: Vec<(usize, String)>,
}

async fn proxies_of(app: &App, member: &MemberId, document: &Document) -> Result<LibraryProxies, Error> {
    let library = photos::of_member(app, member, &photos_of(document)).await?;
    for photo in library.iter().filter(|photo| photo.state == PhotoState::Pending) {
        photos::make_derivatives(app, &photo.id).await?;
    }
    let files = ensure_drawn(app, member, pdfs_of(document.all_pages())).await?;
    Ok(LibraryProxies::new(app.storage.clone(), library, files))
}

/// A PDF of a member's document for the screen. Pages of PDFs stay what they are, as far as the sandbox comes to an end with
/// them; else they are pictures.
pub async fn reading_pdf(app: &App, member: &MemberId, document: Document) -> Result<Vec<u8>, Error> {
    let proxies = proxies_of(app, member, &document).await?;
    if !document.files().is_empty() {
        let file = app.storage.incoming().map_err(Error::internal)?;
        let pictures = proxies.on_disk(&document).await?;
        let task = WriteBook { document: document.clone(), pictures, out: file.path().to_owned() };
        if let Ok(()) = app.sandbox.run(member, task).await? {
            return tokio::fs::read(file.path()).await.map_err(Error::internal);
        }
    }
    let press = app.press;
    app.compute(move || {
        let made = press.reading_pdf(&document, &proxies);
        proxies.complete(made)
    })
    .await?
}

/// An EPUB of a member's document: a text that was set here flows, everything else keeps its pages.
pub async fn reading_epub(
    app: &App,
    member: &MemberId,
    document: Document,
    facts: BookFacts,
) -> Result<Vec<u8>, Error> {
    let source = documents::source_of(app, member, &document).await?.and_then(|file| file.source);
    let pictures = match &source {
        Some(source) => documents::pictures_of(app, member, source).await?,
        None => Vec::new(),
    };
    let proxies = proxies_of(app, member, &document).await?;
    let mut words: Vec<Option<PageText>> = Vec::new();
    if source.is_none() {
        for (index, page) in document.all_pages().enumerate() {
            let mut text: Option<PageText> = None;
            for pdf in page.pdfs() {
                let sheet = read_sheet(app, member, &pdf.file, pdf.page).await?;
                if !sheet.words.text.blocks.is_empty() {
                    let own = match text.take() {
                        Some(text) => text,
                        None => own_words(app, &document, index).await?,
                    };
                    text = Some(own.with(sheet.words.placed(pdf)));
                }
            }
            words.push(text);
        }
    }
    app.compute(move || {
        let mut bytes = Vec::new();
        let written = match source {
            Some(source) => epub::cover(&document, &proxies).and_then(|cover| {
                let mut shown = Pictures::default();
                for (addresses, path) in pictures {
                    if let Some(picture) = Picture::of_derivative(&std::fs::read(path)?) {
                        shown.add(addresses, picture);
                    }
                }
                let title = Some(facts.metadata.title.as_str());
                let read = manuscript::read(&source.text, source.markup, title, &shown);
                let (blocks, footnotes) = (&read.blocks, &read.footnotes);
                let text = Text { blocks, footnotes, cover: Some(&cover), pictures: &shown };
                epub::write_text(&text, &facts.metadata, &mut bytes)
            }),
            None => {
                let describe = |page: PageRef| {
                    let place = match page {
                        PageRef::Cover => 0,
                        PageRef::Inner(index) => index + 1,
                    };
                    let number = place + facts.first_number - 1;
                    let chapter = facts.chapters.iter().find(|(at, _)| *at == number);
                    PageWords {
                        text: words.get(place).cloned().flatten(),
                        alternative: String::new(),
                        contents: chapter.map(|(_, name)| name.clone()),
                    }
                };
                let has_spreads = !domain::calendar::is_calendar(&document);
                let album = Album {
                    metadata: &facts.metadata,
                    first_number: facts.first_number,
                    has_spreads,
                    width: EPUB_WIDTH,
                    describe: &describe,
                };
                epub::write_album(&document, &proxies, &album, &mut bytes)
            }
        };
        proxies.complete(written)?;
        Ok(bytes)
    })
    .await?
}

/// What the press itself set on a page, 0 for the cover.
async fn own_words(app: &App, document: &Document, page: usize) -> Result<PageText, Error> {
    let (press, document) = (app.press, document.clone());
    let page = page.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner);
    app.compute(move || press.reading_text(&document, page)).await?.map_err(Error::internal)
}
