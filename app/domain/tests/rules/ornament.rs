//! Ornaments on pages: where they lie in their frames, and how a document names them.

use domain::document::{Rect, ShapeKind};
use domain::ornament::Ornament;
use proptest::prelude::*;
use serde_json::json;

/// A document names an ornament where it names a shape, by a code of its own.
#[test]
fn an_ornament_is_a_shape_by_its_code() {
    let shapes = [ShapeKind::Rect, ShapeKind::Ellipse, ShapeKind::Line];
    let ornaments = Ornament::ALL.map(ShapeKind::Ornament);
    let all: Vec<ShapeKind> = shapes.into_iter().chain(ornaments).collect();
    let mut codes: Vec<String> = all.iter().map(|shape| json!(shape).as_str().unwrap().to_owned()).collect();
    for (shape, code) in all.iter().zip(&codes) {
        assert_eq!(serde_json::from_value::<ShapeKind>(json!(code)).unwrap(), *shape);
    }
    for (ornament, code) in Ornament::ALL.iter().zip(&codes[shapes.len()..]) {
        assert_eq!(ornament.code(), code);
    }
    codes.sort();
    codes.dedup();
    assert_eq!(codes.len(), all.len());
    for wrong in [json!("unicorn"), json!("Sprig"), json!(""), json!(null), json!({ "ornament": "sprig" })] {
        assert!(serde_json::from_value::<ShapeKind>(wrong.clone()).is_err(), "{wrong}");
    }
}

proptest! {
    /// It fills its frame as far as its own shape lets it, in the middle; what runs along edges fills it wholly.
    #[test]
    fn an_ornament_is_as_large_as_its_frame_lets_it(
        which in 0..Ornament::ALL.len(),
        width in 1.0..600.0f64,
        height in 1.0..600.0f64,
    ) {
        let ornament = Ornament::ALL[which];
        let frame = Rect { x: -20.0, y: 30.0, width, height };
        let drawn = ornament.drawn_in(&frame);
        let place = drawn.place;
        let near = |one: f64, other: f64| (one - other).abs() < 1e-6;
        prop_assert!(near(place.x - frame.x, frame.x + width - place.x - place.width));
        prop_assert!(near(place.y - frame.y, frame.y + height - place.y - place.height));
        prop_assert!(place.width <= width + 1e-6 && place.height <= height + 1e-6);
        prop_assert!(near(place.width, width) || near(place.height, height));
        if ornament.runs_along_edges() {
            prop_assert!(near(place.width, width) && near(place.height, height) && drawn.scale <= 1.0);
        } else {
            let (natural, _) = ornament.natural_mm();
            prop_assert!(near(drawn.scale, place.width / natural));
        }
    }
}
