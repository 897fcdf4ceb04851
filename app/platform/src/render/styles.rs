//! How a page gets its styles. The first page that a browser opens has them inside: one answer is all that it takes to show
//! it. Their files come afterwards, unhurried, and a cookie says which the browser was given; later pages name those.

use std::collections::BTreeSet;

use axum::http::{HeaderMap, HeaderValue, header};

use crate::assets::{self, Sheet};
use crate::security::cookie_name;

const COOKIE: &str = "bindery_styles";
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
    /// Inside the page: it may be kept by anybody, so nothing in it goes by who asks, nor by a nonce.
    OfEverybody,
}

/// Says of an answer that styles stand in it without a nonce.
#[derive(Debug, Clone, Copy)]
pub struct WithoutNonce;

impl Styles {
    /// For the browser that sent these headers.
    pub fn of_browser(headers: &HeaderMap, secure: bool) -> Self {
        let cookie = cookie_name(COOKIE, secure);
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let pairs =
            cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let given = pairs.filter(|(name, _)| *name == cookie).flat_map(|(_, marks)| marks.split('.'));
        Self::OfBrowser(given.map(str::to_owned).collect())
    }

    /// The tags for one file of styles.
    pub fn tags(&self, name: &str, nonce: &str) -> String {
        let address = assets::address(name);
        let linked = format!("<link rel=\"stylesheet\" href=\"{address}\">");
        match (self, assets::sheet(name)) {
            (Self::OfBrowser(given), Some(Sheet { mark, text, .. })) if !given.contains(mark) => {
                // what is only for printing holds nothing up, and is fetched without a script, too
                format!(
                    "<style nonce=\"{nonce}\">{text}</style><link rel=\"stylesheet\" href=\"{address}\" media=\"print\">"
                )
            }
            (Self::OfEverybody, Some(sheet)) if OF_EVERYBODY.contains(&name) => {
                format!("<style>{}</style>", sheet.text)
            }
            _ => linked,
        }
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
        let name = cookie_name(COOKIE, secure);
        let secure = if secure { "; Secure" } else { "" };
        let marks = marks.join(".");
        format!("{name}={marks}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax{secure}").parse().ok()
    }
}

/// What a content policy says of styles that stand in a page for everybody.
pub fn digests_of_everybody() -> String {
    let sheets = OF_EVERYBODY.into_iter().filter_map(assets::sheet);
    sheets.map(|sheet| format!(" 'sha256-{}'", sheet.digest)).collect()
}
