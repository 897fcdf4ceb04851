//! Fits photos into a template: from a division and the photos' shapes to frames in millimetres.
//!
//! In a row of photos that share one height, the width is a linear function of that height, and the same
//! holds for columns and for rows of columns: `width = slope × height + offset`. So a block of photos fits
//! its place exactly, at the photos' own shapes, and nothing has to be cut. Where a block should fill a place
//! of another shape, all its photos are made a little wider or taller by one common factor.

use super::faces::{self, crop};
use super::template::{Placing, Template, Tree, templates_for};
use super::{MAX_PER_PAGE, PhotoInput};
use crate::document::{BLEED_MM, Crop, Element, Page, PhotoFrame, Rect, SAFE_MM, TextBlock, TextRole, Trim};
use crate::resolution::{LEAST_DPI, is_coarse};

/// How far a photo's shape may be changed to fill a page to its edges; 0.82 keeps the frames' rounding to
/// hundredths of a millimetre well above the least visible area.
const STRETCH_BLEED: f64 = 0.82;
/// The same where a member chooses the template and sees what is cut.
const STRETCH_BY_HAND: f64 = 0.6;
/// How far it may be changed inside margins, where the paper takes up the difference just as well.
const STRETCH_MARGINS: f64 = 0.92;
/// A frame lower or narrower than this is hard to see anything in, in mm.
const SMALL_MM: f64 = 28.0;
/// A frame lower or narrower than this keeps its exact shape, which rounding would distort, in mm.
const THIN_MM: f64 = 10.0;

/// How far photos and words stay from the edges of a page where they do not run over them, in mm.
pub fn margin_of(trim: Trim) -> f64 {
    (trim.width.min(trim.height) * 0.075).clamp(SAFE_MM + 1.0, 20.0)
}

/// A page's measures, in mm.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sheet {
    pub trim: Trim,
    margin: f64,
    quiet_margin: f64,
    gap: f64,
    /// The height kept for a caption under the photos, its distance included; 0 without captions.
    strip: f64,
    /// How far a photo's shape may be changed to fill a page to its edges.
    stretch: f64,
}

impl Sheet {
    pub fn new(trim: Trim, captions: bool) -> Self {
        let short = trim.width.min(trim.height);
        Self {
            trim,
            margin: margin_of(trim),
            quiet_margin: (short * 0.17).clamp(SAFE_MM + 3.0, 55.0),
            gap: (short * 0.016).clamp(2.0, 4.0),
            strip: if captions { CAPTION_GAP + CAPTION_HEIGHT } else { 0.0 },
            stretch: STRETCH_BLEED,
        }
    }

    /// The same page with so much between photos, in mm.
    pub fn with_gap(self, gap: f64) -> Self {
        Self { gap, ..self }
    }

    /// What is between photos, in mm.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// The page of a member who looks at what a template cuts off.
    pub fn by_hand(self) -> Self {
        Self { stretch: STRETCH_BY_HAND, ..self }
    }
}

/// The part of a page's width that is kept for words beside photos.
const ASIDE_SHARE: f64 = 0.34;
/// Between photos and the words beside them, in mm.
const ASIDE_GAP: f64 = 6.0;
/// Between a photo and its caption, in mm.
const CAPTION_GAP: f64 = 2.5;
/// Two lines of caption, in mm.
const CAPTION_HEIGHT: f64 = 9.0;

/// Photos in frames on one page.
#[derive(Debug, Clone)]
pub(super) struct Fitted {
    /// One for each photo, in their order. The second is used only for as many as there are photos.
    frames: [Rect; MAX_PER_PAGE],
    caption: Option<(Rect, TextRole)>,
    /// What is held against it; the lowest is the best.
    pub cost: f64,
    /// Whether a photo would be [coarse](is_coarse).
    pub is_coarse: bool,
    /// The part of the page that photos cover, 0 to 1.
    pub filled: f64,
}

/// `width = slope × height + offset` of a part of the block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub slope: f64,
    pub offset: f64,
}

impl Line {
    /// How wide it is at a height, in mm.
    pub fn width_at(&self, height: f64) -> f64 {
        self.slope * height + self.offset
    }

    /// How high it is at a width, in mm.
    pub fn height_at(&self, width: f64) -> f64 {
        (width - self.offset) / self.slope
    }
}

pub(super) struct Block<'a> {
    pub photos: &'a [&'a PhotoInput],
    pub gap: f64,
    /// The common factor on the photos' aspect ratios.
    pub stretch: f64,
}

impl Block<'_> {
    fn aspect(&self, photo: &PhotoInput) -> f64 {
        if photo.is_panorama() { photo.aspect() } else { photo.aspect() * self.stretch }
    }

    /// The whole block's.
    pub fn line(&self, tree: &Tree) -> Line {
        self.line_from(tree, &mut 0)
    }

    /// Of a part that begins with the photo `next`, which then is the one behind it.
    fn line_from(&self, tree: &Tree, next: &mut usize) -> Line {
        match tree {
            Tree::Photo => {
                let photo = self.photos[*next];
                *next += 1;
                Line { slope: self.aspect(photo), offset: 0.0 }
            }
            Tree::Row(parts) => {
                let gaps = self.gap * (parts.len() - 1) as f64;
                parts.iter().fold(Line { slope: 0.0, offset: gaps }, |sum, part| {
                    let line = self.line_from(part, next);
                    Line { slope: sum.slope + line.slope, offset: sum.offset + line.offset }
                })
            }
            Tree::Column(parts) => {
                let gaps = self.gap * (parts.len() - 1) as f64;
                let (inverse, shift) = parts.iter().fold((0.0, -gaps), |(inverse, shift), part| {
                    let line = self.line_from(part, next);
                    (inverse + 1.0 / line.slope, shift + line.offset / line.slope)
                });
                Line { slope: 1.0 / inverse, offset: shift / inverse }
            }
        }
    }

    /// Where its photos stand when it stands there.
    pub fn place(&self, tree: &Tree, at: Rect) -> [Rect; MAX_PER_PAGE] {
        let mut frames = [Rect { x: 0.0, y: 0.0, width: 0.0, height: 0.0 }; MAX_PER_PAGE];
        self.place_from(tree, &mut 0, at, &mut frames);
        frames
    }

    fn place_from(&self, tree: &Tree, next: &mut usize, at: Rect, frames: &mut [Rect; MAX_PER_PAGE]) {
        let (mut x, mut y) = (at.x, at.y);
        match tree {
            Tree::Photo => {
                frames[*next] = at;
                *next += 1;
            }
            Tree::Row(parts) => {
                for part in *parts {
                    let line = self.line_from(part, &mut next.clone());
                    let width = line.width_at(at.height);
                    self.place_from(part, next, Rect { x, width, ..at }, frames);
                    x += width + self.gap;
                }
            }
            Tree::Column(parts) => {
                for part in *parts {
                    let line = self.line_from(part, &mut next.clone());
                    let height = line.height_at(at.width);
                    self.place_from(part, next, Rect { y, height, ..at }, frames);
                    y += height + self.gap;
                }
            }
        }
    }

    /// Chooses the stretch, no further than `limit` (below 1) from the photos' own shapes, with which the block
    /// comes nearest to filling `width` × `height`; the block's width grows with it. Answers how much wider it then is, as a
    /// part of the width.
    pub fn stretch_to(&mut self, tree: &Tree, width: f64, height: f64, limit: f64) -> f64 {
        let mut off = |stretch: f64| {
            self.stretch = stretch;
            self.line(tree).width_at(height) / width - 1.0
        };
        let (mut low, mut high) = (limit, 1.0 / limit);
        let mut over = off(high);
        if over <= 0.0 {
            return over;
        }
        let mut under = off(low);
        if under >= 0.0 {
            return under;
        }
        // The width is a linear function of the stretch, so the first step comes to the end of it, unless panoramas stand in
        // the block, which keep their shape.
        let mut left = under;
        for _ in 0..24 {
            let between = low - under * (high - low) / (over - under);
            left = off(between);
            if left.abs() < 1e-9 {
                break;
            }
            (low, under, high, over) =
                if left < 0.0 { (between, left, high, over) } else { (low, under, between, left) };
        }
        left
    }
}

/// Fits `photos` (as many as the template takes) on a right-hand page; nothing when the template does not suit
/// their shapes.
pub(super) fn fit(template: &Template, photos: &[&PhotoInput], sheet: &Sheet) -> Option<Fitted> {
    let Trim { width: page_width, height: page_height } = sheet.trim;
    let full = sheet.trim.with_bleed();
    let tree = template.tree();
    let mut block = Block { photos, gap: sheet.gap, stretch: 1.0 };
    let bottom = page_height - sheet.margin - sheet.strip;

    let at = match template.placing {
        Placing::Bleed => {
            let off = block.stretch_to(tree, full.width, full.height, sheet.stretch);
            (off.abs() <= 1e-4).then_some(full)?
        }
        Placing::BleedTop | Placing::BleedBottom => {
            let most = bottom + BLEED_MM;
            let own = block.line(tree);
            if own.height_at(full.width) > most {
                block.stretch_to(tree, full.width, most, sheet.stretch);
            }
            let line = block.line(tree);
            let height = line.height_at(full.width);
            let range = page_height * 0.5..=most + 0.01;
            let y =
                if template.placing == Placing::BleedTop { full.y } else { page_height + BLEED_MM - height };
            range.contains(&height).then_some(Rect { y, height, ..full })?
        }
        Placing::BleedOuter => {
            let line = block.line(tree);
            let width = line.width_at(full.height);
            let range = page_width * 0.45..=page_width * 0.82;
            range.contains(&width).then_some(Rect { x: page_width + BLEED_MM - width, width, ..full })?
        }
        Placing::BleedAcross => {
            let line = block.line(tree);
            let height = line.height_at(full.width);
            let free = bottom - sheet.margin - height;
            // A band that nearly fills the page looks like a mistake.
            (free > page_height * 0.15).then_some(Rect { y: sheet.margin + free * 0.45, height, ..full })?
        }
        Placing::Margins | Placing::Quiet => {
            let margin = if template.placing == Placing::Quiet { sheet.quiet_margin } else { sheet.margin };
            let height = page_height - 2.0 * margin - sheet.strip;
            inside(&mut block, tree, Rect { x: margin, y: margin, width: page_width - 2.0 * margin, height })
        }
        Placing::Aside => {
            let (x, margin) = (page_width * ASIDE_SHARE, sheet.margin);
            let (width, height) = (page_width - margin - x, page_height - 2.0 * margin);
            let at = inside(&mut block, tree, Rect { x, y: margin, width, height });
            // the words stand beside it, so there is nothing to gain from the middle
            let at = Rect { x: page_width - margin - at.width, ..at };
            let room = sheet.strip > 0.0 && at.x - margin - ASIDE_GAP >= 25.0 && at.height >= 25.0;
            room.then_some(at)?
        }
    };

    let frames = block.place(tree, at).map(rounded_photo);
    let used = &frames[..photos.len()];
    let is_coarse = photos.iter().zip(used).any(|(photo, frame)| is_coarse(dpi(photo, *frame)));
    let sliver = || used.len() > 1 && used.iter().any(|frame| frame.width.min(frame.height) < THIN_MM);
    let astray = || used.iter().any(|frame| !ends_well(*frame, sheet.trim));
    if !are_real(used) || (template.placing.bleeds() && (is_coarse || sliver() || astray())) {
        return None;
    }
    let filled =
        used.iter().map(|frame| frame.width * frame.height).sum::<f64>() / (page_width * page_height);
    let bare = if means_paper(template) { 0.0 } else { HALF_EMPTY * (0.5 - filled).max(0.0) };
    let cost = cost(template, photos, used, sheet) + bare + if is_coarse { COARSE } else { 0.0 };
    let caption = caption(template.placing, at, sheet);
    Some(Fitted { frames, caption, cost, is_coarse, filled: filled.min(1.0) })
}

/// What is held against a page that is less than half filled where no one meant it, for each part that is missing.
const HALF_EMPTY: f64 = 3.0;
/// What is held against a photo that prints too coarsely: any other way is better.
const COARSE: f64 = 8.0;

/// Whether a page's paper is meant.
fn means_paper(template: &Template) -> bool {
    matches!(template.placing, Placing::Quiet | Placing::Aside)
}

/// Photos in one block inside a sheet's margins, in the division that suits them best.
pub(super) fn best_block(photos: &[&PhotoInput], sheet: &Sheet) -> Option<Vec<Element>> {
    let fitting = templates_for(photos.len())
        .iter()
        .filter(|template| template.placing == Placing::Margins)
        .filter_map(|template| Some((template, fit(template, photos, sheet)?)));
    let (template, best) = fitting.min_by(|one, other| one.1.cost.total_cmp(&other.1.cost))?;
    (!best.is_coarse).then(|| best.page(template.placing, photos, sheet, true).elements)
}

/// The block's place inside a box: as large as it can be, smaller where a photo would print too coarsely,
/// and a little above the middle.
pub(super) fn inside(block: &mut Block, tree: &Tree, space: Rect) -> Rect {
    if block.photos.len() > 1
        && block.stretch_to(tree, space.width, space.height, STRETCH_MARGINS).abs() > 1e-3
    {
        // It can't fill the space: then nothing is cut.
        block.stretch = 1.0;
    }
    let line = block.line(tree);
    let mut width = space.width.min(line.width_at(space.height));
    let mut height = line.height_at(width);

    let frames = block.place(tree, Rect { width, height, ..space });
    let dpi =
        block.photos.iter().zip(frames).map(|(photo, frame)| dpi(photo, frame)).fold(f64::MAX, f64::min);
    if dpi < LEAST_DPI {
        let smaller = height * (dpi / LEAST_DPI).max(0.3);
        let frames = block.place(tree, Rect { width: line.width_at(smaller), height: smaller, ..space });
        if are_real(&frames[..block.photos.len()]) {
            height = smaller;
            width = line.width_at(height);
        }
    }
    Rect {
        x: space.x + (space.width - width) / 2.0,
        y: space.y + (space.height - height) * 0.45,
        width,
        height,
    }
}

/// Gaps can leave nothing of a frame between photos of very different shapes.
pub(super) fn are_real(frames: &[Rect]) -> bool {
    frames.iter().all(|frame| frame.width > 0.0 && frame.height > 0.0)
}

/// Whether each edge runs through the bleed or stays inside the safe area: beside a sliver at the page's edge a
/// frame can end between.
pub(super) fn ends_well(frame: Rect, trim: Trim) -> bool {
    let right = trim.width - frame.x - frame.width;
    let bottom = trim.height - frame.y - frame.height;
    let good = |edge: f64| edge >= SAFE_MM || (edge + BLEED_MM).abs() < 0.005;
    [frame.x, frame.y, right, bottom].into_iter().all(good)
}

/// The frame for the page's words, and what they are: a caption below the block, above it or on the paper beside it,
/// or a column of text.
fn caption(placing: Placing, block: Rect, sheet: &Sheet) -> Option<(Rect, TextRole)> {
    let Trim { width, height } = sheet.trim;
    if sheet.strip == 0.0 {
        return None;
    }
    let frame = match placing {
        Placing::Bleed => return None,
        Placing::BleedOuter => Rect {
            x: sheet.margin,
            y: height - sheet.margin - 2.0 * CAPTION_HEIGHT,
            width: block.x - 2.0 * sheet.margin,
            height: 2.0 * CAPTION_HEIGHT,
        },
        Placing::Aside => {
            let width = block.x - sheet.margin - ASIDE_GAP;
            let column = Rect { x: sheet.margin, width, ..block };
            return Some((rounded(column), TextRole::Body));
        }
        Placing::BleedBottom => Rect {
            x: sheet.margin,
            y: block.y - CAPTION_GAP - CAPTION_HEIGHT,
            width: width - 2.0 * sheet.margin,
            height: CAPTION_HEIGHT,
        },
        Placing::BleedTop | Placing::BleedAcross => Rect {
            x: sheet.margin,
            y: block.y + block.height + CAPTION_GAP,
            width: width - 2.0 * sheet.margin,
            height: CAPTION_HEIGHT,
        },
        Placing::Margins | Placing::Quiet => {
            let wide = block.width.max(40.0).min(width - 2.0 * sheet.margin);
            Rect {
                x: (width - wide) / 2.0,
                y: block.y + block.height + CAPTION_GAP,
                width: wide,
                height: CAPTION_HEIGHT,
            }
        }
    };
    (frame.width >= 25.0).then_some((rounded(frame), TextRole::Caption))
}

/// What is held against photos in frames: cut edges, unused paper, frames too small for their photo's weight,
/// slivers, and coarse print.
fn cost(template: &Template, photos: &[&PhotoInput], frames: &[Rect], sheet: &Sheet) -> f64 {
    let total: f64 = frames.iter().map(|frame| frame.width * frame.height).sum();
    let unused = 1.0 - (total / (sheet.trim.width * sheet.trim.height)).min(1.0);
    // A wide margin is what a quiet page is for; what is slight already needs no more of it.
    let is_quiet = matches!(template.placing, Placing::Quiet | Placing::Aside)
        && !photos.iter().any(|photo| photo.is_panorama());
    let unused = if is_quiet { unused * 0.6 } else { unused };

    // a left-hand page has it the other way round
    let mirrored: Vec<Rect> = match template.placing.has_outside() {
        true => frames
            .iter()
            .map(|frame| Rect { x: sheet.trim.width - frame.x - frame.width, ..*frame })
            .collect(),
        false => Vec::new(),
    };
    let one = photos_cost(photos, frames, sheet.trim);
    let has_people = photos.iter().any(|photo| !photo.faces.is_empty());
    let other =
        if has_people && !mirrored.is_empty() { photos_cost(photos, &mirrored, sheet.trim) } else { one };
    template.reserve + 0.75 * unused + one.max(other)
}

/// What is held against each of a page's photos in its frame, in the mean: cut edges and people, a frame too small for its
/// weight, slivers, and coarse print.
pub(super) fn photos_cost(photos: &[&PhotoInput], frames: &[Rect], trim: Trim) -> f64 {
    let count = photos.len() as f64;
    let area = |frame: &Rect| frame.width * frame.height;
    let total: f64 = frames.iter().map(area).sum();
    let weights: f64 = photos.iter().map(|photo| photo.weight()).sum();
    let mut sum = 0.0;
    for (photo, frame) in photos.iter().zip(frames) {
        let shown = crop(photo, *frame, trim);
        let cut = 1.0 - shown.area();
        let share = area(frame) / total;
        let weight = photo.weight() / weights;
        let dpi = dpi(photo, *frame);
        // A panorama is a sliver by nature: its longer side counts.
        let side = if photo.is_panorama() {
            frame.width.max(frame.height) / 3.0
        } else {
            frame.width.min(frame.height)
        };
        sum += 4.0 * cut * cut
            + photo.subject.map_or(0.0, |subject| SUBJECT_LOST * lost(&subject, &shown))
            + faces::cost(photo, *frame, &shown, trim) * count
            + 0.5 * (share - weight).abs() * count
            + 2.0 * (1.0 - dpi / LEAST_DPI).max(0.0)
            + 2.0 * (1.0 - side / SMALL_MM).max(0.0);
    }
    sum / count
}

/// What is held against cutting off all that a photo is about.
const SUBJECT_LOST: f64 = 3.0;

/// How much of a subject lies outside the part that is shown, 0 to 1.
fn lost(subject: &Crop, shown: &Crop) -> f64 {
    let overlap = |from: f64, size: f64, other: f64, length: f64| {
        ((from + size).min(other + length) - from.max(other)).max(0.0)
    };
    let across = overlap(subject.x, subject.width, shown.x, shown.width);
    let down = overlap(subject.y, subject.height, shown.y, shown.height);
    1.0 - (across * down / subject.area().max(1e-9)).min(1.0)
}

/// The resolution of a photo in a frame (see [`PhotoFrame::effective_dpi`]).
pub(super) fn dpi(photo: &PhotoInput, frame: Rect) -> f64 {
    // how much is shown counts, not where it lies
    let crop = faces::filling(photo, frame);
    let across = f64::from(photo.width) * crop.width / frame.width;
    let down = f64::from(photo.height) * crop.height / frame.height;
    across.min(down) * 25.4
}

/// Edges on hundredths of a millimetre.
pub(super) fn rounded(frame: Rect) -> Rect {
    let round = |value: f64| (value * 100.0).round() / 100.0;
    let (x, y) = (round(frame.x), round(frame.y));
    Rect {
        x,
        y,
        width: round(round(frame.x + frame.width) - x),
        height: round(round(frame.y + frame.height) - y),
    }
}

/// The same for a photo's frame, unless it is [`THIN_MM`].
pub(super) fn rounded_photo(frame: Rect) -> Rect {
    if frame.width.min(frame.height) < THIN_MM { frame } else { rounded(frame) }
}

impl Fitted {
    /// Whether the page has a place for a caption.
    pub fn has_caption(&self) -> bool {
        self.caption.is_some()
    }

    /// Makes the page. On a left-hand page what runs off the outer edge is mirrored.
    pub fn page(&self, placing: Placing, photos: &[&PhotoInput], sheet: &Sheet, right_hand: bool) -> Page {
        let mirror = placing.has_outside() && !right_hand;
        let side = |frame: Rect| {
            let x = sheet.trim.width - frame.x - frame.width;
            if mirror { rounded_photo(Rect { x, ..frame }) } else { frame }
        };
        let photo_in = |(photo, frame): (&&PhotoInput, Rect)| {
            let frame = side(frame);
            Element::Photo(PhotoFrame::new(photo.id.clone(), frame, crop(photo, frame, sheet.trim)))
        };
        let mut elements: Vec<Element> = photos.iter().zip(self.frames).map(photo_in).collect();
        elements
            .extend(self.caption.map(|(frame, role)| Element::Text(TextBlock::new(side(frame), role, ""))));
        Page { elements, ..Page::default() }
    }
}
