//! What the readers of all files share, and the findings that any value can give rise to.

use foldhash::HashMap;

use super::depth::depth;
use super::found;
use super::path::Path;
use super::report::Report;
use crate::findings::Code;
use crate::intern::StringId;
use crate::limits::Limits;
use crate::model::Model;

/// What a reader writes to, and what it knows from files read before.
pub(super) struct Context<'m> {
    pub(super) model: &'m mut Model,
    pub(super) seen: &'m mut Seen,
    pub(super) report: &'m mut Report,
    pub(super) limits: &'m Limits,
}

/// Names met so far, each with the position of its first entry.
#[derive(Default)]
pub(super) struct Seen {
    /// Paths of the source index.
    pub(super) paths: HashMap<StringId, usize>,
    /// Whether `paths` is all of them, so that a path can be missing from it.
    pub(super) paths_complete: bool,
    /// Terms of the glossary.
    pub(super) terms: HashMap<StringId, usize>,
    /// Components of the architecture.
    pub(super) components: HashMap<StringId, usize>,
}

impl Context<'_> {
    /// Keeps a string; absent, reported, where it is too long or the blob is full.
    pub(super) fn intern(&mut self, at: &Path<'_>, text: &str) -> StringId {
        let (bytes, most) = (text.len(), self.limits.text_bytes);
        if bytes > most {
            let message = || format!("the text is {bytes} bytes long; at most {most} are read");
            self.report.value(Code::TextTooLong, at, message);
            return StringId::ABSENT;
        }
        match self.model.strings.intern(text) {
            Ok(id) => id,
            Err(full) => {
                self.report.value(Code::TooMuchText, at, || format!("with this string, {full}"));
                StringId::ABSENT
            }
        }
    }

    /// A value of another type than `expected`; `found` describes it.
    pub(super) fn wrong_type(&mut self, at: &Path<'_>, expected: &str, found: &str) {
        self.report.value(Code::WrongType, at, || format!("expected {expected}, found {found}"));
    }

    /// A value that is passed over may be as deep as it likes, but for the limit.
    pub(super) fn check_depth(&mut self, at: &Path<'_>, raw: &str) {
        if !raw.starts_with(['[', '{']) {
            return;
        }
        let (levels, most) = (at.depth + depth(raw), self.limits.depth);
        if levels > most {
            let message = || format!("values are nested {levels} levels deep here; at most {most} are read");
            self.report.value(Code::TooDeep, at, message);
        }
    }

    /// A key that stood in the same object already; the first counts.
    pub(super) fn duplicate_key(&mut self, at: &Path<'_>, key: &str) {
        let message = || format!("the object has the key {} already", found::quoted(key));
        self.report.key(Code::DuplicateKey, at, message);
    }

    /// A string of valid JSON that can't be text.
    pub(super) fn lone_surrogate(&mut self, at: &Path<'_>, raw: &str) {
        let message = || format!("expected a string of whole characters, found {}", found::value(raw));
        self.report.value(Code::LoneSurrogate, at, message);
    }

    /// Warns of a name that an entry before had. `at` is the name's place, one step under its entry.
    pub(super) fn duplicate_name(
        &mut self,
        code: Code,
        at: &Path<'_>,
        id: StringId,
        first: impl Fn(&mut Seen) -> &mut HashMap<StringId, usize>,
    ) {
        let Some(entry) = at.parent() else { return };
        let Some(position) = entry.position() else { return };
        if id.is_absent() {
            return;
        }
        let before = *first(self.seen).entry(id).or_insert(position);
        if before != position {
            let list = entry.parent().map(Path::pointer).unwrap_or_default();
            let name = found::quoted(self.model.strings.get(id));
            self.report.value(code, at, || format!("{name} is also {list}/{before}"));
        }
    }
}
