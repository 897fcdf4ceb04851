//! What it takes to build the program from nothing.

use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::report::{Section, shown};
use crate::room::Room;

/// What is typed, and what cargo is told then.
const BUILDS: [(&str, &[&str], &str); 2] = [
    ("`make release`", &["build", "--release", "-p", "bindery"], "release"),
    ("`make run`, until it starts", &["build", "-p", "bindery"], "debug"),
];

pub fn measure(room: &Room) -> Result<Section, Failure> {
    let rows = BUILDS.iter().map(|(what, arguments, profile)| {
        let folder = room.path().join(profile);
        let mut row = vec![(*what).to_owned()];
        row.extend(build(&folder, arguments, profile)?);
        std::fs::remove_dir_all(&folder)?;
        Ok(row)
    });
    Ok(Section {
        title: "Built from nothing",
        about: "`/usr/bin/time -v` around each, with an empty build folder and the crates fetched before. Goals on 2 cores: \
                `make release` in at most 25 minutes, `make run` in 15, the largest process at most 3 GB, the released \
                program at most 100 MB."
            .to_owned(),
        head: ["", "minutes", "processor minutes", "largest process in MB", "program in MB"].map(str::to_owned).to_vec(),
        rows: rows.collect::<Result<_, Failure>>()?,
    })
}

/// Minutes, minutes of the processor, the memory of the largest process and the size of the program.
fn build(folder: &Path, arguments: &[&str], profile: &str) -> Result<[String; 4], Failure> {
    let mut command = Command::new("/usr/bin/time");
    command.arg("-v").arg("cargo").args(arguments).env("CARGO_TARGET_DIR", folder);
    let output = command.current_dir(env!("BINDERY_CHECKOUT")).output()?;
    let said = String::from_utf8(output.stderr)?;
    if !output.status.success() {
        return Err(said.into());
    }
    let figure = |name: &str| -> Result<&str, Failure> {
        let line = said.lines().find_map(|line| line.trim().strip_prefix(name));
        Ok(line.ok_or_else(|| format!("no {name:?}"))?.trim())
    };
    let seconds = |name: &str| -> Result<f64, Failure> { Ok(figure(name)?.parse()?) };
    // h:mm:ss or m:ss.hh
    let parts = figure("Elapsed (wall clock) time (h:mm:ss or m:ss):")?.split(':').map(str::parse::<f64>);
    let wall = parts.collect::<Result<Vec<_>, _>>()?.into_iter().fold(0.0, |all, part| all * 60.0 + part);
    let processor = seconds("User time (seconds):")? + seconds("System time (seconds):")?;
    let memory = seconds("Maximum resident set size (kbytes):")? * 1024.0 / 1e6;
    let program = std::fs::metadata(folder.join(profile).join("bindery"))?.len() as f64 / 1e6;
    Ok([wall / 60.0, processor / 60.0, memory, program].map(shown))
}
