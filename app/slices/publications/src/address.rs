//! Addresses of what is published.

use domain::ids::PhotoId;
use domain::publication::Kind;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::store::issues::Issue;
use super::store::publications::Publication;
use works::BookFormat;

/// An issue: of a newspaper its first page, of a magazine its cover with the contents.
pub fn issue(publication: &Publication, issue: &Issue) -> String {
    match publication.kind {
        Kind::Epaper => page(publication, issue, 1),
        Kind::Magazine => base(publication, issue),
    }
}

/// What all addresses of an issue begin with.
pub fn base(publication: &Publication, issue: &Issue) -> String {
    format!("{}/{}", publication.path(), issue.key(publication.kind))
}

/// The same of one that is known by its title's address, its day and its number in all.
pub fn at(kind: Kind, address: &str, day: &str, total: i64) -> String {
    let title = format!("/{}/{address}", kind.code());
    match kind {
        Kind::Epaper => format!("{title}/{day}"),
        Kind::Magazine => format!("{title}/{total}"),
    }
}

/// A page of it, from 1.
pub fn page(publication: &Publication, issue: &Issue, page: usize) -> String {
    format!("{}/{page}", base(publication, issue))
}

/// An article of it.
pub fn article(publication: &Publication, issue: &Issue, number: i64) -> String {
    format!("{}/a/{number}", base(publication, issue))
}

/// The picture of a page.
pub fn picture(publication: &Publication, issue: &Issue, page: usize, width: u32) -> String {
    addressed(issue, format!("{}/{page}/{width}", picture_base(publication, issue)))
}

/// What the addresses of its pages' pictures begin with.
pub fn picture_base(publication: &Publication, issue: &Issue) -> String {
    format!("{}/picture/{}", base(publication, issue), issue.picture_key)
}

/// A photo of an article, in a size. Browsers keep it for long, so the address names the photo and not its place.
pub fn photo(publication: &Publication, issue: &Issue, article: i64, photo: &PhotoId, size: u32) -> String {
    format!("{}/photo/{article}/{photo}/{size}", base(publication, issue))
}

/// Where something is looked for in all issues of a title.
pub fn search_of_title(publication: &Publication) -> String {
    format!("{}/search", publication.path())
}

/// The pages of a section in all issues.
pub fn section(publication: &Publication, section: &str) -> String {
    format!("{}/section/{}", publication.path(), utf8_percent_encode(section, NON_ALPHANUMERIC))
}

/// Where something is looked for in it.
pub fn search(publication: &Publication, issue: &Issue) -> String {
    format!("{}/search", base(publication, issue))
}

/// Browsers keep pictures for long: those of another edition are at another address. Who still has the old page open is sent
/// what stands there now.
fn addressed(issue: &Issue, address: String) -> String {
    format!("{address}{}", edition(issue))
}

/// What follows the addresses of pictures then.
pub fn edition(issue: &Issue) -> String {
    if issue.edition == 0 { String::new() } else { format!("?edition={}", issue.edition) }
}

/// The same as JPEG, for programs that know nothing newer.
pub fn jpeg(publication: &Publication, issue: &Issue, page: usize, width: u32) -> String {
    addressed(issue, format!("{}/{page}/{width}.jpg", picture_base(publication, issue)))
}

/// A whole issue as a file.
pub fn file(publication: &Publication, issue: &Issue, format: BookFormat) -> String {
    format!("{}/issue.{}", base(publication, issue), format.ending())
}

/// The issue for programs that read.
pub fn manifest(publication: &Publication, issue: &Issue) -> String {
    format!("{}/manifest.json", base(publication, issue))
}

/// The value of `srcset` for a page.
pub fn pictures(publication: &Publication, issue: &Issue, page: usize) -> String {
    let of = |width: &u32| format!("{} {width}w", picture(publication, issue, page, *width));
    reader::room::SCREENS.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// What messengers show of it.
pub fn card(publication: &Publication, issue: &Issue) -> String {
    format!("{}/card.jpg?v={}", base(publication, issue), issue.updated_at)
}

/// The same of an article.
pub fn card_of_article(publication: &Publication, issue: &Issue, number: i64, changed: i64) -> String {
    format!("{}/card.jpg?v={changed}", article(publication, issue, number))
}

/// Where members look after a kind.
pub fn desk(kind: Kind) -> String {
    format!("/manager/{}", kind.code())
}

/// Where its maker looks after an issue.
pub fn issue_desk(kind: Kind, issue: &Issue) -> String {
    format!("/manager/{}_issue/{}", kind.code(), issue.id)
}
