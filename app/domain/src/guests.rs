//! Photos of guests 来宾照片: who has a link sends photos, without an account, to the member who collects them. How long that
//! is open, how much of it there may be, and what a guest reads where nothing is taken. Times are epoch ms; days are China's.

use crate::days::{DAY_MS, day_start};
use crate::typed;

/// Characters of a collection's title.
pub const TITLE_LENGTH: usize = 40;
/// Characters of its greeting, and of its thanks.
pub const GREETING_LENGTH: usize = 300;
/// Characters of a guest's name.
pub const NAME_LENGTH: usize = 20;
/// Characters of a wish.
pub const WISH_LENGTH: usize = 300;
/// Characters below a photo.
pub const CAPTION_LENGTH: usize = 60;
/// The most photos of all guests of a collection, and what is proposed.
pub const MOST: u32 = 10_000;
pub const USUAL_MOST: u32 = 2_000;
/// The same of one guest.
pub const MOST_EACH: u32 = 1_000;
pub const USUAL_MOST_EACH: u32 = 100;
/// Guests of a collection.
pub const MOST_GUESTS: i64 = 2_000;
/// Collections of a member.
pub const MOST_COLLECTIONS: i64 = 100;
/// How many days ahead the last day may be, and what is proposed.
pub const MOST_AHEAD_DAYS: i64 = 366;
pub const USUAL_DAYS: i64 = 30;
/// Uploads of all guests of a collection that are on their way, and of one.
pub const MOST_OPEN: i64 = 2_000;
pub const MOST_OPEN_EACH: i64 = 100;
/// The same of small copies that stand for originals: these take nobody's room.
pub const MOST_COMING: i64 = 1_000;
pub const MOST_COMING_EACH: i64 = 100;
/// How long a small copy stands for an original that does not come, in ms.
pub const COMING_MS: i64 = 7 * DAY_MS;
/// How long a photo that its collection's owner does not want stays, in ms.
pub const HIDDEN_MS: i64 = 30 * DAY_MS;

/// Where a collection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CollectionState {
    Open,
    /// Its last day has passed.
    Over,
    /// Its owner ended it.
    Ended,
}

impl CollectionState {
    /// Of a collection that is open until a moment and may have been ended.
    pub fn of(until: i64, is_ended: bool, now: i64) -> Self {
        match (is_ended, now < until) {
            (true, _) => Self::Ended,
            (false, true) => Self::Open,
            (false, false) => Self::Over,
        }
    }

    /// As its owner reads it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "正在收",
            Self::Over => "已到期",
            Self::Ended => "已停止",
        }
    }

    /// Why a guest's photos are not taken; nothing where they are.
    pub fn refusal(self) -> Option<NotTaken> {
        match self {
            Self::Open => None,
            Self::Over => Some(NotTaken::Over),
            Self::Ended => Some(NotTaken::Ended),
        }
    }
}

/// Why a guest's photo is not taken, as the guest reads it. What had arrived before stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotTaken {
    #[error("请您来的人已经停止收照片了。之前发来的都在。")]
    Ended,
    #[error("收照片的最后一天已经过了。之前发来的都在。")]
    Over,
    #[error("这里已经收满了，再多放不下。之前发来的都在；请告诉请您来的人。")]
    CollectionFull,
    #[error("您已经发满了这里每个人可以发的张数。之前发来的都在；想换，可以先收回几张。")]
    GuestFull,
    #[error("请您来的人的空间满了，现在收不下。之前发来的都在；请告诉他，过后再发。")]
    RoomFull,
    #[error("已经有太多人在这里发过照片了。请告诉请您来的人。")]
    TooManyGuests,
    #[error("没有发完的照片太多了，请先把它们发完。之前发来的都在。")]
    TooManyOpen,
}

/// What a refusal says of the other photos of the same guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Others {
    /// None is taken.
    AllRefused,
    /// Those that have a place already are.
    NewRefused,
    /// They may be; the refused one is not.
    Asked,
    /// The refused one, too, when some of them have come.
    Later,
}

impl Others {
    /// As programs are told it.
    pub fn code(self) -> &'static str {
        match self {
            Self::AllRefused => "all",
            Self::NewRefused => "new",
            Self::Asked => "this",
            Self::Later => "later",
        }
    }
}

impl NotTaken {
    /// Each.
    pub const ALL: [Self; 7] = [
        Self::Ended,
        Self::Over,
        Self::CollectionFull,
        Self::GuestFull,
        Self::RoomFull,
        Self::TooManyGuests,
        Self::TooManyOpen,
    ];

    /// What it means for other photos.
    pub fn others(self) -> Others {
        match self {
            Self::Ended | Self::Over | Self::TooManyGuests => Others::AllRefused,
            Self::CollectionFull | Self::GuestFull => Others::NewRefused,
            Self::RoomFull => Others::Asked,
            Self::TooManyOpen => Others::Later,
        }
    }

    /// The HTTP status of an answer that says so.
    pub fn status(self) -> u16 {
        match self {
            Self::Ended | Self::Over => 410,
            Self::CollectionFull | Self::TooManyGuests | Self::TooManyOpen => 409,
            Self::GuestFull => 422,
            Self::RoomFull => 507,
        }
    }
}

/// How many photos are there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Of all guests.
    pub all: i64,
    /// Of the guest who sends.
    pub own: i64,
}

/// Whether one photo more is taken, by the numbers alone. The guest's own share is told first: that can be mended.
///
/// # Errors
/// Why it is not.
pub fn may_add(counts: Counts, most: i64, most_each: i64) -> Result<(), NotTaken> {
    if counts.own >= most_each {
        Err(NotTaken::GuestFull)
    } else if counts.all >= most {
        Err(NotTaken::CollectionFull)
    } else {
        Ok(())
    }
}

/// Where a guest's photo stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PieceState {
    /// Nobody has decided about it.
    Waiting,
    /// It is in the owner's library.
    Accepted,
    /// The owner does not want it.
    Hidden,
}

impl PieceState {
    /// Each, as an owner looks through them.
    pub const ALL: [Self; 3] = [Self::Waiting, Self::Accepted, Self::Hidden];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Accepted => "accepted",
            Self::Hidden => "hidden",
        }
    }

    /// As its owner reads it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "待看",
            Self::Accepted => "已收下",
            Self::Hidden => "不要的",
        }
    }

    /// The state of a code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }

    /// Whether its guest may take it back, or write below it. A guest is not told that a photo is not wanted.
    pub fn is_guests(self) -> bool {
        self != Self::Accepted
    }
}

/// Why a text is no last day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotADay {
    #[error("请填写日期，例如 2026-12-31")]
    Unread,
    #[error("这一天已经过去了")]
    Past,
    #[error("最多提前一年")]
    TooFar,
}

/// Reads a last day: when it is over.
///
/// # Errors
/// It is no day, or none on which anybody could send something.
pub fn read_last_day(text: &str, now: i64) -> Result<i64, NotADay> {
    let day = day_start(&typed::day(text)).ok_or(NotADay::Unread)?;
    if day + DAY_MS <= now {
        Err(NotADay::Past)
    } else if day > now + MOST_AHEAD_DAYS * DAY_MS {
        Err(NotADay::TooFar)
    } else {
        Ok(day + DAY_MS)
    }
}

/// Reads how many photos there may be.
///
/// # Errors
/// It is no number up to `most`.
pub fn read_most(text: &str, most: u32) -> Result<u32, String> {
    typed::whole::<u32>(text, &["张"])
        .filter(|number| (1..=most).contains(number))
        .ok_or_else(|| format!("请填写 1 到 {most} 的张数"))
}
