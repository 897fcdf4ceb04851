//! The demo's card.

use base::db::now_ms;
use base::error::Error;
use domain::card::{Field, Look};
use web::app::App;
use web::demo::{ACCOUNT, Demo, NAME};

use super::store::{self, Card};
use super::{key_of, published};

/// A card that search engines may have, with everything on it that the demo member publishes.
pub async fn fill(app: &App, demo: &mut Demo) -> Result<(), Error> {
    let member = &demo.member;
    let works = published(app, member).await?.iter().map(key_of).collect();
    let card = Card {
        member: member.clone(),
        code: accounts::member_code_of(app, member).await?,
        name: NAME.into(),
        title: "摄影师、编辑".into(),
        company: "山海之间影像工作室".into(),
        phone: "13800138000".into(),
        email: ACCOUNT.into(),
        weixin: "lin_zhixia".into(),
        address: "浙江省杭州市西湖区龙井路 18 号".into(),
        introduction: "走路，拍照，把照片做成书。\n家里的老屋、路上的山、朋友的婚礼，都值得印在纸上。".into(),
        // a telephone number stays the member's own until it is chosen
        shown: Field::ALL.into_iter().filter(|field| *field != Field::Phone).collect(),
        works,
        look: Look::Cloth,
        is_listed: true,
        updated_at: now_ms(),
    };
    store::keep(&app.db, &card).await
}
