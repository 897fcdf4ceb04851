//! Articles that a subscriber lets others read by a link (publishing page, section 2): how many, and for how long. Times are
//! epoch ms.

use crate::days::DAY_MS;

/// The most articles of a title that its maker may let a subscriber give in a month.
pub const MOST: u32 = 100;
/// Days for which a link opens an article.
pub const DAYS: i64 = 14;

/// Why an article is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotGiven {
    #[error("这份报刊没有开放送朋友读")]
    Off,
    #[error("订阅以后才能送朋友读；免费试读的不能")]
    NotASubscriber,
    #[error("这个月送出的已经有 {0} 篇了，下个月再送")]
    Enough(u32),
}

/// Who gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Giver {
    Maker,
    /// Whoever has paid for the title, and what it has given of it this month.
    Subscriber {
        given: i64,
    },
    Stranger,
}

/// Whether somebody may give an article of a title whose maker set a limit; the maker itself has none where there is one at all.
pub fn may_give(limit: u32, giver: Giver) -> Result<(), NotGiven> {
    match giver {
        _ if limit == 0 => Err(NotGiven::Off),
        Giver::Maker => Ok(()),
        Giver::Stranger => Err(NotGiven::NotASubscriber),
        Giver::Subscriber { given } if given >= i64::from(limit) => Err(NotGiven::Enough(limit)),
        Giver::Subscriber { .. } => Ok(()),
    }
}

/// When a link that is made now opens nothing any more.
pub fn until(now: i64) -> i64 {
    now.saturating_add(DAYS * DAY_MS)
}
