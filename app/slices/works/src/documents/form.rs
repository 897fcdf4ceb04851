//! POST /manager/opus-document: a PDF or a text becomes a document.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::State;
use axum::extract::multipart::MultipartError;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};
use domain::document::{Document, Emoji, Trim};
use domain::ids::{FileDigest, MemberId, PhotoId, WorkId};
use domain::manuscript::{
    self, CoverChoice, Manuscript, TITLE_LEAF, bound_count, lay_out, page_count, size_in_file,
};
use domain::titles::TITLE_LENGTH;
use domain::typed;
use press::manuscript::{MOST_BYTES, Markup, Style, decode};
use serde::{Deserialize, Serialize};

use base::db::now_ms;
use base::detach::blocking;
use base::error::Error;
use base::keyed::KeyedLock;
use tempfile::NamedTempFile;
use web::app::App;
use web::multipart::{Budget, Multipart, bounded};
use web::render::{self, Form};
use web::session::Member;
use web::ui::forms::{check_length, has_control, unwritable};

use super::bundle::{self, Brought, Bundle, MOST_PICTURE_BYTES};
use super::receive::{self, Refusal, Typeset, take_pdf};
use super::{PdfFile, Source, renew};
use crate::formats::{FORMATS, WorkFormat, format, size_text};
use crate::forms::{AUTHOR_LENGTH, read_emoji, read_theme};
use crate::store::{self, Cause};
use photos::{self, Arriving, MAX_FILE_BYTES, no_room, shown_name};

/// The page of the form.
const PAGE: &str = "/manager/opus-document";
/// The choice of the page size that the PDF has.
pub const AS_IN_FILE: &str = "file";
/// The page size of a text whose member chose none: a paperback's.
const TEXT_FORMAT: &str = "a5-portrait";
/// Bytes that the whole request may have: the largest PDF, and the longest text.
pub const MOST_REQUEST: usize = MAX_FILE_BYTES as usize + 2 * MOST_BYTES;

/// What the form brought.
#[derive(Default)]
pub(super) struct Sent {
    pub pairs: Vec<(String, String)>,
    /// With their names.
    pub files: Vec<(String, Arriving)>,
}

impl Sent {
    /// Of a form that has one.
    pub fn file(self) -> Option<(String, Arriving)> {
        self.files.into_iter().next_back()
    }
}

/// What a work is to be made of.
enum Matter {
    Pdf(Box<PdfFile>),
    Text { name: String, text: String, markup: Markup, pictures: Shown },
}

/// The pictures of a text. A form that comes back has them as JSON in its field `pictures`.
#[derive(Default, Serialize, Deserialize)]
pub struct Shown {
    /// By the addresses under which the text shows them.
    photos: BTreeMap<String, PhotoId>,
    /// Why some were not taken, each as a sentence.
    #[serde(default)]
    pub notes: Vec<String>,
}

impl Shown {
    /// Of a form's field; whose the photos are is asked where they are read.
    pub fn sent(text: &str) -> Option<Self> {
        let mut shown: Self = serde_json::from_str(text).ok()?;
        shown.notes.retain(|note| !has_control(note) && note.chars().count() <= MOST_NOTE);
        shown.notes.truncate(MOST_NOTES);
        Some(shown)
    }
}

/// Sentences about pictures that were not taken, and characters of one.
const MOST_NOTES: usize = 20;
/// See [`MOST_NOTES`].
const MOST_NOTE: usize = 400;

/// What does not concern the matter itself.
struct Wishes {
    /// Nothing: as in the file.
    format: Option<&'static WorkFormat>,
    theme: &'static str,
    emoji: Emoji,
    cover: CoverChoice,
}

/// Makes the work. A PDF that was taken stays taken when something else is refused: the form names it.
pub async fn make(
    State(app): State<App>,
    member: Member,
    parts: Parts,
    multipart: Multipart,
) -> Result<Response, Error> {
    let mut sent = receive(&app, multipart, 1).await?;
    let mut form = Form::sent(std::mem::take(&mut sent.pairs));
    let id: Option<WorkId> = form.own("work");
    let matter = match matter(&app, &member, &mut form, sent.file()).await? {
        Ok(matter) => Some(matter),
        Err((field, reason)) => {
            form.refuse(field, reason);
            None
        }
    };
    // what was read need not be chosen again
    match &matter {
        Some(Matter::Pdf(pdf)) => {
            form.set("kept", pdf.sha256.as_str());
            form.set("kept_name", &pdf.file_name);
        }
        Some(Matter::Text { text, markup, pictures, .. }) => {
            form.set("text", text);
            if pictures.photos.is_empty() && pictures.notes.is_empty() {
                form.forget("pictures");
            } else {
                form.set("pictures", &serde_json::to_string(pictures)?);
            }
            form.set("markup", if *markup == Markup::Markdown { "markdown" } else { "plain" });
        }
        None => {}
    }
    check_length(&mut form, "title", "书名", 0, TITLE_LENGTH);
    check_length(&mut form, "author", "作者", 0, AUTHOR_LENGTH);
    let wishes = wishes(&mut form);
    let (id, document) = match (id, matter, wishes) {
        (Some(id), Some(matter), Some(wishes)) if !form.is_refused() => {
            (id, document(&app, &member, &form, matter, &wishes).await?)
        }
        _ => return render::again(&app, parts, PAGE, form).await,
    };
    match document {
        Ok(document) => {
            let (db, member) = (&app.db, &member.id);
            let id = store::insert(db, &id, member, "document", &document, Cause::Made, now_ms()).await?;
            Ok(Redirect::to(&format!("/manager/opus/{id}")).into_response())
        }
        Err((field, reason)) => {
            form.refuse(field, reason);
            render::again(&app, parts, PAGE, form).await
        }
    }
}

/// Reads the request. Files are written to the disk while they arrive.
pub(super) async fn receive(app: &App, mut multipart: Multipart, most: usize) -> Result<Sent, Error> {
    let mut sent = Sent::default();
    let mut budget = Budget::of(3 * MOST_BYTES);
    while let Some(mut field) = multipart.next_field().await.map_err(|error| broken(&error))? {
        let name = field.name().unwrap_or("").to_owned();
        if name == "file" {
            let file_name = shown_name(field.file_name().unwrap_or(""));
            let mut arriving = Arriving::begin(app)?;
            let too_much = |error: &MultipartError| match most {
                1 => broken(error),
                _ => broken_off(error),
            };
            while let Some(chunk) = field.chunk().await.map_err(|error| too_much(&error))? {
                arriving.write(&chunk).await?;
            }
            // browsers send an empty one where none was chosen
            if arriving.bytes() > 0 || !file_name.is_empty() {
                sent.files.push((file_name, arriving));
            }
            if sent.files.len() > most {
                return Err(Error::TooLarge(format!("一次最多 {most} 个文件，请分几次选。")));
            }
            continue;
        }
        let value = bounded(field, 2 * MOST_BYTES).await.map_err(|error| broken(&error))?;
        let too_long = || Error::TooLarge(press::manuscript::TextRefusal::TooLong.to_string());
        let value = value.map_err(|_| too_long())?;
        if !budget.pay(name.len() + value.len()) {
            return Err(too_long());
        }
        let value = String::from_utf8(value).map_err(|_| unwritable())?;
        if name != "text" && has_control(&value) {
            return Err(unwritable());
        }
        sent.pairs.push((name, value));
    }
    Ok(sent)
}

/// A request that ends early, or brings more than the largest PDF.
fn broken(error: &MultipartError) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Error::TooLarge("文件超过了每个 100 MB 的上限。".into())
    } else {
        Error::BadRequest("上传没有完成，请再试一次。".into())
    }
}

/// The same of one with several files.
fn broken_off(error: &MultipartError) -> Error {
    match broken(error) {
        Error::TooLarge(_) => Error::TooLarge("这些文件一起太大了，请分几次选；每个最大 100 MB。".into()),
        other => other,
    }
}

/// A refusal with the field that it stands beside.
type Refused = (&'static str, Refusal);

/// What the work is to be made of: the file that was sent, the one sent before, or the text.
async fn matter(
    app: &App,
    member: &Member,
    form: &mut Form,
    file: Option<(String, Arriving)>,
) -> Result<Result<Matter, Refused>, Error> {
    let Some((name, arriving)) = file else {
        if form.get("text").is_empty() {
            let Ok(kept) = form.get("kept").parse::<FileDigest>() else {
                return Ok(Err(("file", "请选择 PDF 或文字文件，或者把文字粘贴在下面".to_owned())));
            };
            if let Some(pdf) = renew(app, &member.id, &kept).await? {
                return Ok(Ok(Matter::Pdf(Box::new(pdf))));
            }
            form.forget("kept");
            return Ok(Err(("file", "之前收到的文件已经不在了，请重新选择文件".to_owned())));
        }
        let markup = if form.get("markup") == "plain" { Markup::Plain } else { Markup::Markdown };
        // those that came with the text before
        let pictures = Shown::sent(form.get("pictures")).unwrap_or_default();
        return Ok(match decode(form.get("text").as_bytes()) {
            Ok(text) => Ok(Matter::Text { name: String::new(), text, markup, pictures }),
            Err(refusal) => Err(("text", refusal.to_string())),
        });
    };
    if !form.get("text").is_empty() {
        const ONE: &str = "文件和文字只能选一样：用文件，请清空下面的文字；用文字，请不要再选文件";
        return Ok(Err(("file", ONE.to_owned())));
    }
    let bytes = arriving.bytes();
    if bytes == 0 {
        return Ok(Err(("file", "文件是空的".to_owned())));
    }
    if bytes > MAX_FILE_BYTES {
        let size = bytes.div_ceil(1 << 20);
        return Ok(Err(("file", format!("文件有 {size} MB，超过了每个 100 MB 的上限"))));
    }
    let sha256 = arriving.sha256().try_into().map_err(Error::internal)?;
    // one that is here already takes no more room
    let is_new = super::store::find_for_owner(&app.db, &sha256, &member.id).await?.is_none();
    if is_new && let Some(reason) = no_room(app, member, bytes).await? {
        return Ok(Err(("file", reason)));
    }
    let temporary = arriving.finish().await?;
    let extension =
        name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default();
    let markup = match extension.as_str() {
        "txt" => Markup::Plain,
        "md" | "markdown" => Markup::Markdown,
        "zip" => return bundled(app, member, temporary).await,
        _ => {
            let taken = take_pdf(app, member, &name, temporary, sha256, bytes).await?;
            return Ok(taken.map(|pdf| Matter::Pdf(Box::new(pdf))).map_err(|reason| ("file", reason)));
        }
    };
    if bytes > MOST_BYTES as u64 {
        return Ok(Err(("file", press::manuscript::TextRefusal::TooLong.to_string())));
    }
    let read = tokio::fs::read(temporary.path()).await.map_err(Error::internal)?;
    Ok(match decode(&read) {
        Ok(text) => Ok(Matter::Text { name, text, markup, pictures: Shown::default() }),
        Err(refusal) => Err(("file", refusal.to_string())),
    })
}

static UNDER_WAY: LazyLock<KeyedLock<MemberId>> = LazyLock::new(KeyedLock::default);

/// A text and its pictures, which are photos of the library from now on.
async fn bundled(app: &App, member: &Member, file: NamedTempFile) -> Result<Result<Matter, Refused>, Error> {
    // one of a member at a time: it may hold much more than its bytes say
    let turn = UNDER_WAY.of(member.id.clone());
    let _turn = turn.lock().await;
    let _place = app.transfers.acquire().await.map_err(Error::internal)?;
    app.room_for(MOST_PICTURE_BYTES)?;
    let storage = app.storage.clone();
    let read = blocking(move || bundle::read(file.into_file(), &storage)).await?;
    let Bundle { name, text, markup, pictures } = match read {
        Ok(bundle) => bundle,
        Err(reason) => return Ok(Err(("file", reason))),
    };
    let mut shown = Shown::default();
    for Brought { addresses, file_name, file, sha256, bytes } in pictures {
        match photos::keep_arrived(app, member, &file_name, file, sha256, bytes).await? {
            Ok(id) => shown.photos.extend(addresses.into_iter().map(|address| (address, id.clone()))),
            Err(reason) if shown.notes.len() < MOST_NOTES => {
                shown.notes.push(format!("图片“{file_name}”没有排进来：{reason}"));
            }
            Err(_) => {}
        }
    }
    Ok(Ok(Matter::Text { name, text, markup, pictures: shown }))
}

fn wishes(form: &mut Form) -> Option<Wishes> {
    let theme = read_theme(form).map(|theme| theme.name);
    let emoji = read_emoji(form, Emoji::Plain);
    let chosen = form.get("format").to_owned();
    let known = format(&chosen);
    if known.is_none() && chosen != AS_IN_FILE {
        form.refuse("format", "请选择开本");
    }
    let cover = match form.get("cover") {
        "first" => CoverChoice::FirstPage,
        "both" => CoverChoice::Both,
        _ => CoverChoice::Words,
    };
    theme.map(|theme| Wishes { format: known, theme, emoji, cover })
}

/// Makes the document. The inner error is the sentence for the member, with its field.
async fn document(
    app: &App,
    member: &Member,
    form: &Form,
    matter: Matter,
    wishes: &Wishes,
) -> Result<Result<Document, Refused>, Error> {
    let (pdf, trim, own_title, is_text) = match matter {
        Matter::Pdf(pdf) => {
            let trim = match wishes.format {
                Some(format) => format.trim,
                None => match size_in_file(&pdf.facts.sheets, FORMATS.iter().map(|format| format.trim)) {
                    Some(trim) => trim,
                    None => return Ok(Err(("format", other_size(&pdf)))),
                },
            };
            (*pdf, trim, None, false)
        }
        Matter::Text { name, text, markup, pictures: Shown { photos: pictures, notes } } => {
            let format = wishes.format.or_else(|| format(TEXT_FORMAT));
            let trim =
                format.map(|format| format.trim).ok_or_else(|| Error::internal("no format for texts"))?;
            let title = Some(form.get("title").to_owned()).filter(|title| !title.is_empty());
            let style = Style {
                trim,
                theme: wishes.theme.to_owned(),
                first_page: TITLE_LEAF + 1,
                title,
                emoji: wishes.emoji,
            };
            let source = Source { text, markup, style, pictures };
            let set = match receive::set_text(app, &member.id, &name, source).await? {
                Ok(mut set) => {
                    set.pdf.notes.extend(notes);
                    set
                }
                Err(reason) => return Ok(Err(("text", reason))),
            };
            let own_title = set.title.clone();
            match set.keep(app, member).await? {
                Ok(pdf) => (pdf, trim, own_title, true),
                Err(reason) => return Ok(Err(("text", reason))),
            }
        }
    };
    let title = match form.get("title") {
        "" => own_title.unwrap_or_else(|| stem(&pdf.file_name)),
        typed => typed.to_owned(),
    };
    let title = typed::name(&title, TITLE_LENGTH);
    if typed::is_blank(&title) {
        return Ok(Err(("title", "请输入书名".to_owned())));
    }
    let manuscript = Manuscript {
        file: &pdf.sha256,
        sheets: &pdf.facts.sheets,
        trim,
        theme: wishes.theme,
        title: &title,
        author: form.get("author"),
        cover: if is_text { CoverChoice::Words } else { wishes.cover },
        is_text,
    };
    let pages = page_count(&manuscript);
    if pages == 0 {
        return Ok(Err(("cover", "这个 PDF 只有一页，做了封面就没有内页了".to_owned())));
    }
    let field = if is_text { "text" } else { "file" };
    Ok(bound(app, trim, pages)
        .await?
        .map(|count| Document { emoji: wishes.emoji, ..lay_out(&manuscript, count) })
        .map_err(|reason| (field, reason)))
}

/// How many pages a book of so many gets, or why none can be bound.
async fn bound(app: &App, trim: Trim, pages: usize) -> Result<Result<usize, Refusal>, Error> {
    let aims: Vec<_> = catalog::of_size(app, trim).await?.iter().map(|goods| goods.pages).collect();
    let count = u32::try_from(pages).ok().and_then(|pages| bound_count(pages, &aims));
    Ok(count.map(|count| count as usize).ok_or_else(|| {
        let most = aims.iter().map(|aim| aim.max).max().unwrap_or_default();
        format!(
            "这本书有 {pages} 页，{} 的开本最多能装订 {most} 页；请分成几册，或换一种开本",
            size_text(trim)
        )
    }))
}

/// That no offered size is the file's, with numbers.
fn other_size(pdf: &PdfFile) -> Refusal {
    let size = pdf.facts.sheets.first().map(manuscript::PdfSheet::finished_size);
    let size = size.map_or_else(String::new, |(width, height)| format!("{width:.0} × {height:.0} mm"));
    let offered: Vec<String> = FORMATS.iter().map(|format| size_text(format.trim)).collect();
    format!(
        "PDF 的页面是 {size}，不是可以印的开本（{}）；请选一种开本，页面会等比缩放、居中放好",
        offered.join("、")
    )
}

/// A file's name without its extension.
fn stem(name: &str) -> String {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
}

/// A document whose text was set anew.
pub struct SetAgain {
    pub document: Document,
    /// The most pages that can be bound in its size, where it has more.
    pub most: Option<u32>,
    /// What the document shows, to be kept before it is saved.
    pub text: Typeset,
}

/// The document set anew on another page size, where it was set from a text. Cover and title page keep what stands on
/// them. Nothing is kept.
pub async fn set_again(
    app: &App,
    member: &MemberId,
    document: &Document,
    trim: Trim,
) -> Result<Option<SetAgain>, Error> {
    let Some(PdfFile { file_name, source: Some(source), .. }) =
        super::source_of(app, member, document).await?
    else {
        return Ok(None);
    };
    let title = source.style.title.clone();
    let style = Style {
        trim,
        theme: document.theme.clone(),
        first_page: TITLE_LEAF + 1,
        title,
        emoji: document.emoji,
    };
    let text = receive::set_text(app, member, &file_name, Source { style, ..source }).await?;
    let text = text.map_err(Error::Conflict)?;
    let manuscript = Manuscript {
        file: &text.pdf.sha256,
        sheets: &text.pdf.facts.sheets,
        trim,
        theme: &document.theme,
        title: &document.title,
        author: &document.author,
        cover: CoverChoice::Words,
        is_text: true,
    };
    let pages = page_count(&manuscript);
    let (count, most) = match bound(app, trim, pages).await? {
        Ok(count) => (count, None),
        Err(_) => {
            let goods = catalog::of_size(app, trim).await?;
            (pages, goods.iter().map(|goods| goods.pages.max).max())
        }
    };
    let document = manuscript::set_anew(document, lay_out(&manuscript, count));
    Ok(Some(SetAgain { document, most, text }))
}
