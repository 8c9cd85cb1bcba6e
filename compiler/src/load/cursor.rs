//! A walk over JSON text that believes in the grammar only as far as it needs to.

/// A place in a text. Its methods pass what stands there.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    /// Byte offset of what comes next.
    pub(super) at: usize,
}

/// `None` ends the walk: the text isn't JSON from here on.
pub(super) type Step = Option<()>;

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Cursor<'t> {
        Cursor { text, at: 0 }
    }

    /// The text from an offset before to here.
    pub(super) fn since(&self, start: usize) -> Option<&'t str> {
        self.text.get(start..self.at)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Passes blanks and returns what follows them.
    pub(super) fn next(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }

    /// Passes the bracket that opens a container. False where the container ends at once.
    pub(super) fn open(&mut self, end: u8) -> Option<bool> {
        self.at += 1;
        let is_empty = self.next()? == end;
        if is_empty {
            self.at += 1;
        }
        Some(!is_empty)
    }

    /// Passes a comma, or the end of the container. False at the end.
    pub(super) fn another(&mut self, end: u8) -> Option<bool> {
        let next = self.next()?;
        self.at += 1;
        match next {
            b',' => Some(true),
            _ if next == end => Some(false),
            _ => None,
        }
    }

    /// Passes blanks and a key; returns its raw text.
    pub(super) fn key(&mut self) -> Option<&'t str> {
        self.next()?;
        let start = self.at;
        self.string()?;
        self.since(start)
    }

    /// Passes the colon after a key.
    pub(super) fn colon(&mut self) -> Step {
        (self.next()? == b':').then_some(())?;
        self.at += 1;
        Some(())
    }

    /// Passes a value without looking into it, whatever its depth.
    pub(super) fn skip(&mut self) -> Step {
        let mut open = 0usize;
        loop {
            match self.next()? {
                b'"' => self.string()?,
                b'[' | b'{' => {
                    open += 1;
                    self.at += 1;
                }
                b']' | b'}' => {
                    open = open.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' if open > 0 => self.at += 1,
                b',' | b':' => return None,
                _ => self.scalar(),
            }
            if open == 0 {
                return Some(());
            }
        }
    }

    /// Passes a number or a literal: all up to the next structural character.
    fn scalar(&mut self) {
        while let Some(byte) = self.peek() {
            if matches!(byte, b',' | b':' | b']' | b'}' | b'[' | b'{' | b'"' | b' ' | b'\n' | b'\r' | b'\t') {
                break;
            }
            self.at += 1;
        }
    }

    /// Passes a string.
    pub(super) fn string(&mut self) -> Step {
        (self.peek()? == b'"').then_some(())?;
        self.at += 1;
        loop {
            let byte = self.peek()?;
            self.at += 1;
            match byte {
                b'"' => return Some(()),
                b'\\' => self.at += 1,
                _ => {}
            }
        }
    }
}
