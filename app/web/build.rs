//! Makes sure that the styles and scripts were built, and builds again when they change.

use std::path::Path;

fn main() {
    // from the package's folder, where cargo runs this: two checkouts may share one build folder
    let dist = Path::new("../../islands/dist");
    println!("cargo::rerun-if-changed=build.rs");
    // a debug build reads them when it runs
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={}", dist.display());
    }
    assert!(
        dist.join("manifest.json").exists(),
        "The styles and scripts are not built yet: run `make assets` first."
    );
}
