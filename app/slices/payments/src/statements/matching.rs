//! Some lines of a statement beside what is known here. It reads, and writes nothing.

use std::collections::{HashMap, HashSet};

use base::db::{Db, sql, with_db};
use base::error::Error;
use domain::money::Fen;
use domain::payment::{Method, PaymentState, RefundState};
use domain::statement::{Difference, Entry, OurPayment, OurRefund, Part, of_payment, of_refund};

/// What differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub kind: Difference,
    pub part: Part,
    /// Of the file, where the statement has it.
    pub line: Option<i64>,
    /// Ours, where there is one.
    pub payment: Option<String>,
    pub refund: Option<String>,
    pub our_amount: Option<Fen>,
    pub their_amount: Option<Fen>,
    /// Their words, as they are stored.
    pub our_state: Option<&'static str>,
    pub their_state: Option<&'static str>,
    pub our_number: Option<String>,
    pub their_number: Option<String>,
    /// Epoch ms.
    pub at: i64,
}

impl Found {
    /// What it is about, once in a statement.
    pub fn place(&self) -> String {
        match (self.line, &self.refund, &self.payment) {
            (Some(line), ..) => format!("line:{line}"),
            (None, Some(refund), _) => format!("refund:{refund}"),
            (None, None, payment) => format!("payment:{}", payment.as_deref().unwrap_or_default()),
        }
    }
}

/// Some lines, when they were looked at.
#[derive(Debug, Default)]
pub struct Looked {
    pub found: Vec<Found>,
    /// Which refund a line is of that does not say it.
    pub refunds: Vec<(i64, String)>,
}

#[derive(Debug, Clone, sqlx::FromRow)]
struct Payment {
    id: String,
    amount: i64,
    state: String,
    provider_number: Option<String>,
    order_id: Option<String>,
    paid_order: i64,
}

#[derive(Debug, Clone, sqlx::FromRow)]
struct Refund {
    id: String,
    payment_id: String,
    amount: i64,
    state: String,
    provider_number: Option<String>,
}

/// Lines of a statement beside what is known here. `again` are those lines whose payment or refund an earlier line had;
/// `taken` are refunds that other lines are of, and those that these are of are added to it.
pub async fn look(
    db: &Db,
    method: Method,
    entries: &[Entry],
    again: &HashSet<i64>,
    taken: &mut HashSet<String>,
) -> Result<Looked, Error> {
    let payments = payments(db, method, entries).await?;
    let twice = orders_paid_twice(db, payments.values()).await?;
    let refunds = refunds(db, method, entries).await?;
    let mut looked = Looked::default();
    for entry in entries {
        let payment = payments.get(&entry.payment);
        match entry.part {
            Part::Payment => {
                let ours = payment
                    .map(|payment| {
                        Ok::<_, Error>(OurPayment {
                            amount: Fen(payment.amount),
                            state: payment.state.parse().map_err(Error::internal)?,
                            number: payment.provider_number.clone(),
                        })
                    })
                    .transpose()?;
                let other = payment.is_some_and(|payment| twice.contains(&payment.id));
                let kind = of_payment(entry, ours.as_ref(), again.contains(&entry.line) || other);
                looked.found.extend(kind.map(|kind| Found {
                    payment: payment.map(|payment| payment.id.clone()),
                    our_amount: ours.as_ref().map(|ours| ours.amount),
                    our_state: ours.as_ref().map(|ours| ours.state.code()),
                    our_number: ours.and_then(|ours| ours.number),
                    their_number: Some(entry.number.clone()),
                    ..theirs(kind, entry)
                }));
            }
            Part::Refund => {
                let fits = |refund: &&Refund| {
                    refund.payment_id == entry.payment
                        && Fen(refund.amount) == entry.amount
                        && refund.state != RefundState::Failed.code()
                        && !taken.contains(&refund.id)
                };
                let refund = if entry.refund.is_empty() {
                    let found = refunds.values().filter(fits).min_by(|one, other| one.id.cmp(&other.id));
                    looked.refunds.extend(found.map(|refund| (entry.line, refund.id.clone())));
                    found
                } else {
                    refunds.get(&entry.refund)
                };
                taken.extend(refund.map(|refund| refund.id.clone()));
                let ours = refund
                    .map(|refund| {
                        Ok::<_, Error>(OurRefund {
                            payment: refund.payment_id.clone(),
                            amount: Fen(refund.amount),
                            state: refund.state.parse().map_err(Error::internal)?,
                        })
                    })
                    .transpose()?;
                let kind = of_refund(entry, ours.as_ref(), again.contains(&entry.line));
                let number =
                    if entry.refund_number.is_empty() { &entry.number } else { &entry.refund_number };
                looked.found.extend(kind.map(|kind| {
                    Found {
                        payment: refund
                            .map(|refund| refund.payment_id.clone())
                            .or_else(|| payment.map(|payment| payment.id.clone())),
                        refund: refund.map(|refund| refund.id.clone()),
                        our_amount: ours.as_ref().map(|ours| ours.amount),
                        our_state: ours.as_ref().map(|ours| ours.state.code()),
                        our_number: refund.and_then(|refund| refund.provider_number.clone()),
                        their_number: Some(number.clone()),
                        ..theirs(kind, entry)
                    }
                }));
            }
        }
    }
    Ok(looked)
}

/// What a line says; nothing of ours.
fn theirs(kind: Difference, entry: &Entry) -> Found {
    Found {
        kind,
        part: entry.part,
        line: Some(entry.line),
        payment: None,
        refund: None,
        our_amount: None,
        their_amount: Some(entry.amount),
        our_state: None,
        their_state: Some(entry.standing.code()),
        our_number: None,
        their_number: None,
        at: entry.at,
    }
}

async fn payments(db: &Db, method: Method, entries: &[Entry]) -> Result<HashMap<String, Payment>, Error> {
    let ids: HashSet<&str> = entries.iter().map(|entry| entry.payment.as_str()).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let sql = sql!(
        "select id, amount, state, provider_number, order_id, paid_order from payments
         where method || '' = $1 and id in ([?])"
    );
    let sql = sql.repeated(ids.len());
    let rows: Vec<Payment> = with_db!(db, |pool| ids
        .iter()
        .fold(sqlx::query_as(sql.text()).bind(method.code()), |query, id| query.bind(*id))
        .fetch_all(pool)
        .await)?;
    Ok(rows.into_iter().map(|payment| (payment.id.clone(), payment)).collect())
}

/// Those of these payments whose order another one paid, so that the money is in the balance.
async fn orders_paid_twice(
    db: &Db,
    payments: impl Iterator<Item = &Payment>,
) -> Result<HashSet<String>, Error> {
    let spare: Vec<(&str, &str)> = payments
        .filter(|payment| payment.state == PaymentState::Paid.code() && payment.paid_order == 0)
        .filter_map(|payment| Some((payment.id.as_str(), payment.order_id.as_deref()?)))
        .collect();
    if spare.is_empty() {
        return Ok(HashSet::new());
    }
    let sql = sql!(
        "select order_id from payments where state = 'paid' and order_id in ([?])
         group by order_id having count(*) > 1"
    );
    let sql = sql.repeated(spare.len());
    let orders: Vec<String> = with_db!(db, |pool| spare
        .iter()
        .fold(sqlx::query_scalar(sql.text()), |query, (_, order)| query.bind(*order))
        .fetch_all(pool)
        .await)?;
    let is_twice = |order: &str| orders.iter().any(|known| known == order);
    Ok(spare.into_iter().filter(|(_, order)| is_twice(order)).map(|(id, _)| id.to_owned()).collect())
}

/// The refunds that lines name, and all of the payments of lines that name none.
async fn refunds(db: &Db, method: Method, entries: &[Entry]) -> Result<HashMap<String, Refund>, Error> {
    let of_refund: Vec<&Entry> = entries.iter().filter(|entry| entry.part == Part::Refund).collect();
    let named: HashSet<&str> =
        of_refund.iter().map(|entry| entry.refund.as_str()).filter(|id| !id.is_empty()).collect();
    let unnamed: HashSet<&str> = of_refund
        .iter()
        .filter(|entry| entry.refund.is_empty())
        .map(|entry| entry.payment.as_str())
        .collect();
    let by_id = sql!(
        "select r.id, r.payment_id, r.amount, r.state, r.provider_number
         from payment_refunds r join payments p on p.id = r.payment_id where p.method || '' = $1 and r.id in ([?])"
    );
    let by_payment = sql!(
        "select r.id, r.payment_id, r.amount, r.state, r.provider_number
         from payment_refunds r join payments p on p.id = r.payment_id where p.method || '' = $1 and r.payment_id in ([?])"
    );
    let mut all = HashMap::new();
    for (sql, ids) in [(by_id, named), (by_payment, unnamed)] {
        if ids.is_empty() {
            continue;
        }
        let sql = sql.repeated(ids.len());
        let rows: Vec<Refund> = with_db!(db, |pool| ids
            .iter()
            .fold(sqlx::query_as(sql.text()).bind(method.code()), |query, id| query.bind(*id))
            .fetch_all(pool)
            .await)?;
        all.extend(rows.into_iter().map(|refund| (refund.id.clone(), refund)));
    }
    Ok(all)
}

/// Which of these lines have the payment or the refund of an earlier line, in any statement; and which refunds lines that named
/// none are known to be of.
pub async fn seen(
    db: &Db,
    statement: &str,
    entries: &[Entry],
) -> Result<(HashSet<i64>, HashSet<String>), Error> {
    let ids = |part: Part| {
        let of_part = entries.iter().filter(move |entry| entry.part == part);
        of_part
            .map(|entry| if part == Part::Payment { entry.payment.as_str() } else { entry.refund.as_str() })
            .filter(|id| !id.is_empty())
            .collect::<HashSet<&str>>()
    };
    let by_payment = sql!(
        "select payment_no, at, statement_id, line from statement_lines where part = 'payment' and payment_no in ([?])"
    );
    let by_refund = sql!(
        "select refund_no, at, statement_id, line from statement_lines where part = 'refund' and refund_no in ([?])"
    );
    let mut again = HashSet::new();
    for (sql, ids) in [(by_payment, ids(Part::Payment)), (by_refund, ids(Part::Refund))] {
        if ids.is_empty() {
            continue;
        }
        let sql = sql.repeated(ids.len());
        let mut rows: Vec<(String, i64, String, i64)> = with_db!(db, |pool| ids
            .iter()
            .fold(sqlx::query_as(sql.text()), |query, id| query.bind(*id))
            .fetch_all(pool)
            .await)?;
        rows.sort();
        let later = rows.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| &pair[1]);
        again.extend(later.filter(|row| row.2 == statement).map(|row| row.3));
    }
    let unnamed: HashSet<&str> = entries
        .iter()
        .filter(|entry| entry.part == Part::Refund && entry.refund.is_empty())
        .map(|entry| entry.payment.as_str())
        .collect();
    let mut taken = HashSet::new();
    if !unnamed.is_empty() {
        let sql = sql!(
            "select refund_no from statement_lines where part = 'refund' and refund_no <> '' and payment_no in ([?])"
        );
        let sql = sql.repeated(unnamed.len());
        let rows: Vec<String> = with_db!(db, |pool| unnamed
            .iter()
            .fold(sqlx::query_scalar(sql.text()), |query, id| query.bind(*id))
            .fetch_all(pool)
            .await)?;
        taken.extend(rows);
    }
    Ok((again, taken))
}

#[derive(sqlx::FromRow)]
struct Own {
    id: String,
    payment_id: String,
    amount: i64,
    provider_number: Option<String>,
    at: i64,
}

/// Money that moved here in a time, epoch ms, and stands in no statement: some of it, behind an id.
pub async fn ours_only(
    db: &Db,
    method: Method,
    part: Part,
    (from, until): (i64, i64),
    after: &str,
    most: i64,
) -> Result<Vec<Found>, Error> {
    let sql = match part {
        Part::Payment => sql!(
            "select p.id, p.id as payment_id, p.amount, p.provider_number, p.paid_at as at from payments p
             where p.method = $1 and p.state = 'paid' and p.paid_at >= $2 and p.paid_at < $3 and p.id > $4
               and not exists (select 1 from statement_lines l where l.part = 'payment' and l.payment_no = p.id)
             order by p.id limit $5"
        ),
        Part::Refund => sql!(
            "select r.id, r.payment_id, r.amount, r.provider_number, r.ended_at as at
             from payment_refunds r join payments p on p.id = r.payment_id
             where p.method = $1 and r.state = 'done' and r.ended_at >= $2 and r.ended_at < $3 and r.id > $4
               and not exists (select 1 from statement_lines l where l.part = 'refund' and l.refund_no = r.id)
             order by r.id limit $5"
        ),
    };
    let rows: Vec<Own> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(method.code())
        .bind(from)
        .bind(until)
        .bind(after)
        .bind(most)
        .fetch_all(pool)
        .await)?;
    let state = match part {
        Part::Payment => PaymentState::Paid.code(),
        Part::Refund => RefundState::Done.code(),
    };
    let found = |row: Own| Found {
        kind: Difference::OursOnly,
        part,
        line: None,
        payment: Some(row.payment_id),
        refund: (part == Part::Refund).then_some(row.id),
        our_amount: Some(Fen(row.amount)),
        their_amount: None,
        our_state: Some(state),
        their_state: None,
        our_number: row.provider_number,
        their_number: None,
        at: row.at,
    };
    Ok(rows.into_iter().map(found).collect())
}
