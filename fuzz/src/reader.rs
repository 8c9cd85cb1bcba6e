//! Spoiled bundles into the reader: opened, verified and asked all five operations. It gives an answer or an error,
//! whatever the bytes, within bounds.
//!
//! An input is a script: which bundle, four questions, and edits of it. Most scripts then seal the bundle, so that its
//! hash is right and the reader meets what a hostile writer could publish; the others leave it damaged.

mod ask;
mod image;
mod mutate;
mod pristine;
mod seal;

use openmind_pack_engine::Bundle;
use openmind_pack_engine::ops::CallError;
use openmind_pack_format::{SectionKind, knowledge_hash};

use crate::script::Script;
use ask::{Answers, Questions};
use image::Image;
use pristine::Pristine;

/// Most bytes of one answer: the engine's allowance, and as much again for escapes.
const MAX_ANSWER_BYTES: usize = 128 << 20;

/// What a script does besides its edits. Each is a bit of its second byte.
mod flag {
    /// The hash is left as it was.
    pub(super) const UNSEALED: u8 = 1;
    /// Checksums of shards are left as they were.
    pub(super) const CHECKSUMS: u8 = 2;
    /// The knowledge hash is set to that of the spoiled facts, where they have one.
    pub(super) const KNOWLEDGE: u8 = 4;
    /// The bundle is verified before it is asked, and not after.
    pub(super) const VERIFIED_FIRST: u8 = 8;
    /// Everything is asked twice.
    pub(super) const TWICE: u8 = 16;
}

/// Spoils a bundle as the input says and reads it.
pub fn run(data: &[u8]) {
    let mut script = Script::new(data);
    let pristine = pristine::chosen(script.u8());
    let flags = script.u8();
    let has = |flag| flags & flag != 0;
    let questions = Questions::read(&mut script, pristine);
    let mut image = Image::of(pristine);
    mutate::apply(&mut script, &mut image);
    if has(flag::UNSEALED) {
        return damaged(pristine, image, &questions);
    }
    if !has(flag::CHECKSUMS) {
        image.fix_checksums();
    }
    if has(flag::KNOWLEDGE) {
        let found = Bundle::from_aligned(seal::seal(&image), None);
        if let Some(hash) = found.ok().and_then(|bundle| knowledge_hash(&bundle).ok()) {
            image.put(seal::KNOWLEDGE_HASH, hash.as_bytes());
        }
    }
    match Bundle::from_aligned(seal::seal(&image), None) {
        Ok(bundle) => sealed(&bundle, &questions, flags),
        Err(error) => drop(error.to_string()),
    }
}

/// Reads a bundle whose hash is right.
fn sealed(bundle: &Bundle, questions: &Questions, flags: u8) {
    let verify = || {
        bundle.verify().expect("a sealed bundle has the hash that it says");
        assert!(bundle.inventory().len() <= SectionKind::ALL.len());
        bundle.verify_deep().map_err(|error| drop(error.to_string())).is_ok()
    };
    let mut sound = flags & flag::VERIFIED_FIRST != 0 && verify();
    let answers = questions.ask(bundle);
    if flags & flag::TWICE != 0 {
        assert_eq!(questions.ask(bundle), answers, "one bundle and one question give one answer");
    }
    if flags & flag::VERIFIED_FIRST == 0 {
        sound = verify();
    }
    if !sound {
        read_originals(bundle);
    }
    check(&answers, sound);
}

/// Reads what `verify --deep` may not have come to.
fn read_originals(bundle: &Bundle) {
    let count = bundle.artifact_count().unwrap_or(0).min(2);
    for artifact in 0..count {
        let _ = bundle.read_original(artifact, |_| ());
    }
}

fn check(answers: &Answers, sound: bool) {
    for (question, answer) in answers {
        match answer {
            Ok(answer) => assert!(answer.len() <= MAX_ANSWER_BYTES, "{question} has a huge answer"),
            Err(CallError::Panicked) => panic!("{question} panicked"),
            Err(error @ CallError::Damaged { .. }) => {
                assert!(!sound, "verify --deep finds nothing wrong, yet {question} fails: {error}");
            }
            Err(error) => drop(error.to_string()),
        }
    }
}

/// Reads a bundle whose bytes were changed: it is noticed, or it doesn't matter.
fn damaged(pristine: &Pristine, image: Image<'_>, questions: &Questions) {
    let changed = *image.bytes != *pristine.bytes;
    let Ok(bundle) = Bundle::from_aligned(image.bytes, None) else {
        assert!(changed, "a sound bundle opens");
        return;
    };
    let answers = questions.ask(&bundle);
    for ((question, answer), (_, expected)) in answers.iter().zip(&questions.ask(&pristine.opened)) {
        match answer {
            Err(CallError::Damaged { .. }) => assert!(changed, "{question} fails on a sound bundle"),
            answer => assert_eq!(answer, expected, "{question} is answered from damaged bytes"),
        }
    }
    assert_eq!(bundle.verify().is_err(), changed, "verify notices every change");
}
