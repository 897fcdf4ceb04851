//! Taking photos in, beside vipsthumbnail, which makes the same pictures of the same files.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Failure;
use crate::program::Program;
use crate::report::{Rounds, Section, head, version};
use crate::room::Room;

const ROUNDS: usize = 3;
const PHOTOS: usize = 100;

/// Our sizes, quality and effort (app/press/src/photo/derive.rs), upright and without metadata. A process gets
/// some files at a time, so that starting it costs little, and one thread: there is one for every core.
const THUMBNAILS: &str = r#"
thumbnail() {
    size=$1 effort=$2
    shift 2
    vipsthumbnail --vips-concurrency=1 --size "$size" -o "$OUT/%s-$size.webp[Q=80,effort=$effort,strip]" "$@"
}
thumbnail 2048 2 "$@" && thumbnail 1280 2 "$@" && thumbnail 320 4 "$@"
"#;

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let photos = &room.photos()?[..PHOTOS];
    let rounds =
        Rounds::run(ROUNDS, || room.runtime.block_on(take_in(room, photos)), || thumbnails(room, photos))?;
    let about = format!(
        "{PHOTOS} different photos of 12 megapixels, sent to the program as one form: until all their pictures of 320, \
         1280 and 2048 pixels lie in its storage, WebP at quality 80. That is sending, hashing, checking, decoding, \
         scaling, encoding, the database, and every file synced to the disk. Beside it vipsthumbnail makes the same \
         sizes at the same quality and effort of the same files, and syncs nothing: {} processes at once, ten files \
         each, one thread each. It may decode a JPEG at a half or an eighth of its size; the program decodes it whole, \
         once, and finds broken ones that way. {ROUNDS} rounds.",
        room.cores,
    );
    let rows = vec![rounds.row("photos a second", |per_second| *per_second)];
    Ok(Section { title: "Photos taken in", about, head: head(&version("vipsthumbnail")?), rows })
}

async fn take_in(room: &Room, photos: &[PathBuf]) -> Result<f64, Failure> {
    let program = Program::start(room).await?;
    let photos = photos.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let start = Instant::now();
    program.upload(photos).await?;
    program.derived(PHOTOS).await?;
    Ok(PHOTOS as f64 / start.elapsed().as_secs_f64())
}

fn thumbnails(room: &Room, photos: &[PathBuf]) -> Result<f64, Failure> {
    let out = tempfile::tempdir_in(room.path())?;
    let names: Vec<String> = photos.iter().map(|photo| photo.display().to_string()).collect();
    let start = Instant::now();
    let mut xargs = Command::new("xargs")
        .args(["-d", "\\n", "-n", "10", "-P", &room.cores.to_string(), "sh", "-c", THUMBNAILS, "sh"])
        .env("OUT", out.path())
        .stdin(Stdio::piped())
        .spawn()?;
    xargs.stdin.take().ok_or("xargs has no input")?.write_all(names.join("\n").as_bytes())?;
    let status = xargs.wait()?;
    let seconds = start.elapsed().as_secs_f64();
    if !status.success() || fs::read_dir(out.path())?.count() != PHOTOS * 3 {
        return Err("vipsthumbnail could not make all pictures".into());
    }
    Ok(PHOTOS as f64 / seconds)
}
