//! What of the statistics is asked for: one thing or all, and a span of days.

use base::error::Error;
use base::lists;
use domain::ids::MemberId;
use domain::typed::day;
use serde::Deserialize;
use web::app::App;
use web::slice::Read;

use super::counter::number_of;
use super::store::WHOLE;
use super::{countables, days};

/// The longest span, in days.
const LONGEST: i64 = 366;
/// What is shown without being asked for anything else, in days.
const USUAL: i64 = 30;
/// The spans that are one press away: a word for the address, a name, days.
pub const SPANS: [(&str, &str, i64); 4] =
    [("1", "今天", 1), ("7", "近 7 天", 7), ("30", "近 30 天", USUAL), ("90", "近 90 天", 90)];

/// The values of the address.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// `work:01j…`; empty for everything together.
    pub of: String,
    /// One of [`SPANS`], or `days` for those of `from` and `until`.
    pub span: String,
    pub from: String,
    pub until: String,
    /// `all` for every page of a thing.
    pub pages: String,
}

/// Days that are looked at, both ends among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub from: i64,
    pub until: i64,
}

impl Span {
    /// How many days.
    pub fn length(self) -> i64 {
        self.until - self.from + 1
    }

    /// As many days before it.
    pub fn before(self) -> Self {
        Self { from: self.from - self.length(), until: self.from - 1 }
    }

    /// As a question takes it.
    pub fn pair(self) -> (i64, i64) {
        (self.from, self.until)
    }

    /// From its first moment to the one after its last, epoch ms.
    pub fn moments(self) -> (i64, i64) {
        (days::start_of(self.from), days::start_of(self.until + 1))
    }
}

/// A thing of the member's own, with the kind that it is of.
#[derive(Debug, Clone)]
pub struct Own {
    pub kind: &'static str,
    pub kind_name: &'static str,
    pub read: Read,
}

impl Own {
    /// As it stands in an address.
    pub fn code(&self) -> String {
        format!("{}:{}", self.kind, self.read.id)
    }

    /// Its number.
    pub fn number(&self) -> i64 {
        number_of(self.kind, &self.read.id)
    }
}

/// Everything of a member's that is read.
pub async fn own_things(app: &App, member: &MemberId) -> Result<Vec<Own>, Error> {
    let mut things = Vec::new();
    for countable in countables(app) {
        let (kind, kind_name) = (countable.kind(), countable.name());
        let own = countable.of_member(app, member).await?;
        things.extend(own.into_iter().map(|read| Own { kind, kind_name, read }));
    }
    Ok(things)
}

impl Asked {
    /// The thing that is asked for, among a member's own; another's looks like none.
    pub fn thing(&self, things: &[Own]) -> Result<Option<Own>, Error> {
        if self.of.is_empty() {
            return Ok(None);
        }
        let found = things.iter().find(|own| own.code() == self.of);
        found.cloned().map(Some).ok_or(Error::NotFound)
    }

    /// The number that its rows are under: the thing's, or that of all things together.
    pub fn number(chosen: Option<&Own>, member: &MemberId) -> i64 {
        chosen.map_or_else(|| number_of(WHOLE, member.as_str()), Own::number)
    }

    /// The days, and what is wrong with those that were typed.
    pub fn days(&self, today: i64) -> (Span, Option<&'static str>) {
        let usual = Span { from: today - USUAL + 1, until: today };
        if self.span != "days" {
            let days = SPANS.iter().find(|(word, ..)| *word == self.span).map_or(USUAL, |(.., days)| *days);
            return (Span { from: today - days + 1, until: today }, None);
        }
        let (Some(from), Some(until)) = (days::read(&day(&self.from)), days::read(&day(&self.until))) else {
            return (usual, Some("日期写成 2026-11-21 的样子，起止都要有；现在显示近 30 天。"));
        };
        if until < from {
            return (usual, Some("结束日期不能早于开始日期；现在显示近 30 天。"));
        }
        if until - from >= LONGEST {
            return (usual, Some("一次最多看 366 天；现在显示近 30 天。"));
        }
        (Span { from, until }, None)
    }

    /// An address with these values, and some of them changed.
    pub fn address(&self, path: &str, changes: &[(&str, &str)]) -> String {
        let own = [
            ("of", self.of.as_str()),
            ("span", self.span.as_str()),
            ("from", self.from.as_str()),
            ("until", self.until.as_str()),
            ("pages", self.pages.as_str()),
        ];
        let values = own.map(|(name, known)| {
            (name, changes.iter().find(|(changed, _)| *changed == name).map_or(known, |(_, value)| value))
        });
        lists::address(path, &values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_end_today_or_where_they_are_told() {
        let today = days::read("2026-11-24").unwrap();
        let asked = |span: &str, from: &str, until: &str| Asked {
            span: span.into(),
            from: from.into(),
            until: until.into(),
            ..Asked::default()
        };
        let (span, wrong) = asked("7", "", "").days(today);
        assert_eq!((span.length(), span.until, wrong), (7, today, None));
        assert_eq!(span.before().until, span.from - 1);
        let (span, wrong) = asked("days", "2026-10-01", "2026-10-07").days(today);
        assert_eq!((days::written(span.from), span.length(), wrong), ("2026-10-01".into(), 7, None));
        for (from, until) in
            [("2026-10-08", "2026-10-07"), ("x", "2026-10-07"), ("", ""), ("2020-01-01", "2026-01-01")]
        {
            let (span, wrong) = asked("days", from, until).days(today);
            assert!(wrong.is_some() && span.length() == 30, "{from} {until}");
        }
    }

    #[test]
    fn an_address_keeps_what_is_not_changed() {
        let asked = Asked { of: "work:one".into(), span: "7".into(), ..Asked::default() };
        assert_eq!(asked.address("/a", &[("span", "30")]), "/a?of=work%3Aone&span=30");
        assert_eq!(asked.address("/a", &[("of", "")]), "/a?span=7");
    }
}
