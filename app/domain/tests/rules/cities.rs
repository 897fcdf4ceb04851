//! The cities that photos were taken in: what they call chapters, and what stands over pages.

use domain::document::{Document, Element, Page, TextRole};
use domain::layout::{
    Captions, LayoutOptions, MAGAZINE, PageRange, Parts, PhotoInput, Relay, Style, dated, lay_out, relaid,
};
use proptest::prelude::*;

const RANGE: PageRange = PageRange { min: 8, max: 400, step: 4 };
const HOUR: i64 = 3_600_000;
/// 1 May 2026, 9:00 in China.
const START: i64 = 1_777_597_200_000;

/// So many photos an hour apart in each of some cities, on one day each; nothing in an empty one.
fn trip(cities: &[(&str, usize)]) -> Vec<PhotoInput> {
    let days = cities.iter().enumerate();
    let taken = days.flat_map(|(day, (city, photos))| (0..*photos).map(move |hour| (day, *city, hour)));
    let photo = |(number, (day, city, hour)): (usize, (usize, &str, usize))| PhotoInput {
        taken_at: Some(START + (day as i64 * 24 + hour as i64) * HOUR),
        city: (!city.is_empty()).then(|| city.to_owned()),
        ..PhotoInput::new(format!("photo-{number:03}").parse().unwrap(), 4032, 3024)
    };
    taken.enumerate().map(photo).collect()
}

fn options(parts: Parts) -> LayoutOptions {
    LayoutOptions { chapters: true, parts, ..crate::common::options(210.0, 210.0, RANGE) }
}

/// The names of a book's chapters, with what stands below each.
fn chapters(book: &Document) -> Vec<(String, String)> {
    let of_role =
        |page: &Page, role| page.texts().find(|text| text.role == role).map(|text| text.text.clone());
    let named = |page: &Page| Some((of_role(page, TextRole::Heading)?, of_role(page, TextRole::Subtitle)?));
    book.pages.iter().filter_map(named).collect()
}

fn named(photos: &[PhotoInput], parts: Parts) -> Vec<(String, String)> {
    chapters(&lay_out(photos, &options(parts)).unwrap())
}

fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
    pairs.map(|(one, other)| (one.to_owned(), other.to_owned())).into()
}

#[test]
fn a_journeys_chapters_are_its_cities() {
    let mut journey = trip(&[("大理", 8), ("丽江", 8), ("香格里拉", 8)]);
    // indoors no satellite is seen
    journey[1].city = None;
    journey[8].city = None;
    let cities = pairs([("大理", "2026年5月1日"), ("丽江", "2026年5月2日"), ("香格里拉", "2026年5月3日")]);
    assert_eq!(named(&journey, Parts::Pauses), cities);
    // a day is what the member asked for
    let days =
        pairs([("5月1日", "2026 年 · 大理"), ("5月2日", "2026 年 · 丽江"), ("5月3日", "2026 年 · 香格里拉")]);
    assert_eq!(named(&journey, Parts::Days), days);
}

#[test]
fn a_city_that_names_two_parts_in_turn_tells_nothing_apart() {
    let home = trip(&[("上海", 8), ("上海", 8), ("", 8)]);
    let days = pairs([("5月1日", "2026 年 · 上海"), ("5月2日", "2026 年 · 上海"), ("5月3日", "2026 年")]);
    assert_eq!(named(&home, Parts::Pauses), days);
}

#[test]
fn a_stay_is_one_chapter_however_many_days_it_takes() {
    // three photos at an airport are no stay, and the day without a place is one of those before it
    let journey =
        trip(&[("大理", 8), ("大理", 7), ("昆明", 3), ("大理", 6), ("", 5), ("丽江", 9), ("上海", 2)]);
    let stays = pairs([("大理", "2026年5月1日—5日"), ("丽江", "2026年5月6日—7日")]);
    assert_eq!(named(&journey, Parts::Cities), stays);
    // a book of one city has no chapters, and neither has one that knows none
    assert!(named(&trip(&[("上海", 9), ("上海", 9)]), Parts::Cities).is_empty());
    assert!(named(&trip(&[("", 9), ("", 9)]), Parts::Cities).is_empty());
}

fn magazine(captions: Captions) -> LayoutOptions {
    let style = Style { composition: &MAGAZINE, ..Style::default() };
    LayoutOptions { captions, style, chapters: false, ..options(Parts::Pauses) }
}

/// What stands over right-hand pages.
fn heads(book: &Document) -> Vec<&str> {
    let pages = book.pages.iter().step_by(2).flat_map(Page::texts);
    pages
        .filter(|text| text.frame.y < 10.0 && text.frame.height < 8.0)
        .map(|text| text.text.as_str())
        .collect()
}

#[test]
fn where_and_when_stands_over_pages_that_have_heads() {
    let photos = trip(&[("大理", 8), ("", 8), ("丽江", 8)]);
    let dates = lay_out(&photos, &magazine(Captions::Dates)).unwrap();
    let said = heads(&dates);
    assert!(said.contains(&"大理 · 2026年5月1日") && said.contains(&"2026年5月2日"), "{said:?}");
    let places = lay_out(&photos, &magazine(Captions::Empty)).unwrap();
    let said = heads(&places);
    assert!(
        said.contains(&"大理") && said.contains(&"丽江") && !said.iter().any(|it| it.contains('日')),
        "{said:?}"
    );
    // the days go and come, and the cities stay
    assert_eq!(heads(&dated(&dates, &photos, false)).iter().filter(|it| !it.is_empty()).count(), said.len());
    assert!(heads(&dated(&places, &photos, true)).contains(&"丽江 · 2026年5月3日"));
    assert!(dated(&dated(&dates, &photos, false), &photos, true) == dates);
}

#[test]
fn a_city_that_is_there_twice_is_not_taken_for_two_parts() {
    // by pauses the last five are 丽江 once more, and by cities they are of 大理
    let photos = trip(&[("丽江", 5), ("大理", 5), ("", 3), ("丽江", 2)]);
    let book = lay_out(&photos, &options(Parts::Cities)).unwrap();
    assert_eq!(chapters(&book), pairs([("丽江", "2026年5月1日"), ("大理", "2026年5月2日—4日")]));
    assert_eq!(Relay::of(&book, &photos, RANGE, Style::default()).chapters, Some(Parts::Cities));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn a_book_by_cities_is_known_as_one_and_loses_no_word(
        stays in prop::collection::vec((0_usize..4, 1_usize..12), 2..6),
        noted in 0_usize..8,
    ) {
        let stays: Vec<_> = stays.iter().map(|(city, photos)| (["大理", "丽江", "昆明", ""][*city], *photos)).collect();
        let photos = trip(&stays);
        let mut book = lay_out(&photos, &LayoutOptions { chapters: true, parts: Parts::Cities, ..magazine(Captions::Dates) }).unwrap();
        let style = Style { composition: &MAGAZINE, ..Style::default() };
        let now = Relay::of(&book, &photos, RANGE, style);
        if chapters(&book).len() > 1 {
            prop_assert!(now.chapters.is_some());
            let again = relaid(&book, &photos, now, RANGE, style).unwrap();
            prop_assert_eq!(chapters(&again), chapters(&book));
        }
        // a member's own words may be a city's name
        let at = noted % book.pages.len();
        let caption = book.pages[at].elements.iter_mut().find_map(|element| match element {
            Element::Text(text) if text.role == TextRole::Caption && text.frame.y > 15.0 => Some(text),
            _ => None,
        });
        if let Some(caption) = caption {
            caption.text = "大理".to_owned();
            let without = relaid(&book, &photos, Relay { chapters: None, ..now }, RANGE, style).unwrap();
            let own = without.pages.iter().flat_map(Page::texts).any(|text| text.text == "大理" && text.frame.y > 15.0);
            prop_assert!(own);
        }
    }
}
