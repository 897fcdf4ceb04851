//! SQL of licences and their seats.

use base::db::{Db, Tx, sql, with_db, with_tx};
use base::error::Error;
use domain::ids::{LicenceId, MemberId, PackageId};
use domain::licence::{LicenceState, MailDomain, NetworkRange, Way};

/// A package for an organisation's people.
#[derive(Debug, Clone)]
pub struct Licence {
    pub id: LicenceId,
    pub package: PackageId,
    /// The package as it is called now.
    pub title: String,
    pub seller: MemberId,
    /// Who it is for.
    pub name: String,
    pub seats: i64,
    /// How many sit.
    pub taken: i64,
    /// How often its code was changed.
    pub turn: i64,
    /// Of its code; none where none opens it.
    pub digest: Option<String>,
    pub domains: Vec<MailDomain>,
    pub ranges: Vec<NetworkRange>,
    /// The end of its last day, epoch ms.
    pub until: i64,
    pub created_at: i64,
    pub ended_at: Option<i64>,
}

impl Licence {
    /// Where it stands.
    pub fn state(&self, now: i64) -> LicenceState {
        LicenceState::of(self.until, self.ended_at.is_some(), now)
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    package_id: String,
    title: String,
    seller_id: String,
    name: String,
    seats: i64,
    taken: i64,
    turn: i64,
    digest: Option<String>,
    domains: String,
    ranges: String,
    ends_at: i64,
    created_at: i64,
    ended_at: Option<i64>,
}

impl TryFrom<Row> for Licence {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: row.id.try_into().map_err(Error::internal)?,
            package: row.package_id.try_into().map_err(Error::internal)?,
            title: row.title,
            seller: row.seller_id.try_into().map_err(Error::internal)?,
            name: row.name,
            seats: row.seats,
            taken: row.taken,
            turn: row.turn,
            digest: row.digest,
            domains: row
                .domains
                .lines()
                .map(MailDomain::read)
                .collect::<Result<_, _>>()
                .map_err(Error::internal)?,
            ranges: row
                .ranges
                .lines()
                .map(NetworkRange::read)
                .collect::<Result<_, _>>()
                .map_err(Error::internal)?,
            until: row.ends_at,
            created_at: row.created_at,
            ended_at: row.ended_at,
        })
    }
}

/// One on a line, as they are stored and typed.
pub fn lines<T: ToString>(all: &[T]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

const SELECT: &str = "select l.id, l.package_id, p.title, l.seller_id, l.name, l.seats, l.turn, l.digest, l.domains, l.ranges, l.ends_at,
        l.created_at, l.ended_at,
        (select count(*) from licence_seats s where s.licence_id = l.id and s.back_at is null) as taken
    from licences l join packages p on p.id = l.package_id";

/// Writes a new one; false when the same form made it before.
pub async fn insert(tx: &mut Tx, licence: &Licence) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
            "insert into licences (id, package_id, seller_id, name, seats, digest, domains, ranges, ends_at, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (id) do nothing",
        )
        .bind(licence.id.as_str())
        .bind(licence.package.as_str())
        .bind(licence.seller.as_str())
        .bind(&licence.name)
        .bind(licence.seats)
        .bind(licence.digest.as_deref())
        .bind(lines(&licence.domains))
        .bind(lines(&licence.ranges))
        .bind(licence.until)
        .bind(licence.created_at)
        .execute(conn)
        .await
        .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// Writes a held one's own again.
pub async fn update(tx: &mut Tx, licence: &Licence) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "update licences set name = $2, seats = $3, turn = $4, digest = $5, domains = $6, ranges = $7, ends_at = $8,
                ended_at = $9 where id = $1"
    )
    .bind(licence.id.as_str())
    .bind(&licence.name)
    .bind(licence.seats)
    .bind(licence.turn)
    .bind(licence.digest.as_deref())
    .bind(lines(&licence.domains))
    .bind(lines(&licence.ranges))
    .bind(licence.until)
    .bind(licence.ended_at)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Holds one until the transaction ends: who counts its seats counts alone.
pub async fn lock(tx: &mut Tx, id: &LicenceId) -> Result<Licence, Error> {
    with_tx!(&mut *tx, |conn| sqlx::query("update licences set seats = seats where id = $1")
        .bind(id.as_str())
        .execute(conn)
        .await
        .map(drop))?;
    let sql = sql!("{SELECT} where l.id = $1");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(conn).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// Holds one of a seller's own.
pub async fn lock_own(tx: &mut Tx, id: &LicenceId, seller: &MemberId) -> Result<Licence, Error> {
    with_tx!(&mut *tx, |conn| sqlx::query(
        "update licences set seats = seats where id = $1 and seller_id = $2"
    )
    .bind(id.as_str())
    .bind(seller.as_str())
    .execute(conn)
    .await
    .map(drop))?;
    let sql = sql!("{SELECT} where l.id = $1 and l.seller_id = $2");
    let row: Option<Row> = with_tx!(tx, |conn| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(seller.as_str())
        .fetch_optional(conn)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// One of a seller's own.
pub async fn find_for_owner(db: &Db, id: &LicenceId, seller: &MemberId) -> Result<Licence, Error> {
    let sql = sql!("{SELECT} where l.id = $1 and l.seller_id = $2");
    let row: Option<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(id.as_str())
        .bind(seller.as_str())
        .fetch_optional(pool)
        .await)?;
    row.ok_or(Error::NotFound)?.try_into()
}

/// A seller's, the newest first, behind one of them.
pub async fn of_seller(
    db: &Db,
    seller: &MemberId,
    before: Option<&LicenceId>,
    most: i64,
) -> Result<Vec<Licence>, Error> {
    let sql = sql!("{SELECT} where l.seller_id = $1 and ($2 = '' or l.id < $2) order by l.id desc limit $3");
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(seller.as_str())
        .bind(before.map_or("", LicenceId::as_str))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Licence::try_from).collect()
}

/// The one that a code opens.
pub async fn by_digest(tx: &mut Tx, digest: &str) -> Result<Option<Licence>, Error> {
    let sql = sql!("{SELECT} where l.digest = $1");
    let row: Option<Row> =
        with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(digest).fetch_optional(conn).await)?;
    row.map(Licence::try_from).transpose()
}

/// Those of a package that run, which seats are taken of without a code.
pub async fn of_package(db: &Db, package: &PackageId, now: i64) -> Result<Vec<Licence>, Error> {
    let sql = sql!(
        "{SELECT} where l.package_id = $1 and l.ended_at is null and l.ends_at > $2 and (l.domains <> '' or l.ranges <> '')
         order by l.ends_at desc, l.id limit 100"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(package.as_str())
        .bind(now)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(Licence::try_from).collect()
}

/// A place of a licence that somebody has, or had.
#[derive(Debug, Clone)]
pub struct Seat {
    pub member: MemberId,
    /// As the reader is called to the seller.
    pub name: String,
    pub way: Way,
    pub taken_at: i64,
    /// When its seller took it back.
    pub back_at: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct SeatRow {
    member_id: String,
    name: String,
    way: String,
    taken_at: i64,
    back_at: Option<i64>,
}

impl TryFrom<SeatRow> for Seat {
    type Error = Error;
    fn try_from(row: SeatRow) -> Result<Self, Error> {
        Ok(Self {
            member: row.member_id.try_into().map_err(Error::internal)?,
            name: row.name,
            way: Way::of(&row.way).ok_or_else(|| Error::internal("a seat taken in no way"))?,
            taken_at: row.taken_at,
            back_at: row.back_at,
        })
    }
}

/// All seats of a licence that were ever taken, in their order.
pub async fn seats(db: &Db, id: &LicenceId) -> Result<Vec<Seat>, Error> {
    let rows: Vec<SeatRow> = with_db!(db, |pool| sqlx::query_as(
        "select member_id, name, way, taken_at, back_at from licence_seats where licence_id = $1
         order by taken_at, member_id"
    )
    .bind(id.as_str())
    .fetch_all(pool)
    .await)?;
    rows.into_iter().map(Seat::try_from).collect()
}

/// A reader's seat of a licence: true where it was taken back.
pub async fn seat(tx: &mut Tx, id: &LicenceId, member: &MemberId) -> Result<Option<bool>, Error> {
    let back: Option<i64> = with_tx!(tx, |conn| {
        sqlx::query_scalar(
            "select cast(case when back_at is null then 0 else 1 end as bigint) from licence_seats
         where licence_id = $1 and member_id = $2",
        )
        .bind(id.as_str())
        .bind(member.as_str())
        .fetch_optional(conn)
        .await
    })?;
    Ok(back.map(|back| back == 1_i64))
}

/// Gives a reader a seat of a held licence.
pub async fn sit(
    tx: &mut Tx,
    id: &LicenceId,
    member: &MemberId,
    name: &str,
    way: Way,
    now: i64,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into licence_seats (licence_id, member_id, name, way, taken_at) values ($1, $2, $3, $4, $5)"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(name)
    .bind(way.code())
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Takes a seat of a held licence back, or gives it again where no moment is named; false where there is none.
pub async fn set_back(
    tx: &mut Tx,
    id: &LicenceId,
    member: &MemberId,
    back_at: Option<i64>,
) -> Result<bool, Error> {
    let set = with_tx!(tx, |conn| sqlx::query(
        "update licence_seats set back_at = $3 where licence_id = $1 and member_id = $2"
    )
    .bind(id.as_str())
    .bind(member.as_str())
    .bind(back_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(set == 1)
}

/// Until when a reader reads an item on a seat.
pub async fn item_until(
    db: &Db,
    member: &MemberId,
    kind: &str,
    item: &str,
    now: i64,
) -> Result<Option<i64>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_scalar(
            "select max(l.ends_at) from licence_seats s join licences l on l.id = s.licence_id
             where s.member_id = $4 and s.back_at is null and l.ended_at is null and l.ends_at > $1
               and ($2 = 'package' and l.package_id = $3 or exists (
                 select 1 from package_contents c
                 where c.package_id = l.package_id and c.kind = $2 and c.item_id = $3
                   and (c.removed_at is null or c.removed_at > l.created_at)))",
        )
        .bind(now)
        .bind(kind)
        .bind(item)
        .bind(member.as_str())
        .fetch_one(pool)
        .await
    })?)
}

/// Who reads an item on a seat.
pub async fn readers_of_item(db: &Db, kind: &str, item: &str, now: i64) -> Result<Vec<MemberId>, Error> {
    // each way to it by its own index: together they would be looked for in everybody's
    let readers: Vec<String> = with_db!(db, |pool| {
        sqlx::query_scalar(
            "select distinct member_id from licence_seats where back_at is null and licence_id in (
                 select id from licences where $2 = 'package' and package_id = $3 and ended_at is null and ends_at > $1
                 union select l.id from package_contents c join licences l on l.package_id = c.package_id
                     where c.kind = $2 and c.item_id = $3 and (c.removed_at is null or c.removed_at > l.created_at)
                       and l.ended_at is null and l.ends_at > $1)",
        )
        .bind(now)
        .bind(kind)
        .bind(item)
        .fetch_all(pool)
        .await
    })?;
    readers.into_iter().map(|reader| reader.try_into().map_err(Error::internal)).collect()
}

/// What a reader reads on a seat.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Sitting {
    pub package_id: String,
    /// The package.
    pub title: String,
    /// Who the licence is for.
    pub name: String,
    pub taken_at: i64,
    pub ends_at: i64,
    /// It opens what its package held then.
    pub created_at: i64,
}

/// All of a reader's seats that are read on.
pub async fn of_reader(db: &Db, member: &MemberId, now: i64) -> Result<Vec<Sitting>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_as(
        "select l.package_id, p.title, l.name, s.taken_at, l.ends_at, l.created_at
         from licence_seats s join licences l on l.id = s.licence_id join packages p on p.id = l.package_id
         where s.back_at is null and l.ended_at is null and l.ends_at > $1 and s.member_id = $2
         order by s.taken_at desc, l.id"
    )
    .bind(now)
    .bind(member.as_str())
    .fetch_all(pool)
    .await)?)
}

/// What a reader's seats open, by kind and id.
pub async fn opened(db: &Db, member: &MemberId, now: i64) -> Result<Vec<(String, String)>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
        "select distinct c.kind, c.item_id
         from licence_seats s join licences l on l.id = s.licence_id join package_contents c on c.package_id = l.package_id
         where s.back_at is null and l.ended_at is null and l.ends_at > $1 and s.member_id = $2
           and (c.removed_at is null or c.removed_at > l.created_at)"
    )
    .bind(now)
    .bind(member.as_str())
    .fetch_all(pool)
    .await
    })?)
}
