//! Which documents bear a name, and which names fold to one.

use openmind_pack_format::{Problem, SectionKind};

use crate::forgery::{Forgery, all, assert_refused, at_row, not_ascending, too_large, unexpected};
use crate::sample;

const ENDS: SectionKind = SectionKind::NameEnds;
const PLACES: SectionKind = SectionKind::Places;
const FOLDED_ENDS: SectionKind = SectionKind::FoldedEnds;
const SPELLINGS: SectionKind = SectionKind::FoldedNames;

/// An ordinal with at least two rows behind it, and the first of those rows.
fn with_two(forgery: &Forgery, ends: SectionKind, fits: impl Fn(u32) -> bool) -> (u32, u32) {
    (1..forgery.rows(ends))
        .map(|ordinal| (ordinal, forgery.get(ends, ordinal - 1, "end")))
        .find(|(ordinal, first)| forgery.get(ends, *ordinal, "end") >= first + 2 && fits(*first))
        .unwrap()
}

#[test]
fn a_place_that_is_no_document() {
    let documents = sample().open().unwrap().document_count().unwrap();
    for document in [documents, u32::MAX] {
        let forged = sample().set(PLACES, 0, "document", document);
        let problem = too_large("document", document.into(), documents.into());
        let bundle = forged.open().unwrap();
        assert_refused(all(bundle.places(0)), at_row(&forged, PLACES, 0), problem);
    }
}

#[test]
fn places_that_repeat_or_descend() {
    // Its first document isn't the first of all.
    let (name, first) = with_two(&sample(), ENDS, |first| sample().get(PLACES, first, "document") > 0);
    let document = sample().get(PLACES, first, "document");
    for later in [document, document - 1] {
        let forged = sample().set(PLACES, first + 1, "document", later);
        let bundle = forged.open().unwrap();
        let place = at_row(&forged, PLACES, first + 1);
        assert_refused(all(bundle.places(name)), place, not_ascending("places of a name"));
    }
}

#[test]
fn a_place_that_bears_another_name() {
    // The first names change places: each has a document of the other.
    let (a, b) = (sample().get(PLACES, 0, "document"), sample().get(PLACES, 1, "document"));
    assert_eq!(sample().get(ENDS, 0, "end"), 1);
    let forged = sample().set(PLACES, 0, "document", b).set(PLACES, 1, "document", a);
    let problem = Problem::Dictionary("a place bears another name than its key");
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, ENDS, 0), problem);
}

#[test]
fn a_name_whose_places_end_before_they_begin() {
    let forged = sample().set(ENDS, 5, "end", 0);
    let bundle = forged.open().unwrap();
    assert_refused(all(bundle.places(5)), at_row(&forged, ENDS, 5), not_ascending("ends"));
    assert_refused(bundle.verify_deep(), at_row(&forged, ENDS, 5), not_ascending("ends"));
}

#[test]
fn a_name_with_places_beyond_all_places() {
    let (names, places) = (sample().rows(ENDS), sample().rows(PLACES));
    let forged = sample().set(ENDS, names - 1, "end", u32::MAX);
    let bundle = forged.open().unwrap();
    let problem = too_large("end of a row range", u32::MAX.into(), places.into());
    assert_refused(all(bundle.places(names - 1)), at_row(&forged, PLACES, 0), problem);
    assert_refused(bundle.verify_deep(), at_row(&forged, ENDS, names - 1), not_ascending("ends"));
}

#[test]
fn a_document_without_a_name() {
    let (names, places) = (sample().rows(ENDS), u64::from(sample().rows(PLACES)));
    let forged = sample().add(ENDS, names - 1, "end", -1);
    let problem = unexpected("last end", places - 1, places);
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, ENDS, 0), problem);
}

#[test]
fn a_name_that_is_not_there() {
    let names = sample().rows(ENDS);
    let forged = sample().set(SPELLINGS, 0, "name", names);
    let bundle = forged.open().unwrap();
    let problem = too_large("name", names.into(), names.into());
    assert_refused(all(bundle.spellings(0)), at_row(&forged, SPELLINGS, 0), problem);
}

#[test]
fn spellings_that_repeat() {
    let (folded, first) = with_two(&sample(), FOLDED_ENDS, |_| true);
    let name = sample().get(SPELLINGS, first, "name");
    let forged = sample().set(SPELLINGS, first + 1, "name", name);
    let bundle = forged.open().unwrap();
    let place = at_row(&forged, SPELLINGS, first + 1);
    assert_refused(all(bundle.spellings(folded)), place, not_ascending("spellings of a name"));
}

#[test]
fn spellings_that_end_before_they_begin_or_beyond_all() {
    let last = sample().rows(FOLDED_ENDS) - 1;
    let forged = sample().set(FOLDED_ENDS, 7, "end", 0);
    let bundle = forged.open().unwrap();
    assert_refused(all(bundle.spellings(7)), at_row(&forged, FOLDED_ENDS, 7), not_ascending("ends"));
    let forged = sample().set(FOLDED_ENDS, last, "end", u32::MAX - 1);
    let bundle = forged.open().unwrap();
    let problem = too_large("end of a row range", u64::from(u32::MAX) - 1, sample().rows(SPELLINGS).into());
    assert_refused(all(bundle.spellings(last)), at_row(&forged, SPELLINGS, 0), problem);
}

#[test]
fn a_spelling_that_folds_to_another_key() {
    let [a, b] = [0, 1].map(|row| sample().get(SPELLINGS, row, "name"));
    assert_eq!(sample().get(FOLDED_ENDS, 0, "end"), 1);
    let forged = sample().set(SPELLINGS, 0, "name", b).set(SPELLINGS, 1, "name", a);
    let problem = Problem::Dictionary("a spelling folds to another key");
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, FOLDED_ENDS, 0), problem);
}

#[test]
fn a_name_without_a_folded_one() {
    let last = sample().rows(FOLDED_ENDS) - 1;
    let names = u64::from(sample().rows(SPELLINGS));
    let forged = sample().add(FOLDED_ENDS, last, "end", -1);
    let problem = unexpected("last end", names - 1, names);
    assert_refused(forged.open().unwrap().verify_deep(), at_row(&forged, FOLDED_ENDS, 0), problem);
}

#[test]
fn spellings_that_share_all_documents() {
    // Two spellings of one name, each with every document: a thousand of them would cost a thousand times as much.
    let forged = sample();
    let (folded, first) = with_two(&forged, FOLDED_ENDS, |_| true);
    let [a, b] = [first, first + 1].map(|row| forged.get(SPELLINGS, row, "name"));
    let documents = forged.rows(PLACES);
    let mut forged = forged;
    for document in 0..documents {
        forged = forged.set(PLACES, document, "document", document);
    }
    for name in [a, b] {
        forged = forged.set(ENDS, name - 1, "end", 0).set(ENDS, name, "end", documents);
    }
    let bundle = forged.open().unwrap();
    let mut key = Vec::new();
    assert!(bundle.names().unwrap().key(a, &mut key).unwrap());
    assert!(bundle.spellings(folded).unwrap().count() >= 2);
    let found = u64::from(documents) + 1;
    let problem = too_large("places of all spellings", found, documents.into());
    let name = String::from_utf8(key).unwrap();
    assert_refused(bundle.documents_named_in_any_case(&name), at_row(&forged, ENDS, b), problem);
}
