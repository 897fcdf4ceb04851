//! Which part of a photo a frame shows: around its faces, or else around what it is about.

use super::PhotoInput;
use crate::document::{Crop, Document, PhotoFrame, Rect, Trim};
use crate::faces::{self, Face, GROUP, PROMINENT, Seen, Span, around, seen, window};

/// How far faces stay from where the knife cuts, in mm: it may be off by as much as one.
const TRIM_MM: f64 = 2.0;
/// How far faces stay from the fold, in mm: so much of a page's inner edge bends away in a thick book.
const FOLD_MM: f64 = 6.0;
/// From the middle of an oval to where it is nearest to its box's corners, in parts of the box.
const OVAL: f64 = std::f64::consts::FRAC_1_SQRT_2 / 2.0;
/// How much larger a frame a photo of people deserves than its pixels say.
const PEOPLE: f64 = 1.6;
/// How far from the middle of their photo people stand who have room before them, by its width.
const OFF_MIDDLE: f64 = 0.12;
/// What is held against a photo of which a face would be cut: any other way is better.
const FACE_CUT: f64 = 8.0;
/// What is held against cutting into a group portrait, by the square of what is cut off.
const GROUP_CUT: f64 = 12.0;

impl PhotoInput {
    /// Whether people are what it is about.
    pub(super) fn shows_people(&self) -> bool {
        self.faces.iter().any(|face| face.area.height >= PROMINENT)
    }

    /// On which side there is room before the people in it, which is where they look: 1 on the right, -1 on the left; nothing
    /// where they stand in the middle, or nobody does.
    pub(super) fn room_before(&self) -> Option<f64> {
        let people = self.faces.iter().filter(|face| face.area.height >= PROMINENT).map(|face| face.area);
        let all = around(people)?;
        let off = 0.5 - (all.x + all.width / 2.0);
        (off.abs() > OFF_MIDDLE).then_some(off.signum())
    }

    /// How large a frame it deserves among others.
    pub(super) fn weight(&self) -> f64 {
        self.pixels().sqrt() * if self.shows_people() { PEOPLE } else { 1.0 }
    }
}

/// The parts of a frame that go with the trim, or lie too near to it for a face.
struct Insets {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Insets {
    fn of(frame: Rect, trim: Trim) -> Self {
        let over = |beyond: f64, near: f64, length: f64| {
            if beyond > 0.0 { ((beyond + near) / length).min(0.45) } else { 0.0 }
        };
        // either side may be the inner one
        Self {
            left: over(-frame.x, FOLD_MM, frame.width),
            top: over(-frame.y, TRIM_MM, frame.height),
            right: over(frame.x + frame.width - trim.width, FOLD_MM, frame.width),
            bottom: over(frame.y + frame.height - trim.height, TRIM_MM, frame.height),
        }
    }

    /// What is left of a crop.
    fn within(&self, crop: &Crop) -> Crop {
        Crop {
            x: crop.x + crop.width * self.left,
            y: crop.y + crop.height * self.top,
            width: crop.width * (1.0 - self.left - self.right),
            height: crop.height * (1.0 - self.top - self.bottom),
        }
    }
}

/// How much of a photo fills a frame, in its middle.
pub(super) fn filling(photo: &PhotoInput, frame: Rect) -> Crop {
    let crop = Crop::fill(photo.aspect(), frame.aspect());
    // Rounding frames to hundredths must not make a hair's crop of a whole photo.
    if crop.area() > 0.999 { Crop::WHOLE } else { crop }
}

/// The part of a photo shown in a frame on a page: with every face whole where that can be, otherwise with the largest.
/// Without faces it lies around what the photo is about, where that is known, and else so that its upper third is the
/// photo's: that is where people stand.
pub fn crop(photo: &PhotoInput, frame: Rect, trim: Trim) -> Crop {
    let mut crop = filling(photo, frame);
    if crop == Crop::WHOLE {
        return crop;
    }
    let beside = |size: f64, middle: f64, ahead: f64| (middle - size * ahead).clamp(0.0, 1.0 - size);
    let is_low = crop.height < 1.0;
    match around(photo.faces.iter().map(Face::head)).or(photo.subject) {
        // a little more of what is below it than of what is above it
        Some(area) if is_low => crop.y = beside(crop.height, area.y + area.height / 2.0, 0.45),
        Some(area) => crop.x = beside(crop.width, area.x + area.width / 2.0, 0.5),
        None if is_low => crop.y = (1.0 - crop.height) / 3.0,
        None => {}
    }
    if !photo.faces.is_empty() {
        let insets = Insets::of(frame, trim);
        let along = |part: &Crop| match is_low {
            true => Span { from: part.y, size: part.height },
            false => Span { from: part.x, size: part.width },
        };
        let spans: Vec<(Span, Span)> =
            photo.faces.iter().map(|face| (along(&face.head()), along(&face.area))).collect();
        if is_low {
            let lost = (insets.top * crop.height, insets.bottom * crop.height);
            crop.y = window(&spans, crop.height, lost, crop.y);
        } else {
            let lost = (insets.left * crop.width, insets.right * crop.width);
            crop.x = window(&spans, crop.width, lost, crop.x);
        }
    }
    crop
}

/// Whether every face of a photo is whole in a frame on a page, and clear of the trim and of `covered`, a part of that page.
pub(super) fn keeps_faces(
    photo: &PhotoInput,
    frame: Rect,
    shown: &Crop,
    trim: Trim,
    covered: Option<Rect>,
) -> bool {
    let clear = Insets::of(frame, trim).within(shown);
    let hidden = covered.map(|covered| in_photo(frame, shown, covered));
    photo.faces.iter().all(|face| {
        seen(&face.area, &clear) == Seen::Whole
            && hidden.is_none_or(|hidden| seen(&face.area, &hidden) == Seen::Outside)
    })
}

/// The part of a photo, of which `shown` is seen in a frame, that lies in an area of the page.
fn in_photo(frame: Rect, shown: &Crop, area: Rect) -> Crop {
    Crop {
        x: shown.x + shown.width * (area.x - frame.x) / frame.width,
        y: shown.y + shown.height * (area.y - frame.y) / frame.height,
        width: shown.width * area.width / frame.width,
        height: shown.height * area.height / frame.height,
    }
}

/// Whether the fold, at a part of a photo's width, runs through no face when the photo is so wide in mm.
pub(super) fn is_clear_of_fold(photo: &PhotoInput, at: f64, width_mm: f64) -> bool {
    let near = FOLD_MM / width_mm;
    photo.faces.iter().all(|face| face.area.x > at + near || face.area.x + face.area.width < at - near)
}

/// What is held against what a frame does to a photo's people.
pub(super) fn cost(photo: &PhotoInput, frame: Rect, shown: &Crop, trim: Trim) -> f64 {
    if photo.faces.is_empty() {
        return 0.0;
    }
    let cut = 1.0 - shown.area();
    let group = if photo.faces.len() >= GROUP { GROUP_CUT * cut * cut } else { 0.0 };
    group + if keeps_faces(photo, frame, shown, trim, None) { 0.0 } else { FACE_CUT }
}

/// Whether a photo's mask runs through a face, which is an oval in its box.
fn is_behind(PhotoFrame { frame, crop, mask, .. }: &PhotoFrame, face: &Crop) -> bool {
    let Some(mask) = mask else { return false };
    let at = |right: f64, down: f64| {
        let (x, y) = (face.x + face.width * right, face.y + face.height * down);
        ((x - crop.x) / crop.width * frame.width, (y - crop.y) / crop.height * frame.height)
    };
    let [near, far] = [0.5 - OVAL, 0.5 + OVAL];
    let points = [at(near, near), at(far, near), at(far, far), at(near, far)];
    let shown = points.iter().filter(|point| mask.shows(**point, (frame.width, frame.height))).count();
    (1..points.len()).contains(&shown)
}

/// What a page does to a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaceLoss {
    /// An edge of the frame or the knife runs through it.
    Cut,
    /// It lies in the fold.
    InFold,
}

/// What becomes of the faces of a photo in its frame, each kind once: `index` is the page, counted from 0, of a bound book
/// (`None` where nothing is folded: the cover, a calendar). Faces that are left out whole are nobody's loss.
pub fn lost_faces(
    document: &Document,
    index: Option<usize>,
    frame: &PhotoFrame,
    faces: &[Face],
) -> Vec<FaceLoss> {
    let Trim { width, height } = document.trim;
    let (place, shown) = (&frame.frame, &frame.crop);
    // where turned, only what the crop does is certain
    let is_turned = frame.common.rotation != 0.0;
    let half = index.is_some_and(|index| super::is_half(document, index));
    // the inner edge: even pages, counted from 0, are right-hand ones
    let inner_left = index.is_some_and(|index| index.is_multiple_of(2));
    let (left, top) = (place.x.max(0.0), place.y.max(0.0));
    let right = (place.x + place.width).min(width);
    let bottom = (place.y + place.height).min(height);
    let on_page = Rect { x: left, y: top, width: (right - left).max(0.0), height: (bottom - top).max(0.0) };
    let visible = if is_turned { *shown } else { in_photo(*place, shown, on_page) };
    let mut lost = Vec::new();
    for face in faces.iter().map(|face| face.area) {
        let loss = match faces::seen(&face, &visible) {
            Seen::Whole | Seen::Cut if is_behind(frame, &face) => Some(FaceLoss::Cut),
            Seen::Whole | Seen::Outside if is_turned => None,
            Seen::Outside => None,
            Seen::Cut => {
                // the other half shows the rest: what matters is the fold between
                let across = half
                    && faces::seen(
                        &Crop { x: 0.0, width: 1.0, ..face },
                        &Crop { x: 0.0, width: 1.0, ..visible },
                    ) == Seen::Whole;
                Some(if across { FaceLoss::InFold } else { FaceLoss::Cut })
            }
            Seen::Whole => {
                let from = place.x + place.width * (face.x - shown.x) / shown.width;
                let to = from + place.width * face.width / shown.width;
                let is_near = match inner_left {
                    true => from < FOLD_MM,
                    false => to > width - FOLD_MM,
                };
                (index.is_some() && is_near).then_some(FaceLoss::InFold)
            }
        };
        if let Some(loss) = loss
            && !lost.contains(&loss)
        {
            lost.push(loss);
        }
    }
    lost
}
