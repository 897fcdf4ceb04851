//! The fonts of the press. They are part of the program, so that the same document has the same line breaks on
//! every machine; the system's fonts are never asked.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Take};
use std::sync::{LazyLock, Mutex, PoisonError};

use typst::foundations::Bytes;
use typst::text::{Font, FontBook, FontInfo, is_default_ignorable};
use typst::utils::LazyHash;

/// The fonts and the book that Typst chooses from.
pub(crate) struct Fonts {
    pub book: LazyHash<FontBook>,
    fonts: [Packed; 9],
}

/// A font, unpacked when something is set in it, until it is put away.
struct Packed {
    file: &'static [u8],
    font: Mutex<Option<Font>>,
}

macro_rules! packed {
    ($name:literal) => {
        Packed { file: include_bytes!(concat!("../packed/", $name, ".ttf.br")), font: Mutex::new(None) }
    };
}

/// What Typst chooses by, of each font in order; written from the fonts by a test, as reading it from them would unpack them all.
const INFOS: &str = include_str!("fonts.json");

static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
    let infos: Vec<FontInfo> = serde_json::from_str(INFOS).unwrap_or_default();
    Fonts {
        book: LazyHash::new(FontBook::from_infos(infos)),
        fonts: [
            packed!("NotoSansSC_400Regular"),
            packed!("NotoSansSC_700Bold"),
            packed!("NotoSerifSC_400Regular"),
            packed!("NotoSerifSC_700Bold"),
            packed!("MaShanZheng_400Regular"),
            packed!("ZCOOLXiaoWei_400Regular"),
            packed!("NotoSansMono_400Regular"),
            packed!("NotoEmoji_400Regular"),
            // covers nothing by what is said of it: it is set where a theme names it, and never in the place of another one
            packed!("Twemoji"),
        ],
    }
});

impl Packed {
    fn get(&self) -> Option<Font> {
        let mut font = self.font.lock().unwrap_or_else(PoisonError::into_inner);
        if font.is_none() {
            *font = self.unpacked();
        }
        font.clone()
    }

    fn unpacked(&self) -> Option<Font> {
        let packed: Box<dyn Read> = match out_of_program(self.file) {
            Some(file) => Box::new(file),
            None => Box::new(self.file),
        };
        let mut data = Vec::new();
        brotli::Decompressor::new(packed, 1 << 16).read_to_end(&mut data).ok()?;
        data.shrink_to_fit();
        Font::new(Bytes::new(data), 0)
    }
}

/// Bytes of this program, read out of its file as any other file's are: through the program's own memory they would stay in it, 34 MB
/// that are looked at once. Nothing where the system does not say where the file's parts lie (Linux: `/proc/self/maps`).
fn out_of_program(bytes: &'static [u8]) -> Option<Take<File>> {
    let at = bytes.as_ptr().addr();
    let place = |line: &str| {
        let mut words = line.split_ascii_whitespace();
        let (from, until) = words.next()?.split_once('-')?;
        let [from, until] = [from, until].map(|address| usize::from_str_radix(address, 16).ok());
        let (from, until) = (from?, until?);
        let offset = u64::from_str_radix(words.nth(1)?, 16).ok()?;
        let is_there = from <= at && at + bytes.len() <= until;
        is_there.then(|| offset + (at - from) as u64)
    };
    let offset = fs::read_to_string("/proc/self/maps").ok()?.lines().find_map(place)?;
    let mut program = File::open("/proc/self/exe").ok()?;
    program.seek(SeekFrom::Start(offset)).ok()?;
    let mut begin = [0; 16];
    program.read_exact(&mut begin).ok()?;
    program.seek(SeekFrom::Start(offset)).ok()?;
    bytes.starts_with(&begin).then(|| program.take(bytes.len() as u64))
}

impl Fonts {
    pub fn embedded() -> &'static Self {
        &FONTS
    }

    pub fn get(&self, index: usize) -> Option<Font> {
        self.fonts.get(index)?.get()
    }

    /// Gives the memory of unpacked fonts back: up to 60 MB.
    pub fn put_away(&self) {
        for packed in &self.fonts {
            *packed.font.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    fn infos(&self) -> impl Iterator<Item = &FontInfo> {
        (0..self.fonts.len()).filter_map(|index| self.book.info(index))
    }

    /// Whether a character can be printed: Typst takes any font that has it where the theme's own have not. White space and
    /// what Unicode has nobody see (Default_Ignorable_Code_Point) need no shape.
    pub fn cover(&self, character: char) -> bool {
        character.is_whitespace()
            || is_default_ignorable(character)
            || self.infos().any(|info| info.coverage.contains(character.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_read_out_of_the_program_is_what_is_in_it() {
        for font in &FONTS.fonts {
            let mut read = Vec::new();
            out_of_program(font.file).expect("Linux says where").read_to_end(&mut read).expect("its bytes");
            assert!(read == font.file);
        }
    }

    #[test]
    fn the_book_says_what_the_fonts_are() {
        let fonts: Vec<Font> = FONTS.fonts.iter().map(|font| font.get().expect("a font")).collect();
        let mut infos: Vec<FontInfo> = fonts.iter().map(|font| font.info().clone()).collect();
        infos.last_mut().expect("Twemoji").coverage = typst::text::Coverage::from_vec(Vec::new());
        if std::env::var_os("BINDERY_WRITE_TYPES").is_some() {
            let text = serde_json::to_string(&infos).expect("JSON");
            let path = concat!(env!("BINDERY_CHECKOUT"), "/app/press/src/fonts.json");
            std::fs::write(path, text + "\n").expect("fonts.json is written");
        }
        assert!(FONTS.infos().eq(&infos), "run with BINDERY_WRITE_TYPES=1");
    }
}
