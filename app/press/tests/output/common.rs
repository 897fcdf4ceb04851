//! Documents and photos that the tests make for themselves.
#![allow(dead_code, reason = "an example uses its own part")]

pub mod pdfs;
pub mod raw;

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::process::Command;

use domain::binding::CoverSheet;
use domain::document::{
    Colour, Crop, Document, Element, Page, PdfPage, PhotoFrame, Rect, TextBlock, TextRole, Trim,
};
use domain::ids::{FileDigest, PhotoId};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, ImageFormat, Rgb, RgbImage};
use photo::PhotoFormat;
use press::{Original, Originals, Part, Press, PrintReport, Proxies};

pub const RED: [u8; 3] = [200, 40, 40];
pub const GREEN: [u8; 3] = [40, 160, 60];
pub const BLUE: [u8; 3] = [40, 60, 190];
pub const YELLOW: [u8; 3] = [220, 200, 40];

/// 2026-01-02 03:04:05 UTC.
pub const MADE_AT: i64 = 1_767_323_045_000;

pub fn id(name: &str) -> PhotoId {
    name.parse().expect("a photo id")
}

pub fn rect(x: f64, y: f64, width: f64, height: f64) -> Rect {
    Rect { x, y, width, height }
}

pub fn photo(name: &str, frame: Rect, crop: Crop) -> Element {
    Element::Photo(PhotoFrame::new(id(name), frame, crop))
}

pub fn text(role: TextRole, frame: Rect, text: &str) -> Element {
    Element::Text(TextBlock::new(frame, role, text))
}

pub fn page(elements: Vec<Element>) -> Page {
    Page { elements, ..Page::default() }
}

/// A page of a book of ready pages, which are on white paper.
pub fn ready_page(shown: PdfPage) -> Page {
    Page { background: Some(Colour([255; 3])), ..page(vec![Element::Pdf(shown)]) }
}

pub fn document(theme: &str, pages: Vec<Page>) -> Document {
    Document {
        trim: Trim { width: 210.0, height: 210.0 },
        theme: theme.to_owned(),
        title: "山水之间".to_owned(),
        author: "林小满".to_owned(),
        description: String::new(),
        category: None,
        emoji: Default::default(),
        variants: None,
        cover: Page::default(),
        pages,
    }
}

/// An upright picture of four colours: red and green above, blue and yellow below.
pub fn quadrants(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
        (true, true) => Rgb(RED),
        (false, true) => Rgb(GREEN),
        (true, false) => Rgb(BLUE),
        (false, false) => Rgb(YELLOW),
    })
}

/// A picture with structure at every scale, so that a shifted crop is seen.
pub fn landscape(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let (u, v) = (f64::from(x) / f64::from(width), f64::from(y) / f64::from(height));
        let wave = ((u * 19.0).sin() * (v * 23.0).cos() + 1.0) * 127.0;
        Rgb([(u * 255.0) as u8, (v * 255.0) as u8, wave as u8])
    })
}

pub fn jpeg(pixels: &RgbImage) -> Vec<u8> {
    pictures::compressed(pixels, 92)
}

pub fn encoded(pixels: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    pixels.write_to(&mut bytes, format).expect("a picture file");
    bytes.into_inner()
}

/// The pixels as a camera stores them that says `orientation`.
pub fn stored(upright: &RgbImage, orientation: u8) -> RgbImage {
    // Turning back is turning by the opposite; only the quarter turns have another one than themselves.
    let back = match orientation {
        6 => 8,
        8 => 6,
        other => other,
    };
    let mut pixels = DynamicImage::ImageRgb8(upright.clone());
    pixels.apply_orientation(Orientation::from_exif(back).expect("an orientation"));
    pixels.into_rgb8()
}

/// Photos in memory: originals for print, and the same upright for the screen.
#[derive(Default)]
pub struct Library {
    pub originals: BTreeMap<PhotoId, (Original, Vec<u8>)>,
    pub proxies: BTreeMap<PhotoId, Vec<u8>>,
    /// What the originals were when they came, where a test says so.
    pub digests: BTreeMap<PhotoId, FileDigest>,
}

impl Library {
    pub fn jpeg(mut self, name: &str, upright: &RgbImage, orientation: u8) -> Self {
        let pixels = stored(upright, orientation);
        let bytes = jpeg(&pixels);
        self.proxies.insert(id(name), jpeg(upright));
        self.add(name, PhotoFormat::Jpeg, pixels.width(), pixels.height(), orientation, bytes)
    }

    pub fn add(
        mut self,
        name: &str,
        format: PhotoFormat,
        width: u32,
        height: u32,
        orientation: u8,
        bytes: Vec<u8>,
    ) -> Self {
        self.originals
            .insert(id(name), (Original { format, width, height, orientation, damaged: false }, bytes));
        self
    }

    pub fn bytes(&self, name: &str) -> &[u8] {
        &self.originals[&id(name)].1
    }
}

impl Originals for Library {
    fn describe(&self, photo: &PhotoId) -> Option<Original> {
        self.originals.get(photo).map(|(original, _)| *original)
    }

    fn digest(&self, photo: &PhotoId) -> Option<FileDigest> {
        self.digests.get(photo).cloned()
    }

    fn open(&self, photo: &PhotoId) -> io::Result<Box<dyn Read + '_>> {
        let (_, bytes) = self.originals.get(photo).ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(bytes.as_slice()))
    }
}

impl Proxies for Library {
    fn proxy(&self, photo: &PhotoId, _: u32) -> Option<Vec<u8>> {
        self.proxies.get(photo).cloned()
    }
}

pub fn print(document: &Document, library: &Library) -> (Vec<u8>, PrintReport) {
    let mut pdf = Vec::new();
    let report = Press::new().print(document, Part::Inner, library, MADE_AT, &mut pdf).expect("a print file");
    assert_eq!(report.bytes, pdf.len() as u64);
    (pdf, report)
}

/// The whole cover of a document without a binding: front, back and a spine so wide.
pub fn plain_cover(document: &Document, spine: f64) -> Part {
    Part::Cover(CoverSheet::plain(document.trim, spine))
}

/// What a command prints; it must succeed.
pub fn run(program: &str, arguments: &[&str], file: &Path) -> String {
    let output = Command::new(program).args(arguments).arg(file).output().expect(program);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{program}: {said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

/// The plates that Ghostscript makes of the first page, 50 dots an inch, dark where there is ink; nothing where it is not
/// installed.
pub fn plates(pdf: &[u8]) -> Option<BTreeMap<String, GrayImage>> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cover.pdf");
    std::fs::write(&file, pdf).expect("the PDF is written");
    let out = format!("-sOutputFile={}", folder.path().join("plate%d.tif").display());
    let made = std::process::Command::new("gs")
        .args(["-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=tiffsep", "-r50", &out])
        .args(["-dFirstPage=1", "-dLastPage=1"])
        .arg(&file)
        .status();
    if made.is_err() {
        println!("Ghostscript is not installed: its plates were not looked at");
        return None;
    }
    let png = folder.path().join("plate.png");
    let read = "import sys; from PIL import Image; Image.open(sys.argv[2]).convert('L').save(sys.argv[1])";
    let plates = std::fs::read_dir(folder.path()).expect("the folder").filter_map(|file| {
        let name = file.expect("a file").file_name().to_string_lossy().into_owned();
        let plate = name.split_once('(')?.1.split_once(')')?.0.to_owned();
        run("/usr/bin/python3", &["-c", read, png.to_str().expect("a path")], &folder.path().join(&name));
        // where its version writes names of spots in per cent
        let plate = plain_name(&plate);
        Some((plate, image::open(&png).expect("a PNG").into_luma8()))
    });
    Some(plates.collect())
}

/// A name with its bytes instead of `%E5` and the like.
fn plain_name(name: &str) -> String {
    let mut parts = name.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two digits"));
        bytes.extend(part[2..].bytes());
    }
    String::from_utf8(bytes).expect("a name")
}

/// A page of a PDF, inside its TrimBox, `width` pixels wide. The trim's corner is a pixel's corner.
pub fn rasterised(pdf: &[u8], page: usize, width: u32) -> RgbImage {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("book.pdf");
    let [left, bottom, right, top] = pdf_boxes(pdf)[page - 1].trim;
    // poppler counts pixels from the corner of the CropBox, which is the MediaBox in these files
    let mut cropped = lopdf::Document::load_mem(pdf).expect("a PDF");
    let id = cropped.get_pages()[&u32::try_from(page).expect("a page")];
    let trim = cropped.get_dictionary(id).and_then(|page| page.get(b"TrimBox")).expect("a trim").clone();
    cropped.get_dictionary_mut(id).expect("a page").set("CropBox", trim);
    // with it poppler shows what the press could print
    cropped.catalog_mut().expect("a catalogue").remove(b"OutputIntents");
    cropped.save(&file).expect("the PDF is written");
    let pixels_per_pt = f64::from(width) / (right - left);
    let height = ((top - bottom) * pixels_per_pt).round();
    let (page, resolution) = (page.to_string(), (pixels_per_pt * 72.0).to_string());
    let (width, height) = (width.to_string(), height.to_string());
    let cut = ["-x", "0", "-y", "0", "-W", &width, "-H", &height];
    drawn(&file, &[&["-f", &page, "-cropbox", "-r", &resolution], &cut[..]].concat()).expect("a page")
}

/// A page, the first unless `-f` names another, as poppler draws it with these options; nothing where it can't in half a
/// minute. Packing it into a PNG would take longer than drawing it, so it comes as it is (netpbm's ppm, raw).
pub fn drawn(file: &Path, options: &[&str]) -> Option<RgbImage> {
    let drawing =
        Command::new("timeout").args(["30", "pdftoppm", "-singlefile"]).args(options).arg(file).output();
    let drawing = drawing.expect("pdftoppm");
    if !drawing.status.success() {
        return None;
    }
    let mut lines = drawing.stdout.splitn(4, |byte| *byte == b'\n');
    assert_eq!(lines.next()?, b"P6");
    let (width, height) = std::str::from_utf8(lines.next()?).ok()?.split_once(' ')?;
    assert_eq!(lines.next()?, b"255");
    RgbImage::from_raw(width.parse().ok()?, height.parse().ok()?, lines.next()?.to_vec())
}

pub struct Boxes {
    pub media: [f64; 4],
    pub trim: [f64; 4],
    /// Print files say it; others leave it to the default.
    pub bleed: Option<[f64; 4]>,
}

pub fn pdf_boxes(pdf: &[u8]) -> Vec<Boxes> {
    let pdf = lopdf::Document::load_mem(pdf).expect("a PDF");
    let pages = pdf.get_pages();
    let read = |page: &lopdf::Dictionary, key: &[u8]| -> Option<[f64; 4]> {
        let numbers = page.get(key).and_then(|array| array.as_array()).ok()?;
        Some(std::array::from_fn(|index| f64::from(numbers[index].as_float().expect("a number"))))
    };
    pages
        .values()
        .map(|page| {
            let page = pdf.get_dictionary(*page).expect("a page");
            Boxes {
                media: read(page, b"MediaBox").expect("a size"),
                trim: read(page, b"TrimBox").expect("a trim"),
                bleed: read(page, b"BleedBox"),
            }
        })
        .collect()
}

/// The mean absolute difference of two pictures of one size, 0 to 255.
pub fn difference(one: &RgbImage, other: &RgbImage) -> f64 {
    assert_eq!(one.dimensions(), other.dimensions());
    let sum: u64 = one.as_raw().iter().zip(other.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / one.as_raw().len() as f64
}

pub fn near(pixel: &Rgb<u8>, colour: [u8; 3]) -> bool {
    pixel.0.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 14)
}
