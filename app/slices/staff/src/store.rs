//! SQL of the back office's accounts.

use base::db::{Db, Tx, now_ms, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::clerk::sign_in_name;
use domain::ids::StaffLoginId;
use domain::staff::{LOGIN_MS, Role};
use web::staff::Staff;

/// Somebody in the back office.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Account {
    pub id: String,
    /// What it signs in with.
    pub name: String,
    /// What it is called; empty where nobody has said.
    pub full_name: String,
    /// Codes between commas.
    pub roles: String,
    pub password_hash: String,
    pub sealed: String,
    pub on_since: Option<i64>,
    pub created_at: i64,
    pub ended_at: Option<i64>,
    /// When it last signed in, epoch ms; none before, and in rows of before this was noted.
    pub signed_in_at: Option<i64>,
    /// How often others changed it.
    pub version: i64,
}

impl Account {
    /// What it is here.
    pub fn roles(&self) -> Result<Vec<Role>, Error> {
        read_roles(&self.roles)
    }
}

/// Somebody by a login.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Found {
    pub login: String,
    /// When it signed in, epoch ms.
    pub began_at: i64,
    pub proven_at: Option<i64>,
    #[sqlx(flatten)]
    pub account: Account,
}

impl Found {
    /// Who makes a request with this login.
    pub fn staff(self) -> Result<Staff, Error> {
        Ok(Staff {
            id: self.account.id.clone().try_into().map_err(Error::internal)?,
            roles: self.account.roles()?,
            login: self.login.try_into().map_err(Error::internal)?,
            since: self.began_at,
            name: self.account.name,
        })
    }
}

/// Roles as they were stored.
pub fn read_roles(codes: &str) -> Result<Vec<Role>, Error> {
    codes.split(',').map(|code| code.parse().map_err(Error::internal)).collect()
}

/// Roles as they are stored.
pub fn codes(roles: &[Role]) -> String {
    roles.iter().map(|role| role.code()).collect::<Vec<_>>().join(",")
}

const COLUMNS: &str =
    "s.id, s.name, s.full_name, s.roles, s.password_hash, s.sealed, s.on_since, s.created_at, s.ended_at,
    s.signed_in_at, s.version";

/// Who works here under the name that somebody typed. Names were once kept in whatever width they had.
pub async fn by_name(db: &Db, typed: &str) -> Result<Option<Account>, Error> {
    let sql = sql!(
        "select {COLUMNS} from staff s where s.name in ($1, $2) order by case when s.name = $1 then 0 else 1 end limit 1"
    );
    let (name, before) = (sign_in_name(typed), typed.trim().to_lowercase());
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(&name).bind(&before).fetch_optional(pool).await)?)
}

/// Somebody by its id, who works here or did.
pub async fn by_id(db: &Db, id: &str) -> Result<Option<Account>, Error> {
    let sql = sql!("select {COLUMNS} from staff s where s.id = $1");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id).fetch_optional(pool).await)?)
}

/// Whether anybody works here.
pub async fn is_anybody(db: &Db) -> Result<bool, Error> {
    let found: Option<String> = with_db!(db, |pool| {
        sqlx::query_scalar("select id from staff where ended_at is null limit 1").fetch_optional(pool).await
    })?;
    Ok(found.is_some())
}

/// An account with how its clerk comes in.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Listed {
    #[sqlx(flatten)]
    pub account: Account,
    /// Where it is signed in now.
    pub logins: i64,
    pub passkeys: i64,
    /// Until when its invitation is good, epoch ms; none where it has no invitation that is not used.
    pub invited_until: Option<i64>,
}

impl Listed {
    /// Whether it works here, and can sign in by itself.
    pub fn can_sign_in(&self) -> bool {
        let Account { ended_at, on_since, .. } = &self.account;
        ended_at.is_none() && on_since.is_some() && self.invited_until.is_none()
    }
}

/// Everybody who works here or did, those who do first; within a transaction, as it is for whoever holds [`hold`].
pub async fn all(tx: &mut Tx) -> Result<Vec<Listed>, Error> {
    let sql = sql!(
        "select {COLUMNS},
            (select count(*) from staff_logins l
             where l.staff_id = s.id and l.proven_at is not null and l.created_at > $1) as logins,
            (select count(*) from staff_passkeys p where p.staff_id = s.id) as passkeys,
            (select i.ends_at from staff_invitations i where i.staff_id = s.id) as invited_until
         from staff s order by case when s.ended_at is null then 0 else 1 end, s.created_at, s.id"
    );
    Ok(with_tx!(tx, |conn| sqlx::query_as(sql.text()).bind(now_ms() - LOGIN_MS).fetch_all(conn).await)?)
}

/// Lets one transaction at a time change accounts: who may manage them is counted over all of them.
pub async fn hold(tx: &mut Tx) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into staff_turns (id) values (1) on conflict (id) do update set id = excluded.id"
    )
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// A login that is not over, of somebody who still works here, whatever it has shown. Whoever is invited comes in by its
/// invitation alone.
pub async fn by_login(db: &Db, login: &StaffLoginId) -> Result<Option<Found>, Error> {
    let sql = sql!(
        "select l.id as login, l.created_at as began_at, l.proven_at, {COLUMNS}
         from staff_logins l join staff s on s.id = l.staff_id
         where l.id = $1 and l.created_at > $2 and s.ended_at is null
           and not exists (select 1 from staff_invitations i where i.staff_id = s.id)"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(login.as_str())
        .bind(now_ms() - LOGIN_MS)
        .fetch_optional(pool)
        .await)?)
}

/// Adds somebody; false where the name is taken.
pub async fn insert(tx: &mut Tx, account: &Account) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| {
        sqlx::query(
        "insert into staff (id, name, full_name, roles, password_hash, sealed, last_step, created_at, version)
         values ($1, $2, $3, $4, $5, $6, 0, $7, 0) on conflict do nothing",
    )
    .bind(&account.id)
    .bind(&account.name)
    .bind(&account.full_name)
    .bind(&account.roles)
    .bind(&account.password_hash)
    .bind(&account.sealed)
    .bind(account.created_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected())
    })?;
    Ok(inserted == 1)
}

/// Other roles, from the next request on.
pub async fn set_roles(tx: &mut Tx, id: &str, roles: &[Role]) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update staff set roles = $2, version = version + 1 where id = $1")
        .bind(id)
        .bind(codes(roles))
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Another password; all logins of the name but one end.
pub async fn set_password(
    tx: &mut Tx,
    id: &str,
    hash: &str,
    but: Option<&StaffLoginId>,
) -> Result<(), Error> {
    end_logins(tx, id, but).await?;
    with_tx!(tx, |conn| sqlx::query("update staff set password_hash = $2 where id = $1")
        .bind(id)
        .bind(hash)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Another password and another secret, which has to be shown once before it counts; it works here, and nothing of before
/// lets it in.
pub async fn set_ways_in(tx: &mut Tx, id: &str, hash: &str, sealed: &str) -> Result<(), Error> {
    // in the order in which somebody comes in by these, so that nobody waits for each other, and none slips in between
    with_tx!(&mut *tx, |conn| {
        sqlx::query("delete from staff_invitations where staff_id = $1").bind(id).execute(&mut *conn).await?;
        sqlx::query("delete from staff_passkeys where staff_id = $1").bind(id).execute(&mut *conn).await?;
        sqlx::query("delete from staff_identities where staff_id = $1").bind(id).execute(&mut *conn).await?;
    });
    end_logins(tx, id, None).await?;
    with_tx!(tx, |conn| {
        sqlx::query(
            "update staff set password_hash = $2, sealed = $3, on_since = null, last_step = 0, ended_at = null,
                version = version + 1
             where id = $1",
        )
        .bind(id)
        .bind(hash)
        .bind(sealed)
        .execute(&mut *conn)
        .await?;
    });
    Ok(())
}

/// Lets somebody go: its name stays in the log, its logins end, and its company account is anybody's to connect again.
pub async fn end(tx: &mut Tx, id: &str, now: i64) -> Result<(), Error> {
    with_tx!(&mut *tx, |conn| sqlx::query("delete from staff_identities where staff_id = $1")
        .bind(id)
        .execute(conn)
        .await
        .map(drop))?;
    end_logins(tx, id, None).await?;
    with_tx!(tx, |conn| sqlx::query("update staff set ended_at = $2, version = version + 1 where id = $1")
        .bind(id)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// Ends the logins of somebody, all but one; how many there were. Before its row is written, as signing in does it.
pub async fn end_logins(tx: &mut Tx, id: &str, but: Option<&StaffLoginId>) -> Result<u64, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query("delete from staff_logins where staff_id = $1 and id <> $2")
        .bind(id)
        .bind(but.map_or("", StaffLoginId::as_str))
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?)
}

/// A login of somebody whose password was right, or who comes by something better. Those that are over go.
pub async fn insert_login(
    db: &Db,
    id: &StaffLoginId,
    staff: &str,
    device: &str,
    address: &str,
) -> Result<(), Error> {
    let now = now_ms();
    with_write!(db, |pool| {
        sqlx::query("delete from staff_logins where created_at <= $1")
            .bind(now - LOGIN_MS)
            .execute(pool)
            .await?;
        sqlx::query(
            "insert into staff_logins (id, staff_id, device, address, created_at) values ($1, $2, $3, $4, $5)",
        )
        .bind(id.as_str())
        .bind(staff)
        .bind(device)
        .bind(address)
        .bind(now)
        .execute(pool)
        .await?;
    });
    Ok(())
}

/// The same as part of what lets somebody in.
pub async fn insert_login_in(
    tx: &mut Tx,
    id: &StaffLoginId,
    staff: &str,
    device: &str,
    address: &str,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into staff_logins (id, staff_id, device, address, created_at) values ($1, $2, $3, $4, $5)"
    )
    .bind(id.as_str())
    .bind(staff)
    .bind(device)
    .bind(address)
    .bind(now_ms())
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Whether a login has not ended since its request came.
pub async fn is_signed_in(tx: &mut Tx, login: &StaffLoginId) -> Result<bool, Error> {
    let found: i64 =
        with_tx!(tx, |conn| sqlx::query_scalar("select count(*) from staff_logins where id = $1")
            .bind(login.as_str())
            .fetch_one(conn)
            .await)?;
    Ok(found == 1)
}

/// Ends a login.
pub async fn delete_login(db: &Db, id: &StaffLoginId) -> Result<(), Error> {
    Ok(with_write!(db, |pool| sqlx::query("delete from staff_logins where id = $1")
        .bind(id.as_str())
        .execute(pool)
        .await
        .map(drop))?)
}

/// Takes a time step's code, once; false where it or a newer one was used.
pub async fn use_step(db: &Db, staff: &str, step: i64) -> Result<bool, Error> {
    let used = with_write!(db, |pool| sqlx::query(
        "update staff set last_step = $2 where id = $1 and last_step < $2"
    )
    .bind(staff)
    .bind(step)
    .execute(pool)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(used == 1)
}

/// The login has shown its code, and with it that the secret has arrived.
pub async fn prove(tx: &mut Tx, login: &str, staff: &str, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update staff_logins set proven_at = $2 where id = $1")
        .bind(login)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    with_tx!(tx, |conn| sqlx::query(
        "update staff set on_since = coalesce(on_since, $2), signed_in_at = $2 where id = $1"
    )
    .bind(staff)
    .bind(now)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}
