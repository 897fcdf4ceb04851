//! SQL of shared works.

use base::db::{self, Db, Tx, formatcp, joined, sql, with_db, with_tx};
use base::error::Error;
use base::forgetting;
use domain::document::{Document, TextRole, Trim};
use domain::ids::{MemberId, PageId, WorkId};
use domain::money::Fen;
use domain::sharing::{Direction, Terms, Visibility};
use serde::{Deserialize, Serialize};

/// A work as its readers see it.
#[derive(Debug, Clone)]
pub struct Share {
    pub work: WorkId,
    pub member: MemberId,
    pub settings: Settings,
    /// The revision that readers see.
    pub revision: i64,
    pub facts: Facts,
    pub picture_key: String,
    pub published_at: i64,
    pub updated_at: i64,
    pub withdrawn_at: Option<i64>,
    /// Why the house withdrew it.
    pub withdrawn_reason: Option<String>,
    /// Whether the work lies in the trash.
    pub is_trashed: bool,
}

/// What every page of a shared work shows of the whole.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Facts {
    pub trim: Trim,
    pub pages: usize,
    pub author: String,
    /// Chapters: the page where one begins, from 1, and its name.
    pub chapters: Vec<(usize, String)>,
    /// The ids of the cover and of the pages after it, for what belongs to a page wherever it stands.
    #[serde(default)]
    pub page_ids: Vec<Option<PageId>>,
}

impl Facts {
    /// Of a document. `named` are the chapters that its PDFs name.
    pub fn of(document: &Document, named: Vec<(usize, String)>) -> Self {
        let headings = document.pages.iter().enumerate().flat_map(|(index, page)| {
            let headings = page.texts().filter(|block| block.role == TextRole::Heading);
            let headings = headings.map(|block| block.text.split_whitespace().collect::<Vec<_>>().join(" "));
            headings.filter(|text| !text.is_empty()).map(move |text| (index + 1, text))
        });
        let mut chapters: Vec<(usize, String)> = headings.chain(named).collect();
        chapters.sort_by_key(|(page, _)| *page);
        Self {
            trim: document.trim,
            pages: document.pages.len(),
            author: document.author.clone(),
            chapters,
            page_ids: document.all_pages().map(|page| page.id.clone()).collect(),
        }
    }
}

/// What the maker chooses.
#[derive(Debug, Clone)]
pub struct Settings {
    pub visibility: Visibility,
    pub password_hash: Option<String>,
    pub ends_at: Option<i64>,
    pub direction: Direction,
    pub title: String,
    pub description: String,
    /// 0 is the cover.
    pub card_page: i64,
    /// Origins that may show it in a frame.
    pub embed_sites: Vec<String>,
    pub pdf: bool,
    pub epub: bool,
    /// What reading all of it costs; nothing where it is free.
    pub sale: Option<Sale>,
    /// What its maker adds to each printed copy that a reader orders; nothing where none may be ordered.
    pub markup: Option<Fen>,
}

/// How reading is sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sale {
    /// Of this work alone, for ever; none where it is sold in packages only.
    pub price: Option<Fen>,
    /// Pages, from the first on, that anybody may read.
    pub preview_pages: u32,
}

impl Settings {
    /// As it is stored.
    fn price(&self) -> Option<i64> {
        self.sale.and_then(|sale| sale.price).map(|price| price.0)
    }

    fn preview_pages(&self) -> i64 {
        self.sale.map_or(0, |sale| i64::from(sale.preview_pages))
    }
}

impl Share {
    /// What decides who may read it.
    pub fn terms(&self) -> Terms {
        Terms {
            visibility: self.settings.visibility,
            ends_at: self.settings.ends_at,
            is_withdrawn: self.withdrawn_at.is_some() || self.is_trashed,
            is_barred: self.withdrawn_reason.is_some(),
            is_sold: self.settings.sale.is_some(),
            preview_pages: self.settings.sale.map_or(0, |sale| sale.preview_pages),
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    work_id: String,
    member_id: String,
    visibility: String,
    password_hash: Option<String>,
    ends_at: Option<i64>,
    direction: String,
    title: String,
    description: String,
    card_page: i64,
    embed_sites: String,
    pdf: i64,
    epub: i64,
    is_sold: i64,
    price: Option<i64>,
    preview_pages: i64,
    print: i64,
    markup: i64,
    revision: i64,
    facts: String,
    picture_key: String,
    published_at: i64,
    updated_at: i64,
    withdrawn_at: Option<i64>,
    withdrawn_reason: Option<String>,
    trashed_at: Option<i64>,
}

/// Everything but the document, which is large.
const COLUMNS: &str = "s.work_id, s.member_id, s.visibility, s.password_hash, s.ends_at, s.direction, s.title, s.description,
    s.card_page, s.embed_sites, s.pdf, s.epub, s.is_sold, s.price, s.preview_pages, s.print, s.markup, s.revision, s.facts, s.picture_key,
    s.published_at, s.updated_at, s.withdrawn_at, s.withdrawn_reason, w.trashed_at";

impl TryFrom<Row> for Share {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let unknown = |what: &str, value: &str| Error::internal(format!("no such {what}: {value}"));
        Ok(Self {
            work: row.work_id.try_into().map_err(Error::internal)?,
            member: row.member_id.try_into().map_err(Error::internal)?,
            settings: Settings {
                visibility: Visibility::of_code(&row.visibility)
                    .ok_or_else(|| unknown("visibility", &row.visibility))?,
                password_hash: row.password_hash,
                ends_at: row.ends_at,
                direction: Direction::of_code(&row.direction)
                    .ok_or_else(|| unknown("direction", &row.direction))?,
                title: row.title,
                description: row.description,
                card_page: row.card_page,
                embed_sites: row.embed_sites.lines().map(str::to_owned).collect(),
                pdf: row.pdf == 1,
                epub: row.epub == 1,
                sale: (row.is_sold == 1).then(|| Sale {
                    price: row.price.map(Fen),
                    preview_pages: u32::try_from(row.preview_pages).unwrap_or(0),
                }),
                markup: (row.print == 1).then_some(Fen(row.markup)),
            },
            revision: row.revision,
            facts: db::json("facts", &row.facts)?,
            picture_key: row.picture_key,
            published_at: row.published_at,
            updated_at: row.updated_at,
            withdrawn_at: row.withdrawn_at,
            withdrawn_reason: row.withdrawn_reason,
            is_trashed: row.trashed_at.is_some(),
        })
    }
}

/// A shared work, whoever asks: who may read it is for [`Terms::access`] to say.
pub async fn find(db: &Db, work: &WorkId) -> Result<Option<Share>, Error> {
    let sql = sql!(
        "select {COLUMNS} from shares s join works w on w.id = s.work_id where s.work_id = $1 and {STANDS}"
    );
    let row: Option<Row> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(work.as_str()).fetch_optional(pool).await)?;
    row.map(Share::try_from).transpose()
}

/// What the readers of a work see.
pub async fn document(db: &Db, work: &WorkId) -> Result<Document, Error> {
    let text: String = with_db!(db, |pool| {
        sqlx::query_scalar("select document from shares where work_id = $1")
            .bind(work.as_str())
            .fetch_one(pool)
            .await
    })?;
    Ok(db::json("document", &text)?)
}

const ALL: &str = formatcp!("select {COLUMNS} from shares s join works w on w.id = s.work_id");
/// What a closed account shared is nothing to anybody, from that moment on.
const STANDS: &str = "(select m.closed_at from members m where m.id = s.member_id) is null";
const OF_MEMBER: &str = "where s.member_id = $1";
const OF_ALL: &str = "where $1 = ''";

/// All shared works of the house or of one member, the newest first.
pub async fn list(db: &Db, member: Option<&MemberId>) -> Result<Vec<Share>, Error> {
    let whose = if member.is_some() { OF_MEMBER } else { OF_ALL };
    let sql = joined(&[ALL, whose, "order by s.published_at desc, s.work_id desc"]);
    let rows: Vec<Row> = with_db!(db, |pool| {
        sqlx::query_as(sql.text()).bind(member.map_or("", MemberId::as_str)).fetch_all(pool).await
    })?;
    rows.into_iter().map(Share::try_from).collect()
}

/// Shared works that one question names.
const AT_ONCE: usize = 40;

/// Those of these works that are shared, in any order.
pub async fn find_all(db: &Db, works: &[&str]) -> Result<Vec<Share>, Error> {
    let mut found = Vec::new();
    let sql = sql!(
        "select {COLUMNS} from shares s join works w on w.id = s.work_id where s.work_id in ([?]) and {STANDS}"
    );
    let sql = sql.repeated(AT_ONCE);
    for named in works.chunks(AT_ONCE) {
        // the places that are left name nothing
        let named = named.iter().copied().chain(std::iter::repeat("")).take(AT_ONCE);
        let rows: Vec<Row> = with_db!(db, |pool| {
            named
                .fold(sqlx::query_as(sql.text()), |query, work| query.bind(work.to_owned()))
                .fetch_all(pool)
                .await
        })?;
        for row in rows {
            found.push(row.try_into()?);
        }
    }
    Ok(found)
}

/// A work that search engines may have.
pub struct Listed {
    pub work: WorkId,
    /// Those that anybody may read.
    pub pages: usize,
    pub changed_at: i64,
}

/// Works that everybody may read, and that search engines may have, at a moment (epoch ms); the newest first.
pub async fn listed(db: &Db, now: i64, most: i64) -> Result<Vec<Listed>, Error> {
    let sql = sql!(
        "select s.work_id, s.facts, s.updated_at, s.is_sold, s.preview_pages
         from shares s join works w on w.id = s.work_id
         where s.visibility = 'public' and s.withdrawn_at is null and w.trashed_at is null
            and (s.ends_at is null or s.ends_at > $1) and {STANDS}
         order by s.published_at desc, s.work_id desc limit $2"
    );
    let rows: Vec<(String, String, i64, i64, i64)> =
        with_db!(db, |pool| sqlx::query_as(sql.text()).bind(now).bind(most).fetch_all(pool).await)?;
    rows.into_iter()
        .map(|(work, facts, changed_at, is_sold, preview)| {
            let facts: Facts = db::json("facts", &facts)?;
            let preview = usize::try_from(preview).unwrap_or(0);
            let pages = if is_sold == 1 { facts.pages.min(preview) } else { facts.pages };
            Ok(Listed { work: work.try_into().map_err(Error::internal)?, pages, changed_at })
        })
        .collect()
}

/// Publishes a revision, or another one in its place; it can be read again where it was withdrawn by its maker.
pub async fn publish(tx: &mut Tx, share: &Share, document: &str) -> Result<(), Error> {
    with_tx!(tx, |conn| {
        sqlx::query(
        "insert into shares (work_id, member_id, visibility, password_hash, ends_at, direction, title, description,
            card_page, embed_sites, pdf, epub, revision, document, facts, picture_key, published_at,
            updated_at, is_sold, price, preview_pages, print, markup)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $17, $15, $16, $16, $18, $19, $20, $21, $22)
         on conflict (work_id) do update set revision = excluded.revision, document = excluded.document,
            facts = excluded.facts, updated_at = excluded.updated_at, withdrawn_at = null",
    )
    .bind(share.work.as_str())
    .bind(share.member.as_str())
    .bind(share.settings.visibility.code())
    .bind(share.settings.password_hash.as_deref())
    .bind(share.settings.ends_at)
    .bind(share.settings.direction.code())
    .bind(&share.settings.title)
    .bind(&share.settings.description)
    .bind(share.settings.card_page)
    .bind(share.settings.embed_sites.join("\n"))
    .bind(i64::from(share.settings.pdf))
    .bind(i64::from(share.settings.epub))
    .bind(share.revision)
    .bind(document)
    .bind(&share.picture_key)
    .bind(share.updated_at)
    .bind(serde_json::to_string(&share.facts)?)
    .bind(i64::from(share.settings.sale.is_some()))
    .bind(share.settings.price())
    .bind(share.settings.preview_pages())
    .bind(i64::from(share.settings.markup.is_some()))
    .bind(share.settings.markup.unwrap_or_default().0)
    .execute(conn)
    .await
    .map(drop)
    })?;
    Ok(())
}

/// Changes what the maker chooses; false where there is nothing shared.
pub async fn set(
    tx: &mut Tx,
    work: &WorkId,
    settings: &Settings,
    picture_key: &str,
    now: i64,
) -> Result<bool, Error> {
    let changed = with_tx!(tx, |conn| sqlx::query(
        "update shares set visibility = $2, password_hash = $3, ends_at = $4, direction = $5, title = $6,
            description = $7, card_page = $8, embed_sites = $9, pdf = $10, epub = $11, picture_key = $12,
            updated_at = $13, is_sold = $14, price = $15, preview_pages = $16, print = $17, markup = $18
         where work_id = $1",
    )
    .bind(work.as_str())
    .bind(settings.visibility.code())
    .bind(settings.password_hash.as_deref())
    .bind(settings.ends_at)
    .bind(settings.direction.code())
    .bind(&settings.title)
    .bind(&settings.description)
    .bind(settings.card_page)
    .bind(settings.embed_sites.join("\n"))
    .bind(i64::from(settings.pdf))
    .bind(i64::from(settings.epub))
    .bind(picture_key)
    .bind(now)
    .bind(i64::from(settings.sale.is_some()))
    .bind(settings.price())
    .bind(settings.preview_pages())
    .bind(i64::from(settings.markup.is_some()))
    .bind(settings.markup.unwrap_or_default().0)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(changed == 1)
}

/// Ends reading at once. With a reason it is the house that does so, and its maker can't publish it again; pictures get
/// another address, so that nobody who has one sees anything more.
pub async fn withdraw(
    tx: &mut Tx,
    work: &WorkId,
    picture_key: &str,
    reason: Option<&str>,
    now: i64,
) -> Result<bool, Error> {
    let changed = with_tx!(tx, |conn| sqlx::query(
        "update shares set withdrawn_at = coalesce(withdrawn_at, $2), picture_key = $3,
            withdrawn_reason = coalesce($4, withdrawn_reason)
         where work_id = $1",
    )
    .bind(work.as_str())
    .bind(now)
    .bind(picture_key)
    .bind(reason)
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(changed == 1)
}

/// Who shared a work, and why the house withdrew it, where it did; nothing at all where the work is not shared. Its row is held
/// until the transaction ends.
pub async fn hold_withdrawal(
    tx: &mut Tx,
    work: &WorkId,
) -> Result<Option<(MemberId, Option<String>)>, Error> {
    let row: Option<(String, Option<String>)> = with_tx!(tx, |conn| sqlx::query_as(
        "update shares set revision = revision where work_id = $1 returning member_id, withdrawn_reason"
    )
    .bind(work.as_str())
    .fetch_optional(conn)
    .await)?;
    let member = |member: String| member.try_into().map_err(Error::internal);
    row.map(|(maker, reason)| Ok((member(maker)?, reason))).transpose()
}

/// Whether the maker of a shared work, or the house, took it back.
pub async fn is_withdrawn(tx: &mut Tx, work: &str) -> Result<bool, Error> {
    let count: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from shares
         where work_id = $1 and (withdrawn_at is not null or withdrawn_reason is not null)"
    )
    .bind(work)
    .fetch_one(conn)
    .await)?;
    Ok(count > 0)
}

/// Takes back that the house withdrew a work: its maker may publish it again.
pub async fn allow(tx: &mut Tx, work: &WorkId) -> Result<bool, Error> {
    let changed = with_tx!(tx, |conn| sqlx::query(
        "update shares set withdrawn_reason = null where work_id = $1 and withdrawn_reason is not null",
    )
    .bind(work.as_str())
    .execute(conn)
    .await
    .map(|done| done.rows_affected()))?;
    Ok(changed == 1)
}

/// Works of which what was shared is forgotten at once.
const WORKS: i64 = 20;

/// Forgets some of what a member shared, hot areas with it; whether there may be more.
pub async fn forget_some(tx: &mut Tx, member: &MemberId) -> Result<bool, Error> {
    let shown = [
        sql!("select work_id from shares where member_id = $1 limit $2"),
        sql!("select work_id from hot_areas where member_id = $1 limit $2"),
    ];
    let works = forgetting::first_of(tx, &shown, member, WORKS).await?;
    let parts = [
        (
            sql!(
                "delete from file_uses where (holder_kind, holder, kind, file, first_version) in (
                     select holder_kind, holder, kind, file, first_version from file_uses
                     where holder_kind = 'share' and holder in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from share_pages where (work_id, revision, page) in (
                     select work_id, revision, page from share_pages where work_id in ([?]) limit $1)"
            ),
            5,
        ),
        (
            sql!(
                "delete from hot_areas where id in (select id from hot_areas where work_id in ([?]) limit $1)"
            ),
            1,
        ),
        (
            sql!(
                "delete from shares where work_id in (select work_id from shares where work_id in ([?]) limit $1)"
            ),
            25,
        ),
    ];
    Ok(forgetting::some_of(tx, &parts, &works).await? || !works.is_empty())
}

/// The words of one published page, and its links, as JSON.
pub async fn page_words(
    db: &Db,
    work: &WorkId,
    revision: i64,
    page: i64,
) -> Result<Option<(String, String)>, Error> {
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select blocks, links from share_pages where work_id = $1 and revision = $2 and page = $3",
        )
        .bind(work.as_str())
        .bind(revision)
        .bind(page)
        .fetch_optional(pool)
        .await
    })?)
}

/// Pages (0 is the cover) with their words, of those that hold a text; of all where it is empty.
pub async fn pages_with(
    db: &Db,
    work: &WorkId,
    revision: i64,
    text: &str,
    most: i64,
) -> Result<Vec<(i64, String)>, Error> {
    let pattern = format!("%{}%", text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
    Ok(with_db!(db, |pool| {
        sqlx::query_as(
            "select page, blocks from share_pages where work_id = $1 and revision = $2 and words like $3 escape '\\'
             order by page limit $4",
        )
        .bind(work.as_str())
        .bind(revision)
        .bind(pattern)
        .bind(most)
        .fetch_all(pool)
        .await
    })?)
}

/// Keeps the words of a page, unless the work was published anew meanwhile.
pub async fn keep_words(
    tx: &mut Tx,
    work: &WorkId,
    revision: i64,
    page: i64,
    words: &str,
    (blocks, links): (&str, &str),
) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query(
        "insert into share_pages (work_id, revision, page, words, blocks, links)
         select work_id, revision, $3, $4, $5, $6 from shares where work_id = $1 and revision = $2
         on conflict do nothing",
    )
    .bind(work.as_str())
    .bind(revision)
    .bind(page)
    .bind(words)
    .bind(blocks)
    .bind(links)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Forgets the words of revisions that nobody reads any more.
pub async fn forget_old_words(tx: &mut Tx, work: &WorkId, revision: i64) -> Result<(), Error> {
    with_tx!(tx, |conn| sqlx::query("delete from share_pages where work_id = $1 and revision <> $2")
        .bind(work.as_str())
        .bind(revision)
        .execute(conn)
        .await
        .map(drop))?;
    Ok(())
}
