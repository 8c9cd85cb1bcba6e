//! Integer BM25F: impacts made at build, inverse document frequency, and the fields' weights. No floating point, so
//! that the same question gives the same score on every machine.
//!
//! BM25F after Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), section 3.6:
//! field frequencies are weighted and normalized by field length before they saturate together.

/// A part of a document that terms come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Term of a glossary entry.
    TermName,
    /// Name of a component, flow or symbol, undivided.
    WholeName,
    /// Parts of such a name.
    NamePart,
    /// Path of a symbol's file.
    Path,
    /// Descriptions, responsibilities and steps.
    Prose,
    /// Snippets.
    Snippet,
}

impl Field {
    /// Every field, in the order of their numbers.
    pub const ALL: [Self; 6] =
        [Self::TermName, Self::WholeName, Self::NamePart, Self::Path, Self::Prose, Self::Snippet];

    /// Weight in quarters.
    #[must_use]
    pub const fn weight(self) -> u64 {
        match self {
            Self::TermName => 24,
            Self::WholeName => 20,
            Self::NamePart => 16,
            Self::Path => 6,
            Self::Prose => 4,
            Self::Snippet => 2,
        }
    }

    /// How much a field's length counts against it (BM25's b), in percent.
    #[must_use]
    pub const fn length_share(self) -> u64 {
        match self {
            Self::TermName | Self::NamePart => 30,
            Self::Prose => 75,
            Self::WholeName | Self::Path | Self::Snippet => 0,
        }
    }
}

/// Frequencies are carried in units of 1/1024.
pub const FREQUENCY_UNIT: u64 = 1024;
/// BM25's k1 = 1.2 in the same unit, rounded down.
pub const SATURATION: u64 = 1228;
/// Impacts of documents on low-priority paths are divided by this.
pub const LOW_PRIORITY_DIVISOR: u64 = 4;

/// Weighted, length-normalized frequency of a term in one field, in units of 1/1024:
/// `weight / 4 * count / (1 - b + b * length / average)`, rounded down.
///
/// `length` is the field's number of tokens in this document, `total` over all `documents` that have the field.
#[must_use]
pub const fn weighted_frequency(field: Field, count: u64, length: u64, total: u64, documents: u64) -> u64 {
    let numerator = field.weight() * count * FREQUENCY_UNIT;
    let share = field.length_share();
    let value = if share == 0 || total == 0 {
        numerator as u128 / 4
    } else {
        // (100 - b) + b * length / (total / documents), over 100.
        let scale =
            (100 - share) as u128 * total as u128 + share as u128 * length as u128 * documents as u128;
        numerator as u128 * 100 * total as u128 / (4 * scale)
    };
    if value > u32::MAX as u128 { u32::MAX as u64 } else { value as u64 }
}

/// The impact of a term on a document, 1..=255, from the sum of its fields' weighted frequencies:
/// `255 * tf / (k1 + tf)`, rounded, divided by 4 on a low-priority path.
#[must_use]
pub const fn impact(frequency: u64, low_priority: bool) -> u8 {
    let scale = SATURATION + frequency;
    let value = (255 * frequency + scale / 2) / scale;
    let value = if low_priority { value / LOW_PRIORITY_DIVISOR } else { value };
    if value == 0 { 1 } else { value as u8 }
}

/// Inverse document frequency in units of 1/65536: `ln((N + 1) / (n + 1/2))`, which is Lucene's
/// `ln(1 + (N - n + 1/2) / (n + 1/2))`, for a term in `holding` of `documents` documents. Never zero.
#[must_use]
pub const fn inverse_document_frequency(documents: u32, holding: u32) -> u32 {
    // log2 of 2(N+1) less log2 of 2n+1, times ln 2.
    let difference = log2(2 * (documents as u64 + 1)).saturating_sub(log2(2 * holding as u64 + 1));
    // ln 2 = 45426 / 65536, rounded.
    let value = (difference * 45_426) >> 16;
    if value == 0 { 1 } else { value as u32 }
}

/// Binary logarithm in units of 1/65536, rounded down, by repeated squaring. `value` is at least 1.
const fn log2(value: u64) -> u64 {
    let whole = value.ilog2();
    // The mantissa as a fixed-point number in [1, 2) with 63 fraction bits.
    let mut mantissa = (value as u128) << (63 - whole);
    let mut result = whole as u64;
    let mut bit = 0;
    while bit < 16 {
        mantissa = (mantissa * mantissa) >> 63;
        result <<= 1;
        if mantissa >= 1 << 64 {
            mantissa >>= 1;
            result |= 1;
        }
        bit += 1;
    }
    result
}

/// Path segments that mark tests, vendored and generated code, benchmarks and examples.
pub const LOW_PRIORITY_SEGMENTS: &[&str] = &[
    "__tests__",
    "bench",
    "benches",
    "benchmark",
    "benchmarks",
    "example",
    "examples",
    "fixture",
    "fixtures",
    "gen",
    "generated",
    "mock",
    "mocks",
    "node_modules",
    "spec",
    "specs",
    "test",
    "testdata",
    "testing",
    "tests",
    "third_party",
    "thirdparty",
    "vendor",
    "vendored",
];
/// File names that end so mark tests or generated code.
pub const LOW_PRIORITY_ENDINGS: &[&str] = &[
    ".generated.go",
    ".generated.ts",
    ".min.css",
    ".min.js",
    ".pb.go",
    ".spec.js",
    ".spec.ts",
    ".test.js",
    ".test.ts",
    ".test.tsx",
    "_pb2.py",
    "_spec.rb",
    "_test.go",
    "_test.py",
    "_test.rb",
    "_test.rs",
];

/// Whether a path is of low priority: one of its segments or its ending says test, vendored, generated, benchmark or
/// example. Compared in ASCII lower case.
#[must_use]
pub fn is_low_priority(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut segments = lower.split('/');
    let name = segments.next_back().unwrap_or_default();
    segments.any(|segment| LOW_PRIORITY_SEGMENTS.binary_search(&segment).is_ok())
        || name.starts_with("test_")
        || LOW_PRIORITY_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
#[allow(clippy::float_arithmetic)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_agree_with_floating_point_to_the_last_bit_or_one_below() {
        for value in (1..2000).chain([1 << 20, (1 << 33) - 1, 12_345_678_901]) {
            let exact = (value as f64).log2() * 65_536.0;
            let found = log2(value) as f64;
            assert!(found <= exact + 1e-6 && exact - found < 1.01, "{value}: {found} against {exact}");
        }
    }

    #[test]
    fn inverse_document_frequency_falls_and_stays_above_zero() {
        let exact = |documents: f64, holding: f64| ((documents + 1.0) / (holding + 0.5)).ln() * 65_536.0;
        for (documents, holding) in [(10, 1), (10, 10), (1_000_000, 3), (1_000_000, 400_000)] {
            let found = inverse_document_frequency(documents, holding);
            assert!(
                (f64::from(found) - exact(documents.into(), holding.into())).abs() < 3.0,
                "{documents} {holding}"
            );
        }
        assert!(inverse_document_frequency(0, 0) >= 1);
        assert!(inverse_document_frequency(5, 5) < inverse_document_frequency(5, 4));
    }

    #[test]
    fn impacts_by_hand() {
        // One occurrence of a term name of average length: tf = 6, so 255 * 6 / 7.2 = 212.5, k1 being a hair under 1.2.
        let term = weighted_frequency(Field::TermName, 1, 2, 20, 10);
        assert_eq!(term, 6 * 1024);
        assert_eq!(impact(term, false), 213);
        assert_eq!(impact(term, true), 53);
        // A snippet: tf = 0.5, so 255 * 0.5 / 1.7 = 75.
        assert_eq!(impact(weighted_frequency(Field::Snippet, 1, 9, 0, 0), false), 75);
        // Prose twice as long as the average: 1 / (0.25 + 0.75 * 2) = 0.571.., in 1024ths 585.
        assert_eq!(weighted_frequency(Field::Prose, 1, 20, 100, 10), 585);
        assert_eq!(impact(0, true), 1);
    }

    #[test]
    fn low_priority_paths_are_told_by_segment_and_ending() {
        assert!(LOW_PRIORITY_SEGMENTS.is_sorted());
        for path in [
            "tests/a.py",
            "src/Vendor/x.go",
            "pkg/api_test.go",
            "web/app.spec.ts",
            "test_loans.py",
            "a/testdata/b",
        ] {
            assert!(is_low_priority(path), "{path}");
        }
        for path in ["src/latest.py", "contest/main.go", "src/testament.rs", "benchmarking.md", "vendor"] {
            assert!(!is_low_priority(path), "{path}");
        }
    }
}
