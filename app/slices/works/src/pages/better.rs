//! GET /manager/opus/{id}/page/{page}/better/{element}: better photos of the same moment for a frame.

use base::error::Error;
use domain::ids::{ElementId, WorkId};
use leptos::prelude::*;
use web::render::{here, loaded, parameter, use_form};
use web::ui::parts::{ErrorSummary, FieldError};
use web::ui::shell::Shell;

use crate::better::{Better, better_for, frame_of, none_better};
use crate::pictures::page_of;
use crate::store;

/// The photo as it is, and those that would be better, each with what is better of it; one press takes one.
#[component]
pub fn BetterPage() -> impl IntoView {
    let here = here();
    let id = parameter::<WorkId>("id");
    let name = parameter::<String>("page");
    let element = parameter::<ElementId>("element");
    loaded(
        async move {
            let (here, id, name, element) = (here?, id?, name?, element?);
            let (app, member) = (&here.app, &here.member.id);
            let work = store::find_for_owner(&app.db, &id, member).await?.on_shelf()?;
            let place = page_of(&work.document, &name)?;
            let frame = frame_of(&work.document, place, &element).ok_or(Error::NotFound)?;
            let found = better_for(app, member, &work.document, place, frame).await?;
            let (photo, reason) = (frame.photo.clone(), none_better(&work.document, place, frame));
            Ok((here.member, work, name, element, photo, found, reason))
        },
        |(member, work, name, element, photo, found, reason)| {
            let form = use_form();
            let design = format!("/manager/opus/{}/page/{name}", work.id);
            let body = if found.is_empty() {
                view! { <p class="part">{reason}</p> }.into_any()
            } else {
                let cards: Vec<_> = found.into_iter().map(|one| view! { <Card one/> }).collect();
                view! {
                    <form class="part" method="post" action=format!("{design}/better/{element}")>
                        <input type="hidden" name="revision" value=form.or("revision", &work.revision.to_string())/>
                        <FieldError name="photo".to_owned()/>
                        <div class="swap">{cards}</div>
                    </form>
                }
                .into_any()
            };
            view! {
                <Shell member title="换一张更好的".to_owned() assets=&["works.css"]>
                    <header class="head">
                        <div>
                            <h1>"换一张更好的"</h1>
                            <p class="quiet">
                                <a class="link" href=design>{format!("《{}》", work.document.title)}</a>
                                "。同一时刻拍的、还没有用在书里的照片，按一张就换，相框不变，人脸尽量留全。"
                            </p>
                        </div>
                    </header>
                    <ErrorSummary title="还没有换"/>
                    <figure class="frame-photo">
                        <img src=format!("/manager/photo/{photo}/320") alt="现在的照片" width="160"/>
                        <figcaption class="quiet">"现在的这张"</figcaption>
                    </figure>
                    {body}
                </Shell>
            }
        },
    )
}

#[component]
fn Card(one: Better) -> impl IntoView {
    let Better { photo, merits, .. } = one;
    let (width, height) = photo.upright();
    let why: Vec<&str> = merits.iter().map(|merit| merit.words()).collect();
    let why = why.join("、");
    let name = format!("换成{}：{why}", photo.file_name);
    view! {
        <button name="photo" value=photo.id.to_string() aria-label=name>
            <img src=format!("/manager/photo/{}/320", photo.id) width=width height=height alt="" loading="lazy"/>
            <small>{why}</small>
        </button>
    }
}
