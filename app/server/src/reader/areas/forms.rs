//! POST /manager/opus_hotarea_edit/{id}: an area is put on a page, changed or taken away.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::document::Document;
use domain::hot_area::{Kind, LEAST_SIDE, MOST_OF_PAGE, MOST_OF_WORK, NAME_LENGTH, Place, address};
use domain::ids::{HotAreaId, PageId, WorkId};

use super::{HotArea, store};
use crate::reader::pages::BUYING;
use crate::reader::words::page_of;
use crate::works;
use platform::app::App;
use platform::db::now_ms;
use platform::error::Error;
use platform::render::{self, Form};
use platform::router::Parameter;
use platform::session::Member;
use platform::ui::forms::{check_length, read_form};

/// See the module.
pub async fn save(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = works::for_owner(&app, &id, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let unknown = |_| Error::BadRequest("表单不完整，请刷新页面再试".into());
    let area: HotAreaId = form.get("area").parse().map_err(unknown)?;
    let number: usize = form.get("page").parse().map_err(|_| Error::BadRequest("没有这一页".into()))?;
    let page =
        number.checked_sub(1).and_then(|_| page_of(&work.document, number)).and_then(|page| page.id.clone());
    let page = page.ok_or_else(|| Error::BadRequest("没有这一页".into()))?;
    let back = format!("/manager/opus_hotarea_edit/{id}?page={number}");
    let now = now_ms();
    if form.get("act") == "remove" {
        let mut tx = app.db.begin().await?;
        store::remove(&mut tx, &id, &area).await?;
        tx.commit().await?;
        return Ok(Redirect::to(&format!("{back}&saved=removed")).into_response());
    }
    let Some(area) = read(&app, &mut form, &work.document, area, page) else {
        return render::again(&app, parts, &back, form).await;
    };
    let here = store::of_page(&app.db, &id, &area.page).await?;
    let is_new = here.iter().all(|known| known.id != area.id);
    let all: i64 = store::counts(&app.db, &id).await?.values().sum();
    if is_new && (here.len() >= MOST_OF_PAGE || all >= MOST_OF_WORK as i64) {
        form.refuse("kind", format!("一页最多 {MOST_OF_PAGE} 个热区，一件作品最多 {MOST_OF_WORK} 个"));
        return render::again(&app, parts, &back, form).await;
    }
    let mut tx = app.db.begin().await?;
    if !store::keep(&mut tx, &id, &member.id, &area, now).await? {
        return Err(Error::NotFound);
    }
    tx.commit().await?;
    Ok(Redirect::to(&format!("{back}&saved=kept")).into_response())
}

/// What the form says; what is wrong with it stands in the form.
fn read(app: &App, form: &mut Form, document: &Document, id: HotAreaId, page: PageId) -> Option<HotArea> {
    let kind =
        Kind::of_code(form.get("kind")).filter(|kind| *kind != Kind::Product || app.policy(BUYING).is_some());
    if kind.is_none() {
        form.refuse("kind", "请选择点了以后怎样");
    }
    let side = |name: &str| form.get(name).trim().parse::<u32>().ok();
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
    check_length(form, "name", "名称", 1, NAME_LENGTH);
    let (mut target, mut words) = (String::new(), String::new());
    match kind {
        Some(Kind::Link) => match address(form.get("address")) {
            Some(address) => target = address,
            None => form.refuse("address", "请填写网址，像 https://example.com；也可以是 mailto: 或 tel:"),
        },
        Some(Kind::Page) => {
            let number = form.get("to_page").trim().parse::<usize>().ok();
            match number.and_then(|number| page_of(document, number)).and_then(|page| page.id.as_ref()) {
                Some(page) => target = page.to_string(),
                None => {
                    form.refuse("to_page", format!("请填写 0（封面）到 {} 之间的页码", document.pages.len()))
                }
            }
        }
        Some(kind) => {
            if let Some(most) = kind.text_length() {
                words = form.get("words").replace("\r\n", "\n");
                let length = words.trim().chars().count();
                if length == 0 || words.chars().count() > most {
                    form.refuse("words", format!("{}要 1 到 {most} 个字", kind.name()));
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
        name: form.get("name").trim().to_owned(),
        target,
        words,
    })
}
