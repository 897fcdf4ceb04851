//! Taking PDFs and texts in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use base::error::Error;
use base::sandbox::{self, Draw, Ended, Inspect};
use base::storage::derivative_key;
use domain::document::{Document, Page};
use domain::ids::{FileDigest, MemberId, PhotoId};
use futures::future::try_join_all;
use photo::LONG_SIDES;
use press::manuscript::{Markup, addresses};
use press::pdf::PdfFacts;
use tempfile::NamedTempFile;
use web::app::App;
use web::session::Member;

use super::bundle::{MOST_ADDRESSES, MOST_PICTURES};
use super::draw::keep_drawn;
use super::store::{PdfFile, Source};
use super::{find, keep};
use crate::transfer::ArrivedPdf;
use photos::{self, Limit, Room, no_room};

/// How long pages of a new PDF are drawn before it is taken; most have all of theirs by then.
const WITHIN: Duration = Duration::from_secs(4);

/// Why something was not taken, as a sentence for its member.
pub type Refusal = String;

/// The sentence about a PDF that wanted more than it may have.
fn too_much() -> Refusal {
    "打开这个 PDF 要用的内存或时间太多，不能用来做书；请用原来的软件重新导出，或分成几份".to_owned()
}

/// Looks at a PDF without drawing it.
async fn inspect(
    app: &App,
    member: &MemberId,
    file: &std::path::Path,
) -> Result<Result<PdfFacts, Refusal>, Error> {
    Ok(match app.sandbox.run(member, Inspect { file: file.to_owned() }).await? {
        Ok(Ok(facts)) => Ok(facts),
        Ok(Err(refusal)) => Err(refusal.to_string()),
        Err(Ended) => Err(too_much()),
    })
}

/// Makes an arrived file a PDF of the member. As many of its pages are drawn as a few seconds allow; one that can't be is
/// the reason to refuse the file.
pub async fn take_pdf(
    app: &App,
    member: &Member,
    file_name: &str,
    file: NamedTempFile,
    sha256: FileDigest,
    bytes: u64,
) -> Result<Result<PdfFile, Refusal>, Error> {
    if let Some(known) = find(app, &member.id, &sha256).await? {
        let known = PdfFile { file_name: file_name.to_owned(), ..known };
        // row or bytes may just have been deleted: both are there afterwards
        let kept = keep(app, &member.id, Limit::NONE, file, &known).await?;
        return Ok(kept.map(|()| known));
    }
    let facts = match inspect(app, &member.id, file.path()).await? {
        Ok(facts) => facts,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let kept = PdfFile {
        sha256,
        file_name: file_name.to_owned(),
        bytes,
        facts,
        notes: Vec::new(),
        source: None,
        undrawable: 0,
    };
    take(app, member, file, kept).await
}

/// Draws first pages and keeps the file.
async fn take(
    app: &App,
    member: &Member,
    file: NamedTempFile,
    kept: PdfFile,
) -> Result<Result<PdfFile, Refusal>, Error> {
    let pages: Vec<u32> = (1..).take(kept.facts.sheets.len()).collect();
    let folder = app.storage.workshop().map_err(Error::internal)?;
    let task = Draw {
        file: file.path().to_owned(),
        pages: pages.clone(),
        folder: folder.path().to_owned(),
        within: WITHIN,
    };
    let drawn = match app.sandbox.run(&member.id, task).await? {
        Ok(Ok(())) => true,
        Ok(Err(refusal)) => return Ok(Err(refusal.to_string())),
        Err(Ended) => false,
    };
    if !drawn {
        let first_missing = pages.iter().find(|page| !Draw::picture(folder.path(), **page).exists());
        return Ok(Err(match first_missing {
            Some(page) => {
                format!("第 {page} 页太复杂，画不出来；请用原来的软件重新导出这一页，或把它存成图片再放进去")
            }
            None => too_much(),
        }));
    }
    keep_drawn(app, &kept.sha256, folder.path(), &pages).await?;
    let limit = Room::of(member, 0).limit();
    Ok(keep(app, &member.id, limit, file, &kept).await?.map(|()| kept))
}

/// Makes a PDF out of an archive one of the member, if the document can be made of it.
pub async fn take_arrived(
    app: &App,
    member: &Member,
    document: &Document,
    arrived: ArrivedPdf,
) -> Result<Result<(), Refusal>, Error> {
    let ArrivedPdf { sha256, file, bytes, file_name, notes, source } = arrived;
    if find(app, &member.id, &sha256).await?.is_none()
        && let Some(reason) = no_room(app, member, bytes).await?
    {
        return Ok(Err(reason));
    }
    let mut asked = document.all_pages().flat_map(Page::pdfs).filter(|pdf| pdf.file == sha256);
    let mut has_all = |pages: usize| asked.all(|pdf| (1..=pages).contains(&(pdf.page as usize)));
    Ok(match take_pdf(app, member, &file_name, file, sha256.clone(), bytes).await? {
        Ok(pdf) if !has_all(pdf.facts.sheets.len()) => Err("页数和作品对不上".to_owned()),
        Ok(pdf) => {
            let source = source.filter(|source| source.text.len() <= press::manuscript::MOST_BYTES);
            super::note(app, &member.id, &PdfFile { notes, source, ..pdf }).await?;
            Ok(())
        }
        Err(refusal) => Err(refusal),
    })
}

/// A PDF that was set from a text. Nobody has it yet: it disappears when dropped.
pub struct Typeset {
    pub pdf: PdfFile,
    /// What the text calls itself.
    pub title: Option<String>,
    file: NamedTempFile,
}

impl Typeset {
    /// Makes it one of the member, before anything that shows it is saved.
    pub async fn keep(self, app: &App, member: &Member) -> Result<Result<PdfFile, Refusal>, Error> {
        take(app, member, self.file, self.pdf).await
    }
}

/// The derivatives of the pictures that a text shows, with their addresses in it, as far as they are in the member's
/// library. Who has only named a photo by its digest has not shown that it is theirs: one on its way is not there.
pub async fn pictures_of(
    app: &App,
    member: &MemberId,
    source: &Source,
) -> Result<Vec<(Vec<String>, PathBuf)>, Error> {
    let mut shown: BTreeMap<PhotoId, Vec<String>> = BTreeMap::new();
    if !source.pictures.is_empty() && source.markup == Markup::Markdown {
        let text = source.text.clone();
        // a large text is read for a while
        let found = app.compute(move || addresses(&text)).await?;
        for address in found.into_iter().take(MOST_ADDRESSES) {
            if let Some(id) = source.pictures.get(&address) {
                shown.entry(id.clone()).or_default().push(address);
            }
        }
    }
    let ids: Vec<PhotoId> = shown.keys().take(MOST_PICTURES).cloned().collect();
    let mut library = photos::of_member(app, member, &ids).await?;
    library.retain(|photo| !photo.is_coming());
    for some in library.chunks(AT_ONCE) {
        try_join_all(some.iter().map(|photo| photos::make_derivatives(app, &photo.id))).await?;
    }
    let [.., largest] = LONG_SIDES;
    let mut pictures = Vec::new();
    for photo in library {
        if let Some(path) = app.storage.bring(&derivative_key(&photo.sha256, largest)).await? {
            pictures.push((shown.remove(&photo.id).unwrap_or_default(), path));
        }
    }
    Ok(pictures)
}

/// Photos whose derivatives are made at once.
const AT_ONCE: usize = 4;

/// Sets a text.
pub async fn set_text(
    app: &App,
    member: &MemberId,
    file_name: &str,
    source: Source,
) -> Result<Result<Typeset, Refusal>, Error> {
    let file = app.storage.incoming().map_err(Error::internal)?;
    let task = sandbox::SetText {
        text: source.text.clone(),
        markup: source.markup,
        style: source.style.clone(),
        pictures: pictures_of(app, member, &source).await?,
        out: file.path().to_owned(),
    };
    let set = match app.sandbox.run(member, task).await? {
        Ok(Ok(set)) => set,
        Ok(Err(refusal)) => return Ok(Err(refusal.to_string())),
        Err(Ended) => return Ok(Err("文字太长或结构太复杂，排不出来；请分成几份".to_owned())),
    };
    let facts = match inspect(app, member, file.path()).await? {
        Ok(facts) => facts,
        Err(refusal) => return Err(Error::internal(format!("a text was set as no PDF: {refusal}"))),
    };
    let (file, sha256, bytes) = app.compute(move || digest(file)).await?.map_err(Error::internal)?;
    let pdf = PdfFile {
        sha256,
        file_name: file_name.to_owned(),
        bytes,
        facts,
        notes: set.notes,
        source: Some(source),
        undrawable: 0,
    };
    Ok(Ok(Typeset { pdf, title: set.title, file }))
}

/// The name of a file's bytes.
fn digest(file: NamedTempFile) -> std::io::Result<(NamedTempFile, FileDigest, u64)> {
    use sha2::{Digest, Sha256};
    use std::io::Read;
    let (mut from, mut digest) = (file.reopen()?, Sha256::new());
    let (mut bytes, mut block) = (0, vec![0; 1 << 16]);
    loop {
        let read = from.read(&mut block)?;
        if read == 0 {
            break;
        }
        digest.update(&block[..read]);
        bytes += read as u64;
    }
    let sha256 = hex::encode(digest.finalize()).try_into().map_err(std::io::Error::other)?;
    Ok((file, sha256, bytes))
}
