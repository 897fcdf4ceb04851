//! SQL of members as the back office looks at them.

use base::db::{Db, sql, with_db};
use base::error::Error;
use base::lists::pattern;
use domain::ids::MemberId;
use domain::membership::Standing;

use super::tiers;

/// What the back office sees of every member, closed ones too.
#[derive(Debug, Clone)]
pub struct MemberFacts {
    pub id: MemberId,
    pub account: String,
    pub name: String,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub member_code: String,
    pub invite_code: String,
    pub standing: Standing,
    /// Epoch ms.
    pub created_at: i64,
    /// When it closed its account, epoch ms.
    pub closed_at: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    account: String,
    name: String,
    phone: Option<String>,
    email: Option<String>,
    member_code: String,
    invite_code: String,
    tier: String,
    tier_until: Option<i64>,
    tier_after: Option<String>,
    created_at: i64,
    closed_at: Option<i64>,
}

impl TryFrom<Row> for MemberFacts {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            standing: tiers::standing(&row.tier, row.tier_until, row.tier_after.as_deref())?,
            id: row.id.try_into().map_err(Error::internal)?,
            account: row.account,
            name: row.name,
            phone: row.phone,
            email: row.email,
            member_code: row.member_code,
            invite_code: row.invite_code,
            created_at: row.created_at,
            closed_at: row.closed_at,
        })
    }
}

const COLUMNS: &str = "id, account, name, phone, email, member_code, invite_code, tier, tier_until, \
                       tier_after, created_at, closed_at";

/// A page of members, the newest first, behind one of them: those whose account, mobile number or address is the contact,
/// whose code is the search, or whose name holds it; all of them where it is empty.
pub async fn page(
    db: &Db,
    search: &str,
    contact: &str,
    after: Option<&MemberId>,
    most: i64,
) -> Result<Vec<MemberFacts>, Error> {
    // ids sort by when they were made
    let sql = sql!(
        "select {COLUMNS} from members
         where ($1 = '' or account = $2 or phone = $2 or email = $2 or member_code = $1
                or lower(name) like lower($3) escape '\\')
           and ($4 = '' or id < $4)
         order by id desc limit $5"
    );
    let rows: Vec<Row> = with_db!(db, |pool| sqlx::query_as(sql.text())
        .bind(search)
        .bind(contact)
        .bind(pattern(search))
        .bind(after.map_or("", MemberId::as_str))
        .bind(most)
        .fetch_all(pool)
        .await)?;
    rows.into_iter().map(MemberFacts::try_from).collect()
}

/// One member.
pub async fn find(db: &Db, id: &MemberId) -> Result<MemberFacts, Error> {
    let sql = sql!("select {COLUMNS} from members where id = $1");
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(id.as_str()).fetch_optional(pool).await)?;
    row.ok_or(Error::NotFound)?.try_into()
}
