//! Tables as CSV (RFC 4180) for the spreadsheets that people open them with.

/// What a file begins with, so that spreadsheets read its Chinese as UTF-8.
pub const BOM: &str = "\u{feff}";

/// One row. A cell that a spreadsheet would take for a formula begins with an apostrophe.
pub fn row<T: AsRef<str>>(cells: impl IntoIterator<Item = T>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|text| cell(text.as_ref())).collect();
    format!("{}\r\n", cells.join(","))
}

fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\r', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
