//! Taking files in. The bytes go to a temporary file while they arrive, are looked at, and only then get
//! their place: a dropped connection leaves nothing behind, an acknowledged file is on the disk.

use std::io::{BufReader, Cursor};
use std::path::Path;

use axum::extract::multipart::Field;
use base::db::{Tx, now_ms};
use base::error::Error;
use base::storage::original_key;
use domain::ids::{MemberId, PhotoId};
use domain::named_time::time_in_name;
use domain::tier::Tier;
use domain::typed;
use futures::TryStreamExt;
use photo::{PhotoInfo, PhotoRefusal};
use sha2::{Digest, Sha256};
use tokio::io::AsyncWriteExt;
use web::app::App;
use web::files;
use web::session::Member;

use super::others::Facts;
use super::removal::forget_preview_later;
use super::store::{self, Photo};

/// Bytes one photo may have (product page, section 3, "Photos").
pub const MAX_FILE_BYTES: u64 = 100 * 1024 * 1024;
/// Bytes one request may have: some two hundred photos of a good phone.
pub const MAX_REQUEST_BYTES: usize = 4 * 1024 * 1024 * 1024;

/// Files that one request may have refused: more than anybody reads about.
const MOST_REFUSED: usize = 500;

/// A file that was not taken, by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub file_name: String,
    pub reason: String,
}

/// What one request brought.
#[derive(Debug, Clone, Default)]
pub struct Intake {
    pub taken: Vec<PhotoId>,
    pub refused: Vec<Refused>,
}

impl Intake {
    /// Takes one file of a multipart form. A file that is no photo is noted and the others go on; an error
    /// means that the whole request is broken.
    pub async fn take(&mut self, app: &App, member: &Member, field: Field<'_>) -> Result<(), Error> {
        let file_name = shown_name(field.file_name().unwrap_or(""));
        match receive(app, member, &file_name, field).await? {
            Ok(id) => {
                if !self.taken.contains(&id) {
                    self.taken.push(id);
                }
            }
            // browsers send one nameless empty file where none was chosen
            Err(reason) if file_name.is_empty() && reason == EMPTY => {}
            Err(_) if self.refused.len() == MOST_REFUSED => return Err(too_many_files()),
            Err(reason) => self.refused.push(Refused { file_name, reason }),
        }
        Ok(())
    }
}

const EMPTY: &str = "文件是空的";

/// Reads a whole field; the inner error is the sentence for a member.
async fn receive(
    app: &App,
    member: &Member,
    file_name: &str,
    mut field: Field<'_>,
) -> Result<Result<PhotoId, String>, Error> {
    let mut arriving = Arriving::begin(app)?;
    while let Some(chunk) = field.chunk().await.map_err(|error| broken_request(&error))? {
        arriving.write(&chunk).await?;
    }
    if let Some(reason) = no_room_for(app, member, &arriving.sha256(), arriving.bytes).await? {
        return Ok(Err(reason));
    }
    take_in(app, &member.id, Room::of(member, 0).limit(), file_name, arriving).await
}

/// Why a member has no room for so many bytes more; those of uploads that are under way count.
pub async fn no_room(app: &App, member: &Member, bytes: u64) -> Result<Option<String>, Error> {
    let room = Room::of(member, store::kept(app, &member.id).await?.used(member.tier.photo_quota()));
    Ok((bytes > room.left()).then(|| room.refusal()))
}

/// The same for a photo, by its SHA-256: one that is in the library already takes no more room.
async fn no_room_for(app: &App, member: &Member, sha256: &str, bytes: u64) -> Result<Option<String>, Error> {
    let is_new = store::known(&app.db, &member.id, &[sha256.to_owned()]).await?.is_empty();
    if is_new { no_room(app, member, bytes).await } else { Ok(None) }
}

/// A member's space for originals, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    tier: Tier,
    used: u64,
    quota: u64,
}

impl Room {
    /// What the member's tier gives, and what is used of it.
    pub fn of(member: &Member, used: u64) -> Self {
        Self { tier: member.tier, used, quota: member.tier.photo_quota() }
    }

    /// What is asked again when a file is put in its place: others may have come at the same moment.
    pub fn limit(self) -> Limit {
        Limit { tier: Some(self.tier) }
    }

    /// Bytes that may still come.
    pub fn left(self) -> u64 {
        self.quota.saturating_sub(self.used)
    }

    /// Why more does not fit.
    pub fn refusal(self) -> String {
        format!("素材空间不足：{}共有 {} GB", self.tier, self.quota / (1 << 30))
    }
}

/// What a file that is put in its place has to fit into.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    tier: Option<Tier>,
}

impl Limit {
    /// Room was set apart for it before it came, or nobody counts it.
    pub const NONE: Self = Self { tier: None };

    /// Why what the transaction has just added is too much; nothing else of the member is added meanwhile.
    pub async fn refusal(self, app: &App, tx: &mut Tx, member: &MemberId) -> Result<Option<String>, Error> {
        let Some(tier) = self.tier else { return Ok(None) };
        let quota = tier.photo_quota();
        let room = Room { tier, used: store::kept_by_now(app, tx, member).await?.used(quota), quota };
        Ok((room.used > room.quota).then(|| room.refusal()))
    }
}

/// A file that is being written, with its digest; it disappears when dropped.
pub struct Arriving {
    temporary: tempfile::NamedTempFile,
    file: tokio::fs::File,
    digest: Sha256,
    bytes: u64,
}

impl Arriving {
    /// An empty one.
    ///
    /// # Errors
    /// [`Error::Full`] where the disk has no room for another.
    pub fn begin(app: &App) -> Result<Self, Error> {
        app.room_for(MAX_FILE_BYTES)?;
        let temporary = app.storage.incoming().map_err(Error::internal)?;
        let file = tokio::fs::File::from_std(temporary.reopen().map_err(Error::internal)?);
        Ok(Self { temporary, file, digest: Sha256::new(), bytes: 0 })
    }

    /// Adds bytes. The rest of a file that is too large is only counted.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.bytes += bytes.len() as u64;
        if self.bytes <= MAX_FILE_BYTES {
            self.digest.update(bytes);
            self.file.write_all(bytes).await.map_err(Error::internal)?;
        }
        Ok(())
    }

    /// How many were written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The file, with everything that was written in it.
    pub async fn finish(mut self) -> Result<tempfile::NamedTempFile, Error> {
        self.file.flush().await.map_err(Error::internal)?;
        Ok(self.temporary)
    }

    /// SHA-256 of what was written, lower-case hex.
    pub fn sha256(&self) -> String {
        hex::encode(self.digest.clone().finalize())
    }
}

/// The sentence about a file of so many bytes, where that is no size for a photo.
pub fn refused_size(bytes: u64) -> Option<String> {
    if bytes == 0 {
        return Some(EMPTY.into());
    }
    (bytes > MAX_FILE_BYTES)
        .then(|| format!("文件有 {} MB，超过了每张 100 MB 的上限", bytes.div_ceil(1024 * 1024)))
}

/// Looks at a file that has arrived and makes it a photo of the member; the inner error is the sentence for a
/// member. The same bytes again are the same photo.
pub async fn take_in(
    app: &App,
    member: &MemberId,
    limit: Limit,
    file_name: &str,
    mut arrived: Arriving,
) -> Result<Result<PhotoId, String>, Error> {
    if let Some(reason) = refused_size(arrived.bytes) {
        return Ok(Err(reason));
    }
    arrived.file.flush().await.map_err(Error::internal)?;
    let (sha256, bytes) = (arrived.sha256(), arrived.bytes);
    look_and_keep(app, member, limit, file_name, arrived.temporary, sha256, bytes).await
}

/// Takes a file that is on the disk whole into a member's library; the inner error is the sentence for a member. Bytes
/// that are there already take no room.
pub async fn keep_arrived(
    app: &App,
    member: &Member,
    file_name: &str,
    temporary: tempfile::NamedTempFile,
    sha256: String,
    bytes: u64,
) -> Result<Result<PhotoId, String>, Error> {
    if let Some(reason) = no_room_for(app, member, &sha256, bytes).await? {
        return Ok(Err(reason));
    }
    let limit = Room::of(member, 0).limit();
    look_and_keep(app, &member.id, limit, file_name, temporary, sha256, bytes).await
}

/// When a photo was taken.
pub struct Taken {
    pub at: Option<i64>,
    /// In minutes, where the file tells it.
    pub offset: Option<i16>,
    /// Whether its file's name alone tells.
    pub is_named: bool,
}

impl Taken {
    /// What the camera noted; else the file's name; else when the file was last changed.
    pub fn of(info: &PhotoInfo, file_name: &str) -> Self {
        let named = if info.taken_at.is_none() { time_in_name(file_name) } else { None };
        let at = info.taken_at.or(named).or(info.changed_at);
        Self { at, offset: info.taken_offset.filter(|_| named.is_none()), is_named: named.is_some() }
    }
}

async fn look_and_keep(
    app: &App,
    member: &MemberId,
    limit: Limit,
    file_name: &str,
    temporary: tempfile::NamedTempFile,
    sha256: String,
    bytes: u64,
) -> Result<Result<PhotoId, String>, Error> {
    match looked(app, file_name, &temporary).await? {
        Ok(facts) => {
            keep(app, temporary, &facts.into_photo(member, (&sha256, bytes), file_name), limit).await
        }
        Err(reason) => Ok(Err(reason)),
    }
}

/// What a file on the disk is as a photo; the inner error is the sentence for who sent it.
pub(crate) async fn looked(
    app: &App,
    file_name: &str,
    temporary: &tempfile::NamedTempFile,
) -> Result<Result<Facts, String>, Error> {
    let path = temporary.path().to_owned();
    let looked = app.compute(move || look_at(&path)).await?;
    match looked.and_then(|found| app.config.check_kind(found.0.format).map(|()| found)) {
        Ok((info, camera)) => Ok(Ok(Facts::of(&info, camera, file_name))),
        Err(PhotoRefusal::Unreadable) => Err(Error::internal("an arrived file could not be read")),
        Err(refusal) => Ok(Err(refusal.to_string())),
    }
}

/// Puts an original in its place and adds its row; nobody deletes the same bytes in between. The inner error is that its
/// member has no room for it.
async fn keep(
    app: &App,
    file: tempfile::NamedTempFile,
    photo: &Photo,
    limit: Limit,
) -> Result<Result<PhotoId, String>, Error> {
    // the slow part comes before the lock
    let staged = app.storage.stage(file, original_key(&photo.sha256)).await?;
    let mut tx = app.db.begin().await?;
    files::lock(&mut tx).await?;
    let id = match store::coming::find(&mut tx, &photo.member, &photo.sha256).await? {
        Some(coming) => {
            store::coming::arrived(&mut tx, &coming.id, photo).await?;
            forget_preview_later(&mut tx, &coming).await?;
            coming.id
        }
        None => store::insert(&mut tx, photo, now_ms()).await?,
    };
    // one that was here already takes no more room
    if id == photo.id
        && let Some(reason) = limit.refusal(app, &mut tx, &photo.member).await?
    {
        return Ok(Err(reason));
    }
    app.storage.keep(staged).await?;
    tx.commit().await?;
    app.bell.ring();
    Ok(Ok(id))
}

/// Reads the headers, and whether the file goes on to its end. The headers come first: what they refuse is
/// never read whole.
fn look_at(path: &Path) -> Result<(PhotoInfo, Option<String>), PhotoRefusal> {
    let mut file = BufReader::new(std::fs::File::open(path)?);
    let info = photo::probe(&mut file)?;
    let camera = photo::camera(&mut file);
    photo::check_whole(&std::fs::read(path)?, &info)?;
    Ok((info, camera))
}

/// Bytes in which a photo says all that it says beside its pixels.
const HEADERS: usize = 1 << 20;

/// Notes what the clock of a photo showed and which city it was taken in, as its original says it; of a bucket only its beginning is asked for.
pub async fn read_clock(app: &App, id: &PhotoId) -> Result<(), Error> {
    let Some(photo) = store::find(&app.db, id).await? else { return Ok(()) };
    let Some(mut blocks) = app.storage.blocks(&original_key(&photo.sha256)).await? else { return Ok(()) };
    let mut headers = Vec::new();
    while headers.len() < HEADERS
        && let Some(block) = blocks.try_next().await?
    {
        headers.extend_from_slice(&block);
    }
    let Ok(info) = photo::probe(&mut Cursor::new(headers)) else { return Ok(()) };
    let clock = match Taken::of(&info, &photo.file_name) {
        Taken { at: Some(at), offset, is_named: false } => Some((at, offset)),
        _ => None,
    };
    let city = info.city();
    if clock.is_none() && city.is_none() {
        return Ok(());
    }
    store::set_told(&app.db, id, clock, city).await
}

/// Keeps a JPEG that the program made itself.
pub async fn keep_jpeg(
    app: &App,
    member: &MemberId,
    file_name: &str,
    jpeg: Vec<u8>,
    width: u32,
    height: u32,
    taken_at: i64,
) -> Result<PhotoId, Error> {
    let mut file = app.storage.incoming().map_err(Error::internal)?;
    std::io::Write::write_all(&mut file, &jpeg).map_err(Error::internal)?;
    let sha256 = hex::encode(Sha256::digest(&jpeg));
    let facts = Facts::of_jpeg(width, height, taken_at);
    let photo = facts.into_photo(member, (&sha256, jpeg.len() as u64), file_name);
    keep(app, file, &photo, Limit::NONE).await?.map_err(Error::internal)
}

/// The name as a member knows it: the last part of whatever path was sent, without what nobody sees.
pub fn shown_name(sent: &str) -> String {
    let last = sent.rsplit(['/', '\\']).next().unwrap_or("");
    typed::name(last, 120)
}

/// A request with more files than one may have.
fn too_many_files() -> Error {
    Error::TooLarge("一次上传的文件太多，请分几次上传。已经收到的照片都保留在素材里。".into())
}

/// A multipart body that ends early, is too large, or is no multipart body.
pub fn broken_request(error: &axum::extract::multipart::MultipartError) -> Error {
    if error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        too_many_files()
    } else {
        Error::BadRequest("上传没有完成，请再试一次。已经收到的照片都保留在素材里。".into())
    }
}
