//! What a maker saves and sends to others: a poster, and the QR code alone.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use base::error::Error;
use domain::ids::{MemberId, WorkId};
use press::{Poster, ShareCover};
use web::app::App;
use web::origin::Origin;
use web::router::Parameter;
use web::session::Member;
use web::ui::files::file;
use web::ui::qr;

use super::pictures;
use super::store::{self, Share};

/// The width of the cover on a poster, in pixels.
const COVER_WIDTH: u32 = 1440;

async fn shared(app: &App, member: &MemberId, id: &WorkId) -> Result<Share, Error> {
    works::for_owner(app, id, member).await?;
    store::find(&app.db, id).await?.filter(|share| share.withdrawn_at.is_none()).ok_or(Error::NotFound)
}

/// GET /manager/opus_share_edit/{id}/poster.jpg: cover, title, and the code that leads to it.
pub async fn poster(
    State(app): State<App>,
    member: Member,
    headers: HeaderMap,
    Parameter(id): Parameter<WorkId>,
) -> Result<Response, Error> {
    let share = shared(&app, &member.id, &id).await?;
    let address = Origin::of(&app.config, &headers).join(&format!("/read/{id}"));
    let cover = pictures::drawn(&app, &share, 0, COVER_WIDTH).await?;
    let (press, title, author) = (app.press, share.settings.title, share.facts.author);
    let name = format!("{title}-海报.jpg");
    let jpeg = app
        .compute(move || {
            let short = address.split_once("://").map_or(&*address, |(_, rest)| rest);
            let poster = Poster {
                title: &title,
                author: &author,
                address: &address,
                short_address: short,
                invitation: "扫码阅读",
                house: "书坊",
            };
            press.share_poster(ShareCover::Picture(&cover.bytes), &poster)
        })
        .await?
        .map_err(Error::internal)?;
    Ok(file("image/jpeg", "poster.jpg", &name, jpeg))
}

/// GET /manager/opus_share_edit/{id}/code.svg: for print, at any size.
pub async fn code(
    State(app): State<App>,
    member: Member,
    headers: HeaderMap,
    Parameter(id): Parameter<WorkId>,
) -> Result<Response, Error> {
    let share = shared(&app, &member.id, &id).await?;
    let address = Origin::of(&app.config, &headers).join(&format!("/read/{id}"));
    let svg = qr::picture(&address, "分享地址的二维码")?;
    Ok(file("image/svg+xml", "code.svg", &format!("{}-二维码.svg", share.settings.title), svg.into_bytes()))
}
