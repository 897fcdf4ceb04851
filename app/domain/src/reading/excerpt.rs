//! What stands around something that was found.

use std::ops::Range;

use super::find::{folded, places};

/// Characters that are shown before and after what was found.
pub const AROUND: usize = 24;

/// What stands around something that was found: before, the text itself, after. In one line, with … where more stands.
pub type Around = (String, String, String);

/// What stands around the first place of a folded text in texts; none where it is in none of them.
pub fn excerpt<'a>(texts: impl IntoIterator<Item = &'a str>, wanted: &str) -> Option<Around> {
    texts.into_iter().find_map(|text| {
        // a text has to be gone through character by character for the place alone
        let plain = folded(text);
        let may_hold = wanted.split(' ').any(|word| !word.is_empty() && plain.contains(word));
        may_hold.then(|| places(text, wanted).into_iter().next()).flatten().map(|place| cut(text, place))
    })
}

fn cut(text: &str, Range { start, end }: Range<usize>) -> Around {
    let one_line = |part: String| part.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut before: Vec<char> = text[..start].chars().rev().take(AROUND).collect();
    before.reverse();
    let cut_before = text[..start].chars().nth(AROUND).is_some();
    let after: String = text[end..].chars().take(AROUND).collect();
    let cut_after = text[end..].chars().nth(AROUND).is_some();
    let before = one_line(before.into_iter().collect());
    let after = one_line(after);
    (
        if cut_before { format!("…{before}") } else { before },
        text[start..end].to_owned(),
        if cut_after { format!("{after}…") } else { after },
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_excerpt_is_short_says_what_was_asked_and_nothing_that_is_not_there(
            text in "[海边夏天a\\-ﬀ…㎜e\u{301}\u{200b} \n]{0,120}", from in 0usize..120, length in 1usize..6
        ) {
            use unicode_segmentation::UnicodeSegmentation;
            let clusters: Vec<&str> = text.graphemes(true).collect();
            let asked = folded(&clusters.iter().skip(from).take(length).copied().collect::<String>());
            prop_assume!(!asked.is_empty());
            let (before, found, after) = excerpt([text.as_str()], &asked).expect("it is in the text");
            prop_assert!(folded(&found).contains(&asked));
            prop_assert!(before.chars().count() <= AROUND + 1 && after.chars().count() <= AROUND + 1);
            let plain = |part: &str| folded(part.trim_matches('…'));
            let line = folded(&text).replace('.', "");
            let shown = format!("{}{}{}", plain(&before), folded(&found), plain(&after)).replace('.', "");
            prop_assert!(line.contains(&shown), "{line} {shown}");
        }
    }

    #[test]
    fn nothing_is_shown_of_what_is_not_found() {
        assert_eq!(excerpt(["西湖边", "湖边的茶"], "西山"), None);
        assert_eq!(excerpt(["西湖边"], ""), None);
        assert_eq!(excerpt(["无", "西 湖\n边"], "湖边"), Some(("西".into(), "湖\n边".into(), String::new())));
    }
}
