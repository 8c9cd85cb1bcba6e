"""Typed access to the sections of a bundle."""

from __future__ import annotations

import struct
from collections import namedtuple
from typing import Any, Iterator

from container import HEADER, Container, Section
from refusal import Refused, decode, require

ABSENT = (1 << 32) - 1
CONFIDENCE = {1: "low", 2: "medium", 3: "high"}

# Kind: name and fields, or no fields for plain bytes. A field is a number unless a type follows its name: a text, a
# text or number that may be absent (?), a confidence, or the table in which it is a range.
SECTIONS: dict[int, tuple[str, str]] = {
    1: ("info", "repository_name:text repository_root:text commit:text? generated_at:text generator_name:text "
        "generator_version:text schema_version:text template_name:text? template_source:text? "
        "template_schema_version:text?"),
    2: ("string-bytes", ""),
    3: ("string-ends", "end"),
    4: ("evidence", "file:text line snippet:text"),
    5: ("string-lists", "string:text"),
    6: ("glossary", "name:text kind:text description:text confidence:confidence evidence:evidence"),
    7: ("components", "name:text kind:text description:text confidence:confidence responsibilities:string-lists "
        "evidence:evidence roles:roles"),
    8: ("roles", "role:text count"),
    9: ("layers", "role:text title:text layer:number? file_count files:string-lists evidence:evidence "
        "confidence:confidence"),
    10: ("flows", "name:text description:text confidence:confidence steps:steps facets:facets"),
    11: ("steps", "order description:text component:text evidence:evidence"),
    12: ("facets", "facet:text file:text line snippet:text values:facet-values"),
    13: ("facet-values", "name:text value:text"),
    14: ("files", "path:text language:text? symbols:symbols"),
    15: ("symbols", "name:text kind:text line snippet:text"),
    16: ("artifacts", "name:text kind entries:number? length frames:frames"),
    17: ("frames", "offset compressed length"),
    18: ("frame-bytes", ""),
    **{kind + i: (f"{name}-{part}", fields)
       for kind, name in ((19, "name"), (22, "folded"), (25, "term"))
       for i, (part, fields) in enumerate((
           ("shards", "offset length keys ordinal longest first_key first_key_length"), ("keys", ""), ("fst", "")))},
    28: ("name-ends", "end"),
    29: ("places", "document"),
    30: ("folded-ends", "end"),
    31: ("folded-names", "name"),
    32: ("postings", "documents first max_impact"),
    33: ("blocks", "last_document payload layout"),
    34: ("block-bytes", ""),
}
NUMBERS = ("number", "number?", "text", "text?", "confidence")


def record_type(fields: list[str]) -> Any:
    return namedtuple("Record", ["at", *fields])


class Bundle:
    """A record has the fields of a row, texts and ranges resolved, and before them `at`, its offset in the file."""

    def __init__(self, container: Container) -> None:
        self.container = container
        self._sections = {section.kind: section for section in container.sections}
        self._kinds = {name: kind for kind, (name, _) in SECTIONS.items()}
        self._plain: dict[str, bytes] = {}
        self._records: dict[str, list[Any]] = {}
        self.texts = self._read_texts()

    def section(self, name: str) -> Section:
        section = self._sections.get(self._kinds[name])
        if section is None:
            raise Refused("section table", HEADER, f"there is no section `{name}`")
        require(section.version == 1, name, section.offset, f"layout version {section.version} isn't known")
        return section

    def plain(self, name: str) -> bytes:
        if name not in self._plain:
            section = self.section(name)
            shape = section.row_size, section.row_count
            require(shape == (1, section.length), name, section.offset, "isn't plain bytes")
            self._plain[name] = self.container.data[section.offset:section.offset + section.length]
        return self._plain[name]

    def records(self, name: str) -> list[Any]:
        if name not in self._records:
            self._records[name] = self._read_table(name)
        return self._records[name]

    def _read_table(self, name: str) -> list[Any]:
        section, data = self.section(name), self.container.data
        fields = [(field.partition(":")[0], field.partition(":")[2] or "number")
                  for field in SECTIONS[section.kind][1].split()]
        words = sum(1 if type_ in NUMBERS else 2 for _, type_ in fields)
        rows_length = section.row_count * section.row_size
        require(section.row_size == 4 * words, name, section.offset, f"rows of {section.row_size} bytes")
        require(section.length == rows_length + 8, name, section.offset, "the length isn't what the rows need")
        footer = section.offset + rows_length
        expected = -rows_length, section.row_count
        require(struct.unpack_from("<iI", data, footer) == expected, name, footer, "the footer isn't that of the rows")
        record = record_type([field for field, _ in fields])
        rows = struct.iter_unpack(f"<{words}I", data[section.offset:footer])
        return [record(at, *self._resolve(name, at, fields, row))
                for at, row in zip(range(section.offset, footer, section.row_size), rows)]

    def _resolve(self, name: str, at: int, fields: list[tuple[str, str]], row: tuple[int, ...]) -> Iterator[Any]:
        numbers = iter(row)
        for field, type_ in fields:
            number = next(numbers)
            if type_ == "number" or (type_ == "number?" and number != ABSENT):
                yield number
            elif type_.endswith("?") and number == ABSENT:
                yield None
            elif type_ == "confidence":
                yield CONFIDENCE.get(number, "low")
            elif type_ in ("text", "text?"):
                require(number < len(self.texts), name, at, f"{field}: there is no text {number}")
                yield self.texts[number]
            else:
                count, target = next(numbers), self.records(type_)
                require(number + count <= len(target), name, at, f"{field}: rows {number} + {count} pass `{type_}`")
                yield target[number:number + count]

    def _read_texts(self) -> list[str]:
        stored, begin, texts = self.plain("string-bytes"), 0, []
        for record in self.records("string-ends"):
            require(begin <= record.end <= len(stored), "string-ends", record.at, "ends descend or pass `string-bytes`")
            texts.append(decode(stored[begin:record.end], "string-bytes", self.section("string-bytes").offset + begin))
            begin = record.end
        ends, bytes_ = self.section("string-ends").offset, self.section("string-bytes").offset
        require(begin == len(stored), "string-ends", ends, "texts don't fill `string-bytes`")
        require(len(set(texts)) == len(texts), "string-bytes", bytes_, "a text stands twice")
        return texts
