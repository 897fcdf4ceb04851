//! The themes a document can name. Each is one file under `themes/`, which only describes typography and
//! colours; `press.typ` beside them places what the document says.

use serde::Serialize;

/// A theme as a member chooses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Theme {
    /// What a document's `theme` says.
    pub name: &'static str,
    /// What members read.
    pub title: &'static str,
    #[serde(skip)]
    source: &'static str,
}

/// The part of the typesetting that all themes share.
pub(crate) const SHARED: &str = include_str!("../themes/press.typ");
/// The months of calendars, which that part places.
pub(crate) const MONTH: &str = include_str!("../themes/month.typ");

static THEMES: [Theme; 2] = [
    Theme { name: "calm", title: "素简", source: include_str!("../themes/calm.typ") },
    Theme { name: "classic", title: "雅宋", source: include_str!("../themes/classic.typ") },
];

/// All themes, the one for a new document first.
pub fn themes() -> &'static [Theme] {
    &THEMES
}

/// The Typst source of a theme.
pub(crate) fn source(name: &str) -> Option<&'static str> {
    THEMES.iter().find(|theme| theme.name == name).map(|theme| theme.source)
}
