//! A photo's pictures, made where its kind is decoded: in this process, or in the sandbox where it is coded like a film.

use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

use base::error::Error;
use base::sandbox::{Derive, Derived, Ended};
use domain::ids::MemberId;
use photo::{Derivative, Derivatives, Detector, LONG_SIDES, PhotoInfo, PhotoRefusal};

use crate::app::App;

/// Makes the pictures of a photo, when there is memory for its pixels. The inner error says why it can't be decoded.
pub async fn derive(
    app: &App,
    member: &MemberId,
    file: PathBuf,
) -> Result<Result<Derivatives, PhotoRefusal>, Error> {
    let path = file.clone();
    // looked at first: nobody waits for a place with a file in memory
    let needs = move || {
        let (original, info) = read(&path)?;
        Ok((photo::memory(&original, &info) + original.len() as u64, info.format))
    };
    let (memory, format) = match app.compute(needs).await? {
        Ok(needs) => needs,
        Err(refusal) => return Ok(Err(refusal)),
    };
    // another process's memory is no concern of this one's photos
    if format.is_heif() {
        return apart(app, member, &file).await;
    }
    let place = app.place_for_pixels(memory).await?;
    let inks = app.press.condition().icc();
    let reduce = move || read(&file).and_then(|(original, info)| photo::reduce(&original, &info, inks));
    let reduced = match app.compute(reduce).await? {
        Ok(reduced) => reduced,
        Err(refusal) => return Ok(Err(refusal)),
    };
    // the next one's pixels come while this one's pictures are encoded
    drop(place);
    let detector = detector(app);
    app.compute(move || reduced.derive(detector)).await
}

/// What looks for faces, where that is wanted and it works.
pub fn detector(app: &App) -> Option<&'static Detector> {
    app.config.looks_for_faces.then(photo::detector).and_then(Result::ok)
}

fn read(file: &Path) -> Result<(Vec<u8>, PhotoInfo), PhotoRefusal> {
    let original = std::fs::read(file)?;
    let info = photo::probe(&mut Cursor::new(&original))?;
    Ok((original, info))
}

async fn apart(
    app: &App,
    member: &MemberId,
    file: &Path,
) -> Result<Result<Derivatives, PhotoRefusal>, Error> {
    let folder = app.storage.workshop().map_err(Error::internal)?;
    let printed_on = app.config.printed_on.clone();
    let faces = app.config.looks_for_faces;
    let task = Derive { file: file.to_owned(), printed_on, folder: folder.path().to_owned(), faces };
    let derived = match app.sandbox.run(member, task).await? {
        Ok(Ok(Some(derived))) => derived,
        // a full disk, not the photo: worth another try
        Ok(Err(reason)) => return Err(Error::internal(reason)),
        Ok(Ok(None)) | Err(Ended) => return Ok(Err(PhotoRefusal::Damaged)),
    };
    let picture = |place: usize| -> io::Result<Derivative> {
        let (long_side, (width, height)) = (LONG_SIDES[place], derived.sizes[place]);
        let webp = std::fs::read(Derive::picture(folder.path(), long_side))?;
        Ok(Derivative { long_side, width, height, webp })
    };
    let read = || Ok([picture(0)?, picture(1)?, picture(2)?]);
    let sizes = read().map_err(|error: io::Error| Error::internal(error))?;
    let Derived { subject, look, faces, quality, .. } = derived;
    Ok(Ok(Derivatives { sizes, subject, look, faces, quality }))
}
