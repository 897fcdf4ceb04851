//! One hot area of each kind, on a page of a demo book.

use base::db::{new_id, now_ms};
use base::error::Error;
use domain::document::Document;
use domain::hot_area::{Kind, Place};
use domain::ids::{MemberId, PhotoId, WorkId};
use press::media::{self as sounds, MediaFormat};
use web::app::App;

use super::{HotArea, media, store};
use crate::uses;
use works::photos_of;

/// The page that has them, from 1.
const PAGE: usize = 2;
/// Pictures of the film, and how long each is shown, in ms.
const PICTURES: usize = 3;
const EACH_MS: u16 = 1_500;

/// Puts them there, two in a row.
pub async fn all_kinds(
    app: &App,
    work: &WorkId,
    member: &MemberId,
    document: &Document,
) -> Result<(), Error> {
    let page_id = |number: usize| document.pages.get(number - 1).and_then(|page| page.id.clone());
    let (Some(page), Some(other)) = (page_id(PAGE), page_id(PAGE + 3)) else { return Ok(()) };
    let shown: Vec<PhotoId> = photos_of(document).into_iter().take(PICTURES).collect();
    let mut pictures = Vec::new();
    for photo in photos::of_member(app, member, &photos_of(document)).await? {
        if pictures.len() < PICTURES && photo.width > photo.height {
            pictures.push(photos::smaller(app, &photo.id, member, 320).await?.bytes);
        }
    }
    let film = sounds::slideshow(&pictures, EACH_MS);
    let film = media::keep_made(app, member, MediaFormat::WebM, "三张风景.webm", film).await?;
    let sound = media::keep_made(app, member, MediaFormat::Mp3, "安静的一秒.mp3", sounds::silence()).await?;
    let mut tx = app.db.begin().await?;
    for (index, kind) in Kind::ALL.into_iter().enumerate() {
        let (name, target, words) = match kind {
            Kind::Link => ("书坊是什么", "https://example.com/bindery".to_owned(), ""),
            Kind::Page => ("翻到另一页", other.to_string(), ""),
            Kind::Note => ("注解", String::new(), "拍这张的时候，雾刚刚散。"),
            Kind::Article => (
                "这一天的日记",
                String::new(),
                "清晨出发，走了三个小时。\n\n山顶的茶馆还在，老板已经不记得我们了。",
            ),
            Kind::Picture => ("那天的另外几张", String::new(), "同一天拍的风景"),
            Kind::Audio => ("听一听", String::new(), "山里的安静"),
            Kind::Video => ("看一段", String::new(), "三张风景，一段短片"),
            Kind::Product => ("买这本书", String::new(), ""),
        };
        let (column, row) = ((index % 2) as u32, (index / 2) as u32);
        let place = Place::new(80 + column * 440, 80 + row * 220, 400, 180);
        let area = HotArea {
            id: new_id(),
            page: page.clone(),
            kind,
            place: place.ok_or_else(|| Error::internal("an area outside its page"))?,
            more: Vec::new(),
            name: name.to_owned(),
            target,
            words: words.to_owned(),
            media: match kind {
                Kind::Audio => Some(sound.clone()),
                Kind::Video => Some(film.clone()),
                _ => None,
            },
            photos: if kind == Kind::Picture { shown.clone() } else { Vec::new() },
        };
        store::keep(&mut tx, work, member, &area, now_ms()).await?;
    }
    uses::areas_changed(&mut tx, work, member).await?;
    Ok(tx.commit().await?)
}
