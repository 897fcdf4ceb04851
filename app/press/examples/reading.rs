//! Makes what readers get of an album, a calendar, a text and a PDF, for those who design it: pictures in all widths, the
//! words' places drawn over them, electronic books, share pictures. Photos are painted, or those that are named.
//!
//! `cargo run -p bindery-press --example reading -- <folder> [photo.jpg …]`

use std::collections::HashMap;
use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

use domain::calendar::{Plan, WeekStart, YearMonth, make, parse_anniversaries};
use domain::document::{Crop, Document, Element, Page, PdfPage, Rect, TextBlock, TextRole, Trim};
use domain::ids::{FileDigest, PhotoId};
use domain::layout::{Captions, LayoutOptions, PageRange, PhotoInput, lay_out};
use press::epub::{self, Album, Direction, Metadata, PageWords};
use press::manuscript::{self, Markup, Pictures, Style};
use press::{PageRef, Poster, Press, Proxies, ShareCover, pdf, specimen};

type Fallible<T> = Result<T, Box<dyn Error>>;

const WIDTHS: [u32; 5] = [360, 540, 720, 1080, 1440];
const TEXT: &str = "# 山中手记\n\n## 第一章　出发\n\n清晨的雾还没有散，山路上只有我们的脚步声。走到半山腰的时候，太阳从云里出来，整个山谷一下子亮了；远处的村子里升起炊烟，狗叫声\
    隔着一条河传过来。**Bindery** 书坊 2026 年第 1 版，*共* 128 页，[地址](https://books.example/read?a=1&b=2)。\n\n### 带什么\n\n- 水\n- 干粮\n  1. 饼\n  2. 果\n\n> 行到水穷处，坐看云起时。\n\n\
    | 日 | 程 |\n|---|---|\n| 一 | 12 公里 |\n| 二 | 9 公里 |\n\n```\nlet a = 1 < 2;\n```\n\n---\n\n## 第二章　归来\n\n";

#[derive(Default)]
struct Photos {
    photos: HashMap<PhotoId, Vec<u8>>,
    pages: HashMap<u32, Vec<u8>>,
}

impl Proxies for Photos {
    fn proxy(&self, photo: &PhotoId, _: u32) -> Option<Vec<u8>> {
        self.photos.get(photo).cloned()
    }

    fn pdf_page(&self, _: &FileDigest, page: u32) -> Option<Vec<u8>> {
        self.pages.get(&page).cloned()
    }
}

fn main() -> Fallible<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments.next().ok_or("say which folder to write to")?;
    fs::create_dir_all(&folder)?;
    let mut files: Vec<Vec<u8>> = arguments.map(fs::read).collect::<Result<_, _>>()?;
    if files.is_empty() {
        files = (0..14).map(|number| specimen::paint(number).jpeg).collect();
    }
    let (mut photos, mut inputs) = (Photos::default(), Vec::new());
    for (number, file) in files.into_iter().enumerate() {
        let id: PhotoId = format!("photo-{number}").parse()?;
        let picture = image::load_from_memory(&file)?;
        let (width, height) = (picture.width(), picture.height());
        inputs.push(PhotoInput {
            taken_at: Some(number as i64 * 9_000_000),
            ..PhotoInput::new(id.clone(), width, height)
        });
        photos.photos.insert(id, file);
    }
    let text = manuscript::read(&(TEXT.to_owned() + &"走到半山腰的时候，太阳从云里出来，整个山谷一下子亮了；远处的村子里升起炊烟，狗叫声隔着一条河传过来。第二段说的是别的事。\n\n".repeat(30)), Markup::Markdown, None, &Pictures::default());
    let trim = Trim { width: 148.0, height: 210.0 };
    let style =
        Style { trim, theme: "classic".into(), first_page: 1, title: None, emoji: Default::default() };
    let set = manuscript::set(&(TEXT.to_owned() + &"走到半山腰的时候，太阳从云里出来，整个山谷一下子亮了；远处的村子里升起炊烟，狗叫声隔着一条河传过来。第二段说的是别的事。\n\n".repeat(30)), Markup::Markdown, &style, &Pictures::default())??;
    let sheets = pdf::inspect(&set.pdf)?.sheets;
    pdf::draw(&set.pdf, 1..=sheets.len() as u32, |page, webp| -> Result<bool, pdf::PdfRefusal> {
        photos.pages.insert(page, webp);
        Ok(true)
    })?;

    let album = album(&inputs)?;
    let books = [
        ("album", &album),
        ("calendar", &calendar(&inputs[..inputs.len().min(12)])?),
        ("pdf", &of_pdf(sheets.len() as u32, trim)?),
    ];
    for (name, book) in books {
        let words = |side: PageRef| described(book, side, &set.pdf);
        for (number, side) in
            [PageRef::Cover].into_iter().chain((0..book.pages.len()).map(PageRef::Inner)).enumerate()
        {
            if number < 8 {
                pictures(&folder, name, number, book, side, &photos, &words)?;
            }
        }
        let begun = Instant::now();
        let metadata = metadata(name, &book.title);
        let how = Album {
            metadata: &metadata,
            first_number: 1,
            has_spreads: name != "calendar",
            width: 1440,
            describe: &words,
        };
        let file = folder.join(format!("{name}.epub"));
        epub::write_album(book, &photos, &how, &mut File::create(&file)?)?;
        println!(
            "{name}.epub: {} bytes, {} pages, {:?}",
            fs::metadata(file)?.len(),
            book.pages.len(),
            begun.elapsed()
        );
    }
    let cover = epub::cover(&album, &photos)?;
    let book = epub::Text {
        blocks: &text.blocks,
        footnotes: &text.footnotes,
        cover: Some(&cover),
        pictures: &Pictures::default(),
    };
    epub::write_text(&book, &metadata("text", "山中手记"), &mut File::create(folder.join("text.epub"))?)?;
    shares(&folder, &album, &photos)
}

fn album(inputs: &[PhotoInput]) -> Fallible<Document> {
    let options = LayoutOptions {
        trim: Trim { width: 210.0, height: 210.0 },
        pages: PageRange { min: 8, max: 40, step: 2 },
        title: "山海之间的日子".into(),
        author: "林知夏".into(),
        theme: "calm".into(),
        captions: Captions::Dates,
        chapters: true,
        parts: Default::default(),
        density: Default::default(),
        style: Default::default(),
    };
    let mut book = lay_out(inputs, &options)?;
    let frame = Rect { x: 20.0, y: 20.0, width: 170.0, height: 170.0 };
    let body = "清晨的雾还没有散，山路上只有我们的脚步声。走到半山腰的时候，太阳从云里出来，整个山谷一下子亮了；远处的村子里升起炊烟，狗叫声隔着一条河传过来。\n".repeat(12);
    let words = Element::Text(TextBlock::new(frame, TextRole::Body, body));
    book.pages.insert(1, Page { elements: vec![words], ..Page::default() });
    Ok(book)
}

fn calendar(inputs: &[PhotoInput]) -> Fallible<Document> {
    let plan = Plan {
        trim: Trim { width: 210.0, height: 148.0 },
        theme: "classic".to_owned(),
        title: "山河岁月".to_owned(),
        start: YearMonth::new(2026, 1).ok_or("no such month")?,
        months: 12,
        week_start: WeekStart::Monday,
        anniversaries: parse_anniversaries("2-14 结婚纪念日").map_err(|wrong| wrong.join(" "))?,
        is_facing: false,
    };
    Ok(make(&plan, inputs)?)
}

fn of_pdf(pages: u32, trim: Trim) -> Fallible<Document> {
    let file: FileDigest = "ab".repeat(32).parse()?;
    let page = |number| {
        let frame = trim.with_bleed();
        let shown = PdfPage::new(file.clone(), number, frame, Crop::WHOLE);
        Page { elements: vec![Element::Pdf(shown)], ..Page::default() }
    };
    Ok(Document {
        trim,
        theme: "classic".into(),
        title: "山中手记".into(),
        author: String::new(),
        description: String::new(),
        category: None,
        emoji: Default::default(),
        variants: None,
        cover: page(1),
        pages: (1..=pages).map(page).collect(),
    })
}

fn metadata(name: &str, title: &str) -> Metadata {
    Metadata {
        title: title.to_owned(),
        author: "林知夏".to_owned(),
        description: "走过的路 & 看过的海 <记>".to_owned(),
        language: "zh-CN".to_owned(),
        identifier: format!("urn:bindery:{name}"),
        modified: 1_767_323_045_000,
        direction: Direction::LeftToRight,
    }
}

/// The words of a page with those of the PDFs on it.
fn described(book: &Document, side: PageRef, bytes: &[u8]) -> PageWords {
    let page = match side {
        PageRef::Cover => &book.cover,
        PageRef::Inner(index) => &book.pages[index],
    };
    let own = Press::new().reading_text(book, side).unwrap_or_default();
    let text = page.pdfs().fold(own, |all, shown| match pdf::text(bytes, shown.page) {
        Ok(sheet) => all.with(sheet.placed(shown)),
        Err(_) => all,
    });
    let contents = text.blocks.iter().find(|block| matches!(block.role, TextRole::Title | TextRole::Heading));
    let contents = contents.map(|block| block.text.lines().next().unwrap_or_default().to_owned());
    PageWords { text: Some(text), alternative: String::new(), contents }
}

fn pictures(
    folder: &Path,
    name: &str,
    number: usize,
    book: &Document,
    side: PageRef,
    photos: &Photos,
    words: &dyn Fn(PageRef) -> PageWords,
) -> Fallible<()> {
    let begun = Instant::now();
    let pictures = Press::new().reading_pictures(book, side, photos, &WIDTHS)?;
    let took = begun.elapsed();
    let sizes: Vec<String> =
        pictures.iter().map(|one| format!("{} {:?} {}", one.width, one.format, one.bytes.len())).collect();
    println!("{name} {number}: {} in {took:?}", sizes.join(", "));
    for picture in &pictures {
        let file = format!("{name}-{number:02}-{}.{}", picture.width, picture.format.extension());
        fs::write(folder.join(file), &picture.bytes)?;
    }
    let shown = &pictures[3];
    let mut pixels = image::load_from_memory(&shown.bytes)?.into_rgb8();
    let scale = f64::from(shown.width) / book.trim.width;
    let text = words(side).text.unwrap_or_default();
    for (index, block) in text.blocks.iter().enumerate() {
        let colour = [[200, 40, 40], [40, 120, 200], [40, 150, 60], [180, 120, 0]][index % 4];
        for line in &block.lines {
            outline(&mut pixels, line.frame, scale, colour);
        }
    }
    pixels.save(folder.join(format!("{name}-{number:02}-words.png")))?;
    fs::write(folder.join(format!("{name}-{number:02}-words.json")), serde_json::to_vec_pretty(&text)?)?;
    Ok(())
}

fn outline(pixels: &mut image::RgbImage, frame: Rect, scale: f64, colour: [u8; 3]) {
    let (left, top) = (frame.x * scale, frame.y * scale);
    let (right, bottom) = (left + frame.width * scale, top + frame.height * scale);
    let mut put = |x: f64, y: f64| {
        if x >= 0.0 && y >= 0.0 && (x as u32) < pixels.width() && (y as u32) < pixels.height() {
            pixels.put_pixel(x as u32, y as u32, image::Rgb(colour));
        }
    };
    for x in left as i64..=right as i64 {
        put(x as f64, top);
        put(x as f64, bottom);
    }
    for y in top as i64..=bottom as i64 {
        put(left, y as f64);
        put(right, y as f64);
    }
}

fn shares(folder: &Path, album: &Document, photos: &Photos) -> Fallible<()> {
    let press = Press::new();
    let mut tall = album.clone();
    tall.trim = Trim { width: 148.0, height: 210.0 };
    let mut wide = album.clone();
    wide.trim = Trim { width: 280.0, height: 210.0 };
    let long = "外婆的菜园、爷爷的自行车，还有我们在江南小镇度过的第一个完整的夏天";
    let books =
        [("square", album, album.title.as_str()), ("tall", &tall, long), ("wide", &wide, "Summer 2026")];
    for (name, book, title) in books {
        let cover = ShareCover::Document(book, photos);
        let poster = Poster {
            title,
            author: &book.author,
            address: "https://books.example/read/01JQ8Z6Y7W5V4T3S2R1Q0P9N8M",
            short_address: "books.example/r/7K3QF",
            invitation: "扫码阅读",
            house: "书坊",
        };
        let begun = Instant::now();
        let files = [
            ("card", press.share_card(cover, title, &book.author)?),
            ("icon", press.share_icon(cover)?),
            ("poster", press.share_poster(cover, &poster)?),
        ];
        for (kind, file) in files {
            println!("{kind} {name}: {} bytes", file.len());
            fs::write(folder.join(format!("{kind}-{name}.jpg")), file)?;
        }
        println!("in {:?}", begun.elapsed());
    }
    Ok(())
}
