//! `build`: a directory in, a bundle out.

use std::fs;
#[cfg(unix)]
use std::io;
use std::path::{Path, PathBuf};

use openmind_pack_compiler::{
    BuildError, Compiled, Counts, Finding, Input, Options, Progress, Stage, compile, output_target, publish,
};
use openmind_pack_format::Written;
use serde::Serialize;

use super::names;
use crate::args::BuildArgs;
use crate::console::Console;
use crate::envelope::Named;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{self, Page};
use crate::progress::Bar;

/// What was built. The result of the envelope; it holds no path of the machine.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Built<'a> {
    status: &'static str,
    pub(crate) repository: &'a str,
    pub(crate) file_length: u64,
    pub(crate) content_hash: String,
    pub(crate) knowledge_hash: String,
    pub(crate) counts: Held,
    pub(crate) findings: &'a [Finding],
}

/// How much it holds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Held {
    pub(crate) terms: u32,
    pub(crate) components: u32,
    pub(crate) flows: u32,
    pub(crate) files: u32,
    pub(crate) symbols: u32,
    pub(crate) artifacts: u32,
    pub(crate) input_bytes: u64,
}

impl From<Counts> for Held {
    fn from(counts: Counts) -> Self {
        let Counts { terms, components, flows, files, symbols, artifacts, input_bytes } = counts;
        Self { terms, components, flows, files, symbols, artifacts, input_bytes }
    }
}

/// A directory that findings stop.
#[derive(Serialize)]
struct Refused<'a> {
    status: &'static str,
    findings: &'a [Finding],
}

pub(super) fn run(args: &BuildArgs, console: &Console) -> Result<Exit, Failure> {
    let dir = args.dir.as_deref().unwrap_or(Path::new(".openmind"));
    if dir.is_file() {
        let message = format!("{} is a file; name a .openmind directory", dir.display());
        return Err(Failure::refused("not_a_directory", message));
    }
    // A target that can't be written is better known before the work than after it.
    args.output.as_deref().map(check_target).transpose()?;
    let bar = Bar::new();
    let compiled = match compile_dir(dir, args, &bar) {
        Ok(compiled) => compiled,
        Err(BuildError::Refused(findings)) => {
            drop(bar);
            return refuse(dir, &findings, args.strict, console);
        }
        Err(error) => return Err(Failure::build(dir, error)),
    };
    let path = match &args.output {
        Some(path) => path.clone(),
        None => {
            let path = PathBuf::from(names::output_for(&compiled.repository_name));
            check_target(&path)?;
            path
        }
    };
    let (repository, counts) = (compiled.repository_name.clone(), compiled.counts);
    let findings = compiled.findings.clone();
    bar.start(Stage::Write, 0);
    let written =
        publish(&path, |output| compiled.write_to(output)).map_err(|error| Failure::publish(&path, error))?;
    drop(bar);
    let built = report(&repository, counts, &findings, &written);
    tell_findings(console, dir, &findings);
    warn_of_nesting(console, dir, &path);
    if console.json() {
        let named = Named { path: path.display().to_string(), content_hash: written.content_hash };
        let result = serde_json::to_string(&built).map_err(Failure::defect)?;
        console.print_envelope(Some(&named), &result)?;
    } else {
        let mut page = console.page();
        print::built(&mut page, &path, &built);
        console.print(&page)?;
    }
    Ok(Exit::Done)
}

fn compile_dir(dir: &Path, args: &BuildArgs, bar: &Bar) -> Result<Compiled, BuildError> {
    bar.start(Stage::Read, 0);
    let input = Input::read(dir)?;
    let options = Options {
        strict: args.strict,
        redact_root: args.redact_root,
        threads: args.threads.map(|threads| usize::from(threads.get())),
    };
    compile(input, options, bar)
}

fn report<'a>(repository: &'a str, counts: Counts, findings: &'a [Finding], written: &Written) -> Built<'a> {
    Built {
        status: "ok",
        repository,
        file_length: written.file_length,
        content_hash: written.content_hash.to_string(),
        knowledge_hash: written.knowledge_hash.to_string(),
        counts: counts.into(),
        findings,
    }
}

/// Refuses what can't be an output as far as can be told beforehand.
fn check_target(path: &Path) -> Result<(), Failure> {
    let target = output_target(path).map_err(|error| Failure::target(path, error))?;
    if is_own_stream(&target) {
        let message = format!(
            "cannot write {}: this command's own report goes there, and replacing the file would lose it",
            path.display()
        );
        return Err(Failure::refused("output", message)
            .hint("a bundle is published by rename, never streamed; name a file with -o and send the report elsewhere"));
    }
    Ok(())
}

/// Whether a file is the one that standard output or standard error leads to, as `/dev/stdout` may be.
#[cfg(unix)]
fn is_own_stream(path: &Path) -> bool {
    use std::fs::File;
    use std::os::fd::{AsFd, BorrowedFd};
    use std::os::unix::fs::MetadataExt;

    let Ok(target) = fs::metadata(path) else { return false };
    let leads_there = |stream: BorrowedFd<'_>| {
        let stream = stream.try_clone_to_owned().and_then(|stream| File::from(stream).metadata());
        stream.is_ok_and(|stream| (stream.dev(), stream.ino()) == (target.dev(), target.ino()))
    };
    leads_there(io::stdout().as_fd()) || leads_there(io::stderr().as_fd())
}

/// No path leads to a standard stream there.
#[cfg(not(unix))]
fn is_own_stream(_: &Path) -> bool {
    false
}

/// Says why nothing was built.
fn refuse(dir: &Path, findings: &[Finding], strict: bool, console: &Console) -> Result<Exit, Failure> {
    if console.json() {
        let result =
            serde_json::to_string(&Refused { status: "refused", findings }).map_err(Failure::defect)?;
        console.print_envelope(None, &result)?;
    }
    tell_findings(console, dir, findings);
    let message = format!("{} can't be built: {}", dir.display(), print::severities(findings));
    let mut failure = Failure::refused("findings", message);
    let only_strict = !findings.iter().any(|finding| finding.severity.as_str() == "error");
    if strict && only_strict {
        failure = failure.hint("without --strict, warnings don't stop a build");
    }
    if let Some(hint) = Failure::nested(dir) {
        failure = failure.hint(hint);
    }
    console.diagnose(&print::failure(&failure));
    Ok(failure.exit)
}

fn tell_findings(console: &Console, dir: &Path, findings: &[Finding]) {
    if findings.is_empty() || console.json() {
        return;
    }
    let mut page = Page::new(None);
    print::findings(&mut page, &dir.display().to_string(), findings);
    page.gap();
    console.diagnose(&page);
}

/// Every file of the directory goes into its bundle, so a bundle that lies there goes into the next.
fn warn_of_nesting(console: &Console, dir: &Path, output: &Path) {
    let parent = output.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let inside = fs::canonicalize(dir)
        .and_then(|dir| fs::canonicalize(parent).map(|parent| parent == dir))
        .unwrap_or(false);
    if inside {
        console.warn(
            "the bundle lies in the directory that it was built from: the next build would pack it too",
        );
    }
}
