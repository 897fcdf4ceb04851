//! SQL of price books.

use base::db::{Db, Tx, with_db, with_tx};
use base::error::Error;
use domain::membership::PriceBook;

/// The book that counts at a moment; the first one where none does yet.
pub async fn in_force(db: &Db, now: i64) -> Result<PriceBook, Error> {
    let book: String = with_db!(db, |pool| {
        sqlx::query_scalar(
        "select book from membership_price_books
         order by case when starts_at <= $1 then 0 else 1 end, case when starts_at <= $1 then -starts_at else starts_at end
         limit 1",
    )
    .bind(now)
    .fetch_one(pool)
    .await
    })?;
    Ok(serde_json::from_str(&book)?)
}

/// Every book, the earliest first.
pub async fn all(db: &Db) -> Result<Vec<PriceBook>, Error> {
    let books: Vec<String> = with_db!(db, |pool| sqlx::query_scalar(
        "select book from membership_price_books order by starts_at"
    )
    .fetch_all(pool)
    .await)?;
    books.iter().map(|book| Ok(serde_json::from_str(book)?)).collect()
}

/// The book that begins to count at a moment.
pub async fn find(tx: &mut Tx, starts_at: i64) -> Result<Option<PriceBook>, Error> {
    let book: Option<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "select book from membership_price_books where starts_at = $1"
    )
    .bind(starts_at)
    .fetch_optional(conn)
    .await)?;
    book.map(|book| Ok(serde_json::from_str(&book)?)).transpose()
}

/// How many there are.
pub async fn count(tx: &mut Tx) -> Result<i64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query_scalar("select count(*) from membership_price_books")
        .fetch_one(conn)
        .await)?)
}

/// Writes a book over the one that begins at the same moment.
pub async fn put(tx: &mut Tx, book: &PriceBook, starts_at: i64, now: i64) -> Result<(), Error> {
    let text = serde_json::to_string(book)?;
    with_tx!(tx, |conn| sqlx::query(
        "insert into membership_price_books (starts_at, book, created_at) values ($1, $2, $3)
         on conflict (starts_at) do update set book = excluded.book",
    )
    .bind(starts_at)
    .bind(text)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}
