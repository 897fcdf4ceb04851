//! Who may read which issue.

use axum::http::request::Parts;
use base::db::now_ms;
use base::error::Error;
use domain::days::DAY_MS;
use domain::issue_state::IssueState;
use domain::publication::{Day, Kind};
use domain::sharing::Direction;
use reader::room::Volume;
use study::{OfReader, Thing};
use web::app::App;
use web::session::{Member, Visitor};

use super::store::issues::{self, Issue, IssuePage};
use super::store::publications::{self, Publication};
use super::{ISSUE_KIND, TITLE_KIND, address};

/// What of an issue somebody may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    Whole,
    /// The first pages.
    Preview(usize),
}

impl Rights {
    /// Whether a page, from 1, is open.
    pub fn opens(self, page: usize) -> bool {
        match self {
            Self::Whole => true,
            Self::Preview(pages) => page <= pages,
        }
    }

    /// How many of so many pages are open, from the first on.
    pub fn of(self, pages: usize) -> usize {
        match self {
            Self::Whole => pages,
            Self::Preview(open) => open.min(pages),
        }
    }
}

/// An issue that somebody asks for.
#[derive(Debug, Clone)]
pub struct Opened {
    pub publication: Publication,
    pub issue: Issue,
    pub rights: Rights,
    pub is_owner: bool,
    /// Packages that hold the title, for somebody who may not read all of the issue.
    pub offers: Vec<selling::Offer>,
}

impl Opened {
    /// The issue as the room knows it, of these pages.
    pub fn volume(&self, pages: &[IssuePage]) -> Volume {
        let Self { publication, issue, rights, .. } = self;
        Volume {
            kind: ISSUE_KIND,
            id: issue.id.to_string(),
            title: publication.name.clone(),
            home: address::base(publication, issue),
            pictures: address::picture_base(publication, issue),
            edition: address::edition(issue),
            trim: issue.trim,
            pages: issue.pages,
            open: rights.of(issue.pages),
            direction: Direction::Left,
            word: publication.kind.page_word(),
            names: pages.iter().map(|page| publication.kind.page_title(page.page, &page.name)).collect(),
        }
    }

    /// What whoever reads it has of it in its study, where that is known.
    pub async fn own(&self, app: &App, parts: &Parts) -> Result<Option<OfReader>, Error> {
        let Some(member) = visitor(parts) else { return Ok(None) };
        let thing = Thing { kind: ISSUE_KIND, id: self.issue.id.as_str() };
        Ok(Some(study::of_reader(app, &member.id, thing).await?))
    }
}

/// The member who asks, if any.
pub fn visitor(parts: &Parts) -> Option<&Member> {
    parts.extensions.get::<Visitor>().and_then(|visitor| visitor.0.as_ref())
}

/// Looks up the issue at a public address for whoever asks. One that did not come out is none, but for its maker; one that
/// was withdrawn says so, and is there for whoever bought it, unless it was the house that withdrew it.
pub async fn open(app: &App, parts: &Parts, kind: Kind, address: &str, key: &str) -> Result<Opened, Error> {
    let publication = publications::at_address(&app.db, kind, address).await?;
    let issue = issues::at(&app.db, &publication.id, kind, key).await?.ok_or(Error::NotFound)?;
    let member = visitor(parts);
    let is_owner = member.is_some_and(|member| member.id == publication.member);
    match issue.state {
        IssueState::Published => {}
        _ if is_owner => {}
        IssueState::Withdrawn if issue.withdrawn_reason.is_some() => {
            return Err(Error::Gone("这一期已被下架，不能再看了。".into()));
        }
        IssueState::Withdrawn => {
            let is_bought = match member {
                Some(member) => holds(app, member, &issue, now_ms()).await?,
                None => false,
            };
            if !is_bought {
                return Err(Error::Gone("这一期已经撤回，不能再看了。".into()));
            }
            return Ok(Opened { publication, issue, rights: Rights::Whole, is_owner, offers: Vec::new() });
        }
        IssueState::Draft | IssueState::Scheduled => return Err(Error::NotFound),
    }
    let (rights, offers) = rights(app, member, &publication, &issue, is_owner).await?;
    Ok(Opened { publication, issue, rights, is_owner, offers })
}

/// What somebody may read of an issue, and where the rest is to be had.
pub async fn rights(
    app: &App,
    member: Option<&Member>,
    publication: &Publication,
    issue: &Issue,
    is_owner: bool,
) -> Result<(Rights, Vec<selling::Offer>), Error> {
    let Some(sale) = publication.sale.filter(|_| !is_owner) else {
        return Ok((Rights::Whole, Vec::new()));
    };
    let now = now_ms();
    if let Some(member) = member
        && is_entitled(app, member, publication, issue, now).await?
    {
        return Ok((Rights::Whole, Vec::new()));
    }
    let offers = selling::offers(&app.db, TITLE_KIND, publication.id.as_str(), now).await?;
    // a package may promise more pages to try than the title itself
    let tried = offers.iter().filter_map(|offer| usize::try_from(offer.trial_pages).ok()).max().unwrap_or(0);
    Ok((Rights::Preview(tried.max(sale.preview_pages as usize)), offers))
}

/// What somebody may read of an issue as lists say it: without what packages promise to try.
pub async fn rights_in_lists(
    app: &App,
    member: Option<&Member>,
    publication: &Publication,
    issue: &Issue,
) -> Result<Rights, Error> {
    let Some(sale) = publication.sale else { return Ok(Rights::Whole) };
    if let Some(member) = member
        && (member.id == publication.member || is_entitled(app, member, publication, issue, now_ms()).await?)
    {
        return Ok(Rights::Whole);
    }
    Ok(Rights::Preview(sale.preview_pages as usize))
}

/// Whether a reader has the issue by itself: bought, or taken as a gift, and not given back.
async fn holds(app: &App, member: &Member, issue: &Issue, now: i64) -> Result<bool, Error> {
    Ok(selling::entitled(&app.db, &member.id, ISSUE_KIND, issue.id.as_str(), now).await?.is_some())
}

/// A reader with a subscription that runs reads every issue; afterwards those that came out while it ran. An issue that was
/// bought alone is readable for ever, also when its maker withdrew it ([`open`]).
async fn is_entitled(
    app: &App,
    member: &Member,
    publication: &Publication,
    issue: &Issue,
    now: i64,
) -> Result<bool, Error> {
    let title = publication.id.as_str();
    if selling::entitled(&app.db, &member.id, TITLE_KIND, title, now).await?.is_some()
        || holds(app, member, issue, now).await?
    {
        return Ok(true);
    }
    // the day of the issue touches a time that was bought
    let day = issue.day.start();
    for moment in [day, day + DAY_MS - 1] {
        if selling::was_entitled(&app.db, &member.id, TITLE_KIND, title, moment).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The published issues nearest to a day on which none came out, for who looks for that: the one before and the one after.
pub async fn nearest(app: &App, publication: &Publication, day: Day) -> Result<Vec<Issue>, Error> {
    let (before, after) = issues::beside(&app.db, &publication.id, (day, 0)).await?;
    Ok(before.into_iter().chain(after).collect())
}
