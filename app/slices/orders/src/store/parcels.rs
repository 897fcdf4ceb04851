//! SQL of parcels, and of what was printed once more.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::OrderId;
use domain::money::Fen;
use domain::order_refund::{Refunded, copies_of, unmade_of};
use domain::order_state::OrderState;
use domain::parcel::{self, Copies, Reason};

use super::{Order, Waybill};

/// A parcel of an order's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// From 1.
    pub number: i64,
    pub waybill: Waybill,
    pub contents: Copies,
    /// Epoch ms; none of one that a program sent which kept no parcels.
    pub sent_at: Option<i64>,
    /// Whether rows say just this: what a program did that kept no parcels stands in the order's own row alone.
    pub is_kept: bool,
}

/// What was printed once more at the shop's cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reprint {
    /// From 1.
    pub number: i64,
    pub copies: Copies,
    pub reason: Reason,
    /// The member reads it.
    pub note: String,
    pub cost: Fen,
}

/// What is sent of an order: how many copies were ordered and are printed again, which were refunded, and what is in which
/// parcel.
#[derive(Debug, Clone)]
pub struct Sending {
    pub ordered: Copies,
    pub refunded: Vec<Refunded>,
    pub reprints: Vec<Reprint>,
    pub parcels: Vec<Parcel>,
}

impl Sending {
    /// What is to be sent and is in no parcel yet. Nothing of an order that is not being made.
    pub fn rest(&self, state: OrderState) -> Copies {
        if !is_made(state) {
            return Copies::new();
        }
        let rest = self.unsent();
        if rest.is_empty() { self.kept() } else { rest }
    }

    /// What was ordered and not refunded.
    pub fn kept(&self) -> Copies {
        parcel::rest(&self.ordered, [&copies_of(&self.refunded)])
    }

    /// What of a line was refunded.
    pub fn refunded_of(&self, line: i64) -> u32 {
        copies_of(&self.refunded).get(&line).copied().unwrap_or(0)
    }

    /// What is made: what is printed once more, where something is, else everything; without what was refunded before it was
    /// sent.
    pub fn making(&self, state: OrderState) -> Copies {
        if self.is_untold(state) {
            return self.kept();
        }
        let (made, round) = match self.again(state) {
            Some(again) => (&again.copies, again.number),
            None => (&self.ordered, 0),
        };
        parcel::rest(made, [&unmade_of(&self.refunded, |of| of == round)])
    }

    /// How often it was printed again.
    pub fn times_again(&self) -> i64 {
        self.reprints.last().map_or(0, |last| last.number)
    }

    /// Whether copies of a parcel were refunded after they had left, since the order was printed the last time.
    pub fn is_refunded_after(&self, parcel: &Parcel) -> bool {
        let round = self.times_again();
        let sent = |one: &&Refunded| one.round == round && one.copies > one.unmade;
        self.refunded.iter().filter(sent).any(|one| parcel.contents.contains_key(&one.line))
    }

    /// Whether it is printed again by a program that did not say how many: all of it.
    pub fn is_untold(&self, state: OrderState) -> bool {
        is_made(state) && self.unsent().is_empty()
    }

    /// What is printed once more now, where something is and it is not all of it by such a program.
    pub fn again(&self, state: OrderState) -> Option<&Reprint> {
        self.reprints.last().filter(|_| !self.is_untold(state))
    }

    /// The parcels since it was printed the last time.
    pub fn round(&self) -> &[Parcel] {
        let Some((last, before)) = self.reprints.split_last() else { return &self.parcels };
        let before = parcel::sum(before.iter().map(|reprint| &reprint.copies).chain([&self.ordered]));
        let before = parcel::rest(&before, [&unmade_of(&self.refunded, |round| round < last.number)]);
        let first = (0..self.parcels.len()).find(|count| {
            let earlier = self.parcels.iter().take(*count);
            parcel::rest(&before, earlier.map(|parcel| &parcel.contents)).is_empty()
        });
        first.and_then(|first| self.parcels.get(first..)).unwrap_or_default()
    }

    /// The parcel that has a waybill.
    pub fn with(&self, waybill: &Waybill) -> Option<&Parcel> {
        self.parcels.iter().find(|parcel| parcel.waybill.is(waybill))
    }

    fn unsent(&self) -> Copies {
        let wanted = parcel::sum(self.reprints.iter().map(|reprint| &reprint.copies).chain([&self.ordered]));
        let unmade = unmade_of(&self.refunded, |_| true);
        parcel::rest(&wanted, self.parcels.iter().map(|parcel| &parcel.contents).chain([&unmade]))
    }

    /// A number for the next time that something is printed once more.
    pub fn next_reprint(&self) -> i64 {
        self.times_again() + 1
    }

    /// A number for the next parcel.
    pub fn next_number(&self) -> i64 {
        self.parcels.iter().map(|parcel| parcel.number).max().unwrap_or(0) + 1
    }
}

/// Whether an order's copies are made and sent now.
fn is_made(state: OrderState) -> bool {
    matches!(state, OrderState::Paid | OrderState::InProduction | OrderState::Reprint)
}

/// What is sent of an order. What only its own row knows is in the last parcel: a program sent it, or put its number right, that
/// kept no parcels.
pub async fn sending(tx: &mut Tx, order: &Order) -> Result<Sending, Error> {
    let ordered: Vec<(i64, i64)> = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select position, quantity from order_lines where order_id = $1"
    )
    .bind(order.id.as_str())
    .fetch_all(conn)
    .await)?;
    let reprints = reprints(tx, &order.id).await?;
    let parcels = parcels(tx, &order.id).await?;
    let refunded = super::refunded::of_order(tx, &order.id).await?;
    let mut sending = Sending { ordered: copies(ordered)?, refunded, reprints, parcels };
    let Some(waybill) = order.waybill.clone() else { return Ok(sending) };
    let (left, number) = (sending.unsent(), sending.next_number());
    let is_known = sending.with(&waybill).is_some();
    // what was sent whole left with the number that it has
    let sent = [OrderState::Shipped, OrderState::Received, OrderState::Completed];
    let is_sent = sent.contains(&order.state) && !left.is_empty();
    match sending.parcels.last_mut() {
        Some(last) if is_known && is_sent => {
            last.contents = parcel::sum([&last.contents, &left]);
            last.is_kept = false;
        }
        Some(last) if !is_known && left.is_empty() => {
            last.waybill = waybill;
            last.is_kept = false;
        }
        _ if !is_known && !left.is_empty() => {
            sending.parcels.push(Parcel { number, waybill, contents: left, sent_at: None, is_kept: false });
        }
        _ => {}
    }
    Ok(sending)
}

/// Copies as rows name them.
pub fn copies(rows: Vec<(i64, i64)>) -> Result<Copies, Error> {
    rows.into_iter().map(|(line, copies)| Ok((line, copies.try_into().map_err(Error::internal)?))).collect()
}

async fn parcels(tx: &mut Tx, order: &OrderId) -> Result<Vec<Parcel>, Error> {
    let rows: Vec<(i64, String, String, i64)> = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select number, carrier, tracking, sent_at from parcels where order_id = $1 order by number"
    )
    .bind(order.as_str())
    .fetch_all(conn)
    .await)?;
    let contents: Vec<(i64, i64, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select number, line, copies from parcel_copies where order_id = $1"
    )
    .bind(order.as_str())
    .fetch_all(conn)
    .await)?;
    rows.into_iter()
        .map(|(number, carrier, tracking, sent_at)| {
            let contents = copies(of_number(&contents, number))?;
            let waybill = Waybill { carrier, tracking };
            Ok(Parcel { number, waybill, contents, sent_at: Some(sent_at), is_kept: true })
        })
        .collect()
}

fn of_number(rows: &[(i64, i64, i64)], number: i64) -> Vec<(i64, i64)> {
    rows.iter().filter(|row| row.0 == number).map(|(_, line, copies)| (*line, *copies)).collect()
}

/// What of an order was printed once more, the first time first.
pub async fn reprints(tx: &mut Tx, order: &OrderId) -> Result<Vec<Reprint>, Error> {
    let rows: Vec<(i64, String, String, i64)> = with_tx!(&mut *tx, |conn| sqlx::query_as(
        "select number, reason, note, cost from reprints where order_id = $1 order by number"
    )
    .bind(order.as_str())
    .fetch_all(conn)
    .await)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let again: Vec<(i64, i64, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select number, line, copies from reprint_copies where order_id = $1"
    )
    .bind(order.as_str())
    .fetch_all(conn)
    .await)?;
    rows.into_iter()
        .map(|(number, reason, note, cost)| {
            let reason = reason.parse().map_err(Error::internal)?;
            Ok(Reprint { number, copies: copies(of_number(&again, number))?, reason, note, cost: Fen(cost) })
        })
        .collect()
}

/// Keeps a parcel.
pub async fn insert(tx: &mut Tx, order: &OrderId, parcel: &Parcel, now: i64) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query(
        "insert into parcels (order_id, number, carrier, tracking, sent_at) values ($1, $2, $3, $4, $5)"
    )
    .bind(order.as_str())
    .bind(parcel.number)
    .bind(&parcel.waybill.carrier)
    .bind(&parcel.waybill.tracking)
    .bind(parcel.sent_at.unwrap_or(now))
    .execute(conn)
    .await
    .map(drop))?;
    let sql = sql!("insert into parcel_copies (order_id, number, line, copies) values [(?, ?, ?, ?)]");
    insert_copies(tx, sql, order, parcel.number, &parcel.contents).await
}

async fn insert_copies(
    tx: &mut Tx,
    sql: base::db::Sql,
    order: &OrderId,
    number: i64,
    copies: &Copies,
) -> Result<(), Error> {
    if copies.is_empty() {
        return Ok(());
    }
    let sql = sql.repeated(copies.len());
    with_tx!(tx, |conn| {
        let mut query = sqlx::query(sql.text());
        for (line, copies) in copies {
            query = query.bind(order.as_str()).bind(number).bind(line).bind(i64::from(*copies));
        }
        query.execute(conn).await.map(drop)
    })?;
    Ok(())
}

/// The waybills of an order's parcels.
pub async fn waybills(db: &Db, order: &OrderId) -> Result<Vec<Waybill>, Error> {
    let rows: Vec<(String, String)> = with_db!(db, |pool| sqlx::query_as(
        "select carrier, tracking from parcels where order_id = $1 order by number"
    )
    .bind(order.as_str())
    .fetch_all(pool)
    .await)?;
    Ok(rows.into_iter().map(|(carrier, tracking)| Waybill { carrier, tracking }).collect())
}

/// Puts the number of a parcel right.
pub async fn correct(tx: &mut Tx, order: &OrderId, number: i64, waybill: &Waybill) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update parcels set carrier = $3, tracking = $4 where order_id = $1 and number = $2"
    )
    .bind(order.as_str())
    .bind(number)
    .bind(&waybill.carrier)
    .bind(&waybill.tracking)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Forgets a parcel that was not sent.
pub async fn delete(tx: &mut Tx, order: &OrderId, number: i64) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query("delete from parcel_copies where order_id = $1 and number = $2")
        .bind(order.as_str())
        .bind(number)
        .execute(conn)
        .await
        .map(drop))?;
    with_tx!(tx, |conn| sqlx::query("delete from parcels where order_id = $1 and number = $2")
        .bind(order.as_str())
        .bind(number)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Keeps what is printed once more, and who ordered it.
pub async fn insert_reprint(
    tx: &mut Tx,
    order: &OrderId,
    reprint: &Reprint,
    actor: &str,
    now: i64,
) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| {
        sqlx::query(
        "insert into reprints (order_id, number, reason, note, cost, actor, ordered_at) values ($1, $2, $3, $4, $5, $6, $7)"
    )
    .bind(order.as_str())
    .bind(reprint.number)
    .bind(reprint.reason.code())
    .bind(&reprint.note)
    .bind(reprint.cost.0)
    .bind(actor)
    .bind(now)
    .execute(conn)
    .await
    .map(drop)
    })?;
    let sql = sql!("insert into reprint_copies (order_id, number, line, copies) values [(?, ?, ?, ?)]");
    insert_copies(tx, sql, order, reprint.number, &reprint.copies).await
}

/// What was printed once more for a reason.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Counted {
    /// See [`Reason::code`].
    pub reason: String,
    pub times: i64,
    pub copies: i64,
    /// 分.
    pub cost: i64,
}

/// What was printed once more within a time (epoch ms, the end is not in it), by reasons.
pub async fn count_reprints(tx: &mut Tx, from: i64, until: i64) -> Result<Vec<Counted>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select reason, count(*) as times, cast(coalesce(sum(copies), 0) as bigint) as copies,
                cast(coalesce(sum(cost), 0) as bigint) as cost
         from (select r.reason, r.cost, (select sum(c.copies) from reprint_copies c
                                         where c.order_id = r.order_id and c.number = r.number) as copies
               from reprints r where r.ordered_at >= $1 and r.ordered_at < $2) as again
         group by reason"
    )
    .bind(from)
    .bind(until)
    .fetch_all(conn)
    .await)?)
}

/// Copies that left in parcels within a time.
pub async fn count_sent(tx: &mut Tx, from: i64, until: i64) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar(
        "select cast(coalesce(sum(c.copies), 0) as bigint) from parcels p
         join parcel_copies c on c.order_id = p.order_id and c.number = p.number
         where p.sent_at >= $1 and p.sent_at < $2"
    )
    .bind(from)
    .bind(until)
    .fetch_one(conn)
    .await)?)
}

/// One time that something was printed once more, for a list.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Listed {
    pub order_id: String,
    /// See [`Reason::code`].
    pub reason: String,
    pub note: String,
    /// 分.
    pub cost: i64,
    /// Who in the back office ordered it; empty where that was the command line.
    pub actor: String,
    pub ordered_at: i64,
    pub copies: i64,
}

/// The newest of what was printed once more within a time.
pub async fn newest_reprints(tx: &mut Tx, from: i64, until: i64, most: i64) -> Result<Vec<Listed>, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_as(
        "select r.order_id, r.reason, r.note, r.cost, r.actor, r.ordered_at,
                (select cast(coalesce(sum(c.copies), 0) as bigint) from reprint_copies c
                 where c.order_id = r.order_id and c.number = r.number) as copies
         from reprints r where r.ordered_at >= $1 and r.ordered_at < $2
         order by r.ordered_at desc, r.order_id limit $3"
    )
    .bind(from)
    .bind(until)
    .bind(most)
    .fetch_all(conn)
    .await)?)
}
