//! Shelves that everybody may look at.

use reqwest::StatusCode;

use crate::{Caller, Server, jpeg};

/// A maker with so many works that everybody may read.
pub async fn maker(server: &Server, account: &str, titles: &[&str]) -> (Caller, Vec<String>) {
    let maker = server.member(account, "0").await;
    let photos = maker.upload(vec![("照片.jpg", jpeg(640, 480, 1))]).await;
    let mut works = Vec::new();
    for title in titles {
        let work = maker.album("square-210", title, &photos).await;
        assert_eq!(maker.share_as(&work, &[("title", title)]).await.status(), StatusCode::SEE_OTHER);
        works.push(work);
    }
    (maker, works)
}

/// Makes a shelf with an id, and answers what came of it.
pub async fn make(maker: &Caller, id: &str, name: &str, changes: &[(&str, &str)]) -> reqwest::Response {
    let mut fields = vec![
        ("shelf", id),
        ("title", "山野书屋"),
        ("byline", "林知夏"),
        ("name", name),
        ("description", "走过的山"),
        ("public", "1"),
    ];
    fields.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
    fields.extend_from_slice(changes);
    maker.post("/manager/book-shelf/new", &fields).await
}
