//! Shelves of works.

use crate::{Caller, between_all, jpeg};

/// An album of one photo.
pub async fn album(member: &Caller, title: &str) -> String {
    let photos = member.upload(vec![("一.jpg", jpeg(320, 240, 1))]).await;
    member.album("square-210", title, &photos).await
}

/// The titles on a page of the shelf, in its order.
pub fn titles(page: &str) -> Vec<String> {
    between_all(page.split_once("<main").unwrap().1, "<strong>", "</strong>")
}
