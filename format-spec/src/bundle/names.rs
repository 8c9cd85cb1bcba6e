//! Who bears a name: documents of an exact name, exact names of a folded one.
//!
//! Each document is the place of one name and each name the spelling of one folded name, so whatever a hostile table says,
//! no look-up gives more documents or names than there are.

use std::ops::Range;

use super::{Bundle, Rows, Verification};
use crate::analyzer::fold;
use crate::error::{Problem, ReadError};
use crate::rows::{FoldedEnd, FoldedName, NameEnd, PlaceRow, Row};

impl<V: Verification> Bundle<V> {
    /// Documents of exactly this name, ascending.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where what was looked at is damaged or malformed.
    pub fn documents_named(&self, name: &str) -> Result<Vec<u32>, ReadError> {
        match self.names()?.get(name.as_bytes())? {
            Some(ordinal) => self.places(ordinal)?.collect(),
            None => Ok(Vec::new()),
        }
    }

    /// Documents whose name is this one without regard to case, ascending.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where what was looked at is damaged or malformed, or spellings share documents.
    pub fn documents_named_in_any_case(&self, name: &str) -> Result<Vec<u32>, ReadError> {
        let mut found = Vec::new();
        if let Some(ordinal) = self.folded_names()?.get(fold(name).as_bytes())? {
            let documents = self.document_count()?;
            for spelling in self.spellings(ordinal)? {
                let spelling = spelling?;
                for document in self.places(spelling)? {
                    found.push(document?);
                    if found.len() as u64 > documents.into() {
                        let (found, limit) = (found.len() as u64, documents.into());
                        let problem = Problem::TooLarge { what: "places of all spellings", found, limit };
                        return Err(self.rows::<NameEnd>()?.fault(spelling, problem));
                    }
                }
            }
            found.sort_unstable();
        }
        Ok(found)
    }

    /// Documents of the exact name of this ordinal, ascending, read as they are asked for.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no such name or its range leaves the table; an item is one where it isn't a document
    /// or doesn't ascend.
    pub fn places(
        &self,
        name: u32,
    ) -> Result<impl Iterator<Item = Result<u32, ReadError>> + use<'_, V>, ReadError> {
        let places = self.rows::<PlaceRow>()?;
        let range = self.rows::<NameEnd>()?.slice(name, |row| row.end)?;
        let documents = self.document_count()?;
        ascending(places, range, |row| row.document, documents, ("document", "places of a name"))
    }

    /// Ordinals of the exact names that fold to the folded name of this ordinal, ascending, read as they are asked for.
    ///
    /// # Errors
    ///
    /// [`ReadError`] where there is no such name or its range leaves the table; an item is one where it isn't a name or
    /// doesn't ascend.
    pub fn spellings(
        &self,
        folded: u32,
    ) -> Result<impl Iterator<Item = Result<u32, ReadError>> + use<'_, V>, ReadError> {
        let spellings = self.rows::<FoldedName>()?;
        let range = self.rows::<FoldedEnd>()?.slice(folded, |row| row.end)?;
        let names = self.rows::<NameEnd>()?.len();
        ascending(spellings, range, |row| row.name, names, ("name", "spellings of a name"))
    }
}

/// The numbers in a range of rows: each below `limit` and above the one before, or an error that calls it by `what` one and
/// all of them are.
fn ascending<R: Row, V: Verification>(
    rows: Rows<'_, R, V>,
    range: Range<u32>,
    number: impl Fn(R) -> u32,
    limit: u32,
    what: (&'static str, &'static str),
) -> Result<impl Iterator<Item = Result<u32, ReadError>>, ReadError> {
    let mut least = 0;
    Ok(rows.range(range.start, range.end - range.start)?.map(move |index| {
        let found = number(rows.get(index)?);
        if found >= limit {
            let (found, limit) = (found.into(), limit.into());
            return Err(rows.fault(index, Problem::TooLarge { what: what.0, found, limit }));
        }
        if found < least {
            return Err(rows.fault(index, Problem::NotAscending { what: what.1 }));
        }
        least = found + 1;
        Ok(found)
    }))
}
