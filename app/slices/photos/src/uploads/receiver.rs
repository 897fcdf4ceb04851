//! Who takes uploads: a member's library, or another slice for somebody who sends into a member's room. It says who sends, what may
//! be taken, what becomes of the whole file, and at which address.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use base::db::Tx;
use base::error::Error;
use domain::ids::{MemberId, UploadId};
use serde::Serialize;
use sha2::{Digest, Sha256};
use web::app::App;
use web::calls::Refusal;

use super::store::Upload;
use crate::others::Facts;
use crate::receive::Arriving;
use crate::store::Sight;

/// Whose an upload is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    /// Whose room it takes.
    pub member: MemberId,
    /// What is sent to and who sends, in the words of the slice that takes it; both empty for the member itself.
    pub to: String,
    pub name: String,
}

impl Sender {
    /// The member itself.
    pub fn itself(member: &MemberId) -> Self {
        Self { member: member.clone(), to: String::new(), name: String::new() }
    }
}

/// What a sender is told before it sends anything. Photos are named as whoever sends them is shown them.
#[derive(Debug, Default, Serialize)]
pub struct Known {
    /// The photos that are here already, by their SHA-256.
    pub known: BTreeMap<String, String>,
    /// Those for which a small copy stands while the original is on its way, likewise.
    pub coming: BTreeMap<String, String>,
    /// Those of which an upload waits to be gone on with; `left` lacks their bytes already.
    pub open: BTreeSet<String>,
    /// Bytes that may still come.
    pub left: u64,
}

/// A small copy that goes ahead of an original.
#[derive(Debug)]
pub struct Ahead {
    /// Of the original, as its sender says.
    pub sha256: String,
    pub file_name: String,
    pub bytes: u64,
    /// As the original's first bytes say.
    pub facts: Facts,
    /// The small copy as it is kept.
    pub copy: Vec<u8>,
    pub(crate) sight: Sight,
}

impl Ahead {
    /// What the small copy is called: the SHA-256 of its bytes.
    pub fn preview(&self) -> String {
        hex::encode(Sha256::digest(&self.copy))
    }
}

/// Takes uploads. It is made of a request: what lets nobody send there is its rejection.
#[async_trait]
pub trait Receiver: FromRequestParts<App, Rejection = Refusal> + Clone + Send + Sync + 'static {
    /// Who sends.
    fn sender(&self) -> &Sender;

    /// Where uploads are made; each has an address below.
    fn address(&self) -> String;

    /// Notes who begins to send something.
    async fn enter(&mut self, _app: &App, _parts: &Parts) -> Result<(), Refusal> {
        Ok(())
    }

    /// Why nothing is taken any more; what has come of an upload goes then.
    async fn refusal(&self, _app: &App) -> Result<Option<Refusal>, Error> {
        Ok(None)
    }

    /// Lets an upload begin, in the transaction that adds it; what is counted for that stays true until then. Whether it has a place
    /// of its own.
    async fn admit(&self, app: &App, tx: &mut Tx, upload: &Upload) -> Result<bool, Refusal>;

    /// Which of the named files are here.
    async fn known(&self, app: &App, asked: &[String]) -> Result<Known, Refusal>;

    /// The photo of a file that is here, whole or by a small copy; refused where there is no room for one of so many bytes.
    async fn standing(&self, app: &App, sha256: &str, bytes: u64) -> Result<Option<String>, Refusal>;

    /// Has a small copy stand for its original, and answers which photo that is.
    async fn stand_in(&self, app: &App, ahead: Ahead) -> Result<String, Refusal>;

    /// Makes of a whole file what it is to be, and answers which photo that is. The inner error ends the upload. Safe to do again.
    async fn take(app: &App, upload: &Upload, arrived: Arriving) -> Result<Result<String, Refusal>, Error>;

    /// Queues the job that does it where nobody is left to.
    async fn take_later(tx: &mut Tx, upload: UploadId, member: &MemberId, at: i64) -> Result<(), Error>;

    /// Forgets what stood for an upload that its sender gave up.
    async fn given_up(&self, _app: &App, _upload: &Upload) -> Result<(), Error> {
        Ok(())
    }
}
