//! What moves a sale back: its rest goes to who paid it, the right that came of it ends, and what follows moves up.

use std::time::Instant;

use base::db::Tx;
use base::error::Error;
use domain::ids::{MemberId, SaleId};
use domain::ledger::Posting;
use domain::money::Fen;
use domain::package::{Span, ended, moved_up};
use domain::sale::{NotRefunded, Refund, SaleState, Step};
use web::app::App;

use super::gifts;
use super::jobs::queue_notice;
use super::sales::{earn_now, failed, post_step};
use super::store::entitlements::{self, Entitlement, Opening};
use super::store::sales::{self as rows, Sale};
use ledger::{self, Refusal};

/// Why a seller gives nothing back.
#[derive(Debug, thiserror::Error)]
pub enum Kept {
    #[error(transparent)]
    Not(#[from] NotRefunded),
    #[error("这一单的钱已经到账又提走，您的收入余额不够退，有了新的收入再退")]
    PaidOut,
    #[error("这位读者已经注销账户，钱退不回去")]
    Closed,
    #[error("这份礼物刚刚被领取，请再看一看")]
    Taken,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for Kept {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Gives the unused rest of a sale back to the buyer's balance. The right to read ends at once; terms that were to follow
/// move up, so that no gap is left.
pub async fn refund(app: &App, sale: &Sale, now: i64) -> Result<Fen, Kept> {
    let mut tx = app.db.begin().await?;
    let rest = refund_within(&mut tx, sale, now).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(rest)
}

/// The same as part of a transaction that holds no reader yet.
pub async fn refund_within(tx: &mut Tx, sale: &Sale, now: i64) -> Result<Fen, Kept> {
    // who paid is held, and who reads; always in one order, so that two never wait for each other
    let reader = gifts::taker(tx, sale).await?.unwrap_or_else(|| sale.buyer.clone());
    let mut held = [&sale.buyer, &reader];
    held.sort();
    for (at, member) in held.into_iter().enumerate() {
        if at == 1 && sale.buyer == reader {
            break;
        }
        match accounts::hold_standing(tx, member).await {
            Ok(_) => {}
            // a gift goes back to who gave it, whoever has it
            Err(Error::NotFound) if *member != sale.buyer => {}
            Err(Error::NotFound) => return Err(Kept::Closed),
            Err(error) => return Err(error.into()),
        }
    }
    let mut sale = rows::lock(tx, &sale.id).await?;
    if gifts::taker(tx, &sale).await?.is_some_and(|taker| taker != reader) {
        return Err(Kept::Taken);
    }
    give_back(tx, &mut sale, "退还未用部分", now).await
}

/// Gives back the rest of a held sale, whose reader is held, too.
pub async fn give_back(tx: &mut Tx, sale: &mut Sale, why: &str, now: i64) -> Result<Fen, Kept> {
    let mut earning = sale.earning().ok_or(NotRefunded::Unpaid)?;
    let Refund { step, taken_back, rest } = earning.refund(now)?;
    post_step(tx, sale, earning.earned, step, now).await?;
    if taken_back != Step::default() {
        // under a key that no step has, which all have earned something
        let key = format!("sale-earning:{}:0", sale.id).parse().map_err(failed)?;
        let posting = Posting::sale_unearning(key, &sale.seller, taken_back).map_err(failed)?;
        match ledger::post(tx, &posting, &format!("退回已赚取 {}", sale.title), now).await {
            Ok(_) => sale.earned = earning.earned,
            Err(Refusal::InsufficientBalance) => return Err(Kept::PaidOut),
            Err(Refusal::Failed(error)) => return Err(error.into()),
            Err(refusal) => return Err(Error::internal(refusal).into()),
        }
    }
    let key = format!("sale-refund:{}", sale.id).parse().map_err(failed)?;
    let posting = Posting::sale_refund(key, &sale.buyer, &sale.seller, rest).map_err(failed)?;
    let memo = format!("{why} {}", sale.title);
    ledger::post(tx, &posting, &memo, now).await.map_err(Error::internal)?;
    sale.state = SaleState::Refunded;
    sale.refunded = rest;
    sale.refunded_at = Some(now);
    sale.next_earning_at = None;
    rows::update(tx, sale).await?;
    if let Some(right) = entitlements::of_source(tx, "sale", sale.id.as_str()).await? {
        end_right(tx, &right, now).await?;
    }
    if sale.is_gift {
        gifts::close(tx, &sale.id).await?;
    }
    Ok(rest)
}

/// Where a sale stands among those that are given back: gifts that nobody has taken first, which cost the seller nothing it has
/// earned.
pub type Place = (bool, SaleId);

fn place(sale: &Sale) -> Place {
    (!(sale.is_gift && sale.span.is_none()), sale.id.clone())
}

/// Gives back sales of a thing by itself that a seller made, each by itself, until a moment and at least one; how far it came where
/// there are more. Those for which the seller's income is not enough stay until it is asked again.
pub async fn refund_some(
    app: &App,
    (seller, kind, item): (&MemberId, &str, &str),
    after: Option<Place>,
    now: i64,
    until: Instant,
) -> Result<Option<Place>, Error> {
    let sales = rows::paid_singles(&app.db, seller, kind, item).await?;
    let mut sales: Vec<(Place, Sale)> = sales.into_iter().map(|sale| (place(&sale), sale)).collect();
    sales.retain(|(place, _)| after.as_ref().is_none_or(|after| place > after));
    sales.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut reached = None;
    for (place, sale) in sales {
        if reached.is_some() && Instant::now() >= until {
            return Ok(reached);
        }
        let mut outcome = refund(app, &sale, now).await;
        if matches!(outcome, Err(Kept::Taken)) {
            // now it is known who has it
            outcome = refund(app, &sale, now).await;
        }
        match outcome {
            Ok(_) | Err(Kept::Not(_) | Kept::Closed | Kept::Taken) => {}
            Err(Kept::PaidOut) => {
                tracing::info!(sale = %sale.id, "A seller's income is not enough to give a sale back");
            }
            Err(Kept::Failed(error)) => return Err(error),
        }
        reached = Some(place);
    }
    Ok(None)
}

/// Ends a right now, and moves those up that follow it, of whatever packages.
async fn end_right(tx: &mut Tx, right: &Entitlement, now: i64) -> Result<(), Error> {
    entitlements::set_span(tx, &right.id, ended(right.span, now)).await?;
    let (rights, spans): (Vec<_>, Vec<_>) = entitlements::openings(tx, &right.member)
        .await?
        .into_iter()
        .map(|Opening { right, items }| {
            let span = right.span;
            (right, (span, items))
        })
        .unzip();
    for (right, span) in rights.into_iter().zip(moved_up(&spans, now)) {
        if span != right.span {
            move_right(tx, &right, span, now).await?;
        } else if span.until.is_some_and(|until| until > now) {
            // it may be the last one now
            queue_notice(tx, &right.id, span, &right.source).await?;
        }
    }
    Ok(())
}

/// Puts a right at another time, and the days on which its sale is earned.
async fn move_right(tx: &mut Tx, right: &Entitlement, span: Span, now: i64) -> Result<(), Error> {
    entitlements::set_span(tx, &right.id, span).await?;
    queue_notice(tx, &right.id, span, &right.source).await?;
    if right.source == "sale" {
        let id: SaleId = right.source_id.parse().map_err(Error::internal)?;
        let mut sale = rows::lock(tx, &id).await?;
        if sale.state == SaleState::Paid {
            sale.span = Some(span);
            earn_now(tx, &mut sale, now).await?;
            rows::update(tx, &sale).await?;
        }
    }
    Ok(())
}
