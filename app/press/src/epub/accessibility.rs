//! What a book says of who can read it, in schema.org's words (EPUB Accessibility 1.1, W3C Recommendation, sections 2 and 3).

use std::fmt::Write as _;

/// See the module. Words are those of the W3C's Schema.org Accessibility Properties for Discoverability Vocabulary.
pub(super) struct Accessibility {
    /// By which senses it is read.
    pub modes: &'static [&'static str],
    /// Those that are enough, each by itself.
    pub sufficient: &'static [&'static str],
    pub features: &'static [&'static str],
    /// The same for people.
    pub summary: &'static str,
    /// Whether it does all that level A asks of a book.
    pub conforms: bool,
}

impl Accessibility {
    /// The lines of a package.
    pub fn lines(&self) -> String {
        let mut out = String::new();
        let words = [
            ("accessMode", self.modes),
            ("accessModeSufficient", self.sufficient),
            ("accessibilityFeature", self.features),
            ("accessibilityHazard", &["none"]),
        ];
        for (property, words) in words {
            for word in words {
                let _ = writeln!(out, "<meta property=\"schema:{property}\">{word}</meta>");
            }
        }
        let _ = writeln!(
            out,
            "<meta property=\"schema:accessibilitySummary\" xml:lang=\"zh-CN\">{}</meta>",
            self.summary
        );
        if self.conforms {
            out.push_str(
                "<meta property=\"dcterms:conformsTo\" id=\"conforms\">EPUB Accessibility 1.1 - WCAG 2.1 Level A</meta>\n\
                 <meta property=\"a11y:certifiedBy\" refines=\"#conforms\">书坊</meta>\n",
            );
        }
        out
    }
}
