//! GET /epaper/{title}/{date}/offline and /magazine/{title}/{number}/offline: what a reader's browser saves of a whole issue.

use axum::extract::{Path, RawQuery, State};
use axum::http::request::Parts;
use base::error::Error;
use domain::publication::Kind;
use reader::room::{Saved, saved_width};
use web::app::App;

use super::joined::Joined;
use super::open::{self, Rights};
use super::store::{articles, issues};
use super::{address, pictures};

/// The long side of photos that are saved, in pixels.
const PHOTO: u32 = 1280;

/// Its pages with their pictures, its articles with their photos. What is heard is not saved: players ask for it piece by piece.
pub async fn list(
    State(app): State<App>,
    Path((title, key)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    parts: Parts,
) -> Result<Saved, Error> {
    let opened = open::open(&app, &parts, pictures::kind_of(&parts)?, &title, &key).await?;
    if opened.rights != Rights::Whole {
        return Err(Error::Forbidden("能读整期的人才可以离线保存。"));
    }
    let open::Opened { publication, issue, .. } = opened;
    let width = saved_width(query)?;
    let home = address::base(&publication, &issue);
    // what was saved of another edition has wrong pages
    let mut saved = Saved::new(&home, width, format!("{}{}", issue.picture_key, address::edition(&issue)));
    if publication.kind == Kind::Magazine {
        saved.page(home.clone());
    }
    for page in issues::pages(&app.db, &issue.id).await? {
        saved.page(address::page(&publication, &issue, page.page));
        let bytes = pictures::bytes(&app, &issue, page.page, width).await?;
        saved.picture(address::picture(&publication, &issue, page.page, width), bytes);
    }
    let joined = Joined::headlines(&app.db, &issue.id).await?;
    for first in joined.firsts() {
        saved.page(address::article(&publication, &issue, first.number));
    }
    for headline in joined.all() {
        let article = articles::at(&app.db, &issue.id, headline.number).await?;
        for photo in &article.photos {
            let bytes = pictures::photo_bytes(&app, &issue.member, &photo.photo, PHOTO).await?;
            saved.picture(address::photo(&publication, &issue, article.number, &photo.photo, PHOTO), bytes);
        }
    }
    Ok(saved)
}
