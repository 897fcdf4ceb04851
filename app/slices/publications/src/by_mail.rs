//! What letters are made of (the slice newsletter): a title, who wants to hear of it, and an issue as everybody may see it.

use base::db::Tx;
use base::error::Error;
use domain::ids::{IssueId, MemberId, PublicationId};
use domain::issue_state::IssueState;
use domain::jump::text_between;
use domain::newsletter::{BEGINNING, MOST_ARTICLES, is_news};
use domain::publication::Kind;
use web::app::App;
use web::slice::Event;

use super::joined::Joined;
use super::open;
use super::public::beginning;
use super::store::articles::{self, Article};
use super::store::following;
use super::store::issues::{self, Issue};
use super::store::publications::{self, Publication};
use super::{address, pictures};

/// Readers of a member's issue are told of it. Told again when it is published again, and when the telling was broken off.
#[derive(Debug, Clone)]
pub struct CameOut {
    pub issue: IssueId,
    pub maker: MemberId,
}

impl Event for CameOut {}

/// A title, for whoever writes to its readers.
#[derive(Debug, Clone)]
pub struct Title {
    pub id: PublicationId,
    pub maker: MemberId,
    pub kind: Kind,
    pub name: String,
    /// Where readers find it.
    pub path: String,
    /// Where its maker looks after it.
    pub desk: String,
    /// Where a member says how it hears of new issues.
    pub following: String,
}

impl From<Publication> for Title {
    fn from(publication: Publication) -> Self {
        Self {
            path: publication.path(),
            desk: format!("{}/{}", address::desk(publication.kind), publication.id),
            following: format!("/manager/publication/{}/following", publication.id),
            id: publication.id,
            maker: publication.member,
            kind: publication.kind,
            name: publication.name,
        }
    }
}

/// The title at a public address; one of which nothing came out yet is none.
pub async fn title_at(app: &App, kind: Kind, address: &str) -> Result<Title, Error> {
    let publication = publications::at_address(&app.db, kind, address).await?;
    let is_out = !issues::published(&app.db, &publication.id, 1).await?.is_empty();
    if is_out { Ok(publication.into()) } else { Err(Error::NotFound) }
}

/// The ids of a member's titles.
pub async fn titles_of(tx: &mut Tx, member: &MemberId) -> Result<Vec<PublicationId>, Error> {
    publications::ids_of_member(tx, member).await
}

/// Any title.
pub async fn title(app: &App, id: &PublicationId) -> Result<Title, Error> {
    Ok(publications::find(&app.db, id).await?.into())
}

/// One of a member's own, of a kind.
pub async fn own_title(app: &App, id: &PublicationId, member: &MemberId, kind: Kind) -> Result<Title, Error> {
    Ok(publications::find_for_owner(&app.db, id, member, kind).await?.into())
}

/// Whether a member follows a title by messages.
pub async fn hears_by_message(app: &App, title: &PublicationId, member: &MemberId) -> Result<bool, Error> {
    Ok(following::find(&app.db, title, member).await? == Some(true))
}

/// How many members follow a title by messages.
pub async fn heard_by_message(app: &App, title: &PublicationId) -> Result<i64, Error> {
    following::count_by_message(&app.db, title).await
}

/// Those of them who followed it by a moment, some of them: whose ids follow one.
pub async fn heard_since(
    app: &App,
    title: &PublicationId,
    by: i64,
    after: &str,
    most: i64,
) -> Result<Vec<MemberId>, Error> {
    following::heard_since(&app.db, title, by, after, most).await
}

/// When an issue first came out, as long as it is news.
pub async fn news_since(app: &App, id: &IssueId, now: i64) -> Result<Option<i64>, Error> {
    let Some((publication, issue)) = shown(app, id).await? else { return Ok(None) };
    Ok(issue.published_at.filter(|came_out| is_news(publication.kind, issue.day, *came_out, now)))
}

/// Sends a member no messages of a title any more; it still finds new issues in its study.
pub async fn mute(tx: &mut Tx, title: &PublicationId, member: &MemberId) -> Result<bool, Error> {
    following::mute(tx, title, member).await
}

/// An issue with its title, while readers see it.
async fn shown(app: &App, id: &IssueId) -> Result<Option<(Publication, Issue)>, Error> {
    let issue = match issues::find(&app.db, id).await {
        Ok(issue) if issue.state == IssueState::Published => issue,
        Ok(_) | Err(Error::NotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some((publications::find(&app.db, &issue.publication).await?, issue)))
}

/// An issue by its title, what it is called and where it is read; `None` where it is gone or readers don't see it now.
pub async fn published(app: &App, id: &IssueId) -> Result<Option<(Title, String, String)>, Error> {
    let found = shown(app, id).await?;
    Ok(found.map(|(publication, issue)| {
        let path = address::issue(&publication, &issue);
        (publication.into(), called(&issue), path)
    }))
}

/// Day and number.
fn called(issue: &Issue) -> String {
    format!("{} {}", issue.day, issue.title())
}

/// An issue as a letter shows it: nothing that a visitor could not see.
#[derive(Debug, Clone)]
pub struct IssueInLetter {
    pub title: Title,
    /// Day and number.
    pub called: String,
    /// Where it is read.
    pub path: String,
    pub articles: Vec<ArticleInLetter>,
    /// Articles beyond those.
    pub more: usize,
    /// Whether reading all of it takes a right.
    pub is_sold: bool,
    /// The first page as JPEG, where everybody may see it, with its width in pixels.
    pub cover: Option<(Vec<u8>, u32)>,
}

/// An article of it.
#[derive(Debug, Clone)]
pub struct ArticleInLetter {
    pub headline: String,
    pub author: String,
    /// Its first words; none where its page is closed to visitors.
    pub beginning: String,
    pub path: String,
    /// Its first photo as JPEG, where its page is open.
    pub photo: Option<Vec<u8>>,
}

/// Articles whose photo is shown.
const MOST_PHOTOS: usize = 3;
/// The cover's width in pixels: twice what it is shown in.
const COVER_WIDTH: u32 = 360;
/// The photos' long side in pixels.
const PHOTO_SIDE: u32 = 320;
/// What each may have in bytes, and the qualities that are tried for it.
const COVER_BYTES: usize = 28_000;
const PHOTO_BYTES: usize = 9_000;
const QUALITIES: [u8; 4] = [72, 58, 44, 30];

/// An issue for a letter; `None` where it is gone or readers don't see it now.
pub async fn in_letter(app: &App, id: &IssueId) -> Result<Option<IssueInLetter>, Error> {
    let Some((publication, issue)) = shown(app, id).await? else { return Ok(None) };
    let (rights, _) = open::rights(app, None, &publication, &issue, false).await?;
    let joined = Joined::headlines(&app.db, &issue.id).await?;
    let more = joined.firsts().count().saturating_sub(MOST_ARTICLES);
    let mut in_letter = Vec::new();
    let mut photos = 0;
    for headline in joined.firsts().take(MOST_ARTICLES) {
        let path = address::article(&publication, &issue, headline.number);
        let goes_on = joined.parts(headline.number).len() > 1;
        // of a closed page not a word is even read
        let open = match rights.opens(headline.page) {
            true => Some(articles::at(&app.db, &issue.id, headline.number).await?),
            false => None,
        };
        let photo = match open.as_ref().filter(|_| photos < MOST_PHOTOS) {
            Some(article) => had(photo_of(app, &issue, article).await),
            None => None,
        };
        photos += usize::from(photo.is_some());
        in_letter.push(ArticleInLetter {
            headline: headline.title.clone(),
            author: headline.author.clone(),
            beginning: open
                .map(|article| beginning(text_between(&article.text, false, goes_on), BEGINNING))
                .unwrap_or_default(),
            path,
            photo,
        });
    }
    let cover = match rights.opens(1) {
        true => had(cover_of(app, &issue).await).map(|jpeg| (jpeg, COVER_WIDTH)),
        false => None,
    };
    Ok(Some(IssueInLetter {
        path: address::issue(&publication, &issue),
        called: called(&issue),
        is_sold: publication.sale.is_some(),
        title: publication.into(),
        articles: in_letter,
        more,
        cover,
    }))
}

async fn photo_of(app: &App, issue: &Issue, article: &Article) -> Result<Option<Vec<u8>>, Error> {
    let Some(photo) = article.photos.first() else { return Ok(None) };
    let picture = pictures::derivative(app, &issue.member, &photo.photo, PHOTO_SIDE).await?;
    small_jpeg(app, picture.bytes, PHOTO_BYTES).await
}

async fn cover_of(app: &App, issue: &Issue) -> Result<Option<Vec<u8>>, Error> {
    let drawn = pictures::drawn(app, issue, 1, COVER_WIDTH).await?;
    small_jpeg(app, drawn.bytes, COVER_BYTES).await
}

/// A letter goes without a picture that can't be had.
fn had(picture: Result<Option<Vec<u8>>, Error>) -> Option<Vec<u8>> {
    picture.unwrap_or_else(|error| {
        tracing::warn!(%error, "A picture could not be put into a letter");
        None
    })
}

/// A picture as a JPEG of so many bytes at most, as good as that allows; `None` where none is small enough.
async fn small_jpeg(app: &App, picture: Vec<u8>, most: usize) -> Result<Option<Vec<u8>>, Error> {
    app.compute(move || {
        let pixels = photo::to_srgb(photo::read_derivative(&picture)?);
        let mut made = QUALITIES.iter().filter_map(|quality| photo::progressive_jpeg(&pixels, *quality));
        made.find(|jpeg| jpeg.len() <= most)
    })
    .await
}
