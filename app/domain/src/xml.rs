//! What may be written in XML (1.0, fifth edition), and how.

use crate::typed::is_noncharacter;

/// Whether a character may stand in XML, escaped or not: no control character but tab and line feed, and none of Unicode's
/// noncharacters (Unicode 16, section 23.7). XML itself (section 2.2) forbids fewer of both and discourages the rest; a
/// carriage return it allows and reads as a line feed.
pub fn is_writable(letter: char) -> bool {
    !is_noncharacter(letter) && (!letter.is_control() || matches!(letter, '\t' | '\n'))
}

/// A text without what XML has no place for.
pub fn held(text: &str) -> String {
    text.chars().filter(|letter| is_writable(*letter)).collect()
}

/// A text as the content of an element or of a quoted attribute; what XML has no place for is left out.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars().filter(|letter| is_writable(*letter)) {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_has_no_place_for_is_left_out() {
        let bad = "\0\u{1}\u{8}\u{b}\u{c}\u{e}\u{1f}\u{7f}\u{9f}\u{fdd0}\u{fdef}\u{fffe}\u{ffff}\u{1fffe}\u{10ffff}";
        for letter in bad.chars() {
            assert_eq!(
                escaped(&format!("<书{letter}&\"坊\">")),
                "&lt;书&amp;&quot;坊&quot;&gt;",
                "{letter:?}"
            );
        }
    }

    #[test]
    fn every_other_character_stays() {
        let good = "a\t\n书🙂\u{a0}\u{ad}\u{200d}\u{fdcf}\u{fdf0}\u{e000}\u{fffd}\u{fffc}\u{10000}\u{10fffd}";
        assert_eq!((escaped(good), held(good)), (good.to_owned(), good.to_owned()));
    }

    #[test]
    fn no_noncharacter_is_held() {
        let none =
            (0..=0x0010_ffff).filter(|code| (0xfdd0..=0xfdef).contains(code) || code % 0x1_0000 >= 0xfffe);
        let none: Vec<char> = none.filter_map(char::from_u32).collect();
        assert_eq!(none.len(), 66, "as many as Unicode says");
        assert_eq!(held(&none.into_iter().collect::<String>()), "");
    }
}
