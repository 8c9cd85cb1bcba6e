//! The command line of openmind-pack.
fn main() {}
