//! Which articles a page of a newspaper may have, concluded from the words on it and where they stand. A page does not say
//! what an article is: what comes out is proposed to its maker, never published by itself.
//!
//! A headline is larger than the text around it. Below it, as wide as it is, stands its text, column by column, until the
//! next headline; a column without a headline of its own goes on with the one before it. Texts that go on on another page,
//! that run around pictures in steps, or from top to bottom are not put together.

use crate::document::{Rect, TextRole};
use crate::hot_area::{LEAST_SIDE, Place};
use crate::publication::{AUTHOR_LENGTH, HEADLINE_LENGTH, MOST_AREAS, TEXT_LENGTH};

/// Words that stand together on a page, in reading order.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    pub role: TextRole,
    /// A line feed ends a paragraph.
    pub text: String,
    /// In per mille of the page.
    pub frame: Rect,
    /// The height of one of its lines, in per mille of the page's height.
    pub line: f64,
}

/// An article as it may be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Proposal {
    /// 引题, above the title.
    pub kicker: String,
    pub title: String,
    /// 副题, below it.
    pub subtitle: String,
    pub author: String,
    pub text: String,
    /// Where it stands on the page.
    pub areas: Vec<Place>,
}

/// Words of a headline have at most so many characters.
const MOST_OF_HEADLINE: usize = 60;
/// Parts of one headline stand so near to each other, in heights of the smallest one's lines.
const NEAR: f64 = 1.6;
/// How much of a text stands below a headline, of the narrower one's width.
const BELOW: f64 = 0.5;
/// Bands along the edges in which names of pages and dates stand, in per mille, and how long those are.
const HEAD_BAND: f64 = 55.0;
const FOOT_BAND: f64 = 970.0;
const MOST_OF_BAND: usize = 40;
/// How far areas reach around their words, in per mille.
const AROUND: f64 = 5.0;

/// A headline with all its parts.
struct Headline<'a> {
    parts: Vec<&'a Piece>,
    frame: Rect,
}

/// The articles that a page may have, in the order in which they are read.
pub fn propose(pieces: &[Piece]) -> Vec<Proposal> {
    let pieces: Vec<&Piece> =
        pieces.iter().filter(|piece| !piece.text.trim().is_empty() && !is_of_edge(piece)).collect();
    let headlines = headlines(&pieces);
    let mut texts: Vec<Vec<&Piece>> = vec![Vec::new(); headlines.len()];
    let mut stray: Vec<&Piece> = Vec::new();
    let mut last = None;
    for piece in pieces.iter().filter(|piece| !is_headline(piece)) {
        let above = headlines
            .iter()
            .enumerate()
            .filter(|(_, headline)| stands_below(&headline.frame, &piece.frame))
            .max_by(|(_, one), (_, other)| bottom(&one.frame).total_cmp(&bottom(&other.frame)))
            .map(|(index, _)| index);
        match above.or(last) {
            Some(index) => {
                texts[index].push(piece);
                last = Some(index);
            }
            None => stray.push(piece),
        }
    }
    let all: Vec<Vec<&Piece>> = headlines
        .iter()
        .zip(&texts)
        .map(|(headline, text)| headline.parts.iter().chain(text).copied().collect())
        .collect();
    // a name of the paper, a picture's title: nothing to read
    let told = headlines.iter().zip(&texts).enumerate().filter(|(_, (_, text))| !text.is_empty());
    let articles = told.map(|(index, (headline, text))| {
        let others = all.iter().enumerate().filter(|(other, _)| *other != index);
        let others: Vec<Rect> = others.flat_map(|(_, parts)| parts.iter().map(|part| part.frame)).collect();
        article(headline, text, &all[index], &others)
    });
    without_headline(&stray).into_iter().chain(articles).collect()
}

/// Whether it is what stands along the edges of every page.
fn is_of_edge(piece: &Piece) -> bool {
    let is_short = piece.text.chars().count() <= MOST_OF_BAND && piece.role != TextRole::Title;
    is_short && (bottom(&piece.frame) < HEAD_BAND || piece.frame.y > FOOT_BAND)
}

fn is_headline(piece: &Piece) -> bool {
    matches!(piece.role, TextRole::Title | TextRole::Heading)
        && piece.text.chars().count() <= MOST_OF_HEADLINE
}

fn bottom(frame: &Rect) -> f64 {
    frame.y + frame.height
}

fn shared(one: &Rect, other: &Rect) -> f64 {
    (one.x + one.width).min(other.x + other.width) - one.x.max(other.x)
}

fn stands_below(headline: &Rect, text: &Rect) -> bool {
    bottom(headline) <= text.y + text.height / 2.0
        && shared(headline, text) > BELOW * text.width.min(headline.width)
}

fn around(one: &Rect, other: &Rect) -> Rect {
    let (x, y) = (one.x.min(other.x), one.y.min(other.y));
    let right = (one.x + one.width).max(other.x + other.width);
    Rect { x, y, width: right - x, height: bottom(one).max(bottom(other)) - y }
}

/// Parts that stand over each other are one headline.
fn headlines<'a>(pieces: &[&'a Piece]) -> Vec<Headline<'a>> {
    let mut headlines: Vec<Headline> = Vec::new();
    for piece in pieces.iter().filter(|piece| is_headline(piece)) {
        let belongs = headlines.iter_mut().find(|known| {
            let line = known.parts.iter().map(|part| part.line).fold(piece.line, f64::min);
            let gap = (piece.frame.y - bottom(&known.frame)).max(known.frame.y - bottom(&piece.frame));
            let narrow = known.frame.width.min(piece.frame.width);
            gap < NEAR * line && shared(&known.frame, &piece.frame) > BELOW * narrow
        });
        match belongs {
            Some(known) => {
                known.frame = around(&known.frame, &piece.frame);
                known.parts.push(piece);
            }
            None => headlines.push(Headline { parts: vec![piece], frame: piece.frame }),
        }
    }
    headlines
}

fn article(headline: &Headline, text: &[&Piece], parts: &[&Piece], others: &[Rect]) -> Proposal {
    let mut stacked = headline.parts.clone();
    stacked.sort_by(|one, other| one.frame.y.total_cmp(&other.frame.y));
    let largest = stacked.iter().map(|part| part.line).fold(0.0, f64::max);
    let is_main = |part: &&&Piece| part.line > 0.95 * largest;
    let from = stacked.iter().position(|part| is_main(&part)).unwrap_or(0);
    let to = stacked.iter().rposition(|part| is_main(&part)).unwrap_or(from);
    let words = |parts: &[&Piece]| {
        let words: Vec<String> = parts.iter().map(|part| one_line(&part.text)).collect();
        words.join(" ").chars().take(HEADLINE_LENGTH).collect::<String>()
    };
    let (author, text) = text_of(text);
    Proposal {
        kicker: words(&stacked[..from]),
        title: words(&stacked[from..=to]),
        subtitle: words(&stacked[to + 1..]),
        author,
        text,
        areas: areas(parts, others),
    }
}

/// What stands under no headline is one article, called by its first words.
fn without_headline(text: &[&Piece]) -> Option<Proposal> {
    let first = text.first()?;
    let title: String = one_line(&first.text).chars().take(20).collect();
    let (author, words) = text_of(text);
    Some(Proposal { title, author, text: words, areas: areas(text, &[]), ..Proposal::default() })
}

fn one_line(text: &str) -> String {
    text.replace('\u{ad}', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of all its pieces; words under pictures come last. A paragraph goes on in the next column.
fn text_of(pieces: &[&Piece]) -> (String, String) {
    let (captions, running): (Vec<&Piece>, Vec<&Piece>) =
        pieces.iter().partition(|piece| piece.role == TextRole::Caption);
    let only_captions = running.is_empty();
    let mut text = String::new();
    let mut add = |piece: &Piece, goes_on: bool| {
        let words = piece.text.replace('\u{ad}', "");
        let words = words.trim();
        let is_over = text.chars().last().is_none_or(|last| "。！？…”」』：；.!?\n".contains(last));
        if !text.is_empty() && (is_over || !goes_on) {
            text.push('\n');
        }
        text.push_str(words);
    };
    running.iter().for_each(|piece| add(piece, true));
    captions.iter().for_each(|piece| add(piece, only_captions));
    let (author, text) = author_of(text);
    (author, text.chars().take(TEXT_LENGTH).collect())
}

/// A byline on a line of its own.
fn author_of(text: String) -> (String, String) {
    const BEGINNINGS: [&str; 7] = ["本报记者", "记者", "通讯员", "文/", "作者", "□", "■"];
    let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let line = first.trim();
    let begins = BEGINNINGS.iter().any(|beginning| line.starts_with(beginning));
    let is_line = line.chars().count() <= 24 && !line.contains(['，', '。', '：', ',']);
    if !(begins && is_line) || rest.is_empty() {
        return (String::new(), text);
    }
    let author = line.trim_start_matches(['□', '■']).trim_start_matches("文/").trim();
    let author = author.strip_prefix("作者").unwrap_or(author).trim_start_matches([':', '：', ' ']);
    (author.chars().take(AUTHOR_LENGTH).collect(), rest.to_owned())
}

/// One rectangle around all of it, unless something of another article lies in that: then one for each piece.
fn areas(parts: &[&Piece], others: &[Rect]) -> Vec<Place> {
    let frames = parts.iter().map(|part| part.frame);
    let Some(whole) = frames.clone().reduce(|one, other| around(&one, &other)) else { return Vec::new() };
    let lies_in = |other: &Rect| {
        let (x, y) = (other.x + other.width / 2.0, other.y + other.height / 2.0);
        (whole.x..whole.x + whole.width).contains(&x) && (whole.y..bottom(&whole)).contains(&y)
    };
    if !others.iter().any(lies_in) || parts.len() > MOST_AREAS {
        return place(&whole).into_iter().collect();
    }
    frames.filter_map(|frame| place(&frame)).collect()
}

/// A little more than a frame, on the page.
fn place(frame: &Rect) -> Option<Place> {
    let span = |from: f64, size: f64| {
        let from = (from - AROUND).clamp(0.0, 1000.0 - f64::from(LEAST_SIDE));
        let to = (from + size + 2.0 * AROUND).clamp(from + f64::from(LEAST_SIDE), 1000.0);
        (from.floor() as u32, (to.floor() - from.floor()) as u32)
    };
    let ((x, width), (y, height)) = (span(frame.x, frame.width), span(frame.y, frame.height));
    Place::new(x, y, width, height)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn piece(role: TextRole, text: &str, x: f64, y: f64, width: f64, height: f64, line: f64) -> Piece {
        Piece { role, text: text.into(), frame: Rect { x, y, width, height }, line }
    }

    /// A front page: a lead story over three columns with all parts of a headline, whose text ends in the third column above
    /// a second story, and a third one below.
    fn page() -> Vec<Piece> {
        use TextRole::{Body, Caption, Heading, Title};
        vec![
            piece(Body, "2026 年 11 月 21 日 星期六 01 版", 40.0, 20.0, 300.0, 12.0, 12.0),
            piece(Title, "西湖晚报", 300.0, 70.0, 400.0, 60.0, 60.0),
            piece(Heading, "全市冬季植树开始", 50.0, 170.0, 500.0, 18.0, 18.0),
            piece(Heading, "十万棵树种在河边", 50.0, 195.0, 600.0, 36.0, 36.0),
            piece(Heading, "每条河都有人认领", 50.0, 240.0, 400.0, 18.0, 18.0),
            piece(
                Body,
                "本报记者 林知夏\n昨天清晨，河边来了很多人，他们带着铁锹和",
                50.0,
                280.0,
                280.0,
                200.0,
                12.0,
            ),
            piece(Body, "树苗。\n到中午，第一排树已经种好。", 350.0, 280.0, 280.0, 200.0, 12.0),
            piece(Caption, "图为河边的新树", 350.0, 490.0, 200.0, 10.0, 9.0),
            piece(Heading, "图书馆延长开放", 660.0, 180.0, 290.0, 24.0, 24.0),
            piece(Body, "从下周起，开到晚上十点。", 660.0, 215.0, 290.0, 280.0, 12.0),
            piece(Heading, "明天有雨", 50.0, 560.0, 500.0, 24.0, 24.0),
            piece(Body, "气象台说，明天下午有小雨。", 50.0, 600.0, 280.0, 300.0, 12.0),
            piece(Body, "请带伞。", 350.0, 600.0, 280.0, 300.0, 12.0),
            piece(Body, "第四栏接着读。", 660.0, 980.0, 200.0, 12.0, 12.0),
        ]
    }

    #[test]
    fn a_page_falls_into_its_articles() {
        let articles = propose(&page());
        let titles: Vec<&str> = articles.iter().map(|article| article.title.as_str()).collect();
        assert_eq!(
            titles,
            ["十万棵树种在河边", "图书馆延长开放", "明天有雨"],
            "the paper's own name is none"
        );
        let lead = &articles[0];
        assert_eq!((lead.kicker.as_str(), lead.subtitle.as_str()), ("全市冬季植树开始", "每条河都有人认领"));
        assert_eq!(lead.author, "本报记者 林知夏");
        assert_eq!(
            lead.text,
            "昨天清晨，河边来了很多人，他们带着铁锹和树苗。\n到中午，第一排树已经种好。\n图为河边的新树",
            "a paragraph goes on in the next column"
        );
        assert_eq!(lead.areas, [Place::new(45, 165, 610, 340).unwrap()]);
        assert_eq!(articles[1].text, "从下周起，开到晚上十点。");
        assert_eq!(articles[2].text, "气象台说，明天下午有小雨。\n请带伞。");
    }

    #[test]
    fn an_article_that_another_one_lies_in_has_an_area_for_each_piece() {
        use TextRole::{Body, Heading};
        let articles = propose(&[
            piece(Heading, "大文章", 50.0, 100.0, 900.0, 40.0, 40.0),
            piece(Body, "左栏。", 50.0, 160.0, 280.0, 600.0, 12.0),
            piece(Heading, "小文章", 360.0, 400.0, 280.0, 20.0, 20.0),
            piece(Body, "小文章的字。", 360.0, 430.0, 280.0, 100.0, 12.0),
            piece(Body, "右栏。", 670.0, 160.0, 280.0, 600.0, 12.0),
        ]);
        assert_eq!(articles.len(), 2);
        assert_eq!(articles[0].text, "左栏。\n右栏。");
        assert_eq!(articles[0].areas.len(), 3);
        assert_eq!(articles[1].areas.len(), 1);
    }

    #[test]
    fn a_page_without_headlines_is_one_article_and_an_empty_one_is_none() {
        let one = propose(&[piece(TextRole::Body, "只有一段话。", 50.0, 100.0, 400.0, 40.0, 12.0)]);
        assert_eq!(one[0].title, "只有一段话。");
        assert_eq!(one[0].text, "只有一段话。");
        assert!(propose(&[]).is_empty());
        assert!(propose(&[piece(TextRole::Title, "刊名", 50.0, 100.0, 400.0, 40.0, 40.0)]).is_empty());
    }

    proptest! {
        #[test]
        fn what_is_proposed_fits_and_no_running_text_is_lost(
            parts in proptest::collection::vec((0usize..4, 0.0f64..1000.0, 60.0f64..960.0, 1.0f64..500.0, 1.0f64..300.0), 0..30),
        ) {
            let roles = [TextRole::Title, TextRole::Heading, TextRole::Body, TextRole::Caption];
            let pieces: Vec<Piece> = parts
                .iter()
                .enumerate()
                .map(|(number, (role, x, y, width, height))| {
                    piece(roles[*role], &format!("第{number}段文字在这里。"), *x, *y, *width, *height, height / 2.0)
                })
                .collect();
            let articles = propose(&pieces);
            for article in &articles {
                prop_assert!(!article.title.is_empty() && article.title.chars().count() <= HEADLINE_LENGTH);
                prop_assert!(!article.areas.is_empty());
                for area in &article.areas {
                    prop_assert!(Place::new(area.x, area.y, area.width, area.height).is_some());
                }
            }
            let said: String = articles.iter().map(|article| format!("{}\n", article.text)).collect();
            let first = pieces.iter().position(is_headline).unwrap_or(0);
            for piece in pieces[first..].iter().filter(|piece| !is_headline(piece) && !is_of_edge(piece)) {
                prop_assert!(said.contains(&piece.text), "{} is nowhere", piece.text);
            }
        }
    }
}
