//! Which passwords are taken, by NIST SP 800-63B-4 section 3.1.1.2: a length, no rules of composition, and a list of
//! what everybody tries first. What people make of such words (`Passw0rd!`, `Summer2026!`) is counted as those who guess
//! would: in how many guesses it comes (zxcvbn; OWASP ASVS 5.0, chapter 6.2).

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

/// As a power of ten, the guesses that a password must stand: about thirty million. With what an account lets through a
/// day that is for ever, and eight characters at random stand three times as many.
const LEAST_GUESSES: f64 = 7.5;
/// Characters whose guesses are counted; counting goes by the square of the length, and more of them are never fewer
/// guesses.
const MOST_COUNTED: usize = 48;

/// The name of this program, as people may type it.
const HOUSE: [&str; 4] = ["bindery", "shufang", "书坊", "書坊"];

/// The commonest family names of China as they are typed (the hundred of the Ministry of Public Security's list of 2020, which are
/// fewer in letters without tones), the commonest first.
const FAMILIES: &str = "wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he lin gao luo zheng liang xie song \
    tang han feng deng cao peng zeng xiao tian dong yuan pan cai jiang yu du ye cheng wei su lu lv ding ren shen yao cui zhong \
    tan fan jin shi liao jia xia fu fang bai zou meng xiong qin qiu yin xue yan duan lei hou long tao gu mao hao gong shao wan \
    qian";
/// As a power of ten, the days of a hundred years, before and behind a word.
const DAYS: f64 = 4.9;

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
    #[error(
        "这个密码太容易被猜到：常见的词换几个字母、加上年份或符号，别人也想得到。请换一个，比如几个不相干的词连在一起"
    )]
    Guessable,
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
    let names: Vec<&str> =
        names.iter().flat_map(|name| [*name, name.split('@').next().unwrap_or_default()]).collect();
    if names.iter().copied().chain(HOUSE).any(|name| derives(&lower, &normal(name).to_lowercase())) {
        return Err(Refused::Name);
    }
    if guesses(&password, &names) < LEAST_GUESSES {
        return Err(Refused::Guessable);
    }
    Ok(password)
}

/// In how many guesses somebody who knows the names has the password, as a power of ten.
fn guesses(password: &str, names: &[&str]) -> f64 {
    let counted: String = password.chars().take(MOST_COUNTED).collect();
    let names: Vec<&str> = names.iter().copied().chain(FAMILIES.split_whitespace()).collect();
    let estimate = |text: &str| {
        // zxcvbn holds every character that it does not know for one of ten; of Chinese ones a hundred are still few
        let others: HashSet<char> = text.chars().filter(|c| !c.is_ascii()).collect();
        zxcvbn::zxcvbn(text, &names).guesses_log10() + others.len() as f64
    };
    // signs at the ends are the first thing that guesses try
    let bare = counted.trim_matches(|c: char| c.is_ascii_punctuation());
    // and a birthday beside a name the second, which zxcvbn takes for far more than there are days
    let without_day = without_day(bare).map(|rest| estimate(&rest) + DAYS);
    [estimate(bare) + 1.0].into_iter().chain(without_day).fold(estimate(&counted), f64::min)
}

/// What is left of a text that begins or ends with a day, as `19900101`, `1990-01-01` or `900101`.
fn without_day(text: &str) -> Option<String> {
    let is_of_day = |c: char| c.is_ascii_digit() || "-./".contains(c);
    let before = text.trim_end_matches(is_of_day);
    let behind = text.trim_start_matches(is_of_day);
    [(before, &text[before.len()..]), (behind, &text[..text.len() - behind.len()])]
        .into_iter()
        .find(|(_, day)| is_day(day))
        .map(|(rest, _)| rest.trim_matches(|c: char| c.is_ascii_punctuation()).to_owned())
}

/// Whether a text is a day of the last or this century, with or without it.
fn is_day(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let number = |digits: &[u32]| digits.iter().fold(0, |number, digit| number * 10 + digit);
    let (year, rest) = match digits.len() {
        8 => (number(&digits[..4]), &digits[4..]),
        6 => (1900 + number(&digits[..2]), &digits[2..]),
        _ => return false,
    };
    let (month, day) = (number(&rest[..2]), number(&rest[2..]));
    (1900..2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day)
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
            "40392817561",
            "long enough",
            "k8#vQ2xz",
            "去年夏天海边的风",
            "bindery-demo",
            "lantern-and-19900101",
            "k8#vQ19900101",
        ] {
            assert!(check(good, &["reader@example.com"]).is_ok(), "{good}");
        }
    }

    #[test]
    fn it_is_the_same_on_every_keyboard() {
        assert_eq!(check("Ｐａｐｅｒ－Ｌａｎｔｅｒｎ－９", &[]).as_deref(), Ok("Paper-Lantern-9"));
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
    fn what_is_made_of_common_words_is_refused() {
        for guessable in [
            "Passw0rd!",
            "wang123456",
            "Wang123456!",
            "Summer2026!",
            "Autumn2026!",
            "P@ssw0rd2026",
            "Qwerty!234",
            "zhang123456",
            "zhang19900101",
            "Zhang19900101!",
            "19900101zhang",
            "wang1988-08-08",
            "liu_880808",
            "20010520li",
        ] {
            assert!(check(guessable, &[]).is_err(), "{guessable}");
        }
        assert_eq!(check("Summer2026!", &[]), Err(Refused::Guessable));
        // what is known of the member is no secret
        let names = ["zhixia.lin@example.com", "知夏书屋"];
        for guessable in ["zhixia.lin@example.com1", "ZhiXia.Lin-2026"] {
            assert!(check(guessable, &names).is_err(), "{guessable}");
        }
    }

    #[test]
    fn long_ones_are_counted_quickly() {
        let start = std::time::Instant::now();
        for text in ["password1", "1990-01-01 ", "qwertyasdf", "一二三四五"] {
            let long: String = text.chars().cycle().take(MOST).collect();
            let _ = check(&long, &["reader@example.com"]);
        }
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
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
