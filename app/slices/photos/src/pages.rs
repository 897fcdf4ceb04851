//! The photo library, a photo's own page, and the fields in which other pages offer photos.

mod choice;
mod detail;
mod fields;
mod library;

pub use choice::{Choice, PhotoPicker, turns};
pub use detail::PhotoPage;
pub use fields::{PhotoInput, RefusedFiles, UploadSlot, guests_uploader_props, uploader_props};
pub use library::PhotosPage;

use base::time;

use super::store::Photo;

/// Photos of a library that a page shows at once.
const PART: usize = 240;

fn thumbnail(photo: &Photo) -> String {
    format!("/manager/photo/{}/320", photo.id)
}

fn megabytes(bytes: u64) -> String {
    if bytes >= 1 << 30 {
        format!("{:.1} GB", bytes as f64 / f64::from(1 << 30))
    } else {
        format!("{:.1} MB", bytes as f64 / f64::from(1 << 20))
    }
}

/// The month under which a photo stands.
pub fn month_of(photo: &Photo) -> String {
    photo.taken_at.map_or_else(|| "没有拍摄时间".to_owned(), time::month)
}
