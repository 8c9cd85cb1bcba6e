#!/usr/bin/env bash
# The second reader, over the golden bundles: lists them as fixtures/listings says, and refuses them damaged.
#     tests/reader.sh PYTHON        (3.11 with the package blake3)
#     tests/reader.sh PYTHON write  writes the listings anew
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

list() { "$python" -B tests/reader.py "$1"; }
hash() { "$python" -c 'import sys, blake3; print(blake3.blake3(sys.stdin.buffer.read()).hexdigest())'; }

list fixtures/sample.ompack >"$scratch/sample.list"
list fixtures/golden/empty.ompack >"$scratch/empty.list"
list fixtures/golden/wide.ompack | hash >"$scratch/wide.blake3"
if [ "${2:-}" = write ]; then
    cp "$scratch"/*.list "$scratch"/*.blake3 fixtures/listings/
fi
diff -r "$scratch" fixtures/listings
"$python" -B tests/reader.py --vectors fixtures/vectors

# A flipped bit in each part of the file: header, table, sections, list, trailer.
for at in 9 140 5000 40000 66200 66380 66440 66500; do
    "$python" - fixtures/sample.ompack "$scratch/damaged" "$at" <<'PYTHON'
import sys
source, target, at = sys.argv[1:]
data = bytearray(open(source, "rb").read())
data[int(at)] ^= 4
open(target, "wb").write(data)
PYTHON
    if list "$scratch/damaged" >"$scratch/out" 2>"$scratch/said" || [ "$(wc -l <"$scratch/said")" != 1 ]; then
        echo "a flipped bit of byte $at was not refused in one line: $(cat "$scratch/said")"
        exit 1
    fi
done
echo "both readers agree on the golden bundles"
