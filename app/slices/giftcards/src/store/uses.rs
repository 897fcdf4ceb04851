//! SQL of what gift cards pay of orders, and of their moves.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::ids::{GiftCardId, MemberId, OrderId};
use domain::money::Fen;

/// What a card pays of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    pub card: GiftCardId,
    pub amount: Fen,
    /// What of it went back to the card.
    pub given_back: Fen,
}

impl Use {
    /// What the card paid and has not got back.
    pub fn kept(&self) -> Fen {
        self.amount.minus(self.given_back).unwrap_or_default()
    }
}

/// The cards on an order, in the order in which they were put on it.
pub async fn of_order(tx: &mut Tx, order: &OrderId) -> Result<Vec<Use>, Error> {
    let rows: Vec<(String, i64, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select card_id, amount, given_back from gift_card_uses where order_id = $1 order by position"
    )
    .bind(order.as_str())
    .fetch_all(conn)
    .await)?;
    rows.into_iter()
        .map(|(card, amount, given_back)| {
            let card = card.try_into().map_err(Error::internal)?;
            Ok(Use { card, amount: Fen(amount), given_back: Fen(given_back) })
        })
        .collect()
}

/// Puts a card on an order, whose rows are both held.
pub async fn insert(
    tx: &mut Tx,
    order: &OrderId,
    card: &GiftCardId,
    amount: Fen,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "insert into gift_card_uses (order_id, card_id, position, amount, put_at)
             values ($1, $2, (select coalesce(max(position), 0) + 1 from gift_card_uses where order_id = $1), $3, $4)",
        )
        .bind(order.as_str())
        .bind(card.as_str())
        .bind(amount.0)
        .bind(now)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// Takes a card off an unpaid order.
pub async fn delete(tx: &mut Tx, order: &OrderId, card: &GiftCardId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from gift_card_uses where order_id = $1 and card_id = $2")
        .bind(order.as_str())
        .bind(card.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes what of a card's payment went back to it.
pub async fn give_back(tx: &mut Tx, order: &OrderId, card: &GiftCardId, amount: Fen) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update gift_card_uses set given_back = given_back + $3 where order_id = $1 and card_id = $2"
    )
    .bind(order.as_str())
    .bind(card.as_str())
    .bind(amount.0)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// What of a locked card is set aside for orders that wait for their payment. It lasts as long as they do.
pub async fn set_aside(tx: &mut Tx, card: &GiftCardId) -> Result<Fen, Error> {
    let sum: i64 = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "select cast(coalesce(sum(u.amount), 0) as bigint) from gift_card_uses u join orders o on o.id = u.order_id
         where u.card_id = $1 and o.state = 'unpaid'"
    )
    .bind(card.as_str())
    .fetch_one(conn)
    .await
    })?;
    Ok(Fen(sum))
}

/// The orders for which something of a card is set aside, each with how much.
pub async fn waiting(tx: &mut Tx, card: &GiftCardId) -> Result<Vec<(String, Fen)>, Error> {
    let rows: Vec<(String, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select u.order_id, u.amount from gift_card_uses u join orders o on o.id = u.order_id
         where u.card_id = $1 and o.state = 'unpaid' order by u.put_at, u.order_id"
    )
    .bind(card.as_str())
    .fetch_all(conn)
    .await)?;
    Ok(rows.into_iter().map(|(order, amount)| (order, Fen(amount))).collect())
}

/// A member's cards that have something on them, each with what is set aside of it, and for one order.
pub async fn for_order(
    db: &Db,
    holder: &MemberId,
    order: &str,
) -> Result<Vec<(String, i64, i64, i64)>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select c.id, c.amount - c.spent,
                cast(coalesce(sum(case when o.state = 'unpaid' then u.amount else 0 end), 0) as bigint),
                cast(coalesce(sum(case when o.state = 'unpaid' and o.id = $2 then u.amount else 0 end), 0) as bigint)
         from gift_cards c left join gift_card_uses u on u.card_id = c.id left join orders o on o.id = u.order_id
         where c.holder_id = $1 and c.state = 'held' and c.spent < c.amount
         group by c.id, c.amount, c.spent, c.held_at order by c.held_at, c.id"
    )
    .bind(holder.as_str())
    .bind(order)
    .fetch_all(pool)
    .await
    })?)
}

/// What moves a held card's money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It pays an order, in part or whole.
    Payment,
    /// What it paid of an order comes back.
    Return,
    /// What is left goes into its holder's balance.
    Redemption,
}

impl Kind {
    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Return => "return",
            Self::Redemption => "redemption",
        }
    }

    fn of(code: &str) -> Result<Self, Error> {
        let all = [Self::Payment, Self::Return, Self::Redemption];
        all.into_iter()
            .find(|kind| kind.code() == code)
            .ok_or_else(|| Error::internal(format!("a gift card's {code}")))
    }

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Payment => "付订单",
            Self::Return => "订单退款",
            Self::Redemption => "转入余额",
        }
    }
}

/// One line of a card's book.
#[derive(Debug, Clone)]
pub struct Moved {
    pub kind: Kind,
    /// Below zero where the card has less afterwards.
    pub amount: Fen,
    pub order: Option<String>,
    pub at: i64,
}

/// Moves a locked card's money and answers the move's number, from 1. `of` is the order, and the refund's key where some comes
/// back.
///
/// # Errors
/// [`Error::Conflict`]: there is less on it.
pub async fn record(
    tx: &mut Tx,
    card: &GiftCardId,
    kind: Kind,
    amount: Fen,
    of: (Option<&OrderId>, Option<&str>),
    now: i64,
) -> Result<i64, Error> {
    let (order, key) = of;
    let moved = with_tx!(tx, |conn| {
        sqlx::query(
            "update gift_cards set spent = spent - $2 where id = $1 and state = 'held' and spent - $2 between 0 and amount",
        )
        .bind(card.as_str())
        .bind(amount.0)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    if moved == 0 {
        return Err(Error::Conflict("礼品卡里的钱不够了，请刷新页面再试".into()));
    }
    Ok(with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "insert into gift_card_moves (card_id, number, kind, amount, order_id, refund_key, moved_at)
         values ($1, (select coalesce(max(number), 0) + 1 from gift_card_moves where card_id = $1), $2, $3, $4, $5, $6)
         returning number"
    )
    .bind(card.as_str())
    .bind(kind.code())
    .bind(amount.0)
    .bind(order.map(OrderId::as_str))
    .bind(key)
    .bind(now)
    .fetch_one(conn)
    .await
    })?)
}

/// A card's book, the first line first.
pub async fn moves(tx: &mut Tx, card: &GiftCardId) -> Result<Vec<Moved>, Error> {
    let rows: Vec<(String, i64, Option<String>, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select kind, amount, order_id, moved_at from gift_card_moves where card_id = $1 order by number"
    )
    .bind(card.as_str())
    .fetch_all(conn)
    .await)?;
    rows.into_iter()
        .map(|(kind, amount, order, at)| Ok(Moved { kind: Kind::of(&kind)?, amount: Fen(amount), order, at }))
        .collect()
}
