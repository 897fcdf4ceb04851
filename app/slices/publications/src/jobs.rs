//! What the slice does later.

use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs::{self, Job, Lane};
use domain::ids::{IssueId, MemberId};
use serde::{Deserialize, Serialize};
use web::app::App;

use super::store::issues;
use super::{index, notices, pictures, proposals, words};

/// Brings a scheduled issue out at its moment. One that was moved since, or came out already, is left as it is: of several
/// instances that try it one does it.
#[derive(Debug, Serialize, Deserialize)]
pub struct PublishIssue {
    pub issue: IssueId,
    /// Epoch ms.
    pub at: i64,
}

impl Job for PublishIssue {
    type App = App;
    const KIND: &'static str = "publish_issue";
    const LANE: Lane = Lane::Urgent;
    async fn run(self, app: App) -> Result<(), Error> {
        let mut tx = app.db.begin().await?;
        if let Some(maker) = issues::come_out(&mut tx, &self.issue, self.at, now_ms()).await? {
            after_publishing(&mut tx, &self.issue, &maker).await?;
            tx.commit().await?;
            app.bell.ring();
        }
        Ok(())
    }
}

/// Tells readers of an issue that came out, each once, for a while; the rest is another job's.
#[derive(Debug, Serialize, Deserialize)]
pub struct TellReaders {
    pub issue: IssueId,
    /// The last reader that was told, in the order of their ids.
    #[serde(default)]
    pub after: Option<MemberId>,
}

impl Job for TellReaders {
    type App = App;
    const KIND: &'static str = "tell_readers_of_issue";
    async fn run(self, app: App) -> Result<(), Error> {
        notices::tell(&app, &self.issue, self.after).await
    }
}

/// What follows when an issue of a member's comes out, in the same transaction.
pub async fn after_publishing(tx: &mut Tx, issue: &IssueId, maker: &MemberId) -> Result<(), Error> {
    let now = now_ms();
    jobs::enqueue_for(tx, &ReadWords { issue: issue.clone() }, maker, now).await?;
    jobs::enqueue_for(tx, &TellReaders { issue: issue.clone(), after: None }, maker, now).await
}

/// Reads the words of an issue's pages for who searches it, and draws the pages for who saves it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadWords {
    pub issue: IssueId,
}

impl Job for ReadWords {
    type App = App;
    const KIND: &'static str = "read_words_of_issue";
    async fn run(self, app: App) -> Result<(), Error> {
        let issue = match issues::find(&app.db, &self.issue).await {
            Ok(issue) => issue,
            // it was removed meanwhile
            Err(Error::NotFound) => return Ok(()),
            Err(error) => return Err(error),
        };
        words::prepare(&app, &issue, issue.pages, None).await?;
        for page in 1..=issue.pages {
            pictures::drawn(&app, &issue, page, pictures::COMMON).await?;
        }
        Ok(())
    }
}

/// Reads the words of an issue's pages and proposes articles.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadIssue {
    pub issue: IssueId,
    /// Whether what is proposed is taken as it is.
    #[serde(default)]
    pub accepts: bool,
}

impl Job for ReadIssue {
    type App = App;
    const KIND: &'static str = "read_issue";
    const LANE: Lane = Lane::Awaited;
    async fn run(self, app: App) -> Result<(), Error> {
        let read = proposals::read(&app, &self.issue, None).await;
        // what could be read is there for readers, though a page could not
        if self.accepts {
            proposals::accept(&app, &self.issue, 0).await?;
        }
        read
    }
}

/// Takes pages that wait into what all issues are searched by.
#[derive(Debug, Serialize, Deserialize)]
pub struct IndexPages {}

impl Job for IndexPages {
    type App = App;
    const KIND: &'static str = "index_pages_of_issues";
    async fn run(self, app: App) -> Result<(), Error> {
        index::take_in(&app).await
    }
}
