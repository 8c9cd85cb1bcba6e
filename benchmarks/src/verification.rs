//! What verification costs: hashing a whole file against plain BLAKE3 of the same bytes, and look-ups in checked bytes
//! against the same look-ups with nothing checked.

use std::hint::black_box;
use std::io;
use std::path::Path;
use std::time::Instant;

use openmind_pack_format::{Bundle, OpenOptions, ReadError, Verification};

use crate::measure::spread;

/// Names looked up in a round, spread over the whole dictionary.
const NAMES: usize = 2_000;
/// Places read of each, as `symbol` reads them.
const PLACES: usize = 20;

/// Nothing is verified. It is only here: what serves answers has no such thing.
enum Unverified {}

impl Verification for Unverified {
    const BEFORE_USE: bool = false;
}

fn failed(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(error.to_string())
}

/// Prints a row for each bundle.
pub fn table(bundles: &[String], repetitions: usize) -> io::Result<()> {
    println!("| bundle | MB | verify MB/s | BLAKE3 MB/s | verify / BLAKE3 (speed) | look-up ns | unverified ns | verified / unverified (time) |");
    println!("|---|---|---|---|---|---|---|---|");
    for path in bundles {
        row(Path::new(path), repetitions)?;
    }
    Ok(())
}

fn row(path: &Path, repetitions: usize) -> io::Result<()> {
    let bundle = Bundle::open(path, OpenOptions::default()).map_err(failed)?;
    let file = std::fs::read(path)?;
    let body = file.get(..bundle.header().body_length as usize).ok_or_else(|| failed("no body"))?;
    let megabytes = body.len() as f64 / 1e6;
    let (mut verify, mut hash, mut speed) = (Vec::new(), Vec::new(), Vec::new());
    // The first round warms the page cache.
    for round in 0..=repetitions {
        let ours = seconds(|| bundle.verify().map_err(failed))?;
        let plain = seconds(|| {
            black_box(blake3::hash(body));
            Ok(())
        })?;
        if round > 0 {
            verify.push(megabytes / ours);
            hash.push(megabytes / plain);
            speed.push(plain / ours);
        }
    }

    let names = names(&bundle).map_err(failed)?;
    let other = Bundle::open(path, OpenOptions::default()).map_err(failed)?.with_verification::<Unverified>();
    let (mut verified, mut unverified, mut time) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=repetitions * 4 {
        let (with, without) = if round % 2 == 0 {
            let with = look_ups(&bundle, &names)?;
            (with, look_ups(&other, &names)?)
        } else {
            let without = look_ups(&other, &names)?;
            (look_ups(&bundle, &names)?, without)
        };
        if round > 0 {
            verified.push(with * 1e9 / names.len() as f64);
            unverified.push(without * 1e9 / names.len() as f64);
            time.push(with / without);
        }
    }
    let shown = |values: Vec<f64>, digits: usize| {
        let (median, least, most) = spread(values);
        format!("{median:.digits$} ({least:.digits$}–{most:.digits$})")
    };
    println!(
        "| {} | {megabytes:.1} | {} | {} | {} | {} | {} | {} |",
        path.file_stem().unwrap_or_default().to_string_lossy(),
        shown(verify, 0),
        shown(hash, 0),
        shown(speed, 3),
        shown(verified, 0),
        shown(unverified, 0),
        shown(time, 3),
    );
    Ok(())
}

fn seconds(run: impl FnOnce() -> io::Result<()>) -> io::Result<f64> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed().as_secs_f64())
}

fn names(bundle: &Bundle) -> Result<Vec<String>, ReadError> {
    let dictionary = bundle.names()?;
    let count = dictionary.len()?;
    let step = (count as usize / NAMES).max(1);
    let mut names = Vec::new();
    let mut key = Vec::new();
    for ordinal in (0..count).step_by(step) {
        if dictionary.key(ordinal, &mut key)? {
            names.push(String::from_utf8_lossy(&key).into_owned());
        }
    }
    Ok(names)
}

/// Seconds for looking all names up: their places, and path, line and text of each.
fn look_ups<V: Verification>(bundle: &Bundle<V>, names: &[String]) -> io::Result<f64> {
    seconds(|| {
        for name in names {
            look_up(bundle, name).map_err(failed)?;
        }
        Ok(())
    })
}

fn look_up<V: Verification>(bundle: &Bundle<V>, name: &str) -> Result<(), ReadError> {
    let Some(ordinal) = bundle.names()?.get(name.as_bytes())? else { return Ok(()) };
    let first_symbol = bundle.first_symbol()?;
    for document in bundle.places(ordinal)?.take(PLACES) {
        if let Some(symbol) = document?.checked_sub(first_symbol) {
            black_box(bundle.symbol_evidence(symbol)?);
        }
    }
    Ok(())
}
