//! SQL of gift cards; of what they pay in [`uses`].

pub mod uses;

use base::db::{Db, Sql, Tx, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use base::time;
use domain::gift::Way;
use domain::gift_card::{Stored, Whose, is_over};
use domain::ids::{GiftCardId, MemberId};
use domain::money::Fen;

/// A place in a list.
pub type Position = base::lists::Position<GiftCardId>;

/// A gift card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    pub id: GiftCardId,
    pub buyer: MemberId,
    pub amount: Fen,
    pub state: Stored,
    pub pay_way: Option<String>,
    pub way: Way,
    /// Where its message goes; empty for one to be printed.
    pub address: String,
    pub receiver: String,
    pub giver: String,
    pub words: String,
    pub salt: Option<String>,
    pub digest: String,
    pub created_at: i64,
    pub paid_at: Option<i64>,
    pub expires_at: Option<i64>,
    pub sent: i64,
    pub sent_at: Option<i64>,
    /// Who has it, and since when.
    pub holder: Option<MemberId>,
    pub held_at: Option<i64>,
    /// What of its amount is gone.
    pub spent: Fen,
    /// When it was put into a balance as a whole.
    pub redeemed_at: Option<i64>,
}

impl Card {
    /// What is left on it.
    pub fn rest(&self) -> Fen {
        if self.state.is_owed() { self.amount.minus(self.spent).unwrap_or_default() } else { Fen::ZERO }
    }

    /// Whose it is, for a member.
    pub fn whose(&self, member: &MemberId) -> Whose {
        Whose::of(self.holder.as_ref(), member)
    }

    /// As people read its state.
    pub fn named(&self, now: i64) -> &'static str {
        self.state.name(self.expires_at, (self.amount, self.spent), now)
    }

    /// Where a list goes on behind it.
    pub fn position(&self) -> Position {
        Position { at: self.created_at, id: self.id.clone() }
    }

    /// The class of its mark and what that says.
    pub fn mark(&self, now: i64) -> (&'static str, &'static str) {
        let class = match self.state {
            Stored::Held if self.rest() > Fen::ZERO => "badge good",
            Stored::Open if !is_over(self.expires_at, now) => "badge warn",
            Stored::Open | Stored::Unpaid | Stored::Held | Stored::Redeemed | Stored::Refunded => "badge",
        };
        (class, self.named(now))
    }

    /// The same for its buyer, whose business it is not what is left.
    pub fn given_mark(&self, now: i64) -> (&'static str, &'static str) {
        if self.state == Stored::Held { ("badge good", "已收下") } else { self.mark(now) }
    }

    /// Until when it is good, in words.
    pub fn until(&self) -> String {
        self.expires_at.map_or_else(|| "长期有效".to_owned(), |at| time::day(at - 1))
    }

    /// For whom it is, in words.
    pub fn whom(&self) -> String {
        match (self.receiver.is_empty(), self.address.is_empty()) {
            (false, _) => self.receiver.clone(),
            (true, false) => self.address.clone(),
            (true, true) => "—".to_owned(),
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    buyer_id: String,
    amount: i64,
    state: String,
    pay_way: Option<String>,
    way: String,
    address: String,
    receiver: String,
    giver: String,
    words: String,
    salt: Option<String>,
    digest: String,
    created_at: i64,
    paid_at: Option<i64>,
    expires_at: Option<i64>,
    sent: i64,
    sent_at: Option<i64>,
    holder_id: Option<String>,
    held_at: Option<i64>,
    spent: i64,
    redeemed_at: Option<i64>,
}

const COLUMNS: &str = "id, buyer_id, amount, state, pay_way, way, address, receiver, giver, words, salt, digest, created_at, \
                       paid_at, expires_at, sent, sent_at, coalesce(holder_id, redeemed_by) as holder_id, \
                       coalesce(held_at, redeemed_at) as held_at, spent, redeemed_at";

impl TryFrom<Row> for Card {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let state = Stored::of(&row.state);
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            buyer: row.buyer_id.try_into().map_err(Error::internal)?,
            amount: Fen(row.amount),
            state: state.ok_or_else(|| Error::internal(format!("a gift card that is {}", row.state)))?,
            pay_way: row.pay_way,
            way: row.way.parse().map_err(Error::internal)?,
            address: row.address,
            receiver: row.receiver,
            giver: row.giver,
            words: row.words,
            salt: row.salt,
            digest: row.digest,
            created_at: row.created_at,
            paid_at: row.paid_at,
            expires_at: row.expires_at,
            sent: row.sent,
            sent_at: row.sent_at,
            holder: row.holder_id.map(MemberId::try_from).transpose().map_err(Error::internal)?,
            held_at: row.held_at,
            spent: Fen(row.spent),
            redeemed_at: row.redeemed_at,
        })
    }
}

/// Writes a new card that is to be paid; false where the same form began it before.
pub async fn insert(tx: &mut Tx, card: &Card) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
            "insert into gift_cards (id, buyer_id, amount, state, way, address, receiver, giver, words, salt, digest, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict (id) do nothing",
        )
        .bind(card.id.as_str())
        .bind(card.buyer.as_str())
        .bind(card.amount.0)
        .bind(card.state.code())
        .bind(card.way.code())
        .bind(&card.address)
        .bind(&card.receiver)
        .bind(&card.giver)
        .bind(&card.words)
        .bind(card.salt.as_deref())
        .bind(&card.digest)
        .bind(card.created_at)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// What was typed last counts, as long as it is not paid; false where it is.
pub async fn rewrite(tx: &mut Tx, card: &Card) -> Result<bool, Error> {
    let written = with_tx!(tx, |conn| sqlx::query(
        "update gift_cards set amount = $3, way = $4, address = $5, receiver = $6, giver = $7, words = $8
         where id = $1 and buyer_id = $2 and state = 'unpaid'"
    )
    .bind(card.id.as_str())
    .bind(card.buyer.as_str())
    .bind(card.amount.0)
    .bind(card.way.code())
    .bind(&card.address)
    .bind(&card.receiver)
    .bind(&card.giver)
    .bind(&card.words)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(written == 1)
}

/// Reads a card and holds its row.
pub async fn lock(tx: &mut Tx, id: &str) -> Result<Card, Error> {
    let sql = sql!("update gift_cards set state = state where id = $1 returning {COLUMNS}");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The same of the one with a code.
pub async fn lock_by_digest(tx: &mut Tx, digest: &str) -> Result<Option<Card>, Error> {
    let sql = sql!("update gift_cards set state = state where digest = $1 returning {COLUMNS}");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(digest).fetch_optional(conn).await)?;
    row.map(Card::try_from).transpose()
}

/// A locked card is paid, in some way.
pub async fn set_paid(
    tx: &mut Tx,
    id: &GiftCardId,
    way: &str,
    now: i64,
    expires_at: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update gift_cards set state = 'open', pay_way = $2, paid_at = $3, expires_at = $4 where id = $1"
    )
    .bind(id.as_str())
    .bind(way)
    .bind(now)
    .bind(expires_at)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// A locked card is a member's from now on; its code is forgotten, and its end with it.
pub async fn set_held(tx: &mut Tx, id: &GiftCardId, by: &MemberId, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
            "update gift_cards set state = 'held', holder_id = $2, held_at = $3, expires_at = null, salt = null, address = ''
             where id = $1",
        )
        .bind(id.as_str())
        .bind(by.as_str())
        .bind(now)
        .execute(conn)
        .await
        .map(drop)
    })?;
    Ok(())
}

/// A locked card's money went back to its buyer; its code is forgotten.
pub async fn set_refunded(tx: &mut Tx, id: &GiftCardId, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update gift_cards set state = 'refunded', refunded_at = $2, salt = null, address = '' where id = $1"
    )
    .bind(id.as_str())
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// A locked card is good until another moment.
pub async fn set_end(tx: &mut Tx, id: &GiftCardId, expires_at: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update gift_cards set expires_at = $2 where id = $1")
        .bind(id.as_str())
        .bind(expires_at)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Notes that a message of a locked card left.
pub async fn set_sent(tx: &mut Tx, id: &GiftCardId, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update gift_cards set sent = sent + 1, sent_at = $2 where id = $1")
        .bind(id.as_str())
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Forgets of some of a member's cards whom they were for, and what their codes are made of; whether there may be more.
pub async fn forget_some(tx: &mut Tx, buyer: &MemberId) -> Result<bool, Error> {
    let cards = sql!(
        "update gift_cards set salt = null, address = '', receiver = '', giver = '', words = '' where id in (
             select id from gift_cards where buyer_id = $1 and (salt is not null or address <> '' or receiver <> ''
                 or giver <> '' or words <> '') limit $2)"
    );
    forgetting::some(tx, &[(cards, 1)], buyer.as_str()).await
}

/// One that a member bought.
pub async fn find_own(db: &Db, id: &GiftCardId, buyer: &MemberId) -> Result<Card, Error> {
    let card = find(db, id).await?;
    if card.buyer == *buyer { Ok(card) } else { Err(Error::NotFound) }
}

/// One that a member bought, or has.
pub async fn find_theirs(db: &Db, id: &GiftCardId, member: &MemberId) -> Result<Card, Error> {
    let card = find(db, id).await?;
    if card.buyer == *member || card.holder.as_ref() == Some(member) {
        Ok(card)
    } else {
        Err(Error::NotFound)
    }
}

/// Any card.
pub async fn find(db: &Db, id: &GiftCardId) -> Result<Card, Error> {
    let sql = sql!("select {COLUMNS} from gift_cards where id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The newest that a member bought, those that are not paid since a moment, behind a place.
pub async fn of_buyer(
    db: &Db,
    buyer: &MemberId,
    unpaid_since: i64,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Card>, Error> {
    let sql = sql!(
        "select {COLUMNS} from gift_cards where buyer_id = $4 and (state <> 'unpaid' or created_at >= $5)
         and ($1 = '' or created_at < $2 or created_at = $2 and id < $1)
         order by created_at desc, id desc limit $3"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(after.map_or(0, |after| after.at))
        .bind(most)
        .bind(buyer.as_str())
        .bind(unpaid_since)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Card::try_from).collect()
}

/// Those that a member has with something on them, or that it had last: the newest first.
pub async fn of_holder(db: &Db, holder: &MemberId, most: i64) -> Result<Vec<Card>, Error> {
    let sql = sql!(
        "select {COLUMNS} from gift_cards where holder_id = $1 and state = 'held'
         order by case when spent < amount then 0 else 1 end, held_at desc, id desc limit $2"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(holder.as_str())
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Card::try_from).collect()
}

/// What is left on all that a member has.
pub async fn held_by(tx: &mut Tx, holder: &MemberId) -> Result<Fen, Error> {
    let sum: i64 = with_tx!(tx, |conn| {
        sqlx::query_scalar(
        "select cast(coalesce(sum(amount - spent), 0) as bigint) from gift_cards where holder_id = $1 and state = 'held'"
    )
    .bind(holder.as_str())
    .fetch_one(conn)
    .await
    })?;
    Ok(Fen(sum))
}

/// Those of which somebody wants to give the money back and another one has to agree, the newest first, behind a place.
pub async fn to_decide(
    db: &Db,
    search: &str,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Card>, Error> {
    let sql = sql!(
        "select {COLUMNS} from gift_cards where state <> 'unpaid' and ($4 = '' or id = $4)
         and ($1 = '' or created_at < $2 or created_at = $2 and id < $1)
         and id in (select about from approvals where kind = 'gift_card' and decided_at is null)
         order by created_at desc, id desc limit $3"
    );
    list(db, sql, search, after, most).await
}

/// The newest of all that were paid, behind a place; of a number alone where one is looked for.
pub async fn newest(db: &Db, search: &str, after: Option<&Position>, most: i64) -> Result<Vec<Card>, Error> {
    let sql = sql!(
        "select {COLUMNS} from gift_cards where state <> 'unpaid' and ($4 = '' or id = $4)
         and ($1 = '' or created_at < $2 or created_at = $2 and id < $1)
         order by created_at desc, id desc limit $3"
    );
    list(db, sql, search, after, most).await
}

async fn list(
    db: &Db,
    sql: Sql,
    search: &str,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Card>, Error> {
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(after.map_or("", |after| after.id.as_str()))
        .bind(after.map_or(0, |after| after.at))
        .bind(most)
        .bind(search)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Card::try_from).collect()
}
