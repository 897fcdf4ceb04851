//! Changing what is known of a work: title, author, description, cover photo, category, theme, emoji.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::calendar::is_calendar;
use domain::document::{Category, Document};
use domain::ids::{MemberId, PhotoId, WorkId};
use domain::layout::with_cover;
use domain::titles::{TITLE_LENGTH, retitle};
use web::app::App;
use web::render;
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};

use super::documents;
use super::forms::{AUTHOR_LENGTH, read_emoji, stale, theme_or_none};
use super::restyle::themed;
use super::store::{self, Cause};
use super::{photo_input, photos_of};

/// Characters that a description may have.
pub const DESCRIPTION_LENGTH: usize = 500;

/// POST /manager/opus_setting/{id}.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let (base, mut document) = super::document_before(&app, &member.id, &work, &form).await?;
    check_length(&mut form, "title", "书名", 1, TITLE_LENGTH);
    check_length(&mut form, "author", "作者", 0, AUTHOR_LENGTH);
    let description = form.get("description").to_owned();
    if description.chars().count() > DESCRIPTION_LENGTH {
        form.refuse("description", format!("简介最多 {DESCRIPTION_LENGTH} 个字"));
    }
    let category = Category::ALL.into_iter().find(|known| known.code() == form.get("category"));
    if category.is_none() && !form.get("category").is_empty() {
        form.refuse("category", "请选择分类");
    }
    let wanted = form.get("cover");
    let cover = photos_of(&document).into_iter().find(|photo| photo.as_str() == wanted);
    if cover.is_none() && !wanted.is_empty() {
        form.refuse("cover", "请从这本书的照片里选封面");
    }
    let theme = theme_or_none(&mut form);
    let emoji = read_emoji(&mut form, document.emoji);
    let page = format!("/manager/opus_setting/{id}");
    if form.is_refused() {
        return render::again(&app, parts, &page, form).await;
    }
    retitle(&mut document, form.get("title").to_owned(), form.get("author").to_owned());
    document.description = description;
    document.category = category;
    let theme = theme.filter(|theme| theme.name != document.theme);
    let is_set_anew = theme.is_some() || emoji != document.emoji;
    document.emoji = emoji;
    if let Some(theme) = theme {
        document = themed(&app, &member.id, document, theme).await?;
    }
    // a running text is set with the look of its work
    if is_set_anew && let Some(set) = documents::set_again(&app, &member.id, &document, document.trim).await?
    {
        set.text.keep(&app, &member).await?.map_err(Error::Conflict)?;
        document = set.document;
    }
    if let Some(photo) = cover.filter(|photo| Some(photo) != cover_photo(&document)) {
        document = covered(&app, &member.id, document, &photo).await?;
    }
    if super::save(&app, &member.id, &id, base, &document, Cause::Settings).await? {
        return Ok(Redirect::to(&format!("/manager/opus/{id}?saved=settings")).into_response());
    }
    stale(&app, parts, &id, &page, form).await
}

/// The photo on the cover.
pub fn cover_photo(document: &Document) -> Option<&PhotoId> {
    document.cover.photos().next().map(|frame| &frame.photo)
}

/// The document with another photo on its cover.
async fn covered(
    app: &App,
    member: &MemberId,
    document: Document,
    photo: &PhotoId,
) -> Result<Document, Error> {
    let known = photos::of_member(app, member, std::slice::from_ref(photo)).await?;
    let known = known.first().ok_or_else(|| Error::Conflict("这张照片已不在素材里，请另选一张。".into()))?;
    let known = photo_input(known);
    Ok(if is_calendar(&document) {
        domain::calendar::with_cover(&document, &known)
    } else {
        with_cover(&document, &known)
    })
}
