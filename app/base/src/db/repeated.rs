//! A statement for any number of rows.

use std::fmt::Write as _;

/// What stands in brackets so often, between commas, and each `?` in it as the next place behind the numbered ones:
/// `… where member_id = $1 and id in ([?])` three times is `… where member_id = $1 and id in ($2, $3, $4)`.
pub fn repeated(text: &str, times: usize) -> String {
    let Some((before, (part, after))) =
        text.split_once('[').and_then(|(before, rest)| Some((before, rest.split_once(']')?)))
    else {
        return text.to_owned();
    };
    let number = |place: &str| {
        let end = place.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(place.len());
        place[..end].parse().unwrap_or(0)
    };
    let mut place: usize = text.split('$').skip(1).map(number).max().unwrap_or(0);
    let mut whole = before.to_owned();
    for time in 0..times {
        whole.push_str(if time > 0 { ", " } else { "" });
        let mut pieces = part.split('?');
        whole.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            place += 1;
            let _ = write!(whole, "${place}{piece}");
        }
    }
    whole + after
}
