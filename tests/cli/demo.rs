//! `demo`: the tour, and the page that it writes.

use std::fs;

use crate::common::{Desk, repository};

#[test]
fn the_page_in_docs_is_what_the_demo_writes_today() {
    let page = Desk::new().run(["demo", "--markdown"]).expect(0).stdout;
    let committed = fs::read_to_string(repository("docs/demo-queries.md")).expect("read");
    assert!(page == committed, "stale: openmind-pack demo --markdown > docs/demo-queries.md");
}

#[test]
fn the_tour_shows_every_command_and_every_verdict() {
    let shown = Desk::new().run(["demo"]).expect(0).stdout;
    for text in [
        "$ openmind-pack artifacts",
        "$ openmind-pack search \"leak closed valve\"",
        "$ openmind-pack symbol Pulse",
        "$ openmind-pack explain valved/safety",
        "$ openmind-pack claim ",
        "\nsupported, ",
        "\nunsupported, ",
        "\ninsufficient evidence, ",
    ] {
        assert!(shown.contains(text), "{text}");
    }
    assert!(shown.lines().next_back().is_some_and(|line| line.starts_with("from built-in sample")));
}

#[test]
fn what_the_tour_types_gives_what_it_shows() {
    let desk = Desk::new();
    let shown = desk.run(["demo"]).expect(0).stdout;
    for arguments in [&["symbol", "plan_wattering"][..], &["explain", "valved/safety"], &["artifacts"]] {
        let answer = desk.run(arguments).expect(0).stdout;
        let (answer, _) = answer.split_once("\n\nfrom ").expect("an answer names its bundle");
        assert!(shown.contains(answer), "{arguments:?}");
    }
}

#[test]
fn the_tour_is_the_same_whatever_surrounds_it() {
    let desk = Desk::new();
    let first = desk.run(["demo"]).expect(0).stdout;
    desk.write("some.ompack", "broken");
    let variables = [("OPEN_MIND_ARTIFACTS_DIR", "missing"), ("OPEN_MIND_MAX_RESULTS", "1"), ("LC_ALL", "C")];
    assert_eq!(desk.run_with(&variables, ["demo"]).expect(0).stdout, first);
}

#[test]
fn any_bundle_can_be_toured_an_empty_one_too() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    let shown = desk.run(["demo", "--bundle", "x.ompack"]).expect(0).stdout;
    assert!(
        shown.contains("supported, high confidence") && shown.contains("insufficient evidence"),
        "{shown}"
    );
    crate::craft::small_directory(&desk, "dir", "The first of all letters.");
    desk.run(["demo", "--bundle", "dir"]).expect(0);
    desk.run(["demo", "--bundle", "missing"]).expect(3);
}
