//! SQL of newspapers and magazines themselves.

use domain::ids::{MemberId, PublicationId};
use domain::money::Fen;
use domain::publication::{Kind, ShortAddress, Weekdays};

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use works::BookFormat;

/// A newspaper 报纸 or a magazine 期刊.
#[derive(Debug, Clone)]
pub struct Publication {
    pub id: PublicationId,
    pub member: MemberId,
    pub kind: Kind,
    pub address: ShortAddress,
    pub name: String,
    /// 主办.
    pub organiser: String,
    /// 刊号 or 准印证号; may be empty.
    pub number: String,
    pub description: String,
    pub weekdays: Weekdays,
    /// How reading is sold; nothing where it is free.
    pub sale: Option<Sale>,
    /// Whether who may read all of an issue may take it away as a file.
    pub pdf: bool,
    pub epub: bool,
    pub updated_at: i64,
}

/// How reading is sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sale {
    /// Of one issue, for ever; none where there are subscriptions only.
    pub issue_price: Option<Fen>,
    /// Pages of each issue, from the first on, that anybody may read.
    pub preview_pages: u32,
    /// How many articles a subscriber may let others read by a link, in a month; 0 for none.
    pub given_articles: u32,
}

impl Publication {
    /// Where readers find it.
    pub fn path(&self) -> String {
        format!("/{}/{}", self.kind.code(), self.address)
    }

    /// The kinds of files that its maker allows.
    pub fn files(&self) -> impl Iterator<Item = BookFormat> {
        let (pdf, epub) = (self.pdf, self.epub);
        BookFormat::ALL.into_iter().filter(move |format| match format {
            BookFormat::Pdf => pdf,
            BookFormat::Epub => epub,
        })
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct Row {
    pub id: String,
    pub member_id: String,
    pub kind: String,
    pub address: String,
    pub name: String,
    pub organiser: String,
    pub number: String,
    pub description: String,
    pub weekdays: i64,
    pub is_sold: i64,
    pub issue_price: Option<i64>,
    pub preview_pages: i64,
    pub given_articles: i64,
    pub pdf: i64,
    pub epub: i64,
    pub updated_at: i64,
}

impl TryFrom<Row> for Publication {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            kind: Kind::of_code(&row.kind).ok_or_else(|| Error::internal("no such kind of publication"))?,
            address: row.address.parse().map_err(Error::internal)?,
            name: row.name,
            organiser: row.organiser,
            number: row.number,
            description: row.description,
            weekdays: Weekdays::of_bits(row.weekdays),
            sale: (row.is_sold == 1).then(|| Sale {
                issue_price: row.issue_price.map(Fen),
                preview_pages: u32::try_from(row.preview_pages).unwrap_or(0),
                given_articles: u32::try_from(row.given_articles).unwrap_or(0),
            }),
            pdf: row.pdf == 1,
            epub: row.epub == 1,
            updated_at: row.updated_at,
        })
    }
}

const COLUMNS: &str = "id, member_id, kind, address, name, organiser, number, description, weekdays, is_sold, issue_price, \
                       preview_pages, given_articles, pdf, epub, updated_at";

/// What a closed account publishes is nothing to anybody, from that moment on.
const STANDS: &str = "(select m.closed_at from members m where m.id = publications.member_id) is null";

/// The one at a public address.
pub async fn at_address(db: &Db, kind: Kind, address: &str) -> Result<Publication, Error> {
    let sql = sql!("select {COLUMNS} from publications where kind = $1 and address = $2 and {STANDS}");
    let row: Option<Row> = with_db!(db, |pool| {
        sqlx::query_as(sql.text()).bind(kind.code()).bind(address).fetch_optional(pool).await
    })?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Any one.
pub async fn find(db: &Db, id: &PublicationId) -> Result<Publication, Error> {
    let sql = sql!("select {COLUMNS} from publications where id = $1 and {STANDS}");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// One of a member's own, of a kind: somebody else's and one of the other kind are none.
pub async fn find_for_owner(
    db: &Db,
    id: &PublicationId,
    member: &MemberId,
    kind: Kind,
) -> Result<Publication, Error> {
    let sql = sql!("select {COLUMNS} from publications where id = $1 and member_id = $2 and kind = $3");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(member.as_str())
        .bind(kind.code())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// A member's, of one kind or of both, the oldest first.
pub async fn of_member(db: &Db, member: &MemberId, kind: Option<Kind>) -> Result<Vec<Publication>, Error> {
    let sql = sql!(
        "select {COLUMNS} from publications where member_id = $1 and ($2 = '' or kind = $2) order by id limit 200"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(member.as_str())
        .bind(kind.map_or("", Kind::code))
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Publication::try_from).collect()
}

/// Whether a member has one with this id already: the same form sent twice.
pub async fn is_there(tx: &mut Tx, id: &PublicationId) -> Result<bool, Error> {
    let found: Option<String> =
        with_tx!(tx, |conn| sqlx::query_scalar("select id from publications where id = $1")
            .bind(id.as_str())
            .fetch_optional(conn)
            .await)?;
    Ok(found.is_some())
}

/// Writes a new one; false where its address is taken.
pub async fn insert(tx: &mut Tx, publication: &Publication) -> Result<bool, Error> {
    let sale = publication.sale;
    let written = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into publications (id, member_id, kind, address, name, organiser, number, description, weekdays, is_sold,
            issue_price, preview_pages, pdf, epub, created_at, updated_at, given_articles)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15, $16) on conflict do nothing",
    )
    .bind(publication.id.as_str())
    .bind(publication.member.as_str())
    .bind(publication.kind.code())
    .bind(publication.address.as_str())
    .bind(&publication.name)
    .bind(&publication.organiser)
    .bind(&publication.number)
    .bind(&publication.description)
    .bind(publication.weekdays.bits())
    .bind(i64::from(sale.is_some()))
    .bind(sale.and_then(|sale| sale.issue_price).map(|price| price.0))
    .bind(sale.map_or(0, |sale| i64::from(sale.preview_pages)))
    .bind(i64::from(publication.pdf))
    .bind(i64::from(publication.epub))
    .bind(publication.updated_at)
    .bind(sale.map_or(0, |sale| i64::from(sale.given_articles)))
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(written == 1)
}

/// Writes what can change; the address stays.
pub async fn update(tx: &mut Tx, publication: &Publication) -> Result<(), Error> {
    let sale = publication.sale;
    with_tx!(tx, |conn| {
        sqlx::query(
        "update publications set name = $2, organiser = $3, number = $4, description = $5, weekdays = $6, is_sold = $7,
            issue_price = $8, preview_pages = $9, pdf = $10, epub = $11, updated_at = $12,
            given_articles = $13
         where id = $1",
    )
    .bind(publication.id.as_str())
    .bind(&publication.name)
    .bind(&publication.organiser)
    .bind(&publication.number)
    .bind(&publication.description)
    .bind(publication.weekdays.bits())
    .bind(i64::from(sale.is_some()))
    .bind(sale.and_then(|sale| sale.issue_price).map(|price| price.0))
    .bind(sale.map_or(0, |sale| i64::from(sale.preview_pages)))
    .bind(i64::from(publication.pdf))
    .bind(i64::from(publication.epub))
    .bind(publication.updated_at)
    .bind(sale.map_or(0, |sale| i64::from(sale.given_articles)))
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Holds one until the transaction ends: whoever counts its issues is alone with them.
pub async fn hold(tx: &mut Tx, id: &PublicationId) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update publications set updated_at = updated_at where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Deletes one without issues; false where it has some.
pub async fn remove(tx: &mut Tx, id: &PublicationId) -> Result<bool, Error> {
    let removed = with_tx!(tx, |conn| sqlx::query(
        "delete from publications where id = $1
           and not exists (select 1 from issues where issues.publication_id = publications.id)",
    )
    .bind(id.as_str())
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(removed == 1)
}

/// Forgets some of what a member wanted to hear of others' titles, and of what others wanted to hear of its own; whether there may be
/// more.
pub async fn forget_some_news(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let parts = [
        (
            sql!(
                "delete from issue_news where (issue_id, member_id) in (
                     select issue_id, member_id from issue_news where member_id = $1 limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from publication_followers where (publication_id, member_id) in (
                     select publication_id, member_id from publication_followers where member_id = $1 limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from publication_followers where (publication_id, member_id) in (
                     select f.publication_id, f.member_id from publications p
                     join publication_followers f on f.publication_id = p.id where p.member_id = $1 limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from given_articles
                 where id in (select id from given_articles where member_id = $1 limit $2)"
            ),
            1,
        ),
        (
            sql!(
                "delete from given_articles where id in (
                     select g.id from publications p join given_articles g on g.publication_id = p.id
                     where p.member_id = $1 limit $2)"
            ),
            1,
        ),
    ];
    forgetting::some(tx, &parts, member.as_str()).await
}

/// Forgets some of a member's titles, whose issues are forgotten; whether there may be more.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let titles = sql!(
        "delete from publications where id in (select id from publications where member_id = $1 limit $2)"
    );
    forgetting::some(tx, &[(titles, 5)], member.as_str()).await
}

/// The ids of a member's titles.
pub async fn ids_of_member(tx: &mut Tx, member: &MemberId) -> Result<Vec<PublicationId>, Error> {
    let ids: Vec<String> =
        with_tx!(tx, |conn| sqlx::query_scalar("select id from publications where member_id = $1")
            .bind(member.as_str())
            .fetch_all(conn)
            .await)?;
    ids.into_iter().map(|id| id.try_into().map_err(Error::internal)).collect()
}
