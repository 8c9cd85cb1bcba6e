//! A JSON object whose keys are data.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::context::Context;
use super::path::Path;
use super::record::{Leaf, pass_elements, wrong_types};
use super::unread::Keys;

/// Reads the pairs and hands each to `each`: its place, its key and its leaf.
pub(super) struct Pairs<'a, 'm, T, F> {
    cx: &'a mut Context<'m>,
    at: &'a Path<'a>,
    read: Leaf<T>,
    each: F,
}

impl<'a, 'm, T, F> Pairs<'a, 'm, T, F> {
    pub(super) fn new(cx: &'a mut Context<'m>, at: &'a Path<'a>, read: Leaf<T>, each: F) -> Self {
        Pairs { cx, at, read, each }
    }

    fn wrong(self, found: &str) {
        self.cx.wrong_type(self.at, "an object", found);
    }
}

impl<'de, 'm, T, F> DeserializeSeed<'de> for Pairs<'_, 'm, T, F>
where
    F: FnMut(&mut Context<'m>, &Path<'_>, &str, T),
{
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, 'm, T, F> Visitor<'de> for Pairs<'_, 'm, T, F>
where
    F: FnMut(&mut Context<'m>, &Path<'_>, &str, T),
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    wrong_types!(wrong, ());

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.wrong("`null`");
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        pass_elements(self.cx, self.at, &mut seq)?;
        self.wrong("an array");
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        let mut keys = Keys::default();
        while let Some(raw) = map.next_key::<&'de RawValue>()? {
            let value: &'de RawValue = map.next_value()?;
            let key = self.cx.check_key(self.at, &mut keys, raw.get());
            let at = self.at.key_again(&key.text, key.before);
            if key.is_whole && key.before == 0 {
                let leaf = (self.read)(self.cx, &at, value.get());
                (self.each)(self.cx, &at, &key.text, leaf);
            } else {
                self.cx.unread(&at, value.get());
            }
        }
        Ok(())
    }
}
