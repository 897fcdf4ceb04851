//! What a work looks like as a book, made with one of the bundles of its goods: an SVG picture of a standing book, as thick as
//! it will be, whose spine and front are a picture of the press.

use std::fmt::Write;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use base::error::Error;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::binding::{BoundEdge, CoverSheet, CoverSides};
use domain::goods::{Goods, step_name};
use domain::ids::CartLineId;
use domain::print_options::Choice;
use web::app::App;
use web::session::Member;

use super::{bundles, line_with_work};
use works::{self, CoverView};

/// How wide the picture of spine and front is, in pixels: as fine as the largest card shows it.
const PICTURE_PX: u32 = 360;
/// The drawing, and what stays free around the book.
pub const WIDTH: f64 = 250.0;
const HEIGHT: f64 = 220.0;
pub const FREE: f64 = 9.0;
/// How far the book is turned, and how far one looks down on it, in radians: 36° and 20°.
const TURN: f64 = 0.628;
const TILT: f64 = 0.349;
/// From the edge of leaves to the middle of their holes, in mm, and from one hole to the next.
const HOLE_MM: f64 = 6.0;
const PITCH_MM: f64 = 8.47;

/// GET /manager/shopping/cart/{line}/bound/{bundle}: a bundle by its place among the goods', from 1; 0 is the line's own choice.
pub async fn serve(
    State(app): State<App>,
    member: Member,
    Path((id, number)): Path<(String, usize)>,
) -> Result<Response, Error> {
    let id: CartLineId = id.parse().map_err(|_| Error::NotFound)?;
    let (line, work) = line_with_work(&app, &id, &member).await?;
    let choice = bundles::choice_at(&line, number).ok_or(Error::NotFound)?;
    let cover = line.goods.cover_sheet(line.pages, &choice);
    let finish = Finish::of(&line.goods, line.pages, &choice, &cover);
    let picture =
        works::cover_picture(&app, &member.id, work.document, cover, CoverView::Standing, PICTURE_PX).await?;
    let mut response = drawing(&cover, &finish, &picture.bytes).into_response();
    // the address names the revision; what the goods' file says of a binding changes now and then
    let keeping = if picture.lasts { "private, max-age=86400" } else { "private, no-store" };
    let head = response.headers_mut();
    head.insert(header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml"));
    head.insert(header::CACHE_CONTROL, HeaderValue::from_static(keeping));
    Ok(response)
}

/// What is seen of a choice beside its cover sheet.
pub struct Finish {
    /// The whole book, in mm.
    pub thickness: f64,
    pub cloth: bool,
    pub leather: bool,
    pub boxed: bool,
}

impl Finish {
    fn of(goods: &Goods, pages: u32, choice: &Choice, cover: &CoverSheet) -> Self {
        let named = |step: &str, part: &str| {
            let mut items =
                goods.shown_steps().filter(|known| known.name == step).flat_map(|known| &known.items);
            items.any(|item| choice.cnums().contains(&item.cnum) && item.name.contains(part))
        };
        let leaves = f64::from(pages.div_ceil(2)) * goods.leaf_mm(choice).unwrap_or(0.15);
        Self {
            // a folded or wired book has no spine of its own, and is as thick as its leaves
            thickness: if cover.spine_mm > 0.0 { cover.spine_mm } else { leaves + 0.6 },
            cloth: cover.cloth.is_some(),
            leather: named(step_name::COVER, "皮"),
            boxed: named(step_name::GIFT_BOX, "盒"),
        }
    }
}

/// A direction or a place on the drawing.
type Point = (f64, f64);

/// Where things of the book are on the drawing. The book's own places are mm from the upper corner of its front at the
/// spine: to the fore edge, down, and back.
struct Eye {
    scale: f64,
    origin: Point,
}

impl Eye {
    fn across() -> Point {
        (TURN.cos(), -TURN.sin() * TILT.sin())
    }

    fn back() -> Point {
        (-TURN.sin(), -TURN.cos() * TILT.sin())
    }

    fn flat((across, down, back): (f64, f64, f64)) -> Point {
        let (u, d) = (Self::across(), Self::back());
        (across * u.0 + back * d.0, across * u.1 + down * TILT.cos() + back * d.1)
    }

    /// All of some bodies in the middle of the drawing, standing on one ground.
    fn on(corners: &[(f64, f64, f64)]) -> Self {
        let flat: Vec<Point> = corners.iter().map(|corner| Self::flat(*corner)).collect();
        let least = |of: fn(&Point) -> f64| flat.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = |of: fn(&Point) -> f64| flat.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let (left, right) = (least(|p| p.0), most(|p| p.0));
        let (top, foot) = (least(|p| p.1), most(|p| p.1));
        let scale = ((WIDTH - 2.0 * FREE) / (right - left)).min((HEIGHT - 2.5 * FREE) / (foot - top));
        let origin = (WIDTH / 2.0 - scale * (left + right) / 2.0, HEIGHT - 1.5 * FREE - scale * foot);
        Self { scale, origin }
    }

    fn at(&self, place: (f64, f64, f64)) -> Point {
        let (x, y) = Self::flat(place);
        (self.origin.0 + self.scale * x, self.origin.1 + self.scale * y)
    }

    /// The path through some places.
    fn path(&self, places: &[(f64, f64, f64)]) -> String {
        let points: Vec<String> = places
            .iter()
            .map(|place| {
                let (x, y) = self.at(*place);
                format!("{x:.1} {y:.1}")
            })
            .collect();
        format!("M{}", points.join("L"))
    }

    /// What lays a face, drawn in mm, where two directions lead from a place.
    fn laid(&self, along: Point, place: (f64, f64, f64)) -> String {
        let (x, y) = self.at(place);
        let (a, b, d) = (along.0 * self.scale, along.1 * self.scale, TILT.cos() * self.scale);
        format!("matrix({a:.4} {b:.4} 0 {d:.4} {x:.2} {y:.2})")
    }
}

/// The four corners of an upright or level face.
fn face(from: (f64, f64, f64), to: (f64, f64, f64)) -> [(f64, f64, f64); 4] {
    let (u, v, d) = from;
    if u == to.0 {
        [from, (u, to.1, d), to, (u, v, to.2)]
    } else if v == to.1 {
        [from, (to.0, v, d), to, (u, v, to.2)]
    } else {
        [from, (to.0, v, d), to, (u, to.1, d)]
    }
}

/// The book of this cover, whose spine and front are a WebP picture.
pub fn drawing(cover: &CoverSheet, finish: &Finish, picture: &[u8]) -> String {
    let (width, height) = (cover.groove_mm + cover.face.width, cover.face.height);
    let thick = finish.thickness.max(1.0);
    let board = if cover.is_case() { cover.board_mm } else { 0.3 };
    let square = if cover.is_case() { (height - cover.page.height) / 2.0 } else { 0.0 };
    let mut corners = Vec::new();
    let mut body = |u: (f64, f64), v: (f64, f64), d: (f64, f64)| {
        for u in [u.0, u.1] {
            for v in [v.0, v.1] {
                corners.extend([(u, v, d.0), (u, v, d.1)]);
            }
        }
    };
    body((0.0, width), (0.0, height), (0.0, thick));
    // the box stands behind the book, and is a little larger
    let boxed = finish.boxed.then(|| {
        let (u, v, d) = (width * 0.3, -14.0, thick + 18.0);
        body((u, u + width + 14.0), (v, height), (d, d + thick + 24.0));
        (u, v, d)
    });
    let edge = cover.sides;
    if matches!(edge, CoverSides::Leaves(BoundEdge::Top)) {
        body((0.0, width), (-HOLE_MM, height), (0.0, thick));
    }
    let eye = Eye::on(&corners);
    let mut drawn = String::new();
    let mut fill = |places: &[(f64, f64, f64)], how: &str| {
        // writing to a text can't fail
        let _ = write!(drawn, "<path d=\"{}Z\" {how}/>", eye.path(places));
    };
    if let Some((u, v, d)) = boxed {
        let (right, rear) = (u + width + 14.0, d + thick + 24.0);
        fill(&shade(u, right, height, d, rear), SHADOW);
        fill(&face((u, v, d), (right, v, rear)), "fill=\"#4b6191\"");
        fill(&face((u, v, d), (u, height, rear)), "fill=\"#1d2c4c\"");
        fill(&face((u, v, d), (right, height, d)), "fill=\"#304570\"");
        // the edge of its lid
        let lid = d + (rear - d) * 0.55;
        fill(
            &[(u, height, lid), (u, v, lid), (right, v, lid), (u, v, lid)],
            "fill=\"none\" stroke=\"#0b1426\" stroke-opacity=\".5\"",
        );
        let (inner_u, inner_v) = ((right - u) * 0.06, (height - v) * 0.055);
        fill(
            &face((u + inner_u, v + inner_v, d), (right - inner_u, height - inner_v, d)),
            "fill=\"none\" stroke=\"#d8b96c\" stroke-opacity=\".75\" stroke-width=\".8\"",
        );
    }
    fill(&shade(0.0, width, height, 0.0, thick), SHADOW);
    // the leaves from above, lower than the boards where there are any
    let (front, rear) = (board.min(thick / 3.0), thick - board.min(thick / 3.0));
    if square > 0.0 {
        fill(&face((0.0, 0.0, rear), (width, square, rear)), "fill=\"#b5ad9d\"");
    }
    fill(&face((0.0, square, front), (width - square, square, rear)), "fill=\"#f7f3ea\"");
    for leaf in 1..5 {
        let back = front + (rear - front) * f64::from(leaf) / 5.0;
        fill(
            &[(0.0, square, back), (width - square, square, back)],
            "stroke=\"#857c6a\" stroke-opacity=\".35\" stroke-width=\".5\"",
        );
    }
    for (from, to, light) in [(rear, thick, "#9a9488"), (0.0, front, "#d9d4c9")] {
        fill(&face((0.0, 0.0, from), (width, 0.0, to)), &format!("fill=\"{light}\""));
    }
    if square > 0.0 {
        fill(&face((0.0, 0.0, 0.0), (board, 0.0, thick)), "fill=\"#c4bfb3\"");
    }
    let is_leaves = matches!(edge, CoverSides::Leaves(_));
    if is_leaves {
        fill(&face((0.0, 0.0, 0.0), (0.0, height, thick)), "fill=\"#e9e4d8\"");
    }
    let spine = if is_leaves { 0.0 } else { cover.spine_mm };
    let (across, back) = (Eye::across(), Eye::back());
    let surface = |width: f64| match (finish.cloth, finish.leather) {
        (true, _) => format!("<rect width=\"{width:.1}\" height=\"{height:.1}\" filter=\"url(#cloth)\"/>"),
        (_, true) => format!("<rect width=\"{width:.1}\" height=\"{height:.1}\" filter=\"url(#leather)\"/>"),
        _ => String::new(),
    };
    let crease = if cover.is_case() {
        let (at, wide) = (cover.groove_mm * 0.2, cover.groove_mm * 0.75);
        format!("<rect x=\"{at:.1}\" width=\"{wide:.1}\" height=\"{height:.1}\" fill=\"url(#groove)\"/>")
    } else if cover.hinge_mm > 0.0 {
        let at = cover.hinge_mm;
        format!(
            "<path d=\"M{at:.1} 0v{height:.1}\" stroke=\"#000\" stroke-opacity=\".14\" stroke-width=\"1.2\"/>"
        )
    } else {
        String::new()
    };
    let _ = write!(
        drawn,
        "<g transform=\"{}\"><g clip-path=\"url(#front)\"><use href=\"#print\" x=\"{:.2}\"/>{}\
         <rect width=\"{width:.1}\" height=\"{height:.1}\" fill=\"url(#light)\"/>{crease}</g></g>",
        eye.laid(across, (0.0, 0.0, 0.0)),
        -spine,
        surface(width),
    );
    if spine > 0.0 {
        let _ = write!(
            drawn,
            "<g transform=\"{}\"><g clip-path=\"url(#back)\"><use href=\"#print\"/>{}\
             <rect width=\"{spine:.2}\" height=\"{height:.1}\" fill=\"url(#round)\"/></g></g>",
            eye.laid((-back.0, -back.1), (0.0, 0.0, spine)),
            surface(spine),
        );
    } else if !is_leaves {
        // the fold of a stitched book
        let path = eye.path(&face((0.0, 0.0, 0.0), (0.0, height, thick)));
        let _ = write!(drawn, "<path d=\"{path}Z\" fill=\"#c9c4b8\"/>");
    }
    if let CoverSides::Leaves(edge) = edge {
        drawn.push_str(&rings(&eye, edge, width, height, thick));
    }
    let total = spine + width;
    let data = STANDARD.encode(picture);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\"><defs>\
         <image id=\"print\" width=\"{total:.2}\" height=\"{height:.2}\" preserveAspectRatio=\"none\" \
         href=\"data:image/webp;base64,{data}\"/>\
         <clipPath id=\"front\"><rect width=\"{width:.2}\" height=\"{height:.2}\"/></clipPath>\
         <clipPath id=\"back\"><rect width=\"{spine:.2}\" height=\"{height:.2}\"/></clipPath>{DEFINITIONS}</defs>{drawn}</svg>"
    )
}

/// The shadow on the ground before a body.
fn shade(left: f64, right: f64, foot: f64, front: f64, rear: f64) -> [(f64, f64, f64); 4] {
    [
        (left, foot, front - 6.0),
        (right + 9.0, foot, front - 6.0),
        (right + 15.0, foot, rear),
        (left + 4.0, foot, rear),
    ]
}

const SHADOW: &str = "fill=\"#1d2430\" opacity=\".36\" filter=\"url(#soft)\"";

/// Shadow, light on the front, groove, roundness of the spine, and what cloth and leather feel like.
const DEFINITIONS: &str = concat!(
    r##"<filter id="soft" x="-.2" y="-.6" width="1.4" height="2.2"><feGaussianBlur stdDeviation="4.5"/></filter>"##,
    r##"<linearGradient id="light" x2="1" y2=".25"><stop stop-color="#fff" stop-opacity=".12"/>"##,
    r##"<stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-opacity=".1"/></linearGradient>"##,
    r##"<linearGradient id="groove"><stop stop-opacity=".02"/><stop offset=".4" stop-opacity=".24"/>"##,
    r##"<stop offset=".75" stop-color="#fff" stop-opacity=".2"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>"##,
    r##"</linearGradient><linearGradient id="round"><stop stop-opacity=".45"/><stop offset=".7" stop-opacity=".2"/>"##,
    r##"<stop offset="1" stop-opacity=".1"/></linearGradient>"##,
    r##"<filter id="cloth" x="0" y="0" width="1" height="1">"##,
    r##"<feTurbulence type="fractalNoise" baseFrequency=".05 .6" numOctaves="2" result="weft"/>"##,
    r##"<feTurbulence type="fractalNoise" baseFrequency=".6 .05" numOctaves="2" seed="3"/>"##,
    r##"<feComposite in2="weft" operator="arithmetic" k2=".5" k3=".5"/>"##,
    r##"<feColorMatrix values="0 0 0 0 .16 0 0 0 0 .13 0 0 0 0 .1 0 1.2 0 0 -.48"/></filter>"##,
    r##"<filter id="leather" x="0" y="0" width="1" height="1">"##,
    r##"<feTurbulence type="turbulence" baseFrequency=".22" numOctaves="2"/>"##,
    r##"<feColorMatrix values="0 0 0 0 .1 0 0 0 0 .08 0 0 0 0 .06 0 .4 0 0 -.05"/></filter>"##,
);

/// The rings that hold leaves.
fn rings(eye: &Eye, edge: BoundEdge, width: f64, height: f64, thick: f64) -> String {
    let length = if edge == BoundEdge::Left { height } else { width };
    let count = (length / PITCH_MM).floor() - 1.0;
    let first = (length - (count - 1.0) * PITCH_MM) / 2.0;
    let mut drawn =
        String::from("<g fill=\"none\" stroke=\"#4b4f57\" stroke-width=\"1.1\" stroke-linecap=\"round\">");
    for ring in 0..count.max(0.0) as u32 {
        let at = first + f64::from(ring) * PITCH_MM;
        // out of the hole in the front, around the edge, and to the back
        let (hole, out, rear) = match edge {
            BoundEdge::Left => ((HOLE_MM, at, 0.0), (-HOLE_MM, at, thick * 0.3), (-1.0, at, thick + 4.0)),
            BoundEdge::Top => ((at, HOLE_MM, 0.0), (at, -HOLE_MM, thick * 0.3), (at, -1.0, thick + 4.0)),
        };
        let ((x, y), (cx, cy), (to_x, to_y)) = (eye.at(hole), eye.at(out), eye.at(rear));
        let _ = write!(drawn, "<path d=\"M{x:.1} {y:.1}Q{cx:.1} {cy:.1} {to_x:.1} {to_y:.1}\"/>");
    }
    drawn.push_str("</g>");
    drawn
}
