//! The fonts of the press. They are part of the program, so that the same document has the same line breaks on
//! every machine; the system's fonts are never asked.

use std::sync::LazyLock;

use typst::foundations::Bytes;
use typst::text::{Font, FontBook};
use typst::utils::LazyHash;

/// The fonts and the book that Typst chooses from.
pub(crate) struct Fonts {
    pub book: LazyHash<FontBook>,
    fonts: Vec<Font>,
}

macro_rules! font_file {
    ($path:literal) => {
        include_bytes!(concat!("../node_modules/@expo-google-fonts/", $path)) as &[u8]
    };
}

static FILES: [&[u8]; 6] = [
    font_file!("noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf"),
    font_file!("noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf"),
    font_file!("noto-serif-sc/400Regular/NotoSerifSC_400Regular.ttf"),
    font_file!("noto-serif-sc/700Bold/NotoSerifSC_700Bold.ttf"),
    font_file!("ma-shan-zheng/400Regular/MaShanZheng_400Regular.ttf"),
    font_file!("zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf"),
];

/// Parsed at first use: a program that never prints does not pay for it.
static FONTS: LazyLock<Fonts> = LazyLock::new(|| {
    let fonts: Vec<Font> = FILES.iter().flat_map(|file| Font::iter(Bytes::new(*file))).collect();
    Fonts { book: LazyHash::new(FontBook::from_fonts(&fonts)), fonts }
});

impl Fonts {
    pub fn embedded() -> &'static Self {
        &FONTS
    }

    pub fn get(&self, index: usize) -> Option<Font> {
        self.fonts.get(index).cloned()
    }

    /// Whether a character can be printed. Each theme's families end in a Noto one, which cover the same text, so that
    /// asking all of them says the same as asking the theme's own. White space and invisible marks need no shape.
    pub fn cover(&self, character: char) -> bool {
        character.is_whitespace()
            || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
            || self.fonts.iter().any(|font| font.info().coverage.contains(character.into()))
    }
}
