//! What a page's content measures: how fine its pictures are, how thin its lines, how small its words, how much ink its
//! colours ask for, and whether something but paper reaches its edge.
//!
//! Operators are followed and nothing is drawn, so that a file of two thousand pages takes a second, and one that was made
//! to take long takes no longer: all pages together have a number of operators, of bytes and of pixels. Patterns and the
//! glyphs of Type 3 fonts are not entered. Operators: ISO 32000-1, annex A.

use std::collections::HashMap;

use hayro_syntax::Pdf;
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::dict::keys::SUBTYPE;
use hayro_syntax::object::{self, Array, Dict, Name, Number, ObjectIdentifier, Stream};
use hayro_syntax::page::{Page, Resources};
use kurbo::{Affine, Point, Rect, Vec2};
use serde::{Deserialize, Serialize};

use super::inspect::{is_inside, unit_of};
use super::tone::{Space, Tone, most_ink, space_of};

/// Operators that are followed in a file; a map of a whole country has a million.
const MOST_OPERATORS: usize = 4_000_000;
/// How many bytes of a form weigh as much as an operator.
const BYTES_OF_AN_OPERATOR: usize = 16;
/// Pixels of pictures in inks that are looked at in a file.
const MOST_PIXELS: usize = 24_000_000;
/// Forms in forms.
const MOST_DEPTH: usize = 12;
/// States that are saved at once.
const MOST_SAVED: usize = 256;
/// A picture with fewer pixels on a side is a tint, and no picture.
const LEAST_PIXELS: u32 = 8;
/// What ends so near to the edge may be cut off with it, in pt: 1 mm, which a knife may miss.
const NEAR_EDGE_PT: f64 = 72.0 / 25.4;
/// A filled area is a line where it is so much longer than it is wide.
const LINE_RATIO: f64 = 20.0;

/// What was found on one page, at the size that it has in its file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PageMeasures {
    /// The resolution of the coarsest picture, in dpi.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dpi: Option<f32>,
    /// The thinnest line, in pt; 0 is as thin as a device draws (ISO 32000-1, 8.4.3.2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_pt: Option<f32>,
    /// The smallest words, in pt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_pt: Option<f32>,
    /// The most ink that a colour asks for: 3.2 is 320 %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ink: Option<f32>,
    /// White words or areas that overprint: they leave no trace (ISO 32000-1, 8.6.7).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost_white: bool,
    /// Something but paper reaches the edge of the finished page.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reaches_edge: bool,
    /// There was more than is looked at.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
}

/// Measures the pages of a file, in their order.
pub(super) fn measure(pdf: &Pdf) -> Vec<PageMeasures> {
    let mut bounds = Bounds { operators: MOST_OPERATORS, pixels: MOST_PIXELS, inks: HashMap::new() };
    pdf.pages().iter().map(|page| measured(page, &mut bounds)).collect()
}

fn measured(page: &Page, bounds: &mut Bounds) -> PageMeasures {
    let shown = page.intersected_crop_box();
    let trim = page.raw().get::<object::Rect>("TrimBox").filter(|trim| is_inside(trim, &shown));
    let trim = trim.unwrap_or(shown);
    let trim = Rect::new(trim.x0, trim.y0, trim.x1, trim.y1);
    let mut walk = Walk {
        trim,
        unit: unit_of(page),
        bounds,
        state: State::of(trim),
        saved: Vec::new(),
        path: None,
        clips: false,
        line_matrix: Affine::IDENTITY,
        found: PageMeasures::default(),
    };
    walk.follow(page.typed_operations(), page.resources(), 0);
    walk.found
}

/// What is still looked at in a file.
struct Bounds {
    operators: usize,
    pixels: usize,
    /// Pictures whose inks are known.
    inks: HashMap<ObjectIdentifier, Option<f32>>,
}

/// The graphics state, as far as it matters here (ISO 32000-1, 8.4).
#[derive(Clone)]
struct State {
    matrix: Affine,
    /// Around everything that is seen.
    clip: Rect,
    fill: Tone,
    stroke: Tone,
    line: f64,
    leading: f64,
    size: f64,
    /// Words of a Type 3 font are as large as its drawings are.
    is_drawn_font: bool,
    mode: i32,
    overprints: bool,
    keeps_zero: bool,
}

impl State {
    fn of(clip: Rect) -> Self {
        Self {
            matrix: Affine::IDENTITY,
            clip,
            fill: Tone::BLACK,
            stroke: Tone::BLACK,
            line: 1.0,
            leading: 0.0,
            size: 0.0,
            is_drawn_font: false,
            mode: 0,
            overprints: false,
            keeps_zero: false,
        }
    }
}

struct Walk<'b> {
    /// The finished page.
    trim: Rect,
    /// Points of a unit.
    unit: f64,
    bounds: &'b mut Bounds,
    state: State,
    saved: Vec<State>,
    /// Around the path under construction.
    path: Option<Rect>,
    /// Whether the path becomes a clip.
    clips: bool,
    line_matrix: Affine,
    found: PageMeasures,
}

impl Walk<'_> {
    fn follow(&mut self, mut operators: TypedIter, resources: &Resources, depth: usize) {
        while let Some(operator) = operators.next() {
            let Some(left) = self.bounds.operators.checked_sub(1) else {
                self.found.is_cut = true;
                return;
            };
            self.bounds.operators = left;
            self.one(&operator, resources, depth);
        }
    }

    fn one(&mut self, operator: &Op, resources: &Resources, depth: usize) {
        let n = |number: &Number| number.as_f64();
        match operator {
            Op::SaveState(_) if self.saved.len() < MOST_SAVED => self.saved.push(self.state.clone()),
            Op::RestoreState(_) => {
                if let Some(state) = self.saved.pop() {
                    self.state = state;
                }
            }
            Op::Transform(it) => {
                self.state.matrix *= Affine::new([&it.0, &it.1, &it.2, &it.3, &it.4, &it.5].map(n));
            }
            Op::LineWidth(it) => self.state.line = n(&it.0),
            Op::SetGraphicsState(it) => {
                if let Some(dict) = resources.get_ext_g_state(it.0) {
                    self.set(&dict);
                }
            }

            Op::MoveTo(it) => self.point(n(&it.0), n(&it.1)),
            Op::LineTo(it) => self.point(n(&it.0), n(&it.1)),
            Op::CubicTo(it) => self.points(&[[&it.0, &it.1], [&it.2, &it.3], [&it.4, &it.5]]),
            Op::CubicStartTo(it) => self.points(&[[&it.0, &it.1], [&it.2, &it.3]]),
            Op::CubicEndTo(it) => self.points(&[[&it.0, &it.1], [&it.2, &it.3]]),
            Op::RectPath(it) => {
                let (x, y, width, height) = (n(&it.0), n(&it.1), n(&it.2), n(&it.3));
                for (x, y) in [(x, y), (x + width, y), (x, y + height), (x + width, y + height)] {
                    self.point(x, y);
                }
            }
            Op::ClipNonZero(_) | Op::ClipEvenOdd(_) => self.clips = true,
            Op::EndPath(_) => self.end(false, false),
            Op::StrokePath(_) | Op::CloseAndStrokePath(_) => self.end(false, true),
            Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => {
                self.end(true, false);
            }
            Op::FillAndStrokeNonZero(_)
            | Op::FillAndStrokeEvenOdd(_)
            | Op::CloseFillAndStrokeNonZero(_)
            | Op::CloseFillAndStrokeEvenOdd(_) => self.end(true, true),

            Op::ColorSpaceNonStroke(it) => self.state.fill = Tone::first(space_of(it.0, resources)),
            Op::ColorSpaceStroke(it) => self.state.stroke = Tone::first(space_of(it.0, resources)),
            Op::NonStrokeColor(it) => self.state.fill = self.state.fill.with(&it.0),
            Op::StrokeColor(it) => self.state.stroke = self.state.stroke.with(&it.0),
            Op::NonStrokeColorNamed(it) => self.state.fill = self.state.fill.with(&it.0),
            Op::StrokeColorNamed(it) => self.state.stroke = self.state.stroke.with(&it.0),
            Op::NonStrokeColorDeviceGray(it) => self.state.fill = Tone::of(Space::Grey, &[n(&it.0)]),
            Op::StrokeColorDeviceGray(it) => self.state.stroke = Tone::of(Space::Grey, &[n(&it.0)]),
            Op::NonStrokeColorDeviceRgb(it) => {
                self.state.fill = Tone::of(Space::Light, &[&it.0, &it.1, &it.2].map(n));
            }
            Op::StrokeColorDeviceRgb(it) => {
                self.state.stroke = Tone::of(Space::Light, &[&it.0, &it.1, &it.2].map(n));
            }
            Op::NonStrokeColorCmyk(it) => {
                self.state.fill = Tone::of(Space::Inks, &[&it.0, &it.1, &it.2, &it.3].map(n));
            }
            Op::StrokeColorCmyk(it) => {
                self.state.stroke = Tone::of(Space::Inks, &[&it.0, &it.1, &it.2, &it.3].map(n));
            }

            Op::Shading(_) => self.paint(self.state.clip, Tone::UNKNOWN),
            Op::InlineImage(it) => self.picture(it.0, resources),
            Op::XObject(it) => {
                if let Some(stream) = resources.get_x_object(it.0) {
                    match stream.dict().get::<Name>(SUBTYPE).as_deref() {
                        Some(b"Image") => self.picture(&stream, resources),
                        Some(b"Form") => self.form(&stream, resources, depth),
                        _ => {}
                    }
                }
            }
            _ => self.words(operator, resources),
        }
    }

    /// Operators of words (ISO 32000-1, 9.4).
    fn words(&mut self, operator: &Op, resources: &Resources) {
        let n = |number: &Number| number.as_f64();
        match operator {
            Op::BeginText(_) => self.line_matrix = Affine::IDENTITY,
            Op::TextFont(it) => {
                let font = resources.get_font(it.0);
                self.font(font.as_ref(), n(&it.1));
            }
            Op::TextLeading(it) => self.state.leading = n(&it.0),
            Op::TextRenderingMode(it) => self.state.mode = it.0.as_f64() as i32,
            Op::NextLine(it) => self.next_line(n(&it.0), n(&it.1)),
            Op::NextLineAndSetLeading(it) => {
                self.state.leading = -n(&it.1);
                self.next_line(n(&it.0), n(&it.1));
            }
            Op::SetTextMatrix(it) => {
                self.line_matrix = Affine::new([&it.0, &it.1, &it.2, &it.3, &it.4, &it.5].map(n));
            }
            Op::NextLineUsingLeading(_) => self.next_line(0.0, -self.state.leading),
            Op::ShowText(it) => self.show(has_letters(it.0)),
            Op::NextLineAndShowText(it) => {
                self.next_line(0.0, -self.state.leading);
                self.show(has_letters(it.0));
            }
            Op::ShowTextWithParameters(it) => {
                self.next_line(0.0, -self.state.leading);
                self.show(has_letters(it.2));
            }
            Op::ShowTexts(it) => self.show(it.0.iter::<object::String>().any(|it| has_letters(&it))),
            _ => {}
        }
    }

    /// Parameters that a graphics state sets (ISO 32000-1, 8.4.5).
    fn set(&mut self, dict: &Dict) {
        if let Some(width) = dict.get::<f64>("LW") {
            self.state.line = width;
        }
        if let Some(font) = dict.get::<Array>("Font") {
            let mut parts = font.flex_iter();
            if let (Some(font), Some(size)) = (parts.next::<Dict>(), parts.next::<f64>()) {
                self.font(Some(&font), size);
            }
        }
        let overprints = dict.get::<bool>("op").or_else(|| dict.get::<bool>("OP"));
        self.state.overprints = overprints.unwrap_or(self.state.overprints);
        self.state.keeps_zero = dict.get::<i32>("OPM").map_or(self.state.keeps_zero, |mode| mode == 1);
    }

    fn font(&mut self, font: Option<&Dict>, size: f64) {
        self.state.size = size;
        self.state.is_drawn_font =
            font.is_none_or(|font| font.get::<Name>(SUBTYPE).as_deref() == Some(b"Type3"));
    }

    fn point(&mut self, x: f64, y: f64) {
        let at = self.state.matrix * Point::new(x, y);
        self.path = Some(self.path.map_or(Rect::from_points(at, at), |path| path.union_pt(at)));
    }

    fn points(&mut self, points: &[[&Number; 2]]) {
        for [x, y] in points {
            self.point(x.as_f64(), y.as_f64());
        }
    }

    /// Ends a path: it is painted, or cuts off what follows.
    fn end(&mut self, fills: bool, strokes: bool) {
        let clips = std::mem::take(&mut self.clips);
        let Some(path) = self.path.take() else { return };
        if fills {
            self.paint(path, self.state.fill);
            let (thin, long) = sorted(path.width(), path.height());
            if long > thin * LINE_RATIO && self.is_seen(path) {
                self.found.line_pt = least(self.found.line_pt, thin * self.unit);
            }
        }
        if strokes {
            let width = self.state.line.abs() * self.state.matrix.determinant().abs().sqrt();
            let around = path.inflate(width / 2.0, width / 2.0);
            self.paint(around, self.state.stroke);
            if self.is_seen(around) {
                self.found.line_pt = least(self.found.line_pt, width * self.unit);
            }
        }
        if clips {
            self.state.clip = self.state.clip.intersect(path);
        }
    }

    /// Whether something of an area is on the finished page.
    fn is_seen(&self, area: Rect) -> bool {
        let seen = self.state.clip;
        area.x0 <= seen.x1
            && area.x1 >= seen.x0
            && area.y0 <= seen.y1
            && area.y1 >= seen.y0
            && seen.width() > 0.0
            && seen.height() > 0.0
    }

    fn paint(&mut self, area: Rect, tone: Tone) {
        if !self.is_seen(area) {
            return;
        }
        if tone.ink > 0.0 {
            self.found.ink = most(self.found.ink, tone.ink);
        }
        if tone.is_white {
            self.lose(tone);
            return;
        }
        let seen = area.intersect(self.state.clip);
        let inner = self.trim.inset(-NEAR_EDGE_PT / self.unit);
        self.found.reaches_edge |=
            seen.x0 < inner.x0 || seen.y0 < inner.y0 || seen.x1 > inner.x1 || seen.y1 > inner.y1;
    }

    /// White that overprints lays no ink and takes none away.
    fn lose(&mut self, tone: Tone) {
        let is_lost = self.state.overprints && self.state.keeps_zero && tone.space == Space::Inks;
        self.found.lost_white |= is_lost && tone.is_white;
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.line_matrix *= Affine::translate(Vec2::new(x, y));
    }

    fn show(&mut self, has_letters: bool) {
        // neither filled nor stroked: a scan's words, which are searched for (ISO 32000-1, 9.3.6)
        if !has_letters || self.state.is_drawn_font || matches!(self.state.mode, 3 | 7) {
            return;
        }
        let matrix = self.state.matrix * self.line_matrix;
        let origin = matrix * Point::ZERO;
        let size = (matrix * Point::new(0.0, self.state.size) - origin).hypot() * self.unit;
        if self.state.clip.contains(origin) && size > 0.0 {
            self.found.text_pt = least(self.found.text_pt, size);
            self.lose(self.state.fill);
            if self.state.fill.ink > 0.0 {
                self.found.ink = most(self.found.ink, self.state.fill.ink);
            }
        }
    }

    fn picture(&mut self, image: &Stream, resources: &Resources) {
        let dict = image.dict();
        let side = |long: &str, short: &str| dict.get::<u32>(long).or_else(|| dict.get::<u32>(short));
        let (Some(width), Some(height)) = (side("Width", "W"), side("Height", "H")) else { return };
        let matrix = self.state.matrix;
        let area = matrix.transform_rect_bbox(Rect::new(0.0, 0.0, 1.0, 1.0));
        if !self.is_seen(area) {
            return;
        }
        let is_mask = dict.get::<bool>("ImageMask").or_else(|| dict.get::<bool>("IM")).unwrap_or(false);
        self.paint(area, if is_mask { self.state.fill } else { Tone::UNKNOWN });
        if width.min(height) >= LEAST_PIXELS {
            let [a, b, c, d, ..] = matrix.as_coeffs();
            let inches = |x: f64, y: f64| x.hypot(y) * self.unit / 72.0;
            let dpi = (f64::from(width) / inches(a, b)).min(f64::from(height) / inches(c, d));
            self.found.dpi = least(self.found.dpi, dpi);
        }
        let pixels = width as usize * height as usize;
        let id = image.obj_id();
        let ink = match self.bounds.inks.get(&id) {
            Some(known) => *known,
            None if is_mask => None,
            None => {
                let left = self.bounds.pixels.checked_sub(pixels);
                let ink = left.and_then(|_| most_ink(image, resources, (width, height)));
                // only those that were decoded count
                if let (Some(left), Some(_)) = (left, ink) {
                    self.bounds.pixels = left;
                }
                self.bounds.inks.insert(id, ink);
                ink
            }
        };
        if let Some(ink) = ink {
            self.found.ink = most(self.found.ink, f64::from(ink));
        }
    }

    fn form(&mut self, form: &Stream, resources: &Resources, depth: usize) {
        let Ok(content) = form.decoded() else { return };
        let weight = content.len() / BYTES_OF_AN_OPERATOR;
        let (Some(left), true) = (self.bounds.operators.checked_sub(weight), depth < MOST_DEPTH) else {
            self.found.is_cut = true;
            return;
        };
        self.bounds.operators = left;
        let dict = form.dict();
        let (before, saved) = (self.state.clone(), std::mem::take(&mut self.saved));
        let (path, line_matrix) = (self.path.take(), self.line_matrix);
        let numbers: Vec<f64> =
            dict.get::<Array>("Matrix").map(|it| it.iter::<f64>().take(6).collect()).unwrap_or_default();
        if let Ok(matrix) = <[f64; 6]>::try_from(numbers) {
            self.state.matrix *= Affine::new(matrix);
        }
        if let Some(it) = dict.get::<object::Rect>("BBox") {
            let area = self.state.matrix.transform_rect_bbox(Rect::new(it.x0, it.y0, it.x1, it.y1));
            self.state.clip = self.state.clip.intersect(area);
        }
        let own = dict.get::<Dict>("Resources").unwrap_or_default();
        self.follow(TypedIter::new(&content), &Resources::from_parent(own, resources.clone()), depth + 1);
        (self.state, self.saved, self.path, self.line_matrix) = (before, saved, path, line_matrix);
    }
}

fn has_letters(text: &object::String) -> bool {
    text.as_bytes().iter().any(|byte| !matches!(byte, 0 | b' '))
}

fn sorted(one: f64, other: f64) -> (f64, f64) {
    if one < other { (one, other) } else { (other, one) }
}

fn least(known: Option<f32>, value: f64) -> Option<f32> {
    if !value.is_finite() {
        return known;
    }
    Some(known.map_or(value as f32, |known| known.min(value as f32)))
}

fn most(known: Option<f32>, value: f64) -> Option<f32> {
    Some(known.map_or(value as f32, |known| known.max(value as f32)))
}
