//! Page pictures, drawn by the press once and kept, and the photos that the press reads.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::sync::Mutex;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use base::error::Error;
use base::sandbox::{Files, Pictures};
use base::storage::{Storage, derivative_key, original_key, page_picture_key, pdf_page_key, preview_key};
use domain::binding::CoverSheet;
use domain::document::{Document, Emoji, Page};
use domain::ids::{FileDigest, MemberId, PhotoId, WorkId};
use photo::{LONG_SIDES, PhotoFormat};
use press::{Original, Originals, PageRef, Press, PressError, Proxies, Seen};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use web::app::App;
use web::session::Member;

use super::documents::{self, PdfFile, ensure_drawn};
use super::restyle::{Restyle, restyled};
use super::{pdfs_of, photos_of, spread, store};
use photos::{self, Photo, PhotoState, Picture};

/// The widths that pages are drawn in, in pixels.
pub const WIDTHS: [u32; 3] = [320, 720, 1280];
/// Changed whenever the press draws the same document differently, so that old pictures are not shown.
pub const DRAWING: &str = "6";
/// The same of covers as bindings make them, which no page is.
const FINISH: &str = "3";

/// The query of a picture's address.
#[derive(Deserialize)]
pub struct Asked {
    /// The revision; the newest where none is named.
    r: Option<i64>,
    /// The key of one copy of a run.
    copy: Option<String>,
    /// The code of another style for the whole book.
    book: Option<String>,
    #[serde(flatten)]
    tried: spread::Tried,
}

impl Asked {
    /// The document of a member's work at that revision.
    pub async fn document(&self, app: &App, member: &MemberId, id: &str) -> Result<Document, Error> {
        let id: WorkId = id.parse().map_err(|_| Error::NotFound)?;
        Ok(match self.r {
            Some(revision) => store::revision(&app.db, &id, member, revision).await?.1,
            None => store::find_for_owner(&app.db, &id, member).await?.document,
        })
    }
}

/// GET /manager/opus/{id}/page/{page}/{width}?r={revision}&copy={key}: `cover` or a page number from 1, of the work or of one copy.
pub async fn serve(
    State(app): State<App>,
    member: Member,
    Path((id, page, width)): Path<(String, String, u32)>,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let document = asked.document(&app, &member.id, &id).await?;
    let document = match &asked.copy {
        Some(key) => document.copy_of(key).ok_or(Error::NotFound)?,
        None => document,
    };
    let document = match &asked.book {
        Some(code) => {
            let to = Restyle::of(code).ok_or(Error::NotFound)?;
            restyled(&app, &member.id, &document, to).await?.0
        }
        None => document,
    };
    let page = page_named(&document, &page, width)?;
    let document = spread::tried(&app, &member.id, document, page, &asked.tried).await?;
    Ok(photos::webp(page_picture(&app, &member.id, document, page, width).await?))
}

/// A page by its name in an address, `cover` or a number from 1, in one of the widths that are drawn.
pub fn page_named(document: &Document, name: &str, width: u32) -> Result<PageRef, Error> {
    if WIDTHS.contains(&width) { page_of(document, name) } else { Err(Error::NotFound) }
}

/// A page by its name in an address, `cover` or a number from 1.
pub fn page_of(document: &Document, name: &str) -> Result<PageRef, Error> {
    match (name, name.parse::<usize>()) {
        ("cover", _) => Ok(PageRef::Cover),
        (_, Ok(number)) if (1..=document.pages.len()).contains(&number) => Ok(PageRef::Inner(number - 1)),
        _ => Err(Error::NotFound),
    }
}

/// Draws a page, or finds it drawn.
pub async fn page_picture(
    app: &App,
    member: &MemberId,
    document: Document,
    page: PageRef,
    width: u32,
) -> Result<Picture, Error> {
    let (shown, name) = match page {
        PageRef::Cover => (&document.cover, "cover".to_owned()),
        PageRef::Inner(index) => (document.pages.get(index).ok_or(Error::NotFound)?, index.to_string()),
    };
    // Everything that a picture depends on; photos never change under their ids. The page's place counts,
    // since a theme may number pages.
    let seen = shown.without_ids();
    let basis = serde_json::to_vec(&(
        DRAWING,
        &document.trim,
        look_of(&document),
        &document.title,
        &document.author,
        name,
        &seen,
    ))?;
    let shown = shown.clone();
    drawn_once(app, member, &shown, &basis, width, move |press, proxies| {
        press.page_picture(&document, page, proxies, width)
    })
    .await
}

/// What a document gives all its pages.
pub fn look_of(document: &Document) -> Cow<'_, str> {
    match document.emoji {
        Emoji::Plain => Cow::Borrowed(&document.theme),
        Emoji::Colour => Cow::Owned(format!("{} with emoji in colour", document.theme)),
    }
}

/// What is shown of a cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverView {
    /// The whole cover as a binding makes it, open, with its lines.
    Open,
    /// The spine and the front of the finished book side by side, for another drawing to use.
    Standing,
    /// The front of the finished book.
    Front,
    /// Its back, which leaves have not.
    Back,
}

/// Draws a cover as a binding makes it, or finds it drawn.
pub async fn cover_picture(
    app: &App,
    member: &MemberId,
    document: Document,
    cover: CoverSheet,
    view: CoverView,
    width: u32,
) -> Result<Picture, Error> {
    let name = match view {
        CoverView::Open => "whole cover",
        CoverView::Standing => "standing",
        CoverView::Front => "front",
        CoverView::Back => "back",
    };
    let seen = document.cover.without_ids();
    let basis = serde_json::to_vec(&(
        (DRAWING, FINISH),
        &cover,
        look_of(&document),
        &document.title,
        &document.author,
        name,
        &seen,
    ))?;
    let shown = document.cover.clone();
    drawn_once(app, member, &shown, &basis, width, move |press, proxies| match view {
        CoverView::Open => press.cover_picture(&document, &cover, proxies, width),
        CoverView::Standing => press.standing_picture(&document, &cover, proxies, width),
        CoverView::Front => press.front_picture(&document, &cover, proxies, width),
        CoverView::Back => press.back_picture(&document, &cover, proxies, width),
    })
    .await
}

/// A picture found by everything that it depends on, or drawn and kept. One that shows photos on their way is not kept.
async fn drawn_once(
    app: &App,
    member: &MemberId,
    shown: &Page,
    basis: &[u8],
    width: u32,
    draw: impl FnOnce(Press, &LibraryProxies) -> Result<Vec<u8>, PressError> + Send + 'static,
) -> Result<Picture, Error> {
    let key = page_picture_key(&hex::encode(Sha256::digest(basis)), width);
    if let Some(bytes) = app.storage.picture(&key).await? {
        return Ok(Picture { bytes, lasts: true });
    }
    let (proxies, lasts) = proxies_of(app, member, shown).await?;
    let press = app.press;
    let bytes = app
        .compute(move || {
            let drawn = draw(press, &proxies);
            proxies.complete(drawn)
        })
        .await??;
    if lasts {
        app.storage.keep_picture(&key, bytes.clone()).await?;
    }
    Ok(Picture { bytes, lasts })
}

/// What a page is drawn from, and whether its picture lasts: one that shows photos on their way does not.
pub async fn proxies_of(app: &App, member: &MemberId, shown: &Page) -> Result<(LibraryProxies, bool), Error> {
    let ids: Vec<PhotoId> = shown.photos().map(|frame| frame.photo.clone()).collect();
    let library = photos::of_member(app, member, &ids).await?;
    for photo in library.iter().filter(|photo| photo.state == PhotoState::Pending) {
        photos::make_derivatives(app, &photo.id).await?;
    }
    let lasts = !library.iter().any(Photo::is_coming);
    let files = ensure_drawn(app, member, pdfs_of([shown])).await?;
    Ok((LibraryProxies::new(app.storage.clone(), library, files), lasts))
}

/// Derivatives for the screen, large enough for their frames.
pub struct LibraryProxies {
    storage: Storage,
    photos: HashMap<PhotoId, Photo>,
    files: BTreeSet<FileDigest>,
    /// Why a picture that should be there could not be read.
    unread: Mutex<Option<io::Error>>,
}

impl LibraryProxies {
    /// Of these photos, and of these PDFs, whose pages are drawn.
    pub fn new(storage: Storage, photos: Vec<Photo>, files: BTreeSet<FileDigest>) -> Self {
        let photos = photos.into_iter().map(|photo| (photo.id.clone(), photo)).collect();
        Self { storage, photos, files, unread: Mutex::new(None) }
    }

    /// The places of all that a document shows, for another process.
    pub async fn on_disk(&self, document: &Document) -> Result<Pictures, Error> {
        let mut found = Pictures::default();
        for (id, photo) in &self.photos {
            let [.., largest] = LONG_SIDES;
            let keys = match &photo.preview {
                Some(preview) => vec![(largest, preview_key(preview))],
                None => LONG_SIDES.map(|side| (side, derivative_key(&photo.sha256, side))).to_vec(),
            };
            let mut derivatives = Vec::new();
            for (side, key) in keys {
                derivatives.extend(self.storage.bring(&key).await?.map(|path| (side, path)));
            }
            found.photos.insert(id.clone(), derivatives);
        }
        for (file, page) in pdfs_of(document.all_pages()) {
            if !self.files.contains(&file) {
                continue;
            }
            if let Some(path) = self.storage.bring(&pdf_page_key(file.as_str(), page)).await? {
                found.pages.entry(file.clone()).or_default().insert(page, path);
            }
            if !found.pdfs.contains_key(&file)
                && let Some(path) = self.storage.bring(&original_key(file.as_str())).await?
            {
                found.pdfs.insert(file, path);
            }
        }
        Ok(found)
    }

    /// What was drawn with them, unless a picture could not be read: then it would lack that for ever.
    pub fn complete<T>(self, drawn: Result<T, PressError>) -> Result<T, Error> {
        match self.unread.into_inner() {
            Ok(None) => drawn.map_err(Error::internal),
            Ok(Some(error)) => Err(Error::internal(error)),
            Err(_) => Err(Error::internal("a thread that reads pictures panicked")),
        }
    }

    /// One that is missing stays away; one that can't be read now is noted.
    pub fn noted(&self, read: io::Result<Vec<u8>>) -> Option<Vec<u8>> {
        match read {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                if let Ok(mut unread) = self.unread.lock() {
                    *unread = Some(error);
                }
                None
            }
        }
    }
}

impl Proxies for LibraryProxies {
    fn proxy(&self, photo: &PhotoId, long_side: u32) -> Option<Vec<u8>> {
        let photo = self.photos.get(photo)?;
        if let Some(preview) = &photo.preview {
            return self.noted(self.storage.read_preview(preview));
        }
        let [.., largest] = LONG_SIDES;
        let long_side = LONG_SIDES.into_iter().find(|size| *size >= long_side).unwrap_or(largest);
        self.noted(self.storage.read_derivative(&photo.sha256, long_side))
    }

    fn pdf_page(&self, file: &FileDigest, page: u32) -> Option<Vec<u8>> {
        let file = self.files.get(file)?;
        self.noted(self.storage.read_pdf_page(file.as_str(), page))
    }
}

/// The originals of a document's photos, and its PDFs, for print.
pub struct LibraryOriginals {
    storage: Storage,
    photos: HashMap<PhotoId, Photo>,
    pdfs: BTreeMap<FileDigest, PdfFile>,
}

impl LibraryOriginals {
    /// Looks up the photos and the PDFs that the document shows.
    pub async fn of_document(app: &App, member: &MemberId, document: &Document) -> Result<Self, Error> {
        let pdfs = documents::of_document(app, member, document).await?;
        let mut ids = photos_of(document);
        // those that stand in a text go with it, to be set again
        ids.extend(pdfs.values().flat_map(PdfFile::pictures).cloned());
        let photos = photos::of_member(app, member, &ids).await?;
        Ok(Self {
            storage: app.storage.clone(),
            photos: photos.into_iter().map(|photo| (photo.id.clone(), photo)).collect(),
            pdfs,
        })
    }
}

impl LibraryOriginals {
    /// The same, with every file on this machine, for who reads them.
    pub async fn brought(app: &App, member: &MemberId, document: &Document) -> Result<Self, Error> {
        let found = Self::of_document(app, member, document).await?;
        let photos =
            found.photos.values().filter(|photo| !photo.is_coming()).map(|photo| photo.sha256.as_str());
        let digests = photos.chain(found.pdfs.keys().map(FileDigest::as_str));
        let keys = digests.map(original_key).collect();
        app.storage.bring_all(keys).await?;
        Ok(found)
    }

    /// Where a photo's original lies.
    pub fn path(&self, id: &PhotoId) -> Result<std::path::PathBuf, Error> {
        let photo = self.photos.get(id).filter(|photo| !photo.is_coming()).ok_or(Error::NotFound)?;
        Ok(self.storage.original_path(&photo.sha256))
    }

    /// The photos whose originals are here.
    pub fn photos(&self) -> Vec<Photo> {
        let mut photos: Vec<Photo> =
            self.photos.values().filter(|photo| !photo.is_coming()).cloned().collect();
        photos.sort_by(|a, b| a.id.cmp(&b.id));
        photos
    }

    /// What is known of a photo's picture.
    pub fn seen(&self, id: &PhotoId) -> Seen {
        let of =
            |photo: &Photo| Seen { faces: photo.faces.clone().unwrap_or_default(), quality: photo.quality };
        self.photos.get(id).map(of).unwrap_or_default()
    }

    /// The PDFs, by name.
    pub fn pdfs(&self) -> &BTreeMap<FileDigest, PdfFile> {
        &self.pdfs
    }

    /// Where a PDF lies.
    pub fn pdf_path(&self, file: &FileDigest) -> std::path::PathBuf {
        self.storage.original_path(file.as_str())
    }

    /// Whether what it shows is only decoded in the sandbox.
    pub fn needs_sandbox(&self) -> bool {
        let is_film =
            |photo: &Photo| PhotoFormat::of_extension(&photo.format).is_some_and(PhotoFormat::is_heif);
        !self.pdfs.is_empty() || self.photos.values().any(is_film)
    }

    /// The places of everything, for another process.
    pub fn files(&self) -> Files {
        let photo =
            |id: &PhotoId| Some((id.clone(), (self.describe(id)?, self.digest(id)?, self.path(id).ok()?)));
        Files {
            photos: self.photos.keys().filter_map(photo).collect(),
            pdfs: self.pdfs.keys().map(|file| (file.clone(), self.pdf_path(file))).collect(),
        }
    }
}

impl Originals for LibraryOriginals {
    fn describe(&self, id: &PhotoId) -> Option<Original> {
        // of one that is on its way nobody has shown yet that it is the member's
        let photo = self.photos.get(id).filter(|photo| !photo.is_coming())?;
        // a row whose file is gone is as missing as no row
        if self.storage.has_lost(&photo.sha256) {
            return None;
        }
        let format = PhotoFormat::of_extension(&photo.format)?;
        let damaged = photo.state == PhotoState::Broken;
        let (width, height, orientation) = (photo.width, photo.height, photo.orientation);
        Some(Original { format, width, height, orientation, damaged })
    }

    fn digest(&self, id: &PhotoId) -> Option<FileDigest> {
        self.photos.get(id)?.sha256.parse().ok()
    }

    fn open(&self, id: &PhotoId) -> io::Result<Box<dyn io::Read + '_>> {
        let photo = self.photos.get(id).filter(|photo| !photo.is_coming()).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(std::fs::File::open(self.storage.original_path(&photo.sha256))?))
    }
}
