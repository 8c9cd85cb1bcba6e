//! What can be wrong with a bundle, and where.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::dictionary::ShardFault;
use crate::hash::ContentHash;
use crate::section::SectionKind;

/// A part of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Area {
    /// The first 128 bytes.
    Header,
    /// The section table.
    SectionTable,
    /// A section.
    Section(SectionKind),
    /// Bytes of the body that no known section covers: padding, or a section of a later version.
    Body,
    /// The list of chaining values behind the body.
    GroupList,
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("the header"),
            Self::SectionTable => f.write_str("the section table"),
            Self::Section(kind) => write!(f, "section {kind}"),
            Self::Body => f.write_str("the body"),
            Self::GroupList => f.write_str("the group list"),
        }
    }
}

/// What is wrong with bytes whose hash is right: they were made by a faulty or hostile writer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// Fewer bytes than the structure needs.
    #[error("{need} bytes are needed and {have} are there")]
    Short {
        /// Bytes needed.
        need: u64,
        /// Bytes there.
        have: u64,
    },
    /// A number isn't the one that it has to be.
    #[error("{what} is {found}, expected {expected}")]
    Unexpected {
        /// What the number is.
        what: &'static str,
        /// The number found.
        found: u64,
        /// The number expected.
        expected: u64,
    },
    /// A number is past its limit.
    #[error("{what} is {found}, the limit is {limit}")]
    TooLarge {
        /// What the number is.
        what: &'static str,
        /// The number found.
        found: u64,
        /// The highest number allowed.
        limit: u64,
    },
    /// Reserved bytes or padding aren't zero.
    #[error("reserved bytes or padding are not zero")]
    ReservedNotZero,
    /// Values that must ascend don't.
    #[error("{what} do not ascend")]
    NotAscending {
        /// What the values are.
        what: &'static str,
    },
    /// A section that every bundle has is missing.
    #[error("the section is missing")]
    Missing,
    /// A section has another layout version than this reader knows.
    #[error("the section has layout version {found}, this reader knows {known}")]
    SectionVersion {
        /// The version found.
        found: u32,
        /// The version known.
        known: u32,
    },
    /// rkyv refused the rows.
    #[error("the rows are not valid: {0}")]
    Rows(String),
    /// A text isn't UTF-8.
    #[error("a text is not UTF-8")]
    NotUtf8,
    /// A dictionary shard breaks a rule.
    #[error("the dictionary shard is not valid: {0}")]
    Shard(#[from] ShardFault),
    /// A dictionary of first keys and shards contradict each other.
    #[error("{0}")]
    Dictionary(&'static str),
    /// A postings block breaks a rule.
    #[error("the postings block is not valid: {0}")]
    Block(&'static str),
    /// A compressed frame can't be decoded to its recorded length.
    #[error("the compressed frame is not valid: {0}")]
    Frame(String),
    /// The facts don't hash to the knowledge hash of the header.
    #[error("the rows hash to another knowledge hash than the header's")]
    KnowledgeHash,
}

/// Why bytes of an open bundle can't be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Bytes changed since the bundle was written.
    #[error(
        "{area} is damaged: the bytes at offset {offset} do not match the bundle's hash; get the file again"
    )]
    Damaged {
        /// Where.
        area: Area,
        /// Offset in the file, in bytes.
        offset: u64,
    },
    /// The hash is right and the content breaks the format's rules.
    #[error(
        "{area} is malformed at offset {offset}: {problem}; rebuild the bundle with a trusted openmind-pack"
    )]
    Malformed {
        /// Where.
        area: Area,
        /// Offset in the file, in bytes.
        offset: u64,
        /// What is wrong.
        problem: Problem,
    },
    /// Following the content takes more steps than that of any well-made bundle of this size.
    #[error(
        "the bundle makes an answer take more than {limit} steps, which no well-made one of its size does; rebuild it \
         with a trusted openmind-pack"
    )]
    TooMuchWork {
        /// The steps allowed.
        limit: u64,
    },
}

impl ReadError {
    pub(crate) const fn malformed(area: Area, offset: u64, problem: Problem) -> Self {
        Self::Malformed { area, offset, problem }
    }
}

/// Why a file can't be opened as a bundle.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The operating system refused.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file doesn't begin as a bundle does.
    #[error("this is not an openmind-pack bundle: {reason}")]
    NotABundle {
        /// What it looks like instead.
        reason: &'static str,
    },
    /// The file ends early, or something was appended.
    #[error(
        "the bundle is cut short or has extra bytes: {reason} ({length} bytes are there); get the file again"
    )]
    Length {
        /// What doesn't fit.
        reason: &'static str,
        /// The length found, in bytes.
        length: u64,
    },
    /// Written by a later release.
    #[error(
        "the bundle has format {found} and needs a reader of format {needed} or later; this openmind-pack reads up to \
         format {known}: install a newer release"
    )]
    NewerFormat {
        /// Format of the bundle.
        found: u32,
        /// Reader version that it asks for.
        needed: u32,
        /// What this reader knows.
        known: u32,
    },
    /// Not the bundle that was asked for.
    #[error(
        "the bundle's content hash is {found}, expected {expected}: this is not the bundle that was asked for"
    )]
    UnexpectedHash {
        /// The hash asked for.
        expected: ContentHash,
        /// The hash in the file.
        found: ContentHash,
    },
    /// Damaged or malformed.
    #[error(transparent)]
    Read(#[from] ReadError),
}
