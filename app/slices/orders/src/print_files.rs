//! The files a print shop gets: for each line the inner pages, the cover, saddle-stitched books' sheets where the shop
//! wants them, and what preflight found; for the order one job ticket.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use domain::binding::{CoverSheet, CoverSides};
use domain::ids::OrderId;
use domain::imposition::Booklet;
use press::Part;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::store::{self, Order, OrderLine};
use super::ticket;
use platform::app::App;
use platform::audit;
use platform::error::Error;
use platform::storage::{print_folder, print_key};

/// The job ticket, for programs and for people.
const TICKET_JSON: &str = "ticket.json";
const TICKET_PDF: &str = "ticket.pdf";

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

/// The files of an order, made or not.
pub async fn listed(app: &App, order: &Order) -> Result<Vec<Listed>, Error> {
    let mut files = Vec::new();
    for line in store::lines(&app.db, &order.id).await? {
        let parts = parts(app, &line);
        let made_of = made_of(app, order, &line, &parts)?;
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
    Ok(files)
}

/// A file to send.
#[derive(Debug)]
pub enum Place {
    Disk(PathBuf),
    Bytes(Vec<u8>),
}

/// One of the files that [`listed`] names, made where it is missing.
pub async fn file(app: &App, id: &OrderId, name: &str) -> Result<Place, Error> {
    let order = store::find(&app.db, id).await?;
    if !order.state.is_paid_for() {
        return Err(Error::NotFound);
    }
    let lines = store::lines(&app.db, id).await?;
    if name == TICKET_JSON || name == TICKET_PDF {
        let jobs =
            lines.iter().map(|line| ticket::line(line, &parts(app, line), &preflight_name(line))).collect();
        let ticket = ticket::of(&order, &lines, jobs, app.config.public_url.as_deref());
        let bytes = if name == TICKET_JSON {
            serde_json::to_vec_pretty(&ticket)?
        } else {
            // a page of words needs no place among those who draw pictures
            let press = app.press;
            tokio::task::spawn_blocking(move || press.ticket_pdf(&ticket::sheet(&ticket)))
                .await
                .map_err(Error::internal)?
                .map_err(Error::internal)?
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

/// Writes an order's print files into a folder and answers their names. A file is complete or absent: each
/// is written beside its place first.
pub async fn export(app: &App, id: &OrderId, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::internal(format!("{}: {error}", folder.display())))?;
    let order = store::find(&app.db, id).await?;
    let mut written = Vec::new();
    let mut jobs = Vec::new();
    let lines = store::lines(&app.db, id).await?;
    for line in &lines {
        jobs.push(ticket::line(line, &parts(app, line), &preflight_name(line)));
        for file in made(app, &order, line).await? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut file = std::fs::File::open(&file).map_err(Error::internal)?;
            written.push(whole(folder, &name, |out| {
                std::io::copy(&mut file, out).map(drop).map_err(Error::internal)
            })?);
        }
    }
    let ticket = ticket::of(&order, &lines, jobs, app.config.public_url.as_deref());
    let json = serde_json::to_vec_pretty(&ticket)?;
    written.push(whole(folder, TICKET_JSON, |out| out.write_all(&json).map_err(Error::internal))?);
    let press = app.press;
    let sheet =
        app.compute(move || press.ticket_pdf(&ticket::sheet(&ticket))).await?.map_err(Error::internal)?;
    written.push(whole(folder, TICKET_PDF, |out| out.write_all(&sheet).map_err(Error::internal))?);
    Ok(written)
}

/// The key of all that a line's files are made of: the press and what it follows, the frozen line, and how it is bound.
fn made_of(
    app: &App,
    order: &Order,
    line: &OrderLine,
    parts: &[(&'static str, String, Part)],
) -> Result<String, Error> {
    let (made_at, choice) = (order.created_at, line.choice.cnums());
    let basis =
        (app.press.printing_key(), parts, &line.document, &line.goods, choice, line.quote.pages, made_at);
    Ok(hex::encode(&Sha256::digest(serde_json::to_vec(&basis)?)[..16]))
}

/// The files of one line, made where they are missing: a frozen line always gives the same ones, of the same press.
async fn made(app: &App, order: &Order, line: &OrderLine) -> Result<Vec<PathBuf>, Error> {
    let parts = parts(app, line);
    let made_of = made_of(app, order, line, &parts)?;
    let names: Vec<_> = parts.iter().map(|(_, name, _)| name.clone()).collect();
    let report = print_key(&order.id, &made_of, &preflight_name(line));
    let mut files = Vec::new();
    for (_, name, part) in parts {
        let key = print_key(&order.id, &made_of, &name);
        if !app.storage.has(&key).await? {
            let printed = works::print_file(app, order.maker(), &line.document, part, order.created_at);
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
        let findings = works::preflight(app, order.maker(), &line.document, line.making()).await?;
        // each file was looked through when it was written, and one that breaks a rule is none
        let report_of = json!({
            "standard": app.press.standard().name(),
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
