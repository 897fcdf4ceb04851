//! Another page size for a finished work: every page keeps its photos and texts and is laid out anew.

use axum::extract::{RawForm, State};
use axum::response::Redirect;
use base::db::now_ms;
use base::error::Error;
use domain::calendar::{is_calendar, resized};
use domain::compare::{Comparison, compare};
use domain::document::Document;
use domain::ids::{MemberId, WorkId};
use domain::layout::reflow;
use press::{FindingCode, Originals};
use web::app::App;
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;

use super::documents::{self, SetAgain, Typeset};
use super::formats::{WorkFormat, choices};
use super::pictures::LibraryOriginals;
use super::size_text;
use super::store::{self, Cause, Saved};
use super::weak::library;

/// What another page size makes of a work.
pub struct Reflowed {
    pub document: Document,
    pub comparison: Comparison,
    /// Texts that are too long for their new places, each as a sentence.
    pub overflowing: Vec<String>,
    /// The most pages that can be bound in this size, where the work has more.
    pub most: Option<u32>,
    /// The text that the document shows, to be kept before it is saved.
    pub text: Option<Typeset>,
}

/// The format named in an address or a form, unless the work has it already.
pub fn other_format(document: &Document, key: &str) -> Option<&'static WorkFormat> {
    choices(document).iter().find(|format| format.key == key && format.trim != document.trim)
}

/// Lays a document out on another page size and says what becomes of it. Nothing is kept.
pub async fn reflowed(
    app: &App,
    member: &MemberId,
    document: &Document,
    format: &'static WorkFormat,
) -> Result<Reflowed, Error> {
    if let Some(set) = documents::set_again(app, member, document, format.trim).await? {
        let SetAgain { document: after, most, text } = set;
        let comparison = compare(document, &after);
        return Ok(Reflowed { document: after, comparison, overflowing: Vec::new(), most, text: Some(text) });
    }
    let aim = catalog::page_aim(app, format.trim).await?;
    let length = u32::try_from(document.pages.len()).map_err(Error::internal)?;
    let library = library(app, member, document, format.trim).await?;
    let originals = LibraryOriginals::of_document(app, member, document).await?;
    let (press, before) = (app.press, document.clone());
    app.check(move |is_awaited| -> Result<Reflowed, Error> {
        let after = if is_calendar(&before) {
            resized(&before, &library, format.trim)
        } else {
            reflow(&before, &library, format.trim, aim.at_least(length) as usize).map_err(Error::internal)?
        };
        let findings = press
            .preflight(
                &after,
                None,
                &|photo| originals.describe(photo),
                &|photo| originals.seen(photo),
                is_awaited,
            )
            .map_err(Error::internal)?;
        let overflowing = findings
            .into_iter()
            .filter(|finding| finding.code == FindingCode::TextOverflow)
            .map(|finding| finding.message)
            .collect();
        let comparison = compare(&before, &after);
        let most = (length > aim.max).then_some(aim.max);
        Ok(Reflowed { document: after, comparison, overflowing, most, text: None })
    })
    .await?
}

/// POST /manager/opus/{id}/format: the work gets the page size `to`, over the revision that was looked at.
pub async fn change(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let form = read_form(&body)?;
    let (base, document) = super::document_before(&app, &member.id, &work, &form).await?;
    let to = other_format(&document, form.get("to"))
        .ok_or_else(|| Error::BadRequest("请选择另一种开本".into()))?;
    let Reflowed { document: after, text, .. } = reflowed(&app, &member.id, &document, to).await?;
    if let Some(text) = text {
        text.keep(&app, &member).await?.map_err(Error::Conflict)?;
    }
    match store::save(&app, &id, &member.id, base, &after, (Cause::Format, None), now_ms()).await? {
        Saved::As(_) => Ok(Redirect::to(&format!("/manager/opus/{id}"))),
        Saved::Stale => Err(Error::Conflict(format!(
            "《{}》刚刚在别处改过（{}）。请重新打开“换开本”，看过最新的样子再换。",
            work.document.title,
            size_text(work.document.trim)
        ))),
    }
}
