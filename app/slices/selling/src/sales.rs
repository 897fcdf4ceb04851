//! What moves a sale: begun, paid, earned and given back, each a transaction over the sale's held row and the ledger. So
//! forms, payments from outside, jobs and commands do the same, and once.

use std::collections::HashMap;

use async_trait::async_trait;
use domain::ids::{MemberId, SaleId};
use domain::ledger::{LedgerError, Posting};
use domain::money::Fen;
use domain::package::{Span, Term, next_start_of_any};
use domain::payment::{FROM_BALANCE, Method};
use domain::sale::{NotRefunded, Refund, SaleState, Step};

use super::config::settings;
use super::jobs::{EarnSale, queue_notice};
use super::store::Subject;
use super::store::entitlements::{self, Entitlement, Opening};
use super::store::sales::{self as rows, Sale};
use ledger::{self, Posted, Refusal};
use platform::app::App;
use platform::db::{Tx, new_id};
use platform::error::Error;
use platform::jobs;
use platform::session::Member;
use platform::slice::Payable;

/// A sale that nobody has paid for so long is not taken up again, in ms: a week, as long as a bank transfer may take.
const OPEN_MS: i64 = 7 * 24 * 60 * 60_000;

/// What somebody wants to buy. The amount is ours, never a form's.
pub struct Wanted {
    pub subject: Subject,
    pub title: String,
    pub seller: MemberId,
    pub term: Term,
    pub amount: Fen,
}

/// Why nothing is sold, as a sentence for the reader.
#[derive(Debug, thiserror::Error)]
pub enum NotSold {
    #[error("这是您自己的内容，不需要购买")]
    Own,
    #[error("您已经可以长期阅读，不需要再买")]
    ForEver,
    #[error("余额不足，充值后可以继续付款，也可以换一种付款方式")]
    InsufficientBalance,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for NotSold {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

fn failed(error: LedgerError) -> Error {
    Error::internal(error)
}

/// Begins a sale, or takes up the one that the buyer has begun on the same terms: pressing twice buys once.
pub async fn order(app: &App, buyer: &Member, wanted: Wanted, now: i64) -> Result<SaleId, NotSold> {
    if wanted.seller == buyer.id {
        return Err(NotSold::Own);
    }
    let rate = settings(app)?.fee;
    let mut tx = app.db.begin().await?;
    accounts::hold_member(&mut tx, &buyer.id).await?;
    let rights = entitlements::spans_of_each(&mut tx, &buyer.id, &wanted.subject).await?;
    if next_start_of_any(&rights, now).is_none() {
        return Err(NotSold::ForEver);
    }
    let sale = Sale {
        id: new_id(),
        buyer: buyer.id.clone(),
        buyer_name: buyer.name.clone(),
        seller: wanted.seller,
        subject: wanted.subject,
        title: wanted.title,
        term: wanted.term,
        amount: wanted.amount,
        rate,
        state: SaleState::Unpaid,
        way: None,
        span: None,
        earned: Fen::ZERO,
        refunded: Fen::ZERO,
        next_earning_at: None,
        created_at: now,
        paid_at: None,
        refunded_at: None,
    };
    if let Some(open) = rows::open_like(&mut tx, &sale, now - OPEN_MS).await? {
        return Ok(open);
    }
    rows::insert(&mut tx, &sale).await?;
    tx.commit().await?;
    Ok(sale.id)
}

/// Pays a sale from the buyer's balance, in a transaction of its own.
pub async fn pay_from_balance(app: &App, id: &SaleId, buyer: &MemberId, now: i64) -> Result<Posted, NotSold> {
    let mut tx = app.db.begin().await?;
    accounts::hold_member(&mut tx, buyer).await?;
    let posted = pay(&mut tx, id, buyer, FROM_BALANCE, now).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(posted)
}

/// Takes the money, opens what was bought and begins to earn it, in a transaction that holds the reader.
async fn pay(tx: &mut Tx, id: &SaleId, buyer: &MemberId, way: &str, now: i64) -> Result<Posted, NotSold> {
    let mut sale = rows::lock(tx, id).await?;
    if sale.buyer != *buyer {
        return Err(Error::NotFound.into());
    }
    if !sale.state.may_become(SaleState::Paid) {
        return Ok(Posted::Before);
    }
    let rights = entitlements::spans_of_each(tx, buyer, &sale.subject).await?;
    let from = next_start_of_any(&rights, now).ok_or(NotSold::ForEver)?;
    let span = Span { from, until: sale.term.end(from) };
    let key = format!("sale:{id}").parse().map_err(failed)?;
    let posting = Posting::sale(key, buyer, &sale.seller, sale.amount).map_err(failed)?;
    match ledger::post(tx, &posting, &format!("购买 {}", sale.title), now).await {
        Ok(_) => {}
        Err(Refusal::InsufficientBalance) => return Err(NotSold::InsufficientBalance),
        Err(Refusal::Failed(error)) => return Err(error.into()),
        Err(refusal) => return Err(Error::internal(refusal).into()),
    }
    sale.state = SaleState::Paid;
    sale.way = Some(way.to_owned());
    sale.span = Some(span);
    sale.paid_at = Some(now);
    earn_now(tx, &mut sale, now).await?;
    rows::update(tx, &sale).await?;
    let right = Entitlement {
        id: new_id(),
        member: buyer.clone(),
        subject: sale.subject.clone(),
        title: sale.title.clone(),
        span,
        source: "sale".to_owned(),
        source_id: id.to_string(),
        hint: None,
        told_at: None,
        created_at: now,
    };
    grant(tx, &right).await?;
    Ok(Posted::Now)
}

/// Writes a right, and queues what is said before its end.
pub async fn grant(tx: &mut Tx, right: &Entitlement) -> Result<(), Error> {
    entitlements::insert(tx, right).await?;
    queue_notice(tx, &right.id, right.span).await
}

/// Earns what is due of a held sale, and queues when there is more. Its row is the caller's to write.
async fn earn_now(tx: &mut Tx, sale: &mut Sale, now: i64) -> Result<(), Error> {
    let Some(mut earning) = sale.earning() else { return Ok(()) };
    let step = earning.catch_up(now).map_err(Error::internal)?;
    post_step(tx, sale, earning.earned, step, now).await?;
    sale.next_earning_at = earning.next_at(now);
    if let Some(at) = sale.next_earning_at {
        jobs::enqueue_at(tx, &EarnSale { sale: sale.id.clone() }, at).await?;
    }
    Ok(())
}

async fn post_step(tx: &mut Tx, sale: &mut Sale, earned: Fen, step: Step, now: i64) -> Result<(), Error> {
    if step == Step::default() {
        return Ok(());
    }
    // what is earned only grows, so it makes the key of each step
    let key = format!("sale-earning:{}:{}", sale.id, earned.0).parse().map_err(failed)?;
    let posting = Posting::sale_earning(key, &sale.seller, step).map_err(failed)?;
    ledger::post(tx, &posting, &format!("已赚取 {}", sale.title), now).await.map_err(Error::internal)?;
    sale.earned = earned;
    Ok(())
}

/// The job: earns the days that are over. One that comes too early leaves it to the one that is queued for the right time.
pub async fn earn(app: &App, id: &SaleId, now: i64) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let mut sale = rows::lock(&mut tx, id).await?;
    if sale.state != SaleState::Paid || sale.next_earning_at.is_none_or(|at| now < at) {
        return Ok(());
    }
    earn_now(&mut tx, &mut sale, now).await?;
    rows::update(&mut tx, &sale).await?;
    tx.commit().await?;
    Ok(())
}

/// Why a seller gives nothing back.
#[derive(Debug, thiserror::Error)]
pub enum Kept {
    #[error(transparent)]
    Not(#[from] NotRefunded),
    #[error("这一单的钱已经到账又提走，您的收入余额不够退，有了新的收入再退")]
    PaidOut,
    #[error("这位读者已经注销账户，钱退不回去")]
    Closed,
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
    match accounts::hold_standing(&mut tx, &sale.buyer).await {
        Ok(_) => {}
        Err(Error::NotFound) => return Err(Kept::Closed),
        Err(error) => return Err(error.into()),
    }
    let mut sale = rows::lock(&mut tx, &sale.id).await?;
    let mut earning = sale.earning().ok_or(NotRefunded::Unpaid)?;
    let Refund { step, taken_back, rest } = earning.refund(now)?;
    post_step(&mut tx, &mut sale, earning.earned, step, now).await?;
    if taken_back != Step::default() {
        // under a key that no step has, which all have earned something
        let key = format!("sale-earning:{}:0", sale.id).parse().map_err(failed)?;
        let posting = Posting::sale_unearning(key, &sale.seller, taken_back).map_err(failed)?;
        match ledger::post(&mut tx, &posting, &format!("退回已赚取 {}", sale.title), now).await {
            Ok(_) => sale.earned = earning.earned,
            Err(Refusal::InsufficientBalance) => return Err(Kept::PaidOut),
            Err(Refusal::Failed(error)) => return Err(error.into()),
            Err(refusal) => return Err(Error::internal(refusal).into()),
        }
    }
    let key = format!("sale-refund:{}", sale.id).parse().map_err(failed)?;
    let posting = Posting::sale_refund(key, &sale.buyer, &sale.seller, rest).map_err(failed)?;
    let memo = format!("退还未用部分 {}", sale.title);
    ledger::post(&mut tx, &posting, &memo, now).await.map_err(Error::internal)?;
    sale.state = SaleState::Refunded;
    sale.refunded = rest;
    sale.refunded_at = Some(now);
    sale.next_earning_at = None;
    rows::update(&mut tx, &sale).await?;
    if let Some(right) = entitlements::of_source(&mut tx, "sale", sale.id.as_str()).await? {
        end_right(&mut tx, &right, now).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(rest)
}

/// Gives back every sale of a thing by itself that a seller made, each by itself; ends where the seller's income is not
/// enough, and goes on when it is asked again.
pub async fn refund_all(app: &App, seller: &MemberId, kind: &str, item: &str, now: i64) -> Result<(), Error> {
    for sale in rows::paid_singles(&app.db, seller, kind, item).await? {
        match refund(app, &sale, now).await {
            Ok(_) | Err(Kept::Not(_) | Kept::Closed) => {}
            Err(Kept::PaidOut) => {
                tracing::info!(sale = %sale.id, "A seller's income is not enough to give all sales back");
                return Ok(());
            }
            Err(Kept::Failed(error)) => return Err(error),
        }
    }
    Ok(())
}

/// Ends a right now, and moves those up that follow it, of whatever packages.
async fn end_right(tx: &mut Tx, right: &Entitlement, now: i64) -> Result<(), Error> {
    let from = right.span.from.min(now);
    // of what was for ever everything went back, and no day was used
    let until = if right.span.until.is_none() { from } else { now };
    entitlements::set_span(tx, &right.id, Span { from, until: Some(until) }).await?;
    let mut rights_to: HashMap<(String, String), Vec<Span>> = HashMap::new();
    for Opening { right, items } in entitlements::openings(tx, &right.member).await? {
        let mut span = right.span;
        // what has begun stays where it is
        if span.from > now {
            let before: Vec<_> =
                items.iter().map(|item| rights_to.get(item).cloned().unwrap_or_default()).collect();
            let from = next_start_of_any(&before, now).map_or(span.from, |from| from.min(span.from));
            span = Span { from, until: span.until.map(|until| until - (span.from - from)) };
        }
        for item in items {
            rights_to.entry(item).or_default().push(span);
        }
        if span != right.span {
            move_right(tx, &right, span, now).await?;
        } else if span.until.is_some_and(|until| until > now) {
            // it may be the last one now
            queue_notice(tx, &right.id, span).await?;
        }
    }
    Ok(())
}

/// Puts a right at another time, and the days on which its sale is earned.
async fn move_right(tx: &mut Tx, right: &Entitlement, span: Span, now: i64) -> Result<(), Error> {
    entitlements::set_span(tx, &right.id, span).await?;
    queue_notice(tx, &right.id, span).await?;
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

/// Sales, for whoever takes money from outside.
pub struct Sales;

/// The word for a sale among what members pay for.
pub const KIND: &str = "sale";

#[async_trait]
impl Payable for Sales {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn hold(&self, tx: &mut Tx, id: &str, member: &MemberId, now: i64) -> Result<Option<Fen>, Error> {
        let id: SaleId = id.parse().map_err(Error::internal)?;
        accounts::hold_member(tx, member).await?;
        let sale = match rows::lock(tx, &id).await {
            Ok(sale) if sale.buyer == *member => sale,
            // forgotten with the account
            Ok(_) | Err(Error::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        };
        let rights = entitlements::spans_of_each(tx, member, &sale.subject).await?;
        let due = sale.state == SaleState::Unpaid && next_start_of_any(&rights, now).is_some();
        Ok(due.then_some(sale.amount))
    }

    async fn pay(
        &self,
        tx: &mut Tx,
        id: &str,
        member: &MemberId,
        way: Method,
        now: i64,
    ) -> Result<(), Error> {
        let id: SaleId = id.parse().map_err(Error::internal)?;
        match pay(tx, &id, member, way.code(), now).await {
            Ok(_) => Ok(()),
            Err(NotSold::Failed(error)) => Err(error),
            Err(other) => Err(Error::internal(other)),
        }
    }
}
