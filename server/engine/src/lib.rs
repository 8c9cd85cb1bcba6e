//! Answers questions from a bundle: pure, synchronous, deterministic.
