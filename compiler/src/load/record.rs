//! JSON straight into rows: one pass, no tree, and no end at the first mistake.
//!
//! `serde_json` cuts the text; only a text that isn't JSON is an error to it. Every leaf and key is taken as its raw text, so that the loader itself
//! says what fits: a number keeps its spelling, a lone surrogate spoils one string and not the file, and no depth can overflow a stack, since raw
//! values are passed over without recursion. Containers go through visitors that accept every type and report the wrong ones.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::array::{Array, LeafElement, ObjectElement};
use super::careful;
use super::context::Context;
use super::pairs::Pairs;
use super::path::Path;
use super::unread::Keys;
use crate::findings::Code;

/// A field of a record.
pub(super) struct Field {
    name: &'static str,
    required: bool,
}

/// A field that every record has.
pub(super) const fn required(name: &'static str) -> Field {
    Field { name, required: true }
}

/// A field that may be missing.
pub(super) const fn optional(name: &'static str) -> Field {
    Field { name, required: false }
}

/// The most fields of a record.
const MOST_FIELDS: usize = 8;

/// A JSON object with known fields. What isn't read keeps its default.
pub(super) trait Record: Default {
    /// The known fields, at most [`MOST_FIELDS`], in the order in which the generator writes them.
    const FIELDS: &'static [Field];

    /// The field that a bare array in place of the object stands for.
    const BARE: Option<usize> = None;

    /// Reads the value of `FIELDS[field]`: takes it from `value` exactly once.
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error>;

    /// Looks at a field that isn't known, and that was looked through. Its text is in the original file, whatever happens here.
    fn unknown(&mut self, _cx: &mut Context<'_>, _at: &Path<'_>, _raw: &str) {}
}

/// How a leaf is read: from its raw text.
pub(super) type Leaf<T> = fn(&mut Context<'_>, &Path<'_>, &str) -> T;

/// The value of a key, not read yet.
pub(super) struct Value<'v, 'm, A> {
    pub(super) cx: &'v mut Context<'m>,
    pub(super) at: Path<'v>,
    map: &'v mut A,
}

impl<'de, 'm, A: MapAccess<'de>> Value<'_, 'm, A> {
    /// A string, a number, or anything else that isn't a container.
    pub(super) fn leaf<T>(&mut self, read: Leaf<T>) -> Result<T, A::Error> {
        let raw: &'de RawValue = self.map.next_value()?;
        Ok(read(self.cx, &self.at, raw.get()))
    }

    /// An object; `None` where it is something else.
    pub(super) fn record<R: Record>(&mut self) -> Result<Option<R>, A::Error> {
        self.map.next_value_seed(Object::<R>::new(self.cx, &self.at))
    }

    /// An object or null; `None` where it isn't an object.
    pub(super) fn nullable_record<R: Record>(&mut self) -> Result<Option<R>, A::Error> {
        let object = Object::<R>::new(self.cx, &self.at);
        self.map.next_value_seed(Object { nullable: true, ..object })
    }

    /// An array of objects, each handed on when it has been read. Returns how many elements there are, objects or not; `None` where it isn't an
    /// array, or is longer than the limit.
    pub(super) fn records<R: Record>(
        &mut self,
        each: impl FnMut(&mut Context<'m>, R),
    ) -> Result<Option<usize>, A::Error> {
        self.map.next_value_seed(Array::new(self.cx, &self.at, ObjectElement::<R, _>::new(each)))
    }

    /// An array of leaves, each handed on. Returns as [`Value::records`].
    pub(super) fn leaves<T>(
        &mut self,
        read: Leaf<T>,
        each: impl FnMut(&mut Context<'m>, T),
    ) -> Result<Option<usize>, A::Error> {
        self.map.next_value_seed(Array::new(self.cx, &self.at, LeafElement::new(read, each)))
    }

    /// An object whose keys are data, each pair handed on as the key's text and the leaf.
    pub(super) fn pairs<T>(
        &mut self,
        read: Leaf<T>,
        each: impl FnMut(&mut Context<'m>, &Path<'_>, &str, T),
    ) -> Result<(), A::Error> {
        self.map.next_value_seed(Pairs::new(self.cx, &self.at, read, each))
    }
}

/// Reads the record that is a whole file; `None` where the file holds something else.
pub(super) fn read_file<R: Record>(cx: &mut Context<'_>, text: &str) -> Result<Option<R>, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_str(text);
    let before = cx.report.clone();
    let record = match Object::<R>::new(cx, &Path::ROOT).deserialize(&mut json) {
        Err(error) if careful::helps(&error) => {
            // The file has an error now, so what the first reading left in the model is of no account.
            *cx.report = before;
            json = serde_json::Deserializer::from_str(text);
            Object::<R>::new(cx, &Path::ROOT).deserialize(careful::File { json: &mut json, text })?
        }
        record => record?,
    };
    if let Err(error) = json.end() {
        cx.trailing(&error, text);
    }
    Ok(record)
}

/// The visitor methods for what isn't the wanted container. Each reports and reads on.
macro_rules! wrong_types {
    ($wrong:ident, $nothing:expr) => {
        fn visit_bool<E: Error>(self, v: bool) -> Result<Self::Value, E> {
            self.$wrong(&format!("`{v}`"));
            Ok($nothing)
        }

        fn visit_i64<E: Error>(self, v: i64) -> Result<Self::Value, E> {
            self.$wrong(&format!("the number {v}"));
            Ok($nothing)
        }

        fn visit_u64<E: Error>(self, v: u64) -> Result<Self::Value, E> {
            self.$wrong(&format!("the number {v}"));
            Ok($nothing)
        }

        fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
            self.$wrong("a number");
            Ok($nothing)
        }

        fn visit_str<E: Error>(self, v: &str) -> Result<Self::Value, E> {
            self.$wrong(&format!("the string {}", $crate::load::found::quoted(v)));
            Ok($nothing)
        }
    };
}

pub(super) use wrong_types;

/// Reads one object.
pub(super) struct Object<'a, 'm, R> {
    cx: &'a mut Context<'m>,
    at: &'a Path<'a>,
    nullable: bool,
    record: std::marker::PhantomData<R>,
}

impl<'a, 'm, R: Record> Object<'a, 'm, R> {
    pub(super) fn new(cx: &'a mut Context<'m>, at: &'a Path<'a>) -> Self {
        const { assert!(R::FIELDS.len() <= MOST_FIELDS) };
        Object { cx, at, nullable: false, record: std::marker::PhantomData }
    }

    fn wrong(self, found: &str) {
        let expected = match (self.nullable, R::BARE) {
            (true, _) => "an object or null",
            (false, Some(_)) => "an object or an array",
            (false, None) => "an object",
        };
        self.cx.wrong_type(self.at, expected, found);
    }
}

impl<'de, R: Record> DeserializeSeed<'de> for Object<'_, '_, R> {
    type Value = Option<R>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<R>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, R: Record> Visitor<'de> for Object<'_, '_, R> {
    type Value = Option<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    wrong_types!(wrong, None);

    fn visit_unit<E: Error>(self) -> Result<Option<R>, E> {
        if !self.nullable {
            self.wrong("`null`");
        }
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Option<R>, A::Error> {
        let Some(field) = R::BARE else {
            pass_elements(self.cx, self.at, &mut seq)?;
            self.wrong("an array");
            return Ok(None);
        };
        let mut record = R::default();
        record.read(field, &mut Value { cx: self.cx, at: *self.at, map: &mut Bare(Some(seq)) })?;
        Ok(Some(record))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<R>, A::Error> {
        let Object { cx, at, .. } = self;
        let mut record = R::default();
        // How often each field was seen, and which one the generator would write next.
        let (mut seen, mut next) = ([0u32; MOST_FIELDS], 0);
        let mut unknown = Keys::default();
        while let Some(raw) = map.next_key::<&'de RawValue>()? {
            let Some(field) = find::<R>(raw.get(), next) else {
                let value: &'de RawValue = map.next_value()?;
                let key = cx.unread_pair(at, &mut unknown, raw.get(), value.get());
                if key.is_whole && key.before == 0 {
                    record.unknown(cx, &at.key(&key.text), value.get());
                }
                continue;
            };
            next = field + 1;
            let name = R::FIELDS.get(field).map_or("", |field| field.name);
            let before = seen.get_mut(field).map_or(0, |seen| std::mem::replace(seen, *seen + 1));
            let value_at = at.key_again(name, before);
            if before == 0 {
                record.read(field, &mut Value { cx: &mut *cx, at: value_at, map: &mut map })?;
            } else {
                cx.duplicate_key(&value_at, name);
                let value: &'de RawValue = map.next_value()?;
                cx.unread(&value_at, value.get());
            }
        }
        for (field, seen) in R::FIELDS.iter().zip(seen) {
            if field.required && seen == 0 {
                let missing = || format!("the field `{}` is missing", field.name);
                cx.report.value(Code::MissingField, at, missing);
            }
        }
        Ok(Some(record))
    }
}

/// The field that a raw key names; `next` is the likeliest.
fn find<R: Record>(raw: &str, next: usize) -> Option<usize> {
    let named = |key: &str| {
        if R::FIELDS.get(next).is_some_and(|field| field.name == key) {
            return Some(next);
        }
        R::FIELDS.iter().position(|field| field.name == key)
    };
    let inner = raw.get(1..raw.len().saturating_sub(1))?;
    if inner.contains('\\') { named(&key_text(raw)?) } else { named(inner) }
}

/// The text of a raw key; `None` where it has a lone surrogate, which no field has.
pub(super) fn key_text(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.get(1..raw.len().saturating_sub(1))?;
    if inner.contains('\\') {
        serde_json::from_str(raw).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// Passes the rest of an array whose elements nobody wants.
pub(super) fn pass_elements<'de, A: SeqAccess<'de>>(
    cx: &mut Context<'_>,
    at: &Path<'_>,
    seq: &mut A,
) -> Result<(), A::Error> {
    let mut index = 0;
    while let Some(raw) = seq.next_element::<&'de RawValue>()? {
        cx.unread(&at.index(index), raw.get());
        index += 1;
    }
    Ok(())
}

/// Passes the rest of an object whose pairs nobody wants.
pub(super) fn pass_pairs<'de, A: MapAccess<'de>>(
    cx: &mut Context<'_>,
    at: &Path<'_>,
    map: &mut A,
) -> Result<(), A::Error> {
    let mut keys = Keys::default();
    while let Some((key, raw)) = map.next_entry::<&'de RawValue, &'de RawValue>()? {
        cx.unread_pair(at, &mut keys, key.get(), raw.get());
    }
    Ok(())
}

/// A sequence in the place of a key's value: how a bare array stands for the field of an object.
struct Bare<S>(Option<S>);

impl<'de, S: SeqAccess<'de>> MapAccess<'de> for Bare<S> {
    type Error = S::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, _: K) -> Result<Option<K::Value>, S::Error> {
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, S::Error> {
        let seq = self.0.take().ok_or_else(|| S::Error::custom("a bare array was read twice"))?;
        seed.deserialize(SeqAccessDeserializer::new(seq))
    }
}
