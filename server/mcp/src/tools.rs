//! The tools as clients list them.

use std::sync::Arc;

use openmind_pack_engine::ops::Operation;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use openmind_pack_format::schemas::ToolSchemas;

/// Describes the operations in their order. An operation without schemas is none that clients may call.
pub(crate) fn describe(operations: &'static [Operation]) -> Vec<Tool> {
    operations
        .iter()
        .filter_map(|operation| {
            let schemas = ToolSchemas::of(operation.tool)?;
            let annotations = ToolAnnotations::with_title(operation.title)
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false);
            Some(
                Tool::new(operation.tool, operation.description, schema(schemas.input))
                    .with_title(operation.title)
                    .with_raw_output_schema(schema(schemas.output))
                    .with_annotations(annotations),
            )
        })
        .collect()
}

/// A schema file as an object that keeps the file's order. The files are constants, and a test parses each.
fn schema(file: &'static str) -> Arc<JsonObject> {
    Arc::new(serde_json::from_str(file).unwrap_or_default())
}
