//! The types that the islands' scripts are checked against are those of the slices.

use std::path::Path;

use domain::document::{
    CODE_LENGTH, LEAST_SIDE_MM, MOST_BORDER_MM, MOST_ON_PAGE, MOST_RADIUS_MM, MOST_ROTATION, Mask,
    SIZE_STEPS, TEXT_LENGTH, TooMuch, Unfit,
};
use domain::edit::Refused;
use domain::ids::{ElementId, PageId};
use domain::layout::MAX_PAGES;
use domain::ornament::Ornament;
use domain::resolution::{COARSE_BELOW_DPI, GOOD_DPI};
use serde::Serialize;
use serde_json::json;
use ts_rs::{Config, TS};

use accounts::QrLoginProps;
use cart::{
    CartInfo, CartInfoArtwork, CartInfoBundle, CartInfoGoods, CartInfoItem, CartInfoStep, PriceLine,
    PrintOptionsProps,
};
use photos::UploaderProps;
use web::islands::Props;
use works::{
    EditorBetter, EditorBetterPhoto, EditorCover, EditorDesk, EditorFilling, EditorFinding, EditorLook,
    EditorPhoto, EditorPhotos, EditorProps, EditorRole, EditorStyle, EditorStyles, EditorWay, TextLines,
};

/// Every island with what it is given.
#[derive(Debug, Clone, Serialize, TS)]
#[serde(tag = "name", content = "props", rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its declaration is wanted")]
enum Island {
    Editor(Box<EditorProps>),
    PrintOptions(PrintOptionsProps),
    QrLogin(QrLoginProps),
    Uploader(UploaderProps),
}

#[test]
fn islands_are_called_as_their_scripts_know_them() {
    let known = Island::decl(&Config::default());
    for name in [EditorProps::NAME, PrintOptionsProps::NAME, QrLoginProps::NAME, UploaderProps::NAME] {
        assert!(known.contains(&format!("\"{name}\"")), "{name}: {known}");
    }
}
/// What may be changed in a document and what is said of the rest, as the editor's script knows it: numbers and sentences are
/// the rules' own. `{}` is what a sentence is about.
fn edit_rules() -> String {
    let about = || "{}".to_owned();
    let id = |text: &str| ElementId::try_from(text.to_owned()).expect("an id");
    let page = |text: &str| PageId::try_from(text.to_owned()).expect("an id");
    let limits = json!({
        "address": CODE_LENGTH,
        "pages": MAX_PAGES,
        "onPage": MOST_ON_PAGE,
        "words": TEXT_LENGTH,
        "leastSide": LEAST_SIDE_MM,
        "rotation": MOST_ROTATION,
        "border": MOST_BORDER_MM,
        "radius": MOST_RADIUS_MM,
        "goodDpi": GOOD_DPI,
        "coarseBelowDpi": COARSE_BELOW_DPI,
        "sizes": [SIZE_STEPS.start(), SIZE_STEPS.end()],
    });
    let said: Vec<(&str, Refused)> = vec![
        ("unknownPage", Refused::UnknownPage),
        ("unknownElement", Refused::UnknownElement),
        ("unknownProperty", Refused::UnknownProperty(about())),
        ("wrongValue", Refused::WrongValue(about())),
        ("noId", Refused::NoId),
        ("takenId", Refused::TakenId(id("about"))),
        ("takenPage", Refused::TakenPage(page("about"))),
        ("fixedPages", Refused::FixedPages),
        ("noPair", Refused::NoPair),
        ("noSuchPlace", Refused::NoSuchPlace),
        ("tooManyPages", TooMuch::Pages.into()),
        ("frame", Unfit::Frame.into()),
        ("farAway", Unfit::FarAway.into()),
        ("rotation", Unfit::Rotation.into()),
        ("crop", Unfit::Crop.into()),
        ("border", Unfit::Border.into()),
        ("radius", Unfit::Radius.into()),
        ("textLength", Unfit::TextLength.into()),
        ("address", Unfit::Address.into()),
        ("control", Unfit::Control.into()),
        ("size", Unfit::Size.into()),
        ("crowded", Unfit::Crowded.into()),
    ];
    let said: serde_json::Map<_, _> = said
        .into_iter()
        .map(|(word, refused)| (word.to_owned(), refused.to_string().replace("about", "{}").into()))
        .collect();
    let masks = Mask::ALL.map(|it| json!({ "code": it.code(), "name": it.name(), "corners": it.corners() }));
    let ornaments = Ornament::ALL.map(|it| {
        json!({ "code": it.code(), "name": it.name(), "size": it.natural_mm(), "runsAlongEdges": it.runs_along_edges() })
    });
    [
        ("LIMITS", limits),
        ("SAID", said.into()),
        // clockwise from the upper left
        ("MASKS", json!(masks)),
        // in mm
        ("ORNAMENTS", json!(ornaments)),
    ]
    .map(|(name, value)| {
        format!("\nexport const {name} = {} as const;\n", serde_json::to_string_pretty(&value).expect("JSON"))
    })
    .concat()
}

/// `BINDERY_WRITE_TYPES=1` brings
/// the files up to date.
#[test]
fn the_types_of_the_islands_are_current() {
    let config = Config::default();
    let header = "// Written from the server's types by its tests.\n";
    let cart = [
        PrintOptionsProps::decl(&config),
        CartInfo::decl(&config),
        CartInfoArtwork::decl(&config),
        CartInfoBundle::decl(&config),
        CartInfoGoods::decl(&config),
        CartInfoStep::decl(&config),
        CartInfoItem::decl(&config),
        PriceLine::decl(&config),
    ];
    let cart: String = cart.iter().map(|decl| format!("\nexport {decl}\n")).collect();
    let works = [
        EditorProps::decl(&config),
        EditorCover::decl(&config),
        EditorDesk::decl(&config),
        EditorPhotos::decl(&config),
        EditorPhoto::decl(&config),
        EditorLook::decl(&config),
        EditorRole::decl(&config),
        EditorFinding::decl(&config),
        EditorWay::decl(&config),
        EditorStyles::decl(&config),
        EditorStyle::decl(&config),
        EditorFilling::decl(&config),
        EditorBetter::decl(&config),
        EditorBetterPhoto::decl(&config),
        TextLines::decl(&config),
    ];
    let works: String = works.iter().map(|decl| format!("\nexport {decl}\n")).collect();
    let uploads = "import type { UploaderProps } from \"./photos.js\";\n";
    let islands = Island::decl(&config);
    let import = "import type { QrLoginProps } from \"./accounts.js\";\n\
                  import type { PrintOptionsProps } from \"./cart.js\";\n\
                  import type { UploaderProps } from \"./photos.js\";\n\
                  import type { EditorProps } from \"./works.js\";\n";
    let files = [
        ("accounts.ts", format!("{header}\nexport {}\n", QrLoginProps::decl(&config))),
        ("cart.ts", format!("{header}{cart}")),
        ("photos.ts", format!("{header}\nexport {}\n", UploaderProps::decl(&config))),
        ("works.ts", format!("{header}{uploads}{works}")),
        ("edit_rules.ts", format!("{header}{}", edit_rules())),
        ("islands.ts", format!("{header}{import}\nexport {islands}\n")),
    ];
    let folder = Path::new(env!("BINDERY_CHECKOUT")).join("islands/src/generated");
    for (name, text) in files {
        let path = folder.join(name);
        if std::env::var_os("BINDERY_WRITE_TYPES").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{name}: run with BINDERY_WRITE_TYPES=1");
    }
}
