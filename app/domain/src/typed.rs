//! What people type, in the one form in which fields read it. Keyboards of other countries, chats, tables and PDFs leave
//! full-width digits, a dozen kinds of dashes and spaces, and characters that nobody sees; none of them is a mistake.
//!
//! [`typed`] is for numbers, codes and addresses, which mean the same in every width; [`words`] for names and texts,
//! which keep what was typed. What is stored and looked up goes through the same one on both sides. Secrets of accounts go
//! through neither (see [`crate::password`]).

use icu_properties::CodePointSetData;
use icu_properties::props::{Dash, DefaultIgnorableCodePoint, Emoji};
use time::{Date, Month};
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// What copies are counted in.
pub const COPIES: &[&str] = &["份", "本", "册", "套", "个", "张", "件"];
/// What pages are counted in.
pub const PAGES: &[&str] = &["页", "版", "面"];

/// Whether nothing shows a character by itself: `Default_Ignorable_Code_Point` (Unicode Standard, section 5.21), and the
/// noncharacters (section 23.7), which no text may exchange.
pub fn is_ignorable(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c) || is_noncharacter(c)
}

/// Whether a character is, or may be, a picture (`Emoji`, UTS #51); digits are no pictures by themselves.
pub fn is_emoji(c: char) -> bool {
    !c.is_ascii() && CodePointSetData::new::<Emoji>().contains(c)
}

/// U+FDD0 to U+FDEF and the last two of each plane.
pub(crate) fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

/// Whether a character means nothing in any word: it only takes no room, breaks or joins lines, or turns them round
/// (`Bidi_Control`, UAX #9), which makes a name look like another. Joiners and variation selectors are not among them: emoji,
/// Persian and the scripts of India are written with those.
fn is_meaningless(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'
    ) || matches!(c, '\u{2066}'..='\u{206f}' | '\u{feff}')
        || is_noncharacter(c)
}

/// A field of numbers, codes or addresses: NFKC (UAX #15), without what nobody sees, every dash a `-` and every space, also
/// the end of a line, a plain one, none of them around it.
pub fn typed(text: &str) -> String {
    let plain = |c: char| match c {
        c if c.is_whitespace() => ' ',
        c if CodePointSetData::new::<Dash>().contains(c) => '-',
        c => c,
    };
    let text: String = text.chars().filter(|c| !is_ignorable(*c)).nfkc().map(plain).collect();
    text.trim().to_owned()
}

/// Whether a character ends a line beside the line feed: those of other systems and programs (Unicode Standard, section 5.8). In
/// a manuscript they end a line and no paragraph, as Word means them.
pub fn is_line_end(c: char) -> bool {
    matches!(c, '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A name or a text: NFC, its lines ended by line feeds where forms end them otherwise, without what means nothing, and without space around it. Ideographs that Unicode keeps beside their
/// twins for old encodings (U+FA19) stay: NFC would set another shape of a name.
pub fn words(text: &str) -> String {
    let text = text.trim();
    if text.bytes().all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)) {
        return text.to_owned();
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text: String = text.chars().filter(|c| !is_meaningless(*c)).collect();
    let text = if is_nfc(&text) { text } else { composed(&text) };
    text.trim().to_owned()
}

/// NFC of what stands between compatibility ideographs, and those as they are.
fn composed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(is_compatibility_ideograph) {
        let ideograph = part.chars().next_back().filter(|c| is_compatibility_ideograph(*c));
        let before = part.strip_suffix(is_compatibility_ideograph).unwrap_or(part);
        out.extend(before.nfc().chain(ideograph));
    }
    out
}

/// The blocks of CJK Compatibility Ideographs and their supplement.
fn is_compatibility_ideograph(c: char) -> bool {
    matches!(c, '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

/// The name of a file or of somebody elsewhere, as it is shown: [`words`] in one line, cut after so many characters.
pub fn name(text: &str, most: usize) -> String {
    let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let line: String = text.chars().filter(|c| !is_break(*c)).collect();
    let cut: String = words(&line).chars().take(most).collect();
    cut.trim().to_owned()
}

/// Whether a text shows nothing: spaces, and characters that are seen only beside others.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_ignorable(c))
}

/// A code as it is compared: [`typed`], without the dashes and spaces that it is written or pasted with.
pub fn code(text: &str) -> String {
    // what the spaces parted may compose now
    typed(text).chars().filter(|c| !matches!(c, ' ' | '-')).nfc().collect()
}

/// A whole number: `３`, `1,000`, with one of these units `2 份`, `第 3 页`. `None` for anything else, a sign among it.
pub fn whole<T: TryFrom<u64>>(text: &str, units: &[&str]) -> Option<T> {
    let text = typed(text);
    let number = match units.iter().find_map(|unit| text.strip_suffix(unit)) {
        Some(number) => number.strip_prefix('第').unwrap_or(number).trim(),
        None => &text,
    };
    ungrouped(number)?.parse::<u64>().ok()?.try_into().ok()
}

/// The digits of a number, whose thousands may be parted by commas or spaces: all of them, or none.
pub(crate) fn ungrouped(number: &str) -> Option<String> {
    let separator = number.chars().find(|c| matches!(c, ',' | ' ')).unwrap_or(',');
    let groups: Vec<&str> = number.split(separator).collect();
    let is_grouped = match groups.as_slice() {
        [_] => true,
        [first, rest @ ..] => first.len() <= 3 && rest.iter().all(|group| group.len() == 3),
        [] => false,
    };
    let are_digits =
        groups.iter().all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    (is_grouped && are_digits).then(|| groups.concat())
}

/// A day in the form of forms, `2026-05-01`: `2026/5/1`, `2026.5.1`, `2026年5月1日`, `20260501`. Whether there is such a day
/// its reader says; what can't be one comes back as [`typed`].
pub fn day(text: &str) -> String {
    let text = typed(text);
    if text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit()) {
        return format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]);
    }
    let bare = text.strip_suffix(['日', '号']).unwrap_or(&text);
    match parts_of_date(bare).as_deref() {
        Some([year, month, day]) => format!("{year}-{month:0>2}-{day:0>2}"),
        _ => text,
    }
}

/// The day that stands there as [`day`] writes it, where there is such a day.
pub fn date(text: &str) -> Option<Date> {
    let mut parts = text.splitn(3, '-');
    let year: i32 = parts
        .next()
        .filter(|part| part.len() == 4 && part.bytes().all(|b| b.is_ascii_digit()))?
        .parse()
        .ok()?;
    let month: u8 = parts.next()?.parse().ok()?;
    let day: u8 = parts.next()?.parse().ok()?;
    Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()
}

/// A month in the form of forms, `2026-05`: `2026/5`, `2026年5月`.
pub fn month(text: &str) -> String {
    let text = typed(text);
    match parts_of_date(text.strip_suffix('月').unwrap_or(&text)).as_deref() {
        Some([year, month]) => format!("{year}-{month:0>2}"),
        _ => text,
    }
}

/// A year of four digits, and what follows it, of one or two digits each.
fn parts_of_date(text: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = text.split(['-', '/', '.', '。', '年', '月']).map(str::trim).collect();
    let fits = |(at, part): (usize, &&str)| {
        let length = if at == 0 { 4..=4 } else { 1..=2 };
        length.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
    };
    parts.iter().enumerate().all(fits).then_some(parts)
}
