//! The two names of a bundle: of its bytes, and of its facts.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Why a text is not a hash.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a hash is 64 hexadecimal digits; this is {found:?}")]
pub struct HashParseError {
    /// The text as it came, cut at 80 characters.
    pub found: String,
}

macro_rules! hash_name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name([u8; 32]);

        impl $name {
            /// The 32 bytes, as they stand in the file.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 32] {
                &self.0
            }
        }

        impl From<[u8; 32]> for $name {
            fn from(bytes: [u8; 32]) -> Self {
                Self(bytes)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($name))
            }
        }

        impl FromStr for $name {
            type Err = HashParseError;

            /// Reads 64 hexadecimal digits of either case.
            fn from_str(text: &str) -> Result<Self, HashParseError> {
                blake3::Hash::from_hex(text)
                    .map(|hash| Self(*hash.as_bytes()))
                    .map_err(|_| HashParseError { found: text.chars().take(80).collect() })
            }
        }
    };
}

hash_name! {
    /// BLAKE3 of a bundle's body: names the file. Equal hashes mean equal bodies.
    ContentHash
}

hash_name! {
    /// BLAKE3 of the facts alone: the same for another commit, root, time, generator or schema version.
    KnowledgeHash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_reads_back_from_what_it_prints_in_either_case() {
        let hash = ContentHash::from(*blake3::hash(b"abc").as_bytes());
        // BLAKE3 of "abc", from the algorithm's published test inputs.
        let text = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";
        assert_eq!(hash.to_string(), text);
        assert_eq!(text.to_ascii_uppercase().parse(), Ok(hash));
    }

    #[test]
    fn what_is_no_hash_is_named_and_cut() {
        let error = "xyz".parse::<ContentHash>().unwrap_err();
        assert_eq!(error.to_string(), "a hash is 64 hexadecimal digits; this is \"xyz\"");
        assert_eq!("é".repeat(500).parse::<ContentHash>().unwrap_err().found.chars().count(), 80);
    }
}
