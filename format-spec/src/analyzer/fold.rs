//! One spelling for all cases of a text.

use std::borrow::Cow;

use icu_casemap::{CaseMapper, CaseMapperBorrowed};
use icu_normalizer::{ComposingNormalizer, ComposingNormalizerBorrowed};

static CASE: CaseMapperBorrowed<'static> = CaseMapper::new();
static NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizer::new_nfc();

/// The text in NFC, as it is where it is so already.
pub(super) fn compose(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { NFC.normalize(text) }
}

/// Folds case: NFC, then Unicode's full, locale-independent case folding, then NFC again, because a folding may
/// leave a letter and its mark apart (`ǰ` folds to `j` and a caron).
///
/// Two names are the same without regard to case when their folded forms are equal. Folding twice changes
/// nothing. ASCII text without capitals is returned as it is.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    let composed = NFC.normalize(text);
    let folded = CASE.fold_string(&composed);
    // Borrow from `text` where neither step changed anything.
    match (&composed, NFC.normalize(&folded)) {
        (Cow::Borrowed(same), Cow::Borrowed(result)) if *same == result => Cow::Borrowed(same),
        (_, result) => Cow::Owned(result.into_owned()),
    }
}
