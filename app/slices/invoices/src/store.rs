//! SQL of invoices. Whoever holds the row of an order or a term and an invoice's takes the invoice's last.

pub mod closing;
pub mod red;
pub mod staff;
pub mod titles;
pub mod to_invoice;

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{InvoiceId, MemberId};
use domain::invoice::{InvoiceState, Issued, Title};
use domain::money::Fen;

use super::bill::Billed;

/// An invoice, or the request for one.
#[derive(Debug, Clone)]
pub struct Invoice {
    pub id: InvoiceId,
    pub member: MemberId,
    pub of: Billed,
    pub state: InvoiceState,
    /// As it was when the invoice was asked for.
    pub title: Title,
    /// Where the file is sent as well.
    pub email: Option<String>,
    /// What was bought, in words.
    pub content: String,
    pub amount: Fen,
    /// What is left of it now.
    pub rest: Fen,
    /// Why it was rejected, voided, or cancelled by the program.
    pub reason: Option<String>,
    /// 发票号码.
    pub number: Option<String>,
    /// SHA-256 of the PDF.
    pub file: Option<String>,
    pub requested_at: i64,
    pub issued_at: Option<i64>,
    /// When it was cancelled, rejected or voided.
    pub ended_at: Option<i64>,
    /// What red invoices took back of its amount, and when the last of them was recorded.
    pub corrected: Fen,
    pub corrected_at: Option<i64>,
}

impl Invoice {
    /// 需红冲: money was given back after it was issued, so a red invoice has to correct it.
    pub fn needs_correction(&self) -> bool {
        self.state == InvoiceState::Issued && self.issued().stands_for() != self.rest
    }

    /// Its money, once it was issued.
    pub fn issued(&self) -> Issued {
        Issued { amount: self.amount, corrected: self.corrected, rest: self.rest }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    member_id: String,
    order_id: Option<String>,
    term_id: Option<String>,
    state: String,
    title_name: String,
    title_code: Option<String>,
    email: Option<String>,
    content: String,
    amount: i64,
    order_rest: i64,
    reason: Option<String>,
    number: Option<String>,
    file: Option<String>,
    requested_at: i64,
    issued_at: Option<i64>,
    ended_at: Option<i64>,
    corrected: i64,
    corrected_at: Option<i64>,
}

impl TryFrom<Row> for Invoice {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            of: Billed::read(&row.order_id.unwrap_or_default(), &row.term_id.unwrap_or_default())
                .map_err(Error::internal)?,
            state: row.state.parse().map_err(Error::internal)?,
            title: titles::title(row.title_name, row.title_code)?,
            email: row.email,
            content: row.content,
            amount: Fen(row.amount),
            rest: Fen(row.order_rest),
            reason: row.reason,
            number: row.number,
            file: row.file,
            requested_at: row.requested_at,
            issued_at: row.issued_at,
            ended_at: row.ended_at,
            corrected: Fen(row.corrected),
            corrected_at: row.corrected_at,
        })
    }
}

const COLUMNS: &str = "id, member_id, order_id, term_id, state, title_name, title_code, email, content, amount, order_rest, \
                       reason, number, file, requested_at, issued_at, ended_at, corrected, corrected_at";

/// Writes a request; false when the id is taken, as when a form is sent again.
pub async fn insert(tx: &mut Tx, invoice: &Invoice) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into invoices (id, member_id, order_id, term_id, state, title_name, title_code, email, content, amount,
                               order_rest, requested_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (id) do nothing",
    )
    .bind(invoice.id.as_str())
    .bind(invoice.member.as_str())
    .bind(if let Billed::Order(id) = &invoice.of { Some(id.as_str()) } else { None })
    .bind(if let Billed::Term(id) = &invoice.of { Some(id.as_str()) } else { None })
    .bind(invoice.state.code())
    .bind(invoice.title.name())
    .bind(invoice.title.code().map(|code| code.as_str()))
    .bind(invoice.email.as_deref())
    .bind(&invoice.content)
    .bind(invoice.amount.0)
    .bind(invoice.rest.0)
    .bind(invoice.requested_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// One of a member's own invoices.
pub async fn find_for_owner(db: &Db, id: &InvoiceId, member: &MemberId) -> Result<Invoice, Error> {
    let sql = sql!("select {COLUMNS} from invoices where id = $1 and member_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// It counts.
const LIVE: &str = "state in ('requested', 'issued')";

/// The invoice that counts for something, which is the caller's to have found for its owner.
pub async fn live(db: &Db, of: &Billed) -> Result<Option<InvoiceId>, Error> {
    let sql = match of {
        Billed::Order(_) => sql!("select id from invoices where order_id = $1 and {LIVE}"),
        Billed::Term(_) => sql!("select id from invoices where term_id = $1 and {LIVE}"),
    };
    let id: Option<String> =
        with_db!(db, |pool| sqlx::query_scalar(sql.text()).bind(of.id()).fetch_optional(pool).await)?;
    id.map(|id| id.try_into().map_err(Error::internal)).transpose()
}

/// The same within a transaction; the row is held until it ends.
pub async fn lock_live(tx: &mut Tx, of: &Billed) -> Result<Option<Invoice>, Error> {
    let sql = match of {
        Billed::Order(_) => {
            sql!("update invoices set state = state where order_id = $1 and {LIVE} returning {COLUMNS}")
        }
        Billed::Term(_) => {
            sql!("update invoices set state = state where term_id = $1 and {LIVE} returning {COLUMNS}")
        }
    };
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(of.id()).fetch_optional(conn).await)?;
    row.map(Invoice::try_from).transpose()
}

/// Reads any invoice for the operator and holds its row.
pub async fn lock(tx: &mut Tx, id: &InvoiceId) -> Result<Invoice, Error> {
    let sql = sql!("update invoices set state = state where id = $1 returning {COLUMNS}");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The same for one of a member's own.
pub async fn lock_for_owner(tx: &mut Tx, id: &InvoiceId, member: &MemberId) -> Result<Invoice, Error> {
    lock(tx, id)
        .await
        .and_then(|invoice| if invoice.member == *member { Ok(invoice) } else { Err(Error::NotFound) })
}

/// Writes what can change of an invoice that is held.
pub async fn update(tx: &mut Tx, invoice: &Invoice) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update invoices set state = $2, amount = $3, order_rest = $4, reason = $5, number = $6, file = $7,
                             issued_at = $8, ended_at = $9, corrected = $10, corrected_at = $11
         where id = $1",
    )
    .bind(invoice.id.as_str())
    .bind(invoice.state.code())
    .bind(invoice.amount.0)
    .bind(invoice.rest.0)
    .bind(invoice.reason.as_deref())
    .bind(invoice.number.as_deref())
    .bind(invoice.file.as_deref())
    .bind(invoice.issued_at)
    .bind(invoice.ended_at)
    .bind(invoice.corrected.0)
    .bind(invoice.corrected_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// A member's invoices, the newest first, from the one behind `before` on.
pub async fn of_member(
    db: &Db,
    member: &MemberId,
    before: Option<&InvoiceId>,
    limit: i64,
) -> Result<Vec<Invoice>, Error> {
    let sql = sql!(
        "select {COLUMNS} from invoices where member_id = $1 and ($2 = '' or id < $2) order by id desc limit $3"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(before.map_or("", InvoiceId::as_str))
        .bind(limit)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Invoice::try_from).collect()
}

/// Everybody's invoices for the operator, the oldest first, from the one behind `after` on.
pub async fn all(
    db: &Db,
    state: Option<InvoiceState>,
    after: Option<&InvoiceId>,
    limit: i64,
) -> Result<Vec<Invoice>, Error> {
    let sql =
        sql!("select {COLUMNS} from invoices where ($1 = '' or state = $1) and id > $2 order by id limit $3");
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(state.map_or("", InvoiceState::code))
        .bind(after.map_or("", InvoiceId::as_str))
        .bind(limit)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Invoice::try_from).collect()
}
