//! The command line; everything is in `bugornot::cli`.

fn main() -> std::process::ExitCode {
    bugornot::cli::main()
}
