//! Where the loader stands in a JSON file, at the cost of a few stores a value; written out as a pointer only where something is found.

/// The way from the file's root to a value: a list of frames on the stack.
#[derive(Clone, Copy)]
pub(super) struct Path<'p> {
    parent: Option<&'p Path<'p>>,
    step: Step<'p>,
    /// How many containers are around the value.
    pub(super) depth: usize,
}

/// One step from a container to a value in it.
#[derive(Clone, Copy)]
enum Step<'p> {
    /// To the value itself.
    Here,
    /// To the value of a key.
    Key(&'p str),
    /// To the value of a key with so many equal ones before it.
    Again(&'p str, u32),
    /// To an element.
    Index(usize),
}

impl<'p> Path<'p> {
    /// The whole file.
    pub(super) const ROOT: Path<'static> = Path { parent: None, step: Step::Here, depth: 0 };

    /// The value of `key` in the object here.
    pub(super) fn key<'q>(&'q self, key: &'q str) -> Path<'q> {
        Path { parent: Some(self), step: Step::Key(key), depth: self.depth + 1 }
    }

    /// The value of `key` where the object here has `before` of it already.
    pub(super) fn key_again<'q>(&'q self, key: &'q str, before: u32) -> Path<'q> {
        let step = if before == 0 { Step::Key(key) } else { Step::Again(key, before) };
        Path { parent: Some(self), step, depth: self.depth + 1 }
    }

    /// The element `index` of the array here.
    pub(super) fn index<'q>(&'q self, index: usize) -> Path<'q> {
        Path { parent: Some(self), step: Step::Index(index), depth: self.depth + 1 }
    }

    /// The container around the value here.
    pub(super) fn parent(&self) -> Option<&'p Path<'p>> {
        self.parent
    }

    /// Which element the value here is.
    pub(super) fn position(&self) -> Option<usize> {
        match self.step {
            Step::Index(index) => Some(index),
            Step::Key(_) | Step::Again(..) | Step::Here => None,
        }
    }

    /// The key that leads to the value here.
    pub(super) fn last_key(&self) -> Option<&'p str> {
        match self.step {
            Step::Key(key) | Step::Again(key, _) => Some(key),
            Step::Index(_) | Step::Here => None,
        }
    }

    /// The steps from the root.
    pub(super) fn steps(&self) -> Vec<Leg> {
        let mut legs = Vec::new();
        let mut at = Some(self);
        while let Some(path) = at {
            match path.step {
                Step::Here => {}
                Step::Key(key) => legs.push(Leg::Key { key: key.into(), occurrence: 0 }),
                Step::Again(key, occurrence) => legs.push(Leg::Key { key: key.into(), occurrence }),
                Step::Index(index) => legs.push(Leg::Index(index)),
            }
            at = path.parent;
        }
        legs.reverse();
        legs
    }

    /// The JSON pointer of the value here.
    pub(super) fn pointer(&self) -> String {
        pointer(&self.steps())
    }
}

/// One step of a pointer that outlives the walk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Leg {
    /// To a key, which a faulty object may have several times.
    Key {
        /// The key, unescaped.
        key: Box<str>,
        /// How many equal keys stand before it.
        occurrence: u32,
    },
    /// To an element.
    Index(usize),
}

/// The steps as RFC 6901 writes them.
pub(super) fn pointer(legs: &[Leg]) -> String {
    let mut out = String::new();
    for leg in legs {
        out.push('/');
        match leg {
            Leg::Key { key, .. } => out.push_str(&key.replace('~', "~0").replace('/', "~1")),
            Leg::Index(index) => out.push_str(&index.to_string()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_escapes_as_rfc_6901_says() {
        let entries = Path::ROOT.key("a/b~c");
        let entry = entries.index(12);
        assert_eq!(entry.key("").pointer(), "/a~1b~0c/12/");
        assert_eq!(Path::ROOT.pointer(), "");
    }

    #[test]
    fn depth_counts_the_containers_around_a_value() {
        let entries = Path::ROOT.key("entries");
        assert_eq!((Path::ROOT.depth, entries.depth, entries.index(3).depth), (0, 1, 2));
        assert_eq!(entries.index(3).position(), Some(3));
    }
}
