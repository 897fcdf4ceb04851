//! Documents and operations as editors make them.

use domain::document::{
    Align, Border, Category, CodeBlock, Colour, Common, Crop, Document, Element, Ground, Ink, Mask, Page,
    PaletteColour, PhotoFrame, Rect, Shape, ShapeKind, TextBlock, TextRole, Trim, Typeface,
};
use domain::edit::{Change, Operation};
use domain::ornament::Ornament;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A document with ids: a cover and four pages with up to five things on each.
pub fn any_document() -> impl Strategy<Value = Document> {
    prop::collection::vec(prop::collection::vec(any_element(), 0..=5), 5).prop_map(|pages| {
        let mut pages = pages.into_iter().map(|elements| Page { elements, ..Page::default() });
        let mut document = Document {
            trim: Trim { width: 210.0, height: 210.0 },
            theme: "calm".to_owned(),
            title: "山水之间".to_owned(),
            author: String::new(),
            description: String::new(),
            category: Some(Category::Travel),
            emoji: Default::default(),
            variants: None,
            cover: pages.next().unwrap_or_default(),
            pages: pages.collect(),
        };
        document.identify(1).expect("ids");
        document
    })
}

/// Places and sizes that stay near the page, whatever is turned.
fn any_frame() -> impl Strategy<Value = Rect> {
    (0..400i32, 0..400i32, 10..600i32, 10..600i32).prop_map(|(x, y, width, height)| Rect {
        x: f64::from(x) / 3.0,
        y: f64::from(y) / 7.0,
        width: f64::from(width) / 10.0,
        height: f64::from(height) / 10.0,
    })
}

fn any_ink() -> impl Strategy<Value = Ink> {
    prop_oneof![
        any::<[u8; 3]>().prop_map(|rgb| Ink::Free(Colour(rgb))),
        prop::sample::select(&PaletteColour::ALL[..]).prop_map(Ink::Theme),
    ]
}

fn any_border() -> impl Strategy<Value = Option<Border>> {
    prop::option::of(
        (0..40u8, any_ink()).prop_map(|(width, colour)| Border { width: f64::from(width) / 10.0, colour }),
    )
}

fn any_mask() -> impl Strategy<Value = Option<Mask>> {
    prop::option::of(prop::sample::select(&Mask::ALL[..]))
}

fn any_radius() -> impl Strategy<Value = Option<f64>> {
    prop::option::of((0..30u8).prop_map(f64::from))
}

fn any_common() -> impl Strategy<Value = Common> {
    (prop_oneof![3 => Just(0i16), 1 => -360..=360i16], any::<bool>()).prop_map(|(rotation, locked)| Common {
        id: None,
        rotation: rotation.into(),
        locked,
    })
}

pub fn any_element() -> impl Strategy<Value = Element> {
    let photo = (any_frame(), any_common(), 0..3u8, any_border(), any_radius(), any_mask()).prop_map(
        |(frame, common, photo, border, radius, mask)| {
            let photo = format!("photo-{photo}").parse().expect("an id");
            let crop = Crop { x: 0.1, y: 1.0 / 3.0, width: 0.9, height: 0.5 };
            Element::Photo(PhotoFrame { common, border, radius, mask, ..PhotoFrame::new(photo, frame, crop) })
        },
    );
    let align = prop::sample::select(&[None, Some(Align::Left), Some(Align::Justify)][..]);
    let font = prop::option::of(prop::sample::select(&Typeface::ALL[..]));
    let text = (any_frame(), any_common(), -4..=8i8, align, prop::option::of(any_ink()), font).prop_map(
        |(frame, common, size, align, colour, font)| {
            let text = TextBlock::new(frame, TextRole::Body, "风从海上来。\n<b>不是标签</b>");
            Element::Text(TextBlock { common, size, align, colour, font, ..text })
        },
    );
    let kinds = prop_oneof![
        prop::sample::select(&[ShapeKind::Rect, ShapeKind::Ellipse, ShapeKind::Line][..]),
        prop::sample::select(&Ornament::ALL[..]).prop_map(ShapeKind::Ornament),
    ];
    let shape = (any_frame(), any_common(), kinds, prop::option::of(any_ink()), any_border()).prop_map(
        |(frame, common, shape, fill, border)| {
            Element::Shape(Shape { common, shape, frame, fill, border, radius: None })
        },
    );
    let code = (any_frame(), any_common(), "HTTPS://[A-Z]{1,12}/Q/[A-Z2-9]{8}")
        .prop_map(|(frame, common, address)| Element::Code(CodeBlock { common, frame, address }));
    prop_oneof![3 => photo, 3 => text, 3 => shape, 1 => code]
}

/// Whole numbers from which [`changes`] chooses what each change is about.
pub fn any_dice() -> impl Strategy<Value = Vec<(u8, u8, u8, u8)>> {
    prop::collection::vec(any::<(u8, u8, u8, u8)>(), 0..14)
}

/// Operations that a client makes one after the other, most of which can be made. Names tell whose they are.
pub fn changes(document: &Document, dice: &[(u8, u8, u8, u8)], whose: &str) -> Vec<Operation> {
    let mut document = document.clone();
    let mut operations = Vec::new();
    for (number, dice) in dice.iter().enumerate() {
        let change = change(&document, *dice, &format!("{whose}-{number}"));
        let id = format!("{whose}-{number}").parse().expect("an id");
        if domain::edit::apply(&mut document, &change).is_ok() {
            operations.push(Operation { id, change });
        }
    }
    operations
}

/// One change; some can't be made.
pub fn change(document: &Document, (kind, page, element, value): (u8, u8, u8, u8), name: &str) -> Change {
    let pages: Vec<&Page> = document.all_pages().collect();
    let target = pages[usize::from(page) % pages.len()];
    let page = target.id.clone().expect("a page has an id");
    let element = usize::from(element) % (target.elements.len() + 1);
    let Some(known) = target.elements.get(element) else {
        return match kind % 5 {
            0 => set_page(page, value),
            1 => move_pages(page, value, name),
            _ => {
                let id = format!("new-{name}").parse().expect("an id");
                let mut text = TextBlock::new(
                    Rect { x: f64::from(value) / 3.0, y: 10.0, width: 50.0, height: 20.0 },
                    TextRole::Caption,
                    "新的话",
                );
                text.common.id = Some(id);
                let to = (value.is_multiple_of(2)).then(|| usize::from(value) % (target.elements.len() + 1));
                Change::Add { page, element: Box::new(Element::Text(text)), to }
            }
        };
    };
    let element = known.common().id.clone().expect("an element has an id");
    match kind % 8 {
        0 => Change::Remove { page, element },
        1 => Change::Order { page, element, to: usize::from(value) % target.elements.len() },
        _ => {
            let (name, value) = property(kind / 8, value);
            Change::Set { page, element: Some(element), name: name.to_owned(), value }
        }
    }
}

fn set_page(page: domain::ids::PageId, value: u8) -> Change {
    let (name, value) = match value % 4 {
        0 => ("ground", json!(Ground::ALL[usize::from(value) % 3])),
        1 => ("background", json!("#e6eaef")),
        2 => ("background", Value::Null),
        _ => ("theme", json!("night")),
    };
    Change::Set { page, element: None, name: name.to_owned(), value }
}

fn move_pages(page: domain::ids::PageId, value: u8, name: &str) -> Change {
    let new = |side: &str| {
        let frame = Rect { x: 10.0, y: f64::from(value) / 3.0, width: 50.0, height: 20.0 };
        let mut text = TextBlock::new(frame, TextRole::Body, side);
        text.common.id = Some(format!("new-{name}-{side}-text").parse().expect("an id"));
        let id = Some(format!("new-{name}-{side}").parse().expect("an id"));
        Page { id, ground: Ground::Tint, elements: vec![Element::Text(text)], ..Page::default() }
    };
    match value % 3 {
        0 => Change::Insert { page, pages: vec![new("left"), new("right")] },
        1 => Change::Discard { page },
        _ => Change::Swap { page },
    }
}

/// A property and a value for it, which suits some kinds of elements.
fn property(name: u8, value: u8) -> (&'static str, Value) {
    let number = f64::from(value);
    match name % 14 {
        0..=2 => {
            ("frame", json!({ "x": number / 3.0, "y": 5, "width": 10.0 + number / 7.0, "height": 30.5 }))
        }
        3 | 4 => ("rotation", json!(number - 100.0)),
        5 => ("locked", json!(value.is_multiple_of(2))),
        6 => ("text", json!(format!("第 {value} 句\n<script>alert(1)</script>"))),
        7 => ("crop", json!({ "x": 0, "y": number / 1000.0, "width": 0.5, "height": 0.6 })),
        8 => (
            "border",
            json!({ "width": number / 20.0, "colour": if value.is_multiple_of(2) { "strong" } else { "#203864" } }),
        ),
        9 => ("radius", json!(number / 2.0)),
        10 => ("size", json!(i16::from(value) % 14 - 4)),
        11 => ("mask", json!([Some("arch"), None, Some("star")][usize::from(value % 3)])),
        12 => ("shape", json!(["line", "wreath", "unicorn"][usize::from(value % 3)])),
        _ => ("colour", if value.is_multiple_of(3) { Value::Null } else { json!("accent") }),
    }
}
