//! `bindery`: the whole program in one binary.

fn main() -> std::process::ExitCode {
    bindery::cli::main()
}
