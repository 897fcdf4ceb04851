//! A whole work as one file: handing it out, and taking it in, here or on another host.

mod archive;

pub use archive::ArrivedPdf;

use std::collections::HashMap;
use std::io::Seek;

use axum::body::Body;
use axum::extract::multipart::Field;
use axum::extract::{Multipart, State};
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::document::{Document, Element};
use domain::ids::{PhotoId, WorkId};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use press::Part;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use tokio_util::io::ReaderStream;

use super::pictures::LibraryOriginals;
use super::store::{self, Cause};
use super::{documents, missing_originals, photos_of, print_file};
use crate::app::App;
use crate::db::now_ms;
use crate::error::Error;
use crate::photos;
use crate::render::{self, Form};
use crate::router::Parameter;
use crate::session::Member;

/// The page of the form.
const PAGE: &str = "/manager/opus_import";

/// GET /manager/opus/{id}/export: the document, the originals of its photos, and the print files, as one archive.
pub async fn export(
    State(app): State<App>,
    member: Member,
    Parameter(id): Parameter<WorkId>,
) -> Result<Response, Error> {
    let work = store::find_for_owner(&app.db, &id, &member.id).await?.on_shelf()?;
    let missing = missing_originals(&app, &member.id, &work.document).await?;
    if !missing.is_empty() {
        return Err(Error::Conflict(format!("缺少原图，还不能导出：{}", missing.join("、"))));
    }
    let library = photos::of_member(&app, &member.id, &photos_of(&work.document)).await?;
    let originals = LibraryOriginals::of_document(&app, &member.id, &work.document).await?;
    let name = format!("{}.bindery.zip", work.document.title);
    // the archive is whole before its first byte leaves; it is read from the disk while it is sent
    let storage = app.storage.clone();
    let folder = storage.workshop().map_err(Error::internal)?;
    let mut prints = Vec::new();
    for (name, part) in [("print/inner.pdf", Part::Inner), ("print/cover.pdf", Part::Cover(0.0))] {
        let file = print_file(&app, &member.id, &work.document, part, work.updated_at, folder.path()).await?;
        prints.push((name, file));
    }
    let file = app
        .heavy(move || -> Result<std::fs::File, Error> {
            let file = storage.incoming().map_err(Error::internal)?.into_file();
            let mut file = archive::write(file, &work, &library, &originals, prints)?;
            file.rewind().map_err(Error::internal)?;
            Ok(file)
        })
        .await??;
    let length = file.metadata().map_err(Error::internal)?.len();
    // RFC 6266: a plain name for whoever can't read the other one
    let disposition = format!(
        "attachment; filename=\"{id}.bindery.zip\"; filename*=UTF-8''{}",
        utf8_percent_encode(&name, NON_ALPHANUMERIC)
    );
    let headers = [
        (header::CONTENT_TYPE, "application/zip".to_owned()),
        (header::CONTENT_LENGTH, length.to_string()),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
    ];
    let body = Body::from_stream(ReaderStream::new(tokio::fs::File::from_std(file)));
    Ok((headers, body).into_response())
}

/// POST /manager/opus_import: an archive becomes a new work. The form's `work` is the id of what will be made. Photos
/// that came in before something was refused stay in the library.
pub async fn import(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    mut multipart: Multipart,
) -> Result<Response, Error> {
    let (mut id, mut arrived) = (String::new(), None);
    while let Some(field) = multipart.next_field().await.map_err(|error| photos::broken_request(&error))? {
        match field.name() {
            Some("work") => id = field.text().await.map_err(|error| photos::broken_request(&error))?,
            Some("archive") => arrived = Some(receive(&app, field).await?),
            _ => {}
        }
    }
    let id: WorkId = id.parse().map_err(|_| Error::BadRequest("表单不完整，请刷新页面再试".into()))?;
    let mut form = Form::sent([("work".to_owned(), id.to_string())]);
    match arrived {
        Some((file, bytes)) if bytes > 0 => match take(&app, &member, &id, file).await? {
            Ok(()) => return Ok(Redirect::to(&format!("/manager/opus/{id}")).into_response()),
            Err(reason) => form.refuse("archive", reason),
        },
        _ => form.refuse("archive", "请选择导出的作品文件"),
    }
    render::again(&app, parts, PAGE, form).await
}

/// Writes an arriving file to the disk and answers how many bytes it has.
async fn receive(app: &App, mut field: Field<'_>) -> Result<(NamedTempFile, u64), Error> {
    let temporary = app.storage.incoming().map_err(Error::internal)?;
    let mut file = tokio::fs::File::from_std(temporary.reopen().map_err(Error::internal)?);
    let mut bytes = 0;
    while let Some(chunk) = field.chunk().await.map_err(|error| photos::broken_request(&error))? {
        bytes += chunk.len() as u64;
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
) -> Result<Result<(), String>, Error> {
    let (storage, press, quota) = (app.storage.clone(), app.press, member.tier.photo_quota());
    let read = app.heavy(move || archive::read(file.into_file(), &storage, &press, quota)).await??;
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
    for arrived in pdfs {
        let name = arrived.file_name.clone();
        if let Err(reason) = documents::take_arrived(app, member, &document, arrived).await? {
            return Ok(Err(format!("{name}：{reason}")));
        }
    }
    rename_photos(&mut document, &ids);
    store::insert(&app.db, id, &member.id, &kind, &document, Cause::Imported, now_ms()).await?;
    Ok(Ok(()))
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
