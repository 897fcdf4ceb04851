//! What an issue is called outside its own pages, and the names that stay.

use base::names::urn;
use domain::publication::Kind;

use super::store::issues::Issue;
use super::store::publications::Publication;

/// An issue with its title: 龙井晚报 2026-11-26 第 330 期.
pub fn issue(publication: &Publication, issue: &Issue) -> String {
    match publication.kind {
        Kind::Epaper => format!("{} {} {}", publication.name, issue.day, issue.title()),
        Kind::Magazine => format!("{} {} 年{}", publication.name, issue.day.year(), issue.title()),
    }
}

/// The name of an issue's entry in feeds and catalogues.
pub fn entry_urn(issue: &Issue) -> String {
    urn("issue", issue.id.as_str())
}

/// The name of the issue itself: an entry that describes it is another thing (OPDS 1.2, section 5.1).
pub fn book_urn(issue: &Issue) -> String {
    urn("book", issue.id.as_str())
}
