//! Taking photos in, beside sharp, which makes the same pictures of the same files.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::Instant;

use photo::{derive, probe};

use crate::Failure;
use crate::program::Program;
use crate::report::{Rounds, Section, head};
use crate::room::Room;

const ROUNDS: usize = 3;
const PHOTOS: usize = 100;

/// Our sizes, quality and effort (app/photo/src/derive.rs), in one process.
const SHARP: &str = concat!(env!("BINDERY_CHECKOUT"), "/app/server/benches/sharp");

/// How this program is started to make the pictures and nothing else: the folder for them, and the photos.
pub const CHILD: &str = "derive-photos";

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let photos = &room.photos()?[..PHOTOS];
    let this = std::env::current_exe()?;
    let made = Rounds::run(
        ROUNDS,
        || pictures(room, Command::new(&this).arg(CHILD), photos),
        || sharp(room, photos),
    )?;
    let taken = Rounds::run(ROUNDS, || room.runtime.block_on(take_in(room, photos)), || sharp(room, photos))?;
    let about = format!(
        "{PHOTOS} different photos of 12 megapixels and their pictures of 320, 1280 and 2048 pixels, WebP at quality 80. \
         First the pictures alone: the press in one process, {cores} photos at once, and sharp in one Node process, {cores} \
         at once, the same sizes at the same quality and effort of the same files, from the disk to the disk. Then beside \
         the same sharp the whole program, to which the photos are sent as one form, until all their pictures lie in its \
         storage: sending, hashing, checking, the database and every file synced to the disk are in its time. sharp may \
         decode a JPEG at a half of its size; the press decodes it whole and finds broken ones that way. {ROUNDS} rounds. \
         Goals for the pictures alone: ratio at least 1.3, at most 120 MB for each worker.",
        cores = room.cores,
    );
    let rows = vec![
        made.row("pictures alone: photos a second", |run| run.per_second),
        made.row("peak memory in MB", |run| run.peak_mb),
        taken.row("taken in: photos a second", |run| run.per_second),
        taken.row("peak memory in MB", |run| run.peak_mb),
    ];
    Ok(Section { title: "Photos taken in", about, head: head(&format!("sharp {}", sharp_version()?)), rows })
}

/// The child: makes all pictures of the photos, as many at once as there are cores.
pub fn make_pictures(out: &str, photos: &[&str]) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), Failure> {
        while let Some(path) = photos.get(next.fetch_add(1, Ordering::Relaxed)) {
            let photo = fs::read(path)?;
            let made = derive(&photo, &probe(&mut Cursor::new(&photo))?, photo::COATED, None)?;
            let name = Path::new(path).file_stem().ok_or("a photo without a name")?.to_string_lossy();
            for size in made.sizes {
                fs::write(Path::new(out).join(format!("{name}-{}.webp", size.long_side)), size.webp)?;
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..available_parallelism().map_or(2, usize::from)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a worker panicked")?)
    })
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
    pictures(room, Command::new("node").arg(format!("{SHARP}/derive.mjs")), photos)
}

/// Runs a program that makes the pictures of photos in a folder.
fn pictures(room: &Room, program: &Command, photos: &[PathBuf]) -> Result<Run, Failure> {
    let out = tempfile::tempdir_in(room.path())?;
    let peak = room.path().join("peak");
    let start = Instant::now();
    let status = Command::new("time")
        .args(["-f", "%M", "-o"])
        .arg(&peak)
        .arg(program.get_program())
        .args(program.get_args())
        .arg(out.path())
        .args(photos)
        .status()?;
    let seconds = start.elapsed().as_secs_f64();
    if !status.success() || fs::read_dir(out.path())?.count() != PHOTOS * 3 {
        return Err(format!("{program:?} could not make all pictures").into());
    }
    let peak: f64 = fs::read_to_string(peak)?.trim().parse()?;
    Ok(Run { per_second: PHOTOS as f64 / seconds, peak_mb: peak * 1024.0 / 1e6 })
}

fn sharp_version() -> Result<String, Failure> {
    let package: serde_json::Value =
        serde_json::from_slice(&fs::read(format!("{SHARP}/node_modules/sharp/package.json"))?)?;
    Ok(package["version"].as_str().ok_or("sharp has no version")?.to_owned())
}
