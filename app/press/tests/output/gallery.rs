//! Every binding with every craft as a page to look at: the cover's file, its plates and its drawing with its measures, each seen
//! by poppler and Ghostscript. `cargo test --test output -- --ignored every_binding_and_craft` writes it to the folder of
//! `BINDERY_LOOK`.

use std::fmt::Write;
use std::path::Path;

use crate::common::*;
use crate::covers::{A4, a_book, with_trim_of_media};
use domain::artwork::Artwork;
use domain::binding::{Case, CoverMake, CoverSheet, CoverSides, Embellishment, Glued, Leaves};
use domain::document::Colour;
use domain::ornament::Ornament;
use image::RgbImage;
use press::{Part, Press};

const CRAFTS: [Option<Embellishment>; 4] =
    [None, Some(Embellishment::Foil), Some(Embellishment::SpotVarnish), Some(Embellishment::Emboss)];

/// Pixels of a picture to a mm.
const FINE: f64 = 2.0;

#[test]
#[ignore = "makes pictures to look at"]
fn every_binding_and_craft() {
    let folder = std::env::var("BINDERY_LOOK").expect("a folder in BINDERY_LOOK");
    let folder = Path::new(&folder);
    let (book, library) = a_book();
    let case = CoverSheet::of(CoverMake::Case(Case::default()), A4, 11.5, 5.0, false);
    let bindings = [
        ("骑马钉", CoverSheet::of(CoverMake::Folded, A4, 0.0, 0.6, false)),
        ("平装", CoverSheet::of(CoverMake::Glued(Glued::default()), A4, 7.0, 0.6, false)),
        ("精装", case),
        ("布面精装", CoverSheet { cloth: Some(Colour([0x6f, 0x74, 0x7c])), ..case }),
        ("铁圈装", CoverSheet::of(CoverMake::Leaves(Leaves::default()), A4, 0.0, 0.6, false)),
    ];
    let mut page = String::from(HEAD);
    for (row, (binding, sheet)) in bindings.into_iter().enumerate() {
        for (column, embellishment) in CRAFTS.into_iter().enumerate() {
            if sheet.cloth.is_some() && embellishment == Some(Embellishment::SpotVarnish) {
                continue;
            }
            // all kinds of artwork come up
            let is_leaves = matches!(sheet.sides, CoverSides::Leaves(_));
            let fitting = |it: &Artwork| !is_leaves || it.ornament().is_none_or(|it| !it.runs_along_edges());
            let kinds: Vec<Artwork> = Artwork::all().filter(fitting).collect();
            let artwork = kinds[(row * 5 + column * 3) % kinds.len()];
            let cover = CoverSheet { embellishment, artwork, ..sheet };
            let name = format!("{row}-{column}");
            let mut pdf = Vec::new();
            Press::new().print(&book, Part::Cover(cover), &library, MADE_AT, &mut pdf).expect("a print file");
            std::fs::write(folder.join(format!("{name}.pdf")), &pdf).unwrap();
            let width = (cover.sheet().width * FINE).round() as u32;
            let save = |picture: &RgbImage, what: &str| {
                let file = format!("{name}-{what}.png");
                picture.save(folder.join(&file)).unwrap();
                file
            };
            let file = save(&rasterised(&with_trim_of_media(&pdf), 1, width), "file");
            let seen = Press::new().front_picture(&book, &cover, &library, 480).expect("a picture");
            let seen = save(&image::load_from_memory(&seen).unwrap().into_rgb8(), "front");
            let craft = embellishment.map_or("无", Embellishment::plate);
            let drawn = embellishment.map_or(String::new(), |_| format!(" · {}", artwork.name()));
            write!(page, "<section><h2>{binding} · {craft}{drawn}</h2>").unwrap();
            page.push_str(&drawing(&cover, &book.cover, &file));
            write!(page, "<img src=\"{seen}\">").unwrap();
            for (plate, picture) in plates(&pdf).expect("Ghostscript") {
                if !["Cyan", "Magenta", "Yellow", "Black"].contains(&plate.as_str()) {
                    let file = save(&image::DynamicImage::from(picture).into_rgb8(), &plate);
                    write!(page, "<figure><img src=\"{file}\"><figcaption>{plate}</figcaption></figure>")
                        .unwrap();
                }
            }
            page.push_str("</section>");
        }
    }
    let all = Ornament::OF_PLATES.len();
    assert!(
        Ornament::OF_PLATES.iter().filter(|it| page.contains(it.name())).count() == all,
        "every ornament"
    );
    std::fs::write(folder.join("index.html"), page).unwrap();
}

const HEAD: &str = "<!doctype html><meta charset=\"utf-8\"><style>
body{font:12px sans-serif;margin:8px;background:#fff;display:grid;grid-template-columns:repeat(3,1fr);gap:14px}
section{display:grid;grid-template-columns:3fr 1fr;gap:6px;align-items:start;border-top:1px solid #999}
h2{grid-column:1/-1;font-size:13px;margin:4px 0 0}svg{width:100%;max-height:300px;grid-row:span 3}section img{width:100%}
figure{margin:0}figure img{border:1px solid #ccc}text{font:9px sans-serif}
line,rect{stroke:#06c;fill:none;stroke-width:.6}</style>";

/// A file with its measures around it, in mm.
fn drawing(cover: &CoverSheet, front: &domain::document::Page, file: &str) -> String {
    let (sheet, around) = (cover.sheet(), cover.around_mm);
    let mut drawn = format!(
        "<svg viewBox=\"-24 -24 {:.1} {:.1}\"><image href=\"{file}\" width=\"{:.2}\" height=\"{:.2}\"/>",
        sheet.width + 30.0,
        sheet.height + 44.0,
        sheet.width,
        sheet.height
    );
    let mut across = |from: f64, to: f64, y: f64| {
        let middle = f64::midpoint(from, to);
        write!(
            drawn,
            "<line x1=\"{from:.2}\" x2=\"{to:.2}\" y1=\"{y}\" y2=\"{y}\"/><line x1=\"{from:.2}\" x2=\"{from:.2}\" y1=\"{0}\" \
             y2=\"{1}\"/><line x1=\"{to:.2}\" x2=\"{to:.2}\" y1=\"{0}\" y2=\"{1}\"/><text x=\"{middle:.2}\" y=\"{2}\" \
             text-anchor=\"middle\">{3:.1}</text>",
            y - 3.0,
            y + 3.0,
            y - 2.0,
            to - from
        )
        .unwrap();
    };
    let mut edges = vec![0.0, around];
    if !matches!(cover.sides, CoverSides::Leaves(_)) {
        let spine = around + cover.face.width + cover.groove_mm;
        edges.extend([around + cover.face.width, spine, spine + cover.spine_mm, around + cover.front_mm()]);
    }
    edges.extend([around + cover.seen().width, sheet.width]);
    edges.dedup_by(|a, b| (*a - *b).abs() < 0.01);
    for (place, pair) in edges.windows(2).enumerate() {
        // narrow ones beside each other have their numbers on two lines
        across(pair[0], pair[1], if place % 2 == 0 { -4.0 } else { -14.0 });
    }
    across(0.0, sheet.width, sheet.height + 14.0);
    for (from, to, x) in [(0.0, sheet.height, -16.0), (around, around + cover.face.height, -6.0)] {
        let middle = f64::midpoint(from, to);
        write!(
            drawn,
            "<line x1=\"{x}\" x2=\"{x}\" y1=\"{from}\" y2=\"{to}\"/><text transform=\"translate({0} {middle}) rotate(-90)\" \
             text-anchor=\"middle\">{1:.1}</text>",
            x - 1.5,
            to - from
        )
        .unwrap();
    }
    if let Some((_, at)) = cover.ornament(front) {
        let (x, y) = (around + cover.front_mm() + at.x, around + at.y);
        write!(
            drawn,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{0:.2}\" height=\"{1:.2}\" stroke-dasharray=\"2 2\"/>\
             <text x=\"{x:.2}\" y=\"{2:.2}\">{0:.1} × {1:.1}</text>",
            at.width,
            at.height,
            y + at.height + 8.0
        )
        .unwrap();
    }
    drawn + "</svg>"
}
