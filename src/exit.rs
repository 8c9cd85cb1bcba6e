//! How the process ends.

use std::process::ExitCode;

/// The exit codes, as scripts rely on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// What was asked for was done. Questions end so whatever they find.
    Done = 0,
    /// The operation says no: findings that stop a build, a damaged bundle, another hash, a refused target.
    Refused = 1,
    /// The command line or the environment asks for something that doesn't exist.
    Usage = 2,
    /// The system failed: something can't be read or written, or the disk is full.
    System = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_that_the_manual_promises() {
        let codes = [Exit::Done, Exit::Refused, Exit::Usage, Exit::System].map(|exit| exit as u8);
        assert_eq!(codes, [0, 1, 2, 3]);
    }

    #[test]
    fn a_code_reaches_the_system_as_it_is() {
        // `ExitCode` can't be compared, but its debug form tells.
        assert_eq!(format!("{:?}", ExitCode::from(Exit::System)), format!("{:?}", ExitCode::from(3)));
    }
}
