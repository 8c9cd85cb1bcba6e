//! Tables read in place, a row at a time: whatever the size of a table and however the program was compiled, finding a row
//! takes constant time.

use std::marker::PhantomData;
use std::ops::Range;

use super::{Bundle, Verification, Verified};
use crate::error::{Area, Problem, ReadError};
use crate::layout::{MAX_NAME_BYTES, MAX_TEXT_BYTES, SectionEntry};
use crate::rows::{Row, StringEnd};
use crate::section::SectionKind;

/// Bytes behind the rows of a table: rkyv's relative pointer to them and their number.
pub(super) const FOOTER_BYTES: u64 = 8;

/// A table of a bundle. Rows are verified as they are read.
pub struct Rows<'a, R: Row, V: Verification = Verified> {
    bundle: &'a Bundle<V>,
    kind: SectionKind,
    entry: &'a SectionEntry,
    row: PhantomData<R>,
}

impl<R: Row, V: Verification> Clone for Rows<'_, R, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Row, V: Verification> Copy for Rows<'_, R, V> {}

impl<V: Verification> Bundle<V> {
    /// The table of a row type, in constant time.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the section is missing, has another layout, or its footer is damaged.
    pub fn rows<R: Row>(&self) -> Result<Rows<'_, R, V>, ReadError> {
        self.rows_in::<R>(R::KIND)
    }

    /// The table of a row type that several sections share.
    pub(super) fn rows_in<R: Row>(&self, kind: SectionKind) -> Result<Rows<'_, R, V>, ReadError> {
        let entry = self.require(kind)?;
        let fault = |problem| ReadError::malformed(Area::Section(kind), entry.offset, problem);
        if entry.version != R::VERSION {
            return Err(fault(Problem::SectionVersion { found: entry.version, known: R::VERSION }));
        }
        if entry.row_size != R::SIZE {
            let (found, expected) = (entry.row_size.into(), R::SIZE.into());
            return Err(fault(Problem::Unexpected { what: "row size", found, expected }));
        }
        let known = u64::from(kind.code() - 1);
        if !self.tables.get(known) {
            self.check_footer(kind, entry)?;
            self.tables.set(known);
        }
        Ok(Rows { bundle: self, kind, entry, row: PhantomData })
    }

    /// Compares a table's footer with the section table.
    #[cold]
    fn check_footer(&self, kind: SectionKind, entry: &SectionEntry) -> Result<(), ReadError> {
        let fault = |problem| ReadError::malformed(Area::Section(kind), entry.offset, problem);
        let footer = self.verified(Area::Section(kind), entry.end() - FOOTER_BYTES..entry.end())?;
        let offset = crate::layout::u32_at(footer, 0).map(u32::cast_signed).map(i64::from);
        let expected = u64::from(entry.row_size) * u64::from(entry.row_count);
        if offset.map(i64::unsigned_abs) != Some(expected) || offset > Some(0) {
            let found = offset.map_or(0, i64::unsigned_abs);
            return Err(fault(Problem::Unexpected {
                what: "way back from the footer to the rows",
                found,
                expected,
            }));
        }
        let found = crate::layout::u32_at(footer, 4).unwrap_or(0);
        if found != entry.row_count {
            let (found, expected) = (found.into(), entry.row_count.into());
            return Err(fault(Problem::Unexpected { what: "number of rows in the footer", found, expected }));
        }
        Ok(())
    }

    /// The text of an id, at most [`MAX_TEXT_BYTES`] long.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no such text, it is too long, or its bytes are damaged or not UTF-8.
    pub fn string(&self, id: u32) -> Result<&str, ReadError> {
        let ends = self.rows::<StringEnd>()?;
        let Range { start, end } = ends.slice(id, |row| row.end)?;
        if end - start > MAX_TEXT_BYTES {
            let (found, limit) = ((end - start).into(), MAX_TEXT_BYTES.into());
            return Err(ends.fault(id, Problem::TooLarge { what: "length of a text", found, limit }));
        }
        let kind = SectionKind::StringBytes;
        let bytes = self.section_bytes(kind, start.into()..end.into())?;
        std::str::from_utf8(bytes).map_err(|error| {
            let offset = self.offset_in(kind, u64::from(start) + error.valid_up_to() as u64);
            ReadError::malformed(Area::Section(kind), offset, Problem::NotUtf8)
        })
    }

    /// The text of an id that names a document: a shorter one than texts in general may be.
    ///
    /// # Errors
    ///
    /// As [`Bundle::string`], and where it is longer than [`MAX_NAME_BYTES`].
    pub fn name(&self, id: u32) -> Result<&str, ReadError> {
        let name = self.string(id)?;
        if name.len() as u64 > MAX_NAME_BYTES.into() {
            let (found, limit) = (name.len() as u64, MAX_NAME_BYTES.into());
            let problem = Problem::TooLarge { what: "length of a name", found, limit };
            return Err(self.rows::<StringEnd>()?.fault(id, problem));
        }
        Ok(name)
    }

    /// The text of an id, or nothing where the id says so.
    ///
    /// # Errors
    ///
    /// As [`Bundle::string`].
    pub fn optional_string(&self, id: u32) -> Result<Option<&str>, ReadError> {
        if id == crate::rows::ABSENT { Ok(None) } else { self.string(id).map(Some) }
    }
}

impl<'a, R: Row, V: Verification> Rows<'a, R, V> {
    /// The bundle that holds the table.
    #[must_use]
    pub const fn bundle(&self) -> &'a Bundle<V> {
        self.bundle
    }

    /// Number of rows.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.entry.row_count
    }

    /// Whether there are no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entry.row_count == 0
    }

    /// One row.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no such row or it is damaged.
    pub fn get(&self, index: u32) -> Result<R, ReadError> {
        if index >= self.len() {
            return Err(self.beyond(index));
        }
        self.access(self.row_bytes(index, 1)?, index)
    }

    /// Verified bytes of rows that are there.
    #[inline]
    fn row_bytes(&self, first: u32, count: u32) -> Result<&'a [u8], ReadError> {
        let size = u64::from(R::SIZE);
        let start = self.entry.offset + u64::from(first) * size;
        self.bundle.verified(Area::Section(self.kind), start..start + u64::from(count) * size)
    }

    #[inline]
    fn access(&self, row: &[u8], index: u32) -> Result<R, ReadError> {
        R::access(row).map_err(|error| self.fault(index, Problem::Rows(error.to_string())))
    }

    #[cold]
    fn beyond(&self, index: u32) -> ReadError {
        let (found, limit) = (index.into(), u64::from(self.len()));
        self.fault(0, Problem::TooLarge { what: "row number", found, limit })
    }

    /// What the row of this number ends, in a table whose rows hold nothing but ends: it begins where the row before ends.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no such row, or it ends before it begins.
    pub fn slice(&self, index: u32, end: impl Fn(R) -> u32) -> Result<Range<u32>, ReadError> {
        if index >= self.len() {
            return Err(self.beyond(index));
        }
        // Both rows are verified in one go.
        let first = index.saturating_sub(1);
        let pair = self.row_bytes(first, index - first + 1)?;
        let at = |bytes: Option<&[u8]>, row| self.access(bytes.unwrap_or_default(), row).map(&end);
        let start = if index == 0 { 0 } else { at(pair.get(..R::SIZE as usize), first)? };
        let end = at(pair.get(pair.len() - R::SIZE as usize..), index)?;
        if start > end {
            return Err(self.fault(index, Problem::NotAscending { what: "ends" }));
        }
        Ok(start..end)
    }

    /// The row numbers of a range that another row names.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where the range leaves the table.
    pub fn range(&self, first: u32, count: u32) -> Result<Range<u32>, ReadError> {
        match first.checked_add(count).filter(|end| *end <= self.len()) {
            Some(end) => Ok(first..end),
            None => {
                let (found, limit) = (u64::from(first) + u64::from(count), u64::from(self.len()));
                Err(self.fault(0, Problem::TooLarge { what: "end of a row range", found, limit }))
            }
        }
    }

    /// Number of rows for which `before` holds, where it holds for a first part of the table and for none behind.
    /// Reads a logarithmic number of rows.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where a row looked at is damaged.
    pub fn partition_point(&self, mut before: impl FnMut(R) -> bool) -> Result<u32, ReadError> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if before(self.get(middle)?) { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    /// A fault of a row of this table.
    pub(crate) fn fault(&self, index: u32, problem: Problem) -> ReadError {
        let offset = self.entry.offset + u64::from(index) * u64::from(R::SIZE);
        ReadError::malformed(Area::Section(self.kind), offset, problem)
    }
}
