//! Shared works as something that their members publish.

use async_trait::async_trait;
use axum::http::request::Parts;
use base::db::{Tx, now_ms};
use base::error::Error;
use domain::ids::MemberId;
use domain::sharing::{Access, Visibility};
use web::app::App;
use web::slice::{Publication, Published, Reach, Readable};

use super::store::{self, Share};
use super::{open, pictures};

/// The word for works that are shared.
pub const KIND: &str = "work";
/// The width of a cover on a shelf, in pixels.
const COVER_WIDTH: u32 = 360;

/// See [`Published`].
pub struct Shares;

/// Who gets to see a shared work at a moment, epoch ms.
fn reach(share: &Share, now: i64) -> Reach {
    match share.settings.visibility {
        _ if share.terms().is_over(now) => Reach::Over,
        Visibility::Public => Reach::Public,
        Visibility::Link => Reach::ByAddress,
        Visibility::Password | Visibility::Private => Reach::Some,
    }
}

fn publication(share: Share, now: i64) -> Publication {
    let address = format!("/read/{}", share.work);
    Publication {
        kind: KIND,
        id: share.work.to_string(),
        cover: Some(pictures::address(&share, 0, COVER_WIDTH)),
        card: Some(format!("{address}/card.jpg?v={}", share.updated_at)),
        address,
        trim: share.facts.trim,
        reach: reach(&share, now),
        published_at: share.published_at,
        member: share.member,
        title: share.settings.title,
        author: share.facts.author,
        description: share.settings.description,
    }
}

#[async_trait]
impl Published for Shares {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn name(&self) -> &'static str {
        "作品"
    }

    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Publication>, Error> {
        let now = now_ms();
        let shares = store::list(&app.db, Some(member)).await?;
        Ok(shares.into_iter().map(|share| publication(share, now)).collect())
    }

    async fn find(&self, app: &App, ids: &[&str]) -> Result<Vec<Publication>, Error> {
        let now = now_ms();
        let shares = store::find_all(&app.db, ids).await?;
        Ok(shares.into_iter().map(|share| publication(share, now)).collect())
    }

    async fn readable(&self, app: &App, parts: &Parts, id: &str) -> Result<Option<Readable>, Error> {
        let Ok(work) = id.parse() else { return Ok(None) };
        let opened = match open::open_for(app, parts, &work).await {
            Ok(opened) => opened,
            Err(Error::NotFound | Error::Gone(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let pages = opened.share.facts.pages;
        let open = match opened.access {
            Access::Whole => pages,
            Access::Preview(open) => pages.min(open as usize),
            Access::Locked | Access::Gone | Access::Hidden => return Ok(None),
        };
        Ok(Some(Readable { publication: publication(opened.share, now_ms()), pages, open }))
    }

    async fn is_withdrawn(&self, tx: &mut Tx, id: &str) -> Result<bool, Error> {
        store::is_withdrawn(tx, id).await
    }
}
