//! Books that nobody designed: what the screen shows of them is what is printed, and stands where it is printed.

use crate::common::*;
use domain::document::{Document, Element, Page, Trim};
use domain::layout::{Captions, LayoutOptions, PageRange, PhotoInput, lay_out};
use image::{GrayImage, Rgb, RgbImage, imageops};
use press::{PageRef, Press, themes};

/// How many books are made: `BINDERY_BOOKS=100` makes a hundred, which takes some minutes.
fn books() -> u64 {
    std::env::var("BINDERY_BOOKS").ok().and_then(|count| count.parse().ok()).unwrap_or(16)
}

/// 150 dpi, at which the pictures are compared.
const PIXELS_PER_MM: f64 = 150.0 / 25.4;
/// The likeness of screen and print (structural similarity, Wang et al. 2004): of all books together, and the least of one.
/// Letters and fine dots are smoothed differently by different programs; another line break or crop costs far more.
const MEAN: f64 = 0.985;
const LEAST: f64 = 0.98;
/// How far an edge may lie from where it is printed, in mm.
const FARTHEST_MM: f64 = 0.2;

/// The sizes of usual books; and small ones, whose pictures can be large.
const USUAL: [(f64, f64); 5] =
    [(210.0, 210.0), (210.0, 297.0), (148.0, 210.0), (280.0, 210.0), (140.0, 140.0)];
const SMALL: [(f64, f64); 5] =
    [(140.0, 140.0), (148.0, 210.0), (210.0, 148.0), (105.0, 148.0), (180.0, 180.0)];
const SHAPES: [(u32, u32); 4] = [(1200, 900), (900, 1200), (1350, 900), (1050, 1050)];
const WORDS: [&str; 4] = ["", "清晨六点的山谷", "2026年5月1日", "外婆家的院子，一只猫睡在台阶上"];

/// A generator of numbers that are the same everywhere (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % most as u64) as usize
    }
}

/// One page of a book: laid out from photos of random shapes, in a random size and theme, with random words.
fn a_page(random: &mut Random, trims: &[(f64, f64)]) -> Document {
    let (width, height) = trims[random.below(trims.len())];
    let photos: Vec<PhotoInput> = (0..12)
        .map(|_| {
            let shape = random.below(SHAPES.len());
            let (width, height) = SHAPES[shape];
            PhotoInput::new(id(&format!("photo-{shape}")), width, height)
        })
        .collect();
    let options = LayoutOptions {
        trim: Trim { width, height },
        pages: PageRange { min: 4, max: 8, step: 2 },
        title: "山水之间".to_owned(),
        author: "林小满".to_owned(),
        theme: themes()[random.below(themes().len())].name.to_owned(),
        captions: Captions::Empty,
        chapters: false,
        parts: Default::default(),
        density: Default::default(),
        style: Default::default(),
    };
    let mut book = lay_out(&photos, &options).expect("a book");
    book.pages.retain(|page| page.elements.iter().any(|element| matches!(element, Element::Photo(_))));
    let shown = random.below(book.pages.len());
    let mut page: Page = book.pages.swap_remove(shown);
    for element in &mut page.elements {
        if let Element::Text(block) = element {
            WORDS[random.below(WORDS.len())].clone_into(&mut block.text);
        }
    }
    book.pages = vec![page];
    book
}

fn on_screen(book: &Document, library: &Library, width: u32) -> RgbImage {
    let webp = Press::new().page_picture(book, PageRef::Inner(0), library, width).expect("a page picture");
    image::load_from_memory_with_format(&webp, image::ImageFormat::WebP).expect("WebP").into_rgb8()
}

/// The mean structural similarity of two pictures: over windows of 8 × 8 pixels.
fn likeness(one: &GrayImage, other: &GrayImage) -> f64 {
    const SIDE: u32 = 8;
    let (c1, c2) = ((0.01_f64 * 255.0).powi(2), (0.03_f64 * 255.0).powi(2));
    let (width, height) = (one.width().min(other.width()), one.height().min(other.height()));
    let (mut sum, mut windows) = (0.0, 0.0);
    for top in (0..height - SIDE).step_by(SIDE as usize) {
        for left in (0..width - SIDE).step_by(SIDE as usize) {
            let (mut a, mut b, mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0, 0.0, 0.0);
            for y in top..top + SIDE {
                for x in left..left + SIDE {
                    let (p, q) = (f64::from(one.get_pixel(x, y)[0]), f64::from(other.get_pixel(x, y)[0]));
                    a += p;
                    b += q;
                    aa += p * p;
                    bb += q * q;
                    ab += p * q;
                }
            }
            let count = f64::from(SIDE * SIDE);
            let (a, b) = (a / count, b / count);
            let (variance_a, variance_b, covariance) =
                (aa / count - a * a, bb / count - b * b, ab / count - a * b);
            sum += (2.0 * a * b + c1) * (2.0 * covariance + c2)
                / ((a * a + b * b + c1) * (variance_a + variance_b + c2));
            windows += 1.0;
        }
    }
    sum / windows
}

#[test]
fn books_look_as_they_are_printed() {
    let mut library = Library::default();
    for (shape, (width, height)) in SHAPES.into_iter().enumerate() {
        let picture = imageops::blur(&landscape(width, height), 1.5);
        library = library.jpeg(&format!("photo-{shape}"), &picture, 1 + shape as u8 * 2);
    }
    let (mut least, mut sum, mut compared) = ((1.0, 0), 0.0, 0);
    for seed in 0..books() {
        let book = a_page(&mut Random(seed), &USUAL);
        // its dots, which programs smooth differently, count for more than all that stands on them
        if book.theme == "journal" {
            continue;
        }
        let width = (book.trim.width * PIXELS_PER_MM).round() as u32;
        let screen = imageops::grayscale(&on_screen(&book, &library, width));
        let printed = imageops::grayscale(&rasterised(&print(&book, &library).0, 1, width));
        let likeness = likeness(&screen, &printed);
        sum += likeness;
        compared += 1;
        if likeness < least.0 {
            least = (likeness, seed);
        }
        assert!(likeness >= LEAST, "book {seed} ({}): {likeness}", book.theme);
    }
    let mean = sum / f64::from(compared);
    assert!(mean >= MEAN, "{mean}");
    println!("on average {mean:.4}; the least alike: book {} with {:.4}", least.1, least.0);
}

/// Colours that no theme and no other photo has.
const COLOURS: [[u8; 3]; 12] = [
    [230, 0, 0],
    [0, 200, 0],
    [0, 0, 230],
    [230, 230, 0],
    [230, 0, 230],
    [0, 220, 220],
    [120, 0, 0],
    [0, 100, 0],
    [0, 0, 110],
    [120, 120, 0],
    [120, 0, 120],
    [0, 110, 110],
];

/// The box of a colour in a picture, in mm from the trimmed page's corner: left, top, right, bottom.
fn box_of(picture: &RgbImage, colour: [u8; 3], per_mm: f64) -> Option<[f64; 4]> {
    let like = |pixel: &Rgb<u8>| pixel.0.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= 50);
    let mut found: Option<[u32; 4]> = None;
    for (x, y, _) in picture.enumerate_pixels().filter(|(_, _, pixel)| like(pixel)) {
        let [left, top, right, bottom] = found.unwrap_or([x, y, x, y]);
        found = Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]);
    }
    found.map(|sides| sides.map(|side| f64::from(side) / per_mm))
}

#[test]
fn every_photo_stands_where_it_is_printed() {
    const PER_MM: f64 = 12.0;
    for seed in 0..books() {
        let mut book = a_page(&mut Random(seed), &SMALL);
        let mut library = Library::default();
        let mut photos = 0;
        for element in &mut book.pages[0].elements {
            if let Element::Photo(frame) = element {
                let name = format!("colour-{photos}");
                frame.photo = id(&name);
                library = library.jpeg(&name, &RgbImage::from_pixel(320, 240, Rgb(COLOURS[photos])), 1);
                photos += 1;
            }
        }
        let width = (book.trim.width * PER_MM).round() as u32;
        let screen = on_screen(&book, &library, width);
        let printed = rasterised(&print(&book, &library).0, 1, width);
        for (index, colour) in COLOURS[..photos].iter().enumerate() {
            let (Some(one), Some(other)) =
                (box_of(&screen, *colour, PER_MM), box_of(&printed, *colour, PER_MM))
            else {
                panic!("book {seed} ({}): photo {index} is missing", book.theme)
            };
            let apart = one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(
                apart <= FARTHEST_MM + 1e-6,
                "book {seed} ({}): photo {index}: {one:?} {other:?}",
                book.theme
            );
        }
    }
}
