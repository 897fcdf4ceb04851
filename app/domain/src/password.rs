//! Which passwords are taken, by NIST SP 800-63B-4 section 3.1.1.2: a length, no rules of composition, and a list of
//! what everybody tries first.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

/// The fewest characters (code points).
pub const LEAST: usize = 8;
/// The most characters.
pub const MOST: usize = 128;

/// See password/README.md.
static COMMON: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("password/common.txt").lines().collect());

/// The name of this program, as people may type it.
const HOUSE: [&str; 4] = ["bindery", "shufang", "书坊", "書坊"];

/// Why a password is not taken; the texts are for its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("密码至少 8 个字符")]
    Short,
    #[error("密码至多 128 个字符")]
    Long,
    #[error("这个密码太常见，很容易被猜到，请换一个")]
    Common,
    #[error("密码不能是账号、名字或“书坊”本身，请换一个")]
    Name,
}

/// The form in which a password is hashed: NFKC, so that it is the same on every keyboard.
pub fn normal(password: &str) -> String {
    password.nfkc().collect()
}

/// A new password in its normal form, or why it is not taken. `names` are what is known of the member: contacts, name.
pub fn check(password: &str, names: &[&str]) -> Result<String, Refused> {
    let password = normal(password);
    let length = password.chars().count();
    if length < LEAST {
        return Err(Refused::Short);
    }
    if length > MOST {
        return Err(Refused::Long);
    }
    let lower = password.to_lowercase();
    if COMMON.contains(lower.as_str()) || repeats(&lower) || counts(&lower) {
        return Err(Refused::Common);
    }
    // an address counts with and without its host
    let names = names.iter().flat_map(|name| [*name, name.split('@').next().unwrap_or_default()]);
    if names.chain(HOUSE).any(|name| derives(&lower, &normal(name).to_lowercase())) {
        return Err(Refused::Name);
    }
    Ok(password)
}

/// One to four characters over and over: `88888888`, `12341234`, `abcabcab`.
fn repeats(text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    (1..=4).any(|period| text.iter().zip(text.iter().skip(period)).all(|(one, other)| one == other))
}

/// Each character the next or the one before: `23456789`, `hgfedcba`.
fn counts(text: &str) -> bool {
    let codes: Vec<i64> = text.chars().map(|c| i64::from(u32::from(c))).collect();
    [1, -1].iter().any(|step| codes.windows(2).all(|pair| pair[1] - pair[0] == *step))
}

/// The name itself, or with nothing but digits and signs around it.
fn derives(password: &str, name: &str) -> bool {
    let bare = |text: &str| text.trim_matches(|c: char| !c.is_alphabetic()).to_owned();
    let word = bare(name);
    !name.is_empty() && (password == name || (!word.is_empty() && bare(password) == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_is_counted_in_characters() {
        assert_eq!(check("k8#vQ2x", &[]), Err(Refused::Short));
        assert_eq!(check("k8#vQ2xz", &[]).as_deref(), Ok("k8#vQ2xz"));
        assert_eq!(check("一二三四五六七", &[]), Err(Refused::Short));
        assert_eq!(check("去年夏天海边的风", &[]).as_deref(), Ok("去年夏天海边的风"));
        let long: String = ('a'..='z').chain('0'..='9').cycle().take(MOST).collect();
        assert!(check(&long, &[]).is_ok());
        assert_eq!(check(&format!("{long}x"), &[]), Err(Refused::Long));
    }

    #[test]
    fn nothing_is_asked_of_its_composition() {
        for good in [
            "correct horse battery",
            "purple-lantern",
            "一本好书 2026",
            "        x",
            "40392817561",
            "long enough",
        ] {
            assert!(check(good, &["reader@example.com"]).is_ok(), "{good}");
        }
    }

    #[test]
    fn it_is_the_same_on_every_keyboard() {
        assert_eq!(check("Ｌａｎｔｅｒｎ－９", &[]).as_deref(), Ok("Lantern-9"));
        // é as one character and as two
        assert_eq!(check("caf\u{e9}-lantern", &[]), check("cafe\u{301}-lantern", &[]));
    }

    #[test]
    fn what_everybody_tries_first_is_refused() {
        for common in [
            "password",
            "PASSWORD1",
            "12345678",
            "1qaz2wsx",
            "woaini1314",
            "a123456789",
            "qq123456789",
            "88888888",
            "12341234",
            "abcabcabc",
            "23456789",
            "hgfedcba",
            "iloveyou",
            "ｐａｓｓｗｏｒｄ",
            "啊啊啊啊啊啊啊啊",
        ] {
            assert_eq!(check(common, &[]), Err(Refused::Common), "{common}");
        }
    }

    #[test]
    fn the_members_and_the_houses_names_are_refused() {
        let names = ["13800138000", "lin.zhixia@example.com", "林知夏"];
        for password in [
            "13800138000",
            "lin.zhixia@example.com",
            "Lin.Zhixia",
            "lin.zhixia2026!",
            "林知夏20261121",
            "bindery2026",
            "!!Bindery!!",
            "书坊20261121",
        ] {
            assert_eq!(check(password, &names), Err(Refused::Name), "{password}");
        }
        for password in ["bindery-demo", "zhixia makes books", "13800138000 books"] {
            assert!(check(password, &names).is_ok(), "{password}");
        }
        assert!(check("40392817561", &[""]).is_ok(), "no name is no reason");
    }
}
