#!/usr/bin/env bash
# The MCP inspector lists the tools and calls each of them, in every protocol era.
#
#   npm install --prefix DIR node@22 @modelcontextprotocol/inspector@2.12.0
#   tests/inspector.sh DIR target/debug/openmind-pack
set -euo pipefail
bin=$(realpath "$1")/node_modules/.bin
server=$(realpath "$2")
PATH=$bin:$PATH
# Nothing configured: the built-in sample is served.
unset OPEN_MIND_ARTIFACTS_DIR OPEN_MIND_MAX_RESULTS
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

inspect() { timeout 120 mcp-inspector --cli "$server" serve -q --format json "$@" 2>"$scratch/stderr" || { cat "$scratch/stderr" >&2; return 1; }; }

# call TOOL STATUS [ARGUMENT...]: the tool answers with that status, as structured content and as text.
call() {
    local tool=$1 status=$2 era=$3
    shift 3
    local arguments=()
    for argument in "$@"; do arguments+=(--tool-arg "$argument"); done
    inspect --protocol-era "$era" --method tools/call --tool-name "$tool" "${arguments[@]}" >"$scratch/answer"
    node -e '
        const [tool, status] = process.argv.slice(1);
        const answer = JSON.parse(require("fs").readFileSync("answer", "utf8")).result;
        const text = answer.content[0].text;
        if (answer.isError || answer.structuredContent.status !== status) throw new Error(`${tool}: ${text}`);
        if (JSON.stringify(answer.structuredContent) !== text) throw new Error(`${tool}: text and structured content differ`);
    ' "$tool" "$status"
}

for era in legacy auto modern; do
    inspect --protocol-era "$era" --strict --method tools/list >"$scratch/tools"
    node -e '
        const names = JSON.parse(require("fs").readFileSync("tools", "utf8")).result.tools.map(tool => tool.name);
        const wanted = ["list_available_artifacts", "search_codebase_context", "get_symbol_evidence",
            "explain_architecture_component", "validate_claim_against_sources"];
        if (names.join() !== wanted.join()) throw new Error(`tools: ${names}`);
    '
    call list_available_artifacts ok "$era"
    call search_codebase_context ok "$era" "query=leak closed valve" limit=2
    call get_symbol_evidence supported "$era" symbol=Pulse
    call explain_architecture_component supported "$era" component=valved/safety
    call validate_claim_against_sources unsupported "$era" "claim=The PlannerClient uploads telemetry to Grafana."
    echo "era $era: 1 list and 5 calls passed"
done
