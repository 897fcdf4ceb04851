//! SQL of the floor. Whoever changes a line has locked its order's.

use base::db::{Db, Sql, Tx, formatcp, joined, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::OrderId;
use domain::production::{Stage, Stages};

pub mod plan;

/// A line of an order on the floor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub order: OrderId,
    /// Its number in the order.
    pub line: i64,
    pub title: String,
    pub goods: String,
    pub copies: u32,
    /// Printed sides of one copy.
    pub pages: u32,
    pub stages: Stages,
    /// 1, and one more each time it is printed again.
    pub round: i64,
    /// Where it is; none before it is begun, and when it has left.
    pub stage: Option<Stage>,
    /// Since when it has been there, or has waited to be begun, epoch ms.
    pub since: i64,
    /// Who has it.
    pub holder: Option<String>,
    /// Why it is on hold.
    pub held: Option<String>,
    /// Since when it is, epoch ms.
    pub held_since: Option<i64>,
    /// The first moment of the day by whose end it is promised, epoch ms; none where nobody can say.
    pub due: Option<i64>,
    pub ended: Option<Ended>,
    /// One more each time something of it changes: what a page has seen.
    pub version: i64,
}

/// What stands for a day that nobody can say: behind all others. (9999-12-31 in China, epoch ms)
const NEVER: i64 = 253_402_185_600_000;

/// How a line left the floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Shipped,
    /// Its order was cancelled, or its money given back.
    Dropped,
}

impl Ended {
    fn code(self) -> &'static str {
        match self {
            Self::Shipped => "shipped",
            Self::Dropped => "dropped",
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    order_id: String,
    line: i64,
    title: String,
    goods: String,
    copies: i64,
    pages: i64,
    stages: String,
    round: i64,
    stage: Option<String>,
    since: i64,
    holder: Option<String>,
    held: Option<String>,
    held_since: Option<i64>,
    due: i64,
    ended: Option<String>,
    version: i64,
}

impl TryFrom<Row> for Line {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            order: row.order_id.try_into().map_err(Error::internal)?,
            line: row.line,
            title: row.title,
            goods: row.goods,
            copies: row.copies.try_into().map_err(Error::internal)?,
            pages: row.pages.try_into().map_err(Error::internal)?,
            stages: row.stages.parse().map_err(Error::internal)?,
            round: row.round,
            stage: row.stage.map(|stage| stage.parse()).transpose().map_err(Error::internal)?,
            since: row.since,
            holder: row.holder,
            held: row.held,
            held_since: row.held_since,
            due: (row.due < NEVER).then_some(row.due),
            version: row.version,
            ended: match row.ended.as_deref() {
                None => None,
                Some("shipped") => Some(Ended::Shipped),
                Some("dropped") => Some(Ended::Dropped),
                Some(other) => return Err(Error::internal(format!("no end of production: {other}"))),
            },
        })
    }
}

const COLUMNS: &str = "order_id, line, title, goods, copies, pages, stages, round, stage, since, holder, held, held_since, due, ended, version";

/// Puts a line on the floor, in the place of what it was there before.
pub async fn put(tx: &mut Tx, line: &Line) -> Result<(), Error> {
    let sql = sql!(
        "insert into production ({COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
         on conflict (order_id, line) do update set
             title = excluded.title, goods = excluded.goods, copies = excluded.copies, pages = excluded.pages,
             stages = excluded.stages, round = excluded.round, stage = excluded.stage, since = excluded.since,
             holder = excluded.holder, held = excluded.held, held_since = excluded.held_since, due = excluded.due,
             ended = excluded.ended, version = excluded.version"
    );
    with_tx!(tx, |conn| sqlx::query(sql.text())
        .bind(line.order.as_str())
        .bind(line.line)
        .bind(&line.title)
        .bind(&line.goods)
        .bind(i64::from(line.copies))
        .bind(i64::from(line.pages))
        .bind(line.stages.to_string())
        .bind(line.round)
        .bind(line.stage.map(Stage::code))
        .bind(line.since)
        .bind(&line.holder)
        .bind(&line.held)
        .bind(line.held_since)
        .bind(line.due.unwrap_or(NEVER))
        .bind(line.ended.map(Ended::code))
        .bind(line.version)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Orders with something on the floor, and whether all of that is begun.
pub async fn open_orders(db: &Db) -> Result<Vec<(OrderId, bool)>, Error> {
    let rows: Vec<(String, i64)> = with_db!(db, |pool| {
        sqlx::query_as(
        "select order_id, min(case when stage is null then cast(0 as bigint) else cast(1 as bigint) end) from production
         where ended is null group by order_id"
    )
    .fetch_all(pool)
    .await
    })?;
    rows.into_iter().map(|(id, begun)| Ok((id.try_into().map_err(Error::internal)?, begun == 1))).collect()
}

/// Writes what of a locked line may change.
pub async fn update(tx: &mut Tx, line: &Line) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "update production set stage = $3, since = $4, holder = $5, held = $6, held_since = $7, due = $8, ended = $9,
                version = version + 1
         where order_id = $1 and line = $2"
    )
    .bind(line.order.as_str())
    .bind(line.line)
    .bind(line.stage.map(Stage::code))
    .bind(line.since)
    .bind(&line.holder)
    .bind(&line.held)
    .bind(line.held_since)
    .bind(line.due.unwrap_or(NEVER))
    .bind(line.ended.map(Ended::code))
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Writes how many copies of a locked line are made.
pub async fn set_copies(tx: &mut Tx, line: &Line, copies: u32) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update production set copies = $3, version = version + 1 where order_id = $1 and line = $2"
    )
    .bind(line.order.as_str())
    .bind(line.line)
    .bind(i64::from(copies))
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Locks one line.
pub async fn lock_line(tx: &mut Tx, number: &Number) -> Result<Line, Error> {
    let sql =
        sql!("update production set round = round where order_id = $1 and line = $2 returning {COLUMNS}");
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(number.order.as_str())
        .bind(number.line)
        .fetch_optional(conn)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Locks an order's lines. The write that changes nothing is the portable form of `for update`.
pub async fn lock(tx: &mut Tx, order: &OrderId) -> Result<Vec<Line>, Error> {
    let sql = sql!("update production set round = round where order_id = $1 returning {COLUMNS}");
    let rows: Vec<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(order.as_str()).fetch_all(conn).await)?;
    let lines: Result<Vec<Line>, Error> = rows.into_iter().map(Line::try_from).collect();
    let mut lines = lines?;
    lines.sort_by_key(|line| line.line);
    Ok(lines)
}

const OF_ORDER: Sql = sql!("select {COLUMNS} from production where order_id = $1 order by line");

/// An order's lines on the floor, in their order.
pub async fn of_order(db: &Db, order: &OrderId) -> Result<Vec<Line>, Error> {
    let rows: Vec<Row> =
        with_db!(db, |pool| sqlx::query_as(OF_ORDER.text()).bind(order.as_str()).fetch_all(pool).await)?;
    rows.into_iter().map(Line::try_from).collect()
}

/// The same within a transaction.
pub async fn of_order_within(tx: &mut Tx, order: &OrderId) -> Result<Vec<Line>, Error> {
    let rows: Vec<Row> =
        with_tx!(tx, |conn| sqlx::query_as(OF_ORDER.text()).bind(order.as_str()).fetch_all(conn).await)?;
    rows.into_iter().map(Line::try_from).collect()
}

/// Every line on the floor. One that another program wrote, and that can't be read here, hides no other.
pub async fn open(db: &Db) -> Result<Vec<Line>, Error> {
    let sql = sql!("select {COLUMNS} from production where ended is null order by order_id, line");
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_all(pool).await)?;
    Ok(rows.into_iter().filter_map(readable).collect())
}

fn readable(row: Row) -> Option<Line> {
    let number = (row.order_id.clone(), row.line);
    Line::try_from(row).inspect_err(|error| tracing::error!(?number, %error, "A line can't be read")).ok()
}

/// What happened to a line.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Event {
    pub line: i64,
    pub round: i64,
    /// See [`Kind`].
    pub kind: String,
    /// The code of the stage that it was at.
    pub stage: Option<String>,
    /// A reason, or a word of a clerk's; may be empty.
    pub note: String,
    /// Who in the back office did it; empty where that was a member, the command line or the program.
    pub actor: String,
    pub happened_at: i64,
}

/// The kinds of what happens to a line, as they are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It was paid, or is to be printed again.
    Announced,
    /// Its first stage began.
    Begun,
    /// A stage is done.
    Done,
    /// It went back to an earlier stage.
    Back,
    Held,
    Released,
    Taken,
    Left,
    /// Another day is promised.
    Promised,
    Note,
    /// Money went back for some of its copies.
    Fewer,
    Shipped,
    Dropped,
}

impl Kind {
    const ALL: [Self; 13] = [
        Self::Promised,
        Self::Announced,
        Self::Begun,
        Self::Done,
        Self::Back,
        Self::Held,
        Self::Released,
        Self::Taken,
        Self::Left,
        Self::Note,
        Self::Fewer,
        Self::Shipped,
        Self::Dropped,
    ];

    pub fn code(self) -> &'static str {
        match self {
            Self::Announced => "announced",
            Self::Begun => "begun",
            Self::Done => "done",
            Self::Back => "back",
            Self::Held => "held",
            Self::Released => "released",
            Self::Taken => "taken",
            Self::Left => "left",
            Self::Promised => "promised",
            Self::Note => "note",
            Self::Fewer => "fewer",
            Self::Shipped => "shipped",
            Self::Dropped => "dropped",
        }
    }

    /// What a clerk reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Announced => "等待开印",
            Self::Begun => "开印",
            Self::Done => "完成",
            Self::Back => "退回",
            Self::Held => "暂停",
            Self::Released => "放行",
            Self::Taken => "领走",
            Self::Left => "放下",
            Self::Promised => "改交期",
            Self::Note => "备注",
            Self::Fewer => "减本数",
            Self::Shipped => "寄出",
            Self::Dropped => "撤单",
        }
    }
}

impl Event {
    pub fn kind(&self) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.code() == self.kind)
    }

    pub fn stage(&self) -> Option<Stage> {
        self.stage.as_deref().and_then(|code| code.parse().ok())
    }
}

/// Notes what happens to a locked line at its stage.
pub async fn add_event(
    tx: &mut Tx,
    line: &Line,
    kind: Kind,
    stage: Option<Stage>,
    note: &str,
    actor: &str,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into production_events (order_id, line, position, round, kind, stage, note, actor, happened_at)
         values ($1, $2, (select count(*) from production_events where order_id = $1 and line = $2), $3, $4, $5, $6, $7, $8)",
    )
    .bind(line.order.as_str())
    .bind(line.line)
    .bind(line.round)
    .bind(kind.code())
    .bind(stage.map(Stage::code))
    .bind(note)
    .bind(actor)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// What happened to a locked line last.
pub async fn last_event(tx: &mut Tx, line: &Line) -> Result<Option<Event>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select line, round, kind, stage, note, actor, happened_at from production_events
         where order_id = $1 and line = $2 order by position desc limit 1"
    )
    .bind(line.order.as_str())
    .bind(line.line)
    .fetch_optional(conn)
    .await)?)
}

/// What happened to an order's lines, the first first.
pub async fn events(db: &Db, order: &OrderId) -> Result<Vec<Event>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select line, round, kind, stage, note, actor, happened_at from production_events
         where order_id = $1 order by line, position"
    )
    .bind(order.as_str())
    .fetch_all(pool)
    .await)?)
}

/// Which lines a list shows. All of them are on the floor; the first to be promised come first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum View {
    All,
    /// Not begun yet.
    Waiting,
    At(Stage),
    /// Promised before this day, epoch ms.
    Late(i64),
    Held,
    /// Those that somebody has.
    Of(String),
}

/// Where a list goes on: behind this line.
pub type Position = base::lists::Position<Number>;

/// A line of an order as it stands in addresses: `01kb…-2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    pub order: OrderId,
    pub line: i64,
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.order, self.line)
    }
}

impl std::str::FromStr for Number {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let (order, line) = text.rsplit_once('-').ok_or(Error::NotFound)?;
        let order = order.parse().map_err(|_| Error::NotFound)?;
        Ok(Self { order, line: line.parse().map_err(|_| Error::NotFound)? })
    }
}

impl Line {
    pub fn number(&self) -> Number {
        Number { order: self.order.clone(), line: self.line }
    }

    pub fn position(&self) -> Position {
        Position { at: self.due.unwrap_or(NEVER), id: self.number() }
    }
}

const SELECT: &str = formatcp!("select {COLUMNS} from production where ended is null");
const COUNT: &str = "select count(*), min(due) from production where ended is null";
const BEHIND: &str = "and (due > $1 or due = $1 and (order_id > $2 or order_id = $2 and line > $3))";
const SORTED: &str = "order by due, order_id, line limit $4";

/// What tells the lines of a view; its value is `$5`.
fn condition(view: &View) -> &'static str {
    match view {
        View::All => "",
        View::Waiting => "and stage is null",
        View::At(_) => "and stage = $5",
        View::Late(_) => "and due < $5",
        View::Held => "and held is not null",
        View::Of(_) => "and holder = $5",
    }
}

/// Some of the lines of a view behind a position.
pub async fn page(db: &Db, view: &View, after: Option<&Position>, most: i64) -> Result<Vec<Line>, Error> {
    let sql = joined(&[SELECT, BEHIND, condition(view), SORTED]);
    let rows: Vec<Row> = with_db!(db, |pool| {
        let query = sqlx::query_as(sql.text())
            .bind(after.map_or(i64::MIN, |after| after.at))
            .bind(after.map_or("", |after| after.id.order.as_str()))
            .bind(after.map_or(0, |after| after.id.line))
            .bind(most);
        let query = match view {
            View::At(stage) => query.bind(stage.code()),
            View::Of(name) => query.bind(name),
            View::Late(day) => query.bind(day),
            View::All | View::Waiting | View::Held => query,
        };
        query.fetch_all(pool).await
    })?;
    Ok(rows.into_iter().filter_map(readable).collect())
}

/// How many lines stand at each stage, those that are not begun under none.
pub async fn count_by_stage(db: &Db) -> Result<Vec<(Option<Stage>, i64)>, Error> {
    let rows: Vec<(Option<String>, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select stage, count(*) from production where ended is null group by stage"
    )
    .fetch_all(pool)
    .await)?;
    rows.into_iter()
        .map(|(stage, count)| {
            Ok((stage.map(|stage| stage.parse()).transpose().map_err(Error::internal)?, count))
        })
        .collect()
}

/// How many lines are promised before a day, and the first of those days, epoch ms.
pub async fn count_late(db: &Db, day: i64) -> Result<(i64, Option<i64>), Error> {
    let sql = joined(&[COUNT, "and due < $1"]);
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(day).fetch_one(pool).await)?)
}

/// How many lines of a day are still here.
pub async fn count_due(db: &Db, day: i64) -> Result<i64, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select count(*) from production where ended is null and due = $1"
    )
    .bind(day)
    .fetch_one(pool)
    .await)?)
}

/// Orders with a line that was promised before a day and is here, each with the first of those days.
pub async fn late_orders(db: &Db, day: i64) -> Result<Vec<(OrderId, i64)>, Error> {
    let rows: Vec<(String, i64)> = with_db!(db, |pool| sqlx::query_as(
        "select order_id, min(due) from production where ended is null and due < $1 group by order_id"
    )
    .bind(day)
    .fetch_all(pool)
    .await)?;
    rows.into_iter().map(|(order, due)| Ok((order.try_into().map_err(Error::internal)?, due))).collect()
}

/// How many lines are on hold, and since when the first of them is.
pub async fn count_held(db: &Db) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(held_since) from production where ended is null and held is not null"
    )
    .fetch_one(pool)
    .await)?)
}
