//! The term index: which terms stand in which documents, and how strongly.
//!
//! ```text
//! distinct texts -> tokens (each text once) -> documents: field lengths -> impacts -> inverted -> blocks
//! ```

mod documents;
mod fields;
mod invert;
mod tokens;

use openmind_pack_format::dictionary::BuiltShard;
use openmind_pack_format::postings::EncodedPostings;

use crate::error::CompileError;
use crate::shards::build_dictionary;
use crate::tables::Tables;
use documents::Documents;
use fields::FieldTexts;
use tokens::Tokens;

/// The dictionary of terms and its postings.
pub(crate) struct Terms {
    pub(crate) dictionary: Vec<BuiltShard>,
    pub(crate) postings: EncodedPostings,
}

impl Terms {
    pub(crate) fn build(tables: &Tables) -> Result<Self, CompileError> {
        let texts = FieldTexts::new(tables);
        let tokens = Tokens::of(&tables.strings, &texts.searched())?;
        let documents = Documents::new(&texts, &tokens);
        let (dictionary, postings) = rayon::join(
            || build_dictionary(tokens.term_count(), |ordinal| tokens.term(ordinal)),
            || invert::invert(&documents, tokens.term_count()),
        );
        Ok(Self { dictionary: dictionary?, postings })
    }
}
