//! Hot areas 热区 of shared works: what readers find on a page, and how its maker puts it there. They belong to pages,
//! wherever those stand, and are there for readers as soon as they are saved.

mod demo;
mod forms;
mod media;
mod printing;
mod serving;
mod store;

use domain::hot_area::{Kind, Place};
use domain::ids::{HotAreaId, MediaId, PageId, PhotoId};
use press::media::MediaFormat;

pub use demo::all_kinds;
pub use forms::{MOST_REQUEST, save};
pub use media::{Arrived, Checked, forget_some_media};
pub use printing::{NO_SITE, put as put_code, scanned, side_of, usual_words};
pub use serving::{film, film_address, picture, picture_address};
pub use store::{counts, of_page, photos_of, stamp};

/// An area as it is kept.
#[derive(Debug, Clone)]
pub struct HotArea {
    pub id: HotAreaId,
    pub page: PageId,
    pub kind: Kind,
    pub place: Place,
    /// Further rectangles that belong to it.
    pub more: Vec<Place>,
    pub name: String,
    /// An address, or the id of a page.
    pub target: String,
    /// A note or an article; beside pictures, sound and films a few words.
    pub words: String,
    pub media: Option<Media>,
    /// What it shows.
    pub photos: Vec<PhotoId>,
}

impl HotArea {
    /// All its rectangles.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        std::iter::once(&self.place).chain(&self.more)
    }
}

/// Sound or a film.
#[derive(Debug, Clone)]
pub struct Media {
    pub id: MediaId,
    pub sha256: String,
    pub format: MediaFormat,
    pub file_name: String,
    pub bytes: u64,
}
