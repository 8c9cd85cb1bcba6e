//! Child tables: every row has one owner, and rows stand in the order of their owners.
//!
//! A writer makes them so. Checked before anything follows the ranges for all owners: ranges that overlap would make a
//! small file take the time of a huge one.

use super::{Bundle, Rows, Verification};
use crate::error::{Problem, ReadError};
use crate::originals::FRAME_INPUT_BYTES;
use crate::rows::{
    ArtifactRow, ComponentRow, EvidenceRow, FacetRow, FacetValueRow, FlowRow, FrameRow, LayerRow, RoleRow,
    Row, StepRow, StringRow, TermRow,
};
use crate::section::SectionKind;

type Done = Result<(), ReadError>;

/// The next row of a child table that has no owner yet.
struct Tiling {
    what: &'static str,
    next: u32,
}

impl Tiling {
    const fn of(what: &'static str) -> Self {
        Self { what, next: 0 }
    }

    /// Every owner of a table takes its range, in order.
    fn owners<R: Row>(&mut self, bundle: &Bundle, range: impl Fn(&R) -> (u32, u32)) -> Done {
        let owners = bundle.rows::<R>()?;
        for index in 0..owners.len() {
            let (first, count) = range(&owners.get(index)?);
            if first != self.next {
                let (found, expected) = (first.into(), self.next.into());
                return Err(owners.fault(index, Problem::Unexpected { what: self.what, found, expected }));
            }
            self.next = first.checked_add(count).ok_or_else(|| {
                let (found, limit) = (u64::from(first) + u64::from(count), u32::MAX.into());
                owners.fault(index, Problem::TooLarge { what: "end of a row range", found, limit })
            })?;
        }
        Ok(())
    }

    /// No row is left over, and none is missing.
    fn end<R: Row>(self, bundle: &Bundle) -> Done {
        let rows = bundle.rows::<R>()?;
        if self.next == rows.len() {
            return Ok(());
        }
        let (found, expected) = (rows.len().into(), self.next.into());
        Err(rows.fault(0, Problem::Unexpected { what: "number of rows that have an owner", found, expected }))
    }
}

impl Bundle {
    /// Evidence, lists, roles, steps, facets, values and frames each have one owner, in order.
    pub(super) fn check_tiles(&self) -> Done {
        let mut evidence = Tiling::of("first evidence row");
        evidence.owners(self, |row: &TermRow| (row.evidence_first, row.evidence_count))?;
        evidence.owners(self, |row: &ComponentRow| (row.evidence_first, row.evidence_count))?;
        evidence.owners(self, |row: &LayerRow| (row.evidence_first, row.evidence_count))?;
        evidence.owners(self, |row: &StepRow| (row.evidence_first, row.evidence_count))?;
        evidence.end::<EvidenceRow>(self)?;

        let mut lists = Tiling::of("first row of a list");
        lists.owners(self, |row: &ComponentRow| (row.responsibilities_first, row.responsibilities_count))?;
        lists.owners(self, |row: &LayerRow| (row.files_first, row.files_count))?;
        lists.end::<StringRow>(self)?;

        let mut roles = Tiling::of("first role row");
        roles.owners(self, |row: &ComponentRow| (row.roles_first, row.roles_count))?;
        roles.end::<RoleRow>(self)?;

        let mut steps = Tiling::of("first step row");
        steps.owners(self, |row: &FlowRow| (row.steps_first, row.steps_count))?;
        steps.end::<StepRow>(self)?;

        let mut facets = Tiling::of("first facet row");
        facets.owners(self, |row: &FlowRow| (row.facets_first, row.facets_count))?;
        facets.end::<FacetRow>(self)?;

        let mut values = Tiling::of("first value row");
        values.owners(self, |row: &FacetRow| (row.values_first, row.values_count))?;
        values.end::<FacetValueRow>(self)?;

        let mut frames = Tiling::of("first frame row");
        frames.owners(self, |row: &ArtifactRow| (row.frames_first, row.frames_count))?;
        frames.end::<FrameRow>(self)?;
        self.check_frames()
    }

    /// Frames lie back to back.
    fn check_frames(&self) -> Done {
        let frames = self.rows::<FrameRow>()?;
        let mut next = 0;
        for index in 0..frames.len() {
            let frame = frames.get(index)?;
            next = follows(&frames, index, "offset of a frame", frame.offset, frame.compressed, next)?;
        }
        let length = self.require(SectionKind::FrameBytes)?.length;
        if u64::from(next) == length {
            return Ok(());
        }
        let (found, expected) = (next.into(), length);
        Err(frames.fault(0, Problem::Unexpected { what: "end of the last frame", found, expected }))
    }

    /// All frames of an original but the last are full.
    pub(crate) fn check_frame_length(
        frames: &Rows<'_, FrameRow>,
        index: u32,
        length: u32,
        is_last: bool,
    ) -> Done {
        let full = FRAME_INPUT_BYTES as u32;
        if length > full {
            let (found, limit) = (length.into(), full.into());
            return Err(
                frames.fault(index, Problem::TooLarge { what: "decoded length of a frame", found, limit })
            );
        }
        if length == 0 || (!is_last && length != full) {
            let (found, expected) = (length.into(), full.into());
            let what = "decoded length of a frame";
            return Err(frames.fault(index, Problem::Unexpected { what, found, expected }));
        }
        Ok(())
    }
}

/// Where a piece ends that has to begin at `next`.
pub(super) fn follows<R: Row, V: Verification>(
    rows: &Rows<'_, R, V>,
    index: u32,
    what: &'static str,
    start: u32,
    length: u32,
    next: u32,
) -> Result<u32, ReadError> {
    if start != next {
        let (found, expected) = (start.into(), next.into());
        return Err(rows.fault(index, Problem::Unexpected { what, found, expected }));
    }
    start.checked_add(length).ok_or_else(|| {
        let (found, limit) = (u64::from(start) + u64::from(length), u32::MAX.into());
        rows.fault(index, Problem::TooLarge { what, found, limit })
    })
}
