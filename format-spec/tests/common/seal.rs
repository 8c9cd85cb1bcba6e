//! Group list and trailer for a body, done from SPEC.md and apart from the crate's own code: for tests that change a
//! bundle and want its hashes right.

use blake3::hazmat::{HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};

const GROUP: usize = 1 << 16;
const BLOCK_GROUPS: usize = 256;
const MAGIC: [u8; 8] = [0x89, b'O', b'M', b'P', 0x0d, 0x0a, 0x1a, 0x0a];

fn merged(values: &[[u8; 32]]) -> [u8; 32] {
    match values {
        [only] => *only,
        _ => {
            let (left, right) = values.split_at(values.len().next_power_of_two() / 2);
            merge_subtrees_non_root(&merged(left), &merged(right), Mode::Hash)
        }
    }
}

/// The file of a body of at least one byte.
pub(crate) fn seal(body: &[u8]) -> Vec<u8> {
    let mut list: Vec<[u8; 32]> = Vec::new();
    let mut hash = *blake3::hash(body).as_bytes();
    if body.len() > GROUP {
        for (index, group) in body.chunks(GROUP).enumerate() {
            let mut hasher = blake3::Hasher::new();
            hasher.set_input_offset((index * GROUP) as u64);
            list.push(hasher.update(group).finalize_non_root());
        }
        let blocks: Vec<_> = list.chunks(BLOCK_GROUPS).map(merged).collect();
        let top = if blocks.len() > 1 { &blocks } else { &list };
        let (left, right) = top.split_at(top.len().next_power_of_two() / 2);
        let root = merge_subtrees_root(&merged(left), &merged(right), Mode::Hash);
        assert_eq!(root.as_bytes(), &hash, "the values merge to the plain hash");
        hash = *root.as_bytes();
        if blocks.len() > 1 {
            list.extend(blocks);
        }
    }
    let list = list.concat();
    let length = body.len() + list.len() + 80;
    let mut file = body.to_vec();
    file.extend(&list);
    file.extend(hash);
    for number in [body.len(), list.len(), length] {
        file.extend((number as u64).to_le_bytes());
    }
    file.extend([0; 16]);
    file.extend(MAGIC);
    file
}
