//! A build's progress on a terminal.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use openmind_pack_compiler::{Progress, Stage};

/// How often a stage without a measure shows that it lives.
const TICK: Duration = Duration::from_millis(120);

/// One line on standard error, there while the build runs and only where that is a terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
    /// The furthest stage that began. Stages overlap, and the line must not jump back.
    stage: Mutex<Option<Stage>>,
}

impl Bar {
    /// A bar on standard error; indicatif hides it where no terminal is there.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(TICK);
        Self { bar, stage: Mutex::new(None) }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn start(&self, stage: Stage, total: u64) {
        let mut furthest = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if furthest.is_some_and(|furthest| stage <= furthest) {
            return;
        }
        *furthest = Some(stage);
        let template = if total > 0 {
            "{msg:22} [{bar:32}] {bytes:>10} of {total_bytes}"
        } else {
            "{msg:22} {spinner} {elapsed}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
        self.bar.set_length(total);
        self.bar.set_position(0);
        self.bar.set_message(stage.label());
    }

    fn advance(&self, stage: Stage, amount: u64) {
        let furthest = self.stage.lock().unwrap_or_else(PoisonError::into_inner);
        if *furthest == Some(stage) {
            self.bar.inc(amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_that_overlaps_a_later_one_does_not_turn_the_line_back() {
        let bar = Bar::new();
        bar.start(Stage::Compress, 100);
        bar.advance(Stage::Compress, 30);
        bar.start(Stage::Load, 0);
        bar.advance(Stage::Load, 5);
        assert_eq!((bar.bar.message().as_str(), bar.bar.position()), (Stage::Compress.label(), 30));
        bar.start(Stage::Index, 0);
        assert_eq!((bar.bar.message().as_str(), bar.bar.position()), (Stage::Index.label(), 0));
    }
}
