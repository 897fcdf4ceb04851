//! What stands on a shelf, and in which order.

use axum::extract::{RawForm, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::ids::ShelfId;
use domain::shelf::{MOST_ON_SHELF, Way, moved, reordered};
use web::app::App;
use web::render;
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::read_form;

use super::store::{self, Place};
use super::{SHELVES, choices};

impl Place {
    /// As forms name it.
    pub fn value(kind: &str, id: &str) -> String {
        format!("{kind}:{id}")
    }

    fn of_value(text: &str) -> Option<Self> {
        let (kind, id) = text.split_once(':')?;
        Some(Self { kind: kind.to_owned(), id: id.to_owned() })
    }
}

/// POST /manager/book-shelf/{id}/items: these things come on the shelf, behind what stands there.
pub async fn add(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<ShelfId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    store::find_for_owner(&app.db, &id, &member.id).await?;
    let mut form = read_form(&body)?;
    let page = format!("{SHELVES}/{id}");
    let wanted: Vec<Place> = form.all("item").filter_map(Place::of_value).collect();
    if wanted.is_empty() {
        form.refuse("item", "请选择要放上去的作品");
        return render::again(&app, parts, &page, form).await;
    }
    let own = choices(&app, &member.id).await?;
    let is_own =
        |place: &Place| own.iter().any(|(_, one)| (one.kind, &*one.id) == (&*place.kind, &*place.id));
    // somebody else's looks like none
    if !wanted.iter().all(is_own) {
        return Err(Error::NotFound);
    }
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    if !store::hold(&mut tx, &id, &member.id, now).await? {
        return Err(Error::NotFound);
    }
    let mut places = store::items_within(&mut tx, &id).await?;
    places.extend(wanted);
    let places = reordered(&places, &places);
    if places.len() > MOST_ON_SHELF {
        drop(tx);
        form.refuse("item", format!("一个书架最多放 {MOST_ON_SHELF} 件"));
        return render::again(&app, parts, &page, form).await;
    }
    store::set_items(&mut tx, &id, &places, now).await?;
    tx.commit().await?;
    Ok(Redirect::to(&format!("{page}?done=added")).into_response())
}

/// POST /manager/book-shelf/{id}/order: a thing goes one place `before` or `behind`, from the shelf (`remove`), or stands for
/// it (`cover`); or a script sends the whole `order`.
pub async fn arrange(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<ShelfId>,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let form = read_form(&body)?;
    let asked = |name: &str| Place::of_value(form.get(name));
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    if !store::hold(&mut tx, &id, &member.id, now).await? {
        return Err(Error::NotFound);
    }
    let places = store::items_within(&mut tx, &id).await?;
    let page = format!("{SHELVES}/{id}");
    let at = |place: &Place| format!("{page}#item-{}", place.id);
    let order: Vec<Place> = form.all("order").filter_map(Place::of_value).collect();
    let (arranged, back) = if !order.is_empty() {
        store::set_items(&mut tx, &id, &reordered(&places, &order), now).await?;
        tx.commit().await?;
        return Ok(StatusCode::NO_CONTENT.into_response());
    } else if let Some(place) = asked("before") {
        (moved(places, &place, Way::Before), at(&place))
    } else if let Some(place) = asked("behind") {
        (moved(places, &place, Way::Behind), at(&place))
    } else if let Some(place) = asked("remove") {
        (places.into_iter().filter(|known| *known != place).collect(), format!("{page}?done=taken"))
    } else if let Some(place) = asked("cover") {
        if !places.contains(&place) {
            return Err(Error::NotFound);
        }
        store::set_cover(&mut tx, &id, &place).await?;
        let back = at(&place);
        (places, back)
    } else {
        return Err(Error::Incomplete);
    };
    store::set_items(&mut tx, &id, &arranged, now).await?;
    tx.commit().await?;
    Ok(Redirect::to(&back).into_response())
}
