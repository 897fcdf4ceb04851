//! The words of a PDF's page, with the place of each line.
//!
//! The interpreter that draws pages says of each glyph where it stands and which character it is (ToUnicode, the encodings
//! of Chinese, Japanese and Korean, the names of glyphs). What it can't say, nobody knows: letters drawn as paths, pictures
//! of text, fonts without any of these. A page does not say what a line, a paragraph and a column is, either; that is
//! concluded from where its characters stand ([`super::lines`]) and from the lines and boxes between them ([`super::ruled`]).

use std::collections::HashMap;

use domain::reading::SheetText;
use domain::typed::is_emoji;
use domain::xml::is_writable;
use hayro::hayro_interpret::font::{Glyph, OutlineGlyph};
use hayro::hayro_interpret::hayro_cmap::BfString;
use hayro::hayro_interpret::util::TransformExt;
use hayro::hayro_interpret::{
    BlendMode, ClipPath, Context, Device, GlyphDrawMode, Image, InterpreterCache, InterpreterSettings, Paint,
    PathDrawMode, SoftMask, interpret_page,
};
use kurbo::{Affine, BezPath, Point};
use unicode_normalization::UnicodeNormalization;

use super::inspect::{MM_PER_POINT, PdfRefusal, open, unit_of};
use super::letters::Letter;
use super::lines::blocks;
use super::ruled::Ruled;

/// Characters that are taken of one page: a broadsheet of small print has twenty thousand.
pub const MOST_LETTERS: usize = 60_000;
/// Characters that one glyph may stand for.
const MOST_OF_A_GLYPH: usize = 8;

/// The words of a page, counted from 1.
///
/// # Errors
/// The file can't be read, or has no such page.
pub fn text(bytes: &[u8], page: u32) -> Result<SheetText, PdfRefusal> {
    let mut texts = texts(bytes, [page])?;
    texts.pop().ok_or(PdfRefusal::Broken)
}

/// The same of several pages, for which the file is opened once.
///
/// # Errors
/// The file can't be read, or lacks one of the pages.
pub fn texts(bytes: &[u8], pages: impl IntoIterator<Item = u32>) -> Result<Vec<SheetText>, PdfRefusal> {
    let pdf = open(bytes)?;
    let cache = InterpreterCache::new();
    let settings = InterpreterSettings { render_annotations: false, ..InterpreterSettings::default() };
    let read = |number: u32| {
        let page = number.checked_sub(1).and_then(|index| pdf.pages().get(index as usize));
        let page = page.ok_or(PdfRefusal::Broken)?;
        let mm = MM_PER_POINT * unit_of(page);
        let (width, height) = page.render_dimensions();
        let (width, height) = (f64::from(width) * mm, f64::from(height) * mm);
        let whole = kurbo::Rect::new(0.0, 0.0, width, height);
        let upright = Affine::scale(mm) * page.initial_transform(true).to_kurbo();
        let mut context = Context::new(upright, whole, &cache, page.xref(), settings.clone());
        let mut reader = Reader {
            page: whole,
            letters: Vec::new(),
            ruled: Ruled::of(whole),
            bold: HashMap::new(),
            unread: 0,
            is_cut: false,
        };
        interpret_page(page, &mut context, &mut reader);
        let Reader { letters, ruled, unread, is_cut, .. } = reader;
        let (text, separators) = blocks(letters, ruled.found());
        Ok(SheetText { width, height, text, separators, unread, is_cut })
    };
    pages.into_iter().map(read).collect()
}

/// Takes down the characters that a page draws, and its lines and boxes.
struct Reader {
    page: kurbo::Rect,
    letters: Vec<Letter>,
    ruled: Ruled,
    /// Which fonts are bold.
    bold: HashMap<u128, bool>,
    unread: u32,
    is_cut: bool,
}

impl Reader {
    fn take(&mut self, glyph: &Glyph, place: Affine) {
        let advance = match glyph {
            Glyph::Outline(glyph) => glyph.advance_width().map(f64::from),
            Glyph::Type3(_) => glyph.as_unicode().filter(is_picture).map(|_| PICTURE_WIDTH),
        };
        let origin = place * Point::ZERO;
        let size = ((place * Point::new(0.0, 1000.0)) - origin).hypot();
        // half a square where nobody says
        let across = place * Point::new(advance.unwrap_or(500.0), 0.0) - origin;
        if !(size.is_finite()
            && size > 0.0
            && across.is_finite()
            && self.page.contains(origin + across / 2.0))
        {
            return;
        }
        let Some(character) = glyph.as_unicode() else {
            self.unread = self.unread.saturating_add(1);
            return;
        };
        if self.letters.len() >= MOST_LETTERS {
            self.is_cut = true;
            return;
        }
        let written = match character {
            BfString::Char(one) => one.to_string(),
            BfString::String(several) => several.clone(),
        };
        let characters = taken(&written);
        if written.chars().any(|c| c == '\u{fffd}' || !is_writable(c)) && characters.is_empty() {
            self.unread = self.unread.saturating_add(1);
        }
        let is_bold = match glyph {
            Glyph::Outline(glyph) => {
                *self.bold.entry(glyph.font_cache_key()).or_insert_with(|| is_bold(glyph))
            }
            Glyph::Type3(_) => false,
        };
        let is_vertical = across.hypot() < size * 1e-3;
        let across = if is_vertical { (place * Point::new(0.0, -1000.0)) - origin } else { across };
        let letter = Letter {
            text: characters,
            from: (origin.x, origin.y),
            to: (origin.x + across.x, origin.y + across.y),
            size,
            is_bold,
        };
        // filled and stroked, or drawn twice for a shadow or a bold face
        let is_again = |other: &Letter| {
            let apart = (other.from.0 - letter.from.0).hypot(other.from.1 - letter.from.1);
            other.text == letter.text && apart < size * 0.1
        };
        if !self.letters.last().is_some_and(is_again) {
            self.letters.push(letter);
        }
    }
}

/// How wide fonts of drawings make emoji, in thousandths of their em: 1.27 em here, 1.17 to 1.28 elsewhere.
const PICTURE_WIDTH: f64 = 1270.0;

fn is_picture(written: &BfString) -> bool {
    match written {
        BfString::Char(one) => is_emoji(*one),
        BfString::String(several) => {
            several.chars().next().is_some_and(|one| is_emoji(one) || several.ends_with('\u{20e3}'))
        }
    }
}

/// Whether a glyph's font says that it is bold, by its weight or its name.
fn is_bold(glyph: &OutlineGlyph) -> bool {
    const BOLD: u32 = 600;
    const NAMES: [&str; 5] = ["bold", "black", "heavy", "simhei", "heiti"];
    glyph.font_data().is_some_and(|font| {
        let name = font.postscript_name.unwrap_or_default().to_lowercase();
        font.weight.is_some_and(|weight| weight >= BOLD) || NAMES.iter().any(|part| name.contains(part))
    })
}

/// What a glyph stands for, as it is typed. Programs write spaces as control characters, too. Empty where the file names no
/// character: U+FFFD, noncharacters.
fn taken(written: &str) -> String {
    if !written.is_empty() && written.chars().all(char::is_control) {
        return " ".to_owned();
    }
    written.chars().flat_map(usual).take(MOST_OF_A_GLYPH).collect()
}

/// A character as it is typed: some programs name the radicals that look like it, or the ligature it stands in.
fn usual(character: char) -> impl Iterator<Item = char> {
    let is_odd =
        matches!(character, '\u{2e80}'..='\u{2fdf}' | '\u{f900}'..='\u{faff}' | '\u{fb00}'..='\u{fb06}');
    let plain = (!is_odd).then_some(character);
    let usual = is_odd.then(|| std::iter::once(radical(character)).nfkc()).into_iter().flatten();
    plain
        .into_iter()
        .chain(usual)
        .filter(|c| is_writable(*c) && !c.is_control() && !matches!(c, '\u{fffd}' | '\u{feff}' | '\u{ad}'))
}

/// The letter that a simplified radical is drawn like. Normalization knows only two of that block (Unicode Character
/// Database, EquivalentUnifiedIdeograph).
fn radical(character: char) -> char {
    const PAIRS: &str = "⺒巳⺓幺⺙攵⺟母⺠民⺡氵⺢水⺩王⺭礻⺮竹⺰纟⺶羊⺹耂⺻肀⺼月⺽臼⺾艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻈讠⻉贝⻋车⻌辶⻍辶⻎辶⻏阝⻐钅⻑長⻒镸⻓长⻔门⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻟飠⻠饣⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻬齐⻭齿⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟";
    let mut pairs = PAIRS.chars();
    while let (Some(from), Some(to)) = (pairs.next(), pairs.next()) {
        if from == character {
            return to;
        }
    }
    character
}

/// Nothing but glyphs and paths is looked at; pictures are never decoded.
impl<'a> Device<'a> for Reader {
    fn set_soft_mask(&mut self, _: Option<SoftMask<'a>>) {}
    fn set_blend_mode(&mut self, _: BlendMode) {}
    fn draw_path(&mut self, path: &BezPath, place: Affine, paint: &Paint<'a>, mode: &PathDrawMode) {
        self.ruled.take(path, place, paint, mode);
    }

    fn push_clip_path(&mut self, _: &ClipPath) {}
    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}
    fn draw_image(&mut self, _: Image<'a, '_>, _: Affine) {}
    fn pop_clip_path(&mut self) {}
    fn pop_transparency_group(&mut self) {}

    fn draw_glyph(
        &mut self,
        glyph: &Glyph<'a>,
        transform: Affine,
        glyph_transform: Affine,
        _: &Paint<'a>,
        _: &GlyphDrawMode,
    ) {
        self.take(glyph, transform * glyph_transform);
    }
}
