//! Rules and boxes: what parts words on a page.

use domain::document::Rect;
use domain::reading::{Separators, around};
use hayro::hayro_interpret::{Paint, PathDrawMode};
use kurbo::{Affine, BezPath, PathSeg, Shape};

/// A line that is shorter parts nothing, in mm.
const LEAST_RULE: f64 = 5.0;
/// An area that is thicker is no line.
const MOST_THICK: f64 = 1.2;
/// How far the ends of a level line may be apart.
const LEVEL: f64 = 0.2;
/// The least sides of a box.
const LEAST_BOX: (f64, f64) = (12.0, 6.0);
/// What is nearly as large as the page is its ground, and no box.
const GROUND: f64 = 0.95;
/// Lines and boxes that are taken of one page: a page of tables has a thousand.
const MOST_RULES: usize = 2_000;
const MOST_BOXES: usize = 200;

/// Takes down lines and boxes that a page draws.
pub(super) struct Ruled {
    page: kurbo::Rect,
    found: Separators,
}

impl Ruled {
    pub fn of(page: kurbo::Rect) -> Self {
        Self { page, found: Separators::default() }
    }

    pub fn take(&mut self, path: &BezPath, place: Affine, paint: &Paint<'_>, mode: &PathDrawMode) {
        if let Paint::Color(colour) = paint {
            let [red, green, blue, alpha] = colour.to_rgba().to_rgba8();
            if alpha == 0 || matches!(mode, PathDrawMode::Fill(_)) && red.min(green).min(blue) > 250 {
                return;
            }
        }
        let path = place * path;
        match mode {
            PathDrawMode::Fill(_) => self.filled(&path),
            PathDrawMode::Stroke(_) => self.stroked(&path),
        }
    }

    fn filled(&mut self, path: &BezPath) {
        let is_straight = path.segments().all(|segment| matches!(segment, PathSeg::Line(_)));
        if !is_straight || path.elements().len() > 8 {
            return;
        }
        let frame = path.bounding_box();
        let (width, height) = (frame.width(), frame.height());
        if width.min(height) <= MOST_THICK {
            self.rule(frame);
        } else if is_upright(path, frame) {
            self.boxed(frame);
        }
    }

    fn stroked(&mut self, path: &BezPath) {
        for segment in path.segments().take(MOST_RULES) {
            if let PathSeg::Line(line) = segment
                && (line.p0.x - line.p1.x).abs().min((line.p0.y - line.p1.y).abs()) < LEVEL
            {
                self.rule(kurbo::Rect::from_points(line.p0, line.p1));
            }
        }
        let frame = path.bounding_box();
        if path.elements().len() <= 6 && is_upright(path, frame) {
            self.boxed(frame);
        }
    }

    fn rule(&mut self, line: kurbo::Rect) {
        let seen = line.intersect(self.page);
        if seen.width().max(seen.height()) >= LEAST_RULE && self.found.rules.len() < MOST_RULES {
            self.found.rules.push(rect(seen));
        }
    }

    fn boxed(&mut self, frame: kurbo::Rect) {
        let seen = frame.intersect(self.page);
        let (width, height) = (seen.width(), seen.height());
        let is_ground = width > GROUND * self.page.width() && height > GROUND * self.page.height();
        if width >= LEAST_BOX.0 && height >= LEAST_BOX.1 && !is_ground && self.found.boxes.len() < MOST_BOXES
        {
            self.found.boxes.push(rect(seen));
        }
    }

    pub fn found(self) -> Separators {
        self.found
    }
}

/// Whether a path goes around its own frame.
fn is_upright(path: &BezPath, frame: kurbo::Rect) -> bool {
    let is_straight = |segment: PathSeg| match segment {
        PathSeg::Line(line) => (line.p0.x - line.p1.x).abs().min((line.p0.y - line.p1.y).abs()) < LEVEL,
        _ => false,
    };
    path.segments().all(is_straight) && path.area().abs() > 0.98 * frame.area()
}

fn rect(frame: kurbo::Rect) -> Rect {
    Rect { x: frame.x0, y: frame.y0, width: frame.width(), height: frame.height() }
}

/// A grid of lines: its columns' and rows' edges.
pub(super) struct Grid {
    pub frame: Rect,
    columns: Vec<f64>,
    rows: Vec<f64>,
}

/// How near lines of a table end to each other, in mm.
const MEET: f64 = 0.8;

impl Grid {
    /// In which row and column something stands.
    pub fn cell(&self, x: f64, y: f64) -> Option<(usize, usize)> {
        let place = |edges: &[f64], at: f64| {
            let next = edges.partition_point(|edge| *edge <= at);
            (next > 0 && next < edges.len()).then(|| next - 1)
        };
        place(&self.rows, y).zip(place(&self.columns, x))
    }
}

/// Takes tables out, whose lines part no columns: at least three upright lines that begin at one level line, and three level ones.
pub(super) fn grids(separators: &mut Separators) -> Vec<Grid> {
    let mut left = whole_lines(&separators.rules);
    let mut grids = Vec::new();
    while let Some(grid) = next_grid(&left) {
        let is_in = |one: &Rect| {
            let frame = &grid.frame;
            one.x >= frame.x - MEET
                && one.y >= frame.y - MEET
                && one.x + one.width <= frame.x + frame.width + MEET
                && one.y + one.height <= frame.y + frame.height + MEET
        };
        left.retain(|rule| !is_in(rule));
        separators.rules.retain(|rule| !is_in(rule));
        separators.boxes.retain(|frame| !is_in(frame));
        grids.push(grid);
    }
    grids
}

/// Lines that go on where others end, as those of cells that were drawn one by one.
fn whole_lines(rules: &[Rect]) -> Vec<Rect> {
    let is_level = |rule: &Rect| rule.width > rule.height;
    let turned = |rule: &Rect| Rect { x: rule.y, y: rule.x, width: rule.height, height: rule.width };
    let merged = |mut rules: Vec<Rect>| {
        rules.sort_by(|one, other| {
            let row = |rule: &Rect| (rule.y / MEET).round();
            row(one).total_cmp(&row(other)).then(one.x.total_cmp(&other.x))
        });
        let mut whole: Vec<Rect> = Vec::new();
        for rule in rules {
            match whole.last_mut() {
                Some(last) if (last.y - rule.y).abs() < MEET && rule.x < last.x + last.width + MEET => {
                    last.width = last.width.max(rule.x + rule.width - last.x);
                }
                _ => whole.push(rule),
            }
        }
        whole
    };
    let level = merged(rules.iter().filter(|rule| is_level(rule)).copied().collect());
    let upright = merged(rules.iter().filter(|rule| !is_level(rule)).map(turned).collect());
    level.into_iter().chain(upright.iter().map(turned)).collect()
}

fn next_grid(rules: &[Rect]) -> Option<Grid> {
    let mut level: Vec<&Rect> = rules.iter().filter(|rule| rule.width > rule.height).collect();
    level.sort_by(|one, other| one.y.total_cmp(&other.y));
    let upright: Vec<&Rect> = rules.iter().filter(|rule| rule.height >= rule.width).collect();
    for top in &level {
        let from_top: Vec<&&Rect> = upright
            .iter()
            .filter(|rule| {
                (rule.y - top.y).abs() < MEET && rule.x > top.x - MEET && rule.x < top.x + top.width + MEET
            })
            .collect();
        let mut columns: Vec<f64> = from_top.iter().map(|rule| rule.x + rule.width / 2.0).collect();
        distinct(&mut columns);
        if columns.len() < 3 {
            continue;
        }
        // cells may be drawn one by one: lines go on where others end
        let (left, right) = (columns[0], columns[columns.len() - 1]);
        let bottom = reached(&upright, &columns, top.y);
        let mut rows: Vec<f64> = level
            .iter()
            .filter(|rule| {
                rule.y > top.y - MEET
                    && rule.y < bottom + MEET
                    && rule.x > left - MEET
                    && rule.x + rule.width < right + MEET
            })
            .map(|rule| rule.y + rule.height / 2.0)
            .collect();
        distinct(&mut rows);
        if rows.len() >= 3 {
            let edges = [
                Rect { x: left, y: top.y, width: right - left, height: 0.0 },
                Rect { x: left, y: bottom, width: right - left, height: 0.0 },
            ];
            return Some(Grid { frame: around(edges), columns, rows });
        }
    }
    None
}

/// How far down the lines at some places go from a height.
fn reached(upright: &[&Rect], columns: &[f64], top: f64) -> f64 {
    let mut bottom = top;
    let mut sorted: Vec<&&Rect> = upright
        .iter()
        .filter(|rule| columns.iter().any(|x| (rule.x + rule.width / 2.0 - x).abs() < MEET))
        .collect();
    sorted.sort_by(|one, other| one.y.total_cmp(&other.y));
    for rule in sorted {
        if rule.y >= top - MEET && rule.y <= bottom + MEET {
            bottom = bottom.max(rule.y + rule.height);
        }
    }
    bottom
}

/// In their order, those that are nearly the same once.
fn distinct(places: &mut Vec<f64>) {
    places.sort_by(f64::total_cmp);
    places.dedup_by(|next, before| *next - *before < MEET);
}
