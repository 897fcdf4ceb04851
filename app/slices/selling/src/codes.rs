//! Making codes, and knowing them again.
//!
//! A code follows from its batch's salt and its number by HMAC with the installation's key, so that the file of a batch is made
//! anew for each download and lies nowhere. When the salt is forgotten, seven days later, nobody can have the codes any more.
//! What stays of a code is another HMAC, which says whether somebody shows it.

use std::time::Instant;

use base::db::{Tx, now_ms};
use base::error::Error;
use base::jobs;
use base::signing::{keyed, new_salt, redeem_code, short_digest};
use domain::ids::{BatchId, MemberId, PackageId};
use domain::redeem_code::{BatchTimes, FILE_LIFE_MS, MOST_OF_BATCH, MOST_OPEN, RedeemCode};
use hmac::Mac;
use tokio::sync::Semaphore;
use web::app::App;

use super::jobs::{ForgetSalt, WriteCodes};
use super::store::batches::{self, Batch};

/// Codes that are read at once for a file.
pub const AT_ONCE: i64 = 2_000;
/// Codes that are written in one transaction: others wait to write meanwhile.
const WRITTEN_AT_ONCE: i64 = 500;
/// Only one batch is written at a time.
static WRITING: Semaphore = Semaphore::const_new(1);

/// Under what a code is kept.
pub fn digest(key: &str, code: &RedeemCode) -> String {
    short_digest(keyed(key.as_bytes(), "redeem code").chain_update(code.plain()))
}

/// The code of a batch with a number, from 1.
fn code(key: &str, salt: &str, number: i64) -> RedeemCode {
    redeem_code(
        keyed(key.as_bytes(), "codes of a batch").chain_update(salt).chain_update(number.to_be_bytes()),
    )
}

/// Some codes of a batch, from a number on: so many that a file takes them at once.
pub fn some(key: &str, salt: &str, first: i64, codes: i64) -> Vec<RedeemCode> {
    (first..=codes.min(first + AT_ONCE - 1)).map(|number| code(key, salt, number)).collect()
}

/// Codes to be made.
pub struct Wanted {
    /// The id of the form, so that it makes them once.
    pub id: BatchId,
    pub package: PackageId,
    pub note: String,
    pub codes: u32,
    /// They can be redeemed at once.
    pub active: bool,
    pub expires_at: Option<i64>,
}

/// What became of a wish for codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// The batch is there. Of a large one the first codes can be redeemed, and the others within a moment.
    Now,
    /// The same form made it before.
    Before,
    /// Nothing: with these the seller would have more open codes than [`MOST_OPEN`].
    TooMany,
}

/// Makes a batch for one of a seller's packages, all of it or nothing.
pub async fn make(app: &App, seller: &MemberId, wanted: Wanted, now: i64) -> Result<Made, Error> {
    let mut tx = app.db.begin().await?;
    let made = make_within(app, &mut tx, seller, wanted, now).await?;
    if made == Made::Now {
        tx.commit().await?;
        app.bell.ring();
    }
    Ok(made)
}

/// The same as part of a transaction.
pub async fn make_within(
    app: &App,
    tx: &mut Tx,
    seller: &MemberId,
    wanted: Wanted,
    now: i64,
) -> Result<Made, Error> {
    if !(1..=MOST_OF_BATCH).contains(&wanted.codes) {
        return Err(Error::BadRequest(format!("一批有 1 到 {MOST_OF_BATCH} 个兑换码")));
    }
    let salt = new_salt();
    let codes = i64::from(wanted.codes);
    let batch = Batch {
        id: wanted.id,
        package: wanted.package,
        title: String::new(),
        seller: seller.clone(),
        note: wanted.note,
        codes,
        unwritten: codes,
        salt: Some(salt.clone()),
        file_until: now + FILE_LIFE_MS,
        times: BatchTimes {
            activated_at: wanted.active.then_some(now),
            voided_at: None,
            expires_at: wanted.expires_at,
        },
        created_at: now,
        redeemed: 0,
    };
    // two batches at once add up, too
    accounts::hold_member(tx, seller).await?;
    if !batches::insert(tx, &batch).await? {
        return Ok(Made::Before);
    }
    // these are among them
    if batches::open_codes(tx, seller, now).await? > MOST_OPEN {
        return Ok(Made::TooMany);
    }
    write_some(tx, &batch, &next_digests(app, &batch)?).await?;
    if codes > WRITTEN_AT_ONCE {
        jobs::enqueue_for(tx, &WriteCodes { batch: batch.id.clone() }, seller, now).await?;
    }
    jobs::enqueue_at(tx, &ForgetSalt { batch: batch.id }, batch.file_until).await?;
    Ok(Made::Now)
}

/// The next codes of a batch to be written, as they are kept.
fn next_digests(app: &App, batch: &Batch) -> Result<Vec<String>, Error> {
    let salt = batch.salt.as_ref().ok_or_else(|| Error::internal("a batch without its salt"))?;
    let first = batch.codes - batch.unwritten + 1;
    let codes = some(&app.key, salt, first, batch.codes.min(first + WRITTEN_AT_ONCE - 1));
    Ok(codes.iter().map(|code| digest(&app.key, code)).collect())
}

/// Writes these codes, the next of a batch; false where somebody else has written them.
async fn write_some(tx: &mut Tx, batch: &Batch, digests: &[String]) -> Result<bool, Error> {
    if !batches::wrote(tx, &batch.id, batch.unwritten, digests.len()).await? {
        return Ok(false);
    }
    batches::insert_codes(tx, &batch.id, batch.codes - batch.unwritten + 1, digests).await?;
    Ok(true)
}

/// Writes what is left of a batch's codes, a few hundred at a time, and pauses between them for as long as each took: so
/// others have their turn to write, and never wait for more than one of these.
pub async fn write_rest(app: &App, id: &BatchId) -> Result<(), Error> {
    let _alone = WRITING.acquire().await.map_err(Error::internal)?;
    write_all(app, id).await
}

async fn write_all(app: &App, id: &BatchId) -> Result<(), Error> {
    loop {
        let batch = batches::find(&app.db, id).await?;
        if batch.unwritten == 0 {
            // one that took longer than its file may be had
            return batches::forget_salt(&app.db, id, now_ms()).await;
        }
        if batch.salt.is_none() || batch.times.voided_at.is_some() {
            batches::write_no_more(&app.db, id).await?;
            continue;
        }
        let digests = next_digests(app, &batch)?;
        let mut tx = app.db.begin().await?;
        let began = Instant::now();
        if write_some(&mut tx, &batch, &digests).await? {
            tx.commit().await?;
        }
        tokio::time::sleep(began.elapsed()).await;
    }
}

/// The job: the same, unless another batch is being written, which is waited for without a worker.
pub async fn write_rest_later(app: &App, id: &BatchId) -> Result<(), Error> {
    if let Ok(_alone) = WRITING.try_acquire() {
        return write_all(app, id).await;
    }
    let seller = batches::find(&app.db, id).await?.seller;
    let mut tx = app.db.begin().await?;
    jobs::enqueue_for(&mut tx, &WriteCodes { batch: id.clone() }, &seller, now_ms() + AGAIN_MS).await?;
    Ok(tx.commit().await?)
}

/// How long a batch waits for another one, in ms.
const AGAIN_MS: i64 = 2_000;
