"""Reader of openmind-pack bundles (format version 0), written from SPEC.md alone.

Usage: reader.py FILE            check FILE wholly and list what it holds
       reader.py --vectors DIR   check the arithmetic against DIR/format.json

Needs Python 3.11 and the package `blake3`. Shares nothing with the Rust reader but SPEC.md, so that what both list alike is what SPEC
says. Refuses whatever SPEC doesn't allow, also where it doesn't make the check a reader's duty. Two things aren't done:

- The standard library of Python 3.11 has no zstd: of the original files only the recorded table of frames is checked,
  the frames aren't decoded.
- Folding uses the Unicode data of this Python, which are older than SPEC's 18.0.0. They differ for characters that were
  assigned since, so a folded name is checked only if all characters of the name are assigned in the older version; for
  those both versions agree by Unicode's stability policies.
"""

from __future__ import annotations

import json
import struct
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator

from blake3 import blake3

sys.path.insert(0, str(Path(__file__).parent / "second_reader"))

from bundle import Bundle
from container import ceil_div, open_container
from refusal import Refused, decode, require
from scores import impact_of, inverse_document_frequency, weighted_frequency
from shard import Shard

FRAME = 1 << 20

# --- Facts ---

def check_facts(bundle: Bundle) -> None:
    info = bundle.section("info")
    require(info.row_count == 1, "info", info.offset, f"{info.row_count} rows")
    for table in ("glossary", "components", "flows", "artifacts"):
        check_order(table, bundle.records(table), lambda record: record.name)
    files, symbols = bundle.records("files"), bundle.records("symbols")
    check_order("files", files, lambda file: file.path)
    for before, file in pairwise(files):
        require(file.path != before.path or not file.symbols, "files", file.at, "a repeated path has symbols")
    for file in files:
        check_order("symbols", file.symbols, lambda symbol: (symbol.line, symbol.name))
    listed = [symbol.at for file in files for symbol in file.symbols]
    require(listed == [symbol.at for symbol in symbols], "files", bundle.section("files").offset,
            "symbols of the files aren't all symbols in order")
    check_firsts(bundle, files)


def check_firsts(bundle: Bundle, files: list[Any]) -> None:
    """Also a file without symbols has its place, as the file of a symbol is found by `symbols_first`."""
    expected = 0
    for file in files:
        first = struct.unpack_from("<I", bundle.container.data, file.at + 8)[0]
        require(first == expected, "files", file.at, f"symbols_first is {first}, not {expected}")
        expected += len(file.symbols)


def check_order(table: str, records: list[Any], key: Callable[[Any], Any]) -> None:
    """Strings of Python are in the order of code points, which is that of their UTF-8 bytes."""
    for before, record in pairwise(records):
        require(key(before) <= key(record), table, record.at, "rows aren't sorted")


def check_originals(bundle: Bundle) -> None:
    stored = len(bundle.plain("frame-bytes"))
    for frame in bundle.records("frames"):
        require(frame.length <= FRAME, "frames", frame.at, f"a frame of {frame.length} bytes")
        require(frame.offset + frame.compressed <= stored, "frames", frame.at, "passes `frame-bytes`")
    for artifact in bundle.records("artifacts"):
        lengths = [frame.length for frame in artifact.frames]
        require(all(length == FRAME for length in lengths[:-1]), "artifacts", artifact.at, "a frame within isn't 1 MiB")
        require(sum(lengths) == artifact.length and 0 not in lengths, "artifacts", artifact.at,
                "its frames have another length in sum")


# --- Knowledge hash ---

def encode(value: Any) -> bytes:
    """A text, a number, a list (counted) or a tuple (not counted)."""
    if isinstance(value, str):
        text = value.encode()
        return struct.pack("<I", len(text)) + text
    if isinstance(value, int):
        return struct.pack("<I", value)
    count = encode(len(value)) if isinstance(value, list) else b""
    return count + b"".join(map(encode, value))


def optional(value: Any) -> tuple[Any, ...]:
    return (0,) if value is None else (1, value)


def plain_fields(records: Iterable[Any]) -> list[tuple[Any, ...]]:
    return [record[1:] for record in records]


def knowledge(bundle: Bundle) -> tuple[Any, ...]:
    return (
        "openmind-pack knowledge 0", bundle.records("info")[0].repository_name,
        [(g.name, g.kind, g.description, plain_fields(g.evidence), g.confidence) for g in bundle.records("glossary")],
        [(c.name, c.kind, c.description, plain_fields(c.responsibilities), plain_fields(c.evidence), c.confidence,
          plain_fields(c.roles)) for c in bundle.records("components")],
        [(la.role, la.title, optional(la.layer), la.file_count, plain_fields(la.files), plain_fields(la.evidence),
          la.confidence) for la in bundle.records("layers")],
        [(flow.name, flow.description,
          [(s.order, s.description, s.component, plain_fields(s.evidence)) for s in flow.steps], flow.confidence,
          [(f.facet, f.file, f.line, f.snippet, plain_fields(f.values)) for f in flow.facets])
         for flow in bundle.records("flows")],
        [(f.path, optional(f.language), plain_fields(f.symbols)) for f in bundle.records("files")],
    )


def knowledge_hash(bundle: Bundle) -> bytes:
    return blake3(encode(knowledge(bundle))).digest()


# --- Dictionaries ---

def read_dictionary(bundle: Bundle, name: str) -> list[bytes]:
    table, area, keys = f"{name}-shards", f"{name}-fst", list[bytes]()
    stored, stored_keys, base = bundle.plain(area), bundle.plain(f"{name}-keys"), bundle.section(area).offset
    for row in bundle.records(table):
        require(row.offset + row.length <= len(stored), table, row.at, "passes the fst bytes")
        require(row.first_key + row.first_key_length <= len(stored_keys), table, row.at, "passes the keys")
        require(row.ordinal == len(keys), table, row.at, f"ordinal {row.ordinal}, but {len(keys)} keys are before")
        found = Shard(stored[row.offset:row.offset + row.length], row, area, base + row.offset).keys()
        first_key = stored_keys[row.first_key:row.first_key + row.first_key_length]
        require(found[0] == first_key, table, row.at, "rule 16: the first key is another")
        require(not keys or keys[-1] < first_key, table, row.at, "rule 16: the shard before passes the first key")
        keys += found
    return keys


def read_texts_of(bundle: Bundle, name: str) -> list[str]:
    offset = bundle.section(f"{name}-fst").offset
    return [decode(key, f"{name}-fst", offset) for key in read_dictionary(bundle, name)]


# --- Names ---

def read_groups(bundle: Bundle, keys: int, ends: str, members: str, bound: int) -> list[list[int]]:
    """What belongs to each key; every number below the bound must belong to exactly one."""
    numbers, begin, groups = [record[1] for record in bundle.records(members)], 0, []
    area = bundle.section(ends)
    require(area.row_count == keys, ends, area.offset, f"{area.row_count} rows for {keys} keys")
    for record in bundle.records(ends):
        require(begin < record.end <= len(numbers), ends, record.at, f"end {record.end} after {begin}")
        group = numbers[begin:record.end]
        require(all(a < b for a, b in pairwise(group)), ends, record.at, "what belongs to a key doesn't ascend")
        groups.append(group)
        begin = record.end
    require(begin == len(numbers) and sorted(numbers) == list(range(bound)), members, bundle.section(members).offset,
            f"aren't the numbers below {bound}, each once")
    return groups


def fold(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def read_names(bundle: Bundle) -> tuple[list[tuple[str, list[int]]], list[tuple[str, list[int]]]]:
    tables = map(bundle.records, ("glossary", "components", "flows", "symbols"))
    documents = [record.name for table in tables for record in table]
    names, folded = read_texts_of(bundle, "name"), read_texts_of(bundle, "folded")
    places = read_groups(bundle, len(names), "name-ends", "places", len(documents))
    spellings = read_groups(bundle, len(folded), "folded-ends", "folded-names", len(names))
    for ordinal, (name, group) in enumerate(zip(names, places)):
        require(all(documents[document] == name for document in group), "places", bundle.section("places").offset,
                f"a document of name {ordinal} has another name")
    for ordinal, (key, group) in enumerate(zip(folded, spellings)):
        known = [names[name] for name in group if all(unicodedata.category(c) != "Cn" for c in names[name])]
        require(all(fold(name) == key for name in known), "folded-names", bundle.section("folded-names").offset,
                f"a spelling of folded name {ordinal} folds otherwise")
    return list(zip(names, places)), list(zip(folded, spellings))


# --- Postings ---

class Payload:
    def __init__(self, data: bytes, at: int, base: int) -> None:
        self.data, self.at, self.base = data, at, base

    def take(self, count: int) -> bytes:
        require(self.at + count <= len(self.data), "block-bytes", self.base + self.at, "a payload passes the section")
        self.at += count
        return self.data[self.at - count:self.at]

    def numbers(self, count: int, width: int) -> list[int]:
        packed = int.from_bytes(self.take(ceil_div(count * width, 8)), "little")
        require(packed >> count * width == 0, "block-bytes", self.base + self.at, "padding bits aren't zero")
        return [packed >> i * width & (1 << width) - 1 for i in range(count)]


def read_block(bundle: Bundle, block: Any, count: int, first: int) -> list[tuple[int, int]]:
    highest, gap_width, run_width, width = struct.pack("<I", block.layout)
    require(gap_width <= 32 and run_width <= 8 and width in (0, 1, 2, 3, 4, 8), "blocks", block.at, "impossible widths")
    payload = Payload(bundle.plain("block-bytes"), block.payload, bundle.section("block-bytes").offset)
    runs = payload.take(1)[0] if run_width else count
    palette = payload.take(1 << width) if 1 <= width <= 4 else b""
    gaps = payload.numbers(runs, gap_width)
    lengths = payload.numbers(runs, max(run_width - 1, 0))
    impacts, found = payload.numbers(runs, width), []
    for gap, more, number in zip(gaps, lengths, impacts):
        impact = highest if width == 0 else palette[number] if palette else number
        found += [(document, impact) for document in range(first + gap, first + gap + more + 1)]
        first += gap + more + 1
    require(len(found) == count, "blocks", block.at, f"{len(found)} documents, not {count}")
    require(found[-1][0] == block.last_document, "blocks", block.at, "the last document is another")
    require(all(impact > 0 for _, impact in found), "blocks", block.at, "an impact of 0")
    require(max(impact for _, impact in found) == highest, "blocks", block.at, "the maximum impact is another")
    return found


def read_list(bundle: Bundle, row: Any) -> list[tuple[int, int]]:
    require(row.documents > 0, "postings", row.at, "no documents")
    if row.documents == 1:
        return [(row.first, row.max_impact)]
    blocks, count = bundle.records("blocks"), ceil_div(row.documents, 128)
    found: list[tuple[int, int]] = []
    require(row.first + count <= len(blocks), "postings", row.at, "passes `blocks`")
    for i, block in enumerate(blocks[row.first:row.first + count]):
        found += read_block(bundle, block, min(128, row.documents - 128 * i), found[-1][0] + 1 if found else 0)
    return found


def read_terms(bundle: Bundle) -> list[tuple[str, int, list[tuple[int, int]]]]:
    terms, rows, section = read_texts_of(bundle, "term"), bundle.records("postings"), bundle.section("postings")
    documents = bundle.section("places").row_count
    require(len(rows) == len(terms), "postings", section.offset, f"{len(rows)} rows for {len(terms)} terms")
    lists = []
    for term, row in zip(terms, rows):
        require(1 <= len(term.encode()) <= 255, "term-fst", bundle.section("term-fst").offset, "a term's length")
        postings = read_list(bundle, row)
        require(postings[-1][0] < documents, "postings", row.at, f"there is no document {postings[-1][0]}")
        highest = max(impact for _, impact in postings)
        require(row.max_impact == highest and 1 <= highest <= 255, "postings", row.at, "the maximum impact is another")
        lists.append((term, row.max_impact, postings))
    return lists


# --- Listing ---

def list_bundle(path: Path) -> list[list[Any]]:
    container = open_container(path.read_bytes())
    bundle = Bundle(container)
    check_facts(bundle)
    check_originals(bundle)
    require(knowledge_hash(bundle) == container.knowledge_hash, "header", 64, "not the knowledge hash of the facts")
    names, folded = read_names(bundle)
    terms = read_terms(bundle)
    return [
        ["bundle", container.content_hash.hex(), container.knowledge_hash.hex(), container.format_version,
         container.analyzer],
        *(["section", section.kind, section.row_count, section.length] for section in container.sections),
        *(["artifact", a.name, a.kind if a.kind <= 6 else 0, a.entries, a.length] for a in bundle.records("artifacts")),
        *list_facts(bundle),
        *(["name", name, places] for name, places in names),
        *(["folded", key, ordinals] for key, ordinals in folded),
        *(["term", term, highest, postings] for term, highest, postings in terms),
    ]


def list_facts(bundle: Bundle) -> Iterator[list[Any]]:
    def each(label: str, records: list[Any]) -> Iterator[list[Any]]:
        return ([label, *record[1:]] for record in records)

    for entry in bundle.records("glossary"):
        yield ["glossary", entry.name, entry.kind, entry.description, entry.confidence]
        yield from each("evidence", entry.evidence)
    for component in bundle.records("components"):
        yield ["component", component.name, component.kind, component.description, component.confidence]
        yield from each("responsibility", component.responsibilities)
        yield from each("evidence", component.evidence)
        yield from each("role", component.roles)
    for layer in bundle.records("layers"):
        yield ["layer", layer.role, layer.title, layer.layer, layer.file_count, layer.confidence]
        yield from each("layer-file", layer.files)
        yield from each("evidence", layer.evidence)
    for flow in bundle.records("flows"):
        yield ["flow", flow.name, flow.description, flow.confidence]
        for step in flow.steps:
            yield ["step", step.order, step.description, step.component]
            yield from each("evidence", step.evidence)
        for facet in flow.facets:
            yield ["facet", facet.facet, facet.file, facet.line, facet.snippet]
            yield from each("value", facet.values)
    for file in bundle.records("files"):
        yield ["file", file.path, file.language]
        yield from each("symbol", file.symbols)


def compact(line: list[Any]) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


# --- Vectors ---

FREQUENCY_ARGUMENTS = ("field", "count", "length", "total", "documents")


def differences(directory: Path) -> Iterator[str]:
    """The knowledge hash in the vectors is that of the sample, so sample.ompack is looked for beside the directory."""
    vectors = json.loads((directory / "format.json").read_text(encoding="utf-8"))
    calculations: dict[str, Callable[[dict[str, Any]], int]] = {
        "inverseDocumentFrequency": lambda v: inverse_document_frequency(v["documents"], v["holding"]),
        "weightedFrequency": lambda v: weighted_frequency(*(v[name] for name in FREQUENCY_ARGUMENTS)),
        "impact": lambda v: impact_of(v["frequency"], v["lowPriority"]),
    }
    for group, calculate in calculations.items():
        for vector in vectors[group]:
            if calculate(vector) != vector["value"]:
                yield f"{group}: {calculate(vector)} for {compact([vector])}"
    sample = Bundle(open_container((directory.absolute().parent / "sample.ompack").read_bytes()))
    if knowledge_hash(sample).hex() != vectors["knowledgeHash"]["hash"]:
        yield f"knowledgeHash: {knowledge_hash(sample).hex()} of sample.ompack"


def check_vectors(directory: Path) -> list[str]:
    try:
        return list(differences(directory))
    except (KeyError, TypeError, ValueError) as error:
        return [f"format.json isn't as expected: {error!r}"]


def main(arguments: list[str]) -> int:
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    try:
        if len(arguments) == 2 and arguments[0] == "--vectors":
            found = check_vectors(Path(arguments[1]))
            print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
            return 1 if found else 0
        if len(arguments) != 1 or arguments[0].startswith("-"):
            print("usage: reader.py FILE | reader.py --vectors DIR", file=sys.stderr)
            return 2
        print(*map(compact, list_bundle(Path(arguments[0]))), sep="\n")
        return 0
    except (Refused, OSError) as error:
        print(f"reader.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
