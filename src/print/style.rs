//! The few styles, by meaning.

use std::fmt::{self, Display};

use anstyle::{AnsiColor, Style};

/// `file:line`.
pub(crate) const PLACE: Style = AnsiColor::Cyan.on_default();
/// What is asked about.
pub(crate) const NAME: Style = Style::new().bold();
/// Labels, marks and what may be skipped.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Done, supported.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Warnings, and answers that refuse.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
/// Errors.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// As it comes.
pub(crate) const PLAIN: Style = Style::new();

/// A value within the marks of its style.
pub(crate) struct Styled<T>(pub(crate) Style, pub(crate) T);

impl<T: Display> Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{:#}", self.0, self.1, self.0)
    }
}
