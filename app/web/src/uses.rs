//! Which of a member's files are shown where: one table, which every deletion asks in its own transaction.
//!
//! Whatever shows photos or PDFs, a *holder* such as a work or an order, says so with [`show`] in the transaction that
//! writes its own rows. What has a row stays. A holder with versions has one row for each unbroken run of versions that
//! show a file, so that hundreds of versions with hundreds of photos are hundreds of rows. How holders are called in
//! words, and which of them were written by a program that knew no uses, their slice says ([`Shows`]).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use base::db::{Db, Tx, sql, with_db, with_tx, with_write};
use base::error::Error;
use domain::document::{Document, Page};
use domain::ids::{FileDigest, MemberId, PhotoId};

use crate::app::App;
use crate::slice::{House, Shows};

/// A file that can be shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shown {
    Photo(PhotoId),
    Pdf(FileDigest),
}

impl Shown {
    /// Every photo and PDF that a document shows.
    pub fn in_document(document: &Document) -> BTreeSet<Self> {
        let photos =
            document.printed_pages().flat_map(Page::photos).map(|frame| Self::Photo(frame.photo.clone()));
        let pdfs = document.all_pages().flat_map(Page::pdfs).map(|pdf| Self::Pdf(pdf.file.clone()));
        photos.chain(pdfs).collect()
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Photo(_) => "photo",
            Self::Pdf(_) => "pdf",
        }
    }

    /// No photo is called like a PDF: one is an id, the other a digest.
    fn name(&self) -> &str {
        match self {
            Self::Photo(id) => id.as_str(),
            Self::Pdf(file) => file.as_str(),
        }
    }

    fn read(kind: &str, name: String) -> Result<Self, Error> {
        match kind {
            "photo" => Ok(Self::Photo(name.try_into().map_err(Error::internal)?)),
            "pdf" => Ok(Self::Pdf(name.try_into().map_err(Error::internal)?)),
            other => Err(Error::internal(format!("{other} is no kind of file"))),
        }
    }
}

/// What shows files: the word for its kind (see [`Shows`]) and its id.
#[derive(Debug, Clone, Copy)]
pub struct Holder<'a> {
    pub kind: &'static str,
    pub id: &'a str,
}

/// Rows or names in one statement.
const AT_ONCE: usize = 500;

/// A holder shows these files of a member from a version on, and no others; one without versions has version 0.
pub async fn show(
    tx: &mut Tx,
    member: &MemberId,
    holder: Holder<'_>,
    version: i64,
    files: &BTreeSet<Shown>,
) -> Result<(), Error> {
    let before = shown_now(tx, holder).await?;
    let gone: Vec<&Shown> = before.difference(files).collect();
    let new: Vec<&Shown> = files.difference(&before).collect();
    for part in gone.chunks(AT_ONCE) {
        end(tx, holder, version, part).await?;
    }
    begin(tx, member, holder, (version, None), &new).await
}

/// A holder shows these files of a member in one version that stands beside its others.
pub async fn show_once(
    tx: &mut Tx,
    member: &MemberId,
    holder: Holder<'_>,
    version: i64,
    files: &BTreeSet<Shown>,
) -> Result<(), Error> {
    let files: Vec<&Shown> = files.iter().collect();
    begin(tx, member, holder, (version, Some(version)), &files).await
}

async fn shown_now(tx: &mut Tx, holder: Holder<'_>) -> Result<BTreeSet<Shown>, Error> {
    let rows: Vec<(String, String)> = with_tx!(tx, |conn| sqlx::query_as(
        "select kind, file from file_uses where holder_kind = $1 and holder = $2 and last_version is null"
    )
    .bind(holder.kind)
    .bind(holder.id)
    .fetch_all(conn)
    .await)?;
    rows.into_iter().map(|(kind, file)| Shown::read(&kind, file)).collect()
}

async fn begin(
    tx: &mut Tx,
    member: &MemberId,
    holder: Holder<'_>,
    (first, last): (i64, Option<i64>),
    files: &[&Shown],
) -> Result<(), Error> {
    if !files.is_empty() {
        lock(tx, member, Lock::Shared).await?;
    }
    let sql = sql!(
        "insert into file_uses (holder_kind, holder, first_version, last_version, member_id, kind, file)
         values [($1, $2, $3, $4, $5, ?, ?)]"
    );
    for part in files.chunks(AT_ONCE) {
        let sql = sql.repeated(part.len());
        with_tx!(tx, |conn| {
            let query = sqlx::query(sql.text()).bind(holder.kind).bind(holder.id);
            let query = query.bind(first).bind(last).bind(member.as_str());
            part.iter()
                .fold(query, |query, file| query.bind(file.kind()).bind(file.name()))
                .execute(conn)
                .await
                .map(drop)
        })?;
    }
    Ok(())
}

/// Ends the rows of files that a holder shows no more from a version on. One that began there never was.
async fn end(tx: &mut Tx, holder: Holder<'_>, version: i64, files: &[&Shown]) -> Result<(), Error> {
    let sql = sql!(
        "update file_uses set last_version = $1
         where holder_kind = $2 and holder = $3 and last_version is null and file in ([?])"
    );
    let sql = sql.repeated(files.len());
    with_tx!(tx, |conn| {
        let query = sqlx::query(sql.text()).bind(version - 1).bind(holder.kind).bind(holder.id);
        files.iter().fold(query, |query, file| query.bind(file.name())).execute(conn).await.map(drop)
    })?;
    with_tx!(tx, |conn| sqlx::query(
        "delete from file_uses where holder_kind = $1 and holder = $2 and last_version < first_version"
    )
    .bind(holder.kind)
    .bind(holder.id)
    .execute(conn)
    .await
    .map(drop))?;
    Ok(())
}

/// Files that something has ceased to show, each with its member. Something else may go on showing them.
pub type Released = BTreeSet<(MemberId, Shown)>;

fn released(rows: Vec<(String, String, String)>) -> Result<Released, Error> {
    let read = |(member, kind, file): (String, String, String)| {
        Ok((member.try_into().map_err(Error::internal)?, Shown::read(&kind, file)?))
    };
    rows.into_iter().map(read).collect()
}

/// Deletes a holder's rows about versions of which none is left, and answers whose files these were. `versions` are all
/// that there are, in any order.
pub async fn thin(tx: &mut Tx, holder: Holder<'_>, versions: &BTreeSet<i64>) -> Result<Released, Error> {
    let runs: Vec<(i64, i64)> = with_tx!(tx, |conn| sqlx::query_as(
        "select distinct first_version, last_version from file_uses
         where holder_kind = $1 and holder = $2 and last_version is not null",
    )
    .bind(holder.kind)
    .bind(holder.id)
    .fetch_all(conn)
    .await)?;
    let mut gone = Released::new();
    for (first, last) in runs {
        if !versions.iter().any(|version| (first..=last).contains(version)) {
            let rows = with_tx!(tx, |conn| sqlx::query_as(
                "delete from file_uses where holder_kind = $1 and holder = $2 and first_version = $3
                     and last_version = $4 returning member_id, kind, file",
            )
            .bind(holder.kind)
            .bind(holder.id)
            .bind(first)
            .bind(last)
            .fetch_all(conn)
            .await)?;
            gone.extend(released(rows)?);
        }
    }
    Ok(gone)
}

/// Deletes all rows of a holder that is deleted, or noted anew, and answers whose files these were.
pub async fn forget(tx: &mut Tx, holder: Holder<'_>) -> Result<Released, Error> {
    let rows = with_tx!(tx, |conn| sqlx::query_as(
        "delete from file_uses where holder_kind = $1 and holder = $2 returning member_id, kind, file"
    )
    .bind(holder.kind)
    .bind(holder.id)
    .fetch_all(conn)
    .await)?;
    released(rows)
}

/// Whether anything shows a member's file. Who goes on to delete it has called [`hold`] before.
pub async fn is_shown(tx: &mut Tx, member: &MemberId, file: &Shown) -> Result<bool, Error> {
    let uses: i64 = with_tx!(tx, |conn| sqlx::query_scalar(
        "select count(*) from file_uses where member_id = $1 and kind = $2 and file = $3"
    )
    .bind(member.as_str())
    .bind(file.kind())
    .bind(file.name())
    .fetch_one(conn)
    .await)?;
    Ok(uses > 0)
}

/// Begins deleting files of a member: until the transaction ends nobody begins to show one, and what was written by a
/// program that knew no uses is noted. Where that fails nothing is deleted.
pub async fn hold(app: &App, tx: &mut Tx, member: &MemberId) -> Result<(), Error> {
    // rows of holders before the lock, in the order of those who save
    for shows in shows(app.house) {
        for holder in shows.unnoted(tx, Some(member), "", i64::MAX).await? {
            shows.note(tx, &holder).await?;
        }
    }
    lock(tx, member, Lock::Alone).await
}

enum Lock {
    /// By all who begin to show files.
    Shared,
    /// By one who deletes them.
    Alone,
}

/// Any number that no other program on the same PostgreSQL takes for its own.
const LOCK: i32 = 0x75_73_65_73;

/// Who deletes a member's files waits for whoever is about to show one, and the other way round: what is not committed is
/// not seen. SQLite has one writer at a time anyway.
async fn lock(tx: &mut Tx, member: &MemberId, lock: Lock) -> Result<(), Error> {
    if let Tx::Postgres(inner, _) = tx {
        let sql = match lock {
            Lock::Shared => sql!("select pg_advisory_xact_lock_shared($1, hashtext($2))"),
            Lock::Alone => sql!("select pg_advisory_xact_lock($1, hashtext($2))"),
        };
        sqlx::query(sql.text()).bind(LOCK).bind(member.as_str()).execute(inner).await?;
    }
    Ok(())
}

/// Where files are shown, in words.
pub type Places = HashMap<Shown, Vec<String>>;

/// What is said of a holder that has no words.
const SOMEWHERE: &str = "其他地方";

/// Where some of a member's files are shown, in words: everything that shows them now, or else one thing whose earlier
/// version does. Files that nothing shows are not named.
pub async fn places(app: &App, tx: &mut Tx, member: &MemberId, files: &[Shown]) -> Result<Places, Error> {
    // by kind and id of the holder
    let mut uses: BTreeMap<(String, String), Vec<(Shown, bool)>> = BTreeMap::new();
    for part in files.chunks(AT_ONCE) {
        for (kind, file, holder_kind, holder, now) in uses_of(tx, member, part).await? {
            uses.entry((holder_kind, holder)).or_default().push((Shown::read(&kind, file)?, now == 1));
        }
    }
    let (mut places, mut before) = (Places::new(), Places::new());
    for shows in shows(app.house) {
        // whatever else the member has is not looked at
        let named = uses.keys().filter(|(kind, _)| kind == shows.kind());
        let named: Vec<String> = named.map(|(_, holder)| holder.clone()).collect();
        for some in named.chunks(AT_ONCE) {
            for (id, words) in shows.names(tx, member, some).await? {
                let shown = uses.remove(&(shows.kind().to_owned(), id)).unwrap_or_default();
                for (file, now) in shown {
                    if now {
                        places.entry(file).or_default().push(words.clone());
                    } else {
                        before.entry(file).or_insert_with(|| vec![format!("{words}的旧版本")]);
                    }
                }
            }
        }
    }
    for (file, _) in uses.into_values().flatten() {
        before.entry(file).or_insert_with(|| vec![SOMEWHERE.to_owned()]);
    }
    for (file, place) in before {
        places.entry(file).or_insert(place);
    }
    Ok(places)
}

/// Kind and name of a file, kind and id of a holder, 1 where it shows the file now.
type Use = (String, String, String, String, i64);

async fn uses_of(tx: &mut Tx, member: &MemberId, files: &[Shown]) -> Result<Vec<Use>, Error> {
    let sql = sql!(
        "select kind, file, holder_kind, holder,
                cast(max(case when last_version is null then 1 else 0 end) as bigint)
         from file_uses where member_id = $1 and kind in ('photo', 'pdf') and file in ([?])
         group by kind, file, holder_kind, holder"
    );
    let sql = sql.repeated(files.len());
    Ok(with_tx!(tx, |conn| {
        let query = sqlx::query_as(sql.text()).bind(member.as_str());
        files.iter().fold(query, |query, file| query.bind(file.name())).fetch_all(conn).await
    })?)
}

/// Holders that are noted in one transaction when the program opens.
const NOTED_AT_ONCE: i64 = 20;

/// Notes everybody's uses that are missing. What can't be read is told and left out: of its member nothing is deleted.
pub async fn note_missing(db: &Db, house: &'static House) -> Result<(), Error> {
    for shows in shows(house) {
        let mut after = String::new();
        loop {
            let mut tx = db.begin().await?;
            let holders = shows.unnoted(&mut tx, None, &after, NOTED_AT_ONCE).await?;
            drop(tx);
            let Some(last) = holders.last() else { break };
            after.clone_from(last);
            for holder in holders {
                let mut tx = db.begin().await?;
                match shows.note(&mut tx, &holder).await {
                    Ok(()) => tx.commit().await?,
                    Err(error) => {
                        tracing::error!(kind = shows.kind(), holder, %error, "What it shows could not be noted");
                    }
                }
            }
        }
    }
    Ok(())
}

/// Deletes rows of holders that an older program has deleted. They are looked for among all rows while nobody waits, and each holder
/// is looked at again in the transaction that forgets it.
pub async fn sweep(app: &App) -> Result<(), Error> {
    for shows in shows(app.house) {
        loop {
            let gone: Vec<String> = with_db!(&app.db, |pool| sqlx::query_scalar(shows.gone().text())
                .bind(shows.kind())
                .fetch_all(pool)
                .await)?;
            for holder in &gone {
                with_write!(&app.db, |pool| sqlx::query(shows.forget_gone().text())
                    .bind(shows.kind())
                    .bind(holder)
                    .execute(pool)
                    .await
                    .map(drop))?;
            }
            if gone.is_empty() {
                break;
            }
        }
    }
    Ok(())
}

fn shows(house: &'static House) -> impl Iterator<Item = &'static dyn Shows> {
    house.slices.iter().filter_map(|slice| slice.shows)
}
