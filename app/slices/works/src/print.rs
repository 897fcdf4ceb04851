//! Print files of a document: in this process, or in the sandbox where it shows PDFs, HEIC or AVIF.

use std::io::BufWriter;

use base::error::Error;
use base::presses::Printing;
use base::sandbox::{Damaged, Ended, Print};
use domain::document::{Document, Page};
use domain::ids::MemberId;
use press::Part;
use tempfile::NamedTempFile;
use web::app::App;

use super::{LibraryOriginals, documents};

/// Writes a print file with a press into a folder; it is on the disk, and disappears unless it gets a name. `made_at` is the date that it
/// carries, epoch ms.
///
/// # Errors
/// [`Error::Conflict`] names an original whose bytes are not those that came, and its pages.
pub async fn print_file(
    app: &App,
    member: &MemberId,
    document: &Document,
    part: Part,
    made_at: i64,
    printing: &Printing,
) -> Result<NamedTempFile, Error> {
    let file = app.storage.incoming().map_err(Error::internal)?;
    let originals = LibraryOriginals::brought(app, member, document).await?;
    let shown = document;
    let document = document.clone();
    if originals.needs_sandbox() {
        let out = file.path().to_owned();
        let standard = printing.press.standard();
        let printed_on = printing.printed_on.clone();
        let task = Print { document, standard, printed_on, part, files: originals.files(), made_at, out };
        return match app.sandbox.run(member, task).await? {
            Ok(Ok(())) => Ok(file),
            Ok(Err(damaged)) => Err(refused(app, member, shown, &damaged).await?),
            Err(Ended) => Err(Error::internal("a print file could not be made of these files")),
        };
    }
    let press = printing.press;
    let printed = app
        .compute(move || -> Result<Result<NamedTempFile, Damaged>, Error> {
            let mut out = BufWriter::with_capacity(1 << 20, file);
            if let Err(error) = press.print(&document, part, &originals, made_at, &mut out) {
                return Damaged::of(&error).map(Err).ok_or_else(|| Error::internal(error));
            }
            let file = out.into_inner().map_err(|error| Error::internal(error.into_error()))?;
            file.as_file().sync_all().map_err(Error::internal)?;
            Ok(Ok(file))
        })
        .await??;
    match printed {
        Ok(file) => Ok(file),
        Err(damaged) => Err(refused(app, member, shown, &damaged).await?),
    }
}

/// What is said of an original that is damaged: what the member calls it, and on which pages it stands.
async fn refused(
    app: &App,
    member: &MemberId,
    document: &Document,
    damaged: &Damaged,
) -> Result<Error, Error> {
    type Shows = Box<dyn Fn(&Page) -> bool + Send>;
    let (name, shows): (Option<String>, Shows) = match damaged {
        Damaged::Photo(id) => {
            let found = photos::of_member(app, member, std::slice::from_ref(id)).await?;
            let name = found.into_iter().next().map(|photo| photo.file_name);
            let id = id.clone();
            (name, Box::new(move |page| page.photos().any(|frame| frame.photo == id)))
        }
        Damaged::File(file) => {
            let name = documents::find(app, member, file).await?.map(|found| found.file_name);
            let file = file.clone();
            (name, Box::new(move |page| page.pdfs().any(|pdf| pdf.file == file)))
        }
    };
    let cover = shows(&document.cover).then(|| "封面".to_owned());
    let inner = document.pages.iter().enumerate().filter(|(_, page)| shows(page));
    let places: Vec<String> =
        cover.into_iter().chain(inner.map(|(index, _)| format!("第 {} 页", index + 1))).take(5).collect();
    let name = name.unwrap_or_else(|| "一份原件".to_owned());
    Ok(Error::Conflict(format!(
        "{name}（{}）存着的原件已损坏，和上传时不一样，不能印刷；请重新上传后换上。",
        places.join("、")
    )))
}
