//! Makes sure that the fonts are there before the crate embeds them.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo:rerun-if-changed=package-lock.json");
    println!("cargo:rerun-if-changed=packed");
    if Path::new("packed").is_dir() {
        return ExitCode::SUCCESS;
    }
    println!("cargo::error=The press embeds fonts of npm packages, and they are not there yet.");
    println!("cargo::error=Run `npm ci` in app/press, then build again.");
    ExitCode::FAILURE
}
