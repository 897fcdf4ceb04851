//! Makes sure that the styles and scripts were built, and builds again when what is put into the program changes.

use std::path::Path;

fn main() {
    // from the package's folder, where cargo runs this: two checkouts may share one build folder
    let dist = Path::new("../../islands/dist");
    // a debug build reads them when it runs
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={}", dist.display());
    }
    // what is named here and missing is a change each time
    println!("cargo::rerun-if-changed=../../migrations");
    assert!(
        dist.join("manifest.json").exists(),
        "The styles and scripts are not built yet: run `make assets` first."
    );
}
