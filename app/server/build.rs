//! The version that the program says it is; and: where addresses stand in the program's data is written down in a twentieth of
//! the room, if the system that builds it can read that: glibc 2.36 and later.

use std::path::Path;
use std::process::Command;

/// What a version is told from: commits, tags, and the files that the program is made of.
const TOLD_FROM: [&str; 13] = [
    ".git/HEAD",
    ".git/logs/HEAD",
    ".git/packed-refs",
    ".git/refs/tags",
    "Cargo.lock",
    "Cargo.toml",
    "app/domain/src",
    "app/photo/src",
    "app/base/src",
    "app/web/src",
    "app/press/src",
    "app/slices",
    "migrations",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=PROGRAM_VERSION={}", version());
    let is_own = std::env::var("HOST") == std::env::var("TARGET");
    if is_own && glibc().is_some_and(|version| version >= (2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Of a release, what git says of its sources; while one works on them it would have to be linked anew after every commit.
fn version() -> String {
    let given = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        // one that is not there would have it told anew every time
        for path in
            TOLD_FROM.map(|path| format!("../../{path}")).iter().filter(|path| Path::new(path).exists())
        {
            println!("cargo::rerun-if-changed={path}");
        }
        let said = Command::new("../../.ci/version").arg(&given).output();
        if let Some(said) = said.ok().filter(|said| said.status.success()) {
            return String::from_utf8_lossy(&said.stdout).trim().to_owned();
        }
    }
    given
}

/// The version of this system's glibc.
fn glibc() -> Option<(u32, u32)> {
    let said = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(said.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
