//! The photo library, a photo's own page, and the fields in which other pages offer photos.

mod detail;
mod fields;
mod library;

pub use detail::PhotoPage;
pub use fields::{PhotoInput, PhotoPicker, RefusedFiles, UploadSlot, uploader_props};
pub use library::PhotosPage;

use super::store::Photo;

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
