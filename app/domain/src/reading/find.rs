//! Finding words: in one form for all that look alike, with the way back to what stands there.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::PageText;
use crate::document::Rect;
use crate::grams::{fold, is_ideograph};
use crate::typed::is_ignorable;

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
    /// Every place where the words stand, however they are written.
    pub fn find(&self, words: &str) -> Vec<Hit> {
        let wanted = folded(words);
        let hits = self.blocks.iter().enumerate().flat_map(|(number, block)| {
            let characters = |end: usize| block.text[..end].chars().count();
            places(&block.text, &wanted).into_iter().map(move |place| {
                let range = characters(place.start)..characters(place.end);
                Hit { block: number, frames: block.frames(range.clone()), range }
            })
        });
        hits.take(MOST_HITS).collect()
    }
}

/// A text as it is compared when words are looked for: as titles of the shelf are ([`fold`]), with marks in one order, and
/// without space, since lines of Chinese break anywhere, and without what can't be seen.
pub fn folded(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    fold_onto(&mut all, text);
    all
}

/// The same behind what is there. Marks stay on their side of an ideograph, so what stands between two of them is a text by itself.
fn fold_onto(all: &mut String, text: &str) {
    let mut rest = text;
    while !rest.is_empty() {
        let (ideographs, behind) = rest.split_at(rest.find(|c| !is_ideograph(c)).unwrap_or(rest.len()));
        let (others, behind) = behind.split_at(behind.find(is_ideograph).unwrap_or(behind.len()));
        *all += ideographs;
        if !others.is_empty() {
            let decomposed: String = others.nfkd().collect();
            all.extend(fold(&decomposed).chars().filter(|letter| is_seen(*letter)));
        }
        rest = behind;
    }
}

/// Where a folded text stands in another one: byte ranges of that, in their order, none in another. A range has whole characters
/// as they are seen (grapheme clusters, Unicode Standard Annex 29): a part of what one of them becomes is that character.
///
/// Of several words with spaces between them ([`sought`](super::sought)) it is where they stand behind one another, or else where
/// each of them stands.
pub fn places(text: &str, wanted: &str) -> Vec<Range<usize>> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let (mut plain, mut sources) = (String::new(), Vec::new());
    for (start, cluster) in text.grapheme_indices(true) {
        fold_onto(&mut plain, cluster);
        sources.resize(plain.len(), (start, start + cluster.len()));
    }
    let places_of = |word: &str| -> Vec<Range<usize>> {
        let found = plain.match_indices(word).map(|(at, _)| sources[at].0..sources[at + word.len() - 1].1);
        found.collect()
    };
    let mut found = places_of(&wanted.replace(' ', ""));
    if found.is_empty() {
        found = wanted.split(' ').filter(|word| !word.is_empty()).flat_map(places_of).collect();
        found.sort_by_key(|place| (place.start, place.end));
    }
    let mut apart: Vec<Range<usize>> = Vec::new();
    for place in found {
        match apart.last_mut() {
            Some(before) if place.start < before.end => before.end = before.end.max(place.end),
            _ => apart.push(place),
        }
    }
    apart
}

/// Whether a character leaves anything to compare: no space, and none of those that nothing shows.
fn is_seen(letter: char) -> bool {
    !letter.is_whitespace() && !letter.is_control() && !is_ignorable(letter)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What stands at the places, as it is written.
    fn found<'a>(text: &'a str, words: &str) -> Vec<&'a str> {
        places(text, &folded(words)).into_iter().map(|place| &text[place]).collect()
    }

    #[test]
    fn a_text_is_found_however_it_is_typed_and_broken() {
        for (text, words, expected) in [
            ("我们在\n西湖边住了三天", "湖边", "湖边"),
            ("我们在西\n湖边住了三天", "西湖", "西\n湖"),
            ("Ｌake Como, 2026", "lake", "Ｌake"),
            ("LAKE como", "lakecomo", "LAKE como"),
            ("Cafe\u{301} du Lac", "café", "Cafe\u{301}"),
            ("Café du Lac", "cafe\u{301}", "Café"),
            ("Café", "cafe", "Café"),
            ("ha\u{323}\u{302}u", "hậu", "ha\u{323}\u{302}u"),
            ("hâ\u{323}u", "hậu", "hâ\u{323}u"),
            ("西\u{200b}湖", "西湖", "西\u{200b}湖"),
            ("西湖", "西\u{200b}湖", "西湖"),
            ("Straße", "STRASSE", "Straße"),
            ("İstanbul", "İSTANBUL", "İstanbul"),
            ("İstanbul", "istanbul", "İstanbul"),
            ("istanbul", "İstanbul", "istanbul"),
            ("I\u{307}stanbul", "istan", "I\u{307}stan"),
            ("Diyarbakır", "DİYARBAKIR", "Diyarbakır"),
            ("eﬀekt", "ff", "ﬀ"),
            ("12㎜宽", "mm", "㎜"),
            ("12㎜宽", "m宽", "㎜宽"),
            ("각", "가", "각"),
        ] {
            assert_eq!(found(text, words), [expected], "{text} {words}");
        }
        assert_eq!(found("啊啊啊啊", "啊啊"), ["啊啊", "啊啊"], "what overlaps is one");
        assert_eq!(found("一……二", "."), ["…", "…"]);
        assert!(found("没有", "").is_empty() && found("没有", "\u{200b} ").is_empty());
    }

    /// Texts of few characters, so that parts come again, with those that become several or none.
    fn text() -> impl Strategy<Value = String> {
        let letter = prop_oneof![
            proptest::sample::select(
                "西湖边. …ﬀf㎜mßsİiéeＡa\u{301}\u{323}\u{200b}\n\r가각\u{1100}ｶﾞ👨👩\u{200d}🇨🇳"
                    .chars()
                    .collect::<Vec<_>>()
            ),
            any::<char>(),
        ];
        proptest::collection::vec(letter, 0..16).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn what_a_text_holds_is_found_in_it(text in text(), from in 0usize..16, length in 1usize..6) {
            let clusters: Vec<&str> = text.graphemes(true).collect();
            let part: String = clusters.iter().skip(from).take(length).copied().collect();
            prop_assert_eq!(places(&text, &folded(&part)).is_empty(), folded(&part).is_empty());
        }

        #[test]
        fn places_are_in_order_and_hold_the_words(text in text(), words in text()) {
            let wanted = folded(&words);
            let mut end = 0;
            for place in places(&text, &wanted) {
                prop_assert!(place.start >= end && place.end > place.start);
                prop_assert!(folded(&text[place.clone()]).contains(&wanted));
                end = place.end;
            }
        }

        #[test]
        fn ideographs_are_compared_as_the_tables_say(text in text()) {
            let decomposed: String = text.nfkd().collect();
            let by_tables: String = fold(&decomposed).chars().filter(|letter| is_seen(*letter)).collect();
            prop_assert_eq!(folded(&text), by_tables);
        }

        #[test]
        fn a_text_is_compared_like_its_characters(text in text()) {
            prop_assert_eq!(folded(&text), text.graphemes(true).map(folded).collect::<String>());
        }
    }
}
