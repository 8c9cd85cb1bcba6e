//! The table of finding codes: the one place that says what a code is called, how grave it is, what it means and what to do.

use super::Severity;

/// Builds [`Code`] and its look-ups from one table, so that a code can't lack a row or have two.
macro_rules! codes {
    ($($name:ident $id:literal $severity:ident $meaning:literal, $hint:literal;)*) => {
        /// What a finding is about. A code keeps its number and its severity for ever; new ones take free numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!($id, ": ", $meaning)] $name,)*
        }

        impl Code {
            /// Every code, by number.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The stable name, `OMP` and three digits.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => $id,)* }
            }

            /// How grave a finding of this code is.
            #[must_use]
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => Severity::$severity,)* }
            }

            /// What the code means, in one line.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$name => $meaning,)* }
            }

            /// What to do about it, where the finding has nothing more exact to say.
            #[must_use]
            pub fn hint(self) -> &'static str {
                match self { $(Code::$name => $hint,)* }
            }
        }
    };
}

codes! {
    FileMissing "OMP001" Error "The directory is torn: a file that it needs is missing",
        "Run the generator again until it ends without an error, then build.";
    FileEmpty "OMP002" Error "The directory is torn: an artifact file holds 0 bytes",
        "The generator stopped while it wrote this file; run it again until it ends without an error.";
    FileOutside "OMP003" Error "The manifest names a file that isn't directly in the directory",
        "Name a file of this directory, without any `/` or `\\`.";
    FileNotRegular "OMP004" Error "A file that the directory needs is a link, a directory or a device",
        "Put a regular file in its place.";
    FileNamedTwice "OMP005" Error "The manifest names one file for two artifacts",
        "Give each artifact a file of its own.";
    FileTooLarge "OMP006" Error "A file is larger than the limit",
        "Split the repository and build a bundle from each part.";
    FileName "OMP007" Error "A file name that can't be kept on every system",
        "Rename the file: UTF-8, without any `\\`.";
    LeftOut "OMP008" Note "Not part of the bundle: a subdirectory, a link or a device that the manifest doesn't name",
        "Nothing to do; copy what it holds into a regular file directly in the directory to keep it.";
    MoreFindings "OMP009" Note "A file has more findings of one code than are listed",
        "Mend what is listed and build again to see the rest.";

    CountsDisagree "OMP010" Error "The directory is torn: metadata counts something else than the manifest or the source index holds",
        "The files come from different runs; run the generator again.";
    RepositoryDisagrees "OMP011" Error "The directory is torn: manifest and metadata name different repositories",
        "The files come from different runs; run the generator again.";
    TimeDisagrees "OMP012" Error "The directory is torn: manifest and metadata were generated at different times",
        "The files come from different runs; run the generator again.";
    VersionsDisagree "OMP013" Error "The directory is torn: a file has another schema version than the manifest",
        "The files come from different runs; run the generator again.";

    ByteOrderMark "OMP020" Error "The file starts with a byte order mark",
        "Save the file as UTF-8 without a byte order mark (EF BB BF); JSON has none.";
    InvalidUtf8 "OMP021" Error "The file isn't UTF-8",
        "Save the file as UTF-8.";
    MalformedJson "OMP022" Error "The file isn't JSON",
        "Mend the JSON at this place; what follows it in this file wasn't checked.";
    TruncatedJson "OMP023" Error "The file ends in the middle of a JSON value",
        "The file was cut off; run the generator again.";
    TrailingData "OMP024" Error "Something follows the JSON value",
        "Keep one JSON value in the file and remove what follows it.";
    LoneSurrogate "OMP025" Error "A \\u escape is half of a surrogate pair, which is no character",
        "Write both halves (\\ud83d\\ude00), or the character itself.";
    TooDeep "OMP026" Error "Values are nested deeper than the limit",
        "Flatten the value, or leave the field out.";
    DuplicateKey "OMP027" Error "An object has one key twice",
        "Keep one of the two.";

    WrongType "OMP030" Error "A value has the wrong type",
        "Write the value in the expected type.";
    MissingField "OMP031" Error "An object lacks a required field",
        "Add the field.";
    NotAWholeNumber "OMP032" Error "A number is negative, or written with a fraction or an exponent",
        "Write a whole number in plain digits.";
    NumberTooLarge "OMP033" Error "A whole number is larger than the limit",
        "Write a smaller number.";
    UnknownConfidence "OMP034" Error "A confidence outside the closed set",
        "Write `high`, `medium` or `low`.";
    EmptyName "OMP035" Error "A name is empty",
        "Give it a name, or leave the entry out.";
    NameTooLong "OMP036" Error "A name is longer than the limit",
        "Shorten the name; nothing could ask for it.";
    TooManyEntries "OMP037" Error "A list has more entries than the limit",
        "Split the repository and build a bundle from each part.";
    TooMuchText "OMP038" Error "The distinct strings together are larger than the limit",
        "Split the repository and build a bundle from each part.";
    TextTooLong "OMP039" Error "A text is longer than the limit",
        "Shorten the text; a bundle holds texts of up to 1 MiB.";

    UnsupportedVersion "OMP040" Error "The schema version has a major that this program doesn't read",
        "Run a generator that writes schema 1.x, or install an openmind-pack that reads this version.";
    MalformedVersion "OMP041" Error "The schema version isn't a version",
        "Write the version as digits and dots, such as `1.1.0`.";

    PathEmpty "OMP050" Error "A path is empty",
        "Write the path of the file, relative to the repository's root.";
    PathAbsolute "OMP051" Error "A path starts with `/`",
        "Write the path relative to the repository's root.";
    PathBackslash "OMP052" Error "A path has a backslash",
        "Separate the segments with `/`.";
    PathDotSegment "OMP053" Error "A path has a `.` or `..` segment",
        "Write the path without `.` and `..`; a cited file lies inside the repository.";
    PathNul "OMP054" Error "A path has a NUL character",
        "Remove the NUL; no file can be called so.";
    PathDrive "OMP055" Warning "A path's first segment looks like a drive",
        "If this is a drive and not a folder, write the path relative to the repository's root.";
    LineZero "OMP056" Error "A line number is 0",
        "Count lines from 1.";
    NoEvidence "OMP057" Error "An entry cites nothing",
        "Give it at least one evidence record, or leave the entry out.";
    NoSteps "OMP058" Error "A flow has no steps, and so cites nothing",
        "Give it at least one step, or leave the flow out.";
    PathTwice "OMP059" Warning "The source index lists one path twice",
        "List the file once; both entries are kept.";
    PathNotIndexed "OMP060" Warning "A cited path isn't in the source index",
        "Check the path; the citation is kept as it is.";

    DuplicateTerm "OMP070" Warning "The glossary has two terms of one exact name",
        "Merge the two entries; both are kept.";
    DuplicateComponent "OMP071" Warning "The architecture has two components of one exact name",
        "Rename one; an explanation gives the first in the file.";
    AbsoluteRoot "OMP072" Warning "`repository.root` is an absolute path of the machine that ran the generator",
        "Build with --redact-root to leave it out, or run the generator with a relative path.";
    FileCountTooSmall "OMP073" Warning "A layer lists more files than its `fileCount` says",
        "Run the generator again; the count is kept as it is.";
}

impl Code {
    /// Whether `--strict` lets a warning of this code stop a build. An absolute root is the reader's own choice and never does.
    #[must_use]
    pub fn raised_by_strict(self) -> bool {
        self.severity() == Severity::Warning && self != Code::AbsoluteRoot
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

/// The table as Markdown, as it is published in `docs/findings.md`.
#[must_use]
pub fn codes_as_markdown() -> String {
    let mut out = String::from("| code | severity | meaning | what to do |\n|---|---|---|---|\n");
    for code in Code::ALL {
        let severity = match (code.severity(), code.raised_by_strict()) {
            (Severity::Warning, false) => "warning, also with `--strict`",
            (severity, _) => severity.as_str(),
        };
        let row = format!("| {code} | {severity} | {} | {} |\n", code.meaning(), code.hint());
        out.push_str(&row);
    }
    out
}
