//! Questions of every kind: the same answers from two processes, and from the command line.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::asking::Asking;
use crate::disagreements::Disagreements;
use crate::oracle::Oracle;
use crate::program::{program, run};
use crate::questions::Question;
use crate::random::Random;
use crate::sample;
use crate::session::Session;

/// `count` questions of all five kinds.
pub(crate) fn questions(oracle: &Oracle<'_>, random: &mut Random, count: usize) -> Vec<Question> {
    let names = oracle.names();
    let components: Vec<&str> =
        oracle.artifacts.components().iter().filter_map(|component| component["name"].as_str()).collect();
    let descriptions: Vec<&str> =
        oracle.artifacts.terms().iter().filter_map(|term| term["description"].as_str()).collect();
    let pick = |random: &mut Random, texts: &[&str], other: &str| -> String {
        if texts.is_empty() { other.into() } else { (*random.one_of(texts)).into() }
    };

    (0..count)
        .map(|index| match index % 10 {
            0 => Question::artifacts(),
            1 => Question::search(&start(&pick(random, &names, "event"), 200), None),
            2 => Question::search(&start(&words(&pick(random, &names, "event publisher")), 200), Some(50)),
            3 => Question::search(
                &start(&pick(random, &descriptions, "retries failed deliveries"), 80),
                Some(10),
            ),
            4 => Question::symbol(&pick(random, &names, "Retry"), None, None),
            5 => {
                Question::symbol(&sample::change_case(&pick(random, &names, "Retry"), random), Some(50), None)
            }
            6 => Question::symbol(&format!("{}q", pick(random, &names, "Retry")), Some(1), None),
            7 => Question::explain(&pick(random, &components, "src")),
            8 => {
                let (subject, rest) =
                    (pick(random, &names, "Retry"), pick(random, &descriptions, "retries deliveries."));
                Question::claim(&format!("{} {}", start(&subject, 200), start(&rest, 200)))
            }
            _ => {
                let (subject, object) = (pick(random, &names, "Retry"), pick(random, &components, "src"));
                Question::claim(&format!("The {} calls {}.", start(&subject, 200), start(&object, 200)))
            }
        })
        .collect()
}

/// Asks two processes, of which the second reads the bundle instead of mapping it and runs in another language and time
/// zone: the lines have to be the same.
pub(crate) fn compare_processes(questions: &[Question], bundle: &Path, disagreements: &mut Disagreements) {
    let here = bundle.parent().expect("a bundle lies in a directory");
    let mut abroad = program(here);
    abroad.env("LC_ALL", "tr_TR.UTF-8").env("TZ", "Pacific/Kiritimati");
    let mut one = Session::open(program(here), &[], bundle, &here.join("one.log"));
    let mut other = Session::open(abroad, &["--no-mmap"], bundle, &here.join("other.log"));
    for question in questions {
        let (a, b) = (one.ask_raw(question), other.ask_raw(question));
        disagreements.compare(&format!("two processes: {}", question.shown()), &a, &b);
    }
    one.close();
    other.close();
}

/// Asks the command line: its envelope's `result` is, byte for byte, what the server sends.
pub(crate) fn compare_command_line<'a>(
    asking: &mut Asking<'_>,
    questions: impl Iterator<Item = &'a Question>,
    bundle: &Path,
    content_hash: &Value,
) {
    let here = bundle.parent().expect("a bundle lies in a directory");
    for question in questions.filter(|question| question.can_be_typed()) {
        let served = match asking.session.ask(question) {
            Ok(answer) => answer.text,
            Err(problem) => {
                asking.disagreements.add(format!("{}\n    {problem}", question.shown()));
                continue;
            }
        };
        let mut arguments = question.command.clone();
        arguments.extend(["--json".into(), "--bundle".into(), bundle.display().to_string()]);
        arguments.extend(question.text.iter().flat_map(|text| ["--".into(), text.clone()]));
        let run = run(program(here), &arguments).expect(0);
        let shown = format!("command line: {}", question.shown());
        compare_envelope(&mut asking.disagreements, &shown, &run.stdout, question, bundle, content_hash);
        let line: BTreeMap<String, &RawValue> =
            serde_json::from_str(&run.stdout).expect("an envelope is JSON");
        asking.disagreements.compare(&shown, &served, line["result"].get());
    }
}

/// What stands around the result.
fn compare_envelope(
    disagreements: &mut Disagreements,
    shown: &str,
    line: &str,
    question: &Question,
    bundle: &Path,
    content_hash: &Value,
) {
    let expected = format!(
        r#"{{"tool":"openmind-pack/{}","command":"{}","schema":"openmind-pack.report/v1","bundle":{{"path":{},"contentHash":{content_hash}}},"result":"#,
        env!("CARGO_PKG_VERSION"),
        question.command[0],
        Value::from(bundle.display().to_string()),
    );
    let start = line.get(..expected.len()).unwrap_or(line);
    disagreements.compare(shown, &expected, start);
    disagreements
        .check(line.matches('\n').count() == 1 && line.ends_with("}\n"), || format!("{shown}: not one line"));
}

/// The words of an identifier: `retryPolicy_v2` asks for `retry Policy v2`.
fn words(name: &str) -> String {
    let mut words = String::new();
    for char in name.chars() {
        if char.is_ascii_uppercase() || !char.is_ascii_alphanumeric() {
            words.push(' ');
        }
        if char != '_' {
            words.push(char);
        }
    }
    // A query has to hold something.
    if words.bytes().all(|byte| byte == b' ') { name.into() } else { words }
}

/// The first characters of a text.
fn start(text: &str, characters: usize) -> String {
    text.chars().take(characters).collect()
}
