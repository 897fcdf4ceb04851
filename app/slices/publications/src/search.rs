//! Looking for words in all issues of a title, of its publisher, of what a reader may read, and of a maker's desk.
//!
//! Of what is closed to whoever asks nothing but headlines is looked through, and those only where they are shown anyway.

use std::collections::HashMap;

use base::db::{self, now_ms};
use base::error::Error;
use domain::ids::{MemberId, PublicationId};
use domain::issue_state::IssueState;
use domain::publication::{Day, Kind, MOST_PAGES, days_of};
use domain::reading::{Around, Match, Question, excerpt, folded};
use domain::typed;
use reader::PageBlock;
use selling::Opened;
use web::app::App;
use web::render::Form;

use super::address;
use super::store::found::{self as store, Candidate, Row};
use super::store::search::{self as index, Field, KIND, MAKER, TITLE, belonging, places_of};
use super::{ISSUE_KIND, TITLE_KIND};

/// Hits on one page of an answer.
pub const SHOWN: usize = 20;
/// Hits of one question, on ten pages: who wants more says more.
pub const MOST_HITS: usize = 200;

/// Whose issues are looked through, for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Within {
    /// A title's that came out, for everybody; headlines of what is closed among them.
    Title(PublicationId),
    /// The same of all titles of its maker.
    House(MemberId),
    /// All that came out and that a reader may read.
    Readable,
    /// All of a maker's, of one kind, with drafts and proposals.
    Desk(MemberId, Kind),
}

/// What is asked, as a form says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub question: Question,
    pub from: Option<Day>,
    pub until: Option<Day>,
    /// 版: its number, or part of its name.
    pub page: Option<i64>,
    pub section: String,
    /// The newest first, whatever fits best.
    pub by_time: bool,
    /// Of the answer, from 1.
    pub sheet: usize,
}

impl Asked {
    /// Reads a form; what is wrong with it stands beside its fields. None also where nothing is asked yet.
    pub fn read(form: &mut Form) -> Option<Self> {
        let typed_words = form.get("q").to_owned();
        let is_asked = ["q", "from", "until", "page"].iter().any(|field| !form.get(field).trim().is_empty());
        if !is_asked {
            return None;
        }
        let question =
            Question::read(&typed_words).map_err(|reason| form.refuse("q", reason.to_string())).ok();
        let mut day = |field: &str| {
            let text = form.get(field).to_owned();
            let day = (!text.trim().is_empty()).then(|| Day::read(&text));
            match day {
                Some(Err(problem)) => {
                    form.refuse(field, problem.to_string());
                    None
                }
                Some(Ok(day)) => Some(day),
                None => None,
            }
        };
        let (from, until) = (day("from"), day("until"));
        if from.zip(until).is_some_and(|(from, until)| until < from) {
            form.refuse("until", "结束日期不能早于开始日期");
        }
        let place = form.get("page").trim().to_owned();
        let page: Option<i64> =
            typed::whole::<u64>(&place, &["第", "版", "页"]).and_then(|number| i64::try_from(number).ok());
        if page.is_some_and(|page| !(1..=MOST_PAGES as i64).contains(&page)) {
            form.refuse("page", format!("版次是 1 到 {MOST_PAGES} 的数，也可以写版名，比如 要闻"));
        }
        let section = if page.is_some() { String::new() } else { folded(&place) };
        let by_time = form.get("order") == "time";
        let sheet = form.get("sheet").parse().unwrap_or(1).clamp(1, MOST_HITS.div_ceil(SHOWN));
        if form.is_refused() {
            return None;
        }
        Some(Self { question: question?, from, until, page, section, by_time, sheet })
    }

    /// Whether it leaves out what says the words.
    pub fn is_narrow(&self) -> bool {
        self.from.is_some() || self.until.is_some() || self.page.is_some() || !self.section.is_empty()
    }
}

/// Something that holds what was asked for.
#[derive(Debug, Clone)]
pub struct Hit {
    pub publication: String,
    pub day: String,
    pub issue: String,
    pub state: IssueState,
    /// 03版 要闻.
    pub page_name: String,
    /// The article's headline; none where the page says it beside its articles.
    pub title: Option<String>,
    pub is_proposed: bool,
    /// Whether whoever asks may read it.
    pub is_open: bool,
    /// What stands around the words; nothing of what is closed.
    pub around: Option<Around>,
    /// Where the article is read; none where it is only proposed.
    pub article: Option<String>,
    /// The page with its picture.
    pub page: String,
    /// Where its maker works on it.
    pub desk: String,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Found {
    /// Of the sheet that was asked for.
    pub hits: Vec<Hit>,
    /// Which one that is: the last, where there are not so many.
    pub sheet: usize,
    /// How many there are, no more than [`MOST_HITS`].
    pub count: usize,
    /// Whether there are more than are counted.
    pub is_cut: bool,
    /// Whether pages wait to be taken into the index.
    pub is_behind: bool,
}

/// Looks for what is asked.
pub async fn search(
    app: &App,
    within: &Within,
    reader: Option<&MemberId>,
    asked: &Asked,
) -> Result<Found, Error> {
    let db = &app.db;
    let belongs = match within {
        Within::Title(title) => vec![belonging(TITLE, title.as_str())],
        Within::House(maker) => vec![belonging(MAKER, maker.as_str())],
        Within::Readable => Vec::new(),
        Within::Desk(maker, kind) => vec![belonging(MAKER, maker.as_str()), belonging(KIND, kind.code())],
    };
    let is_makers = matches!(within, Within::Desk(..));
    let (from, until) = (asked.from, asked.until);
    let first = from.map_or(i64::MIN, |day| places_of(day, day).0);
    let last = until.map_or(i64::MAX, |day| places_of(day, day).1);
    let question = store::Asked {
        words: asked.question.words().to_vec(),
        within: belongs,
        places: (first, last),
        pages: asked.page.map_or((0, i64::MAX), |page| (page, page)),
        section: asked.section.clone(),
        is_makers,
        member: reader.map(ToString::to_string).unwrap_or_default(),
        opened: match reader {
            Some(reader) if !is_makers => opened(app, reader).await?,
            _ => Vec::new(),
        },
    };
    let shows_closed = *within != Within::Readable;
    let title = match within {
        Within::Title(title) => Some(title),
        _ => None,
    };
    // asked before the words: what is taken in meanwhile may still be missing from the answer
    let is_behind = index::is_behind(db, title).await?;
    let enough = MOST_HITS + 1;
    let (headlines, more_headlines) =
        store::find(db, &question, Field::Headline, (shows_closed, enough)).await?;
    let (texts, more_texts) = store::find(db, &question, Field::All, (is_makers, enough)).await?;
    let (places, is_cut) = ranked(&headlines, &texts, asked.by_time);
    let is_cut = is_cut || more_headlines || more_texts;
    let sheet = asked.sheet.min(places.len().div_ceil(SHOWN).max(1));
    let from = (sheet - 1) * SHOWN;
    let shown = places.get(from..).unwrap_or_default().iter().take(SHOWN);
    let shown: Vec<(i64, bool)> = shown.copied().collect();
    let places_shown: Vec<i64> = shown.iter().map(|(place, _)| *place).collect();
    // what was withdrawn is there for whoever bought it, alone
    let is_there = |row: &Row| {
        is_makers || row.state != "withdrawn" || question.opened.iter().any(|(id, ..)| *id == row.issue_id)
    };
    let rows = store::rows(db, &places_shown, is_makers).await?.into_iter().filter(is_there);
    let mut rows: HashMap<i64, Row> = rows.map(|row| (row.place, row)).collect();
    let mut hits = Vec::new();
    for (place, is_open) in shown {
        if let Some(row) = rows.remove(&place) {
            hits.push(hit(row, is_open || is_makers, is_makers, &asked.question)?);
        }
    }
    Ok(Found { hits, sheet, count: places.len(), is_cut, is_behind })
}

/// The places in the order in which they are shown, with whether they are open; and whether there are more.
pub fn ranked(headlines: &[Candidate], texts: &[Candidate], by_time: bool) -> (Vec<(i64, bool)>, bool) {
    let mut all: HashMap<i64, (Match, bool)> = HashMap::new();
    let found = headlines.iter().map(|one| (one, true)).chain(texts.iter().map(|one| (one, false)));
    for (one, in_headline) in found {
        let found = Match { in_headline, is_whole: one.is_whole == 1, time: one.place };
        let (best, _) = all.entry(one.place).or_insert((found, one.is_open == 1));
        best.is_whole |= found.is_whole;
    }
    let mut all: Vec<(Match, bool)> = all.into_values().collect();
    all.sort_by(|(one, _), (other, _)| if by_time { one.by_time(other) } else { one.by_fit(other) });
    let is_cut = all.len() > MOST_HITS;
    all.truncate(MOST_HITS);
    (all.into_iter().map(|(found, is_open)| (found.time, is_open)).collect(), is_cut)
}

/// What a reader's rights open of issues, as places from one to another of a title or an issue: what runs now opens all of it, what
/// was bought and is over the days that it touched.
async fn opened(app: &App, reader: &MemberId) -> Result<Vec<(String, i64, i64)>, Error> {
    let now = now_ms();
    let mut all = Vec::new();
    for Opened { kind, id, runs, bought } in selling::opened(&app.db, reader, now).await? {
        if kind != TITLE_KIND && kind != ISSUE_KIND {
            continue;
        }
        if runs {
            all.push((id, i64::MIN, i64::MAX));
        } else if kind == TITLE_KIND {
            let days = bought.into_iter().filter_map(days_of);
            all.extend(days.map(|(first, last)| {
                let (from, until) = places_of(first, last);
                (id.clone(), from, until)
            }));
        }
    }
    Ok(all)
}

fn hit(row: Row, is_open: bool, is_makers: bool, question: &Question) -> Result<Hit, Error> {
    let kind = Kind::of_code(&row.kind).ok_or_else(|| Error::internal("no such kind of publication"))?;
    let state: IssueState = row.state.parse().map_err(Error::internal)?;
    let base = address::at(kind, &row.address, &row.day, row.total);
    let page = usize::try_from(row.page).map_err(Error::internal)?;
    let mut around = None;
    if is_open {
        let blocks: Vec<PageBlock> = match &row.blocks {
            Some(blocks) => db::json("blocks", blocks)?,
            None => Vec::new(),
        };
        // the headline is there anyway
        let texts = [&row.text, &row.kicker, &row.subtitle, &row.author];
        let lines = texts.into_iter().flatten().flat_map(|text| text.lines());
        let lines: Vec<&str> = lines.chain(blocks.iter().map(|block| &*block.text)).collect();
        around = excerpt(lines.iter().copied(), &question.whole());
        if around.is_none() {
            around = excerpt(lines, &question.words().join(" "));
        }
    }
    let is_proposed = row.is_proposed == 1;
    // at the desk: where another issue of that day came out, its address is that one's
    let is_out = state == IssueState::Published || (state == IssueState::Withdrawn && !is_makers);
    let desk = format!("/manager/{}_issue/{}/{page}", kind.code(), row.issue_id);
    let article = (row.article > 0 && !is_proposed && is_out).then(|| format!("{base}/a/{}", row.article));
    let number = format!("第 {} 期", row.number);
    Ok(Hit {
        publication: row.publication_name,
        day: row.day,
        issue: if row.issue_name.is_empty() { number } else { format!("{number} {}", row.issue_name) },
        state,
        page_name: kind.page_title(page, &row.page_name),
        title: row.title,
        is_proposed,
        is_open,
        around,
        article,
        page: if is_out { format!("{base}/{page}") } else { desk.clone() },
        desk,
    })
}
