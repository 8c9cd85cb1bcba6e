//! `glossary.json`: terms.

use serde::de::MapAccess;

use super::citation::evidence;
use super::leaf;
use super::record::{Field, Record, Value, required};
use crate::findings::Code;
use crate::intern::StringId;
use crate::model::Term;

/// `glossary.json`; its entries go straight to the model.
#[derive(Default)]
pub(super) struct Glossary {
    pub(super) schema_version: StringId,
}

impl Record for Glossary {
    const FIELDS: &'static [Field] = &[required("schemaVersion"), required("entries")];
    const BARE: Option<usize> = Some(1);

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.schema_version = value.leaf(leaf::schema_version)?,
            _ => {
                value.records(|cx, term: Term| cx.model.terms.push(term))?;
            }
        }
        Ok(())
    }
}

impl Record for Term {
    const FIELDS: &'static [Field] = &[
        required("term"),
        required("kind"),
        required("description"),
        required("evidence"),
        required("confidence"),
    ];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => {
                self.term = value.leaf(leaf::name)?;
                value.cx.duplicate_name(Code::DuplicateTerm, &value.at, self.term, |seen| &mut seen.terms);
            }
            1 => self.kind = value.leaf(leaf::text)?,
            2 => self.description = value.leaf(leaf::text)?,
            3 => self.evidence = evidence(value)?,
            _ => self.confidence = value.leaf(leaf::confidence)?,
        }
        Ok(())
    }
}
