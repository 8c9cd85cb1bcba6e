//! `inspect`: what a bundle is and what it holds.

use openmind_pack_format::{Bundle, ReadError};
use serde::Serialize;

use super::{named, open};
use crate::args::InspectArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::print;

/// Everything that a bundle says of itself.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Inspected<'a> {
    status: &'static str,
    pub(crate) content_hash: String,
    pub(crate) knowledge_hash: String,
    pub(crate) file_length: u64,
    pub(crate) body_length: u64,
    pub(crate) format_version: u32,
    pub(crate) min_reader_version: u32,
    pub(crate) analyzer_id: u32,
    pub(crate) analyzer_known: bool,
    pub(crate) schema_version: &'a str,
    pub(crate) generated_at: &'a str,
    pub(crate) generator: Generator<'a>,
    pub(crate) repository: Repository<'a>,
    pub(crate) counts: Counts,
    pub(crate) artifacts: Vec<Artifact<'a>>,
    pub(crate) sections: Vec<Section>,
}

/// Who wrote the artifacts.
#[derive(Serialize)]
pub(crate) struct Generator<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    pub(crate) template: Option<&'a str>,
}

/// What they describe. The root is shown because it may tell more of a machine than its owner likes.
#[derive(Serialize)]
pub(crate) struct Repository<'a> {
    pub(crate) name: &'a str,
    pub(crate) root: &'a str,
    pub(crate) commit: Option<&'a str>,
}

/// How many of each.
#[derive(Serialize)]
pub(crate) struct Counts {
    pub(crate) terms: u32,
    pub(crate) components: u32,
    pub(crate) layers: u32,
    pub(crate) flows: u32,
    pub(crate) files: u32,
    pub(crate) symbols: u32,
}

/// An original file.
#[derive(Serialize)]
pub(crate) struct Artifact<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: &'static str,
    pub(crate) length: u32,
    pub(crate) entries: Option<u32>,
}

/// A section of the file.
#[derive(Serialize)]
pub(crate) struct Section {
    pub(crate) kind: &'static str,
    pub(crate) rows: u32,
    pub(crate) length: u64,
}

pub(super) fn run(args: &InspectArgs, console: &Console) -> Result<Exit, Failure> {
    let bundle = open(&args.file, args.expect)?;
    let inspected = inspect(&bundle).map_err(|error| Failure::read(&args.file, &error))?;
    bundle.unchanged()?;
    if console.json() {
        let result = serde_json::to_string(&inspected).map_err(Failure::defect)?;
        console.print_envelope(Some(&named(&args.file, &bundle)), &result)?;
    } else {
        let mut page = console.page();
        print::inspected(&mut page, &args.file, &inspected);
        console.print(&page)?;
    }
    Ok(Exit::Done)
}

fn inspect(bundle: &Bundle) -> Result<Inspected<'_>, ReadError> {
    let (header, info) = (bundle.header(), bundle.info()?);
    let artifact = |index| {
        let artifact = bundle.artifact(index)?;
        Ok(Artifact {
            name: artifact.name()?,
            kind: artifact.kind().as_str(),
            length: artifact.row().length,
            entries: artifact.entries(),
        })
    };
    let sections = bundle.inventory().into_iter();
    Ok(Inspected {
        status: "ok",
        content_hash: bundle.content_hash().to_string(),
        knowledge_hash: header.knowledge_hash.to_string(),
        file_length: bundle.file_length(),
        body_length: header.body_length,
        format_version: header.format_version,
        min_reader_version: header.min_reader_version,
        analyzer_id: header.analyzer_id,
        analyzer_known: bundle.analyzer_matches(),
        schema_version: info.schema_version()?,
        generated_at: info.generated_at()?,
        generator: Generator {
            name: info.generator_name()?,
            version: info.generator_version()?,
            template: info.template_name()?,
        },
        repository: Repository {
            name: info.repository_name()?,
            root: info.repository_root()?,
            commit: info.commit()?,
        },
        counts: Counts {
            terms: bundle.term_count()?,
            components: bundle.component_count()?,
            layers: bundle.layer_count()?,
            flows: bundle.flow_count()?,
            files: bundle.file_count()?,
            symbols: bundle.symbol_count()?,
        },
        artifacts: (0..bundle.artifact_count()?).map(artifact).collect::<Result<_, ReadError>>()?,
        sections: sections
            .map(|section| Section { kind: section.kind.name(), rows: section.rows, length: section.length })
            .collect(),
    })
}
