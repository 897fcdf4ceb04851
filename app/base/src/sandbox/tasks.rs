//! What can be done in the sandbox, and what each may use.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufWriter, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use domain::document::{Crop, Document};
use domain::faces::Face;
use domain::ids::{FileDigest, PhotoId};
use domain::look::Look;
use domain::quality::Quality;
use domain::reading::{SheetLink, SheetText};
use photo::{Derivatives, PhotoRefusal};
use press::manuscript::{self, Markup, Picture, Style, TextRefusal};
use press::pdf::{self, PdfFacts, PdfRefusal};
use press::{Original, Originals, Part, Press, PressError, PrintStandard, Proxies};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Lane, Limits, Reach, hold};
use crate::presses::PressSettings;

/// Something to do in the sandbox.
pub trait Task {
    /// What is said when it is done.
    type Answer: DeserializeOwned;
    /// What it may use.
    const LIMITS: Limits;
    /// Which others it waits for.
    const LANE: Lane = Lane::Quick;
    /// The task as it is sent.
    fn into_any(self) -> Any;
}

/// Any task, as it is sent.
#[derive(Debug, Serialize, Deserialize)]
pub enum Any {
    Derive(Derive),
    Inspect(Inspect),
    Draw(Draw),
    ReadSheet(ReadSheet),
    SetText(SetText),
    WriteBook(Box<WriteBook>),
    Print(Box<Print>),
}

impl Any {
    pub fn limits(&self) -> Limits {
        match self {
            Self::Derive(_) => Derive::LIMITS,
            Self::Inspect(_) => Inspect::LIMITS,
            Self::Draw(_) => Draw::LIMITS,
            Self::ReadSheet(_) => ReadSheet::LIMITS,
            Self::SetText(_) => SetText::LIMITS,
            Self::WriteBook(_) => WriteBook::LIMITS,
            Self::Print(_) => Print::LIMITS,
        }
    }

    /// The files that it reads, which are open from here on, and those that it writes.
    pub fn reach(&mut self) -> io::Result<Reach> {
        let (read, write): (Vec<&mut PathBuf>, Vec<&PathBuf>) = match self {
            Self::Derive(Derive { file, folder, .. }) | Self::Draw(Draw { file, folder, .. }) => {
                (vec![file], vec![folder])
            }
            Self::Inspect(Inspect { file }) | Self::ReadSheet(ReadSheet { file, .. }) => (vec![file], vec![]),
            Self::SetText(SetText { pictures, out, .. }) => {
                (pictures.iter_mut().map(|(_, file)| file).collect(), vec![out])
            }
            Self::WriteBook(task) => (task.pictures.all().collect(), vec![&task.out]),
            Self::Print(task) => (task.files.all().collect(), vec![&task.out]),
        };
        let write = write.into_iter().cloned().collect();
        Ok(Reach { read: hold(read)?, write })
    }

    /// Does it, and answers as JSON. The error is for the log of whoever tries it by hand.
    pub fn carry_out(self) -> Result<Vec<u8>, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let answer = match self {
            Self::Derive(task) => serde_json::to_vec(&task.carry_out().map_err(|error| text(&error))),
            Self::Inspect(task) => serde_json::to_vec(&task.carry_out().map_err(|error| text(&error))?),
            Self::Draw(task) => serde_json::to_vec(&task.carry_out().map_err(|error| text(&error))?),
            Self::ReadSheet(task) => serde_json::to_vec(&task.carry_out().map_err(|error| text(&error))?),
            Self::SetText(task) => serde_json::to_vec(&task.carry_out()?),
            Self::WriteBook(task) => serde_json::to_vec(&task.carry_out().map_err(|error| text(&error))?),
            Self::Print(task) => serde_json::to_vec(&task.carry_out().map_err(|error| text(&error))?),
        };
        answer.map_err(|error| text(&error))
    }
}

const MB: u64 = 1 << 20;

/// Makes the served pictures of a photo that is decoded like a film ([`photo::PhotoFormat::is_heif`]).
#[derive(Debug, Serialize, Deserialize)]
pub struct Derive {
    pub file: PathBuf,
    pub printed_on: PressSettings,
    pub folder: PathBuf,
    /// Whether faces are looked for.
    pub faces: bool,
}

/// What was found while they were made.
#[derive(Debug, Serialize, Deserialize)]
pub struct Derived {
    /// Width and height of each picture, smallest first.
    pub sizes: [(u32, u32); 3],
    pub subject: Option<Crop>,
    pub look: Option<Look>,
    pub faces: Option<Vec<Face>>,
    pub quality: Option<Quality>,
}

impl Task for Derive {
    /// Nothing where its pixels are damaged; the inner error is that a file could not be read or written.
    type Answer = Result<Option<Derived>, String>;
    const LIMITS: Limits = Limits { memory: 2_048 * MB, seconds: 60, file: 64 * MB };
    const LANE: Lane = Lane::Photos;

    fn into_any(self) -> Any {
        Any::Derive(self)
    }
}

impl Derive {
    /// The picture in the folder whose long side is one of [`photo::LONG_SIDES`].
    pub fn picture(folder: &Path, long_side: u32) -> PathBuf {
        folder.join(format!("{long_side}.webp"))
    }

    fn carry_out(self) -> io::Result<Option<Derived>> {
        let original = std::fs::read(&self.file)?;
        let inks = self.printed_on.condition().map_err(io::Error::other)?.icc();
        let info = photo::probe(&mut io::Cursor::new(&original));
        let detector = self.faces.then(photo::detector).and_then(Result::ok);
        let made = match info.and_then(|info| photo::derive(&original, &info, inks, detector)) {
            Ok(made) => made,
            Err(PhotoRefusal::Unreadable) => return Err(io::ErrorKind::Other.into()),
            Err(_) => return Ok(None),
        };
        for derivative in &made.sizes {
            std::fs::write(Self::picture(&self.folder, derivative.long_side), &derivative.webp)?;
        }
        let sizes = made.sizes.each_ref().map(|derivative| (derivative.width, derivative.height));
        let Derivatives { subject, look, faces, quality, .. } = made;
        Ok(Some(Derived { sizes, subject, look, faces, quality }))
    }
}

/// Reads a PDF's pages.
#[derive(Debug, Serialize, Deserialize)]
pub struct Inspect {
    pub file: PathBuf,
}

impl Task for Inspect {
    type Answer = Result<PdfFacts, PdfRefusal>;
    const LIMITS: Limits = Limits { memory: 1_024 * MB, seconds: 10, file: 0 };

    fn into_any(self) -> Any {
        Any::Inspect(self)
    }
}

impl Inspect {
    fn carry_out(self) -> io::Result<Result<PdfFacts, PdfRefusal>> {
        Ok(pdf::inspect(&std::fs::read(self.file)?))
    }
}

/// Draws pages of a PDF into a folder, `1.webp` and so on, as many as it can in a time.
#[derive(Debug, Serialize, Deserialize)]
pub struct Draw {
    pub file: PathBuf,
    /// From 1.
    pub pages: Vec<u32>,
    pub folder: PathBuf,
    /// No page is begun after so long.
    pub within: Duration,
}

impl Draw {
    /// The picture of a page in the folder.
    pub fn picture(folder: &Path, page: u32) -> PathBuf {
        folder.join(format!("{page}.webp"))
    }

    fn carry_out(self) -> io::Result<Result<(), PdfRefusal>> {
        let started = Instant::now();
        let bytes = std::fs::read(&self.file)?;
        let drawn = pdf::draw(&bytes, self.pages, |page, webp| -> Result<bool, Failed> {
            let place = Self::picture(&self.folder, page);
            // a picture is there whole or not at all
            let part = place.with_extension("part");
            std::fs::write(&part, webp).and_then(|()| std::fs::rename(&part, &place)).map_err(Failed::Io)?;
            Ok(started.elapsed() < self.within)
        });
        match drawn {
            Ok(()) => Ok(Ok(())),
            Err(Failed::Pdf(refusal)) => Ok(Err(refusal)),
            Err(Failed::Io(error)) => Err(error),
        }
    }
}

enum Failed {
    Pdf(PdfRefusal),
    Io(io::Error),
}

impl From<PdfRefusal> for Failed {
    fn from(refusal: PdfRefusal) -> Self {
        Self::Pdf(refusal)
    }
}

impl Task for Draw {
    type Answer = Result<(), PdfRefusal>;
    const LIMITS: Limits = Limits { memory: 1_024 * MB, seconds: 10, file: 64 * MB };

    fn into_any(self) -> Any {
        Any::Draw(self)
    }
}

/// Reads the words and the links of a PDF's page.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadSheet {
    pub file: PathBuf,
    /// From 1.
    pub page: u32,
}

/// What stands in a PDF's page for readers.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SheetRead {
    pub words: SheetText,
    pub links: Vec<SheetLink>,
}

impl Task for ReadSheet {
    type Answer = Result<SheetRead, PdfRefusal>;
    const LIMITS: Limits = Limits { memory: 1_024 * MB, seconds: 10, file: 0 };

    fn into_any(self) -> Any {
        Any::ReadSheet(self)
    }
}

impl ReadSheet {
    fn carry_out(self) -> io::Result<Result<SheetRead, PdfRefusal>> {
        let bytes = std::fs::read(self.file)?;
        Ok(pdf::text(&bytes, self.page)
            .and_then(|words| Ok(SheetRead { words, links: pdf::links(&bytes, self.page)? })))
    }
}

/// Sets a text as a PDF.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetText {
    pub text: String,
    pub markup: Markup,
    pub style: Style,
    /// Derivatives of the pictures that it shows, with their addresses in it.
    #[serde(default)]
    pub pictures: Vec<(Vec<String>, PathBuf)>,
    /// Where the PDF goes.
    pub out: PathBuf,
}

/// What is said of a text that was set.
#[derive(Debug, Serialize, Deserialize)]
pub struct TextSet {
    pub title: Option<String>,
    pub notes: Vec<String>,
}

impl Task for SetText {
    type Answer = Result<TextSet, TextRefusal>;
    const LIMITS: Limits = Limits { memory: 2_048 * MB, seconds: 60, file: 256 * MB };
    const LANE: Lane = Lane::Texts;

    fn into_any(self) -> Any {
        Any::SetText(self)
    }
}

impl SetText {
    fn carry_out(self) -> Result<Result<TextSet, TextRefusal>, String> {
        let mut pictures = manuscript::Pictures::default();
        for (addresses, path) in self.pictures {
            let picture = std::fs::read(path).ok().and_then(|file| Picture::of_derivative(&file));
            if let Some(picture) = picture {
                pictures.add(addresses, picture);
            }
        }
        let set = manuscript::set(&self.text, self.markup, &self.style, &pictures);
        match set.map_err(|error| error.to_string())? {
            Ok(set) => {
                std::fs::write(&self.out, set.pdf).map_err(|error| error.to_string())?;
                Ok(Ok(TextSet { title: set.title, notes: set.notes }))
            }
            Err(refusal) => Ok(Err(refusal)),
        }
    }
}

/// Writes a document that shows pages of PDFs as a PDF to read.
#[derive(Debug, Serialize, Deserialize)]
pub struct WriteBook {
    pub document: Document,
    pub pictures: Pictures,
    pub out: PathBuf,
}

impl Task for WriteBook {
    type Answer = ();
    const LIMITS: Limits = Limits { memory: 4_096 * MB, seconds: 60, file: 256 * MB };
    const LANE: Lane = Lane::Books;

    fn into_any(self) -> Any {
        Any::WriteBook(Box::new(self))
    }
}

impl WriteBook {
    fn carry_out(self) -> Result<(), PressError> {
        let written = Press::new().reading_pdf(&self.document, &self.pictures)?;
        Ok(std::fs::write(self.out, written)?)
    }
}

/// What a document shows on a screen, by its place on the disk.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Pictures {
    /// A photo's derivatives from the smallest on, each with its long side in pixels.
    pub photos: HashMap<PhotoId, Vec<(u32, PathBuf)>>,
    /// The pictures of a PDF's pages, from 1.
    pub pages: HashMap<FileDigest, BTreeMap<u32, PathBuf>>,
    pub pdfs: HashMap<FileDigest, PathBuf>,
}

impl Pictures {
    fn all(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let photos = self.photos.values_mut().flatten().map(|(_, file)| file);
        photos.chain(self.pages.values_mut().flat_map(BTreeMap::values_mut)).chain(self.pdfs.values_mut())
    }
}

impl Proxies for Pictures {
    fn proxy(&self, photo: &PhotoId, long_side: u32) -> Option<Vec<u8>> {
        let derivatives = self.photos.get(photo)?;
        let (_, path) = derivatives.iter().find(|(side, _)| *side >= long_side).or(derivatives.last())?;
        std::fs::read(path).ok()
    }

    fn pdf_page(&self, file: &FileDigest, page: u32) -> Option<Vec<u8>> {
        std::fs::read(self.pages.get(file)?.get(&page)?).ok()
    }

    fn pdf(&self, file: &FileDigest) -> Option<Vec<u8>> {
        std::fs::read(self.pdfs.get(file)?).ok()
    }
}

/// Writes a print file of a document that shows what strangers' files are decoded for: pages of PDFs, HEIC and AVIF.
#[derive(Debug, Serialize, Deserialize)]
pub struct Print {
    pub document: Document,
    pub standard: PrintStandard,
    pub printed_on: PressSettings,
    pub part: Part,
    pub files: Files,
    /// Epoch ms.
    pub made_at: i64,
    pub out: PathBuf,
}

/// An original whose bytes are not those that came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Damaged {
    Photo(PhotoId),
    File(FileDigest),
}

impl Damaged {
    /// The original that a press would not print, where that is what it says.
    pub fn of(error: &PressError) -> Option<Self> {
        match error {
            PressError::Altered(photo) => Some(Self::Photo(photo.clone())),
            PressError::AlteredFile(file) => Some(Self::File(file.clone())),
            _ => None,
        }
    }
}

impl Task for Print {
    type Answer = Result<(), Damaged>;
    const LIMITS: Limits = Limits { memory: 4_096 * MB, seconds: 600, file: 8_192 * MB };
    const LANE: Lane = Lane::Print;

    fn into_any(self) -> Any {
        Any::Print(Box::new(self))
    }
}

impl Print {
    fn carry_out(self) -> Result<Result<(), Damaged>, PressError> {
        let mut out = BufWriter::with_capacity(1 << 20, File::create(&self.out)?);
        let condition = self.printed_on.condition().map_err(io::Error::other)?;
        let press = Press::following(self.standard).printed_on(condition);
        if let Err(error) = press.print(&self.document, self.part, &self.files, self.made_at, &mut out) {
            return Damaged::of(&error).map(Err).ok_or(error);
        }
        out.into_inner().map_err(|error| error.into_error())?.sync_all()?;
        Ok(Ok(()))
    }
}

/// What a document shows, by its place on the disk.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Files {
    pub photos: HashMap<PhotoId, (Original, FileDigest, PathBuf)>,
    pub pdfs: HashMap<FileDigest, PathBuf>,
}

impl Files {
    fn all(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.photos.values_mut().map(|(.., file)| file).chain(self.pdfs.values_mut())
    }
}

impl Originals for Files {
    fn describe(&self, photo: &PhotoId) -> Option<Original> {
        self.photos.get(photo).map(|(original, ..)| *original)
    }

    fn digest(&self, photo: &PhotoId) -> Option<FileDigest> {
        self.photos.get(photo).map(|(_, digest, _)| digest.clone())
    }

    fn open(&self, photo: &PhotoId) -> io::Result<Box<dyn Read + '_>> {
        let (.., path) = self.photos.get(photo).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(File::open(path)?))
    }

    fn pdf(&self, file: &FileDigest) -> io::Result<Vec<u8>> {
        std::fs::read(self.pdfs.get(file).ok_or(io::ErrorKind::NotFound)?)
    }
}
