"""The file of a bundle: header, section table, group list and trailer."""

from __future__ import annotations

import struct
from typing import NamedTuple

from blake3 import blake3

from blake3_tree import GROUP, group_value, merge
from refusal import require

MAGIC = bytes.fromhex("894F4D500D0A1A0A")
KNOWN_FORMAT = 0
GROUPS_A_BLOCK, HEADER, TRAILER, TABLE_ENTRY = 256, 128, 80, 32
MOST_SECTIONS, MOST_LENGTH = 2044, (1 << 31) - 1


class Section(NamedTuple):
    kind: int
    version: int
    row_size: int
    row_count: int
    offset: int
    length: int


class Container(NamedTuple):
    data: bytes
    content_hash: bytes
    knowledge_hash: bytes
    format_version: int
    analyzer: int
    sections: list[Section]


def ceil_div(number: int, by: int) -> int:
    return -(-number // by)


def open_container(data: bytes) -> Container:
    require(data[:8] == MAGIC, "header", 0, "not a bundle: the magic is another")
    require(len(data) >= HEADER + TRAILER, "file", len(data), "too short for header and trailer")
    format_version, needed, analyzer, group_log = struct.unpack_from("<4I", data, 8)
    require(needed <= KNOWN_FORMAT, "header", 12, f"needs a reader of format {needed}; this one knows {KNOWN_FORMAT}")
    content_hash, body_length = read_trailer(data)
    verify_body(data, body_length, content_hash)
    table_offset, section_count = struct.unpack_from("<QI", data, 40)
    require(group_log == 16, "header", 20, f"groups of 2^{group_log} bytes")
    require(struct.unpack_from("<QQ", data, 24) == (body_length, len(data)), "header", 24, "lengths not the trailer's")
    require(table_offset == HEADER, "header", 40, f"section table at {table_offset}")
    require(section_count <= MOST_SECTIONS, "header", 48, f"{section_count} sections")
    require(not any(data[52:64]) and not any(data[96:128]), "header", 52, "reserved bytes aren't zero")
    return Container(data, content_hash, data[64:96], format_version, analyzer,
                     read_section_table(data, section_count, body_length))


def read_trailer(data: bytes) -> tuple[bytes, int]:
    base = len(data) - TRAILER
    content_hash, body, group_list, file_length, reserved, magic = struct.unpack_from("<32s3Q16s8s", data, base)
    require(magic == MAGIC, "trailer", base + 72, "the magic is another")
    require(not any(reserved), "trailer", base + 56, "reserved bytes aren't zero")
    require(file_length == len(data), "trailer", base + 48, f"file length {file_length}, but it is {len(data)}")
    require(body >= HEADER and body % 64 == 0, "trailer", base + 32, f"body length {body}")
    require(group_list == list_length(body), "trailer", base + 40, f"list length {group_list}")
    require(body + group_list + TRAILER == len(data), "trailer", base + 32, "the lengths don't add up")
    return content_hash, body


def list_length(body_length: int) -> int:
    groups = ceil_div(body_length, GROUP)
    blocks = ceil_div(groups, GROUPS_A_BLOCK) if groups > GROUPS_A_BLOCK else 0
    return 32 * (groups + blocks) if groups > 1 else 0


def verify_body(data: bytes, body_length: int, content_hash: bytes) -> None:
    body = data[:body_length]
    groups = ceil_div(body_length, GROUP)
    values = [data[at:at + 32] for at in range(body_length, body_length + list_length(body_length), 32)]
    group_values, block_values = values[:groups], values[groups:]
    if values:
        merged = merge(block_values or group_values, root=True)
        require(merged == content_hash, "group list", body_length, "values don't merge to the content hash")
    for block, value in enumerate(block_values):
        first = block * GROUPS_A_BLOCK
        require(merge(group_values[first:first + GROUPS_A_BLOCK]) == value, "group list",
                body_length + 32 * (groups + block), f"block {block} isn't what its groups merge to")
    for group, value in enumerate(group_values):
        require(group_value(body, group) == value, "body", group * GROUP, f"group {group} is damaged")
    require(blake3(body).digest() == content_hash, "body", 0, "the content hash is another")


def read_section_table(data: bytes, count: int, body_length: int) -> list[Section]:
    end = HEADER + count * TABLE_ENTRY
    require(end <= min(GROUP, body_length), "section table", HEADER, "passes the first group or the body")
    sections = [Section(*struct.unpack_from("<4I2Q", data, at)) for at in range(HEADER, end, TABLE_ENTRY)]
    last_kind = -1
    for index, section in enumerate(sections):
        at = HEADER + index * TABLE_ENTRY
        require(section.kind > last_kind, "section table", at, "kinds don't ascend")
        require(section.row_size > 0, "section table", at + 8, "rows of no bytes")
        require(section.offset % 64 == 0 and section.offset >= end, "section table", at + 16,
                "a section overlaps what is before it, or isn't aligned")
        require(section.length <= MOST_LENGTH and section.offset + section.length <= body_length, "section table",
                at + 24, "a section passes the end of the body, or its limit")
        require(not any(data[end:section.offset]), "padding", end, "isn't zero")
        last_kind, end = section.kind, section.offset + section.length
    require(not any(data[end:body_length]), "padding", end, "isn't zero")
    return sections
