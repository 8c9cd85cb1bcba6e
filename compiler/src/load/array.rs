//! A JSON array of objects or of leaves.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::context::Context;
use super::path::Path;
use super::record::{Leaf, Object, Record, pass_pairs, wrong_types};
use crate::findings::Code;

/// What an array holds.
pub(super) trait Element<'de, 'm> {
    /// Reads and hands on the next element; false at the end.
    fn next<A: SeqAccess<'de>>(
        &mut self,
        cx: &mut Context<'m>,
        at: &Path<'_>,
        seq: &mut A,
    ) -> Result<bool, A::Error>;
}

/// Objects, each handed to `each`.
pub(super) struct ObjectElement<R, F> {
    each: F,
    record: PhantomData<R>,
}

impl<R, F> ObjectElement<R, F> {
    pub(super) fn new(each: F) -> Self {
        ObjectElement { each, record: PhantomData }
    }
}

impl<'de, 'm, R: Record, F: FnMut(&mut Context<'m>, R)> Element<'de, 'm> for ObjectElement<R, F> {
    fn next<A: SeqAccess<'de>>(
        &mut self,
        cx: &mut Context<'m>,
        at: &Path<'_>,
        seq: &mut A,
    ) -> Result<bool, A::Error> {
        match seq.next_element_seed(Object::<R>::new(cx, at))? {
            None => Ok(false),
            Some(None) => Ok(true),
            Some(Some(record)) => {
                (self.each)(cx, record);
                Ok(true)
            }
        }
    }
}

/// Leaves, each handed to `each`.
pub(super) struct LeafElement<T, F> {
    read: Leaf<T>,
    each: F,
}

impl<T, F> LeafElement<T, F> {
    pub(super) fn new(read: Leaf<T>, each: F) -> Self {
        LeafElement { read, each }
    }
}

impl<'de, 'm, T, F: FnMut(&mut Context<'m>, T)> Element<'de, 'm> for LeafElement<T, F> {
    fn next<A: SeqAccess<'de>>(
        &mut self,
        cx: &mut Context<'m>,
        at: &Path<'_>,
        seq: &mut A,
    ) -> Result<bool, A::Error> {
        let Some(raw) = seq.next_element::<&'de RawValue>()? else { return Ok(false) };
        let leaf = (self.read)(cx, at, raw.get());
        (self.each)(cx, leaf);
        Ok(true)
    }
}

/// Reads one array.
pub(super) struct Array<'a, 'm, L> {
    cx: &'a mut Context<'m>,
    at: &'a Path<'a>,
    element: L,
}

impl<'a, 'm, L> Array<'a, 'm, L> {
    pub(super) fn new(cx: &'a mut Context<'m>, at: &'a Path<'a>, element: L) -> Self {
        Array { cx, at, element }
    }

    fn wrong(self, found: &str) {
        self.cx.wrong_type(self.at, "an array", found);
    }
}

impl<'de, 'm, L: Element<'de, 'm>> DeserializeSeed<'de> for Array<'_, 'm, L> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, 'm, L: Element<'de, 'm>> Visitor<'de> for Array<'_, 'm, L> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    wrong_types!(wrong, None);

    fn visit_unit<E: Error>(self) -> Result<Option<usize>, E> {
        self.wrong("`null`");
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<usize>, A::Error> {
        pass_pairs(self.cx, self.at, &mut map)?;
        self.wrong("an object");
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Option<usize>, A::Error> {
        let most = self.cx.limits.entries;
        for count in 0..most {
            if !self.element.next(self.cx, &self.at.index(count), &mut seq)? {
                return Ok(Some(count));
            }
        }
        let mut count = most;
        while seq.next_element::<&'de RawValue>()?.is_some() {
            count += 1;
        }
        if count == most {
            return Ok(Some(count));
        }
        let message = || format!("the list has {count} entries; at most {most} are read");
        self.cx.report.value(Code::TooManyEntries, self.at, message);
        Ok(None)
    }
}
