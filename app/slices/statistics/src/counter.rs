//! What was told and not written yet. It is gathered in memory and written every few seconds, some things in a transaction, so that a
//! reader costs the database next to nothing; a program that is killed loses those seconds.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base::error::Error;
use domain::ids::MemberId;
use domain::statistics::{Device, LONGEST_MS, OTHERS, READ_MS, WORD_LENGTH};
use hmac::Mac;
use quick_cache::unsync::Cache;
use sha2::{Digest, Sha256};
use web::app::App;
use web::background::Background;
use web::counting::Ticket;

use super::days::day_of;
use super::{countable, store};

/// How often what was gathered is written.
const PAUSE: Duration = Duration::from_secs(3);
/// Showings of pages that are remembered, so that none counts twice.
const MOST_SHOWINGS: usize = 100_000;
/// Things whose owner is remembered, and readers whose pages are.
const MOST_KNOWN: usize = 20_000;
/// Pages of one thing that one reader can read in a day: more than that is a machine.
const MOST_READS: u32 = 2_000;
/// Browsers at one network address that read one thing in a day: a school is behind one, and whoever invents browsers, too.
const MOST_OF_ADDRESS: u32 = 200;
/// Areas of one page that one showing can press.
const MOST_PRESSES: usize = 40;
/// What the words of opened articles are about.
pub const ARTICLE: &str = "article";
/// Articles that one reader can open in a visit.
const MOST_OPENED: usize = 100;
/// Different words of one thing that are gathered at once: whoever searches can invent any number.
const MOST_WORDS: usize = 1_000;
/// Characters of an area's id.
const AREA_LENGTH: usize = 40;
/// What may be late between two clocks, in ms.
const SLACK_MS: i64 = 3_000;

/// What a page told of one showing.
pub struct Told {
    pub ticket: Ticket,
    pub pages: Vec<(u32, u32)>,
    pub areas: Vec<String>,
}

/// Who tells. Neither is kept: both become a digest under the day's salt.
pub struct Who {
    pub member: Option<MemberId>,
    pub address: String,
    /// What the browser calls itself.
    pub agent: String,
    pub device: Device,
    /// A province or a country, where that is known.
    pub region: Option<String>,
}

/// What is known of one thing on one day and not written.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    pub opens: i64,
    /// Digests of readers, and whether each is signed in.
    pub readers: BTreeMap<i64, bool>,
    /// By page: reads, and ms.
    pub pages: BTreeMap<i64, (i64, i64)>,
    /// By what it is about and the word itself.
    pub words: BTreeMap<(&'static str, String), i64>,
    /// By the pages that an area can stand on, and its id.
    pub areas: BTreeMap<(u32, u32, String), i64>,
    /// By the id of an article's areas, how often it was opened.
    pub articles: BTreeMap<String, i64>,
}

impl Tally {
    /// Counts a word that a reader brings along; too many different ones are one.
    fn say(&mut self, about: &'static str, word: String) {
        let mut key = (about, word);
        if self.words.len() >= MOST_WORDS && !self.words.contains_key(&key) {
            key.1 = OTHERS.to_owned();
        }
        *self.words.entry(key).or_default() += 1;
    }

    /// Adds what another one holds.
    fn merge(&mut self, other: Self) {
        self.opens += other.opens;
        self.readers.extend(other.readers);
        for (page, (reads, spent)) in other.pages {
            let sum = self.pages.entry(page).or_default();
            *sum = (sum.0 + reads, sum.1 + spent);
        }
        for (word, count) in other.words {
            *self.words.entry(word).or_default() += count;
        }
        for (area, count) in other.areas {
            *self.areas.entry(area).or_default() += count;
        }
        for (article, count) in other.articles {
            *self.articles.entry(article).or_default() += count;
        }
    }
}

/// A thing by its number, with what it is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thing {
    pub number: i64,
    pub kind: String,
    pub id: String,
    pub owner: MemberId,
}

/// Tallies by day and thing, in the order in which they are written: two instances never wait for each other.
pub type Gathered = BTreeMap<(i64, Thing), Tally>;

/// What one showing has told before.
#[derive(Debug, Default, Clone)]
struct Showing {
    /// Who told it first: it was shown to one.
    reader: Option<i64>,
    /// By page, ms.
    spent: BTreeMap<u32, u32>,
    presses: usize,
}

struct State {
    gathered: Gathered,
    showings: Cache<u64, Showing>,
    owners: Cache<i64, Option<MemberId>>,
    reads: Cache<(i64, i64), u32>,
    /// By thing and address: how many browsers read it.
    browsers: Cache<(i64, i64), u32>,
    /// By thing and reader: what it opened in its visit, by a hash, as ids are whatever a browser sends, with the moment at which the
    /// page was made that told it, epoch ms.
    opened: Cache<(i64, i64), BTreeMap<u64, i64>>,
    /// The day that the reads and browsers are of, and the salts that are known.
    day: i64,
    salts: BTreeMap<i64, String>,
    /// The day on which old salts were last deleted.
    swept: i64,
}

/// This instance's counter.
pub struct Counter(Mutex<State>);

impl Default for Counter {
    fn default() -> Self {
        Self(Mutex::new(State {
            gathered: BTreeMap::new(),
            showings: Cache::new(MOST_SHOWINGS),
            owners: Cache::new(MOST_KNOWN),
            reads: Cache::new(MOST_KNOWN),
            browsers: Cache::new(MOST_KNOWN),
            opened: Cache::new(MOST_KNOWN),
            day: 0,
            salts: BTreeMap::new(),
            swept: 0,
        }))
    }
}

impl Counter {
    /// Counts what one reader told of one showing.
    pub fn add(&self, thing: Thing, told: &Told, reader: Reader<'_>, now: i64) {
        self.with(|state| state.add(thing, told, reader, now));
    }

    /// Everything that was gathered, for whoever writes it.
    pub fn taken(&self) -> Gathered {
        self.with(|state| std::mem::take(&mut state.gathered))
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The number of a thing: the first 63 bits of the SHA-256 of its kind and id.
pub fn number_of(kind: &str, id: &str) -> i64 {
    let digest = Sha256::digest(format!("{kind}\0{id}"));
    let first: [u8; 8] = digest[..8].try_into().unwrap_or_default();
    i64::from_be_bytes(first) & i64::MAX
}

/// Counts what was told, unless it was its owner who told it, or nothing that anybody has.
pub async fn count(app: &App, told: Told, who: Who, now: i64) -> Result<(), Error> {
    let counter = app.own(|_| Ok(Counter::default()))?;
    let Ticket { kind, id, .. } = &told.ticket;
    let number = number_of(kind, id);
    let known = counter.with(|state| state.owners.get(&number).cloned());
    let owner = match known {
        Some(owner) => owner,
        None => {
            let owner = match countable(app, kind) {
                Some(countable) => countable.owner(app, id).await?,
                None => None,
            };
            counter.with(|state| state.owners.insert(number, owner.clone()));
            owner
        }
    };
    let Some(owner) = owner else { return Ok(()) };
    if who.member.as_ref() == Some(&owner) {
        return Ok(());
    }
    let day = day_of(now);
    let salt = match counter.with(|state| state.salts.get(&day).cloned()) {
        Some(salt) => salt,
        None => {
            let salt = store::salt(&app.db, day).await?;
            counter.with(|state| state.salts.insert(day, salt.clone()));
            salt
        }
    };
    let reader = Reader { who: &who, digest: digest(&salt, &who), at: digest_of(&salt, &who.address) };
    let thing = Thing { number, kind: kind.clone(), id: id.clone(), owner };
    counter.add(thing, &told, reader, now);
    Ok(())
}

/// Who reads, as it is counted on one day.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    pub who: &'a Who,
    /// A member wherever it reads, or else a browser at a network address.
    pub digest: i64,
    /// The network address.
    pub at: i64,
}

fn digest(salt: &str, who: &Who) -> i64 {
    match &who.member {
        Some(member) => digest_of(salt, member.as_str()),
        None => digest_of(salt, &format!("{}\0{}", who.address, who.agent)),
    }
}

fn digest_of(salt: &str, text: &str) -> i64 {
    let bytes = base::signing::keyed(salt.as_bytes(), "reader").chain_update(text).finalize().into_bytes();
    i64::from_be_bytes(bytes[..8].try_into().unwrap_or_default())
}

impl State {
    fn add(&mut self, thing: Thing, told: &Told, Reader { who, digest, at }: Reader<'_>, now: i64) {
        let day = day_of(now);
        if self.day != day {
            self.day = day;
            (self.reads, self.browsers) = (Cache::new(MOST_KNOWN), Cache::new(MOST_KNOWN));
        }
        let ticket = &told.ticket;
        let mut showing = self.showings.get(&ticket.mark).cloned().unwrap_or_default();
        let is_first = showing.reader.is_none();
        let reader = *showing.reader.get_or_insert(digest);
        let key = (thing.number, reader);
        let known = self.reads.get(&key).copied();
        if known.is_none() && who.member.is_none() {
            let browsers = self.browsers.get(&(thing.number, at)).copied().unwrap_or_default() + 1;
            if browsers > MOST_OF_ADDRESS {
                return;
            }
            self.browsers.insert((thing.number, at), browsers);
        }
        let mut reads = known.unwrap_or_default();
        let tally = self.gathered.entry((day, thing)).or_default();
        if is_first {
            tally.readers.insert(reader, who.member.is_some());
            if ticket.is_entry {
                tally.opens += 1;
                tally.say("source", ticket.source.clone());
                tally.say("device", who.device.code().to_owned());
                if let Some(region) = &who.region {
                    tally.say("region", region.clone());
                }
            }
            let asked: String = ticket.asked.chars().take(WORD_LENGTH).collect();
            if !asked.is_empty() {
                tally.say("search", asked);
            }
        }
        // nobody has looked for longer than the page is old
        let age = u32::try_from(now - ticket.at + SLACK_MS).unwrap_or(0).min(LONGEST_MS);
        for (page, spent) in &told.pages {
            if !(ticket.first..=ticket.last).contains(page) {
                continue;
            }
            let before = showing.spent.get(page).copied().unwrap_or_default();
            let after = before.saturating_add(*spent).min(age).max(before);
            showing.spent.insert(*page, after);
            if after < READ_MS || reads >= MOST_READS {
                continue;
            }
            let sum = tally.pages.entry(i64::from(*page)).or_default();
            if before < READ_MS {
                reads += 1;
                *sum = (sum.0 + 1, sum.1 + i64::from(after));
            } else {
                sum.1 += i64::from(after - before);
            }
        }
        // what is opened: an article by its own page, or by a press on its area, which leads there
        let mut opening: Vec<&str> =
            [&*ticket.area].into_iter().filter(|area| is_first && !area.is_empty()).collect();
        for area in &told.areas {
            let is_id = area.len() <= AREA_LENGTH
                && area.bytes().all(|b| b.is_ascii_alphanumeric() || b".-_".contains(&b));
            if is_id && showing.presses < MOST_PRESSES {
                showing.presses += 1;
                *tally.areas.entry((ticket.first, ticket.last, area.clone())).or_default() += 1;
                // an area of a part opens the whole of which the name stands before the dot
                opening.push(area.split_once('.').map_or(area, |(whole, _)| whole));
            }
        }
        let mut opened = self.opened.get(&key).cloned().unwrap_or_default();
        if is_first && ticket.is_entry {
            // a visit begins; what was opened in it may have been told before
            opened.retain(|_, at| *at >= ticket.at);
        }
        for area in opening {
            let mut hash = DefaultHasher::new();
            area.hash(&mut hash);
            let hash = hash.finish();
            if opened.len() < MOST_OPENED && !opened.contains_key(&hash) {
                opened.insert(hash, ticket.at);
                *tally.articles.entry(area.to_owned()).or_default() += 1;
            }
        }
        if !opened.is_empty() {
            self.opened.insert(key, opened);
        }
        self.reads.insert(key, reads);
        self.showings.insert(ticket.mark, showing);
    }
}

/// Writes what was gathered. What can't be written now is gathered further.
pub async fn flush(app: &App, now: i64) -> Result<(), Error> {
    let counter = app.own(|_| Ok(Counter::default()))?;
    let today = day_of(now);
    if counter.with(|state| state.swept) != today {
        store::forget_readers(&app.db, today - 1).await?;
        counter.with(|state| {
            state.salts.retain(|day, _| *day >= today - 1);
            state.swept = today;
        });
    }
    let gathered = counter.taken();
    if gathered.is_empty() {
        return Ok(());
    }
    let gathered = with_areas(app, gathered).await;
    if let Err((error, left)) = store::write(&app.db, gathered).await {
        counter.with(|state| {
            for (key, tally) in left {
                state.gathered.entry(key).or_default().merge(tally);
            }
        });
        return Err(error);
    }
    Ok(())
}

/// Presses of areas become words where such an area stands on the page, and openings where readers see such an article; others
/// never were.
async fn with_areas(app: &App, mut gathered: Gathered) -> Gathered {
    for ((_, thing), tally) in &mut gathered {
        let areas = std::mem::take(&mut tally.areas);
        let articles = std::mem::take(&mut tally.articles);
        let Some(countable) = countable(app, &thing.kind) else { continue };
        let mut known: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
        for ((first, last, area), count) in areas {
            for number in first..=last.min(first.saturating_add(16)) {
                if let std::collections::btree_map::Entry::Vacant(place) = known.entry(number) {
                    let areas = countable.areas(app, &thing.id, number as usize).await.unwrap_or_default();
                    place.insert(areas.into_iter().map(|area| area.id).collect());
                }
            }
            if known.range(first..=last).any(|(_, areas)| areas.contains(&area)) {
                *tally.words.entry(("area", area)).or_default() += count;
            }
        }
        if articles.is_empty() {
            continue;
        }
        let known = countable.articles(app, &thing.id).await.unwrap_or_default();
        let known: BTreeSet<String> = known.into_iter().map(|article| article.id).collect();
        for (article, count) in articles.into_iter().filter(|(article, _)| known.contains(article)) {
            *tally.words.entry((ARTICLE, article)).or_default() += count;
        }
    }
    gathered
}

/// Writes what is gathered every few seconds, and the rest when the program stops.
pub const WRITING: Background = Background {
    name: "readings, which are kept for the next time",
    every: PAUSE,
    at_end: true,
    for_all: false,
    in_read_only: false,
    run: |app| Box::pin(async move { flush(&app, base::db::now_ms()).await }),
};

#[cfg(test)]
mod tests {
    use base::db::new_id;

    use super::*;

    /// How many readers and visits there are of what is shown so often, each time to another browser: of one showing, or of
    /// one each.
    fn counted(times: u64, is_one_showing: bool, member: bool) -> (usize, i64) {
        let counter = Counter::default();
        let thing = Thing { number: 1, kind: "work".into(), id: "one".into(), owner: new_id() };
        let now = 1_790_000_000_000;
        for time in 0..times {
            let ticket = Ticket {
                kind: "work".into(),
                id: "one".into(),
                first: 1,
                last: 2,
                is_entry: true,
                source: "direct".into(),
                asked: String::new(),
                area: String::new(),
                at: now,
                mark: if is_one_showing { 1 } else { time },
            };
            let told = Told { ticket, pages: vec![(1, 9_000)], areas: Vec::new() };
            let who = Who {
                member: member.then(new_id),
                address: "203.0.113.7".into(),
                agent: format!("Mozilla/5.0 {time}"),
                device: Device::of("", false),
                region: None,
            };
            let reader =
                Reader { who: &who, digest: digest("salt", &who), at: digest_of("salt", &who.address) };
            counter.add(thing.clone(), &told, reader, now);
        }
        let gathered = counter.taken();
        let tally = gathered.values().next().unwrap();
        (tally.readers.len(), tally.opens)
    }

    /// How often an article was opened after a reader's showings of a paper: whether each begins a visit, when its page was
    /// made, whether it is the article's own, and what was pressed on it.
    fn opened(showings: &[(bool, i64, bool, &[&str])]) -> i64 {
        let counter = Counter::default();
        let thing = Thing { number: 1, kind: "issue".into(), id: "one".into(), owner: new_id() };
        let who = Who {
            member: Some(new_id()),
            address: String::new(),
            agent: String::new(),
            device: Device::of("", false),
            region: None,
        };
        for (mark, (is_entry, at, is_own, pressed)) in (0..).zip(showings) {
            let ticket = Ticket {
                kind: "issue".into(),
                id: "one".into(),
                first: 1,
                last: 1,
                is_entry: *is_entry,
                source: String::new(),
                asked: String::new(),
                area: if *is_own { "article-1".into() } else { String::new() },
                at: *at,
                mark,
            };
            let areas = pressed.iter().map(|area| (*area).to_owned()).collect();
            // told twice, a showing is one
            for areas in [areas, Vec::new()] {
                let told = Told { ticket: ticket.clone(), pages: vec![(1, 9_000)], areas };
                counter.add(thing.clone(), &told, Reader { who: &who, digest: 1, at: 1 }, 1_790_000_000_000);
            }
        }
        let gathered = counter.taken();
        gathered.values().filter_map(|tally| tally.articles.get("article-1")).sum()
    }

    #[test]
    fn an_article_is_opened_once_in_a_visit() {
        let (page, pressed): (&[&str], &[&str]) = (&[], &["article-1", "article-1"]);
        assert_eq!(opened(&[(true, 1, true, page), (false, 2, true, page)]), 1, "its page, shown again");
        assert_eq!(opened(&[(true, 1, false, pressed), (false, 2, true, page)]), 1, "by its area");
        assert_eq!(
            opened(&[(false, 2, true, page), (true, 1, false, pressed)]),
            1,
            "told the other way round"
        );
        assert_eq!(opened(&[(true, 1, true, page), (true, 2, true, page)]), 2, "two visits");
        assert_eq!(opened(&[(true, 1, false, &["article-2"])]), 0, "another one");
        let parts: &[&str] = &["article-1.3", "article-1"];
        assert_eq!(opened(&[(true, 1, false, parts), (false, 2, true, page)]), 1, "by the area of a part");
    }

    #[test]
    fn readers_can_not_be_invented() {
        assert_eq!(counted(49_300, true, false), (1, 1), "what is shown once has one reader");
        assert_eq!(counted(1_000, false, false), (200, 200), "an address has no more browsers than a school");
        assert_eq!(counted(1_000, false, true), (1_000, 1_000), "members are who they are");
    }
}
