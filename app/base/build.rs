//! Builds again when a migration is changed or added: they are put into the program.

fn main() {
    // from the package's folder, where cargo runs this: two checkouts may share one build folder
    println!("cargo::rerun-if-changed=../../migrations");
}
