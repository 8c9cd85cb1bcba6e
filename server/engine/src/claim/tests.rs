//! The rule as a whole, over a hand-made bundle about a lending library.

use std::path::Path;

use openmind_pack_format::{Bundle, Confidence, OpenOptions};

use super::{Status, Verdict, check};
use crate::testing::{Cited, TestBundle};

const GLOSSARY: &str = "docs/GLOSSARY.md";
const LOAN_DESK: Cited<'_> =
    (GLOSSARY, 3, "LoanDesk: Lends books to members and sends reminders when a loan is overdue.");
const REMINDER: Cited<'_> = (GLOSSARY, 4, "Reminder: A letter that the desk sends to a member.");

fn library() -> TestBundle<'static> {
    TestBundle::default()
        .term(
            "LoanDesk",
            "Lends books to members and sends reminders when a loan is overdue.",
            Confidence::High,
            &[LOAN_DESK],
        )
        .term("Reminder", "A letter that the desk sends to a member.", Confidence::Medium, &[REMINDER])
        .term("late fee", "What a member pays for each day.", Confidence::High, &[(GLOSSARY, 5, "late fee")])
        .component(
            "src/loans",
            "Keeps loans.",
            Confidence::Medium,
            &["Defines extendLoan (function)"],
            &[("src/loans/a.py", 1, "import b")],
        )
        .file("src/loans/a.py", &[("extendLoan", "def extendLoan(loan):", 7), ("wait", "def wait():", 9)])
}

fn verdict<'b>(bundle: &'b Bundle, claim: &str) -> Verdict<'b> {
    check(bundle, claim).expect("an undamaged bundle")
}

fn status(claim: &str) -> Status {
    verdict(&library().open(), claim).status
}

fn reason(claim: &str) -> String {
    verdict(&library().open(), claim).reason
}

#[test]
fn a_claim_of_the_sources_own_words_is_supported_by_the_line_that_has_them() {
    let bundle = library().open();
    let verdict = verdict(&bundle, "The LoanDesk lends books to the members.");
    assert_eq!(verdict.status, Status::Supported);
    assert_eq!(verdict.matched_terms, ["LoanDesk", "lends", "books", "members"]);
    let first = verdict.evidence.first().map(|evidence| (evidence.file, evidence.line, evidence.snippet));
    assert_eq!(first, Some(LOAN_DESK));
    assert!(
        verdict.reason.starts_with("4 of 4 claim terms appear in artifacts describing LoanDesk"),
        "{}",
        verdict.reason
    );
    assert_eq!(verdict.confidence, Confidence::High);
}

#[test]
fn other_forms_of_a_word_count_as_the_word() {
    assert_eq!(status("LoanDesk lent a book to each member and is sending a reminder."), Status::Supported);
}

#[test]
fn seven_terms_of_ten_support_a_claim_and_fewer_do_not() {
    // In the glossary entry: LoanDesk lends books members sends reminders loan overdue.
    let seven = "LoanDesk lends books members sends reminders overdue xyzzy plugh quux.";
    assert_eq!(status(seven), Status::Supported);
    let six = "LoanDesk lends books members sends reminders frobnicate xyzzy plugh quux.";
    assert_eq!(status(six), Status::Unsupported);
}

#[test]
fn a_partly_matched_claim_has_medium_confidence() {
    let bundle = library().open();
    let partly = verdict(&bundle, "LoanDesk lends books to members gladly.");
    assert_eq!((partly.status, partly.confidence), (Status::Supported, Confidence::Medium));
    assert_eq!(partly.matched_terms, ["LoanDesk", "lends", "books", "members"]);
}

#[test]
fn confidence_is_no_higher_than_that_of_an_entry_the_claim_needs() {
    let bundle = library().open();
    // "letter" stands in Reminder alone, whose confidence is medium.
    let both = verdict(&bundle, "LoanDesk lends books and sends a letter.");
    assert_eq!((both.status, both.confidence), (Status::Supported, Confidence::Medium));
    // Reminder shares "member" and "sends", and nothing that LoanDesk lacks.
    let one = verdict(&bundle, "LoanDesk sends members reminders.");
    assert_eq!((one.status, one.confidence), (Status::Supported, Confidence::High));
}

#[test]
fn a_known_subject_with_unknown_behaviour_is_unsupported_and_the_missing_words_are_named() {
    let bundle = library().open();
    let verdict = verdict(&bundle, "The LoanDesk prints posters.");
    assert_eq!(verdict.status, Status::Unsupported);
    assert_eq!(verdict.matched_terms, ["LoanDesk"]);
    assert_eq!(verdict.evidence, []);
    assert_eq!(
        verdict.reason,
        "The artifacts describe LoanDesk but never mention: prints, posters. The loaded sources do not support this claim."
    );
    assert_eq!(verdict.confidence, Confidence::Medium);
}

#[test]
fn an_unknown_identifier_before_any_known_name_is_an_unknown_subject() {
    let bundle = library().open();
    let verdict = verdict(&bundle, "BookBinder lends books to members and sends reminders.");
    assert_eq!(verdict.status, Status::InsufficientEvidence);
    assert_eq!(verdict.reason, "No loaded artifact describes BookBinder.");
    assert_eq!(verdict.matched_terms, ["lends", "books", "members", "sends", "reminders"]);
    assert_eq!(verdict.evidence, []);
    assert_eq!(verdict.confidence, Confidence::Low);
}

#[test]
fn an_unknown_identifier_after_a_known_name_is_only_a_missing_term() {
    assert_eq!(status("LoanDesk calls BookBinder."), Status::Unsupported);
    assert!(reason("LoanDesk calls BookBinder.").contains("never mention: calls, BookBinder."));
}

#[test]
fn an_identifier_that_some_text_holds_is_not_unknown() {
    let bundle = library().term("desk lamp", "Lights the CardIndex.", Confidence::High, &[REMINDER]).open();
    assert_eq!(verdict(&bundle, "CardIndex lights the lamp.").status, Status::Supported);
    assert_eq!(verdict(&bundle, "CardIndex burns.").reason.find("CardIndex"), None);
}

#[test]
fn a_claim_about_nothing_described_is_insufficient() {
    let bundle = library().open();
    let verdict = verdict(&bundle, "Members board the submarine at noon.");
    assert_eq!((verdict.status, verdict.confidence), (Status::InsufficientEvidence, Confidence::Low));
    assert_eq!(verdict.matched_terms, ["Members"]);
    assert!(
        verdict.reason.starts_with("No loaded artifact describes the subject of this claim"),
        "{}",
        verdict.reason
    );
}

#[test]
fn a_claim_without_terms_is_insufficient() {
    for claim in ["the and of to", " \n ", "?!", "it is not"] {
        let bundle = library().open();
        let verdict = verdict(&bundle, claim);
        assert_eq!(verdict.status, Status::InsufficientEvidence, "{claim}");
        assert!(verdict.matched_terms.is_empty());
    }
}

#[test]
fn a_bundle_without_entries_supports_nothing() {
    let bundle = TestBundle::default().open();
    assert_eq!(verdict(&bundle, "Members pay fees.").status, Status::InsufficientEvidence);
}

#[test]
fn plain_words_are_subjects_only_where_something_is_described_under_exactly_that_name() {
    // `wait` is but a symbol; "reminder" isn't spelled as the entry is.
    assert_eq!(status("They wait for submarines."), Status::InsufficientEvidence);
    assert_eq!(status("Every reminder boards submarines."), Status::InsufficientEvidence);
    assert_eq!(status("Reminder boards submarines."), Status::Unsupported);
}

#[test]
fn names_of_several_words_or_parts_are_known_in_any_case_and_across_line_ends() {
    for claim in [
        "The Late  Fee\nboards submarines.",
        "LATE FEE boards submarines.",
        "loandesk? loanDesk boards submarines.",
    ] {
        assert_eq!(status(claim), Status::Unsupported, "{claim}");
    }
    assert!(reason("extendLoan boards submarines.").starts_with("The artifacts describe extendLoan but"));
    assert!(
        reason("All of src/loans boards submarines.").starts_with("The artifacts describe src/loans but")
    );
}

#[test]
fn a_name_in_another_case_is_a_term_that_its_entry_holds() {
    let bundle = library();
    let bundle = bundle.term("Zookeeper", "Feeds seals.", Confidence::High, &[REMINDER]).open();
    let verdict = verdict(&bundle, "The ZooKeeper boards submarines.");
    assert_eq!((verdict.status, verdict.matched_terms), (Status::Unsupported, vec!["ZooKeeper".to_owned()]));
}

#[test]
fn the_longest_name_at_a_place_wins() {
    let bundle = library()
        .term("late fee notice", "A slip.", Confidence::High, &[REMINDER])
        .component("src/loans/very/deep/path/of/seven", "Deep.", Confidence::Medium, &[], &[REMINDER])
        .open();
    let reason = |claim: &str| verdict(&bundle, claim).reason;
    assert!(
        reason("The late fee notice boards submarines.")
            .starts_with("The artifacts describe late fee notice but")
    );
    assert!(
        reason("In src/loans/very/deep/path/of/seven submarines burn gas under water quietly at dusk, boarding crews.")
            .starts_with("The artifacts describe src/loans/very/deep/path/of/seven but")
    );
}

#[test]
fn subjects_are_named_once_and_in_the_order_of_the_claim() {
    let reason = reason("Reminder, LoanDesk and again Reminder board submarines of plutonium.");
    assert!(
        reason.starts_with("The artifacts describe Reminder, LoanDesk but never mention: again, board"),
        "{reason}"
    );
}

#[test]
fn a_name_holds_its_words_twice_and_equals_come_in_document_order() {
    // Both hold two terms, but the second in its name.
    let bundle = TestBundle::default()
        .term("alpha", "Loud horn.", Confidence::High, &[("a.md", 1, "x")])
        .term("loud horn", "Noise.", Confidence::High, &[("a.md", 2, "y")])
        .term("omega", "Horn, loud.", Confidence::High, &[("a.md", 3, "z")])
        .open();
    let verdict = verdict(&bundle, "A horn that is loud.");
    assert!(verdict.reason.contains("describing loud horn, alpha, omega."), "{}", verdict.reason);
    assert_eq!(verdict.evidence.iter().map(|evidence| evidence.line).collect::<Vec<_>>(), [2, 1, 3]);
}

#[test]
fn only_the_best_three_entries_are_pooled() {
    let words = ["aa", "bb", "cc", "dd"];
    let mut library = TestBundle::default();
    for word in words {
        library = library.term(word, "Quiet.", Confidence::High, &[(GLOSSARY, 1, word)]);
    }
    let bundle = library.open();
    let verdict = verdict(&bundle, "dd cc bb aa");
    assert_eq!(verdict.matched_terms, ["cc", "bb", "aa"]);
    assert!(verdict.reason.contains("describing aa, bb, cc."), "{}", verdict.reason);
}

#[test]
fn evidence_is_distinct_at_most_five_and_has_room_for_every_entry() {
    let lines: Vec<Cited<'_>> = (1..=9).map(|line| ("big.md", line, "loud horn")).collect();
    let bundle = TestBundle::default()
        .term("loud horn", "Noise.", Confidence::High, &lines)
        .term("loud", "A horn.", Confidence::High, &[("big.md", 1, "loud horn"), ("small.md", 1, "horn")])
        .flow("blowing", "Of a horn.", Confidence::Low, &[("flow.py", 5, "loud()"), ("flow.py", 6, "horn()")])
        .open();
    let evidence: Vec<(&str, u32)> =
        verdict(&bundle, "The loud horn.").evidence.iter().map(|e| (e.file, e.line)).collect();
    assert_eq!(evidence, [("big.md", 1), ("big.md", 2), ("big.md", 3), ("small.md", 1), ("flow.py", 5)]);
}

#[test]
fn the_subject_is_in_the_pool_however_much_others_share() {
    let mut bundle = library();
    for name in ["cat", "dog", "eel", "fox"] {
        let description = "Boards submarines of plutonium at dawn, quietly, in water.";
        bundle = bundle.term(name, description, Confidence::High, &[(GLOSSARY, 20, name)]);
    }
    let bundle = bundle.open();
    // Four entries score 6; Reminder scores 4, for its name, which also holds it, and for being named.
    let claim = "Reminder boards submarines of plutonium in water at dawn, quietly, twice, gladly, loudly, backwards.";
    let verdict = verdict(&bundle, claim);
    assert_eq!(verdict.status, Status::Unsupported);
    let held = ["Reminder", "boards", "submarines", "plutonium", "water", "dawn", "quietly"];
    assert_eq!(verdict.matched_terms, held);
}

#[test]
fn pairs_of_characters_are_the_words_of_a_script_without_spaces() {
    let bundle = TestBundle::default()
        .term("図書館", "本を貸し出す。", Confidence::High, &[(GLOSSARY, 1, "図書館")])
        .open();
    assert_eq!(verdict(&bundle, "図書館は本を貸し出す").status, Status::Supported);
    assert_ne!(verdict(&bundle, "図書館は潜水艦を造る").status, Status::Supported);
}

/// The sample of this repository, as it was committed.
fn sample() -> Bundle {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/sample.ompack");
    Bundle::open(&path, OpenOptions::default()).expect("the committed sample")
}

#[test]
fn claims_about_the_sample_repository() {
    use Status::{InsufficientEvidence, Supported, Unsupported};
    let bundle = sample();
    for (claim, expected) in [
        (
            "The DeadManSwitch closes every open valve when no heartbeat has counted for 90 seconds.",
            Supported,
        ),
        ("BedStore deletes readings after 30 days.", Supported),
        ("A lockout survives a restart and is lifted by a named person.", Supported),
        ("plan_watering returns an empty plan when the bed is locked out.", Supported),
        ("θ_from_raw clamps a raw count that lies outside of the two calibration points.", Supported),
        ("Soak window: the valve stays closed for 20 minutes after a pulse.", Supported),
        ("The BedStore replicates bytes to Cassandra.", Unsupported),
        ("DeadManSwitch emails the mayor.", Unsupported),
        ("Visitor hours depend on ticket prices.", Unsupported),
        ("plan_watering calls TensorFlow.", Unsupported),
        ("FertilizerPump doses nutrients into the main valve.", InsufficientEvidence),
        ("CloudSync uploads readings after 30 days.", InsufficientEvidence),
        ("Invoices are archived nightly.", InsufficientEvidence),
    ] {
        let verdict = verdict(&bundle, claim);
        assert_eq!(verdict.status, expected, "{claim}: {}", verdict.reason);
        assert_eq!(verdict.evidence.is_empty(), expected != Supported, "{claim}");
    }
}

#[test]
fn counting_words_does_not_see_what_turns_a_sentence_around() {
    // What this rule can't do, on record: the source says "It never opens a valve".
    let bundle = sample();
    assert_eq!(verdict(&bundle, "The DeadManSwitch opens a valve.").status, Status::Supported);
}
