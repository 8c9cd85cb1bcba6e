//! What the environment says, under the names that users of the reference server know.

use std::ffi::OsString;
use std::path::PathBuf;

use openmind_pack_mcp::LogLevel;

/// A `.openmind` directory or a bundle.
pub(crate) const ARTIFACTS: &str = "OPEN_MIND_ARTIFACTS_DIR";
/// How many search results to give where the caller sets no limit.
pub(crate) const MAX_RESULTS: &str = "OPEN_MIND_MAX_RESULTS";
/// How much is logged.
pub(crate) const LOG_LEVEL: &str = "LOG_LEVEL";

/// Search results where nothing else is said.
const DEFAULT_RESULTS: u32 = 5;
/// The most search results that may be asked for.
const MOST_RESULTS: u32 = 50;

/// The settings, each usable: what was wrong became a warning.
#[derive(Debug)]
pub(crate) struct Environment {
    /// Where the knowledge is.
    pub(crate) artifacts: Option<PathBuf>,
    /// Search results where the caller sets no limit, 1 to 50.
    pub(crate) max_results: u32,
    /// How much is logged.
    pub(crate) log_level: LogLevel,
    /// What is wrong with the environment, one sentence each.
    pub(crate) warnings: Vec<String>,
}

impl Environment {
    /// Reads the process's environment.
    pub(crate) fn read() -> Self {
        Self::from_variables(|name| std::env::var_os(name))
    }

    /// An empty variable counts as absent: shells and client configurations can't always unset one.
    fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        let mut warnings = Vec::new();
        let mut refuse = |name: &str, value: &OsString, expected: &str| {
            warnings.push(format!("{name} must be {expected}, but it is {:?}", value.to_string_lossy()));
        };
        let max_results = variable(MAX_RESULTS).map_or(DEFAULT_RESULTS, |value| {
            let number = value.to_str().and_then(|text| text.parse().ok());
            number.filter(|number| (1..=MOST_RESULTS).contains(number)).unwrap_or_else(|| {
                let expected = format!("a whole number from 1 to {MOST_RESULTS} ({DEFAULT_RESULTS} is used)");
                refuse(MAX_RESULTS, &value, &expected);
                DEFAULT_RESULTS
            })
        });
        let log_level = variable(LOG_LEVEL).map_or_else(LogLevel::default, |value| {
            value.to_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| {
                refuse(LOG_LEVEL, &value, "debug, info, warn or error (info is used)");
                LogLevel::default()
            })
        });
        Self { artifacts: variable(ARTIFACTS).map(PathBuf::from), max_results, log_level, warnings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::from_variables(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    fn an_empty_environment_gives_the_defaults_silently() {
        for variables in [&[][..], &[(ARTIFACTS, ""), (MAX_RESULTS, ""), (LOG_LEVEL, "")]] {
            let read = environment(variables);
            assert_eq!((read.artifacts, read.max_results, read.log_level), (None, 5, LogLevel::Info));
            assert!(read.warnings.is_empty());
        }
    }

    #[test]
    fn good_values_are_taken() {
        let read = environment(&[(ARTIFACTS, "a b"), (MAX_RESULTS, "50"), (LOG_LEVEL, "warn")]);
        assert_eq!(read.artifacts, Some(PathBuf::from("a b")));
        assert_eq!((read.max_results, read.log_level), (50, LogLevel::Warn));
        assert!(read.warnings.is_empty());
    }

    #[test]
    fn a_limit_out_of_range_is_a_warning_and_five() {
        for value in ["0", "51", "-1", "ten", "5.0", "99999999999"] {
            let read = environment(&[(MAX_RESULTS, value)]);
            assert_eq!(read.max_results, 5, "{value}");
            assert_eq!(read.warnings.len(), 1, "{value}");
            assert!(read.warnings[0].contains(value) && read.warnings[0].contains(MAX_RESULTS), "{value}");
        }
    }

    #[test]
    fn an_unknown_level_is_a_warning_and_info() {
        let read = environment(&[(LOG_LEVEL, "verbose")]);
        assert_eq!(read.log_level, LogLevel::Info);
        assert_eq!(read.warnings.len(), 1);
    }
}
