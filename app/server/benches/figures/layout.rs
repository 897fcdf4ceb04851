//! Laying a book out, and looking at a page after an edit: what a member waits for.

use std::time::Instant;

use domain::document::{Element, Trim};
use domain::ids::PhotoId;
use domain::layout::{Captions, LayoutOptions, PageRange, PhotoInput, lay_out};
use press::{PageRef, Press, Proxies};

use crate::Failure;
use crate::report::Section;
use crate::room::Room;
use crate::samples::{HEIGHT, WIDTH};

const PHOTOS: usize = 500;
const ROUNDS: usize = 11;
/// The widest page picture that the program draws, in pixels.
const PICTURE: u32 = 1280;
/// The pages of one photo, of two, … that are looked at.
const LOOKS: usize = 20;

/// Every photo is the same one.
struct One(photo::Derivatives);

impl Proxies for One {
    fn proxy(&self, _: &PhotoId, long_side: u32) -> Option<Vec<u8>> {
        let [.., largest] = &self.0.sizes;
        let size = self.0.sizes.iter().find(|size| size.long_side >= long_side);
        Some(size.unwrap_or(largest).webp.clone())
    }
}

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let photos = (0..PHOTOS)
        .map(|number| {
            let (long, short) = (u32::from(WIDTH), u32::from(HEIGHT));
            let (width, height) = if number % 3 == 1 { (short, long) } else { (long, short) };
            let taken_at = Some(number as i64 * 1_800_000);
            Ok(PhotoInput { taken_at, ..PhotoInput::new(format!("photo-{number}").parse()?, width, height) })
        })
        .collect::<Result<Vec<_>, Failure>>()?;
    let options = LayoutOptions {
        trim: Trim { width: 210.0, height: 210.0 },
        pages: PageRange { min: 16, max: 400, step: 4 },
        title: "山海之间".into(),
        author: "林知夏".into(),
        theme: "calm".into(),
        captions: Captions::Dates,
        chapters: true,
        parts: Default::default(),
        density: Default::default(),
        style: Default::default(),
    };
    let mut layouts = Vec::new();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        lay_out(&photos, &options)?;
        layouts.push(start.elapsed().as_secs_f64() * 1000.0);
    }

    let mut book = lay_out(&photos, &options)?;
    let original = std::fs::read(&room.photos()?[0])?;
    let info = photo::probe(&mut std::io::Cursor::new(&original))?;
    let proxies = One(photo::derive(&original, &info, photo::COATED, None)?);
    let press = Press::new();
    let (mut first, mut edited) = (Vec::new(), Vec::new());
    for look in 0..LOOKS {
        for looks in [&mut first, &mut edited] {
            let start = Instant::now();
            press.page_picture(&book, PageRef::Inner(look), &proxies, PICTURE)?;
            looks.push(start.elapsed().as_secs_f64() * 1000.0);
            for element in &mut book.pages[look].elements {
                if let Element::Text(block) = element {
                    block.text.push('好');
                }
            }
            // themes print it on pages
            book.title.push('好');
        }
    }
    let row = |what: &str, mut figures: Vec<f64>, goal: &str| {
        figures.sort_by(f64::total_cmp);
        let shown = |figure: f64| format!("{figure:.1}");
        vec![
            what.to_owned(),
            shown(figures[figures.len() / 2]),
            shown(figures[figures.len() - 1]),
            goal.to_owned(),
        ]
    };
    let about = format!(
        "In one process and one thread. A layout is the whole book of {PHOTOS} photos with chapters and dates, {ROUNDS} \
         times. A page picture is decoding the derivatives, cutting and scaling them, typesetting, drawing {PICTURE} \
         pixels and encoding them, for the first {LOOKS} pages of that book, of one to four photos each: at the first look, \
         and after an edit of its words."
    );
    let rows = vec![
        row(&format!("layout of {PHOTOS} photos in ms"), layouts, "1000"),
        row(&format!("page picture of {PICTURE} pixels in ms, first look"), first, ""),
        row("after an edit", edited, "100"),
    ];
    let head = ["", "median", "most", "goal: at most"].map(str::to_owned).to_vec();
    Ok(Section { title: "Layout and page pictures", about, head, rows })
}
