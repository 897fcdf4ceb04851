//! Asking others to look at a work 请人看样: rounds 稿, who may say what, where a comment stands, what an approval was given for.
//! Times are epoch ms.

use serde::{Deserialize, Serialize};

use crate::days::DAY_MS;
use crate::document::{Page, Trim};
use crate::ids::PageId;

/// Rounds of a work: each keeps a revision of its own.
pub const MOST_ROUNDS: i64 = 50;
/// Links of a work that stand.
pub const MOST_LINKS: usize = 30;
/// Who may look at a work, by links with names and without.
pub const MOST_REVIEWERS: i64 = 100;
/// Comments and answers of one reviewer in a round.
pub const MOST_OF_REVIEWER: i64 = 100;
/// The same of everybody together, the maker included.
pub const MOST_OF_ROUND: i64 = 1_000;
/// Characters of a comment, and of what the maker says to all.
pub const WORDS: usize = 500;
/// Characters of a reviewer's name.
pub const NAME: usize = 20;
/// Days from now until the last one, at most.
pub const MOST_DAYS: i64 = 180;
/// Days that are offered.
pub const USUAL_DAYS: i64 = 7;

/// What a reviewer says of a round as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// 可以印
    Print,
    /// 还要改
    Change,
}

impl Verdict {
    /// In the order of the buttons.
    pub const ALL: [Self; 2] = [Self::Print, Self::Change];

    /// The word in forms and rows.
    pub fn code(self) -> &'static str {
        match self {
            Self::Print => "print",
            Self::Change => "change",
        }
    }

    /// By its word.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }

    /// What everybody reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Print => "可以印",
            Self::Change => "还要改",
        }
    }
}

/// A place on a page, per mille of its width and of its height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    pub x: u16,
    pub y: u16,
}

/// The whole of a page, per mille.
const WHOLE: i64 = 1000;
/// The widths in which pages are shown to be pressed, in CSS pixels: a browser tells where in the picture, not how large that is
/// (HTML, image button state). `style/areas/reviews.css` knows the same.
pub const PRESSED: [u32; 4] = [288, 320, 440, 560];
/// The names of a page's nine fields, row by row.
pub const FIELDS: [&str; 9] = ["左上", "上方", "右上", "左侧", "中间", "右侧", "左下", "下方", "右下"];

impl Spot {
    /// A place per mille; nothing outside the page.
    pub fn new(x: i64, y: i64) -> Option<Self> {
        let part = |value: i64| u16::try_from(value).ok().filter(|value| i64::from(*value) <= WHOLE);
        Some(Self { x: part(x)?, y: part(y)? })
    }

    /// Where somebody pressed a picture of one of the [`PRESSED`] widths, in CSS pixels from its corner. A keyboard presses its
    /// corner, which says nothing.
    pub fn pressed(width: u32, trim: Trim, x: i64, y: i64) -> Option<Self> {
        if !PRESSED.contains(&width) || (x, y) == (0, 0) {
            return None;
        }
        let height = f64::from(width) * trim.height / trim.width;
        let part = |value: i64, whole: f64| (value as f64 * WHOLE as f64 / whole).round() as i64;
        // the last pixel's far side
        Self::new(part(x, f64::from(width)).min(WHOLE), part(y, height).min(WHOLE))
    }

    /// The middle of one of the [`FIELDS`], from 1.
    pub fn of_field(field: usize) -> Option<Self> {
        let index = field.checked_sub(1).filter(|index| *index < FIELDS.len())?;
        let part = |third: usize| (WHOLE as usize * (2 * third + 1) / 6) as u16;
        Some(Self { x: part(index % 3), y: part(index / 3) })
    }

    /// The name of the field that it is in.
    pub fn field(self) -> &'static str {
        let third = |part: u16| (usize::from(part) * 3 / (WHOLE as usize + 1)).min(2);
        FIELDS[third(self.y) * 3 + third(self.x)]
    }
}

/// A round, as far as rules ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// From 1.
    pub number: i64,
    pub revision: i64,
    /// The end of its last day.
    pub until: i64,
    /// Since when nothing more is said in it.
    pub ordered_at: Option<i64>,
}

/// What asking makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// A round with this number.
    Anew(i64),
    /// Other words and another day for the round with this one: it shows the same pages.
    Same(i64),
}

/// What asking for a look at a revision makes, where `newest` is the round before.
pub fn asking(newest: Option<Round>, revision: i64) -> Result<Asking, NotTaken> {
    match newest {
        None => Ok(Asking::Anew(1)),
        Some(round) if round.revision == revision && round.ordered_at.is_none() => {
            Ok(Asking::Same(round.number))
        }
        Some(round) if round.number >= MOST_ROUNDS => Err(NotTaken::Rounds),
        Some(round) => Ok(Asking::Anew(round.number + 1)),
    }
}

/// The last day as the form has it: its end, where that is a day.
pub fn last_day(end: Option<i64>, now: i64) -> Result<i64, &'static str> {
    match end {
        None => Err("请填写最后一天，例如 2026-12-06"),
        Some(end) if end <= now => Err("最后一天不能早于今天"),
        Some(end) if end > now + (MOST_DAYS + 1) * DAY_MS => Err("最后一天最晚在 180 天以后"),
        Some(end) => Ok(end),
    }
}

/// The names of reviewers, one a line: those that have no link yet, each once.
pub fn names(text: &str, known: &[&str]) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::new();
    for line in text.split(['\n', '、', '，', ',', ';', '；']) {
        let name = name(line);
        if name.is_empty() || known.contains(&name.as_str()) || names.contains(&name) {
            continue;
        }
        if name.chars().count() > NAME {
            return Err(format!("“{name}”太长，名字最多 {NAME} 个字，每行写一位"));
        }
        names.push(name);
    }
    if names.len() + known.len() > MOST_LINKS {
        return Err(format!("一件作品最多同时有 {MOST_LINKS} 个看样链接，请先撤回不用的"));
    }
    Ok(names)
}

/// A name as it is kept: its words with one space between them.
pub fn name(typed: &str) -> String {
    typed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Why a link opens nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Shut {
    #[error("这个看样链接已经收回。还想看的话，请问把链接发给您的人。")]
    Withdrawn,
    #[error("看样的时间已经过了。还想看的话，请把链接发给您的人再请一次，链接不用换。")]
    Over,
    #[error("这件作品现在看不到了，请问把链接发给您的人。")]
    Away,
}

/// Whether a link opens the newest round of its work.
pub fn opens(is_withdrawn: bool, is_trashed: bool, round: Round, now: i64) -> Result<(), Shut> {
    match () {
        () if is_withdrawn => Err(Shut::Withdrawn),
        () if is_trashed => Err(Shut::Away),
        () if now >= round.until => Err(Shut::Over),
        () => Ok(()),
    }
}

/// Why nothing is taken down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotTaken {
    #[error("这件作品已经请人看过 {MOST_ROUNDS} 稿，不能再请了")]
    Rounds,
    #[error("作者已经按这一稿下单，不能再改了")]
    Ordered,
    #[error("这一稿里您写的意见已经有 {MOST_OF_REVIEWER} 条，请直接和作者说")]
    OfReviewer,
    #[error("这一稿的意见已经有 {MOST_OF_ROUND} 条，不能再写了")]
    OfRound,
    #[error("已经有人回复了，不能再收回")]
    Answered,
    #[error("这是上一稿里写的，不能再收回")]
    Older,
    #[error("作者刚刚发来新的一稿，请看过再说")]
    Newer,
    #[error("看这件作品的已经有 {MOST_REVIEWERS} 位，请作者单独给您一个链接")]
    Crowd,
}

/// Whether somebody may write a comment or an answer in a round: the maker where `own` is none.
pub fn may_write(round: Round, own: Option<i64>, all: i64) -> Result<(), NotTaken> {
    match own {
        _ if round.ordered_at.is_some() => Err(NotTaken::Ordered),
        Some(own) if own >= MOST_OF_REVIEWER => Err(NotTaken::OfReviewer),
        _ if all >= MOST_OF_ROUND => Err(NotTaken::OfRound),
        _ => Ok(()),
    }
}

/// Whether somebody takes back what it wrote in a round, where `newest` is the newest.
pub fn may_take_back(written_in: i64, newest: Round, answers: i64) -> Result<(), NotTaken> {
    match () {
        () if newest.ordered_at.is_some() => Err(NotTaken::Ordered),
        () if written_in != newest.number => Err(NotTaken::Older),
        () if answers > 0 => Err(NotTaken::Answered),
        () => Ok(()),
    }
}

/// Whether a verdict that was given on the page of a round counts.
pub fn may_judge(shown: i64, newest: Round) -> Result<(), NotTaken> {
    match () {
        () if shown != newest.number => Err(NotTaken::Newer),
        () if newest.ordered_at.is_some() => Err(NotTaken::Ordered),
        () => Ok(()),
    }
}

/// Where the page of a comment stands among the pages of a document: its number from 1, 0 for the cover; nothing where it is there no more.
pub fn stands_at(page: usize, id: Option<&PageId>, pages: &[Page]) -> Option<usize> {
    if page == 0 {
        return Some(0);
    }
    match id {
        Some(id) => pages.iter().position(|known| known.id.as_ref() == Some(id)).map(|index| index + 1),
        None => (page <= pages.len()).then_some(page),
    }
}

/// What a page is called, by its number.
pub fn page_name(page: usize) -> String {
    if page == 0 { "封面".to_owned() } else { format!("第 {page} 页") }
}

/// What one reviewer said last, beside what is looked at now: on an order it is frozen so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    pub who: String,
    /// The round that it was said of.
    pub round: i64,
    pub verdict: Verdict,
    pub at: i64,
    /// Whether that round shows what is looked at now.
    pub is_same: bool,
}

impl Said {
    /// Whether it allows to print what is looked at now.
    pub fn approves(&self) -> bool {
        self.verdict == Verdict::Print && self.is_same
    }

    /// What is said of it behind the name.
    pub fn sentence(&self) -> String {
        let round = self.round;
        match (self.verdict, self.is_same) {
            (Verdict::Print, true) => format!("可以印，看的就是这一版（第 {round} 稿）"),
            (Verdict::Print, false) => format!("可以印，但这份同意是给第 {round} 稿的，作品之后又改过"),
            (Verdict::Change, true) => format!("第 {round} 稿还要改"),
            (Verdict::Change, false) => format!("第 {round} 稿还要改；作品之后改过"),
        }
    }
}
