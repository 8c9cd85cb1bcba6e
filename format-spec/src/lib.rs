//! What an openmind-pack bundle is: layout, hashes, dictionaries, postings, text analysis.
