//! Ornaments that a craft is drawn from: on its plate, on the screen, beside words.

use crate::common::*;
use crate::covers::{A4, INKS, a_book, darkest};
use crate::preflight::{codes, goods, whole};
use domain::artwork::Artwork;
use domain::binding::{CoverMake, CoverSheet, Embellishment, Glued};
use domain::document::{Element, TextRole};
use domain::ornament::Ornament;
use domain::print_options::Choice;
use press::Severity::Warning;
use press::{FindingCode, Making, Part, Press, PrintStandard, breaches};

/// An ornament is on its craft's plate where the domain says, and nowhere in the inks.
#[test]
fn an_ornament_is_on_the_plate_and_in_no_ink() {
    let (book, library) = a_book();
    let plain = CoverSheet::of(CoverMake::Glued(Glued::default()), A4, 7.0, 0.6, false);
    let printed = |standard, cover: CoverSheet| {
        let mut pdf = Vec::new();
        let press = Press::following(standard);
        press.print(&book, Part::Cover(cover), &library, MADE_AT, &mut pdf).expect("a print file");
        assert_eq!(breaches(&pdf, standard).expect("a PDF"), []);
        pdf
    };
    let standards = [PrintStandard::X4, PrintStandard::X1a, PrintStandard::X4];
    let crafts = [
        (Embellishment::Foil, "烫金", Ornament::Frame),
        (Embellishment::SpotVarnish, "局部UV", Ornament::Medallion),
        (Embellishment::Emboss, "起鼓", Ornament::Sprig),
    ];
    for (standard, (embellishment, name, ornament)) in standards.into_iter().zip(crafts) {
        let artwork = Artwork::Ornament(ornament);
        let cover = CoverSheet { embellishment: Some(embellishment), artwork, ..plain };
        let (_, at) = cover.ornament(&book.cover).expect("a place");
        let bare = plates(&printed(standard, plain));
        let (Some(plates), Some(bare)) = (plates(&printed(standard, cover)), bare) else { return };
        // the front lies behind bleed, back and spine
        let (left, top) = (3.0 + cover.front_mm() + at.x, 3.0 + at.y);
        let (right, bottom) = (left + at.width, top + at.height);
        let plate = &plates[name];
        assert!(darkest(plate, [left - 0.6, top - 0.6, right + 0.6, bottom + 0.6]) < 60, "{name}");
        let around = [
            [0.0, 0.0, left - 1.0, 303.0],
            [0.0, 0.0, 433.0, top - 1.0],
            [right + 1.0, 0.0, 433.0, 303.0],
            [0.0, bottom + 1.0, 433.0, 303.0],
        ];
        for part in around {
            assert_eq!(darkest(plate, part), 255, "{name} {part:?}");
        }
        // the words are printed as they are without it
        for ink in INKS {
            assert!(plates[ink] == bare[ink], "{standard:?} {name}: {ink}");
        }
    }
    // with the title, both are on it
    let both = CoverSheet {
        embellishment: Some(Embellishment::Foil),
        artwork: Artwork::TitleAnd(Ornament::Rule),
        ..plain
    };
    let (_, at) = both.ornament(&book.cover).expect("a place");
    if let Some(plates) = plates(&printed(PrintStandard::X4, both)) {
        let (left, top) = (3.0 + both.front_mm() + at.x, 3.0 + at.y);
        assert!(darkest(&plates["烫金"], [left, top, left + at.width, top + at.height]) < 60);
        assert!(darkest(&plates["烫金"], [240.0, 33.0, 410.0, 53.0]) < 60);
    }
    // and the screen shows it golden, where nothing of the kind was
    let golden = |cover: CoverSheet| {
        let picture = Press::new().front_picture(&book, &cover, &library, 720).expect("a picture");
        let picture = image::load_from_memory(&picture).unwrap().into_rgb8();
        picture.enumerate_pixels().filter(|(_, y, pixel)| *y > 260 && near(pixel, [0xa6, 0x7a, 0x1e])).count()
    };
    let foiled = CoverSheet { embellishment: Some(Embellishment::Foil), ..plain };
    assert_eq!(golden(foiled), 0);
    assert!(golden(CoverSheet { artwork: Artwork::Ornament(Ornament::Frame), ..foiled }) > 500);
}

/// An ornament that meets words is told of, one that has room is not.
#[test]
fn an_ornament_keeps_off_the_words() {
    let goods = goods();
    let said = |elements: Vec<Element>, cover: &str, artwork: &str| {
        let mut book = document("calm", vec![page(vec![whole("p", 20.0, 20.0, 100.0)]); 16]);
        book.cover = page(elements);
        let cnums = ["b-hard-perfect", cover, "x-foil"].map(domain::goods::Cnum::from).to_vec();
        let choice = Choice::new(cnums).with_artwork(artwork.parse().expect("an artwork"));
        let choice = domain::print_options::evaluate(&goods, 16, &choice).choice();
        assert_eq!(choice.artwork().to_string(), artwork);
        let making = Making { goods: &goods, choice: &choice };
        codes(&Press::new().artwork_findings(&book, making).expect("a cover"))
    };
    let title = |x: f64, y: f64| text(TextRole::Title, rect(x, y, 120.0, 12.0), "山水之间");
    let crowded = [(Warning, FindingCode::CrowdedArtwork)];
    for cover in ["c-coated", "c-cloth"] {
        assert_eq!(said(vec![title(30.0, 30.0)], cover, "title-frame"), []);
        // across the line at the left, 9 mm from the board's edge
        assert_eq!(said(vec![title(3.0, 30.0)], cover, "title-frame"), crowded);
        assert_eq!(said(vec![title(45.0, 40.0)], cover, "title-medallion"), []);
    }
    // words in ink are under foil, too; on cloth there are none
    assert_eq!(said(vec![title(3.0, 30.0)], "c-coated", "frame"), crowded);
    assert_eq!(said(vec![title(3.0, 30.0)], "c-cloth", "frame"), []);
    assert_eq!(said(Vec::new(), "c-coated", "sprig"), []);
    let everywhere = (0..14).map(|line| title(45.0, 12.0 + 14.0 * f64::from(line))).collect();
    assert_eq!(said(everywhere, "c-coated", "title-medallion"), crowded);
}
