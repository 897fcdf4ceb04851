//! Sets a specimen in every theme, for those who design them: the pages as pictures, the print files beside them.
//!
//! `cargo run -p bindery-press --example specimen -- <folder>`

#[path = "../tests/output"]
mod output {
    pub mod common;
}

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use domain::document::{Colour, Crop, Document, TextRole, Trim};
use output::common::{Library, MADE_AT, landscape, page, photo, rect, text};
use press::{PageRef, Part, Press, themes};

const STORY: &str = "清晨的雾还没有散，山路上只有我们的脚步声。走到半山腰的时候，太阳从云里出来，整个山谷一下子亮了；\
远处的村子里升起炊烟，狗叫声隔着一条河传过来。\n“再走一个小时就到了。”老王说。他二十年前来过这里，那时候还没有路，也没有\
Wi-Fi，上山要走整整一天；如今 32 公里的盘山公路，开车只要 40 分钟。\n我们在山顶的茶馆坐下来（茶 15 元一壶），谁也没有说话。\
云从脚下流过去，像一条很宽、很慢的河。";

fn specimen(theme: &str) -> Document {
    let whole = rect(-3.0, -3.0, 216.0, 286.0);
    let cover = page(vec![
        photo("a", rect(-3.0, 90.0, 216.0, 193.0), Crop::fill(1.5, 216.0 / 193.0)),
        text(TextRole::Title, rect(18.0, 34.0, 174.0, 24.0), "山水之间"),
        text(TextRole::Subtitle, rect(18.0, 60.0, 174.0, 12.0), "黄山三日 · 2026 年 5 月"),
    ]);
    let pages = vec![
        page(vec![
            text(TextRole::Title, rect(24.0, 40.0, 162.0, 26.0), "第一天\n入山"),
            text(TextRole::Subtitle, rect(24.0, 84.0, 162.0, 10.0), "从宏村出发，沿着溪水往上走"),
            text(TextRole::Body, rect(24.0, 104.0, 162.0, 120.0), STORY),
        ]),
        page(vec![photo("b", whole, Crop::fill(1.5, whole.aspect()))]),
        page(vec![
            photo("a", rect(18.0, 24.0, 174.0, 116.0), Crop::WHOLE),
            text(
                TextRole::Caption,
                rect(18.0, 144.0, 174.0, 12.0),
                "光明顶，清晨六点。云海持续了不到二十分钟，等在栏杆边的人都安静下来。",
            ),
            photo("b", rect(18.0, 166.0, 84.0, 84.0), Crop::fill(1.5, 1.0)),
            photo("a", rect(108.0, 166.0, 84.0, 84.0), Crop { x: 0.4, y: 0.2, width: 0.4, height: 0.6 }),
            text(TextRole::Caption, rect(18.0, 254.0, 84.0, 12.0), "宏村月沼"),
            text(TextRole::Caption, rect(108.0, 254.0, 84.0, 12.0), "Hongcun, 2026"),
        ]),
    ];
    Document {
        trim: Trim { width: 210.0, height: 280.0 },
        theme: theme.to_owned(),
        title: "山水之间".to_owned(),
        author: "林小满".to_owned(),
        description: String::new(),
        category: None,
        emoji: Default::default(),
        variants: None,
        cover: domain::document::Page { background: Some(Colour([0xe6, 0xea, 0xef])), ..cover },
        pages,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("say which folder to write to")?);
    fs::create_dir_all(&folder)?;
    let library =
        Library::default().jpeg("a", &landscape(3000, 2000), 1).jpeg("b", &landscape(2400, 1600), 6);
    let press = Press::new();
    for theme in themes() {
        let book = specimen(theme.name);
        let file = |name: String| folder.join(format!("{}-{name}", theme.name));
        let all = std::iter::once(PageRef::Cover).chain((0..book.pages.len()).map(PageRef::Inner));
        for (number, page) in all.enumerate() {
            fs::write(file(format!("{number}.webp")), press.page_picture(&book, page, &library, 1000)?)?;
        }
        press.print(
            &book,
            Part::Inner,
            &library,
            MADE_AT,
            &mut fs::File::create(file("inner.pdf".to_owned()))?,
        )?;
        press.print(
            &book,
            Part::Cover(domain::binding::CoverSheet::plain(book.trim, 14.0)),
            &library,
            MADE_AT,
            &mut fs::File::create(file("cover.pdf".to_owned()))?,
        )?;
    }
    Ok(())
}
