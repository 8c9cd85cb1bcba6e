//! The five questions, asked without a server.

use serde_json::{Value, json};

use crate::common::Desk;

/// An answer about the built-in sample.
fn answer(arguments: &[&str]) -> Value {
    Desk::new().run([arguments, &["--json"]].concat()).expect(0).envelope()["result"].clone()
}

#[test]
fn an_envelope_names_the_command_and_the_bundle() {
    let desk = Desk::new();
    desk.build_sample("x.ompack");
    let hash =
        desk.run(["verify", "x.ompack", "--json"]).expect(0).envelope()["result"]["contentHash"].clone();
    for (command, argument) in
        [("search", "leak"), ("symbol", "Pulse"), ("explain", "valved"), ("claim", "The LeakRule closes.")]
    {
        let envelope = desk.run([command, argument, "--bundle", "x.ompack", "--json"]).expect(0).envelope();
        assert_eq!(envelope["command"], command);
        assert_eq!(envelope["bundle"], json!({"path": "x.ompack", "contentHash": hash}));
    }
}

#[test]
fn artifacts_lists_types_in_order_with_their_counts() {
    let result = answer(&["artifacts"]);
    let listed: Vec<(&str, &str)> = result["artifacts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|artifact| {
            (artifact["type"].as_str().expect("a type"), artifact["file"].as_str().expect("a file"))
        })
        .collect();
    assert_eq!(
        listed,
        [
            ("glossary", "glossary.json"),
            ("architecture", "architecture.json"),
            ("flows", "flows.json"),
            ("source-index", "source-index.json")
        ]
    );
    assert_eq!(result["repository"], json!({"name": "fernhouse", "commit": null}));
}

#[test]
fn a_symbol_is_supported_by_every_place_of_its_name() {
    let result = answer(&["symbol", "Pulse"]);
    assert_eq!(result["status"], "supported");
    let places: Vec<String> = result["evidence"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|record| format!("{}:{}", record["file"].as_str().expect("a file"), record["line"]))
        .collect();
    // The glossary first, then by path.
    assert_eq!(
        places,
        [
            "docs/GLOSSARY.md:11",
            "panel/src/generated/api-types.ts:9",
            "planner/schedule.py:29",
            "valved/valve/bank.go:25"
        ]
    );
}

#[test]
fn pages_of_a_symbol_follow_their_cursor() {
    let desk = Desk::new();
    let first =
        desk.run(["symbol", "Pulse", "--limit", "3", "--json"]).expect(0).envelope()["result"].clone();
    assert_eq!((first["evidence"].as_array().expect("a list").len(), &first["total"]), (3, &json!(4)));
    let cursor = first["nextCursor"].as_str().expect("a cursor");
    let second = desk
        .run(["symbol", "Pulse", "--limit", "3", "--cursor", cursor, "--json"])
        .expect(0)
        .envelope()["result"]
        .clone();
    assert_eq!(second["evidence"].as_array().expect("a list").len(), 1);
    assert_eq!(second.get("nextCursor"), None);
    let shown = desk.run(["symbol", "Pulse", "--limit", "3"]).expect(0).stdout;
    assert!(shown.contains("3 of 4 places") && shown.contains(&format!("--cursor {cursor}")), "{shown}");
}

#[test]
fn what_is_unknown_is_refused_with_names_near_it_and_exit_0() {
    let result = answer(&["symbol", "plan_wattering"]);
    assert_eq!(result["status"], "insufficient_evidence");
    assert_eq!(result["evidence"], json!([]));
    assert_eq!(result["suggestions"][0], "plan_watering");
    let result = answer(&["explain", "valvd"]);
    assert_eq!(result["status"], "insufficient_evidence");
    assert_eq!(result["availableComponents"][0], "valved");
    assert_eq!(
        answer(&["search", "xylophone"]),
        json!({"status": "no_results", "query": "xylophone", "results": []})
    );
}

#[test]
fn a_claim_ends_with_1_only_where_support_is_required_and_missing() {
    let desk = Desk::new();
    let holds = "The DeadManSwitch closes every open valve when no heartbeat has counted for 90 seconds.";
    let not = "The PlannerClient uploads telemetry to Grafana.";
    assert_eq!(answer(&["claim", holds])["status"], "supported");
    assert_eq!(answer(&["claim", not])["status"], "unsupported");
    assert_eq!(answer(&["claim", "The InvoiceMailer archives receipts."])["status"], "insufficient_evidence");
    desk.run(["claim", "--require-supported", holds]).expect(0);
    let run = desk.run(["claim", "--require-supported", not, "--json"]).expect(1);
    assert_eq!(
        run.envelope()["result"]["status"],
        "unsupported",
        "the answer is the same, only the code differs"
    );
    desk.run(["claim", not]).expect(0);
}

#[test]
fn arguments_that_no_operation_takes_are_wrong_usage() {
    let desk = Desk::new();
    for (arguments, complaint) in [
        (&["search", "x", "--limit", "0"][..], "from 1 to 50"),
        (&["search", "x", "--limit", "51"], "from 1 to 50"),
        (&["search", "x", "--limit", "ten"], "--limit"),
        (&["search", ""], "\"query\""),
        (&["symbol", "Pulse", "--cursor", "nonsense"], "\"cursor\""),
        (&["claim"], "<CLAIM>"),
        (&["search", "two", "words"], "unexpected argument"),
        (&["unheard-of"], "unrecognized subcommand"),
    ] {
        let run = desk.run(arguments).expect(2).complains(&[complaint]);
        assert_eq!(run.stdout, "", "{arguments:?}");
    }
    let long = "x".repeat(4_097);
    desk.run(["search", &long]).expect(2).complains(&["4096"]);
    desk.run(["search", &long[..4_096]]).expect(0);
}

#[test]
fn search_gives_five_unless_told_otherwise_and_flags_win() {
    let desk = Desk::new();
    let count = |variables: &[(&str, &str)], further: &[&str]| {
        let run = desk.run_with(variables, [&["search", "valve", "--json"], further].concat()).expect(0);
        (run.envelope()["result"]["results"].as_array().expect("a list").len(), run.stderr)
    };
    assert_eq!(count(&[], &[]), (5, String::new()));
    assert_eq!(count(&[("OPEN_MIND_MAX_RESULTS", "3")], &[]).0, 3);
    assert_eq!(count(&[("OPEN_MIND_MAX_RESULTS", "3")], &["--limit", "7"]).0, 7);
    for wrong in ["0", "51", "many"] {
        let (found, complaint) = count(&[("OPEN_MIND_MAX_RESULTS", wrong)], &[]);
        assert_eq!(found, 5, "{wrong}");
        assert!(complaint.contains("OPEN_MIND_MAX_RESULTS") && complaint.contains(wrong), "{complaint}");
    }
}

#[test]
fn people_read_the_place_first_the_line_quoted_and_the_bundle_named() {
    let run = Desk::new().run(["symbol", "Pulse"]).expect(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "Pulse  supported, high confidence, 4 places");
    assert!(lines[2].starts_with("  docs/GLOSSARY.md:11  "), "{}", run.stdout);
    let quotes: Vec<Option<usize>> = lines[2..6].iter().map(|line| line.find("  > ")).collect();
    assert!(quotes.iter().all(|at| at.is_some() && *at == quotes[0]), "quotes are aligned:\n{}", run.stdout);
    assert!(
        run.stdout.ends_with('\n') && lines[lines.len() - 1].starts_with("from built-in sample, content ")
    );
}

#[test]
fn a_damaged_part_is_refused_when_it_is_touched_and_not_answered_from() {
    let desk = Desk::new();
    let mut bytes = std::fs::read(desk.build_sample("x.ompack")).expect("read");
    // Group 0 is checked at the opening, so the damage goes behind it.
    let last = bytes.len() - 200;
    assert!(last > 65_536);
    bytes[last] ^= 4;
    desk.write("bad.ompack", bytes);
    desk.run(["artifacts", "--bundle", "bad.ompack"]).expect(0);
    let mut refused = 0;
    for query in ["valve", "bed", "the planner reads", "lockout", "water"] {
        let run = desk.run(["search", query, "--bundle", "bad.ompack", "--json"]);
        match run.code {
            Some(0) => {
                let good = desk.run(["search", query, "--bundle", "x.ompack", "--json"]).expect(0);
                assert_eq!(run.result_bytes(), good.result_bytes());
            }
            _ => {
                refused += 1;
                let run = run.expect(1);
                assert_eq!(run.envelope()["result"]["kind"], "damaged");
            }
        }
    }
    assert!(refused > 0, "no query touched the damage");
}
