//! The templates that the house offers.

use domain::document::{Category, Document};
use domain::ids::PhotoId;
use domain::layout::{Captions, LayoutOptions, PageRange, PhotoInput, lay_out};
use press::Theme;
use press::specimen;

use base::error::Error;
use works::{self, WorkFormat};

/// A look for a kind of book.
#[derive(Debug)]
pub struct Template {
    /// Its word in addresses.
    pub path: &'static str,
    pub category: Category,
    pub name: &'static str,
    /// For whom it is, in a sentence.
    pub words: &'static str,
    /// By the making desk's word.
    format: &'static str,
    theme: &'static str,
    pub dates: bool,
    pub chapters: bool,
    /// The first of the painted photos that it is shown with.
    first_photo: u32,
}

const fn template(
    path: &'static str,
    category: Category,
    (name, words): (&'static str, &'static str),
    (format, theme): (&'static str, &'static str),
    (dates, chapters): (bool, bool),
    first_photo: u32,
) -> Template {
    Template { path, category, name, words, format, theme, dates, chapters, first_photo }
}

use Category::{Baby, Company, Family, Graduation, Portfolio, Travel, Wedding};

/// All of them, category by category.
pub static TEMPLATES: [Template; 14] = [
    template(
        "travel-journal",
        Travel,
        ("一路向西", "边走边记的人：点阵纸上贴照片，每天一章"),
        ("a5-portrait", "journal"),
        (true, true),
        0,
    ),
    template(
        "travel-wide",
        Travel,
        ("山海之间", "照片为主，一页一张大图，图说写上日期"),
        ("square-210", "calm"),
        (true, false),
        9,
    ),
    template(
        "travel-night",
        Travel,
        ("夜行", "深色底，照片像幻灯片，适合风光和星空"),
        ("a4-portrait", "night"),
        (false, false),
        21,
    ),
    template(
        "wedding-festive",
        Wedding,
        ("良辰", "红与金，从早晨接亲到晚上敬酒"),
        ("square-210", "festive"),
        (false, true),
        4,
    ),
    template(
        "wedding-calm",
        Wedding,
        ("白纸", "大量留白，照片自己说话"),
        ("a4-portrait", "calm"),
        (false, false),
        16,
    ),
    template(
        "baby-cream",
        Baby,
        ("你来了", "柔和底色，圆角照片，记下每个月"),
        ("square-210", "cream"),
        (true, true),
        2,
    ),
    template(
        "baby-journal",
        Baby,
        ("成长手账", "小开本，放在枕边翻，写得下很多字"),
        ("a5-portrait", "journal"),
        (true, false),
        27,
    ),
    template(
        "family-classic",
        Family,
        ("外婆的老屋", "宋体居中，像一本真正的书，给家里的老人看"),
        ("a4-portrait", "classic"),
        (false, true),
        12,
    ),
    template(
        "family-festive",
        Family,
        ("团圆", "春节、寿宴、满月，喜庆的日子做成一本"),
        ("square-210", "festive"),
        (true, false),
        33,
    ),
    template(
        "graduation-journal",
        Graduation,
        ("毕业那年", "全班人手一本，小开本，照片多"),
        ("a5-portrait", "journal"),
        (false, true),
        7,
    ),
    template(
        "graduation-calm",
        Graduation,
        ("再见，教室", "方形画册，一学期一章"),
        ("square-210", "calm"),
        (true, true),
        30,
    ),
    template(
        "portfolio-night",
        Portfolio,
        ("作品集·暗", "深色底，适合风光和人像"),
        ("square-210", "night"),
        (false, false),
        19,
    ),
    template(
        "portfolio-classic",
        Portfolio,
        ("作品集·雅", "大开本，宋体，图说从简"),
        ("a4-portrait", "classic"),
        (false, false),
        24,
    ),
    template(
        "company-calm",
        Company,
        ("年度画册", "黑体，留白，时间清楚，给同事和客户看"),
        ("a4-portrait", "calm"),
        (true, true),
        14,
    ),
];

/// The categories that there are templates of, in their order, and the one that holds all.
pub fn categories() -> impl Iterator<Item = (&'static str, &'static str)> {
    let has = |category: &Category| TEMPLATES.iter().any(|template| template.category == *category);
    let named = Category::ALL.into_iter().filter(has).map(|category| (category.code(), category.name()));
    std::iter::once(("all", "全部")).chain(named)
}

/// The template with this word.
pub fn find(path: &str) -> Option<&'static Template> {
    TEMPLATES.iter().find(|template| template.path == path)
}

/// Those of a category; of `all` all of them.
pub fn of_category(path: &str) -> Vec<&'static Template> {
    TEMPLATES.iter().filter(|template| path == "all" || template.category.code() == path).collect()
}

/// Photos that a template is shown with.
pub const PHOTOS: u32 = 22;

impl Template {
    /// Its format, as the making desk offers it.
    pub fn format(&self) -> Result<&'static WorkFormat, Error> {
        works::format(self.format).ok_or_else(|| Error::internal(format!("no format {}", self.format)))
    }

    /// Its theme, as the making desk offers it.
    pub fn theme(&self) -> Result<&'static Theme, Error> {
        let found = press::themes().iter().find(|theme| theme.name == self.theme);
        found.ok_or_else(|| Error::internal(format!("no theme {}", self.theme)))
    }

    /// The making desk with everything chosen that the template says.
    pub fn desk(&self) -> String {
        let flag = |is_on: bool| if is_on { "1" } else { "" };
        let (dates, chapters) = (flag(self.dates), flag(self.chapters));
        format!(
            "/manager/make_ebook?template={}&format={}&theme={}&dates={dates}&chapters={chapters}",
            self.path, self.format, self.theme
        )
    }

    /// A book that it makes of painted photos.
    pub fn document(&self) -> Result<Document, Error> {
        let photos: Vec<PhotoInput> = (self.first_photo..self.first_photo + PHOTOS)
            .map(|number| {
                let (width, height, taken_at) = specimen::describe(number);
                let id = photo_id(number)?;
                Ok(PhotoInput { taken_at: Some(taken_at), ..PhotoInput::new(id, width, height) })
            })
            .collect::<Result<_, Error>>()?;
        let options = LayoutOptions {
            trim: self.format()?.trim,
            pages: PageRange { min: 16, max: 32, step: 4 },
            title: self.name.to_owned(),
            author: "书坊".to_owned(),
            theme: self.theme.to_owned(),
            captions: if self.dates { Captions::Dates } else { Captions::None },
            chapters: self.chapters,
            parts: Default::default(),
            density: Default::default(),
            style: self.theme()?.style,
        };
        let mut document = lay_out(&photos, &options).map_err(Error::internal)?;
        document.cover.ground = self.theme()?.cover;
        Ok(document)
    }
}

/// The id of a painted photo.
fn photo_id(number: u32) -> Result<PhotoId, Error> {
    format!("specimen-{number}").parse().map_err(Error::internal)
}

/// The number of a painted photo with this id.
pub fn number_of(photo: &PhotoId) -> Option<u32> {
    photo.as_str().strip_prefix("specimen-")?.parse().ok()
}
