//! Works whose readers order printed copies.

use reqwest::StatusCode;

use crate::{Caller, Server, jpeg};

pub async fn shared(server: &Server, changes: &[(&str, &str)]) -> (Caller, String) {
    let maker = server.member_of("maker@example.com", "0", "超级会员").await;
    let photos = maker.upload((0..6).map(|n| ("照片.jpg", jpeg(640, 480, n))).collect()).await;
    let work = maker.album("square-210", "山海之间", &photos).await;
    assert_eq!(maker.share_as(&work, changes).await.status(), StatusCode::SEE_OTHER);
    (maker, work)
}
