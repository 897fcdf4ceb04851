//! Articles that go on on another page of an issue (publishing page, section 2): the marks 下转03版 and 上接01版, which parts belong
//! together by them, and the order in which the parts of one article are read.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Characters of a mark's line beside its number, the title that it may name among them.
const LONGEST: usize = 60;
const OPENING: [char; 8] = ['（', '(', '【', '[', '〔', '［', '●', '■'];
const CLOSING: [char; 8] = ['）', ')', '】', ']', '〕', '］', '。', '.'];

/// A mark at one end of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark<'a> {
    /// The page, from 1.
    pub page: usize,
    /// What the mark names between 《 and 》; often nothing.
    pub title: &'a str,
    /// The text without it.
    pub rest: &'a str,
}

/// The mark at the end of a text that leads on, such as （下转03版） or 下转第三版.
pub fn leads_on(text: &str) -> Option<Mark<'_>> {
    let text = text.trim_end();
    let from = text.rfind('转')?;
    let line = &text[from..];
    if line.contains('\n') || line.chars().count() > LONGEST {
        return None;
    }
    let (page, rest) = page_in(&line['转'.len_utf8()..])?;
    let title = quoted(rest)?;
    let before = text[..from].strip_suffix('下').unwrap_or(&text[..from]);
    Some(Mark {
        page,
        title,
        rest: before.trim_end_matches(|c: char| c.is_whitespace() || OPENING.contains(&c)),
    })
}

/// The mark at the beginning of a text that says where it comes from, such as （上接01版） or 紧接第一版《…》.
pub fn comes_from(text: &str) -> Option<Mark<'_>> {
    let begun = text.trim_start_matches(|c: char| c.is_whitespace() || OPENING.contains(&c));
    let named = ["上接", "紧接"].iter().find_map(|word| begun.strip_prefix(word))?;
    let (page, rest) = page_in(named)?;
    let mut rest = rest.trim_start_matches([' ', '\u{3000}']);
    let mut title = "";
    if let Some(behind) = rest.strip_prefix('《') {
        let end = behind.find('》').filter(|end| behind[..*end].chars().count() <= LONGEST)?;
        title = &behind[..end];
        rest = &behind[end + '》'.len_utf8()..];
    }
    Some(Mark {
        page,
        title,
        rest: rest.trim_start_matches(|c: char| c.is_whitespace() || CLOSING.contains(&c)),
    })
}

/// The text of a part, without the marks that lead from the part before it and to the part behind it.
pub fn text_between(text: &str, has_before: bool, has_behind: bool) -> &str {
    let text = if has_behind { leads_on(text).map_or(text, |mark| mark.rest) } else { text };
    if has_before { comes_from(text).map_or(text, |mark| mark.rest) } else { text }
}

/// The title that a mark's end names; nothing where something else stands there.
fn quoted(rest: &str) -> Option<&str> {
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || CLOSING.contains(&c));
    if rest.is_empty() {
        return Some("");
    }
    rest.strip_prefix('《')?.strip_suffix('》')
}

/// The page that a text begins with, 第 3 版 or 03版 or 三版, and what stands behind it.
fn page_in(text: &str) -> Option<(usize, &str)> {
    let text = text.trim_start();
    let text = text.strip_prefix('第').unwrap_or(text).trim_start();
    let end = text.find(|c: char| digit(c).is_none() && numeral(c).is_none()).unwrap_or(text.len());
    let rest = text[end..].trim_start();
    Some((number(&text[..end])?, rest.strip_prefix('版')?))
}

fn digit(c: char) -> Option<usize> {
    let plain = if ('０'..='９').contains(&c) { u32::from(c) - u32::from('０') } else { c.to_digit(10)? };
    usize::try_from(plain).ok()
}

fn numeral(c: char) -> Option<usize> {
    "〇一二三四五六七八九十".chars().position(|known| known == c)
}

/// A number of two digits at most, or 一 to 九十九.
fn number(text: &str) -> Option<usize> {
    let digits: Option<Vec<usize>> = text.chars().map(digit).collect();
    let page = match digits.filter(|digits| !digits.is_empty()) {
        Some(digits) if digits.len() <= 2 => digits.iter().fold(0, |sum, digit| sum * 10 + digit),
        Some(_) => return None,
        None => {
            let numerals: Vec<usize> = text.chars().map(numeral).collect::<Option<_>>()?;
            match numerals[..] {
                [one] => one,
                [10, one] if one < 10 => 10 + one,
                [ten, 10] if (2..10).contains(&ten) => 10 * ten,
                [ten, 10, one] if (2..10).contains(&ten) && one < 10 => 10 * ten + one,
                _ => return None,
            }
        }
    };
    (page > 0).then_some(page)
}

/// An article of an issue as far as marks ask.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    pub page: usize,
    pub title: &'a str,
    pub text: &'a str,
}

impl<'a> Part<'a> {
    /// Where it goes on, as its text's end says.
    pub fn leads_on(&self) -> Option<Mark<'a>> {
        leads_on(self.text)
    }

    /// Where it comes from, as its text or its headline says: the beginning of a part without a headline may be taken for one.
    pub fn comes_from(&self) -> Option<Mark<'a>> {
        comes_from(self.text).or_else(|| comes_from(self.title)).or_else(|| {
            let at = self.title.find("上接")?;
            comes_from(&self.title[at..])
        })
    }
}

/// The pairs of parts that name each other's pages, by their places: the first goes on with the second. Where several could be
/// meant their titles decide; what stays open is none.
pub fn joins(parts: &[Part<'_>]) -> Vec<(usize, usize)> {
    let ahead: Vec<Option<Mark<'_>>> = parts.iter().map(Part::leads_on).collect();
    let behind: Vec<Option<Mark<'_>>> = parts.iter().map(Part::comes_from).collect();
    // how sure a pair is: none, by its pages, by a title too
    let sure = |from: usize, to: usize| -> usize {
        let (Some(on), Some(back)) = (&ahead[from], &behind[to]) else { return 0 };
        let (first, then) = (&parts[from], &parts[to]);
        if from == to || first.page == then.page || on.page != then.page || back.page != first.page {
            return 0;
        }
        let is_named =
            akin(back.title, first.title) || akin(on.title, then.title) || akin(first.title, then.title);
        1 + usize::from(is_named)
    };
    let best = |scores: &[usize]| {
        let most = scores.iter().copied().max().filter(|most| *most > 0)?;
        let mut places = scores.iter().enumerate().filter(|(_, score)| **score == most);
        let (place, _) = places.next()?;
        places.next().is_none().then_some(place)
    };
    let on = |from: usize| best(&(0..parts.len()).map(|to| sure(from, to)).collect::<Vec<_>>());
    let back = |to: usize| best(&(0..parts.len()).map(|from| sure(from, to)).collect::<Vec<_>>());
    let marked = (0..parts.len()).filter(|from| ahead[*from].is_some());
    marked.filter_map(|from| on(from).filter(|to| back(*to) == Some(from)).map(|to| (from, to))).collect()
}

/// Whether two titles are one, or one is the beginning or a part of the other, whatever stands between their characters.
pub fn akin(one: &str, other: &str) -> bool {
    let plain = |title: &str| title.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let (one, other) = (plain(one), plain(other));
    let shorter = one.chars().count().min(other.chars().count());
    shorter >= 2 && (one.contains(&other) || other.contains(&one))
}

/// The articles of an issue as readers have them: those that others go on with belong to these.
#[derive(Debug)]
pub struct Ways {
    /// For each the one before it.
    before: Vec<Option<usize>>,
    /// For each the one behind it.
    behind: Vec<Option<usize>>,
}

impl Ways {
    /// Of all articles of an issue by their ids, each with the one that it goes on with. Where several go on with the same one it
    /// is the first one's.
    pub fn of<Id: Eq + Hash>(all: &[(Id, Option<Id>)]) -> Self {
        let places: HashMap<&Id, usize> =
            all.iter().enumerate().map(|(place, (id, _))| (id, place)).collect();
        let (mut before, mut behind) = (vec![None; all.len()], vec![None; all.len()]);
        for (place, (_, on)) in all.iter().enumerate() {
            let next = on.as_ref().and_then(|on| places.get(on)).copied();
            if let Some(next) = next.filter(|next| *next != place && before[*next].is_none()) {
                before[next] = Some(place);
                behind[place] = Some(next);
            }
        }
        Self { before, behind }
    }

    /// Whether an article begins with this part.
    pub fn is_first(&self, place: usize) -> bool {
        self.first(place) == place
    }

    /// The part with which the article of a part begins.
    pub fn first(&self, place: usize) -> usize {
        let (mut at, mut seen) = (place, HashSet::new());
        while let Some(before) = self.before.get(at).copied().flatten().filter(|before| seen.insert(*before))
        {
            if before == place {
                // a circle has no beginning: it begins where it is asked for
                return place;
            }
            at = before;
        }
        at
    }

    /// All parts of the article that begins with one, in the order in which they are read.
    pub fn parts(&self, first: usize) -> Vec<usize> {
        let mut parts = vec![first];
        let mut at = first;
        while let Some(next) = self.behind.get(at).copied().flatten().filter(|next| !parts.contains(next)) {
            parts.push(next);
            at = next;
        }
        parts
    }
}
