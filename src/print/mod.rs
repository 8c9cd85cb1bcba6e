//! Human output: a page is made here and shown by the console.

mod answers;
mod findings;
mod number;
mod page;
mod reports;
mod style;
mod text;

pub(crate) use answers::answer;
pub(crate) use findings::{findings, severities};
pub(crate) use page::Page;
pub(crate) use reports::{built, demo_step, inspected, origin, unpacked, verified};
pub(crate) use text::shown;

use crate::failure::Failure;
use style::{BAD, FAINT, Styled, WARN};

/// A warning, as standard error shows it.
pub(crate) fn warning(message: &str) -> Page {
    let mut page = Page::new(None);
    page.hanging(0, "warning: ", WARN, message);
    page
}

/// A failure, as standard error shows it.
pub(crate) fn failure(failure: &Failure) -> Page {
    let mut page = Page::new(None);
    page.line(format_args!("{} {}", Styled(BAD, "error:"), shown(&failure.message)));
    for hint in &failure.hints {
        page.line(format_args!(" {} {}", Styled(FAINT, "hint:"), shown(hint)));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shows_no_control_characters_of_a_path() {
        let page = super::failure(&Failure::refused("damaged", "a\u{1b}[2Jb: bad").hint("c\nd"));
        let text = anstream::adapter::strip_str(page.text()).to_string();
        assert_eq!(text, "error: a\\u{1b}[2Jb: bad\n hint: c\\nd\n");
    }
}
