//! Choosing photos of the library in a form: those that were chosen, and a part of the library at a time.

use base::error::Error;
use domain::ids::{MemberId, PhotoId};
use leptos::prelude::*;
use web::app::App;
use web::render::{Form, use_form};

use super::{PART, month_of, thumbnail};
use crate::store::{self, Kept, Part, Photo, PhotoState};

/// The button that shows another part of the library, and says after which photo it begins; [`NEWEST`] the first one.
const TURN: &str = "turn";
/// The field that says which part is shown.
const SHOWN: &str = "shown_after";
const NEWEST: &str = "newest";
/// Where a turned form comes back: the same page, at the library.
const HERE: &str = "#library";

/// Whether a form was sent to show another part of the library: it comes back as it is, with that part.
pub fn turns(form: &mut Form) -> bool {
    let turn = form.get(TURN).to_owned();
    if turn.is_empty() {
        return false;
    }
    form.set(SHOWN, &turn);
    form.forget(TURN);
    true
}

/// What a form offers of a library.
#[derive(Debug, Clone)]
pub struct Choice {
    /// What was chosen already and is not in the part.
    chosen: Vec<Photo>,
    part: Part,
    /// Photos in the library.
    count: u64,
}

impl Choice {
    /// What a form offers, but for photos that the page shows elsewhere. Broken ones can't be chosen.
    pub async fn of(
        app: &App,
        member: &MemberId,
        form: &Form,
        elsewhere: &[PhotoId],
        kept: Kept,
    ) -> Result<Self, Error> {
        let mut part = store::part(&app.db, member, form.get(SHOWN).parse().ok().as_ref(), PART).await?;
        part.photos.retain(|photo| photo.state != PhotoState::Broken && !elsewhere.contains(&photo.id));
        let chosen: Vec<PhotoId> = form
            .all("photo")
            .filter_map(|id| id.parse().ok())
            .filter(|id| !elsewhere.contains(id) && part.photos.iter().all(|photo| photo.id != *id))
            .collect();
        let mut chosen = crate::of_member(app, member, &chosen).await?;
        chosen.retain(|photo| photo.state != PhotoState::Broken && photo.removed_at.is_none());
        Ok(Self { chosen, part, count: kept.photos })
    }
}

/// The library as a field: those sent before are chosen again. With `by_month` whole months can be chosen, too.
#[component]
pub fn PhotoPicker(choice: Choice, #[prop(optional)] by_month: bool) -> impl IntoView {
    let Choice { chosen: before, part, count } = choice;
    let Part { photos, next, is_first } = part;
    if photos.is_empty() && before.is_empty() && is_first {
        return None;
    }
    let form = use_form();
    let chosen: Vec<String> = form.all("photo").map(str::to_owned).collect();
    let whole: Vec<String> = form.all("month").filter(|_| by_month).map(str::to_owned).collect();
    let (first, last) = (photos.first().map(month_of), photos.last().map(month_of));
    let mut months: Vec<(String, Vec<_>)> = Vec::new();
    for photo in photos {
        let month = if by_month { month_of(&photo) } else { String::new() };
        let is_chosen = chosen.iter().any(|id| id == photo.id.as_str());
        let item = view! { <Pick photo is_chosen/> };
        match months.last_mut() {
            Some((known, items)) if *known == month => items.push(item),
            _ => months.push((month, vec![item])),
        }
    }
    let shown: Vec<String> = months.iter().map(|(month, _)| month.clone()).collect();
    let before = (!before.is_empty() || whole.iter().any(|month| !shown.contains(month))).then(|| {
        let months: Vec<_> = whole
            .iter()
            .filter(|month| !shown.contains(month))
            .map(|month| view! { <WholeMonth month=month.clone() is_chosen=true count=None/> })
            .collect();
        let items: Vec<_> = before.into_iter().map(|photo| view! { <Pick photo is_chosen=true/> }).collect();
        let items = (!items.is_empty()).then(|| view! { <ul class="prints pick">{items}</ul> });
        view! {
            <div class="chosen" role="group" aria-label="已选的照片">
                <p class="quiet">"已选的照片"</p>
                {months}
                {items}
            </div>
        }
    });
    let is_turned = next.is_some() || !is_first;
    let months: Vec<_> = months
        .into_iter()
        .map(|(month, items)| {
            // its first photos may stand in the part before, its last ones in the next
            let is_cut = (!is_first && first.as_ref() == Some(&month))
                || (next.is_some() && last.as_ref() == Some(&month));
            let count = (!is_cut).then_some(items.len());
            let head = by_month.then(|| {
                let is_chosen = whole.contains(&month);
                view! { <WholeMonth month=month.clone() is_chosen count/> }
            });
            view! {
                <div class="picking" role="group" aria-label=month data-cut=is_cut.then_some("")>
                    {head}<ul class="prints pick">{items}</ul>
                </div>
            }
        })
        .collect();
    let shown_after = form.get(SHOWN).to_owned();
    let next = next.map(|last| {
        view! { <button class="button small" name=TURN value=last.to_string() formaction=HERE formnovalidate>"更早的照片"</button> }
    });
    let first = (!is_first).then(|| {
        view! { <button class="button small" name=TURN value=NEWEST formaction=HERE formnovalidate>"最新的照片"</button> }
    });
    let pager = is_turned
        .then(|| view! { <div class="pager" role="group" aria-label="翻看素材">{first}{next}</div> });
    let is_open = !chosen.is_empty() || !whole.is_empty() || !shown_after.is_empty();
    let chosen = chosen.len();
    Some(view! {
        <details class="fold library" open=is_open id="library">
            <summary>
                "从素材里选（"<span class="num">{count}</span>" 张）"
                <output class="badge num" data-chosen hidden=chosen == 0>{format!("已选 {chosen} 张")}</output>
            </summary>
            {before}
            {months}
            {pager}
            <input type="hidden" name=SHOWN value=shown_after/>
        </details>
    })
}

/// A month that is chosen as a whole; the count is said where all of it is shown.
#[component]
fn WholeMonth(month: String, is_chosen: bool, count: Option<usize>) -> impl IntoView {
    let hint = count.map_or_else(|| " 全选".to_owned(), |count| format!(" {count} 张，全选"));
    view! {
        <label class="check">
            <input type="checkbox" name="month" value=month.clone() checked=is_chosen/>
            <span>{month}<small class="hint num">{hint}</small></span>
        </label>
    }
}

#[component]
fn Pick(photo: Photo, is_chosen: bool) -> impl IntoView {
    let (width, height) = photo.upright();
    view! {
        <li>
            <label>
                <input
                    type="checkbox"
                    name="photo"
                    value=photo.id.to_string()
                    checked=is_chosen
                    aria-label=photo.file_name.clone()
                />
                <img src=thumbnail(&photo) width=width height=height alt="" loading="lazy"/>
            </label>
        </li>
    }
}
