//! How a page gets its styles. The first page that a browser opens has them inside: one answer is all that it takes to show
//! it. Their files come afterwards, unhurried, and a cookie says which the browser was given; later pages name those.

use std::collections::BTreeSet;

use axum::http::{HeaderMap, HeaderValue};

use super::head::PRESSED;
use crate::assets::{self, Sheet};
use crate::cookies;

const COOKIE: &str = "bindery_styles";
/// How long a browser says which it was given, in seconds: thirty days.
const LIFE_S: i64 = 30 * 24 * 60 * 60;
/// What a page for everybody may have inside.
const OF_EVERYBODY: [&str; 2] = ["site.css", "about.css"];

/// See above.
#[derive(Debug, Default)]
pub enum Styles {
    /// By their files, whatever the browser has.
    #[default]
    Linked,
    /// Inside the page, what this browser was not given yet.
    OfBrowser(BTreeSet<String>),
    /// Inside the page: it may be kept by anybody, so nothing in it goes by who asks.
    OfEverybody,
}

impl Styles {
    /// For the browser that sent these headers.
    pub fn of_browser(headers: &HeaderMap, secure: bool) -> Self {
        let given = cookies::cookies(headers, COOKIE, secure).flat_map(|marks| marks.split('.'));
        Self::OfBrowser(given.filter(|mark| !mark.is_empty()).map(str::to_owned).collect())
    }

    /// Whether they go by what a browser has.
    pub fn is_of_browser(&self) -> bool {
        matches!(self, Self::OfBrowser(_))
    }

    /// Whether they go to a browser that has been here before.
    pub fn is_of_known_browser(&self) -> bool {
        matches!(self, Self::OfBrowser(given) if !given.is_empty())
    }

    /// The tags for one file of styles.
    pub fn tags(&self, name: &str) -> String {
        let address = assets::address(name);
        match self.inside(name) {
            Some(sheet) => format!("<style>{}</style>", sheet.text),
            None => format!("<link rel=\"stylesheet\" href=\"{address}\">"),
        }
    }

    /// The file of styles of this name, where it stands inside the page.
    pub fn inside(&self, name: &str) -> Option<&'static Sheet> {
        let sheet = assets::sheet(name)?;
        let is_inside = match self {
            Self::Linked => false,
            Self::OfBrowser(given) => !given.contains(&sheet.mark),
            Self::OfEverybody => OF_EVERYBODY.contains(&name),
        };
        is_inside.then_some(sheet)
    }

    /// The addresses of the files of those that are inside, which a browser is to fetch for its next page.
    pub fn ahead<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let Self::OfBrowser(_) = self else { return Vec::new() };
        names.filter(|name| self.inside(name).is_some()).map(assets::address).collect()
    }

    /// The cookie that says that these files were given, too; `None` where that is known.
    pub fn cookie<'a>(&self, names: impl Iterator<Item = &'a str>, secure: bool) -> Option<HeaderValue> {
        let Self::OfBrowser(before) = self else { return None };
        let used: BTreeSet<&str> = names.filter_map(assets::sheet).map(|sheet| sheet.mark.as_str()).collect();
        if used.iter().all(|mark| before.contains(*mark)) {
            return None;
        }
        // files of an older version are not named any more
        let marks: Vec<&str> =
            assets::marks().filter(|mark| used.contains(mark) || before.contains(*mark)).collect();
        cookies::cookie(COOKIE, &marks.join("."), Some(LIFE_S), secure).ok()
    }
}

/// What has a browser fetch files for its next page (RFC 8288, `prefetch` of the HTML Standard): no part of this page, and done
/// without a script, too.
pub fn links(addresses: &[String]) -> Option<HeaderValue> {
    let links: Vec<String> =
        addresses.iter().map(|address| format!("<{address}>; rel=prefetch; as=style")).collect();
    HeaderValue::try_from(links.join(", ")).ok().filter(|links| !links.is_empty())
}

/// The same by the script of every page, when this one has all that is its own: browsers fetch at once what a header names, and a
/// page that is in use only with its scripts waits for those on the same line.
pub fn later(addresses: &[String]) -> String {
    if addresses.is_empty() {
        return String::new();
    }
    let links: String = addresses
        .iter()
        .map(|address| format!("<link rel=\"prefetch\" as=\"style\" href=\"{address}\">"))
        .collect();
    format!("<template data-later>{links}</template>")
}

/// The cookie of a browser that has no styles any more.
pub fn no_styles(secure: bool) -> HeaderValue {
    cookies::cookie(COOKIE, "", Some(0), secure).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// What stands inside a page as its content policy names it: by what it is, so that the page is the same each time and whoever
/// has it may keep it (Content Security Policy Level 3, section 2.3.1).
#[derive(Debug, Clone, Default)]
pub struct Inside {
    /// Sources of styles, each after a space.
    pub styles: String,
    /// Sources of scripts, likewise.
    pub scripts: String,
}

impl Inside {
    /// What stands in pages for everybody.
    pub fn of_everybody() -> Self {
        Self::of(&Styles::OfEverybody, OF_EVERYBODY.into_iter(), &[PRESSED])
    }

    /// Those of these files that are inside, and these scripts.
    pub fn of<'a>(styles: &Styles, names: impl Iterator<Item = &'a str>, scripts: &[&str]) -> Self {
        let source = |digest: &str| format!(" 'sha256-{digest}'");
        Self {
            styles: names.filter_map(|name| styles.inside(name)).map(|sheet| source(&sheet.digest)).collect(),
            scripts: scripts.iter().map(|script| source(&assets::digest(script))).collect(),
        }
    }
}
