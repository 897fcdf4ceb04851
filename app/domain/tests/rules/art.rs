//! What makes a book a present: rules of art direction, counted over a corpus of made-up books.

use std::collections::{BTreeMap, HashMap};

use domain::document::{BLEED_MM, Crop, Document, Page, PhotoFrame, Rect, TextRole};
use domain::faces::Face;
use domain::ids::PhotoId;
use domain::layout::{
    COMPOSITIONS, Captions, Density, LayoutOptions, PageRange, PhotoInput, Style, is_across, is_half, lay_out,
};

use domain::tone::Tone;

use crate::common::corpus::{Kind, photos};
use crate::common::options;

/// The least long side of a frame that is no part of a strip, in mm.
const STAMP_MM: f64 = 45.0;
/// How many pages lie at least between a picture and the same one once more.
const APART: usize = 12;
/// The paper of a spread, in parts of its area.
const PAPER: std::ops::RangeInclusive<f64> = 0.15..=0.45;
/// Up to this width ÷ height photos are as slim as a phone's screen.
const SLIM: f64 = 0.6;
/// The most spreads of one kind in a row.
const ALIKE: usize = 3;

const FORMATS: [(f64, f64); 4] = [(210.0, 210.0), (210.0, 297.0), (148.0, 210.0), (280.0, 210.0)];
const GOODS: PageRange = PageRange { min: 16, max: 200, step: 2 };

/// A rule that a spread or a book breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    Stamp,
    Twice,
    Paper,
    PaperBesideScreens,
    Rhythm,
    Margins,
    Small,
    Panorama,
    Ends,
}

/// How often each rule was looked at, and broken.
type Tally = BTreeMap<Rule, (usize, usize)>;

struct Spread<'a> {
    pages: [&'a Page; 2],
    across: bool,
}

fn spreads(book: &Document) -> impl Iterator<Item = Spread<'_>> {
    (1..book.pages.len().saturating_sub(1)).step_by(2).map(|left| Spread {
        pages: [&book.pages[left], &book.pages[left + 1]],
        across: is_across(book, left),
    })
}

/// The part of a frame that is on its page.
fn on_page(frame: Rect, book: &Document) -> Rect {
    let (x, y) = (frame.x.max(0.0), frame.y.max(0.0));
    let right = (frame.x + frame.width).min(book.trim.width);
    let bottom = (frame.y + frame.height).min(book.trim.height);
    Rect { x, y, width: (right - x).max(0.0), height: (bottom - y).max(0.0) }
}

fn area(frame: Rect) -> f64 {
    frame.width * frame.height
}

impl Spread<'_> {
    fn frames<'a>(&'a self, book: &'a Document) -> impl Iterator<Item = (usize, &'a PhotoFrame, Rect)> {
        let of = |side: usize| {
            self.pages[side].photos().map(move |frame| (side, frame, on_page(frame.frame, book)))
        };
        of(0).chain(of(1))
    }

    fn paper(&self, book: &Document) -> f64 {
        let covered: f64 = self.frames(book).map(|(_, _, seen)| area(seen)).sum();
        1.0 - covered / (2.0 * book.trim.width * book.trim.height)
    }

    /// What it looks like from afar.
    fn kind(&self, book: &Document) -> (bool, [bool; 2], usize) {
        let bleeds = |page: &Page| {
            page.photos().any(|it| {
                it.frame.y < 0.0 || it.frame.x < 0.0 || { it.frame.x + it.frame.width > book.trim.width }
            })
        };
        let count = self.frames(book).count();
        let class = match count {
            0..=2 => count,
            3..=4 => 3,
            5..=7 => 5,
            _ => 8,
        };
        (self.across, [bleeds(self.pages[0]), bleeds(self.pages[1])], class)
    }

    /// The distances of a page's photos from its edges: outer, top, bottom. `None` where they run off it.
    fn margins(page: &Page, is_right: bool, book: &Document) -> Option<[Option<f64>; 3]> {
        let frames: Vec<Rect> = page.photos().map(|frame| frame.frame).collect();
        let least = |distance: &dyn Fn(&Rect) -> f64| frames.iter().map(distance).fold(f64::MAX, f64::min);
        let outer = if is_right {
            least(&|frame| book.trim.width - frame.x - frame.width)
        } else {
            least(&|frame| frame.x)
        };
        let all = [outer, least(&|frame| frame.y), least(&|frame| book.trim.height - frame.y - frame.height)];
        (!frames.is_empty()).then(|| all.map(|distance| (distance > -BLEED_MM + 0.1).then_some(distance)))
    }
}

/// Whether a frame is one of at least three of one height in a row, without a gap.
fn in_strip(frame: Rect, page: &Page) -> bool {
    let row = page.photos().filter(|other| {
        (other.frame.y - frame.y).abs() < 0.1 && (other.frame.height - frame.height).abs() < 0.1
    });
    row.count() >= 3
}

fn judge(book: &Document, photos: &[PhotoInput], tally: &mut Tally) {
    let shapes: HashMap<&PhotoId, f64> =
        photos.iter().map(|it| (&it.id, f64::from(it.width) / f64::from(it.height))).collect();
    let mut say = |rule: Rule, broken: bool| {
        let entry = tally.entry(rule).or_default();
        entry.0 += 1;
        entry.1 += usize::from(broken);
    };
    // with fewer photos than pages there is paper that nobody can fill
    let is_full = photos.len() + 2 >= book.pages.len();
    for spread in spreads(book) {
        let frames: Vec<(usize, &PhotoFrame, Rect)> = spread.frames(book).collect();
        let largest = frames.iter().map(|(_, _, seen)| area(*seen)).fold(0.0, f64::max);
        let mut small = 0;
        for (side, frame, seen) in &frames {
            let strip = in_strip(frame.frame, spread.pages[*side]);
            let shape = shapes[&frame.photo];
            say(Rule::Stamp, !strip && seen.width.max(seen.height) < STAMP_MM);
            small += usize::from(!strip && area(*seen) * 8.0 < largest);
            if shape > 2.1 && shape < 5.0 && !spread.across {
                say(Rule::Panorama, seen.height < 45.0);
            }
        }
        say(Rule::Small, small > 1);
        // where a chapter is named, its ground is no paper that was left over
        let names = |page: &&Page| page.texts().any(|block| block.role == TextRole::Heading);
        if is_full && !spread.across && frames.len() > 1 && !spread.pages.iter().any(names) {
            // two screens of phones leave more than half of most pages over, whatever is done with them
            let is_slim = frames.iter().any(|(_, frame, _)| shapes[&frame.photo] < SLIM);
            let rule = if is_slim { Rule::PaperBesideScreens } else { Rule::Paper };
            say(rule, !PAPER.contains(&spread.paper(book)));
        }
        let left = Spread::margins(spread.pages[0], false, book);
        let right = Spread::margins(spread.pages[1], true, book);
        if let (Some(left), Some(right)) = (left, right)
            && !spread.across
        {
            let differs = left.iter().zip(right).any(|(one, other)| match (one, other) {
                (Some(one), Some(other)) => (one - other).abs() > 0.1,
                _ => false,
            });
            say(Rule::Margins, differs);
        }
    }
    let kinds: Vec<_> = spreads(book)
        .filter(|spread| spread.frames(book).next().is_some())
        .map(|spread| spread.kind(book))
        .collect();
    if is_full {
        for run in kinds.windows(ALIKE + 1) {
            say(Rule::Rhythm, run.iter().all(|kind| *kind == run[0]));
        }
    }
    let mut places: HashMap<&PhotoId, Vec<usize>> = HashMap::new();
    for frame in book.cover.photos() {
        places.entry(&frame.photo).or_default().push(0);
    }
    for (index, page) in book.pages.iter().enumerate() {
        let is_rest = is_half(book, index) && index.is_multiple_of(2);
        for frame in page.photos().filter(|_| !is_rest) {
            places.entry(&frame.photo).or_default().push(index + 1);
        }
    }
    let longest = book.pages.len() > APART + 2;
    for places in places.values().filter(|_| longest) {
        say(Rule::Twice, places.windows(2).any(|pair| pair[1] - pair[0] < APART));
    }
    let titled = book.pages[0].texts().any(|block| block.role == TextRole::Title)
        && book.pages[0].photos().next().is_none();
    let closed = book.pages.last().is_some_and(|page| {
        page.photos().next().is_none() && page.texts().any(|block| block.text.contains(&book.title))
    });
    say(Rule::Ends, !(titled && closed));
}

/// Every case once with another format, density and captions.
fn corpus() -> Vec<(Vec<PhotoInput>, LayoutOptions)> {
    let mut cases = Vec::new();
    let mut turn = 0;
    for kind in Kind::ALL {
        for count in [3, 12, 20, 40, 64, 110, 200] {
            for density in Density::ALL {
                for seed in 0..1 {
                    turn += 1;
                    let (width, height) = FORMATS[(turn + turn / 4) % 4];
                    let options = LayoutOptions {
                        density,
                        captions: [Captions::Empty, Captions::Dates, Captions::None][turn / 2 % 3],
                        chapters: turn % 3 == 0,
                        style: style(turn),
                        ..options(width, height, GOODS)
                    };
                    cases.push((photos(kind, count, seed), options));
                }
            }
        }
    }
    cases
}

fn style(turn: usize) -> Style {
    Style { composition: COMPOSITIONS[turn % COMPOSITIONS.len()], ..Style::default() }
}

/// How often a rule may be broken, in thousandths of the places where it was looked at; those that are not named, never. Paper is left
/// by photos whose shapes fill no page of theirs: portraits, one to a landscape page, as an airy book has them. Margins differ where
/// photos of two shapes stand alone on facing pages; what comes twice are three photos in sixteen pages.
const KNOWN: [(Rule, usize); 4] =
    [(Rule::Paper, 76), (Rule::PaperBesideScreens, 215), (Rule::Margins, 5), (Rule::Twice, 1)];

#[test]
fn the_rules_of_a_present_hold() {
    let mut tally = Tally::new();
    for (photos, options) in corpus() {
        let book = lay_out(&photos, &options).unwrap();
        judge(&book, &photos, &mut tally);
    }
    let mut too_often = Vec::new();
    for (rule, (seen, broken)) in &tally {
        println!("{rule:?}: {broken} of {seen}, {:.1} %", *broken as f64 * 100.0 / *seen as f64);
        let known = KNOWN.iter().find(|known| known.0 == *rule).map_or(0, |known| known.1);
        if broken * 1000 > seen * known {
            too_often.push(rule);
        }
    }
    assert!(too_often.is_empty(), "{too_often:?}");
}

#[test]
fn each_composition_lays_the_same_photos_out_in_a_way_of_its_own() {
    let photos = photos(Kind::Travel, 48, 1);
    let book = |composition| {
        let style = Style { composition, ..Style::default() };
        lay_out(&photos, &LayoutOptions { style, ..options(210.0, 210.0, GOODS) }).unwrap()
    };
    let books = COMPOSITIONS.map(book);
    let alike = |one: &Document, other: &Document| {
        let frames = |book: &Document| -> Vec<Vec<Rect>> {
            book.pages.iter().map(|page| page.photos().map(|it| it.frame).collect()).collect()
        };
        let (one, other) = (frames(one), frames(other));
        let same = one.iter().zip(&other).filter(|(one, other)| !one.is_empty() && one == other);
        same.count() as f64 / one.len() as f64
    };
    for (index, one) in books.iter().enumerate() {
        for (further, other) in books.iter().enumerate().skip(index + 1) {
            let share = alike(one, other);
            assert!(share < 0.4, "{index} and {further} share {share}");
        }
    }
}

/// Pages that face each other, with a photo each.
fn pairs(book: &Document) -> Vec<[usize; 2]> {
    let number = |page: &Page| {
        let mut photos = page.photos();
        let only = photos.next().filter(|_| photos.next().is_none())?;
        only.photo.as_str().rsplit('-').next()?.parse().ok()
    };
    let sides = |two: &[Page]| Some([number(two.first()?)?, number(two.get(1)?)?]);
    book.pages[1..].chunks(2).filter_map(sides).collect()
}

/// Photos one after another, of which pages with one each are made.
fn alone_on_pages(tell: impl Fn(usize, &mut PhotoInput)) -> Document {
    let mut photos = photos(Kind::Travel, 41, 5);
    for (index, photo) in photos.iter_mut().enumerate() {
        // two and two go together, and a first one by itself
        photo.id = format!("photo-{index}").parse().unwrap();
        (photo.width, photo.height, photo.taken_at) =
            (4000, 3000, Some(1_777_593_600_000 + index as i64 * 3_600_000));
        (photo.faces, photo.subject) = (Vec::new(), None);
        tell(index, photo);
    }
    let style = Style { composition: COMPOSITIONS[0], ..Style::default() };
    let options =
        LayoutOptions { density: Density::Airy, style, chapters: false, ..options(210.0, 210.0, GOODS) };
    lay_out(&photos, &options).unwrap()
}

/// Of two days by turns, blue and orange, those of one day face each other.
#[test]
fn photos_of_one_mood_face_each_other() {
    let is_warm = |index: usize| index.div_ceil(2).is_multiple_of(2);
    let clashing = |tells: bool| {
        let book = alone_on_pages(|index, photo| {
            let b = if is_warm(index) { 45.0 } else { -35.0 };
            photo.tone = tells.then_some(Tone { l: 55.0, a: 5.0, b });
        });
        let pairs = pairs(&book);
        let apart = pairs.iter().filter(|[left, right]| is_warm(*left) != is_warm(*right)).count();
        (apart as f64 / pairs.len() as f64, pairs.len())
    };
    let (known, blind) = (clashing(true), clashing(false));
    println!("clashing: {known:?}, without colours {blind:?}");
    assert!(known.1 >= 5 && known.0 <= 0.2 && known.0 < blind.0, "{known:?}, without colours {blind:?}");
}

/// People with room before them look into the book.
#[test]
fn people_look_into_the_book() {
    let looks_right = |index: usize| index % 2 == 1;
    let out = |tells: bool| {
        let book = alone_on_pages(|index, photo| {
            let x = if looks_right(index) { 0.15 } else { 0.65 };
            let area = Crop { x, y: 0.3, width: 0.2, height: if tells { 0.3 } else { 0.02 } };
            photo.faces = vec![Face { area, confidence: 0.9 }];
        });
        let pairs = pairs(&book);
        let out: usize = pairs
            .iter()
            .map(|[left, right]| usize::from(!looks_right(*left)) + usize::from(looks_right(*right)))
            .sum();
        (out as f64 / (2 * pairs.len()) as f64, pairs.len())
    };
    let (known, blind) = (out(true), out(false));
    println!("looking out: {known:?}, without {blind:?}");
    assert!(known.1 >= 5 && known.0 <= 0.3 && known.0 < blind.0, "{known:?}, without {blind:?}");
}

#[test]
fn a_burst_stands_as_a_strip() {
    let mut photos = photos(Kind::Alike, 40, 3);
    for (place, photo) in photos.iter_mut().enumerate() {
        // four within two seconds
        let second =
            if (20..24).contains(&place) { 20 * 3600 + place as i64 - 20 } else { place as i64 * 3600 };
        photo.taken_at = Some(1_777_593_600_000 + second * 1000);
    }
    let book = lay_out(&photos, &options(210.0, 210.0, GOODS)).unwrap();
    let is_burst =
        |frame: &&PhotoFrame| (20..24).contains(&frame.photo.as_str()[6..].parse::<usize>().unwrap());
    let page = book.pages.iter().find(|page| page.photos().any(|frame| is_burst(&frame))).unwrap();
    let strip: Vec<Rect> = page.photos().filter(is_burst).map(|frame| frame.frame).collect();
    assert_eq!(strip.len(), 4, "on one page");
    assert!(strip.iter().all(|frame| (frame.y - strip[0].y).abs() < 0.1), "in one row: {strip:?}");
}
