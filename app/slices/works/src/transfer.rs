//! A whole work as one file: handing it out, and taking it in, here or on another host.

mod archive;

pub use archive::ArrivedPdf;

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use base::db::now_ms;
use base::detach::blocking;
use base::error::Error;
use base::keyed::KeyedLock;
use domain::binding::CoverSheet;
use domain::document::{Document, Element};
use domain::ids::{MemberId, PhotoId, WorkId};
use press::Part;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use web::app::App;
use web::multipart::{Multipart, bounded};
use web::render::{self, Form};
use web::router::Parameter;
use web::session::Member;
use web::ui::files;

use super::pictures::LibraryOriginals;
use super::store::{self, Cause};
use super::{documents, print_file, unprintable};

/// The page of the form.
const PAGE: &str = "/manager/opus_import";
/// How many times what a member may keep an archive may have: the originals of a work are that at most, and its print
/// files hold them again, up to about three times as large where photos are encoded anew.
const TIMES_QUOTA: u64 = 4;
/// Bytes that the form's other field may have.
const MOST_TEXT: usize = 1000;

/// One archive of a member at a time: each has gigabytes on the disk while it is made or read.
static UNDER_WAY: LazyLock<KeyedLock<MemberId>> = LazyLock::new(KeyedLock::default);

/// GET /manager/opus/{id}/export: the document, the originals of its photos, and the print files, as one archive.
pub async fn export(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
) -> Result<Response, Error> {
    let turn = UNDER_WAY.of(member.id.clone());
    let _turn = turn.lock().await;
    let _place = app.transfers.acquire().await.map_err(Error::internal)?;
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    if let Some(reason) = unprintable(&app, &member.id, &work.document).await? {
        return Err(Error::Conflict(format!("还不能导出。{reason}")));
    }
    let originals = LibraryOriginals::brought(&app, &member.id, &work.document).await?;
    let library = originals.photos();
    // the originals once, and what is printed of them
    app.room_for(2 * library.iter().map(|photo| photo.bytes).sum::<u64>())?;
    let name = format!("{}.bindery.zip", work.document.title);
    // the archive is whole before its first byte leaves; it is read from the disk while it is sent
    let storage = app.storage.clone();
    let mut prints = Vec::new();
    let printing = app.presses.house().map_err(Error::internal)?;
    let cover = Part::Cover(CoverSheet::plain(work.document.trim, 0.0));
    for (name, part) in [("print/inner.pdf", Part::Inner), ("print/cover.pdf", cover)] {
        let file = print_file(&app, &member.id, &work.document, part, work.updated_at, &printing).await?;
        prints.push((name, file));
    }
    // gigabytes are copied where no picture waits for a thread
    let file = blocking(move || -> Result<std::fs::File, Error> {
        let file = storage.incoming().map_err(Error::internal)?.into_file();
        archive::write(file, &work, &library, &originals, prints)
    })
    .await?;
    files::archive(file, &format!("{id}.bindery.zip"), &name)
}

/// POST /manager/opus_import: an archive becomes a new work. The form's `work` is the id of what will be made. Photos
/// that came in before something was refused stay in the library.
pub async fn import(State(app): State<App>, member: Member, request: Request) -> Result<Response, Error> {
    let turn = UNDER_WAY.of(member.id.clone());
    let _turn = turn.lock().await;
    let most = member.tier.photo_quota().saturating_mul(TIMES_QUOTA);
    let (parts, body) = request.into_parts();
    let mut request = Request::from_parts(parts.clone(), body);
    DefaultBodyLimit::max(usize::try_from(most).unwrap_or(usize::MAX)).apply(&mut request);
    let mut multipart = Multipart::from_request(request, &app).await?;
    let (mut id, mut arrived) = (String::new(), None);
    while let Some(field) = multipart.next_field().await.map_err(|error| broken(&error, most))? {
        match field.name() {
            Some("work") => {
                let text = bounded(field, MOST_TEXT).await.map_err(|error| broken(&error, most))?;
                id = text.ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or_default();
            }
            Some("archive") => arrived = Some(receive(&app, field, most).await?),
            _ => {}
        }
    }
    let mut form = Form::sent([("work".to_owned(), id)]);
    match (form.own::<WorkId>("work"), arrived) {
        // the form says so
        (None, Some(_)) => {}
        (Some(id), Some((file, bytes))) if bytes > 0 => match take(&app, &member, &id, file).await? {
            Ok(id) => return Ok(Redirect::to(&format!("/manager/opus/{id}")).into_response()),
            Err(reason) => form.refuse("archive", reason),
        },
        _ => form.refuse("archive", "请选择导出的作品文件"),
    }
    render::again(&app, parts, PAGE, form).await
}

/// A request that ends early, or brings more than the largest work of the member.
fn broken(error: &MultipartError, most: u64) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge(format!("作品文件太大，您最多能导入 {} GB；什么都没有导入。", most >> 30))
    } else {
        Error::BadRequest("作品文件没有传完，什么都没有导入，请再试一次。".into())
    }
}

/// Writes an arriving file to the disk and answers how many bytes it has.
async fn receive(app: &App, mut field: Field<'_>, most: u64) -> Result<(NamedTempFile, u64), Error> {
    let temporary = app.storage.incoming().map_err(Error::internal)?;
    let mut file = tokio::fs::File::from_std(temporary.reopen().map_err(Error::internal)?);
    let mut bytes = 0;
    while let Some(chunk) = field.chunk().await.map_err(|error| broken(&error, most))? {
        bytes += chunk.len() as u64;
        app.room_for(chunk.len() as u64)?;
        file.write_all(&chunk).await.map_err(Error::internal)?;
    }
    file.flush().await.map_err(Error::internal)?;
    Ok((temporary, bytes))
}

/// Takes an archive in. The inner error is the sentence for a member.
async fn take(
    app: &App,
    member: &Member,
    id: &WorkId,
    file: NamedTempFile,
) -> Result<Result<WorkId, String>, Error> {
    let _place = app.transfers.acquire().await.map_err(Error::internal)?;
    let (storage, press, quota) = (app.storage.clone(), app.press, member.tier.photo_quota());
    let read = blocking(move || archive::read(file.into_file(), &storage, &press, quota)).await?;
    let archive::Content { kind, mut document, photos, pdfs } = match read {
        Ok(content) => content,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut ids: HashMap<PhotoId, PhotoId> = HashMap::new();
    for arrived in photos {
        let name = arrived.file_name.clone();
        match photos::keep_arrived(app, member, &name, arrived.file, arrived.sha256, arrived.bytes).await? {
            Ok(kept) => {
                ids.insert(arrived.id, kept);
            }
            Err(reason) => return Ok(Err(format!("{name}：{reason}"))),
        }
    }
    for mut arrived in pdfs {
        let name = arrived.file_name.clone();
        if let Some(source) = &mut arrived.source {
            let here = |(address, id): (&String, &PhotoId)| Some((address.clone(), ids.get(id)?.clone()));
            source.pictures = source.pictures.iter().filter_map(here).collect();
        }
        if let Err(reason) = documents::take_arrived(app, member, &document, arrived).await? {
            return Ok(Err(format!("{name}：{reason}")));
        }
    }
    rename_photos(&mut document, &ids);
    store::insert(&app.db, id, &member.id, &kind, &document, Cause::Imported, now_ms()).await.map(Ok)
}

/// Puts this library's ids in the place of the ones that the archive's host gave.
fn rename_photos(document: &mut Document, ids: &HashMap<PhotoId, PhotoId>) {
    let pages = std::iter::once(&mut document.cover).chain(&mut document.pages);
    for element in pages.flat_map(|page| &mut page.elements) {
        if let Element::Photo(frame) = element
            && let Some(id) = ids.get(&frame.photo)
        {
            frame.photo = id.clone();
        }
    }
}
