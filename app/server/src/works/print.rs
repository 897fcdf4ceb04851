//! Print files of a document: in this process, or in the sandbox where it shows PDFs.

use std::io::BufWriter;

use domain::document::Document;
use domain::ids::MemberId;
use press::Part;
use tempfile::NamedTempFile;

use super::LibraryOriginals;
use platform::app::App;
use platform::error::Error;
use platform::sandbox::{Ended, Print};

/// Writes a print file in a folder; it is on the disk, and disappears unless it gets a name. `made_at` is the date that it
/// carries, epoch ms.
pub async fn print_file(
    app: &App,
    member: &MemberId,
    document: &Document,
    part: Part,
    made_at: i64,
) -> Result<NamedTempFile, Error> {
    let file = app.storage.incoming().map_err(Error::internal)?;
    let originals = LibraryOriginals::brought(app, member, document).await?;
    let document = document.clone();
    if !document.files().is_empty() {
        let out = file.path().to_owned();
        let standard = app.press.standard();
        let task = Print { document, standard, part, files: originals.files(), made_at, out };
        return match app.sandbox.run(member, task).await? {
            Ok(()) => Ok(file),
            Err(Ended) => Err(Error::internal("a print file could not be made of these PDFs")),
        };
    }
    let press = app.press;
    app.compute(move || -> Result<NamedTempFile, Error> {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        press.print(&document, part, &originals, made_at, &mut out).map_err(Error::internal)?;
        let file = out.into_inner().map_err(|error| Error::internal(error.into_error()))?;
        file.as_file().sync_all().map_err(Error::internal)?;
        Ok(file)
    })
    .await?
}
