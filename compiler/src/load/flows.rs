//! `flows.json`: flows, their steps, and what a template captured at their entry.

use serde::de::MapAccess;

use super::citation::{cited_path, evidence};
use super::leaf;
use super::record::{Field, Record, Value, optional, required};
use crate::findings::Code;
use crate::intern::StringId;
use crate::model::{Facet, FacetValue, Flow, Span, Step};

/// `flows.json`; its flows go straight to the model.
#[derive(Default)]
pub(super) struct Flows {
    pub(super) schema_version: StringId,
}

impl Record for Flows {
    const FIELDS: &'static [Field] = &[required("schemaVersion"), required("flows")];
    const BARE: Option<usize> = Some(1);

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.schema_version = value.leaf(leaf::schema_version)?,
            _ => {
                value.records(|cx, flow: Flow| cx.model.flows.push(flow))?;
            }
        }
        Ok(())
    }
}

impl Record for Flow {
    const FIELDS: &'static [Field] = &[
        optional("facets"),
        required("name"),
        required("description"),
        required("steps"),
        required("confidence"),
    ];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => {
                let start = value.cx.model.facets.len();
                value.records(|cx, facet: Facet| cx.model.facets.push(facet))?;
                self.facets = Span::since(start, &value.cx.model.facets);
            }
            1 => self.name = value.leaf(leaf::name)?,
            2 => self.description = value.leaf(leaf::text)?,
            3 => {
                let start = value.cx.model.steps.len();
                let count = value.records(|cx, step: Step| cx.model.steps.push(step))?;
                if count == Some(0) {
                    let message = || "expected at least one step, found none".to_owned();
                    value.cx.report.value(Code::NoSteps, &value.at, message);
                }
                self.steps = Span::since(start, &value.cx.model.steps);
            }
            _ => self.confidence = value.leaf(leaf::confidence)?,
        }
        Ok(())
    }
}

impl Record for Step {
    const FIELDS: &'static [Field] =
        &[required("order"), required("description"), required("component"), required("evidence")];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.order = value.leaf(leaf::count)?.unwrap_or_default(),
            1 => self.description = value.leaf(leaf::text)?,
            2 => self.component = value.leaf(leaf::name)?,
            _ => self.evidence = evidence(value)?,
        }
        Ok(())
    }
}

impl Record for Facet {
    const FIELDS: &'static [Field] =
        &[required("facet"), required("values"), required("file"), required("line"), required("snippet")];

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        field: usize,
        value: &mut Value<'_, '_, A>,
    ) -> Result<(), A::Error> {
        match field {
            0 => self.facet = value.leaf(leaf::name)?,
            1 => {
                let start = value.cx.model.facet_values.len();
                value.pairs(leaf::text, |cx, at, name, captured| {
                    let name = leaf::key_name(cx, at, name);
                    cx.model.facet_values.push(FacetValue { name, value: captured });
                })?;
                self.values = Span::since(start, &value.cx.model.facet_values);
            }
            2 => self.place.file = value.leaf(cited_path)?,
            3 => self.place.line = value.leaf(leaf::line)?,
            _ => self.place.snippet = value.leaf(leaf::text)?,
        }
        Ok(())
    }
}
