//! SQL of terms.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{MemberId, TermId};
use domain::membership::{self, Run, Step, TermState};
use domain::money::Fen;
use domain::tier::Tier;

/// A term of a tier that somebody buys.
#[derive(Debug, Clone)]
pub struct Term {
    pub id: TermId,
    pub member: MemberId,
    pub tier: Tier,
    pub months: u32,
    pub step: Step,
    pub price: Fen,
    pub credit: Fen,
    pub amount: Fen,
    /// Given for what the credit is more than the price.
    pub days: i64,
    /// How many terms the member had paid when this one was confirmed.
    pub basis: i64,
    pub state: TermState,
    /// `balance`, `credit` where nothing was to be paid, or a way of payment from outside.
    pub way: Option<String>,
    /// What it runs in, itself the last; none while it is unpaid.
    pub run: Option<Run>,
    pub span: Option<(i64, i64)>,
    pub value: Fen,
    pub ended_at: Option<i64>,
    /// What was not used when it ended before its end.
    pub rest: Fen,
    pub successor: Option<TermId>,
    /// What of its own amount was given back, with it or with a term that had counted it.
    pub given_back: Fen,
    pub created_at: i64,
    pub paid_at: Option<i64>,
}

impl Term {
    /// As the rules see it, when it was paid.
    pub fn paid(&self) -> Option<membership::Term> {
        let (from, until) = self.span?;
        Some(membership::Term { from, until, value: self.value })
    }

    /// What of its own amount was not given back.
    pub fn kept(&self) -> Fen {
        self.amount.minus(self.given_back).unwrap_or_default()
    }

    /// What members call it: `超级会员 12 个月`.
    pub fn title(&self) -> String {
        format!("{} {} 个月", self.tier, self.months)
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    member_id: String,
    tier: String,
    months: i64,
    step: String,
    price: i64,
    credit: i64,
    amount: i64,
    days: i64,
    basis: i64,
    state: String,
    way: Option<String>,
    run_from: Option<i64>,
    run_months: Option<i64>,
    run_days: Option<i64>,
    starts_at: Option<i64>,
    ends_at: Option<i64>,
    value: i64,
    ended_at: Option<i64>,
    rest: i64,
    successor_id: Option<String>,
    given_back: i64,
    created_at: i64,
    paid_at: Option<i64>,
}

fn months(stored: i64) -> Result<u32, Error> {
    u32::try_from(stored).map_err(Error::internal)
}

impl TryFrom<Row> for Term {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let run = match (row.run_from, row.run_months, row.run_days) {
            (Some(from), Some(count), Some(days)) => Some(Run { from, months: months(count)?, days }),
            _ => None,
        };
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            tier: row.tier.parse().map_err(Error::internal)?,
            months: months(row.months)?,
            step: row.step.parse().map_err(Error::internal)?,
            price: Fen(row.price),
            credit: Fen(row.credit),
            amount: Fen(row.amount),
            days: row.days,
            basis: row.basis,
            state: row.state.parse().map_err(Error::internal)?,
            way: row.way,
            run,
            span: row.starts_at.zip(row.ends_at),
            value: Fen(row.value),
            ended_at: row.ended_at,
            rest: Fen(row.rest),
            successor: row.successor_id.map(TermId::try_from).transpose().map_err(Error::internal)?,
            given_back: Fen(row.given_back),
            created_at: row.created_at,
            paid_at: row.paid_at,
        })
    }
}

const COLUMNS: &str = "id, member_id, tier, months, step, price, credit, amount, days, basis, state, way, run_from, \
                       run_months, run_days, starts_at, ends_at, value, ended_at, rest, successor_id, given_back, created_at, \
                       paid_at";

/// Writes a new term that nobody has paid.
pub async fn insert(tx: &mut Tx, term: &Term) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into membership_terms (id, member_id, tier, months, step, price, credit, amount, days, basis, state,
                                       created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(term.id.as_str())
    .bind(term.member.as_str())
    .bind(term.tier.name())
    .bind(i64::from(term.months))
    .bind(term.step.code())
    .bind(term.price.0)
    .bind(term.credit.0)
    .bind(term.amount.0)
    .bind(term.days)
    .bind(term.basis)
    .bind(term.state.code())
    .bind(term.created_at)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// The same term at the same price, confirmed since a moment and not paid.
pub async fn open_like(tx: &mut Tx, term: &Term, since: i64) -> Result<Option<TermId>, Error> {
    let id: Option<String> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "select id from membership_terms where member_id = $1 and state = 'unpaid' and tier = $2 and months = $3
           and step = $4 and price = $5 and credit = $6 and amount = $7 and days = $8 and basis = $9 and created_at >= $10
         order by id desc limit 1",
    )
    .bind(term.member.as_str())
    .bind(term.tier.name())
    .bind(i64::from(term.months))
    .bind(term.step.code())
    .bind(term.price.0)
    .bind(term.credit.0)
    .bind(term.amount.0)
    .bind(term.days)
    .bind(term.basis)
    .bind(since)
    .fetch_optional(conn)
    .await
    })?;
    id.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// One of a member's own.
pub async fn find_for_owner(db: &Db, id: &TermId, member: &MemberId) -> Result<Term, Error> {
    let sql = sql!("select {COLUMNS} from membership_terms where id = $1 and member_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// One of a member's own, whose row is held until the transaction ends.
pub async fn lock_for_owner(tx: &mut Tx, id: &TermId, member: &MemberId) -> Result<Term, Error> {
    let sql = sql!(
        "update membership_terms set state = state where id = $1 and member_id = $2 returning {COLUMNS}"
    );
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(conn)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Writes what can change of a term that is held.
pub async fn update(tx: &mut Tx, term: &Term) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "update membership_terms set state = $2, way = $3, run_from = $4, run_months = $5, run_days = $6, starts_at = $7,
                ends_at = $8, value = $9, ended_at = $10, rest = $11, successor_id = $12, paid_at = $13, given_back = $14
         where id = $1",
    )
    .bind(term.id.as_str())
    .bind(term.state.code())
    .bind(term.way.as_deref())
    .bind(term.run.map(|run| run.from))
    .bind(term.run.map(|run| i64::from(run.months)))
    .bind(term.run.map(|run| run.days))
    .bind(term.span.map(|(from, _)| from))
    .bind(term.span.map(|(_, until)| until))
    .bind(term.value.0)
    .bind(term.ended_at)
    .bind(term.rest.0)
    .bind(term.successor.as_ref().map(TermId::as_str))
    .bind(term.paid_at)
    .bind(term.given_back.0)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// A member's paid terms that run now or are to come, the earliest first: all of one tier, without a gap.
pub async fn running(tx: &mut Tx, member: &MemberId, now: i64) -> Result<Vec<Term>, Error> {
    let sql = sql!(
        "select {COLUMNS} from membership_terms where member_id = $1 and state = 'paid' and ends_at > $2
         order by starts_at, id"
    );
    let rows: Vec<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(now)
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Term::try_from).collect()
}

/// How many terms a member has paid.
pub async fn count_paid(tx: &mut Tx, member: &MemberId) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from membership_terms where member_id = $1 and paid_at is not null"
    )
    .bind(member.as_str())
    .fetch_one(conn)
    .await)?)
}

/// A member's terms that were paid, and those confirmed since a moment that can still be; the newest first.
pub async fn of_member(db: &Db, member: &MemberId, since: i64, most: i64) -> Result<Vec<Term>, Error> {
    let sql = sql!(
        "select {COLUMNS} from membership_terms where member_id = $1 and (state <> 'unpaid' or created_at > $2)
         order by id desc limit $3"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(since)
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Term::try_from).collect()
}

/// The terms whose place one took, held until the transaction ends.
pub async fn lock_replaced_by(tx: &mut Tx, id: &TermId, member: &MemberId) -> Result<Vec<Term>, Error> {
    let sql = sql!(
        "update membership_terms set state = state where successor_id = $1 and member_id = $2 returning {COLUMNS}"
    );
    let rows: Vec<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_all(conn)
        .await)?;
    rows.into_iter().map(Term::try_from).collect()
}

/// The terms whose place one took.
pub async fn replaced_by(db: &Db, id: &TermId, member: &MemberId) -> Result<Vec<Term>, Error> {
    let sql = sql!(
        "select {COLUMNS} from membership_terms where successor_id = $1 and member_id = $2 order by starts_at, id"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Term::try_from).collect()
}
