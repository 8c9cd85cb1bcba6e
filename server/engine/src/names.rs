//! Which documents bear a name, exactly or without regard to case.

use openmind_pack_format::analyzer::fold;
use openmind_pack_format::{Bundle, FoldedEnd, FoldedName, NameEnd, PlaceRow, ReadError, Rows};

/// Looks names up.
#[derive(Clone, Copy)]
pub(crate) struct NameIndex<'a> {
    bundle: &'a Bundle,
    ends: Rows<'a, NameEnd>,
    places: Rows<'a, PlaceRow>,
}

impl<'a> NameIndex<'a> {
    pub(crate) fn new(bundle: &'a Bundle) -> Result<Self, ReadError> {
        Ok(Self { bundle, ends: bundle.rows()?, places: bundle.rows()? })
    }

    /// Documents of exactly this name, ascending.
    pub(crate) fn exact(&self, name: &str) -> Result<Vec<u32>, ReadError> {
        match self.bundle.names()?.get(name.as_bytes())? {
            Some(ordinal) => self.documents(ordinal),
            None => Ok(Vec::new()),
        }
    }

    /// Documents whose name is this one without regard to case, ascending.
    pub(crate) fn folded(&self, name: &str) -> Result<Vec<u32>, ReadError> {
        match self.bundle.folded_names()?.get(fold(name).as_bytes())? {
            Some(ordinal) => self.documents_of_folded(ordinal),
            None => Ok(Vec::new()),
        }
    }

    /// Documents of all spellings of a folded name, ascending.
    pub(crate) fn documents_of_folded(&self, ordinal: u32) -> Result<Vec<u32>, ReadError> {
        let mut documents = Vec::new();
        for spelling in self.spellings(ordinal)? {
            documents.extend(self.documents(spelling)?);
        }
        documents.sort_unstable();
        Ok(documents)
    }

    /// Exact names that fold to a folded name, in the order of their bytes.
    pub(crate) fn spellings(&self, ordinal: u32) -> Result<Vec<u32>, ReadError> {
        let ends = self.bundle.rows::<FoldedEnd>()?;
        let names = self.bundle.rows::<FoldedName>()?;
        let end = ends.get(ordinal)?.end;
        let first = if ordinal == 0 { 0 } else { ends.get(ordinal - 1)?.end };
        // Ends that descend wrap to a count that no table has.
        names.range(first, end.wrapping_sub(first))?.map(|row| names.get(row).map(|row| row.name)).collect()
    }

    /// Documents of an exact name, ascending.
    pub(crate) fn documents(&self, ordinal: u32) -> Result<Vec<u32>, ReadError> {
        self.places(ordinal)?.collect()
    }

    /// Documents of an exact name, ascending, read as they are asked for.
    pub(crate) fn places(
        &self,
        ordinal: u32,
    ) -> Result<impl Iterator<Item = Result<u32, ReadError>> + use<'a>, ReadError> {
        let end = self.ends.get(ordinal)?.end;
        let first = if ordinal == 0 { 0 } else { self.ends.get(ordinal - 1)?.end };
        let places = self.places;
        // As above.
        let rows = places.range(first, end.wrapping_sub(first))?;
        Ok(rows.map(move |row| places.get(row).map(|row| row.document)))
    }
}
