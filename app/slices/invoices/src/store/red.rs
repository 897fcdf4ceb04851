//! SQL of red invoices 红字发票.

use base::db::{Db, Sql, Tx, new_id, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::InvoiceId;
use domain::money::Fen;

/// An invoice that took an issued one back, wholly or in part.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct RedInvoice {
    /// 发票号码.
    pub number: String,
    /// 发票代码; empty where there is none.
    pub code: String,
    /// The day on it, as 2026-11-27.
    pub issued_on: String,
    /// 分, above zero.
    amount: i64,
    /// SHA-256 of the PDF.
    pub file: String,
    /// When it was recorded, epoch ms.
    pub recorded_at: i64,
}

impl RedInvoice {
    /// One that is recorded now.
    pub fn new(number: String, code: String, issued_on: String, amount: Fen, file: String, now: i64) -> Self {
        Self { number, code, issued_on, amount: amount.0, file, recorded_at: now }
    }

    /// What it takes back.
    pub fn amount(&self) -> Fen {
        Fen(self.amount)
    }

    /// Whether both are one, recorded twice.
    pub fn is(&self, other: &Self) -> bool {
        let known = |one: &Self| (one.number.clone(), one.amount, one.file.clone());
        known(self) == known(other)
    }
}

const OF_INVOICE: Sql = sql!(
    "select number, code, issued_on, amount, file, recorded_at from red_invoices
     where invoice_id = $1 order by recorded_at, id"
);

/// Those of an invoice, the first first.
pub async fn of_invoice(db: &Db, invoice: &InvoiceId) -> Result<Vec<RedInvoice>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(OF_INVOICE.text()).bind(invoice.as_str()).fetch_all(pool).await)?)
}

/// The same of an invoice that is held.
pub async fn of_held(tx: &mut Tx, invoice: &InvoiceId) -> Result<Vec<RedInvoice>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(OF_INVOICE.text()).bind(invoice.as_str()).fetch_all(conn).await)?)
}

/// Keeps one, and who recorded it.
pub async fn insert(tx: &mut Tx, invoice: &InvoiceId, red: &RedInvoice, actor: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into red_invoices (id, invoice_id, number, code, issued_on, amount, file, actor, recorded_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(new_id::<String>())
        .bind(invoice.as_str())
        .bind(&red.number)
        .bind(&red.code)
        .bind(&red.issued_on)
        .bind(red.amount)
        .bind(&red.file)
        .bind(actor)
        .bind(red.recorded_at)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}
