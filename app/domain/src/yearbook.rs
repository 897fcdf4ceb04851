//! Year books 毕业册, 同学录: a roster of a class, each of whom fills in a page by a link of its own until a last day. What a roster
//! may say, when a link takes something, and whom a reminder goes to. Times are epoch ms; days are China's.

use std::collections::BTreeMap;

use ::csv::ReaderBuilder;

use crate::contact::Contact;
use crate::days::DAY_MS;
use crate::typed;

/// Characters of a book's title, and of what is said to all who are asked.
pub const TITLE_LENGTH: usize = 40;
pub const GREETING_LENGTH: usize = 300;
/// Characters of a name: those that are spelt out have thirty and more.
pub const NAME_LENGTH: usize = 40;
/// Characters of a class or group.
pub const GROUP_LENGTH: usize = 20;
/// Characters of what tells somebody apart: an e-mail address, a telephone number, a number at school.
pub const CONTACT_LENGTH: usize = 100;
/// Characters of the line below a name, and of what somebody says.
pub const MOTTO_LENGTH: usize = 30;
pub const WORDS_LENGTH: usize = 150;
/// People of a book. Their copies are one run ([`crate::document::MOST_VARIANTS`]).
pub const MOST_PEOPLE: usize = 500;
/// Books of a member.
pub const MOST_BOOKS: i64 = 50;
/// Copies without a name, for the school or for who comes later.
pub const MOST_SPARE: usize = 50;
/// Bytes of a roster's file.
pub const MOST_BYTES: usize = 512 * 1024;
/// Mistakes of a roster that are told at once.
const MOST_TOLD: usize = 20;
/// Days before the last one on which reminders go.
pub const REMIND_DAYS: [i64; 2] = [3, 1];
/// Between two reminders to the same person, in ms: nobody is asked twice a day.
pub const APART_MS: i64 = 20 * 60 * 60_000;

/// How much room each has in the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Share {
    /// Two on a page.
    #[default]
    Half,
    /// A page of its own.
    Whole,
}

impl Share {
    /// Each, in the order of a choice.
    pub const ALL: [Self; 2] = [Self::Half, Self::Whole];

    /// As it is stored. Never changes.
    pub fn code(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Whole => "whole",
        }
    }

    /// As members read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Half => "每人半页",
            Self::Whole => "每人一页",
        }
    }

    /// The one of a code.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|share| share.code() == code)
    }
}

/// What a roster says of somebody.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    pub name: String,
    /// May be empty.
    pub group: String,
    /// An e-mail address, to which messages go; or whatever else tells two of one name apart. May be empty.
    pub contact: String,
}

impl Entry {
    /// The address to which messages go; none where the contact is none.
    pub fn email(&self) -> Option<Contact> {
        Contact::read(&self.contact).filter(|contact| !contact.is_phone())
    }

    fn is_named_like(&self, other: &Self) -> bool {
        self.name == other.name && self.group == other.group
    }

    /// Whether both are the same person: of one name and class, and nothing tells them apart.
    fn may_be(&self, other: &Self) -> bool {
        self.is_named_like(other)
            && (self.contact == other.contact || self.contact.is_empty() || other.contact.is_empty())
    }

    fn called(&self) -> String {
        if self.group.is_empty() { self.name.clone() } else { format!("{} {}", self.group, self.name) }
    }
}

/// A roster that was read beside those who are known already.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roster {
    /// Who is new, in the roster's order.
    pub new: Vec<Entry>,
    /// Who is known, by the place among the known, and whose contact is known by now.
    pub contacts: Vec<(usize, String)>,
    /// How many are known already.
    pub known: usize,
    /// People of one name in one class: they are told, not refused.
    pub namesakes: Vec<String>,
}

/// Reads a roster: a line for each with name, class and contact, as a spreadsheet writes or pastes it or as somebody types it; a
/// first line of headings may say another order. The same person twice in it is refused; one who is known already is not added again.
///
/// # Errors
/// A sentence for each line that can't be read.
pub fn read_roster(text: &str, known: &[Entry]) -> Result<Roster, Vec<String>> {
    let (mut wrong, mut lines) = (Vec::new(), Vec::new());
    for (number, cells) in rows(text)? {
        match entry(&cells) {
            Ok(entry) => lines.push((number, entry)),
            Err((_, reason)) => wrong.push(format!("第 {number} 行{reason}")),
        }
    }
    wrong.extend(repeated(&lines));
    if !wrong.is_empty() {
        let more = wrong.len().saturating_sub(MOST_TOLD);
        wrong.truncate(MOST_TOLD);
        wrong.extend((more > 0).then(|| format!("还有 {more} 行有同样的问题")));
        return Err(wrong);
    }
    let mut roster = Roster::default();
    for (_, entry) in lines {
        match known.iter().position(|before| before.may_be(&entry)) {
            Some(place) => {
                roster.known += 1;
                if known[place].contact.is_empty() && !entry.contact.is_empty() {
                    roster.contacts.push((place, entry.contact));
                }
            }
            None => {
                let is_namesake = known.iter().chain(&roster.new).any(|other| other.is_named_like(&entry));
                if is_namesake && !roster.namesakes.contains(&entry.called()) {
                    roster.namesakes.push(entry.called());
                }
                roster.new.push(entry);
            }
        }
    }
    if known.len() + roster.new.len() > MOST_PEOPLE {
        return Err(vec![format!("一本毕业册最多 {MOST_PEOPLE} 位，请按班分成几本")]);
    }
    if roster.new.is_empty() && roster.known == 0 {
        return Err(vec!["请填写名单，每行一位".to_owned()]);
    }
    Ok(roster)
}

/// Who stands in a roster twice, a sentence for each line after the first.
fn repeated(lines: &[(u64, Entry)]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut first: BTreeMap<(&str, &str), Vec<(u64, &Entry)>> = BTreeMap::new();
    for (number, entry) in lines {
        let same = first.entry((entry.name.as_str(), entry.group.as_str())).or_default();
        match same.iter().find(|(_, before)| before.may_be(entry)) {
            Some((before, _)) => wrong.push(format!(
                "第 {number} 行和第 {before} 行都是{}：同一位请删去一行；是两位，请在第三列都写上不同的邮箱或学号",
                entry.called()
            )),
            None => same.push((*number, entry)),
        }
    }
    wrong
}

/// The cells of each line that says something, in the order name, class, contact.
fn rows(text: &str) -> Result<Vec<(u64, [String; 3])>, Vec<String>> {
    // browsers and spreadsheets end lines in two characters, of which the reader counts one too few
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let has_tabs = text.contains('\t');
    // who types in Chinese types its comma
    let text = if has_tabs || text.contains(',') { text } else { text.replace('，', ",") };
    let mut reader = ReaderBuilder::new();
    let mut reader = reader
        .delimiter(if has_tabs { b'\t' } else { b',' })
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut order = [Some(0), Some(1), Some(2)];
    let mut rows = Vec::new();
    let (mut passed, mut number) = (0, 1);
    for record in reader.records() {
        let record = record.map_err(|_| vec!["名单读不出来，请另存为 CSV 再选，或者直接粘贴".to_owned()])?;
        // a record begins where the one before ended: empty lines that the reader leaves out stand between them
        let begun = record.position().map_or(0, |position| position.byte() as usize);
        let begun = begun + text[begun..].bytes().take_while(|byte| *byte == b'\n').count();
        number += text[passed..begun].bytes().filter(|byte| *byte == b'\n').count() as u64;
        passed = begun;
        let cells: Vec<String> = record.iter().map(|cell| typed::words(cell).replace('\n', " ")).collect();
        if cells.iter().all(String::is_empty) {
            continue;
        }
        if rows.is_empty()
            && let Some(headed) = headings(&cells)
        {
            order = headed;
            continue;
        }
        let cell =
            |place: Option<usize>| place.and_then(|place| cells.get(place)).cloned().unwrap_or_default();
        rows.push((number, order.map(cell)));
        if rows.len() > MOST_PEOPLE {
            return Err(vec![format!("一次最多 {MOST_PEOPLE} 位，请按班分成几份")]);
        }
    }
    Ok(rows)
}

/// Where name, class and contact stand, if the first line says so.
fn headings(cells: &[String]) -> Option<[Option<usize>; 3]> {
    let place = |names: &[&str]| cells.iter().position(|cell| names.contains(&cell.as_str()));
    let name = place(&["姓名", "名字", "学生姓名", "name", "Name"])?;
    let group = place(&["班级", "班", "组", "小组", "class", "Class"]);
    let contact = place(&["邮箱", "联系方式", "电话", "手机", "学号", "email", "Email"]);
    Some([Some(name), group, contact])
}

/// One line; else which cell is wrong, and how, as it goes on after the number of a line.
fn entry([name, group, contact]: &[String; 3]) -> Result<Entry, (&'static str, String)> {
    let longer = |text: &str, most: usize| text.chars().count() > most;
    if typed::is_blank(name) {
        return Err(("name", "没有姓名".to_owned()));
    }
    if longer(name, NAME_LENGTH) {
        return Err(("name", format!("的姓名超过 {NAME_LENGTH} 个字，请核对")));
    }
    if longer(group, GROUP_LENGTH) {
        return Err(("group", format!("的班级超过 {GROUP_LENGTH} 个字")));
    }
    let contact = typed::typed(contact);
    if longer(&contact, CONTACT_LENGTH) {
        return Err(("contact", format!("的联系方式超过 {CONTACT_LENGTH} 个字")));
    }
    let contact = match Contact::read(&contact) {
        Some(read) => read.to_string(),
        None if contact.contains('@') => return Err(("contact", format!("的邮箱“{contact}”不对"))),
        None => contact,
    };
    Ok(Entry { name: name.clone(), group: group.clone(), contact })
}

/// Reads what is said of one person in a form, beside all others of its book.
///
/// # Errors
/// The field that is wrong, and why.
pub fn read_entry(cells: [&str; 3], others: &[Entry]) -> Result<Entry, (&'static str, String)> {
    let cells = cells.map(typed::words);
    let entry =
        entry(&cells).map_err(|(field, reason)| (field, reason.trim_start_matches('的').to_owned()))?;
    match others.iter().find(|other| other.may_be(&entry)) {
        Some(_) => Err(("contact", "名单里已经有这一位；是另一位，请都写上不同的邮箱或学号".to_owned())),
        None => Ok(entry),
    }
}

/// When the last day of somebody is over who may have more time than the book's `until`.
pub fn ends(until: i64, own_until: Option<i64>) -> i64 {
    own_until.unwrap_or(until).max(until)
}

/// Where somebody's link stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkState {
    Open,
    /// Its last day has passed.
    Over,
    /// Whoever sent it took it back.
    Withdrawn,
}

impl LinkState {
    /// Of a link whose book ends at a moment, which may have more time of its own.
    pub fn of(until: i64, own_until: Option<i64>, is_withdrawn: bool, now: i64) -> Self {
        match () {
            () if is_withdrawn => Self::Withdrawn,
            () if now < ends(until, own_until) => Self::Open,
            () => Self::Over,
        }
    }

    /// Why nothing more is taken by it; nothing where it is.
    pub fn refusal(self) -> Option<NotTaken> {
        match self {
            Self::Open => None,
            Self::Over => Some(NotTaken::Over),
            Self::Withdrawn => Some(NotTaken::Withdrawn),
        }
    }
}

/// Why nothing is taken from somebody, as that one reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotTaken {
    #[error("收稿的最后一天已经过了。您之前交的都在；还想交或者改，请告诉发链接给您的人。")]
    Over,
    #[error("这个链接已经收回了。请问问发链接给您的人，要一个新的。")]
    Withdrawn,
    #[error("毕业册这边的空间满了，照片现在收不下，写的话已经收到。请告诉发链接给您的人。")]
    RoomFull,
}

impl NotTaken {
    /// The HTTP status of an answer that says so.
    pub fn status(self) -> u16 {
        match self {
            Self::Over | Self::Withdrawn => 410,
            Self::RoomFull => 507,
        }
    }
}

/// When reminders go for a last day that ends at `until`: in the morning of those days that are to come.
pub fn reminders(until: i64, now: i64) -> Vec<i64> {
    const MORNING_MS: i64 = 9 * 60 * 60_000;
    let mornings = REMIND_DAYS.map(|days| until - (days + 1) * DAY_MS + MORNING_MS);
    mornings.into_iter().filter(|at| *at > now).collect()
}
