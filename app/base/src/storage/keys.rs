//! Where files lie: the folders, and the place of each kind of file.

use domain::ids::{OrderId, UploadId};
use object_store::path::Path as Key;

/// The folder of pictures that are made of originals.
pub(super) const DERIVATIVES: &str = "derivatives";
/// The folder of what is not in its place yet.
pub(super) const INCOMING: &str = "incoming";
/// The folder of all originals.
pub const ORIGINALS: &str = "originals";
/// The folder of all members' pictures.
pub const AVATARS: &str = "avatars";
/// The folder of the small copies that stand for originals on their way.
pub const PREVIEWS: &str = "previews";

/// The place of an original.
pub fn original_key(sha256: &str) -> Key {
    shelved(ORIGINALS, sha256)
}

/// The place of a member's picture.
pub fn avatar_key(sha256: &str) -> Key {
    shelved(AVATARS, sha256)
}

/// The place of the small copy that stands for an original on its way, by the SHA-256 of the copy.
pub fn preview_key(sha256: &str) -> Key {
    shelved(PREVIEWS, sha256)
}

/// The place of a file that is called by its bytes, in one of the folders of such files.
pub fn shelved(folder: &str, sha256: &str) -> Key {
    Key::from(format!("{folder}/{}/{sha256}", sha256.get(..2).unwrap_or("")))
}

/// The folder of an order's print files. They can be made again.
pub fn print_folder(order: &OrderId) -> Key {
    Key::from(format!("print/{order}"))
}

/// The place of one of an order's print files, by the key of all that it is made of.
pub fn print_key(order: &OrderId, made_of: &str, name: &str) -> Key {
    Key::from(format!("print/{order}/{made_of}/{name}"))
}

/// The place of a list that somebody asked for as a file, by its id and how its name ends.
pub fn export_key(id: &str, ending: &str) -> Key {
    Key::from(format!("exports/{id}.{ending}"))
}

/// The folder of an upload's pieces.
pub fn upload_folder(upload: &UploadId) -> Key {
    Key::from(format!("uploads/{upload}"))
}

/// The place of one piece of an upload.
pub fn piece_key(upload: &UploadId, name: &str) -> Key {
    Key::from(format!("uploads/{upload}/{name}"))
}

/// The place of a photo's WebP derivative with the given long side in pixels.
pub fn derivative_key(sha256: &str, long_side: u32) -> Key {
    Key::from(format!("{DERIVATIVES}/{}/{sha256}-{long_side}.webp", sha256.get(..2).unwrap_or("")))
}

/// The place of the picture of a PDF's page, counted from 1. An empty one says that the page can't be drawn.
pub fn pdf_page_key(sha256: &str, page: u32) -> Key {
    Key::from(format!("{DERIVATIVES}/{}/{sha256}-p{page}.webp", sha256.get(..2).unwrap_or("")))
}

/// The folder of the files that readers take away of a thing, by its id.
pub fn reading_files_folder(thing: &str) -> Key {
    Key::from(format!("pages/books/{thing}"))
}

/// The place of one of them. Like page pictures they go after a while and can be made again.
pub fn reading_file_key(thing: &str, name: &str) -> Key {
    Key::from(format!("pages/books/{thing}/{name}"))
}

/// The place of a page picture: what is drawn depends only on the digest.
pub fn page_picture_key(digest: &str, width: u32) -> Key {
    Key::from(format!("pages/{}/{digest}-{width}.webp", digest.get(..2).unwrap_or("")))
}
