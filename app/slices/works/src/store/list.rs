//! SQL of shelves, in keyset pages. Each order has an index that gives its rows as they are shown, so a page is read
//! and nothing else.
//!
//! A search goes one of two ways. Where few titles have its rarest gram, these are looked at and sorted; where all of its
//! grams are in many titles, the shelf is read in its order, since a page of it is full soon.

use base::db::{Composed, Db, formatcp, joined, with_db};
use base::error::Error;
use base::lists;
use domain::document::Trim;
use domain::grams::Gram;
use domain::ids::{MemberId, WorkId};
use domain::reading::folded;

use super::titles;

/// A work as a list shows it.
#[derive(Debug, Clone)]
pub struct Summary {
    pub id: WorkId,
    pub title: String,
    pub trim: Trim,
    pub pages: i64,
    pub revision: i64,
    pub updated_at: i64,
    pub created_at: i64,
    pub trashed_at: Option<i64>,
    /// When it was published as an e-book.
    pub ebook_at: Option<i64>,
    pub is_calendar: bool,
}

/// Which of a member's works are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shelf {
    All,
    Kind(&'static str),
    /// The trash has one order: what was put there last comes first.
    Trash,
}

/// What a shelf is sorted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sort {
    /// The last changed first.
    #[default]
    Changed,
    /// The newest first.
    Made,
    Title,
}

impl Sort {
    /// All of them, in the order of a choice.
    pub const ALL: [Self; 3] = [Self::Changed, Self::Made, Self::Title];

    /// The word in an address; none for the usual one.
    pub fn code(self) -> &'static str {
        match self {
            Self::Changed => "",
            Self::Made => "made",
            Self::Title => "title",
        }
    }
}

/// A page of a list.
#[derive(Debug, Clone)]
pub struct Filter {
    pub shelf: Shelf,
    pub sort: Sort,
    /// Part of a title, as [`folded`] compares; empty for all.
    pub search: String,
}

/// The word for the shelf of e-books.
const EBOOK: &str = "ebook";

/// A place in a shelf; the key is a moment or a title.
pub type Position = lists::Position<WorkId, String>;

impl Filter {
    /// Where the list goes on behind this work.
    pub fn position(&self, work: &Summary) -> Position {
        let at = match (&self.shelf, self.sort) {
            (Shelf::Trash, _) => work.trashed_at.unwrap_or_default().to_string(),
            (_, Sort::Changed) => work.updated_at.to_string(),
            (_, Sort::Made) => work.created_at.to_string(),
            (_, Sort::Title) => work.title.clone(),
        };
        Position { at, id: work.id.clone() }
    }

    fn by_title(&self) -> bool {
        self.sort == Sort::Title && self.shelf != Shelf::Trash
    }

    fn sql(&self, rarest: Option<&Gram>) -> Composed {
        let kind = match self.shelf {
            // what was published as an e-book is still what it was made as
            Shelf::Kind(EBOOK) => "and w.ebook_at is not null and $2 <> ''",
            Shelf::Kind(_) => "and w.kind = $2",
            Shelf::All | Shelf::Trash => "and $2 = ''",
        };
        let Some(gram) = rarest else {
            let works = if self.search.is_empty() { ALL } else { FOUND };
            let order = match (&self.shelf, self.sort) {
                (Shelf::Trash, _) => TRASHED,
                (_, Sort::Changed) => CHANGED,
                (_, Sort::Made) => MADE,
                (_, Sort::Title) => TITLED,
            };
            return joined(&[SELECT, works, kind, order]);
        };
        let works = match gram.count() {
            1 => GATHERED_BY_ONE,
            2 => GATHERED_BY_TWO,
            _ => GATHERED_BY_THREE,
        };
        let order = match (&self.shelf, self.sort) {
            (Shelf::Trash, _) => GATHERED_TRASHED,
            (_, Sort::Changed) => GATHERED_CHANGED,
            (_, Sort::Made) => GATHERED_MADE,
            (_, Sort::Title) => GATHERED_TITLED,
        };
        joined(&[SELECT, works, kind, order])
    }
}

// Every condition that an index serves stands by itself: `$2` and `$3` are always bound. Joins say which table is read
// first: SQLite keeps to that.

const SELECT: &str =
    "select w.id, w.title, w.trim_width, w.trim_height, w.pages, w.revision, w.updated_at, w.created_at,
        w.trashed_at, w.ebook_at, w.kind";

const ALL: &str = "from works w where w.member_id = $1 and $3 = '%%'";
const FOUND: &str = "from works w cross join work_titles t
     where w.member_id = $1 and t.work_id = w.id and t.folded like $3 escape '\\'";

/// A title may have more places that begin so.
const PLACES: &str = "select distinct work_id from title_grams where member_id = $1";
const IN_PLACES: &str = "cross join work_titles t cross join works w
     where w.member_id = $1 and t.work_id = g.work_id and w.id = g.work_id and t.folded like $3 escape '\\'";
const GATHERED_BY_ONE: &str = formatcp!("from ({PLACES} and first = $7) g {IN_PLACES}");
const GATHERED_BY_TWO: &str = formatcp!("from ({PLACES} and first = $7 and second = $8) g {IN_PLACES}");
const GATHERED_BY_THREE: &str =
    formatcp!("from ({PLACES} and first = $7 and second = $8 and third = $9) g {IN_PLACES}");

const CHANGED: &str = "and w.trashed_at is null and (w.updated_at, w.id) < ($4, $5)
     order by w.updated_at desc, w.id desc limit $6";
const MADE: &str = "and w.trashed_at is null and (w.created_at, w.id) < ($4, $5)
     order by w.created_at desc, w.id desc limit $6";
const TITLED: &str = "and w.trashed_at is null and (w.title, w.id) > ($4, $5)
     order by w.title asc, w.id asc limit $6";
const TRASHED: &str = "and w.trashed_at is not null and (w.trashed_at, w.id) < ($4, $5)
     order by w.trashed_at desc, w.id desc limit $6";

// No index gives an order to works that were gathered: PostgreSQL would go through all works in it.
const GATHERED_CHANGED: &str = "and w.trashed_at is null and ((w.updated_at + 0), w.id) < ($4, $5)
     order by (w.updated_at + 0) desc, w.id desc limit $6";
const GATHERED_MADE: &str = "and w.trashed_at is null and ((w.created_at + 0), w.id) < ($4, $5)
     order by (w.created_at + 0) desc, w.id desc limit $6";
const GATHERED_TITLED: &str = "and w.trashed_at is null and ((w.title || ''), w.id) > ($4, $5)
     order by (w.title || '') asc, w.id asc limit $6";
const GATHERED_TRASHED: &str = "and w.trashed_at is not null and ((w.trashed_at + 0), w.id) < ($4, $5)
     order by (w.trashed_at + 0) desc, w.id desc limit $6";

type Row = (String, String, f64, f64, i64, i64, i64, i64, Option<i64>, Option<i64>, String);

/// A page of a member's works. Reads no documents: a shelf needs covers.
pub async fn page_of_member(
    db: &Db,
    member: &MemberId,
    filter: &Filter,
    after: Option<&Position>,
    most: i64,
) -> Result<Vec<Summary>, Error> {
    let search = folded(&filter.search);
    let rarest = if search.is_empty() { None } else { titles::rarest(db, member, &search).await? };
    let sql = filter.sql(rarest.as_ref());
    let letters = || rarest.iter().flat_map(titles::bound);
    let kind = if let Shelf::Kind(kind) = filter.shelf { kind } else { "" };
    let pattern = lists::pattern(&search);
    let id = after.map_or("", |after| after.id.as_str());
    let rows: Vec<Row> = if filter.by_title() {
        let title = after.map_or("", |after| &after.at);
        with_db!(db, |pool| {
            let query = sqlx::query_as(sql.text())
                .bind(member.as_str())
                .bind(kind)
                .bind(pattern)
                .bind(title)
                .bind(id)
                .bind(most);
            letters().fold(query, |query, letter| query.bind(letter)).fetch_all(pool).await
        })?
    } else {
        let at = after.map_or(Ok(i64::MAX), |after| after.at.parse()).map_err(|_| Error::NotFound)?;
        with_db!(db, |pool| {
            let query = sqlx::query_as(sql.text())
                .bind(member.as_str())
                .bind(kind)
                .bind(pattern)
                .bind(at)
                .bind(id)
                .bind(most);
            letters().fold(query, |query, letter| query.bind(letter)).fetch_all(pool).await
        })?
    };
    rows.into_iter()
        .map(
            |(
                id,
                title,
                width,
                height,
                pages,
                revision,
                updated_at,
                created_at,
                trashed_at,
                ebook_at,
                kind,
            )| {
                let id = id.try_into().map_err(Error::internal)?;
                let trim = Trim { width, height };
                let is_calendar = kind == "calendar";
                Ok(Summary {
                    id,
                    title,
                    trim,
                    pages,
                    revision,
                    updated_at,
                    created_at,
                    trashed_at,
                    ebook_at,
                    is_calendar,
                })
            },
        )
        .collect()
}

/// The kinds of which a member has works on the shelf: of each the one that stands first there, for which the index is
/// read whatever the database thinks of a member who has nearly all works.
pub async fn kinds_of_member(db: &Db, member: &MemberId) -> Result<Vec<String>, Error> {
    Ok(with_db!(db, |pool| sqlx::query_scalar(
        "select kind from (select 'album' as kind union all select 'document' union all select 'calendar'
                           union all select 'ebook' union all select 'epaper' union all select 'magazine') k
         where (select w.id from works w where w.member_id = $1 and w.kind = k.kind and w.trashed_at is null
                order by w.updated_at desc, w.id desc limit 1) is not null
         union
         select 'ebook' where (select w.id from works w where w.member_id = $1 and w.ebook_at is not null
                and w.trashed_at is null order by w.updated_at desc, w.id desc limit 1) is not null",
    )
    .bind(member.as_str())
    .fetch_all(pool)
    .await)?)
}
