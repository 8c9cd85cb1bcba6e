//! `architecture.json`: components and layers.

use serde::de::MapAccess;

use super::citation::{cited_path, evidence};
use super::leaf;
use super::record::{Field, Record, Value, optional, required};
use crate::findings::Code;
use crate::intern::StringId;
use crate::model::{Component, Layer, Role, Span};

/// `architecture.json`; its lists go straight to the model.
#[derive(Default)]
pub(super) struct Architecture {
    pub(super) schema_version: StringId,
}

impl Record for Architecture {
    const FIELDS: &'static [Field] = &[required("schemaVersion"), required("components"), optional("layers")];
    const BARE: Option<usize> = Some(1);

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.schema_version = value.leaf(leaf::schema_version)?,
            1 => {
                value.records(|cx, component: Component| cx.model.components.push(component))?;
            }
            _ => {
                value.records(|cx, layer: LayerRecord| cx.model.layers.push(layer.row))?;
            }
        }
        Ok(())
    }
}

impl Record for Component {
    const FIELDS: &'static [Field] = &[
        required("name"),
        required("kind"),
        required("description"),
        required("responsibilities"),
        required("evidence"),
        required("confidence"),
        optional("roles"),
    ];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => {
                self.name = value.leaf(leaf::name)?;
                let components = Code::DuplicateComponent;
                value.cx.duplicate_name(components, &value.at, self.name, |seen| &mut seen.components);
            }
            1 => self.kind = value.leaf(leaf::text)?,
            2 => self.description = value.leaf(leaf::text)?,
            3 => {
                let start = value.cx.model.responsibilities.len();
                value.leaves(leaf::text, |cx, text| cx.model.responsibilities.push(text))?;
                self.responsibilities = Span::since(start, &value.cx.model.responsibilities);
            }
            4 => self.evidence = evidence(value)?,
            5 => self.confidence = value.leaf(leaf::confidence)?,
            _ => {
                let start = value.cx.model.roles.len();
                value.pairs(leaf::count, |cx, at, role, count| {
                    let role = leaf::key_name(cx, at, role);
                    cx.model.roles.push(Role { role, count: count.unwrap_or_default() });
                })?;
                self.roles = Span::since(start, &value.cx.model.roles);
            }
        }
        Ok(())
    }
}

/// A layer while it is read.
#[derive(Default)]
struct LayerRecord {
    row: Layer,
    file_count: Option<u32>,
    listed: Option<usize>,
}

impl Record for LayerRecord {
    const FIELDS: &'static [Field] = &[
        required("role"),
        required("title"),
        optional("layer"),
        required("fileCount"),
        required("files"),
        required("evidence"),
        required("confidence"),
    ];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.row.role = value.leaf(leaf::name)?,
            1 => self.row.title = value.leaf(leaf::text)?,
            2 => self.row.layer = value.leaf(leaf::nullable_count)?,
            3 => self.file_count = value.leaf(leaf::count)?,
            4 => {
                let start = value.cx.model.layer_files.len();
                self.listed = value.leaves(cited_path, |cx, file| cx.model.layer_files.push(file))?;
                self.row.files = Span::since(start, &value.cx.model.layer_files);
            }
            5 => self.row.evidence = evidence(value)?,
            _ => self.row.confidence = value.leaf(leaf::confidence)?,
        }
        if matches!(field, 3 | 4) {
            self.compare_counts(value);
        }
        Ok(())
    }
}

impl LayerRecord {
    /// The list may be shorter than the count, since the generator cuts it, but not longer. Warns at whichever of the two comes last.
    fn compare_counts<A>(&mut self, value: &mut Value<'_, '_, A>) {
        self.row.file_count = self.file_count.unwrap_or_default();
        let (Some(count), Some(listed)) = (self.file_count, self.listed) else { return };
        if listed > count as usize {
            let message = || format!("`fileCount` is {count}, and `files` lists {listed}");
            value.cx.report.value(Code::FileCountTooSmall, &value.at, message);
        }
    }
}
