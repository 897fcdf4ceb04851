//! Where photos, names and days stand on a calendar's pages, in mm.
//!
//! Wide pages stand on a desk: the photo beside the days. Others hang on a wall: the photo above them. The rings are at
//! the top edge, where nothing that is to be read stands.

use crate::document::{BLEED_MM, Crop, Element, PhotoFrame, Rect, Trim};
use crate::layout::{self, PhotoInput};
use crate::resolution::{GOOD_DPI, LEAST_DPI, is_coarse};

/// A photo fills its place where at least this much of it is seen and it is not coarse; otherwise it stands there whole, on
/// paper, no larger than it prints well.
const LEAST_VISIBLE: f64 = 0.62;
/// A photo is no narrower than this, in mm.
const LEAST_MM: f64 = 20.0;
/// The narrowest photo whose words stand on its edges, in mm.
const CAPTION_FROM_MM: f64 = 60.0;
/// What the rings need, in mm.
const RINGS_MM: f64 = 12.0;
/// A photo this much higher than wide is an upright one.
const UPRIGHT: f64 = 0.85;

/// The places of one page size.
pub(super) struct Frames {
    trim: Trim,
    margin: f64,
}

/// Where a month's parts stand.
pub(super) struct MonthPlaces {
    pub photo: Option<Element>,
    pub title: Rect,
    pub grid: Rect,
    pub caption: Rect,
}

impl Frames {
    pub fn new(trim: Trim) -> Self {
        Self { trim, margin: (trim.width.min(trim.height) * 0.06).clamp(9.0, 20.0) }
    }

    fn is_wide(&self) -> bool {
        self.trim.width > self.trim.height * 1.15
    }

    fn is_tall(&self) -> bool {
        self.trim.height > self.trim.width * 1.2
    }

    /// How well a photo would do on the cover: how much of it is seen, and how sharp.
    pub fn cover_score(&self, photo: &PhotoInput) -> f64 {
        let frame = self.cover_area();
        let crop = Crop::fill(aspect(photo), frame.aspect());
        let shown = PhotoFrame::new(photo.id.clone(), frame, crop);
        crop.area() + (shown.effective_dpi(photo.width, photo.height) / GOOD_DPI).min(1.0)
    }

    /// The cover's photo.
    pub fn cover_photo(&self, photo: &PhotoInput) -> Element {
        self.placed(photo, self.cover_area())
    }

    fn cover_area(&self) -> Rect {
        Rect { height: self.trim.height * self.cover_share() + BLEED_MM, ..self.trim.with_bleed() }
    }

    /// How much of the cover's height is the photo's: more on wide pages, where a photo is cut from above and below.
    fn cover_share(&self) -> f64 {
        if self.is_wide() { 0.68 } else { 0.62 }
    }

    /// Where the year and the title stand on the cover.
    pub fn cover_words(&self) -> (Rect, Rect) {
        let height = self.trim.height;
        let year = self.cover_share() + if self.is_tall() { 0.065 } else { 0.04 };
        let title = year + if self.is_wide() { 0.14 } else { 0.15 };
        (self.across(height * year, height * 0.11), self.across(height * title, height * (0.955 - title)))
    }

    /// A photo with the page for itself.
    pub fn photo_page(&self, photo: &PhotoInput) -> Element {
        self.placed(photo, self.trim.with_bleed())
    }

    /// A month with its photo; without one the days have the page for themselves.
    pub fn month(&self, photo: Option<&PhotoInput>, is_facing: bool) -> MonthPlaces {
        let Trim { width, height } = self.trim;
        if is_facing {
            let title = self.across(RINGS_MM + height * 0.02, height * 0.13);
            let caption = Rect { height: 6.0, ..self.across(height - 5.0 - 7.0, 6.0) };
            let top = title.y + title.height + height * 0.035;
            let grid = self.across(top, caption.y - 1.0 - top);
            return MonthPlaces { photo: None, title, grid, caption };
        }
        if !self.is_wide() {
            let share = if self.is_tall() { 0.545 } else { 0.5 };
            let below = height * share;
            let area = Rect { height: below + BLEED_MM, ..self.trim.with_bleed() };
            let caption = self.across(below + 2.5, (height * 0.022).max(6.0));
            let title = self.across(caption.y + caption.height + height * 0.008, height * 0.062);
            let top = title.y + title.height + height * 0.018;
            let grid = self.across(top, height - self.margin * 0.75 - top);
            let photo = photo.map(|photo| self.placed(photo, area));
            // under a photo that stands by itself, and not at the page's edge
            let caption = match photo.as_ref().map(Element::frame) {
                Some(shown) if shown.x > self.margin && shown.width > CAPTION_FROM_MM => {
                    Rect { x: shown.x, width: shown.width, ..caption }
                }
                _ => caption,
            };
            return MonthPlaces { photo, title, grid, caption };
        }
        let is_upright = photo.is_some_and(|photo| aspect(photo) < UPRIGHT);
        let gap = self.margin * 0.9;
        if is_upright {
            // the whole height for the photo, everything else beside it
            let right = width * 0.42;
            let area = Rect { width: right + BLEED_MM, ..self.trim.with_bleed() };
            let beside = |y: f64, tall: f64| Rect {
                x: right + gap,
                y,
                width: width - self.margin - right - gap,
                height: tall,
            };
            let title = beside(RINGS_MM + 1.0, height * 0.14);
            let caption = beside(height - 5.0 - 7.0, 6.5);
            let top = title.y + title.height + height * 0.03;
            let grid = beside(top, caption.y - 1.0 - top);
            return MonthPlaces { photo: photo.map(|photo| self.placed(photo, area)), title, grid, caption };
        }
        let right = width * 0.53;
        let area =
            Rect { width: right + BLEED_MM, height: height * 0.66 + BLEED_MM, ..self.trim.with_bleed() };
        let left = |y: f64, tall: f64| Rect { x: self.margin, y, width: right - self.margin, height: tall };
        let title = left(height * 0.66 + height * 0.06, height * 0.155);
        let caption = left(title.y + title.height + 2.0, height - 6.0 - title.y - title.height - 2.0);
        let x = right + gap;
        let grid = Rect {
            x,
            y: RINGS_MM + 1.0,
            width: width - self.margin - x,
            height: height - RINGS_MM - 1.0 - self.margin,
        };
        MonthPlaces { photo: photo.map(|photo| self.placed(photo, area)), title, grid, caption }
    }

    /// The year's name, and twelve months below it.
    pub fn year(&self) -> (Rect, Vec<Rect>) {
        let Trim { width, height } = self.trim;
        let columns = if self.is_wide() { 4 } else { 3 };
        let rows = 12 / columns;
        let head = self.across(RINGS_MM + height * 0.01, height * 0.11);
        let top = head.y + head.height + height * 0.045;
        let (gap, gap_down) = (width * 0.045, height * 0.03);
        let wide = (width - 2.0 * self.margin - gap * f64::from(columns - 1)) / f64::from(columns);
        let tall = (height - self.margin - top - gap_down * f64::from(rows - 1)) / f64::from(rows);
        let month = |index: i32| {
            let (column, row) = (f64::from(index % columns), f64::from(index / columns));
            rounded(Rect {
                x: self.margin + column * (wide + gap),
                y: top + row * (tall + gap_down),
                width: wide,
                height: tall,
            })
        };
        (rounded(head), (0..12).map(month).collect())
    }

    /// From margin to margin.
    fn across(&self, y: f64, height: f64) -> Rect {
        rounded(Rect { x: self.margin, y, width: self.trim.width - 2.0 * self.margin, height })
    }

    /// A photo in an area that runs off the page: filling it, or whole in the middle of its paper.
    fn placed(&self, photo: &PhotoInput, area: Rect) -> Element {
        let aspect = aspect(photo);
        let mut crop = Crop::fill(aspect, area.aspect());
        let filling = PhotoFrame::new(photo.id.clone(), area, crop);
        let is_sharp = !is_coarse(filling.effective_dpi(photo.width, photo.height));
        if crop.area() >= LEAST_VISIBLE && is_sharp {
            if photo.faces.is_empty() {
                // what matters in a photo stands above its middle more often than below
                crop.y *= 0.8;
            } else {
                crop = layout::crop(photo, area, self.trim);
            }
            return Element::Photo(PhotoFrame::new(photo.id.clone(), rounded(area), crop));
        }
        // the area's edges inside the page need no margin
        let page = self.trim;
        let inset = |edge: f64, at: f64| if (edge - at).abs() < 0.01 { self.margin } else { 0.0 };
        let left = area.x.max(0.0) + inset(area.x, -BLEED_MM);
        let top = area.y.max(0.0) + inset(area.y, -BLEED_MM).max(RINGS_MM);
        let right = (area.x + area.width).min(page.width) - inset(area.x + area.width, page.width + BLEED_MM);
        let bottom =
            (area.y + area.height).min(page.height) - inset(area.y + area.height, page.height + BLEED_MM);
        let sharp = if is_sharp { f64::INFINITY } else { f64::from(photo.width) / LEAST_DPI * 25.4 };
        let width = (right - left).min((bottom - top) * aspect).min(sharp.max(LEAST_MM));
        let height = width / aspect;
        let frame =
            Rect { x: (left + right - width) / 2.0, y: top + (bottom - top - height) * 0.5, width, height };
        Element::Photo(PhotoFrame::new(photo.id.clone(), rounded(frame), Crop::WHOLE))
    }
}

fn aspect(photo: &PhotoInput) -> f64 {
    f64::from(photo.width) / f64::from(photo.height)
}

/// A frame in proportion to the page.
pub(super) fn in_proportion(frame: Rect, from: Trim, to: Trim) -> Rect {
    let (across, down) = (to.width / from.width, to.height / from.height);
    rounded(Rect {
        x: frame.x * across,
        y: frame.y * down,
        width: frame.width * across,
        height: frame.height * down,
    })
}

/// To tenths of a millimetre at its edges, so that documents stay readable.
fn rounded(frame: Rect) -> Rect {
    let tenth = |mm: f64| (mm * 10.0).round() / 10.0;
    let (x, y) = (tenth(frame.x), tenth(frame.y));
    let tenth_less = |from: f64, mm: f64| (tenth(from + mm) - tenth(from)).max(0.1);
    Rect {
        x,
        y,
        width: clean(tenth_less(frame.x, frame.width)),
        height: clean(tenth_less(frame.y, frame.height)),
    }
}

/// Without the last digits of a difference.
fn clean(mm: f64) -> f64 {
    (mm * 10.0).round() / 10.0
}
