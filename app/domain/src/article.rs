//! The text of an article as readers see it: paragraphs, and tables.

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    Paragraph(&'a str),
    /// Row by row, each with as many cells as the longest.
    Table(Vec<Vec<&'a str>>),
}

/// The parts of a text. A line is a paragraph; lines one below the other whose words are parted by tabs, as spreadsheets write them
/// and pages are read, are the rows of a table.
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        if line.contains('\t') && !line.trim().is_empty() {
            rows.push(line);
            continue;
        }
        // a tab inside a sentence, or before it
        if rows.len() > 1 && rows.iter().any(|row| row.trim().contains('\t')) {
            parts.push(Part::Table(table(&rows)));
        } else {
            parts.extend(rows.iter().map(|row| Part::Paragraph(row.trim())));
        }
        rows.clear();
        let line = line.trim();
        if !line.is_empty() {
            parts.push(Part::Paragraph(line));
        }
    }
    parts
}

fn table<'a>(rows: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut table: Vec<Vec<&str>> = rows.iter().map(|row| row.split('\t').map(str::trim).collect()).collect();
    // what is empty in every row is no column
    while table.iter().all(|row| row.len() < 2 || row.last().is_some_and(|cell| cell.is_empty()))
        && table.iter().any(|row| row.len() > 1)
    {
        for row in table.iter_mut().filter(|row| row.len() > 1) {
            row.pop();
        }
    }
    let columns = table.iter().map(Vec::len).max().unwrap_or(0);
    table.iter_mut().for_each(|row| row.resize(columns, ""));
    table
}
