//! What somebody in the back office gives, and what of it waits until another one agrees ([`domain::approval`]).
//!
//! Slices give in their own transactions and ask here first; the ledger refuses what a clerk's request posts without
//! ([`audit::may_move`]). The host's command line has no limit: whoever has the machine has the database.

use axum::http::request::Parts;
use base::audit;
use base::db::{Db, Tx, new_id, now_ms, sql, with_db, with_tx};
use base::error::Error;
use domain::approval::{Alone, WINDOW_MS, may_agree};
use domain::money::Fen;
use serde_json::{Value, json};

use crate::app::App;
use crate::render::Form;
use crate::staff::{Staff, asks_code};

/// What came of a form that was sent from a page of the back office.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// It had been done before.
    Before,
    /// It waits until another one agrees.
    Asked,
    /// It had been asked for before.
    AskedBefore,
    /// Another one did not agree.
    Declined,
    /// Whoever asked does not ask any more.
    TakenBack,
}

impl Outcome {
    /// Each.
    pub const ALL: [Self; 6] =
        [Self::Done, Self::Before, Self::Asked, Self::AskedBefore, Self::Declined, Self::TakenBack];

    /// Of what says whether it was asked for now.
    pub fn asked(is_now: bool) -> Self {
        if is_now { Self::Asked } else { Self::AskedBefore }
    }

    /// Whether it changed nothing.
    pub fn is_unchanged(self) -> bool {
        matches!(self, Self::Before | Self::AskedBefore)
    }
}

/// Of what says whether it was done now.
impl From<bool> for Outcome {
    fn from(is_now: bool) -> Self {
        if is_now { Self::Done } else { Self::Before }
    }
}

/// By what right something is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By<'a> {
    /// Whoever acts gives it alone.
    OwnRight,
    /// Somebody else agrees to a request, which is decided in the same transaction.
    Agreement { request: &'a str, name: &'a str },
}

/// A kind of what is given of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// As it is stored.
    pub name: &'static str,
    /// What the audit log calls giving of it; asking for it and deciding on it end with [`ASK`] and [`DECIDE`].
    pub log: &'static str,
}

/// How the log's key of asking ends, and what people say before the name.
pub const ASK: (&str, &str) = ("-ask", "提出");
/// The same of deciding.
pub const DECIDE: (&str, &str) = ("-decide", "复核");

/// What is given of.
#[derive(Debug, Clone, Copy)]
pub struct Thing<'a> {
    pub kind: Kind,
    pub id: &'a str,
}

/// What somebody wants to give, until another one decides.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Request {
    pub id: String,
    /// The id of the thing that it is given of.
    pub about: String,
    /// 分; all that is left where there is none.
    pub amount: Option<i64>,
    pub reason: String,
    pub asked_by: String,
    pub asked_at: i64,
    pub decided_at: Option<i64>,
}

const COLUMNS: &str = "id, about, amount, reason, asked_by, asked_at, decided_at";

/// Notes what is about to be given in this transaction; false, and nothing may be given, where whoever acts may not give that
/// much alone, or the request was decided before. Whoever acts, and the thing, are held to the end of the transaction, so that
/// two presses at once add up, too.
pub async fn gives(
    app: &App,
    tx: &mut Tx,
    by: By<'_>,
    thing: Thing<'_>,
    amount: Fen,
    now: i64,
) -> Result<bool, Error> {
    let may = match (by, audit::clerk()) {
        (By::Agreement { request, name }, _) => decide(tx, request, name, true, now).await?,
        (By::OwnRight, Some(name)) => gives_alone(app, tx, &name, thing, amount, now).await?,
        (By::OwnRight, None) => true,
    };
    if may {
        audit::moves();
    }
    Ok(may)
}

/// Says that what a clerk's request posts gives nobody anything, and why: it needs no other one.
pub fn gives_nothing(why: &'static str) {
    tracing::debug!(why, "Money moves in the back office, and nobody is given any");
    audit::moves();
}

async fn gives_alone(
    app: &App,
    tx: &mut Tx,
    name: &str,
    thing: Thing<'_>,
    amount: Fen,
    now: i64,
) -> Result<bool, Error> {
    // always in this order, so that no two wait for each other; no name has a space in it
    hold(tx, name).await?;
    hold(tx, &format!("{} {}", thing.kind.name, thing.id)).await?;
    let (lately, of_this): (i64, i64) = with_tx!(&mut *tx, |conn| {
        sqlx::query_as(
        "select (select cast(coalesce(sum(amount), 0) as bigint) from given_alone
                 where given_by = $1 and given_at > $2),
                (select cast(coalesce(sum(amount), 0) as bigint) from given_alone where kind = $3 and about = $4)"
    )
    .bind(name)
    .bind(now - WINDOW_MS)
    .bind(thing.kind.name)
    .bind(thing.id)
    .fetch_one(conn)
    .await
    })?;
    let alone = Alone { lately: Fen(lately), of_this: Fen(of_this) };
    if !alone.may_give(amount, app.config.staff_limit) {
        return Ok(false);
    }
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into given_alone (id, given_by, kind, about, amount, given_at) values ($1, $2, $3, $4, $5, $6)"
    )
    .bind(new_id::<String>())
    .bind(name)
    .bind(thing.kind.name)
    .bind(thing.id)
    .bind(amount.0)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(true)
}

/// Holds whoever gives, or what is given of, to the end of the transaction.
async fn hold(tx: &mut Tx, name: &str) -> Result<(), Error> {
    Ok(with_tx!(tx, |conn| sqlx::query(
        "insert into givers (name) values ($1) on conflict (name) do update set name = excluded.name"
    )
    .bind(name)
    .execute(conn)
    .await
    .map(drop))?)
}

/// Keeps what somebody wants to give until another one has decided; whether it is kept now, or was before. Nothing moves.
pub async fn ask(app: &App, kind: Kind, request: &Request) -> Result<bool, Error> {
    let mut tx = app.db.begin().await?;
    let inserted = with_tx!(&mut tx, |conn| sqlx::query(
        "insert into approvals (id, kind, about, amount, reason, asked_by, asked_at)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing",
    )
    .bind(&request.id)
    .bind(kind.name)
    .bind(&request.about)
    .bind(request.amount)
    .bind(&request.reason)
    .bind(&request.asked_by)
    .bind(request.asked_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    if inserted == 0 {
        return Ok(false);
    }
    let detail =
        json!({ "request": request.id, "amount": request.amount.map(Fen), "reason": request.reason });
    note(&mut tx, kind, ASK, request, &detail).await?;
    tx.commit().await?;
    Ok(true)
}

/// What was asked for of a thing, the newest first.
pub async fn of(db: &Db, thing: Thing<'_>) -> Result<Vec<Request>, Error> {
    let sql = sql!(
        "select {COLUMNS} from approvals where kind = $1 and about = $2 order by asked_at desc, id desc"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(thing.kind.name)
        .bind(thing.id)
        .fetch_all(pool)
        .await)?)
}

/// How many of a kind wait, and since when the first does.
pub async fn count(db: &Db, kind: Kind) -> Result<(i64, Option<i64>), Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select count(*), min(asked_at) from approvals where kind = $1 and decided_at is null"
    )
    .bind(kind.name)
    .fetch_one(pool)
    .await)?)
}

/// What somebody else decides on a request.
#[derive(Debug, Clone)]
pub struct Decision {
    pub request: Request,
    pub grants: bool,
    /// Who decides.
    by: String,
}

impl Decision {
    /// Reads the fields `request` and `decision` of a form about a thing. What is wrong is refused in the form, which asks for a
    /// code where money is to move.
    pub async fn read(
        app: &App,
        parts: &Parts,
        staff: Staff,
        form: &mut Form,
        thing: Thing<'_>,
    ) -> Result<Self, Error> {
        let known = of(&app.db, thing).await?;
        let request =
            known.into_iter().find(|request| request.id == form.get("request")).ok_or(Error::NotFound)?;
        let grants = match form.get("decision") {
            "grant" => true,
            "decline" => false,
            _ => return Err(Error::BadRequest("没有这一步".into())),
        };
        if grants && !may_agree(&request.asked_by, &staff.name) {
            form.refuse("", "自己提出的，要由另一位同事复核");
        }
        if grants {
            asks_code(app, parts, &staff, form).await?;
        }
        Ok(Self { request, grants, by: staff.name })
    }

    /// Whether somebody had decided when it was read.
    pub fn is_late(&self) -> bool {
        self.request.decided_at.is_some()
    }

    /// What came of it, where it was carried out now, or before.
    pub fn outcome(&self, is_now: bool) -> Outcome {
        match (is_now, self.grants) {
            (true, false) if self.by == self.request.asked_by => Outcome::TakenBack,
            (true, false) => Outcome::Declined,
            (is_now, _) => is_now.into(),
        }
    }

    /// By what right the slice gives.
    pub fn right(&self) -> By<'_> {
        By::Agreement { request: &self.request.id, name: &self.by }
    }

    /// Under what key the slice gives: the request's own, so that it is given once.
    pub fn key(&self) -> String {
        format!("second-{}", self.request.id)
    }

    /// Notes that it was given, after the transaction that gave it.
    pub async fn note_granted(&self, app: &App, kind: Kind) -> Result<(), Error> {
        let mut tx = app.db.begin().await?;
        self.note(&mut tx, kind).await?;
        Ok(tx.commit().await?)
    }

    /// Declines; whether it is done now, or was decided before.
    pub async fn decline(&self, app: &App, kind: Kind) -> Result<bool, Error> {
        let mut tx = app.db.begin().await?;
        if !decide(&mut tx, &self.request.id, &self.by, false, now_ms()).await? {
            return Ok(false);
        }
        self.note(&mut tx, kind).await?;
        tx.commit().await?;
        Ok(true)
    }

    async fn note(&self, tx: &mut Tx, kind: Kind) -> Result<(), Error> {
        let (id, asked_by) = (&self.request.id, &self.request.asked_by);
        let outcome = if self.grants { "granted" } else { "declined" };
        let detail = json!({ "request": id, "outcome": outcome, "asked_by": asked_by });
        note(tx, kind, DECIDE, &self.request, &detail).await
    }
}

async fn note(
    tx: &mut Tx,
    kind: Kind,
    (end, _): (&str, &str),
    request: &Request,
    detail: &Value,
) -> Result<(), Error> {
    audit::note(tx, &format!("{}{end}", kind.log), &request.about, detail).await
}

/// Writes what was decided; false where somebody had decided before.
async fn decide(tx: &mut Tx, id: &str, by: &str, grants: bool, now: i64) -> Result<bool, Error> {
    let decided = with_tx!(tx, |conn| {
        sqlx::query(
        "update approvals set decided_by = $2, decided_at = $3, outcome = $4 where id = $1 and decided_at is null"
    )
    .bind(id)
    .bind(by)
    .bind(now)
    .bind(if grants { "granted" } else { "declined" })
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(decided == 1)
}
