//! Shelves 书架 of what a member publishes: the names that stand in their addresses, and the order of what is on them.

use std::fmt;
use std::str::FromStr;

use crate::grams::is_ideograph;
use crate::typed::typed;

/// Characters of a shelf's name.
pub const NAME_LENGTH: std::ops::RangeInclusive<usize> = 2..=30;
/// Characters of a shelf's title, of the name of whose it is, and of what is said of it.
pub const TITLE_LENGTH: usize = 30;
/// See [`TITLE_LENGTH`].
pub const BYLINE_LENGTH: usize = 30;
/// See [`TITLE_LENGTH`].
pub const DESCRIPTION_LENGTH: usize = 300;
/// The most shelves of a member, things on one, and names that one has had.
pub const MOST_OF_MEMBER: usize = 20;
/// See [`MOST_OF_MEMBER`].
pub const MOST_ON_SHELF: usize = 200;
/// See [`MOST_OF_MEMBER`].
pub const MOST_NAMES: usize = 10;

/// What stands for the house and its pages, so that no member's shelf passes for them.
const RESERVED: [&str; 64] = [
    "about",
    "account",
    "admin",
    "administrator",
    "aitus",
    "api",
    "app",
    "assets",
    "bindery",
    "book",
    "card",
    "cart",
    "code",
    "contact",
    "edit",
    "embed",
    "epaper",
    "error",
    "favicon",
    "feed",
    "healthz",
    "help",
    "home",
    "index",
    "login",
    "logout",
    "magazine",
    "mail",
    "manager",
    "member",
    "new",
    "news",
    "null",
    "oembed",
    "official",
    "order",
    "pay",
    "privacy",
    "read",
    "readyz",
    "register",
    "report",
    "robots",
    "root",
    "search",
    "shelf",
    "shop",
    "shopping",
    "sitemap",
    "staff",
    "static",
    "study",
    "support",
    "system",
    "undefined",
    "user-center",
    "uwp",
    "works",
    "www",
    "书坊",
    "官方",
    "客服",
    "登录",
    "管理员",
];

/// The name of a shelf in its address: letters, digits, Chinese characters, and single hyphens between them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShelfName(String);

/// Why a text is no name, as whoever typed it is told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAName {
    #[error("请输入书架的地址")]
    Empty,
    #[error("地址要 {least} 到 {most} 个字，现在是 {0} 个", least = NAME_LENGTH.start(), most = NAME_LENGTH.end())]
    Length(usize),
    #[error("地址里不能有“{0}”，只能用字母、数字、汉字和连字符“-”")]
    Character(char),
    #[error("连字符“-”只能一个一个地用在中间")]
    Hyphen,
    #[error("“{0}”是网站自己用的名字，请换一个")]
    Reserved(String),
}

/// A character of the unified ideographs, as modern texts have them, or the zero among them.
fn is_chinese(c: char) -> bool {
    is_ideograph(c) || c == '〇'
}

fn fits(c: char) -> bool {
    c.is_ascii_lowercase() || c.is_ascii_digit() || is_chinese(c)
}

/// One form for what looks alike: full-width letters are letters, capitals are small.
fn folded(text: &str) -> String {
    typed(text).to_ascii_lowercase()
}

impl ShelfName {
    /// The name as it stands in the database.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name out of a title, where that makes one: whatever can't stand in a name becomes a hyphen.
    pub fn of_title(title: &str) -> Option<Self> {
        let words: Vec<String> =
            folded(title).split(|c| !fits(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let name: String = words.join("-").chars().take(*NAME_LENGTH.end()).collect();
        name.trim_end_matches('-').parse().ok()
    }
}

impl fmt::Display for ShelfName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ShelfName {
    type Err = NotAName;
    fn from_str(text: &str) -> Result<Self, NotAName> {
        let name = folded(text);
        let length = name.chars().count();
        if length == 0 {
            return Err(NotAName::Empty);
        }
        if let Some(wrong) = name.chars().find(|c| !fits(*c) && *c != '-') {
            return Err(NotAName::Character(wrong));
        }
        if !NAME_LENGTH.contains(&length) {
            return Err(NotAName::Length(length));
        }
        if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
            return Err(NotAName::Hyphen);
        }
        if RESERVED.contains(&name.as_str()) {
            return Err(NotAName::Reserved(name));
        }
        Ok(Self(name))
    }
}

/// Where a thing on a shelf goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    Before,
    Behind,
}

/// The same things with one of them a place further; one that is not there, or at the end already, stays.
pub fn moved<T: PartialEq>(mut things: Vec<T>, thing: &T, way: Way) -> Vec<T> {
    let Some(at) = things.iter().position(|known| known == thing) else { return things };
    let to = match way {
        Way::Before => at.saturating_sub(1),
        Way::Behind => (at + 1).min(things.len() - 1),
    };
    things.swap(at, to);
    things
}

/// The same things in another order. What is wanted and not there is left out, what is there and not named (somebody put
/// it there meanwhile) comes last, as it stood.
pub fn reordered<T: PartialEq + Clone>(things: &[T], wanted: &[T]) -> Vec<T> {
    let mut order: Vec<T> = Vec::with_capacity(things.len());
    for thing in wanted.iter().filter(|thing| things.contains(thing)).chain(things) {
        if !order.contains(thing) {
            order.push(thing.clone());
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_short_plain_and_not_the_houses() {
        for (typed, name) in [
            ("shanye", "shanye"),
            (" ShanYe-2027 ", "shanye-2027"),
            ("山野书屋", "山野书屋"),
            ("ｓｈａｎ山", "shan山"),
            ("二〇二七", "二〇二七"),
        ] {
            assert_eq!(typed.parse::<ShelfName>().as_ref().map(ShelfName::as_str), Ok(name), "{typed}");
        }
        let refused = |typed: &str| typed.parse::<ShelfName>().expect_err(typed);
        assert_eq!(refused("  "), NotAName::Empty);
        assert_eq!(refused("山"), NotAName::Length(1));
        assert_eq!(refused(&"长".repeat(31)), NotAName::Length(31));
        for (typed, wrong) in [
            ("a b", ' '),
            ("a/b", '/'),
            ("a.b", '.'),
            ("a_b", '_'),
            ("é1", 'é'),
            ("аbс", 'а'),
            ("a\0", '\0'),
            ("かな", 'か'),
        ] {
            assert_eq!(refused(typed), NotAName::Character(wrong), "{typed}");
        }
        for typed in ["-a", "a-", "a--b", "--"] {
            assert_eq!(refused(typed), NotAName::Hyphen, "{typed}");
        }
        for typed in ["login", "LOGIN", "ｌｏｇｉｎ", "about", "manager", "api", "官方", "user-center"]
        {
            assert!(matches!(refused(typed), NotAName::Reserved(_)), "{typed}");
        }
    }

    #[test]
    fn a_title_makes_a_name_where_it_can() {
        let of = |title: &str| ShelfName::of_title(title).map(|name| name.to_string());
        assert_eq!(of("山野 · 与远方").as_deref(), Some("山野-与远方"));
        assert_eq!(of("My Books!").as_deref(), Some("my-books"));
        assert_eq!(of("Login"), None);
        assert_eq!(of("☺"), None);
        assert_eq!(of(&"a ".repeat(40)).map(|name| name.len()), Some(29), "no hyphen is left at its end");
    }

    proptest! {
        #[test]
        fn what_is_a_name_stays_one_and_fits_into_an_address(typed in "\\PC{0,40}") {
            for name in [typed.parse::<ShelfName>().ok(), ShelfName::of_title(&typed)].into_iter().flatten() {
                prop_assert_eq!(name.as_str().parse::<ShelfName>(), Ok(name.clone()));
                prop_assert!(!name.as_str().contains(['/', '?', '#', '%', '.', '<', '&', '"', ' ']));
            }
        }

        #[test]
        fn another_order_loses_and_invents_nothing(
            things in prop::collection::hash_set(0u8..40, 0..20),
            wanted in prop::collection::vec(0u8..50, 0..30),
            at in 0u8..50,
            behind: bool,
        ) {
            let things: Vec<u8> = things.into_iter().collect();
            let sorted = |mut list: Vec<u8>| { list.sort_unstable(); list };
            let ordered = reordered(&things, &wanted);
            prop_assert_eq!(sorted(ordered.clone()), sorted(things.clone()));
            let mut named: Vec<u8> = Vec::new();
            for thing in wanted {
                if things.contains(&thing) && !named.contains(&thing) { named.push(thing); }
            }
            prop_assert!(ordered.starts_with(&named), "those that were named come first, as they were named");
            let way = if behind { Way::Behind } else { Way::Before };
            let after = moved(things.clone(), &at, way);
            prop_assert_eq!(sorted(after), sorted(things));
        }
    }
}
