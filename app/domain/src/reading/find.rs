//! Finding words on a page.

use std::ops::Range;

use super::PageText;
use crate::document::Rect;

/// Hits that are looked for on one page.
const MOST_HITS: usize = 500;

/// A place where words stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Which block, from 0.
    pub block: usize,
    /// Which characters of its text.
    pub range: Range<usize>,
    /// Where they are on the page, in mm: one for each line.
    pub frames: Vec<Rect>,
}

impl PageText {
    /// Every place where the words stand, however they are written: in large or small letters, wide or narrow, and with
    /// whatever space between them.
    pub fn find(&self, words: &str) -> Vec<Hit> {
        let wanted: Vec<char> = words.chars().flat_map(folded).collect();
        if wanted.is_empty() {
            return Vec::new();
        }
        let mut hits = Vec::new();
        for (number, block) in self.blocks.iter().enumerate() {
            let (letters, places): (Vec<char>, Vec<usize>) = block
                .text
                .chars()
                .enumerate()
                .flat_map(|(place, letter)| folded(letter).map(move |folded| (folded, place)))
                .unzip();
            let mut from = 0;
            while let Some(found) = letters[from..].windows(wanted.len()).position(|part| part == wanted) {
                let first = from + found;
                let range = places[first]..places[first + wanted.len() - 1] + 1;
                hits.push(Hit { block: number, frames: block.frames(range.clone()), range });
                if hits.len() == MOST_HITS {
                    return hits;
                }
                from = first + wanted.len();
            }
        }
        hits
    }
}

/// A letter as it is compared; nothing comes of space and what can't be seen.
fn folded(letter: char) -> impl Iterator<Item = char> {
    let narrow = match letter {
        // the wide forms of ASCII stand in the same order
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        other => other,
    };
    let is_seen = !narrow.is_whitespace()
        && !narrow.is_control()
        && !matches!(narrow, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    is_seen.then(|| narrow.to_lowercase()).into_iter().flatten()
}
