//! SQL of cards.

use std::collections::BTreeSet;

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::card::{Field, Look};
use domain::ids::MemberId;

/// A card as it is kept.
#[derive(Debug, Clone)]
pub struct Card {
    pub member: MemberId,
    pub code: String,
    pub name: String,
    pub title: String,
    pub company: String,
    pub phone: String,
    pub email: String,
    pub weixin: String,
    pub address: String,
    pub introduction: String,
    pub shown: BTreeSet<Field>,
    /// What stands on it of what its member publishes: `kind:id`.
    pub works: Vec<String>,
    pub look: Look,
    pub is_listed: bool,
    pub updated_at: i64,
}

impl Card {
    /// A text of the card, whoever may see it.
    pub fn text(&self, field: Field) -> &str {
        match field {
            Field::Title => &self.title,
            Field::Company => &self.company,
            Field::Phone => &self.phone,
            Field::Email => &self.email,
            Field::Weixin => &self.weixin,
            Field::Address => &self.address,
            Field::Introduction => &self.introduction,
            Field::Picture | Field::Works => "",
        }
    }

    /// The same as everybody sees it: empty where it is not shown.
    pub fn seen(&self, field: Field) -> &str {
        if self.shown.contains(&field) { self.text(field) } else { "" }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    member_id: String,
    member_code: String,
    name: String,
    title: String,
    company: String,
    phone: String,
    email: String,
    weixin: String,
    address: String,
    introduction: String,
    shown: String,
    works: String,
    look: String,
    is_listed: i64,
    updated_at: i64,
}

const COLUMNS: &str = "member_id, member_code, name, title, company, phone, email, weixin, address, introduction, shown, \
                       works, look, is_listed, updated_at";

impl TryFrom<Row> for Card {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            member: row.member_id.try_into().map_err(Error::internal)?,
            code: row.member_code,
            name: row.name,
            title: row.title,
            company: row.company,
            phone: row.phone,
            email: row.email,
            weixin: row.weixin,
            address: row.address,
            introduction: row.introduction,
            shown: row.shown.lines().filter_map(Field::of_code).collect(),
            works: row.works.lines().map(str::to_owned).collect(),
            look: Look::of_code(&row.look).unwrap_or_default(),
            is_listed: row.is_listed == 1,
            updated_at: row.updated_at,
        })
    }
}

/// A member's own card.
pub async fn of_member(db: &Db, member: &MemberId) -> Result<Option<Card>, Error> {
    let sql = sql!("select {COLUMNS} from cards where member_id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(member.as_str()).fetch_optional(pool).await)?;
    row.map(Card::try_from).transpose()
}

/// The card of the member with a code.
pub async fn by_code(db: &Db, code: &str) -> Result<Card, Error> {
    let sql = sql!("select {COLUMNS} from cards where member_code = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(code).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Cards that search engines may have, by the codes of their members, with the moment of the last change.
pub async fn listed(db: &Db, most: i64) -> Result<Vec<(String, i64)>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select member_code, updated_at from cards where is_listed = 1 order by updated_at desc limit $1",
    )
    .bind(most)
    .fetch_all(pool)
    .await)?)
}

/// Keeps a card, a new one or in the place of what it was.
pub async fn keep(db: &Db, card: &Card) -> Result<(), Error> {
    let shown: Vec<&str> = card.shown.iter().map(|field| field.code()).collect();
    with_write!(db, |pool| {
        sqlx::query(
        "insert into cards (member_id, member_code, name, title, company, phone, email, weixin, address, introduction,
            shown, works, look, is_listed, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
         on conflict (member_id) do update set name = excluded.name, title = excluded.title,
            company = excluded.company, phone = excluded.phone, email = excluded.email, weixin = excluded.weixin,
            address = excluded.address, introduction = excluded.introduction, shown = excluded.shown,
            works = excluded.works, look = excluded.look, is_listed = excluded.is_listed,
            updated_at = excluded.updated_at",
    )
    .bind(card.member.as_str())
    .bind(&card.code)
    .bind(&card.name)
    .bind(&card.title)
    .bind(&card.company)
    .bind(&card.phone)
    .bind(&card.email)
    .bind(&card.weixin)
    .bind(&card.address)
    .bind(&card.introduction)
    .bind(shown.join("\n"))
    .bind(card.works.join("\n"))
    .bind(card.look.code())
    .bind(i64::from(card.is_listed))
    .bind(card.updated_at)
    .execute(pool)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Takes a member's card away; one that is gone is gone.
pub async fn remove(tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from cards where member_id = $1")
        .bind(member.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
