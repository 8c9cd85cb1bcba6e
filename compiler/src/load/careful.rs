//! A second reading, for the rare file in which a container's place is taken by a value that is JSON and yet more than `serde_json` can hold: a number
//! beyond all floats, a string with half a surrogate pair. It takes each value as its raw text before it looks at its type, which costs a pass over the
//! text for each level; that is why it isn't the first.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use super::record::key_text;

/// Whether the first reading ended at a value that only this one can pass.
pub(super) fn helps(error: &serde_json::Error) -> bool {
    let message = error.to_string();
    ["number out of range", "surrogate", "unexpected end of hex escape"]
        .iter()
        .any(|cause| message.contains(cause))
}

/// A whole file.
pub(super) struct File<'j, 'de> {
    pub(super) json: &'j mut serde_json::Deserializer<serde_json::de::StrRead<'de>>,
    pub(super) text: &'de str,
}

impl<'de> Deserializer<'de> for File<'_, 'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, serde_json::Error> {
        if self.text.trim_start_matches([' ', '\n', '\r', '\t']).starts_with(['[', '{']) {
            return self.json.deserialize_any(Inside(visitor));
        }
        let raw: &'de RawValue = serde::Deserialize::deserialize(self.json)?;
        Raw(raw.get()).deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A value of a container, whose grammar has been checked.
struct Raw<'de>(&'de str);

impl<'de> Deserializer<'de> for Raw<'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, serde_json::Error> {
        let mut json = serde_json::Deserializer::from_str(self.0);
        match self.0.as_bytes().first() {
            Some(b'[' | b'{') => json.deserialize_any(Inside(visitor)),
            Some(b'"') => match key_text(self.0) {
                Some(text) => visitor.visit_str(&text),
                None => visitor.visit_str(self.0.trim_matches('"')),
            },
            Some(b'-' | b'0'..=b'9') if serde_json::from_str::<f64>(self.0).is_err() => {
                visitor.visit_f64(f64::INFINITY)
            }
            _ => json.deserialize_any(visitor),
        }
    }

    /// How a raw value asks for its text.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, serde_json::Error> {
        serde_json::Deserializer::from_str(self.0).deserialize_newtype_struct(name, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A container, or the visitor of one, whose values are handed on as [`Raw`].
struct Inside<T>(T);

impl<'de, V: Visitor<'de>> Visitor<'de> for Inside<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Inside(map))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Inside(seq))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Inside<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        self.0.next_key_seed(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let raw: &'de RawValue = self.0.next_value()?;
        seed.deserialize(Raw(raw.get())).map_err(serde::de::Error::custom)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Inside<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let Some(raw) = self.0.next_element::<&'de RawValue>()? else { return Ok(None) };
        seed.deserialize(Raw(raw.get())).map(Some).map_err(serde::de::Error::custom)
    }
}
