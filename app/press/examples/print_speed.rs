//! Prints a book of all JPEGs in a folder, two on a page, and says how long each step took. One more picture
//! stands for the derivatives that the screen shows.
//!
//! `cargo run --release -p bindery-press --example print_speed -- <folder of JPEGs> <derivative> <out.pdf>`

use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Instant;

use domain::document::{Crop, Document, Element, Page, PhotoFrame, Rect, TextBlock, TextRole, Trim};
use domain::ids::PhotoId;
use press::photo::PhotoFormat;
use press::{Original, Originals, PageRef, Press, Proxies};

struct Folder(BTreeMap<PhotoId, (PathBuf, Original)>);

struct Derivative(Vec<u8>);

impl Originals for Folder {
    fn describe(&self, photo: &PhotoId) -> Option<Original> {
        self.0.get(photo).map(|(_, original)| *original)
    }

    fn open(&self, photo: &PhotoId) -> io::Result<Box<dyn Read + '_>> {
        let (path, _) = self.0.get(photo).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(File::open(path)?))
    }
}

impl Proxies for Derivative {
    fn proxy(&self, _: &PhotoId) -> Option<Vec<u8>> {
        Some(self.0.clone())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), Some(derivative), Some(out)) = (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("say which folder of JPEGs, a derivative, and the file to write".into());
    };
    let mut photos = BTreeMap::new();
    for (number, entry) in fs::read_dir(folder)?.enumerate() {
        let path = entry?.path();
        let (width, height) = image::image_dimensions(&path)?;
        let original = Original { format: PhotoFormat::Jpeg, width, height, orientation: 1 };
        photos.insert(format!("photo-{number}").parse()?, (path, original));
    }
    let ids: Vec<PhotoId> = photos.keys().cloned().collect();
    let frame = |y: f64| Rect { x: 20.0, y, width: 170.0, height: 110.0 };
    let pages = ids.chunks(2).map(|pair| {
        let mut elements: Vec<Element> = Vec::new();
        for (photo, y) in pair.iter().zip([20.0, 150.0]) {
            elements.push(Element::Photo(PhotoFrame {
                photo: photo.clone(),
                frame: frame(y),
                crop: Crop::WHOLE,
            }));
            let below = Rect { x: 20.0, y: y + 113.0, width: 170.0, height: 10.0 };
            let text = "清晨六点，云海持续了不到二十分钟，等在栏杆边的人都安静下来。".to_owned();
            elements.push(Element::Text(TextBlock { frame: below, role: TextRole::Caption, text }));
        }
        Page { background: None, elements }
    });
    let book = Document {
        trim: Trim { width: 210.0, height: 280.0 },
        theme: "calm".to_owned(),
        title: "山水之间".to_owned(),
        author: String::new(),
        cover: Page::default(),
        pages: pages.collect(),
    };
    let originals = Folder(photos);
    let press = Press::new();

    let timed = |what: &str, start: Instant| println!("{what}: {:.3} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    press.preflight(&book, &|photo| originals.describe(photo))?;
    timed("preflight, with parsing the fonts", start);
    let start = Instant::now();
    press.preflight(&book, &|photo| originals.describe(photo))?;
    timed("preflight again", start);
    let start = Instant::now();
    let report = press.print_pdf(&book, &originals, 0, &mut File::create(out)?)?;
    timed(&format!("{} pages, {} photos, {} bytes", report.pages, report.photos, report.bytes), start);
    if let Ok(status) = fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
        println!("memory so far: {peak}");
    }
    let derivative = Derivative(fs::read(derivative)?);
    for page in 0..3.min(book.pages.len()) {
        let start = Instant::now();
        let picture = press.page_picture(&book, PageRef::Inner(page), &derivative, 1280)?;
        timed(&format!("a page picture of {} bytes", picture.len()), start);
    }
    Ok(())
}
