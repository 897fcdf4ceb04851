//! The files a print shop gets: for each line the inner pages, the cover, saddle-stitched books' sheets where the shop
//! wants them, and what preflight found; for the order one job ticket.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use domain::ids::OrderId;
use domain::imposition::Booklet;
use press::Part;
use serde_json::{Value, json};

use super::store::{self, Order, OrderLine};
use crate::works;
use platform::app::App;
use platform::error::Error;
use platform::storage::{print_folder, print_key};

/// The job: makes an order's print files once its member can't cancel it any more. An order that ended is passed over.
pub async fn make(app: &App, id: &OrderId) -> Result<(), Error> {
    let order = store::find(&app.db, id).await?;
    if order.state.is_paid_for() {
        for line in store::lines(&app.db, id).await? {
            made(app, &order, line).await?;
        }
    }
    Ok(())
}

/// Forgets print files that nobody fetches any more; they can be made again.
pub async fn forget(app: &App, id: &OrderId) -> Result<(), Error> {
    app.storage.delete_below(&print_folder(id)).await
}

/// Writes an order's print files into a folder and answers their names. A file is complete or absent: each
/// is written beside its place first.
pub async fn export(app: &App, id: &OrderId, folder: &Path) -> Result<Vec<PathBuf>, Error> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Error::internal(format!("{}: {error}", folder.display())))?;
    let order = store::find(&app.db, id).await?;
    let mut written = Vec::new();
    let mut jobs = Vec::new();
    for line in store::lines(&app.db, id).await? {
        jobs.push(ticket_line(app, &line));
        for file in made(app, &order, line).await? {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let mut file = std::fs::File::open(&file).map_err(Error::internal)?;
            written.push(whole(folder, &name, |out| {
                std::io::copy(&mut file, out).map(drop).map_err(Error::internal)
            })?);
        }
    }
    let ticket = serde_json::to_vec_pretty(&ticket(&order, jobs))?;
    written.push(whole(folder, "ticket.json", |out| out.write_all(&ticket).map_err(Error::internal))?);
    Ok(written)
}

/// The files of one line, made where they are missing: a frozen line always gives the same ones.
async fn made(app: &App, order: &Order, line: OrderLine) -> Result<Vec<PathBuf>, Error> {
    let parts = parts(app, &line);
    let report = print_key(&order.id, &preflight_name(&line));
    let mut files = Vec::new();
    for (_, name, part) in parts {
        let key = print_key(&order.id, &name);
        if !app.storage.has(&key).await? {
            let file = works::print_file(app, order.maker(), &line.document, part, order.created_at).await?;
            let staged = app.storage.stage(file, key.clone()).await?;
            app.storage.keep(staged).await?;
        }
        files.push(key);
    }
    if !app.storage.has(&report).await? {
        let findings = works::preflight(app, order.maker(), &line.document, line.making()).await?;
        app.storage.put(&report, serde_json::to_vec_pretty(&findings)?).await?;
    }
    files.push(report);
    let mut places = Vec::new();
    for key in files {
        let place = app.storage.bring(&key).await?;
        places.push(place.ok_or_else(|| Error::internal(format!("{key} is gone")))?);
    }
    Ok(places)
}

/// A line's print files: what the job ticket calls them, their names, and what is in them.
fn parts(app: &App, line: &OrderLine) -> Vec<(&'static str, String, Part)> {
    let name = |part: &str| format!("{}-{part}.pdf", line.position);
    let mut parts =
        vec![("inner", name("inner"), Part::Inner), ("cover", name("cover"), Part::Cover(spine_mm(line)))];
    if let Some(booklet) = booklet(app, line) {
        parts.push(("booklet", name("booklet"), Part::Booklet(booklet)));
    }
    parts
}

fn preflight_name(line: &OrderLine) -> String {
    format!("{}-preflight.json", line.position)
}

/// How a saddle-stitched book's sheets lie, where the shop wants them so.
fn booklet(app: &App, line: &OrderLine) -> Option<Booklet> {
    let booklet = line.goods.booklet(&line.choice).filter(|_| app.config.imposes)?;
    booklet.spreads(line.document.pages.len()).map(|_| booklet)
}

/// 0 where the binding has no back to print on.
fn spine_mm(line: &OrderLine) -> f64 {
    line.goods.spine_mm(line.quote.pages, &line.choice).unwrap_or(0.0)
}

fn ticket(order: &Order, lines: Vec<Value>) -> Value {
    json!({
        "order": order.id,
        "state": order.state.code(),
        "created_at": platform::ui::time::stamp(order.created_at),
        "paid_at": order.paid_at.map(platform::ui::time::stamp),
        "ship_to": {
            "receiver": order.address.receiver,
            "phone": order.address.phone,
            "address": order.address.place(),
        },
        "lines": lines,
    })
}

fn ticket_line(app: &App, line: &OrderLine) -> Value {
    let mut files: serde_json::Map<String, Value> =
        parts(app, line).into_iter().map(|(part, name, _)| (part.to_owned(), Value::String(name))).collect();
    files.insert("preflight".to_owned(), Value::String(preflight_name(line)));
    let choices: serde_json::Map<String, Value> =
        line.choices().into_iter().map(|(step, item)| (step, Value::String(item))).collect();
    json!({
        "title": line.title,
        "goods": { "id": line.goods.id, "name": line.goods.name },
        "copies": line.quote.count.get(),
        "pages": line.quote.pages,
        "trim_mm": [line.document.trim.width, line.document.trim.height],
        "bleed_mm": domain::document::BLEED_MM,
        "spine_mm": spine_mm(line),
        "choices": choices,
        "remark": line.remark,
        "proof_confirmed_at": line.proofed_at.map(platform::ui::time::stamp),
        "files": files,
    })
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
