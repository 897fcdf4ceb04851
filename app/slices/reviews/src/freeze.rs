//! What was said of a work when it is ordered: shown before, frozen with the order.

use std::collections::BTreeSet;

use base::db::Tx;
use base::error::Error;
use domain::compare::compare;
use domain::document::Document;
use domain::ids::{MemberId, ReviewerId, WorkId};
use domain::review::Said;
use web::app::App;

use super::store::{self, Given};

/// Who has said what of a work, beside what is to be printed.
#[derive(Debug, Clone, Default)]
pub struct Reviewed {
    pub said: Vec<Said>,
    /// Where it was asked: the rounds that show what is to be printed.
    asked: Option<(WorkId, BTreeSet<i64>)>,
}

impl Reviewed {
    /// As an order has it.
    pub fn frozen(said: Vec<Said>) -> Self {
        Self { said, asked: None }
    }
}

/// What was said of a member's work, of which a version is to be printed.
pub async fn reviewed(
    app: &App,
    member: &MemberId,
    work: &WorkId,
    (revision, document): (i64, &Document),
) -> Result<Reviewed, Error> {
    let rounds = store::rounds(&app.db, work).await?;
    if rounds.is_empty() {
        return Ok(Reviewed::default());
    }
    let mut tx = app.db.begin_snapshot().await?;
    let given = store::verdicts(&mut tx, work).await?;
    drop(tx);
    let mut same = BTreeSet::new();
    for round in &rounds {
        let is_asked = given.iter().any(|given| given.round == round.number);
        // saved anew or restored, it is the same where it shows the same
        if round.revision == revision
            || is_asked
                && compare(&works::document_at(app, work, member, round.revision).await?, document).is_empty()
        {
            same.insert(round.number);
        }
    }
    Ok(Reviewed { said: newest(given, &same), asked: Some((work.clone(), same)) })
}

/// The same within the transaction that orders it: from now on nobody says anything else.
pub async fn freeze(tx: &mut Tx, reviewed: Reviewed, now: i64) -> Result<Vec<Said>, Error> {
    let Some((work, same)) = reviewed.asked else { return Ok(reviewed.said) };
    store::close_rounds(tx, &work, now).await?;
    Ok(newest(store::verdicts(tx, &work).await?, &same))
}

/// What each reviewer said last; those are given the newest round first.
pub fn newest(given: Vec<Given>, same: &BTreeSet<i64>) -> Vec<Said> {
    let mut known: BTreeSet<ReviewerId> = BTreeSet::new();
    let newest = given.into_iter().filter(|given| known.insert(given.reviewer.clone()));
    newest
        .map(|Given { name, round, verdict, at, .. }| Said {
            who: name,
            round,
            verdict,
            at,
            is_same: same.contains(&round),
        })
        .collect()
}
