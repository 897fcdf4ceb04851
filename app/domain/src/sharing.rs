//! Works that their makers let others read: who may open one, and how much of it.

use serde::{Deserialize, Serialize};

/// Whom the maker wants to read a work (product page, section 3, "Works").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Nobody else.
    Private,
    /// Who has the address; search engines don't.
    Link,
    /// Who has the address and the password.
    Password,
    /// Everybody, search engines too.
    Public,
}

impl Visibility {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 4] = [Self::Private, Self::Link, Self::Password, Self::Public];

    /// The word for forms and for the database.
    pub fn code(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Link => "link",
            Self::Password => "password",
            Self::Public => "public",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Private => "私密",
            Self::Link => "有链接的人",
            Self::Password => "密码",
            Self::Public => "公开",
        }
    }

    /// What it means, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Private => "只有您自己能看",
            Self::Link => "知道地址的人能看，搜索引擎找不到",
            Self::Password => "知道地址和密码的人能看",
            Self::Public => "所有人能看，搜索引擎可以收录",
        }
    }

    /// The one with this word.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }
}

/// Which way a work is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Bound on the left: the next page is on the right.
    #[default]
    Left,
    /// Bound on the right, as books set from top to bottom are: the next page is on the left.
    Right,
    /// One page below the other.
    Continuous,
}

impl Direction {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 3] = [Self::Left, Self::Right, Self::Continuous];

    /// The word for forms and for the database.
    pub fn code(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Continuous => "continuous",
        }
    }

    /// The name that members read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "从左向右翻",
            Self::Right => "从右向左翻",
            Self::Continuous => "从上往下连着看",
        }
    }

    /// The one with this word.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.code() == code)
    }
}

/// What decides who may open a shared work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    pub visibility: Visibility,
    /// When reading ends, epoch ms.
    pub ends_at: Option<i64>,
    /// Whether it was taken back, by its maker or by the house.
    pub is_withdrawn: bool,
    /// Whether the house took it back for cause: then nobody else reads it, whatever it bought.
    pub is_barred: bool,
    /// Whether reading all of it costs something.
    pub is_sold: bool,
    /// Pages that anybody may read of what is sold.
    pub preview_pages: u32,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reader {
    /// The maker itself.
    pub is_owner: bool,
    /// Whether its browser has given the right password.
    pub is_unlocked: bool,
    /// Whether it has bought the work, or redeemed it.
    pub is_entitled: bool,
}

/// What somebody gets to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// All of it.
    Whole,
    /// The cover and as many pages, from the first on; the rest is sold.
    Preview(u32),
    /// Only where to type the password.
    Locked,
    /// It was here, and is not any more.
    Gone,
    /// Nothing: as if there were no such work.
    Hidden,
}

impl Access {
    /// Whether a page may be read, from 1; 0 is the cover.
    pub fn opens(self, page: usize) -> bool {
        match self {
            Self::Whole => true,
            Self::Preview(pages) => page <= pages as usize,
            Self::Locked | Self::Gone | Self::Hidden => false,
        }
    }
}

impl Terms {
    /// What a reader gets to see at a moment, epoch ms (publishing page, section 1). Whoever bought a work reads it whatever
    /// its maker decides afterwards, unless the house withdrew it. The maker sees all of it always.
    pub fn access(&self, reader: Reader, now: i64) -> Access {
        if reader.is_owner || reader.is_entitled && !self.is_barred {
            return Access::Whole;
        }
        if self.is_over(now) {
            // who never knew of a private work learns nothing of its end
            let is_known = self.visibility != Visibility::Private || reader.is_entitled;
            return if is_known { Access::Gone } else { Access::Hidden };
        }
        match self.visibility {
            Visibility::Private => Access::Hidden,
            Visibility::Password if !reader.is_unlocked => Access::Locked,
            _ if self.is_sold => Access::Preview(self.preview_pages),
            _ => Access::Whole,
        }
    }

    /// Whether it was withdrawn or its time is over.
    pub fn is_over(&self, now: i64) -> bool {
        self.is_withdrawn || self.is_barred || self.ends_at.is_some_and(|end| end <= now)
    }

    /// Whether its address is enough to read it, or the part of it that anybody may: messengers may show a card of it.
    pub fn is_readable_by_address(&self, now: i64) -> bool {
        matches!(self.visibility, Visibility::Link | Visibility::Public) && !self.is_over(now)
    }

    /// Whether search engines, sitemaps and cards of messengers may know of it.
    pub fn is_listed(&self, now: i64) -> bool {
        self.visibility == Visibility::Public && !self.is_over(now)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TERMS: Terms = Terms {
        visibility: Visibility::Public,
        ends_at: None,
        is_withdrawn: false,
        is_barred: false,
        is_sold: false,
        preview_pages: 0,
    };
    const STRANGER: Reader = Reader { is_owner: false, is_unlocked: false, is_entitled: false };

    #[test]
    fn each_visibility_opens_to_whom_it_says() {
        let unlocked = Reader { is_unlocked: true, ..STRANGER };
        let bought = Reader { is_entitled: true, ..STRANGER };
        let owner = Reader { is_owner: true, ..STRANGER };
        let sold = Terms { is_sold: true, preview_pages: 3, ..TERMS };
        let over = Terms { ends_at: Some(10), ..TERMS };
        let of = |visibility| Terms { visibility, ..TERMS };
        use Visibility::{Link, Password, Private, Public};
        for (terms, reader, expected) in [
            (of(Public), STRANGER, Access::Whole),
            (of(Link), STRANGER, Access::Whole),
            (of(Password), STRANGER, Access::Locked),
            (of(Password), unlocked, Access::Whole),
            (of(Private), STRANGER, Access::Hidden),
            (of(Private), unlocked, Access::Hidden),
            (of(Private), owner, Access::Whole),
            (sold, STRANGER, Access::Preview(3)),
            (sold, bought, Access::Whole),
            (Terms { visibility: Password, ..sold }, STRANGER, Access::Locked),
            (Terms { visibility: Password, ..sold }, unlocked, Access::Preview(3)),
            (Terms { visibility: Private, ..sold }, bought, Access::Whole),
            (over, STRANGER, Access::Gone),
            (over, bought, Access::Whole),
            (over, owner, Access::Whole),
            (Terms { visibility: Password, ..over }, STRANGER, Access::Gone),
            (Terms { visibility: Private, ..over }, STRANGER, Access::Hidden),
            (Terms { is_withdrawn: true, ..TERMS }, STRANGER, Access::Gone),
            (Terms { is_withdrawn: true, ..sold }, bought, Access::Whole),
            (Terms { is_withdrawn: true, is_barred: true, ..sold }, bought, Access::Gone),
            (Terms { is_barred: true, visibility: Private, ..sold }, STRANGER, Access::Hidden),
        ] {
            assert_eq!(terms.access(reader, 10), expected, "{terms:?} {reader:?}");
        }
        assert_eq!(over.access(STRANGER, 9), Access::Whole, "the last moment still counts");
    }

    proptest! {
        #[test]
        fn what_strangers_may_not_open_is_listed_nowhere(
            visibility in prop::sample::select(Visibility::ALL.to_vec()),
            ends_at in prop::option::of(0i64..20),
            is_withdrawn: bool,
            is_barred: bool,
            is_sold: bool,
            preview_pages in 0u32..9,
            now in 0i64..20,
        ) {
            let terms = Terms { visibility, ends_at, is_withdrawn, is_barred, is_sold, preview_pages };
            let access = terms.access(STRANGER, now);
            if terms.is_listed(now) {
                prop_assert!(matches!(access, Access::Whole | Access::Preview(_)));
            }
            if matches!(access, Access::Locked | Access::Gone | Access::Hidden) {
                prop_assert!(!terms.is_listed(now) && !access.opens(0));
            }
        }
    }
}
