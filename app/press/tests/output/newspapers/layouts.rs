//! Layouts of newspapers and magazines, each with its numbers drawn anew for each seed.

use super::paper::{Manner, Paper, Told};

const MM_PER_PT: f64 = 25.4 / 72.0;

/// What sets a page.
type Layout = fn(&mut Paper);

pub const LAYOUTS: [(&str, Layout); 13] = [
    ("broadsheet", broadsheet),
    ("stacked", stacked),
    ("magazine", magazine),
    ("six columns", six_columns),
    ("vertical title", vertical_title),
    ("boxes", boxes),
    ("table", table),
    ("briefs", briefs),
    ("vertical text", vertical_text),
    ("steps", steps),
    ("front", front),
    ("bold titles", bold_titles),
    ("verse", verse),
];

/// A page of a layout; seeds draw its numbers.
pub fn page(layout: usize, seed: u64) -> Paper {
    let mut manner = Manner { hangs: false, by_rows: false, by_letters: false, size: 9.0, gutter: 4.0 };
    let mut dice = Paper::new(1.0, 1.0, manner, seed * 31 + layout as u64 + 1);
    manner.hangs = dice.below(3) > 0;
    manner.by_rows = dice.below(3) == 0;
    manner.by_letters = dice.below(6) == 0;
    manner.size = 8.5 + dice.below(5) as f64 * 0.5;
    manner.gutter = 3.0 + dice.below(7) as f64 * 0.5;
    let (width, height) = [(390.0, 540.0), (280.0, 400.0), (210.0, 285.0)][match LAYOUTS[layout].0 {
        "broadsheet" | "front" | "six columns" => 0,
        "magazine" => 2,
        _ => 1,
    }];
    let mut paper = Paper::new(width, height, manner, seed * 1_009 + layout as u64 * 17 + 5);
    (LAYOUTS[layout].1)(&mut paper);
    paper
}

/// How an article is set.
struct Set {
    x: f64,
    y: f64,
    width: f64,
    columns: usize,
    /// Characters of its text.
    length: usize,
    /// Of its title, in pt.
    title: f64,
    centred: bool,
    kicker: bool,
    byline: bool,
}

impl Set {
    fn at(x: f64, y: f64, width: f64, columns: usize, length: usize) -> Self {
        Self { x, y, width, columns, length, title: 24.0, centred: false, kicker: false, byline: false }
    }
}

fn column_width(paper: &Paper, width: f64, columns: usize) -> f64 {
    // whole characters, as grids have them
    let width = (width - (columns - 1) as f64 * paper.manner.gutter) / columns as f64;
    (width / paper.manner.em()).floor() * paper.manner.em()
}

/// The places of columns of a width.
fn places(paper: &Paper, set: &Set, width: f64, y: f64, rows: usize) -> Vec<(f64, f64, usize)> {
    (0..set.columns).map(|column| (set.x + column as f64 * (width + paper.manner.gutter), y, rows)).collect()
}

/// Sets an article, and says where it ends.
fn article(paper: &mut Paper, set: &Set) -> f64 {
    let width = column_width(paper, set.width, set.columns);
    let text = paper.text(set.length);
    let lines = paper.lines(&text, width);
    let y = head(paper, set, &text);
    let rows = lines.div_ceil(set.columns);
    let columns = places(paper, set, width, y, rows);
    paper.columns(&text, width, &columns);
    y + rows as f64 * paper.manner.leading()
}

/// The parts of a headline; where the text begins.
fn head(paper: &mut Paper, set: &Set, text: &[String]) -> f64 {
    let count = 5 + paper.below(4);
    let title = paper.words(count);
    let mut y = set.y;
    let at = |length: usize, size: f64| {
        let wide = length as f64 * size * MM_PER_PT;
        if set.centred { set.x + ((set.width - wide) / 2.0).max(0.0) } else { set.x }
    };
    if set.kicker {
        let words = paper.words(9);
        paper.headline(at(9, 13.0), y, &words, 13.0, false);
        y += 6.5;
    }
    paper.headline(at(count, set.title), y, &title, set.title, true);
    y += set.title * MM_PER_PT * 1.25;
    if set.byline {
        let style = format!("size: {}pt, font: \"Noto Sans SC\"", paper.manner.size);
        let name = paper.words(2);
        paper.set(set.x, y + 3.6, &format!("本报记者 王{name}"), &style);
        y += 6.5;
    }
    paper.told.push(Told { title, text: text.join("\n") });
    y + 1.5
}

fn running_head(paper: &mut Paper, number: &str) {
    paper.set(12.0, 9.0, &format!("{number}版 要闻"), "size: 8pt, font: \"Noto Sans SC\"");
    paper.set(paper.width - 60.0, 9.0, "2026年11月25日 星期三", "size: 8pt, font: \"Noto Sans SC\"");
    paper.rule(12.0, 11.0, paper.width - 24.0, 0.0);
}

/// A lead over four columns beside a column behind a rule, two articles under a rule.
fn broadsheet(paper: &mut Paper) {
    running_head(paper, "02");
    let length = 900 + paper.below(400);
    let lead = Set { title: 40.0, centred: true, kicker: true, ..Set::at(15.0, 18.0, 268.0, 4, length) };
    let left = article(paper, &lead);
    let right = article(paper, &Set { byline: true, kicker: true, ..Set::at(294.0, 18.0, 80.0, 1, 420) });
    let y = left.max(right);
    paper.rule(288.0, 17.0, 0.0, y - 17.0);
    paper.rule(12.0, y + 5.0, 366.0, 0.0);
    let one = article(paper, &Set { byline: true, ..Set::at(15.0, y + 9.0, 170.0, 3, 500) });
    let other = article(paper, &Set { centred: true, ..Set::at(205.0, y + 9.0, 170.0, 3, 600) });
    article(paper, &Set { title: 20.0, ..Set::at(15.0, one.max(other) + 8.0, 360.0, 5, 800) });
}

/// Articles over each other, without a rule, whose titles are shorter than their columns are wide.
fn stacked(paper: &mut Paper) {
    running_head(paper, "03");
    let mut y = 17.0;
    for number in 0..3 {
        let columns = 3 + paper.below(2);
        let length = 450 + paper.below(300);
        let byline = number != 1;
        y = article(paper, &Set { byline, ..Set::at(15.0, y, 250.0, columns, length) }) + 9.0;
    }
}

/// One long article with a picture in its middle.
fn magazine(paper: &mut Paper) {
    let set = Set { title: 30.0, kicker: true, byline: true, ..Set::at(15.0, 20.0, 180.0, 3, 900) };
    let width = column_width(paper, set.width, 3);
    let text = paper.text(set.length);
    let lines = paper.lines(&text, width);
    let y = head(paper, &set, &text);
    let step = width + paper.manner.gutter;
    let rows = lines.div_ceil(3) + 12;
    // the picture stands at the top of the second and third column
    let below = y + 20.0 * paper.manner.leading();
    paper.boxed(15.0 + step, y, 2.0 * width, 17.0 * paper.manner.leading(), "fill: rgb(90, 120, 140)");
    let words = paper.words(12);
    let at = y + 18.6 * paper.manner.leading();
    paper.set(15.0 + step, at, &words, "size: 7pt, font: \"Noto Sans SC\"");
    paper.columns(
        &text,
        width,
        &[(15.0, y, rows), (15.0 + step, below, rows - 20), (15.0 + 2.0 * step, below, rows)],
    );
}

/// Three articles beside each other with nothing but white between them, and one under them.
fn six_columns(paper: &mut Paper) {
    running_head(paper, "04");
    let mut bottom: f64 = 0.0;
    for number in 0..3 {
        let length = 600 + paper.below(300);
        let x = 15.0 + f64::from(number) * 122.0;
        bottom =
            bottom.max(article(paper, &Set { byline: number == 0, ..Set::at(x, 18.0, 114.0, 2, length) }));
    }
    article(paper, &Set { title: 32.0, centred: true, ..Set::at(15.0, bottom + 10.0, 358.0, 6, 1_200) });
}

/// A title that runs down on the left of its text, under an article with a title over it.
fn vertical_title(paper: &mut Paper) {
    running_head(paper, "05");
    let y = article(paper, &Set::at(15.0, 18.0, 250.0, 4, 600)) + 6.0;
    paper.rule(12.0, y, 256.0, 0.0);
    let y = y + 6.0;
    let width = column_width(paper, 150.0, 3);
    let text = paper.text(600);
    let rows = paper.lines(&text, width).div_ceil(3);
    let count = 6 + paper.below(3);
    let title = paper.words(count);
    paper.down(15.0, y, &title, 26.0, 10.6);
    paper.told.push(Told { title, text: text.join("\n") });
    let columns = places(paper, &Set::at(30.0, y, 150.0, 3, 0), width, y, rows);
    paper.columns(&text, width, &columns);
    article(paper, &Set { title: 18.0, ..Set::at(195.0, y, 70.0, 1, 260) });
}

/// A framed and a tinted article beside and under others.
fn boxes(paper: &mut Paper) {
    running_head(paper, "06");
    let lead = article(paper, &Set { title: 32.0, kicker: true, ..Set::at(15.0, 18.0, 165.0, 3, 800) });
    let tinted = Set { title: 18.0, centred: true, ..Set::at(192.0, 22.0, 68.0, 1, 250) };
    let bottom = article(paper, &tinted);
    paper.boxed(187.0, 17.0, 78.0, bottom - 12.0, "fill: rgb(245, 238, 220)");
    let side = article(paper, &Set { title: 16.0, ..Set::at(192.0, bottom + 12.0, 72.0, 1, 200) });
    let y = lead.max(side) + 8.0;
    let framed = Set { title: 20.0, ..Set::at(20.0, y + 5.0, 240.0, 4, 500) };
    let bottom = article(paper, &framed);
    paper.boxed(15.0, y, 250.0, bottom - y + 5.0, "stroke: 0.8pt");
    article(paper, &Set { byline: true, ..Set::at(15.0, bottom + 12.0, 250.0, 4, 500) });
}

/// An article with a table in its right half, another one under it.
fn table(paper: &mut Paper) {
    running_head(paper, "07");
    let set = Set { title: 28.0, ..Set::at(15.0, 18.0, 120.0, 2, 450) };
    let width = column_width(paper, set.width, 2);
    let text = paper.text(set.length);
    let rows = paper.lines(&text, width).div_ceil(2);
    let y = head(paper, &set, &text);
    let columns = places(paper, &set, width, y, rows);
    paper.columns(&text, width, &columns);
    let (x, step) = (145.0, 8.0);
    let edges = [x, x + 30.0, x + 55.0, x + 85.0, x + 115.0];
    let mut said = String::new();
    for row in 0..9 {
        let top = y + f64::from(row) * step;
        paper.rule(x, top, 115.0, 0.0);
        for edge in &edges[..4] {
            let count = 2 + paper.below(3);
            let words = paper.words(count);
            paper.set(edge + 5.0, top + 5.4, &words, "size: 8.5pt");
            said.push_str(&words);
        }
    }
    paper.rule(x, y + 9.0 * step, 115.0, 0.0);
    for edge in edges {
        paper.rule(edge, y, 0.0, 9.0 * step);
    }
    let told = paper.told.last_mut().expect("the article");
    told.text = format!("{}\n{said}", told.text);
    let y = (y + 9.0 * step).max(y + rows as f64 * paper.manner.leading()) + 10.0;
    article(paper, &Set::at(15.0, y, 250.0, 5, 900));
}

/// A poem of seven characters a line, one of free lines, and prose beside them.
fn verse(paper: &mut Paper) {
    // nobody writes the lines of a poem across those of another
    paper.manner.by_rows = false;
    running_head(paper, "11");
    let leading = paper.manner.leading();
    let regular: Vec<String> =
        (0..8).map(|line| paper.words(7) + if line % 2 == 0 { "，" } else { "。" }).collect();
    let free: Vec<String> = (0..12)
        .map(|line| {
            let count = [5, 11, 7, 13, 4, 8][line % 6];
            paper.words(count)
        })
        .collect();
    for (x, lines) in [(20.0, regular), (90.0, free)] {
        let title = paper.words(4);
        paper.headline(x, 30.0, &title, 18.0, true);
        for (row, line) in lines.iter().enumerate() {
            paper.set(x, 42.0 + row as f64 * leading, line, &format!("size: {}pt", paper.manner.size));
        }
        paper.told.push(Told { title, text: lines.join("\n") });
    }
    article(paper, &Set { title: 22.0, ..Set::at(165.0, 22.0, 100.0, 1, 420) });
}

/// Short articles in rows of three.
fn briefs(paper: &mut Paper) {
    running_head(paper, "08");
    let mut y = 18.0;
    for _ in 0..3 {
        let mut bottom: f64 = 0.0;
        for column in 0..3 {
            let length = 120 + paper.below(160);
            let set = Set { title: 15.0, ..Set::at(15.0 + f64::from(column) * 86.0, y, 76.0, 1, length) };
            bottom = bottom.max(article(paper, &set));
        }
        y = bottom + 8.0;
    }
    paper.rule(12.0, y - 3.0, 256.0, 0.0);
    article(paper, &Set { centred: true, ..Set::at(15.0, y + 3.0, 250.0, 4, 500) });
}

/// Text and title that run down, read from the right, beside an ordinary article.
fn vertical_text(paper: &mut Paper) {
    // nobody writes lines that run down across each other
    paper.manner.by_rows = false;
    running_head(paper, "09");
    article(paper, &Set { byline: true, ..Set::at(15.0, 18.0, 150.0, 3, 700) });
    let count = 4 + paper.below(2);
    let title = paper.words(count);
    paper.down(252.0, 24.0, &title, 26.0, 11.0);
    let size = 10.5;
    let text = paper.text(150);
    let all: Vec<char> = text.iter().flat_map(|part| part.chars()).filter(|c| !c.is_ascii()).collect();
    for (column, part) in all.chunks(24).enumerate() {
        let words: String = part.iter().collect();
        paper.down(240.0 - column as f64 * 7.0, 28.0, &words, size, 5.4);
    }
    paper.told.push(Told { title, text: all.iter().collect() });
}

/// The first column is long, the others begin under a picture; then another article.
fn steps(paper: &mut Paper) {
    running_head(paper, "10");
    let set = Set { title: 30.0, byline: true, ..Set::at(15.0, 18.0, 250.0, 4, 1_100) };
    let width = column_width(paper, set.width, 4);
    let text = paper.text(set.length);
    let lines = paper.lines(&text, width);
    let y = head(paper, &set, &text);
    let step = width + paper.manner.gutter;
    let (above, leading) = (18, paper.manner.leading());
    let rows = (lines + 3 * above).div_ceil(4);
    let below = y + above as f64 * leading;
    let mut columns = vec![(15.0, y, rows)];
    columns.extend((1..4).map(|column| (15.0 + f64::from(column) * step, below, rows - above)));
    paper.columns(&text, width, &columns);
    article(paper, &Set::at(15.0, y + rows as f64 * leading + 9.0, 250.0, 3, 600));
}

/// A first page: the name, a lead, an advertisement.
fn front(paper: &mut Paper) {
    paper.headline(15.0, 15.0, "江南日报", 80.0, true);
    paper.set(150.0, 22.0, "2026年11月25日 星期三", "size: 12pt, font: \"Noto Sans SC\"");
    paper.set(150.0, 30.0, "农历丙午年十月十七 今日8版", "size: 10pt, font: \"Noto Sans SC\"");
    paper.rule(12.0, 52.0, 366.0, 0.0);
    let lead = Set { title: 44.0, centred: true, kicker: true, ..Set::at(15.0, 57.0, 240.0, 4, 1_000) };
    let one = article(paper, &lead);
    let two = article(paper, &Set { byline: true, ..Set::at(270.0, 57.0, 105.0, 2, 500) });
    let y = one.max(two) + 8.0;
    let three = article(paper, &Set { title: 28.0, ..Set::at(15.0, y, 175.0, 3, 600) });
    let four = article(paper, &Set { title: 28.0, ..Set::at(205.0, y, 170.0, 3, 600) });
    let y = three.max(four) + 10.0;
    paper.boxed(12.0, y, 366.0, 40.0, "fill: rgb(40, 70, 120)");
}

/// Titles in the size of the text, bold, under one title for all; beside an article.
fn bold_titles(paper: &mut Paper) {
    running_head(paper, "12");
    let y = article(paper, &Set { title: 28.0, ..Set::at(15.0, 18.0, 250.0, 4, 700) }) + 6.0;
    paper.rule(12.0, y, 256.0, 0.0);
    let size = paper.manner.size;
    for column in 0..3 {
        let x = 15.0 + f64::from(column) * 86.0;
        let title = paper.words(6);
        let style = format!("size: {size}pt, weight: \"bold\", font: \"Noto Sans SC\"");
        paper.set(x, y + 8.0, &title, &style);
        let text = paper.text(150);
        let width = column_width(paper, 76.0, 1);
        let rows = paper.lines(&text, width);
        paper.columns(&text, width, &[(x, y + 9.5, rows)]);
        paper.told.push(Told { title, text: text.join("\n") });
    }
}
