//! What stands in a PDF's pages for readers: their words and their links.

use base::error::Error;
use base::sandbox::{ReadSheet, SheetRead};
use base::storage::original_key;
use domain::ids::{FileDigest, MemberId};
use domain::reading::SheetText;
use web::app::App;

use super::store;

/// The words and links of a page (from 1) of a member's own PDF; nothing where it has none or can't be read, and no words where
/// the file's maker does not let them be copied.
pub async fn read_sheet(
    app: &App,
    member: &MemberId,
    file: &FileDigest,
    page: u32,
) -> Result<SheetRead, Error> {
    let Some(pdf) = store::find_for_owner(&app.db, file, member).await? else {
        return Ok(SheetRead::default());
    };
    let path = app.storage.bring(&original_key(file.as_str())).await?.ok_or(Error::NotFound)?;
    match app.sandbox.run(member, ReadSheet { file: path, page }).await? {
        Ok(Ok(read)) if pdf.facts.forbids_copying => Ok(SheetRead { words: SheetText::default(), ..read }),
        Ok(Ok(read)) => Ok(read),
        ended => {
            tracing::warn!(%file, page, ?ended, "The words of a PDF's page could not be read");
            Ok(SheetRead::default())
        }
    }
}
