//! Bundles that no build makes: a field of a good one changed, and every hash made right again.

use openmind_pack_format::layout::{
    GROUP_BYTES, HEADER_BYTES, SECTION_ENTRY_BYTES, TRAILER_BYTES, entry, header, trailer,
};
use openmind_pack_format::{Area, Bundle, OpenError, Problem, ROW_LAYOUTS, ReadError, SectionKind};

use crate::seal::seal;

/// A good bundle on its way to becoming a bad one.
#[derive(Clone)]
pub(crate) struct Forgery {
    /// Header, table and sections: the part that is hashed.
    body: Vec<u8>,
    trailer: Vec<u8>,
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

impl Forgery {
    pub(crate) fn of(good: &[u8]) -> Self {
        let trailer = good[good.len() - TRAILER_BYTES as usize..].to_vec();
        let body = number(&trailer, trailer::BODY_LENGTH) as usize;
        Self { body: good[..body].to_vec(), trailer }
    }

    /// The file, whole and consistent but for what was changed.
    pub(crate) fn file(&self) -> Vec<u8> {
        let mut file = seal(&self.body);
        // Trailer fields that were changed by hand stay so; the hash is the body's.
        let at = file.len() - TRAILER_BYTES as usize + 32;
        let changed = &self.trailer[32..];
        let honest = Self::of(&seal(&self.body)).trailer;
        for (offset, (byte, honest)) in changed.iter().zip(&honest[32..]).enumerate() {
            if byte != honest {
                file[at + offset] = *byte;
            }
        }
        file
    }

    pub(crate) fn open(&self) -> Result<Bundle, OpenError> {
        Bundle::from_slice(&self.file(), None)
    }

    /// Changes bytes of the body.
    pub(crate) fn put(mut self, at: u64, bytes: &[u8]) -> Self {
        self.body[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Changes bytes of the trailer.
    pub(crate) fn trailer(mut self, at: usize, bytes: &[u8]) -> Self {
        self.trailer[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Where the table has the entry of a section.
    pub(crate) fn entry(&self, kind: SectionKind) -> u64 {
        let count = number(&self.body, header::SECTION_COUNT);
        (0..count.into())
            .map(|index| HEADER_BYTES + index * SECTION_ENTRY_BYTES)
            .find(|at| number(&self.body, *at as usize) == kind.code())
            .unwrap()
    }

    /// Changes a 32-bit field of the table.
    pub(crate) fn entry_field(self, kind: SectionKind, field: usize, value: u32) -> Self {
        let at = self.entry(kind) + field as u64;
        self.put(at, &value.to_le_bytes())
    }

    /// Where a section begins.
    pub(crate) fn start(&self, kind: SectionKind) -> u64 {
        number(&self.body, self.entry(kind) as usize + entry::OFFSET).into()
    }

    /// Its exact length.
    pub(crate) fn length(&self, kind: SectionKind) -> u64 {
        number(&self.body, self.entry(kind) as usize + entry::LENGTH).into()
    }

    pub(crate) fn rows(&self, kind: SectionKind) -> u32 {
        number(&self.body, self.entry(kind) as usize + entry::ROW_COUNT)
    }

    pub(crate) fn bytes(&self, kind: SectionKind) -> &[u8] {
        &self.body[self.start(kind) as usize..][..self.length(kind) as usize]
    }

    /// Where a row lies. The three shard tables have one layout.
    pub(crate) fn row(&self, kind: SectionKind, row: u32) -> u64 {
        let size = number(&self.body, self.entry(kind) as usize + entry::ROW_SIZE);
        self.start(kind) + u64::from(row) * u64::from(size)
    }

    fn field_at(&self, kind: SectionKind, row: u32, field: &str) -> u64 {
        let layout = match kind {
            SectionKind::FoldedShards | SectionKind::TermShards => SectionKind::NameShards,
            other => other,
        };
        let (_, _, fields) = ROW_LAYOUTS.iter().find(|(known, ..)| *known == layout).unwrap();
        let (_, offset) = fields.iter().find(|(name, _)| *name == field).unwrap();
        self.row(kind, row) + *offset as u64
    }

    pub(crate) fn get(&self, kind: SectionKind, row: u32, field: &str) -> u32 {
        number(&self.body, self.field_at(kind, row, field) as usize)
    }

    pub(crate) fn set(self, kind: SectionKind, row: u32, field: &str, value: u32) -> Self {
        let at = self.field_at(kind, row, field);
        self.put(at, &value.to_le_bytes())
    }

    /// Adds to a field, modulo 2^32.
    pub(crate) fn add(self, kind: SectionKind, row: u32, field: &str, difference: i32) -> Self {
        let value = self.get(kind, row, field).wrapping_add_signed(difference);
        self.set(kind, row, field, value)
    }

    /// Makes a section of plain bytes longer by zeros or shorter, and moves all that lies behind it.
    pub(crate) fn resize(self, kind: SectionKind, length: usize) -> Self {
        let count = number(&self.body, header::SECTION_COUNT);
        let mut body = self.body[..self.start(SectionKind::Info) as usize].to_vec();
        for index in 0..u64::from(count) {
            let at = (HEADER_BYTES + index * SECTION_ENTRY_BYTES) as usize;
            let known = SectionKind::from_code(number(&self.body, at)).unwrap();
            let mut content = self.bytes(known).to_vec();
            if known == kind {
                content.resize(length, 0);
                body[at + entry::ROW_COUNT..][..4].copy_from_slice(&(length as u32).to_le_bytes());
                body[at + entry::LENGTH..][..4].copy_from_slice(&(length as u32).to_le_bytes());
            }
            body.resize(body.len().next_multiple_of(64), 0);
            let offset = (body.len() as u32).to_le_bytes();
            body[at + entry::OFFSET..][..4].copy_from_slice(&offset);
            body.extend(content);
        }
        body.resize(body.len().next_multiple_of(64), 0);
        let groups = (body.len() as u64).div_ceil(GROUP_BYTES);
        assert!((2..=256).contains(&groups), "the list has one value a group");
        let body_length = body.len() as u64;
        let file_length = body_length + groups * 32 + TRAILER_BYTES;
        body[header::BODY_LENGTH..][..8].copy_from_slice(&body_length.to_le_bytes());
        body[header::FILE_LENGTH..][..8].copy_from_slice(&file_length.to_le_bytes());
        let trailer = Self::of(&seal(&body)).trailer;
        Self { body, trailer }
    }
}

/// A section and a row of it, as errors name them.
pub(crate) fn at_row(forgery: &Forgery, kind: SectionKind, row: u32) -> (Area, u64) {
    (Area::Section(kind), forgery.row(kind, row))
}

/// The reading is refused for exactly this reason at exactly this place.
#[track_caller]
pub(crate) fn assert_refused<T>(result: Result<T, ReadError>, (area, offset): (Area, u64), problem: Problem) {
    match result {
        Ok(_) => panic!("nothing was refused; expected {problem} in {area} at {offset}"),
        Err(found) => assert_eq!(found, ReadError::Malformed { area, offset, problem }),
    }
}

/// The same for what is refused at open.
#[track_caller]
pub(crate) fn assert_not_opened(forgery: &Forgery, place: (Area, u64), problem: Problem) {
    match forgery.open() {
        Err(OpenError::Read(error)) => assert_refused::<()>(Err(error), place, problem),
        other => panic!("{other:?}; expected {problem} in {} at {}", place.0, place.1),
    }
}

/// Reading all of an iterator that is itself the outcome of a check.
pub(crate) fn all<T, I>(items: Result<I, ReadError>) -> Result<Vec<T>, ReadError>
where
    I: Iterator<Item = Result<T, ReadError>>,
{
    items?.collect()
}

pub(crate) const fn unexpected(what: &'static str, found: u64, expected: u64) -> Problem {
    Problem::Unexpected { what, found, expected }
}

pub(crate) const fn too_large(what: &'static str, found: u64, limit: u64) -> Problem {
    Problem::TooLarge { what, found, limit }
}

pub(crate) const fn not_ascending(what: &'static str) -> Problem {
    Problem::NotAscending { what }
}
