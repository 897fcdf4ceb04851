//! Shared works as something whose reading is counted.

use async_trait::async_trait;
use base::error::Error;
use domain::ids::{MemberId, WorkId};
use web::app::App;
use web::slice::{Countable, Read, ReadArea, ReadPage};

use super::pages::{Place, areas_of};
use super::published::KIND;
use super::{pictures, store};

/// See [`Countable`].
pub struct SharedWorks;

async fn find(app: &App, id: &str) -> Result<Option<store::Share>, Error> {
    match id.parse::<WorkId>() {
        Ok(work) => store::find(&app.db, &work).await,
        Err(_) => Ok(None),
    }
}

#[async_trait]
impl Countable for SharedWorks {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn name(&self) -> &'static str {
        "作品"
    }

    async fn owner(&self, app: &App, id: &str) -> Result<Option<MemberId>, Error> {
        Ok(find(app, id).await?.map(|share| share.member))
    }

    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Read>, Error> {
        let shares = store::list(&app.db, Some(member)).await?;
        let read = |share: store::Share| Read {
            id: share.work.to_string(),
            title: share.settings.title.clone(),
            pages: share.facts.pages,
            cover: Some(pictures::address(&share, 0, 360)),
            address: Place::Site.address(&share, 0),
        };
        Ok(shares.into_iter().map(read).collect())
    }

    async fn pages(&self, app: &App, id: &str, numbers: &[usize]) -> Result<Vec<ReadPage>, Error> {
        let Some(share) = find(app, id).await? else { return Ok(Vec::new()) };
        let there = numbers.iter().filter(|number| **number <= share.facts.pages);
        let page = |number: &usize| ReadPage {
            number: *number,
            address: Place::Site.address(&share, *number),
            picture: pictures::address(&share, *number, 360),
            large: pictures::address(&share, *number, 1080),
            ratio: share.facts.trim.height / share.facts.trim.width,
        };
        Ok(there.map(page).collect())
    }

    async fn areas(&self, app: &App, id: &str, page: usize) -> Result<Vec<ReadArea>, Error> {
        match find(app, id).await?.filter(|share| page <= share.facts.pages) {
            Some(share) => areas_of(app, &share, page).await,
            None => Ok(Vec::new()),
        }
    }
}
