//! The bytes of one request, kept piece by piece while they come.

use std::marker::PhantomData;

use axum::body::BodyDataStream;
use base::db::{new_id, now_ms};
use base::error::Error;
use base::storage::piece_key;
use futures::StreamExt;
use web::app::App;
use web::calls::Refusal;

use super::finish::discard;
use super::headers::{Checksum, refusal};
use super::receiver::Receiver;
use super::store::{self, Piece, Upload};

/// Bytes of a piece: what a crash of the server can cost a sender.
const PIECE: usize = 256 * 1024;
/// Pieces that an upload may come in: five times those of the largest file, so that a line may break very often, and nobody keeps
/// millions of files here.
const MOST_PIECES: i64 = 2_000;
/// Bytes by which the kind of a file is known.
const START: usize = 512;

/// A request's bytes on their way into the storage.
struct Incoming<R> {
    app: App,
    upload: Upload,
    /// The request, as the upload knows it.
    holder: String,
    /// With it, all bytes of the request count or none (tus 1.0, "Checksum"); without, each piece as it comes.
    checksum: Option<Checksum>,
    /// What is acknowledged.
    acknowledged: u64,
    /// What lies in pieces.
    kept: u64,
    /// Pieces that are not acknowledged yet.
    pieces: Vec<Piece>,
    buffer: Vec<u8>,
    receiver: PhantomData<fn() -> R>,
}

/// Reads a request's body to its end, wherever that is, and answers the new position. A line that breaks keeps what
/// has come.
pub async fn receive<R: Receiver>(
    app: &App,
    upload: &Upload,
    checksum: Option<Checksum>,
    stream: BodyDataStream,
) -> Result<u64, Refusal> {
    if store::count_pieces(&app.db, &upload.id).await? >= MOST_PIECES {
        discard(app, &upload.id).await?;
        return Err(refusal(403, "这张照片断开的次数太多了，请重新传一次"));
    }
    let holder: String = new_id();
    if !store::hold(&app.db, &upload.id, upload.received, &holder, now_ms()).await? {
        return Err(refusal(423, "这张照片正在上传，请稍后再接着传"));
    }
    let incoming = Incoming::<R> {
        app: app.clone(),
        upload: upload.clone(),
        holder,
        checksum,
        acknowledged: upload.received,
        kept: upload.received,
        pieces: Vec::new(),
        buffer: Vec::new(),
        receiver: PhantomData,
    };
    // it goes on to its end though the sender is gone, and the answer with it
    tokio::spawn(incoming.read(stream)).await.map_err(Error::internal)?
}

impl<R: Receiver> Incoming<R> {
    async fn read(mut self, stream: BodyDataStream) -> Result<u64, Refusal> {
        let read = self.read_all(stream).await;
        store::release(&self.app.db, &self.upload.id, &self.holder).await?;
        // of a request that did not count, nothing stays behind
        for piece in &self.pieces {
            self.app.storage.delete(&piece_key(&self.upload.id, &piece.name)).await?;
        }
        read.map(|()| self.acknowledged)
    }

    async fn read_all(&mut self, mut stream: BodyDataStream) -> Result<(), Refusal> {
        while let Some(chunk) = stream.next().await {
            let Ok(chunk) = chunk else {
                if self.checksum.is_none() {
                    self.keep().await?;
                }
                return Err(refusal(400, "上传中断了，可以从断开的地方接着传"));
            };
            if self.kept + (self.buffer.len() + chunk.len()) as u64 > self.upload.length {
                return Err(refusal(413, "收到的字节比文件应有的多"));
            }
            if let Some(checksum) = &mut self.checksum {
                checksum.update(&chunk);
            }
            self.buffer.extend_from_slice(&chunk);
            if self.buffer.len() >= PIECE {
                self.keep().await?;
            }
        }
        self.keep().await?;
        match self.checksum.take().map(Checksum::agrees) {
            None => Ok(()),
            Some(true) => self.acknowledge().await,
            // the number is the protocol's own
            Some(false) => Err(refusal(460, "这一段数据在传输中损坏了，请再传一次")),
        }
    }

    /// Puts what has come into a piece. It counts at once where no checksum speaks for the whole request.
    async fn keep(&mut self) -> Result<(), Refusal> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        self.app.room_for(self.buffer.len() as u64)?;
        let bytes = std::mem::take(&mut self.buffer);
        let length = bytes.len() as u64;
        if self.kept == 0
            && (bytes.len() >= START || length == self.upload.length)
            && let Err(reason) = photo::recognise(&bytes[..bytes.len().min(START)])
                .and_then(|format| self.app.config.check_kind(format))
        {
            discard(&self.app, &self.upload.id).await?;
            return Err(refusal(422, reason.to_string()));
        }
        let piece = Piece { start: self.kept, name: new_id::<String>() };
        self.app.storage.put(&piece_key(&self.upload.id, &piece.name), bytes).await?;
        self.pieces.push(piece);
        self.kept += length;
        if self.checksum.is_none() { self.acknowledge().await } else { Ok(()) }
    }

    async fn acknowledge(&mut self) -> Result<(), Refusal> {
        let part = (self.acknowledged, self.kept);
        let (db, upload) = (&self.app.db, &self.upload);
        if !store::acknowledge::<R>(db, upload, &self.holder, part, &self.pieces, now_ms()).await? {
            return Err(conflict());
        }
        self.pieces.clear();
        self.acknowledged = self.kept;
        Ok(())
    }
}

/// The upload stands elsewhere: the sender asks where, and goes on from there.
pub fn conflict() -> Refusal {
    refusal(Error::Conflict(String::new()).status().as_u16(), "上传的位置不对，请从断开的地方接着传")
}
