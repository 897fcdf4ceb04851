//! What guests wrote, as the collection's owner reads it; one that is not wanted stays out of books.

use axum::extract::{RawForm, State};
use axum::response::Redirect;
use base::error::Error;
use domain::ids::{CollectionId, GuestId};
use leptos::prelude::*;
use web::app::App;
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;
use web::ui::lists::Pager;

use super::collection_form::own_address;
use super::store::{self, Guest};

/// Wishes on one page.
pub const PART: usize = 50;

/// A page of wishes.
#[component]
pub fn Wishes(own: String, wishes: Vec<Guest>, is_first: bool, next: Option<String>) -> impl IntoView {
    if wishes.is_empty() {
        return view! { <p class="trim empty quiet">"还没有人留言。"</p> }.into_any();
    }
    let items: Vec<_> = wishes
        .into_iter()
        .map(|guest| {
            let is_hidden = guest.is_wish_hidden == 1;
            let (act, label) = if is_hidden { ("show", "要回来") } else { ("hide", "不要") };
            let name = guest.shown_name().to_owned();
            view! {
                <li class=is_hidden.then_some("off")>
                    <blockquote>{guest.wish}</blockquote>
                    <p class="row">
                        <strong>{format!("—— {name}")}</strong>
                        <button class="link" name=act value=guest.id>{label}<span class="sr">{format!("：{name}的留言")}</span></button>
                    </p>
                </li>
            }
        })
        .collect();
    let first = (!is_first).then(|| format!("{own}?show=wishes"));
    view! {
        <form method="post" action=format!("{own}/wishes")><ul class="wishes">{items}</ul></form>
        <Pager first next back="最早的" further="后来的"/>
    }
    .into_any()
}

/// POST /manager/guests/{id}/wishes: `hide` or `show`, a guest.
pub async fn decide(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<CollectionId>,
    RawForm(body): RawForm,
) -> Result<Redirect, Error> {
    store::find_for_owner(&app.db, &id, &member.id).await?;
    let form = read_form(&body)?;
    let is_hidden = !form.get("hide").is_empty();
    let named = if is_hidden { form.get("hide") } else { form.get("show") };
    let guest: GuestId = named.parse().map_err(|_| Error::Incomplete)?;
    let mut tx = app.db.begin().await?;
    store::hide_wish(&mut tx, &id, &guest, is_hidden).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{}?show=wishes", own_address(&id))))
}
