//! SQL of statements: files, their lines, and what differs.

use base::db::{Db, Tx, new_id, sql, with_db, with_tx, with_write};
use base::error::Error;
use base::lists::pattern;
use domain::money::Fen;
use domain::payment::Method;
use domain::statement::{Entry, Format, Part, Standing, Totals};
use time::Date;

use super::matching::Found;

/// A file that was taken, and how far it was held against what is known here.
#[derive(Debug, Clone)]
pub struct Statement {
    pub id: String,
    pub format: Format,
    pub sha256: String,
    pub name: String,
    /// The first day and the one after the last.
    pub from_day: String,
    pub until_day: String,
    pub clerk: String,
    pub created_at: i64,
    pub payments: i64,
    pub paid: Fen,
    pub refunds: i64,
    pub refunded: Fen,
    /// In [`FEE_PARTS`](domain::statement::FEE_PARTS) of a 分.
    pub fees: i64,
    pub kept: i64,
    pub matched: i64,
    pub done_at: Option<i64>,
    /// Differences that wait, and those that were settled.
    pub open: i64,
    pub settled: i64,
}

impl Statement {
    /// How many lines it has.
    pub fn lines(&self) -> i64 {
        self.payments + self.refunds
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    format: String,
    sha256: String,
    name: String,
    from_day: String,
    until_day: String,
    clerk: String,
    created_at: i64,
    payments: i64,
    paid: i64,
    refunds: i64,
    refunded: i64,
    fees: i64,
    kept: i64,
    matched: i64,
    done_at: Option<i64>,
    open: i64,
    settled: i64,
}

impl TryFrom<Row> for Statement {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id,
            format: Format::of(&row.format).ok_or_else(|| Error::internal("a statement of no format"))?,
            sha256: row.sha256,
            name: row.name,
            from_day: row.from_day,
            until_day: row.until_day,
            clerk: row.clerk,
            created_at: row.created_at,
            payments: row.payments,
            paid: Fen(row.paid),
            refunds: row.refunds,
            refunded: Fen(row.refunded),
            fees: row.fees,
            kept: row.kept,
            matched: row.matched,
            done_at: row.done_at,
            open: row.open,
            settled: row.settled,
        })
    }
}

const STATEMENT: &str = "s.id, s.format, s.sha256, s.name, s.from_day, s.until_day, s.clerk, s.created_at, s.payments, s.paid,
     s.refunds, s.refunded, s.fees, s.kept, s.matched, s.done_at,
     (select count(*) from statement_differences d where d.statement_id = s.id and d.settled_at is null) as open,
     (select count(*) from statement_differences d where d.statement_id = s.id and d.settled_at is not null) as settled";

/// Writes a statement with its days; the earlier one where its file or one of its days was taken before, and whoever called
/// drops the transaction.
pub async fn insert(tx: &mut Tx, statement: &Statement, totals: &Totals) -> Result<Option<Statement>, Error> {
    let by_file = sql!("select {STATEMENT} from statements s where s.sha256 = $1");
    if let Some(before) = one(tx, by_file, &[&statement.sha256]).await? {
        return Ok(Some(before));
    }
    let method = totals.format.method().code();
    let mut day = totals.from;
    while day < totals.until {
        let text = day.to_string();
        for part in Part::ALL.into_iter().filter(|part| totals.format.has(*part)) {
            let is_free = with_tx!(&mut *tx, |conn| sqlx::query(
                "insert into statement_days (method, day, part, statement_id) values ($1, $2, $3, $4)
                 on conflict do nothing"
            )
            .bind(method)
            .bind(&text)
            .bind(part.code())
            .bind(&statement.id)
            .execute(conn)
            .await
            .map(|done| done.rows_affected() == 1))?;
            if !is_free {
                let of_day = sql!(
                    "select {STATEMENT} from statements s join statement_days t on t.statement_id = s.id
                     where t.method = $1 and t.day = $2 and t.part = $3"
                );
                return one(tx, of_day, &[method, &text, part.code()]).await;
            }
        }
        day = day.next_day().ok_or_else(|| Error::internal("a statement of the last day there is"))?;
    }
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into statements (id, method, format, sha256, name, from_day, until_day, clerk, created_at, payments, paid,
                                 refunds, refunded, fees)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)"
    )
    .bind(&statement.id)
    .bind(method)
    .bind(statement.format.code())
    .bind(&statement.sha256)
    .bind(&statement.name)
    .bind(&statement.from_day)
    .bind(&statement.until_day)
    .bind(&statement.clerk)
    .bind(statement.created_at)
    .bind(statement.payments)
    .bind(statement.paid.0)
    .bind(statement.refunds)
    .bind(statement.refunded.0)
    .bind(statement.fees)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(None)
}

async fn one(tx: &mut Tx, sql: base::db::Sql, values: &[&str]) -> Result<Option<Statement>, Error> {
    let row: Option<Row> = with_tx!(tx, |conn| {
        let query = values.iter().fold(sqlx::query_as(sql.text()), |query, value| query.bind(*value));
        query.fetch_optional(conn).await
    })?;
    row.map(Statement::try_from).transpose()
}

pub async fn find(db: &Db, id: &str) -> Result<Statement, Error> {
    let sql = sql!("select {STATEMENT} from statements s where s.id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Statements, the latest days first, behind a place in that list.
pub async fn newest(db: &Db, after: Option<(&str, &str)>, most: i64) -> Result<Vec<Statement>, Error> {
    let sql = sql!(
        "select {STATEMENT} from statements s
         where $1 = '' or s.from_day < $1 or s.from_day = $1 and s.id < $2
         order by s.from_day desc, s.id desc limit $3"
    );
    let (day, id) = after.unwrap_or(("", ""));
    let rows: Vec<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(day).bind(id).bind(most).fetch_all(pool).await)?;
    rows.into_iter().map(Statement::try_from).collect()
}

/// Which days of a way have statements of payments and of refunds, from one on, each as often as it has parts.
pub async fn days(db: &Db, method: Method, from: Date) -> Result<Vec<String>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select day from statement_days where method = $1 and day >= $2 order by day"
    )
    .bind(method.code())
    .bind(from.to_string())
    .fetch_all(pool)
    .await)?)
}

/// When the first money came by a way.
pub async fn first_paid(db: &Db, method: Method) -> Result<Option<i64>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select min(paid_at) from payments where method = $1 and state = 'paid'"
    )
    .bind(method.code())
    .fetch_one(pool)
    .await)?)
}

/// Writes the next lines; false where they were written before.
pub async fn keep_lines(tx: &mut Tx, id: &str, before: i64, entries: &[Entry]) -> Result<bool, Error> {
    let moved = with_tx!(&mut *tx, |conn| sqlx::query(
        "update statements set kept = $3 where id = $1 and kept = $2"
    )
    .bind(id)
    .bind(before)
    .bind(before + entries.len() as i64)
    .execute(conn)
    .await
    .map(|done| done.rows_affected() == 1))?;
    if !moved || entries.is_empty() {
        return Ok(moved);
    }
    let sql = sql!(
        "insert into statement_lines (statement_id, line, part, at, payment_no, number, refund_no, refund_number, amount,
                                      fee, standing)
         values [($1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)]"
    );
    let sql = sql.repeated(entries.len());
    with_tx!(tx, |conn| {
        let query = entries.iter().fold(sqlx::query(sql.text()).bind(id), |query, entry| {
            query
                .bind(entry.line)
                .bind(entry.part.code())
                .bind(entry.at)
                .bind(&entry.payment)
                .bind(&entry.number)
                .bind(&entry.refund)
                .bind(&entry.refund_number)
                .bind(entry.amount.0)
                .bind(entry.fee)
                .bind(entry.standing.code())
        });
        query.execute(conn).await.map(drop)
    })?;
    Ok(true)
}

#[derive(sqlx::FromRow)]
struct Line {
    line: i64,
    part: String,
    at: i64,
    payment_no: String,
    number: String,
    refund_no: String,
    refund_number: String,
    amount: i64,
    fee: i64,
    standing: String,
}

/// A statement's lines behind one.
pub async fn lines(db: &Db, id: &str, after: i64, most: i64) -> Result<Vec<Entry>, Error> {
    let lines: Vec<Line> = with_db!(db, |pool| sqlx::query_as(
        "select line, part, at, payment_no, number, refund_no, refund_number, amount, fee, standing
         from statement_lines where statement_id = $1 and line > $2 order by line limit $3"
    )
    .bind(id)
    .bind(after)
    .bind(most)
    .fetch_all(pool)
    .await)?;
    let word = || Error::internal("a line of a statement has an unknown word");
    let entry = |line: Line| {
        Ok(Entry {
            line: line.line,
            part: Part::of(&line.part).ok_or_else(word)?,
            at: line.at,
            payment: line.payment_no,
            number: line.number,
            refund: line.refund_no,
            refund_number: line.refund_number,
            amount: Fen(line.amount),
            fee: line.fee,
            standing: Standing::of(&line.standing).ok_or_else(word)?,
        })
    };
    lines.into_iter().map(entry).collect()
}

/// Notes that lines up to one were held against what is known here, with what differs and which refund a line that did not say
/// it is of; false where that was done before.
pub async fn set_matched(
    tx: &mut Tx,
    statement: &Statement,
    (before, after): (i64, i64),
    found: &[Found],
    refunds: &[(i64, String)],
) -> Result<bool, Error> {
    let moved = with_tx!(&mut *tx, |conn| sqlx::query(
        "update statements set matched = $3 where id = $1 and matched = $2 and done_at is null"
    )
    .bind(&statement.id)
    .bind(before)
    .bind(after)
    .execute(conn)
    .await
    .map(|done| done.rows_affected() == 1))?;
    if !moved {
        return Ok(false);
    }
    for (line, refund) in refunds {
        with_tx!(&mut *tx, |conn| sqlx::query(
            "update statement_lines set refund_no = $3 where statement_id = $1 and line = $2"
        )
        .bind(&statement.id)
        .bind(line)
        .bind(refund)
        .execute(conn)
        .await
        .map(drop))?;
    }
    differ(tx, statement, found).await?;
    Ok(true)
}

/// Writes what differs; what is known stays as it is.
pub async fn differ(tx: &mut Tx, statement: &Statement, found: &[Found]) -> Result<(), Error> {
    if found.is_empty() {
        return Ok(());
    }
    let sql = sql!(
        "insert into statement_differences (id, statement_id, place, kind, part, line, payment_id, refund_id, our_amount,
             their_amount, our_state, their_state, our_number, their_number, at, found_at)
         values [(?, $1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, $2)] on conflict (statement_id, place) do nothing"
    );
    let sql = sql.repeated(found.len());
    with_tx!(tx, |conn| {
        let query = sqlx::query(sql.text()).bind(&statement.id).bind(statement.created_at);
        let query = found.iter().fold(query, |query, found| {
            query
                .bind(new_id::<String>())
                .bind(found.place())
                .bind(found.kind.code())
                .bind(found.part.code())
                .bind(found.line)
                .bind(&found.payment)
                .bind(&found.refund)
                .bind(found.our_amount.map(|amount| amount.0))
                .bind(found.their_amount.map(|amount| amount.0))
                .bind(found.our_state)
                .bind(found.their_state)
                .bind(&found.our_number)
                .bind(&found.their_number)
                .bind(found.at)
        });
        query.execute(conn).await.map(drop)
    })?;
    Ok(())
}

/// What another day's statement was found without is in this one's lines: the money moved near midnight, or was told of late.
pub async fn forget_found(tx: &mut Tx, part: Part, ids: &[&str]) -> Result<(), Error> {
    if ids.is_empty() {
        return Ok(());
    }
    let sql = match part {
        Part::Payment => sql!(
            "delete from statement_differences where kind = 'ours' and part = 'payment' and settled_at is null
             and payment_id in ([?])"
        ),
        Part::Refund => sql!(
            "delete from statement_differences where kind = 'ours' and part = 'refund' and settled_at is null
             and refund_id in ([?])"
        ),
    };
    let sql = sql.repeated(ids.len());
    with_tx!(tx, |conn| ids
        .iter()
        .fold(sqlx::query(sql.text()), |query, id| query.bind(*id))
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes that all of it was held against what is known here.
pub async fn set_done(db: &Db, id: &str, now: i64) -> Result<(), Error> {
    with_write!(db, |conn| sqlx::query(
        "update statements set done_at = $2 where id = $1 and done_at is null"
    )
    .bind(id)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Begins again with one that was done, without what waits; false where it is not done.
pub async fn begin_again(tx: &mut Tx, id: &str) -> Result<bool, Error> {
    let begun = with_tx!(&mut *tx, |conn| sqlx::query(
        "update statements set done_at = null, matched = 0 where id = $1 and done_at is not null"
    )
    .bind(id)
    .execute(conn)
    .await
    .map(|done| done.rows_affected() == 1))?;
    if begun {
        with_tx!(tx, |conn| sqlx::query(
            "delete from statement_differences where statement_id = $1 and settled_at is null"
        )
        .bind(id)
        .execute(conn)
        .await
        .map(drop))?;
    }
    Ok(begun)
}

/// What differs.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Differing {
    pub id: String,
    pub statement_id: String,
    pub format: String,
    pub place: String,
    pub kind: String,
    pub part: String,
    pub line: Option<i64>,
    pub payment_id: Option<String>,
    pub refund_id: Option<String>,
    pub our_amount: Option<i64>,
    pub their_amount: Option<i64>,
    pub our_state: Option<String>,
    pub their_state: Option<String>,
    pub our_number: Option<String>,
    pub their_number: Option<String>,
    pub at: i64,
    pub settled_by: Option<String>,
    pub settled_at: Option<i64>,
    pub note: Option<String>,
}

const DIFFERING: &str = "d.id, d.statement_id, s.format, d.place, d.kind, d.part, d.line, d.payment_id, d.refund_id,
     d.our_amount, d.their_amount, d.our_state, d.their_state, d.our_number, d.their_number, d.at, d.settled_by,
     d.settled_at, d.note";

/// Whether a difference is meant: `$2` is 1 for those that wait, `$4` the pattern of a search, `$3` what the list is behind.
const MEANT: &str = "($2 = 0 or d.settled_at is null) and d.id > $3
     and ($4 = '%%' or lower(d.payment_id) like lower($4) escape '\\' or lower(d.refund_id) like lower($4) escape '\\'
          or lower(d.our_number) like lower($4) escape '\\' or lower(d.their_number) like lower($4) escape '\\'
          or lower(d.note) like lower($4) escape '\\')";

/// Which differences are meant.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Of one statement; of all where it is empty.
    pub statement: String,
    /// Only what waits.
    pub is_open: bool,
    pub search: String,
}

/// What differs, as it was found, behind the difference `after`.
pub async fn differing(db: &Db, wanted: &Wanted, after: &str, most: i64) -> Result<Vec<Differing>, Error> {
    // two, as an index has the differences of one statement
    let sql = if wanted.statement.is_empty() {
        sql!(
            "select {DIFFERING} from statement_differences d join statements s on s.id = d.statement_id
             where $1 = '' and {MEANT} order by d.id limit $5"
        )
    } else {
        sql!(
            "select {DIFFERING} from statement_differences d join statements s on s.id = d.statement_id
             where d.statement_id = $1 and {MEANT} order by d.id limit $5"
        )
    };
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(&wanted.statement)
        .bind(i64::from(wanted.is_open))
        .bind(after)
        .bind(pattern(&wanted.search))
        .bind(most)
        .fetch_all(pool)
        .await)?)
}

/// How many wait, and since when the oldest does.
pub async fn count_open(db: &Db) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(found_at) from statement_differences where settled_at is null"
    )
    .fetch_one(pool)
    .await)?)
}

/// Settles one that waits, and answers it; nothing where it was settled before.
///
/// # Errors
/// [`Error::NotFound`] where the statement has no such difference.
pub async fn settle(
    tx: &mut Tx,
    statement: &str,
    id: &str,
    by: &str,
    note: &str,
    now: i64,
) -> Result<Option<Differing>, Error> {
    let settled = with_tx!(&mut *tx, |conn| sqlx::query(
        "update statement_differences set settled_by = $3, settled_at = $4, note = $5
         where id = $2 and statement_id = $1 and settled_at is null"
    )
    .bind(statement)
    .bind(id)
    .bind(by)
    .bind(now)
    .bind(note)
    .execute(conn)
    .await
    .map(|done| done.rows_affected() == 1))?;
    let sql = sql!(
        "select {DIFFERING} from statement_differences d join statements s on s.id = d.statement_id
         where d.statement_id = $1 and d.id = $2"
    );
    let found: Option<Differing> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(statement).bind(id).fetch_optional(conn).await)?;
    let found = found.ok_or(Error::NotFound)?;
    Ok(settled.then_some(found))
}
