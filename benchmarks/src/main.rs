//! Measures the built program and prints one table.
//!
//!     cargo build --release --locked
//!     cargo run --release --manifest-path benchmarks/Cargo.toml -- DATA [REPETITIONS]
//!
//!     cargo run --release --manifest-path benchmarks/Cargo.toml -- verification BUNDLE...
//!
//! DATA holds NAME/.openmind directories. Peers take turns with the program, and a ratio is made within each turn.
//! Bundles are written to /dev/shm where that is: else what's measured is fsync.

mod measure;
mod parse;
mod verification;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

use measure::{Run, first_answer, run, spread};

/// Directories measured, where DATA holds them.
const BUILDS: [&str; 5] = ["flask", "rails", "aws-sdk-go", "azure-sdk-for-go", "composed-3m"];
const SYMBOL: &str = r#"{"name":"get_symbol_evidence","arguments":{"symbol":"Client"}}"#;
const SEARCH: &str = r#"{"name":"search_codebase_context","arguments":{"query":"retry policy"}}"#;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["parse", directory] => parse::parse(Path::new(directory)).map(|symbols| println!("{symbols}")),
        ["verification", ..] => verification::table(arguments.get(1..).unwrap_or_default(), 9),
        [data] => table(Path::new(data), 5),
        [data, repetitions] => match repetitions.parse() {
            Ok(repetitions) => table(Path::new(data), repetitions),
            Err(_) => Err(io::Error::other("REPETITIONS is a number")),
        },
        _ => Err(io::Error::other("usage: DATA [REPETITIONS] | verification BUNDLE...")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/release/openmind-pack")
}

fn scratch() -> PathBuf {
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() { memory.to_owned() } else { env::temp_dir() };
    parent.join(format!("openmind-pack-benchmark-{}", std::process::id()))
}

fn table(data: &Path, repetitions: usize) -> io::Result<()> {
    let scratch = scratch();
    fs::create_dir_all(&scratch)?;
    let outcome = builds(data, &scratch, repetitions).and_then(|()| starts(&scratch, repetitions * 8));
    fs::remove_dir_all(&scratch)?;
    outcome
}

fn bytes_of(directory: &Path) -> io::Result<f64> {
    let mut total = 0.0;
    for entry in fs::read_dir(directory)? {
        total += entry?.metadata()?.len() as f64;
    }
    Ok(total)
}

fn builds(data: &Path, scratch: &Path, repetitions: usize) -> io::Result<()> {
    println!("| directory | JSON MB | build s | parse s | build / parse | build peak / JSON | parse peak / JSON | bundle / JSON | verify / build | deep / build |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for name in BUILDS {
        let directory = data.join(name).join(".openmind");
        if !directory.is_dir() {
            eprintln!("{name} is not in {}: skipped", data.display());
            continue;
        }
        let bundle = scratch.join(format!("{name}.ompack"));
        let (mut build, mut parsed, mut ratio) = (Vec::new(), Vec::new(), Vec::new());
        let (mut verify, mut deep) = (Vec::new(), Vec::new());
        for _ in 0..repetitions {
            let ours = build_once(&directory, &bundle)?;
            let peer = parse_once(&directory)?;
            ratio.push(ours.seconds / peer.seconds);
            verify.push(verify_once(&bundle, false)?.seconds / ours.seconds);
            deep.push(verify_once(&bundle, true)?.seconds / ours.seconds);
            build.push(ours);
            parsed.push(peer);
        }
        let json = bytes_of(&directory)?;
        let seconds = |runs: &[Run]| spread(runs.iter().map(|run| run.seconds).collect());
        let peak = |runs: &[Run]| spread(runs.iter().map(|run| run.peak).collect()).0 / json;
        let shown = |(median, least, most): (f64, f64, f64)| format!("{median:.2} ({least:.2}–{most:.2})");
        println!(
            "| {name} | {:.2} | {} | {} | {} | {:.2} | {:.2} | {:.3} | {} | {} |",
            json / 1e6,
            shown(seconds(&build)),
            shown(seconds(&parsed)),
            shown(spread(ratio)),
            peak(&build),
            peak(&parsed),
            fs::metadata(&bundle)?.len() as f64 / json,
            shown(spread(verify)),
            shown(spread(deep)),
        );
    }
    println!();
    Ok(())
}

fn build_once(directory: &Path, bundle: &Path) -> io::Result<Run> {
    let mut command = Command::new(program());
    command.arg("build").arg(directory).arg("-o").arg(bundle);
    run(command)
}

fn verify_once(bundle: &Path, deep: bool) -> io::Result<Run> {
    let mut command = Command::new(program());
    command.arg("verify").arg(bundle).args(deep.then_some("--deep"));
    run(command)
}

fn parse_once(directory: &Path) -> io::Result<Run> {
    let mut command = Command::new(env::current_exe()?);
    command.arg("parse").arg(directory);
    run(command)
}

/// First answers from the sample and from each bundle built, all taking turns.
fn starts(scratch: &Path, repetitions: usize) -> io::Result<()> {
    println!("| served | first `symbol` ms | / sample | first `search` ms | / sample |");
    println!("|---|---|---|---|---|");
    let mut bundles = vec![None];
    bundles.extend(BUILDS.iter().map(|name| scratch.join(format!("{name}.ompack"))).filter(|path| path.is_file()).map(Some));
    let mut times = vec![[Vec::new(), Vec::new()]; bundles.len()];
    for _ in 0..=repetitions {
        for (bundle, times) in bundles.iter().zip(&mut times) {
            for (call, times) in [SYMBOL, SEARCH].into_iter().zip(times) {
                times.push(first_answer(&program(), bundle.as_deref(), call)?);
            }
        }
    }
    // The first round warms the page cache.
    let rounds = |times: &[f64]| times.iter().skip(1).copied().collect::<Vec<f64>>();
    let sample = times.first().cloned().unwrap_or_default();
    for (bundle, times) in bundles.iter().zip(&times) {
        let name = bundle.as_deref().and_then(Path::file_stem).map_or("sample".into(), |name| name.to_string_lossy());
        let mut cells = Vec::new();
        for (times, sample) in times.iter().zip(&sample) {
            let ratios = rounds(times).iter().zip(rounds(sample)).map(|(ours, sample)| ours / sample).collect();
            let (median, least, most) = spread(rounds(times));
            cells.push(format!("{:.2} ({:.2}–{:.2}) | {:.2}", median * 1e3, least * 1e3, most * 1e3, spread(ratios).0));
        }
        println!("| {name} | {} |", cells.join(" | "));
    }
    Ok(())
}
