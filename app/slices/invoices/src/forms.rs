//! Taking a request back, and the file.

use axum::extract::State;
use axum::response::{Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use base::storage::original_key;
use domain::ids::InvoiceId;
use domain::invoice::{InvoiceState, NotMoved};
use domain::order_state::Actor;
use web::app::App;
use web::router::Parameter;
use web::session::Member;
use web::ui::files::pdf_file;

use super::LIST;
use super::store::{self, Invoice};

/// POST /manager/invoice/{id}/cancellation.
pub async fn cancel(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<InvoiceId>,
) -> Result<Redirect, Error> {
    let mut tx = app.db.begin().await?;
    let mut invoice = store::lock_for_owner(&mut tx, &id, &member.id).await?;
    match invoice.state.advance(InvoiceState::Cancelled, Actor::Member) {
        Ok(state) => {
            invoice.state = state;
            invoice.ended_at = Some(now_ms());
            store::update(&mut tx, &invoice).await?;
            tx.commit().await?;
        }
        Err(NotMoved::AlreadyThere(_)) => {}
        // issued or rejected meanwhile: the page says which
        Err(_) => return Ok(Redirect::to(&format!("{LIST}/{id}?done=late"))),
    }
    Ok(Redirect::to(&format!("{LIST}/{id}?done=cancelled")))
}

/// The name under which an invoice is saved.
pub fn file_name(invoice: &Invoice) -> String {
    format!("发票-{}.pdf", invoice.number.as_deref().unwrap_or(invoice.of.id()))
}

/// GET /manager/invoice/{id}/file: the PDF of one that counts.
pub async fn file(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<InvoiceId>,
) -> Result<Response, Error> {
    let invoice = store::find_for_owner(&app.db, &id, &member.id).await?;
    if invoice.state != InvoiceState::Issued {
        return Err(Error::NotFound);
    }
    saved(&app, &invoice).await
}

/// An invoice's PDF, to be saved.
pub async fn saved(app: &App, invoice: &Invoice) -> Result<Response, Error> {
    let key = original_key(invoice.file.as_ref().ok_or(Error::NotFound)?);
    let bytes = app.storage.get(&key).await?.ok_or_else(|| Error::internal(format!("{key} is gone")))?;
    // RFC 6266: a plain name for whoever can't read the other one
    Ok(pdf_file(&format!("invoice-{}.pdf", invoice.of.id()), &file_name(invoice), bytes))
}
