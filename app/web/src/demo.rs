//! The demo: three people and a clerk, for whom each slice makes what shows it best (`Slice::demo`). Everything goes through the
//! functions that members' own requests call.

use std::future::Future;
use std::pin::Pin;

use base::error::Error;
use domain::ids::{MemberId, WorkId};
use domain::layout::PhotoInput;

use crate::app::App;

/// Who makes books: the sign-in that a newcomer is told.
pub const ACCOUNT: &str = "demo@example.com";
/// Everybody's.
pub const PASSWORD: &str = "bindery-demo";
/// As it signs.
pub const NAME: &str = "林知夏";
/// Who edits its books.
pub const EDITOR: &str = "editor@example.com";
/// Whose orders the shop works at.
pub const BUYER: &str = "buyer@example.com";
/// Who may do everything in the back office.
pub const STAFF: &str = "demo";

/// What there is by now: each slice finds what those before it made.
#[derive(Debug)]
pub struct Demo {
    pub member: MemberId,
    pub editor: MemberId,
    pub buyer: MemberId,
    /// The photos of the member, and those of the buyer.
    pub library: Vec<PhotoInput>,
    pub of_buyer: Vec<PhotoInput>,
    /// The member's works with their titles, one for each goods.
    pub books: Vec<(WorkId, &'static str)>,
}

/// See `Slice::demo`.
pub type Fill =
    for<'a> fn(&'a App, &'a mut Demo) -> Pin<Box<dyn Future<Output = Result<(), Error>> + Send + 'a>>;
