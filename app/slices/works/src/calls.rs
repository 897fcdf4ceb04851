//! The calls of editors: a work's document, and changing it. Their formats are the contract's.

use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{get, post};
use domain::document::{Document, Element};
use domain::edit::{Change, MOST_OPERATIONS, Operation, Refused};
use domain::ids::{FileDigest, MemberId, PhotoId, WorkId};
use leptos::prelude::*;
use leptos::server_fn::codec::{GetUrl, Json, PostUrl};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use tokio::sync::Semaphore;

use base::db::now_ms;
use base::detach::blocking;
use base::error::Error;
use web::access::Policy;
use web::app::App;
use web::calls::{Answer, Refusal, caller, handle, handle_up_to};
use web::route::Route;
use web::slice::AtDesk;

use super::documents;
use super::store::{self, Edited};
use domain::sub_member::Role;
use photos::{self, PhotoState};

/// The largest request of an editor, in bytes: what was done in days without a network.
const MOST_BYTES: usize = 8 << 20;

/// The slice's calls.
pub const ROUTES: &[Route] = &[
    Route::new("/works/document", Policy::Member)
        .at_desk(AtDesk::House(Role::Viewer))
        .handled(|| get(handle)),
    Route::new("/works/edit", Policy::Member)
        .at_desk(AtDesk::House(Role::Editor))
        .handled(|| post(handle_edit)),
];

async fn handle_edit(State(app): State<App>, request: Request) -> Result<Response, Error> {
    handle_up_to(MOST_BYTES, app, request).await
}

/// A work's newest document.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Current {
    revision: i64,
    document: Document,
}

/// The revision that has what a request did.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Done {
    pub revision: i64,
    /// Whether it has what somebody else did, too, so that the caller has to read it.
    pub merged: bool,
}

/// GET /works/document.
#[server(name = DocumentCall, prefix = "/works", endpoint = "document", input = GetUrl, output = Json)]
async fn work_document(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
) -> Result<Answer<Current>, Refusal> {
    let (app, member) = caller()?;
    let work = store::find_for_owner(&app.db, &id_of(&work_id)?, &member.id).await?.on_shelf()?;
    Ok(Answer::ok(Current { revision: work.revision, document: work.document }))
}

/// POST /works/edit: all operations, each once, or none.
#[server(name = EditCall, prefix = "/works", endpoint = "edit", input = PostUrl, output = Json)]
async fn work_edit(
    #[server(default)]
    #[server(rename = "workID")]
    work_id: String,
    #[server(default)] base: String,
    #[server(default)] operations: String,
) -> Result<Answer<Done>, Refusal> {
    let (app, member) = caller()?;
    let id = id_of(&work_id)?;
    // before anything else is said of the request
    store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let base: i64 = base.parse().map_err(|_| bad("缺少版本号"))?;
    // what takes long leaves the other cores to everybody else
    let _alone = if operations.len() > LARGE { HEAVY.acquire().await.ok() } else { None };
    let operations = blocking(move || Ok(read(&operations))).await??;
    if let Some(reason) = unusable(&app, &member.id, &operations.iter().collect::<Vec<_>>()).await? {
        // what was made before stays made, also when what it shows has gone since
        let made = store::made_before(&app.db, &id, &operations).await?;
        let fresh: Vec<&Operation> =
            operations.iter().filter(|operation| !made.contains(operation.id.as_str())).collect();
        if fresh.len() == operations.len() || unusable(&app, &member.id, &fresh).await?.is_some() {
            return Err(bad(reason));
        }
    }
    match store::edit(&app, &id, &member.id, base, operations, now_ms()).await? {
        Edited::In { revision, is_merged } => Ok(Answer::ok(Done { revision, merged: is_merged })),
        Edited::Refused(reason) => Err(bad(reason)),
        Edited::Conflict { revision, kept } => {
            let reason = "同一处刚刚在别处也改过。两种改法都保留着，请比较后选用。";
            let refusal = Refusal::from(Error::Conflict(reason.into()));
            Err(refusal.with(serde_json::json!({ "revision": revision, "kept": kept })))
        }
    }
}

/// Bytes of operations from which on a request is large, and large ones wait for each other.
const LARGE: usize = 100_000;
static HEAVY: Semaphore = Semaphore::const_new(1);

/// The id of a work that a call names.
pub fn id_of(text: &str) -> Result<WorkId, Refusal> {
    if text.is_empty() {
        return Err(bad("缺少作品编号"));
    }
    // what is no id at all looks like somebody else's
    text.parse().map_err(|_| Error::NotFound.into())
}

/// The operations of a request, and which of them can't be read.
fn read(text: &str) -> Result<Vec<Operation>, Refusal> {
    let values: Vec<Value> = serde_json::from_str(text).map_err(|_| bad("操作须是 JSON 数组"))?;
    if values.is_empty() {
        return Err(bad("没有操作"));
    }
    if values.len() > MOST_OPERATIONS {
        return Err(bad(Refused::TooManyOperations));
    }
    let read = |(place, value)| {
        serde_json::from_value(value).map_err(|reason| bad(format!("第 {place} 个操作不对：{reason}")))
    };
    (1..).zip(values).map(read).collect()
}

/// Why something that the operations name can't be used by this member.
async fn unusable(
    app: &App,
    member: &MemberId,
    operations: &[&Operation],
) -> Result<Option<String>, Refusal> {
    let mut photos: BTreeSet<PhotoId> = BTreeSet::new();
    let mut pdfs: BTreeSet<(FileDigest, u32)> = BTreeSet::new();
    for operation in operations {
        match &operation.change {
            Change::Set { element: Some(_), name, value, .. } if name == "photo" => {
                // what is no id is refused with the operation
                photos.extend(value.as_str().and_then(|id| id.parse().ok()));
            }
            Change::Set { element: None, name, value: Value::String(theme), .. }
                if name == "theme" && press::themes().iter().all(|known| known.name != theme) =>
            {
                return Ok(Some("没有这种风格".into()));
            }
            Change::Add { element, .. } => shown(element, &mut photos, &mut pdfs),
            change => {
                for page in change.new_pages() {
                    let theme = page.theme.as_deref();
                    if theme.is_some_and(|theme| press::themes().iter().all(|known| known.name != theme)) {
                        return Ok(Some("没有这种风格".into()));
                    }
                    page.elements.iter().for_each(|element| shown(element, &mut photos, &mut pdfs));
                }
            }
        }
    }
    let photos: Vec<PhotoId> = photos.into_iter().collect();
    let own = photos::of_member(app, member, &photos).await?;
    if own.len() < photos.len() {
        return Ok(Some("您的照片库里没有这张照片".into()));
    }
    if own.iter().any(|photo| photo.state == PhotoState::Broken) {
        return Ok(Some("这张照片已损坏，请换一张".into()));
    }
    for (file, page) in pdfs {
        let known = documents::find(app, member, &file).await?;
        let pages = known.map_or(0, |known| known.facts.sheets.len());
        if page == 0 || usize::try_from(page).is_ok_and(|page| page > pages) {
            return Ok(Some("没有这个 PDF 页面".into()));
        }
    }
    Ok(None)
}

/// Notes the photo or the PDF page that an element shows.
fn shown(element: &Element, photos: &mut BTreeSet<PhotoId>, pdfs: &mut BTreeSet<(FileDigest, u32)>) {
    match element {
        Element::Photo(frame) => {
            photos.insert(frame.photo.clone());
        }
        Element::Pdf(pdf) => {
            pdfs.insert((pdf.file.clone(), pdf.page));
        }
        _ => {}
    }
}

/// Bad arguments, with the reason.
pub fn bad(reason: impl ToString) -> Refusal {
    Error::BadRequest(reason.to_string()).into()
}
