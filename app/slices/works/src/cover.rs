//! The whole cover of a work as one sheet: back, spine and front as a binding makes them.

use axum::extract::{Path, Query, State};
use axum::response::Response;
use base::error::Error;
use domain::binding::{CoverSheet, CoverSides};
use domain::document::Document;
use domain::goods::step_name;
use domain::ids::WorkId;
use domain::layout::is_free;
use domain::print_options::{Choice, evaluate};
use photos::webp;
use web::app::App;
use web::session::Member;

use crate::pictures::{Asked, CoverView, WIDTHS, cover_picture};

/// A cover as it is usually made.
pub struct UsualCover {
    pub sheet: CoverSheet,
    /// The binding's name.
    pub binding: String,
}

impl UsualCover {
    /// How far the sheet reaches past the page on it, in mm: above, and on the right.
    pub fn past_page(&self) -> (f64, f64) {
        let (left, above) = self.sheet.page_on_face();
        let right = self.sheet.face.width - left - self.sheet.page.width;
        (above + self.sheet.around_mm, right + self.sheet.around_mm)
    }
}

/// The cover that the first goods of a book's size make of it, with what they begin with. Nothing where none can be made of it,
/// where its leaves hang on rings, and of calendars and ready pages.
pub async fn usual_cover(app: &App, document: &Document) -> Result<Option<UsualCover>, Error> {
    if !is_free(document) {
        return Ok(None);
    }
    let pages = u32::try_from(document.pages.len()).map_err(Error::internal)?;
    let all = catalog::of_size(app, document.trim).await?;
    Ok(all.iter().find_map(|goods| {
        let evaluation = evaluate(goods, pages, &Choice::default());
        let choice = evaluation.is_complete().then(|| evaluation.choice())?;
        let sheet = goods.cover_sheet(pages, &choice);
        let binding = goods.chosen(step_name::BINDING, &choice)?.name.clone();
        (!matches!(sheet.sides, CoverSides::Leaves(_))).then_some(UsualCover { sheet, binding })
    }))
}

/// The address of a picture of the whole cover; it changes with the work's revision.
pub fn cover_address(work: &WorkId, revision: i64, width: u32) -> String {
    format!("/manager/opus/{work}/cover/{width}?r={revision}")
}

/// GET /manager/opus/{id}/cover/{width}?r={revision}: the whole cover, open.
pub async fn serve(
    State(app): State<App>,
    member: Member,
    Path((id, width)): Path<(String, u32)>,
    Query(asked): Query<Asked>,
) -> Result<Response, Error> {
    let document = asked.document(&app, &member.id, &id).await?;
    let cover = usual_cover(&app, &document).await?.filter(|_| WIDTHS.contains(&width));
    let sheet = cover.ok_or(Error::NotFound)?.sheet;
    Ok(webp(cover_picture(&app, &member.id, document, sheet, CoverView::Open, width).await?))
}
