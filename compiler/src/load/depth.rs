//! How deep a JSON value is nested, whatever the depth.

/// Containers around the innermost value of `json`, which must be valid JSON; 0 for a scalar.
pub(super) fn depth(json: &str) -> usize {
    let (mut open, mut deepest) = (0usize, 0usize);
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' | b'{' => {
                open += 1;
                deepest = deepest.max(open);
            }
            b']' | b'}' => open = open.saturating_sub(1),
            b'"' => pass_string(&mut bytes),
            _ => {}
        }
    }
    deepest
}

fn pass_string(bytes: &mut std::str::Bytes<'_>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => {
                bytes.next();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::depth;

    #[test]
    fn brackets_in_strings_do_not_count() {
        assert_eq!(depth(r#"{"[[": ["]\"[{", {}], "b": 1}"#), 3);
        assert_eq!(depth("7"), 0);
        assert_eq!(depth("[]"), 1);
    }

    #[test]
    fn a_hundred_thousand_levels_are_counted() {
        let json = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(depth(&json), 100_000);
    }
}
