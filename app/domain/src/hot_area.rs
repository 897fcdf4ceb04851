//! Hot areas 热区: rectangles on a published page that lead somewhere or say something.

use serde::{Deserialize, Serialize};

use crate::tier::Tier;
use crate::typed::typed;

/// The least side of an area, in per mille of the page: a finger finds it.
pub const LEAST_SIDE: u32 = 10;
/// The most areas of one page, and of one work.
pub const MOST_OF_PAGE: usize = 60;
/// See [`MOST_OF_PAGE`].
pub const MOST_OF_WORK: usize = 1_000;
/// Characters of an area's name, of an address, of a note and of an article.
pub const NAME_LENGTH: usize = 60;
/// See [`NAME_LENGTH`].
pub const ADDRESS_LENGTH: usize = 1_000;
/// See [`NAME_LENGTH`].
pub const NOTE_LENGTH: usize = 300;
/// See [`NAME_LENGTH`].
pub const ARTICLE_LENGTH: usize = 10_000;

/// Rectangles of one area.
pub const MOST_PLACES: usize = 12;

/// Photos that one area shows.
pub const MOST_PHOTOS: usize = 30;

/// What an area does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Leads to an address elsewhere.
    Link,
    /// Leads to another page of the work.
    Page,
    /// Says a few words.
    Note,
    /// Opens a text.
    Article,
    /// Shows a photo, or several.
    Picture,
    /// Plays sound.
    Audio,
    /// Plays a film.
    Video,
    /// Leads to where the work is bought.
    Product,
}

impl Kind {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 8] = [
        Self::Link,
        Self::Page,
        Self::Note,
        Self::Article,
        Self::Picture,
        Self::Audio,
        Self::Video,
        Self::Product,
    ];

    /// The word for forms and for the database.
    pub fn code(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Page => "page",
            Self::Note => "note",
            Self::Article => "article",
            Self::Picture => "picture",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Product => "product",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Link => "网址",
            Self::Page => "书里的一页",
            Self::Note => "注解",
            Self::Article => "文章",
            Self::Picture => "图片（一张或一组）",
            Self::Audio => "声音",
            Self::Video => "视频",
            Self::Product => "购买这本书",
        }
    }

    /// The one with this word.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }

    /// Characters that its text may have; none where it has no text.
    pub fn text_length(self) -> Option<usize> {
        match self {
            Self::Note => Some(NOTE_LENGTH),
            Self::Article => Some(ARTICLE_LENGTH),
            Self::Picture | Self::Audio | Self::Video => Some(NOTE_LENGTH),
            Self::Link | Self::Page | Self::Product => None,
        }
    }

    /// Whether a QR code on paper may lead to it: it says, shows or plays something. What merely leads elsewhere is an address of
    /// its own.
    pub fn is_printed(self) -> bool {
        self.text_length().is_some()
    }

    /// Whether its text may be left out.
    pub fn is_shown_without_text(self) -> bool {
        matches!(self, Self::Picture | Self::Audio | Self::Video)
    }

    /// Bytes that a file of a member's tier may have to be played in it; none where nothing is played.
    pub fn most_bytes(self, tier: Tier) -> Option<u64> {
        let (audio, video) = match tier {
            Tier::Basic => (20, 50),
            Tier::Vip => (50, 200),
            Tier::Super => (100, 500),
            Tier::Enterprise => (200, 1024),
        };
        match self {
            Self::Audio => Some(audio << 20),
            Self::Video => Some(video << 20),
            _ => None,
        }
    }
}

/// Where an area lies, in per mille of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    // in the order in which areas are read: line by line
    pub y: u32,
    pub x: u32,
    pub width: u32,
    pub height: u32,
}

impl Place {
    /// A rectangle that lies on its page, large enough to be touched.
    pub fn new(x: u32, y: u32, width: u32, height: u32) -> Option<Self> {
        let lies = |from: u32, size: u32| {
            size >= LEAST_SIDE && from.checked_add(size).is_some_and(|end| end <= 1000)
        };
        (lies(x, width) && lies(y, height)).then_some(Self { y, x, width, height })
    }
}

/// One as it is typed: left, top, width and height between commas, spaces or what a Chinese keyboard types for them.
impl std::str::FromStr for Place {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let text = typed(text);
        let parts = text.split([' ', ',', '、']).filter(|part| !part.is_empty());
        let sides: Vec<u32> = parts.map(str::parse).collect::<Result<_, _>>().map_err(drop)?;
        let [x, y, width, height] = sides.try_into().map_err(drop)?;
        Self::new(x, y, width, height).ok_or(())
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { x, y, width, height } = self;
        write!(f, "{x},{y},{width},{height}")
    }
}

/// An address that an area may lead to: of the web, of an e-mail or of a telephone, and nothing that a browser would run.
pub fn address(text: &str) -> Option<String> {
    let text = text.trim();
    let is_plain =
        text.chars().all(|c| !c.is_whitespace() && !c.is_control()) && text.chars().count() <= ADDRESS_LENGTH;
    let (scheme, rest) = text.split_once(':')?;
    let leads = match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => rest
            .strip_prefix("//")
            .is_some_and(|host| host.starts_with(|c: char| c.is_alphanumeric() || c == '[')),
        "mailto" => rest.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty()),
        "tel" => rest.len() >= 3 && rest.chars().all(|c| c.is_ascii_digit() || "+-().".contains(c)),
        _ => false,
    };
    (is_plain && leads).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_addresses_that_run_nothing_are_led_to() {
        for good in [
            "https://example.com/a?b=c#d",
            "HTTP://例子.中国/路",
            "mailto:a@b.cn",
            "tel:+86-10-1234",
            "https://[::1]/",
        ] {
            assert_eq!(address(good).as_deref(), Some(good));
        }
        assert_eq!(address(" https://a.cn ").as_deref(), Some("https://a.cn"));
        for bad in [
            "",
            "example.com",
            "javascript:alert(1)",
            "JaVaScRiPt://a%0aalert(1)",
            "data:text/html,x",
            "https:a.cn",
            "https:///a",
            "https://a b",
            "https://a\u{0}",
            "java\tscript:x",
            "mailto:@",
            "tel:x",
            "file:///etc/passwd",
            "vbscript:x",
            "//a.cn",
            "/read/x",
        ] {
            assert_eq!(address(bad), None, "{bad}");
        }
        assert_eq!(address(&format!("https://a/{}", "x".repeat(ADDRESS_LENGTH))), None);
    }

    #[test]
    fn a_place_is_typed_as_people_type() {
        let place = Place::new(10, 20, 300, 40);
        for text in
            ["10,20,300,40", " 10, 20, 300, 40 ", "10 20 300 40", "10，20，300，40", "10、20、300、40"]
        {
            assert_eq!(text.parse().ok(), place, "{text}");
        }
        for text in
            ["", "10,20,300", "10,20,300,40,5", "10,20,300,-4", "10,20,300,4", "900,20,300,40", "a,b,c,d"]
        {
            assert_eq!(text.parse::<Place>(), Err(()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn an_area_lies_on_its_page(x: u32, y: u32, width: u32, height: u32, small in 0u32..1100, side in 0u32..1100) {
            for place in [Place::new(x, y, width, height), Place::new(small, small, side, side)].into_iter().flatten() {
                prop_assert!(u64::from(place.x) + u64::from(place.width) <= 1000);
                prop_assert!(u64::from(place.y) + u64::from(place.height) <= 1000);
                prop_assert!(place.width >= LEAST_SIDE && place.height >= LEAST_SIDE);
                prop_assert_eq!(place.to_string().parse(), Ok(place));
            }
            prop_assert_eq!(Place::new(small, 0, side, 1000).is_some(), side >= LEAST_SIDE && small + side <= 1000);
        }
    }
}
