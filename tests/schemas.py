#!/usr/bin/env python3
"""The published JSON Schemas hold for the sample's directory and for every answer about it.

    pip install jsonschema
    tests/schemas.py target/debug/openmind-pack [DIRECTORY...]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from jsonschema import Draft202012Validator

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "format-spec" / "schemas"
LISTS = ["metadata", "glossary", "architecture", "flows", "sourceIndex"]
QUESTIONS = [
    ("list_available_artifacts", ["artifacts"]),
    ("search_codebase_context", ["search", "leak closed valve"]),
    ("search_codebase_context", ["search", "kubernetes ingress"]),
    ("get_symbol_evidence", ["symbol", "Pulse", "--limit", "2"]),
    ("get_symbol_evidence", ["symbol", "plan_wattering"]),
    ("explain_architecture_component", ["explain", "valved/safety"]),
    ("explain_architecture_component", ["explain", "billing"]),
    ("validate_claim_against_sources", ["claim", "The PlannerClient uploads telemetry to Grafana."]),
    ("validate_claim_against_sources", ["claim", "The InvoiceMailer archives receipts."]),
]


def validator(path):
    schema = json.loads((SCHEMAS / path).read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def check_directory(directory):
    manifest = json.loads((directory / "manifest.json").read_text())
    validator("openmind/manifest.schema.json").validate(manifest)
    for key in LISTS:
        name = "source-index" if key == "sourceIndex" else key
        content = json.loads((directory / manifest["artifacts"][key]).read_text())
        validator(f"openmind/{name}.schema.json").validate(content)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    directories = [pathlib.Path(name) for name in sys.argv[2:]] or [ROOT / "fixtures/sample-repo/.openmind"]
    for directory in directories:
        check_directory(directory)
    report = validator("report.schema.json")
    with tempfile.TemporaryDirectory() as scratch:
        for tool, command in QUESTIONS:
            # Nothing is configured in an empty directory: the built-in sample answers.
            line = subprocess.run([program, *command, "--json"], cwd=scratch, check=True, capture_output=True, env={}).stdout
            envelope = json.loads(line)
            report.validate(envelope)
            validator(f"tools/{tool}.output.json").validate(envelope["result"])
    print(f"{len(directories) + len(QUESTIONS)} passed, 0 failed")


if __name__ == "__main__":
    main()
