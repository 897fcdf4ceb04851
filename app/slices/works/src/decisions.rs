//! What a member is to decide before it pays for a work: findings that it has seen and prints as they are. A word holds for
//! these findings of this revision; another revision, or other findings, are asked about anew.

use base::db::now_ms;
use base::error::Error;
use domain::ids::WorkId;
use press::Finding;
use sha2::{Digest, Sha256};
use web::app::App;

use super::store;

/// What is to be decided of a revision.
#[derive(Debug, Clone)]
pub struct Undecided {
    work: WorkId,
    revision: i64,
    /// The findings in question, in the order of the pages.
    pub findings: Vec<Finding>,
    /// Names them all: what a form sends back.
    pub mark: String,
}

impl Undecided {
    /// What of these findings the member has not decided yet; `None` where there is nothing.
    pub async fn of(
        app: &App,
        work: WorkId,
        revision: i64,
        findings: &[Finding],
    ) -> Result<Option<Self>, Error> {
        let findings: Vec<Finding> =
            findings.iter().filter(|finding| finding.is_to_be_decided()).cloned().collect();
        if findings.is_empty() {
            return Ok(None);
        }
        let named = serde_json::to_vec(&(&work, revision, &findings))?;
        let mark = hex::encode(Sha256::digest(named));
        let is_decided = store::is_decided(&app.db, &work, &mark).await?;
        Ok((!is_decided).then_some(Self { work, revision, findings, mark }))
    }

    /// Notes that the member prints them as they are.
    pub async fn decide(&self, app: &App) -> Result<(), Error> {
        let mut tx = app.db.begin().await?;
        store::decide(&mut tx, &self.work, self.revision, &self.mark, now_ms()).await?;
        Ok(tx.commit().await?)
    }
}
