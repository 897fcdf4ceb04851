//! Lays out a dozen books of many kinds and draws each on a contact sheet, to be looked at.
//!
//! `cargo run -p bindery-press --example contact -- FOLDER PICTURES…`: the folder for the sheets, then JPEG files that stand for
//! photos; each is cut to the shapes that cameras and phones make. Without any, the photos are painted ones.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use domain::document::Trim;
use domain::ids::PhotoId;
use domain::layout::{Captions, Density, LayoutOptions, PageRange, PhotoInput, lay_out};
use image::codecs::jpeg::JpegEncoder;
use image::imageops::{FilterType, overlay};
use image::{DynamicImage, Rgb, RgbImage};
use press::{PageRef, Press, Proxies, specimen, themes};

type Fallible<T> = Result<T, Box<dyn Error>>;

/// A book: its name, page size, theme, number of photos and density.
type Book = (&'static str, (f64, f64), &'static str, u32, Density);

const BOOKS: [Book; 12] = [
    ("01-quiet-20", (210.0, 210.0), "calm", 20, Density::Even),
    ("02-quiet-64", (210.0, 297.0), "calm", 64, Density::Airy),
    ("03-album-40", (210.0, 210.0), "classic", 40, Density::Even),
    ("04-album-200", (280.0, 210.0), "classic", 200, Density::Dense),
    ("05-scraps-60", (148.0, 210.0), "journal", 60, Density::Even),
    ("06-mosaic-90", (210.0, 210.0), "cream", 90, Density::Dense),
    ("07-bleed-48", (280.0, 210.0), "festive", 48, Density::Even),
    ("08-cinema-36", (280.0, 210.0), "night", 36, Density::Even),
    ("09-cinema-80", (210.0, 210.0), "night", 80, Density::Dense),
    ("10-magazine-70", (210.0, 297.0), "magazine", 70, Density::Even),
    ("11-gallery-30", (210.0, 210.0), "gallery", 30, Density::Even),
    ("12-gallery-120", (210.0, 297.0), "gallery", 120, Density::Dense),
];
/// The width of a page on a sheet, and the paper around it, in pixels.
const PAGE: u32 = 150;
const GAP: u32 = 10;
/// Spreads in a row.
const ROW: u32 = 5;

fn main() -> Fallible<()> {
    let mut arguments = std::env::args_os().skip(1);
    let folder: PathBuf = arguments.next().ok_or("which folder?")?.into();
    let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let press = Press::new();
    for (index, (name, (width, height), theme, count, density)) in BOOKS.into_iter().enumerate() {
        let Some(theme) = themes().iter().find(|known| known.name == theme) else { continue };
        let mut album = Album::default();
        let photos = (0..count)
            .map(|number| album.photo(&files, number, index as u32))
            .collect::<Fallible<Vec<_>>>()?;
        let options = LayoutOptions {
            trim: Trim { width, height },
            pages: PageRange { min: 16, max: 200, step: 2 },
            title: "山海之间".into(),
            author: "林知夏".into(),
            theme: theme.name.into(),
            captions: Captions::Dates,
            chapters: index % 3 == 1,
            parts: Default::default(),
            density,
            style: theme.style,
        };
        let mut book = lay_out(&photos, &options)?;
        book.cover.ground = theme.cover;
        let draw = |page| -> Fallible<RgbImage> {
            let picture = press.page_picture(&book, page, &album, PAGE * 2)?;
            let picture = image::load_from_memory(&picture)?.to_rgb8();
            let tall = PAGE * picture.height() / picture.width();
            Ok(image::imageops::resize(&picture, PAGE, tall, FilterType::Triangle))
        };
        let mut pages = vec![draw(PageRef::Cover)?];
        for page in 0..book.pages.len() {
            pages.push(draw(PageRef::Inner(page))?);
        }
        // the cover beside the title page, then spread by spread
        let tall = pages[0].height();
        let spreads = pages.len().div_ceil(2) as u32;
        let rows = spreads.div_ceil(ROW);
        let mut sheet = RgbImage::from_pixel(
            ROW * (2 * PAGE + GAP) + GAP,
            rows * (tall + GAP) + GAP,
            Rgb([170, 170, 170]),
        );
        for (place, page) in pages.iter().enumerate() {
            let (spread, side) = (place as u32 / 2, place as u32 % 2);
            let x = GAP + spread % ROW * (2 * PAGE + GAP) + side * PAGE;
            let y = GAP + spread / ROW * (tall + GAP);
            overlay(&mut sheet, page, x.into(), y.into());
        }
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, 80).encode_image(&sheet)?;
        fs::write(folder.join(format!("{name}.jpg")), jpeg)?;
        println!("{name}: {count} photos on {} pages", book.pages.len());
    }
    Ok(())
}

#[derive(Default)]
struct Album(HashMap<PhotoId, Vec<u8>>);

impl Album {
    /// A photo of some shape, at a time of a few days' journey.
    fn photo(&mut self, files: &[PathBuf], number: u32, book: u32) -> Fallible<PhotoInput> {
        let shapes =
            [(3, 2), (4, 3), (3, 4), (4, 3), (2, 3), (3, 2), (1, 1), (4, 3), (3, 4), (16, 9), (3, 2)];
        let (wide, tall) = match (number + book * 3) % 23 {
            7 => (3, 1),
            turn => shapes[(turn as usize * 7 + book as usize) % shapes.len()],
        };
        let picture = match files.get((number as usize + 5 * book as usize) % files.len().max(1)) {
            Some(file) => image::load_from_memory(&fs::read(file)?)?,
            None => image::load_from_memory(&specimen::paint(number + 40 * book).jpeg)?,
        };
        let picture = cut(&picture, wide, tall);
        let id: PhotoId = format!("photo-{number:03}").parse()?;
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, 85).encode_image(&picture)?;
        self.0.insert(id.clone(), jpeg);
        // as many pixels as a camera's photo of that shape has
        let scale = 5_000 / wide.max(tall);
        let taken_at = 1_777_593_600_000
            + i64::from(number / 12) * 86_400_000
            + i64::from(number % 12) * if number % 12 > 8 { 700 } else { 1_200_000 };
        let (width, height) = (wide * scale, tall * scale);
        Ok(PhotoInput { taken_at: Some(taken_at), ..PhotoInput::new(id, width, height) })
    }
}

/// The middle of a picture in a shape, small.
fn cut(picture: &DynamicImage, wide: u32, tall: u32) -> RgbImage {
    let (width, height) = (picture.width(), picture.height());
    let across = width.min(height * wide / tall);
    let (across, down) = (across, across * tall / wide);
    let part = picture.crop_imm((width - across) / 2, (height - down) / 2, across, down);
    part.resize(640, 640, FilterType::Triangle).to_rgb8()
}

impl Proxies for Album {
    fn proxy(&self, photo: &PhotoId, _: u32) -> Option<Vec<u8>> {
        self.0.get(photo).cloned()
    }
}
