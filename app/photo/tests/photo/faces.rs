//! Faces are found where they are.

use std::time::Instant;

use domain::document::Crop;
use domain::faces::MOST_FACES;
use image::{ImageFormat, RgbImage};
use photo::{COATED, Detector, PhotoFormat, derive, detector, faces_of};
use pictures::{Place, encoded, put_face, scene};

use super::files::{Metadata, exif, file};
use super::info_of;

fn jpeg(picture: &RgbImage) -> Vec<u8> {
    encoded(picture, ImageFormat::Jpeg)
}

/// What a box and a place have in common, as a share of what they cover together.
fn shared(found: &Crop, place: &Place) -> f64 {
    let [x, y, width, height] = *place;
    let across = ((found.x + found.width).min(x + width) - found.x.max(x)).max(0.0);
    let down = ((found.y + found.height).min(y + height) - found.y.max(y)).max(0.0);
    across * down / (found.area() + width * height - across * down)
}

#[test]
fn nine_of_ten_faces_are_found_in_a_hundred_pictures() {
    let detector = detector().unwrap();
    let (mut known, mut recalled, mut strays, mut time) = (0, 0, 0, 0);
    for number in 0..100 {
        let (picture, places) = pictures::faces(number);
        let file = jpeg(&picture);
        let begun = Instant::now();
        let found = faces_of(detector, &file).unwrap();
        time += begun.elapsed().as_millis();
        let is_there = |place: &Place| found.iter().any(|face| shared(&face.area, place) >= 0.4);
        known += places.len();
        recalled += places.iter().filter(|place| is_there(place)).count();
        strays +=
            found.iter().filter(|face| places.iter().all(|place| shared(&face.area, place) < 0.4)).count();
    }
    eprintln!("{recalled} of {known} faces, {strays} that are none, {} ms a picture", time / 100);
    assert!(recalled * 10 >= known * 9, "{recalled} of {known}");
    assert!(strays * 20 <= known, "{strays} of {known}");
}

#[test]
fn a_scene_without_people_has_no_faces_and_a_crowd_has_many() {
    let detector = detector().unwrap();
    let mut strays = 0;
    for seed in 0..10 {
        strays += faces_of(detector, &jpeg(&scene(960, 720, 900 + seed))).unwrap().len();
    }
    assert!(strays <= 1, "{strays}");
    let mut crowd = scene(1600, 1000, 3);
    for at in 0..40 {
        let place = (0.06 + 0.125 * f64::from(at % 8), 0.12 + 0.19 * f64::from(at / 8));
        put_face(&mut crowd, at as usize, place, 90.0, 0.0);
    }
    let found = faces_of(detector, &jpeg(&crowd)).unwrap();
    assert!((36..=MOST_FACES).contains(&found.len()), "{}", found.len());
}

#[test]
fn a_photo_on_its_side_has_its_faces_upright() {
    let mut picture = scene(900, 1200, 8);
    let place = put_face(&mut picture, 0, (0.3, 0.4), 300.0, 0.0);
    // as a camera stores it that was held upright: turned by a quarter, with a note
    let stored = image::imageops::rotate270(&picture);
    let note = Metadata { exif: Some(exif(true, 6, &[])), ..Metadata::default() };
    let bytes = file(PhotoFormat::Jpeg, &stored.into(), note);
    let info = info_of(&bytes).unwrap();
    let made = derive(&bytes, &info, COATED, Some(detector().unwrap())).unwrap();
    let faces = made.faces.unwrap();
    assert_eq!(faces.len(), 1);
    assert!(shared(&faces[0].area, &place) >= 0.4, "{faces:?} {place:?}");
    // and a picture made of it before says the same
    let later = faces_of(detector().unwrap(), &made.sizes[1].webp).unwrap();
    assert!(shared(&later[0].area, &place) >= 0.4);
    // without a detector nobody looked
    assert_eq!(derive(&bytes, &info, COATED, None).unwrap().faces, None);
}

#[test]
fn a_broken_model_is_refused() {
    let whole = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/models/yunet.onnx")).unwrap();
    assert!(Detector::new(whole.clone()).is_ok());
    assert!(Detector::new(Vec::new()).is_err());
    assert!(Detector::new(b"<html>not found</html>".to_vec()).is_err());
    for part in [100, 5_000, whole.len() / 2, whole.len() - 3_000] {
        assert!(Detector::new(whole[..part].to_vec()).is_err(), "{part}");
    }
    // what isn't refused finds nothing, or something, and comes to its end
    let picture = jpeg(&scene(640, 480, 1));
    for at in (0..whole.len()).step_by(whole.len() / 25) {
        let mut altered = whole.clone();
        altered[at] ^= 0x55;
        if let Ok(detector) = Detector::new(altered) {
            drop(faces_of(&detector, &picture));
        }
    }
}
