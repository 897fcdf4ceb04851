//! The print file of a book, beside img2pdf, which wraps the same photos in a PDF.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use domain::document::{Crop, Document, Element, Page, PhotoFrame, Rect, TextBlock, TextRole, Trim};
use domain::ids::{FileDigest, PhotoId};
use photo::PhotoFormat;
use press::{Original, Originals, Part, Press};
use sha2::{Digest, Sha256};

use crate::Failure;
use crate::report::{Rounds, Section, head, version};
use crate::room::Room;
use crate::samples::{COUNT, HEIGHT, WIDTH};

const ROUNDS: usize = 11;

/// How this program is started to print the book.
pub const CHILD: &str = "print-book";

/// What the photos were hashed to when they came, a line each, in their order.
const KNOWN: &str = "known-digests";

/// What one printing took.
struct Run {
    seconds: f64,
    peak_mb: f64,
}

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let photos = room.photos()?;
    // reading them here also brings them into the page cache
    let (originals, bytes) = digests(photos)?;
    let known: Vec<String> = photos
        .iter()
        .map(|photo| Ok(format!("{}\n", hex::encode(Sha256::digest(fs::read(photo)?)))))
        .collect::<io::Result<_>>()?;
    fs::write(room.path().join(KNOWN), known.concat())?;
    let this = std::env::current_exe()?;
    let (book, wrapped) = (room.path().join("book.pdf"), room.path().join("wrapped.pdf"));
    let ours = || run(room, &book, Command::new("time").args(MEASURED).arg(&this).arg(CHILD), photos);
    let theirs = || run(room, &wrapped, Command::new("time").args(MEASURED).arg("img2pdf").arg("-o"), photos);

    ours()?;
    let unchanged = originals.intersection(&streams(room, &book)?).count();
    let rounds = Rounds::run(ROUNDS, ours, theirs)?;
    for file in [book, wrapped] {
        fs::remove_file(file)?;
    }
    let mut rows =
        vec![rounds.row("time in s", |run| run.seconds), rounds.row("peak memory in MB", |run| run.peak_mb)];
    rows.push(
        ["JPEG streams unchanged", &format!("{unchanged} of {COUNT}"), "", "", ""]
            .map(str::to_owned)
            .to_vec(),
    );
    let about = format!(
        "A book of {} pages with {COUNT} different photos of 12 megapixels ({:.0} MB of JPEG) and a line of Chinese text \
         under each: typesetting, fonts, PDF/X metadata, and the photos as they are, each checked against the digest that it came with. Beside it img2pdf puts the same \
         files on pages of their own and sets no text. Whole processes, {ROUNDS} rounds, the photos in the page cache, \
         the files written to one disk and synced after the clock has stopped. Goals: ratio of the time at most 0.7, \
         at most 200 MB, every JPEG byte for byte.",
        COUNT / 2,
        bytes as f64 / 1e6,
    );
    Ok(Section { title: "Print file", about, head: head(&version("img2pdf")?), rows })
}

/// GNU time writes the peak memory of what it runs to a file, in KiB.
const MEASURED: [&str; 4] = ["-f", "%M", "-o", "peak"];

fn run(room: &Room, out: &Path, command: &mut Command, photos: &[PathBuf]) -> Result<Run, Failure> {
    // what is there already would have to be cut first
    if out.exists() {
        fs::remove_file(out)?;
    }
    let command = command.arg(out).args(photos).current_dir(room.path());
    let start = Instant::now();
    let status = command.status()?;
    let seconds = start.elapsed().as_secs_f64();
    if !status.success() {
        return Err(format!("{command:?} failed").into());
    }
    // so that the next run doesn't wait for this one's bytes
    File::open(out)?.sync_all()?;
    let peak: f64 = fs::read_to_string(room.path().join("peak"))?.trim().parse()?;
    Ok(Run { seconds, peak_mb: peak * 1024.0 / 1e6 })
}

/// The digests of files, and how many bytes they have together.
fn digests(files: &[PathBuf]) -> io::Result<(BTreeSet<Vec<u8>>, u64)> {
    let (mut digests, mut bytes) = (BTreeSet::new(), 0);
    for file in files {
        let content = fs::read(file)?;
        bytes += content.len() as u64;
        digests.insert(Sha256::digest(content).to_vec());
    }
    Ok((digests, bytes))
}

/// The digests of all JPEG streams in a PDF, as poppler finds them.
fn streams(room: &Room, pdf: &Path) -> Result<BTreeSet<Vec<u8>>, Failure> {
    let folder = tempfile::tempdir_in(room.path())?;
    let status = Command::new("pdfimages").arg("-all").arg(pdf).arg(folder.path().join("image")).status()?;
    if !status.success() {
        return Err("pdfimages could not read the book".into());
    }
    let files = fs::read_dir(folder.path())?.map(|file| file.map(|file| file.path()));
    Ok(digests(&files.collect::<io::Result<Vec<_>>>()?)?.0)
}

/// Photos with their digests, as a library has them.
struct Files<'a>(BTreeMap<PhotoId, (&'a Path, FileDigest)>);

impl Originals for Files<'_> {
    fn describe(&self, photo: &PhotoId) -> Option<Original> {
        let (width, height) = (u32::from(WIDTH), u32::from(HEIGHT));
        self.0.get(photo).map(|_| Original {
            format: PhotoFormat::Jpeg,
            width,
            height,
            orientation: 1,
            damaged: false,
        })
    }

    fn digest(&self, photo: &PhotoId) -> Option<FileDigest> {
        self.0.get(photo).map(|(_, digest)| digest.clone())
    }

    fn open(&self, photo: &PhotoId) -> io::Result<Box<dyn Read + '_>> {
        let (path, _) = self.0.get(photo).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(File::open(path)?))
    }
}

/// Prints a book of all photos, two on a page.
pub fn book(out: &str, photos: &[&str]) -> Result<(), Failure> {
    let paths = photos.iter().map(Path::new);
    let known = fs::read_to_string(KNOWN)?;
    let named = (0..)
        .zip(paths)
        .zip(known.lines())
        .map(|((number, path), digest)| Ok((format!("photo-{number:03}").parse()?, (path, digest.parse()?))));
    let files = Files(named.collect::<Result<_, Failure>>()?);
    let ids: Vec<&PhotoId> = files.0.keys().collect();
    let pages = ids.chunks(2).map(|pair| {
        let mut elements = Vec::new();
        for (photo, y) in pair.iter().zip([20.0, 150.0]) {
            let frame = Rect { x: 20.0, y, width: 170.0, height: 110.0 };
            elements.push(Element::Photo(PhotoFrame::new((*photo).clone(), frame, Crop::WHOLE)));
            let frame = Rect { x: 20.0, y: y + 113.0, width: 170.0, height: 10.0 };
            let text = format!("{photo}：清晨六点，云海持续了不到二十分钟，等在栏杆边的人都安静下来。");
            elements.push(Element::Text(TextBlock::new(frame, TextRole::Caption, text)));
        }
        Page { elements, ..Page::default() }
    });
    let document = Document {
        trim: Trim { width: 210.0, height: 280.0 },
        theme: "calm".to_owned(),
        title: "山水之间".to_owned(),
        author: String::new(),
        description: String::new(),
        category: None,
        emoji: Default::default(),
        variants: None,
        cover: Page::default(),
        pages: pages.collect(),
    };
    let report = Press::new().print(&document, Part::Inner, &files, 0, &mut File::create(out)?)?;
    if report.pages == ids.len() / 2 && report.photos == ids.len() {
        Ok(())
    } else {
        Err(format!("the book came out as {report:?}").into())
    }
}
