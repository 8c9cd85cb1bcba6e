//! Storms: bundles that are swapped, cut short, overwritten and deleted under servers and commands, as fast as it goes. Each
//! answer is that of a good bundle, byte for byte, or says that there is none; nothing dies.
//!
//! `OPENMIND_PACK_STORM` says how many changes a storm makes (300); run a longer one with
//! `OPENMIND_PACK_STORM=10000 cargo test --test storm -- --nocapture`.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::sync::atomic::{AtomicBool, Ordering};

mod client;
#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod common;
mod cut;
mod knowledge;
#[path = "../real_data/random.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod random;
mod swap;

/// Ends a storm for those who watch `over`, also where it ends by a failure: they would go on for ever.
struct Weather<'a>(&'a AtomicBool);

impl Drop for Weather<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// How many changes a storm makes.
fn changes() -> usize {
    let wish = std::env::var("OPENMIND_PACK_STORM").ok();
    wish.map_or(300, |wish| wish.parse().expect("OPENMIND_PACK_STORM is a number"))
}
