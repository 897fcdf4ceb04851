//! Pages of newspapers of which it is known what each article says: words made up, each line set where it is to stand.

use std::fmt::Write as _;
use std::io::Read as _;
use std::sync::LazyLock;

use typst::diag::{FileError, FileResult};
use typst::foundations::{Bytes, Datetime, Duration};
use typst::syntax::{FileId, RootedPath, Source, VirtualPath, VirtualRoot};
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;
use typst::{Library, LibraryExt, World};
use typst_layout::PagedDocument;

const MM_PER_PT: f64 = 25.4 / 72.0;

/// What an article says.
#[derive(Debug, Clone, Default)]
pub struct Told {
    pub title: String,
    /// A paragraph a line.
    pub text: String,
}

/// How lines are broken, and in which order a page is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    /// Punctuation stands behind full lines.
    pub hangs: bool,
    /// Line by line across all columns, as some programs write pages.
    pub by_rows: bool,
    /// Every character by itself.
    pub by_letters: bool,
    /// In pt.
    pub size: f64,
    /// In mm.
    pub gutter: f64,
}

impl Manner {
    pub fn em(&self) -> f64 {
        self.size * MM_PER_PT
    }

    /// From baseline to baseline.
    pub fn leading(&self) -> f64 {
        self.em() * 1.55
    }
}

/// A page while it is made, in mm.
pub struct Paper {
    pub width: f64,
    pub height: f64,
    pub manner: Manner,
    pub told: Vec<Told>,
    /// Where lines stand, and their source.
    words: Vec<(f64, f64, String)>,
    drawn: String,
    random: u64,
}

const LETTERS: &str = "的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感";

impl Paper {
    pub fn new(width: f64, height: f64, manner: Manner, seed: u64) -> Self {
        let random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Self { width, height, manner, told: Vec::new(), words: Vec::new(), drawn: String::new(), random }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as usize % bound
    }

    /// Words without punctuation.
    pub fn words(&mut self, count: usize) -> String {
        let letters: Vec<char> = LETTERS.chars().collect();
        (0..count).map(|_| letters[self.below(letters.len())]).collect()
    }

    fn sentence(&mut self) -> String {
        let mut text = String::new();
        for part in 0..1 + self.below(3) {
            if part > 0 {
                text.push(['，', '，', '、', '；'][self.below(4)]);
            }
            let count = 4 + self.below(9);
            let words = self.words(count);
            match self.below(9) {
                0 => _ = write!(text, "“{words}”"),
                1 => _ = write!(text, "《{words}》"),
                2 => _ = write!(text, "{words}（{}）", self.words(2)),
                3 => _ = write!(text, "{words}{}年", 1900 + self.below(126)),
                _ => text.push_str(&words),
            }
        }
        text.push(['。', '。', '。', '！', '？'][self.below(5)]);
        text
    }

    /// Paragraphs of about so many characters together.
    pub fn text(&mut self, count: usize) -> Vec<String> {
        let mut paragraphs = Vec::new();
        let mut length = 0;
        while length < count {
            let sentences = 1 + self.below(4);
            let paragraph: String = (0..sentences).map(|_| self.sentence()).collect();
            length += paragraph.chars().count();
            paragraphs.push(paragraph);
        }
        paragraphs
    }

    /// Lines of paragraphs in columns so wide, in mm: the indent of each, what it says, and the space to add after each character.
    fn broken(&self, paragraphs: &[String], width: f64) -> Vec<(f64, String, f64)> {
        let em = self.manner.em();
        let most = (width / em + 1e-6).floor();
        let wide = |c: char| if c.is_ascii() { 0.53 } else { 1.0 };
        let mut lines = Vec::new();
        for paragraph in paragraphs {
            let letters: Vec<char> = paragraph.chars().collect();
            let (mut at, mut indent) = (0, 2.0);
            while at < letters.len() {
                let (mut line, mut used, mut end) = (String::new(), indent, at);
                while end < letters.len() && used + wide(letters[end]) <= most + 0.01 {
                    used += wide(letters[end]);
                    end += 1;
                }
                let is_last = end >= letters.len();
                let mut hanging = 0;
                if self.manner.hangs {
                    while letters.get(end + hanging).copied().is_some_and(closes) && hanging < 2 {
                        hanging += 1;
                    }
                }
                while !is_last
                    && end > at + 2
                    && hanging == 0
                    && (letters.get(end).copied().is_some_and(closes)
                        || opens(letters[end - 1])
                        || letters[end - 1].is_ascii_digit() && letters[end].is_ascii_digit())
                {
                    end -= 1;
                    used -= wide(letters[end]);
                }
                line.extend(&letters[at..end + hanging]);
                let count = (end - at).max(2) as f64;
                let is_last = end + hanging >= letters.len();
                // in pt
                let space =
                    if is_last { 0.0 } else { (most - used).max(0.0) * self.manner.size / (count - 1.0) };
                lines.push((indent * em, line, space));
                (at, indent) = (end + hanging, 0.0);
            }
        }
        lines
    }

    /// How many lines a text has in columns so wide.
    pub fn lines(&self, paragraphs: &[String], width: f64) -> usize {
        self.broken(paragraphs, width).len()
    }

    /// Sets a text into columns, each from a place of its own with room for so many lines.
    pub fn columns(&mut self, paragraphs: &[String], width: f64, columns: &[(f64, f64, usize)]) {
        let mut lines = self.broken(paragraphs, width).into_iter();
        for (x, y, count) in columns {
            for number in 0..*count {
                let Some((indent, line, space)) = lines.next() else { return };
                let y = y + (number as f64 + 0.9) * self.manner.leading();
                let style = format!("size: {}pt, tracking: {space:.4}pt", self.manner.size);
                self.set(x + indent, y, &line, &style);
            }
        }
        assert!(lines.next().is_none(), "a text has no room");
    }

    /// Words at a place, from their baseline on.
    pub fn set(&mut self, x: f64, y: f64, words: &str, style: &str) {
        if self.manner.by_letters
            && !words.contains(|c: char| c.is_ascii())
            && style.contains("tracking: 0.0000")
        {
            for (number, letter) in words.chars().enumerate() {
                let at = x + number as f64 * self.manner.em();
                self.words.push((at, y, format!("text({style}, \"{letter}\")")));
            }
            return;
        }
        self.words.push((x, y, format!("text({style}, \"{words}\")")));
    }

    /// A headline, in pt: bold, or plain.
    pub fn headline(&mut self, x: f64, y: f64, words: &str, size: f64, bold: bool) {
        let weight = if bold { "bold" } else { "regular" };
        self.words.push((
            x,
            y + size * MM_PER_PT * 0.9,
            format!("text(size: {size}pt, weight: \"{weight}\", font: \"Noto Sans SC\", \"{words}\")"),
        ));
    }

    /// Characters under each other.
    pub fn down(&mut self, x: f64, y: f64, words: &str, size: f64, pitch: f64) {
        for (number, letter) in words.chars().enumerate() {
            let y = y + (number as f64 + 0.9) * pitch;
            self.words.push((x, y, format!("text(size: {size}pt, \"{letter}\")")));
        }
    }

    pub fn rule(&mut self, x: f64, y: f64, width: f64, height: f64) {
        let angle = if height > width { 90 } else { 0 };
        _ = writeln!(
            self.drawn,
            "#place(top + left, dx: {x}mm, dy: {y}mm, line(length: {}mm, angle: {angle}deg, stroke: 0.6pt))",
            width.max(height)
        );
    }

    pub fn boxed(&mut self, x: f64, y: f64, width: f64, height: f64, style: &str) {
        _ = writeln!(
            self.drawn,
            "#place(top + left, dx: {x}mm, dy: {y}mm, rect(width: {width}mm, height: {height}mm, {style}))"
        );
    }

    /// The page as a PDF, with what its articles say.
    pub fn pdf(mut self) -> (Vec<u8>, Vec<Told>) {
        if self.manner.by_rows {
            self.words.sort_by(|one, other| one.1.total_cmp(&other.1).then(one.0.total_cmp(&other.0)));
        }
        // a page is as high as its words need
        let lowest = self.words.iter().map(|(_, y, _)| *y).fold(0.0, f64::max);
        self.height = self.height.max(lowest + 20.0);
        let mut source = format!(
            "#set page(width: {}mm, height: {}mm, margin: 0mm)\n#set text(font: \"Noto Serif SC\", lang: \"zh\", \
             top-edge: \"baseline\", bottom-edge: \"baseline\", cjk-latin-spacing: none)\n{}",
            self.width, self.height, self.drawn
        );
        for (x, y, words) in &self.words {
            _ = writeln!(source, "#place(top + left, dx: {x:.4}mm, dy: {y:.4}mm, {words})");
        }
        (compiled(source), self.told)
    }
}

fn closes(letter: char) -> bool {
    "，。、；！？”》）".contains(letter)
}

fn opens(letter: char) -> bool {
    "“《（".contains(letter)
}

static LIBRARY: LazyLock<LazyHash<Library>> = LazyLock::new(|| LazyHash::new(Library::default()));
static FONTS: LazyLock<(LazyHash<FontBook>, Vec<Font>)> = LazyLock::new(|| {
    let names =
        ["NotoSansSC_400Regular", "NotoSansSC_700Bold", "NotoSerifSC_400Regular", "NotoSerifSC_700Bold"];
    let fonts: Vec<Font> = names
        .iter()
        .map(|name| {
            let path = format!("{}/app/press/packed/{name}.ttf.br", env!("BINDERY_CHECKOUT"));
            let mut data = Vec::new();
            let file = std::fs::File::open(path).expect("a font");
            brotli::Decompressor::new(file, 1 << 16).read_to_end(&mut data).expect("a font");
            Font::new(Bytes::new(data), 0).expect("a font")
        })
        .collect();
    (LazyHash::new(FontBook::from_fonts(&fonts)), fonts)
});

struct Desk(Source);

impl World for Desk {
    fn library(&self) -> &LazyHash<Library> {
        &LIBRARY
    }

    fn book(&self) -> &LazyHash<FontBook> {
        &FONTS.0
    }

    fn main(&self) -> FileId {
        self.0.id()
    }

    fn source(&self, id: FileId) -> FileResult<Source> {
        if id == self.0.id() { Ok(self.0.clone()) } else { Err(FileError::Other(None)) }
    }

    fn file(&self, _: FileId) -> FileResult<Bytes> {
        Err(FileError::Other(None))
    }

    fn font(&self, index: usize) -> Option<Font> {
        FONTS.1.get(index).cloned()
    }

    fn today(&self, _: Option<Duration>) -> Option<Datetime> {
        None
    }
}

fn compiled(source: String) -> Vec<u8> {
    let path = VirtualPath::new("/paper.typ").expect("a path");
    let id = RootedPath::new(VirtualRoot::Project, path).intern();
    let page = typst::compile::<PagedDocument>(&Desk(Source::new(id, source))).output.expect("a page");
    typst_pdf::pdf(&page, &typst_pdf::PdfOptions::default()).expect("a PDF")
}
