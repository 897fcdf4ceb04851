//! What a search by parts of words is prepared with: every place of a text by the three characters that begin there. A part
//! of a Chinese title is no word that an index of words could know, and a part of a Latin one should be found, too.
//!
//! A gram of three answers for shorter searches by its beginning, so a text has no more of them than characters. Grams only
//! say where looking is worth while: what is found has to hold the whole search.

use std::collections::BTreeSet;

use unicode_normalization::char::decompose_compatible;

/// Characters of a whole gram.
pub const LENGTH: usize = 3;

/// The characters that begin at one place of a text. At its end there are fewer than [`LENGTH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gram([Option<char>; LENGTH]);

impl Gram {
    fn at(place: &[char]) -> Self {
        Self(std::array::from_fn(|index| place.get(index).copied()))
    }

    /// Its characters, each as a text: an index over all of them finds those that begin alike, in any order of letters that a
    /// database has.
    pub fn letters(&self) -> [String; LENGTH] {
        self.0.map(|letter| letter.map(String::from).unwrap_or_default())
    }

    /// How many characters it has.
    pub fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }
}

/// A text as it is compared: in one case, with the plain characters in the place of wide, narrow and circled ones, marks
/// behind their letters. Character by character, unlike NFKC: a part of a text has to look the same as in the whole.
///
/// Marks make other letters: é is not e, ø not o, ł not l. The dot of i makes none, though Turkish capitals have it (İ) and
/// small letters may lack it (ı): who has no such keys types İstanbul as istanbul.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for plain in text.chars() {
        if is_ideograph(plain) {
            folded.push(plain);
            continue;
        }
        decompose_compatible(plain, |part| {
            if part == DOT_ABOVE && folded.ends_with('i') {
                return;
            }
            // by way of capitals, which some letters share: ß and ss, σ and ς, ı and i
            for capital in part.to_uppercase() {
                folded.extend(capital.to_lowercase());
            }
        });
    }
    folded
}

/// Whether a character is one of the unified ideographs that nearly all Chinese is written with (`Unified_Ideograph`, Unicode Standard,
/// section 18.1, without the supplementary planes): it has no case, is made of nothing else, and is compared as it stands. Texts are
/// long, so nobody looks it up in the tables.
pub(crate) fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

/// COMBINING DOT ABOVE: behind an i it says no more than the letter does.
const DOT_ABOVE: char = '\u{307}';

/// The grams of a folded text, each once.
pub fn of_text(folded: &str) -> BTreeSet<Gram> {
    let letters: Vec<char> = folded.chars().collect();
    (0..letters.len()).map(|start| Gram::at(&letters[start..])).collect()
}

/// The grams of a folded search: a text that holds it has a gram that begins like each of them. The only one that is not
/// whole is that of a search with fewer characters.
pub fn of_search(folded: &str) -> BTreeSet<Gram> {
    let letters: Vec<char> = folded.chars().collect();
    match letters.len() {
        0 => BTreeSet::new(),
        1..LENGTH => BTreeSet::from([Gram::at(&letters)]),
        _ => letters.windows(LENGTH).map(Gram::at).collect(),
    }
}

/// Every two characters that stand beside each other in a folded line, each pair once: what an index of words has of long texts,
/// where few searches are shorter and grams of three would be too many.
pub fn pairs(folded: &str) -> BTreeSet<(char, char)> {
    folded.chars().zip(folded.chars().skip(1)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether the grams of a text allow that it holds a search.
    fn may_hold(text: &str, search: &str) -> bool {
        let known = of_text(&fold(text));
        of_search(&fold(search)).iter().all(|asked| {
            known.iter().any(|gram| gram.letters()[..asked.count()] == asked.letters()[..asked.count()])
        })
    }

    /// Titles as people give them: few characters, so that parts come again.
    fn title() -> impl Strategy<Value = String> {
        let letter = prop_oneof![
            proptest::sample::select(
                "海边的夏天里一年照片 aAbBß0%_\\ＡⅡéÉe\u{301}がｶﾞ가각ΣςДдİ".chars().collect::<Vec<_>>()
            ),
            any::<char>(),
        ];
        proptest::collection::vec(letter, 0..12).prop_map(String::from_iter)
    }

    proptest! {
        #[test]
        fn a_text_has_the_grams_of_everything_that_it_holds(text in title(), from in 0usize..12, length in 0usize..12) {
            let part: String = text.chars().skip(from).take(length).collect();
            prop_assert!(fold(&text).contains(&fold(&part)), "folding and cutting don't mind the order");
            prop_assert!(may_hold(&text, &part));
        }

        #[test]
        fn what_grams_do_not_allow_is_nowhere(text in title(), search in title()) {
            if !may_hold(&text, &search) {
                prop_assert!(!fold(&text).contains(&fold(&search)));
                prop_assert!(!text.to_lowercase().contains(&search.to_lowercase()) || text.contains('Σ'));
            }
        }

        #[test]
        fn folding_twice_is_folding_once(text in title()) {
            let once = fold(&text);
            prop_assert_eq!(&fold(&once), &once);
        }

        #[test]
        fn a_text_has_the_pairs_of_everything_that_it_holds(text in title(), from in 0usize..12, length in 0usize..12) {
            let folded: Vec<char> = fold(&text).chars().collect();
            let part: String = folded.iter().skip(from).take(length).collect();
            prop_assert!(pairs(&part).is_subset(&pairs(&fold(&text))));
        }

        #[test]
        fn there_are_no_more_grams_than_characters(text in title()) {
            prop_assert!(of_text(&text).len() <= text.chars().count());
        }
    }

    #[test]
    fn an_ideograph_is_what_the_tables_make_of_it() {
        for letter in ('\u{3400}'..='\u{9fff}').filter(|letter| is_ideograph(*letter)) {
            let mut parts = Vec::new();
            decompose_compatible(letter, |part| parts.push(part));
            assert_eq!(parts, [letter]);
            assert!(letter.to_uppercase().eq([letter]) && letter.to_lowercase().eq([letter]));
            assert_eq!(
                unicode_normalization::char::canonical_combining_class(letter),
                0,
                "nothing moves over it"
            );
        }
    }

    #[test]
    fn wide_circled_and_capital_letters_are_plain_ones() {
        for (text, folded) in [
            ("ＡlbuM", "album"),
            ("旅行Ⅱ", "旅行ii"),
            ("①", "1"),
            ("Дорога", "дорога"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδος", "οδοσ"),
            ("Straße", "strasse"),
            ("É", "e\u{301}"),
            ("İSTANBUL", "istanbul"),
            ("İstanbul", "istanbul"),
            ("I\u{307}stanbul", "istanbul"),
            ("ıstanbul", "istanbul"),
            ("Diyarbakır", "diyarbakir"),
            ("Żółć", "z\u{307}o\u{301}łc\u{301}"),
            ("Đà Nẵng", "đa\u{300} na\u{306}\u{303}ng"),
            ("ØRESUND", "øresund"),
        ] {
            assert_eq!(fold(text), folded);
        }
    }

    #[test]
    fn a_short_search_is_the_beginning_of_a_gram() {
        assert_eq!(of_search("海").first().unwrap().letters(), ["海", "", ""]);
        assert_eq!(of_search("海边").len(), 1);
        assert_eq!(of_search("海边的夏").len(), 2);
        assert_eq!(of_text("海边").iter().map(Gram::count).collect::<BTreeSet<_>>(), BTreeSet::from([1, 2]));
        assert!(may_hold("海边的夏天", "天") && !may_hold("海边的夏天", "天海"));
    }
}
