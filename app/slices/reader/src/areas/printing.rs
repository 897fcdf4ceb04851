//! Hot areas on paper: a QR code beside what a page says or plays, which leads from the printed book to that place of the shared
//! work.

use axum::extract::{RawForm, State};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::error::Error;
use domain::calendar::is_calendar;
use domain::document::{Common, Document, Element};
use domain::ids::{ElementId, HotAreaId, PageId, WorkId};
use domain::print_code::{self, Corner, LENGTH, PrintCode, SIDES_MM, Side, WORDS_LENGTH, placed};
use domain::sharing::Access;
use domain::typed::whole;
use rand::Rng;
use web::app::App;
use web::render;
use web::router::Parameter;
use web::session::Member;
use web::ui::forms::{check_length, read_form};

use super::store;
use crate::open::open_for;
use crate::pages::Place;

/// Codes that are tried until one is free: of 2⁴⁰ hardly any is taken.
const MOST_TRIES: usize = 8;

/// Which side of a book a page is, for what is put on it.
pub fn side_of(document: &Document, page: &PageId) -> Side {
    let number = document.all_pages().position(|known| known.id.as_ref() == Some(page));
    match number {
        Some(number) if !is_calendar(document) => Side::of(number),
        _ => Side::NoFold,
    }
}

/// POST /manager/opus_hotarea_edit/{id}/code: `area`, `words`, `side` in mm, `corner`; `element` is the new code's id.
pub async fn put(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
    parts: Parts,
    RawForm(body): RawForm,
) -> Result<Response, Error> {
    let work = works::for_owner(&app, &id, &member.id).await?.on_shelf()?;
    let mut form = read_form(&body)?;
    let unknown = |_| Error::Incomplete;
    let area: HotAreaId = form.get("area").parse().map_err(unknown)?;
    let element: ElementId = form.get("element").parse().map_err(unknown)?;
    let area = store::find(&app.db, &id, &area).await?.ok_or(Error::NotFound)?;
    let on_page = |page: &domain::document::Page| page.id.as_ref() == Some(&area.page);
    let number = work.document.all_pages().position(on_page).ok_or(Error::NotFound)?;
    let back = format!("/manager/opus_hotarea_edit/{id}?page={number}&area={}", area.id);

    check_length(&mut form, "code-words", "旁边的话", 0, WORDS_LENGTH);
    let side_mm = whole::<u32>(form.get("side"), &["毫米", "mm"]).filter(|side| SIDES_MM.contains(side));
    if side_mm.is_none() {
        form.refuse("side", "请选择二维码的大小");
    }
    let corner = Corner::of(form.get("corner"));
    if corner.is_none() {
        form.refuse("corner", "请选择放在哪里");
    }
    let site = app.config.public_url.as_deref();
    if site.is_none() {
        form.refuse("code-words", NO_SITE);
    }
    if !area.kind.is_printed() {
        form.refuse("code-words", "这种热区没有可以扫出来的内容");
    }
    let (Some(side_mm), Some(corner), Some(site), false) = (side_mm, corner, site, form.is_refused()) else {
        return render::again(&app, parts, &back, form).await;
    };

    let address = code_of(&app, &id, &area.id).await?.address(site);
    let side = side_of(&work.document, &area.page);
    let placed = placed(address, form.get("code-words"), side_mm, corner, work.document.trim, side);
    let words_id: ElementId = format!("{:.34}-words", element.as_str()).parse().map_err(Error::internal)?;
    let known = |id: ElementId| Common { id: Some(id), ..Common::default() };
    let mut elements =
        vec![Element::Code(domain::document::CodeBlock { common: known(element), ..placed.code })];
    elements.extend(
        placed
            .words
            .map(|block| Element::Text(domain::document::TextBlock { common: known(words_id), ..block })),
    );
    if let Err(reason) = works::put_on_page(&app, &member.id, &id, &area.page, &elements).await? {
        form.refuse("code-words", reason.to_string());
        return render::again(&app, parts, &back, form).await;
    }
    Ok(Redirect::to(&format!("{back}&saved=printed")).into_response())
}

/// Why nothing can be printed that leads here.
pub const NO_SITE: &str = "本站还没有设置对外的网址，印出来的二维码会打不开；请联系站点管理员";

/// The code of an area; the same one however often it is printed.
async fn code_of(app: &App, work: &WorkId, area: &HotAreaId) -> Result<PrintCode, Error> {
    for _ in 0..MOST_TRIES {
        if let Some(known) = store::print_code(&app.db, area).await? {
            return Ok(known);
        }
        let mut random = [0; LENGTH];
        rand::rng().fill_bytes(&mut random);
        store::keep_print_code(&app.db, &PrintCode::of(random), work, area, now_ms()).await?;
    }
    Err(Error::internal("no code was free"))
}

/// GET /Q/{code}: what was scanned off paper. It leads to its place on its page as that stands now, or says what has become
/// of it.
pub async fn scanned(
    State(app): State<App>,
    Parameter(code): Parameter<PrintCode>,
    parts: Parts,
) -> Result<Response, Error> {
    let (work, area) = store::printed(&app.db, &code).await?.ok_or(Error::NotFound)?;
    let opened = match open_for(&app, &parts, &work).await {
        Ok(opened) => opened,
        // whose it was, and whether it is there at all, is nobody's business
        Err(Error::NotFound) => {
            return Err(Error::Gone("作者没有分享这本书，或者已经收回了分享，二维码现在打不开。".into()));
        }
        Err(error) => return Err(error),
    };
    if opened.access == Access::Locked {
        return Ok(Redirect::to(&format!("/read/{work}")).into_response());
    }
    let Some(area) = store::find(&app.db, &work, &area).await? else {
        return Err(Error::Gone(
            "作者已经把这里的内容拿掉了。书的其他内容还在：请从封面上的地址或书架打开。".into(),
        ));
    };
    let number = opened.share.facts.page_ids.iter().position(|id| id.as_ref() == Some(&area.page));
    let address = match number {
        Some(number) => format!("{}#area-{}", Place::Site.address(&opened.share, number), area.id),
        // readers are shown an older version, which has not got the page yet
        None => format!("/read/{work}"),
    };
    Ok(Redirect::to(&address).into_response())
}

/// What is offered in the form, until something else is typed.
pub fn usual_words(area: &super::HotArea) -> String {
    print_code::words_for(area.kind, &area.name)
}
