//! Pages filled up with photos that a book does not show yet.

use std::collections::BTreeSet;

use domain::document::{Document, Page};
use domain::ids::PhotoId;
use domain::layout::{
    COMFORTABLE_PER_PAGE, LayoutOptions, PageRange, PhotoInput, Unfilled, filled, is_half, lay_out,
    left_pages, takes_photos,
};
use domain::library::LibraryPhoto;
use domain::look::Look;
use domain::quality::Flaw;
use proptest::prelude::*;

const HOUR: i64 = 3_600_000;
/// Noon of a day in 2026.
const NOON: i64 = 1_777_608_000_000;

/// A photo so many hours after that noon.
fn taken(name: &str, hours: i64) -> LibraryPhoto {
    let photo = PhotoInput {
        taken_at: Some(NOON + hours * HOUR),
        ..PhotoInput::new(name.parse().unwrap(), 4032, 3024)
    };
    LibraryPhoto { photo, look: None, blur: None, flaw: None }
}

fn options() -> LayoutOptions {
    crate::common::options(210.0, 210.0, PageRange { min: 8, max: 400, step: 2 })
}

/// A book of photos, one for each day.
fn book(days: usize) -> (Document, Vec<LibraryPhoto>) {
    let library: Vec<LibraryPhoto> =
        (0..days).map(|day| taken(&format!("in-{day}"), day as i64 * 24)).collect();
    let photos: Vec<PhotoInput> = library.iter().map(|known| known.photo.clone()).collect();
    (lay_out(&photos, &options()).unwrap(), library)
}

fn ids(page: &Page) -> Vec<PhotoId> {
    page.photos().map(|frame| frame.photo.clone()).collect()
}

/// The first spread both of whose pages take photos.
fn spread(book: &Document) -> Vec<usize> {
    let free = |left: &usize| {
        [*left, left + 1].iter().all(|at| takes_photos(&book.pages[*at]) && !is_half(book, *at))
    };
    let left = left_pages(book).find(free).unwrap();
    vec![left, left + 1]
}

proptest! {
    // each lays a book out first
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_stands_there_stays_and_what_comes_was_not_in_the_book(
        days in 6_usize..30,
        more in prop::collection::vec((0_i64..800, any::<bool>()), 1..12),
        at in 0_usize..12,
    ) {
        let (book, mut library) = book(days);
        for (place, (hours, is_blurred)) in more.iter().enumerate() {
            let flaw = is_blurred.then_some(Flaw::Blurred);
            library.push(LibraryPhoto { flaw, ..taken(&format!("more-{place}"), *hours) });
        }
        let lefts: Vec<usize> = left_pages(&book).collect();
        let left = lefts[at % lefts.len()];
        let used: BTreeSet<PhotoId> = book.all_pages().flat_map(ids).collect();
        let Ok(filling) = filled(&book, &[left, left + 1], &library) else { return Ok(()) };
        let mut come = Vec::new();
        for (index, page) in &filling.pages {
            prop_assert!([left, left + 1].contains(index));
            let (before, after) = (ids(&book.pages[*index]), ids(page));
            prop_assert!(after.len() <= COMFORTABLE_PER_PAGE && after.len() > before.len());
            let stays: Vec<_> = after.iter().filter(|id| before.contains(id)).cloned().collect();
            prop_assert_eq!(&stays, &before);
            come.extend(after.into_iter().filter(|id| !before.contains(id)));
            prop_assert_eq!(&page.id, &book.pages[*index].id);
        }
        prop_assert_eq!(come.iter().collect::<BTreeSet<_>>(), filling.added.iter().collect::<BTreeSet<_>>());
        prop_assert_eq!(come.len(), filling.added.len());
        for id in &come {
            let known = library.iter().find(|known| known.photo.id == *id).unwrap();
            prop_assert!(!used.contains(id) && known.flaw.is_none());
        }
        prop_assert_eq!(filled(&book, &[left, left + 1], &library), Ok(filling));
    }
}

#[test]
fn the_nearest_in_time_come_and_of_those_the_good_ones() {
    let (book, library) = book(24);
    let spread = spread(&book);
    let first = ids(&book.pages[spread[0]])[0].clone();
    let hours =
        (library.iter().find(|known| known.photo.id == first).unwrap().photo.taken_at.unwrap() - NOON) / HOUR;
    let look = |hash| Some(Look { hash, sharpness: 50 });
    let with = |more: Vec<LibraryPhoto>| -> Vec<String> {
        let library: Vec<LibraryPhoto> = library.iter().cloned().chain(more).collect();
        let filling = filled(&book, &spread, &library).unwrap();
        filling.added.iter().map(ToString::to_string).collect()
    };
    // six wishes at most: all of the day before those of another month
    let near = |name: &str| taken(name, hours);
    let far = |name: &str| taken(name, hours + 24 * 200);
    let mut many: Vec<LibraryPhoto> = (0..8).map(|n| far(&format!("a-far-{n}"))).collect();
    many.extend((0..8).map(|n| near(&format!("near-{n}"))));
    let added = with(many);
    assert!(added.len() >= 2 && added.iter().all(|id| id.starts_with("near")), "{added:?}");
    let most = added.len();
    // weak ones after the others, and people before them
    let soft = (0..8).map(|n| LibraryPhoto { flaw: Some(Flaw::Soft), ..near(&format!("a-soft-{n}")) });
    let good = (0..most).map(|n| near(&format!("good-{n}")));
    assert!(with(soft.chain(good).collect()).iter().all(|id| id.starts_with("good")));
    let area = domain::document::Crop { x: 0.4, y: 0.3, width: 0.2, height: 0.3 };
    let people = (0..most).map(|n| {
        let mut known = near(&format!("people-{n}"));
        known.photo.faces = vec![domain::faces::Face { area, confidence: 0.9 }];
        known
    });
    let empty = (0..8).map(|n| near(&format!("empty-{n}")));
    assert!(with(empty.chain(people).collect()).iter().all(|id| id.starts_with("people")));
    // of a burst the sharpest comes, and nothing that looks like a photo of the book
    let burst = [("blunt", 10), ("sharp", 90)]
        .map(|(name, sharpness)| LibraryPhoto { look: Some(Look { hash: 7, sharpness }), ..near(name) });
    assert_eq!(with(burst.to_vec()), ["sharp"]);
    let twins = {
        let mut library = library.clone();
        library[0].look = look(99);
        let twin = LibraryPhoto { look: look(99), ..taken("twin", 0) };
        filled(&book, &spread, &[library, vec![twin]].concat())
    };
    assert_eq!(twins, Err(Unfilled::NoneSuitable));
}

#[test]
fn why_nothing_comes_is_said() {
    let (book, library) = book(24);
    let spread = spread(&book);
    let and = |more: LibraryPhoto| [library.clone(), vec![more]].concat();
    assert_eq!(filled(&book, &spread, &library), Err(Unfilled::NoneUnused));
    let blurred = LibraryPhoto { flaw: Some(Flaw::Blurred), ..taken("more", 0) };
    assert_eq!(filled(&book, &spread, &and(blurred)), Err(Unfilled::NoneSuitable));
    assert_eq!(filled(&book, &[0], &and(taken("more", 0))), Err(Unfilled::Fixed), "the title page");
    // filled again and again it is full
    let mut book = book.clone();
    let many: Vec<LibraryPhoto> = (0..40).map(|n| taken(&format!("more-{n}"), n)).collect();
    let library = [library, many].concat();
    let end = loop {
        match filled(&book, &spread, &library) {
            Ok(filling) => filling.pages.into_iter().for_each(|(index, page)| book.pages[index] = page),
            Err(reason) => break reason,
        }
    };
    assert_eq!(end, Unfilled::Full);
    let counts: Vec<usize> = spread.iter().map(|index| book.pages[*index].photos().count()).collect();
    assert_eq!(counts, [COMFORTABLE_PER_PAGE; 2]);
}

#[test]
fn an_empty_page_gets_photos_of_the_time_between_its_neighbours() {
    let (mut book, library) = book(24);
    let spread = spread(&book);
    // a day in the middle of the book
    let left = left_pages(&book).filter(|left| *left > spread[1]).nth(1).unwrap();
    let times = |page: &Page| -> Vec<i64> {
        let at = |id: &PhotoId| library.iter().find(|known| known.photo.id == *id)?.photo.taken_at;
        page.photos().filter_map(|frame| at(&frame.photo)).collect()
    };
    let before = times(&book.pages[left - 1]).into_iter().max().unwrap();
    domain::layout::add_pair(&mut book, left - 2);
    let after = times(&book.pages[left + 2]).into_iter().chain(times(&book.pages[left + 3])).min().unwrap();
    // more of the hours behind them than there is room for, and one of the night between
    let mut more: Vec<LibraryPhoto> =
        (0..9).map(|n| taken(&format!("behind-{n}"), (after - NOON) / HOUR + 2)).collect();
    more.push(taken("between", (before - NOON) / HOUR + 1));
    let filling = filled(&book, &[left, left + 1], &[library.clone(), more].concat()).unwrap();
    let between = filling.pages.iter().any(|(_, page)| ids(page).iter().any(|id| id.as_str() == "between"));
    assert!(between, "{:?}", filling.added);
}
