//! Putting right what came out: which articles of a page are still on the page that takes its place, and what of a PDF does not
//! fit the issue that it is for (publishing page, section 2).

use std::collections::HashMap;

use crate::document::Trim;
use crate::manuscript::PdfSheet;

/// Characters of what readers are told, 更正.
pub const NOTE_LENGTH: usize = 200;

/// Words are the same text, put right, where so much of their pairs of characters is shared (Dice's coefficient).
const ALIKE: f64 = 0.5;

/// What became of an article when its page was replaced. The number is the text's among those that were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Its words are the same; spaces and punctuation aside.
    Same(usize),
    /// The page has it in other words.
    Changed(usize),
    /// The page does not have it.
    Gone,
}

/// The letters and digits of a text.
fn letters(text: &str) -> Vec<char> {
    text.chars().filter(|character| character.is_alphanumeric()).collect()
}

/// Pairs of neighbouring characters, and how often each is there.
fn pairs(letters: &[char]) -> HashMap<(char, char), usize> {
    let mut pairs = HashMap::new();
    for two in letters.windows(2) {
        *pairs.entry((two[0], two[1])).or_insert(0) += 1;
    }
    pairs
}

/// How much two texts share, 0 to 1: twice the shared pairs of characters, of all pairs.
fn likeness(one: &HashMap<(char, char), usize>, other: &HashMap<(char, char), usize>) -> f64 {
    let count = |pairs: &HashMap<(char, char), usize>| pairs.values().sum::<usize>();
    let all = count(one) + count(other);
    if all == 0 {
        return 0.0;
    }
    let shared: usize =
        one.iter().map(|(pair, count)| (*count).min(other.get(pair).copied().unwrap_or(0))).sum();
    2.0 * shared as f64 / all as f64
}

/// What became of each article whose words are known, on a page with these texts. The most alike are matched first, each once.
pub fn fates(known: &[String], found: &[String]) -> Vec<Fate> {
    let (known_letters, found_letters): (Vec<_>, Vec<_>) =
        (known.iter().map(|text| letters(text)).collect(), found.iter().map(|text| letters(text)).collect());
    let known_pairs: Vec<_> = known_letters.iter().map(|letters| pairs(letters)).collect();
    let found_pairs: Vec<_> = found_letters.iter().map(|letters| pairs(letters)).collect();
    let mut all = Vec::new();
    for (index, (one, words)) in known_pairs.iter().zip(&known_letters).enumerate() {
        for (place, (other, text)) in found_pairs.iter().zip(&found_letters).enumerate() {
            // the same pairs may still be other words
            let alike = if words == text { 2.0 } else { likeness(one, other) };
            if alike >= ALIKE {
                all.push((alike, index, place));
            }
        }
    }
    // equal ones in their order
    all.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)).then(one.2.cmp(&other.2)));
    let mut fates = vec![Fate::Gone; known.len()];
    let mut taken = vec![false; found.len()];
    for (_, index, place) in all {
        if fates[index] == Fate::Gone && !taken[place] {
            taken[place] = true;
            let is_same = known_letters[index] == found_letters[place];
            fates[index] = if is_same { Fate::Same(place) } else { Fate::Changed(place) };
        }
    }
    fates
}

/// Why a PDF is not what it is to take the place of. Nobody who sent the wrong file finds that out from readers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Misfit {
    /// One page is to be replaced, and the file has so many.
    NotOne(usize),
    /// The issue has other pages than the file: before, now.
    Count(usize, usize),
    /// A page of the file, from 1, has another size than the issue's, in mm.
    Size(usize, (f64, f64)),
}

impl Misfit {
    /// Whether its maker may have it so: a page is scaled, an issue gets longer or shorter. Which page of several is meant nobody
    /// guesses.
    pub fn may_be_meant(self) -> bool {
        !matches!(self, Self::NotOne(_))
    }
}

/// The first thing that does not fit where pages of an issue of this size are replaced: one, or all of the `pages` that it has.
pub fn misfit(sheets: &[PdfSheet], trim: Trim, pages: usize, is_whole: bool) -> Option<Misfit> {
    if !is_whole && sheets.len() != 1 {
        return Some(Misfit::NotOne(sheets.len()));
    }
    if is_whole && sheets.len() != pages {
        return Some(Misfit::Count(pages, sheets.len()));
    }
    let other = (1..).zip(sheets).find(|(_, sheet)| !sheet.fits(trim));
    other.map(|(page, sheet)| Misfit::Size(page, sheet.finished_size()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(all: &[&str]) -> Vec<String> {
        all.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn what_became_of_an_article_is_told_by_its_words() {
        let lead = "河边种树\n昨天下午，镇里的一百多名志愿者在河边种下三百棵柳树，预计明年春天成荫。";
        let typo = "河边种树\n昨天下午，镇里的一百多名志愿者在河边种下五百棵柳树，预计明年春天成荫。";
        let spaced = "河边 种树 昨天下午镇里的一百多名志愿者，在河边种下三百棵柳树。预计明年春天成荫";
        let weather = "天气\n今天下午有小雨，出门请带伞，气温六到十一度。";
        for (known, found, expected) in [
            (vec![lead, weather], vec![weather, lead], vec![Fate::Same(1), Fate::Same(0)]),
            (vec![lead], vec![spaced], vec![Fate::Same(0)]),
            (vec![lead, weather], vec![typo], vec![Fate::Changed(0), Fate::Gone]),
            // of two alike each has its own, the same words first
            (vec![typo, lead], vec![lead, typo], vec![Fate::Same(1), Fate::Same(0)]),
            (vec![lead, lead], vec![lead], vec![Fate::Same(0), Fate::Gone]),
            (vec![weather], vec![lead], vec![Fate::Gone]),
            (vec!["", "图"], vec!["图"], vec![Fate::Gone, Fate::Same(0)]),
            (vec![], vec![lead], vec![]),
        ] {
            assert_eq!(fates(&texts(&known), &texts(&found)), expected, "{known:?} {found:?}");
        }
    }

    #[test]
    fn a_file_that_is_not_what_it_is_for_says_so() {
        let sheet = |width, height| PdfSheet { width, height, trim: None };
        let trim = Trim { width: 260.0, height: 352.0 };
        let (good, small) = (sheet(260.0, 352.0), sheet(210.0, 297.0));
        for (sheets, is_whole, expected) in [
            (vec![good], false, None),
            (vec![good, good], false, Some(Misfit::NotOne(2))),
            (vec![small], false, Some(Misfit::Size(1, (210.0, 297.0)))),
            (vec![good, good], true, None),
            (vec![good], true, Some(Misfit::Count(2, 1))),
            (vec![good, small], true, Some(Misfit::Size(2, (210.0, 297.0)))),
            // the finished page counts, with its bleed or without
            (vec![sheet(266.0, 358.0)], false, None),
        ] {
            assert_eq!(misfit(&sheets, trim, 2, is_whole), expected);
        }
        assert!(!Misfit::NotOne(3).may_be_meant() && Misfit::Count(2, 3).may_be_meant());
    }

    proptest! {
        /// Whatever the order, a page that was not changed keeps all its articles; and no text is two articles'.
        #[test]
        fn every_text_is_at_most_one_articles(
            known in prop::collection::vec("[天地人日月水火山石田]{4,40}", 0..8),
            found in prop::collection::vec("[天地人日月水火山石田]{4,40}", 0..8),
            turn in 0usize..8,
        ) {
            let all = fates(&known, &found);
            let places: Vec<usize> = all
                .iter()
                .filter_map(|fate| match fate {
                    Fate::Same(place) | Fate::Changed(place) => Some(*place),
                    Fate::Gone => None,
                })
                .collect();
            let mut once = places.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(once.len(), places.len());
            let mut turned = known.clone();
            turned.rotate_left(turn.min(known.len()));
            prop_assert!(fates(&known, &turned).iter().all(|fate| matches!(fate, Fate::Same(_))));
        }
    }
}
