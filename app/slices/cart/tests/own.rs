//! What is private to the slice and has rules of its own.

#![allow(clippy::unwrap_used)]

mod mockup {
    use cart::tested::{FREE, Finish, WIDTH, drawing};
    use domain::binding::CoverSheet;

    use domain::binding::CoverMake;
    use domain::document::Trim;

    const SQUARE: Trim = Trim { width: 210.0, height: 210.0 };

    fn finish(thickness: f64) -> Finish {
        Finish { thickness, cloth: false, leather: false, boxed: false }
    }

    #[test]
    fn every_binding_is_drawn_inside_the_picture() {
        let makes = [
            CoverMake::Folded,
            CoverMake::Glued(Default::default()),
            CoverMake::Case(Default::default()),
            CoverMake::Leaves(Default::default()),
        ];
        for make in makes {
            for (trim, boxed) in [(SQUARE, true), (Trim { width: 297.0, height: 210.0 }, false)] {
                let cover = CoverSheet::of(make, trim, 9.0, 5.0, false);
                let svg = drawing(&cover, &Finish { boxed, ..finish(9.0) }, b"picture");
                assert!(svg.contains("href=\"data:image/webp;base64,cGljdHVyZQ==\""), "{make:?}");
                assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count());
                let numbers = svg.split("<path d=\"M").skip(1).flat_map(|path| {
                    let path = path.split('"').next().unwrap_or_default();
                    path.split(['L', ' ', 'Z', 'Q']).filter_map(|number| number.parse::<f64>().ok())
                });
                for number in numbers {
                    assert!((-FREE..=WIDTH + FREE).contains(&number), "{make:?}: {number}");
                }
            }
        }
    }

    #[test]
    fn cloth_and_box_are_seen() {
        let cover = CoverSheet::of(CoverMake::Case(Default::default()), SQUARE, 9.0, 5.0, false);
        let plain = drawing(&cover, &finish(9.0), b"");
        let gift = drawing(&cover, &Finish { cloth: true, boxed: true, ..finish(9.0) }, b"");
        assert!(!plain.contains("url(#cloth)") && gift.contains("url(#cloth)"));
        assert!(gift.matches("<path").count() > plain.matches("<path").count());
    }
}

mod preview {
    use cart::tested::{Carts, Held, percent};
    use catalog::Filed;
    use domain::money::Fen;

    use domain::document::Trim;
    use domain::print_options::{Quantity, default_choice};
    use domain::tier::Tier;

    #[test]
    fn percents_are_rounded_to_tenths() {
        for (before, after, said) in [
            (10_000, 11_250, "+12.5%"),
            (10_000, 9_999, "\u{2212}0.0%"),
            (300, 200, "\u{2212}33.3%"),
            (300, 400, "+33.3%"),
            (600, 1_000, "+66.7%"),
            (0, 100, ""),
        ] {
            assert_eq!(percent(Fen(before), Fen(after)), said);
        }
    }

    #[test]
    fn lines_in_carts_are_counted_by_what_becomes_of_them() {
        let text = include_str!("../../catalog/goods/album-a5.toml");
        let before = Filed::read(text).unwrap();
        let line = |pages: u32, trim: Trim| Held {
            choice: default_choice(&before.goods, pages),
            quantity: Quantity::try_from(3).unwrap(),
            tier: Tier::Vip,
            trim,
            pages,
            is_in_trash: false,
        };
        let trim = before.goods.trim;
        let turned = Trim { width: trim.height, height: trim.width };
        let mut in_trash = line(24, trim);
        in_trash.is_in_trash = true;
        let held = [line(24, trim), line(28, trim), line(24, turned), in_trash];

        let carts = Carts::of(&before, &before, &held, 5);
        let expected = Carts { all: 5, looked_at: 4, same: 2, never: 2, ..Carts::default() };
        assert_eq!(carts, expected);
        let mut dearer = before.clone();
        dearer.goods.price_book.per_page = "9.00".parse().unwrap();
        let carts = Carts::of(&before, &dearer, &held, 4);
        assert_eq!((carts.dearer, carts.cheaper, carts.same, carts.rearranged), (2, 0, 0, 0));
        assert_eq!(Carts::of(&dearer, &before, &held, 4).cheaper, 2);
        // what was chosen is gone: the cart takes what can be made
        let mut other = before.clone();
        for step in &mut other.goods.steps {
            step.items.retain(|item| item.name != "骑马钉");
        }
        assert_eq!(Carts::of(&before, &other, &held, 4).rearranged, 2);
        let ended = Filed { active: false, ..before.clone() };
        assert_eq!(Carts::of(&before, &ended, &held, 4).lost, 2);
        assert_eq!(Carts::of(&ended, &before, &held, 4).found, 2);
    }
}
