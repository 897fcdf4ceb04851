//! Pages as they lie on sheets that are folded: two beside each other, with marks for knife and fold.

use std::io::Write;

use domain::binding::{CoverSheet, CoverSides};
use domain::document::{BLEED_MM, Trim};
use domain::imposition::{Booklet, Spread};
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use crate::error::PressError;

/// What is around the bleed for the marks, in mm.
const MARGIN_MM: f64 = 10.0;
/// How long a mark is, and how far from the bleed it begins, in mm.
const MARK_MM: f64 = 5.0;
const GAP_MM: f64 = 2.0;
/// Width of a mark, in pt: a hairline that every plate holds.
const MARK_WIDTH_PT: f64 = 0.25;

fn pt(mm: f64) -> f64 {
    mm * 72.0 / 25.4
}

/// A side of a sheet; pages are counted from 0 in the typeset file.
pub(super) enum Side {
    /// One page that fills it.
    Whole(usize),
    /// Two pages beside each other.
    Pages(Spread),
}

/// Whether a cover is one sheet around the others, as large as they are, with the first and the last page inside it where
/// the booklet says so.
pub(super) fn is_folded(cover: &CoverSheet, booklet: &Booklet, trim: Trim) -> bool {
    let inside =
        if booklet.starts_on_cover { CoverSides::OutsideAndPages } else { CoverSides::OutsideAndBlank };
    let seen = cover.seen();
    let is_same = |one: f64, other: f64| (one - other).abs() < 0.01;
    cover.sides == inside && is_same(seen.width, 2.0 * trim.width) && is_same(seen.height, trim.height)
}

/// The sheet's edges in pt, from its lower left corner.
struct Edges {
    bleed: f64,
    left: f64,
    fold: f64,
    right: f64,
    bottom: f64,
    top: f64,
}

impl Edges {
    /// With room for marks, or with bleed alone.
    fn of(trim: Trim, is_marked: bool) -> Self {
        let margin = if is_marked { MARGIN_MM } else { 0.0 };
        let (bleed, start) = (pt(BLEED_MM), pt(BLEED_MM + margin));
        let (width, height) = (pt(trim.width), pt(trim.height));
        Self {
            bleed,
            left: start,
            fold: start + width,
            right: start + 2.0 * width,
            bottom: start,
            top: start + height,
        }
    }

    /// The whole sheet.
    fn media(&self) -> Object {
        rect([0.0, 0.0, self.right + self.left, self.top + self.bottom])
    }

    fn trim(&self) -> Object {
        rect([self.left, self.bottom, self.right, self.top])
    }

    fn bled(&self) -> Object {
        rect([
            self.left - self.bleed,
            self.bottom - self.bleed,
            self.right + self.bleed,
            self.top + self.bleed,
        ])
    }

    /// One page: cut where it bleeds and in the fold, its lower left corner at `x`.
    fn page(
        &self,
        name: &str,
        from: f64,
        to: f64,
        x: f64,
        corner: [f64; 2],
        out: &mut Vec<u8>,
    ) -> std::io::Result<()> {
        let (bottom, height) = (self.bottom - self.bleed, self.top - self.bottom + 2.0 * self.bleed);
        let (x, y) = (x - corner[0], self.bottom - corner[1]);
        writeln!(out, "q {from:.4} {bottom:.4} {:.4} {height:.4} re W n", to - from)?;
        writeln!(out, "1 0 0 1 {x:.4} {y:.4} cm /{name} Do Q")
    }

    /// Where the knife cuts, and, dashed, where the sheet is folded: outside the bleed, and on every plate. Beside the sheet
    /// two targets show whether the plates meet, and below it patches show how much ink they lay.
    fn marks(&self, out: &mut Vec<u8>) -> std::io::Result<()> {
        let (near, far) = (pt(BLEED_MM + GAP_MM), pt(BLEED_MM + GAP_MM + MARK_MM));
        writeln!(out, "q /{MARKS} CS 1 SCN {MARK_WIDTH_PT} w")?;
        for y in [self.bottom, self.top] {
            writeln!(out, "{:.4} {y:.4} m {:.4} {y:.4} l S", self.left - far, self.left - near)?;
            writeln!(out, "{:.4} {y:.4} m {:.4} {y:.4} l S", self.right + near, self.right + far)?;
        }
        for (x, dashes) in [(self.left, "[] 0 d"), (self.right, "[] 0 d"), (self.fold, "[3 2] 0 d")] {
            writeln!(out, "{dashes} {x:.4} {:.4} m {x:.4} {:.4} l S", self.bottom - far, self.bottom - near)?;
            writeln!(out, "{dashes} {x:.4} {:.4} m {x:.4} {:.4} l S", self.top + near, self.top + far)?;
        }
        writeln!(out, "[] 0 d")?;
        let middle = (self.bottom + self.top) / 2.0;
        for x in [self.left - self.bleed - pt(MARGIN_MM) / 2.0, self.right + self.bleed + pt(MARGIN_MM) / 2.0]
        {
            target(x, middle, out)?;
        }
        writeln!(out, "Q")?;
        let side = pt(PATCH_MM);
        for (index, inks) in PATCHES.into_iter().enumerate() {
            let x = self.left + pt(PATCHES_FROM_MM) + index as f64 * side;
            let y = self.bottom - self.bleed - pt(MARGIN_MM) / 2.0 - side / 2.0;
            writeln!(out, "q {inks} k {x:.4} {y:.4} {side:.4} {side:.4} re f Q")?;
        }
        Ok(())
    }
}

/// The name of the colour of marks in a sheet's resources: `All` is every plate (ISO 32000-1, 8.6.6.4).
const MARKS: &str = "BinderyMarks";
/// How large a patch of ink is, and where the first one lies beside the left cut, in mm.
const PATCH_MM: f64 = 5.0;
const PATCHES_FROM_MM: f64 = 10.0;
/// The patches: each ink full and half, and the grey that three inks make beside the one of black.
const PATCHES: [&str; 10] = [
    "1 0 0 0",
    "0 1 0 0",
    "0 0 1 0",
    "0 0 0 1",
    "0.5 0 0 0",
    "0 0.5 0 0",
    "0 0 0.5 0",
    "0 0 0 0.5",
    "0.5 0.4 0.4 0",
    "1 1 1 0",
];

/// A cross in a circle of 5 mm.
fn target(x: f64, y: f64, out: &mut Vec<u8>) -> std::io::Result<()> {
    let (arm, radius) = (pt(3.5), pt(2.5));
    // a quarter of a circle as a curve
    let handle = radius * 0.552_285;
    writeln!(out, "{:.4} {y:.4} m {:.4} {y:.4} l S", x - arm, x + arm)?;
    writeln!(out, "{x:.4} {:.4} m {x:.4} {:.4} l S", y - arm, y + arm)?;
    writeln!(out, "{:.4} {y:.4} m", x + radius)?;
    for (from, to) in [
        ((1.0, 0.0), (0.0, 1.0)),
        ((0.0, 1.0), (-1.0, 0.0)),
        ((-1.0, 0.0), (0.0, -1.0)),
        ((0.0, -1.0), (1.0, 0.0)),
    ] {
        let point = |at: (f64, f64)| (x + radius * at.0, y + radius * at.1);
        let ((x1, y1), (x3, y3)) = (point(from), point(to));
        let (x1, y1) = (x1 + handle * to.0, y1 + handle * to.1);
        let (x2, y2) = (x3 + handle * from.0, y3 + handle * from.1);
        writeln!(out, "{x1:.4} {y1:.4} {x2:.4} {y2:.4} {x3:.4} {y3:.4} c")?;
    }
    writeln!(out, "S")
}

/// The colour of marks: all inks of the file, whichever they are.
fn marks_colour() -> Object {
    let tint = dictionary! {
        "FunctionType" => 2,
        "Domain" => vec![0.into(), 1.into()],
        "C0" => vec![0.into(); 4],
        "C1" => vec![1.into(); 4],
        "N" => 1,
    };
    Object::Array(vec!["Separation".into(), "All".into(), "DeviceCMYK".into(), tint.into()])
}

fn rect(corners: [f64; 4]) -> Object {
    Object::Array(corners.iter().map(|value| Object::Real(*value as f32)).collect())
}

/// Puts a file's pages, each with its trim box, onto the sides of sheets, and answers these.
pub(super) fn impose(
    pdf: &mut Document,
    pages: &[ObjectId],
    sides: &[Side],
    trim: Trim,
    is_marked: bool,
) -> Result<Vec<ObjectId>, PressError> {
    let forms: Vec<(ObjectId, [f64; 2])> =
        pages.iter().map(|page| form(pdf, *page)).collect::<Result<_, _>>()?;
    let root = pdf.catalog()?.get(b"Pages")?.as_reference()?;
    let edges = Edges::of(trim, is_marked);
    let marks = Object::Reference(pdf.add_object(marks_colour()));
    let mut imposed = Vec::with_capacity(sides.len());
    for side in sides {
        let (from, to) = (edges.left - edges.bleed, edges.right + edges.bleed);
        let mut content = Vec::new();
        let shown = match side {
            Side::Whole(page) => {
                let (page, corner) = forms[*page];
                edges.page("P", from, to, edges.left, corner, &mut content)?;
                dictionary! { "P" => page }
            }
            Side::Pages(spread) => {
                let ((left, left_corner), (right, right_corner)) = (forms[spread.left], forms[spread.right]);
                let creep = pt(spread.creep_mm);
                edges.page("L", from, edges.fold, edges.left + creep, left_corner, &mut content)?;
                edges.page("R", edges.fold, to, edges.fold - creep, right_corner, &mut content)?;
                dictionary! { "L" => left, "R" => right }
            }
        };
        if is_marked {
            edges.marks(&mut content)?;
        }
        let content = pdf.add_object(Stream::new(Dictionary::new(), content));
        imposed.push(pdf.add_object(dictionary! {
            "Type" => "Page",
            "Parent" => root,
            "MediaBox" => edges.media(),
            "BleedBox" => edges.bled(),
            "TrimBox" => edges.trim(),
            "Resources" => dictionary! {
                "XObject" => shown,
                "ColorSpace" => dictionary! { MARKS => marks.clone() },
            },
            "Contents" => content,
        }));
    }
    let kids: Vec<Object> = imposed.iter().map(|side| Object::Reference(*side)).collect();
    let count = i64::try_from(imposed.len()).unwrap_or(i64::MAX);
    pdf.set_object(root, dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count });
    for page in pages {
        for content in pdf.get_page_contents(*page) {
            pdf.objects.remove(&content);
        }
        pdf.objects.remove(page);
    }
    forget_places(pdf)?;
    Ok(imposed)
}

/// Takes out what points at pages that are no more, or not where they were.
pub(super) fn forget_places(pdf: &mut Document) -> Result<(), PressError> {
    let catalog = pdf.catalog_mut()?;
    for key in [b"Outlines".as_slice(), b"Dests", b"Names", b"PageLabels", b"OpenAction"] {
        catalog.remove(key);
    }
    Ok(())
}

/// A page as something that another one shows, and the lower left corner of its trim in its own measure.
fn form(pdf: &mut Document, page: ObjectId) -> Result<(ObjectId, [f64; 2]), PressError> {
    let content = pdf.get_page_content(page);
    let dict = pdf.get_dictionary(page)?;
    let corner = corner(dict)?;
    let mut form = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Form",
        "BBox" => dict.get(b"MediaBox")?.clone(),
        "Resources" => dict.get(b"Resources")?.clone(),
    };
    if let Ok(group) = dict.get(b"Group") {
        form.set("Group", group.clone());
    }
    let mut stream = Stream::new(form, content);
    stream.compress()?;
    Ok((pdf.add_object(stream), corner))
}

fn corner(page: &Dictionary) -> Result<[f64; 2], PressError> {
    let trim = page.get(b"TrimBox")?.as_array()?;
    let at = |index: usize| -> Result<f64, PressError> {
        let value = trim.get(index).ok_or_else(|| PressError::Pdf("a page's trim is no box".to_owned()))?;
        Ok(f64::from(value.as_float()?))
    };
    Ok([at(0)?, at(1)?])
}
