//! A calendar's pages: what stands where, and what stays when months or page size change.

use domain::calendar::{
    CalendarError, MonthPart, Plan, WeekStart, YearMonth, is_calendar, is_outdated, make,
    parse_anniversaries, plan_of, resized, restarted, with_cover,
};
use domain::compare::compare;
use domain::document::{BLEED_MM, Document, Element, Page, Rect, SAFE_MM, TextRole, Trim};
use domain::layout::PhotoInput;
use proptest::prelude::*;

const SIZES: [(f64, f64); 6] =
    [(210.0, 148.0), (254.0, 180.0), (300.0, 300.0), (297.0, 420.0), (148.0, 210.0), (420.0, 297.0)];

fn photo(number: usize, width: u32, height: u32) -> PhotoInput {
    PhotoInput::new(format!("p{number}").parse().expect("an id"), width, height)
}

fn photos(count: usize) -> Vec<PhotoInput> {
    let shapes = [(6000, 4000), (4000, 6000), (4000, 3000), (4000, 4000), (9000, 3000), (3000, 4000)];
    (0..count).map(|number| photo(number, shapes[number % 6].0, shapes[number % 6].1)).collect()
}

fn plan((width, height): (f64, f64), months: u8, is_facing: bool) -> Plan {
    Plan {
        trim: Trim { width, height },
        theme: "calm".into(),
        title: "山河岁月".into(),
        start: YearMonth::new(2026, 12).expect("a month"),
        months,
        week_start: WeekStart::Monday,
        anniversaries: parse_anniversaries("3-15 妈妈生日\n农历八月初八 外婆").expect("two"),
        is_facing,
    }
}

fn months(document: &Document, part: MonthPart) -> Vec<String> {
    let blocks = document.pages.iter().flat_map(Page::months).filter(|block| block.part == part);
    blocks.map(|block| block.month.to_string()).collect()
}

fn overlap(one: Rect, other: Rect) -> bool {
    one.x < other.x + other.width - 0.05
        && other.x < one.x + one.width - 0.05
        && one.y < other.y + other.height - 0.05
        && other.y < one.y + one.height - 0.05
}

proptest! {
    #[test]
    fn everything_stands_where_it_can_be_seen(
        size in 0usize..6, count in 1usize..=13, thirteen in any::<bool>(), is_facing in any::<bool>(),
    ) {
        let plan = plan(SIZES[size], if thirteen { 13 } else { 12 }, is_facing);
        let document = make(&plan, &photos(count)).expect("a calendar");
        prop_assert_eq!(document.pages.len() % 2, 0);
        prop_assert!((14..=28).contains(&document.pages.len()), "the goods' pages");
        prop_assert!(is_calendar(&document));
        let Trim { width, height } = document.trim;
        for page in document.all_pages() {
            prop_assert!(!page.elements.is_empty());
            for (index, element) in page.elements.iter().enumerate() {
                let at = element.frame();
                match element {
                    Element::Photo(photo) => {
                        let visible = photo.crop.area();
                        prop_assert!(visible > 0.61, "{visible} of a photo is seen");
                        let past = [-at.x, -at.y, at.x + at.width - width, at.y + at.height - height];
                        prop_assert!(past.iter().all(|past| (past - BLEED_MM).abs() < 0.06 || *past < -6.0), "{past:?}");
                    }
                    _ => {
                        prop_assert!(at.x >= SAFE_MM && at.y >= 10.0, "{at:?}");
                        prop_assert!(at.x + at.width <= width - SAFE_MM + 0.05, "{at:?}");
                        prop_assert!(at.y + at.height <= height - SAFE_MM + 0.05, "{at:?}");
                    }
                }
                for other in &page.elements[index + 1..] {
                    prop_assert!(!overlap(at, other.frame()), "{at:?} {:?}", other.frame());
                }
            }
        }
    }

    #[test]
    fn another_size_keeps_photos_months_and_captions(from in 0usize..6, to in 0usize..6, is_facing in any::<bool>()) {
        let photos = photos(7);
        let mut before = make(&plan(SIZES[from], 12, is_facing), &photos).expect("a calendar");
        for (number, page) in before.pages.iter_mut().enumerate() {
            for element in &mut page.elements {
                if let Element::Text(block) = element { block.text = format!("第 {number} 句"); }
            }
        }
        let (width, height) = SIZES[to];
        let after = resized(&before, &photos, Trim { width, height });
        prop_assert_eq!(after.trim, Trim { width, height });
        prop_assert_eq!(plan_of(&after).map(|plan| (plan.start, plan.months, plan.is_facing, plan.anniversaries)),
            plan_of(&before).map(|plan| (plan.start, plan.months, plan.is_facing, plan.anniversaries)));
        let content = |document: &Document| -> Vec<(Vec<String>, Vec<String>)> {
            document.all_pages().map(|page| (
                page.photos().map(|photo| photo.photo.to_string()).collect(),
                page.texts().map(|block| block.text.clone()).collect(),
            )).collect()
        };
        prop_assert_eq!(content(&after), content(&before));
    }
}

#[test]
fn months_follow_each_other_after_the_year_at_a_glance() {
    let document = make(&plan(SIZES[0], 12, false), &photos(13)).expect("a calendar");
    assert_eq!(document.pages.len(), 14);
    assert_eq!(months(&document, MonthPart::Grid).first().map(String::as_str), Some("2026-12"));
    assert_eq!(months(&document, MonthPart::Grid).last().map(String::as_str), Some("2027-11"));
    assert_eq!(months(&document, MonthPart::Grid), months(&document, MonthPart::Title));
    // a calendar that begins in December is the next year's
    assert_eq!(months(&document, MonthPart::Year), ["2027-01", "2028-01"]);
    assert_eq!(months(&document, MonthPart::Small).len(), 24);
    let thirteen = make(&plan(SIZES[0], 13, true), &photos(1)).expect("a calendar");
    assert_eq!(thirteen.pages.len(), 28);
    assert_eq!(months(&thirteen, MonthPart::Grid).len(), 13);
}

#[test]
fn thirteen_photos_are_all_shown_once_and_few_come_again() {
    let shown = |count: usize| -> Vec<String> {
        let document = make(&plan(SIZES[3], 12, false), &photos(count)).expect("a calendar");
        document.all_pages().flat_map(Page::photos).map(|photo| photo.photo.to_string()).collect()
    };
    let mut all = shown(13);
    assert_eq!(all.len(), 13);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 13);
    let few = shown(3);
    assert_eq!(few[1..5], ["p0", "p1", "p2", "p0"]);
    assert_eq!(make(&plan(SIZES[3], 12, false), &[]), Err(CalendarError::NoPhotos));
    assert_eq!(
        make(&plan(SIZES[3], 12, false), &photos(14)),
        Err(CalendarError::TooManyPhotos { photos: 14, fits: 13 })
    );
}

#[test]
fn photos_stand_in_the_season_they_were_taken_in() {
    // the 15th of each month of 2026, in another order
    let mut all: Vec<PhotoInput> = (0..12).map(|number| photo(number, 6000, 4000)).collect();
    for (number, photo) in all.iter_mut().enumerate() {
        photo.taken_at = Some(1_768_440_000_000 + number as i64 * 2_629_800_000);
    }
    all.rotate_left(5);
    let document = make(&plan(SIZES[0], 12, false), &all).expect("a calendar");
    let order: Vec<String> =
        document.pages.iter().flat_map(Page::photos).map(|photo| photo.photo.to_string()).collect();
    // December's first, since the calendar begins with December
    assert_eq!(order, ["p11", "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10"]);
}

#[test]
fn other_months_leave_everything_else_where_it_is() {
    let before = make(&plan(SIZES[0], 12, false), &photos(5)).expect("a calendar");
    let start = YearMonth::new(2026, 9).expect("a month");
    let own = parse_anniversaries("6-1 六一").expect("one");
    let after = restarted(&before, start, WeekStart::Sunday, &own);
    assert_eq!(months(&after, MonthPart::Grid).first().map(String::as_str), Some("2026-09"));
    assert_eq!(months(&after, MonthPart::Title), months(&after, MonthPart::Grid));
    assert_eq!(
        months(&after, MonthPart::Year),
        ["2027-01", "2028-01"],
        "September to August is mostly the next year"
    );
    let plan = plan_of(&after).expect("a calendar");
    assert_eq!((plan.start, plan.week_start, plan.anniversaries), (start, WeekStart::Sunday, own));
    // October 2026 has its days off
    let october = after
        .pages
        .iter()
        .flat_map(Page::months)
        .find(|block| block.part == MonthPart::Grid && block.month.month() == 10);
    assert_eq!(october.map(|block| block.days_off.rest.clone()), Some(vec![1, 2, 3, 4, 5, 6, 7]));
    let rest = |document: &Document| -> Vec<Element> {
        let elements = document.all_pages().flat_map(|page| page.elements.clone());
        elements.filter(|element| !matches!(element, Element::Month(_))).collect()
    };
    assert_eq!(rest(&after), rest(&before));
    let comparison = compare(&before, &after);
    assert!(comparison.pages.iter().all(|page| page.months && !page.is_arrangement()), "{comparison:?}");
}

#[test]
fn days_off_are_what_they_were_when_it_was_made() {
    let mut document = make(
        &Plan { start: YearMonth::new(2026, 1).expect("a month"), ..plan(SIZES[3], 12, false) },
        &photos(2),
    )
    .expect("a calendar");
    assert!(!is_outdated(&document));
    // as if nothing had been published yet
    for element in document.pages.iter_mut().flat_map(|page| &mut page.elements) {
        if let Element::Month(block) = element {
            block.days_off = domain::calendar::DaysOff::default();
        }
    }
    assert!(is_outdated(&document));
    document.identify(1).expect("ids");
    let text = serde_json::to_string(&document).expect("JSON");
    let kept: Document = serde_json::from_str(&text).expect("JSON");
    let blocks = |of: &Document| of.all_pages().flat_map(Page::months).cloned().collect::<Vec<_>>();
    assert!(blocks(&kept) == blocks(&document), "what is kept stays as it is");
    let (width, height) = SIZES[0];
    assert!(
        is_outdated(&resized(&document, &photos(2), Trim { width, height })),
        "a page size changes no day"
    );
    let plan = plan_of(&document).expect("a calendar");
    assert!(!is_outdated(&restarted(&document, plan.start, plan.week_start, &plan.anniversaries)));
}

#[test]
fn the_cover_takes_another_photo_and_keeps_its_words() {
    let before = make(&plan(SIZES[0], 12, false), &photos(5)).expect("a calendar");
    let other = photo(4, 9000, 3000);
    let after = with_cover(&before, &other);
    assert_eq!(after.cover.photos().next().map(|frame| frame.photo.clone()), Some(other.id));
    assert!(after.cover.texts().any(|block| block.role == TextRole::Title && block.text == "山河岁月"));
    assert_eq!(after.pages, before.pages);
}

#[test]
fn a_cover_says_its_year_once() {
    let cover = |title: &str| {
        let plan = Plan { title: title.into(), ..plan((210.0, 148.0), 12, false) };
        make(&plan, &photos(13)).expect("a calendar")
    };
    let words = |document: &Document| -> Vec<String> {
        document.cover.texts().map(|block| block.text.clone()).collect()
    };
    let year = overview_year_of(&cover("山河岁月"));
    for (title, said) in [
        (format!("{year} 年历"), "年历".to_owned()),
        (format!("{year}年的我们"), "我们".to_owned()),
        (format!("{year}"), format!("{year}")),
        (format!("{}年历", year + 1), format!("{}年历", year + 1)),
        ("山河岁月".to_owned(), "山河岁月".to_owned()),
    ] {
        let mut document = cover(&title);
        assert_eq!(words(&document), [said], "{title}");
        assert_eq!(document.title, title);
        // another title takes its place, and the first one comes back
        domain::titles::retitle(&mut document, format!("{year} 在路上"), String::new());
        assert_eq!(words(&document), ["在路上"], "{title}");
        domain::titles::retitle(&mut document, title.clone(), String::new());
        assert_eq!(document, cover(&title));
    }
}

/// The year whose number stands on a cover.
fn overview_year_of(document: &Document) -> i32 {
    let year = document.cover.elements.iter().find_map(|element| match element {
        Element::Month(block) if block.part == MonthPart::Year => Some(block.month.year()),
        _ => None,
    });
    year.expect("a year on the cover")
}
