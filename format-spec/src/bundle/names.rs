//! Who bears a name: documents of an exact name, exact names of a folded one.
//!
//! Each document is the place of one name and each name the spelling of one folded name, so whatever a hostile table says,
//! no look-up gives more documents or names than there are.

use super::{Bundle, Verification};
use crate::analyzer::fold;
use crate::error::{Problem, ReadError};
use crate::rows::{FoldedEnd, FoldedName, NameEnd, PlaceRow};

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
        let range = places.range(range.start, range.end - range.start)?;
        let documents = self.document_count()?;
        let mut least = 0;
        Ok(range.map(move |index| {
            let document = places.get(index)?.document;
            if document >= documents {
                let (found, limit) = (document.into(), documents.into());
                return Err(places.fault(index, Problem::TooLarge { what: "document", found, limit }));
            }
            if document < least {
                return Err(places.fault(index, Problem::NotAscending { what: "places of a name" }));
            }
            least = document + 1;
            Ok(document)
        }))
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
        let range = spellings.range(range.start, range.end - range.start)?;
        let names = self.rows::<NameEnd>()?.len();
        let mut least = 0;
        Ok(range.map(move |index| {
            let name = spellings.get(index)?.name;
            if name >= names {
                let (found, limit) = (name.into(), names.into());
                return Err(spellings.fault(index, Problem::TooLarge { what: "name", found, limit }));
            }
            if name < least {
                return Err(spellings.fault(index, Problem::NotAscending { what: "spellings of a name" }));
            }
            least = name + 1;
            Ok(name)
        }))
    }
}
