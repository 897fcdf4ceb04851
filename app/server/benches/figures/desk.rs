//! Laying a book out, and looking at a page after an edit: what a member waits for.

use std::time::Instant;

use domain::document::Trim;
use domain::ids::PhotoId;
use domain::layout::{Captions, LayoutOptions, PageRange, PhotoInput, lay_out};
use press::{PageRef, Press, Proxies, photo};

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

/// Every photo is the same one, as its largest derivative.
struct One(Vec<u8>);

impl Proxies for One {
    fn proxy(&self, _: &PhotoId) -> Option<Vec<u8>> {
        Some(self.0.clone())
    }
}

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let photos = (0..PHOTOS)
        .map(|number| {
            let (long, short) = (u32::from(WIDTH), u32::from(HEIGHT));
            let (width, height) = if number % 3 == 1 { (short, long) } else { (long, short) };
            let taken_at = Some(number as i64 * 1_800_000);
            Ok(PhotoInput { id: format!("photo-{number}").parse()?, width, height, taken_at, subject: None })
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
    let derived = photo::derive(&original, &info)?;
    let large = derived.get(2048).ok_or("no largest derivative")?.webp.clone();
    let proxies = One(large);
    let press = Press::new();
    let mut looks = Vec::new();
    for look in 0..LOOKS {
        // an edit: the page is not the one that was looked at before
        book.title = format!("第 {look} 次修改");
        let start = Instant::now();
        press.page_picture(&book, PageRef::Inner(look), &proxies, PICTURE)?;
        looks.push(start.elapsed().as_secs_f64() * 1000.0);
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
         times. A page picture is what the server does after an edit: decoding the derivatives of 2048 pixels, cutting \
         and scaling them, typesetting, drawing {PICTURE} pixels and encoding them; the first {LOOKS} pages of that book, \
         of one to four photos each, the first of them with fonts to be read."
    );
    let rows = vec![
        row(&format!("layout of {PHOTOS} photos in ms"), layouts, "1000"),
        row(&format!("page picture of {PICTURE} pixels in ms"), looks, "100"),
    ];
    let head = ["", "median", "most", "goal: at most"].map(str::to_owned).to_vec();
    Ok(Section { title: "Layout and page pictures", about, head, rows })
}
