//! Taking photos in, beside sharp, which makes the same pictures of the same files.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use crate::Failure;
use crate::program::Program;
use crate::report::{Rounds, Section, head};
use crate::room::Room;

const ROUNDS: usize = 3;
const PHOTOS: usize = 100;

/// Our sizes, quality and effort (app/press/src/photo/derive.rs), in one process.
const SHARP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/sharp");

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let photos = &room.photos()?[..PHOTOS];
    let rounds =
        Rounds::run(ROUNDS, || room.runtime.block_on(take_in(room, photos)), || sharp(room, photos))?;
    let about = format!(
        "{PHOTOS} different photos of 12 megapixels, sent to the program as one form: until all their pictures of 320, \
         1280 and 2048 pixels lie in its storage, WebP at quality 80. That is sending, hashing, checking, decoding, \
         scaling, encoding, looking for the subject, the database, and every file synced to the disk. Beside it sharp in \
         one Node process makes the same sizes at the same quality and effort of the same files, {} at once, and syncs \
         nothing; it may decode a JPEG at a half of its size, the program decodes it whole and finds broken ones that \
         way. {ROUNDS} rounds. Goals: ratio at least 1.3, at most 120 MB for each of the program's workers.",
        room.cores,
    );
    let rows = vec![
        rounds.row("photos a second", |run| run.per_second),
        rounds.row("peak memory in MB", |run| run.peak_mb),
    ];
    Ok(Section { title: "Photos taken in", about, head: head(&format!("sharp {}", sharp_version()?)), rows })
}

/// What one taking in was.
struct Run {
    per_second: f64,
    /// Of the whole process.
    peak_mb: f64,
}

async fn take_in(room: &Room, photos: &[PathBuf]) -> Result<Run, Failure> {
    let program = Program::start(room).await?;
    let photos = photos.iter().map(fs::read).collect::<Result<Vec<_>, _>>()?;
    let start = Instant::now();
    program.upload(photos).await?;
    program.derived(PHOTOS).await?;
    let per_second = PHOTOS as f64 / start.elapsed().as_secs_f64();
    Ok(Run { per_second, peak_mb: program.process.peak_mb()? })
}

fn sharp(room: &Room, photos: &[PathBuf]) -> Result<Run, Failure> {
    let out = tempfile::tempdir_in(room.path())?;
    let peak = room.path().join("peak");
    let start = Instant::now();
    let status = Command::new("time")
        .args(["-f", "%M", "-o"])
        .arg(&peak)
        .arg("node")
        .arg(format!("{SHARP}/derive.mjs"))
        .arg(out.path())
        .args(photos)
        .status()?;
    let seconds = start.elapsed().as_secs_f64();
    if !status.success() || fs::read_dir(out.path())?.count() != PHOTOS * 3 {
        return Err("sharp could not make all pictures".into());
    }
    let peak: f64 = fs::read_to_string(peak)?.trim().parse()?;
    Ok(Run { per_second: PHOTOS as f64 / seconds, peak_mb: peak * 1024.0 / 1e6 })
}

fn sharp_version() -> Result<String, Failure> {
    let package: serde_json::Value =
        serde_json::from_slice(&fs::read(format!("{SHARP}/node_modules/sharp/package.json"))?)?;
    Ok(package["version"].as_str().ok_or("sharp has no version")?.to_owned())
}
