//! The one way to standard output, and the one to standard error.

use std::io::{self, IsTerminal, Write};

use crate::envelope::{Named, envelope};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print::{self, Page};

/// Columns of a text where the terminal's width can't be had, and the most that prose takes anywhere.
const PROSE_COLUMNS: usize = 100;

/// The process's streams. Human text is styled when it is made; whether the styles reach the stream is decided here,
/// by `NO_COLOR`, `CLICOLOR_FORCE` and what the stream is.
pub(crate) struct Console {
    command: &'static str,
    json: bool,
}

impl Console {
    /// The streams for one command, which answers in one JSON line or in human text.
    pub(crate) fn new(command: &'static str, json: bool) -> Self {
        Self { command, json }
    }

    /// Whether one JSON line is wanted instead of human text.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// An empty page of the width that standard output has.
    pub(crate) fn page(&self) -> Page {
        // Prose is broken for eyes only: a pipe gets each text on one line.
        let columns = io::stdout().is_terminal().then(|| terminal_columns().min(PROSE_COLUMNS));
        Page::new(columns)
    }

    /// Prints a page on standard output.
    pub(crate) fn print(&self, page: &Page) -> Result<(), Failure> {
        let written = {
            let mut stream = anstream::stdout().lock();
            stream.write_all(page.text().as_bytes()).and_then(|()| stream.flush())
        };
        written_or_unread(written)
    }

    /// Prints the envelope around a result, which is one compact JSON value.
    pub(crate) fn print_envelope(&self, bundle: Option<&Named>, result: &str) -> Result<(), Failure> {
        let mut line = envelope(self.command, bundle, result);
        line.push('\n');
        self.print_raw(&line)
    }

    /// Prints bytes as they are.
    pub(crate) fn print_raw(&self, text: &str) -> Result<(), Failure> {
        let written = {
            let mut stream = io::stdout().lock();
            stream.write_all(text.as_bytes()).and_then(|()| stream.flush())
        };
        written_or_unread(written)
    }

    /// Prints a page on standard error. Where that can't be written, nobody is there to be told.
    pub(crate) fn diagnose(&self, page: &Page) {
        let mut stream = anstream::stderr().lock();
        let _ = stream.write_all(page.text().as_bytes()).and_then(|()| stream.flush());
    }

    /// Prints a warning on standard error.
    pub(crate) fn warn(&self, message: &str) {
        self.diagnose(&print::warning(message));
    }

    /// Tells of a failure: on standard error, and as an envelope where a script waits for one.
    pub(crate) fn fail(&self, failure: &Failure) -> Exit {
        if self.json && failure.exit == Exit::Refused {
            // That the envelope can't be printed doesn't change what the operation says.
            let _ = self.print_envelope(None, &failure.to_result().to_string());
        }
        self.diagnose(&print::failure(failure));
        failure.exit
    }
}

/// A reader that leaves early has what it wanted; anything else is a failure of the system.
pub(crate) fn written_or_unread(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::system("cannot write to standard output", &error))
        }
        _ => Ok(()),
    }
}

/// Columns of the terminal, where there is one.
fn terminal_columns() -> usize {
    terminal_size::terminal_size().map_or(PROSE_COLUMNS, |(width, _)| usize::from(width.0).max(40))
}
