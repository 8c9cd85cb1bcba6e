//! What must be the same in several files: a directory that was written by two runs is torn, and says so here.

use super::citation::has_drive;
use super::found;
use super::path::Path;
use super::report::Report;
use super::run::{Counts, Manifest, Metadata};
use super::source_index::SourceIndex;
use crate::findings::Code;
use crate::intern::{Interner, StringId};
use crate::model::Repository;

/// Metadata against the manifest. `report` is of metadata.
pub(super) fn same_run(report: &mut Report, strings: &Interner, manifest: &Manifest, metadata: &Metadata) {
    let (ours, theirs) = (&manifest.repository, &metadata.repository);
    let repository = Path::ROOT.key("repository");
    for (key, manifest, metadata) in [("name", ours.name, theirs.name), ("root", ours.root, theirs.root)] {
        if differ(manifest, metadata) {
            let manifest = found::quoted(strings.get(manifest));
            let metadata = found::quoted(strings.get(metadata));
            // A root is a path of somebody's machine: it is named by its place alone.
            let values = if key == "root" {
                "is another one".to_owned()
            } else {
                format!("is {metadata} here and {manifest}")
            };
            let message = || format!("`repository.{key}` {values} in the manifest");
            report.value(Code::RepositoryDisagrees, &repository.key(key), message);
        }
    }
    // Of a repository that couldn't be read nothing is known, not even that it has no commit.
    let unread = |repository: &Repository| {
        repository.commit == Some(StringId::ABSENT)
            || [repository.name, repository.root] == [StringId::ABSENT; 2]
    };
    if ours.commit != theirs.commit && !unread(ours) && !unread(theirs) {
        let show = |commit: Option<StringId>| {
            commit.map_or("`null`".to_owned(), |id| found::quoted(strings.get(id)))
        };
        let (manifest, metadata) = (show(ours.commit), show(theirs.commit));
        // Null and missing mean the same; only what is there has a place.
        let commit = repository.key("commit");
        let at = if theirs.commit.is_some() { &commit } else { &repository };
        let message = || format!("`repository.commit` is {metadata} here and {manifest} in the manifest");
        report.value(Code::RepositoryDisagrees, at, message);
    }
    if differ(manifest.generated_at, metadata.generated_at) {
        let ours = found::quoted(strings.get(manifest.generated_at));
        let theirs = found::quoted(strings.get(metadata.generated_at));
        let message = || format!("`generatedAt` is {theirs} here and {ours} in the manifest");
        report.value(Code::TimeDisagrees, &Path::ROOT.key("generatedAt"), message);
    }
}

/// Metadata's counts against the source index. `report` is of metadata.
pub(super) fn same_counts(report: &mut Report, metadata: &Metadata, index: &SourceIndex) {
    let Counts { files, symbols, .. } = metadata.summary;
    compare(report, "filesIndexed", files, index.files, |listed| {
        format!("the source index lists {listed} files")
    });
    compare(report, "symbolsIndexed", symbols, index.symbols, |listed| {
        format!("the source index lists {listed} symbols")
    });
}

/// Metadata's count of artifacts against the manifest, which names all of them but itself. `report` is of metadata.
pub(super) fn same_artifacts(report: &mut Report, metadata: &Metadata, manifest: &Manifest) {
    let (counted, named) = (metadata.summary.artifacts, manifest.artifacts.count());
    compare(report, "artifactsGenerated", counted, named, |named| {
        format!("the manifest names {named} artifacts")
    });
}

/// A count of metadata against what is there, where both are known.
fn compare(
    report: &mut Report,
    key: &str,
    counted: Option<u32>,
    there: Option<usize>,
    say: impl Fn(usize) -> String,
) {
    if let (Some(counted), Some(there)) = (counted, there)
        && counted as usize != there
    {
        let message = || format!("`{key}` is {counted}, and {}", say(there));
        report.value(Code::CountsDisagree, &Path::ROOT.key("summary").key(key), message);
    }
}

/// A file's schema version against the manifest's. The lists carry no other stamp of their run.
pub(super) fn same_version(report: &mut Report, strings: &Interner, manifest: StringId, version: StringId) {
    if differ(manifest, version) {
        let (manifest, version) = (found::quoted(strings.get(manifest)), found::quoted(strings.get(version)));
        let message = || format!("the schema version is {version} here and {manifest} in the manifest");
        report.value(Code::VersionsDisagree, &Path::ROOT.key("schemaVersion"), message);
    }
}

/// Whether two strings that were both read differ.
fn differ(a: StringId, b: StringId) -> bool {
    a != b && !a.is_absent() && !b.is_absent()
}

/// Warns of a root that tells of somebody's machine. `report` is of the manifest.
pub(super) fn root_is_relative(report: &mut Report, strings: &Interner, manifest: &Manifest) {
    let root = strings.get(manifest.repository.root);
    if root.starts_with(['/', '\\']) || has_drive(root) {
        let message = || "expected a relative path; a bundle would publish this one with the rest".to_owned();
        report.value(Code::AbsoluteRoot, &Path::ROOT.key("repository").key("root"), message);
    }
}
