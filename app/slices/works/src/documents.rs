//! Works made of ready pages 文档: the PDFs that members bring, and those that are set here from their texts.
//!
//! A text becomes a PDF first; from there on both are one thing. What opens a PDF runs in the [sandbox](crate::sandbox).

mod bundle;
mod draw;
mod form;
mod ready;
mod receive;
mod store;
mod words;

use domain::days::DAY_MS;
use std::collections::BTreeMap;

use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use base::storage::original_key;
use domain::document::Document;
use domain::ids::{FileDigest, MemberId};
use press::{Finding, Press};
use tempfile::NamedTempFile;
use web::app::App;
use web::files::{self, ForgetOriginal};
use web::uses::{self, Released, Shown};

use crate::jobs::{ForgetPdf, ForgetPdfs};
use photos::Limit;

pub use bundle::{MOST_ADDRESSES, Places};
pub use draw::ensure_drawn;
pub use form::{AS_IN_FILE, MOST_REQUEST, SetAgain, Shown as SentPictures, make, set_again};
pub use ready::{SentFile, ready_pages, receive_many, receive_ready, take_ready};
pub use receive::{Typeset, pictures_of, take_arrived};
pub use store::{KEEPS, PdfFile, Source};
pub use words::read_sheet;

/// How long a PDF stays that nothing shows, in ms: its work may just be being made, and a backup under way finds the
/// files that its rows name.
const STAY_MS: i64 = DAY_MS;

/// One of a member's own PDFs.
pub async fn find(app: &App, member: &MemberId, file: &FileDigest) -> Result<Option<PdfFile>, Error> {
    store::find_for_owner(&app.db, file, member).await
}

/// The PDFs that a document shows, as far as they are the member's.
pub async fn of_document(
    app: &App,
    member: &MemberId,
    document: &Document,
) -> Result<BTreeMap<FileDigest, PdfFile>, Error> {
    let mut files = BTreeMap::new();
    for digest in document.files() {
        if let Some(file) = find(app, member, digest).await? {
            files.insert(digest.clone(), file);
        }
    }
    Ok(files)
}

/// The chapters that a document's PDFs name, each with the page of the book that shows where it begins, from 1.
pub async fn chapters(
    app: &App,
    member: &MemberId,
    document: &Document,
) -> Result<Vec<(usize, String)>, Error> {
    let files = of_document(app, member, document).await?;
    let shown =
        document.pages.iter().zip(1..).flat_map(|(page, number)| page.pdfs().map(move |pdf| (number, pdf)));
    let chapters = shown
        .filter_map(|(number, pdf)| Some((number, pdf.page, files.get(&pdf.file)?)))
        .flat_map(|(number, page, file)| {
            let here = file.facts.chapters.iter().filter(move |(at, _)| *at == page);
            here.map(move |(_, name)| (number, name.clone()))
        });
    Ok(chapters.collect())
}

/// What is to be known before printing of the PDFs that a document shows.
pub async fn findings(
    app: &App,
    press: Press,
    member: &MemberId,
    document: &Document,
) -> Result<Vec<Finding>, Error> {
    let files = of_document(app, member, document).await?;
    let of_file = |(digest, file): (&FileDigest, &PdfFile)| {
        press.pdf_findings(document, digest, &file.facts, file.undrawable)
    };
    Ok(files.iter().flat_map(of_file).collect())
}

/// The text that a whole document was set from: it shows every page of it, in order.
pub async fn source_of(app: &App, member: &MemberId, document: &Document) -> Result<Option<PdfFile>, Error> {
    let files = document.files();
    match files.into_iter().collect::<Vec<_>>().as_slice() {
        [only] => {
            let shown: Vec<u32> =
                document.all_pages().flat_map(|page| page.pdfs()).map(|pdf| pdf.page).collect();
            let is_whole = |file: &PdfFile| {
                shown.iter().zip(1..).all(|(page, number)| *page == number)
                    && shown.len() == file.facts.sheets.len()
            };
            Ok(find(app, member, only).await?.filter(|file| file.source.is_some() && is_whole(file)))
        }
        _ => Ok(None),
    }
}

/// Keeps a PDF that was looked at, with its row; nobody deletes the same bytes in between. Unless something shows it, it
/// goes a day later. The inner error is that its member has no room for it.
pub async fn keep(
    app: &App,
    member: &MemberId,
    limit: Limit,
    bytes: NamedTempFile,
    file: &PdfFile,
) -> Result<Result<(), String>, Error> {
    // the slow part comes before the lock
    let staged = app.storage.stage(bytes, original_key(file.sha256.as_str())).await?;
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    store::insert(&mut tx, member, file, now).await?;
    if let Some(reason) = limit.refusal(app, &mut tx, member).await? {
        return Ok(Err(reason));
    }
    queue_forgetting(&mut tx, member, &file.sha256, now).await?;
    app.storage.keep(staged).await?;
    tx.commit().await?;
    Ok(Ok(()))
}

/// Notes anew what is known of a PDF that was just kept, and its time begins anew: a work is about to be made of it.
async fn note(app: &App, member: &MemberId, file: &PdfFile) -> Result<(), Error> {
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    store::insert(&mut tx, member, file, now).await?;
    queue_forgetting(&mut tx, member, &file.sha256, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Begins a PDF's time anew: a work is about to be made of it. Nothing where its row or its bytes are gone.
async fn renew(app: &App, member: &MemberId, file: &FileDigest) -> Result<Option<PdfFile>, Error> {
    let now = now_ms();
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    let is_there = store::renew(&mut tx, file, member, now).await?
        && app.storage.has(&original_key(file.as_str())).await?;
    if !is_there {
        return Ok(None);
    }
    queue_forgetting(&mut tx, member, file, now).await?;
    tx.commit().await?;
    find(app, member, file).await
}

async fn queue_forgetting(tx: &mut Tx, member: &MemberId, file: &FileDigest, now: i64) -> Result<(), Error> {
    let job = ForgetPdf { member: member.clone(), file: file.clone() };
    jobs::enqueue_for(tx, &job, member, now + STAY_MS).await
}

/// Queues a look at each PDF among the files that a work has ceased to show.
pub async fn queue_forgetting_of(tx: &mut Tx, released: Released, now: i64) -> Result<(), Error> {
    for (member, file) in released {
        if let Shown::Pdf(file) = file {
            queue_forgetting(tx, &member, &file, now).await?;
        }
    }
    Ok(())
}

/// Queues a look at all of a member's PDFs: whatever shows them is about to be deleted.
pub async fn queue_forgetting_all(tx: &mut Tx, member: &MemberId, now: i64) -> Result<(), Error> {
    let job = ForgetPdfs { member: member.clone(), after: None };
    jobs::enqueue_for(tx, &job, member, now + STAY_MS).await
}

/// PDFs that one job looks at, before others have their turn.
const AT_ONCE: i64 = 50;

/// The job: looks at some of a member's PDFs, each by itself; the rest is another job's.
pub async fn forget_all(app: &App, member: &MemberId, after: Option<&FileDigest>) -> Result<(), Error> {
    let after = after.map_or("", FileDigest::as_str);
    let files = store::some_of_member(&app.db, member, after, AT_ONCE).await?;
    for file in &files {
        forget(app, member, file).await?;
    }
    if files.len() as i64 == AT_ONCE {
        let mut tx = app.db.begin().await?;
        let rest = ForgetPdfs { member: member.clone(), after: files.last().cloned() };
        jobs::enqueue_for(&mut tx, &rest, member, now_ms()).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(())
}

/// The job: deletes a PDF that nothing of its member shows; its bytes go by a job of their own.
pub async fn forget(app: &App, member: &MemberId, file: &FileDigest) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    uses::hold(app, &mut tx, member).await?;
    files::lock(&mut tx).await?;
    let is_due = store::is_older(&mut tx, file, member, now_ms() - STAY_MS).await?;
    if !is_due || uses::is_shown(&mut tx, member, &Shown::Pdf(file.clone())).await? {
        return Ok(());
    }
    store::forget(&mut tx, file, member).await?;
    jobs::enqueue_for(&mut tx, &ForgetOriginal { sha256: file.to_string() }, member, now_ms()).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}
