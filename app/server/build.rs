//! Where addresses stand in the program's data is written down in a twentieth of the room, if the system that builds it can read
//! that: glibc 2.36 and later.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_own = std::env::var("HOST") == std::env::var("TARGET");
    if is_own && glibc().is_some_and(|version| version >= (2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of this system's glibc.
fn glibc() -> Option<(u32, u32)> {
    let said = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(said.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
