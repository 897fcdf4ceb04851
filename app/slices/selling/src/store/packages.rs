//! SQL of packages and what they hold.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{MemberId, PackageId};
use domain::money::Fen;
use domain::package::Term;

use super::term;

/// What is sold for a term.
#[derive(Debug, Clone)]
pub struct Package {
    pub id: PackageId,
    pub seller: MemberId,
    pub seller_name: String,
    pub title: String,
    pub description: String,
    pub term: Term,
    pub price: Fen,
    pub trial_pages: i64,
    /// Days that a reader may read free, once; 0 for none.
    pub trial_days: i64,
    pub on_sale_from: i64,
    pub on_sale_until: Option<i64>,
    pub created_at: i64,
}

impl Package {
    /// Whether it can be bought now.
    pub fn is_on_sale(&self, now: i64) -> bool {
        self.on_sale_from <= now && self.on_sale_until.is_none_or(|until| now < until)
    }
}

/// Something that a package holds.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Content {
    pub kind: String,
    #[sqlx(rename = "item_id")]
    pub id: String,
    pub title: String,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    seller_id: String,
    seller_name: String,
    title: String,
    description: String,
    term_unit: String,
    term_count: i64,
    price: i64,
    trial_pages: i64,
    trial_days: i64,
    on_sale_from: i64,
    on_sale_until: Option<i64>,
    created_at: i64,
}

impl TryFrom<Row> for Package {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            seller: row.seller_id.try_into().map_err(Error::internal)?,
            seller_name: row.seller_name,
            title: row.title,
            description: row.description,
            term: term(&row.term_unit, row.term_count)?,
            price: Fen(row.price),
            trial_pages: row.trial_pages,
            trial_days: row.trial_days,
            on_sale_from: row.on_sale_from,
            on_sale_until: row.on_sale_until,
            created_at: row.created_at,
        })
    }
}

const COLUMNS: &str = "id, seller_id, seller_name, title, description, term_unit, term_count, price, trial_pages, \
                       trial_days, on_sale_from, on_sale_until, created_at";

/// Writes a new package; false when the same form made one before.
pub async fn insert(tx: &mut Tx, package: &Package) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into packages (id, seller_id, seller_name, title, description, term_unit, term_count, price, trial_pages,
                               on_sale_from, on_sale_until, created_at, updated_at, trial_days)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13) on conflict (id) do nothing",
    )
    .bind(package.id.as_str())
    .bind(package.seller.as_str())
    .bind(&package.seller_name)
    .bind(&package.title)
    .bind(&package.description)
    .bind(package.term.unit())
    .bind(i64::from(package.term.count()))
    .bind(package.price.0)
    .bind(package.trial_pages)
    .bind(package.on_sale_from)
    .bind(package.on_sale_until)
    .bind(package.created_at)
    .bind(package.trial_days)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// Writes what can change of one of a seller's own; false when it has no such package.
pub async fn update(tx: &mut Tx, package: &Package, now: i64) -> Result<bool, Error> {
    let updated = with_tx!(tx, |conn| {
        sqlx::query(
        "update packages set seller_name = $3, title = $4, description = $5, term_unit = $6, term_count = $7,
                             price = $8, trial_pages = $9, on_sale_from = $10, on_sale_until = $11, updated_at = $12,
                             trial_days = $13
         where id = $1 and seller_id = $2",
    )
    .bind(package.id.as_str())
    .bind(package.seller.as_str())
    .bind(&package.seller_name)
    .bind(&package.title)
    .bind(&package.description)
    .bind(package.term.unit())
    .bind(i64::from(package.term.count()))
    .bind(package.price.0)
    .bind(package.trial_pages)
    .bind(package.on_sale_from)
    .bind(package.on_sale_until)
    .bind(now)
    .bind(package.trial_days)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(updated == 1)
}

/// Any package: whoever reads may look at it.
pub async fn find(db: &Db, id: &PackageId) -> Result<Package, Error> {
    let sql = sql!("select {COLUMNS} from packages where id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// The same within a transaction.
pub async fn find_within(tx: &mut Tx, id: &PackageId) -> Result<Package, Error> {
    let sql = sql!("select {COLUMNS} from packages where id = $1");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// One of a seller's own.
pub async fn find_for_owner(db: &Db, id: &PackageId, seller: &MemberId) -> Result<Package, Error> {
    let package = find(db, id).await?;
    if package.seller == *seller { Ok(package) } else { Err(Error::NotFound) }
}

/// A seller's packages, the newest first.
pub async fn of_seller(db: &Db, seller: &MemberId) -> Result<Vec<Package>, Error> {
    let sql = sql!("select {COLUMNS} from packages where seller_id = $1 order by id desc limit 500");
    let rows: Vec<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(seller.as_str()).fetch_all(pool).await)?;
    rows.into_iter().map(Package::try_from).collect()
}

/// Packages on sale that hold something, the cheapest first.
pub async fn on_sale_with(db: &Db, kind: &str, item: &str, now: i64) -> Result<Vec<Package>, Error> {
    let sql = sql!(
        "select {COLUMNS} from packages where on_sale_from <= $3 and (on_sale_until is null or on_sale_until > $3)
         and id in (select package_id from package_contents where kind = $1 and item_id = $2 and removed_at is null)
         order by price, id limit 20"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(kind)
        .bind(item)
        .bind(now)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Package::try_from).collect()
}

/// Everybody's packages for the operator, each with its seller's account.
pub async fn all(db: &Db) -> Result<Vec<(Package, String)>, Error> {
    #[derive(sqlx::FromRow)]
    struct Listed {
        #[sqlx(flatten)]
        package: Row,
        account: String,
    }
    let sql = sql!(
        "select {COLUMNS}, (select account from members where members.id = packages.seller_id) as account
         from packages order by id"
    );
    let rows: Vec<Listed> = with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_all(pool).await)?;
    rows.into_iter().map(|row| Ok((row.package.try_into()?, row.account))).collect()
}

/// What a package holds for whoever gets it now.
pub async fn contents(db: &Db, id: &PackageId) -> Result<Vec<Content>, Error> {
    contents_since(db, id, i64::MAX).await
}

/// What a package holds for whoever got it at a moment: what was taken out afterwards is still there.
pub async fn contents_since(db: &Db, id: &PackageId, since: i64) -> Result<Vec<Content>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select kind, item_id, max(title) as title from package_contents
         where package_id = $1 and (removed_at is null or removed_at > $2)
         group by kind, item_id order by min(position), item_id",
    )
    .bind(id.as_str())
    .bind(since)
    .fetch_all(pool)
    .await)?)
}

/// Puts this into a package in the place of what it holds. What stays keeps its row.
pub async fn set_contents(tx: &mut Tx, id: &PackageId, wanted: &[Content], now: i64) -> Result<(), Error> {
    let known: Vec<Content> = with_tx!(tx, |conn| sqlx::query_as(
        "select kind, item_id, title from package_contents where package_id = $1 and removed_at is null",
    )
    .bind(id.as_str())
    .fetch_all(conn)
    .await)?;
    let same = |one: &Content, other: &Content| one.kind == other.kind && one.id == other.id;
    for gone in known.iter().filter(|known| !wanted.iter().any(|content| same(content, known))) {
        with_tx!(tx, |conn| sqlx::query(
            "update package_contents set removed_at = $4
             where package_id = $1 and kind = $2 and item_id = $3 and removed_at is null",
        )
        .bind(id.as_str())
        .bind(&gone.kind)
        .bind(&gone.id)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    }
    for (content, position) in wanted.iter().zip(0i64..) {
        let stays = known.iter().any(|known| same(content, known));
        let sql = if stays {
            sql!(
                "update package_contents set title = $4, position = $5
                 where package_id = $1 and kind = $2 and item_id = $3 and removed_at is null and $6 > 0"
            )
        } else {
            sql!(
                "insert into package_contents (package_id, kind, item_id, title, position, added_at)
                 values ($1, $2, $3, $4, $5, $6)"
            )
        };
        with_tx!(tx, |conn| sqlx::query(sql.text())
            .bind(id.as_str())
            .bind(&content.kind)
            .bind(&content.id)
            .bind(&content.title)
            .bind(position)
            .bind(now)
            .execute(conn)
            .await
            .map(drop))?;
    }
    Ok(())
}

/// How often each of a seller's packages was bought and not given back.
pub async fn sold(db: &Db, seller: &MemberId) -> Result<Vec<(String, i64)>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select package_id, count(*) from sales where seller_id = $1 and state = 'paid' and package_id is not null
         group by package_id",
    )
    .bind(seller.as_str())
    .fetch_all(pool)
    .await
    })?)
}
