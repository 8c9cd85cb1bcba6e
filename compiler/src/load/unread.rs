//! Values that no field takes: what the grammar of JSON leaves open is checked in them all the same.

use std::borrow::Cow;
use std::collections::HashMap;

use super::context::Context;
use super::cursor::{Cursor, Step};
use super::path::Path;
use super::record::key_text;

/// How often each key of one object was seen. Takes no memory until there is a key.
#[derive(Default)]
pub(super) struct Keys<'t>(Option<HashMap<Cow<'t, str>, u32>>);

impl<'t> Keys<'t> {
    /// Notes a key; how many equal ones were noted before.
    pub(super) fn note(&mut self, key: Cow<'t, str>) -> u32 {
        let count = self.0.get_or_insert_default().entry(key).or_default();
        std::mem::replace(count, count.saturating_add(1))
    }
}

/// A key of an object, checked.
pub(super) struct Key<'t> {
    /// What it says; as it is written, quotes and all, where that is no text.
    pub(super) text: Cow<'t, str>,
    /// How many equal ones stand before it.
    pub(super) before: u32,
    /// Whether it is text: no half of a surrogate pair in it.
    pub(super) is_whole: bool,
}

impl Context<'_> {
    /// Looks through a value that is passed over: `raw` is valid JSON.
    pub(super) fn unread(&mut self, at: &Path<'_>, raw: &str) {
        self.check_depth(at, raw);
        // It is valid, and so walked to its end.
        let _ = walk(self, at, &mut Cursor::new(raw));
    }

    /// [`Context::unread`] of a value of a wrong type. Of a scalar nothing is left to say.
    pub(super) fn unread_container(&mut self, at: &Path<'_>, raw: &str) {
        if raw.starts_with(['[', '{']) {
            self.unread(at, raw);
        }
    }

    /// A pair that is passed over; `keys` are those of its object, which is at `object`.
    pub(super) fn unread_pair<'t>(
        &mut self,
        object: &Path<'_>,
        keys: &mut Keys<'t>,
        key: &'t str,
        raw: &str,
    ) -> Key<'t> {
        let key = self.check_key(object, keys, key);
        self.unread(&object.key_again(&key.text, key.before), raw);
        key
    }

    /// Reports a key that is no text, or that its object has already.
    pub(super) fn check_key<'t>(&mut self, object: &Path<'_>, keys: &mut Keys<'t>, raw: &'t str) -> Key<'t> {
        let whole = key_text(raw);
        let is_whole = whole.is_some();
        let text = whole.unwrap_or(Cow::Borrowed(raw));
        let before = keys.note(text.clone());
        if !is_whole {
            // No pointer can name it: its object stands for it.
            self.lone_surrogate(object, raw);
        } else if before > 0 {
            self.duplicate_key(&object.key_again(&text, before), &text);
        }
        Key { text, before, is_whole }
    }
}

/// Passes a value. Recursion ends at the limit of depth; what is deeper was reported as that.
fn walk(cx: &mut Context<'_>, at: &Path<'_>, cursor: &mut Cursor<'_>) -> Step {
    match cursor.next()? {
        b'{' if at.depth < cx.limits.depth => {
            let mut keys = Keys::default();
            let mut more = cursor.open(b'}')?;
            while more {
                let raw = cursor.key()?;
                let key = cx.check_key(at, &mut keys, raw);
                cursor.colon()?;
                walk(cx, &at.key_again(&key.text, key.before), cursor)?;
                more = cursor.another(b'}')?;
            }
            Some(())
        }
        b'[' if at.depth < cx.limits.depth => {
            let (mut index, mut more) = (0, cursor.open(b']')?);
            while more {
                walk(cx, &at.index(index), cursor)?;
                index += 1;
                more = cursor.another(b']')?;
            }
            Some(())
        }
        b'"' => {
            let start = cursor.at;
            cursor.string()?;
            let raw = cursor.since(start)?;
            if key_text(raw).is_none() {
                cx.lone_surrogate(at, raw);
            }
            Some(())
        }
        _ => cursor.skip(),
    }
}
