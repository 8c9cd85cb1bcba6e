//! What loading a directory finds: every case spoils a small sound directory and names each finding by hand.

mod base;
mod capped;
mod citations;
mod directory;
mod hostile;
mod json;
mod published;
mod sound;
mod structure;
