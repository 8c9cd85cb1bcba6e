//! The original artifact files within a bundle, and whether they say what its rows say.

use std::path::Path;

use openmind_pack_compiler::{BuildError, Compiled, Input, Options, Silent, compile};
use openmind_pack_format::{Bundle, ReadError};
use rkyv::util::AlignedVec;

use crate::failure::Failure;

/// Builds the originals again and compares the knowledge. Takes the memory and the time of a build.
///
/// # Errors
///
/// What differs.
pub(super) fn compare(path: &Path, bundle: &Bundle) -> Result<(), Failure> {
    let files = unpack(bundle).map_err(|error| Failure::read(path, &error))?;
    let compiled = compile(Input::from_files(path, files), Options::default(), &Silent).map_err(|error| {
        let reason = match error {
            BuildError::Refused(findings) => crate::failure::summary(&findings),
            error => error.to_string(),
        };
        differs(path, &format!("they can't be built: {reason}"))
    })?;
    if compiled.knowledge_hash == bundle.header().knowledge_hash {
        return Ok(());
    }
    let found = compiled.knowledge_hash;
    let what = what_differs(bundle, compiled).map_err(|error| Failure::read(path, &error))?;
    let expected = bundle.header().knowledge_hash;
    Err(differs(path, &format!("they hash to {found} and the rows to {expected}: {what}")))
}

fn differs(path: &Path, what: &str) -> Failure {
    let name = path.display();
    Failure::refused(
        "originals",
        format!("{name}: the original files don't give the knowledge of its rows; {what}"),
    )
    .hint("rebuild the bundle with a trusted openmind-pack")
}

fn unpack(bundle: &Bundle) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
    (0..bundle.artifact_count()?)
        .map(|index| {
            let name = bundle.artifact(index)?.name()?.to_owned();
            let mut bytes = Vec::new();
            bundle.read_original(index, |part| bytes.extend_from_slice(part))?;
            Ok((name, bytes))
        })
        .collect()
}

/// Names the first list that differs, and its first entry that does.
fn what_differs(bundle: &Bundle, compiled: Compiled) -> Result<String, ReadError> {
    let mut bytes = AlignedVec::<64>::new();
    let rebuilt = match compiled.write_to(&mut bytes).map(|_| Bundle::from_aligned(bytes, None)) {
        Ok(Ok(rebuilt)) => rebuilt,
        Ok(Err(error)) => return Ok(format!("the rebuilt bundle can't be opened: {error}")),
        Err(error) => return Ok(format!("they can't be laid out: {error}")),
    };
    let lists: [(&str, Names); 6] = [
        ("repository", |bundle| Ok(vec![bundle.info()?.repository_name()?.to_owned()])),
        ("glossary entry", |bundle| {
            (0..bundle.term_count()?).map(|i| Ok(bundle.term(i)?.term()?.to_owned())).collect()
        }),
        ("component", |bundle| {
            (0..bundle.component_count()?).map(|i| Ok(bundle.component(i)?.name()?.to_owned())).collect()
        }),
        ("flow", |bundle| {
            (0..bundle.flow_count()?).map(|i| Ok(bundle.flow(i)?.name()?.to_owned())).collect()
        }),
        ("file", |bundle| {
            (0..bundle.file_count()?).map(|i| Ok(bundle.file(i)?.path()?.to_owned())).collect()
        }),
        ("symbol", |bundle| {
            (0..bundle.symbol_count()?).map(|i| Ok(bundle.symbol(i)?.name()?.to_owned())).collect()
        }),
    ];
    for (what, names) in lists {
        let (rows, originals) = (names(bundle)?, names(&rebuilt)?);
        if let Some(difference) = first_difference(what, &rows, &originals) {
            return Ok(difference);
        }
    }
    Ok("the names agree; a description, a cited line or the like differs".into())
}

/// Reads the names of one list.
type Names = fn(&Bundle) -> Result<Vec<String>, ReadError>;

fn first_difference(what: &str, rows: &[String], originals: &[String]) -> Option<String> {
    let number = rows.iter().zip(originals).position(|(row, original)| row != original);
    if let Some(number) = number {
        let (row, original) = (rows.get(number)?, originals.get(number)?);
        return Some(format!(
            "{what} {} is {row:?} in the rows and {original:?} in the originals",
            number + 1
        ));
    }
    (rows.len() != originals.len())
        .then(|| format!("the rows hold {} of kind {what}, the originals {}", rows.len(), originals.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_first_entry_that_differs_is_named_by_both_of_its_names() {
        assert_eq!(first_difference("flow", &names(&["a", "b"]), &names(&["a", "b"])), None);
        assert_eq!(
            first_difference("flow", &names(&["a", "b", "c"]), &names(&["a", "x", "y"])).as_deref(),
            Some("flow 2 is \"b\" in the rows and \"x\" in the originals")
        );
        assert_eq!(
            first_difference("flow", &names(&["a"]), &names(&["a", "b"])).as_deref(),
            Some("the rows hold 1 of kind flow, the originals 2")
        );
    }
}
