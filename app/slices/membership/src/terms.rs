//! What moves a term: confirmed, paid, replaced by a higher tier, given back. Each is a transaction over the member's held
//! row, the term's and the ledger. So forms, payments from outside and commands do the same, and once.

use async_trait::async_trait;
use base::db::{Db, Tx, new_id};
use base::error::Error;
use domain::ids::{MemberId, TermId};
use domain::ledger::{LedgerError, Posting};
use domain::membership::{self, NotSold, PRICE_HOLDS_MS, Quote, Run, Standing, Step, TermState};
use domain::money::Fen;
use domain::payment::{FROM_BALANCE, FROM_CREDIT, Method};
use domain::tier::Tier;
use web::app::App;
use web::slice::{Event, Payable};

use super::jobs::queue_notices;
use super::prices;
use super::store::terms::{self as rows, Term};
use ledger::{self, Posted, Refusal};

/// Why nothing is sold or paid, as a sentence for the member.
#[derive(Debug, thiserror::Error)]
pub enum NotPaid {
    #[error(transparent)]
    Not(#[from] NotSold),
    /// The form shows another price than what it is now.
    #[error("价格或抵扣有变化，请核对新的金额后再确认")]
    PriceChanged,
    #[error("这个报价已经过了七天，请重新确认")]
    Over,
    /// Something was bought since it was confirmed.
    #[error("确认之后您的会员有了变化，请重新确认")]
    Changed,
    #[error("余额不足，充值后可以继续付款，也可以换一种付款方式")]
    InsufficientBalance,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for NotPaid {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

fn failed(error: LedgerError) -> Error {
    Error::internal(error)
}

/// What a member has, and what of it was bought.
pub struct Owned {
    pub standing: Standing,
    /// Those that run now or are to come.
    pub terms: Vec<Term>,
}

impl Owned {
    /// Of a member, as it is now.
    pub async fn of(db: &Db, member: &MemberId, now: i64) -> Result<Self, Error> {
        let mut tx = db.begin_snapshot().await?;
        let standing = accounts::standing(&mut tx, member).await?;
        Ok(Self { standing, terms: rows::running(&mut tx, member, now).await? })
    }

    /// The same, held until the transaction ends.
    async fn hold(tx: &mut Tx, member: &MemberId, now: i64) -> Result<Self, Error> {
        let standing = accounts::hold_standing(tx, member).await?;
        Ok(Self { standing, terms: rows::running(tx, member, now).await? })
    }

    /// What `months` of a tier cost now.
    pub fn quote(&self, tier: Tier, months: u32, price: Fen, now: i64) -> Result<Quote, NotSold> {
        let run = self.terms.last().and_then(|term| term.run);
        let paid: Vec<membership::Term> = self.terms.iter().filter_map(Term::paid).collect();
        membership::quote(tier, months, price, self.standing, run, &paid, now)
    }
}

/// What somebody confirms, with the amounts that its form showed.
pub struct Wanted {
    pub tier: Tier,
    pub months: u32,
    pub amount: Fen,
    pub credit: Fen,
}

/// Freezes a price, or takes up the term that was confirmed at the same one: pressing twice buys once. Where nothing is to be
/// paid it runs at once.
pub async fn confirm(app: &App, member: &MemberId, wanted: Wanted, now: i64) -> Result<TermId, NotPaid> {
    let price = prices::price(app, wanted.tier, wanted.months, now).await?;
    let mut tx = app.db.begin().await?;
    let owned = Owned::hold(&mut tx, member, now).await?;
    let quote = owned.quote(wanted.tier, wanted.months, price, now)?;
    if (quote.amount, quote.credit) != (wanted.amount, wanted.credit) {
        return Err(NotPaid::PriceChanged);
    }
    let term = Term {
        id: new_id(),
        member: member.clone(),
        tier: quote.tier,
        months: quote.months,
        step: quote.step,
        price,
        credit: quote.credit,
        amount: quote.amount,
        days: quote.days,
        basis: rows::count_paid(&mut tx, member).await?,
        state: TermState::Unpaid,
        way: None,
        run: None,
        span: None,
        value: Fen::ZERO,
        ended_at: None,
        rest: Fen::ZERO,
        successor: None,
        given_back: Fen::ZERO,
        created_at: now,
        paid_at: None,
    };
    let id = match rows::open_like(&mut tx, &term, now - PRICE_HOLDS_MS).await? {
        Some(open) => open,
        None => {
            rows::insert(&mut tx, &term).await?;
            term.id
        }
    };
    if quote.amount == Fen::ZERO {
        pay(&mut tx, &id, member, FROM_CREDIT, now).await?;
    }
    tx.commit().await?;
    app.bell.ring();
    Ok(id)
}

/// What paying a confirmed term would do now; the reason where it can't be paid any more. Its price stays as it was confirmed;
/// where its days are is as things stand now.
pub fn due(term: &Term, owned: &Owned, basis: i64, now: i64) -> Result<Quote, NotPaid> {
    if term.created_at + PRICE_HOLDS_MS <= now {
        return Err(NotPaid::Over);
    }
    let mut quote = owned.quote(term.tier, term.months, term.price, now)?;
    if term.step == Step::Upgrade || quote.step == Step::Upgrade {
        // what it takes the place of must be what was counted
        if term.step != Step::Upgrade || quote.step == Step::Renew || term.basis != basis {
            return Err(NotPaid::Changed);
        }
        quote.run = Run { days: term.days, ..quote.run };
        (quote.amount, quote.days) = (term.amount, term.days);
    }
    Ok(quote)
}

/// Pays a term from the member's balance, in a transaction of its own.
pub async fn pay_from_balance(
    app: &App,
    id: &TermId,
    member: &MemberId,
    now: i64,
) -> Result<Posted, NotPaid> {
    let mut tx = app.db.begin().await?;
    let posted = pay(&mut tx, id, member, FROM_BALANCE, now).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(posted)
}

/// Takes the money and lets the term run.
async fn pay(tx: &mut Tx, id: &TermId, member: &MemberId, way: &str, now: i64) -> Result<Posted, NotPaid> {
    let owned = Owned::hold(tx, member, now).await?;
    let mut term = rows::lock_for_owner(tx, id, member).await?;
    if !term.state.may_become(TermState::Paid) {
        return Ok(Posted::Before);
    }
    let basis = rows::count_paid(tx, member).await?;
    let quote = due(&term, &owned, basis, now)?;
    let mut credit = Fen::ZERO;
    let standing = owned.standing;
    if quote.step == Step::Upgrade {
        for mut old in owned.terms {
            let Some(paid) = old.paid() else { continue };
            old.state = TermState::Replaced;
            old.ended_at = Some(now);
            old.rest = paid.unused(now);
            old.successor = Some(id.clone());
            credit = credit.plus(old.rest).map_err(Error::internal)?;
            rows::update(tx, &old).await?;
        }
    }
    term.state = TermState::Paid;
    term.way = Some(way.to_owned());
    term.run = Some(quote.run);
    term.span = Some((quote.from, quote.until()));
    // exact: what of the old tier was used up since the price was confirmed is in no term's value any more
    term.value = quote.term(credit).map_err(Error::internal)?.value;
    term.paid_at = Some(now);
    rows::update(tx, &term).await?;
    accounts::set_standing(tx, member, standing.with(term.tier, quote.until(), now)).await?;
    queue_notices(tx, member, quote.until(), now).await?;
    if term.amount > Fen::ZERO {
        let key = format!("membership:{id}").parse().map_err(failed)?;
        let posting = Posting::membership(key, member, term.amount).map_err(failed)?;
        match ledger::post(tx, &posting, &format!("{}{}", term.step.name(), term.title()), now).await {
            Ok(_) => {}
            Err(Refusal::InsufficientBalance) => return Err(NotPaid::InsufficientBalance),
            Err(Refusal::Failed(error)) => return Err(error.into()),
            Err(refusal) => return Err(Error::internal(refusal).into()),
        }
    }
    Ok(Posted::Now)
}

/// Why nothing is given back.
#[derive(Debug, thiserror::Error)]
pub enum Kept {
    #[error("nothing that the member bought runs")]
    NothingRuns,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<sqlx::Error> for Kept {
    fn from(error: sqlx::Error) -> Self {
        Self::Failed(error.into())
    }
}

/// Ends what a member bought now, and gives what was paid for the days that have not begun back to its balance.
pub async fn refund(app: &App, tx: &mut Tx, member: &MemberId, reason: &str, now: i64) -> Result<Fen, Kept> {
    let owned = Owned::hold(tx, member, now).await?;
    if owned.terms.is_empty() {
        return Err(Kept::NothingRuns);
    }
    let tier = owned.standing.tier;
    let mut sum = Fen::ZERO;
    for mut term in owned.terms {
        let Some(paid) = term.paid() else { continue };
        term.state = TermState::Refunded;
        term.ended_at = Some(now);
        term.rest = paid.unused(now);
        rows::update(tx, &term).await?;
        if term.rest > Fen::ZERO {
            let key = format!("membership-refund:{}", term.id).parse().map_err(failed)?;
            let posting = Posting::membership_refund(key, member, term.rest).map_err(failed)?;
            let memo = format!("退还未用部分 {}", term.title());
            ledger::post(tx, &posting, &memo, now).await.map_err(Error::internal)?;
        }
        sum = sum.plus(term.rest).map_err(Error::internal)?;
        note_given_back(app, tx, term).await?;
    }
    accounts::set_standing(tx, member, owned.standing.without()).await?;
    let text =
        format!("【书坊】您的{tier}已结束，没有用的 ¥{} 已退回您的账户余额。原因：{reason}", sum.grouped());
    accounts::tell_member(app, tx, member, "书坊会员已退款", text).await?;
    Ok(sum)
}

/// Money of a term was given back. Told in the transaction that gives it back and holds the member's row.
#[derive(Debug)]
pub struct TermGivenBack {
    pub term: TermId,
    /// What is left of what was paid for it.
    pub rest: Fen,
}

impl Event for TermGivenBack {}

/// Notes what was given back of a term on what was paid for it, then on the terms that it had counted, and tells whoever
/// follows.
async fn note_given_back(app: &App, tx: &mut Tx, term: Term) -> Result<(), Error> {
    let mut left = term.rest;
    let mut terms = vec![term];
    while let Some(mut term) = terms.pop() {
        let part = left.min(term.kept());
        if part > Fen::ZERO {
            left = left.minus(part).map_err(Error::internal)?;
            term.given_back = term.given_back.plus(part).map_err(Error::internal)?;
            rows::update(tx, &term).await?;
            app.house.tell(tx, &TermGivenBack { term: term.id.clone(), rest: term.kept() }).await?;
        }
        if left > Fen::ZERO {
            terms.extend(rows::lock_replaced_by(tx, &term.id, &term.member).await?);
        }
    }
    Ok(())
}

/// Terms, for whoever takes money from outside.
pub struct Terms;

/// The word for a term among what members pay for.
pub const KIND: &str = "membership";

#[async_trait]
impl Payable for Terms {
    fn kind(&self) -> &'static str {
        KIND
    }

    async fn hold(
        &self,
        _app: &App,
        tx: &mut Tx,
        id: &str,
        member: &MemberId,
        now: i64,
    ) -> Result<Option<Fen>, Error> {
        let id: TermId = id.parse().map_err(Error::internal)?;
        let owned = match Owned::hold(tx, member, now).await {
            Ok(owned) => owned,
            // the account was closed
            Err(Error::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        };
        let term = match rows::lock_for_owner(tx, &id, member).await {
            Ok(term) => term,
            Err(Error::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        };
        let basis = rows::count_paid(tx, member).await?;
        let is_due = term.state == TermState::Unpaid && due(&term, &owned, basis, now).is_ok();
        Ok(is_due.then_some(term.amount))
    }

    async fn pay(
        &self,
        tx: &mut Tx,
        id: &str,
        member: &MemberId,
        way: Method,
        now: i64,
    ) -> Result<(), Error> {
        let id: TermId = id.parse().map_err(Error::internal)?;
        match pay(tx, &id, member, way.code(), now).await {
            Ok(_) => Ok(()),
            Err(NotPaid::Failed(error)) => Err(error),
            Err(other) => Err(Error::internal(other)),
        }
    }
}
