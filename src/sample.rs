//! The bundle within the program: a small invented repository for a first look and for `demo`.

use std::path::Path;
use std::sync::Arc;

use openmind_pack_format::{Bundle, ContentHash};
use openmind_pack_mcp::{BundleSource, Served};

use crate::failure::Failure;
use crate::source::Constant;

/// `fixtures/sample-repo/.openmind`, built.
static SAMPLE: &[u8] = include_bytes!("../fixtures/sample.ompack");

/// What stands where a path would.
pub(crate) const LABEL: &str = "built-in sample";

/// Serves the sample, with a notice in every answer where it stands in for something else.
///
/// # Errors
///
/// Another bundle was expected.
pub(crate) fn source(
    expect: Option<ContentHash>,
    notice: Option<String>,
) -> Result<Arc<dyn BundleSource>, Failure> {
    let label = Path::new(LABEL);
    let bundle = Bundle::from_slice(SAMPLE, expect).map_err(|error| Failure::open(label, error))?;
    let name = bundle.info().and_then(|info| info.repository_name());
    let repository_name = name.map_err(|error| Failure::read(label, &error))?.to_owned();
    Ok(Arc::new(Constant::new(Served { bundle, label: LABEL.into(), repository_name, notice })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_verifies_in_depth() {
        let sample = Bundle::from_slice(SAMPLE, None).expect("opens");
        sample.verify_deep().expect("verifies");
        assert_eq!(sample.info().and_then(|info| info.repository_name()), Ok("fernhouse"));
    }
}
