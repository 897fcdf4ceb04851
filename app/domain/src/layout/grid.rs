//! A spread's grid: where a composition's places lie on a page, and how a run of photos fills them.

use super::composition::{BANDS, Composition, Grain, Place, STEPS};
use super::faces::{crop, keeps_faces};
use super::fit::{self, Block, Sheet};
use super::template::{Template, Tree, templates_for};
use super::{MAX_PER_PAGE, PhotoInput};
use crate::document::{BLEED_MM, Element, Page, PhotoFrame, Rect, SAFE_MM, TextBlock, TextRole, Trim};
use crate::resolution::is_coarse;

/// Two lines of caption and what is between them and the photos, in mm.
const CAPTION_MM: f64 = 12.5;
const CAPTION_GAP_MM: f64 = 2.5;
/// How far a photo's shape may be changed to fill a place.
const STRETCH: f64 = 0.82;
/// A frame whose long side is shorter is a postage stamp, in mm.
const STAMP_MM: f64 = 46.0;
/// What is held against a stamp.
const STAMP: f64 = 6.0;
/// What is held against a panorama that is a mere strip.
const STRIPPED: f64 = 3.0;
/// What is held against a division that the composition does not like.
const GRAIN: f64 = 0.25;
/// What speaks for a burst that stands in one row.
const STRIP: f64 = 3.0;
/// For photos that come with words where their page has no place for any: worse than anything but none at all.
pub const WORDLESS: f64 = 60.0;

/// A page of a composition.
pub(super) struct Grid {
    pub trim: Trim,
    pub composition: &'static Composition,
    sheet: Sheet,
    /// The height that is kept for captions.
    strip: f64,
}

/// Photos in one place, as far as a choice needs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub place: Place,
    pub template: &'static Template,
    pub cost: f64,
    /// What the photos cover of the page, in mm², and what they deserve beside others.
    pub area: f64,
    pub weight: f64,
    /// How many show people, and what these cover.
    pub people: (usize, f64),
    /// The least and the most that one covers; strips have no least.
    pub extent: (f64, f64),
}

/// Photos on a right-hand page: all of them as a block, and each.
type Fitted = (Rect, [Rect; MAX_PER_PAGE]);

impl Grid {
    pub fn new(trim: Trim, composition: &'static Composition, captions: bool) -> Self {
        let strip = if captions { CAPTION_MM + CAPTION_GAP_MM } else { 0.0 };
        let sheet = Sheet::new(trim, captions).with_gap(composition.gap_on(trim));
        Self { trim, composition, sheet, strip }
    }

    fn margin(&self, thousandths: u16) -> f64 {
        let short = self.trim.width.min(self.trim.height);
        (short * f64::from(thousandths) / 1000.0).clamp(SAFE_MM + 0.5, 40.0)
    }

    /// What photos may fill inside the margins of a right-hand page.
    fn inside(&self) -> Rect {
        let c = self.composition;
        let (x, y) = (self.margin(c.inner), self.margin(c.top));
        let width = self.trim.width - x - self.margin(c.outer);
        Rect { x, y, width, height: self.trim.height - y - self.margin(c.foot) - self.strip }
    }

    /// The photos in a place, divided so; nothing where they can't stand there.
    fn fit(&self, place: Place, tree: &Tree, photos: &[&PhotoInput]) -> Option<Fitted> {
        let Trim { width, height } = self.trim;
        let (full, inside) = (self.trim.with_bleed(), self.inside());
        let mut block = Block { photos, gap: self.sheet.gap(), stretch: 1.0 };
        let mut filling = |at: Rect| {
            let off = block.stretch_to(tree, at.width, at.height, STRETCH);
            (off.abs() < 1e-4).then_some(at)
        };
        let at = match place {
            Place::Block(step) => {
                let tall = inside.height * STEPS[usize::from(step)];
                let y = inside.y + (inside.height - tall) * f64::from(self.composition.stand) / 100.0;
                filling(Rect { y, height: tall, ..inside })?
            }
            Place::Page => filling(full)?,
            Place::Band(step) => {
                let tall = height * BANDS[usize::from(step)];
                let room = height - tall - self.strip;
                filling(Rect { y: room * 0.5, height: tall, ..full }).filter(|_| room * 0.5 >= SAFE_MM)?
            }
            Place::Column => {
                let line = block.line(tree);
                let wide = line.width_at(inside.height);
                let fits = inside.width * 0.4..=inside.width;
                fits.contains(&wide).then_some(Rect {
                    x: inside.x + inside.width - wide,
                    width: wide,
                    ..inside
                })?
            }
            Place::Outer => {
                let line = block.line(tree);
                let wide = line.width_at(full.height);
                let fits = width * 0.45..=width * 0.85;
                fits.contains(&wide).then_some(Rect { x: width + BLEED_MM - wide, width: wide, ..full })?
            }
            Place::Natural => fit::inside(&mut block, tree, inside),
        };
        let frames = block.place(tree, at);
        // a block moves by whole hundredths, so that its edges stay on them
        let (at, frames) = (fit::rounded(at), frames.map(fit::rounded_photo));
        let used = &frames[..photos.len()];
        let coarse = || photos.iter().zip(used).any(|(photo, frame)| is_coarse(fit::dpi(photo, *frame)));
        let sliver = || used.len() > 1 && used.iter().any(|frame| frame.width.min(frame.height) < 10.0);
        let astray = || used.iter().any(|frame| !fit::ends_well(*frame, self.trim));
        let bad = !fit::are_real(used) || (place != Place::Natural && (coarse() || sliver() || astray()));
        (!bad).then_some((at, frames))
    }

    /// Where a block moves on a left-hand page: what is outside stays outside, and photos keep their order.
    fn shift(&self, at: Rect, is_right: bool) -> f64 {
        if is_right { 0.0 } else { self.trim.width - 2.0 * at.x - at.width }
    }

    /// How a run of photos fills a place best. `bursts` says of each photo which burst it belongs to, counted from 1.
    pub fn side(&self, place: Place, photos: &[&PhotoInput], bursts: &[usize]) -> Option<Side> {
        let reserve = self.composition.cost(place)?;
        let has_words = self.strip > 0.0 && photos.iter().any(|photo| photo.has_words);
        let sides = divisions(photos.len()).filter_map(|template| {
            let (at, frames) = self.fit(place, template.tree(), photos)?;
            let used = &frames[..photos.len()];
            let mut cost = reserve + template.reserve * 0.5;
            cost += if has_words && self.caption(place, at).is_none() { WORDLESS } else { 0.0 };
            cost += if is_mixed(photos) { 0.0 } else { self.grain(template.tree()) };
            let own = fit::photos_cost(photos, used, self.trim);
            cost += own;
            // at their own shapes inside the margins all are whole
            let keeps = |by: f64| {
                photos.iter().zip(used).all(|(photo, frame)| {
                    let frame = Rect { x: frame.x + by, ..*frame };
                    photo.faces.is_empty()
                        || keeps_faces(photo, frame, &crop(photo, frame, self.trim), self.trim, None)
                })
            };
            if place != Place::Natural && !(keeps(0.0) && keeps(self.shift(at, false))) {
                return None;
            }
            let strips = strips(template.tree(), bursts);
            cost -= STRIP * strips.iter().filter(|(_, whole)| *whole).count() as f64;
            let in_strip = |index: usize| strips.iter().any(|(run, _)| run.contains(&index));
            let mut extent = (f64::MAX, 0.0_f64);
            for (index, frame) in used.iter().enumerate() {
                let seen = seen(*frame, self.trim);
                extent.1 = extent.1.max(seen);
                if photos[index].is_panorama() && frame.height < STAMP_MM {
                    cost += STRIPPED;
                }
                if in_strip(index) {
                    continue;
                }
                extent.0 = extent.0.min(seen);
                cost += STAMP * (1.0 - frame.width.max(frame.height) / STAMP_MM).max(0.0).sqrt();
            }
            let area = used.iter().map(|frame| seen(*frame, self.trim)).sum();
            let weight = photos.iter().map(|photo| photo.weight()).sum();
            let people = photos
                .iter()
                .zip(used)
                .filter(|(photo, _)| photo.shows_people())
                .fold((0, 0.0), |(count, sum), (_, frame)| (count + 1, sum + seen(*frame, self.trim)));
            Some(Side { place, template, cost, area, weight, people, extent })
        });
        sides.min_by(|one, other| one.cost.total_cmp(&other.cost))
    }

    fn grain(&self, tree: &Tree) -> f64 {
        let equal = |parts: &[Tree]| parts.iter().all(|part| part.photos() == parts[0].photos());
        let likes = match (self.composition.grain, tree) {
            (Grain::Any, _) | (_, Tree::Photo) => true,
            (Grain::Rows, Tree::Column(_)) | (Grain::Columns, Tree::Row(_)) => true,
            (Grain::Even, Tree::Row(parts) | Tree::Column(parts)) => equal(parts),
            _ => false,
        };
        if likes { 0.0 } else { GRAIN }
    }

    /// The page with these photos, the same that the side was found for.
    pub fn page(&self, side: &Side, photos: &[&PhotoInput], is_right: bool) -> Page {
        let Some((at, frames)) = self.fit(side.place, side.template.tree(), photos) else {
            return Page::default();
        };
        let shift = self.shift(at, is_right);
        let moved = |frame: Rect| fit::rounded_photo(Rect { x: frame.x + shift, ..frame });
        let photo_in = |(photo, frame): (&&PhotoInput, Rect)| {
            let frame = moved(frame);
            Element::Photo(PhotoFrame::new(photo.id.clone(), frame, crop(photo, frame, self.trim)))
        };
        let mut elements: Vec<Element> = photos.iter().zip(frames).map(photo_in).collect();
        elements.extend(self.caption(side.place, Rect { x: at.x + shift, ..at }).map(caption));
        Page { elements, ..Page::default() }
    }

    /// Where the words of a page stand: on one line with those of the page that it faces.
    fn caption(&self, place: Place, at: Rect) -> Option<Rect> {
        if self.strip == 0.0 {
            return None;
        }
        let (margin, below) = (self.margin(self.composition.outer), at.y + at.height + CAPTION_GAP_MM);
        let frame = match place {
            Place::Page => return None,
            Place::Outer => {
                // the paper lies towards the fold
                let (from, to) = if at.x < 0.0 {
                    (at.x + at.width + SAFE_MM, self.trim.width - SAFE_MM)
                } else {
                    (SAFE_MM, at.x - SAFE_MM)
                };
                let y = self.trim.height - self.margin(self.composition.foot) - 2.0 * CAPTION_MM;
                Rect { x: from, y, width: to - from, height: 2.0 * CAPTION_MM }
            }
            Place::Band(_) => {
                Rect { x: margin, y: below, width: self.trim.width - 2.0 * margin, height: CAPTION_MM }
            }
            Place::Block(_) | Place::Column | Place::Natural => {
                let wide = at.width.max(40.0).min(self.trim.width - 2.0 * SAFE_MM - 1.0);
                let x = (at.x + (at.width - wide) / 2.0).clamp(SAFE_MM, self.trim.width - SAFE_MM - wide);
                Rect { x, y: below, width: wide, height: CAPTION_MM }
            }
        };
        let fits = frame.width >= 25.0 && frame.y + frame.height <= self.trim.height - SAFE_MM;
        fits.then(|| fit::rounded(frame))
    }

    /// The words over a page; see [`is_head`].
    pub fn head(&self, words: &str, is_right: bool) -> Element {
        let inside = self.inside();
        let x = inside.x + self.shift(inside, is_right);
        let frame = Rect { x, y: HEAD_TOP, width: inside.width, height: HEAD_HEIGHT };
        let align = if is_right { crate::document::Align::Right } else { crate::document::Align::Left };
        let block = TextBlock::new(fit::rounded(frame), TextRole::Caption, words);
        Element::Text(TextBlock { align: Some(align), ..block })
    }
}

/// Where the words over a page stand, in mm from its upper edge, and how high their place is.
const HEAD_TOP: f64 = SAFE_MM + 1.0;
const HEAD_HEIGHT: f64 = 7.0;

/// Whether a text stands where words over a page do.
pub(crate) fn is_head(block: &TextBlock) -> bool {
    block.role == TextRole::Caption && (block.frame.y, block.frame.height) == (HEAD_TOP, HEAD_HEIGHT)
}

/// A place for words that is read at arm's length.
fn caption(frame: Rect) -> Element {
    Element::Text(TextBlock { size: 1, ..TextBlock::new(frame, TextRole::Caption, "") })
}

/// What of a frame is on its page, in mm².
fn seen(frame: Rect, trim: Trim) -> f64 {
    let across = (frame.x + frame.width).min(trim.width) - frame.x.max(0.0);
    let down = (frame.y + frame.height).min(trim.height) - frame.y.max(0.0);
    across.max(0.0) * down.max(0.0)
}

/// Whether people are on some of the photos, which come first, and not on others.
fn is_mixed(photos: &[&PhotoInput]) -> bool {
    let people = photos.iter().filter(|photo| photo.shows_people()).count();
    people > 0 && people < photos.len()
}

/// The ways to divide a block among so many photos: of each the template that is held least against.
fn divisions(photos: usize) -> impl Iterator<Item = &'static Template> {
    let of_one = |one: &Template, other: &Template| std::ptr::eq(one.tree(), other.tree());
    templates_for(photos).chunk_by(of_one).map(|of_one| &of_one[0])
}

/// The rows of three and more that hold photos of one burst alone, and whether they hold all that is here of it.
fn strips(tree: &Tree, bursts: &[usize]) -> Vec<(std::ops::Range<usize>, bool)> {
    fn rows(tree: &Tree, first: usize, found: &mut Vec<std::ops::Range<usize>>) {
        let (Tree::Row(parts) | Tree::Column(parts)) = tree else { return };
        if matches!(tree, Tree::Row(_)) && parts.len() > 2 && parts.iter().all(|part| *part == Tree::Photo) {
            found.push(first..first + parts.len());
            return;
        }
        let mut next = first;
        for part in *parts {
            rows(part, next, found);
            next += part.photos();
        }
    }
    if bursts.iter().all(|burst| *burst == 0) {
        return Vec::new();
    }
    let mut found = Vec::new();
    rows(tree, 0, &mut found);
    let is_one = |run: &std::ops::Range<usize>| {
        bursts[run.start] != 0 && bursts[run.clone()].iter().all(|burst| *burst == bursts[run.start])
    };
    found
        .into_iter()
        .filter(is_one)
        .map(|run| {
            let here = bursts.iter().filter(|burst| **burst == bursts[run.start]).count();
            let whole = here == run.len();
            (run, whole)
        })
        .collect()
}
