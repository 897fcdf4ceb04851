//! PDFs whose pages are shown as they are, in their own size: issues of newspapers and magazines, which nobody binds here.

use base::error::Error;
use domain::document::{Document, Trim};
use domain::ids::FileDigest;
use domain::manuscript::{CoverChoice, Manuscript, lay_out};
use web::app::App;
use web::multipart::Multipart;
use web::render::Form;
use web::session::Member;

use super::form::{self, Sent};
use super::receive::{Refusal, take_pdf};
use super::{PdfFile, renew};
use photos::{Arriving, MAX_FILE_BYTES, no_room};

/// What such pages are set by where something is set at all.
const THEME: &str = "classic";

/// A file that came with a form: as it is called, and its bytes.
pub type SentFile = (String, Arriving);

/// Reads a form with a PDF. The file is written to the disk while it arrives.
pub async fn receive_ready(app: &App, multipart: Multipart) -> Result<(Form, Option<SentFile>), Error> {
    let mut sent = form::receive(app, multipart, 1).await?;
    Ok((Form::sent(std::mem::take(&mut sent.pairs)), sent.file()))
}

/// Reads a form with some PDFs, at most so many.
pub async fn receive_many(
    app: &App,
    multipart: Multipart,
    most: usize,
) -> Result<(Form, Vec<SentFile>), Error> {
    let Sent { pairs, files } = form::receive(app, multipart, most).await?;
    Ok((Form::sent(pairs), files))
}

/// The PDF of a form: the file that was sent, or one sent before, which the form names as `kept`. Taken, it stays taken when
/// something else is refused. The inner error is the sentence for the member.
pub async fn take_ready(
    app: &App,
    member: &Member,
    form: &mut Form,
    file: Option<SentFile>,
) -> Result<Result<Option<PdfFile>, Refusal>, Error> {
    let Some((name, arriving)) = file else {
        let Ok(kept) = form.get("kept").parse::<FileDigest>() else { return Ok(Ok(None)) };
        if let Some(pdf) = renew(app, &member.id, &kept).await? {
            return Ok(Ok(Some(pdf)));
        }
        form.forget("kept");
        return Ok(Err("之前收到的文件已经不在了，请重新选择文件".to_owned()));
    };
    let bytes = arriving.bytes();
    if bytes == 0 {
        return Ok(Err("文件是空的".to_owned()));
    }
    if bytes > MAX_FILE_BYTES {
        let size = bytes.div_ceil(1 << 20);
        return Ok(Err(format!("文件有 {size} MB，超过了每个 100 MB 的上限")));
    }
    let sha256: FileDigest = arriving.sha256().try_into().map_err(Error::internal)?;
    // one that is here already takes no more room
    let is_new = super::find(app, &member.id, &sha256).await?.is_none();
    if is_new && let Some(reason) = no_room(app, member, bytes).await? {
        return Ok(Err(reason));
    }
    let temporary = arriving.finish().await?;
    let taken = take_pdf(app, member, &name, temporary, sha256, bytes).await?;
    if let Ok(pdf) = &taken {
        form.set("kept", pdf.sha256.as_str());
        form.set("kept_name", &pdf.file_name);
    }
    Ok(taken.map(Some))
}

/// A document of all pages of a PDF in a size, or that of the first one; pages of another size are scaled and centred.
pub fn ready_pages(pdf: &PdfFile, title: &str, trim: Option<Trim>) -> Option<Document> {
    let (width, height) = pdf.facts.sheets.first()?.finished_size();
    let manuscript = Manuscript {
        file: &pdf.sha256,
        sheets: &pdf.facts.sheets,
        trim: trim.unwrap_or(Trim { width, height }),
        theme: THEME,
        title,
        author: "",
        cover: CoverChoice::Words,
        is_text: false,
    };
    Some(lay_out(&manuscript, pdf.facts.sheets.len()))
}
