//! SQL of the back office's accounts.

use domain::ids::StaffLoginId;
use domain::staff::{LOGIN_MS, Role};

use super::account_name;
use platform::db::{Db, Tx, now_ms, sql, with_db, with_tx, with_write};
use platform::error::Error;
use platform::staff::Staff;

/// Somebody in the back office.
#[derive(Debug, Clone, sqlx::FromRow)]
pub struct Account {
    pub id: String,
    pub name: String,
    /// Codes between commas.
    pub roles: String,
    pub password_hash: String,
    pub sealed: String,
    pub on_since: Option<i64>,
    pub created_at: i64,
    pub ended_at: Option<i64>,
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

fn read_roles(codes: &str) -> Result<Vec<Role>, Error> {
    codes.split(',').map(|code| code.parse().map_err(Error::internal)).collect()
}

/// Roles as they are stored.
pub fn codes(roles: &[Role]) -> String {
    roles.iter().map(|role| role.code()).collect::<Vec<_>>().join(",")
}

const COLUMNS: &str =
    "s.id, s.name, s.roles, s.password_hash, s.sealed, s.on_since, s.created_at, s.ended_at";

/// Who works here under the name that somebody typed. Names were once kept in whatever width they had.
pub async fn by_name(db: &Db, typed: &str) -> Result<Option<Account>, Error> {
    let sql = sql!(
        "select {COLUMNS} from staff s where s.name in ($1, $2) order by case when s.name = $1 then 0 else 1 end limit 1"
    );
    let (name, before) = (account_name(typed), typed.trim().to_lowercase());
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).bind(&name).bind(&before).fetch_optional(pool).await)?)
}

/// Everybody who works here or did.
pub async fn all(db: &Db) -> Result<Vec<Account>, Error> {
    let sql = sql!("select {COLUMNS} from staff s order by s.created_at, s.id");
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text()).fetch_all(pool).await)?)
}

/// A login that is not over, of somebody who still works here, whatever it has shown.
pub async fn by_login(db: &Db, login: &StaffLoginId) -> Result<Option<Found>, Error> {
    let sql = sql!(
        "select l.id as login, l.created_at as began_at, l.proven_at, {COLUMNS}
         from staff_logins l join staff s on s.id = l.staff_id
         where l.id = $1 and l.created_at > $2 and s.ended_at is null"
    );
    Ok(with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(login.as_str())
        .bind(now_ms() - LOGIN_MS)
        .fetch_optional(pool)
        .await)?)
}

/// Adds somebody; false where the name is taken.
pub async fn insert(tx: &mut Tx, account: &Account) -> Result<bool, Error> {
    let inserted = with_tx!(tx, |conn| sqlx::query(
        "insert into staff (id, name, roles, password_hash, sealed, last_step, created_at)
         values ($1, $2, $3, $4, $5, 0, $6) on conflict (name) do nothing",
    )
    .bind(&account.id)
    .bind(&account.name)
    .bind(&account.roles)
    .bind(&account.password_hash)
    .bind(&account.sealed)
    .bind(account.created_at)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(inserted == 1)
}

/// Other roles, from the next request on; false where nobody has the name.
pub async fn set_roles(tx: &mut Tx, name: &str, roles: &[Role]) -> Result<bool, Error> {
    Ok(with_tx!(tx, |conn| sqlx::query("update staff set roles = $2 where name = $1 and ended_at is null")
        .bind(name)
        .bind(codes(roles))
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))?
        == 1)
}

/// Another password; all logins of the name but one end.
pub async fn set_password(
    tx: &mut Tx,
    id: &str,
    hash: &str,
    but: Option<&StaffLoginId>,
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update staff set password_hash = $2 where id = $1")
        .bind(id)
        .bind(hash)
        .execute(conn)
        .await
        .map(drop))?;
    end_logins(tx, id, but).await
}

/// Another secret, which has to be shown once before it counts.
pub async fn set_secret(tx: &mut Tx, id: &str, sealed: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "update staff set sealed = $2, on_since = null, last_step = 0 where id = $1"
    )
    .bind(id)
    .bind(sealed)
    .execute(conn)
    .await
    .map(drop))?;
    end_logins(tx, id, None).await
}

/// Lets somebody go: its name stays in the log, its logins end.
pub async fn end(tx: &mut Tx, id: &str, now: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("update staff set ended_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    end_logins(tx, id, None).await
}

async fn end_logins(tx: &mut Tx, id: &str, but: Option<&StaffLoginId>) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from staff_logins where staff_id = $1 and id <> $2")
        .bind(id)
        .bind(but.map_or("", StaffLoginId::as_str))
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}

/// A login of somebody whose password was right. Those that are over go.
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
    with_tx!(tx, |conn| sqlx::query("update staff set on_since = coalesce(on_since, $2) where id = $1")
        .bind(staff)
        .bind(now)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
