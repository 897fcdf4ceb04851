//! SQL of asking for words in all issues. Which entries have all pairs of characters says the index ([`super::search`]); the newest of
//! them are looked at more closely.

use base::db::{Db, formatcp, sql, with_db};
use base::error::Error;
use base::lists::pattern;
use domain::grams::pairs;
use domain::reading::MOST_WORDS;

use super::search::{Field, MONTHS, gram};

/// What is asked of the index.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Folded.
    pub words: Vec<String>,
    /// To what all that is found belongs ([`belonging`]).
    pub within: Vec<String>,
    /// First and last place.
    pub places: (i64, i64),
    /// First and last page.
    pub pages: (i64, i64),
    /// Part of the page's name, folded; empty for any.
    pub section: String,
    /// Drafts, withdrawn issues and proposals, too.
    pub is_makers: bool,
    /// Who asks; empty for nobody who is known.
    pub member: String,
    /// What this reader's rights open: an issue or a title by its id, from one place to another.
    pub opened: Vec<(String, i64, i64)>,
}

/// An entry that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    pub place: i64,
    /// Whether whoever asks may read it.
    pub is_open: i64,
    /// Whether the words stand behind one another.
    pub is_whole: i64,
}

/// Whether whoever asks may read an entry.
const OPEN: &str =
    "i.state = 'withdrawn' or p.is_sold = 0 or p.member_id = $9 or e.page <= p.preview_pages or exists (
        select 1 from spans where spans.column1 in (e.publication_id, e.issue_id)
            and e.place between spans.column2 and spans.column3)";
/// Whether an entry may be known of, and is asked for. What its maker withdrew is known to whoever bought the issue alone, who may
/// read all of it.
const SEEN: &str = "e.page between $4 and $5 and e.section like $6 escape '\\'
     and (cast($7 as bigint) = 1 or e.is_proposed = 0 and (i.state = 'published' or i.state = 'withdrawn'
         and i.withdrawn_reason is null and exists (select 1 from spans where spans.column1 = e.issue_id)))";
/// The newest that have all pairs, whatever else they are: so no question goes through more than it may.
const HITS_ON_SQLITE: &str = "with hits as materialized (
        select rowid as place from search_grams where search_grams match $1 and rowid between $2 and $3
        order by rowid desc limit $16)";
/// PostgreSQL finds all that have the pairs before it can tell which are the newest: so it looks among those of the last months first,
/// which have a mark, and among all others only where these are not enough. It would read along places, too, without the index
/// (`+ 0`), or, where it knows that nearly all entries have a pair, through all of them, which have to be unpacked for that: so it is
/// not to know (`select`).
const HITS_ON_POSTGRES: &str = formatcp!(
    "with newest as materialized (
        select {MONTHS} as months from (select max(place) as place from search_grams where place between $2 and $3) last),
     recent as materialized (
        select place from search_grams where place + 0 between $2 and $3 and grams @@ (
            select cast($1 || ' & (b' || months || ' | b' || months - 1 || ')' as tsquery) from newest)),
     older as materialized (
        select place from search_grams where (select cast(count(*) as bigint) from recent) < $16
            and place + 0 between $2 and $3 and grams @@ (select cast($1 as tsquery))),
     hits as materialized (
        select place from recent union select place from older order by place desc limit $16)"
);
/// Each entry once: a join of what may be known of with all would compare each with each, where nobody knows how many there are.
const LOOKED_AT: &str = formatcp!(
    ", spans as materialized (
        select * from (values [(?, cast(? as bigint), cast(? as bigint))]) as given),
     sighted as materialized (
        select h.place, cast(case when {SEEN} then case when {OPEN} then 1 else 0 end else -1 end as bigint) as sight
        from hits h cross join search_entries e cross join issues i cross join publications p
        where e.place = h.place and i.id = e.issue_id and p.id = e.publication_id),
     looked as materialized (
        select place, cast(case when sight = 1 then 1 else 0 end as bigint) as is_open,
            case when sight = 1 or sight = 0 and cast($8 as bigint) = 1 then 1 else 0 end as is_asked
        from sighted)"
);
/// What a headline or the words hold. Long words lie beside their rows, so they are read only where a pattern asks for them.
const IN_HEADLINES: &str = "select f.place, f.is_open,
        cast(case when f.is_asked = 1 and (cast($15 as text) = '%' or e.headline like $15 escape '\\') then 1 else 0 end as bigint) as is_whole,
        cast(case when f.is_asked = 1
            and (cast($10 as text) = '%' or e.headline like $10 escape '\\')
            and (cast($11 as text) = '%' or e.headline like $11 escape '\\')
            and (cast($12 as text) = '%' or e.headline like $12 escape '\\')
            and (cast($13 as text) = '%' or e.headline like $13 escape '\\')
            and (cast($14 as text) = '%' or e.headline like $14 escape '\\')
            then 1 else 0 end as bigint) as is_match
     from looked f cross join search_entries e where e.place = f.place order by f.place desc";
const IN_WORDS: &str = "select f.place, f.is_open,
        cast(case when f.is_asked = 1 and (cast($15 as text) = '%' or e.words like $15 escape '\\') then 1 else 0 end as bigint) as is_whole,
        cast(case when f.is_asked = 1
            and (cast($10 as text) = '%' or e.words like $10 escape '\\')
            and (cast($11 as text) = '%' or e.words like $11 escape '\\')
            and (cast($12 as text) = '%' or e.words like $12 escape '\\')
            and (cast($13 as text) = '%' or e.words like $13 escape '\\')
            and (cast($14 as text) = '%' or e.words like $14 escape '\\')
            then 1 else 0 end as bigint) as is_match
     from looked f cross join search_entries e where e.place = f.place order by f.place desc";

impl Asked {
    /// All pairs and words that the index is to have of an entry.
    fn grams(&self, field: Field) -> Vec<String> {
        let pairs = self.words.iter().flat_map(|word| pairs(word));
        let mut grams: Vec<String> = self.within.clone();
        grams.extend(pairs.map(|pair| gram(field.mark(), pair)));
        grams
    }

    /// What each word is held against in the entry itself. Two characters the index knew already.
    fn patterns(&self) -> [String; MOST_WORDS] {
        let mut patterns = std::array::from_fn(|_| "%".to_owned());
        let others = self.words.iter().filter(|word| word.chars().count() != 2);
        for (to, word) in patterns.iter_mut().zip(others) {
            *to = pattern(word);
        }
        patterns
    }
}

/// An entry that has all pairs, looked at more closely.
#[derive(Debug, sqlx::FromRow)]
struct Looked {
    place: i64,
    is_open: i64,
    is_whole: i64,
    /// Whether it has all words, and may be known of.
    is_match: i64,
}

/// Entries that are looked at more closely first; where few of them have the words, or may be known of, twice as many next.
const FIRST: usize = 300;
/// How often, at most: 18,900 entries.
const ROUNDS: usize = 6;

/// The newest entries that have all words in a field, so far as they may be known of, closed ones only where `with_closed`: until
/// there are `enough`. And whether there may be others.
pub async fn find(
    db: &Db,
    asked: &Asked,
    field: Field,
    (with_closed, enough): (bool, usize),
) -> Result<(Vec<Candidate>, bool), Error> {
    let mut found = Vec::new();
    let mut last = asked.places.1;
    for round in 0..ROUNDS {
        let most = FIRST << round;
        let looked = newest(db, asked, field, with_closed, (last, most)).await?;
        let is_end = looked.len() < most;
        last = looked.last().map_or(i64::MIN, |one| one.place.saturating_sub(1));
        let matches = looked.into_iter().filter(|one| one.is_match == 1);
        found.extend(matches.map(|Looked { place, is_open, is_whole, .. }| Candidate {
            place,
            is_open,
            is_whole,
        }));
        if is_end {
            return Ok((found, false));
        }
        if found.len() >= enough {
            break;
        }
    }
    Ok((found, true))
}

/// The newest that have all pairs, up to a place, so many.
async fn newest(
    db: &Db,
    asked: &Asked,
    field: Field,
    with_closed: bool,
    (last, most): (i64, usize),
) -> Result<Vec<Looked>, Error> {
    let grams = asked.grams(field);
    let (sql, grams) = match (db, field) {
        (Db::Sqlite(..), Field::Headline) => {
            (sql!("{HITS_ON_SQLITE}{LOOKED_AT} {IN_HEADLINES}"), grams.join(" "))
        }
        (Db::Sqlite(..), Field::All) => (sql!("{HITS_ON_SQLITE}{LOOKED_AT} {IN_WORDS}"), grams.join(" ")),
        (Db::Postgres(..), Field::Headline) => {
            (sql!("{HITS_ON_POSTGRES}{LOOKED_AT} {IN_HEADLINES}"), grams.join(" & "))
        }
        (Db::Postgres(..), Field::All) => {
            (sql!("{HITS_ON_POSTGRES}{LOOKED_AT} {IN_WORDS}"), grams.join(" & "))
        }
    };
    // a list is never empty
    let nothing = (String::new(), 1, 0);
    let opened = if asked.opened.is_empty() { std::slice::from_ref(&nothing) } else { &asked.opened };
    let sql = sql.repeated(opened.len());
    let whole = if asked.words.len() > 1 { pattern(&asked.words.concat()) } else { "%".to_owned() };
    let [one, two, three, four, five] = asked.patterns();
    Ok(with_db!(db, |pool| {
        let query = sqlx::query_as(sql.text())
            .bind(&grams)
            .bind(asked.places.0)
            .bind(last)
            .bind(asked.pages.0)
            .bind(asked.pages.1)
            .bind(pattern(&asked.section))
            .bind(i64::from(asked.is_makers))
            .bind(i64::from(with_closed))
            .bind(&asked.member)
            .bind(&one)
            .bind(&two)
            .bind(&three)
            .bind(&four)
            .bind(&five)
            .bind(&whole)
            .bind(i64::try_from(most).unwrap_or(i64::MAX));
        let query =
            opened.iter().fold(query, |query, (id, from, until)| query.bind(id).bind(from).bind(until));
        query.fetch_all(pool).await
    })?)
}

/// An entry with all that is shown of it.
#[derive(Debug, sqlx::FromRow)]
pub struct Row {
    pub place: i64,
    pub page: i64,
    pub article: i64,
    pub is_proposed: i64,
    pub issue_id: String,
    pub day: String,
    pub number: i64,
    pub total: i64,
    pub issue_name: String,
    pub state: String,
    pub kind: String,
    pub address: String,
    pub publication_name: String,
    pub page_name: String,
    pub title: Option<String>,
    pub kicker: Option<String>,
    pub subtitle: Option<String>,
    pub author: Option<String>,
    pub text: Option<String>,
    /// What was read off the page, as JSON, where the entry is the page's.
    pub blocks: Option<String>,
}

/// Entries by their places, in any order, as they are now: one whose article stands elsewhere by now is none, nor is one that the
/// house withdrew, but for its maker. Who may know of one that its maker withdrew is the caller's to say. The few places come first, and
/// makers are asked for one by one: PostgreSQL, which thinks that nobody is left who is not closed, would begin with all issues.
pub async fn rows(db: &Db, places: &[i64], is_makers: bool) -> Result<Vec<Row>, Error> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let sql = sql!(
        "with chosen as materialized (
            select place, page, article, is_proposed, issue_id, publication_id from search_entries where place in ([?]))
         select e.place, e.page, e.article, e.is_proposed, i.id as issue_id, i.day, i.number, i.total, i.name as issue_name,
            i.state, p.kind, p.address, p.name as publication_name, n.name as page_name, a.title, a.kicker, a.subtitle,
            a.author, a.text, w.blocks
         from chosen e join issues i on i.id = e.issue_id join publications p on p.id = e.publication_id
         join issue_pages n on n.issue_id = e.issue_id and n.page = e.page
         left join articles a on a.issue_id = e.issue_id and a.number = e.article and a.page = e.page
             and a.is_proposed = e.is_proposed
         left join issue_words w on e.article = 0 and w.issue_id = e.issue_id and w.page = e.page and w.edition = i.edition
         where (cast($1 as bigint) = 1 or i.state = 'published' or i.state = 'withdrawn' and i.withdrawn_reason is null)
             and (select m.closed_at from members m where m.id = i.member_id) is null
             and (e.article = 0 or a.number is not null)"
    )
    .repeated(places.len());
    Ok(with_db!(db, |pool| {
        let query = sqlx::query_as(sql.text()).bind(i64::from(is_makers));
        places.iter().fold(query, |query, place| query.bind(place)).fetch_all(pool).await
    })?)
}
