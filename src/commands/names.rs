//! File names that come from artifacts.

/// The longest name of a file on common systems, in bytes.
const LONGEST_NAME: usize = 255;

/// Whether a name is that of a file directly in a directory, so that joining it to one stays there.
pub(super) fn is_plain(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', '\0']) && !is_special_on_windows(name)
}

/// `C:x` leaves the directory and `a:b` is a hidden stream of `a`, there.
fn is_special_on_windows(name: &str) -> bool {
    cfg!(windows) && name.contains(':')
}

/// The file that a build writes where none was named.
pub(super) fn output_for(repository: &str) -> String {
    let name = format!("{repository}.ompack");
    let usable = is_plain(repository)
        && name.len() <= LONGEST_NAME
        && !repository.bytes().any(|byte| byte < 0x20 || byte == 0x7f || b":*?\"<>|".contains(&byte));
    if usable { name } else { "openmind.ompack".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_not_plain() {
        for name in ["", ".", "..", "a/b", "/a", "../a", "a\\b", "a\0b"] {
            assert!(!is_plain(name), "{name:?}");
        }
        for name in ["manifest.json", "..a", ".hidden", "a b", "ä", "-o"] {
            assert!(is_plain(name), "{name:?}");
        }
    }

    #[test]
    fn a_bundle_is_called_as_its_repository_where_that_is_a_file_name() {
        assert_eq!(output_for("fernhouse"), "fernhouse.ompack");
        assert_eq!(output_for("a.b-c_d"), "a.b-c_d.ompack");
        let long = "x".repeat(249);
        for name in ["", ".", "..", "owner/repo", "a\\b", "C:", "a\nb", "what?", &long] {
            assert_eq!(output_for(name), "openmind.ompack", "{name:?}");
        }
        assert_eq!(output_for(&"x".repeat(248)).len(), 255);
    }
}
