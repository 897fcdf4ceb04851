//! The types that the islands' scripts are checked against are those of the slices.

use std::path::Path;

use serde::Serialize;
use ts_rs::{Config, TS};

use accounts::QrLoginProps;
use cart::{
    CartInfo, CartInfoBundle, CartInfoGoods, CartInfoItem, CartInfoStep, PriceLine, PrintOptionsProps,
};
use photos::UploaderProps;
use platform::islands::Props;
use works::{
    EditorDesk, EditorFinding, EditorLook, EditorPhoto, EditorPhotos, EditorProps, EditorRole, EditorWay,
    TextLines,
};

/// Every island with what it is given.
#[derive(Debug, Clone, Serialize, TS)]
#[serde(tag = "name", content = "props", rename_all = "kebab-case")]
#[expect(dead_code, reason = "only its declaration is wanted")]
enum Island {
    Editor(EditorProps),
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
/// `BINDERY_WRITE_TYPES=1` brings
/// the files up to date.
#[test]
fn the_types_of_the_islands_are_current() {
    let config = Config::default();
    let header = "// Written from the server's types by its tests.\n";
    let cart = [
        PrintOptionsProps::decl(&config),
        CartInfo::decl(&config),
        CartInfoBundle::decl(&config),
        CartInfoGoods::decl(&config),
        CartInfoStep::decl(&config),
        CartInfoItem::decl(&config),
        PriceLine::decl(&config),
    ];
    let cart: String = cart.iter().map(|decl| format!("\nexport {decl}\n")).collect();
    let works = [
        EditorProps::decl(&config),
        EditorDesk::decl(&config),
        EditorPhotos::decl(&config),
        EditorPhoto::decl(&config),
        EditorLook::decl(&config),
        EditorRole::decl(&config),
        EditorFinding::decl(&config),
        EditorWay::decl(&config),
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
