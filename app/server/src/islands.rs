//! Islands: HTML that works as it is, and what the browser's script needs to make more of it.
//!
//! The scripts are in `islands/src`; the names and props here are theirs, written out by ts-rs.

use leptos::prelude::*;
use serde::Serialize;
use ts_rs::TS;

use crate::accounts::QrLoginProps;
use crate::cart::PrintOptionsProps;
use crate::photos::UploaderProps;

/// Every island with what it is given.
#[derive(Debug, Clone, Serialize, TS)]
#[serde(tag = "name", content = "props", rename_all = "kebab-case")]
pub enum Island {
    PrintOptions(PrintOptionsProps),
    QrLogin(QrLoginProps),
    Uploader(UploaderProps),
}

/// When the browser loads an island's script.
#[derive(Debug, Clone, Copy)]
pub enum When {
    /// As soon as it stands in the page.
    Load,
    /// When it comes into view.
    Visible,
    /// At the first sign that somebody is about to use it.
    Intent,
}

/// A place where an island may stand. Its children are what everybody sees who has no script, and what stays when
/// the script can't be loaded.
#[component]
pub fn ReactIsland(island: Island, when: When, children: Children) -> impl IntoView {
    let island = serde_json::to_value(&island).unwrap_or_default();
    let name = island["name"].as_str().unwrap_or_default().to_owned();
    let when = match when {
        When::Load => "load",
        When::Visible => "visible",
        When::Intent => "intent",
    };
    view! {
        <react-island data-name=name data-when=when data-props=island["props"].to_string()>
            {children()}
        </react-island>
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ts_rs::Config;

    use super::*;
    use crate::cart::{CartInfo, CartInfoGoods, CartInfoItem, CartInfoStep, PriceLine};

    /// The types that the islands are checked against must be those of the server. `BINDERY_WRITE_TYPES=1` brings
    /// the files up to date.
    #[test]
    fn the_types_of_the_islands_are_current() {
        let config = Config::default();
        let header = "// Written from the server's types by its tests.\n";
        let cart = [
            PrintOptionsProps::decl(&config),
            CartInfo::decl(&config),
            CartInfoGoods::decl(&config),
            CartInfoStep::decl(&config),
            CartInfoItem::decl(&config),
            PriceLine::decl(&config),
        ];
        let cart: String = cart.iter().map(|decl| format!("\nexport {decl}\n")).collect();
        let islands = Island::decl(&config);
        let import = "import type { QrLoginProps } from \"./accounts.js\";\n\
                      import type { PrintOptionsProps } from \"./cart.js\";\n\
                      import type { UploaderProps } from \"./photos.js\";\n";
        let files = [
            ("accounts.ts", format!("{header}\nexport {}\n", QrLoginProps::decl(&config))),
            ("cart.ts", format!("{header}{cart}")),
            ("photos.ts", format!("{header}\nexport {}\n", UploaderProps::decl(&config))),
            ("islands.ts", format!("{header}{import}\nexport {islands}\n")),
        ];
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../islands/src/generated");
        for (name, text) in files {
            let path = folder.join(name);
            if std::env::var_os("BINDERY_WRITE_TYPES").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            assert_eq!(
                std::fs::read_to_string(&path).unwrap(),
                text,
                "{name}: run with BINDERY_WRITE_TYPES=1"
            );
        }
    }
}
