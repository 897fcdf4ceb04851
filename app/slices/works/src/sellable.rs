//! Works as something that their members may sell.

use async_trait::async_trait;
use base::error::Error;
use domain::ids::MemberId;
use web::app::App;
use web::slice::{Item, Sellable};

use super::store::{self, Filter, Shelf, Sort};

/// The most works that a form offers.
const MOST: i64 = 500;
/// Where readers open a work, as its slice names the route.
const READING: &str = "/read/{work}";

/// See [`Sellable`].
pub struct Works;

#[async_trait]
impl Sellable for Works {
    fn kind(&self) -> &'static str {
        crate::KIND
    }

    fn name(&self) -> &'static str {
        "作品"
    }

    async fn of_member(&self, app: &App, member: &MemberId) -> Result<Vec<Item>, Error> {
        let filter = Filter { shelf: Shelf::All, sort: Sort::Changed, search: String::new() };
        let works = store::page_of_member(&app.db, member, &filter, None, MOST).await?;
        let item = |work: store::Summary| {
            let id = work.id.to_string();
            Item { address: self.address(app, &id), id, title: work.title }
        };
        Ok(works.into_iter().map(item).collect())
    }

    fn address(&self, app: &App, id: &str) -> Option<String> {
        app.policy(READING).map(|_| READING.replace("{work}", id))
    }
}
