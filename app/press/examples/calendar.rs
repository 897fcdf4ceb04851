//! Sets a calendar in every theme and size, for those who design them: the cover, the year and some months as pictures.
//! Photos are painted, or those that are named.
//!
//! `cargo run -p bindery-press --example calendar -- <folder> [photo.jpg …]`

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

use domain::calendar::{Plan, WeekStart, YearMonth, make, parse_anniversaries};
use domain::document::Trim;
use domain::ids::PhotoId;
use domain::layout::PhotoInput;
use press::{PageRef, Press, Proxies, specimen, themes};

/// Name, width, height, and whether photos have pages of their own.
const SIZES: [(&str, f64, f64, bool); 5] = [
    ("desk", 210.0, 148.0, false),
    ("desk-facing", 210.0, 148.0, true),
    ("desk-254", 254.0, 180.0, false),
    ("wall-300", 300.0, 300.0, false),
    ("wall-a3", 297.0, 420.0, false),
];
const OWN: &str =
    "2-14 结婚纪念日\n2-17 爷爷生日\n5-9 外婆八十大寿\n农历八月初八 妈妈生日\n10-6 小满生日\n10-6 搬进新家";

struct Photos(HashMap<PhotoId, Vec<u8>>);

impl Proxies for Photos {
    fn proxy(&self, photo: &PhotoId, _: u32) -> Option<Vec<u8>> {
        self.0.get(photo).cloned()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("say which folder to write to")?;
    fs::create_dir_all(&folder)?;
    let mut files: Vec<Vec<u8>> = arguments.map(fs::read).collect::<Result<_, _>>()?;
    if files.is_empty() {
        files = (0..12).map(|number| specimen::paint(number).jpeg).collect();
    }
    let (mut photos, mut inputs) = (HashMap::new(), Vec::new());
    for (number, file) in files.into_iter().enumerate() {
        let id: PhotoId = format!("photo-{number}").parse()?;
        let picture = image::load_from_memory(&file)?;
        let (width, height) = (picture.width(), picture.height());
        inputs.push(PhotoInput::new(id.clone(), width, height));
        photos.insert(id, file);
    }
    let (press, photos) = (Press::new(), Photos(photos));
    for theme in themes() {
        for (name, width, height, is_facing) in SIZES {
            let plan = Plan {
                trim: Trim { width, height },
                theme: theme.name.to_owned(),
                title: "山河岁月".to_owned(),
                start: YearMonth::new(2026, 1).ok_or("no such month")?,
                months: 12,
                week_start: WeekStart::Monday,
                anniversaries: parse_anniversaries(OWN).map_err(|wrong| wrong.join(" "))?,
                is_facing,
            };
            let document = make(&plan, &inputs)?;
            let pages = [PageRef::Cover].into_iter().chain((0..document.pages.len()).map(PageRef::Inner));
            for (number, page) in pages.enumerate() {
                let file = folder.join(format!("{}-{name}-{number:02}.webp", theme.name));
                fs::write(file, press.page_picture(&document, page, &photos, 1100)?)?;
            }
        }
    }
    Ok(())
}
