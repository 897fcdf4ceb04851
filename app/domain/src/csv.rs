//! Tables as CSV (RFC 4180) for the spreadsheets that people open them with.

/// What a file begins with, so that spreadsheets read its Chinese as UTF-8.
pub const BOM: &str = "\u{feff}";

/// One row. A cell that a spreadsheet would take for a formula begins with an apostrophe; an amount below zero is none.
pub fn row<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|text| cell(text.as_ref())).collect();
    format!("{}\r\n", cells.join(","))
}

fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    let is_number = text.strip_prefix('-').is_some_and(|rest| {
        rest.starts_with(|letter: char| letter.is_ascii_digit())
            && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    });
    let text = if formula && !is_number { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
