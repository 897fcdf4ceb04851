//! The files a print shop gets: for each line the inner pages, the cover, saddle-stitched books' sheets where the shop
//! wants them, and what preflight found; for the order one job ticket.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use ::time::Date;
use base::audit;
use base::db::now_ms;
use base::detach::blocking;
use base::error::Error;
use base::presses::Printing;
use base::storage::{print_folder, print_key};
use base::time;
use domain::binding::{CoverSheet, CoverSides};
use domain::document::Document;
use domain::goods::{Cnum, Goods};
use domain::hot_folder::file_name;
use domain::ids::OrderId;
use domain::imposition::Booklet;
use domain::order_state::{OrderState, SELF_CANCEL_MS};
use domain::parcel::Copies;
use press::{Finding, Part, Ticket};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use web::app::App;

use super::job_ticket;
use super::store::parcels::Reprint;
use super::store::{self, Order, OrderLine};
use works::CoverView;

/// The job ticket, for programs and for people.
const TICKET_JSON: &str = "ticket.json";
const TICKET_PDF: &str = "ticket.pdf";
/// How wide the pictures of covers on a ticket are, in pixels: one of the widths that works have.
const COVER_PX: u32 = 320;

/// The job: makes an order's print files once its member can't cancel it any more. An order that ended is passed over.
pub async fn make(app: &App, id: &OrderId) -> Result<(), Error> {
    let order = store::find(&app.db, id).await?;
    if order.state.is_paid_for() {
        for line in store::lines(&app.db, id).await? {
            made(app, &order, &line).await?;
        }
    }
    Ok(())
}

/// What preflight finds in a line, as it is printed now.
pub async fn preflight(app: &App, order: &Order, line: &OrderLine) -> Result<Vec<Finding>, Error> {
    let press = match catalog::printing(app, &line.goods).await {
        Ok(printing) => printing.press,
        // the files can't be made, which is said beside them
        Err(Error::Conflict(_)) => app.press,
        Err(other) => return Err(other),
    };
    works::preflight_on(app, press, order.maker(), &line.document, line.making()).await
}

/// Forgets print files that nobody fetches any more; they can be made again.
pub async fn forget(app: &App, id: &OrderId) -> Result<(), Error> {
    app.storage.delete_below(&print_folder(id)).await
}

/// A file of an order as the back office lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub name: String,
    /// What people call it.
    pub title: String,
    /// How large it is; none while it is not made.
    pub bytes: Option<u64>,
}

/// What the back office is told of an order's files.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Each book, and what its files follow; or why they can't be made.
    pub settings: Vec<(String, Result<String, String>)>,
    /// Made or not.
    pub files: Vec<Listed>,
}

/// The files of an order.
pub async fn listed(app: &App, order: &Order) -> Result<Listing, Error> {
    let (mut settings, mut files) = (Vec::new(), Vec::new());
    for line in store::lines(&app.db, &order.id).await? {
        let printing = match catalog::printing(app, &line.goods).await {
            Ok(printing) => printing,
            Err(Error::Conflict(reason)) => {
                settings.push((line.title, Err(reason)));
                continue;
            }
            Err(other) => return Err(other),
        };
        settings.push((line.title.clone(), Ok(printing.in_words())));
        let parts = parts(app, &line);
        let made_of = made_of(&printing, order, &line, &parts)?;
        let mut names: Vec<_> = parts
            .into_iter()
            .map(|(part, name, _)| {
                let what = match part {
                    "inner" => "内页",
                    "cover" => "封面",
                    _ => "骑马钉拼版",
                };
                (name, what)
            })
            .collect();
        names.push((preflight_name(&line), "印前检查"));
        for (name, what) in names {
            let place = app.storage.bring(&print_key(&order.id, &made_of, &name)).await?;
            let bytes = place.and_then(|place| std::fs::metadata(place).ok()).map(|file| file.len());
            files.push(Listed { name, title: format!("{what} 《{}》", line.title), bytes });
        }
    }
    for (name, title) in [(TICKET_PDF, "工单（PDF）"), (TICKET_JSON, "工单（JSON）")] {
        files.push(Listed { name: name.to_owned(), title: title.to_owned(), bytes: None });
    }
    Ok(Listing { settings, files })
}

/// A file to send.
#[derive(Debug)]
pub enum Place {
    Disk(PathBuf),
    Bytes(Vec<u8>),
}

impl Place {
    /// How large it is, in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Disk(path) => std::fs::metadata(path).map_or(0, |file| file.len()),
            Self::Bytes(bytes) => bytes.len() as u64,
        }
    }
}

/// One of the files that [`listed`] names, made where it is missing.
pub async fn file(app: &App, id: &OrderId, name: &str) -> Result<Place, Error> {
    let (order, lines) = printable(app, id).await?;
    if name == TICKET_JSON || name == TICKET_PDF {
        let bytes = if name == TICKET_JSON {
            serde_json::to_vec_pretty(&Work::of(app, order, lines).await?.ticket(app).await?)?
        } else {
            tickets_pdf(app, vec![Work::of(app, order, lines).await?.sheet(app).await?]).await?
        };
        return Ok(Place::Bytes(bytes));
    }
    let line = lines
        .into_iter()
        .find(|line| {
            preflight_name(line) == name || parts(app, line).iter().any(|(_, known, _)| known == name)
        })
        .ok_or(Error::NotFound)?;
    let files = made(app, &order, &line).await?;
    let file = files.into_iter().find(|file| file.file_name().is_some_and(|known| known == name));
    file.map(Place::Disk).ok_or(Error::NotFound)
}

/// What of an order is made now.
struct Work {
    order: Order,
    /// Each with how many copies.
    lines: Vec<(OrderLine, u32)>,
    again: Option<Reprint>,
}

impl Work {
    async fn of(app: &App, order: Order, lines: Vec<OrderLine>) -> Result<Self, Error> {
        let mut tx = app.db.begin_snapshot().await?;
        let sending = store::parcels::sending(&mut tx, &order).await?;
        let (making, again) = (sending.making(order.state), sending.again(order.state).cloned());
        let lines = lines.into_iter().filter_map(|line| Some((making.get(&line.position).copied()?, line)));
        Ok(Self { lines: lines.map(|(copies, line)| (line, copies)).collect(), order, again })
    }

    async fn printable(app: &App, id: &OrderId) -> Result<Self, Error> {
        let (order, lines) = printable(app, id).await?;
        Self::of(app, order, lines).await
    }

    fn copies(&self) -> u32 {
        self.lines.iter().map(|(_, copies)| copies).sum()
    }

    /// The title of its first book.
    fn title(&self) -> &str {
        self.lines.first().map_or("", |(line, _)| line.title.as_str())
    }

    /// [`Work::files`]; what can't be made is said in words for a clerk.
    async fn files_or_said(&self, app: &App) -> Result<(Vec<(String, Place)>, Ticket), Error> {
        let id = &self.order.id;
        self.files(app).await.map_err(|error| match error {
            Error::Internal(reason) => {
                tracing::error!(order = %id, reason, "Print files can't be made");
                Error::Conflict(format!("订单 {id} 的文件做不出来，请打开这个订单看原因，或者先不勾选它"))
            }
            error => error,
        })
    }

    /// The job ticket.
    async fn ticket(&self, app: &App) -> Result<Value, Error> {
        let (order, site) = (&self.order, app.config.public_url.as_deref());
        let known = (site, self.again.is_some());
        let mut jobs = Vec::new();
        for (line, copies) in &self.lines {
            let printing = catalog::printing(app, &line.goods).await?;
            let files = (&printing, parts(app, line), preflight_name(line));
            jobs.push(job_ticket::line(&order.id, known, line, *copies, files));
        }
        let due = production::promised_day(&app.db, &order.id).await?;
        Ok(job_ticket::of(order, jobs, due, site, self.again.as_ref()))
    }

    /// The same as a page, with the pictures of the covers.
    async fn sheet(&self, app: &App) -> Result<Ticket, Error> {
        let mut covers = Vec::new();
        for (line, _) in &self.lines {
            let (document, sheet) =
                ((*line.document).clone(), line.goods.cover_sheet(line.quote.pages, &line.choice));
            let maker = self.order.maker();
            let seen = works::cover_picture(app, maker, document, sheet, CoverView::Standing, COVER_PX);
            // a damaged photo is said elsewhere, and no reason to have no ticket
            covers.push(seen.await.ok().map(|picture| picture.bytes.to_vec()));
        }
        Ok(job_ticket::sheet(&self.ticket(app).await?, covers))
    }

    /// The files of all lines with the ticket, and the ticket once more.
    async fn files(&self, app: &App) -> Result<(Vec<(String, Place)>, Ticket), Error> {
        let mut files = Vec::new();
        for (line, _) in &self.lines {
            for place in made(app, &self.order, line).await? {
                let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
                files.push((name, Place::Disk(place)));
            }
        }
        let json = serde_json::to_vec_pretty(&self.ticket(app).await?)?;
        files.push((TICKET_JSON.to_owned(), Place::Bytes(json)));
        let ticket = self.sheet(app).await?;
        files.push((TICKET_PDF.to_owned(), Place::Bytes(tickets_pdf(app, vec![ticket.clone()]).await?)));
        Ok((files, ticket))
    }
}

/// Tickets as one PDF.
pub async fn tickets_pdf(app: &App, tickets: Vec<Ticket>) -> Result<Vec<u8>, Error> {
    let press = app.press;
    // words and thumbnails need no place among those who draw pictures
    blocking(move || press.tickets_pdf(&tickets).map_err(Error::internal)).await
}

/// An order that may be printed, and its lines.
///
/// # Errors
/// [`Error::Conflict`] where nothing is paid for, or its member may still cancel it.
pub async fn printable(app: &App, id: &OrderId) -> Result<(Order, Vec<OrderLine>), Error> {
    let order = store::find(&app.db, id).await?;
    if !order.state.is_paid_for() {
        return Err(Error::Conflict(format!("订单 {id} {}，没有印刷文件", order.state)));
    }
    if let Some(until) = cancellable_until(&order, now_ms()) {
        let sentence = format!("订单 {id} 的会员在 {} 之前还可以取消，到时再取文件", time::clock(until));
        return Err(Error::Conflict(sentence));
    }
    let lines = store::lines(&app.db, id).await?;
    Ok((order, lines))
}

/// Until when the member may cancel an order by itself, epoch ms; none where it can't any more.
pub fn cancellable_until(order: &Order, now: i64) -> Option<i64> {
    let is_open = order.state == OrderState::Paid && order.times(now).self_cancel_open();
    order.paid_at.filter(|_| is_open).map(|paid_at| paid_at + SELF_CANCEL_MS)
}

/// The job ticket of an order that may be printed.
pub async fn ticket(app: &App, id: &OrderId) -> Result<Ticket, Error> {
    Work::printable(app, id).await?.sheet(app).await
}

/// All files of an order under the names that its ticket says.
#[derive(Debug)]
pub struct Files {
    /// What a folder of them is called: when it is due, which order, how many copies of which book.
    pub folder: String,
    pub files: Vec<(String, Place)>,
    pub ticket: Ticket,
}

/// All files of an order, made where they are missing.
///
/// # Errors
/// [`Error::Conflict`] names an order that may not be printed yet, or whose files can't be made.
pub async fn all(app: &App, id: &OrderId) -> Result<Files, Error> {
    let work = Work::printable(app, id).await?;
    let (files, ticket) = work.files_or_said(app).await?;
    let due = production::promised_day(&app.db, id).await?.map(|day| day.to_string()).unwrap_or_default();
    let folder = format!("{due} {id} {}本 {}", work.copies(), file_name(work.title()));
    Ok(Files { folder: folder.trim().to_owned(), files, ticket })
}

/// The same of some of its lines, as one job.
#[derive(Debug)]
pub struct JobFiles {
    /// How many copies of which line; lines that are not made now are missing.
    pub copies: Copies,
    /// The title of its first book.
    pub title: String,
    /// The day by whose end it leaves; none where nobody can say.
    pub due: Option<Date>,
    /// All but the ticket for programs, under the names that its tickets say.
    pub files: Vec<(String, Place)>,
    /// The ticket for programs.
    pub ticket: Value,
}

/// Some lines of an order as one job, made where files are missing.
///
/// # Errors
/// Those of [`all`].
pub async fn job(app: &App, id: &OrderId, lines: &[i64]) -> Result<JobFiles, Error> {
    let mut work = Work::printable(app, id).await?;
    work.lines.retain(|(line, _)| lines.contains(&line.position));
    let (mut files, _) = work.files_or_said(app).await?;
    files.retain(|(name, _)| name != TICKET_JSON);
    Ok(JobFiles {
        copies: work.lines.iter().map(|(line, copies)| (line.position, *copies)).collect(),
        title: work.title().to_owned(),
        due: production::promised_day(&app.db, id).await?,
        files,
        ticket: work.ticket(app).await?,
    })
}

/// Writes an order's print files into a folder and answers their names. A file is complete or absent: each
/// is written beside its place first.
pub async fn export(app: &App, id: &OrderId, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::internal(format!("{}: {error}", folder.display())))?;
    let order = store::find(&app.db, id).await?;
    let lines = store::lines(&app.db, id).await?;
    let mut written = Vec::new();
    for (name, place) in Work::of(app, order, lines).await?.files(app).await?.0 {
        written.push(whole(folder, &name, |out| match place {
            Place::Disk(path) => {
                let mut file = std::fs::File::open(path).map_err(Error::internal)?;
                std::io::copy(&mut file, out).map(drop).map_err(Error::internal)
            }
            Place::Bytes(bytes) => out.write_all(&bytes).map_err(Error::internal),
        })?);
    }
    Ok(written)
}

/// All that a line's files are made of.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MadeOf<'a> {
    /// The press, and what it follows ([`press::Press::printing_key`]).
    pub press: [u8; 32],
    /// How the book is bound, and what its cover's plate is drawn from.
    pub parts: &'a [(&'static str, String, Part)],
    /// The frozen line.
    pub document: &'a Document,
    pub goods: &'a Goods,
    pub choice: &'a [Cnum],
    pub pages: u32,
    pub made_at: i64,
}

impl MadeOf<'_> {
    /// Its key: another one where anything is another.
    pub fn key(&self) -> Result<String, Error> {
        Ok(hex::encode(&Sha256::digest(serde_json::to_vec(self)?)[..16]))
    }
}

fn made_of(
    printing: &Printing,
    order: &Order,
    line: &OrderLine,
    parts: &[(&'static str, String, Part)],
) -> Result<String, Error> {
    let made_of = MadeOf {
        press: printing.press.printing_key(),
        parts,
        document: &line.document,
        goods: &line.goods,
        choice: line.choice.cnums(),
        pages: line.quote.pages,
        made_at: order.created_at,
    };
    made_of.key()
}

/// The files of one line, made where they are missing: a frozen line always gives the same ones, of the same press.
async fn made(app: &App, order: &Order, line: &OrderLine) -> Result<Vec<PathBuf>, Error> {
    let parts = parts(app, line);
    let printing = catalog::printing(app, &line.goods).await?;
    let made_of = made_of(&printing, order, line, &parts)?;
    let names: Vec<_> = parts.iter().map(|(_, name, _)| name.clone()).collect();
    let report = print_key(&order.id, &made_of, &preflight_name(line));
    let mut files = Vec::new();
    for (_, name, part) in parts {
        let key = print_key(&order.id, &made_of, &name);
        if !app.storage.has(&key).await? {
            let (maker, made_at) = (order.maker(), order.created_at);
            let printed = works::print_file(app, maker, &line.document, part, made_at, &printing);
            let file = match printed.await {
                Err(Error::Conflict(reason)) => {
                    tell_damaged(app, order, line, &reason).await?;
                    return Err(Error::internal(format!("order {}: {reason}", order.id)));
                }
                printed => printed?,
            };
            let staged = app.storage.stage(file, key.clone()).await?;
            app.storage.keep(staged).await?;
        }
        files.push(key);
    }
    if !app.storage.has(&report).await? {
        let (press, maker) = (printing.press, order.maker());
        let findings = works::preflight_on(app, press, maker, &line.document, line.making()).await?;
        // each file was looked through when it was written, and one that breaks a rule is none
        let report_of = json!({
            "standard": press.standard().name(),
            "profile": printing.profile,
            "total_ink_percent": printing.total_ink(),
            "spots": printing.spots(),
            "files": names,
            "checked": press::RULES,
            "findings": findings,
        });
        app.storage.put(&report, serde_json::to_vec_pretty(&report_of)?).await?;
    }
    files.push(report);
    let mut places = Vec::new();
    for key in files {
        let place = app.storage.bring(&key).await?;
        places.push(place.ok_or_else(|| Error::internal(format!("{key} is gone")))?);
    }
    Ok(places)
}

/// Notes for the operator, and tells the member, that an original of an order is damaged; once.
async fn tell_damaged(app: &App, order: &Order, line: &OrderLine, reason: &str) -> Result<(), Error> {
    const ACTION: &str = "order damaged";
    let detail = json!({ "line": line.position, "reason": reason });
    let said = detail.to_string();
    let noted = audit::newest(&app.db, Some(order.id.as_str()), 100).await?;
    if noted.iter().any(|noted| noted.action == ACTION && noted.detail == said) {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    audit::note(&mut tx, ACTION, order.id.as_str(), &detail).await?;
    let text = format!("【书坊】订单 {} 的《{}》还不能印：{reason}我们会与您联系。", order.id, line.title);
    accounts::tell_member(app, &mut tx, order.maker(), "书坊订单的原件有损坏", text).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(())
}

/// A line's print files: what the job ticket calls them, their names, and what is in them.
fn parts(app: &App, line: &OrderLine) -> Vec<(&'static str, String, Part)> {
    let name = |part: &str| format!("{}-{part}.pdf", line.position);
    let cover = line.goods.cover_sheet(line.quote.pages, &line.choice);
    let inner = if line.goods.is_mounted(&line.choice) {
        Part::Mounted
    } else if cover.sides == CoverSides::OutsideAndPages {
        Part::Middle
    } else {
        Part::Inner
    };
    let mut parts = vec![("inner", name("inner"), inner), ("cover", name("cover"), Part::Cover(cover))];
    if let Some(booklet) = booklet(app, line, &cover) {
        parts.push(("booklet", name("booklet"), Part::Booklet(booklet, cover)));
    }
    parts
}

fn preflight_name(line: &OrderLine) -> String {
    format!("{}-preflight.json", line.position)
}

/// How a saddle-stitched book's sheets lie, where the shop wants them so. Goods that were ordered before covers had a make
/// have none that could lie around them.
fn booklet(app: &App, line: &OrderLine, cover: &CoverSheet) -> Option<Booklet> {
    let booklet = line.goods.booklet(&line.choice).filter(|_| app.config.imposes)?;
    if !matches!(cover.sides, CoverSides::OutsideAndPages | CoverSides::OutsideAndBlank) {
        return None;
    }
    booklet.spreads(line.document.pages.len()).map(|_| booklet)
}

/// Writes a file beside its place and renames it when it is whole and on the disk.
fn whole(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    let failed = |error: std::io::Error| Error::internal(format!("{name}: {error}"));
    let file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    write(&mut out)?;
    let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
    file.as_file().sync_all().map_err(failed)?;
    let place = folder.join(name);
    file.persist(&place).map_err(Error::internal)?;
    Ok(place)
}
