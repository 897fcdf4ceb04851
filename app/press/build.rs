//! Makes sure that the fonts are there before the crate embeds them.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo:rerun-if-changed=package-lock.json");
    println!("cargo:rerun-if-changed=node_modules/.package-lock.json");
    for package in ["noto-sans-sc", "noto-serif-sc", "ma-shan-zheng", "zcool-xiaowei"] {
        let folder = Path::new("node_modules/@expo-google-fonts").join(package);
        let has_bold = !package.starts_with("noto") || folder.join("700Bold").is_dir();
        if !folder.join("400Regular").is_dir() || !has_bold {
            println!(
                "cargo::error=The press embeds its fonts from npm packages, and {} is missing.",
                folder.display()
            );
            println!("cargo::error=Run `npm ci` in app/press, then build again.");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
