//! The page editor: its page, which works as it is, and what its island asks for.
//!
//! Not here: what an edit is (`domain::edit`), and how it is kept (`store/edits.rs`).

mod calls;
mod layers;
mod page;
mod props;

use axum::routing::{get, post};
use domain::calendar::is_calendar;
use domain::ids::WorkId;
use web::access::Policy;
use web::calls::handle;
use web::route::Route;
use web::slice::AtDesk;

use super::store::Work;
use domain::sub_member::Role;

pub use page::{EditPage, EditorPage};
pub use props::{
    EditorBetter, EditorBetterPhoto, EditorCover, EditorDesk, EditorFilling, EditorFinding, EditorLook,
    EditorPhoto, EditorPhotos, EditorProps, EditorRole, EditorStyle, EditorStyles, EditorWay, TextLines,
};

/// The address of the editor of albums.
pub const ALBUMS: &str = "/manager/opus_list_edit";
/// Of documents.
const DOCUMENTS: &str = "/manager/opus-document";
/// Of calendars.
const CALENDARS: &str = "/manager/opus-doc-calendar";

/// The editor's routes.
pub const ROUTES: &[Route] = &[
    Route::new("/manager/opus/{id}/layer/{element}/{width}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(layers::element)),
    Route::new("/manager/opus/{id}/backdrop/{page}/{width}", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(layers::backdrop)),
    Route::new("/works/desk", Policy::Member).at_desk(AtDesk::House(Role::Editor)).handled(|| get(handle)),
    Route::new("/works/photos", Policy::Member).at_desk(AtDesk::House(Role::Editor)).handled(|| get(handle)),
    Route::new("/works/findings", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(handle)),
    Route::new("/works/ways", Policy::Member).at_desk(AtDesk::House(Role::Viewer)).handled(|| get(handle)),
    Route::new("/works/styles", Policy::Member).at_desk(AtDesk::House(Role::Editor)).handled(|| get(handle)),
    Route::new("/works/style", Policy::Member).at_desk(AtDesk::House(Role::Editor)).handled(|| post(handle)),
    Route::new("/works/filling", Policy::Member).at_desk(AtDesk::House(Role::Editor)).handled(|| get(handle)),
    Route::new("/works/better", Policy::Member).at_desk(AtDesk::House(Role::Editor)).handled(|| get(handle)),
    Route::new("/works/lines", Policy::Member).at_desk(AtDesk::House(Role::Editor)).handled(|| post(handle)),
];

/// Which of the three editors an address is (specification section 2): its type code.
fn type_code(address: &str) -> u8 {
    match address {
        DOCUMENTS => 11,
        CALENDARS => 13,
        _ => 12,
    }
}

/// Where a work is edited.
pub fn address(work: &Work) -> String {
    let base = if is_calendar(&work.document) {
        CALENDARS
    } else if work.document.files().is_empty() {
        ALBUMS
    } else {
        DOCUMENTS
    };
    address_at(base, &work.id)
}

fn address_at(base: &str, id: &WorkId) -> String {
    format!("{base}?id={id}")
}
