//! /manager/opus_share_buy/{id}/gift: reading a shared work, given to somebody else.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::Response;
use base::error::Error;
use domain::ids::WorkId;
use domain::package::Term;
use domain::sharing::Access;
use leptos::prelude::*;
use web::app::App;
use web::render::{self, here, loaded, parameter};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;

use super::open;
use super::opus_share_buy::{buying, single_of};
use selling::{self, GivePage};

/// POST /manager/opus_share_buy/{id}/gift: begins to give reading to somebody, for ever.
pub async fn give(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let mut form = read_form(&body)?;
    let opened = open::open_for(&app, &parts, &id).await?;
    let page = format!("{}/gift", buying(&id));
    match single_of(&opened.share).filter(|_| opened.access != Access::Locked) {
        Some(single) => selling::give_single(&app, &member, parts, &page, form, &single).await,
        None => {
            form.refuse("", "这件作品现在不单卖。");
            render::again(&app, parts, &page, form).await
        }
    }
}

/// GET /manager/opus_share_buy/{id}/gift.
#[component]
pub fn GiveReadingPage() -> impl IntoView {
    let (here, parts, id) = (here(), use_context::<Parts>(), parameter::<WorkId>("id"));
    loaded(
        async move {
            let (here, id) = (here?, id?);
            let parts = parts.ok_or_else(|| Error::internal("a page outside a request"))?;
            Ok((here.member, open::open_for(&here.app, &parts, &id).await?))
        },
        |(member, opened)| {
            let title = opened.share.settings.title.clone();
            let back = buying(&opened.share.work);
            let is_given = !opened.is_owner && opened.access != Access::Locked;
            let single = single_of(&opened.share).filter(|_| is_given);
            let offered = single.map(|single| (Term::Forever, single.price));
            let from = title.clone();
            view! { <GivePage member title from back offered refusal="这件作品现在不能送。" leave="回到购买页"/> }
        },
    )
}
