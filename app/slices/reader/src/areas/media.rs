//! Sound and films of hot areas: taking them in, and letting those go that no area plays any more.

use domain::days::DAY_MS;
use std::io::BufReader;

use axum::extract::multipart::Field;
use base::db::{Tx, new_id, now_ms, with_db, with_tx};
use base::error::Error;
use base::jobs;
use base::storage::original_key;
use domain::hot_area::Kind;
use domain::ids::{MediaId, MemberId};
use press::media::{MediaFormat, MediaRefusal, probe};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use web::app::App;
use web::files::{self, ForgetOriginal};
use web::session::Member;

use super::Media;
use photos::{Limit, Room, broken_request, no_room, shown_name};

/// How long a file stays that nothing plays, in ms: its area may just be being made.
const STAY_MS: i64 = DAY_MS;

/// A file that has come with a form.
pub struct Arrived {
    file: NamedTempFile,
    file_name: String,
    sha256: String,
    bytes: u64,
}

impl Arrived {
    /// Reads a whole field; of one that is larger than any may be the rest is only counted. Nothing where no file was
    /// chosen.
    pub async fn read(app: &App, mut field: Field<'_>, most: u64) -> Result<Option<Self>, Error> {
        let file_name = shown_name(field.file_name().unwrap_or(""));
        app.room_for(most)?;
        let file = app.storage.incoming().map_err(Error::internal)?;
        let mut out = tokio::fs::File::from_std(file.reopen().map_err(Error::internal)?);
        let (mut digest, mut bytes) = (Sha256::new(), 0u64);
        while let Some(chunk) = field.chunk().await.map_err(|error| broken_request(&error))? {
            bytes += chunk.len() as u64;
            if bytes <= most {
                digest.update(&chunk);
                out.write_all(&chunk).await.map_err(Error::internal)?;
            }
        }
        out.flush().await.map_err(Error::internal)?;
        let sha256 = hex::encode(digest.finalize());
        Ok((bytes > 0).then_some(Self { file, file_name, sha256, bytes }))
    }

    /// Looks at it and makes it one of the member's, for an area of a kind. The inner error is the sentence for a member.
    pub async fn take(self, app: &App, member: &Member, kind: Kind) -> Result<Result<Media, String>, Error> {
        match self.check(app, member, kind).await? {
            Ok(checked) => checked.keep(app, &member.id, Room::of(member, 0).limit()).await,
            Err(reason) => Ok(Err(reason)),
        }
    }

    /// Looks at it: whether it is what a kind of area plays, and whether the member has room for it. The inner error is the
    /// sentence for a member.
    pub async fn check(
        self,
        app: &App,
        member: &Member,
        kind: Kind,
    ) -> Result<Result<Checked, String>, Error> {
        let most = kind.most_bytes(member.tier).unwrap_or(0);
        if self.bytes > most {
            let (has, may) = (self.bytes.div_ceil(1 << 20), most >> 20);
            return Ok(Err(format!("文件有 {has} MB，{}一个{}最多 {may} MB", member.tier, kind.name())));
        }
        let path = self.file.path().to_owned();
        let looked = app
            .compute(move || -> Result<MediaFormat, MediaRefusal> {
                probe(&mut BufReader::new(std::fs::File::open(path).map_err(MediaRefusal::Unreadable)?))
            })
            .await?;
        let format = match looked {
            Ok(format) => format,
            Err(MediaRefusal::Unreadable(error)) => return Err(Error::internal(error)),
            Err(refusal) => return Ok(Err(refusal.to_string())),
        };
        if format.is_video() != (kind == Kind::Video) {
            let reason = if format.is_video() {
                "这是视频，请选“视频”"
            } else {
                "这里面只有声音，请选“声音”"
            };
            return Ok(Err(reason.to_owned()));
        }
        if let Some(reason) = no_room(app, member, self.bytes).await? {
            return Ok(Err(reason));
        }
        let Self { file, file_name, sha256, bytes } = self;
        Ok(Ok(Checked { file, file_name, sha256, format, bytes }))
    }
}

/// A file that can be played.
pub struct Checked {
    pub file: NamedTempFile,
    pub file_name: String,
    /// Of its bytes, lower-case hex.
    pub sha256: String,
    pub format: MediaFormat,
    pub bytes: u64,
}

impl Checked {
    async fn keep(self, app: &App, member: &MemberId, limit: Limit) -> Result<Result<Media, String>, Error> {
        let Self { file, file_name, sha256, format, bytes } = self;
        // the slow part comes before the lock
        let staged = app.storage.stage(file, original_key(&sha256)).await?;
        let mut tx = app.db.begin().await?;
        files::lock(&mut tx).await?;
        let new: MediaId = new_id();
        let id: String = with_tx!(&mut tx, |conn| sqlx::query_scalar(
            "insert into hot_media (id, member_id, sha256, format, file_name, bytes, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (member_id, sha256) do update set file_name = excluded.file_name,
                created_at = excluded.created_at
             returning id",
        )
        .bind(new.as_str())
        .bind(member.as_str())
        .bind(&sha256)
        .bind(format.extension())
        .bind(&file_name)
        .bind(i64::try_from(bytes).map_err(Error::internal)?)
        .bind(now_ms())
        .fetch_one(conn)
        .await)?;
        // one that was here already takes no more room
        if id == new.as_str()
            && let Some(reason) = limit.refusal(app, &mut tx, member).await?
        {
            return Ok(Err(reason));
        }
        app.storage.keep(staged).await?;
        tx.commit().await?;
        let id = id.try_into().map_err(Error::internal)?;
        Ok(Ok(Media { id, sha256, format, file_name, bytes }))
    }
}

/// One of a member's own files.
pub async fn find(app: &App, member: &MemberId, id: &str) -> Result<Option<Media>, Error> {
    let row: Option<(String, String, String, String, i64)> = with_db!(&app.db, |pool| sqlx::query_as(
        "select id, sha256, format, file_name, bytes from hot_media where id = $1 and member_id = $2"
    )
    .bind(id)
    .bind(member.as_str())
    .fetch_optional(pool)
    .await)?;
    let Some((id, sha256, format, file_name, bytes)) = row else { return Ok(None) };
    Ok(Some(Media {
        id: id.try_into().map_err(Error::internal)?,
        sha256,
        format: MediaFormat::of_extension(&format).ok_or_else(|| Error::internal("no such format"))?,
        file_name,
        bytes: u64::try_from(bytes).unwrap_or(0),
    }))
}

/// Forgets those of a member's files that no area plays: the one that was just let go, and others after a day.
pub async fn forget_unplayed(
    tx: &mut Tx,
    member: &MemberId,
    let_go: Option<&MediaId>,
    now: i64,
) -> Result<(), Error> {
    let gone: Vec<String> = with_tx!(tx, |conn| sqlx::query_scalar(
        "delete from hot_media where member_id = $1 and (id = $2 or created_at < $3)
           and not exists (select 1 from hot_areas a where a.media_id = hot_media.id)
         returning sha256",
    )
    .bind(member.as_str())
    .bind(let_go.map_or("", MediaId::as_str))
    .bind(now - STAY_MS)
    .fetch_all(conn)
    .await)?;
    forget_files(tx, gone, member, now).await
}

/// Pieces of sound and films that are forgotten at once, each with the job that deletes its file.
const AT_ONCE: i64 = 100;

/// Forgets some of a member's sound and films; whether there may be more.
pub async fn forget_some_media(tx: &mut Tx, member: &MemberId, now: i64) -> Result<bool, Error> {
    let gone: Vec<String> = with_tx!(&mut *tx, |conn| {
        sqlx::query_scalar(
        "delete from hot_media where id in (select id from hot_media where member_id = $1 limit $2) returning sha256"
    )
    .bind(member.as_str())
    .bind(AT_ONCE)
    .fetch_all(conn)
    .await
    })?;
    let is_more = gone.len() as i64 == AT_ONCE;
    forget_files(tx, gone, member, now).await?;
    Ok(is_more)
}

/// Files go a day after their rows: a backup under way finds them.
async fn forget_files(tx: &mut Tx, gone: Vec<String>, member: &MemberId, now: i64) -> Result<(), Error> {
    let jobs: Vec<_> = gone.into_iter().map(|sha256| ForgetOriginal { sha256 }).collect();
    jobs::enqueue_all_for(tx, &jobs, member, now + STAY_MS).await
}

/// A file that the program made itself as a member's own, for the demo.
pub async fn keep_made(
    app: &App,
    member: &MemberId,
    format: MediaFormat,
    file_name: &str,
    bytes: Vec<u8>,
) -> Result<Media, Error> {
    let mut file = app.storage.incoming().map_err(Error::internal)?;
    std::io::Write::write_all(&mut file, &bytes).map_err(Error::internal)?;
    let made = Checked {
        file,
        file_name: file_name.to_owned(),
        sha256: hex::encode(Sha256::digest(&bytes)),
        format,
        bytes: bytes.len() as u64,
    };
    made.keep(app, member, Limit::NONE).await?.map_err(Error::internal)
}
