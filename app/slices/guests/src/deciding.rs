//! What a collection's owner does with what came: accepts it into the library, does not want it, looks at it again.

use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use domain::guests::{HIDDEN_MS, PieceState};
use domain::ids::{CollectionId, GuestPhotoId, MemberId};
use web::app::App;
use web::files;

use super::coming::forget_file;
use super::jobs::{AcceptAll, ForgetHidden};
use super::store;
use super::store::photos::{self as pieces, Piece};

/// Photos that are decided about in one transaction: others want to write, too.
const AT_ONCE: usize = 50;
/// The same as a number of rows.
const PART: i64 = 50;
/// Parts of all that are accepted while whoever asked waits; the rest is done by a job.
const PARTS: usize = 4;

/// What became of photos that were to be accepted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Accepted {
    pub photos: usize,
    /// Those whose originals are on the way: there is nothing to print yet.
    pub coming: usize,
}

/// Accepts the named ones of a collection into its owner's library; how many were not there before. One that can't be decoded
/// stays, and so does one whose original is on the way.
pub async fn accept(app: &App, id: &CollectionId, chosen: &[GuestPhotoId]) -> Result<Accepted, Error> {
    let mut accepted = Accepted::default();
    for part in chosen.chunks(AT_ONCE) {
        let mut tx = app.db.begin().await?;
        files::lock(&mut tx).await?;
        store::hold(&mut tx, id).await?;
        let found = pieces::named(&mut tx, id, part).await?;
        accepted.coming += found.iter().filter(|piece| piece.is_coming()).count();
        accepted.photos += accept_part(&mut tx, found).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(accepted)
}

async fn accept_part(tx: &mut Tx, found: Vec<Piece>) -> Result<usize, Error> {
    let (mut accepted, now) = (0, now_ms());
    for piece in found {
        if piece.state == PieceState::Accepted || piece.is_broken || piece.is_coming() {
            continue;
        }
        let file = (piece.sha256.as_str(), piece.bytes);
        let (photo, is_added) =
            photos::adopt(tx, &piece.member, file, &piece.file_name, piece.facts, now).await?;
        pieces::set_accepted(tx, &piece.id, &photo, is_added).await?;
        accepted += 1;
    }
    Ok(accepted)
}

/// Accepts all of a member's collection that wait since a moment. How many were; a job goes on where there are more.
pub async fn accept_all(
    app: &App,
    member: &MemberId,
    id: &CollectionId,
    before: i64,
) -> Result<(usize, bool), Error> {
    let mut accepted = 0;
    for _ in 0..PARTS {
        let part = accept_some(app, id, before).await?;
        accepted += part;
        if part == 0 {
            return Ok((accepted, false));
        }
    }
    let mut tx = app.db.begin().await?;
    jobs::enqueue_for(&mut tx, &AcceptAll { collection: id.clone(), before }, member, now_ms()).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok((accepted, true))
}

async fn accept_some(app: &App, id: &CollectionId, before: i64) -> Result<usize, Error> {
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    if let Err(error) = store::hold(&mut tx, id).await {
        // deleted meanwhile
        return if matches!(error, Error::NotFound) { Ok(0) } else { Err(error) };
    }
    let found = pieces::some_waiting(&mut tx, id, before, PART).await?;
    let accepted = accept_part(&mut tx, found).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(accepted)
}

/// The job: what [`accept_all`] left.
pub async fn accept_rest(app: &App, id: &CollectionId, before: i64) -> Result<(), Error> {
    while accept_some(app, id, before).await? > 0 {}
    Ok(())
}

/// Puts the named ones aside. Those that came into the library by it leave it again; one that a work or an order shows stays
/// where it is: the sentences say which.
pub async fn hide(
    app: &App,
    member: &MemberId,
    id: &CollectionId,
    chosen: &[GuestPhotoId],
) -> Result<(usize, Vec<String>), Error> {
    let (mut hidden, mut kept) = (0, Vec::new());
    for part in chosen.chunks(AT_ONCE) {
        let mut tx = app.db.begin_snapshot().await?;
        let found = pieces::named(&mut tx, id, part).await?;
        drop(tx);
        for piece in found.iter().filter(|piece| piece.state == PieceState::Accepted) {
            if let Some(sentence) = leave_library(app, member, piece).await? {
                kept.push((piece.id.clone(), sentence));
            }
        }
        let now = now_ms();
        let mut tx = app.db.begin().await?;
        files::lock(&mut tx).await?;
        let mut jobs = Vec::new();
        for piece in pieces::named(&mut tx, id, part).await? {
            // one that was accepted since then is decided about the next time
            let was = found.iter().find(|known| known.id == piece.id).map(|known| known.state);
            let stays = kept.iter().any(|(known, _)| *known == piece.id);
            if piece.state == PieceState::Hidden || stays || was != Some(piece.state) {
                continue;
            }
            pieces::set_state(&mut tx, &piece.id, PieceState::Hidden, Some(now)).await?;
            jobs.push(ForgetHidden { photo: piece.id });
            hidden += 1;
        }
        jobs::enqueue_all_for(&mut tx, &jobs, member, now + HIDDEN_MS).await?;
        tx.commit().await?;
    }
    Ok((hidden, kept.into_iter().map(|(_, sentence)| sentence).collect()))
}

/// Takes an accepted photo out of the library, where it came there by being accepted and no other guest's is the same one. What
/// keeps it there, where something does.
async fn leave_library(app: &App, member: &MemberId, piece: &Piece) -> Result<Option<String>, Error> {
    let Some(photo) = piece.photo.as_ref().filter(|_| piece.is_added) else { return Ok(None) };
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    let is_anothers = pieces::hand_over(&mut tx, photo, &piece.id).await?;
    tx.commit().await?;
    if is_anothers {
        return Ok(None);
    }
    let (_, places) = photos::take_out(app, member, std::slice::from_ref(photo)).await?;
    let places: Vec<String> = places.into_values().flatten().collect();
    Ok((!places.is_empty()).then(|| format!("{}：正用在{}里", piece.file_name, places.join("、"))))
}

/// Has the named ones that nobody wanted wait again.
pub async fn look_again(app: &App, id: &CollectionId, chosen: &[GuestPhotoId]) -> Result<usize, Error> {
    let mut back = 0;
    for part in chosen.chunks(AT_ONCE) {
        let mut tx = app.db.begin().await?;
        files::lock(&mut tx).await?;
        for piece in pieces::named(&mut tx, id, part).await? {
            if piece.state == PieceState::Hidden {
                pieces::set_state(&mut tx, &piece.id, PieceState::Waiting, None).await?;
                back += 1;
            }
        }
        tx.commit().await?;
    }
    Ok(back)
}

/// The job: forgets a photo that nobody has wanted for long enough.
pub async fn forget_hidden(app: &App, id: &GuestPhotoId) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    let Some(piece) = pieces::find_any(&mut tx, id).await? else { return Ok(()) };
    let is_over = piece.hidden_at.is_some_and(|at| at <= now_ms() - HIDDEN_MS);
    if piece.state == PieceState::Hidden && is_over {
        pieces::forget(&mut tx, id).await?;
        forget_file(&mut tx, &piece.member, piece.sha256, piece.preview).await?;
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(())
}
