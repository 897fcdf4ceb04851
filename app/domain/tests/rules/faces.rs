//! Faces stay whole wherever they can.

use domain::document::{Crop, Document, Mask, Page, PhotoFrame, Rect, Trim};
use domain::faces::{Face, Seen, Span, seen, window};
use domain::layout::{
    Density, FaceLoss, LayoutOptions, PageRange, PhotoInput, is_across, lay_out, lost_faces,
};
use proptest::prelude::*;

fn face(x: f64, y: f64, side: f64) -> Face {
    Face { area: Crop { x, y, width: side * 0.75, height: side }, confidence: 0.9 }
}

fn photo(number: usize, (width, height): (u32, u32), faces: Vec<Face>) -> PhotoInput {
    let id = format!("photo-{number:03}").parse().unwrap();
    PhotoInput { faces, ..PhotoInput::new(id, width, height) }
}

const WIDE: (u32, u32) = (4000, 3000);
const TALL: (u32, u32) = (3000, 4000);

fn options(Trim { width, height }: Trim) -> LayoutOptions {
    crate::common::options(width, height, PageRange { min: 8, max: 400, step: 2 })
}

fn span(from: f64, size: f64) -> Span {
    Span { from, size }
}

#[test]
fn a_window_stands_where_the_faces_are() {
    let same = |from, size| (span(from, size), span(from, size));
    let table = [
        // (faces, size, inset, wished) → where it begins
        (vec![], 0.5, (0.0, 0.0), 0.25, 0.25),
        (vec![same(0.4, 0.1)], 0.5, (0.0, 0.0), 0.25, 0.25),
        // somebody at either edge
        (vec![same(0.0, 0.1)], 0.5, (0.0, 0.0), 0.25, 0.0),
        (vec![same(0.9, 0.1)], 0.5, (0.0, 0.0), 0.25, 0.5),
        // both of two who just fit
        (vec![same(0.1, 0.1), same(0.5, 0.1)], 0.5, (0.0, 0.0), 0.4, 0.1),
        // what goes with the knife is no place for a face
        (vec![same(0.3, 0.1)], 0.5, (0.1, 0.0), 0.3, 0.2),
        // there is no room for the hair, but for the face
        (vec![(span(0.1, 0.6), span(0.2, 0.5))], 0.5, (0.0, 0.0), 0.0, 0.2),
        // no room for both: the larger, and nothing of the other rather than a part
        (vec![same(0.0, 0.2), same(0.7, 0.3)], 0.5, (0.0, 0.0), 0.1, 0.5),
    ];
    for (faces, size, inset, wished, expected) in table {
        let from = window(&faces, size, inset, wished);
        assert!((from - expected).abs() < 1e-9, "{faces:?} {size} {inset:?}: {from}, not {expected}");
    }
}

fn spans() -> impl Strategy<Value = Vec<(Span, Span)>> {
    let one = (0.0..0.95_f64, 0.01..0.5_f64, 0.0..0.3_f64).prop_map(|(from, size, hair)| {
        let size = size.min(1.0 - from);
        let above = (size * hair).min(from);
        (span(from - above, size + above), span(from, size))
    });
    prop::collection::vec(one, 0..40)
}

proptest! {
    #[test]
    fn no_face_is_cut_where_a_window_shows_all(
        faces in spans(), size in 0.3..1.0_f64, wished in 0.0..1.0_f64, lost in 0.0..0.1_f64,
    ) {
        let from = window(&faces, size, (lost * size, lost * size), wished);
        prop_assert!((0.0..=1.0 - size + 1e-9).contains(&from));
        let is_whole = |from: f64, inset: f64, face: &Span| {
            face.from >= from + inset - 1e-6 && face.from + face.size <= from + size - inset + 1e-6
        };
        let all = |from: f64, inset: f64, head: bool| {
            faces.iter().all(|(one, other)| is_whole(from, inset, if head { one } else { other }))
        };
        let somewhere = |inset: f64, head: bool| (0..=2_000).any(|at| all((1.0 - size) * f64::from(at) / 2_000.0, inset, head));
        for (inset, head) in [(lost * size, true), (lost * size, false), (0.0, false)] {
            if somewhere(inset, head) {
                prop_assert!(all(from, inset, head), "{from}");
                break;
            }
        }
        // and the largest is whole where there is room for it
        let largest = faces.iter().map(|face| face.1).max_by(|one, other| one.size.total_cmp(&other.size));
        if let Some(largest) = largest && largest.size <= size {
            prop_assert!(is_whole(from, 0.0, &largest), "{from} {largest:?}");
        }
    }
}

/// Every finding about the faces of a book, by its page.
fn losses(book: &Document, photos: &[PhotoInput]) -> Vec<(usize, FaceLoss)> {
    let of = |id: &domain::ids::PhotoId| {
        photos.iter().find(|photo| photo.id == *id).map_or(&[][..], |photo| &photo.faces)
    };
    let inner = book.pages.iter().enumerate().flat_map(|(index, page)| {
        page.photos().flat_map(move |frame| {
            lost_faces(book, Some(index), frame, of(&frame.photo)).into_iter().map(move |loss| (index, loss))
        })
    });
    inner.collect()
}

/// Photos with people at the edges, in the corners and in the middle, among others.
fn album(count: usize) -> Vec<PhotoInput> {
    let at = [0.0_f64, 0.2, 0.46, 0.7, 0.88];
    (0..count)
        .map(|number| {
            let (x, y) = (at[number % 5], at[(number / 5) % 5].min(0.75));
            let faces = match number % 4 {
                0 => Vec::new(),
                3 => vec![face(x, y, 0.12), face(1.0 - x - 0.09, 0.3, 0.12)],
                _ => vec![face(x, y, 0.15)],
            };
            photo(number, if number % 3 == 0 { TALL } else { WIDE }, faces)
        })
        .collect()
}

#[test]
fn a_book_of_people_cuts_through_nobody() {
    for (width, height) in [(210.0, 210.0), (297.0, 210.0), (210.0, 297.0), (140.0, 105.0)] {
        for density in [Density::Airy, Density::Even, Density::Dense] {
            for count in [7, 24, 60] {
                let photos = album(count);
                let options = LayoutOptions { density, ..options(Trim { width, height }) };
                let book = lay_out(&photos, &options).unwrap();
                assert_eq!(losses(&book, &photos), [], "{width} × {height}, {density:?}, {count}");
                for frame in book.cover.photos() {
                    let faces = &photos.iter().find(|photo| photo.id == frame.photo).unwrap().faces;
                    assert!(!faces.is_empty(), "people are on the cover");
                    assert!(lost_faces(&book, None, frame, faces).is_empty());
                }
            }
        }
    }
}

#[test]
fn a_person_at_the_edge_is_whole_where_the_road_is_cut() {
    // a tall frame of a wide photo keeps one half of it
    for x in [0.0, 0.05, 0.8, 0.85] {
        let person = photo(0, (4000, 2000), vec![face(x, 0.3, 0.2)]);
        let book =
            lay_out(std::slice::from_ref(&person), &options(Trim { width: 210.0, height: 297.0 })).unwrap();
        for frame in book.all_pages().flat_map(|page| page.photos()) {
            assert_eq!(seen(&person.faces[0].area, &frame.crop), Seen::Whole, "{x} {:?}", frame.crop);
        }
    }
}

#[test]
fn nobody_lies_in_the_fold() {
    // a panorama stands across two pages, unless somebody's face is in its middle
    let road = |faces| {
        let mut photos = album(12);
        photos[6] = photo(6, (12_000, 4_000), faces);
        lay_out(&photos, &options(Trim { width: 210.0, height: 210.0 })).unwrap()
    };
    let crossed = |book: &Document| {
        let is_road = |page: &Page| page.photos().any(|frame| frame.photo.as_str() == "photo-006");
        (0..book.pages.len()).any(|left| is_across(book, left) && is_road(&book.pages[left]))
    };
    assert!(crossed(&road(vec![])));
    assert!(crossed(&road(vec![face(0.2, 0.3, 0.2)])));
    assert!(!crossed(&road(vec![face(0.47, 0.3, 0.2)])));
}

#[test]
fn people_get_larger_frames_than_roads() {
    let share = |with_faces: bool| -> f64 {
        let photos: Vec<PhotoInput> = (0..40)
            .map(|number| {
                let faces = if number % 2 == 0 { vec![face(0.4, 0.3, 0.2)] } else { Vec::new() };
                photo(number, WIDE, if with_faces { faces } else { Vec::new() })
            })
            .collect();
        let book = lay_out(&photos, &options(Trim { width: 210.0, height: 210.0 })).unwrap();
        let mut areas = [0.0_f64; 2];
        for frame in book.pages.iter().flat_map(|page| page.photos()) {
            let number: usize = frame.photo.as_str().trim_start_matches("photo-").parse().unwrap();
            areas[number % 2] += frame.frame.width * frame.frame.height;
        }
        areas[0] / areas[1]
    };
    assert!(share(true) > share(false) * 1.1, "{} {}", share(true), share(false));
}

#[test]
fn what_a_member_cuts_is_named() {
    let trim = Trim { width: 210.0, height: 210.0 };
    let photos = [photo(0, WIDE, vec![face(0.1, 0.3, 0.3)])];
    let book = lay_out(&photos, &options(trim)).unwrap();
    let index = book.pages.iter().position(|page| page.photos().next().is_some()).unwrap();
    let mut frame = book.pages[index].photos().next().unwrap().clone();
    let said = |frame: &_| lost_faces(&book, Some(index), frame, &photos[0].faces);
    assert_eq!(said(&frame), []);
    // a round corner runs through it, and one where it is not does not
    let inside = Rect { x: 30.0, y: 40.0, width: 150.0, height: 100.0 };
    let masked = |mask, face: Face| {
        let frame = PhotoFrame { mask, frame: inside, crop: Crop::WHOLE, ..frame.clone() };
        lost_faces(&book, None, &frame, &[face])
    };
    assert_eq!(masked(None, face(0.02, 0.02, 0.25)), []);
    for mask in [Mask::Round, Mask::Arch, Mask::Leaf, Mask::Drop] {
        assert_eq!(masked(Some(mask), face(0.02, 0.02, 0.25)), [FaceLoss::Cut], "{mask:?}");
        assert_eq!(masked(Some(mask), face(0.4, 0.4, 0.2)), [], "{mask:?}");
    }
    assert_eq!(masked(Some(Mask::Arch), face(0.02, 0.7, 0.25)), []);
    // through the face; past it
    frame.crop = Crop { x: 0.2, y: 0.0, width: 0.8, height: 1.0 };
    assert_eq!(said(&frame), [FaceLoss::Cut]);
    frame.crop = Crop { x: 0.4, y: 0.0, width: 0.6, height: 1.0 };
    assert_eq!(said(&frame), []);
    // whole, but in the inner edge
    let right = index.is_multiple_of(2);
    frame.crop = Crop {
        x: if right { 0.1 } else { 0.0 },
        y: 0.0,
        width: if right { 0.9 } else { 0.325 },
        height: 1.0,
    };
    frame.frame.x = if right { 0.0 } else { 210.0 - frame.frame.width };
    assert_eq!(said(&frame), [FaceLoss::InFold]);
    // off the paper
    frame.frame.y = -frame.frame.height * 0.4;
    assert_eq!(said(&frame), [FaceLoss::Cut]);
}
