//! What the editor's island asks beside the document and its changes.

use std::sync::OnceLock;

use base::error::Error;
use base::lists::search_text;
use domain::document::{Document, Element, Trim};
use domain::ids::{ElementId, MemberId, PageId, PhotoId};
use domain::layout::Arrangement;
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, Json, PostUrl};
use press::{PageRef, Severity};
use web::app::App;
use web::calls::{Answer, Inner, List, Refusal, caller};

use super::props::{
    EditorBetter, EditorBetterPhoto, EditorDesk, EditorFilling, EditorFinding, EditorLook, EditorPhoto,
    EditorPhotos, EditorStyle, EditorStyles, EditorWay, TextLines,
};
use crate::calls::{Done, bad, id_of};
use crate::findings::{listed_findings, preflight};
use crate::restyle::{Aspect, Restyle, offers, take};
use crate::{better, design, filling, photos_of, spread, store};

/// Photos that the editor is given at once: a library of 100,000 would be 12 MB.
const PHOTOS: usize = 120;

/// How far words may reach past their frame before anybody sees it, in mm.
const TOLERANCE_MM: f64 = 0.1;

/// GET /works/desk: the newest photos, what the work shows, and the looks that the editor works with.
#[server(name = DeskCall, prefix = "/works", endpoint = "desk", input = GetUrl, output = Json)]
async fn work_desk(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
) -> Result<Answer<EditorDesk>, Refusal> {
    let (app, member) = caller()?;
    let work = store::find_for_owner(&app.db, &id_of(&work_id)?, &member.id).await?.on_shelf()?;
    let newest = photos::newest_part(&app, &member.id, "", None, PHOTOS).await?;
    let newest = EditorPhotos::of(&newest, work.document.trim);
    let (shown, looks) = begun_with(&app, &member.id, &work.document).await?;
    Ok(Answer::ok(EditorDesk { newest, shown, looks }))
}

/// The photos that a work shows, and the looks that its pages may have.
pub async fn begun_with(
    app: &App,
    member: &MemberId,
    document: &Document,
) -> Result<(Vec<EditorPhoto>, Vec<EditorLook>), Error> {
    // part of the program: asked of the themes once
    static LOOKS: OnceLock<Vec<EditorLook>> = OnceLock::new();
    let shown = photos::of_member(app, member, &photos_of(document)).await?;
    let shown = shown.iter().map(|photo| EditorPhoto::of(photo, document.trim)).collect();
    if let Some(looks) = LOOKS.get() {
        return Ok((shown, looks.clone()));
    }
    let press = app.press;
    let looks = app.compute(move || press.looks()).await?.map_err(Error::internal)?;
    Ok((shown, LOOKS.get_or_init(|| looks.into_iter().map(EditorLook::from).collect()).clone()))
}

/// GET /works/photos: the photos of the library whose name holds `search`, the newest first, after the one that is `last`, as
/// they stand in the work; without one none is too small.
#[server(name = PhotosCall, prefix = "/works", endpoint = "photos", input = GetUrl, output = Json)]
async fn work_photos(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
    #[server(default)] search: String,
    #[server(default)] last: String,
) -> Result<Answer<EditorPhotos>, Refusal> {
    let (app, member) = caller()?;
    let last = match last.as_str() {
        "" => None,
        last => Some(last.parse::<PhotoId>().map_err(|_| bad("没有这张照片"))?),
    };
    let trim = match work_id.as_str() {
        "" => Trim { width: 0.0, height: 0.0 },
        id => store::find_for_owner(&app.db, &id_of(id)?, &member.id).await?.on_shelf()?.document.trim,
    };
    let search = search_text(&search);
    let part = photos::newest_part(&app, &member.id, &search, last.as_ref(), PHOTOS).await?;
    Ok(Answer::ok(EditorPhotos::of(&part, trim)))
}

/// GET /works/findings: what preflight says of the newest revision.
#[server(name = FindingsCall, prefix = "/works", endpoint = "findings", input = GetUrl, output = Json)]
async fn work_findings(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
) -> Result<Answer<List<EditorFinding>>, Refusal> {
    let (app, member) = caller()?;
    let work = store::find_for_owner(&app.db, &id_of(&work_id)?, &member.id).await?.on_shelf()?;
    let found = listed_findings(preflight(&app, &member.id, &work.document, None).await?);
    let list = found.into_iter().map(|finding| {
        let page = finding.page.and_then(|page| match page {
            PageRef::Cover => Some(&work.document.cover),
            PageRef::Inner(index) => work.document.pages.get(index),
        });
        let element = finding.element.and_then(|place| page?.elements.get(place)?.common().id.clone());
        EditorFinding {
            page: page.and_then(|page| page.id.clone()).map(String::from),
            element: element.map(String::from),
            severity: match finding.severity {
                Severity::Note => "note",
                Severity::Warning => "warning",
                Severity::Serious => "serious",
            }
            .to_owned(),
            message: finding.message,
        }
    });
    Ok(Answer::ok(List { list: list.collect() }))
}

/// GET /works/ways: the other layouts of a page and the one that it faces, or of it `alone`, each with what the pages would be.
#[server(name = WaysCall, prefix = "/works", endpoint = "ways", input = GetUrl, output = Json)]
async fn work_ways(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
    #[server(default)] page: String,
    #[server(default)] alone: bool,
) -> Result<Answer<List<EditorWay>>, Refusal> {
    let (app, member) = caller()?;
    let work = store::find_for_owner(&app.db, &id_of(&work_id)?, &member.id).await?.on_shelf()?;
    let place = place_of(&work.document, &page)?;
    let list = match place {
        PageRef::Inner(index) if alone => design::ways(&app, &member.id, &work.document, index)
            .await?
            .into_iter()
            .map(|Arrangement { template, page }| EditorWay {
                code: template.code(),
                title: template.title(),
                pages: vec![page],
            })
            .collect(),
        _ => spread::ways_of(&app, &member.id, &work.document, place)
            .await?
            .into_iter()
            .map(|way| EditorWay { code: way.code, title: way.title, pages: way.pages })
            .collect(),
    };
    Ok(Answer::ok(List { list }))
}

/// GET /works/filling: a page and the one that it faces, filled up with photos that the work does not show yet.
#[server(name = FillingCall, prefix = "/works", endpoint = "filling", input = GetUrl, output = Json)]
async fn work_filling(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
    #[server(default)] page: String,
) -> Result<Answer<Inner<EditorFilling>>, Refusal> {
    let (app, member) = caller()?;
    let work = store::find_for_owner(&app.db, &id_of(&work_id)?, &member.id).await?.on_shelf()?;
    let place = place_of(&work.document, &page)?;
    let data = match filling::fill(&app, &member.id, &work.document, place).await? {
        Ok(filling) => {
            let photos = photos::of_member(&app, &member.id, &filling.added).await?;
            EditorFilling {
                pages: filling.pages.into_iter().map(|(_, page)| page).collect(),
                photos: photos.iter().map(|photo| EditorPhoto::of(photo, work.document.trim)).collect(),
                reason: String::new(),
            }
        }
        Err(reason) => EditorFilling { pages: Vec::new(), photos: Vec::new(), reason: reason.to_string() },
    };
    Ok(Answer::ok(Inner { data }))
}

/// GET /works/better: the photos of the library that show the same moment better than the one in a frame, the best first.
#[server(name = BetterCall, prefix = "/works", endpoint = "better", input = GetUrl, output = Json)]
async fn work_better(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
    #[server(default)] page: String,
    #[server(default)] element: String,
) -> Result<Answer<Inner<EditorBetter>>, Refusal> {
    let (app, member) = caller()?;
    let work = store::find_for_owner(&app.db, &id_of(&work_id)?, &member.id).await?.on_shelf()?;
    let place = place_of(&work.document, &page)?;
    let unknown = || bad("这一页上没有这张照片");
    let element: ElementId = element.parse().map_err(|_| unknown())?;
    let frame = better::frame_of(&work.document, place, &element).ok_or_else(unknown)?;
    let found = better::better_for(&app, &member.id, &work.document, place, frame).await?;
    let reason =
        if found.is_empty() { better::none_better(&work.document, place, frame) } else { "" }.to_owned();
    let photos = found.into_iter().map(|one| EditorBetterPhoto {
        photo: EditorPhoto::of(&one.photo, work.document.trim),
        merits: one.merits.into_iter().map(|merit| merit.words().to_owned()).collect(),
        crop: one.crop,
    });
    Ok(Answer::ok(Inner { data: EditorBetter { photos: photos.collect(), reason } }))
}

/// GET /works/styles: what the whole book can have another one of, `theme`, `density`, `chapters` or `dates`: each with the
/// pages that show it best.
#[server(name = StylesCall, prefix = "/works", endpoint = "styles", input = GetUrl, output = Json)]
async fn work_styles(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
    #[server(default)] part: String,
) -> Result<Answer<Inner<EditorStyles>>, Refusal> {
    let (app, member) = caller()?;
    let work = store::find_for_owner(&app.db, &id_of(&work_id)?, &member.id).await?.on_shelf()?;
    let aspect = Aspect::ALL.into_iter().find(|aspect| aspect.code() == part);
    let aspect = aspect.ok_or_else(|| bad("没有这一类样式"))?;
    let data = match offers(&app, &member.id, &work.document, aspect).await? {
        Ok(offers) => EditorStyles {
            styles: offers.into_iter().map(EditorStyle::from).collect(),
            reason: String::new(),
        },
        Err(reason) => EditorStyles { styles: Vec::new(), reason: reason.to_owned() },
    };
    Ok(Answer::ok(Inner { data }))
}

/// POST /works/style: the whole book gets the style `to`, over its newest revision, which the caller has seen; the answer is the
/// revision with it.
#[server(name = StyleCall, prefix = "/works", endpoint = "style", input = PostUrl, output = Json)]
async fn work_style(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
    #[server(default)] base: String,
    #[server(default)] to: String,
) -> Result<Answer<Done>, Refusal> {
    let (app, member) = caller()?;
    let id = id_of(&work_id)?;
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let base: i64 = base.parse().map_err(|_| bad("缺少版本号"))?;
    let to = Restyle::of(&to).ok_or_else(|| bad("没有这种样式"))?;
    let moved =
        || Refusal::from(Error::Conflict("这本书刚刚在别处改过，整本样式没有换；请看一看再换。".into()));
    // nothing is kept beside the line: there is nothing in it that anybody typed
    if work.revision != base || !take(&app, &member, &id, (base, &work.document), to).await? {
        return Err(moved());
    }
    let revision = store::find_for_owner(&app.db, &id, &member.id).await?.revision;
    Ok(Answer::ok(Done { revision, merged: false }))
}

/// Where a page with an id stands.
fn place_of(document: &Document, page: &str) -> Result<PageRef, Refusal> {
    let unknown = || bad("没有这一页");
    let page: PageId = page.parse().map_err(|_| unknown())?;
    let place = document.all_pages().position(|known| known.id.as_ref() == Some(&page));
    Ok(place.ok_or_else(unknown)?.checked_sub(1).map_or(PageRef::Cover, PageRef::Inner))
}

/// POST /works/lines: how a text would be set on its page, while somebody types it. Nothing is kept.
#[server(name = LinesCall, prefix = "/works", endpoint = "lines", input = PostUrl, output = Json)]
async fn work_lines(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
    #[server(default)] page: String,
    #[server(default)] element: String,
) -> Result<Answer<Inner<TextLines>>, Refusal> {
    let (app, member) = caller()?;
    let work = store::find_for_owner(&app.db, &id_of(&work_id)?, &member.id).await?.on_shelf()?;
    let page: PageId = page.parse().map_err(|_| bad("没有这一页"))?;
    let element: Element = serde_json::from_str(&element).map_err(|_| bad("文字的数据不对"))?;
    element.check(work.document.trim).map_err(bad)?;
    let Some(Element::Text(block)) = Some(&element).filter(|it| matches!(it, Element::Text(_))) else {
        return Err(bad("只有文字才分行"));
    };
    let bottom = block.frame.y + block.frame.height + TOLERANCE_MM;
    let (document, id) = with_only(work.document, &page, element).ok_or_else(|| bad("没有这一页"))?;
    let press = app.press;
    let set = app.compute(move || press.element_lines(&document, &id)).await?.map_err(Error::internal)?;
    let lines = set.unwrap_or_default();
    let overflows = lines.iter().any(|line| line.frame.y + line.frame.height > bottom);
    let lines = lines.into_iter().map(|line| line.text).collect();
    Ok(Answer::ok(Inner { data: TextLines { lines, overflows } }))
}

/// The document with one element on a page, and nothing anywhere else.
fn with_only(mut document: Document, page: &PageId, mut element: Element) -> Option<(Document, ElementId)> {
    let id: ElementId = "draft".parse().ok()?;
    element.common_mut().id = Some(id.clone());
    document.page(page)?;
    document.all_pages_mut().for_each(|page| page.elements.clear());
    document.page_mut(page)?.elements.push(element);
    Some((document, id))
}
