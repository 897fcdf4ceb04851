//! The numbers of the statistics page, read and reckoned.

use std::collections::{BTreeMap, HashMap};

use base::error::Error;
use domain::ids::MemberId;
use domain::statistics::{Device, OTHERS, source_name};
use web::app::App;
use web::slice::{ReadArea, ReadArticle, ReadPage};

use super::asked::{Asked, Own, Span, own_things};
use super::countable;
use super::store::report::{self as store, Day, Opened, Page, Word};
use selling::{self, SoldDay};

/// Sources and searches that are shown.
const MOST_NAMED: usize = 10;
const MOST_SEARCHES: usize = 20;
/// Things of which also those are listed that nobody came to.
const MOST_THINGS: usize = 8;
/// Pages that are shown as pictures at first.
const FIRST_PAGES: usize = 24;
/// Articles that are shown.
const MOST_ARTICLES: usize = 20;

/// What a span of days came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    pub opens: i64,
    pub reads: i64,
    /// In ms.
    pub spent: i64,
    /// Readers of each day, one after the other: 人次, since who comes on two days is counted on both.
    pub visits: i64,
    /// The most readers of one day.
    pub most_readers: i64,
    pub sold: i64,
    /// In 分, without what was given back.
    pub amount: i64,
    /// Sales that were given back, whole or in part.
    pub refunded: i64,
    /// Free trials that began.
    pub trials: i64,
}

impl Totals {
    fn of(days: &[Day], sold: &[SoldDay]) -> Self {
        Self {
            opens: days.iter().map(|day| day.opens).sum(),
            reads: days.iter().map(|day| day.reads).sum(),
            spent: days.iter().map(|day| day.spent).sum(),
            visits: days.iter().map(|day| day.readers).sum(),
            most_readers: days.iter().map(|day| day.readers).max().unwrap_or_default(),
            sold: sold.iter().map(|day| day.count).sum(),
            amount: sold.iter().map(|day| day.amount).sum(),
            refunded: sold.iter().map(|day| day.refunded).sum(),
            trials: sold.iter().map(|day| day.trials).sum(),
        }
    }

    /// How long a page was looked at, ms.
    pub fn per_read(self) -> i64 {
        if self.reads > 0 { self.spent / self.reads } else { 0 }
    }
}

/// A day with everything that was counted and sold on it.
#[derive(Debug, Clone, Copy)]
pub struct DayLine {
    pub day: Day,
    pub sold: SoldDay,
}

/// A thing among all others.
#[derive(Debug, Clone)]
pub struct ThingLine {
    pub own: Own,
    pub opens: i64,
    pub reads: i64,
    pub spent: i64,
}

/// A page of the chosen thing, with its picture where it has one.
#[derive(Debug, Clone)]
pub struct PageLine {
    pub number: usize,
    pub reads: i64,
    pub spent: i64,
    pub face: Option<ReadPage>,
}

/// A page on which areas were pressed.
#[derive(Debug, Clone)]
pub struct PressedPage {
    pub face: ReadPage,
    pub reads: i64,
    pub areas: Vec<(ReadArea, i64)>,
}

/// An article, and how often it was opened.
#[derive(Debug, Clone)]
pub struct ArticleLine {
    pub article: ReadArticle,
    /// What it stands in.
    pub of: String,
    pub opens: i64,
}

/// A name with its number.
pub type Named = (String, i64);

/// Everything that the page shows.
#[derive(Debug)]
pub struct Report {
    pub things: Vec<Own>,
    pub chosen: Option<Own>,
    pub span: Span,
    pub wrong: Option<&'static str>,
    pub totals: Totals,
    pub before: Totals,
    /// Every day of the span.
    pub days: Vec<DayLine>,
    /// All things, the most read first; empty where one is chosen.
    pub of_things: Vec<ThingLine>,
    /// Every page of the chosen thing, the cover first.
    pub pages: Vec<PageLine>,
    /// Whether there are pages without their picture here.
    pub has_more_pages: bool,
    pub pressed: Vec<PressedPage>,
    /// Those that were opened most, of the chosen thing or of all.
    pub articles: Vec<ArticleLine>,
    pub sources: Vec<Named>,
    pub devices: Vec<Named>,
    /// Provinces and countries; nothing where the operator has no data for them.
    pub regions: Vec<Named>,
    pub searches: Vec<Named>,
}

/// Reads what is asked for.
pub async fn report(app: &App, member: &MemberId, asked: &Asked, today: i64) -> Result<Report, Error> {
    let things = own_things(app, member).await?;
    let chosen = asked.thing(&things)?;
    let (span, wrong) = asked.days(today);
    let number = Asked::number(chosen.as_ref(), member);
    let item = chosen.as_ref().map(|own| (own.kind, own.read.id.as_str()));
    let db = &app.db;
    let days = store::days(db, member, number, span.pair()).await?;
    let sold = selling::sold_by_day(db, member, item, span.moments()).await?;
    let (old_days, old_sold) = (
        store::days(db, member, number, span.before().pair()).await?,
        selling::sold_by_day(db, member, item, span.before().moments()).await?,
    );
    let words = store::words(db, member, chosen.as_ref().map(Own::number), span.pair()).await?;
    let opened = store::opened(
        db,
        member,
        chosen.as_ref().map(Own::number),
        span.pair(),
        // some may have been taken away since
        3 * MOST_ARTICLES as i64,
    );
    let articles = article_lines(app, &things, opened.await?, MOST_ARTICLES).await?;
    let (mut pages, mut of_things, mut pressed) = (Vec::new(), Vec::new(), Vec::new());
    let mut has_more_pages = false;
    match &chosen {
        Some(own) => {
            let read = store::pages(db, member, number, span.pair()).await?;
            let shown = if asked.pages == "all" { usize::MAX } else { FIRST_PAGES };
            has_more_pages = own.read.pages > FIRST_PAGES && shown == FIRST_PAGES;
            pages = page_lines(app, own, &read, shown).await?;
            pressed = pressed_pages(app, own, &pages, &words).await?;
        }
        None => of_things = thing_lines(&things, store::sums(db, member, span.pair()).await?),
    }
    Ok(Report {
        totals: Totals::of(&days, &sold),
        before: Totals::of(&old_days, &old_sold),
        days: day_lines(span, &days, &sold),
        of_things,
        pages,
        has_more_pages,
        pressed,
        articles,
        sources: sources(&words),
        devices: devices(&words),
        regions: regions(&words),
        searches: searches(&words),
        things,
        chosen,
        span,
        wrong,
    })
}

/// Every day of a span, also those on which nothing was.
pub fn day_lines(span: Span, days: &[Day], sold: &[SoldDay]) -> Vec<DayLine> {
    let days: HashMap<i64, Day> = days.iter().map(|day| (day.day, *day)).collect();
    let sold: HashMap<i64, SoldDay> = sold.iter().map(|day| (day.day, *day)).collect();
    let line = |day: i64| DayLine {
        day: days.get(&day).copied().unwrap_or(Day { day, ..Day::default() }),
        sold: sold.get(&day).copied().unwrap_or(SoldDay { day, ..SoldDay::default() }),
    };
    (span.from..=span.until).map(line).collect()
}

fn thing_lines(things: &[Own], sums: Vec<store::Sum>) -> Vec<ThingLine> {
    let sums: HashMap<(String, String), store::Sum> =
        sums.into_iter().map(|sum| ((sum.kind.clone(), sum.item_id.clone()), sum)).collect();
    let line = |own: &Own| {
        let sum = sums.get(&(own.kind.to_owned(), own.read.id.clone()));
        let (opens, reads, spent) = sum.map_or((0, 0, 0), |sum| (sum.opens, sum.reads, sum.spent));
        ThingLine { own: own.clone(), opens, reads, spent }
    };
    let mut lines: Vec<ThingLine> = things.iter().map(line).collect();
    // of many things those that nobody came to are only in the choice above
    if lines.len() > MOST_THINGS && lines.iter().any(|line| line.opens + line.reads > 0) {
        lines.retain(|line| line.opens + line.reads > 0);
    }
    lines.sort_by_key(|line| std::cmp::Reverse((line.reads, line.opens)));
    lines
}

async fn page_lines(app: &App, own: &Own, read: &[Page], shown: usize) -> Result<Vec<PageLine>, Error> {
    let read: BTreeMap<i64, Page> = read.iter().map(|page| (page.page, *page)).collect();
    let numbers: Vec<usize> = (0..=own.read.pages).take(shown).collect();
    let faces = match countable(app, own.kind) {
        Some(countable) => countable.pages(app, &own.read.id, &numbers).await?,
        None => Vec::new(),
    };
    let mut faces: HashMap<usize, ReadPage> = faces.into_iter().map(|face| (face.number, face)).collect();
    let line = |number: usize| {
        let page =
            i64::try_from(number).ok().and_then(|number| read.get(&number)).copied().unwrap_or_default();
        PageLine { number, reads: page.reads, spent: page.spent, face: faces.remove(&number) }
    };
    Ok((0..=own.read.pages).map(line).collect())
}

/// Looks for the pages of the areas that were pressed, until all are found.
async fn pressed_pages(
    app: &App,
    own: &Own,
    pages: &[PageLine],
    words: &[Word],
) -> Result<Vec<PressedPage>, Error> {
    let mut counts: HashMap<&str, i64> = words
        .iter()
        .filter(|word| word.about == "area")
        .map(|word| (word.word.as_str(), word.count))
        .collect();
    let Some(countable) = countable(app, own.kind) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for page in pages.iter().filter(|page| page.reads > 0) {
        if counts.is_empty() {
            break;
        }
        let areas = countable.areas(app, &own.read.id, page.number).await?;
        let areas: Vec<(ReadArea, i64)> = areas
            .into_iter()
            .map(|area| {
                let count = counts.remove(area.id.as_str()).unwrap_or_default();
                (area, count)
            })
            .collect();
        if areas.iter().any(|(_, count)| *count > 0) {
            let faces = countable.pages(app, &own.read.id, &[page.number]).await?;
            found.extend(faces.into_iter().map(|face| PressedPage {
                face,
                reads: page.reads,
                areas: areas.clone(),
            }));
        }
    }
    Ok(found)
}

/// Those of opened articles that readers still find, at most so many.
pub async fn article_lines(
    app: &App,
    things: &[Own],
    opened: Vec<Opened>,
    most: usize,
) -> Result<Vec<ArticleLine>, Error> {
    let own: HashMap<String, &Own> = things.iter().map(|own| (own.code(), own)).collect();
    let mut known: HashMap<&str, HashMap<String, ReadArticle>> = HashMap::new();
    let mut lines: Vec<ArticleLine> = Vec::new();
    for Opened { kind, item_id, word, count } in opened {
        let Some(own) = own.get(&format!("{kind}:{item_id}")) else { continue };
        let Some(countable) = countable(app, own.kind) else { continue };
        if !known.contains_key(own.read.id.as_str()) {
            let articles = countable.articles(app, &own.read.id).await?;
            let by_id = articles.into_iter().map(|article| (article.id.clone(), article)).collect();
            known.insert(&own.read.id, by_id);
        }
        if let Some(article) = known.get(own.read.id.as_str()).and_then(|articles| articles.get(&word)) {
            // parts that were opened before they were joined are one article's
            match lines.iter_mut().find(|line| line.article.address == article.address) {
                Some(line) => line.opens += count,
                None => {
                    lines.push(ArticleLine {
                        article: article.clone(),
                        of: own.read.title.clone(),
                        opens: count,
                    });
                }
            }
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.opens));
    lines.truncate(most);
    Ok(lines)
}

fn sources(words: &[Word]) -> Vec<Named> {
    largest(words, "source", source_name)
}

fn regions(words: &[Word]) -> Vec<Named> {
    largest(words, "region", |name| if name == OTHERS { source_name(OTHERS) } else { name.to_owned() })
}

/// The words about something that were counted most, and the others together.
fn largest(words: &[Word], about: &str, name: impl Fn(&str) -> String) -> Vec<Named> {
    let mut named: Vec<Named> = Vec::new();
    let mut rest = 0;
    for word in words.iter().filter(|word| word.about == about) {
        if word.word == OTHERS || named.len() >= MOST_NAMED {
            rest += word.count;
        } else {
            named.push((name(&word.word), word.count));
        }
    }
    if rest > 0 {
        named.push((name(OTHERS), rest));
    }
    named
}

fn devices(words: &[Word]) -> Vec<Named> {
    let count = |device: Device| {
        let words = words.iter().filter(|word| word.about == "device" && word.word == device.code());
        words.map(|word| word.count).sum()
    };
    let named: Vec<Named> =
        Device::ALL.into_iter().map(|device| (device.name().to_owned(), count(device))).collect();
    if named.iter().all(|(_, count)| *count == 0) { Vec::new() } else { named }
}

fn searches(words: &[Word]) -> Vec<Named> {
    let words = words.iter().filter(|word| word.about == "search" && word.word != OTHERS);
    words.take(MOST_SEARCHES).map(|word| (word.word.clone(), word.count)).collect()
}
