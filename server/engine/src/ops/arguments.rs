//! Arguments of an operation, taken apart strictly.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::argument_error::{ArgumentError, describe, quote};

/// How long a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextLimit {
    /// At most this many characters (Unicode scalar values).
    Characters(usize),
    /// At most this many bytes of UTF-8.
    Bytes(usize),
}

impl TextLimit {
    /// The length of `text` in this limit's unit.
    fn measure(self, text: &str) -> usize {
        match self {
            Self::Characters(_) => text.chars().count(),
            Self::Bytes(_) => text.len(),
        }
    }

    fn most(self) -> usize {
        match self {
            Self::Characters(most) | Self::Bytes(most) => most,
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::Characters(_) => "characters",
            Self::Bytes(_) => "bytes",
        }
    }
}

/// The arguments of one call. An operation takes what it knows, field by field, and then calls
/// [`finish`](Self::finish), which refuses whatever is left.
///
/// For an optional argument `null` and `""` mean that it is absent: models send both.
#[derive(Debug)]
pub struct Arguments {
    left: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Arguments {
    /// Wraps the arguments as they came; `null` stands for none.
    ///
    /// # Errors
    ///
    /// [`ArgumentError::NotAnObject`] for anything but an object or `null`.
    pub fn new(arguments: Value) -> Result<Self, ArgumentError> {
        let left = match arguments {
            Value::Object(fields) => fields,
            Value::Null => Map::new(),
            other => return Err(ArgumentError::NotAnObject { found: describe(&other) }),
        };
        Ok(Self { left, known: Vec::new() })
    }

    /// Takes a text that must be there and must not be empty. It is taken as it is, untrimmed.
    ///
    /// # Errors
    ///
    /// [`Missing`](ArgumentError::Missing), [`WrongType`](ArgumentError::WrongType),
    /// [`Empty`](ArgumentError::Empty) or [`TooLong`](ArgumentError::TooLong).
    pub fn required_text(&mut self, name: &'static str, limit: TextLimit) -> Result<String, ArgumentError> {
        match self.take(name) {
            None => {
                Err(ArgumentError::Missing { name, given: self.left.keys().map(|key| quote(key)).collect() })
            }
            Some(Value::String(text)) if text.is_empty() => Err(ArgumentError::Empty { name }),
            Some(value) => text(name, value, limit),
        }
    }

    /// Takes a text that may be absent.
    ///
    /// # Errors
    ///
    /// [`WrongType`](ArgumentError::WrongType) or [`TooLong`](ArgumentError::TooLong).
    pub fn optional_text(
        &mut self,
        name: &'static str,
        limit: TextLimit,
    ) -> Result<Option<String>, ArgumentError> {
        self.take_optional(name).map(|value| text(name, value, limit)).transpose()
    }

    /// Takes an integer that may be absent. JSON has one kind of number, so `5.0` is the integer 5, but the
    /// text `"5"` is no integer.
    ///
    /// # Errors
    ///
    /// [`WrongType`](ArgumentError::WrongType) or [`OutOfRange`](ArgumentError::OutOfRange).
    pub fn optional_integer(
        &mut self,
        name: &'static str,
        range: RangeInclusive<u32>,
    ) -> Result<Option<u32>, ArgumentError> {
        let Some(value) = self.take_optional(name) else { return Ok(None) };
        let Some(number) = whole_number(&value) else {
            let expected = format!("an integer from {} to {}", range.start(), range.end());
            return Err(ArgumentError::WrongType { name, expected, found: describe(&value) });
        };
        match u32::try_from(number) {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => Err(ArgumentError::OutOfRange {
                name,
                least: *range.start(),
                most: *range.end(),
                found: value.to_string(),
            }),
        }
    }

    /// Refuses what is left once everything known is taken.
    ///
    /// # Errors
    ///
    /// [`ArgumentError::Unknown`], naming the first argument left and listing the known ones.
    pub fn finish(&self) -> Result<(), ArgumentError> {
        match self.left.keys().next() {
            None => Ok(()),
            Some(name) => Err(ArgumentError::Unknown { name: quote(name), known: self.known.clone() }),
        }
    }

    fn take(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        self.left.shift_remove(name)
    }

    fn take_optional(&mut self, name: &'static str) -> Option<Value> {
        self.take(name).filter(|value| !value.is_null() && value.as_str() != Some(""))
    }
}

fn text(name: &'static str, value: Value, limit: TextLimit) -> Result<String, ArgumentError> {
    let Value::String(text) = value else {
        return Err(ArgumentError::WrongType { name, expected: "a text".into(), found: describe(&value) });
    };
    let length = limit.measure(&text);
    if length > limit.most() {
        return Err(ArgumentError::TooLong { name, most: limit.most(), unit: limit.unit(), length });
    }
    Ok(text)
}

/// The value of a number without a fraction. One beyond 64 bits saturates, which every range refuses.
fn whole_number(value: &Value) -> Option<i64> {
    let Value::Number(number) = value else { return None };
    if let Some(whole) = number.as_i64() {
        return Some(whole);
    }
    if number.is_u64() {
        return Some(i64::MAX);
    }
    let float = number.as_f64()?;
    (float.trunc() == float).then_some(float as i64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LIMIT: TextLimit = TextLimit::Characters(5);

    fn arguments(value: Value) -> Arguments {
        Arguments::new(value).expect("an object")
    }

    fn message<T: std::fmt::Debug>(result: Result<T, ArgumentError>) -> String {
        result.expect_err("must be refused").to_string()
    }

    #[test]
    fn null_stands_for_no_arguments() {
        assert_eq!(arguments(Value::Null).finish(), Ok(()));
    }

    #[test]
    fn anything_but_an_object_is_refused() {
        assert_eq!(
            message(Arguments::new(json!([1]))),
            "the arguments must be a JSON object, but an array came"
        );
    }

    #[test]
    fn texts_are_taken_untrimmed_and_once() {
        let mut arguments = arguments(json!({"name": " a "}));
        assert_eq!(arguments.required_text("name", LIMIT), Ok(" a ".into()));
        assert_eq!(arguments.finish(), Ok(()));
        assert_eq!(
            message(arguments.required_text("name", LIMIT)),
            "argument \"name\" is required, but it is missing"
        );
    }

    #[test]
    fn a_missing_text_lists_what_was_given_instead() {
        assert_eq!(
            message(arguments(json!({"nmae": "a", "q": 1})).required_text("name", LIMIT)),
            "argument \"name\" is required, but it is missing (given: \"nmae\", \"q\")"
        );
    }

    #[test]
    fn a_required_text_is_never_empty_or_of_another_type() {
        assert_eq!(
            message(arguments(json!({"name": ""})).required_text("name", LIMIT)),
            "argument \"name\" must be a text that is not empty, but an empty text came"
        );
        assert_eq!(
            message(arguments(json!({"name": null})).required_text("name", LIMIT)),
            "argument \"name\" must be a text, but null came"
        );
        assert_eq!(
            message(arguments(json!({"name": 7})).required_text("name", LIMIT)),
            "argument \"name\" must be a text, but the number 7 came"
        );
    }

    #[test]
    fn limits_count_characters_or_bytes() {
        let text = "äöüßé";
        assert_eq!(
            arguments(json!({"t": text})).required_text("t", TextLimit::Characters(5)),
            Ok(text.into())
        );
        assert_eq!(
            arguments(json!({"t": text})).optional_text("t", TextLimit::Bytes(10)),
            Ok(Some(text.into()))
        );
        assert_eq!(
            message(arguments(json!({"t": text})).required_text("t", TextLimit::Bytes(9))),
            "argument \"t\" must be a text of at most 9 bytes, but one of 10 bytes came"
        );
        assert_eq!(
            message(arguments(json!({"t": text})).optional_text("t", TextLimit::Characters(4))),
            "argument \"t\" must be a text of at most 4 characters, but one of 5 characters came"
        );
    }

    #[test]
    fn null_and_empty_text_mean_that_an_optional_argument_is_absent() {
        for value in [json!({}), json!({"x": null}), json!({"x": ""})] {
            let mut as_text = arguments(value.clone());
            assert_eq!(as_text.optional_text("x", LIMIT), Ok(None));
            assert_eq!(as_text.finish(), Ok(()));
            let mut as_integer = arguments(value);
            assert_eq!(as_integer.optional_integer("x", 1..=50), Ok(None));
            assert_eq!(as_integer.finish(), Ok(()));
        }
    }

    #[test]
    fn integers_are_whole_numbers_within_their_range() {
        for (value, wanted) in [(json!(1), 1), (json!(50), 50), (json!(5.0), 5)] {
            assert_eq!(
                arguments(json!({"limit": value})).optional_integer("limit", 1..=50),
                Ok(Some(wanted))
            );
        }
        for (value, came) in [
            (json!(0), "0"),
            (json!(51), "51"),
            (json!(-3), "-3"),
            (json!(u64::MAX), "18446744073709551615"),
            (json!(1e300), "1e+300"),
        ] {
            assert_eq!(
                message(arguments(json!({"limit": value})).optional_integer("limit", 1..=50)),
                format!("argument \"limit\" must be an integer from 1 to 50, but {came} came")
            );
        }
        for (value, came) in [
            (json!("10"), "the text \"10\""),
            (json!(2.5), "the number 2.5"),
            (json!(true), "true"),
            (json!([1]), "an array"),
            (json!({}), "an object"),
        ] {
            assert_eq!(
                message(arguments(json!({"limit": value})).optional_integer("limit", 1..=50)),
                format!("argument \"limit\" must be an integer from 1 to 50, but {came} came")
            );
        }
    }

    #[test]
    fn an_unknown_argument_is_named_beside_the_known_ones() {
        let mut one = arguments(json!({"symbol": "a", "sybmol": "b"}));
        assert!(one.required_text("symbol", LIMIT).is_ok());
        assert_eq!(message(one.finish()), "unknown argument \"sybmol\"; the only argument is \"symbol\"");

        let mut two = arguments(json!({"query": "a", "max": 3}));
        assert!(two.required_text("query", LIMIT).is_ok());
        assert_eq!(two.optional_integer("limit", 1..=50), Ok(None));
        assert_eq!(message(two.finish()), "unknown argument \"max\"; the arguments are \"query\", \"limit\"");

        assert_eq!(
            message(arguments(json!({"x": 1})).finish()),
            "unknown argument \"x\"; no arguments are taken"
        );
    }

    #[test]
    fn a_callers_text_is_cut_before_it_is_repeated() {
        let long = "é".repeat(41);
        assert_eq!(
            message(arguments(json!({"limit": long})).optional_integer("limit", 1..=5)),
            format!(
                "argument \"limit\" must be an integer from 1 to 5, but the text \"{}…\" came",
                "é".repeat(40)
            )
        );
    }
}
