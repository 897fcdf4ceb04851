//! What was said of a work, as a round shows it: comments with their answers, each at the page that it is about.

use std::collections::HashMap;

use base::error::Error;
use domain::document::Document;
use domain::ids::{ReviewerId, WorkId};
use domain::review::stands_at;
use web::app::App;

use super::store::{self, Comment, Reviewer};

/// A comment with its answers.
#[derive(Debug, Clone)]
pub struct Thread {
    pub comment: Comment,
    pub answers: Vec<Comment>,
    /// Where its page stands in what is shown; nothing where it is there no more.
    pub page: Option<usize>,
    /// Its number among those of its page, from 1.
    pub number: usize,
}

/// All of them.
#[derive(Debug, Clone)]
pub struct Talk {
    /// In the order of their pages, those without one last.
    pub threads: Vec<Thread>,
    names: HashMap<ReviewerId, String>,
    /// Which revision each round shows.
    pub revisions: HashMap<i64, i64>,
}

impl Talk {
    /// What was said of a work, beside the pages that are shown.
    pub async fn of(app: &App, work: &WorkId, shown: &Document) -> Result<(Self, Vec<Reviewer>), Error> {
        let reviewers = store::reviewers(&app.db, work).await?;
        let names = reviewers.iter().map(|one| (one.id.clone(), one.name.clone())).collect();
        let rounds = store::rounds(&app.db, work).await?;
        let revisions = rounds.into_iter().map(|round| (round.number, round.revision)).collect();
        let threads = threads(store::comments(&app.db, work).await?, shown);
        Ok((Self { threads, names, revisions }, reviewers))
    }

    /// Those of a page.
    pub fn on(&self, page: usize) -> impl Iterator<Item = &Thread> {
        self.threads.iter().filter(move |thread| thread.page == Some(page))
    }

    /// Those whose page is gone.
    pub fn gone(&self) -> impl Iterator<Item = &Thread> {
        self.threads.iter().filter(|thread| thread.page.is_none())
    }

    /// Who wrote something.
    pub fn who(&self, comment: &Comment) -> String {
        match &comment.reviewer {
            None => "作者".to_owned(),
            Some(id) => self.names.get(id).cloned().unwrap_or_default(),
        }
    }
}

/// Comments with their answers, beside the pages that are shown.
fn threads(comments: Vec<Comment>, shown: &Document) -> Vec<Thread> {
    let mut threads: Vec<Thread> = Vec::new();
    for comment in comments {
        match &comment.answers {
            None => {
                let page = stands_at(comment.page, comment.page_id.as_ref(), &shown.pages);
                threads.push(Thread { comment, answers: Vec::new(), page, number: 0 });
            }
            // the oldest are not read where there are very many
            Some(root) => {
                if let Some(thread) = threads.iter_mut().find(|thread| thread.comment.id == *root) {
                    thread.answers.push(comment);
                }
            }
        }
    }
    threads.sort_by_key(|thread| (thread.page.is_none(), thread.page, thread.comment.created_at));
    let mut before = None;
    let mut number = 0;
    for thread in &mut threads {
        number = if before == Some(thread.page) { number + 1 } else { 1 };
        (before, thread.number) = (Some(thread.page), number);
    }
    threads
}
