//! What a PDF is, before a book is made of it.

use std::collections::BTreeSet;

use domain::document::Rect;
use domain::manuscript::PdfSheet;
use hayro_syntax::object::dict::keys::{BASE_FONT, FONT_DESC, SUBTYPE};
use hayro_syntax::object::{self, Array, Dict, Name};
use hayro_syntax::page::{Page, Rotation};
use hayro_syntax::{LoadPdfError, Pdf};
use lopdf::Document;
use serde::{Deserialize, Serialize};

use super::forgive::{forgiven, may_need_it};
use super::measure::{PageMeasures, measure};
use super::mend::{Obstacles, obstacles};
use super::outline::chapters;
use super::permissions::{Allowed, Printing};
use super::spots::convert;
use crate::preflight::{Finding, FindingCode, Severity, runs_of};
use crate::print::{COARSE_DPI, is_plain};

/// Pages that a file may have: more than any book.
pub const MOST_PAGES: usize = 2_000;
/// Fonts that are named to a member.
const MOST_FONTS: usize = 12;
/// The sides that a page may have, in mm: a visiting card, a poster.
const SIDES_MM: std::ops::RangeInclusive<f64> = 20.0..=1_500.0;

pub(super) const MM_PER_POINT: f64 = 25.4 / 72.0;
/// A TrimBox that differs less from the page says nothing, in points.
const SAME_POINTS: f64 = 0.3;

/// What is known of a PDF.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PdfFacts {
    /// Its pages in their order.
    pub sheets: Vec<PdfSheet>,
    /// Names of fonts that the file uses and does not hold.
    #[serde(default)]
    pub loose_fonts: Vec<String>,
    /// It has layers that can be switched on and off.
    #[serde(default)]
    pub has_layers: bool,
    /// Pages, from 1, with fonts that the file does not hold and that can't be put in: they are printed as pictures.
    #[serde(default)]
    pub loose_pages: Vec<u32>,
    /// Pages with layers of a file that hides some: they are printed as pictures of what is seen.
    #[serde(default)]
    pub layered_pages: Vec<u32>,
    /// Pages with notes, stamps or fields, which are not printed.
    #[serde(default)]
    pub annotated_pages: Vec<u32>,
    /// Pages that overprint inks with a profile, or have profiles that PDF/X does not know: they are printed as pictures.
    #[serde(default)]
    pub unfit_pages: Vec<u32>,
    /// Pages with spot colours.
    #[serde(default)]
    pub spotted_pages: Vec<u32>,
    /// Those of them whose spot colours can't be said in inks where they stand: they are printed as pictures.
    #[serde(default)]
    pub unsaid_pages: Vec<u32>,
    /// What these colours are called.
    #[serde(default)]
    pub spots: Vec<String>,
    /// It was typeset of words and lines alone, and is never printed as a picture.
    #[serde(default)]
    pub is_plain: bool,
    /// Its maker lets it be printed coarsely only: all its pages are printed as pictures.
    #[serde(default)]
    pub is_coarse: bool,
    /// Its maker does not let words be taken out of it: readers get its pages, and none of their words.
    #[serde(default)]
    pub forbids_copying: bool,
    /// What stands on each page, in their order; empty for files that came before it was looked at.
    #[serde(default)]
    pub measures: Vec<PageMeasures>,
    /// Its chapters, each with the page where it begins, from 1; empty for files that came before it was looked at.
    #[serde(default)]
    pub chapters: Vec<(u32, String)>,
}

impl PdfFacts {
    /// What is to be known of the file before it is printed; `undrawable` of its pages could not be drawn, and `printed` are
    /// the spot colours that are printed as such.
    pub fn findings(&self, undrawable: u32, printed: &[String]) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut say = |severity, code, message: String| {
            findings.push(Finding { page: None, element: None, severity, code, message, copies: Vec::new() });
        };
        if undrawable > 0 {
            let message = format!(
                "PDF 里有 {undrawable} 页太复杂，屏幕上画不出来，印刷也可能失败；请用原来的软件重新导出 PDF。"
            );
            say(Severity::Serious, FindingCode::UndrawablePage, message);
        }
        if self.is_coarse {
            let message = format!(
                "PDF 的作者只允许低质量打印：每一页会按 {COARSE_DPI:.0} dpi 印成图，小字不清楚；请换一份允许高质量打印的 PDF。"
            );
            say(Severity::Warning, FindingCode::Permissions, message);
        }
        if self.forbids_copying {
            let message = "PDF 的作者不许复制文字：读者能看这些页，但不能选中、搜索其中的文字；下载的 PDF 和 EPUB 里这些页是图。";
            say(Severity::Note, FindingCode::Permissions, message.to_owned());
        }
        if !self.loose_pages.is_empty() {
            let (names, pages) = (self.loose_fonts.join("、"), runs(&self.loose_pages));
            let message = format!(
                "PDF 没有嵌入字体 {names}：第 {pages} 页会按屏幕上看到的样子印成图，小字不如文字锐利；请重新导出并嵌入字体。"
            );
            say(Severity::Warning, FindingCode::LooseFont, message);
        } else if !self.loose_fonts.is_empty() {
            let names = self.loose_fonts.join("、");
            let message =
                format!("PDF 没有嵌入字体 {names}，已换成同样宽窄的字体；字形可能和您看到的略有不同。");
            say(Severity::Warning, FindingCode::LooseFont, message);
        }
        if !self.layered_pages.is_empty() {
            let pages = runs(&self.layered_pages);
            let message = format!(
                "PDF 里有隐藏的图层：第 {pages} 页会按屏幕上看到的样子印成图，隐藏的部分不会印出来。"
            );
            say(Severity::Warning, FindingCode::Layers, message);
        } else if self.has_layers {
            let message = "PDF 里有可以开关的图层，印刷时会全部印出来；不要印的请先删掉。".to_owned();
            say(Severity::Warning, FindingCode::Layers, message);
        }
        if !self.unfit_pages.is_empty() {
            let pages = runs(&self.unfit_pages);
            let message = format!(
                "PDF 第 {pages} 页有印刷标准不允许或各家软件显示不一的设置（带 ICC 特性文件的四色叠印、太新的 ICC 特性文件、自带透明度的 JPEG 2000 图片）：会按屏幕上看到的样子印成图，小字不如文字锐利；请改好后重新导出。"
            );
            say(Severity::Warning, FindingCode::DrawnPages, message);
        }
        let (plates, mixed): (Vec<&String>, Vec<&String>) =
            self.spots.iter().partition(|name| printed.contains(name));
        if !plates.is_empty() {
            let names = spot_names(&plates);
            say(
                Severity::Note,
                FindingCode::SpotColour,
                format!("PDF 里的专色 {names} 会单独出版，用专色墨印。"),
            );
        }
        if !mixed.is_empty() {
            let (names, pages) = (spot_names(&mixed), runs(&self.spotted_pages));
            let message = format!(
                "PDF 第 {pages} 页用了专色 {names}，这里用四色印：会换成文件里给这个专色写的四色，文字和线条照样清楚，颜色会和专色墨有差别；要准的颜色，请改成四色后重新导出。"
            );
            say(Severity::Warning, FindingCode::SpotColour, message);
        }
        if !mixed.is_empty() && !self.unsaid_pages.is_empty() {
            let pages = runs(&self.unsaid_pages);
            let message = format!(
                "PDF 第 {pages} 页的专色没法原样换成四色，会按屏幕上看到的样子印成图，小字不如文字锐利；请把专色改成四色后重新导出。"
            );
            say(Severity::Warning, FindingCode::DrawnPages, message);
        }
        if !self.annotated_pages.is_empty() {
            let pages = runs(&self.annotated_pages);
            let message =
                format!("PDF 第 {pages} 页有批注、图章或表单，它们不会印出来；要印的请先合并到页面里。");
            say(Severity::Warning, FindingCode::Annotations, message);
        }
        findings
    }
}

/// Why a PDF can't be taken. Each text can be shown to a member.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum PdfRefusal {
    #[error("这个文件不是 PDF")]
    NoPdf,
    #[error("这个 PDF 要密码才能打开，请先在原来的软件里去掉密码，再上传")]
    Encrypted,
    #[error("这个 PDF 的作者不许打印，不能用来做书；请换一份允许打印的 PDF")]
    NoPrinting,
    #[error("这个 PDF 已损坏或没有传完整，打不开；请重新导出一份")]
    Broken,
    #[error("这个 PDF 里没有页面")]
    Empty,
    #[error("这个 PDF 有 {0} 页，最多只能有 {MOST_PAGES} 页")]
    TooManyPages(usize),
    #[error("第 {page} 页的大小是 {width} × {height} 毫米，每边应为 20 至 1500 毫米")]
    Size { page: usize, width: u32, height: u32 },
}

/// Reads a file's pages without drawing them.
///
/// # Errors
/// See [`PdfRefusal`].
pub fn inspect(bytes: &[u8]) -> Result<PdfFacts, PdfRefusal> {
    let pdf = open(bytes)?;
    let mut taken_apart = Document::load_mem(bytes).ok();
    let allowed = taken_apart.as_ref().map_or_else(|| Some(Allowed::of_file(bytes)), Allowed::of);
    let allowed = allowed.ok_or(PdfRefusal::Encrypted)?;
    if allowed.printing == Printing::Forbidden {
        return Err(PdfRefusal::NoPrinting);
    }
    let pages = pdf.pages();
    if pages.is_empty() {
        return Err(PdfRefusal::Empty);
    }
    // pages behind a hole in their tree are not drawn, and must not be lost without a word
    let known = taken_apart.as_ref().map_or(0, |pdf| {
        pdf.get_pages().into_values().filter(|page| pdf.get_dictionary(*page).is_ok()).count()
    });
    if known > pages.len() {
        return Err(PdfRefusal::Broken);
    }
    if pages.len() > MOST_PAGES {
        return Err(PdfRefusal::TooManyPages(pages.len()));
    }
    let sheets =
        pages.iter().enumerate().map(|(index, page)| sheet(index + 1, page)).collect::<Result<_, _>>()?;
    let mut fonts = BTreeSet::new();
    for page in pages.iter() {
        loose_fonts(page, &mut fonts);
    }
    let loose_fonts = fonts.into_iter().take(MOST_FONTS).collect();
    let Obstacles { loose, layered, annotated, unfit, spotted, spots } =
        taken_apart.as_ref().map(|pdf| obstacles(pdf, &[])).unwrap_or_default();
    let is_plain = taken_apart.as_ref().is_some_and(is_plain);
    let spotted_file = taken_apart.as_mut().filter(|_| !spotted.is_empty());
    let unsaid = spotted_file.map(|pdf| convert(pdf, &spotted, &[])).unwrap_or_default();
    Ok(PdfFacts {
        sheets,
        loose_fonts,
        has_layers: pdf.xref().has_optional_content_groups(),
        loose_pages: loose.into_iter().collect(),
        layered_pages: layered.into_iter().collect(),
        annotated_pages: annotated.into_iter().collect(),
        unfit_pages: unfit.into_iter().collect(),
        spotted_pages: spotted.into_iter().collect(),
        unsaid_pages: unsaid.into_iter().collect(),
        spots: spots.into_iter().take(MOST_FONTS).collect(),
        is_plain,
        is_coarse: allowed.printing == Printing::Coarse,
        forbids_copying: !allowed.copying,
        measures: measure(&pdf),
        chapters: chapters(&pdf),
    })
}

/// What colorants are called where people read it.
fn spot_names(colorants: &[&String]) -> String {
    let named = colorants.iter().map(|name| if name.as_str() == "All" { "套版色（All）" } else { name });
    named.collect::<Vec<_>>().join("、")
}

fn runs(pages: &[u32]) -> String {
    runs_of(pages.iter().map(|page| *page as usize))
}

/// Opens a whole PDF that asks for no password.
pub(super) fn open(bytes: &[u8]) -> Result<Pdf, PdfRefusal> {
    let file = super::from_header(bytes).ok_or(PdfRefusal::NoPdf)?;
    let pdf = Pdf::new(file.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(_) => PdfRefusal::Encrypted,
        LoadPdfError::Invalid if asks_for_password(file) => PdfRefusal::Encrypted,
        LoadPdfError::Invalid => PdfRefusal::Broken,
    })?;
    // a file that was cut off can be read by searching it, but lacks what came last
    if !super::ends(file) {
        return Err(PdfRefusal::Broken);
    }
    let right = may_need_it(&pdf).then(|| forgiven(file)).flatten();
    Ok(right.and_then(|file| Pdf::new(file).ok()).unwrap_or(pdf))
}

/// Whether that is why a file can't be opened: one that was repaired first says nothing of it.
fn asks_for_password(file: &[u8]) -> bool {
    Document::load_mem(file).is_ok_and(|pdf| Allowed::of(&pdf).is_none())
}

/// PDF 1.6: how many points a unit of the page has.
pub(super) fn unit_of(page: &Page) -> f64 {
    page.raw().get::<f32>("UserUnit").filter(|unit| *unit > 0.0).map_or(1.0, f64::from)
}

fn sheet(number: usize, page: &Page) -> Result<PdfSheet, PdfRefusal> {
    let unit = unit_of(page);
    let mm = |points: f64| (points * unit * MM_PER_POINT * 1000.0).round() / 1000.0;
    let shown = page.intersected_crop_box();
    let (across, down) = (shown.width(), shown.height());
    let turned = matches!(page.rotation(), Rotation::Horizontal | Rotation::FlippedHorizontal);
    let (width, height) = if turned { (mm(down), mm(across)) } else { (mm(across), mm(down)) };
    if !SIDES_MM.contains(&width) || !SIDES_MM.contains(&height) {
        // a float that is too large for it becomes the largest
        return Err(PdfRefusal::Size {
            page: number,
            width: width.round() as u32,
            height: height.round() as u32,
        });
    }
    let trim = page.raw().get::<object::Rect>("TrimBox").filter(|trim| is_inside(trim, &shown));
    let trim = trim.map(|trim| {
        // from the top left of what is shown, before it is turned
        let (left, top) = (trim.x0 - shown.x0, shown.y1 - trim.y1);
        let (wide, high) = (trim.width(), trim.height());
        let (left, top, wide, high) = match page.rotation() {
            Rotation::None => (left, top, wide, high),
            Rotation::Horizontal => (down - top - high, left, high, wide),
            Rotation::Flipped => (across - left - wide, down - top - high, wide, high),
            Rotation::FlippedHorizontal => (top, across - left - wide, high, wide),
        };
        Rect { x: mm(left), y: mm(top), width: mm(wide), height: mm(high) }
    });
    Ok(PdfSheet { width, height, trim })
}

/// Whether a TrimBox says something: it lies on the sheet, and is not all of it.
pub(super) fn is_inside(trim: &object::Rect, shown: &object::Rect) -> bool {
    let gaps = [trim.x0 - shown.x0, trim.y0 - shown.y0, shown.x1 - trim.x1, shown.y1 - trim.y1];
    trim.width() > 0.0
        && trim.height() > 0.0
        && gaps.iter().all(|gap| *gap > -SAME_POINTS)
        && gaps.iter().any(|gap| *gap > SAME_POINTS)
}

/// Adds the fonts of a page that are not in the file. Those of forms inside it are not looked for.
fn loose_fonts(page: &Page, names: &mut BTreeSet<String>) {
    let fonts = &page.resources().fonts;
    for key in fonts.keys() {
        let Some(font) = fonts.get::<Dict>(key.as_ref()) else { continue };
        // glyphs of a Type 3 font are drawings of the file itself
        if font.get::<Name>(SUBTYPE).is_some_and(|kind| kind.as_ref() == b"Type3") {
            continue;
        }
        let parts = font.get::<Array>("DescendantFonts");
        let described = parts.and_then(|parts| parts.iter::<Dict>().next()).unwrap_or_else(|| font.clone());
        let is_held = described.get::<Dict>(FONT_DESC).is_some_and(|description| {
            ["FontFile", "FontFile2", "FontFile3"].iter().any(|file| description.contains_key(file))
        });
        if !is_held && names.len() < MOST_FONTS {
            let name = font.get::<Name>(BASE_FONT);
            let name =
                name.map_or_else(|| "?".to_owned(), |name| String::from_utf8_lossy(&name).into_owned());
            names.insert(name.chars().filter(|c| !c.is_control()).take(60).collect());
        }
    }
}
