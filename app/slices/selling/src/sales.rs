//! What moves a sale forward: begun, paid and earned, each a transaction over the sale's held row and the ledger. So forms,
//! payments from outside, jobs and commands do the same, and once. What moves it back is [`refunds`](super::refunds).

use async_trait::async_trait;
use base::db::{Tx, new_id};
use base::error::Error;
use base::jobs;
use domain::days::DAY_MS;
use domain::ids::{MemberId, SaleId};
use domain::ledger::{LedgerError, Posting};
use domain::money::Fen;
use domain::package::{Span, Term, next_start_of_any};
use domain::payment::{FROM_BALANCE, Method};
use domain::sale::{SaleState, Step};
use web::app::App;
use web::session::Member;
use web::slice::Payable;

use super::config::settings;
use super::jobs::{EarnSale, queue_notice};
use super::store::Subject;
use super::store::entitlements::{self, Entitlement};
use super::store::sales::{self as rows, Sale};
use super::switching::Counted;
use super::{gifts, switching};
use ledger::{self, Posted, Refusal};

/// A sale that nobody has paid for so long is not taken up again, in ms: a week, as long as a bank transfer may take.
const OPEN_MS: i64 = 7 * DAY_MS;

/// What somebody wants to buy. The amount is ours, never a form's.
#[derive(Debug, Clone)]
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
    /// What a change counts of earlier terms is not what it was when it was confirmed.
    #[error("确认之后您原来的期限有了变化，请回到套餐页重新确认")]
    Changed,
    /// The form of a gift was sent once more, with something else in it.
    #[error("这份礼物已经付款，不能再改；要另送一份，请核对后再按一次")]
    Given,
    /// What was begun to be bought was taken back meanwhile.
    #[error("它已经撤回，现在不能买了；没有扣款")]
    Withdrawn,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for NotSold {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

pub fn failed(error: LedgerError) -> Error {
    Error::internal(error)
}

/// Begins a sale, or takes up the one that the buyer has begun on the same terms: pressing twice buys once.
pub async fn order(app: &App, buyer: &Member, wanted: Wanted, now: i64) -> Result<SaleId, NotSold> {
    if wanted.seller == buyer.id {
        return Err(NotSold::Own);
    }
    let mut tx = app.db.begin().await?;
    accounts::hold_member(&mut tx, &buyer.id).await?;
    let rights = entitlements::spans_of_each(&mut tx, &buyer.id, &wanted.subject, i64::MAX).await?;
    if next_start_of_any(&rights, now).is_none() {
        return Err(NotSold::ForEver);
    }
    let sale = begin(app, buyer, wanted, new_id(), now)?;
    if let Some(open) = rows::open_like(&mut tx, &sale, now - OPEN_MS).await? {
        return Ok(open);
    }
    rows::insert(&mut tx, &sale).await?;
    tx.commit().await?;
    Ok(sale.id)
}

/// A sale that nobody has paid.
pub fn begin(app: &App, buyer: &Member, wanted: Wanted, id: SaleId, now: i64) -> Result<Sale, Error> {
    Ok(Sale {
        id,
        buyer: buyer.id.clone(),
        buyer_name: buyer.name.clone(),
        seller: wanted.seller,
        subject: wanted.subject,
        title: wanted.title,
        term: wanted.term,
        amount: wanted.amount,
        rate: settings(app)?.fee,
        is_gift: false,
        credit: Fen::ZERO,
        replaced_by: None,
        state: SaleState::Unpaid,
        way: None,
        span: None,
        earned: Fen::ZERO,
        refunded: Fen::ZERO,
        next_earning_at: None,
        created_at: now,
        paid_at: None,
        refunded_at: None,
    })
}

/// Pays a sale from the buyer's balance, in a transaction of its own.
pub async fn pay_from_balance(app: &App, id: &SaleId, buyer: &MemberId, now: i64) -> Result<Posted, NotSold> {
    let mut tx = app.db.begin().await?;
    accounts::hold_member(&mut tx, buyer).await?;
    if let Some(sale) = rows::find_own(&mut tx, id, buyer).await?
        && is_withdrawn(app, &mut tx, &sale).await?
    {
        return Err(NotSold::Withdrawn);
    }
    let posted = pay(&mut tx, id, buyer, FROM_BALANCE, now).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(posted)
}

/// Whether what a sale that nobody has paid is of was taken back: then it is not paid any more. What is sold in packages is the
/// packages'.
pub async fn is_withdrawn(app: &App, tx: &mut Tx, sale: &Sale) -> Result<bool, Error> {
    match sale.subject.item() {
        Some((kind, id)) if sale.state == SaleState::Unpaid => app.house.is_withdrawn(tx, kind, id).await,
        _ => Ok(false),
    }
}

/// Takes the money, opens what was bought and begins to earn it, in a transaction that holds the reader. A gift opens
/// nothing yet; a change to a longer term takes the place of what was counted for it.
pub async fn pay(tx: &mut Tx, id: &SaleId, buyer: &MemberId, way: &str, now: i64) -> Result<Posted, NotSold> {
    let mut sale = rows::lock(tx, id).await?;
    if sale.buyer != *buyer {
        return Err(Error::NotFound.into());
    }
    if !sale.state.may_become(SaleState::Paid) {
        return Ok(Posted::Before);
    }
    match switching::counted(tx, &sale, now).await? {
        Counted::Nothing => {}
        Counted::Terms(olds) => switching::replace(tx, &mut sale, olds, now).await?,
        Counted::Changed => return Err(NotSold::Changed),
    }
    let span = if sale.is_gift { None } else { Some(next_span(tx, buyer, &sale, now).await?) };
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
    sale.paid_at = Some(now);
    match span {
        Some(span) => open(tx, &mut sale, buyer, span, None, now).await?,
        None => {
            rows::update(tx, &sale).await?;
            gifts::begin_to_send(tx, &sale, now).await?;
        }
    }
    Ok(Posted::Now)
}

/// When what was bought is read by a reader who is held: from the end of its right to the first of it.
async fn next_span(tx: &mut Tx, reader: &MemberId, sale: &Sale, now: i64) -> Result<Span, NotSold> {
    let since = if sale.is_gift { sale.paid_at.unwrap_or(now) } else { i64::MAX };
    let rights = entitlements::spans_of_each(tx, reader, &sale.subject, since).await?;
    let from = next_start_of_any(&rights, now).ok_or(NotSold::ForEver)?;
    Ok(Span { from, until: sale.term.end(from) })
}

/// Opens a held sale that was paid for its reader, and begins to earn it.
async fn open(
    tx: &mut Tx,
    sale: &mut Sale,
    reader: &MemberId,
    span: Span,
    hint: Option<String>,
    now: i64,
) -> Result<(), Error> {
    sale.span = Some(span);
    earn_now(tx, sale, now).await?;
    rows::update(tx, sale).await?;
    let right = Entitlement {
        id: new_id(),
        member: reader.clone(),
        subject: sale.subject.clone(),
        title: sale.title.clone(),
        span,
        source: "sale".to_owned(),
        source_id: sale.id.to_string(),
        hint,
        told_at: None,
        // of a gift that holds what it held when it was paid
        created_at: sale.paid_at.unwrap_or(now),
        granted_at: now,
    };
    grant(tx, &right).await
}

/// Opens a held gift for whoever takes it and is held, too: until when it may read.
pub async fn open_gift(
    tx: &mut Tx,
    sale: &mut Sale,
    reader: &MemberId,
    hint: String,
    now: i64,
) -> Result<Option<i64>, NotSold> {
    let span = next_span(tx, reader, sale, now).await?;
    open(tx, sale, reader, span, Some(hint), now).await?;
    Ok(span.until)
}

/// Writes a right, and queues what is said before its end.
pub async fn grant(tx: &mut Tx, right: &Entitlement) -> Result<(), Error> {
    entitlements::insert(tx, right).await?;
    queue_notice(tx, &right.id, right.span, &right.source).await
}

/// Earns what is due of a held sale, and queues when there is more. Its row is the caller's to write.
pub async fn earn_now(tx: &mut Tx, sale: &mut Sale, now: i64) -> Result<(), Error> {
    let Some(mut earning) = sale.earning() else { return Ok(()) };
    let step = earning.catch_up(now).map_err(Error::internal)?;
    post_step(tx, sale, earning.earned, step, now).await?;
    sale.next_earning_at = earning.next_at(now);
    if let Some(at) = sale.next_earning_at {
        jobs::enqueue_at(tx, &EarnSale { sale: sale.id.clone() }, at).await?;
    }
    Ok(())
}

/// Posts what was earned of a held sale.
pub async fn post_step(tx: &mut Tx, sale: &mut Sale, earned: Fen, step: Step, now: i64) -> Result<(), Error> {
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

/// Sales, for whoever takes money from outside.
pub struct Sales;

/// The word for a sale among what members pay for.
pub const KIND: &str = "sale";

#[async_trait]
impl Payable for Sales {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn hold(
        &self,
        app: &App,
        tx: &mut Tx,
        id: &str,
        member: &MemberId,
        now: i64,
    ) -> Result<Option<Fen>, Error> {
        let id: SaleId = id.parse().map_err(Error::internal)?;
        accounts::hold_member(tx, member).await?;
        let sale = match rows::lock(tx, &id).await {
            Ok(sale) if sale.buyer == *member => sale,
            // forgotten with the account
            Ok(_) | Err(Error::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        };
        let is_due = sale.state == SaleState::Unpaid
            && !is_withdrawn(app, tx, &sale).await?
            && !matches!(switching::counted(tx, &sale, now).await?, Counted::Changed)
            && (sale.is_gift || {
                let rights = entitlements::spans_of_each(tx, member, &sale.subject, i64::MAX).await?;
                next_start_of_any(&rights, now).is_some()
            });
        Ok(is_due.then(|| sale.due()))
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
