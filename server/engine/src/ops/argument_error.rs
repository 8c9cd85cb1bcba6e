//! What can be wrong with arguments.
//!
//! A model that calls a tool reads nothing but the text of the error it gets, so each text names the argument, what
//! was expected and what came.

use serde_json::Value;

/// The longest piece of a caller's own text that an error repeats, in characters.
const QUOTED_CHARACTERS: usize = 40;

/// What is wrong with the arguments of a call. Each text stands by itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgumentError {
    /// The arguments are no JSON object.
    #[error("the arguments must be a JSON object, but {found} came")]
    NotAnObject {
        /// What came.
        found: String,
    },
    /// A required argument isn't there.
    #[error("argument \"{name}\" is required, but it is missing{}", and_given(.given))]
    Missing {
        /// The argument.
        name: &'static str,
        /// The quoted names of the arguments not taken yet: often the right value under a wrong name.
        given: Vec<String>,
    },
    /// An argument that the operation doesn't have.
    #[error("unknown argument {name}; {}", list_known(.known))]
    Unknown {
        /// The argument, quoted.
        name: String,
        /// The arguments that the operation has.
        known: Vec<&'static str>,
    },
    /// An argument of another type.
    #[error("argument \"{name}\" must be {expected}, but {found} came")]
    WrongType {
        /// The argument.
        name: &'static str,
        /// What was expected.
        expected: String,
        /// What came.
        found: String,
    },
    /// A required text without a character in it.
    #[error("argument \"{name}\" must be a text that is not empty, but an empty text came")]
    Empty {
        /// The argument.
        name: &'static str,
    },
    /// A text over its limit.
    #[error("argument \"{name}\" must be a text of at most {most} {unit}, but one of {length} {unit} came")]
    TooLong {
        /// The argument.
        name: &'static str,
        /// The limit.
        most: usize,
        /// What limit and length count.
        unit: &'static str,
        /// The length that came.
        length: usize,
    },
    /// An integer outside its range.
    #[error("argument \"{name}\" must be an integer from {least} to {most}, but {found} came")]
    OutOfRange {
        /// The argument.
        name: &'static str,
        /// The least value.
        least: u32,
        /// The greatest value.
        most: u32,
        /// The number that came.
        found: String,
    },
    /// A text of the right type that means nothing here, such as a cursor of another question.
    #[error("argument \"{name}\" must be {expected}, but {found} came")]
    Unusable {
        /// The argument.
        name: &'static str,
        /// What was expected.
        expected: &'static str,
        /// What came, quoted.
        found: String,
    },
}

impl ArgumentError {
    /// The error for a text that has the right type and still can't be used.
    pub fn unusable(name: &'static str, expected: &'static str, text: &str) -> Self {
        Self::Unusable { name, expected, found: format!("the text {}", quote(text)) }
    }
}

fn and_given(given: &[String]) -> String {
    if given.is_empty() { String::new() } else { format!(" (given: {})", given.join(", ")) }
}

fn list_known(known: &[&str]) -> String {
    match known {
        [] => "no arguments are taken".into(),
        [one] => format!("the only argument is \"{one}\""),
        several => format!("the arguments are \"{}\"", several.join("\", \"")),
    }
}

/// What came, in words short enough for an error.
pub(super) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) if text.is_empty() => "an empty text".into(),
        Value::String(text) => format!("the text {}", quote(text)),
        Value::Array(_) => "an array".into(),
        Value::Object(_) => "an object".into(),
    }
}

/// The caller's text as a JSON string, cut to a length that an error can carry.
pub(super) fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARACTERS) {
        None => Value::from(text).to_string(),
        Some((end, _)) => Value::from(format!("{}…", text.get(..end).unwrap_or_default())).to_string(),
    }
}
