//! What another slice puts on a page of a work.

use base::db::now_ms;
use base::error::Error;
use domain::document::Element;
use domain::edit::Refused;
use domain::ids::{MemberId, PageId, WorkId};
use web::app::App;

use crate::store::{self, Cause, Saved};

/// Saves that may come in between.
const MOST_TRIES: usize = 8;

/// Puts elements on a page of a member's work, over what stands there, and saves it as its next revision. Nothing there is
/// changed, so a save that comes in between is no conflict. Elements that have the id of one on the page are there already: sent
/// twice, they are put there once.
pub async fn put_on_page(
    app: &App,
    member: &MemberId,
    work: &WorkId,
    page: &PageId,
    elements: &[Element],
) -> Result<Result<(), Refused>, Error> {
    for _ in 0..MOST_TRIES {
        let known = store::find_for_owner(&app.db, work, member).await?.on_shelf()?;
        let (base, mut document) = (known.revision, known.document);
        let trim = document.trim;
        let Some(place) = document.page_mut(page) else { return Ok(Err(Refused::UnknownPage)) };
        let is_there =
            |element: &Element| element.common().id.as_ref().is_some_and(|id| place.place_of(id).is_some());
        let new: Vec<Element> = elements.iter().filter(|element| !is_there(element)).cloned().collect();
        if new.is_empty() {
            return Ok(Ok(()));
        }
        if let Some(unfit) = new.iter().find_map(|element| element.check(trim).err()) {
            return Ok(Err(unfit.into()));
        }
        place.elements.extend(new);
        if let Err(unfit) = place.check_room(trim) {
            return Ok(Err(unfit.into()));
        }
        if let Err(much) = document.check_size() {
            return Ok(Err(much.into()));
        }
        let saved = store::save(app, work, member, base, &document, (Cause::Design, None), now_ms()).await?;
        if let Saved::As(_) = saved {
            return Ok(Ok(()));
        }
    }
    Err(Error::Busy)
}
