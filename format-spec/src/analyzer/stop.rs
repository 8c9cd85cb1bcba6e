//! Words that carry no meaning of their own in a question or claim.

/// The stop words, sorted by bytes.
///
/// Negators (`not`, `never`, `without`), quantifiers (`all`, `any`, `only`, `always`, `must`), comparators (`more`, `least`,
/// `than`, `over`) and the words that order events (`before`, `after`, `until`, `once`) decide what a claim says, so none of
/// them is here.
#[rustfmt::skip]
pub(super) static STOP_WORDS: [&str; 100] = [
    "a", "about", "also", "am", "an", "and", "are", "as", "at", "be", "been", "being", "by", "can", "could",
    "did", "do", "does", "doing", "for", "from", "had", "has", "have", "having", "he", "hence", "her", "here",
    "hers", "herself", "him", "himself", "his", "how", "i", "if", "in", "into", "is", "it", "its", "itself",
    "may", "me", "might", "mine", "my", "myself", "of", "on", "onto", "or", "our", "ours", "ourselves", "per",
    "shall", "she", "should", "so", "such", "that", "the", "their", "theirs", "them", "themselves", "then",
    "there", "therefore", "these", "they", "this", "those", "thus", "to", "upon", "us", "via", "was", "we",
    "were", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with",
    "would", "you", "your", "yours", "yourself",
];

/// Whether a folded word is a stop word of questions and claims. Texts are indexed with theirs.
pub fn is_stop_word(folded: &str) -> bool {
    STOP_WORDS.binary_search(&folded).is_ok()
}
