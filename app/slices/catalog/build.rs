//! Builds again when the goods that are put into the program change.

fn main() {
    println!("cargo::rerun-if-changed=goods");
}
