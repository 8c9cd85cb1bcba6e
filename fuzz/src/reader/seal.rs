//! Puts a group list and a trailer behind a body, as SPEC.md says ("Group list", "Trailer").

use blake3::hazmat::{ChainingValue, HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
use rkyv::util::AlignedVec;

use super::image::Image;

/// Offset of the body's length in the header.
pub const BODY_LENGTH: usize = 24;
/// Offset of the file's length in the header.
pub const FILE_LENGTH: usize = 32;
/// Offset of the number of sections in the header.
pub const SECTION_COUNT: usize = 48;
/// Offset of the knowledge hash in the header.
pub const KNOWLEDGE_HASH: usize = 64;
/// Bytes of a group.
pub const GROUP: usize = 1 << 16;
/// Bytes of the trailer.
pub const TRAILER: usize = 80;

fn group_value(index: usize, group: &[u8]) -> ChainingValue {
    let mut hasher = blake3::Hasher::new();
    hasher.set_input_offset((index * GROUP) as u64);
    hasher.update(group);
    hasher.finalize_non_root()
}

/// The chaining values of a body's groups. No body here has more than the one block that needs no value of its own.
pub fn group_values(body: &[u8]) -> Vec<ChainingValue> {
    body.chunks(GROUP).enumerate().map(|(index, group)| group_value(index, group)).collect()
}

fn merge(values: &[ChainingValue]) -> ChainingValue {
    if let [only] = values {
        return *only;
    }
    let (left, right) = values.split_at(1 << (values.len() - 1).ilog2());
    merge_subtrees_non_root(&merge(left), &merge(right), Mode::Hash)
}

/// Length of the file around a body of this length.
pub fn file_length(body: usize) -> usize {
    let groups = body.div_ceil(GROUP);
    body + if groups > 1 { groups * 32 } else { 0 } + TRAILER
}

/// The file around an image's body, its hash right. Only groups that were written to are hashed.
pub fn seal(image: &Image<'_>) -> AlignedVec<64> {
    let body = &image.bytes[..image.body];
    let mut file = AlignedVec::with_capacity(file_length(body.len()));
    file.extend_from_slice(body);
    let groups = body.len().div_ceil(GROUP);
    let hash = if groups > 1 {
        let values: Vec<_> = body
            .chunks(GROUP)
            .enumerate()
            .map(|(index, group)| match image.pristine.values.get(index) {
                Some(value) if !image.dirty.get(index) => *value,
                _ => group_value(index, group),
            })
            .collect();
        values.iter().for_each(|value| file.extend_from_slice(value));
        let (left, right) = values.split_at(1 << (groups - 1).ilog2());
        merge_subtrees_root(&merge(left), &merge(right), Mode::Hash)
    } else {
        blake3::hash(body)
    };
    file.extend_from_slice(hash.as_bytes());
    for length in [body.len(), if groups > 1 { groups * 32 } else { 0 }, file_length(body.len())] {
        file.extend_from_slice(&(length as u64).to_le_bytes());
    }
    file.extend_from_slice(&[0; 16]);
    file.extend_from_slice(&body[..8]);
    file
}
