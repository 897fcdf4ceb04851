//! Where turned frames lie.

use super::Rect;

/// A point on a page, in mm.
type Point = (f64, f64);

/// The rectangle around a frame that is turned about its centre by degrees, clockwise.
pub fn bounds(frame: &Rect, rotation: f64) -> Rect {
    if rotation == 0.0 {
        return *frame;
    }
    let corners = corners(frame, rotation);
    let along = |pick: fn(&Point) -> f64| {
        let (first, last) = corners
            .iter()
            .map(pick)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(first, last), at| (first.min(at), last.max(at)));
        (first, last - first)
    };
    let ((x, width), (y, height)) = (along(|point| point.0), along(|point| point.1));
    Rect { x, y, width, height }
}

/// The area that two turned frames share, mm².
pub fn shared_area((one, by): (&Rect, f64), (other, other_by): (&Rect, f64)) -> f64 {
    if by == 0.0 && other_by == 0.0 {
        let across = (one.x + one.width).min(other.x + other.width) - one.x.max(other.x);
        let down = (one.y + one.height).min(other.y + other.height) - one.y.max(other.y);
        return across.max(0.0) * down.max(0.0);
    }
    let edges = corners(other, other_by);
    let clipped = (0..4)
        .fold(corners(one, by).to_vec(), |polygon, edge| clip(&polygon, edges[edge], edges[(edge + 1) % 4]));
    let next = clipped.iter().skip(1).chain(clipped.first());
    let twice: f64 = clipped.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum();
    twice.abs() / 2.0
}

/// Where an area lies as a turned frame sees it: the rectangle around the area, turned back with the frame.
pub fn seen_from(frame: &Rect, rotation: f64, area: &Rect) -> Rect {
    bounds(&turned_with(frame, -rotation, area), -rotation)
}

/// A part of what stands in a frame, moved to where it lies when the frame is turned: turning it about its own centre by as
/// much puts it in its place.
pub fn turned_with(frame: &Rect, rotation: f64, part: &Rect) -> Rect {
    let (sin, cos) = sin_cos(rotation);
    let middle = |of: &Rect| (of.x + of.width / 2.0, of.y + of.height / 2.0);
    let ((x, y), (of_x, of_y)) = (middle(frame), middle(part));
    let (across, down) = (of_x - x, of_y - y);
    Rect {
        x: x + across * cos - down * sin - part.width / 2.0,
        y: y + across * sin + down * cos - part.height / 2.0,
        ..*part
    }
}

/// The corners, clockwise from the one that was at the top left.
fn corners(frame: &Rect, rotation: f64) -> [Point; 4] {
    let (sin, cos) = sin_cos(rotation);
    let (x, y) = (frame.x + frame.width / 2.0, frame.y + frame.height / 2.0);
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(across, down)| {
        let (across, down) = (across * frame.width / 2.0, down * frame.height / 2.0);
        (x + across * cos - down * sin, y + across * sin + down * cos)
    })
}

/// Exact for right angles, so that a frame on its side ends where it should.
fn sin_cos(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => other.to_radians().sin_cos(),
    }
}

/// What of a convex polygon lies to the right of an edge, as seen along it (Sutherland and Hodgman, 1974).
fn clip(polygon: &[Point], from: Point, to: Point) -> Vec<Point> {
    let side = |point: &Point| (to.0 - from.0) * (point.1 - from.1) - (to.1 - from.1) * (point.0 - from.0);
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, point) in polygon.iter().enumerate() {
        let before = &polygon[(index + polygon.len() - 1) % polygon.len()];
        let (was, is) = (side(before), side(point));
        if (was < 0.0) != (is < 0.0) {
            let share = was / (was - is);
            kept.push((before.0 + (point.0 - before.0) * share, before.1 + (point.1 - before.1) * share));
        }
        if is >= 0.0 {
            kept.push(*point);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: Rect = Rect { x: 10.0, y: 20.0, width: 40.0, height: 40.0 };

    #[test]
    fn a_frame_on_its_side_has_its_sides_exchanged() {
        let frame = Rect { x: 10.0, y: 20.0, width: 60.0, height: 20.0 };
        assert_eq!(bounds(&frame, 90.0), Rect { x: 30.0, y: 0.0, width: 20.0, height: 60.0 });
        assert_eq!(bounds(&frame, -180.0), frame);
        assert_eq!(bounds(&frame, 0.0), frame);
        let around = bounds(&SQUARE, 45.0);
        assert!(
            (around.width - 40.0 * 2f64.sqrt()).abs() < 1e-9
                && (around.x + around.width / 2.0 - 30.0).abs() < 1e-9
        );
    }

    #[test]
    fn a_turned_frame_sees_the_page_turned_back() {
        let page = Rect { x: 0.0, y: 0.0, width: 100.0, height: 50.0 };
        let frame = Rect { x: 40.0, y: 15.0, width: 20.0, height: 20.0 };
        assert_eq!(seen_from(&frame, 90.0, &page), Rect { x: 25.0, y: -25.0, width: 50.0, height: 100.0 });
        assert_eq!(seen_from(&frame, 0.0, &page), page);
        // the upper half of a frame on its head is its lower half
        let upper = Rect { height: 10.0, ..frame };
        assert_eq!(turned_with(&frame, 180.0, &upper), Rect { y: 25.0, ..upper });
    }

    #[test]
    fn turned_frames_share_what_lies_in_both() {
        let near = |one: f64, other: f64| assert!((one - other).abs() < 1e-6, "{one} is not {other}");
        near(shared_area((&SQUARE, 0.0), (&SQUARE, 0.0)), 1600.0);
        near(shared_area((&SQUARE, 30.0), (&SQUARE, 30.0)), 1600.0);
        // a square on its corner in a square of the same centre: an octagon
        near(shared_area((&SQUARE, 45.0), (&SQUARE, 0.0)), 3200.0 * (2f64.sqrt() - 1.0));
        let far = Rect { x: 60.0, ..SQUARE };
        near(shared_area((&SQUARE, 0.0), (&far, 0.0)), 0.0);
        near(shared_area((&SQUARE, 10.0), (&Rect { x: 160.0, ..SQUARE }, 10.0)), 0.0);
        // half of it lies over the edge
        near(shared_area((&SQUARE, 180.0), (&Rect { x: 30.0, ..SQUARE }, 0.0)), 800.0);
    }
}
