//! Parcels 包裹: which copies of which lines of an order are in which, who carries them, and what a number of that carrier's
//! looks like. Also why a copy is printed once more.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::typed::typed;

/// Copies of an order's lines: the number of the line, from 1, and how many. No line has none.
pub type Copies = BTreeMap<i64, u32>;

/// What of the wanted copies is in no parcel yet.
pub fn rest<'a>(wanted: &Copies, sent: impl IntoIterator<Item = &'a Copies>) -> Copies {
    let mut rest = wanted.clone();
    for (line, copies) in sent.into_iter().flatten() {
        if let Some(left) = rest.get_mut(line) {
            *left = left.saturating_sub(*copies);
        }
    }
    rest.retain(|_, left| *left > 0);
    rest
}

/// Copies together.
pub fn sum<'a>(parts: impl IntoIterator<Item = &'a Copies>) -> Copies {
    let mut whole = Copies::new();
    for (line, copies) in parts.into_iter().flatten() {
        let known = whole.entry(*line).or_default();
        *known = known.saturating_add(*copies);
    }
    whole
}

/// More than there is, or nothing at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentsProblem {
    #[error("包裹里至少要有一本")]
    Nothing,
    /// The line, how many of it are left.
    #[error("只剩 {left} 本")]
    TooMany { line: i64, left: u32 },
}

/// Whether a parcel may hold these copies when so much of an order is left.
pub fn check(contents: &Copies, rest: &Copies) -> Result<(), ContentsProblem> {
    for (line, copies) in contents {
        let left = rest.get(line).copied().unwrap_or(0);
        if *copies > left {
            return Err(ContentsProblem::TooMany { line: *line, left });
        }
    }
    if contents.values().all(|copies| *copies == 0) { Err(ContentsProblem::Nothing) } else { Ok(()) }
}

/// What a carrier's numbers look like.
#[derive(Debug, PartialEq, Eq)]
enum Form {
    /// Letters, then so many digits.
    Digits(&'static str, std::ops::RangeInclusive<usize>),
    /// Letters, then so many letters and digits.
    Letters(&'static str, std::ops::RangeInclusive<usize>),
    /// Two letters, eight digits, a ninth that proves them, two letters of a country. (UPU S10)
    S10,
}

/// The weights of the digits of a number. (UPU S10, section 5.2)
const S10_WEIGHTS: [u32; 8] = [8, 6, 4, 2, 3, 5, 9, 7];

impl Form {
    fn fits(&self, number: &str) -> bool {
        let rest_of = |prefix: &str, length: &std::ops::RangeInclusive<usize>, fits: fn(u8) -> bool| {
            number
                .strip_prefix(prefix)
                .is_some_and(|rest| length.contains(&rest.len()) && rest.bytes().all(fits))
        };
        match self {
            Self::Digits(prefix, length) => rest_of(prefix, length, |byte| byte.is_ascii_digit()),
            Self::Letters(prefix, length) => {
                rest_of(prefix, length, |byte| byte.is_ascii_alphanumeric() || byte == b'-')
            }
            Self::S10 => is_s10(number),
        }
    }
}

/// Whether it is a number of the Universal Postal Union's, with a right check digit.
fn is_s10(number: &str) -> bool {
    let bytes = number.as_bytes();
    let letters = |part: &[u8]| part.iter().all(u8::is_ascii_uppercase);
    let (Some(service), Some(serial), Some(country)) = (bytes.get(..2), bytes.get(2..11), bytes.get(11..13))
    else {
        return false;
    };
    if bytes.len() != 13 || !letters(service) || !letters(country) || !serial.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let mut digits = serial.iter().map(|byte| u32::from(byte - b'0'));
    let sum: u32 = digits.clone().zip(S10_WEIGHTS).map(|(digit, weight)| digit * weight).sum();
    let check = match 11 - sum % 11 {
        10 => 0,
        11 => 5,
        digit => digit,
    };
    digits.next_back() == Some(check)
}

/// Who carries parcels.
#[derive(Debug, PartialEq, Eq)]
pub struct Carrier {
    /// As programs name it.
    pub code: &'static str,
    /// As people do.
    pub name: &'static str,
    /// Other names of its.
    also: &'static [&'static str],
    numbers: &'static [Form],
}

use Form::{Digits, Letters, S10};

/// The carriers that a shop in China sends with. Their numbers are as they print them today; a shop may keep another one when
/// it says that it is right.
pub const CARRIERS: [Carrier; 10] = [
    Carrier {
        code: "SF",
        name: "顺丰",
        also: &["顺丰速运", "顺丰快递"],
        numbers: &[Digits("SF", 12..=13), Digits("", 12..=12), Digits("", 15..=15)],
    },
    Carrier {
        code: "ZTO",
        name: "中通",
        also: &["中通快递"],
        numbers: &[Digits("", 12..=14), Digits("ZTO", 10..=14)],
    },
    Carrier {
        code: "YTO",
        name: "圆通",
        also: &["圆通速递", "圆通快递"],
        numbers: &[Digits("YT", 13..=13), Digits("", 10..=14), Letters("", 10..=12)],
    },
    Carrier { code: "STO", name: "申通", also: &["申通快递"], numbers: &[Digits("", 12..=15)] },
    Carrier {
        code: "YUNDA",
        name: "韵达",
        also: &["韵达快递", "韵达速递", "YD"],
        numbers: &[Digits("", 13..=13), Digits("", 15..=15)],
    },
    Carrier {
        code: "JTSD", name: "极兔", also: &["极兔速递", "JT"], numbers: &[Digits("JT", 13..=13)]
    },
    Carrier {
        code: "JD",
        name: "京东",
        also: &["京东物流", "京东快递"],
        numbers: &[Letters("JD", 10..=22), Digits("", 10..=15)],
    },
    Carrier {
        code: "DBL",
        name: "德邦",
        also: &["德邦快递", "德邦物流"],
        numbers: &[Digits("DPK", 9..=12), Digits("", 8..=10)],
    },
    Carrier {
        code: "EMS",
        name: "EMS",
        also: &["邮政EMS", "中国邮政速递"],
        numbers: &[Digits("", 13..=13), S10],
    },
    Carrier {
        code: "YZPY",
        name: "邮政",
        also: &["中国邮政", "邮政快递包裹", "邮政包裹"],
        numbers: &[Digits("", 13..=13), S10],
    },
];

impl Carrier {
    /// The one that is called so, by its code or a name of its.
    pub fn named(word: &str) -> Option<&'static Self> {
        let word = word.trim();
        CARRIERS.iter().find(|carrier| {
            carrier.code.eq_ignore_ascii_case(word) || carrier.name == word || carrier.also.contains(&word)
        })
    }

    /// Whether a number may be one of its.
    pub fn has(&self, number: &str) -> bool {
        self.numbers.iter().any(|form| form.fits(number))
    }
}

/// Who carries it, as it is kept: one name for each that is known here, whatever it was called; another word stays.
pub fn carrier_name(typed: &str) -> &str {
    Carrier::named(typed).map_or(typed, |carrier| carrier.name)
}

/// Whether two names and numbers are of one waybill.
pub fn is_same_waybill(one: (&str, &str), other: (&str, &str)) -> bool {
    carrier_name(one.0) == carrier_name(other.0) && tracking_number(one.1) == tracking_number(other.1)
}

/// A number as it is kept: without the spaces in it, its letters great.
pub fn tracking_number(text: &str) -> String {
    typed(text).replace(' ', "").to_uppercase()
}

/// Whether a number does not look like one of the carrier's. Of a carrier that nobody knows here any may be right.
pub fn is_odd(carrier: &str, number: &str) -> bool {
    Carrier::named(carrier).is_some_and(|carrier| !carrier.has(number))
}

/// Why something is printed once more. Stored and sent as [`Reason::code`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// 印刷: colour, spots, register.
    Printing,
    /// 装订: glue, folds, trimming.
    Binding,
    /// 错漏: another book, pages that are missing, too few copies.
    Wrong,
    /// 运输破损.
    Damaged,
    /// 丢失: the parcel never arrived.
    Lost,
    /// 文件: what the member made is not what it wanted.
    File,
    /// 其他.
    Other,
}

/// A word that is no reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no reason to print again: {0}")]
pub struct UnknownReason(String);

impl Reason {
    /// Each.
    pub const ALL: [Self; 7] =
        [Self::Printing, Self::Binding, Self::Wrong, Self::Damaged, Self::Lost, Self::File, Self::Other];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Printing => "printing",
            Self::Binding => "binding",
            Self::Wrong => "wrong",
            Self::Damaged => "damaged",
            Self::Lost => "lost",
            Self::File => "file",
            Self::Other => "other",
        }
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Printing => "印刷质量",
            Self::Binding => "装订质量",
            Self::Wrong => "错件漏件",
            Self::Damaged => "运输破损",
            Self::Lost => "包裹丢失",
            Self::File => "文件有误",
            Self::Other => "其他",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reason {
    type Err = UnknownReason;
    fn from_str(text: &str) -> Result<Self, UnknownReason> {
        Self::ALL
            .into_iter()
            .find(|reason| reason.code() == text)
            .ok_or_else(|| UnknownReason(text.to_owned()))
    }
}
