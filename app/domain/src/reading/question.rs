//! What somebody looks for: words, all of which a text has to hold, and what of several texts comes first.

use std::cmp::Ordering;

use super::find::folded;

/// Characters of a question, as it is typed.
pub const QUESTION_LENGTH: usize = 60;
/// Words of a question.
pub const MOST_WORDS: usize = 5;

/// Words to be looked for, folded. What stands between spaces is one of them, and a text has it in one piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    words: Vec<String>,
}

/// Why a question can't be looked for in many texts at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoQuestion {
    #[error("请写出要找的字词。")]
    Empty,
    /// Its single characters stand in nearly every text.
    #[error("请至少写两个连着的字：单独一个字几乎每篇都有。")]
    TooShort,
    #[error("一次最多找 {MOST_WORDS} 个词，词与词用空格隔开。")]
    TooManyWords,
    #[error("最多写 {QUESTION_LENGTH} 个字。")]
    TooLong,
}

impl Question {
    /// Reads what somebody typed.
    pub fn read(typed: &str) -> Result<Self, NoQuestion> {
        if typed.trim().chars().count() > QUESTION_LENGTH {
            return Err(NoQuestion::TooLong);
        }
        let words: Vec<String> =
            typed.split_whitespace().map(folded).filter(|word| !word.is_empty()).collect();
        let longest = words.iter().map(|word| word.chars().count()).max();
        match longest.ok_or(NoQuestion::Empty)? {
            1 => Err(NoQuestion::TooShort),
            _ if words.len() > MOST_WORDS => Err(NoQuestion::TooManyWords),
            _ => Ok(Self { words }),
        }
    }

    /// Its words, in their order.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// All of them behind one another, as they stand in a text that says just that.
    pub fn whole(&self) -> String {
        self.words.concat()
    }
}

/// What somebody looks for as [`places`](super::places) takes it: its words folded, a space between them.
pub fn sought(typed: &str) -> String {
    let words: Vec<String> = typed.split_whitespace().map(folded).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// A text that holds all words of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// Whether its headline holds them all.
    pub in_headline: bool,
    /// Whether they stand behind one another, as they were typed.
    pub is_whole: bool,
    /// The larger, the later it came out.
    pub time: i64,
}

impl Match {
    /// Which comes first: those with the words in the headline, then those that say them as they were typed, then the newest.
    pub fn by_fit(&self, other: &Self) -> Ordering {
        let fit = |one: &Self| (one.in_headline, one.is_whole, one.time);
        fit(other).cmp(&fit(self))
    }

    /// The newest first.
    pub fn by_time(&self, other: &Self) -> Ordering {
        other.time.cmp(&self.time).then_with(|| self.by_fit(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::places;
    use super::*;

    #[test]
    fn a_question_is_its_words() {
        for (typed, words) in [
            ("西湖", &["西湖"][..]),
            (" 西湖\u{3000}音乐节 ", &["西湖", "音乐节"]),
            ("Ｌake ÇA", &["lake", "c\u{327}a"]),
            ("西\u{200b}湖 \u{200b} 茶", &["西湖", "茶"]),
            ("……", &["......"]),
            ("㎜", &["mm"]),
        ] {
            assert_eq!(Question::read(typed).unwrap().words(), words, "{typed}");
        }
        for (typed, reason) in [
            ("", NoQuestion::Empty),
            (" \u{200b}\u{3000}", NoQuestion::Empty),
            ("茶", NoQuestion::TooShort),
            ("茶 山 水", NoQuestion::TooShort),
            ("一二 三四 五六 七八 九十 百千", NoQuestion::TooManyWords),
            (&"长".repeat(QUESTION_LENGTH + 1), NoQuestion::TooLong),
        ] {
            assert_eq!(Question::read(typed), Err(reason), "{typed}");
        }
        assert!(Question::read(&"长".repeat(QUESTION_LENGTH)).is_ok());
    }

    fn found() -> impl Strategy<Value = Match> {
        (any::<bool>(), any::<bool>(), 0i64..5).prop_map(|(in_headline, is_whole, time)| Match {
            in_headline,
            is_whole,
            time,
        })
    }

    proptest! {
        #[test]
        fn headlines_come_first_then_what_was_typed_then_the_newest(mut all in proptest::collection::vec(found(), 0..20)) {
            all.sort_by(Match::by_fit);
            for pair in all.windows(2) {
                let (one, next) = (pair[0], pair[1]);
                prop_assert!(one.in_headline >= next.in_headline);
                if one.in_headline == next.in_headline {
                    prop_assert!(one.is_whole >= next.is_whole);
                    if one.is_whole == next.is_whole {
                        prop_assert!(one.time >= next.time);
                    }
                }
            }
            all.sort_by(Match::by_time);
            prop_assert!(all.is_sorted_by_key(|one| std::cmp::Reverse(one.time)));
        }

        #[test]
        fn what_is_found_together_or_apart_is_marked(
            before in "[海边夏天\n ]{0,6}", between in "[山水\n ]{0,4}", words in proptest::collection::vec("[a-c西湖茶]{1,3}", 1..4)
        ) {
            let text = format!("{before}{}{between}", words.join(&between));
            let marked: String = places(&text, &sought(&words.join(" "))).into_iter().map(|place| folded(&text[place])).collect();
            for word in &words {
                prop_assert!(marked.contains(word.as_str()), "{text:?} {words:?} {marked}");
            }
        }
    }
}
