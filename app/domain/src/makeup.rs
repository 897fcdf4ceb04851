//! Putting right what was read off a page, block by block: which words belong to which article, and as what.
//!
//! Nothing is kept of who has which block: a block is where its words are. So what an editor typed counts as much as what was
//! read, and a block whose words are in no article is seen to be in none.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::hot_area::Place;
use crate::newspaper::{Piece, place};
use crate::publication::{AUTHOR_LENGTH, HEADLINE_LENGTH, MOST_AREAS, TEXT_LENGTH};

/// Words that stand together on a page, in the order in which the page is read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// A line feed ends a paragraph.
    pub text: String,
    pub place: Place,
}

impl Block {
    /// Of what was read; nothing of what has no letters.
    pub fn of(piece: &Piece) -> Option<Self> {
        let text = piece.text.replace('\u{ad}', "").trim().to_owned();
        let has_words = text.chars().any(char::is_alphanumeric);
        Some(Self { text, place: place(&piece.frame).filter(|_| has_words)? })
    }
}

/// What words are in an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// 引题.
    Kicker,
    /// 标题.
    Title,
    /// 副题.
    Subtitle,
    /// 作者.
    Author,
    /// 正文.
    Text,
    /// 图片说明: the last lines of the text.
    Caption,
}

impl Role {
    /// All of them, as they stand in an article.
    pub const ALL: [Self; 6] =
        [Self::Kicker, Self::Title, Self::Subtitle, Self::Author, Self::Text, Self::Caption];

    /// The word in forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Kicker => "kicker",
            Self::Title => "title",
            Self::Subtitle => "subtitle",
            Self::Author => "author",
            Self::Text => "text",
            Self::Caption => "caption",
        }
    }

    /// What editors call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kicker => "引题",
            Self::Title => "标题",
            Self::Subtitle => "副题",
            Self::Author => "作者",
            Self::Text => "正文",
            Self::Caption => "图片说明",
        }
    }

    /// The one with this word.
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.code() == code)
    }
}

/// The words of an article and where they stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Story {
    pub kicker: String,
    pub title: String,
    pub subtitle: String,
    pub author: String,
    pub text: String,
    pub areas: Vec<Place>,
}

/// One thing that an editor does. Numbers are those of blocks, and of stories in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// One article goes on with the words of another.
    Merge { from: usize, into: usize },
    /// A block is the headline of an article of its own, which has the text behind it.
    Split { block: usize },
    /// A block belongs to another article.
    Move { block: usize, to: usize },
    /// A block is something else in its article.
    Role { block: usize, role: Role },
    /// An article comes before the one that was before it.
    Up { story: usize },
    /// An article comes behind the one that was behind it.
    Down { story: usize },
}

/// Why a step is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotDone {
    #[error("请先选好一块文字和一篇稿件")]
    Nothing,
    #[error("这块文字不在任何稿件的正文里，不能从这里分开")]
    NotInText,
    #[error("这块文字不在任何稿件里，请先把它移到一篇里")]
    InNone,
    #[error(
        "放不下：标题、引题、副题最多 {HEADLINE_LENGTH} 个字，作者最多 {AUTHOR_LENGTH} 个字，正文最多 {TEXT_LENGTH} 个字"
    )]
    TooLong,
    #[error("已经在最前面或者最后面了")]
    AtEnd,
}

/// A story after a step, and which one it was before; a new one was none.
pub type Placed = (Option<usize>, Story);

impl Story {
    fn field(&self, role: Role) -> &str {
        match role {
            Role::Kicker => &self.kicker,
            Role::Title => &self.title,
            Role::Subtitle => &self.subtitle,
            Role::Author => &self.author,
            Role::Text | Role::Caption => &self.text,
        }
    }

    fn field_mut(&mut self, role: Role) -> &mut String {
        match role {
            Role::Kicker => &mut self.kicker,
            Role::Title => &mut self.title,
            Role::Subtitle => &mut self.subtitle,
            Role::Author => &mut self.author,
            Role::Text | Role::Caption => &mut self.text,
        }
    }

    fn is_empty(&self) -> bool {
        Role::ALL.into_iter().all(|role| self.field(role).trim().is_empty())
    }

    /// One without a headline is called by its first words.
    fn named(mut self) -> Self {
        if self.title.trim().is_empty() {
            let roles = [Role::Text, Role::Kicker, Role::Subtitle, Role::Author];
            let first = roles.into_iter().find(|role| !self.field(*role).trim().is_empty());
            self.title = first.map(|role| beginning(self.field(role))).unwrap_or_default();
        }
        self
    }

    fn fits(&self) -> bool {
        let within = |text: &str, most: usize| text.chars().count() <= most;
        [&self.kicker, &self.title, &self.subtitle].into_iter().all(|text| within(text, HEADLINE_LENGTH))
            && within(&self.author, AUTHOR_LENGTH)
            && within(&self.text, TEXT_LENGTH)
    }
}

fn beginning(text: &str) -> String {
    one_line(text).chars().take(20).collect::<String>().trim_end().to_owned()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where words stand in a text: their letters and digits in the same order, whatever spaces and punctuation stand between them.
/// Marks that open them or close them are theirs.
fn range_of(text: &str, words: &str) -> Option<Range<usize>> {
    let letters: Vec<(usize, char)> =
        text.char_indices().filter(|(_, character)| character.is_alphanumeric()).collect();
    let wanted: Vec<char> = words.chars().filter(|character| character.is_alphanumeric()).collect();
    let first = letters
        .windows(wanted.len().max(1))
        .position(|part| part.iter().map(|(_, character)| character).eq(&wanted))?;
    let (start, (end, last)) = (letters[first].0, letters[first + wanted.len() - 1]);
    const OPENING: [char; 8] = ['“', '‘', '《', '「', '『', '（', '(', '【'];
    let before: usize =
        text[..start].chars().rev().take_while(|mark| OPENING.contains(mark)).map(char::len_utf8).sum();
    let is_closing =
        |mark: &char| !mark.is_alphanumeric() && !mark.is_whitespace() && !OPENING.contains(mark);
    let end = end + last.len_utf8();
    let behind: usize = text[end..].chars().take_while(is_closing).map(char::len_utf8).sum();
    Some(start - before..end + behind)
}

/// A block of fewer letters may be anywhere by chance.
const FEW: usize = 6;

fn holds(areas: &[Place], place: &Place) -> bool {
    let (x, y) = (place.x + place.width / 2, place.y + place.height / 2);
    areas
        .iter()
        .any(|area| (area.x..area.x + area.width).contains(&x) && (area.y..area.y + area.height).contains(&y))
}

/// The story that has a block's words, and as what; the one that stands there before others.
pub fn owner(block: &Block, stories: &[Story]) -> Option<(usize, Role)> {
    let letters = block.text.chars().filter(|character| character.is_alphanumeric()).count();
    let found = stories.iter().enumerate().filter_map(|(index, story)| {
        let roles = [Role::Text, Role::Title, Role::Kicker, Role::Subtitle, Role::Author];
        let role = roles.into_iter().find(|role| range_of(story.field(*role), &block.text).is_some())?;
        Some((index, role, holds(&story.areas, &block.place)))
    });
    let found: Vec<_> = found.filter(|(.., is_there)| *is_there || letters >= FEW).collect();
    let there = found.iter().find(|(.., is_there)| *is_there);
    there.or(found.first()).map(|(index, role, _)| (*index, *role))
}

/// Takes words out of a field.
fn cut(field: &mut String, words: &str) {
    let Some(range) = range_of(field, words) else { return };
    let (before, behind) =
        (field[..range.start].trim_end_matches(' '), field[range.end..].trim_start_matches(' '));
    // an emptied paragraph is none
    let behind =
        if before.is_empty() || before.ends_with('\n') { behind.trim_start_matches('\n') } else { behind };
    let space = if needs_space(before, behind) { " " } else { "" };
    *field = format!("{before}{space}{behind}").trim_end().to_owned();
}

fn needs_space(before: &str, behind: &str) -> bool {
    let is_latin = |character: char| character.is_ascii_alphanumeric() || ",.;:!?".contains(character);
    before.chars().next_back().is_some_and(is_latin)
        && behind.chars().next().is_some_and(|first| first.is_ascii_alphanumeric())
}

/// Puts words into a text behind so many bytes: in a paragraph that goes on with them, or in one of their own.
fn insert(text: &mut String, at: usize, words: &str) {
    let (before, behind) =
        (text[..at].trim_end(), text[at..].trim_start_matches(|c: char| c.is_whitespace() && c != '\t'));
    let is_over =
        |text: &str| text.chars().next_back().is_none_or(|last| "。！？…”」』：；.!?".contains(last));
    // rows of a table stay lines of their own
    let is_row = |line: Option<&str>| line.is_some_and(|line| line.contains('\t'));
    let is_over = |one: &str, other: &str| {
        is_over(one) || is_row(one.lines().next_back()) || is_row(other.lines().next())
    };
    let join = |one: &str, other: &str| match (one.is_empty() || other.is_empty(), is_over(one, other)) {
        (true, _) => "",
        (false, true) => "\n",
        (false, false) if needs_space(one, other) => " ",
        (false, false) => "",
    };
    *text = format!("{before}{}{words}{}{behind}", join(before, words), join(words, behind));
}

/// Where a block goes in a story's text: behind the nearest one before it on the page.
fn spot(blocks: &[Block], block: usize, story: &Story) -> usize {
    let before = blocks[..block].iter().rev().filter(|other| holds(&story.areas, &other.place));
    before.filter_map(|other| range_of(&story.text, &other.text)).map(|range| range.end).next().unwrap_or(0)
}

/// Makes a block something in a story, which did not have it.
fn add(story: &mut Story, role: Role, blocks: &[Block], block: usize) {
    let words = &blocks[block].text;
    match role {
        Role::Text => {
            let at = spot(blocks, block, story);
            insert(&mut story.text, at, words);
        }
        Role::Caption => story.text = format!("{}\n{words}", story.text.trim_end()).trim_start().to_owned(),
        Role::Kicker | Role::Title | Role::Subtitle | Role::Author => {
            let field = story.field_mut(role);
            *field = format!("{field} {}", one_line(words)).trim().to_owned();
        }
    }
}

/// What a step makes of the stories of a page, in their order.
///
/// # Errors
/// It can't be done; nothing is.
pub fn apply(stories: &[Story], blocks: &[Block], step: Step) -> Result<Vec<Placed>, NotDone> {
    let mut all: Vec<Placed> =
        stories.iter().cloned().enumerate().map(|(index, story)| (Some(index), story)).collect();
    let of = |block: usize| blocks.get(block).ok_or(NotDone::Nothing).map(|block| owner(block, stories));
    match step {
        Step::Up { story } | Step::Down { story } => {
            let other = if matches!(step, Step::Up { .. }) { story.checked_sub(1) } else { Some(story + 1) };
            let other = other.filter(|other| story.max(*other) < all.len()).ok_or(NotDone::AtEnd)?;
            all.swap(story, other);
            return Ok(all);
        }
        Step::Merge { from, into } => {
            if from == into || from.max(into) >= all.len() {
                return Err(NotDone::Nothing);
            }
            let taken = all[from].1.clone();
            let story = &mut all[into].1;
            for role in [Role::Kicker, Role::Title, Role::Subtitle, Role::Author, Role::Text] {
                let words = taken.field(role).trim();
                // what it was called by for want of a headline stands in its text
                let is_beginning = role == Role::Title && beginning(&taken.text) == words;
                if !words.is_empty() && !is_beginning {
                    story.text = format!("{}\n{words}", story.text.trim_end()).trim_start().to_owned();
                }
            }
            story.areas.extend(taken.areas);
            all.remove(from);
        }
        Step::Split { block } => {
            let Some((index, Role::Text)) = of(block)? else { return Err(NotDone::NotInText) };
            let words = &blocks[block].text;
            let story = &mut all[index].1;
            let range = range_of(&story.text, words).ok_or(NotDone::NotInText)?;
            let (title, text) = match one_line(words) {
                short if short.chars().count() <= HEADLINE_LENGTH => {
                    (short, story.text[range.end..].trim_start().to_owned())
                }
                long => (beginning(&long), story.text[range.start..].to_owned()),
            };
            story.text = story.text[..range.start].trim_end().to_owned();
            // as far as it stands; it is placed below
            let areas = story.areas.clone();
            all.insert(index + 1, (None, Story { title, text, areas, ..Story::default() }));
        }
        Step::Move { block, to } => {
            let from = of(block)?;
            if to >= all.len() || from.is_some_and(|(index, _)| index == to) {
                return Err(NotDone::Nothing);
            }
            if let Some((index, role)) = from {
                cut(all[index].1.field_mut(role), &blocks[block].text);
            }
            add(&mut all[to].1, Role::Text, blocks, block);
            all[to].1.areas.push(blocks[block].place);
        }
        Step::Role { block, role } => {
            let Some((index, known)) = of(block)? else { return Err(NotDone::InNone) };
            let story = &mut all[index].1;
            let was_named = story.title == beginning(&story.text);
            cut(story.field_mut(known), &blocks[block].text);
            if role == Role::Title && was_named {
                story.title.clear();
            }
            add(story, role, blocks, block);
        }
    }
    all.retain(|(_, story)| !story.is_empty());
    let mut all: Vec<Placed> = all.into_iter().map(|(of, story)| (of, story.named())).collect();
    if !all.iter().all(|(_, story)| story.fits()) {
        return Err(NotDone::TooLong);
    }
    place_all(&mut all, stories, blocks);
    Ok(all)
}

/// Where the stories stand that are not what they were: around their blocks, or around each where others stand between them.
fn place_all(all: &mut [Placed], before: &[Story], blocks: &[Block]) {
    let stories: Vec<Story> = all.iter().map(|(_, story)| story.clone()).collect();
    let owners: Vec<Option<usize>> =
        blocks.iter().map(|block| owner(block, &stories).map(|(index, _)| index)).collect();
    for (index, (of, story)) in all.iter_mut().enumerate() {
        let is_changed = of.and_then(|of| before.get(of)) != Some(&*story);
        let own: Vec<Place> = blocks
            .iter()
            .zip(&owners)
            .filter(|(_, owner)| **owner == Some(index))
            .map(|(block, _)| block.place)
            .collect();
        if let Some(whole) = around(&own).filter(|_| is_changed) {
            let is_between = blocks.iter().zip(&owners).any(|(block, owner)| {
                owner.is_some() && *owner != Some(index) && holds(&[whole], &block.place)
            });
            story.areas = if is_between && own.len() <= MOST_AREAS { own } else { vec![whole] };
        }
        story.areas.truncate(MOST_AREAS);
    }
}

fn around(places: &[Place]) -> Option<Place> {
    let (x, y) = (places.iter().map(|place| place.x).min()?, places.iter().map(|place| place.y).min()?);
    let right = places.iter().map(|place| place.x + place.width).max()?;
    let bottom = places.iter().map(|place| place.y + place.height).max()?;
    Place::new(x, y, right - x, bottom - y)
}

#[cfg(test)]
mod tests;
