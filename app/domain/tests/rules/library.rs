//! Which of two photos shows a moment better.

use domain::document::Crop;
use domain::faces::Face;
use domain::layout::PhotoInput;
use domain::library::{LibraryPhoto, Merit, better as better_in};
use domain::look::Look;
use domain::quality::Flaw;
use proptest::prelude::*;

const MINUTE: i64 = 60_000;

fn pixels(known: &LibraryPhoto) -> f64 {
    known.photo.pixels()
}

/// Where the frame shows all of each.
fn better(shown: &LibraryPhoto, library: &[LibraryPhoto]) -> Vec<(usize, Vec<Merit>)> {
    better_in(shown, library, pixels)
}

#[test]
fn larger_and_sharper_is_what_shows_more_in_the_frame() {
    let shown = photo("shown");
    let mut tall = photo("tall");
    (tall.photo.width, tall.photo.height) = (4000, 5000);
    let tall = [tall];
    assert_eq!(better(&shown, &tall), [(0, vec![Merit::Sharper, Merit::Larger])]);
    // a wide frame cuts most of it off
    let seen = |known: &LibraryPhoto| if known.photo.id.as_str() == "tall" { 8e6 } else { pixels(known) };
    assert!(better_in(&shown, &tall, seen).is_empty());
}

fn photo(name: &str) -> LibraryPhoto {
    let photo = PhotoInput { taken_at: Some(0), ..PhotoInput::new(name.parse().unwrap(), 4000, 3000) };
    LibraryPhoto { photo, look: Some(Look { hash: 0, sharpness: 100 }), blur: Some(0.3), flaw: None }
}

fn face(confidence: f64) -> Face {
    Face { area: Crop { x: 0.4, y: 0.3, width: 0.2, height: 0.2 }, confidence }
}

#[test]
fn each_merit_is_named_and_nothing_worse_is_offered() {
    let shown = photo("shown");
    let with = |change: fn(&mut LibraryPhoto)| {
        let mut other = photo("other");
        change(&mut other);
        other
    };
    let table: [(&str, LibraryPhoto, &[Merit]); 14] = [
        ("the same", photo("other"), &[]),
        ("sharper", with(|it| it.look = Some(Look { hash: 1, sharpness: 130 })), &[Merit::Sharper]),
        ("hardly sharper", with(|it| it.look = Some(Look { hash: 1, sharpness: 120 })), &[]),
        (
            "larger",
            with(|it| (it.photo.width, it.photo.height) = (5000, 3750)),
            &[Merit::Sharper, Merit::Larger],
        ),
        // a copy in fewer pixels looks sharper than it is
        (
            "a small copy",
            with(|it| {
                (it.photo.width, it.photo.height) = (1000, 750);
                it.look = Some(Look { hash: 0, sharpness: 400 });
            }),
            &[],
        ),
        ("somebody", with(|it| it.photo.faces = vec![face(0.9)]), &[Merit::People]),
        (
            "sharper and somebody",
            with(|it| {
                it.look = Some(Look { hash: 1, sharpness: 200 });
                it.photo.faces = vec![face(0.9)];
            }),
            &[Merit::Sharper, Merit::People],
        ),
        (
            "larger and blunt",
            with(|it| {
                (it.photo.width, it.photo.height) = (5000, 3750);
                it.look = Some(Look { hash: 1, sharpness: 30 });
            }),
            &[],
        ),
        (
            "something else of the same minute, less blurred",
            with(|it| {
                it.look = Some(Look { hash: u64::MAX, sharpness: 10 });
                it.blur = Some(0.2);
            }),
            &[Merit::Sharper],
        ),
        (
            "something else of another hour",
            with(|it| {
                it.look = Some(Look { hash: u64::MAX, sharpness: 900 });
                it.photo.taken_at = Some(60 * MINUTE);
                it.blur = Some(0.1);
            }),
            &[],
        ),
        (
            "a twin of another day",
            with(|it| {
                it.photo.taken_at = Some(2000 * MINUTE);
                it.look = Some(Look { hash: 3, sharpness: 300 });
            }),
            &[Merit::Sharper],
        ),
        (
            "larger, of no known time and look",
            with(|it| {
                (it.photo.width, it.photo.taken_at, it.look) = (9000, None, None);
            }),
            &[],
        ),
        (
            "weak",
            with(|it| {
                (it.photo.width, it.flaw) = (9000, Some(Flaw::Soft));
            }),
            &[],
        ),
        (
            "nobody measured it",
            with(|it| (it.photo.width, it.blur, it.look) = (9000, None, None)),
            &[Merit::Larger],
        ),
    ];
    for (name, other, merits) in table {
        let found: Vec<Vec<Merit>> = better(&shown, &[other]).into_iter().map(|(_, merits)| merits).collect();
        let wanted: Vec<Vec<Merit>> = if merits.is_empty() { vec![] } else { vec![merits.to_vec()] };
        assert_eq!(found, wanted, "{name}");
    }
    // faces that are seen better, and light
    let turned =
        LibraryPhoto { photo: PhotoInput { faces: vec![face(0.7)], ..shown.photo.clone() }, ..shown.clone() };
    let open = with(|it| it.photo.faces = vec![face(0.95)]);
    assert_eq!(better(&turned, &[open]), [(0, vec![Merit::Faces])]);
    let dark = LibraryPhoto { flaw: Some(Flaw::Dark), ..shown.clone() };
    assert_eq!(better(&dark, &[photo("other")]), [(0, vec![Merit::Light])]);
    // the most merits first, then what looks alike, then the nearest
    let both = with(|it| {
        it.photo.width = 6000;
        it.photo.faces = vec![face(0.9)];
        it.photo.taken_at = Some(9 * MINUTE);
    });
    let other_scene =
        with(|it| (it.photo.width, it.look) = (6000, Some(Look { hash: u64::MAX, sharpness: 1 })));
    let alike = with(|it| (it.photo.width, it.photo.taken_at) = (6000, Some(5 * MINUTE)));
    let places: Vec<usize> =
        better(&shown, &[other_scene, alike, both]).into_iter().map(|(place, _)| place).collect();
    assert_eq!(places, [2, 1, 0]);
}

fn any_photo(name: &'static str) -> impl Strategy<Value = LibraryPhoto> {
    let sides = (500_u32..9000, 500_u32..9000);
    let look = prop::option::of((prop::sample::select(vec![0_u64, 1, 0xff, u64::MAX]), 0_u32..400));
    let faces = prop::collection::vec(0.5_f64..1.0, 0..4);
    let flaw = prop::sample::select(vec![None, Some(Flaw::Soft), Some(Flaw::Dark), Some(Flaw::Blurred)]);
    (sides, look, faces, flaw, prop::option::of(0_i64..20), prop::option::of(0.0_f64..1.0)).prop_map(
        move |((width, height), look, faces, flaw, minutes, blur)| {
            let taken_at = minutes.map(|minutes| minutes * MINUTE);
            let faces = faces.into_iter().map(face).collect();
            let photo = PhotoInput { width, height, taken_at, faces, ..photo(name).photo };
            let look = look.map(|(hash, sharpness)| Look { hash, sharpness });
            LibraryPhoto { photo, look, blur, flaw }
        },
    )
}

proptest! {
    #[test]
    fn of_two_photos_at_most_one_is_better(one in any_photo("one"), other in any_photo("other")) {
        let (there, back) = (better(&one, std::slice::from_ref(&other)), better(&other, std::slice::from_ref(&one)));
        prop_assert!(there.is_empty() || back.is_empty(), "{there:?} {back:?}");
        prop_assert!(better(&one, std::slice::from_ref(&one)).is_empty());
    }
}
