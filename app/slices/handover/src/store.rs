//! SQL of the hot folder. Whoever changes a job names the state in which it was seen: two machines may look at once.

use std::collections::BTreeMap;

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::hot_folder::{JobNumber, Parts};
use domain::ids::OrderId;

use super::place::Listed;

/// Where a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It is whole, and is being put in its place.
    Placing,
    /// It was put in its place.
    Placed,
    /// It is not in its place any more: the workflow has it, or somebody has deleted it.
    Taken,
    /// It came back printed, or the floor says that it is.
    Printed,
    /// It was taken back before anybody touched it.
    Withdrawn,
    /// A clerk wants its lines in the folder once more.
    Again,
    /// Another job has its lines.
    Replaced,
    /// A clerk has seen to it.
    Closed,
}

impl State {
    const ALL: [Self; 8] = [
        Self::Placing,
        Self::Placed,
        Self::Taken,
        Self::Printed,
        Self::Withdrawn,
        Self::Again,
        Self::Replaced,
        Self::Closed,
    ];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Placing => "placing",
            Self::Placed => "placed",
            Self::Taken => "taken",
            Self::Printed => "printed",
            Self::Withdrawn => "withdrawn",
            Self::Again => "again",
            Self::Replaced => "replaced",
            Self::Closed => "closed",
        }
    }

    /// What a clerk reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Placing => "正在放入",
            Self::Placed => "在文件夹里",
            Self::Taken => "已取走",
            Self::Printed => "已印好",
            Self::Withdrawn => "已撤回",
            Self::Again => "等着再放一次",
            Self::Replaced => "另放了一份",
            Self::Closed => "已处理",
        }
    }
}

/// Something that was put into the folder, or is about to be.
#[derive(Debug, Clone)]
pub struct Job {
    pub number: JobNumber,
    /// What its folder is called.
    pub name: String,
    pub parts: Parts,
    pub files: Vec<Listed>,
    /// What it is called before it is in its place.
    pub staging: String,
    pub state: State,
    /// Since when it is in its state, epoch ms.
    pub since: i64,
    pub placed_at: Option<i64>,
    pub taken_at: Option<i64>,
    pub printed_at: Option<i64>,
    /// Why it must not be printed, or not so.
    pub recalled: Option<String>,
}

#[derive(sqlx::FromRow)]
struct Row {
    order_id: String,
    number: i64,
    name: String,
    parts: String,
    files: String,
    staging: String,
    state: String,
    since: i64,
    placed_at: Option<i64>,
    taken_at: Option<i64>,
    printed_at: Option<i64>,
    recalled: Option<String>,
}

impl TryFrom<Row> for Job {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let state = State::ALL.into_iter().find(|state| state.code() == row.state);
        let order = row.order_id.try_into().map_err(Error::internal)?;
        Ok(Self {
            number: JobNumber { order, number: row.number.try_into().map_err(Error::internal)? },
            name: row.name,
            parts: row.parts.parse().map_err(Error::internal)?,
            files: serde_json::from_str(&row.files)?,
            staging: row.staging,
            state: state.ok_or_else(|| Error::internal(format!("no state of a job: {}", row.state)))?,
            since: row.since,
            placed_at: row.placed_at,
            taken_at: row.taken_at,
            printed_at: row.printed_at,
            recalled: row.recalled,
        })
    }
}

const COLUMNS: &str =
    "order_id, number, name, parts, files, staging, state, since, placed_at, taken_at, printed_at, recalled";

fn read(rows: Vec<Row>) -> Result<Vec<Job>, Error> {
    rows.into_iter().map(Job::try_from).collect()
}

/// Those that are not over, the oldest first.
pub async fn active(db: &Db) -> Result<Vec<Job>, Error> {
    let sql = sql!(
        "select {COLUMNS} from hot_folder_jobs where state in ('placing', 'placed', 'taken', 'again')
         order by since, order_id, number"
    );
    read(with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_all(pool).await)?)
}

/// The newest of the others.
pub async fn over(db: &Db, most: i64) -> Result<Vec<Job>, Error> {
    let sql = sql!(
        "select {COLUMNS} from hot_folder_jobs where state not in ('placing', 'placed', 'taken', 'again')
         order by since desc, order_id, number limit $1"
    );
    read(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(most).fetch_all(pool).await)?)
}

/// All of an order's.
pub async fn of_order(db: &Db, order: &OrderId) -> Result<Vec<Job>, Error> {
    let sql = sql!("select {COLUMNS} from hot_folder_jobs where order_id = $1 order by number");
    read(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(order.as_str()).fetch_all(pool).await)?)
}

/// Orders that are asked for at once.
const AT_ONCE: usize = 500;

/// All of some orders', each order's in their order.
pub async fn of_orders(db: &Db, orders: &[OrderId]) -> Result<Vec<Job>, Error> {
    let mut jobs = Vec::new();
    for orders in orders.chunks(AT_ONCE) {
        let sql =
            sql!("select {COLUMNS} from hot_folder_jobs where order_id in ([?]) order by order_id, number")
                .repeated(orders.len());
        let rows = with_db!(db, |pool| {
            let query = sqlx::query_as(sql.text());
            orders.iter().fold(query, |query, order| query.bind(order.as_str())).fetch_all(pool).await
        })?;
        jobs.extend(read(rows)?);
    }
    Ok(jobs)
}

pub async fn find(db: &Db, number: &JobNumber) -> Result<Option<Job>, Error> {
    let sql = sql!("select {COLUMNS} from hot_folder_jobs where order_id = $1 and number = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(number.order.as_str())
        .bind(i64::from(number.number))
        .fetch_optional(pool)
        .await)?;
    row.map(Job::try_from).transpose()
}

/// Holds a job's row. The write that changes nothing is the portable form of `for update`.
pub async fn lock(tx: &mut Tx, number: &JobNumber) -> Result<Job, Error> {
    let sql = sql!(
        "update hot_folder_jobs set state = state where order_id = $1 and number = $2 returning {COLUMNS}"
    );
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(number.order.as_str())
        .bind(i64::from(number.number))
        .fetch_optional(conn)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Adds one that is whole; false where another machine was first.
pub async fn insert(tx: &mut Tx, job: &Job) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
            "insert into hot_folder_jobs (order_id, number, name, parts, files, staging, state, since)
             values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (order_id, number) do nothing",
        )
        .bind(job.number.order.as_str())
        .bind(i64::from(job.number.number))
        .bind(&job.name)
        .bind(job.parts.to_string())
        .bind(serde_json::to_string(&job.files)?)
        .bind(&job.staging)
        .bind(job.state.code())
        .bind(job.since)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// Moves a job that is still in the state in which it was seen; false where it is not.
pub async fn step(tx: &mut Tx, job: &Job, to: State, now: i64) -> Result<bool, Error> {
    let at = |state: State| (to == state).then_some(now);
    let moved = with_tx!(tx, |conn| {
        sqlx::query(
            "update hot_folder_jobs set state = $4, since = $5, placed_at = coalesce(placed_at, $6),
                    taken_at = coalesce($7, taken_at), printed_at = coalesce($8, printed_at)
             where order_id = $1 and number = $2 and state = $3",
        )
        .bind(job.number.order.as_str())
        .bind(i64::from(job.number.number))
        .bind(job.state.code())
        .bind(to.code())
        .bind(now)
        .bind(at(State::Placed))
        .bind(at(State::Taken))
        .bind(at(State::Printed))
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(moved == 1)
}

/// Keeps why a job must not be printed; none where it may.
pub async fn set_recalled(tx: &mut Tx, number: &JobNumber, why: Option<&str>) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update hot_folder_jobs set recalled = $3 where order_id = $1 and number = $2"
    )
    .bind(number.order.as_str())
    .bind(i64::from(number.number))
    .bind(why)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// What of an order was to be put into the folder once more is in another job now.
pub async fn replace_again(tx: &mut Tx, order: &OrderId, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update hot_folder_jobs set state = 'replaced', since = $2 where order_id = $1 and state = 'again'"
    )
    .bind(order.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Which folder it was the last time: what its mark says, and what the host called it.
pub async fn known(db: &Db) -> Result<Option<(String, String)>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as("select house, named from hot_folder where id = 1")
        .fetch_optional(pool)
        .await)?)
}

/// Keeps which folder it is; the house stays the one that it was.
pub async fn keep_known(tx: &mut Tx, house: &str, named: &str) -> Result<String, Error> {
    let house: String = with_tx!(tx, |conn| sqlx::query_scalar(
        "insert into hot_folder (id, house, named) values (1, $1, $2)
         on conflict (id) do update set named = excluded.named returning house"
    )
    .bind(house)
    .bind(named)
    .fetch_one(conn)
    .await)?;
    Ok(house)
}

/// Something that hangs.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Trouble {
    pub subject: String,
    pub words: String,
    pub since: i64,
}

pub async fn troubles(db: &Db) -> Result<Vec<Trouble>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select subject, words, since from hot_folder_troubles order by since, subject"
    )
    .fetch_all(pool)
    .await)?)
}

/// How much hangs, and since when the first of it does.
pub async fn count_troubles(db: &Db) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as("select count(*), min(since) from hot_folder_troubles")
        .fetch_one(pool)
        .await)?)
}

/// Keeps what hangs now, and forgets the rest. Nothing is written where nothing has changed. Answers what is new.
pub async fn set_troubles(
    db: &Db,
    now_hang: &BTreeMap<String, String>,
    now: i64,
) -> Result<Vec<(String, String)>, Error> {
    let known: BTreeMap<String, String> =
        troubles(db).await?.into_iter().map(|trouble| (trouble.subject, trouble.words)).collect();
    if known == *now_hang {
        return Ok(Vec::new());
    }
    let mut tx = db.begin().await?;
    for subject in known.keys().filter(|subject| !now_hang.contains_key(*subject)) {
        with_tx!(&mut tx, |conn| sqlx::query("delete from hot_folder_troubles where subject = $1")
            .bind(subject)
            .execute(conn)
            .await
            .map(drop))?;
    }
    let mut new = Vec::new();
    for (subject, words) in now_hang.iter().filter(|(subject, words)| known.get(*subject) != Some(words)) {
        with_tx!(&mut tx, |conn| sqlx::query(
            "insert into hot_folder_troubles (subject, words, since) values ($1, $2, $3)
             on conflict (subject) do update set words = excluded.words"
        )
        .bind(subject)
        .bind(words)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
        new.push((subject.clone(), words.clone()));
    }
    tx.commit().await?;
    Ok(new)
}
