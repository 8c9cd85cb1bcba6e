//! Dictionaries built in parallel, with the same bytes at any number of threads.

use openmind_pack_format::dictionary::{BuiltShard, build_shards};
use rayon::prelude::*;

use crate::error::CompileError;

/// Keys that one task turns into shards. Fixed, since a task's last shard is cut short.
const KEYS_PER_TASK: usize = 1 << 16;

/// The shards of `count` keys in strictly ascending order.
pub(crate) fn build_dictionary<'k>(
    count: usize,
    key: impl Fn(usize) -> &'k [u8] + Sync,
) -> Result<Vec<BuiltShard>, CompileError> {
    let tasks: Vec<Vec<BuiltShard>> = (0..count.div_ceil(KEYS_PER_TASK))
        .into_par_iter()
        .map(|task| {
            let first = task * KEYS_PER_TASK;
            let end = (first + KEYS_PER_TASK).min(count);
            let mut shards = build_shards((first..end).map(&key))?;
            for shard in &mut shards {
                shard.first_ordinal += first as u32;
            }
            Ok(shards)
        })
        .collect::<Result<_, CompileError>>()?;
    Ok(tasks.into_iter().flatten().collect())
}
