//! POST /manager/opus_hotarea_edit/{id}: an area is put on a page, changed or taken away; what it plays and shows comes with
//! the same form.

use axum::extract::{FromRequest, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::document::Document;
use domain::hot_area::{
    Kind, LEAST_SIDE, MOST_OF_PAGE, MOST_OF_WORK, MOST_PHOTOS, MOST_PLACES, NAME_LENGTH, Place, address,
};
use domain::ids::{HotAreaId, PageId, PhotoId, WorkId};
use domain::typed::{PAGES, is_blank, whole};
use web::app::App;
use web::multipart::{Budget, Multipart, bounded};
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, has_control, read_form, unwritable};

use super::media::{self, Arrived};
use super::{HotArea, store};
use crate::uses;
use crate::words::page_of;
use photos::{self, Intake};

/// Bytes of a request: the largest film, a few photos, the words.
pub const MOST_REQUEST: usize = 1536 << 20;
/// Bytes of a form without files.
const MOST_PLAIN: usize = 256 << 10;
/// Bytes that one field may have, and all words together.
const MOST_FIELD: usize = 64 << 10;
const MOST_WORDS: usize = 256 << 10;

/// See the module.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    request: Request,
) -> Result<Response, Error> {
    let work = works::for_owner(&app, &id, &member.id).await?.on_shelf()?;
    let parts = parts_of(&request);
    let (mut form, arrived) = read_sent(&app, &member, request).await?;
    let unknown = |_| Error::Incomplete;
    let area: HotAreaId = form.get("area").parse().map_err(unknown)?;
    let number: usize = form.get("page").parse().map_err(|_| Error::Incomplete)?;
    let page =
        number.checked_sub(1).and_then(|_| page_of(&work.document, number)).and_then(|page| page.id.clone());
    let page = page.ok_or_else(|| Error::BadRequest("没有这一页".into()))?;
    let back = format!("/manager/opus_hotarea_edit/{id}?page={number}");
    let now = now_ms();
    let before = store::find(&app.db, &id, &area).await?;
    let played = before.as_ref().and_then(|area| area.media.clone());
    if form.get("act") == "remove" {
        let mut tx = app.db.begin().await?;
        store::remove(&mut tx, &id, &area).await?;
        media::forget_unplayed(&mut tx, &member.id, played.as_ref().map(|media| &media.id), now).await?;
        uses::areas_changed(&mut tx, &id, &member.id).await?;
        tx.commit().await?;
        return Ok(Redirect::to(&format!("{back}&saved=removed")).into_response());
    }
    take_media(&app, &member, &mut form, arrived).await?;
    let Some(mut area) = read(&mut form, &work.document, area, page) else {
        return render::again(&app, parts, &back, form).await;
    };
    match area.kind {
        Kind::Audio | Kind::Video => {
            let kept = media::find(&app, &member.id, form.get("media")).await?.or(played.clone());
            area.media = kept.filter(|media| media.format.is_video() == (area.kind == Kind::Video));
            if area.media.is_none() {
                form.refuse("file", "请选择要放的文件");
            }
        }
        Kind::Picture => {
            let chosen: Vec<PhotoId> = form.all("photo").filter_map(|id| id.parse().ok()).collect();
            area.photos = photos::of_member(&app, &member.id, &chosen)
                .await?
                .into_iter()
                .filter(|photo| photo.removed_at.is_none())
                .map(|photo| photo.id)
                .collect();
            area.photos.dedup();
            if area.photos.is_empty() {
                form.refuse("photos", "请选择照片，或者上传新的");
            } else if area.photos.len() > MOST_PHOTOS {
                form.refuse("photos", format!("一个热区最多 {MOST_PHOTOS} 张照片"));
            }
        }
        _ => {}
    }
    let here = store::of_page(&app.db, &id, &area.page).await?;
    let is_new = here.iter().all(|known| known.id != area.id);
    let all: i64 = store::counts(&app.db, &id).await?.values().sum();
    if is_new && (here.len() >= MOST_OF_PAGE || all >= MOST_OF_WORK as i64) {
        form.refuse("kind", format!("一页最多 {MOST_OF_PAGE} 个热区，一件作品最多 {MOST_OF_WORK} 个"));
    }
    if form.is_refused() {
        return render::again(&app, parts, &back, form).await;
    }
    let mut tx = app.db.begin().await?;
    if !store::keep(&mut tx, &id, &member.id, &area, now).await? {
        return Err(Error::NotFound);
    }
    media::forget_unplayed(&mut tx, &member.id, played.as_ref().map(|media| &media.id), now).await?;
    uses::areas_changed(&mut tx, &id, &member.id).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Redirect::to(&format!("{back}&saved=kept")).into_response())
}

/// What rendering needs of a request whose body is read elsewhere.
fn parts_of(request: &Request) -> axum::http::request::Parts {
    let (mut parts, ()) = Request::new(()).into_parts();
    parts.method = request.method().clone();
    parts.uri = request.uri().clone();
    parts.headers = request.headers().clone();
    parts.extensions = request.extensions().clone();
    parts
}

/// The fields, and the file to be played. Photos that came are in the library and chosen.
async fn read_sent(app: &App, member: &Member, request: Request) -> Result<(Form, Option<Arrived>), Error> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    if !kind.starts_with("multipart/form-data") {
        let body = axum::body::to_bytes(request.into_body(), MOST_PLAIN).await;
        let body = body.map_err(|_| Error::TooLarge("写的文字太多了，请缩短".into()))?;
        return Ok((read_form(&body)?, None));
    }
    let broken = |_| Error::BadRequest("表单无法读取，请刷新页面再试".into());
    let mut multipart = Multipart::from_request(request, &()).await.map_err(broken)?;
    let most = Kind::Video.most_bytes(member.tier).unwrap_or(0);
    let (mut pairs, mut intake, mut arrived) = (Vec::new(), Intake::default(), None);
    let mut budget = Budget::of(MOST_WORDS);
    let too_long = || Error::TooLarge("写的文字太多了，请缩短".into());
    while let Some(field) = multipart.next_field().await.map_err(|error| photos::broken_request(&error))? {
        let name = field.name().unwrap_or("").to_owned();
        match name.as_str() {
            "photos" => intake.take(app, member, field).await?,
            "file" => arrived = Arrived::read(app, field, most).await?,
            _ => {
                let value =
                    bounded(field, MOST_FIELD).await.map_err(|error| photos::broken_request(&error))?;
                let value = value.map_err(|_| too_long())?;
                if !budget.pay(name.len() + value.len()) {
                    return Err(too_long());
                }
                let value = String::from_utf8(value).map_err(|_| unwritable())?;
                if has_control(&value) {
                    return Err(unwritable());
                }
                pairs.push((name, value));
            }
        }
    }
    pairs.extend(intake.taken.iter().map(|id| ("photo".to_owned(), id.to_string())));
    let mut form = Form::sent(pairs);
    for refused in &intake.refused {
        form.refuse("photos", format!("{}：{}", refused.file_name, refused.reason));
    }
    Ok((form, arrived))
}

/// Takes the file in that came with an area of sound or a film; the form has its id, so that it need not come again.
async fn take_media(
    app: &App,
    member: &Member,
    form: &mut Form,
    arrived: Option<Arrived>,
) -> Result<(), Error> {
    let kind = Kind::of_code(form.get("kind")).filter(|kind| kind.most_bytes(member.tier).is_some());
    let (Some(kind), Some(arrived)) = (kind, arrived) else { return Ok(()) };
    match arrived.take(app, member, kind).await? {
        Ok(media) => form.set("media", media.id.as_str()),
        Err(reason) => form.refuse("file", reason),
    }
    Ok(())
}

/// What the form says; what is wrong with it stands in the form.
fn read(form: &mut Form, document: &Document, id: HotAreaId, page: PageId) -> Option<HotArea> {
    let kind = Kind::of_code(form.get("kind"));
    if kind.is_none() {
        form.refuse("kind", "请选择点了以后怎样");
    }
    let side = |name: &str| whole::<u32>(form.get(name), &[]);
    let place = match (side("x"), side("y"), side("width"), side("height")) {
        (Some(x), Some(y), Some(width), Some(height)) => Place::new(x, y, width, height),
        _ => None,
    };
    if place.is_none() {
        form.refuse(
            "x",
            format!("热区要在页面里面：左、上从 0 起，宽、高至少 {LEAST_SIDE}，右边和下边不超过 1000"),
        );
    }
    let more: Result<Vec<Place>, ()> =
        form.all("more").filter(|text| !is_blank(text)).map(str::parse).collect();
    match &more {
        Err(()) => form.refuse("more", "别的块要填左、上、宽、高四个数，像 100,200,300,150，也要在页面里面"),
        Ok(more) if more.len() >= MOST_PLACES => {
            form.refuse("more", format!("一个热区最多 {MOST_PLACES} 块"));
        }
        Ok(_) => {}
    }
    check_length(form, "name", "名称", 1, NAME_LENGTH);
    let (mut target, mut words) = (String::new(), String::new());
    match kind {
        Some(Kind::Link) => match address(form.get("address")) {
            Some(address) => target = address,
            None => form.refuse("address", "请填写网址，像 https://example.com；也可以是 mailto: 或 tel:"),
        },
        Some(Kind::Page) => {
            let number = whole::<usize>(form.get("to_page"), PAGES);
            match number.and_then(|number| page_of(document, number)).and_then(|page| page.id.as_ref()) {
                Some(page) => target = page.to_string(),
                None => {
                    form.refuse("to_page", format!("请填写 0（封面）到 {} 之间的页码", document.pages.len()))
                }
            }
        }
        Some(kind) => {
            if let Some(most) = kind.text_length() {
                words = form.get("words").to_owned();
                let is_short = words.trim().is_empty() && !kind.is_shown_without_text();
                if is_short || words.chars().count() > most {
                    let least = if kind.is_shown_without_text() { 0 } else { 1 };
                    form.refuse("words", format!("{}的文字要 {least} 到 {most} 个字", kind.name()));
                }
            }
        }
        None => {}
    }
    if form.is_refused() {
        return None;
    }
    Some(HotArea {
        id,
        page,
        kind: kind?,
        place: place?,
        more: more.ok()?,
        name: form.get("name").to_owned(),
        target,
        words,
        media: None,
        photos: Vec::new(),
    })
}
