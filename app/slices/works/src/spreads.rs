//! Adding, leaving out and moving pages, two facing ones at a time.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::error::Error;
use domain::document::Document;
use domain::ids::WorkId;
use domain::layout::{add_pair, copy_pair, is_free, remove_pair, swap_with_next};
use web::app::App;
use web::render::Form;
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;

use super::forms::stale;
use super::store::{self, Cause, Work};

/// What may be done with a pair of pages. The word is the field's name; its value is the number of the left page, from 1,
/// or for [`Act::Add`] of the first page, which stands alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Add,
    Copy,
    Remove,
    Earlier,
    Later,
}

impl Act {
    /// All of them, in the order of the buttons.
    pub const ALL: [Self; 5] = [Self::Earlier, Self::Later, Self::Copy, Self::Add, Self::Remove];

    /// The word for forms.
    pub fn code(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Copy => "copy",
            Self::Remove => "remove",
            Self::Earlier => "earlier",
            Self::Later => "later",
        }
    }

    /// Does it; answers the number of the first page that is elsewhere or new now. `None` where it can't be done.
    fn apply(self, document: &mut Document, number: usize) -> Option<usize> {
        let index = number.checked_sub(1).filter(|index| *index < document.pages.len())?;
        let (done, first) = match self {
            Self::Add => (add_pair(document, index), if index == 0 { 1 } else { index + 2 }),
            Self::Copy => (copy_pair(document, index), index + 2),
            Self::Remove => (remove_pair(document, index), index.saturating_sub(2)),
            Self::Earlier => {
                let before = index.checked_sub(2)?;
                (swap_with_next(document, before), before)
            }
            Self::Later => (swap_with_next(document, index), index + 2),
        };
        done.then_some(first + 1)
    }
}

/// One of a member's works whose pages may be changed.
pub async fn free_for_owner(app: &App, id: &WorkId, member: &Member) -> Result<Work, Error> {
    let work = store::find_for_owner(&app.db, id, &member.id).await?.on_shelf()?;
    if is_free(&work.document) {
        Ok(work)
    } else {
        Err(Error::Conflict(format!("《{}》的书页由月份或原稿决定，不能单独增减。", work.document.title)))
    }
}

/// POST /manager/opus/{id}/pages.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = free_for_owner(&app, &id, &member).await?;
    let form = read_form(&body)?;
    let (base, mut document) = super::document_before(&app, &member.id, &work, &form).await?;
    let wrong = || Error::BadRequest("没有这样的书页，请刷新页面再试".into());
    let act = Act::ALL.into_iter().find(|act| !form.get(act.code()).is_empty()).ok_or(Error::Incomplete)?;
    let number: usize = form.get(act.code()).parse().map_err(|_| wrong())?;
    let moved = act.apply(&mut document, number).ok_or_else(wrong)?;
    let address = format!("/manager/opus/{id}/pages");
    if super::save(&app, &member.id, &id, base, &document, Cause::Pages).await? {
        return Ok(Redirect::to(&format!("{address}?done={}#page-{moved}", act.code())).into_response());
    }
    stale(&app, parts, &id, &address, Form::default()).await
}
